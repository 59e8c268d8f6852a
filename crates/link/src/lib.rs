//! A vertex and a pixel stage become one WebGL2 program.
//!
//! Direct3D links stages by register and lanes, GLSL by name. [`link`] decides the varyings from what the pixel
//! stage reads, keeps each stage's own slots apart, and describes the program in one manifest.
#![forbid(unsafe_code)]
// A finding is 128 bytes, the lint's limit; it is made once for each refused file.
#![allow(clippy::result_large_err)]

mod manifest;
mod plan;
mod profile;

pub use manifest::{ProgramArray, ProgramBlock, ProgramManifest, ProgramTexture};
pub use profile::{Profile, Skinning};

use plan::Packing;
use serde::{Deserialize, Serialize};
use shaderport_diagnostics::codes::link as codes;
use shaderport_diagnostics::{Diagnostic, Severity};
use shaderport_dxbc::Stage;
use shaderport_glsl::options::{Joints, Limits, VaryingNames};
use shaderport_glsl::pair::{BlockPlan, StageReader};
use shaderport_glsl::{Failure, FailureKind, Options};

/// Whether stages share the blocks of a constant-buffer slot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ConstantBuffers {
    /// Each stage's slot is its own block, but where reflection proves name and layout equal.
    #[default]
    Separate,
    /// One block a slot, of the greater size.
    Shared,
}

/// What becomes of vertex outputs that the pixel stage does not read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum UnusedOutputs {
    /// They stay varyings, under the vertex stage's names: for transform feedback, or other pixel stages.
    #[default]
    Keep,
    /// They go.
    Drop,
}

/// What a caller of [`link`] may choose.
#[derive(Clone, Debug, Default)]
pub struct LinkOptions {
    /// How the stages are translated.
    pub translation: Options,
    /// Sharing of constant-buffer slots.
    pub constant_buffers: ConstantBuffers,
    /// Vertex outputs that nobody reads.
    pub unused_outputs: UnusedOutputs,
    /// Name of the profile that these options come from, for the manifest; empty for none.
    pub profile: String,
}

/// A program.
#[derive(Clone, Debug)]
pub struct LinkedProgram {
    /// GLSL of the vertex stage.
    pub vertex: String,
    /// GLSL of the pixel stage.
    pub fragment: String,
    /// What a host must know.
    pub manifest: ProgramManifest,
    /// Warnings and notes of both stages and of linking.
    pub diagnostics: Vec<Diagnostic>,
}

/// No program.
#[derive(Clone, Debug)]
pub struct LinkFailure {
    /// Refused if either stage is sound but cannot be expressed, invalid if either is damaged.
    pub kind: FailureKind,
    /// Every finding: of the vertex stage, of the pixel stage (each with a note that says so), of linking.
    pub diagnostics: Vec<Diagnostic>,
}

fn failed(vertex: Option<Failure>, pixel: Option<Failure>, linking: Vec<Diagnostic>) -> LinkFailure {
    let invalid = [&vertex, &pixel].into_iter().flatten().any(|f| f.kind == FailureKind::Invalid);
    let of = |f: Option<Failure>, stage| {
        let list = f.map(|f| f.diagnostics).unwrap_or_default();
        list.into_iter().map(move |d| d.note(format!("in the {stage} shader")))
    };
    LinkFailure {
        kind: if invalid { FailureKind::Invalid } else { FailureKind::Refused },
        diagnostics: of(vertex, "vertex").chain(of(pixel, "pixel")).chain(linking).collect(),
    }
}

/// Links two DXBC containers.
///
/// # Errors
/// [`LinkFailure`] with the findings of both stages.
pub fn link(vertex: &[u8], pixel: &[u8], options: &LinkOptions) -> Result<LinkedProgram, LinkFailure> {
    match link_once(vertex, pixel, options, Packing::Named)? {
        Attempt::Linked(program) => Ok(*program),
        Attempt::TooManyVaryings(packing, found) => {
            let mut packed = options.clone();
            packed.translation.abi.varyings = match packing {
                Packing::Registers => VaryingNames::Register,
                Packing::Named | Packing::Elements => VaryingNames::Semantic,
            };
            match link_once(vertex, pixel, &packed, packing)? {
                Attempt::Linked(mut program) => {
                    program.diagnostics.push(found);
                    Ok(*program)
                }
                // Nothing is packed twice.
                Attempt::TooManyVaryings(_, found) => Err(failed(None, None, vec![found])),
            }
        }
    }
}

/// What one attempt at linking comes to.
enum Attempt {
    Linked(Box<LinkedProgram>),
    /// Fewer would do if they were packed so.
    TooManyVaryings(Packing, Diagnostic),
}

fn link_once(
    vertex: &[u8],
    pixel: &[u8],
    options: &LinkOptions,
    packing: Packing,
) -> Result<Attempt, LinkFailure> {
    let read = |bytes| StageReader::read(bytes, &options.translation);
    let (mut vs, mut ps) = match (read(vertex), read(pixel)) {
        (Ok(v), Ok(p)) => (v, p),
        (v, p) => return Err(failed(v.err(), p.err(), Vec::new())),
    };
    if (vs.stage(), ps.stage()) != (Stage::Vertex, Stage::Pixel) {
        let text = format!("a {} and a {} shader are given", vs.stage().name(), ps.stage().name());
        let d =
            Diagnostic::new(codes::STAGES, text).help("give the vertex shader first, then the pixel shader");
        return Err(failed(None, None, vec![d]));
    }
    let (vi, pi) = (vs.interface(), ps.interface());
    let plan = plan::make(&vi, &pi, options, packing);
    let mut diagnostics = plan.diagnostics;
    let given = options.translation.limits.unwrap_or(Limits::GUARANTEED).max_varying_vectors;
    if let Some(joints) = options.translation.abi.joints.filter(|_| vi.has_joints) {
        // Rows of bones in a block of both stages are bones to the pixel stage, too.
        let is_shared = |b: &BlockPlan| (b.register, b.space, b.rows > 0) == (joints.slot, 0, true);
        let shared = plan.vertex.blocks.iter().find(|b| is_shared(b));
        let other = shared.and_then(|b| plan.pixel.blocks.iter().find(|p| p.instance == b.instance));
        if let Some(p) = other {
            let uses = ps.uses_of_joints(&Joints { slot: p.register, ..joints });
            diagnostics.extend(uses.into_iter().map(|d| d.note("in the pixel shader")));
        }
    }
    if packing == Packing::Named {
        let mut counts = plan.varyings;
        if counts.named > given && options.translation.abi.varyings == VaryingNames::Register {
            // Only elements by themselves can share.
            let mut apart = options.clone();
            apart.translation.abi.varyings = VaryingNames::Semantic;
            let read = |bytes| StageReader::read(bytes, &apart.translation).map(|mut s| s.interface());
            if let (Ok(v), Ok(p)) = (read(vertex), read(pixel)) {
                counts.elements = plan::make(&v, &p, &apart, packing).varyings.elements;
            }
        }
        let better = counts.packing(given);
        if better != Packing::Named {
            let to = if better == Packing::Registers { counts.registers } else { counts.elements };
            let text = format!("{} varyings become {to}; {given} is the limit", counts.named);
            let found = Diagnostic::new(codes::VARYINGS_PACKED, text);
            return Ok(Attempt::TooManyVaryings(better, found));
        }
    }
    if diagnostics.iter().any(|d| d.severity == Severity::Error) {
        return Err(failed(None, None, diagnostics));
    }
    let results =
        (vs.translate(&options.translation, &plan.vertex), ps.translate(&options.translation, &plan.pixel));
    let (v, p) = match results {
        (Ok(v), Ok(p)) => (v, p),
        (v, p) => return Err(failed(v.err(), p.err(), diagnostics)),
    };
    let manifest = manifest::make(v.manifest, p.manifest, options, &mut diagnostics);
    if diagnostics.iter().any(|d| d.severity == Severity::Error) {
        return Err(failed(None, None, diagnostics));
    }
    let of = |list: Vec<Diagnostic>, stage| {
        list.into_iter().map(move |d| d.note(format!("in the {stage} shader")))
    };
    let diagnostics =
        of(v.diagnostics, "vertex").chain(of(p.diagnostics, "pixel")).chain(diagnostics).collect();
    let program = LinkedProgram { vertex: v.source, fragment: p.source, manifest, diagnostics };
    Ok(Attempt::Linked(Box::new(program)))
}
