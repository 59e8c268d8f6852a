//! Every fixture is translated, or refused with the codes it should be; the text keeps to what every compiler takes.

use std::collections::{BTreeMap, BTreeSet};

use shaderport_glsl::options::Options;
use shaderport_glsl::{FailureKind, Translation};

use crate::support::{Fixture, fixtures, root, translate, variants};

/// `translated`, `refused` or `invalid`, and the codes of all findings.
fn verdict(f: &Fixture) -> (&'static str, String) {
    let (verdict, diagnostics) = match translate(&f.bytes, &Options::default()) {
        Ok(t) => ("translated", t.diagnostics),
        Err(f) if f.kind == FailureKind::Refused => ("refused", f.diagnostics),
        Err(f) => ("invalid", f.diagnostics),
    };
    let codes: BTreeSet<&str> = diagnostics.iter().map(|d| d.code.name()).collect();
    (verdict, codes.into_iter().collect::<Vec<_>>().join(" "))
}

/// `fixtures/EXPECTED.tsv` is kept by hand: what each fixture must come to.
#[test]
fn every_fixture_has_the_expected_verdict() {
    let path = root().join("fixtures/EXPECTED.tsv");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let rows = text.lines().filter(|l| !l.starts_with('#')).map(|l| l.split('\t').collect::<Vec<_>>());
    let mut expected: BTreeMap<&str, (&str, &str)> = rows
        .map(|row| {
            let [name, verdict, codes] = row[..] else { panic!("three columns, not {row:?}") };
            (name, (verdict, codes))
        })
        .collect();
    let mut wrong = String::new();
    for f in fixtures() {
        let (verdict, codes) = verdict(&f);
        if expected.remove(f.name.as_str()) != Some((verdict, &codes)) {
            wrong += &format!("{}\t{verdict}\t{codes}\n", f.name);
        }
    }
    assert!(expected.is_empty(), "no such fixtures: {expected:?}");
    assert!(wrong.is_empty(), "these came out otherwise than fixtures/EXPECTED.tsv says:\n{wrong}");
}

/// Words that no identifier may be: GLSL ES 3.00, section 3.7 and WebGL's own rules.
fn check_names(name: &str, t: &Translation) {
    let text = &t.source;
    assert!(text.starts_with("#version 300 es\n"), "{name}");
    let code: String = text.lines().map(|l| l.split("//").next().unwrap_or("").to_owned() + "\n").collect();
    assert!(!code.contains("__"), "{name}: `__`");
    for word in code.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')) {
        assert!(word.len() <= 256, "{name}: {word}");
        assert!(!word.starts_with("webgl_") && !word.starts_with("_webgl_"), "{name}: {word}");
        assert!(!RESERVED.contains(&word), "{name}: `{word}` is reserved");
        let builtin = !word.starts_with("gl_") || BUILTINS.contains(&word);
        assert!(builtin, "{name}: {word} is no built-in");
    }
    assert!(text.is_ascii(), "{name}");
}

/// Reserved for later in GLSL ES 3.00, section 3.8. `noperspective` and `sample` come with their extensions.
const RESERVED: &[&str] = &[
    "attribute",
    "varying",
    "coherent",
    "volatile",
    "restrict",
    "readonly",
    "writeonly",
    "resource",
    "atomic_uint",
    "patch",
    "subroutine",
    "common",
    "partition",
    "active",
    "asm",
    "class",
    "union",
    "enum",
    "typedef",
    "template",
    "this",
    "goto",
    "inline",
    "noinline",
    "public",
    "static",
    "extern",
    "external",
    "interface",
    "long",
    "short",
    "double",
    "half",
    "fixed",
    "unsigned",
    "superp",
    "input",
    "output",
    "hvec2",
    "hvec3",
    "hvec4",
    "dvec2",
    "dvec3",
    "dvec4",
    "fvec2",
    "fvec3",
    "fvec4",
    "sampler3DRect",
    "filter",
    "image1D",
    "image2D",
    "image3D",
    "imageCube",
    "sizeof",
    "cast",
    "namespace",
    "using",
    "sampler1D",
    "samplerBuffer",
    "sampler2DMS",
    "samplerCubeArray",
    "precise",
    "buffer",
    "shared",
];

const BUILTINS: &[&str] = &[
    "gl_Position",
    "gl_PointSize",
    "gl_VertexID",
    "gl_InstanceID",
    "gl_FragCoord",
    "gl_FrontFacing",
    "gl_FragDepth",
    "gl_ClipDistance",
    "gl_CullDistance",
    "gl_SampleID",
    "gl_SampleMask",
    "gl_SampleMaskIn",
];

#[test]
fn texts_are_the_same_twice_and_keep_to_legal_names() {
    for f in fixtures() {
        for (variant, options) in variants() {
            let Ok(first) = translate(&f.bytes, &options) else { continue };
            let name = format!("{} ({variant})", f.name);
            check_names(&name, &first);
            let second = translate(&f.bytes, &options).unwrap_or_else(|_| panic!("{name}"));
            assert_eq!(first.source, second.source, "{name}");
            assert_eq!(first.manifest.to_json(), second.manifest.to_json(), "{name}");
        }
    }
}
