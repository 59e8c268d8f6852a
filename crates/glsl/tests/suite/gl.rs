//! Real WebGL2 implementations compile what is translated.

use std::collections::HashSet;

use shaderport_gl_harness::chromium;
use shaderport_gl_harness::list::Item;
use shaderport_glsl::options::Options;
use shaderport_glsl::{FailureKind, Translation};

use crate::support::{Scratch, angle, corpus, findings, fixtures, stage, translate, variants};

/// Draw buffers that ANGLE has in process; the browser has eight.
const ANGLE_DRAW_BUFFERS: u32 = 6;

fn beyond_angle(t: &Translation) -> bool {
    t.manifest.outputs.iter().any(|o| o.location.is_some_and(|l| l >= ANGLE_DRAW_BUFFERS))
}

/// Compiles each different text of a list of shaders and options; fails with every refusal.
struct Checker {
    gl: shaderport_gl_harness::Gl,
    seen: HashSet<String>,
    failures: Vec<String>,
    refused: usize,
}

impl Checker {
    fn new() -> Checker {
        Checker { gl: angle(), seen: HashSet::new(), failures: Vec::new(), refused: 0 }
    }

    fn check(&mut self, name: &str, bytes: &[u8], variant: &str, options: &Options) {
        let t = match translate(bytes, options) {
            Ok(t) => t,
            Err(f) => {
                self.refused += 1;
                if f.kind != FailureKind::Refused {
                    self.failures.push(format!("{name} ({variant}): {}", findings(&f)));
                }
                return;
            }
        };
        if beyond_angle(&t) || !self.seen.insert(t.source.clone()) {
            return;
        }
        if let Err(log) = self.gl.compile(stage(t.stage), &t.source) {
            let line: usize = log.split(':').nth(2).and_then(|n| n.parse().ok()).unwrap_or(1);
            let text =
                if options.line_directives { "" } else { t.source.lines().nth(line - 1).unwrap_or("") };
            self.failures.push(format!("{name} ({variant}): {}\n    {text}", log.trim_end()));
        }
    }

    fn finish(self) {
        println!("{} texts compiled, {} refused", self.seen.len(), self.refused);
        assert!(self.failures.is_empty(), "{}\n{} failures", self.failures.join("\n"), self.failures.len());
    }
}

/// The interpolation functions take nothing but whole varyings: not lanes of two, nor a scalar in several lanes.
#[test]
fn evaluations_are_of_whole_varyings() {
    use shaderport_asm::{Ins, Opcode::*, Operand, Shader, Type, l, l4, o, r, v};
    use shaderport_dxbc::SystemValue;
    let made = |evaluation: Ins| {
        let mut s = Shader::pixel();
        s.input(0, "xy", "A", Type::Float).input(0, "z", "B", Type::Float);
        s.input(1, "x", "C", Type::Uint).input(2, "x", "D", Type::Float);
        s.system_input(3, "xyzw", SystemValue::Position, Type::Float);
        s.target(0, "xyzw", Type::Float).temps(1);
        s.op(Mov, &[r(0, "xyzw"), l4([0u32; 4])]).push(evaluation);
        s.op(Mov, &[o(0, "xyzw"), r(0, "xyzw")]).op(Ret, &[]);
        translate(&s.build(), &Options::default())
    };
    let both = || v(0, "xzyx");
    let gl = angle();
    for (evaluation, text) in [
        (
            Ins::new(EvalCentroid, &[r(0, "xyzw"), both()]),
            "vec4(interpolateAtCentroid(vs_A0).x, interpolateAtCentroid(vs_B0), interpolateAtCentroid(vs_A0).yx)",
        ),
        // Of a lane that is not written, nothing is asked.
        (Ins::new(EvalCentroid, &[r(0, "xz"), both()]), "interpolateAtCentroid(vs_A0)"),
        (Ins::new(EvalCentroid, &[r(0, "xyz"), v(2, "xxxx")]), "vec3(interpolateAtCentroid(vs_D0))"),
        (Ins::new(EvalSampleIndex, &[r(0, "xy"), both(), l(0u32)]), "interpolateAtSample(vs_B0, 0)"),
        (Ins::new(EvalSnapped, &[r(0, "xy"), both(), r(0, "xyzw")]), "interpolateAtOffset(vs_B0, "),
    ] {
        let made = made(evaluation).unwrap_or_else(|f| panic!("{}", findings(&f)));
        assert!(made.source.contains(text), "{text}: {}", made.source);
        gl.compile(stage(made.stage), &made.source).unwrap_or_else(|log| panic!("{log}: {}", made.source));
    }
    for wrong in [v(1, "xxxx"), v(3, "xyzw"), -v(0, "xyxx"), v((r(0, "x"), 0), "xyxx"), r(0, "xyzw")] {
        let text = format!("{wrong:?}");
        let failure = made(Ins::new(EvalCentroid, &[r(0, "xy"), wrong])).map(|t| t.source).unwrap_err();
        assert_eq!(failure.kind, FailureKind::Refused, "{text}");
        assert!(findings(&failure).contains("error[refused-evaluate]"), "{text}: {}", findings(&failure));
    }
    // Of a register whose lanes are of two kinds, those that are read count.
    let mut s = Shader::pixel();
    s.input(0, "xy", "A", Type::Float).input(0, "zw", "E", Type::Uint).target(0, "xyzw", Type::Float);
    let whole: [Operand; 2] = [o(0, "xyzw"), v(0, "xyzw")];
    s.op(EvalCentroid, &whole).op(Ret, &[]);
    let failure = translate(&s.build(), &Options::default()).map(|t| t.source).unwrap_err();
    assert!(findings(&failure).contains("error[refused-evaluate]"), "{}", findings(&failure));
}

#[test]
fn angle_compiles_every_fixture_with_every_option() {
    let mut checker = Checker::new();
    for f in fixtures() {
        for (variant, options) in variants() {
            checker.check(&f.name, &f.bytes, variant, &options);
        }
    }
    assert!(checker.seen.len() > 300);
    checker.finish();
}

#[test]
fn angle_compiles_the_corpus() {
    let mut checker = Checker::new();
    for (n, path) in corpus().iter().enumerate() {
        let bytes = std::fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        // Every file with the defaults; a quarter with the other options, each file with some of them.
        for (k, (variant, options)) in variants().into_iter().enumerate() {
            if k == 0 || (n + k) % 4 == 0 {
                checker.check(&path.to_string_lossy(), &bytes, variant, &options);
            }
        }
    }
    checker.finish();
}

/// The browser itself, on every fixture with the defaults: run with `--run-ignored all`. It also sees the
/// shaders with more draw buffers than ANGLE has in process.
#[test]
#[ignore = "starts a browser; ./test runs it"]
fn chromium_compiles_every_fixture() {
    let scratch = Scratch::new("chromium");
    let mut items = Vec::new();
    let mut beyond = 0;
    for f in fixtures() {
        let Ok(t) = translate(&f.bytes, &Options::default()) else { continue };
        beyond += usize::from(beyond_angle(&t));
        let path = scratch.write(&f.name, &t.source);
        let (vertex, fragment) =
            if t.stage == shaderport_dxbc::Stage::Vertex { (Some(path), None) } else { (None, Some(path)) };
        items.push(Item { line: items.len() + 1, vertex, fragment });
    }
    assert!(items.len() > 300 && beyond > 0);
    let failures = chromium::check(&items, &chromium::Options::default())
        .unwrap_or_else(|e| panic!("{e}\nInstall Chromium, or set CHROME to its program"));
    let list: Vec<String> = failures
        .iter()
        .map(|f| format!("{}: {}", f.vertex.as_ref().or(f.fragment.as_ref()).unwrap().display(), f.rejection))
        .collect();
    assert!(list.is_empty(), "{}\n{} failures of {}", list.join("\n"), list.len(), items.len());
    println!("{} texts compiled", items.len());
}
