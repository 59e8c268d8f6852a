//! One test for each row of the reported cases that is about reading SPIR-V, named by its row.

use shaderport_diagnostics::Severity;
use shaderport_spirv::spirv::{BuiltIn, Op};
use shaderport_spirv::{
    Count, Module, Reading, Reflection, Resource, ResourceKind, TypeInfo, debug_bytes, read, reflect,
};
use std::path::Path;

fn bytes(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/spirv/spv").join(name);
    std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn sound(bytes: &[u8]) -> Module {
    let Reading { module, complete, diagnostics } = read(bytes);
    let errors: Vec<_> = diagnostics.iter().filter(|d| d.severity == Severity::Error).collect();
    assert!(complete && errors.is_empty(), "{errors:?}");
    module.unwrap()
}

fn fixture(name: &str) -> Reflection {
    reflect(&sound(&bytes(name)))
}

fn resource<'r>(r: &'r Reflection, name: &str) -> &'r Resource {
    let mut all = r.resources.iter().chain(&r.push_constants);
    all.find(|x| x.name.as_deref() == Some(name)).unwrap_or_else(|| panic!("no {name}"))
}

/// Words of a module with the given instructions behind the memory model.
fn assemble(bound: u32, body: &[&[u32]]) -> Vec<u8> {
    shaderport_asm::spirv_module(bound, |put| body.iter().for_each(|i| put(i)))
}

fn codes(bytes: &[u8]) -> Vec<&'static str> {
    read(bytes).diagnostics.iter().map(|d| d.code.name()).collect()
}

/// A module with words put in ahead of every instruction of some opcodes.
fn interleaved(bytes: &[u8], before: impl Fn(u16) -> bool, extra: &[u32]) -> Vec<u8> {
    let words: Vec<u32> = bytes.chunks_exact(4).map(|c| u32::from_le_bytes(c.try_into().unwrap())).collect();
    let mut out = words[..5].to_vec();
    let mut at = 5;
    while at < words.len() {
        let len = (words[at] >> 16) as usize;
        if before(words[at] as u16) {
            out.extend(extra);
        }
        out.extend(&words[at..at + len]);
        at += len;
    }
    out.iter().flat_map(|w| w.to_le_bytes()).collect()
}

#[test]
fn b01_combined_image_samplers() {
    let r = fixture("samplers.frag.v16.spv");
    let (one, table) = (resource(&r, "one"), resource(&r, "table"));
    assert_eq!((one.kind, one.count), (ResourceKind::CombinedImageSampler, Count::One));
    assert_eq!((table.kind, table.count), (ResourceKind::CombinedImageSampler, Count::Unbounded));
    let TypeInfo::SampledImage { image } = r.types[&table.ty] else { panic!() };
    assert!(matches!(&r.types[&image], TypeInfo::Image { dim, arrayed: true, .. } if dim == "2D"));
}

#[test]
fn b02_what_is_not_needed_is_passed_over() {
    let whole = bytes("table_varying.frag.v16.spv");
    let before = fixture("table_varying.frag.v16.spv");
    assert!(before.capabilities.contains(&"ShaderNonUniform".to_owned()));
    assert!(before.capabilities.contains(&"RuntimeDescriptorArray".to_owned()));
    // Strings among the types, and instructions that no grammar knows.
    let string = [(3 << 16) | Op::String as u32, 900, u32::from_le_bytes(*b"odd\0")];
    let one = interleaved(&whole, |op| op == Op::MemoryModel as u16, &string);
    let unknown = interleaved(&whole, |op| op == Op::TypeVoid as u16, &[(2 << 16) | 65_000, 1]);
    for module in [one, unknown] {
        let reading = read(&module);
        assert!(reading.complete);
        let worst = reading.diagnostics.iter().filter(|d| d.code.name() != "spirv-bound").map(|d| d.severity);
        assert!(worst.max() < Some(Severity::Error), "{:?}", reading.diagnostics);
        let r = reflect(&reading.module.unwrap());
        assert_eq!(resource(&r, "table").count, Count::Unbounded);
    }
}

#[test]
fn b03_lines_anywhere() {
    for name in ["uses.frag.v10.spv", "layouts.frag.v16.spv", "samplers.frag.v13.spv"] {
        let whole = bytes(name);
        let file =
            read(&whole).module.unwrap().instructions().find(|i| i.is(Op::String)).and_then(|i| i.result());
        // A line needs the id of a string; without one a line's end stands alone.
        let line =
            file.map_or(vec![(1 << 16) | Op::NoLine as u32], |f| vec![(4 << 16) | Op::Line as u32, f, 7, 1]);
        let types = [
            Op::TypeFloat,
            Op::TypeVector,
            Op::TypeStruct,
            Op::TypePointer,
            Op::Variable,
            Op::Load,
            Op::Store,
        ];
        let with = interleaved(&whole, |op| types.iter().any(|t| *t as u16 == op), &line);
        assert!(with.len() > whole.len());
        let text = |b: &[u8]| {
            let mut r = reflect(&sound(b));
            (r.bytes, r.debug_bytes) = (0, 0);
            serde_json::to_string(&r).unwrap()
        };
        assert_eq!(text(&with), text(&whole), "{name}");
    }
    // Non-semantic instructions stand between functions' instructions and ahead of them.
    assert!(sound(&bytes("uses.frag.debug.spv")).instructions().filter(|i| i.is(Op::ExtInst)).count() > 20);
}

#[test]
fn b04_unsized_arrays_as_compilers_write_them() {
    let count = |name| {
        let r = fixture(name);
        let t = resource(&r, "table");
        (t.count, r.entry_points[0].used.contains(&t.id))
    };
    assert_eq!(count("table_unused.frag.v16.spv"), (Count::Sized(1), false));
    assert_eq!(count("table_constant.frag.v16.spv"), (Count::Sized(6), true));
    assert_eq!(count("table_varying.frag.v16.spv"), (Count::Unbounded, true));
}

#[test]
fn b05_counts_are_not_ambiguous() {
    let r = fixture("samplers.frag.v16.spv");
    let id = r.specialization_constants.iter().find(|s| s.spec_id == Some(3)).unwrap().id;
    let counts = ["one", "four", "specialised", "table"].map(|n| resource(&r, n).count);
    assert_eq!(counts, [Count::One, Count::Sized(4), Count::Specialized(id), Count::Unbounded]);
    assert_eq!(serde_json::to_value(counts[2]).unwrap(), serde_json::json!({ "specialized": id }));
}

#[test]
fn b06_strides_of_arrays_of_structures() {
    let r = fixture("layouts.frag.v16.spv");
    let nested = resource(&r, "nested");
    // S is 64 bytes in std140; [2][3] of it are 384, with a float behind.
    assert_eq!(nested.bytes, Some(2 * 3 * 64 + 4));
    let TypeInfo::Struct { members, .. } = &r.types[&nested.ty] else { panic!() };
    let TypeInfo::Array { element, stride, .. } = r.types[&members[0].ty] else { panic!() };
    assert_eq!(stride, Some(3 * 64));
    assert!(matches!(r.types[&element], TypeInfo::Array { stride: Some(64), count: Count::Sized(3), .. }));
    assert_eq!(members[1].offset, Some(384));
}

#[test]
fn b07_members_out_of_order() {
    let r = fixture("layouts.frag.v16.spv");
    let scattered = resource(&r, "scattered");
    let TypeInfo::Struct { members, .. } = &r.types[&scattered.ty] else { panic!() };
    assert_eq!(members.iter().map(|m| m.offset.unwrap()).collect::<Vec<_>>(), [32, 0, 8]);
    assert_eq!(scattered.bytes, Some(48), "up to the end of the farthest");
}

#[test]
fn b08_push_blocks_are_not_padded() {
    assert_eq!(resource(&fixture("push88.frag.v16.spv"), "push").bytes, Some(88));
}

#[test]
fn b09_what_has_no_size_is_not_zero() {
    // An address takes eight bytes.
    assert_eq!(resource(&fixture("reference.frag.v16.spv"), "push").bytes, Some(20));
    // A boolean has no size in a block, nor has a structure with a member that has no offset.
    let block = |members: &[&[u32]]| {
        let head: &[&[u32]] = &[&[20, 1], &[22, 2, 32]];
        let tail: &[&[u32]] = &[&[32, 5, 9, 4], &[59, 5, 6, 9]];
        let m = sound(&assemble(9, &[members, head, &[&[30, 4, 2, 1]], tail].concat()));
        reflect(&m).push_constants[0].bytes
    };
    let decorations: &[&[u32]] = &[&[71, 4, 2], &[72, 4, 0, 35, 0], &[72, 4, 1, 35, 4]];
    assert_eq!(block(decorations), None);
    let m = sound(&assemble(
        9,
        &[&[71, 4, 2], &[72, 4, 0, 35, 0], &[22, 2, 32], &[30, 4, 2, 2], &[32, 5, 9, 4], &[59, 5, 6, 9]],
    ));
    assert_eq!(reflect(&m).push_constants[0].bytes, None);
}

#[test]
fn b10_strides_are_told() {
    let r = fixture("layouts.frag.v16.spv");
    let strided = resource(&r, "strided");
    assert_eq!(strided.bytes, Some(16 * 16 + 4), "sixteen words of std140 are 256 bytes");
    let TypeInfo::Struct { members, .. } = &r.types[&strided.ty] else { panic!() };
    assert!(matches!(r.types[&members[0].ty], TypeInfo::Array { stride: Some(16), .. }));
}

#[test]
fn b11_layouts_are_what_is_decorated() {
    // ivec2[64] then float: 512 and 516 in std430; vec3 then float share sixteen bytes in either.
    let r = fixture("layouts.frag.v16.spv");
    let tight = resource(&r, "tight");
    let TypeInfo::Struct { members, .. } = &r.types[&tight.ty] else { panic!() };
    assert_eq!(members.iter().map(|m| m.offset.unwrap()).collect::<Vec<_>>(), [0, 512, 528]);
    let TypeInfo::Array { element, .. } = r.types[&members[2].ty] else { panic!() };
    let TypeInfo::Struct { members, bytes, .. } = &r.types[&element] else { panic!() };
    assert_eq!(members.iter().map(|m| m.offset.unwrap()).collect::<Vec<_>>(), [0, 12, 16]);
    assert_eq!(*bytes, Some(64));
}

#[test]
fn b12_every_pointer_counts_as_use() {
    let r = fixture("uses.frag.v16.spv");
    let e = &r.entry_points[0];
    // Through calls and parameters, chains, copies, atomics and image atomics.
    for name in ["Counters", "Written", "OnlyRead", "partly", "picture"] {
        assert!(e.used.contains(&resource(&r, name).id), "{name}");
    }
    // A chain in bounds and a copied pointer, which this compiler does not write.
    for chain in [65, 66] {
        let m = sound(&assemble(
            20,
            &[
                &[15, 4, 10, 0x6e69_616d, 0],
                &[71, 4, 2],
                &[72, 4, 0, 35, 0],
                &[71, 6, 34, 0],
                &[71, 6, 33, 0],
                &[19, 1],
                &[33, 2, 1],
                &[22, 3, 32],
                &[30, 4, 3],
                &[32, 5, 2, 4],
                &[59, 5, 6, 2],
                &[32, 7, 2, 3],
                &[21, 8, 32, 0],
                &[43, 8, 9, 0],
                &[54, 1, 10, 0, 2],
                &[248, 11],
                &[83, 5, 12, 6],
                &[chain, 7, 13, 12, 9],
                &[61, 3, 14, 13],
                &[253],
                &[56],
            ],
        ));
        let r = reflect(&m);
        assert_eq!(r.entry_points[0].used, [6], "{chain}");
    }
}

#[test]
fn b13_declared_is_not_used() {
    let r = fixture("uses.frag.v16.spv");
    let e = &r.entry_points[0];
    for name in ["unused", "dead"] {
        let x = resource(&r, name);
        assert!(x.binding.is_some() && !e.used.contains(&x.id), "{name}");
    }
}

#[test]
fn b14_malformed_modules_end() {
    let whole = bytes("uses.frag.v16.spv");
    let module = sound(&whole);
    let ends: Vec<usize> =
        module.instructions().map(|i| 4 * (i.word as usize + i.words.len())).chain([20]).collect();
    for n in 0..whole.len() {
        let reading = read(&whole[..n]);
        reading.module.as_ref().map(reflect);
        // At an instruction's end, what is there may be sound as far as it goes.
        let whole_instructions = ends.contains(&n);
        assert!(whole_instructions || !(reading.complete && reading.diagnostics.is_empty()), "{n} bytes");
    }
    // A huge bound, a length of zero, types that hold themselves.
    assert_eq!(codes(&assemble(u32::MAX, &[&[19, u32::MAX - 1]])), [""; 0]);
    let mut zero = assemble(9, &[&[19, 1]]);
    zero[32..36].copy_from_slice(&19u32.to_le_bytes());
    assert!(codes(&zero).contains(&"spirv-instruction-length"));
    for cycle in [
        &[&[30, 1, 2][..], &[30, 2, 1]][..],
        &[&[28, 1, 1, 1]],
        &[&[30, 1, 1], &[32, 2, 2, 1], &[59, 2, 3, 2]],
    ] {
        let reading = read(&assemble(9, cycle));
        assert!(reading.diagnostics.iter().any(|d| d.severity == Severity::Error), "{cycle:?}");
        reflect(&reading.module.unwrap());
    }
}

#[test]
fn b15_three_kinds_of_findings_with_places() {
    // A warning, an error after which reading goes on, and one that ends it.
    let warned = read(&assemble(9, &[&[71, 1, 2], &[71, 1, 2], &[30, 1]]));
    assert!(warned.complete && warned.diagnostics[0].severity == Severity::Warning);
    let recovered = read(&assemble(9, &[&[21, 1, 32], &[19, 2]]));
    assert!(recovered.complete && recovered.diagnostics[0].severity == Severity::Error);
    assert!(recovered.module.unwrap().ty(2).is_some(), "what follows is read");
    let mut cut = assemble(9, &[&[19, 1], &[21, 2, 32, 0]]);
    cut.truncate(cut.len() - 4);
    let ended = read(&cut);
    assert!(!ended.complete && ended.module.is_some());
    for (reading, offset) in
        [(&warned.diagnostics, 44), (&recovered.diagnostics, 32), (&ended.diagnostics, 40)]
    {
        assert_eq!(reading[0].place.byte_offset, Some(offset), "{reading:?}");
    }
}

#[test]
fn b17_source_lines() {
    for name in ["push88.frag.v10.spv", "push88.frag.debug.spv"] {
        let module = sound(&bytes(name));
        let store = module.instructions().find(|i| i.is(Op::Store)).unwrap();
        assert_eq!(module.source_line(store.index).unwrap().line, 5, "{name}");
    }
}

#[test]
fn b18_each_missing_decoration_has_its_finding() {
    let sampler: &[&[u32]] = &[&[26, 1], &[32, 2, 0, 1], &[59, 2, 3, 0]];
    let both = ["spirv-resource-without-set", "spirv-resource-without-binding"];
    assert_eq!(codes(&assemble(9, sampler)), both);
    let with = |decoration| codes(&assemble(9, &[&[&[71, 3, decoration, 0][..]], sampler].concat()));
    assert_eq!((with(34), with(33)), (vec![both[1]], vec![both[0]]));
    assert_eq!(
        codes(&assemble(9, &[&[30, 1], &[32, 2, 9, 1], &[59, 2, 3, 9]])),
        ["spirv-push-without-block"]
    );
}

#[test]
fn b19_what_debug_information_weighs() {
    let (debug, plain) = (bytes("uses.frag.debug.spv"), bytes("uses.frag.v16.spv"));
    let weight = |b: &[u8]| debug_bytes(&sound(b));
    assert!(weight(&debug) > weight(&plain));
    // Without it, the module is about what it is without being asked for.
    let left = debug.len() as u64 - weight(&debug);
    let without = plain.len() as u64 - weight(&plain);
    assert!(left.abs_diff(without) * 5 < without, "{left} {without}");
}

#[test]
fn b20_one_stable_form() {
    let value = serde_json::to_value(fixture("stage.vert.v16.spv")).unwrap();
    assert_eq!(value["reflection_version"], 1);
    let keys = [
        "reflection_version",
        "version",
        "generator",
        "bytes",
        "debug_bytes",
        "capabilities",
        "extensions",
        "imports",
        "addressing_model",
        "memory_model",
        "specialization_constants",
        "resources",
        "push_constants",
        "entry_points",
        "types",
    ];
    let mut wanted: Vec<_> = keys.to_vec();
    wanted.sort_unstable();
    let mut found: Vec<_> = value.as_object().unwrap().keys().map(String::as_str).collect();
    found.sort_unstable();
    assert_eq!(found, wanted, "a key that goes away or changes raises the version");
}

#[test]
fn b21_keys_and_names_are_plain() {
    fn check(value: &serde_json::Value) {
        match value {
            serde_json::Value::Object(map) => {
                for (key, v) in map {
                    assert!(
                        key.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_'),
                        "{key}"
                    );
                    check(v);
                }
            }
            serde_json::Value::Array(items) => items.iter().for_each(check),
            _ => {}
        }
    }
    for (name, stage) in [
        ("stage.vert.v16.spv", "Vertex"),
        ("uses.frag.v16.spv", "Fragment"),
        ("flow.comp.v16.spv", "GLCompute"),
    ] {
        let value = serde_json::to_value(fixture(name)).unwrap();
        check(&value);
        assert_eq!(value["entry_points"][0]["stage"], stage);
    }
}

#[test]
fn b22_what_is_not_there_is_not_zero() {
    let bytes = assemble(9, &[&[26, 1], &[32, 2, 0, 1], &[59, 2, 3, 0]]);
    let value = serde_json::to_value(reflect(&read(&bytes).module.unwrap())).unwrap();
    let resource = &value["resources"][0];
    assert!(resource.get("set").is_none() && resource.get("binding").is_none(), "{resource}");
    let inputs = &serde_json::to_value(fixture("stage.vert.v16.spv")).unwrap()["entry_points"][0]["inputs"];
    let built_in = inputs
        .as_array()
        .unwrap()
        .iter()
        .find(|v| v["built_ins"][0] == format!("{:?}", BuiltIn::InstanceIndex));
    assert!(built_in.unwrap().get("location").is_none());
}
