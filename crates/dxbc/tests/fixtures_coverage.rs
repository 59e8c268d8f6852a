//! Every opcode, register file, resource dimension and system value that a vertex or pixel shader may have stands in
//! two fixtures at least.

use shaderport_dxbc::program::{OperandKind, ResourceDimension};
use shaderport_dxbc::{Container, Opcode, Program, Stage, SystemValue};
use std::collections::BTreeMap;
use std::path::Path;

#[derive(Default)]
struct Seen(BTreeMap<String, usize>);

impl Seen {
    /// Counts what one fixture has, once each.
    fn add(&mut self, mut names: Vec<String>) {
        names.sort();
        names.dedup();
        for name in names {
            *self.0.entry(name).or_default() += 1;
        }
    }
}

fn opcode(o: Opcode) -> String {
    format!("opcode {}", o.name())
}

fn kind(k: OperandKind) -> String {
    format!("register file {k:?}")
}

fn dimension(d: ResourceDimension) -> String {
    format!("dimension {}", d.name())
}

fn value(v: SystemValue) -> String {
    format!("system value {v:?}")
}

/// What the table allows to every stage, but only stages after the vertex shader declare.
const NEVER: [&str; 2] = ["opcode dcl_input_siv", "opcode dcl_output_sgv"];

/// What vertex and pixel shaders may have. Tables of functions are declared without operands, and inner coverage is a
/// register of its own that no signature lists.
fn wanted() -> Vec<String> {
    let opcodes = Opcode::ALL.iter().filter(|o| {
        let stages = o.info().stages;
        stages.contains(Stage::Vertex) || stages.contains(Stage::Pixel)
    });
    use OperandKind::*;
    let kinds = [
        Temp,
        Input,
        Output,
        IndexableTemp,
        Immediate32,
        Immediate64,
        Sampler,
        Resource,
        ConstantBuffer,
        ImmediateConstantBuffer,
        Label,
        OutputDepth,
        Null,
        Rasterizer,
        OutputCoverageMask,
        FunctionBody,
        Interface,
        ThisPointer,
        UnorderedAccessView,
        InputCoverageMask,
        OutputDepthGreaterEqual,
        OutputDepthLessEqual,
        OutputStencilRef,
        InnerCoverage,
    ];
    use ResourceDimension as D;
    let dimensions = [
        D::Buffer,
        D::Texture1D,
        D::Texture2D,
        D::Texture2DMs,
        D::Texture3D,
        D::TextureCube,
        D::Texture1DArray,
        D::Texture2DArray,
        D::Texture2DMsArray,
        D::TextureCubeArray,
        D::RawBuffer,
        D::StructuredBuffer,
    ];
    use SystemValue as V;
    let values = [
        V::Position,
        V::ClipDistance,
        V::CullDistance,
        V::RenderTargetArrayIndex,
        V::ViewportArrayIndex,
        V::VertexId,
        V::PrimitiveId,
        V::InstanceId,
        V::IsFrontFace,
        V::SampleIndex,
        V::Target,
        V::Depth,
        V::Coverage,
        V::DepthGreaterEqual,
        V::DepthLessEqual,
        V::StencilRef,
    ];
    let mut all: Vec<String> = opcodes.map(|o| opcode(*o)).collect();
    all.extend(kinds.map(kind));
    all.extend(dimensions.map(dimension));
    all.extend(values.map(value));
    all
}

#[test]
fn everything_stands_in_two_fixtures() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/dxbc");
    let mut seen = Seen::default();
    let mut files = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if !name.ends_with(".vs.dxbc") && !name.ends_with(".ps.dxbc") {
            continue;
        }
        files += 1;
        let bytes = std::fs::read(&path).unwrap();
        let container = Container::parse(&bytes).unwrap();
        let chunk = container.program_chunk().unwrap();
        let program = Program::decode(chunk.data, chunk.tag, chunk.offset + 8).unwrap();
        let mut names = Vec::new();
        for i in &program.instructions {
            names.push(opcode(i.opcode));
            names.extend(program.operands(i).iter().map(|o| kind(o.kind)));
            match i.opcode {
                Opcode::DclResource => names.extend(i.resource_dimension().map(dimension)),
                Opcode::DclResourceRaw => names.push(dimension(ResourceDimension::RawBuffer)),
                Opcode::DclResourceStructured => names.push(dimension(ResourceDimension::StructuredBuffer)),
                _ => {}
            }
        }
        names.extend(program.relative.iter().map(|o| kind(o.kind)));
        for signature in [container.input_signature(), container.output_signature()] {
            let elements = signature.unwrap().map(|s| s.elements).unwrap_or_default();
            names.extend(elements.iter().map(|e| value(e.resolved_system_value())));
        }
        seen.add(names);
    }
    assert!(files >= 150, "only {files} fixtures");
    let few: Vec<String> = wanted()
        .into_iter()
        .filter(|name| !NEVER.contains(&name.as_str()))
        .map(|name| (seen.0.get(&name).copied().unwrap_or(0), name))
        .filter(|(count, _)| *count < 2)
        .map(|(count, name)| format!("{name}: {count}"))
        .collect();
    assert!(few.is_empty(), "in fewer than two fixtures:\n{}", few.join("\n"));
}
