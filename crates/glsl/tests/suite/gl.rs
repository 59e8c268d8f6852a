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
