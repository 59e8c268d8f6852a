//! Findings about packs.

use crate::abi::Stage;
use crate::json::Position;
use serde::Serialize;
use shaderport_diagnostics::{Code, Place, Severity};
use std::fmt;

/// Something that a rule found.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Finding {
    /// The rule.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub code: Code,
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong: for the descriptor a sentence, for a shader a clause.
    pub message: String,
    /// JSON path of the value in the descriptor; `$` for the whole and for single shaders.
    pub path: String,
    /// Where that value stands in the text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<Position>,
    /// The shader.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shader: Option<ShaderSite>,
    /// What the rule asks for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
    /// What is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<String>,
    /// Related facts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// What to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
}

/// A place in a shader.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ShaderSite {
    /// Asset key or file.
    pub asset: String,
    /// Stage that it was checked for.
    #[serde(serialize_with = "stage_name")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<Stage>"))]
    pub stage: Option<Stage>,
    /// Instruction, by its place in the module.
    pub place: Place,
    /// Place in the source, where the module tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

fn stage_name<S: serde::Serializer>(stage: &Option<Stage>, s: S) -> Result<S::Ok, S::Error> {
    stage.map(Stage::name).serialize(s)
}

impl Finding {
    /// A finding with the severity of its code.
    pub fn new(code: Code, path: &str, message: impl Into<String>) -> Self {
        Finding {
            code,
            severity: code.severity(),
            message: bounded(message.into()),
            path: path.to_owned(),
            position: None,
            shader: None,
            expected: None,
            found: None,
            notes: Vec::new(),
            help: None,
        }
    }
}

/// `severity[code]: message`, then where, expected, found, notes and help, a line each.
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}]: {}", self.severity, self.code, self.message)?;
        if let Some(p) = self.position {
            write!(f, "\n  at {}:{} {}", p.line, p.column, self.path)?;
        }
        if let Some(s) = &self.shader {
            write!(f, "\n  in {}", s.asset)?;
            if let Some(stage) = s.stage {
                write!(f, " ({})", stage.name())?;
            }
            if let Some(i) = s.place.instruction {
                write!(f, ", instruction {i}")?;
                if let Some(op) = s.place.opcode {
                    write!(f, " Op{op}")?;
                }
            }
            if let Some(source) = &s.source {
                write!(f, ", {source}")?;
            }
        }
        if let Some(e) = &self.expected {
            write!(f, "\n  expected: {e}")?;
        }
        if let Some(e) = &self.found {
            write!(f, "\n  found: {e}")?;
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

/// The longest text of a finding in bytes. Names in a hostile file are as long as it likes, and may be in each finding.
const LONGEST: usize = 2000;

/// A text, cut where it is too long for a finding.
pub(crate) fn bounded(mut text: String) -> String {
    if text.len() > LONGEST {
        let end = (0..=LONGEST).rev().find(|i| text.is_char_boundary(*i)).unwrap_or(0);
        text.truncate(end);
        text.push_str("...");
        text.shrink_to_fit();
    }
    text
}

/// As much of a name as a finding can show of it: a message for each mention of a name that is as long as its file
/// would take the square of the file's size.
pub(crate) fn brief(text: &str) -> &str {
    // Longer than a finding's text, so that the text is cut where it would be with the whole name.
    match (LONGEST + 1..text.len()).find(|i| text.is_char_boundary(*i)) {
        Some(end) => &text[..end],
        None => text,
    }
}

/// Names in a row, or as many as a finding can show.
pub(crate) fn joined<'t>(names: impl IntoIterator<Item = &'t str>) -> String {
    let mut text = String::new();
    for (i, name) in names.into_iter().enumerate() {
        if i > 0 {
            text.push_str(", ");
        }
        text.push_str(brief(name));
        if text.len() > LONGEST {
            break;
        }
    }
    text
}

/// A growing list. What a hostile file can cause is bounded.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    list: Vec<Finding>,
    spare: Option<Box<Finding>>,
    /// An error was pushed.
    refused: bool,
}

/// More findings than this say nothing new.
const MOST: usize = 4096;

impl Findings {
    /// Adds a finding and gives it back to be told more.
    pub(crate) fn add(&mut self, code: Code, path: &str, message: impl Into<String>) -> &mut Finding {
        let finding = Finding::new(code, path, message);
        if self.list.len() >= MOST {
            return self.spare.insert(Box::new(finding));
        }
        self.list.push(finding);
        let last = self.list.len() - 1;
        &mut self.list[last]
    }

    /// Adds a finding that another check made. The first error is kept in any case: it refuses the pack.
    pub(crate) fn push(&mut self, finding: Finding) {
        let error = finding.severity >= Severity::Error;
        if self.list.len() < MOST || (error && !self.refused) {
            self.list.push(finding);
        } else {
            self.spare = Some(Box::new(finding));
        }
        self.refused |= error;
    }

    /// Whether what is pushed from here on changes nothing.
    pub(crate) fn settled(&self) -> bool {
        self.refused && self.overflows()
    }

    /// Adds a finding whose place in the text is known.
    pub(crate) fn add_at(
        &mut self,
        code: Code,
        path: &str,
        at: Position,
        message: impl Into<String>,
    ) -> &mut Finding {
        let f = self.add(code, path, message);
        f.position = Some(at);
        f
    }

    pub(crate) fn last_mut(&mut self) -> Option<&mut Finding> {
        self.list.last_mut()
    }

    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there were more findings than are kept: what is added from here on changes nothing.
    pub(crate) fn overflows(&self) -> bool {
        self.spare.is_some()
    }

    /// The findings. The last one says so where there were more than are kept.
    pub(crate) fn into_list(mut self) -> Vec<Finding> {
        if let Some(last) = self.list.last_mut().filter(|_| self.spare.is_some()) {
            last.notes(format!("only the first {MOST} findings are kept; mend these, and check again"));
        }
        self.list
    }
}

impl Finding {
    /// Adds what the rule asks for and what is there.
    pub(crate) fn says(&mut self, expected: impl Into<String>, found: impl Into<String>) -> &mut Self {
        self.expected = Some(bounded(expected.into()));
        self.found = Some(bounded(found.into()));
        self
    }
    /// Adds what to do.
    pub(crate) fn helps(&mut self, help: impl Into<String>) -> &mut Self {
        self.help = Some(bounded(help.into()));
        self
    }
    /// Adds a related fact.
    pub(crate) fn notes(&mut self, note: impl Into<String>) -> &mut Self {
        self.notes.push(bounded(note.into()));
        self
    }
}
