//! The texture-unit budget: what a stage lands at, what is refused, and that pixels stay the same.

mod common;

use common::*;
use shaderport_dxbc::program::ResourceDimension;
use shaderport_dxbc::{Container, Program};
use shaderport_effect::block::{BindingKind, Block};
use shaderport_effect::budget::{Budget, Family, LightLayout, Lights, Profiles, Table};
use shaderport_effect::model::*;
use shaderport_effect::package::{BuildOptions, Form, Package, PackageIndex, build};
use shaderport_effect::upload::{block, channels, data_texture, layers, profile};
use shaderport_effect::{read, write};
use shaderport_exec as exec;
use shaderport_gl_harness::{Data, Dimension, Filter, Format, Gl, Job, Sampler as GlSampler, Target, Wrap};
use shaderport_gl_harness::{Depth, Texture as GlTexture};
use shaderport_glsl::manifest::Manifest;
use shaderport_glsl::rewrite::MergeKind;
use shaderport_link::{LinkOptions, LinkedProgram, Profile, ProgramManifest, link};

const LIGHT_COUNT: u32 = 3;
const SIDE: u32 = 16;

/// An effect of one pass whose pixel stage has the names that the shader's reflection gives.
fn effect(pixel: &str) -> Effect<'static> {
    let bytes = file(&format!("fixtures/dxbc/{pixel}.ps.dxbc"));
    let container = Container::parse(&bytes).unwrap();
    let reflection = container.reflection().unwrap().unwrap();
    let mut set = InputSet::default();
    for b in reflection.bindings().map(Result::unwrap) {
        use shaderport_dxbc::reflection::{Dimension as D, InputType as T};
        let ty = match (b.input_type, b.dimension) {
            (T::Structured, _) => 7,
            (T::Texture, D::Texture2d) => 2,
            (T::Texture, D::TextureCube) => 4,
            (T::Texture, _) => 5,
            _ => continue,
        };
        let (name, register) = (b.name.to_owned().into(), b.bind_point as u8);
        set.textures.push(Texture { register, name, ty, count: 1, is_srgb: 0, is_autoregister: 0 });
    }
    set.textures.sort_by_key(|t| t.register);
    let stage = |kind, program, set| Stage { kind, program, thread_group: [0; 3], inputs: vec![], set };
    let vertex = Blob::new(file("fixtures/dxbc/budget.vs.dxbc"));
    let stages = vec![
        stage(StageKind::Vertex, vertex, InputSet::default()),
        stage(StageKind::Pixel, Blob::new(bytes), set),
    ];
    let pass = Pass { stages, ..Pass::default() };
    let technique = Technique { name: "Main".into(), passes: vec![pass] };
    Effect {
        version: 15,
        provenance: Provenance::default(),
        axes: vec![],
        rows: vec![Row { index: 0, body: 0 }],
        bodies: vec![Body { techniques: vec![technique], ..Body::default() }],
    }
}

fn package(effect: &Effect<'_>, budget: Budget) -> Package {
    package_under(effect, budget, &Profile::default())
}

fn package_under(effect: &Effect<'_>, budget: Budget, profile: &Profile) -> Package {
    let mut options = BuildOptions { budget, form: Form::Container, ..BuildOptions::default() };
    profile.apply(&mut options.link, &[]);
    options.bitangents = profile.bitangents;
    build(&read(&write(effect).unwrap()).unwrap(), &options)
}

fn units(m: &Manifest) -> u32 {
    m.limits.iter().find(|l| l.name == "max_texture_image_units").unwrap().used
}

/// The program of a package of one pass.
fn program(package: &Package) -> (String, String, &ProgramManifest) {
    let container = package.files.iter().find(|f| f.path.ends_with(".carbonwebgl")).unwrap();
    let effect = read(&container.bytes).unwrap().effect;
    let text = |n: usize| {
        let stage = &effect.bodies[0].techniques[0].passes[0].stages[n];
        String::from_utf8(stage.program.data.to_vec()).unwrap()
    };
    (text(0), text(1), package.index.programs[0].manifest.as_ref().unwrap())
}

fn names(index: &PackageIndex) -> Vec<&str> {
    index.programs[0].transforms.iter().map(|t| &*t.name).collect()
}

/// A table with these of the families.
fn table(families: &[&str], lights: bool) -> Table {
    let mut table = Table::default();
    table.families.retain(|f| families.contains(&&*f.name));
    table.lights = table.lights.filter(|_| lights);
    table
}

fn budget(units: u32, table: Table, lights: Lights) -> Budget {
    Budget { units: Some(units), table, lights, profiles: Profiles::Neutral }
}

/// Levels of the map of a register: one byte a texel for those that are packed, four for the others.
fn map(register: u32) -> (Format, Vec<Vec<u8>>) {
    let (format, bytes) = if (3..7).contains(&register) { (Format::R8, 1) } else { (Format::Rgba8, 4) };
    let mut r = Random(u64::from(register) * 7919 + 1);
    let level = |side: u32| (0..side * side * bytes).map(|_| r.byte()).collect();
    (format, [16, 8, 4, 2, 1].map(level).to_vec())
}

fn sampler(register: Option<u32>) -> GlSampler {
    let Some(register) = register else { return GlSampler::default() };
    GlSampler {
        mag: Filter::Linear,
        min: Filter::Linear,
        mip: Some(Filter::Linear),
        wrap: [if register == 0 { Wrap::Repeat } else { Wrap::Clamp }; 3],
        ..GlSampler::default()
    }
}

/// The mips of a layer of profiles: halves of a ramp that bends, from 1/2 up.
fn profile_mips(layer: u16) -> Vec<Vec<u16>> {
    // Halves from 0x3800 (0.5) to 0x3c00 (1) rise with their bits.
    let at = |n: usize, len: usize| 0x3800 + (n * 0x3ff / len) as u16 / (2 - layer);
    (0..11).map(|m| (0..1024usize >> m).map(|n| at(n, 1024 >> m)).collect()).collect()
}

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|w| w.to_le_bytes()).collect()
}

/// Lists of lights for a grid of 2 by 2 cells, and the lights. `profiled`: one light chooses a profile.
fn lights(profiled: bool) -> (Vec<u8>, Vec<u8>) {
    let index = words(&[4, 6, 0, 10, 0, 8, 2, 0, 1, 0, 0, 12, 2, 0]);
    let f = f32::to_bits;
    let mut data = Vec::new();
    for n in 0..LIGHT_COUNT {
        let x = n as f32;
        let spot = if profiled && n == 1 { 1.0 } else { -1.0 };
        data.extend([f(2.0 + 5.0 * x), f(3.0 + 3.0 * x), f(4.0), f(14.0)]);
        data.extend([f(0.9), f(0.2 * x), f(0.5), f(1.0)]);
        data.extend([0, 0, 0, f(spot)]);
    }
    (index, words(&data))
}

fn gl_map(dimension: Dimension, format: Format, depth: u32, levels: Vec<Vec<u8>>, s: GlSampler) -> GlTexture {
    GlTexture { dimension, format, size: [SIDE, SIDE, depth], levels, sampler: s }
}

/// Draws with what the manifest asks for, put together by the functions for hosts.
fn draw(gl: &Gl, vertex: &str, fragment: &str, m: &ProgramManifest, profiled: bool) -> Vec<[u32; 4]> {
    let f = f32::to_bits;
    let mut job = Job {
        vertex: vertex.into(),
        fragment: fragment.into(),
        vertices: 3,
        size: [SIDE, SIDE],
        targets: vec![Target::Rgba32f],
        depth: None::<Depth>,
        ..Job::default()
    };
    for a in &m.vertex.attributes {
        let values: &[f32] = match &*a.semantic {
            "POSITION" => &[-1., -1., 0.5, 1., 3., -1., 0.5, 1., -1., 3., 0.5, 1.],
            "TEXCOORD" => &[0., 0., 2., 0., 0., 2.],
            _ => &[0.1, 0.2, 1., 0.9, 0.1, 0.8, 0.2, 0.7, 1.],
        };
        job = job.attribute(&a.name, (values.len() / 3) as u8, Data::floats(values));
    }
    for b in &m.pixel.uniform_blocks {
        job = job.block(&b.block, words(&[f(0.3), f(0.6), f(0.9), f(1.0), 2, 2, 8, 0]));
    }
    for t in &m.pixel.textures {
        let s = sampler(t.sampler);
        let texture = match (&t.merged, t.dimension) {
            (Some(merged), _) => {
                let parts: Vec<_> = merged.parts.iter().map(|p| map(p.register).1).collect();
                let level = |n: usize| parts.iter().map(|p| &p[n][..]).collect::<Vec<_>>();
                match merged.kind {
                    MergeKind::Array => {
                        let levels = (0..5).map(|n| layers(&level(n)).unwrap()).collect();
                        gl_map(Dimension::D2Array, Format::Rgba8, parts.len() as u32, levels, s)
                    }
                    MergeKind::Channels => {
                        let levels = (0..5).map(|n| channels(&level(n)).unwrap()).collect();
                        gl_map(Dimension::D2, Format::Rgba8, 1, levels, s)
                    }
                }
            }
            (None, "texturecube") => {
                let levels = map(t.register).1.into_iter().map(|l| l.repeat(6)).collect();
                gl_map(Dimension::Cube, Format::Rgba8, 1, levels, s)
            }
            (None, "texture2darray") => {
                let layer = |n| profile_mips(n).into_iter().map(|m| m.into_iter().flat_map(u16::to_le_bytes));
                let levels = layer(0).zip(layer(1)).map(|(a, b)| a.chain(b).collect()).collect();
                let map = gl_map(Dimension::D2Array, Format::R16f, 2, levels, s);
                GlTexture { size: [1024, 1, 2], ..map }
            }
            _ => {
                let (format, levels) = map(t.register);
                gl_map(Dimension::D2, format, 1, levels, s)
            }
        };
        job = job.texture(&t.name, texture);
    }
    let (index, data) = lights(profiled);
    let bytes = |register: u32| if register == 16 { &index } else { &data };
    // Data textures: name, width, and the buffers in them with their first texels.
    type Area<'a> = (String, u32, Vec<(u32, &'a [u8])>);
    let mut areas: Vec<Area<'_>> = Vec::new();
    for b in &m.pixel.buffers {
        match b.texture_width {
            Some(width) => {
                let area = (b.first_texel.unwrap_or(0), &bytes(b.register)[..]);
                match areas.iter_mut().find(|a| a.0 == b.name) {
                    Some(a) => a.2.push(area),
                    None => areas.push((b.name.clone(), width, vec![area])),
                }
            }
            None => {
                let (rows, size) = (b.rows_per_element.unwrap(), b.byte_size.unwrap());
                job = job.block(&b.name, block(bytes(b.register), b.stride, rows, size).unwrap());
            }
        }
    }
    let profiles: Vec<Vec<u8>> = (0..2)
        .map(|n| {
            let mips = profile_mips(n);
            profile(&mips.iter().map(|m| &m[..]).collect::<Vec<_>>()).unwrap()
        })
        .collect();
    for (name, width, mut buffers) in areas {
        if fragment.contains("t18_ld") || fragment.contains("s18_ld") {
            buffers.extend(profiles.iter().zip([196_608, 196_608 + 256]).map(|(p, at)| (at, &p[..])));
        }
        let t = data_texture(width, &buffers).unwrap();
        job = job.texture(&name, GlTexture::new_2d(Format::Rgba32Ui, t.width, t.height, t.bytes));
    }
    gl.draw(&job).unwrap_or_else(|e| panic!("{e:?}\n{fragment}")).pixels[0].clone()
}

fn difference(a: &[[u32; 4]], b: &[[u32; 4]]) -> f32 {
    assert_eq!(a.len(), b.len());
    let pairs = a.iter().flatten().zip(b.iter().flatten());
    pairs.map(|(&a, &b)| (f32::from_bits(a) - f32::from_bits(b)).abs()).fold(0.0, |m, d| {
        assert!(d.is_finite());
        m.max(d)
    })
}

fn reference(pixel: &str) -> LinkedProgram {
    let vertex = file("fixtures/dxbc/budget.vs.dxbc");
    link(&vertex, &file(&format!("fixtures/dxbc/{pixel}.ps.dxbc")), &LinkOptions::default()).unwrap()
}

/// Families, whether lights are to be found, a budget, and the units that the stage of 19 lands at.
#[test]
fn nineteen_resources_land_at_16_or_under() {
    let effect = effect("limit_budget");
    let detail = ["DetailArrayMap"];
    let all = ["DetailArrayMap", "PmdgPackMap"];
    for (budget, expected, steps) in [
        (budget(19, Table::default(), Lights::default()), 19, vec![]),
        (budget(17, Table::default(), Lights::default()), 17, vec!["DetailArrayMap"]),
        (Budget::default(), 14, vec!["DetailArrayMap", "PmdgPackMap"]),
        (budget(16, table(&detail, true), Lights::PackedTexture), 15, vec!["DetailArrayMap", "LocalLights"]),
        (budget(16, table(&detail, true), Lights::ConstantBlock), 14, vec!["DetailArrayMap", "LocalLights"]),
        (budget(16, table(&detail, true), Lights::Stub), 14, vec!["DetailArrayMap", "LocalLights"]),
        (budget(16, table(&[], true), Lights::PackedTexture), 17, vec!["LocalLights"]),
        (
            budget(1, table(&all, true), Lights::PackedTexture),
            12,
            vec!["DetailArrayMap", "PmdgPackMap", "LocalLights"],
        ),
        (Budget { units: None, ..Budget::default() }, 19, vec![]),
    ] {
        let limit = budget.units;
        let package = package(&effect, budget);
        let (_, _, manifest) = program(&package);
        assert_eq!(units(&manifest.pixel), expected, "{steps:?}");
        assert_eq!(names(&package.index), steps);
        let over = limit.is_some_and(|l| expected > l);
        let gaps = &package.index.completeness.gaps;
        assert_eq!(gaps.iter().any(|g| g.contains("texture units")), over, "{gaps:?}");
    }
}

/// Pixels of merged and packed forms are those of the shader as it is.
#[test]
fn pixels_stay_the_same() {
    let gl = Gl::angle().unwrap();
    let mut worst = 0.0f32;
    for (pixel, limits) in [("budget_few", [9, 6, 4]), ("limit_budget", [16, 15, 12])] {
        let base = reference(pixel);
        for profiled in [false, true] {
            let expected = draw(&gl, &base.vertex, &base.fragment, &base.manifest, profiled);
            let distinct: std::collections::HashSet<_> = expected.iter().collect();
            assert!(distinct.len() > 100, "the picture is too plain");
            for (limit, mode) in limits
                .into_iter()
                .flat_map(|l| [Lights::PackedTexture, Lights::ConstantBlock, Lights::Keep].map(|m| (l, m)))
            {
                let package = package(&effect(pixel), budget(limit, Table::default(), mode));
                let (vertex, fragment, manifest) = program(&package);
                let found = draw(&gl, &vertex, &fragment, manifest, profiled);
                let off = difference(&expected, &found);
                // Lights that choose a profile lose it once the profiles are out of the units.
                let neutral = profiled && names(&package.index).contains(&"LocalLights");
                if neutral {
                    assert!(off > 1e-3);
                } else {
                    worst = worst.max(off);
                }
            }
        }
    }
    println!("the greatest difference is {worst}");
    assert!(worst < 1e-5, "{worst}");
}

fn half(bits: u16) -> f32 {
    // Those of the profiles are normal and positive.
    f32::from_bits((u32::from(bits) << 13) + ((127 - 15) << 23))
}

/// A texture for the executor, from what is uploaded for a register.
fn reference_map(register: u32, dimension: ResourceDimension) -> exec::Texture {
    let (format, levels) = map(register);
    let texel = |t: &[u8]| {
        let lane = |n: usize| f32::from(t[n]) / 255.0;
        match format {
            Format::R8 => [lane(0), 0.0, 0.0, 1.0],
            _ => [0, 1, 2, 3].map(lane),
        }
        .map(f32::to_bits)
    };
    let size = if format == Format::R8 { 1 } else { 4 };
    let faces = if dimension == ResourceDimension::TextureCube { 6 } else { 1 };
    let levels = levels.iter().map(|l| l.chunks(size).map(texel).collect::<Vec<_>>().repeat(faces)).collect();
    exec::Texture::new(dimension, [SIDE, SIDE, 1], faces as u32, levels).unwrap()
}

fn reference_profiles() -> exec::Texture {
    let texel = |bits: u16| [half(bits), 0.0, 0.0, 1.0].map(f32::to_bits);
    let level = |(a, b): (Vec<u16>, Vec<u16>)| a.into_iter().chain(b).map(texel).collect();
    let levels = profile_mips(0).into_iter().zip(profile_mips(1)).map(level).collect();
    exec::Texture::new(ResourceDimension::Texture2DArray, [1024, 1, 1], 2, levels).unwrap()
}

/// The picture of a pixel stage as the reference executor computes it, with what [`draw`] binds.
fn executed(pixel: &str, profiled: bool) -> Vec<[u32; 4]> {
    let bytes = file(&format!("fixtures/dxbc/{pixel}.ps.dxbc"));
    let container = Container::parse(&bytes).unwrap();
    let chunk = container.program_chunk().unwrap();
    let program = Program::decode(chunk.data, chunk.tag, chunk.offset + 8).unwrap();
    let f = f32::to_bits;
    let mut bindings = exec::Bindings::default();
    let rows = vec![[f(0.3), f(0.6), f(0.9), f(1.0)], [2, 2, 8, 0]];
    bindings.constants.insert(2.into(), exec::ConstantBuffer::from_rows(rows).into());
    for register in 0..16 {
        let cube = register == 11 || register == 12;
        let dimension = if cube { ResourceDimension::TextureCube } else { ResourceDimension::Texture2D };
        let texture = exec::Resource::Texture(reference_map(register, dimension));
        bindings.resources.insert(register.into(), texture.into());
    }
    let (index, data) = lights(profiled);
    for (register, stride, bytes) in [(16, 4, index), (17, 48, data)] {
        let words = bytes.chunks(4).map(|w| u32::from_le_bytes(w.try_into().unwrap())).collect();
        bindings.resources.insert(register.into(), exec::Resource::Structured { stride, words }.into());
    }
    bindings.resources.insert(18.into(), exec::Resource::Texture(reference_profiles()).into());
    for (register, address) in [(0, exec::Address::Wrap), (1, exec::Address::Clamp)] {
        let (linear, address) = (exec::Filter::Linear, [address; 3]);
        let sampler =
            exec::Sampler { mag: linear, min: linear, mip: linear, address, ..exec::Sampler::default() };
        bindings.samplers.insert(register.into(), sampler);
    }
    let signature = container.input_signature().unwrap().unwrap();
    let register = |name: &str| {
        let is = |e: &&shaderport_dxbc::SignatureElement<'_>| e.name.eq_ignore_ascii_case(name);
        signature.elements.iter().find(is).unwrap().register as usize
    };
    let [position, uv, normal] = ["SV_Position", "TEXCOORD", "NORMAL"].map(register);
    let inputs = |x: u32, y: u32| {
        let (u, v) = ((x as f32 + 0.5) / SIDE as f32, (y as f32 + 0.5) / SIDE as f32);
        // The triangle's other corners are at twice the width and height.
        let mix = |a: f32, b: f32, c: f32| a + (b - a) * u / 2.0 + (c - a) * v / 2.0;
        exec::Inputs::default()
            .floats(normal, [mix(0.1, 0.9, 0.2), mix(0.2, 0.1, 0.7), mix(1.0, 0.8, 1.0), 0.0])
            .floats(uv, [u, v, 0.0, 0.0])
            .floats(position, [x as f32 + 0.5, y as f32 + 0.5, 0.5, 1.0])
    };
    let executor = exec::Executor::new(&program).unwrap();
    let mut pixels = vec![[0; 4]; (SIDE * SIDE) as usize];
    for (y, x) in (0..SIDE).step_by(2).flat_map(|y| (0..SIDE).step_by(2).map(move |x| (y, x))) {
        let at = |n: u32| (x + (n & 1), y + (n >> 1));
        let quad = [0, 1, 2, 3].map(|n| inputs(at(n).0, at(n).1));
        let outputs = executor.run_quad(&bindings, &mut exec::Views::default(), &quad).unwrap();
        for (n, o) in (0..).zip(outputs) {
            pixels[(at(n).1 * SIDE + at(n).0) as usize] = o.registers[0];
        }
    }
    pixels
}

/// The stage of 19 resources, at 16 units or under: lighting and all are what the reference executor computes from the
/// shader as it is.
#[test]
fn nineteen_resources_are_what_the_executor_computes() {
    let gl = Gl::angle().unwrap();
    let mut worst = 0.0f32;
    for (pixel, units_left) in [("limit_budget", [16, 15, 12]), ("budget_few", [9, 6, 4])] {
        for (limit, mode) in units_left
            .into_iter()
            .flat_map(|l| [Lights::PackedTexture, Lights::ConstantBlock].map(|m| (l, m)))
        {
            for profiled in [false, true] {
                let mut budget = budget(limit, Table::default(), mode);
                budget.profiles = Profiles::Packed;
                // The profile of the host whose budget it is changes names and depth, and no colour.
                let profile = Profile::built_in("carbon").filter(|_| profiled).unwrap_or_default();
                let package = package_under(&effect(pixel), budget, &profile);
                let (vertex, fragment, manifest) = program(&package);
                assert!(units(&manifest.pixel) <= limit);
                let lights = names(&package.index).contains(&"LocalLights");
                if profiled && lights && mode == Lights::ConstantBlock {
                    // A constant block has no place for profiles: they read 1.
                    continue;
                }
                let expected = executed(pixel, profiled);
                let found = draw(&gl, &vertex, &fragment, manifest, profiled);
                worst = worst.max(difference(&expected, &found));
            }
        }
    }
    println!("the greatest difference is {worst}");
    // Filters of the implementation have fewer bits than floats; lights are worth far more (see below).
    assert!(worst < 0.01, "{worst}");
    let dark = package(&effect("limit_budget"), budget(1, table(&[], true), Lights::Stub));
    let (vertex, fragment, manifest) = program(&dark);
    let unlit = draw(&gl, &vertex, &fragment, manifest, false);
    let off = difference(&executed("limit_budget", false), &unlit);
    assert!(off > 0.2, "{off}");
}

/// Lights that choose a profile are the same with the profiles in the data texture.
#[test]
fn packed_profiles_are_sampled() {
    let gl = Gl::angle().unwrap();
    let base = reference("budget_few");
    let expected = draw(&gl, &base.vertex, &base.fragment, &base.manifest, true);
    let mut budget = budget(1, table(&[], true), Lights::PackedTexture);
    budget.profiles = Profiles::Packed;
    let package = package(&effect("budget_few"), budget);
    let (vertex, fragment, manifest) = program(&package);
    assert_eq!(package.index.programs[0].transforms[0].parts[2].first_texel, Some(196_608));
    let found = draw(&gl, &vertex, &fragment, manifest, true);
    let off = difference(&expected, &found);
    println!("profiles differ by {off}");
    // The implementation filters with fewer bits than floats have.
    assert!(off < 1e-3, "{off}");
    let neutral = package_of_neutral();
    let (vertex, fragment, manifest) = program(&neutral);
    assert!(difference(&expected, &draw(&gl, &vertex, &fragment, manifest, true)) > 10.0 * off.max(1e-4));
}

fn package_of_neutral() -> Package {
    package(&effect("budget_few"), budget(1, table(&[], true), Lights::PackedTexture))
}

/// No lights at all: every list is empty.
#[test]
fn stubs_read_nothing() {
    let gl = Gl::angle().unwrap();
    let draw_with = |mode| {
        let package = package(&effect("budget_few"), budget(1, table(&[], true), mode));
        let (vertex, fragment, manifest) = program(&package);
        assert_eq!(fragment.contains("LocalLights"), mode == Lights::PackedTexture);
        draw(&gl, &vertex, &fragment, manifest, false)
    };
    let lit = draw_with(Lights::PackedTexture);
    let dark = draw_with(Lights::Stub);
    let brighter = lit.iter().zip(&dark).filter(|(l, d)| f32::from_bits(l[0]) > f32::from_bits(d[0])).count();
    assert!(brighter > 50 && difference(&lit, &dark) > 0.01, "{brighter}");
}

#[test]
fn uses_that_a_merge_would_break_are_refused() {
    for (pixel, units_left, word) in [
        ("budget_load", 2, "`ld_indexable` of t0"),
        ("budget_size", 2, "`resinfo_indexable` of t0"),
        ("budget_wide", 2, "more than the first channel of t3"),
    ] {
        let package = package(&effect(pixel), budget(1, every_family(), Lights::Keep));
        let (_, _, manifest) = program(&package);
        assert_eq!(units(&manifest.pixel), units_left, "{pixel}");
        assert!(names(&package.index).is_empty());
        let gaps = &package.index.completeness.gaps;
        let name = word.trim_start_matches('`').split("_indexable").next().unwrap();
        let says =
            |g: &String| g.contains("is not applied") && g.contains(name) && g.ends_with("(program 0)");
        assert!(gaps.iter().any(says), "{gaps:?}");
    }
    // A gather reads a layer as well as a texture.
    let package = package(&effect("budget_gather"), budget(1, every_family(), Lights::Keep));
    assert_eq!(names(&package.index), ["DetailArrayMap"]);
    let (vertex, fragment, _) = program(&package);
    Gl::angle().unwrap().check_pair(&vertex, &fragment).unwrap();
}

/// The default table, with a family of the two maps that `ps_wide` packs.
fn every_family() -> Table {
    let mut table = Table::default();
    table.families.push(Family {
        name: "TwoMap".into(),
        kind: MergeKind::Channels,
        textures: vec!["GlowMap".into(), "DirtMap".into()],
        code: 5,
    });
    table
}

#[test]
fn families_are_recognised_by_their_facts() {
    let merged = |change: &dyn Fn(&mut Vec<Texture<'static>>)| {
        let mut e = effect("budget_few");
        let set = &mut e.bodies[0].techniques[0].passes[0].stages[1].set;
        change(&mut set.textures);
        let package = package(&e, budget(1, table(&["DetailArrayMap"], false), Lights::Keep));
        let (_, _, manifest) = program(&package);
        units(&manifest.pixel)
    };
    let all = merged(&|_| {});
    assert_eq!(all, 9);
    // Two of three are merged, from the first on; a gap ends the family.
    assert_eq!(merged(&|t| drop(t.remove(2))), all + 1);
    for change in [
        &(|t: &mut Vec<Texture<'static>>| drop(t.remove(0))) as &dyn Fn(&mut Vec<Texture<'static>>),
        &|t| drop(t.remove(1)),
        &|t| t[0].is_srgb = 1,
        &|t| t[1].count = 2,
        &|t| t[1].ty = 5,
        &|t| {
            let first = t[0].name.clone();
            t[0].name = std::mem::replace(&mut t[1].name, first);
        },
    ] {
        assert_eq!(merged(change), all + 2);
    }
}

/// Transforms and lights are in the container's block.
#[test]
fn blocks_tell_the_host() {
    let budget = budget(1, table(&["DetailArrayMap", "PmdgPackMap"], true), Lights::PackedTexture);
    let package = package(&effect("budget_few"), budget);
    let container = package.files.iter().find(|f| f.path.ends_with(".carbonwebgl")).unwrap();
    let effect = read(&container.bytes).unwrap().effect;
    let block = &effect.bodies[0].techniques[0].passes[0].backend_block.data;
    let block = Block::read(block).unwrap().unwrap();
    let families: Vec<_> = block.transforms.iter().map(|t| (t.family, t.inputs.len())).collect();
    assert_eq!(families, [(0, 3), (5, 4), (1, 1)]);
    let lights = block.stages[1].bindings.iter().find_map(|b| match &b.kind {
        BindingKind::StructuredTexture { lights, .. } => lights.map(|l| (b.name.as_str(), l)),
        _ => None,
    });
    let (name, lights) = lights.unwrap();
    assert_eq!((name, lights.index_register, lights.data_register), ("LocalLights", 16, 17));
    assert_eq!((lights.profile_register, lights.data_texel_base), (18, 131_072));
    let buffers = block.stages[1].bindings.iter().filter(|b| b.name == "LocalLights");
    assert_eq!(buffers.count(), 1);
}

/// A table goes through JSON, and unknown keys are refused.
#[test]
fn tables_are_data() {
    let json = serde_json::to_value(Table::default()).unwrap();
    assert_eq!(serde_json::from_value::<Table>(json.clone()).unwrap(), Table::default());
    let mut wrong = json;
    wrong["families"][0]["colour"] = 1.into();
    assert!(serde_json::from_value::<Table>(wrong).is_err());
    // A layout that is not that of the shader is refused.
    let mut other = table(&[], true);
    other.lights = other
        .lights
        .map(|l| LightLayout { data: shaderport_effect::budget::BufferLayout { stride: 64, ..l.data }, ..l });
    let package = package(&effect("budget_few"), budget(1, other, Lights::PackedTexture));
    assert!(names(&package.index).is_empty());
    let gaps = &package.index.completeness.gaps;
    assert!(gaps.iter().any(|g| g.contains("48 bytes an element, not 64")), "{gaps:?}");
}

/// Areas of a layout that lie in each other, nowhere, or past what a data texture may have are refused: the shader would
/// read one as another.
#[test]
fn areas_that_do_not_fit_are_refused() {
    type Change = fn(&mut LightLayout);
    let cases: [(Change, &str); 6] = [
        (|l| l.data.texel = 100, "the areas of LightIndexBuffer and LightBuffer overlap"),
        (|l| l.index.texel = 131_072, "LightIndexBuffer and LightBuffer overlap"),
        (
            |l| l.profiles.as_mut().unwrap().texel = 196_607,
            "the areas of LightBuffer and LightProfileArray overlap",
        ),
        (|l| l.index.texels = 0, "the area of LightIndexBuffer has no texels"),
        (|l| l.data.texel = u32::MAX, "the area of LightBuffer ends past the 268435456 texels"),
        (|l| l.profiles.as_mut().unwrap().layers = u32::MAX, "the area of LightProfileArray ends past"),
    ];
    let build = |lights: Lights, profiles, change: Change| {
        let mut table = table(&[], true);
        change(table.lights.as_mut().unwrap());
        package(&effect("budget_few"), Budget { profiles, ..budget(1, table, lights) })
    };
    for (change, why) in cases {
        let refused = build(Lights::PackedTexture, Profiles::Packed, change);
        assert!(names(&refused.index).is_empty(), "{why}");
        let gaps = &refused.index.completeness.gaps;
        assert!(gaps.iter().any(|g| g.contains("LocalLights is not applied") && g.contains(why)), "{gaps:?}");
        // Blocks have no areas; profiles that read 1 have none either.
        assert_eq!(names(&build(Lights::ConstantBlock, Profiles::Packed, change).index), ["LocalLights"]);
        let neutral = build(Lights::PackedTexture, Profiles::Neutral, change);
        assert_eq!(names(&neutral.index).is_empty(), !why.contains("LightProfileArray"), "{why}");
    }
    assert_eq!(names(&build(Lights::PackedTexture, Profiles::Packed, |_| {}).index), ["LocalLights"]);
}
