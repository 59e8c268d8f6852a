//! What `translate --format json` prints.

use schemars::JsonSchema;
use serde::Serialize;
use shaderport::{Diagnostic, FailureKind, Manifest, Severity};

/// How it went, from good to bad.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Status {
    /// There is GLSL.
    Translated,
    /// A sound container that WebGL2 cannot express, or that is no vertex or pixel shader of models 4.0 to 5.1.
    Refused,
    /// Damaged, unreadable or no shader.
    Invalid,
}

impl From<FailureKind> for Status {
    fn from(kind: FailureKind) -> Self {
        match kind {
            FailureKind::Refused => Status::Refused,
            FailureKind::Invalid => Status::Invalid,
        }
    }
}

/// One shader.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct ShaderReport {
    /// How it went.
    pub(crate) status: Status,
    /// The stage, such as `vertex` or `pixel`; null where it is not known.
    pub(crate) stage: Option<&'static str>,
    /// The shader model, such as `5.0`; null where it is not known.
    pub(crate) model: Option<String>,
    /// Files written, relative to the output folder.
    pub(crate) outputs: Vec<String>,
    /// Every finding.
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// The GLSL, where there is no output folder and not only a check.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) source: Option<String>,
    /// The manifest, where there is no output folder and not only a check.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) manifest: Option<Manifest>,
}

impl ShaderReport {
    /// A report about something that is no shader or cannot be read.
    pub(crate) fn invalid(finding: Diagnostic) -> Self {
        ShaderReport {
            status: Status::Invalid,
            stage: None,
            model: None,
            outputs: Vec::new(),
            diagnostics: vec![finding],
            source: None,
            manifest: None,
        }
    }
}

/// A container in a file that was searched.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct FoundReport {
    /// Offset in bytes from the start of the file; places count from the start of the container.
    pub(crate) offset: usize,
    #[serde(flatten)]
    pub(crate) shader: ShaderReport,
}

/// One input.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct InputReport {
    /// The file, or `-` for standard input.
    pub(crate) input: String,
    /// The shader; of a file that was searched, the worst status and the outputs of all its shaders.
    #[serde(flatten)]
    pub(crate) shader: ShaderReport,
    /// The shaders of a file that does not begin with DXBC and was searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) shaders: Option<Vec<FoundReport>>,
}

impl InputReport {
    /// The reports of single shaders.
    pub(crate) fn each(&self) -> impl Iterator<Item = &ShaderReport> {
        let found = self.shaders.as_deref().unwrap_or_default().iter().map(|f| &f.shader);
        std::iter::once(&self.shader).chain(found)
    }
}

/// A program of two stages: what `link --format json` prints.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct LinkReport {
    /// The vertex shader's file.
    pub(crate) vertex: String,
    /// The pixel shader's file.
    pub(crate) pixel: String,
    /// How it went.
    pub(crate) status: Status,
    /// Files written, relative to the output folder.
    pub(crate) outputs: Vec<String>,
    /// Every finding.
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// Counts of everything that was done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct Summary {
    /// Inputs: the sum of the next three.
    pub(crate) inputs: usize,
    /// Inputs that were translated whole.
    pub(crate) translated: usize,
    /// Inputs of which something was refused, and nothing invalid.
    pub(crate) refused: usize,
    /// Inputs of which something was invalid.
    pub(crate) invalid: usize,
    /// Shaders in all inputs.
    pub(crate) shaders: usize,
    /// Files in folders that hold no shader and were passed over.
    pub(crate) skipped: usize,
    /// Files written.
    pub(crate) outputs: usize,
    /// Findings that are errors.
    pub(crate) errors: usize,
    /// Findings that are warnings.
    pub(crate) warnings: usize,
}

impl Summary {
    /// Counts one more input.
    pub(crate) fn add(&mut self, report: &InputReport) {
        self.inputs += 1;
        match report.shader.status {
            Status::Translated => self.translated += 1,
            Status::Refused => self.refused += 1,
            Status::Invalid => self.invalid += 1,
        }
        self.outputs += report.shader.outputs.len();
        for finding in report.each().flat_map(|s| &s.diagnostics) {
            match finding.severity {
                Severity::Error => self.errors += 1,
                Severity::Warning => self.warnings += 1,
                Severity::Note => {}
            }
        }
    }
}

/// The last line.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub(crate) struct SummaryLine {
    /// Counts of everything that was done.
    pub(crate) summary: Summary,
}
