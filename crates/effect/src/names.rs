//! What the codes of a container mean (container format, sections 7 and 8). Unknown codes have no name and are
//! carried through.

/// Usage of an input. `BITANGENT` is `BINORMAL` in HLSL, `BLENDWEIGHTS` is `BLENDWEIGHT`.
pub fn usage(code: u8) -> Option<&'static str> {
    const T: [&str; 8] =
        ["POSITION", "COLOR", "NORMAL", "TANGENT", "BITANGENT", "TEXCOORD", "BLENDINDICES", "BLENDWEIGHTS"];
    T.get(usize::from(code)).copied()
}

/// Type of a constant or an input.
pub fn constant_type(code: u8) -> Option<&'static str> {
    ["float", "int", "uint", "bool", "other"].get(usize::from(code)).copied()
}

/// Kind of a bound register: a name, and the letter of its register.
pub fn register(code: u8) -> Option<(&'static str, char)> {
    const VIEWS: [&str; 11] = [
        "buffer",
        "structured-buffer",
        "texture-1d",
        "texture-1d-array",
        "texture-2d",
        "texture-2d-array",
        "texture-2d-ms",
        "texture-2d-ms-array",
        "texture-3d",
        "texture-cube",
        "texture-cube-array",
    ];
    let view = |first: u8, letter| Some((*VIEWS.get(usize::from(code - first))?, letter));
    match code {
        0 => Some(("constant-buffer", 'b')),
        1 => Some(("sampler", 's')),
        32..=63 => view(32, 't'),
        64.. => view(64, 'u'),
        _ => None,
    }
}

/// Type of a resource view.
pub fn resource(code: u8) -> Option<&'static str> {
    const T: [&str; 18] = [
        "",
        "texture-1d",
        "texture-2d",
        "texture-3d",
        "texture-cube",
        "typeless",
        "buffer",
        "structured-buffer",
        "tbuffer",
        "byte-address-buffer",
        "rw-typed",
        "rw-structured-buffer",
        "rw-byte-address-buffer",
        "append-buffer",
        "consume-buffer",
        "rw-structured-buffer-with-counter",
        "acceleration-structure",
        "invalid",
    ];
    T.get(usize::from(code)).copied().filter(|n| !n.is_empty())
}

/// Filter of a sampler.
pub fn filter(code: u8) -> Option<&'static str> {
    ["none", "point", "linear", "anisotropic"].get(usize::from(code)).copied()
}

/// Address mode of a sampler.
pub fn address(code: u8) -> Option<&'static str> {
    let at = usize::from(code).checked_sub(1)?;
    ["wrap", "mirror", "clamp", "border", "mirror-once"].get(at).copied()
}

/// Whether WebGL2 has an address mode: it lacks border and mirror-once, and what is not known.
pub fn webgl_has_address(code: u8) -> bool {
    matches!(address(code), Some("wrap" | "mirror" | "clamp"))
}

/// Compare function.
pub fn compare(code: u32) -> Option<&'static str> {
    let at = usize::try_from(code).ok()?.checked_sub(1)?;
    ["never", "less", "equal", "less-equal", "greater", "not-equal", "greater-equal", "always"]
        .get(at)
        .copied()
}

/// A render state's name. Numbers are those of Direct3D 9.
pub fn render_state(state: u32) -> Option<&'static str> {
    Some(match state {
        7 => "ZENABLE",
        8 => "FILLMODE",
        9 => "SHADEMODE",
        14 => "ZWRITEENABLE",
        15 => "ALPHATESTENABLE",
        16 => "LASTPIXEL",
        19 => "SRCBLEND",
        20 => "DESTBLEND",
        22 => "CULLMODE",
        23 => "ZFUNC",
        24 => "ALPHAREF",
        25 => "ALPHAFUNC",
        26 => "DITHERENABLE",
        27 => "ALPHABLENDENABLE",
        28 => "FOGENABLE",
        52 => "STENCILENABLE",
        53 => "STENCILFAIL",
        54 => "STENCILZFAIL",
        55 => "STENCILPASS",
        56 => "STENCILFUNC",
        57 => "STENCILREF",
        58 => "STENCILMASK",
        59 => "STENCILWRITEMASK",
        168 => "COLORWRITEENABLE",
        171 => "BLENDOP",
        174 => "SCISSORTESTENABLE",
        175 => "SLOPESCALEDEPTHBIAS",
        185 => "TWOSIDEDSTENCILMODE",
        190 => "COLORWRITEENABLE1",
        191 => "COLORWRITEENABLE2",
        192 => "COLORWRITEENABLE3",
        193 => "BLENDFACTOR",
        194 => "SRGBWRITEENABLE",
        195 => "DEPTHBIAS",
        206 => "SEPARATEALPHABLENDENABLE",
        207 => "SRCBLENDALPHA",
        208 => "DESTBLENDALPHA",
        209 => "BLENDOPALPHA",
        _ => return None,
    })
}

/// What a render state's value means, where it is a code.
pub fn render_value(state: u32, value: u32) -> Option<&'static str> {
    let pick = |table: &'static [&'static str]| {
        let at = usize::try_from(value).ok()?;
        table.get(at).copied().filter(|n| !n.is_empty())
    };
    match state {
        8 => pick(&["", "point", "wireframe", "solid"]),
        19 | 20 | 207 | 208 => pick(&[
            "",
            "zero",
            "one",
            "src-color",
            "inv-src-color",
            "src-alpha",
            "inv-src-alpha",
            "dest-alpha",
            "inv-dest-alpha",
            "dest-color",
            "inv-dest-color",
            "src-alpha-sat",
            "both-src-alpha",
            "both-inv-src-alpha",
            "factor",
            "inv-factor",
            "src1-color",
            "inv-src1-color",
        ]),
        // Source "CW" is stored as 3 and "CCW" as 2, which name the faces that are culled in Direct3D 9's terms.
        22 => pick(&["", "none", "cw", "ccw"]),
        23 | 25 | 56 => compare(value),
        171 | 209 => pick(&["", "add", "subtract", "reverse-subtract", "min", "max"]),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_of_the_tables_edges() {
        assert_eq!((usage(4), usage(8)), (Some("BITANGENT"), None));
        assert_eq!(register(36), Some(("texture-2d", 't')));
        assert_eq!(register(74), Some(("texture-cube-array", 'u')));
        assert_eq!((register(2), register(43), register(75)), (None, None, None));
        assert_eq!((resource(0), resource(7)), (None, Some("structured-buffer")));
        assert_eq!((address(0), address(3), address(6)), (None, Some("clamp"), None));
        assert_eq!([0, 1, 3, 4, 5, 6].map(webgl_has_address), [false, true, true, false, false, false]);
        assert_eq!((compare(0), compare(8), compare(9)), (None, Some("always"), None));
        assert_eq!(render_value(22, 2), Some("cw"));
        assert_eq!(render_value(195, 2), None);
    }
}
