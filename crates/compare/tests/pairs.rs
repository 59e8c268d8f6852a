//! Pairs of fixtures under each profile, drawn by ANGLE and compared with the executor: what the vertex stage writes,
//! the position under the profile's rule of depth, pixels and depth. `ONLY=name` takes the pairs with that in a name.
//! Varyings that share variables are drawn as well.

use shaderport_asm::{Opcode, Operand, Shader, Type, cb, l, o, r, t, v};
use shaderport_compare::bounds::{LIMITS, shake};
use shaderport_compare::program::{Cause, Picture};
use shaderport_compare::{Shake, Subject, Tolerance};
use shaderport_dxbc::program::Interpolation;
use shaderport_gl_harness::{Backend, Worker};
use shaderport_glsl::options::{BufferLength, Limits};
use shaderport_link::{LinkOptions, LinkedProgram, Profile, link};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

/// The built-in profiles, each rule that changes the text alone, and some together.
fn profiles() -> Vec<Profile> {
    let rule = |base: &str, text: &str| {
        let rules: serde_json::Map<String, serde_json::Value> = serde_json::from_str(text).unwrap();
        let base_rules = Profile::built_in(base).unwrap_or_default();
        Profile { name: format!("{base} {text}"), ..base_rules.with_rules(rules).unwrap() }
    };
    vec![
        Profile::default(),
        Profile::built_in("specs").unwrap(),
        Profile::built_in("carbon").unwrap(),
        // Direct3D's own range of depth needs clip control, which the harness does not have.
        rule("default", r#"{"depth_range":"reversed"}"#),
        rule("default", r#"{"flip_y":true}"#),
        rule("default", r#"{"integer_attributes":"native"}"#),
        rule("default", r#"{"constant_buffers":"shared"}"#),
        rule("default", r#"{"constant_form":"array"}"#),
        rule("default", r#"{"pixel_slots":[{"from":0,"to":7}]}"#),
        rule("default", r#"{"varyings":"register"}"#),
        rule("default", r#"{"textures":"stage"}"#),
        rule("default", r#"{"skinning":{"form":"rows"}}"#),
        rule("default", r#"{"unused_outputs":"drop"}"#),
        rule("carbon", r#"{"constant_form":"array","skinning":{"form":"texture"},"flip_y":true}"#),
    ]
}

/// What came of pairs.
#[derive(Default)]
struct Count {
    programs: usize,
    values: usize,
    seen: usize,
    /// Values that differ for a reason that is no fault.
    causes: BTreeMap<Cause, usize>,
    /// Pairs, by what came of them.
    classes: BTreeMap<String, Vec<String>>,
}

impl Count {
    fn print(&self) {
        println!("{} programs, {} values compared, {} pixels seen", self.programs, self.values, self.seen);
        self.causes.iter().for_each(|(cause, n)| println!("    {n} values differ: {cause:?}"));
        for (class, pairs) in &self.classes {
            println!("    {} pairs {class}", pairs.len());
            let many = std::env::var_os("SHOW").is_some();
            pairs.iter().filter(|_| many).for_each(|pair| println!("        {pair}"));
        }
    }

    /// Pairs of a class.
    fn of(&self, class: &str) -> usize {
        self.classes.get(class).map_or(0, Vec::len)
    }
}

const EQUAL: &str = "equal";
const EXPLAINED: &str = "equal within the bounds";
const DISCARDED: &str = "equal, but every pixel is discarded";
const OUTPUTS: &str = "equal in what the vertex stage writes; no triangle in view";
const DIFFERENT: &str = "DIFFERENT";

/// Draws a pair under profiles; the class it belongs to. With `shake`, differences may have a cause that is no fault.
fn draw_pair(
    worker: &mut Worker,
    name: &str,
    [v, p]: [&[u8]; 2],
    profiles: &[Profile],
    shake: Option<&Shake>,
    count: &mut Count,
) -> String {
    let (vertex, pixel) = match (Subject::new(v), Subject::new(p)) {
        (Ok(vertex), Ok(pixel)) => (vertex, pixel),
        (Err(e), _) | (_, Err(e)) => return format!("unreadable: {e:?}"),
    };
    let picture = match Picture::new(&vertex, &pixel, 0) {
        Ok(picture) => picture.on(worker.backend()),
        Err(e) => return format!("not run by the executor: {e}"),
    };
    let mut class = match picture.in_view() {
        true => EQUAL,
        false => OUTPUTS,
    };
    for profile in profiles {
        let mut options = LinkOptions::default();
        profile.apply(&mut options, &[]);
        options.translation.buffer_length = BufferLength::Uniform;
        let program = match link(v, p, &options) {
            Ok(program) => program,
            Err(failure) => {
                let codes: BTreeSet<_> = failure.diagnostics.iter().map(|d| d.code.name()).collect();
                return format!("refused: {codes:?}");
            }
        };
        let compared = match picture.compare(worker, &program, Tolerance::floats(1e-4, 1e-4)) {
            Ok(compared) => compared,
            Err(e) => {
                // What takes too long is known by name.
                let limit = LIMITS.iter().find(|(text, _)| *text != "timeout" && e.contains(text));
                let Some((_, reason)) = limit.filter(|_| shake.is_some()) else {
                    println!("FAIL {name} under {}: {e}", profile.name);
                    return DIFFERENT.into();
                };
                return format!("not drawn: {reason}");
            }
        };
        count.programs += 1;
        count.values += compared.values;
        count.seen += compared.seen;
        if picture.in_view() && compared.seen == 0 && class == EQUAL {
            class = DISCARDED;
        }
        let mut left = Vec::new();
        for d in &compared.differences {
            match shake.and_then(|shake| picture.cause(&program, d, shake)) {
                Some(cause) => {
                    class = if class == EQUAL { EXPLAINED } else { class };
                    *count.causes.entry(cause).or_default() += 1;
                }
                None => left.push(d),
            }
        }
        if !left.is_empty() {
            let (of, seen) = (compared.values, compared.seen);
            println!("DIFF {name} under {}: {} of {of}, {seen} seen", profile.name, left.len());
            left.iter().take(4).for_each(|d| println!("    {d}"));
            class = DIFFERENT;
            break;
        }
    }
    class.into()
}

fn only() -> String {
    std::env::var("ONLY").unwrap_or_default()
}

#[test]
fn fixture_pairs_are_what_the_executor_computes() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = std::fs::read_to_string(root.join("fixtures/PAIRS.tsv")).unwrap();
    let mut worker = Worker::new(Backend::Angle, Duration::from_secs(20)).unwrap();
    let mut count = Count::default();
    for line in text.lines().filter(|l| !l.starts_with('#')) {
        let (v, rest) = line.split_once('\t').unwrap();
        let p = rest.split('\t').next().unwrap();
        let name = format!("{v} + {p}");
        if name.contains(&only()) {
            let [v, p] = [v, p].map(|file| std::fs::read(root.join(file)).unwrap());
            let class = draw_pair(&mut worker, &name, [&v, &p], &profiles(), None, &mut count);
            count.classes.entry(class).or_default().push(name);
        }
    }
    count.print();
    assert!(count.classes.keys().all(|class| class == EQUAL), "{:?}", count.classes);
}

/// Pairs of the shared corpus, where that is at hand, spread over it. `PAIRS=n` takes so many (`all`: every one),
/// `SHOW=1` names the pairs of each class, and `BACKEND=mesa` draws them with Mesa.
#[test]
fn corpus_pairs_are_what_the_executor_computes() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let Ok(text) = std::fs::read_to_string(corpus.join("PAIRS.tsv")) else { return };
    let only = only();
    let lines: Vec<&str> = text.lines().skip(1).filter(|l| l.replace('\t', " + ").contains(&only)).collect();
    let default = if only.is_empty() { 12 } else { usize::MAX };
    let wanted = std::env::var("PAIRS").map_or(default, |n| n.parse().unwrap_or(usize::MAX)).min(lines.len());
    let profiles = [Profile::default(), Profile::built_in("carbon").unwrap()];
    let backend = match std::env::var("BACKEND").as_deref() {
        Ok("mesa") => Backend::Mesa,
        _ => Backend::Angle,
    };
    let mut worker = Worker::new(backend, Duration::from_secs(60)).unwrap();
    let mut count = Count::default();
    for n in 0..wanted {
        let (v, p) = lines[n * lines.len() / wanted].split_once('\t').unwrap();
        let name = format!("{v} + {p}");
        let [v, p] = [v, p].map(|file| std::fs::read(corpus.join(file)).unwrap());
        let class = draw_pair(&mut worker, &name, [&v, &p], &profiles, Some(&shake(backend)), &mut count);
        count.classes.entry(class).or_default().push(name);
    }
    count.print();
    assert_eq!(count.of(DIFFERENT), 0);
    assert!(wanted == 0 || count.values > 0);
}

/// A vertex stage that hands its position on, with `w` for its last lane, and a colour.
fn plain_vertex(w: f32) -> Vec<u8> {
    let mut vs = Shader::vertex();
    vs.input(0, "xyzw", "POSITION0", Type::Float).input(1, "xyzw", "COLOR0", Type::Float);
    vs.position(0).output(1, "xyzw", "COLOR0", Type::Float);
    vs.op(Opcode::Mov, &[o(0, "xyz"), v(0, "xyzw")]).op(Opcode::Mov, &[o(0, "w"), l(w)]);
    vs.op(Opcode::Mov, &[o(1, "xyzw"), v(1, "xyzw")]).op(Opcode::Ret, &[]);
    vs.build()
}

/// A pixel stage that writes a multiple of the colour, and may discard everything.
fn plain_pixel(factor: f32, discards: bool) -> Vec<u8> {
    let mut ps = Shader::pixel();
    ps.input(1, "xyzw", "COLOR0", Type::Float).target(0, "xyzw", Type::Float);
    if discards {
        ps.temps(1).op(Opcode::Eq, &[r(0, "x"), v(1, "xxxx"), l(1e9f32)]);
        ps.op(Opcode::Discard, &[r(0, "xxxx")]);
    }
    ps.op(Opcode::Mul, &[o(0, "xyzw"), v(1, "xyzw"), l(factor)]).op(Opcode::Ret, &[]);
    ps.build()
}

/// Differences that are faults have no cause: a program of another pixel or vertex stage is not taken for the pair.
#[test]
fn faults_have_no_cause() {
    let right = (plain_vertex(1.0), plain_pixel(2.0, false));
    let mut worker = Worker::new(Backend::Angle, Duration::from_secs(20)).unwrap();
    let (vertex, pixel) = (Subject::new(&right.0).unwrap(), Subject::new(&right.1).unwrap());
    let picture = Picture::new(&vertex, &pixel, 0).unwrap();
    for (wrong, outputs) in [
        ((plain_vertex(1.0), plain_pixel(2.01, false)), ["SV_Target0"; 2]),
        ((plain_vertex(1.0), plain_pixel(2.0, true)), ["SV_Target0", "depth"]),
        ((plain_vertex(1.25), plain_pixel(2.0, false)), ["gl_Position", "SV_Target0"]),
    ] {
        let (program, _) = linked(&wrong, "specs");
        let c = picture.compare(&mut worker, &program, Tolerance::floats(1e-4, 1e-4)).unwrap();
        let faults: Vec<_> = c
            .differences
            .iter()
            .filter(|d| picture.cause(&program, d, &shake(Backend::Angle)).is_none())
            .map(|d| d.output.as_str())
            .collect();
        assert!(outputs.iter().all(|output| faults.contains(output)), "{outputs:?}");
    }
    let (program, _) = linked(&right, "specs");
    let c = picture.compare(&mut worker, &program, Tolerance::floats(1e-4, 1e-4)).unwrap();
    assert!(c.differences.is_empty() && c.seen > 100);
}

/// What is never in view, or discarded, is compared as far as it goes.
#[test]
fn vertices_are_compared_without_a_triangle() {
    let mut worker = Worker::new(Backend::Angle, Duration::from_secs(20)).unwrap();
    let profiles = [Profile::default(), Profile::built_in("carbon").unwrap()];
    let behind = plain_vertex(-1.0);
    for (vs, ps, expected) in [
        (&behind, plain_pixel(1.0, false), OUTPUTS),
        (&plain_vertex(1.0), plain_pixel(1.0, true), DISCARDED),
        (&plain_vertex(1.0), plain_pixel(1.0, false), EQUAL),
    ] {
        let mut count = Count::default();
        let class = draw_pair(&mut worker, "", [vs, &ps], &profiles, None, &mut count);
        assert_eq!((class.as_str(), count.programs), (expected, 2));
    }
    let ps = plain_pixel(1.0, false);
    let (vertex, pixel) = (Subject::new(&behind).unwrap(), Subject::new(&ps).unwrap());
    let picture = Picture::new(&vertex, &pixel, 0).unwrap();
    // Eight lanes of ten triangles; a program that writes another w is not taken for it.
    let other = (plain_vertex(-1.5), ps.clone());
    for picture in [Picture::new(&vertex, &pixel, 0).unwrap().vertices_alone(), picture] {
        let (program, _) = linked(&other, "specs");
        let c = picture.compare(&mut worker, &program, Tolerance::EXACT).unwrap();
        assert_eq!((c.values, c.seen), (240, 0));
        assert!(c.differences.iter().any(|d| d.output == "gl_Position" && d.lane == 3));
        assert!(c.differences.iter().all(|d| picture.cause(&program, d, &shake(Backend::Angle)).is_none()));
    }
}

/// What one register holds: lanes, type and interpolation of its only element.
type Half = (&'static str, Type, Interpolation);

/// A pair with one element in each register. The vertex stage writes sums of its input that differ from lane to lane;
/// the pixel stage adds up what it reads, with a weight for each.
fn halves(list: &[Half]) -> (Vec<u8>, Vec<u8>) {
    let (mut vs, mut ps) = (Shader::vertex(), Shader::pixel());
    vs.input(0, "xyzw", "POSITION0", Type::Float).position(0).temps(1);
    ps.temps(6);
    for target in 0..4 {
        ps.target(target, "xyzw", Type::Float);
    }
    for (k, &(lanes, ty, mode)) in (1..).zip(list) {
        let semantic = format!("TEXCOORD{k}");
        vs.output(k, lanes, &semantic, ty);
        ps.input_as(k, lanes, &semantic, ty, mode);
    }
    vs.op(Opcode::Mov, &[o(0, "xyzw"), v(0, "xyzw")]);
    // A sum for every fourth.
    let sum = |n: u32, lanes| r(2 + n % 4, lanes);
    (0..4).for_each(|n| _ = ps.op(Opcode::Mov, &[sum(n, "xyzw"), l(0.0f32)]));
    for (k, &(lanes, ty, _)) in (1u32..).zip(list) {
        if ty == Type::Float {
            vs.op(Opcode::Mul, &[r(0, "xyzw"), v(0, "xyzw"), l(k as f32)]);
            vs.op(Opcode::Add, &[o(k, lanes), r(0, "xyzw"), l(k as f32 * 0.125)]);
        } else {
            vs.op(Opcode::Mov, &[o(k, lanes), l(k)]);
        }
        let read = if ty == Type::Float {
            v(k, "xyzw")
        } else {
            ps.op(Opcode::Utof, &[r(0, lanes), v(k, "xyzw")]);
            r(0, "xyzw")
        };
        ps.op(Opcode::Mul, &[r(1, lanes), read, l((k / 4 + 1) as f32 / 8.0)]);
        ps.op(Opcode::Add, &[sum(k, lanes), sum(k, "xyzw"), r(1, "xyzw")]);
    }
    (0..4).for_each(|n| _ = ps.op(Opcode::Mov, &[o(n, "xyzw"), sum(n, "xyzw")]));
    vs.op(Opcode::Ret, &[]);
    ps.op(Opcode::Ret, &[]);
    (vs.build(), ps.build())
}

/// Links under a profile; also how many variables the varyings are.
fn linked(pair: &(Vec<u8>, Vec<u8>), profile: &str) -> (LinkedProgram, u32) {
    let mut options = LinkOptions::default();
    Profile::built_in(profile).unwrap().apply(&mut options, &[]);
    let program = link(&pair.0, &pair.1, &options).unwrap();
    let limit = program.manifest.limits.iter().find(|l| l.name == "max_varying_vectors").unwrap().used;
    (program, limit)
}

/// Beyond the limits that every implementation keeps there is no program.
fn strict() -> LinkOptions {
    let mut options = LinkOptions::default();
    options.translation.limits = Some(Limits::GUARANTEED);
    options
}

fn has(program: &LinkedProgram, code: &str) -> bool {
    program.diagnostics.iter().any(|d| d.code.name() == code)
}

/// Too many varyings of one register each share variables with others of their kind, and every value arrives.
#[test]
fn varyings_are_packed_across_registers() {
    use Interpolation::{Constant, Linear, LinearCentroid};
    let kinds = [
        ("xy", Type::Float, Linear),
        ("xyz", Type::Float, Linear),
        ("y", Type::Float, Linear),
        ("xy", Type::Uint, Constant),
        ("zw", Type::Float, Linear),
        ("x", Type::Float, Constant),
        ("zw", Type::Uint, Constant),
        ("xz", Type::Float, LinearCentroid),
        ("xyzw", Type::Float, Linear),
        ("y", Type::Float, LinearCentroid),
    ];
    let list: Vec<Half> = (0..24).map(|n| kinds[n * 7 % kinds.len()]).collect();
    let pair = halves(&list);
    let mut worker = Worker::new(Backend::Angle, Duration::from_secs(20)).unwrap();
    let (vertex, pixel) = (Subject::new(&pair.0).unwrap(), Subject::new(&pair.1).unwrap());
    let picture = Picture::new(&vertex, &pixel, 0).unwrap();
    for profile in ["specs", "carbon"] {
        let (program, used) = linked(&pair, profile);
        assert!(used <= 15 && has(&program, "link-varyings-packed"), "{used} under {profile}");
        assert!(!has(&program, "link-limit-not-guaranteed"));
        let varyings = &program.manifest.varyings;
        assert_eq!(varyings.len(), list.len());
        for (n, a) in varyings.iter().enumerate() {
            for b in varyings[..n].iter().filter(|b| b.name == a.name) {
                let kind = |v: &shaderport_glsl::manifest::Varying| list[v.register as usize - 1];
                let ((_, ta, ia), (_, tb, ib)) = (kind(a), kind(b));
                assert_eq!((a.ty, ta, ia), (b.ty, tb, ib), "{} and {}", a.register, b.register);
                assert!(a.lanes.unwrap().chars().all(|l| !b.lanes.unwrap().contains(l)));
            }
        }
        let c = picture.compare(&mut worker, &program, Tolerance::floats(1e-4, 1e-3)).unwrap();
        assert!(
            c.differences.is_empty(),
            "{:?}\n{}\n{}",
            &c.differences[0],
            program.vertex,
            program.fragment
        );
        assert!(c.seen > 100);
    }
    assert!(link(&pair.0, &pair.1, &strict()).is_ok());
}

/// What is too much all the same is reported with the variables and what shares them.
#[test]
fn varyings_that_cannot_be_packed_enough_are_named() {
    let wide = ("xyz", Type::Float, Interpolation::Linear);
    let thin = ("w", Type::Float, Interpolation::Linear);
    let list: Vec<Half> = (0..20).map(|n| if n < 17 { wide } else { thin }).collect();
    for profile in ["specs", "carbon"] {
        let (program, used) = linked(&halves(&list), profile);
        assert_eq!(used, 17);
        assert!(has(&program, "link-varyings-packed"));
        let found =
            program.diagnostics.iter().find(|d| d.code.name() == "link-limit-not-guaranteed").unwrap();
        let notes = found.notes.join(" ");
        assert!(notes.contains("vs_p0 (TEXCOORD1 TEXCOORD18)"), "{notes}");
        assert!(notes.contains("vs_TEXCOORD17"), "{notes}");
    }
    let pair = halves(&list);
    let failure = link(&pair.0, &pair.1, &strict()).unwrap_err();
    let text = format!("{:?}", failure.diagnostics);
    assert!(text.contains("limit-exceeded") && text.contains("vs_p0 (TEXCOORD1 TEXCOORD18)"), "{text}");
    // Nothing helps where every register is full.
    let full: Vec<Half> = vec![("xyzw", Type::Float, Interpolation::Linear); 18];
    let (program, used) = linked(&halves(&full), "specs");
    assert!(used == 18 && !has(&program, "link-varyings-packed"));
    assert!(has(&program, "link-limit-not-guaranteed"));
}

/// Bones in each form, blocks and arrays of constants: the vertices are those that the executor finds, the offset into
/// the ring of bones included.
#[test]
fn skinned_vertices_are_what_the_executor_computes() {
    let mut vs = Shader::vertex();
    vs.input(0, "xyzw", "POSITION0", Type::Float).input(1, "xyzw", "BLENDINDICES0", Type::Uint);
    vs.constant_buffer(3, 40, true).structured(0, 48).position(0).output(1, "xyzw", "NORMAL0", Type::Float);
    vs.temps(4);
    vs.op(Opcode::Iadd, &[r(0, "xyzw"), v(1, "xyzw"), cb(3, 26, "xxxx")]);
    let mut load = |to: Operand, bone: &str, offset: u32, from: &str| {
        vs.op(Opcode::LdStructured, &[to, r(0, bone), l(offset), t(0, from)]);
    };
    load(r(1, "xyzw"), "x", 0, "xyzw");
    load(r(2, "xyz"), "y", 16, "zyxx");
    load(r(2, "w"), "z", 32, "xyzw");
    load(r(3, "xy"), "w", 12, "xyxx");
    load(r(3, "zw"), "w", 36, "xxxy");
    vs.op(Opcode::Dp4, &[o(0, "x"), v(0, "xyzw"), r(1, "xyzw")]);
    vs.op(Opcode::Dp4, &[o(0, "y"), v(0, "xyzw"), r(2, "xyzw")]);
    vs.op(Opcode::Mov, &[o(0, "zw"), v(0, "xyzw")]);
    vs.op(Opcode::Mul, &[o(1, "xyzw"), r(3, "xyzw"), cb(3, 0u32, "xxxx")]).op(Opcode::Ret, &[]);
    let mut ps = Shader::pixel();
    ps.input(1, "xyzw", "NORMAL0", Type::Float).target(0, "xyzw", Type::Float);
    ps.op(Opcode::Mov, &[o(0, "xyzw"), v(1, "xyzw")]).op(Opcode::Ret, &[]);
    let (v, p) = (vs.build(), ps.build());
    let (vertex, pixel) = (Subject::new(&v).unwrap(), Subject::new(&p).unwrap());
    let mut worker = Worker::new(Backend::Angle, Duration::from_secs(20)).unwrap();
    let mut offsets = std::collections::HashSet::new();
    for seed in 0..4 {
        let picture = Picture::new(&vertex, &pixel, seed).unwrap();
        offsets.insert(picture.vertices.bindings.constants[&3.into()].rows()[26][0]);
        for skinning in [r#"{"form":"block","bones":69}"#, r#"{"form":"texture"}"#, r#"{"form":"rows"}"#] {
            for form in ["block", "array"] {
                let text =
                    format!(r#"{{"extends":"carbon","skinning":{skinning},"constant_form":"{form}"}}"#);
                let mut options = LinkOptions::default();
                Profile::from_json(&text).unwrap().apply(&mut options, &[]);
                let program = link(&v, &p, &options).unwrap();
                let c = picture.compare(&mut worker, &program, Tolerance::floats(1e-5, 1e-5)).unwrap();
                // Triangles of random bones may be thin; what lies in them is compared elsewhere.
                let wrong =
                    c.differences.iter().find(|d| !d.output.starts_with("SV_") && d.output != "depth");
                assert!(wrong.is_none(), "{text}: {}\n{}", wrong.unwrap(), program.vertex);
                assert_eq!(program.manifest.vertex.joints.is_some(), skinning.contains("rows"));
            }
        }
    }
    assert!(offsets.iter().any(|o| *o > 0), "{offsets:?}");
}
