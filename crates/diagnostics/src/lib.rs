//! Findings: what is wrong or worth knowing about an input, with a stable code and a place.
//!
//! A reader or a translator returns [`Diagnostic`]s beside its value. Every code stands in one of the tables
//! of [`codes`], which `shaderport explain` and the documentation print.
#![forbid(unsafe_code)]

pub mod codes;

use std::borrow::Cow;
use std::fmt;

pub use codes::Code;

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing; nothing is lost.
    Note,
    /// The result stands, but something the shader asked for is approximated, dropped or suspicious.
    Warning,
    /// There is no result.
    Error,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        })
    }
}

/// Where in the input a finding points. All parts are optional; `Place::default()` is the whole input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Place {
    /// Four-character code of the container chunk.
    pub chunk: Option<[u8; 4]>,
    /// Offset in bytes from the start of the DXBC container.
    pub byte_offset: Option<u32>,
    /// Zero-based index of the instruction in the program, declarations counted.
    pub instruction: Option<u32>,
    /// Mnemonic of that instruction.
    pub opcode: Option<&'static str>,
}

impl Place {
    /// A place inside the container known by its byte offset alone.
    pub fn at(byte_offset: usize) -> Self {
        Place { byte_offset: u32::try_from(byte_offset).ok(), ..Place::default() }
    }

    /// A place inside the chunk `tag`, `byte_offset` bytes from the start of the container.
    pub fn in_chunk(tag: [u8; 4], byte_offset: usize) -> Self {
        Place { chunk: Some(tag), ..Place::at(byte_offset) }
    }
}

impl serde::Serialize for Place {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeMap;
        let mut m = s.serialize_map(None)?;
        if let Some(tag) = self.chunk {
            m.serialize_entry("chunk", &tag_text(tag))?;
        }
        if let Some(v) = self.byte_offset {
            m.serialize_entry("byte_offset", &v)?;
        }
        if let Some(v) = self.instruction {
            m.serialize_entry("instruction", &v)?;
        }
        if let Some(v) = self.opcode {
            m.serialize_entry("opcode", v)?;
        }
        m.end()
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Place {
    fn schema_name() -> Cow<'static, str> {
        "Place".into()
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let number = |what: &str| schemars::json_schema!({ "type": "integer", "minimum": 0, "maximum": u32::MAX, "description": what });
        schemars::json_schema!({
            "type": "object",
            "description": "Where in the input a finding points; what is not known is absent.",
            "properties": {
                "chunk": { "type": "string", "description": "Four-character code of the container chunk." },
                "byte_offset": number("Offset in bytes from the start of the DXBC container."),
                "instruction": number("Index of the instruction in the program from 0, declarations counted."),
                "opcode": { "type": "string", "description": "Mnemonic of that instruction." },
            },
            "additionalProperties": false,
        })
    }
}

/// A four-character code as text; bytes outside printable ASCII become `?`.
pub fn tag_text(tag: [u8; 4]) -> String {
    tag.iter().map(|&b| if (0x20..0x7f).contains(&b) { b as char } else { '?' }).collect()
}

/// One finding.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Diagnostic {
    /// The stable code; `shaderport explain CODE` describes it.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub code: Code,
    /// How bad it is.
    pub severity: Severity,
    /// One lower-case sentence without a full stop.
    pub message: Cow<'static, str>,
    /// Where it is.
    pub place: Place,
    /// Related facts, one sentence each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<Cow<'static, str>>,
}

impl Diagnostic {
    /// A finding with the severity that the code has by default.
    pub fn new(code: Code, message: impl Into<Cow<'static, str>>) -> Self {
        Diagnostic {
            code,
            severity: code.severity(),
            message: message.into(),
            place: Place::default(),
            notes: Vec::new(),
            help: None,
        }
    }

    /// The same finding at `place`.
    #[must_use]
    pub fn at(mut self, place: Place) -> Self {
        self.place = place;
        self
    }

    /// The same finding with one more note.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// The same finding with advice.
    #[must_use]
    pub fn help(mut self, help: impl Into<Cow<'static, str>>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// `severity[code]: message (place)`, then indented notes and help.
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}]: {}", self.severity, self.code, self.message)?;
        let p = &self.place;
        let mut sep = " (";
        let mut part = |f: &mut fmt::Formatter<'_>, text: String| {
            let r = write!(f, "{sep}{text}");
            sep = ", ";
            r
        };
        if let Some(tag) = p.chunk {
            part(f, format!("chunk {}", tag_text(tag)))?;
        }
        if let Some(i) = p.instruction {
            let name = p.opcode.map(|o| format!(" {o}")).unwrap_or_default();
            part(f, format!("instruction {i}{name}"))?;
        }
        if let Some(o) = p.byte_offset {
            part(f, format!("byte {o}"))?;
        }
        if *p != Place::default() {
            f.write_str(")")?;
        }
        for n in &self.notes {
            write!(f, "\n  note: {n}")?;
        }
        if let Some(h) = &self.help {
            write!(f, "\n  help: {h}")?;
        }
        Ok(())
    }
}
