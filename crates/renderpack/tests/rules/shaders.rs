//! A violation of each rule about shaders, in modules of the templates with a word or two changed.

use super::words::Words;
use super::{Profile, files};
use shaderport_renderpack::abi::Stage;
use shaderport_renderpack::{Access, Compat, HARDENING, Options, Shader, check_pair, check_shader};
use shaderport_spirv::spirv::Op;
use std::collections::{BTreeSet, HashMap};

use Stage::{Fragment, Vertex};

/// Code, what is changed, module, stage, role.
type Violation = (&'static str, &'static str, Vec<u8>, Stage, &'static str);

const DECORATION_BLOCK: u32 = 2;
const DECORATION_BUILT_IN: u32 = 11;
const DECORATION_NON_WRITABLE: u32 = 24;
const DECORATION_LOCATION: u32 = 30;
const DECORATION_BINDING: u32 = 33;
const DECORATION_SET: u32 = 34;
const DECORATION_OFFSET: u32 = 35;

fn modules() -> HashMap<String, Vec<u8>> {
    let all = [Profile::Shadows, Profile::Atmospheric].into_iter().flat_map(files);
    all.filter_map(|(path, bytes)| {
        let name = path.strip_prefix("shaders/")?.strip_suffix(".spv")?;
        Some((name.to_owned(), bytes))
    })
    .collect()
}

/// Sets one word of the decoration of an id.
fn decorate(w: &mut Words, id: u32, kind: u32, value: u32) {
    let d = w.find(Op::Decorate, |d| d[1] == id && d[2] == kind);
    w.0[d.start + 3] = value;
}

/// Takes the first instruction away for which `is` holds.
fn remove(w: &mut Words, op: Op, is: impl Fn(&[u32]) -> bool) {
    let at = w.find(op, is);
    w.0.drain(at);
}

/// The first word of an instruction that may stand in the main function's end.
fn end_of_main(w: &Words) -> usize {
    w.find(Op::Return, |_| true).start
}

fn all() -> Vec<Violation> {
    let m = modules();
    let copy = || Words::of(&m["copy.frag"]);
    let mask = || Words::of(&m["sun_mask.frag"]);
    let caster = || Words::of(&m["world_caster.vert"]);
    let receiver = || Words::of(&m["world_receiver.vert"]);
    const COPY: &str = "custom:WorldColor";
    const MASK: &str =
        "custom:SceneDepth,SunScreenPosition,SunDirection,Weather,ActiveDayGroup,CameraMatrices";
    const CASTER: &str = "WorldOpaqueDirectionalShadowCaster";
    const RECEIVER: &str = "WorldDirectionalShadowReceiver";
    let mut out: Vec<Violation> = Vec::new();
    let mut add = |code, what, w: Words, stage, role| out.push((code, what, w.bytes(), stage, role));
    let with = |mut w: Words, edit: &dyn Fn(&mut Words)| {
        edit(&mut w);
        w
    };

    // Framing.
    add("shader-magic", "another magic word", with(copy(), &|w| w.0[0] = 0x1234_5678), Fragment, COPY);
    let swapped = copy().0.iter().map(|x| x.swap_bytes()).collect();
    add("shader-magic", "big-endian words", Words(swapped), Fragment, COPY);
    add("shader-malformed", "a length of zero", with(copy(), &|w| w.0[5] &= 0xffff), Fragment, COPY);
    add(
        "shader-malformed",
        "a variable without a class",
        {
            let mut w = copy();
            let v = w.find(Op::Variable, |_| true);
            w.0[v.start] = (3 << 16) | Op::Variable as u32;
            w.0.remove(v.end - 1);
            w
        },
        Fragment,
        COPY,
    );
    add("shader-entry", "another stage", copy(), Vertex, COPY);
    add(
        "shader-entry",
        "another name",
        with(copy(), &|w| {
            let e = w.find(Op::EntryPoint, |_| true);
            w.0[e.start + 3] = u32::from_le_bytes(*b"mein");
        }),
        Fragment,
        COPY,
    );

    // The push block.
    add(
        "shader-push-duplicate",
        "a second push block",
        with(copy(), &|w| {
            let v = w.find(Op::Variable, |v| v[3] == 9);
            let (ty, id) = (w.0[v.start + 1], w.new_id());
            w.insert(v.end, Op::Variable, &[ty, id, 9]);
        }),
        Fragment,
        COPY,
    );
    let push = |w: &Words| w.structure(w.0[w.find(Op::Variable, |v| v[3] == 9).start + 2]);
    add(
        "shader-push-layout",
        "a moved member",
        with(copy(), &|w| {
            let s = push(w);
            let d = w.find(Op::MemberDecorate, |d| d[1..4] == [s, 8, DECORATION_OFFSET]);
            w.0[d.start + 4] = 96;
        }),
        Fragment,
        COPY,
    );
    add(
        "shader-push-layout",
        "a member of another type",
        with(copy(), &|w| {
            let s = push(w);
            let t = w.find(Op::TypeStruct, |t| t[1] == s);
            w.0[t.start + 2 + 7] = w.0[t.start + 2 + 6];
        }),
        Fragment,
        COPY,
    );
    add(
        "shader-push-layout",
        "no block",
        with(copy(), &|w| {
            let s = push(w);
            remove(w, Op::Decorate, |d| d[1..] == [s, DECORATION_BLOCK]);
        }),
        Fragment,
        COPY,
    );

    // Descriptors.
    add(
        "shader-unbound",
        "no binding",
        with(copy(), &|w| {
            let v = w.bound_to(2, 0);
            remove(w, Op::Decorate, |d| d[1..3] == [v, DECORATION_BINDING]);
        }),
        Fragment,
        COPY,
    );
    add(
        "shader-aliased",
        "two variables at one binding",
        with(mask(), &|w| {
            let v = w.bound_to(3, 5);
            let at = w.find(Op::Variable, |x| x[2] == v);
            let (ty, id) = (w.0[at.start + 1], w.new_id());
            w.insert(at.end, Op::Variable, &[ty, id, 2]);
            let d = w.find(Op::Decorate, |d| d[1..3] == [v, DECORATION_SET]);
            w.insert(d.start, Op::Decorate, &[id, DECORATION_SET, 3]);
            w.insert(d.start, Op::Decorate, &[id, DECORATION_BINDING, 5]);
        }),
        Fragment,
        MASK,
    );
    add("shader-table-undeclared", "no input that brings it", copy(), Fragment, "custom:FrameTime");
    let image = |w: &Words| w.find(Op::TypeImage, |_| true).start;
    for (word, value) in [(3, 2), (5, 0), (7, 2)] {
        add(
            "shader-table-shape",
            "another image",
            with(copy(), &|w| {
                let at = image(w);
                w.0[at + word] = value;
            }),
            Fragment,
            COPY,
        );
    }
    let block_at = |w: &Words, set, binding| w.structure(w.bound_to(set, binding));
    add(
        "shader-block-class",
        "a storage buffer in the packs' set",
        with(mask(), &|w| {
            let v = w.bound_to(3, 5);
            let at = w.find(Op::Variable, |x| x[2] == v).start;
            w.0[at + 3] = 12;
        }),
        Fragment,
        MASK,
    );
    add("shader-block-undeclared", "no input that brings it", mask(), Fragment, COPY);
    add(
        "shader-block-undeclared",
        "a reserved binding",
        with(mask(), &|w| {
            let v = w.bound_to(3, 5);
            decorate(w, v, DECORATION_BINDING, 4);
        }),
        Fragment,
        MASK,
    );
    add(
        "shader-block-struct",
        "no block",
        with(mask(), &|w| {
            let s = block_at(w, 3, 5);
            remove(w, Op::Decorate, |d| d[1..] == [s, DECORATION_BLOCK]);
        }),
        Fragment,
        MASK,
    );
    for (member, offset) in [(0, 4), (6, 112), (8, 192)] {
        add(
            "shader-block-layout",
            "a moved member",
            with(mask(), &|w| {
                let s = block_at(w, 3, 5);
                let d = w.find(Op::MemberDecorate, |d| d[1..4] == [s, member, DECORATION_OFFSET]);
                w.0[d.start + 4] = offset;
            }),
            Fragment,
            MASK,
        );
    }
    for (what, kind, member) in
        [("no offset", DECORATION_OFFSET, 2), ("no matrix stride", 7, 6), ("no order of the matrix", 5, 6)]
    {
        add(
            "shader-block-layout",
            what,
            with(mask(), &|w| {
                let s = block_at(w, 3, 5);
                remove(w, Op::MemberDecorate, |d| d[1..4] == [s, member, kind]);
            }),
            Fragment,
            MASK,
        );
    }
    add(
        "shader-push-layout",
        "no offset",
        with(copy(), &|w| {
            let s = push(w);
            remove(w, Op::MemberDecorate, |d| d[1..4] == [s, 1, DECORATION_OFFSET]);
        }),
        Fragment,
        COPY,
    );
    add(
        "shader-storage-undeclared",
        "a binding that the role does not have",
        with(caster(), &|w| {
            let v = w.bound_to(0, 1);
            decorate(w, v, DECORATION_BINDING, 4);
        }),
        Vertex,
        CASTER,
    );
    add(
        "shader-storage-writable",
        "a writable buffer",
        with(caster(), &|w| {
            let s = block_at(w, 0, 1);
            remove(w, Op::MemberDecorate, |d| d[1] == s && d[3] == DECORATION_NON_WRITABLE);
        }),
        Vertex,
        CASTER,
    );
    add(
        "shader-storage-struct",
        "no block",
        with(caster(), &|w| {
            let s = block_at(w, 0, 1);
            remove(w, Op::Decorate, |d| d[1..] == [s, DECORATION_BLOCK]);
        }),
        Vertex,
        CASTER,
    );
    let lighting = || Words::of(&m["terrain_receiver.frag"]);
    const TERRAIN: &str = "TerrainDirectionalShadowReceiver";
    add(
        "shader-renderer-block",
        "a binding that the role does not have",
        with(lighting(), &|w| {
            let v = w.bound_to(1, 1);
            decorate(w, v, DECORATION_BINDING, 4);
        }),
        Fragment,
        TERRAIN,
    );
    add(
        "shader-renderer-struct",
        "no block",
        with(lighting(), &|w| {
            let s = block_at(w, 1, 1);
            remove(w, Op::Decorate, |d| d[1..] == [s, DECORATION_BLOCK]);
        }),
        Fragment,
        TERRAIN,
    );
    add(
        "shader-no-binding",
        "another set",
        with(mask(), &|w| {
            let v = w.bound_to(3, 5);
            decorate(w, v, DECORATION_SET, 4);
        }),
        Fragment,
        MASK,
    );
    add(
        "shader-image-write",
        "an image write",
        with(copy(), &|w| {
            // Any ids will do: the instruction itself is what is forbidden.
            let (id, at) = (w.0[w.find(Op::Constant, |_| true).start + 2], end_of_main(w));
            w.insert(at, Op::ImageWrite, &[id, id, id]);
        }),
        Fragment,
        COPY,
    );

    // Hardening.
    let memory_model = |w: &Words| w.find(Op::MemoryModel, |_| true).start;
    add(
        "shader-memory-model",
        "another memory model",
        with(copy(), &|w| {
            let at = memory_model(w);
            w.0[at + 2] = 2;
        }),
        Fragment,
        COPY,
    );
    for (what, capability) in [("Geometry", 2), ("of the other stage", 4427), ("MultiView", 4439)] {
        add(
            "shader-capability",
            what,
            with(copy(), &|w| {
                let at = memory_model(w);
                w.insert(at, Op::Capability, &[capability]);
            }),
            Fragment,
            COPY,
        );
    }
    add(
        "shader-forbidden-op",
        "an atomic",
        with(copy(), &|w| {
            let c = w.find(Op::Constant, |_| true).start;
            let (ty, id) = (w.0[c + 1], w.0[c + 2]);
            let (new, at) = (w.new_id(), end_of_main(w));
            w.insert(at, Op::AtomicLoad, &[ty, new, id, id, id]);
        }),
        Fragment,
        COPY,
    );
    add(
        "shader-store",
        "a store to a read-only buffer",
        with(caster(), &|w| {
            let v = w.bound_to(0, 1);
            let chain = w.find(Op::AccessChain, |c| c[3] == v);
            let pointer = w.0[chain.start + 2];
            let value = w.0[w.find(Op::Constant, |_| true).start + 2];
            w.insert(chain.end, Op::Store, &[pointer, value]);
        }),
        Vertex,
        CASTER,
    );
    add(
        "shader-store-untraced",
        "a store through an undefined pointer",
        with(caster(), &|w| {
            let v = w.bound_to(0, 1);
            let chain = w.find(Op::AccessChain, |c| c[3] == v);
            let (ty, value) = (w.0[chain.start + 1], w.0[w.find(Op::Constant, |_| true).start + 2]);
            let new = w.new_id();
            w.insert(chain.end, Op::Store, &[new, value]);
            w.insert(chain.end, Op::Undef, &[ty, new]);
        }),
        Vertex,
        CASTER,
    );
    add(
        "shader-sampled-type",
        "integers",
        with(copy(), &|w| {
            let int = w.0[w.find(Op::TypeInt, |_| true).start + 1];
            let at = image(w);
            w.0[at + 2] = int;
        }),
        Fragment,
        COPY,
    );
    add(
        "shader-sampled-depth",
        "comparison",
        with(copy(), &|w| {
            let at = image(w);
            w.0[at + 4] = 1;
        }),
        Fragment,
        COPY,
    );
    add(
        "shader-sampled-multisampled",
        "samples",
        with(copy(), &|w| {
            let at = image(w);
            w.0[at + 6] = 1;
        }),
        Fragment,
        COPY,
    );
    add(
        "shader-private-layout",
        "a moved member of the renderer's",
        with(receiver(), &|w| {
            // Elements of the buffer stand 64 bytes apart, not 80.
            let s = block_at(w, 0, 0);
            let array = w.0[w.find(Op::TypeStruct, |t| t[1] == s).start + 2];
            decorate(w, array, 6, 80);
        }),
        Vertex,
        RECEIVER,
    );
    add(
        "shader-stage-storage",
        "storage in a fragment shader",
        with(caster(), &|w| {
            let e = w.find(Op::EntryPoint, |_| true).start;
            w.0[e + 1] = 4;
            remove(w, Op::Capability, |c| c[1] == 4427);
        }),
        Fragment,
        CASTER,
    );
    add(
        "shader-view-index",
        "a view index without views",
        with(caster(), &|w| {
            let d = w.find(Op::Decorate, |d| d[2] == DECORATION_BUILT_IN && d[3] == 43);
            w.0[d.start + 3] = 4440;
        }),
        Vertex,
        CASTER,
    );
    let colour = |w: &Words| w.0[w.find(Op::Variable, |v| v[3] == 3).start + 2];
    add(
        "shader-outputs",
        "a second attachment",
        with(copy(), &|w| {
            let v = colour(w);
            decorate(w, v, DECORATION_LOCATION, 1);
        }),
        Fragment,
        COPY,
    );
    add(
        "shader-depth-export",
        "depth",
        with(copy(), &|w| {
            let v = colour(w);
            let d = w.find(Op::Decorate, |d| d[1..3] == [v, DECORATION_LOCATION]);
            w.0[d.start + 2] = DECORATION_BUILT_IN;
            w.0[d.start + 3] = 22;
        }),
        Fragment,
        COPY,
    );
    add(
        "shader-depth-export",
        "an execution mode",
        with(copy(), &|w| {
            let m = w.find(Op::ExecutionMode, |_| true);
            let main = w.0[m.start + 1];
            w.insert(m.end, Op::ExecutionMode, &[main, 12]);
        }),
        Fragment,
        COPY,
    );
    add(
        "shader-unlisted",
        "a variable that is not listed",
        with(copy(), &|w| {
            let e = w.find(Op::EntryPoint, |_| true);
            w.0.remove(e.end - 1);
            w.0[e.start] -= 1 << 16;
        }),
        Fragment,
        COPY,
    );
    add(
        "shader-spec-constant",
        "a specialisation constant",
        with(copy(), &|w| {
            let float = w.0[w.find(Op::TypeFloat, |_| true).start + 1];
            let c = w.find(Op::Constant, |c| c[1] == float);
            w.0[c.start] = (4 << 16) | Op::SpecConstant as u32;
        }),
        Fragment,
        COPY,
    );
    add("shader-semantic", "a value that nothing brings", mask(), Fragment, "custom:SceneDepth,SunDirection");
    add(
        "shader-duplicate-decoration",
        "a decoration twice",
        with(copy(), &|w| {
            let d = w.find(Op::Decorate, |d| d[2] == DECORATION_LOCATION);
            let twice = w.0[d.clone()].to_vec();
            w.0.splice(d.start..d.start, twice);
        }),
        Fragment,
        COPY,
    );

    // The reader's findings that a pack must not have.
    add("spirv-version", "a version to come", with(copy(), &|w| w.0[1] = 0x0063_0000), Fragment, COPY);
    add("spirv-bound", "a bound below the ids", with(copy(), &|w| w.0[3] = 3), Fragment, COPY);
    add("spirv-schema", "a schema", with(copy(), &|w| w.0[4] = 1), Fragment, COPY);
    add(
        "spirv-extra-words",
        "a word too many",
        with(copy(), &|w| {
            let c = w.find(Op::Capability, |_| true);
            w.0[c.start] += 1 << 16;
            w.0.insert(c.end, 0);
        }),
        Fragment,
        COPY,
    );
    add(
        "spirv-operands",
        "an operand too few",
        with(copy(), &|w| {
            let s = w.find(Op::Store, |_| true);
            w.0[s.start] -= 1 << 16;
            w.0.remove(s.end - 1);
        }),
        Fragment,
        COPY,
    );
    add(
        "spirv-string",
        "a string without an end",
        with(copy(), &|w| {
            let s = w.find(Op::SourceExtension, |_| true);
            w.0[s.end - 1] |= 0x0101_0101;
        }),
        Fragment,
        COPY,
    );
    add(
        "spirv-id-redefined",
        "two results with one id",
        with(copy(), &|w| {
            let c = w.find(Op::Constant, |_| true);
            let twice = w.0[c.clone()].to_vec();
            w.0.splice(c.end..c.end, twice);
        }),
        Fragment,
        COPY,
    );
    add(
        "spirv-id-undefined",
        "an id without a definition",
        with(copy(), &|w| {
            let (new, at) = (w.new_id(), end_of_main(w));
            let pointer = w.0[w.find(Op::Store, |_| true).start + 1];
            w.insert(at, Op::Store, &[pointer, new]);
        }),
        Fragment,
        COPY,
    );
    add(
        "spirv-type-invalid",
        "a vector of a number",
        with(copy(), &|w| {
            let c = w.find(Op::Constant, |_| true);
            let (number, new) = (w.0[c.start + 2], w.new_id());
            w.insert(c.end, Op::TypeVector, &[new, number, 2]);
        }),
        Fragment,
        COPY,
    );
    add(
        "spirv-decoration-groups",
        "a group of many decorations for many targets",
        with(copy(), &|w| {
            let at = w.find(Op::Decorate, |_| true).start;
            let (group, target) = (w.new_id(), w.0[at + 1]);
            w.insert(at, Op::GroupDecorate, &[&[group][..], &[target; 900]].concat());
            w.insert(at, Op::DecorationGroup, &[group]);
            (0..600).for_each(|_| w.insert(at, Op::Decorate, &[group, 5635, u32::from_le_bytes(*b"abc\0")]));
        }),
        Fragment,
        COPY,
    );
    add(
        "spirv-constant-width",
        "a constant of two words",
        with(copy(), &|w| {
            let c = w.find(Op::Constant, |_| true);
            w.0[c.start] += 1 << 16;
            w.0.insert(c.end, 0);
        }),
        Fragment,
        COPY,
    );
    add(
        "spirv-memory-model",
        "two memory models",
        with(copy(), &|w| {
            let at = w.find(Op::MemoryModel, |_| true);
            let twice = w.0[at.clone()].to_vec();
            w.0.splice(at.start..at.start, twice);
        }),
        Fragment,
        COPY,
    );
    add(
        "spirv-member-index",
        "a member that the structure does not have",
        with(copy(), &|w| {
            let s = push(w);
            let d = w.find(Op::MemberDecorate, |_| true);
            w.insert(d.start, Op::MemberDecorate, &[s, 9, DECORATION_OFFSET, 96]);
        }),
        Fragment,
        COPY,
    );
    let bytes = m["copy.frag"].clone();
    out.push(("shader-not-words", "half a word", bytes[..bytes.len() - 2].to_vec(), Fragment, COPY));
    out
}

fn found(bytes: &[u8], stage: Stage, role: &str, options: &Options) -> Vec<&'static str> {
    let access = Access::parse(options.abi, role).unwrap();
    let findings = check_shader(&Shader::read(bytes, options), "file", stage, &access, options);
    findings.iter().for_each(super::is_whole);
    let mut codes: Vec<_> = findings.iter().map(|f| f.code.name()).collect();
    codes.dedup();
    codes
}

/// Checks every violation, and gives the codes seen.
pub(super) fn check() -> BTreeSet<&'static str> {
    let mut seen = BTreeSet::new();
    let mut wrong = Vec::new();
    let upstream = Options { compat: Compat::Upstream, ..Options::default() };
    for (code, what, bytes, stage, role) in all() {
        seen.insert(code);
        let codes = found(&bytes, stage, role, &Options::default());
        if codes != [code] {
            wrong.push(format!("{code}, {what}: {codes:?}"));
        }
        // Hardening can be turned off, rule by rule and as a whole; the contract's own rules cannot.
        if let Some(rule) = HARDENING.iter().find(|r| r.name() == code) {
            let off = Options { without: [*rule].into(), ..Options::default() };
            for (which, options) in [("off", &off), ("upstream", &upstream)] {
                let codes = found(&bytes, stage, role, options);
                if !codes.is_empty() {
                    wrong.push(format!("{code}, {what}, {which}: {codes:?}"));
                }
            }
        } else if found(&bytes, stage, role, &upstream).first() != Some(&code) {
            wrong.push(format!("{code}, {what}: upstream takes it"));
        }
    }
    for (code, vertex, fragment) in pairs() {
        seen.insert(code);
        let check = |options: &Options| {
            let (v, f) = (Shader::read(&vertex, options), Shader::read(&fragment, options));
            check_pair(&v, &f, "file", options).iter().map(|x| x.code.name()).collect::<Vec<_>>()
        };
        let rule = HARDENING.iter().find(|r| r.name() == code).unwrap();
        let off = Options { without: [*rule].into(), ..Options::default() };
        let results = (check(&Options::default()), check(&off), check(&upstream));
        if results != (vec![code], vec![], vec![]) {
            wrong.push(format!("{code}: {results:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    seen
}

/// Pairs of a vertex and a fragment shader that do not fit.
fn pairs() -> Vec<(&'static str, Vec<u8>, Vec<u8>)> {
    let m = modules();
    let (vertex, fragment) = (Words::of(&m["cutout_caster.vert"]), Words::of(&m["cutout_caster.frag"]));
    let mut missing = vertex.clone();
    let last = missing
        .all(Op::Decorate)
        .filter(|d| missing.0[d.start + 2] == DECORATION_LOCATION)
        .map(|d| d.start + 3);
    let last = last.max_by_key(|at| vertex.0[*at]).unwrap();
    missing.0[last] = 9;
    let mut flat = fragment.clone();
    remove(&mut flat, Op::Decorate, |d| d[2] == 14);
    vec![
        ("varying-missing", missing.bytes(), fragment.bytes()),
        ("varying-type", m["fullscreen.vert"].clone(), m["terrain_receiver.frag"].clone()),
        ("varying-flat", vertex.bytes(), flat.bytes()),
    ]
}
