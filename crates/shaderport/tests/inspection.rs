//! What an inspection says of shaders whose source is known.

use shaderport::{Inspection, Options, inspect};
use std::path::Path;

fn with<R>(name: &str, look: impl FnOnce(&Inspection<'_>) -> R) -> R {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/dxbc").join(name);
    let bytes = std::fs::read(path).unwrap();
    look(&inspect(&bytes, &Options::default()).unwrap())
}

#[test]
fn variables_have_types_and_values() {
    with("cb_defaults.ps.dxbc", |i| {
        let r = i.reflection.as_ref().unwrap();
        let names: Vec<_> = r.buffers.iter().map(|b| b.name).collect();
        assert_eq!(names, ["$Globals", "Def"]);
        let find = |name| r.buffers.iter().flat_map(|b| &b.variables).find(|v| v.name == name).unwrap();
        let g0 = find("g0");
        assert_eq!((g0.ty.as_ref(), g0.used), ("Glob", false));
        let members = &r.structs[g0.structure.unwrap()].members;
        let members: Vec<_> = members.iter().map(|m| (m.name, m.ty.as_ref(), m.offset)).collect();
        assert_eq!(members, [("x", "float4", 0), ("y", "float2x2", 16)]);
        let da = find("da");
        assert_eq!((da.ty.as_ref(), da.elements, da.size), ("float3", 2, 28));
        let words = [1.0f32, 2.0, 3.0, 0.0, 4.0, 5.0, 6.0].map(f32::to_bits);
        assert_eq!(da.default.as_deref(), Some(&words[..]));
    });
    with("cb_multi.row.vs.dxbc", |i| {
        let r = i.reflection.as_ref().unwrap();
        assert_eq!(r.buffers[0].variables[0].ty, "row_major float4x4");
        let registers: Vec<_> = r.bindings.iter().map(|b| b.register).collect();
        assert_eq!(registers, [0, 1, 13]);
    });
}

#[test]
fn programs_are_counted() {
    with("cb_multi.row.vs.dxbc", |i| {
        let p = i.program.as_ref().unwrap();
        assert_eq!((p.stage, p.model.as_str(), p.instructions, p.temps), ("vertex", "5.0", 12, 2));
        let counted = i.statistics.as_ref().unwrap().iter().find(|s| s.name == "instruction_count").unwrap();
        assert_eq!(counted.value, 12);
        assert_eq!(p.opcodes.iter().map(|o| o.count).sum::<u32>(), 12);
        let resources: Vec<_> = p.resources.iter().map(|r| (r.register.as_str(), r.rows)).collect();
        assert_eq!(resources, [("cb0", Some(5)), ("cb1", Some(4)), ("cb13", Some(2))]);
    });
}

#[test]
fn model_5_1_declares_ranges() {
    with("sm51_unbounded.ps.dxbc", |i| {
        let p = i.program.as_ref().unwrap();
        assert!(p.resources.iter().any(|r| r.count.is_none()), "{:?}", p.resources);
    });
    with("sm51_buffers.vs.dxbc", |i| {
        let p = i.program.as_ref().unwrap();
        assert!(p.resources.iter().any(|r| r.kind == "structured" && r.stride.is_some_and(|s| s > 0)));
        let r = i.reflection.as_ref().unwrap();
        assert!(r.bindings.iter().all(|b| b.space.is_some()));
    });
}

#[test]
fn other_stages_are_described() {
    with("stage_quad.hs.dxbc", |i| {
        assert_eq!(i.program.as_ref().unwrap().profile, "hs_5_0");
        assert!(i.signatures.patch_constant.is_some());
        assert_eq!(i.needs.status, "refused");
    });
    with("stage_shared_sum.cs.dxbc", |i| {
        let p = i.program.as_ref().unwrap();
        assert!(p.thread_group.is_some() && p.resources.iter().any(|r| r.writable));
    });
}
