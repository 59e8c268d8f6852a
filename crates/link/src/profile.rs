//! ABI profiles: what a host's runtime binds by, as data.
//!
//! A profile is a set of rules, each of which can be set alone; what it does not say is as without a profile.

use crate::{ConstantBuffers, LinkOptions, UnusedOutputs};
use serde::{Deserialize, Serialize};
use shaderport_glsl::options::{
    BufferForm, ConstantForm, DepthRange, IntegerAttributes, Joints, SlotMove, TextureNames, VaryingNames,
};

/// Rules of how a program meets its host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(transform = with_extends))]
#[serde(default, deny_unknown_fields)]
pub struct Profile {
    /// Name, for the manifest.
    pub name: String,
    /// How clip-space depth is mapped.
    pub depth_range: DepthRange,
    /// Negate `gl_Position.y`.
    pub flip_y: bool,
    /// How integer vertex attributes are declared; blend indices are floats with `float`.
    pub integer_attributes: IntegerAttributes,
    /// `in_BINORMALn` becomes `in_BITANGENTn` where the stage's pipeline input is a bitangent.
    pub bitangents: bool,
    /// Whether stages share the blocks of a slot.
    pub constant_buffers: ConstantBuffers,
    /// Blocks or plain arrays.
    pub constant_form: ConstantForm,
    /// Slots of the pixel stage that are bound as others.
    pub pixel_slots: Vec<SlotMove>,
    /// How varyings are named.
    pub varyings: VaryingNames,
    /// How textures are named.
    pub textures: TextureNames,
    /// Where the bones of skinned meshes are.
    pub skinning: Skinning,
    /// What becomes of vertex outputs that the pixel stage does not read.
    pub unused_outputs: UnusedOutputs,
}

/// Where a vertex stage reads its structured buffers from, bones among them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "form", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Skinning {
    /// A std140 block of so many elements.
    Block {
        /// Elements.
        bones: u32,
    },
    /// An RGBA32UI data texture.
    Texture,
    /// Rows of a constant buffer: `memory-structured`, section B.
    Rows(Joints),
}

impl Default for Profile {
    fn default() -> Self {
        Profile {
            name: "default".to_owned(),
            depth_range: DepthRange::Gl,
            flip_y: false,
            integer_attributes: IntegerAttributes::Float,
            bitangents: false,
            constant_buffers: ConstantBuffers::Separate,
            constant_form: ConstantForm::Block,
            pixel_slots: Vec::new(),
            varyings: VaryingNames::Semantic,
            textures: TextureNames::Register,
            skinning: Skinning::Block { bones: 69 },
            unused_outputs: UnusedOutputs::Keep,
        }
    }
}

impl Profile {
    /// Names of the profiles that are built in.
    pub const BUILT_IN: [&str; 2] = ["specs", "carbon"];

    /// A profile that is built in: `specs`, the names and sharing of the specification `decl-io`; `carbon`, what
    /// the Carbon runtime binds.
    pub fn built_in(name: &str) -> Option<Profile> {
        let specs = Profile {
            name: name.to_owned(),
            bitangents: true,
            constant_buffers: ConstantBuffers::Shared,
            ..Profile::default()
        };
        match name {
            "specs" => Some(specs),
            "carbon" => Some(Profile {
                depth_range: DepthRange::Reversed,
                pixel_slots: vec![SlotMove { from: 0, to: 7 }],
                varyings: VaryingNames::Register,
                textures: TextureNames::Stage,
                ..specs
            }),
            _ => None,
        }
    }

    /// Reads a profile: a JSON object of rules, in which `extends` may name a built-in profile that the rules change.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn from_json(text: &str) -> Result<Profile, String> {
        let mut given: serde_json::Map<String, serde_json::Value> =
            serde_json::from_str(text).map_err(|e| e.to_string())?;
        let base = match given.remove("extends") {
            None => Profile::default(),
            Some(base) => base.as_str().and_then(Profile::built_in).ok_or_else(|| {
                format!("{base} is no built-in profile; there are {}", Self::BUILT_IN.join(", "))
            })?,
        };
        base.with_rules(given)
    }

    /// The profile with other values for some rules.
    ///
    /// # Errors
    /// An unknown rule, or a value that it does not take.
    pub fn with_rules(
        &self,
        rules: impl IntoIterator<Item = (String, serde_json::Value)>,
    ) -> Result<Profile, String> {
        let mut all = serde_json::to_value(self).map_err(|e| e.to_string())?;
        if let Some(all) = all.as_object_mut() {
            all.extend(rules);
        }
        serde_json::from_value(all).map_err(|e| e.to_string())
    }

    /// Sets the options that the rules are about. `bitangent_inputs`: vertex input registers whose pipeline input
    /// has usage BITANGENT.
    pub fn apply(&self, options: &mut LinkOptions, bitangent_inputs: &[u32]) {
        options.profile.clone_from(&self.name);
        options.constant_buffers = self.constant_buffers;
        options.unused_outputs = self.unused_outputs;
        let t = &mut options.translation;
        t.depth_range = self.depth_range;
        t.flip_y = self.flip_y;
        t.integer_attributes = self.integer_attributes;
        t.abi.varyings = self.varyings;
        t.abi.textures = self.textures;
        t.abi.constant_form = self.constant_form;
        t.abi.pixel_slots.clone_from(&self.pixel_slots);
        t.abi.bitangent_inputs = if self.bitangents { bitangent_inputs.to_vec() } else { Vec::new() };
        t.abi.joints = None;
        t.vertex_buffers = BufferForm::Block;
        match self.skinning {
            Skinning::Block { bones } => t.buffer_capacity = bones,
            Skinning::Texture => t.vertex_buffers = BufferForm::Texture,
            Skinning::Rows(joints) => t.abi.joints = Some(joints),
        }
    }
}

/// Adds the key of a profile's file that is no rule.
#[cfg(feature = "schema")]
fn with_extends(schema: &mut schemars::Schema) {
    let properties = schema.ensure_object().entry("properties").or_insert_with(|| serde_json::json!({}));
    if let Some(properties) = properties.as_object_mut() {
        let extends = serde_json::json!({
            "description": "The built-in profile that the rules change.",
            "type": "string",
            "enum": Profile::BUILT_IN,
        });
        properties.insert("extends".to_owned(), extends);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_can_be_set_alone() {
        let plain = serde_json::to_value(Profile::default()).unwrap();
        let carbon = serde_json::to_value(Profile::built_in("carbon").unwrap()).unwrap();
        for (rule, value) in carbon.as_object().unwrap() {
            let text = serde_json::json!({ rule: value }).to_string();
            let one = serde_json::to_value(Profile::from_json(&text).unwrap()).unwrap();
            for (other, default) in plain.as_object().unwrap() {
                assert_eq!(one[other], if other == rule { value.clone() } else { default.clone() });
            }
        }
    }

    #[test]
    fn profiles_extend_what_is_built_in() {
        let text = r#"{ "extends": "carbon", "skinning": { "form": "rows", "joints": 40 } }"#;
        let profile = Profile::from_json(text).unwrap();
        assert_eq!(profile.varyings, VaryingNames::Register);
        assert_eq!(profile.skinning, Skinning::Rows(Joints { joints: 40, ..Joints::default() }));
        for wrong in ["[]", r#"{ "extends": "x" }"#, r#"{ "rule": 1 }"#, r#"{ "varyings": "name" }"#] {
            assert!(Profile::from_json(wrong).is_err(), "{wrong}");
        }
    }
}
