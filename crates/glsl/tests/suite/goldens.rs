//! Text and manifest of representative fixtures, reviewed by reading. `UPDATE_GOLDENS=1` writes them anew.

use std::path::Path;

use shaderport_glsl::options::*;

use crate::support::{findings, fixture, root, translate};

/// Fixtures with default options.
const DEFAULT: &[&str] = &[
    "a001_two_lives.ps",
    "a002_eq_and_movc.ps",
    "a003_select_by_and.ps",
    "a004_vertex_id_mask.vs",
    "a006_stored_mask.ps",
    "a012_half.ps",
    "a014_udiv_alias.ps",
    "a018_nan_minmax.ps",
    "a026_literals.ps",
    "a034_position_reread.vs",
    "a035_saturate_forms.ps",
    "a041_gather_po.ps",
    "a052_plain_and_compare.ps",
    "a054_two_by_two.ps",
    "a055_load_and_sample.ps",
    "a057_dims_float.ps",
    "a061_dimensions_float.ps",
    "a071_continue_in_switch.ps",
    "a073_switch_fallthrough.ps",
    "a078_discard_then_sample.ps",
    "a079_early_return.vs",
    "a080_identity_icb.ps",
    "a084_temp_out_of_bounds.ps",
    "a099_flat.vs",
    "a100_position_w.ps",
    "a103_names.vs",
    "a104_target_types.ps",
    "alu_bitfield.ps",
    "alu_compare.ps",
    "alu_float.ps",
    "alu_int.ps",
    "alu_modifiers.ps",
    "buf_structured.ps",
    "cb_dynamic.vs",
    "flow_call_switch.ps",
    "flow_loop.ps",
    "flow_nested.ps",
    "flow_return_in_loop.ps",
    "io_attr_types.vs",
    "io_clip_cull.vs",
    "io_coverage_both.ps",
    "io_depth_ge.ps",
    "io_dyn_in.ps",
    "io_dyn_out.vs",
    "io_interp.ps",
    "io_packed.vs",
    "io_signature_only.vs",
    "io_sv_all.ps",
    "pair_mesh.ps",
    "pair_mesh.vs",
    "pair_skinned.vs",
    "sm51_buffers.vs",
    "sm51_cbuffer_array.ps",
    "sm51_non_uniform.ps",
    "sm51_spaces.ps",
    "tex_1d.ps",
    "tex_kinds.ps",
    "tex_lod_clamp.ps",
    "tex_offsets.ps",
];

fn check(name: &str, extension: &str, text: &str, wrong: &mut Vec<String>) {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/goldens").join(format!("{name}.{extension}"));
    if std::env::var_os("UPDATE_GOLDENS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        return;
    }
    let known = std::fs::read_to_string(&path).unwrap_or_default();
    if known != text {
        let differing = known.lines().zip(text.lines()).position(|(a, b)| a != b);
        let line = differing.unwrap_or(known.lines().count().min(text.lines().count()));
        let [old, new] = [&known, text].map(|t| t.lines().nth(line).unwrap_or("(the end)"));
        wrong.push(format!("{name}.{extension}, line {}:\n  - {old}\n  + {new}", line + 1));
    }
}

fn check_translation(fixture_name: &str, golden: &str, options: &Options, wrong: &mut Vec<String>) {
    match translate(&fixture(fixture_name).bytes, options) {
        Ok(t) => {
            check(golden, "glsl", &t.source, wrong);
            check(golden, "json", &t.manifest.to_json(), wrong);
        }
        Err(f) => check(golden, "txt", &findings(&f), wrong),
    }
}

#[test]
fn texts_and_manifests_are_as_reviewed() {
    let mut wrong = Vec::new();
    for name in DEFAULT {
        check_translation(name, name, &Options::default(), &mut wrong);
    }
    let default = Options::default;
    let others = [
        ("alu_int.ps", "registers", Options { registers: Registers::Float, ..default() }),
        ("alu_float.ps", "fast", Options { fidelity: Fidelity::Fast, ..default() }),
        ("pair_mesh.vs", "flip", Options { flip_y: true, depth_range: DepthRange::Reversed, ..default() }),
        ("a101_y_and_winding.ps", "flip", Options { flip_y: true, ..default() }),
        (
            "io_attr_types.vs",
            "native",
            Options { integer_attributes: IntegerAttributes::Native, ..default() },
        ),
        ("buf_structured.ps", "block", Options { pixel_buffers: BufferForm::Block, ..default() }),
        ("pair_skinned.vs", "texture", Options { vertex_buffers: BufferForm::Texture, ..default() }),
        ("flow_nested.ps", "lines", Options { line_directives: true, line_map: true, ..default() }),
        ("io_interp.ps", "forbidden", Options { forbid_extensions: Extension::ALL.to_vec(), ..default() }),
    ];
    for (name, suffix, options) in &others {
        check_translation(name, &format!("{name}.{suffix}"), options, &mut wrong);
    }
    assert!(
        wrong.is_empty(),
        "{}\n{} goldens of {} differ; read the new texts with UPDATE_GOLDENS=1 and `git diff`",
        wrong.join("\n"),
        wrong.len(),
        root().join("crates/glsl/tests/goldens").display()
    );
}
