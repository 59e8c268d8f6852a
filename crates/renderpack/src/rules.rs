//! The rules of a descriptor, in the order in which upstream's validators evaluate them.
//!
//! Every rule reports each of its violations; the first finding is the reason that upstream gives. The numbers in
//! comments are those of the list of rules in the project's facts about render packs.

mod device;
mod header;
mod passes;
mod policy;
mod presets;
mod profile;
mod resources;
mod roles;
mod settings;
mod variants;

pub use device::{Device, TRANSIENT_CEILING};

use crate::abi::{Abi, SEMANTIC_V1};
use crate::descriptor::{Descriptor, Flag, Flags, Names};
use crate::descriptor::{Resource, Setting};
use crate::finding::{Finding, Findings};
use crate::ids::ById;
use shaderport_diagnostics::Code;
use std::collections::HashSet;

/// Which rules count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Compat {
    /// The contract, and the hardening beyond it.
    #[default]
    Contract,
    /// As the upstream validators do: practice where it differs from the contract, and no hardening.
    Upstream,
}

/// How to check.
#[derive(Clone, Debug)]
pub struct Options {
    /// Contract or practice.
    pub compat: Compat,
    /// Hardening rules that are turned off, by code.
    pub without: HashSet<Code>,
    /// A device to check against.
    pub device: Option<Device>,
    /// The ABI.
    pub abi: &'static Abi,
}

impl Default for Options {
    fn default() -> Self {
        Options { compat: Compat::Contract, without: HashSet::new(), device: None, abi: &SEMANTIC_V1 }
    }
}

impl Options {
    /// Whether a rule beyond upstream's counts.
    pub fn hardened(&self, rule: Code) -> bool {
        self.compat == Compat::Contract && !self.without.contains(&rule)
    }
}

/// Checks a descriptor against every rule.
pub fn check(descriptor: &Descriptor, options: &Options) -> Vec<Finding> {
    let settings = ById::new(&descriptor.settings);
    // Of equal ids the first setting is the one that counts.
    let counts = |s: &&Setting| settings.get(&s.id).is_some_and(|first| std::ptr::eq(first, *s));
    let choices = descriptor.settings.iter().filter(counts);
    let choices = choices.flat_map(|s| s.choices.iter().map(|c| (s.id.as_str(), c.as_str()))).collect();
    let mut c = Check {
        d: descriptor,
        options,
        findings: Findings::default(),
        resources: ById::new(&descriptor.resources),
        settings,
        choices,
    };
    c.header();
    c.device_capabilities();
    c.semantic_capabilities();
    c.ids();
    c.resources();
    c.passes();
    c.replays();
    c.variants();
    c.settings();
    c.presets();
    c.roles();
    c.policy();
    c.device_presets();
    c.findings.into_list()
}

struct Check<'d> {
    d: &'d Descriptor,
    options: &'d Options,
    findings: Findings,
    resources: ById<'d, Resource>,
    settings: ById<'d, Setting>,
    /// Ids of settings, each with each of its choices.
    choices: HashSet<(&'d str, &'d str)>,
}

impl Check<'_> {
    fn add(&mut self, code: Code, path: &str, message: impl Into<String>) -> &mut Finding {
        self.findings.add(code, path, message)
    }

    fn upstream(&self) -> bool {
        self.options.compat == Compat::Upstream
    }

    /// Unknown names among flags.
    fn flags<E: Flag + Names>(&mut self, code: Code, path: &str, flags: &Flags, message: &str) {
        for (i, text) in &flags.unknown {
            self.add(code, &format!("{path}[{i}]"), message).says(one_of::<E>(), text.clone());
        }
    }

    /// An unknown name.
    fn unknown<E: Names>(&mut self, code: Code, path: &str, text: &str, message: String) {
        let nearest =
            E::NAMES.iter().find(|n| n.eq_ignore_ascii_case(text) || crate::descriptor::close(n, text));
        let f = self.add(code, path, message).says(one_of::<E>(), text);
        if let Some(n) = nearest {
            f.helps(format!("write `{n}`"));
        }
    }
}

/// The names of an enum, for messages.
fn one_of<E: Names>() -> String {
    format!("one of {}", E::NAMES.join(", "))
}

/// `^[a-z][a-z0-9._-]{0,127}$`
pub fn is_stable_id(id: &str) -> bool {
    let b = id.as_bytes();
    b.first().is_some_and(u8::is_ascii_lowercase)
        && b.len() <= 128
        && b.iter().all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'.' | b'_' | b'-'))
}

/// A relative path that stays inside the pack's folder.
pub fn is_safe_asset_key(key: &str) -> bool {
    let rooted = key.starts_with('/') || key.as_bytes().get(1) == Some(&b':');
    !key.trim().is_empty()
        && key.chars().count() <= 512
        && !rooted
        && !key.contains(['\\', '\0'])
        && key.split('/').all(|s| !matches!(s, "" | "." | ".."))
}

/// A number as messages show it.
fn show(v: f64) -> String {
    format!("{v}")
}
