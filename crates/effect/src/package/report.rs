//! What a package's JSON says.

use crate::budget::Transform;
use crate::describe::{AxisInfo, BodyInfo, FilteringInfo, Source, StageInfo};
use crate::read::Read;
use serde::Serialize;
use shaderport_diagnostics::Diagnostic;
use shaderport_link::ProgramManifest;
use std::collections::HashSet;

/// Version of [`PackageIndex`]; raised when a field changes its meaning or goes away.
pub const PACKAGE_VERSION: u32 = 1;

/// What is in a package, and what is not.
///
/// To draw: the options give a permutation, the permutation a body, the body's technique and pass a program and
/// its stages. A program's manifest names its uniforms and the registers they stand for; the stages give the
/// sampler states, constants, textures and annotations of those registers.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PackageIndex {
    /// Version of this format.
    pub package_version: u32,
    /// The container that the package was made of.
    pub source: Source,
    /// Permutation axes; the first varies fastest in `permutations`.
    pub axes: Vec<AxisInfo>,
    /// For each permutation the index of its body. The place of a permutation is the sum over the axes of the option
    /// times the product of the option counts of the axes before.
    pub permutations: Vec<u32>,
    /// What permutations consist of.
    pub bodies: Vec<BodyInfo>,
    /// The stages of all passes, equal ones once.
    pub stages: Vec<StageInfo>,
    /// The programs of all passes, equal ones once.
    pub programs: Vec<ProgramInfo>,
    /// Passes without a program.
    pub excluded: Vec<Excluded>,
    /// Pairs of shaders that are no program, and why.
    pub failures: Vec<FailureInfo>,
    /// What is whole and what is missing.
    pub completeness: Completeness,
}

/// A program.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProgramInfo {
    /// Checksum of the vertex shader's container.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vertex_shader: Option<String>,
    /// Checksum of the pixel shader's container; absent for a program that writes depth only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pixel_shader: Option<String>,
    /// Its files, in a folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub files: Option<ProgramFiles>,
    /// Its manifest, beside a container.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub manifest: Option<ProgramManifest>,
    /// What was done to keep the pixel stage within its texture units.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub transforms: Vec<Transform>,
    /// Warnings and notes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub diagnostics: Vec<Diagnostic>,
}

/// Files of a program, relative to the package's JSON.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProgramFiles {
    /// GLSL of the vertex stage; programs may share it.
    pub vertex: String,
    /// GLSL of the fragment stage; programs may share it.
    pub fragment: String,
    /// The program's manifest.
    pub manifest: String,
}

/// Why a pass has no program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// It has a stage that WebGL2 does not have: compute, geometry, hull or domain.
    Stage,
    /// It has no vertex stage.
    NoVertexStage,
    /// A stage's program is empty.
    EmptyProgram,
    /// WebGL2 cannot express a shader.
    Refused,
    /// A shader is damaged or is none.
    Invalid,
}

impl Reason {
    /// As part of a sentence about passes.
    pub const fn text(self) -> &'static str {
        match self {
            Reason::Stage => "have a stage that WebGL2 does not have",
            Reason::NoVertexStage => "have no vertex stage",
            Reason::EmptyProgram => "have a stage without a program",
            Reason::Refused => "have shaders that WebGL2 cannot express",
            Reason::Invalid => "have shaders that are damaged",
        }
    }
}

/// A pass without a program.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Excluded {
    /// Index of its body.
    pub body: u32,
    /// How many permutations have that body.
    pub permutations: u32,
    /// Name of its technique.
    pub technique: String,
    /// Its place in the technique.
    pub pass: u32,
    /// Why.
    pub reason: Reason,
    /// The findings, as an index into `failures`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<u32>,
}

/// A pair of shaders that is no program.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FailureInfo {
    /// `refused` or `invalid`.
    pub kind: Reason,
    /// Checksum of the vertex shader's container.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vertex_shader: Option<String>,
    /// Checksum of the pixel shader's container.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pixel_shader: Option<String>,
    /// Every finding.
    pub diagnostics: Vec<Diagnostic>,
}

/// What is whole and what is missing.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Completeness {
    /// Whether the package can be used as far as it goes: all that its index refers to is there.
    pub package_valid: bool,
    /// Whether the container has a row for every combination of options, a sound program in every slot, and
    /// nothing odd.
    pub sources_complete: bool,
    /// Passes of all bodies.
    pub passes: u32,
    /// Passes that have a program.
    pub passes_translated: u32,
    /// Different programs.
    pub programs: u32,
    /// Everything that is missing, one sentence each.
    pub gaps: Vec<String>,
}

/// The gaps that the container itself has and that excluded passes leave.
pub(super) fn gaps(source: &Read<'_>, excluded: &[Excluded]) -> Vec<String> {
    let mut gaps: Vec<String> = source.diagnostics.iter().map(|d| d.message.to_string()).collect();
    for reason in
        [Reason::Stage, Reason::NoVertexStage, Reason::EmptyProgram, Reason::Refused, Reason::Invalid]
    {
        let count = excluded.iter().filter(|e| e.reason == reason).count();
        if count > 0 {
            gaps.push(format!("{count} passes {}", reason.text()));
        }
    }
    let libraries: usize = source.effect.bodies.iter().map(|b| b.libraries.len()).sum();
    if libraries > 0 {
        gaps.push(format!(
            "{libraries} ray tracing libraries are left as they are: WebGL2 has no ray tracing"
        ));
    }
    gaps
}

/// A gap with the programs that have it, the first few by number.
pub(super) fn of_programs(gap: &str, programs: &[usize]) -> String {
    const NAMED: usize = 4;
    let named: Vec<String> = programs.iter().take(NAMED).map(usize::to_string).collect();
    let word = if programs.len() == 1 { "program" } else { "programs" };
    let more = match programs.len().saturating_sub(NAMED) {
        0 => String::new(),
        n => format!(" and {n} more"),
    };
    format!("{gap} ({word} {}{more})", named.join(", "))
}

/// The gaps of samplers with an address mode that WebGL2 lacks, in stages of passes that have a program: one sentence
/// for each sampler and mode.
pub(super) fn address_gaps(bodies: &[BodyInfo], stages: &[StageInfo]) -> Vec<String> {
    let passes = bodies.iter().flat_map(|b| &b.techniques).flat_map(|t| &t.passes);
    let mut used = vec![false; stages.len()];
    for &stage in passes.filter(|p| p.program.is_some()).flat_map(|p| &p.stages) {
        used[stage as usize] = true;
    }
    let mut gaps = Vec::new();
    let mut known = HashSet::new();
    for stage in stages.iter().zip(used).filter(|(_, used)| *used).map(|(stage, _)| stage) {
        let mut add = |sampler: String, filtering: &FilteringInfo| {
            for gap in address_gaps_of(&format!("the {} stage's {sampler}", stage.stage), filtering) {
                if known.insert(gap.clone()) {
                    gaps.push(gap);
                }
            }
        };
        for s in &stage.set.samplers {
            add(format!("sampler `{}` (s{})", s.name, s.register), &s.filtering);
        }
        for s in &stage.set.static_samplers {
            let space = if s.space == 0 { String::new() } else { format!(" space{}", s.space) };
            add(format!("static sampler s{}{space}", s.register), &s.filtering);
        }
    }
    gaps
}

/// A sentence for each address mode of a sampler that WebGL2 lacks.
fn address_gaps_of(sampler: &str, filtering: &FilteringInfo) -> Vec<String> {
    let modes = [("u", &filtering.address_u), ("v", &filtering.address_v), ("w", &filtering.address_w)];
    let mut lacking: Vec<(&str, Vec<&str>)> = Vec::new();
    for (coordinate, mode) in modes {
        if !filtering.unsupported_addresses.contains(&coordinate) {
            continue;
        }
        match lacking.iter_mut().find(|l| l.0 == mode) {
            Some(l) => l.1.push(coordinate),
            None => lacking.push((mode, vec![coordinate])),
        }
    }
    let sentence = |(mode, coordinates): (&str, Vec<&str>)| {
        format!("{sampler} has address mode {mode} for {}, which WebGL2 lacks", coordinates.join(", "))
    };
    lacking.into_iter().map(sentence).collect()
}

#[cfg(test)]
mod tests {
    use super::of_programs;

    #[test]
    fn gaps_name_their_programs() {
        assert_eq!(of_programs("too many", &[3]), "too many (program 3)");
        assert_eq!(of_programs("too many", &[0, 2, 5, 6, 7, 9]), "too many (programs 0, 2, 5, 6 and 2 more)");
    }
}
