//! Prints what the container says about a shader as Microsoft's disassembler does above its listing, and
//! compares it with the listings beside the workspace, where there are any.

use shaderport_dxbc::reflection::{
    Binding, BufferKind, Class, Dimension, InputType, Reflection, ReturnType, Type, TypeTable,
};
use shaderport_dxbc::signature::{ComponentType, MinPrecision, NO_REGISTER};
use shaderport_dxbc::{Container, Signature, SystemValue};
use std::fmt::Write;
use std::path::PathBuf;

/// The lines of a listing's header between `from` and `to`, without `//` and blanks.
fn section(listing: &str, from: &str, ends: &[&str]) -> String {
    let mut out = String::new();
    let mut lines = listing.lines().map_while(|l| l.trim_start().strip_prefix("//")).map(str::trim);
    if !lines.any(|l| l == from) {
        return out;
    }
    for line in lines.skip_while(|l| l.is_empty()).take_while(|l| !ends.contains(l)) {
        if !line.is_empty() && !line.starts_with("Name ") && !line.starts_with("-----") {
            out.extend(line.split_whitespace());
            out.push('\n');
        }
    }
    out
}

fn squeeze(text: &str) -> String {
    let lines = text.lines().map(|l| l.split_whitespace().collect::<String>()).filter(|l| !l.is_empty());
    lines.map(|l| l + "\n").collect()
}

fn mask_text(mask: u8) -> String {
    "xyzw".chars().enumerate().filter(|(i, _)| mask >> i & 1 != 0).map(|(_, c)| c).collect()
}

fn signature_text(signature: &Signature<'_>, is_output: bool, none: &str) -> String {
    let mut out = String::new();
    if signature.elements.is_empty() {
        writeln!(out, "{none}").unwrap();
    }
    let has_streams = signature.elements.iter().any(|e| e.stream != 0);
    for e in &signature.elements {
        let value = match e.resolved_system_value() {
            SystemValue::None => "NONE",
            SystemValue::Position => "POS",
            SystemValue::ClipDistance => "CLIPDST",
            SystemValue::CullDistance => "CULLDST",
            SystemValue::RenderTargetArrayIndex => "RTINDEX",
            SystemValue::ViewportArrayIndex => "VPINDEX",
            SystemValue::VertexId => "VERTID",
            SystemValue::PrimitiveId => "PRIMID",
            SystemValue::InstanceId => "INSTID",
            SystemValue::IsFrontFace => "FFACE",
            SystemValue::SampleIndex => "SAMPLE",
            SystemValue::QuadEdgeTessFactor => "QUADEDGE",
            SystemValue::QuadInsideTessFactor => "QUADINT",
            SystemValue::TriEdgeTessFactor => "TRIEDGE",
            SystemValue::TriInsideTessFactor => "TRIINT",
            SystemValue::LineDetailTessFactor => "LINEDET",
            SystemValue::LineDensityTessFactor => "LINEDEN",
            SystemValue::Target => "TARGET",
            SystemValue::Depth => "DEPTH",
            SystemValue::Coverage => "COVERAGE",
            SystemValue::DepthGreaterEqual => "DEPTHGE",
            SystemValue::DepthLessEqual => "DEPTHLE",
            SystemValue::StencilRef => "STENCILREF",
            other => panic!("{other}"),
        };
        let format = match e.min_precision {
            MinPrecision::Float16 => "min16f",
            MinPrecision::Float2_8 => "min2_8f",
            MinPrecision::Sint16 => "min16i",
            MinPrecision::Uint16 => "min16u",
            _ => match e.component_type {
                ComponentType::Uint32 => "uint",
                ComponentType::Sint32 => "int",
                ComponentType::Float32 => "float",
                other => panic!("{other}"),
            },
        };
        let used = if is_output { !e.read_write_mask } else { e.read_write_mask };
        let mut register = e.register.to_string();
        let (mut mask, mut used) = (mask_text(e.mask), mask_text(used));
        if e.register == NO_REGISTER {
            register = match value {
                "DEPTH" => "oDepth",
                "DEPTHGE" => "oDepthGE",
                "DEPTHLE" => "oDepthLE",
                "COVERAGE" => "oMask",
                "STENCILREF" => "oStencilRef",
                "PRIMID" => "primID",
                other => panic!("{other}"),
            }
            .to_string();
            (mask, used) = ("N/A".into(), if used.is_empty() { "NO".into() } else { "YES".into() });
        }
        let stream = if has_streams { format!("m{}:", e.stream) } else { String::new() };
        writeln!(out, "{stream}{} {} {mask} {register} {value} {format} {used}", e.name, e.semantic_index,)
            .unwrap();
    }
    squeeze(&out)
}

/// Names of features as the listings print them.
fn features_text(keys: &str) -> String {
    let text = |key| match key {
        "doubles" => "Double-precision floating point",
        "minimum-precision" => "Minimum-precision data types",
        "uavs-at-every-stage" => "UAVs at every shader stage",
        "64-uavs" => "64 UAV slots",
        "typed-uav-loads" => "Typed UAV Load Additional Formats",
        "rasterizer-ordered-views" => "Raster Ordered UAVs",
        "layer-from-any-stage" => {
            "SV_RenderTargetArrayIndex or SV_ViewportArrayIndex from any shader feeding rasterizer"
        }
        other => panic!("{other}"),
    };
    squeeze(&keys.lines().map(|k| text(k).to_string() + "\n").collect::<String>())
}

fn binding_text(b: &Binding<'_>) -> String {
    use InputType as I;
    let kind = match b.input_type {
        I::ConstantBuffer => "cbuffer",
        I::TextureBuffer => "tbuffer",
        I::Texture | I::Structured | I::ByteAddress => "texture",
        I::Sampler => {
            if b.is_comparison_sampler() {
                "sampler_c"
            } else {
                "sampler"
            }
        }
        _ => "UAV",
    };
    let (format, dim) = match b.input_type {
        I::ConstantBuffer | I::TextureBuffer | I::Sampler => ("NA".to_string(), "NA".to_string()),
        I::Structured => ("struct".into(), "r/o".into()),
        I::RwStructured => ("struct".into(), "r/w".into()),
        I::RwStructuredWithCounter => ("struct".into(), "r/w+cnt".into()),
        I::AppendStructured => ("struct".into(), "append".into()),
        I::ConsumeStructured => ("struct".into(), "consume".into()),
        I::ByteAddress => ("byte".into(), "r/o".into()),
        I::RwByteAddress => ("byte".into(), "r/w".into()),
        _ => {
            let base = match b.return_type {
                ReturnType::Unorm => "unorm",
                ReturnType::Snorm => "snorm",
                ReturnType::Sint => "sint",
                ReturnType::Uint => "uint",
                ReturnType::Float => "float",
                other => panic!("{other}"),
            };
            let count = b.component_count();
            let dim = match b.dimension {
                Dimension::Buffer => "buf",
                Dimension::Texture1d => "1d",
                Dimension::Texture1dArray => "1darray",
                Dimension::Texture2d => "2d",
                Dimension::Texture2dArray => "2darray",
                Dimension::Texture2dMs => "2dMS",
                Dimension::Texture2dMsArray => "2darrayMS",
                Dimension::Texture3d => "3d",
                Dimension::TextureCube => "cube",
                Dimension::TextureCubeArray => "cubearray",
                other => panic!("{other}"),
            };
            let samples = match b.dimension {
                Dimension::Texture2dMs if b.samples_or_stride != 0 => b.samples_or_stride.to_string(),
                _ => String::new(),
            };
            (if count == 1 { base.into() } else { format!("{base}{count}") }, format!("{dim}{samples}"))
        }
    };
    let letter = match kind {
        "cbuffer" => "cb",
        "texture" | "tbuffer" => "t",
        "UAV" => "u",
        _ => "s",
    };
    let id = b.id.map(|id| format!("{}{id}", letter.to_uppercase())).unwrap_or_default();
    let space = b.space.filter(|&s| s != 0).map(|s| format!(",space{s}")).unwrap_or_default();
    let count = if b.bind_count == 0 { "unbounded".to_string() } else { b.bind_count.to_string() };
    format!("{} {kind} {format} {dim} {id} {letter}{}{space} {count}\n", b.name, b.bind_point)
}

fn bindings_text(reflection: &Reflection<'_>) -> String {
    squeeze(&reflection.bindings().map(|b| binding_text(&b.unwrap())).collect::<String>())
}

fn type_text(out: &mut String, types: &TypeTable<'_>, t: &Type<'_>, base: u32) {
    match t.class {
        Class::Struct => {
            writeln!(out, "struct {}\n{{", t.name.unwrap_or_default()).unwrap();
            for m in &t.members {
                let ty = types.get(m.ty).unwrap();
                type_text(out, types, ty, base + m.offset);
                writeln!(out, " {}{}; // Offset: {}", m.name, elements(ty), base + m.offset).unwrap();
            }
            write!(out, "}}").unwrap();
        }
        Class::InterfacePointer => write!(out, "interface {}", t.name.unwrap()).unwrap(),
        class => {
            let prefix = if class == Class::MatrixRows { "row_major " } else { "" };
            write!(out, "{prefix}{}", t.base).unwrap();
            match class {
                Class::MatrixRows | Class::MatrixColumns => write!(out, "{}x{}", t.rows, t.columns).unwrap(),
                Class::Vector if t.columns > 1 => write!(out, "{}", t.columns).unwrap(),
                _ => {}
            }
        }
    }
}

fn elements(t: &Type<'_>) -> String {
    if t.elements <= 1 { String::new() } else { format!("[{}]", t.elements) }
}

fn buffers_text(reflection: &Reflection<'_>) -> String {
    let mut types = TypeTable::new(reflection);
    let mut out = String::new();
    for buffer in reflection.constant_buffers() {
        let buffer = buffer.unwrap();
        let title = match buffer.kind {
            BufferKind::ResourceBindInfo => "Resource bind info for".to_string(),
            kind => kind.to_string(),
        };
        writeln!(out, "{title} {}\n{{", buffer.name).unwrap();
        for v in buffer.variables() {
            let v = v.unwrap();
            let id = types.resolve(v.type_offset).unwrap();
            let ty = types.get(id).unwrap();
            type_text(&mut out, &types, ty, v.offset);
            let unused = if v.is_used() { "" } else { "[unused]" };
            let (name, n) = (v.name, elements(ty));
            writeln!(out, " {name}{n};// Offset: {} Size: {}{unused}", v.offset, v.size).unwrap();
            let slots = [("Texture: t", v.textures), ("Sampler: s", v.samplers)];
            let slots = slots.iter().filter_map(|(what, slots)| slots.map(|s| format!("{what}{}", s.start)));
            out.push_str(&match slots.collect::<Vec<_>>().join(", ") {
                slots if slots.is_empty() => slots,
                slots => slots + "\n",
            });
            if let Some(bytes) = v.default_value {
                out.push('=');
                for word in bytes.chunks(4) {
                    let word = word.iter().rev().fold(0, |w, &b| w << 8 | u32::from(b));
                    write!(out, "0x{word:08x}").unwrap();
                }
                out.push('\n');
            }
        }
        writeln!(out, "}}").unwrap();
    }
    squeeze(&out)
}

#[test]
fn headers_agree_with_the_listings() {
    let shared = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let Ok(table) = std::fs::read_to_string(shared.join("corpus/INDEX.tsv")) else { return };
    let mut wrong = Vec::new();
    let mut compared = 0;
    for file in table.lines().skip(1).filter_map(|l| l.split('\t').next()) {
        let listing = shared.join("listings").join(file).with_extension("asm");
        let Ok(listing) = std::fs::read_to_string(&listing) else { continue };
        let input = std::fs::read(shared.join("corpus").join(file)).unwrap();
        let container = Container::parse(&input).unwrap();
        compared += 1;
        let mut check = |what: &str, from: &str, ends: &[&str], ours: String| {
            let theirs = section(&listing, from, ends);
            if theirs != ours {
                let (a, b) =
                    theirs.lines().zip(ours.lines()).find(|(a, b)| a != b).unwrap_or((&theirs, &ours));
                wrong.push(format!("{file}: {what}\n  theirs {a}\n  ours   {b}"));
            }
        };
        let input_text = signature_text(&container.input_signature().unwrap().unwrap(), false, "noInput");
        check("inputs", "Input signature:", &[""], input_text);
        let output_text = signature_text(&container.output_signature().unwrap().unwrap(), true, "noOutput");
        let ends = ["", "Tessellation Domain   # of control points"];
        check("outputs", "Output signature:", &ends, output_text);
        if let Some(patch) = container.patch_constant_signature().unwrap() {
            let is_output = listing.contains("\nhs_");
            check("patch", "Patch Constant signature:", &[""], signature_text(&patch, is_output, ""));
        }
        let features = container.feature_flags().unwrap().unwrap_or_default();
        let ours: String = features.named().map(|(key, _)| key.to_string() + "\n").collect();
        check("features", "Note: shader requires additional functionality:", &[""], features_text(&ours));
        if let Some(reflection) = container.reflection().unwrap() {
            check("bindings", "Resource Bindings:", &[""], bindings_text(&reflection));
            check("buffers", "Buffer Definitions:", &["Resource Bindings:"], buffers_text(&reflection));
        }
        if let Some(statistics) = container.statistics().unwrap() {
            let line = listing.lines().rev().find_map(|l| l.strip_prefix("// Approximately "));
            let theirs = line.and_then(|l| l.split(' ').next()).and_then(|n| n.parse().ok());
            if theirs != Some(statistics.instruction_count) {
                wrong.push(format!("{file}: instructions {theirs:?} {}", statistics.instruction_count));
            }
            let temps = listing.lines().filter_map(|l| l.trim().strip_prefix("dcl_temps "));
            let theirs = temps.filter_map(|n| n.parse::<u32>().ok()).max().unwrap_or(0);
            if theirs != statistics.temp_register_count {
                wrong.push(format!("{file}: temps {theirs} {}", statistics.temp_register_count));
            }
        }
    }
    println!("{compared} listings compared");
    assert!(wrong.is_empty(), "{} differences:\n{}", wrong.len(), wrong.join("\n"));
}
