//! What one shader may see: a role with its semantic inputs and reads.

use crate::abi::{Abi, Role, RoleKind};
use crate::rules::Compat;

/// A role together with what the declaration lists.
#[derive(Clone, Debug)]
pub struct Access {
    /// The role.
    pub role: &'static Role,
    /// Names of the declared semantic inputs.
    pub inputs: Vec<String>,
    /// The pass reads resources.
    pub reads: bool,
}

impl Access {
    /// Reads a role as the command line names it: a variant's or pass's semantic, which stands for its usual inputs
    /// and reads, or `NAME:INPUT,...` with `+reads` where resources are read. `custom` is a custom fullscreen pass
    /// and `custom-variant` a custom variant.
    pub fn parse(abi: &Abi, text: &str) -> Result<Self, String> {
        let (text, reads) = match text.strip_suffix("+reads") {
            Some(rest) => (rest, true),
            None => (text, false),
        };
        let (name, list) = match text.split_once(':') {
            Some((name, list)) => (name, Some(list)),
            None => (text, None),
        };
        let role = match name {
            "custom" => abi.role(RoleKind::Pass, "CustomFullscreen"),
            "custom-variant" => abi.role(RoleKind::Variant, "Custom"),
            _ => {
                abi.roles.iter().find(|r| r.name == name && (r.kind == RoleKind::Pass || r.name != "Custom"))
            }
        };
        let Some(role) = role else {
            let names: Vec<_> = abi.roles.iter().map(|r| r.name).filter(|n| *n != "Custom").collect();
            return Err(format!(
                "there is no role `{name}`; roles are custom, custom-variant, {}",
                names.join(", ")
            ));
        };
        let Some(list) = list else {
            let inputs = role.usual.inputs.iter().map(|s| (*s).to_owned()).collect();
            return Ok(Access { role, inputs, reads: reads || role.usual.reads });
        };
        let inputs: Vec<String> =
            list.split(',').map(str::trim).filter(|s| !s.is_empty()).map(str::to_owned).collect();
        if let Some(bad) = inputs.iter().find(|i| abi.input(i).is_none()) {
            let names: Vec<_> = abi.inputs.iter().map(|i| i.name).collect();
            return Err(format!("there is no semantic input `{bad}`; inputs are {}", names.join(", ")));
        }
        Ok(Access { role, inputs, reads })
    }

    fn declared<'a>(&'a self, abi: &'a Abi) -> impl Iterator<Item = &'static crate::abi::Input> + 'a {
        self.inputs.iter().filter_map(|n| abi.input(n))
    }

    /// Whether the shader may declare the texture table.
    pub fn table(&self, abi: &Abi) -> bool {
        self.role.table || (self.role.by_inputs && (self.reads || self.declared(abi).any(|i| i.opens_table)))
    }

    /// Whether it may declare the packs' block at that binding.
    pub fn block(&self, abi: &Abi, binding: u32, compat: Compat) -> bool {
        self.role.blocks.contains(&binding) || self.by_input(abi, binding, compat)
    }

    /// Whether an input brings that block.
    pub fn by_input(&self, abi: &Abi, binding: u32, compat: Compat) -> bool {
        let opens = |i: &crate::abi::Input| match compat {
            Compat::Contract => i.opens.contains(&binding),
            Compat::Upstream => i.upstream_opens.contains(&binding),
        };
        self.role.by_inputs && self.declared(abi).any(opens)
    }

    /// Inputs that would bring that block, for advice.
    pub(crate) fn openers(abi: &Abi, binding: u32) -> Vec<&'static str> {
        abi.inputs.iter().filter(|i| i.opens.contains(&binding)).map(|i| i.name).collect()
    }
}
