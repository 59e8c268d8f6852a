//! The project's own fixtures, and the shared ones where they are.

use crate::*;
use shaderport_diagnostics::Severity;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The committed modules: name and bytes, in order of name.
pub(crate) fn fixtures() -> Vec<(String, Vec<u8>)> {
    modules(&root().join("fixtures/spirv/spv"))
}

fn modules(dir: &Path) -> Vec<(String, Vec<u8>)> {
    let mut out: Vec<_> = fs::read_dir(dir)
        .into_iter()
        .flatten()
        .filter_map(|e| {
            let path = e.ok()?.path();
            Some((path.file_name()?.to_str()?.to_owned(), fs::read(&path).ok()?))
        })
        .collect();
    out.sort();
    out
}

fn fixture(name: &str) -> Module {
    let bytes = fs::read(root().join("fixtures/spirv/spv").join(name)).unwrap();
    let reading = read(&bytes);
    assert!(reading.complete, "{name}");
    reading.module.unwrap()
}

fn resource<'r>(r: &'r Reflection, name: &str) -> &'r Resource {
    r.resources
        .iter()
        .chain(&r.push_constants)
        .find(|x| x.name.as_deref() == Some(name))
        .unwrap_or_else(|| panic!("no {name}"))
}

fn struct_of(r: &Reflection, ty: u32) -> (Option<u64>, &[MemberInfo]) {
    match &r.types[&ty] {
        TypeInfo::Struct { bytes, members, .. } => (*bytes, members),
        other => panic!("{other:?}"),
    }
}

#[test]
fn sound_modules_have_no_errors() {
    let shared = root().join("../shared/renderpack/spv/accepted");
    let all = fixtures().into_iter().chain(modules(&shared));
    for (name, bytes) in all {
        let reading = read(&bytes);
        assert!(reading.complete, "{name}");
        let errors: Vec<_> = reading.diagnostics.iter().filter(|d| d.severity == Severity::Error).collect();
        // glslang's debug information names a structure ahead of its definition.
        if name.contains("debug") {
            assert!(errors.iter().all(|d| d.code.name() == "spirv-id-undefined"), "{name}: {errors:?}");
        } else {
            assert!(errors.is_empty(), "{name}: {errors:?}");
        }
        assert!(reading.diagnostics.iter().all(|d| d.code.name() != "spirv-unknown-instruction"), "{name}");
    }
}

#[test]
fn either_byte_order_is_read() {
    for (name, bytes) in fixtures() {
        let swapped: Vec<u8> = bytes.chunks_exact(4).flat_map(|c| [c[3], c[2], c[1], c[0]]).collect();
        let (a, b) = (read(&bytes), read(&swapped));
        assert_eq!(a.diagnostics, b.diagnostics, "{name}");
        let json = |m: &Option<Module>| serde_json::to_string(&reflect(m.as_ref().unwrap())).unwrap();
        assert_eq!(json(&a.module), json(&b.module), "{name}");
    }
}

/// B01, B02, B05.
#[test]
fn counts_and_kinds_of_descriptors() {
    for name in ["samplers.frag.v13.spv", "samplers.frag.v16.spv"] {
        let r = reflect(&fixture(name));
        let of = |n| {
            let x = resource(&r, n);
            (x.kind, x.count, x.set, x.binding)
        };
        use ResourceKind as K;
        assert_eq!(of("one"), (K::CombinedImageSampler, Count::One, Some(0), Some(0)));
        assert_eq!(of("four"), (K::CombinedImageSampler, Count::Sized(4), Some(0), Some(1)));
        assert_eq!(of("table"), (K::CombinedImageSampler, Count::Unbounded, Some(1), Some(0)));
        let constant = r.specialization_constants.iter().find(|s| s.spec_id == Some(3)).unwrap();
        assert_eq!(constant.default_words, [7]);
        assert_eq!(of("specialised"), (K::SampledImage, Count::Specialized(constant.id), Some(0), Some(2)));
        assert_eq!(of("plain").0, K::Sampler);
        assert_eq!(of("texels").0, K::UniformTexelBuffer);
        assert_eq!(of("picture").0, K::StorageImage);
    }
}

/// B06, B07, B10, B11: offsets, strides and sizes are those of the decorations.
#[test]
fn shapes_come_from_decorations() {
    let r = reflect(&fixture("layouts.frag.v16.spv"));
    let nested = resource(&r, "nested");
    assert_eq!(nested.bytes, Some(2 * 3 * 64 + 4));
    let (_, members) = struct_of(&r, nested.ty);
    assert!(matches!(
        r.types[&members[0].ty],
        TypeInfo::Array { stride: Some(192), count: Count::Sized(2), .. }
    ));
    let scattered = resource(&r, "scattered");
    assert_eq!(scattered.bytes, Some(48));
    let offsets: Vec<_> = struct_of(&r, scattered.ty).1.iter().map(|m| m.offset.unwrap()).collect();
    assert_eq!(offsets, [32, 0, 8]);
    assert_eq!(resource(&r, "strided").bytes, Some(16 * 16 + 4));
    let tight = resource(&r, "tight");
    assert_eq!((tight.bytes, tight.tail_stride), (Some(528), Some(64)));
    assert!(tight.non_writable);
    let rows = resource(&r, "rows");
    let (_, members) = struct_of(&r, rows.ty);
    assert_eq!(
        (members[0].row_major, members[0].matrix_stride, members[0].offset),
        (true, Some(16), Some(0))
    );
    assert_eq!((members[1].row_major, members[1].offset), (false, Some(48)));
    assert_eq!(rows.bytes, Some(48 + 32 + 128));
}

/// B08, B09.
#[test]
fn push_blocks_are_exact() {
    let r = reflect(&fixture("push88.frag.v16.spv"));
    assert_eq!(resource(&r, "push").bytes, Some(88));
    let r = reflect(&fixture("reference.frag.v16.spv"));
    let push = resource(&r, "push");
    assert_eq!(push.bytes, Some(20));
    let (_, members) = struct_of(&r, push.ty);
    assert_eq!(members[1].offset, Some(8));
    assert!(matches!(r.types[&members[1].ty], TypeInfo::Pointer { .. }));
}

/// B12, B13.
#[test]
fn static_use_and_writes() {
    for name in ["uses.frag.v13.spv", "uses.frag.v16.spv", "uses.frag.v10.spv"] {
        let module = fixture(name);
        let r = reflect(&module);
        let e = &r.entry_points[0];
        let used = |n: &str| e.used.contains(&resource(&r, n).id);
        let written = |n: &str| e.written.contains(&resource(&r, n).id);
        for n in ["Counters", "Written", "OnlyRead", "partly", "picture"] {
            assert!(used(n), "{name} {n}");
        }
        assert!(!used("unused") && !used("dead"), "{name}");
        assert!(written("Counters") && written("Written") && written("picture"), "{name}");
        assert!(!written("OnlyRead") && !written("partly"), "{name}");
        let uses = module.uses(&module.entry_points[0]);
        let partly = &uses.members[&resource(&r, "partly").id];
        assert_eq!(partly.members.keys().copied().collect::<Vec<_>>(), [1, 2], "{name}");
        assert_eq!(partly.whole, None);
        let ignored = e.inputs.iter().find(|v| v.name.as_deref() == Some("ignored"));
        assert!(ignored.is_none_or(|v| !v.used));
    }
}

#[test]
fn stage_inputs_and_outputs() {
    let r = reflect(&fixture("stage.vert.v13.spv"));
    let e = &r.entry_points[0];
    assert_eq!((e.stage.as_str(), e.name.as_str()), ("Vertex", "main"));
    let out = |n: &str| e.outputs.iter().find(|v| v.name.as_deref() == Some(n)).unwrap();
    assert_eq!((out("id").location, out("id").interpolation.as_slice()), (Some(0), &["Flat".to_owned()][..]));
    assert_eq!(out("across").interpolation, ["NoPerspective"]);
    assert_eq!(out("extra").component, Some(2));
    assert_eq!(out("passed").location, Some(4));
    assert!(e.outputs.iter().any(|v| v.built_ins.iter().any(|b| b == "Position") && v.location.is_none()));
    assert!(e.inputs.iter().any(|v| v.built_ins == ["InstanceIndex"]));
}

/// B17: places in the source, from either kind of debug information.
#[test]
fn source_lines() {
    for (name, line) in [("push88.frag.v10.spv", None), ("push88.frag.debug.spv", Some(5))] {
        let module = fixture(name);
        let store = module.instructions().find(|i| i.is(spirv::Op::Store)).unwrap();
        let found = module.source_line(store.index);
        if let Some(line) = line {
            assert_eq!(found.as_ref().map(|l| l.line), Some(line), "{name}");
        } else {
            assert!(found.is_some_and(|l| l.line == 5 && l.file.ends_with("push88.frag")), "{name}");
        }
    }
}

/// Words of a minimal module with the given instructions behind the memory model.
fn assemble(bound: u32, body: &[&[u32]]) -> Vec<u8> {
    shaderport_asm::spirv_module(bound, |put| body.iter().for_each(|i| put(i)))
}

fn codes(bytes: &[u8]) -> Vec<&'static str> {
    read(bytes).diagnostics.iter().map(|d| d.code.name()).collect()
}

#[test]
fn each_kind_of_damage_has_its_code() {
    assert_eq!(codes(b""), ["spirv-not-words"]);
    assert_eq!(codes(&[0; 20]), ["spirv-magic"]);
    let sound = assemble(9, &[&[19, 1]]);
    assert_eq!(codes(&sound), [""; 0]);
    let with = |at: usize, word: u32| {
        let mut b = sound.clone();
        b[at * 4..at * 4 + 4].copy_from_slice(&word.to_le_bytes());
        codes(&b)
    };
    assert_eq!(with(1, 0x0063_0000), ["spirv-version"]);
    assert_eq!(with(4, 1), ["spirv-schema"]);
    assert_eq!(with(3, 1), ["spirv-bound"]);
    assert_eq!(with(5, 14), ["spirv-memory-model", "spirv-instruction-length"]);
    assert_eq!(codes(&assemble(9, &[&[21, 1, 32]])), ["spirv-operands"]);
    assert_eq!(codes(&assemble(9, &[&[19, 1, 7]])), ["spirv-extra-words"]);
    assert_eq!(codes(&assemble(9, &[&[5, 1, 0x4141_4141], &[19, 1]])), ["spirv-string"]);
    assert_eq!(codes(&assemble(9, &[&[65000, 1]])), ["spirv-unknown-instruction"]);
    assert_eq!(codes(&assemble(9, &[&[19, 1], &[19, 1]])), ["spirv-id-redefined"]);
    assert_eq!(codes(&assemble(9, &[&[32, 1, 2, 3]])), ["spirv-id-undefined"]);
    // A structure that holds itself, B14.
    assert_eq!(codes(&assemble(9, &[&[30, 1, 1]])), ["spirv-type-invalid"]);
    assert_eq!(codes(&assemble(9, &[&[21, 1, 64, 0], &[43, 1, 2, 0]])), ["spirv-constant-width"]);
    assert_eq!(codes(&assemble(9, &[&[71, 1, 2], &[71, 1, 2], &[30, 1]])), ["spirv-duplicate-decoration"]);
    assert_eq!(codes(&assemble(9, &[&[72, 1, 0, 35, 0], &[30, 1]])), ["spirv-member-index"]);
    // B18: one finding for each missing decoration.
    let sampler: &[&[u32]] = &[&[26, 1], &[32, 2, 0, 1], &[59, 2, 3, 0]];
    assert_eq!(
        codes(&assemble(9, sampler)),
        ["spirv-resource-without-set", "spirv-resource-without-binding"]
    );
    assert_eq!(
        codes(&assemble(9, &[&[30, 1], &[32, 2, 9, 1], &[59, 2, 3, 9]])),
        ["spirv-push-without-block"]
    );
}

#[test]
fn groups_are_expanded_and_bounded() {
    // Group 4 has a set and a binding and is put on the variable 3.
    let grouped: &[&[u32]] =
        &[&[71, 4, 34, 2], &[71, 4, 33, 5], &[73, 4], &[74, 4, 3], &[26, 1], &[32, 2, 0, 1], &[59, 2, 3, 0]];
    let module = read(&assemble(9, grouped)).module.unwrap();
    let r = reflect(&module);
    assert_eq!((r.resources[0].set, r.resources[0].binding), (Some(2), Some(5)));
    assert_eq!(module.without_groups().decoration(3, None, spirv::Decoration::Binding), None);
    let decorations: Vec<[u32; 3]> = (0..3000).map(|_| [71, 4, 2]).collect();
    let targets: Vec<u32> = [74, 4].into_iter().chain([3; 3000]).collect();
    let mut body: Vec<&[u32]> = decorations.iter().map(|d| &d[..]).collect();
    body.extend([&[73, 4][..], &targets]);
    assert!(codes(&assemble(9, &body)).contains(&"spirv-decoration-groups"));
}

#[test]
fn a_large_bound_or_deep_type_costs_nothing() {
    let bytes = assemble(u32::MAX, &[&[19, u32::MAX - 1]]);
    assert_eq!(codes(&bytes), [""; 0]);
    // 60,000 arrays, each of the one before.
    let mut body: Vec<Vec<u32>> = vec![vec![21, 1, 32, 0], vec![43, 1, 2, 2], vec![30, 3, 1]];
    for id in 4..60_000 {
        body.push(vec![28, id, id - 1, 2]);
    }
    body.push(vec![30, 60_001, 59_999]);
    body.push(vec![32, 60_002, 2, 60_001]);
    body.push(vec![59, 60_002, 60_003, 2]);
    let body: Vec<&[u32]> = body.iter().map(Vec::as_slice).collect();
    let r = reflect(&read(&assemble(70_000, &body)).module.unwrap());
    assert_eq!(r.resources[0].bytes, None);
    assert!(r.types.len() > 59_000);
}
