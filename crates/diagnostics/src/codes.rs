//! The tables of codes, one file for each area. A code's name never changes once released.

use crate::Severity;
use std::fmt;

/// One row of a table: what `shaderport explain` prints.
#[derive(Debug)]
pub struct CodeInfo {
    /// Stable kebab-case name.
    pub name: &'static str,
    /// Severity of a finding unless an option raises it.
    pub severity: Severity,
    /// One line.
    pub title: &'static str,
    /// What it means, why, and what to do: plain text, one paragraph a line.
    pub explanation: &'static str,
}

/// A stable code: a reference to its row.
#[derive(Clone, Copy)]
pub struct Code(&'static CodeInfo);

impl Code {
    /// Makes a code from its row; for the tables in this module.
    pub const fn from_info(info: &'static CodeInfo) -> Self {
        Code(info)
    }
    /// Stable kebab-case name.
    pub const fn name(self) -> &'static str {
        self.0.name
    }
    /// Severity of a finding unless an option raises it.
    pub const fn severity(self) -> Severity {
        self.0.severity
    }
    /// The whole row.
    pub const fn info(self) -> &'static CodeInfo {
        self.0
    }
    /// The code of that name.
    pub fn find(name: &str) -> Option<Code> {
        all().find(|c| c.name() == name)
    }
}

impl PartialEq for Code {
    fn eq(&self, other: &Self) -> bool {
        self.0.name == other.0.name
    }
}
impl Eq for Code {}
impl std::hash::Hash for Code {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.0.name.hash(state);
    }
}
impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name)
    }
}
impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name)
    }
}
impl serde::Serialize for Code {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(self.0.name)
    }
}

/// Declares a table: `NAME: Severity = "kebab-name", "title", "explanation";`
macro_rules! codes {
    ($(#[$m:meta])* $( $id:ident : $sev:ident = $name:literal, $title:literal, $text:literal; )*) => {
        $(
            #[doc = $title]
            pub const $id: $crate::Code = $crate::Code::from_info(&$crate::codes::CodeInfo {
                name: $name, severity: $crate::Severity::$sev, title: $title, explanation: $text,
            });
        )*
        /// Every code of this table, in its order.
        pub const ALL: &[$crate::Code] = &[$($id),*];
    };
}

pub mod cli;
pub mod dxbc;
pub mod effect;
pub mod exec;
pub mod link;
pub mod renderpack;
pub mod spirv;
pub mod webgl;

/// Every table with what it is about.
pub const TABLES: &[(&str, &[Code])] = &[
    ("Reading DXBC", dxbc::ALL),
    ("What WebGL2 cannot express, and what a translation changes", webgl::ALL),
    ("Linking two stages", link::ALL),
    ("Effect containers and packages", effect::ALL),
    ("The command and its files", cli::ALL),
    ("Running on the CPU", exec::ALL),
    ("Reading SPIR-V", spirv::ALL),
    ("Render packs", renderpack::ALL),
];

/// Every code of every table, in the order of the tables.
pub fn all() -> impl Iterator<Item = Code> {
    TABLES.iter().flat_map(|(_, table)| *table).copied()
}

#[cfg(test)]
mod tests {
    #[test]
    fn names_are_unique_and_kebab_case() {
        let mut names: Vec<_> = super::all().map(|c| c.name()).collect();
        for n in &names {
            assert!(n.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'), "{n}");
        }
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
