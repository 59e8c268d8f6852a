//! Pairs of fixtures under each profile, drawn by ANGLE and compared with the executor: what the vertex stage writes,
//! the position under the profile's rule of depth, pixels and depth. `ONLY=name` takes the pairs with that in a name.

use shaderport_compare::program::Picture;
use shaderport_compare::{Subject, Tolerance};
use shaderport_gl_harness::{Backend, Worker};
use shaderport_glsl::options::BufferLength;
use shaderport_link::{LinkOptions, Profile, link};
use std::path::Path;
use std::time::Duration;

/// The built-in profiles, and each rule that changes the text, in its other form.
fn profiles() -> Vec<Profile> {
    let built_in = |name: &str| Profile::built_in(name).unwrap();
    let rule = |base: &str, text: &str| {
        let rules: serde_json::Map<String, serde_json::Value> = serde_json::from_str(text).unwrap();
        Profile { name: format!("{base} {text}"), ..built_in(base).with_rules(rules).unwrap() }
    };
    vec![
        Profile::default(),
        built_in("specs"),
        built_in("carbon"),
        rule("carbon", r#"{"constant_form":"array"}"#),
        rule("carbon", r#"{"skinning":{"form":"rows"},"unused_outputs":"drop"}"#),
        rule("carbon", r#"{"flip_y":true}"#),
        rule("specs", r#"{"flip_y":true,"integer_attributes":"native"}"#),
        rule("specs", r#"{"depth_range":"reversed","unused_outputs":"drop"}"#),
        rule("specs", r#"{"varyings":"register"}"#),
        rule("specs", r#"{"textures":"stage","skinning":{"form":"texture"}}"#),
    ]
}

#[test]
fn fixture_pairs_are_what_the_executor_computes() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = std::fs::read_to_string(root.join("fixtures/PAIRS.tsv")).unwrap();
    let only = std::env::var("ONLY").unwrap_or_default();
    let mut worker = Worker::new(Backend::Angle, Duration::from_secs(20)).unwrap();
    let (mut bad, mut values, mut seen, mut drawn) = (0, 0, 0, 0);
    for line in text.lines().filter(|l| !l.starts_with('#')) {
        let (v, rest) = line.split_once('\t').unwrap();
        let p = rest.split('\t').next().unwrap();
        let name = format!("{v} + {p}");
        if !name.contains(&only) {
            continue;
        }
        let (v, p) = (std::fs::read(root.join(v)).unwrap(), std::fs::read(root.join(p)).unwrap());
        let (vertex, pixel) = (Subject::new(&v).unwrap(), Subject::new(&p).unwrap());
        let picture = match Picture::new(&vertex, &pixel, 0) {
            Ok(picture) => picture,
            Err(e) => {
                bad += 1;
                println!("FAIL {name}: {e}");
                continue;
            }
        };
        for profile in profiles() {
            let mut options = LinkOptions::default();
            profile.apply(&mut options, &[]);
            options.translation.buffer_length = BufferLength::Uniform;
            let program = link(&v, &p, &options).unwrap();
            match picture.compare(&mut worker, &program, Tolerance::floats(1e-4, 1e-4)) {
                Ok(c) => {
                    (values, seen, drawn) = (values + c.values, seen + c.seen, drawn + 1);
                    if !c.differences.is_empty() {
                        bad += 1;
                        println!(
                            "DIFF {name} under {}: {} of {}, {} seen",
                            profile.name,
                            c.differences.len(),
                            c.values,
                            c.seen
                        );
                        c.differences.iter().take(4).for_each(|d| println!("    {d}"));
                    }
                }
                Err(e) => {
                    bad += 1;
                    println!("FAIL {name} under {}: {e}", profile.name);
                }
            }
        }
    }
    println!("{drawn} programs, {values} values compared, {seen} pixels seen");
    assert_eq!(bad, 0);
}
