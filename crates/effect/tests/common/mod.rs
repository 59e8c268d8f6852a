//! Makes containers of every version from our own shaders, by a writer of its own.
#![allow(dead_code, unreachable_pub)]

use shaderport_effect::model::*;
use std::collections::HashMap;
use std::path::Path;

/// xorshift64*, enough to spread choices and damage.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % limit.max(1)
    }
    pub fn word(&mut self) -> u32 {
        [0, 1, u32::MAX, 0x7fc0_1234, 0x8000_0000, 0x3f80_0000, 7, 36][self.below(8)]
    }
    pub fn byte(&mut self) -> u8 {
        self.below(256) as u8
    }
}

/// A file of the repository.
pub fn file(path: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The pairs of PAIRS.tsv, as bytes.
pub fn pairs() -> Vec<(Vec<u8>, Vec<u8>)> {
    let list = String::from_utf8(file("fixtures/PAIRS.tsv")).unwrap();
    let rows = list.lines().filter(|l| !l.starts_with('#'));
    let rows =
        rows.filter_map(|l| l.split_once('\t').and_then(|(v, rest)| Some((v, rest.split('\t').next()?))));
    rows.map(|(v, p)| (file(v), file(p))).collect()
}

/// Fields of a body in one version's layout, with an arena in the order of first use.
pub struct OldWriter {
    version: u32,
    arena: Vec<u8>,
    known: HashMap<Vec<u8>, u32>,
}

impl OldWriter {
    pub fn write(effect: &Effect<'_>, version: u32) -> Vec<u8> {
        let mut w = OldWriter { version, arena: Vec::new(), known: HashMap::new() };
        let mut axes = vec![effect.axes.len() as u8];
        for a in &effect.axes {
            w.text(&mut axes, &a.name);
            axes.push(a.default_option);
            w.text(&mut axes, &a.description);
            axes.extend([a.kind, a.options.len() as u8]);
            for o in &a.options {
                w.text(&mut axes, o);
            }
        }
        let bodies: Vec<Vec<u8>> = effect.bodies.iter().map(|b| w.body(b)).collect();
        let mut out = version.to_le_bytes().to_vec();
        if version >= 15 {
            out.extend(effect.provenance.compiler);
            out.extend(effect.provenance.hash);
        }
        out.extend((w.arena.len() as u32).to_le_bytes());
        out.extend(&w.arena);
        out.extend(axes);
        out.extend((effect.rows.len() as u32).to_le_bytes());
        let mut at = out.len() + effect.rows.len() * 12;
        let places: Vec<usize> = bodies.iter().map(|b| (at, at += b.len()).0).collect();
        for row in &effect.rows {
            let b = row.body as usize;
            for v in [row.index, places[b] as u32, bodies[b].len() as u32] {
                out.extend(v.to_le_bytes());
            }
        }
        bodies.iter().for_each(|b| out.extend(b));
        out
    }

    fn intern(&mut self, bytes: Vec<u8>) -> u32 {
        let at = self.arena.len() as u32;
        let arena = &mut self.arena;
        *self.known.entry(bytes).or_insert_with_key(|b| {
            arena.extend(b);
            at
        })
    }

    fn text(&mut self, out: &mut Vec<u8>, t: &Text<'_>) {
        let at = self.intern([&t.0[..], &[0]].concat());
        out.extend(at.to_le_bytes());
    }

    fn blob(&mut self, out: &mut Vec<u8>, b: &Blob<'_>) {
        out.extend((b.data.len() as u32).to_le_bytes());
        let at = if b.data.is_empty() { b.empty_offset } else { self.intern(b.data.to_vec()) };
        out.extend(at.to_le_bytes());
    }

    fn body(&mut self, body: &Body<'_>) -> Vec<u8> {
        let mut o = vec![body.techniques.len() as u8];
        for t in &body.techniques {
            self.text(&mut o, &t.name);
            o.push(t.passes.len() as u8);
            for p in &t.passes {
                o.push(p.stages.len() as u8);
                for s in &p.stages {
                    self.stage(&mut o, s);
                }
                o.push(p.render_states.len() as u8);
                for r in &p.render_states {
                    o.extend(r.state.to_le_bytes());
                    o.extend(r.value.to_le_bytes());
                }
            }
        }
        if self.version >= 14 {
            o.push(body.libraries.len() as u8);
            for l in &body.libraries {
                o.extend(l.payload_size.to_le_bytes());
                self.blob(&mut o, &l.program);
                o.extend((l.exports.len() as u32).to_le_bytes());
                for e in &l.exports {
                    o.push(e.ty);
                    self.text(&mut o, &e.name);
                }
                self.text(&mut o, &l.hit_group);
                for set in [&l.global, &l.local] {
                    self.registers(&mut o, set);
                    self.set(&mut o, set);
                }
            }
        }
        o.extend((body.parameters.len() as u16).to_le_bytes());
        for p in &body.parameters {
            self.text(&mut o, &p.name);
            self.annotations(&mut o, &p.annotations);
        }
        o
    }

    fn stage(&mut self, o: &mut Vec<u8>, s: &Stage<'_>) {
        let v = self.version;
        o.push(s.kind.code());
        if v >= 14 {
            self.blob(o, &s.program);
            s.thread_group.iter().for_each(|n| o.extend(n.to_le_bytes()));
        }
        o.push(s.inputs.len() as u8);
        for i in &s.inputs {
            o.extend([i.usage, i.register, i.usage_index, i.used_mask]);
            if v >= 11 {
                o.extend([i.ty, i.dimension]);
            }
        }
        self.registers(o, &s.set);
        if v < 14 {
            self.blob(o, &s.program);
            if v <= 11 {
                o.extend([0x11, 0x22, 0x33, 0x44, 0xff, 0xff, 0xff, 0xff]);
            }
            s.thread_group.iter().for_each(|n| o.extend(n.to_le_bytes()));
        }
        self.set(o, &s.set);
    }

    fn registers(&mut self, o: &mut Vec<u8>, set: &InputSet<'_>) {
        let v = self.version;
        if v >= 9 {
            o.push(set.registers.len() as u8);
            for r in &set.registers {
                o.push(match (v, r.kind) {
                    (9, 36) => 1,
                    (9, 68) => 2,
                    (9, 1) => 3,
                    (_, kind) => kind,
                });
                o.extend(r.index.to_le_bytes());
                if v >= 13 {
                    o.extend(r.count.to_le_bytes());
                    o.push(r.space);
                }
            }
        }
        if v >= 13 {
            o.push(set.static_samplers.len() as u8);
            for s in &set.static_samplers {
                o.extend(s.register.to_le_bytes());
                o.push(s.space);
                filtering(o, &s.filtering);
                o.push(s.border_color);
                o.extend(s.filtering.min_lod.0.to_le_bytes());
                o.extend(s.filtering.max_lod.0.to_le_bytes());
            }
        }
    }

    fn set(&mut self, o: &mut Vec<u8>, set: &InputSet<'_>) {
        let v = self.version;
        o.extend((set.constants.len() as u32).to_le_bytes());
        for c in &set.constants {
            self.text(o, &c.name);
            o.extend(c.offset.to_le_bytes());
            o.extend(c.size.to_le_bytes());
            o.push(match (v, c.ty) {
                (8..=10, 3) => 2,
                (8..=10, 4) => 3,
                (_, ty) => ty,
            });
            o.push(c.dimension);
            o.extend(c.elements.to_le_bytes());
            o.extend([c.is_srgb, c.is_autoregister]);
        }
        self.blob(o, &set.defaults);
        o.push(set.textures.len() as u8);
        for t in &set.textures {
            o.push(t.register);
            self.text(o, &t.name);
            o.push(t.ty);
            if v >= 13 {
                o.extend(t.count.to_le_bytes());
            }
            o.extend([t.is_srgb, t.is_autoregister]);
        }
        o.push(set.samplers.len() as u8);
        for s in &set.samplers {
            o.push(s.register);
            self.text(o, &s.name);
            filtering(o, &s.filtering);
            for b in s.border_color.iter().chain([&s.filtering.min_lod, &s.filtering.max_lod]) {
                o.extend(b.0.to_le_bytes());
            }
            if v >= 13 {
                o.push(s.is_dynamic);
            }
        }
        o.push(set.uavs.len() as u8);
        for u in &set.uavs {
            o.push(u.register);
            self.text(o, &u.name);
            o.push(u.ty);
            if v >= 13 {
                o.extend(u.count.to_le_bytes());
            }
            o.push(u.is_autoregister);
        }
        self.annotations(o, &set.annotations);
    }

    fn annotations(&mut self, o: &mut Vec<u8>, list: &[Annotation<'_>]) {
        o.push(list.len() as u8);
        for a in list {
            self.text(o, &a.name);
            let (ty, word) = match &a.value {
                Value::Bool(w) => (0, *w),
                Value::Int(i) => (1, *i as u32),
                Value::Float(b) => (2, b.0),
                Value::Text(t) => {
                    o.push(3);
                    self.text(o, t);
                    continue;
                }
                Value::Other { ty, word } => (*ty, *word),
            };
            o.push(ty);
            o.extend(word.to_le_bytes());
        }
    }
}

fn filtering(o: &mut Vec<u8>, f: &Filtering) {
    o.push(f.comparison);
    o.extend(f.filters);
    o.extend(f.address);
    o.extend(f.mip_bias.0.to_le_bytes());
    o.extend([f.max_anisotropy, f.comparison_func]);
}

/// What is left of an effect in an old version, said in the terms of version 15.
pub fn degraded<'a>(effect: &Effect<'a>, version: u32) -> Effect<'a> {
    let mut e = effect.clone();
    e.version = version;
    if version < 15 {
        e.provenance = Provenance::default();
    }
    for body in &mut e.bodies {
        if version < 14 {
            body.libraries.clear();
        }
        let stages = body.techniques.iter_mut().flat_map(|t| &mut t.passes).flat_map(|p| &mut p.stages);
        for s in stages {
            if version < 11 {
                for i in &mut s.inputs {
                    (i.ty, i.dimension) = (if i.usage == 6 { 2 } else { 0 }, 4);
                }
                for c in &mut s.set.constants {
                    // The old codes have no uint.
                    if c.ty == 2 {
                        c.ty = 3;
                    }
                }
            }
            if version < 9 {
                s.set.registers.clear();
            }
            if version < 13 {
                for r in &mut s.set.registers {
                    (r.count, r.space) = (1, s.kind.code());
                }
                if version == 9 {
                    s.set.registers.iter_mut().for_each(|r| r.kind = v9(r.kind));
                }
                s.set.static_samplers.clear();
                s.set.textures.iter_mut().for_each(|t| t.count = 1);
                s.set.uavs.iter_mut().for_each(|u| u.count = 1);
                s.set.samplers.iter_mut().for_each(|s| s.is_dynamic = 1);
            }
        }
    }
    e
}

/// What version 9 makes of a register code: it knows four.
fn v9(kind: u8) -> u8 {
    if [0, 1, 36, 68].contains(&kind) { kind } else { 36 }
}

pub fn some_filtering(r: &mut Random) -> Filtering {
    Filtering {
        comparison: r.byte() & 1,
        filters: [2, 2, 1],
        address: [1, 3, r.byte() % 5 + 1],
        mip_bias: Bits(r.word()),
        max_anisotropy: 16,
        comparison_func: r.byte(),
        min_lod: Bits(0xff7f_ffff),
        max_lod: Bits(r.word()),
    }
}

fn some_annotations(r: &mut Random, n: usize) -> Vec<Annotation<'static>> {
    let name = |i: usize| Text::from(format!("{}nnotation{i}\u{e9}", ["A", "Z", "a"][i % 3]));
    let mut list: Vec<_> = (0..n)
        .map(|i| Annotation {
            name: name(i),
            value: match r.below(5) {
                0 => Value::Bool(r.word()),
                1 => Value::Int(r.word() as i32),
                2 => Value::Float(Bits(r.word())),
                3 => Value::Text(["", "shown", "Z"][r.below(3)].into()),
                _ => Value::Other { ty: 9, word: r.word() },
            },
        })
        .collect();
    list.sort_by(|a, b| a.name.cmp(&b.name));
    list
}

pub fn some_set(r: &mut Random) -> InputSet<'static> {
    let flag = |r: &mut Random| r.byte() & 1;
    let ascending = |r: &mut Random, n: usize| -> Vec<u8> {
        let mut list: Vec<u8> = (0..r.below(n)).map(|_| r.byte()).collect();
        list.sort_unstable();
        list.dedup();
        list
    };
    InputSet {
        registers: (0..r.below(5))
            .map(|i| Register {
                kind: [0, 1, 36, 68, 33, 41][r.below(6)],
                index: i as u32,
                count: r.word(),
                space: r.byte(),
            })
            .collect(),
        static_samplers: (0..r.below(3))
            .map(|i| StaticSampler {
                register: i as u32,
                space: 1,
                filtering: some_filtering(r),
                border_color: r.byte() % 3,
            })
            .collect(),
        constants: (0..r.below(4))
            .map(|i| Constant {
                name: format!("Constant{i}").into(),
                offset: i as u32 * 16,
                size: 16,
                ty: [0, 1, 2, 3, 4][r.below(5)],
                dimension: 4,
                elements: r.word(),
                is_srgb: flag(r),
                is_autoregister: flag(r),
            })
            .collect(),
        defaults: match r.below(3) {
            0 => Blob { data: (&[][..]).into(), empty_offset: r.word() },
            1 => Blob::default(),
            // The bytes of a name with its end: names and blobs share entries.
            _ => Blob::new(b"Main\0".to_vec()),
        },
        textures: ascending(r, 5)
            .into_iter()
            .map(|register| Texture {
                register,
                name: format!("Map{register}").into(),
                ty: 2,
                count: r.word(),
                is_srgb: flag(r),
                is_autoregister: flag(r),
            })
            .collect(),
        samplers: ascending(r, 4)
            .into_iter()
            .map(|register| Sampler {
                register,
                name: format!("Sampler{register}").into(),
                filtering: some_filtering(r),
                border_color: [Bits(r.word()), Bits(0), Bits(r.word()), Bits(1)],
                is_dynamic: flag(r),
            })
            .collect(),
        uavs: ascending(r, 3)
            .into_iter()
            .map(|register| Uav {
                register,
                name: format!("Out{register}").into(),
                ty: 10,
                count: r.word(),
                is_autoregister: flag(r),
            })
            .collect(),
        annotations: {
            let n = r.below(4);
            some_annotations(r, n)
        },
    }
}

/// A pipeline input of a usage, such as 4 for BITANGENT.
pub fn input(usage: u8, register: u8) -> Input {
    Input { usage, register, usage_index: 0, used_mask: 7, ty: 0, dimension: 3 }
}

pub fn some_stage(r: &mut Random, kind: StageKind, program: Vec<u8>) -> Stage<'static> {
    Stage {
        kind,
        program: Blob::new(program),
        thread_group: [r.word(), 0, 1],
        inputs: (0..r.below(4))
            .map(|i| Input {
                usage: r.byte() % 9,
                register: i as u8,
                usage_index: r.byte() & 1,
                used_mask: 7,
                ty: r.byte() % 4,
                dimension: 3,
            })
            .collect(),
        set: some_set(r),
    }
}

fn some_body(r: &mut Random, pairs: &[(Vec<u8>, Vec<u8>)]) -> Body<'static> {
    let pass = |r: &mut Random| {
        let (vertex, pixel) = &pairs[r.below(pairs.len())];
        let mut stages = vec![
            some_stage(r, StageKind::Vertex, vertex.clone()),
            some_stage(r, StageKind::Pixel, pixel.clone()),
        ];
        if r.below(4) == 0 {
            stages.swap(0, 1);
        }
        let states = [7, 14, 22, 27, 168, 999];
        let n = r.below(states.len());
        let render_states =
            states.iter().take(n).map(|&state| RenderState { state, value: r.word() }).collect();
        Pass { stages, render_states, backend_block: Blob::default() }
    };
    let technique = |r: &mut Random, name: &'static str| {
        let n = r.below(2) + 1;
        Technique { name: name.into(), passes: (0..n).map(|_| pass(r)).collect() }
    };
    Body {
        techniques: ["Main", "Depth"][..r.below(2) + 1].iter().map(|n| technique(r, n)).collect(),
        libraries: (0..r.below(3) / 2)
            .map(|_| Library {
                payload_size: r.word(),
                program: Blob::new(b"DXIL".to_vec()),
                exports: vec![Export { ty: 2, name: "Hit".into() }],
                hit_group: "".into(),
                global: some_set(r),
                local: some_set(r),
            })
            .collect(),
        parameters: (0..r.below(3))
            .map(|i| {
                let n = r.below(3);
                Parameter { name: format!("Parameter{i}").into(), annotations: some_annotations(r, n) }
            })
            .collect(),
        backend_blocks: false,
    }
}

/// An effect with these numbers of options, about two rows a body, of the given pairs of programs.
pub fn some_effect(seed: u64, options: &[usize], pairs: &[(Vec<u8>, Vec<u8>)]) -> Effect<'static> {
    let mut r = Random(seed | 1);
    let axes = options
        .iter()
        .enumerate()
        .map(|(a, &n)| Axis {
            name: format!("AXIS_{a}").into(),
            default_option: r.below(n) as u8,
            description: ["", "what it is for"][a % 2].into(),
            kind: a as u8 & 1,
            options: (0..n).map(|o| format!("AXIS_{a}_{o}").into()).collect(),
        })
        .collect();
    let count: usize = options.iter().product();
    let mut bodies: Vec<Body<'_>> = Vec::new();
    let mut rows = Vec::new();
    for index in 0..count {
        let body = if bodies.is_empty() || r.below(2) == 0 {
            let body = some_body(&mut r, pairs);
            match bodies.iter().position(|b| *b == body) {
                Some(at) => at,
                None => {
                    bodies.push(body);
                    bodies.len() - 1
                }
            }
        } else {
            r.below(bodies.len())
        };
        rows.push(Row { index: index as u32, body: body as u32 });
    }
    let provenance = Provenance { compiler: [1, 2, 6, 0], hash: *b"0123456789abcdef0123456789abcdef" };
    Effect { version: 15, provenance, axes, rows, bodies }
}
