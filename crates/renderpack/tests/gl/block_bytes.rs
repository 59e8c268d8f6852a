//! The bytes that a host writes are what shaders read, for every member of every block that packs see: drawn, and by
//! the offsets of the compiled header.

use super::{each_driver, es_header};
use shaderport_gl_harness::{Gl, Job, Target};
use shaderport_renderpack::abi::{Abi, Block, Field, Format, Layout, SEMANTIC_V1, Slot, Table, Ty, print};
use shaderport_renderpack::descriptor::{self, WeatherKind};
use shaderport_renderpack::host::blocks::{
    AtmosphericFrame, Cascade, DirectionalShadow, EnabledShadow, FilterRadius, IDENTITY, LightSource, Mat4,
    PackPass, PushBlock, Wind,
};
use shaderport_renderpack::settings;
use shaderport_spirv::{Count, Reflection, TypeInfo, reflect};
use std::process::Command;

/// A block with a number of its own in each component.
struct Filled {
    abi: &'static Abi,
    block: &'static str,
    bytes: Vec<u8>,
    /// For each member the bits of its components, in the order of [`components`].
    members: Vec<(&'static str, Vec<u32>)>,
}

/// `[column][row]` and the like for each component of a type, each index in its own place.
fn components(ty: &Ty) -> Vec<Vec<u32>> {
    let indexed = |n: u32, inner: Vec<Vec<u32>>| {
        (0..n).flat_map(|i| inner.iter().map(move |rest| [&[i], &rest[..]].concat())).collect()
    };
    match ty {
        Ty::F32 | Ty::I32 | Ty::U32 | Ty::Any32 => vec![vec![]],
        Ty::Vec2 => indexed(2, vec![vec![]]),
        Ty::Vec4 | Ty::UVec4 => indexed(4, vec![vec![]]),
        Ty::Mat4 => indexed(4, components(&Ty::Vec4)),
        Ty::Array { of, len, .. } => indexed(*len, components(of)),
        Ty::Struct { .. } => panic!("the packs' blocks have no structures"),
    }
}

fn table(abi: &'static Abi, name: &str) -> &'static Block {
    abi.blocks.iter().find(|b| b.name == name).unwrap()
}

impl Filled {
    /// Each component once: its GLSL, whether it is a float, and its bits.
    fn expressions(&self) -> Vec<(String, bool, u32)> {
        let block = table(self.abi, self.block);
        let names: Vec<_> = block.fields.iter().map(|f| f.name).collect();
        let given: Vec<_> = self.members.iter().map(|m| m.0).collect();
        assert_eq!(given, names, "{}: every member has its numbers here", self.block);
        let instance = block.instance.map(|i| format!("{i}.")).unwrap_or_default();
        let mut out = Vec::new();
        for (Field { name, ty, .. }, (_, bits)) in block.fields.iter().zip(&self.members) {
            let float = !matches!(ty, Ty::I32 | Ty::U32 | Ty::UVec4);
            let places = components(ty);
            assert_eq!(places.len(), bits.len(), "{name}");
            for (place, bits) in places.iter().zip(bits) {
                let place: String = place.iter().map(|i| format!("[{i}]")).collect();
                out.push((format!("{instance}{name}{place}"), float, *bits));
            }
        }
        out
    }
}

fn floats(values: &[f32]) -> Vec<u32> {
    values.iter().map(|v| v.to_bits()).collect()
}

fn matrix(first: f32) -> Mat4 {
    std::array::from_fn(|c| std::array::from_fn(|r| first + (4 * c + r) as f32 / 32.0))
}

fn frame() -> AtmosphericFrame {
    AtmosphericFrame {
        sun_uv: [0.125, 0.25],
        ray_strength: 3.5,
        sun_elevation_degrees: -4.5,
        sun_color: [5.5, 6.5, 7.5],
        ray_policy: 8.5,
        viewport: [2048.0, 512.0],
        weather: WeatherKind::Storm,
        weather_intensity: 0.75,
        delta_seconds: 0.0625,
        outdoor: true,
        sun_direction: [9.5, 10.5, 11.5],
        sun_brightness: 12.5,
        day_group: -1,
        group_factor: 13.5,
        shadow_factor: 14.5,
        shaft_factor: 15.5,
        inverse_view_projection: matrix(16.5),
        wind: Wind { clock: [40.5, 41.5, 42.5, 43.5], amplitude: [44.5, 45.5, 46.5, 47.5] },
    }
}

fn frame_members(f: &AtmosphericFrame) -> Vec<(&'static str, Vec<u32>)> {
    let [r, g, b] = f.sun_color;
    let [x, y, z] = f.sun_direction;
    vec![
        ("uAtmosphereSunScreen", floats(&[0.125, 0.25, 3.5, -4.5])),
        ("uAtmosphereSunColor", floats(&[r, g, b, f.ray_policy])),
        ("uAtmosphereViewport", floats(&[2048.0, 512.0, 1.0 / 2048.0, 1.0 / 512.0])),
        ("uAtmosphereWeather", floats(&[4.0, 0.75, 0.0625, 1.0])),
        ("uAtmosphereSunDirection", floats(&[x, y, z, f.sun_brightness])),
        ("uAtmospherePolicy", floats(&[-1.0, 13.5, 14.5, 15.5])),
        ("uAtmosphereInverseViewProjection", floats(f.inverse_view_projection.as_flattened())),
        ("uAtmosphereClockWind", floats(&f.wind.clock)),
        ("uAtmosphereWindAmplitude", floats(&f.wind.amplitude)),
    ]
}

fn shadow(cascades: usize) -> EnabledShadow {
    EnabledShadow {
        cascades: (0..cascades)
            .map(|i| Cascade {
                world_to_clip: matrix(10.0 * (i + 1) as f32),
                split_far: 100.0 * (i + 1) as f32,
                bias: [0.125, 0.25, 0.375].map(|b| b + i as f32),
                caster_padding: 0.5 + i as f32,
            })
            .collect(),
        strength: 0.75,
        softness: 1.5,
        quality_reach: 777.0,
        texture_slot: 4097,
        resolution: 1536,
        radius: FilterRadius::Two,
        direction: [0.25, -0.5, 0.875],
        source: LightSource::SecondaryMoon,
    }
}

fn shadow_members(cascades: usize) -> Vec<(&'static str, Vec<u32>)> {
    let matrices: Vec<f32> = (0..4)
        .flat_map(|i| if i < cascades { matrix(10.0 * (i + 1) as f32) } else { IDENTITY })
        .flatten()
        .collect();
    let far = |i: usize| if i < cascades { 100.0 * (i + 1) as f32 } else { 777.0 };
    let reach = far(cascades - 1);
    let last = (cascades - 1) as f32;
    vec![
        ("uShadowWorldToClip", floats(&matrices)),
        ("uShadowSplitFarMeters", floats(&[far(0), far(1), far(2), far(3)])),
        ("uShadowControl", floats(&[0.75, 1.5, reach, 0.02 * reach])),
        ("uShadowBiasMeters", floats(&[0.125 + last, 0.25 + last, 0.375 + last, 0.5])),
        ("uShadowTextureAndFlags", vec![4097, cascades as u32, 1536, 0x201]),
        ("uShadowLightDirectionAndSource", floats(&[0.25, -0.5, 0.875, 3.0])),
    ]
}

/// The block that 64 whole numbers of a descriptor resolve to.
fn settings_block() -> ([u8; 256], Vec<f32>) {
    let values: Vec<f32> = (0..64).map(|i| 1000.0 + 3.0 * i as f32).collect();
    let settings: Vec<String> = values
        .iter()
        .enumerate()
        .map(|(i, v)| {
            format!(
                r#"{{ "id": "s{i}", "displayName": "S", "kind": "Integer", "defaultValue": "{v}", "minimum": null,
                "maximum": null, "step": null, "choices": [], "semantic": "Custom" }}"#
            )
        })
        .collect();
    let files = shaderport_renderpack::template::new_pack(
        shaderport_renderpack::template::Profile::NoOp,
        "p",
        &SEMANTIC_V1,
    );
    let text = String::from_utf8(files.unwrap()[0].bytes.clone()).unwrap();
    let text = text.replace(r#""settings": []"#, &format!(r#""settings": [{}]"#, settings.join(",")));
    let (document, findings) = descriptor::read(&text);
    assert!(findings.is_empty(), "{findings:?}");
    let d = document.unwrap().descriptor;
    (settings::block(&settings::resolve(&d, &d.quality_presets[0], &[])), values)
}

/// The ABI as packs of version 1 of `AtmosphericFrame` know it.
fn version_1() -> &'static Abi {
    let new = table(&SEMANTIC_V1, "AtmosphericFrame");
    let Layout::Versions(versions) = new.layout else { panic!() };
    assert_eq!((versions.len(), versions[0].bytes), (2, 160));
    let old = Block {
        fields: &new.fields[..versions[0].members],
        layout: Layout::Versions(&versions[..1]),
        ..*new
    };
    Box::leak(Box::new(Abi {
        blocks: Box::leak(Box::new([old])),
        table: Table { ..SEMANTIC_V1.table },
        glsl_helpers: &[],
        ..SEMANTIC_V1
    }))
}

fn all() -> Vec<Filled> {
    let filled =
        |block, bytes: &[u8], members| Filled { abi: &SEMANTIC_V1, block, bytes: bytes.to_vec(), members };
    let f = frame();
    let numbers: [[f32; 4]; 4] = std::array::from_fn(|c| std::array::from_fn(|r| 0.5 + (4 * c + r) as f32));
    let (settings, values) = settings_block();
    let push = PushBlock {
        view_projection: matrix(-7.5),
        draw_id_offset: -3,
        lighting_mode: 0x1234_5678,
        render_pass: 3,
        light_debug: i32::MIN,
        textures: [16_383, u32::MAX, 1.5f32.to_bits(), (-2.75f32).to_bits()],
    };
    let mut all = vec![
        filled("AtmosphericFrame", &f.encode(), frame_members(&f)),
        Filled {
            abi: version_1(),
            // A host binds all 192 bytes.
            bytes: f.encode().to_vec(),
            block: "AtmosphericFrame",
            members: frame_members(&f)[..7].to_vec(),
        },
        filled("AtmosphericFrame", &AtmosphericFrame::casters(f.wind), {
            let mut m = frame_members(&f);
            m[..6].iter_mut().for_each(|(_, bits)| bits.fill(0));
            m[6].1 = floats(IDENTITY.as_flattened());
            m
        }),
        filled("DirectionalShadow", &DirectionalShadow::Disabled.encode(), {
            let mut m = shadow_members(1);
            m[0].1 = floats([IDENTITY; 4].as_flattened().as_flattened());
            m[1..].iter_mut().for_each(|(_, bits)| bits.fill(0));
            m[4].1 = vec![u32::MAX, 1, 0, 0];
            m
        }),
        filled(
            "PackPass",
            &PackPass(numbers).encode(),
            ["uPackParams0", "uPackParams1", "uPackParams2", "uPackParams3"]
                .into_iter()
                .zip(numbers.map(|n| floats(&n)))
                .collect(),
        ),
        filled("PackSettings", &settings, vec![("uPackSettings", floats(&values))]),
        filled(
            "AcdreamPushBlock",
            &push.encode(),
            vec![
                ("viewProjection", floats(push.view_projection.as_flattened())),
                ("drawIdOffset", vec![-3i32 as u32]),
                ("lightingMode", vec![0x1234_5678]),
                ("renderPass", vec![3]),
                ("lightDebug", vec![0x8000_0000]),
                ("textureIndexA", vec![16_383]),
                ("textureIndexB", vec![u32::MAX]),
                ("paramA", floats(&[1.5])),
                ("paramB", floats(&[-2.75])),
            ],
        ),
    ];
    all.extend((1..=4).map(|n| {
        filled("DirectionalShadow", &DirectionalShadow::Enabled(shadow(n)).encode(), shadow_members(n))
    }));
    // None of the blocks that packs see is left out.
    for b in SEMANTIC_V1.blocks.iter().filter(|b| matches!(b.slot, Slot::Push | Slot::Binding { set: 3, .. }))
    {
        assert!(all.iter().any(|f| f.block == b.name && f.abi.name == SEMANTIC_V1.name), "{}", b.name);
    }
    all
}

/// The macro that asks the header for a block.
fn macro_of(block: &str) -> Vec<&'static str> {
    match block {
        "AtmosphericFrame" => vec!["ATMOSPHERIC_FRAME"],
        "DirectionalShadow" => vec!["DIRECTIONAL_SHADOW"],
        "PackPass" => vec!["PACK_PASS"],
        "PackSettings" => vec!["PACK_SETTINGS"],
        _ => vec![],
    }
}

/// What a shader reads for each of some expressions.
fn read_back(gl: &Gl, f: &Filled, expressions: &[(String, bool, u32)]) -> Vec<u32> {
    let cases: String = expressions
        .iter()
        .enumerate()
        .map(|(i, (e, float, _))| {
            let bits = if *float { format!("floatBitsToUint({e})") } else { format!("uint({e})") };
            format!("        case {i}: word = {bits}; break;\n")
        })
        .collect();
    let fragment = format!(
        "{}
layout(location = 0) out uvec4 words;
void main() {{
    uint word = 0u;
    switch (int(gl_FragCoord.x)) {{
{cases}    }}
    words = uvec4(word);
}}
",
        es_header(f.abi, &macro_of(f.block))
    );
    let job = Job::fullscreen(fragment, Target::Rgba32ui, [expressions.len() as u32, 1])
        .block("AcdreamPushBlock", [0; 96])
        .block(f.block, f.bytes.clone());
    let output = gl.draw(&job).unwrap_or_else(|e| panic!("{} {}: {e}", gl.renderer(), f.block));
    output.pixels[0].iter().map(|p| p[0]).collect()
}

#[test]
fn shaders_read_what_hosts_write() {
    let all = all();
    each_driver(|_, gl| {
        for f in &all {
            // Mesa's llvmpipe nests at most 80 branches, and makes nested ones of a switch.
            for part in f.expressions().chunks(64) {
                for ((e, _, want), got) in part.iter().zip(read_back(gl, f, part)) {
                    assert_eq!(got, *want, "{}: {} {e}", gl.renderer(), f.block);
                }
            }
        }
    });
}

/// Compiles a fragment shader that has the block and reads all of it.
fn compiled(f: &Filled) -> Reflection {
    let dir = std::env::temp_dir().join(format!("shaderport-bytes-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    let (source, module) = (dir.join("read.frag"), dir.join("read.spv"));
    let uses: String = macro_of(f.block).iter().map(|m| format!("#define PACK_USES_{m}\n")).collect();
    let sum: Vec<String> = f.expressions().iter().map(|(e, ..)| format!("float({e})")).collect();
    let text = format!(
        "#version 460\n{uses}{}\nlayout(location = 0) out float all;\nvoid main() {{ all = {}; }}\n",
        print(f.abi, Format::Glsl),
        sum.join(" + ")
    );
    std::fs::write(&source, text).unwrap();
    let output = Command::new("glslangValidator")
        .args(["-V", "--target-env", "vulkan1.3", "-o"])
        .args([&module, &source])
        .output()
        .expect("glslangValidator is installed");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    let bytes = std::fs::read(&module).unwrap();
    std::fs::remove_dir_all(&dir).unwrap();
    reflect(&shaderport_spirv::read(&bytes).module.unwrap())
}

/// Where a component stands, by the decorations of the module alone.
fn offset(r: &Reflection, structure: u32, member: &str, place: &[u32]) -> usize {
    let TypeInfo::Struct { members, .. } = &r.types[&structure] else { panic!("{structure}") };
    let m = members.iter().find(|m| m.name.as_deref() == Some(member)).unwrap();
    assert!(!m.row_major);
    let (mut at, mut ty) = (m.offset.unwrap(), m.ty);
    for i in place {
        let step;
        (step, ty) = match &r.types[&ty] {
            TypeInfo::Array { element, count: Count::Sized(n), stride } if i < n => {
                (stride.unwrap(), *element)
            }
            TypeInfo::Matrix { column, columns } if i < columns => (m.matrix_stride.unwrap(), *column),
            TypeInfo::Vector { component, count } if i < count => (4, *component),
            other => panic!("{member} {place:?}: {other:?}"),
        };
        at += i * step;
    }
    assert!(matches!(r.types[&ty], TypeInfo::Float { width: 32 } | TypeInfo::Int { width: 32, .. }));
    at as usize
}

#[test]
fn offsets_of_compiled_headers_find_what_hosts_write() {
    for f in all() {
        let r = compiled(&f);
        let block = table(f.abi, f.block);
        let resource = match block.slot {
            Slot::Push => r.push_constants.first(),
            Slot::Binding { set, binding } => {
                r.resources.iter().find(|x| (x.set, x.binding) == (Some(set), Some(binding)))
            }
        };
        let resource = resource.unwrap_or_else(|| panic!("{}", f.block));
        assert_eq!(resource.bytes, block.bytes().map(u64::from), "{}", f.block);
        for (field, (member, bits)) in block.fields.iter().zip(&f.members) {
            for (place, want) in components(&field.ty).iter().zip(bits) {
                let at = offset(&r, resource.ty, member, place);
                let got = u32::from_le_bytes(f.bytes[at..at + 4].try_into().unwrap());
                assert_eq!(got, *want, "{} {member} {place:?} at {at}", f.block);
            }
        }
    }
}
