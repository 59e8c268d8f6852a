//! Shaders by way of a decoder that is not ours: `vkd3d-compiler` makes SPIR-V of DXBC, `spirv-cross` makes GLSL of
//! that, and a GL draws it. What comes out is compared with the executor, so that this project's decoder and opcode
//! table are not their own judges.
//!
//! The text is of GLSL ES 3.20, which Mesa's contexts take; it has the bit operations, gathers and multisampled
//! textures that ES 3.00 lacks.

use crate::draw::{CLEAR, bytes, gl_texture, held, kind, pixel_feeder_text, place_of_points, set_target};
use crate::scene::Scene;
use crate::{Comparison, Difference, Failed, Skipped, Subject, Tolerance, execute};
use shaderport_dxbc::{Signature, Stage, SystemValue};
use shaderport_exec::{Resource, Slot, TexelKind};
use shaderport_gl_harness as gl;
use shaderport_gl_harness::{Job, Worker};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// The programs that are needed, with the Debian packages that have them.
pub const TOOLS: [(&str, &str); 2] = [("vkd3d-compiler", "vkd3d-compiler"), ("spirv-cross", "spirv-cross")];

/// What the tools or the harness lack: part of the message, and what it means. The opcodes and registers are those
/// of vkd3d 1.2.
pub const LIMITS: [(&str, &str); 24] = [
    ("Unrecognized opcode", "vkd3d does not know the opcode"),
    ("Unhandled register type", "vkd3d does not know the register"),
    ("Invalid DXBC checksum", "vkd3d insists on the checksum"),
    ("vkd3d_write_mask_component_count", "vkd3d fails on cubes with gradients or offsets"),
    ("Relative addressing not implemented", "vkd3d drops indices of inputs and outputs"),
    ("Texel offset not supported", "vkd3d drops offsets of comparisons"),
    ("dcl_function_table", "vkd3d does not know interfaces"),
    ("Currently no block to insert opcode", "vkd3d does not know interfaces"),
    ("shader model 5.1", "vkd3d names resources of model 5.1 by range, not by register"),
    ("not supported in ES profile", "spirv-cross has no ES text for it"),
    ("unavailable in OpenGL ES", "spirv-cross has no ES text for it"),
    (
        "no matching function for call to `texture",
        "spirv-cross takes 1D offsets and gradients to 2D textures",
    ),
    ("no matching function for call to `texelFetch", "spirv-cross takes 1D offsets to 2D textures"),
    ("identifier `gl_ClipDistance'", "Mesa has no clip distances"),
    ("`gl_ViewportIndex' undeclared", "Mesa has no viewport index in pixel shaders"),
    ("invalid explicit location 16", "Mesa has 16 attributes"),
    ("MAX_TRANSFORM_FEEDBACK_INTERLEAVED", "more outputs than can be captured"),
    ("timeout", "Mesa takes too long to compile the text"),
    ("no buffer textures and no images", "the harness binds no buffer textures, images or samples"),
    ("no texturecubearray", "the harness has no cube arrays"),
    ("more varyings than there are attributes", "the harness feeds 16 varyings"),
    ("the executor does not run this instruction", "views for writing and interfaces"),
    ("did not end within", "a loop that random numbers do not end"),
    ("error[exec-aborted]", "ends by intention"),
];

/// A text in GLSL ES 3.20.
#[derive(Clone, Debug)]
pub struct Text {
    /// The text.
    pub glsl: String,
    /// What the tools complained of on the way.
    pub warnings: String,
}

/// A tool that was run: what it wrote to standard output and what it complained of, or only the latter.
fn run(program: &str, arguments: &[&str], input: &Path) -> Result<(Vec<u8>, String), String> {
    let output = Command::new(program)
        .args(arguments)
        .arg(input)
        .stdin(Stdio::null())
        .output()
        .unwrap_or_else(|e| panic!("{program}: {e}; the test needs the packages {TOOLS:?}"));
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() && !output.stdout.is_empty() {
        return Ok((output.stdout, errors));
    }
    Err(format!("{program} {}: {errors}", output.status))
}

/// GLSL ES 3.20 of a DXBC file.
///
/// # Errors
/// What a tool says; a panic where it is missing.
pub fn text(file: &Path) -> Result<Text, String> {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let options = ["-x", "dxbc-tpf", "-b", "spirv-binary", "-o", "-"];
    let (module, warnings) = run("vkd3d-compiler", &options, file)?;
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let place = std::env::temp_dir().join(format!("shaderport-{}-{count}.spv", std::process::id()));
    std::fs::write(&place, module).map_err(|e| e.to_string())?;
    let text = run("spirv-cross", &["--es", "--version", "320"], &place);
    // A file that stays behind in the folder of temporary ones does no harm.
    let _ = std::fs::remove_file(&place);
    let glsl = String::from_utf8(text?.0).map_err(|e| e.to_string())?;
    Ok(Text { glsl: without_buffer_textures(&glsl), warnings })
}

/// A variable between the stages or of the targets: `layout(location = 1) flat in highp uvec2 v1;`.
struct Variable {
    location: usize,
    /// `flat` and its like.
    interpolation: String,
    ty: String,
    name: String,
}

/// Variables of one direction, `in` or `out`.
fn variables(text: &str, direction: &str) -> Vec<Variable> {
    let parse = |line: &str| {
        let (location, rest) = line.strip_prefix("layout(location = ")?.split_once(") ")?;
        let words: Vec<&str> = rest.strip_suffix(';')?.split(' ').collect();
        let at = words.iter().position(|w| *w == direction)?;
        let [.., ty, name] = words[at + 1..] else { return None };
        Some(Variable {
            location: location.parse().ok()?,
            interpolation: words[..at].join(" "),
            ty: ty.into(),
            name: name.into(),
        })
    };
    text.lines().filter_map(parse).collect()
}

/// The lanes of a register that a variable for all its elements holds.
fn mask(signature: &Signature<'_>, register: usize) -> String {
    let elements = signature.elements.iter().filter(|e| e.register as usize == register);
    let mask = elements.fold(0, |mask, e| mask | e.mask);
    "xyzw".char_indices().filter(|(n, _)| mask >> n & 1 != 0).map(|(_, c)| c).collect()
}

fn number(text: &str) -> Option<u32> {
    text[..text.bytes().take_while(u8::is_ascii_digit).count()].parse().ok()
}

/// A buffer in one row of texels, as vkd3d reads it: an element of typed buffers or a word of others in each.
fn buffer_texture(resource: &Resource) -> Option<gl::Texture> {
    let (texels, kind): (Vec<[u32; 4]>, TexelKind) = match resource {
        Resource::Typed(texels, kind) => (texels.clone(), *kind),
        Resource::Raw(words) | Resource::Structured { words, .. } => {
            (words.iter().map(|&w| [w, 0, 0, 0]).collect(), TexelKind::Uint)
        }
        Resource::Texture(_) => return None,
    };
    let format = match kind {
        TexelKind::Float => gl::Format::Rgba32f,
        TexelKind::Sint => gl::Format::Rgba32I,
        TexelKind::Uint => gl::Format::Rgba32Ui,
    };
    let content = bytes(texels.iter().flatten().copied());
    Some(gl::Texture::new_2d(format, texels.len() as u32, 1, content))
}

/// The text with textures of one row in the place of buffer textures, which WebGL2 and the harness do not have.
fn without_buffer_textures(text: &str) -> String {
    let mut out = String::new();
    let mut names = Vec::new();
    for line in text.lines() {
        if let Some((declared, name)) = line.split_once("samplerBuffer ")
            && let Some((_, kind)) = declared.split_once(") uniform ")
        {
            let name = name.trim_end_matches(';');
            let kind = kind.split(' ').next_back().unwrap_or_default();
            out += &format!(
                "uniform highp {kind}sampler2D buffer_{name};\n{} fetch_{name}(int at) {{\n    return \
                 texelFetch(buffer_{name}, ivec2(at, 0), 0);\n}}\n",
                if kind.is_empty() { "vec4".into() } else { format!("{kind}vec4") }
            );
            names.push(name.to_owned());
            continue;
        }
        out += line;
        out.push('\n');
    }
    for name in names {
        out = out.replace(&format!("texelFetch({name}, "), &format!("fetch_{name}("));
        out = out.replace(&format!("textureSize({name})"), &format!("textureSize(buffer_{name}, 0).x"));
    }
    out
}

const NO_SUCH_BINDING: &str = "the harness binds no buffer textures and no images or samples";

/// Uniform blocks and textures of the text, from the scene.
fn bind(job: &mut Job, text: &str, scene: &Scene) -> Result<(), String> {
    let bindings = &scene.bindings;
    let mut block = None;
    for line in text.lines() {
        if let Some((_, name)) = line.split_once(", std140) uniform ") {
            block = Some(name);
        } else if let Some(instance) = line.strip_prefix("} cb")
            && let Some(name) = block.take()
        {
            let register = number(instance).ok_or_else(|| format!("what {name} is of is not clear"))?;
            let buffer = bindings.constants.get(&Slot { space: 0, register });
            let buffer = buffer.ok_or_else(|| format!("cb{register} is not bound"))?;
            job.blocks.insert(name.into(), bytes(buffer.rows().iter().flatten().copied()));
        } else if line.starts_with("uniform ") && line.contains("DMS") {
            return Err(NO_SUCH_BINDING.into());
        } else if let Some((declared, name)) = line.split_once(" SPIRV_Cross_Combinedt")
            && line.starts_with("uniform ")
        {
            let (t, s) = name
                .trim_end_matches(';')
                .split_once("SPIRV_Cross_DummySampler")
                .map(|(t, _)| (t, None))
                .or_else(|| name.trim_end_matches(';').split_once('s').map(|(t, s)| (t, number(s))))
                .ok_or_else(|| format!("{name} is not clear"))?;
            let register = number(t).ok_or_else(|| format!("{name} is not clear"))?;
            let Some(Resource::Texture(texture)) =
                bindings.resources.get(&Slot { space: 0, register }).map(|r| &**r)
            else {
                return Err(format!("t{register} is not bound to a texture"));
            };
            let sampler = s.and_then(|register| bindings.samplers.get(&Slot { space: 0, register }));
            let shadow = declared.ends_with("Shadow");
            let texture = gl_texture(texture, &sampler.copied().unwrap_or_default(), shadow)?;
            job.textures.insert(format!("SPIRV_Cross_Combinedt{}", name.trim_end_matches(';')), texture);
        } else if let Some((_, name)) = line.split_once("sampler2D buffer_t")
            && line.starts_with("uniform ")
        {
            let register = number(name).ok_or_else(|| format!("{name} is not clear"))?;
            let resource = bindings.resources.get(&Slot { space: 0, register });
            let resource = resource.ok_or_else(|| format!("t{register} is not bound"))?;
            let texture = buffer_texture(resource).ok_or_else(|| format!("t{register} is no buffer"))?;
            job.textures.insert(format!("buffer_t{register}"), texture);
        } else if ["samplerBuffer", "image"].iter().any(|t| line.contains(t)) && line.starts_with("layout(") {
            return Err(NO_SUCH_BINDING.into());
        }
    }
    Ok(())
}

fn job(text: &str, subject: &Subject<'_>, scene: &Scene) -> Result<Job, String> {
    let inputs =
        subject.container.input_signature().map_err(|e| e.to_string())?.ok_or("no input signature")?;
    let mut job = Job { mode: gl::Mode::Points, vertices: scene.inputs.len() as u32, ..Job::default() };
    bind(&mut job, text, scene)?;
    let vertex = subject.program.stage == Stage::Vertex;
    let ins = variables(text, "in");
    let mut feeder = Vec::new();
    for v in &ins {
        let lanes = held(&v.ty, &mask(&inputs, v.location));
        let bits = scene.inputs.iter().flat_map(|i| lanes.iter().map(move |&l| i.registers[v.location][l]));
        let data = gl::Data { kind: kind(&v.ty), bits: bits.collect() };
        let name = if vertex { v.name.clone() } else { format!("a{}", feeder.len()) };
        job.attributes.insert(name, gl::Attribute::new(lanes.len() as u8, data));
        let qualifier = format!("layout(location = {}) {}", v.location, v.interpolation);
        feeder.push((qualifier, v.ty.clone(), v.name.clone()));
    }
    let outs = variables(text, "out");
    if vertex {
        job.vertex = text.into();
        job.fragment = gl::EMPTY_FRAGMENT.replace("300", "320");
        job.capture = outs.iter().map(|v| v.name.clone()).collect();
        if text.contains("gl_Position") {
            job.capture.push("gl_Position".into());
        }
        return Ok(job);
    }
    if feeder.len() > 16 {
        return Err("more varyings than there are attributes to feed them".into());
    }
    let height = scene.inputs.len() / scene.width;
    let extensions: Vec<&str> = text.lines().filter(|l| l.starts_with("#extension")).collect();
    let head = format!("#version 320 es\n{}\n", extensions.join("\n"));
    job.vertex = pixel_feeder_text(&head, &feeder, &place_of_points(scene.width, height));
    job.fragment = text.into();
    job.size = [scene.width as u32, height as u32];
    job.clear = [CLEAR; 4];
    if text.contains("gl_FragDepth") {
        job.depth = Some(gl::Depth { clear: 0.25, test: gl::Compare::Always });
    }
    for v in &outs {
        set_target(&mut job, v.location, kind(&v.ty));
    }
    if job.targets.is_empty() {
        job.targets.push(gl::Target::Unused);
    }
    Ok(job)
}

/// Draws the text that the tools made of a shader, and compares.
///
/// # Errors
/// [`Failed`].
pub fn compare(
    worker: &mut Worker,
    text: &Text,
    subject: &Subject<'_>,
    scene: &Scene,
    tolerance: Tolerance,
) -> Result<Comparison, Failed> {
    let unfit = |e: String| Failed::Skipped(Skipped::Scene(e));
    if subject.program.is_5_1() {
        return Err(unfit("shader model 5.1".into()));
    }
    if let Some((what, _)) = LIMITS.iter().find(|(what, _)| text.warnings.contains(what)) {
        return Err(unfit((*what).into()));
    }
    let text = &text.glsl;
    let expected = execute(&subject.program, scene, crate::LIMIT).map_err(Failed::Skipped)?;
    let job = job(text, subject, scene).map_err(unfit)?;
    let output = worker.draw(&job).map_err(|e| Failed::Draw(e.to_string()))?;
    let outputs = subject.container.output_signature().ok().flatten();
    let outputs = outputs.ok_or_else(|| unfit("no output signature".into()))?;
    let (mut differences, mut compared) = (Vec::new(), 0);
    let mut check = |row, name: &str, place: (Option<usize>, usize), expected: Option<u32>, found, float| {
        compared += 1;
        let same = match expected {
            Some(bits) if float => tolerance.accepts(bits, found),
            Some(bits) => tolerance.accepts_integers(bits, found),
            None => found == CLEAR,
        };
        if !same {
            let (register, lane) = place;
            differences.push(Difference { row, output: name.into(), register, lane, expected, found });
        }
    };
    let position = outputs.elements.iter().find(|e| e.system_value == SystemValue::Position);
    for (row, expected) in expected.iter().enumerate() {
        for v in variables(text, "out") {
            let (register, float) = (v.location, kind(&v.ty) == gl::Kind::Float);
            let written = |lane: usize| expected.written[register] >> lane & 1 != 0;
            if subject.program.stage == Stage::Vertex {
                let lanes = held(&v.ty, &mask(&outputs, register));
                for (&lane, &found) in lanes.iter().zip(&output.captured[&v.name][row]) {
                    if written(lane) {
                        let value = Some(expected.registers[register][lane]);
                        check(row, &v.name, (Some(register), lane), value, found, float);
                    }
                }
                continue;
            }
            for (lane, &found) in output.pixels[register][row].iter().enumerate() {
                let value = (!expected.discarded).then_some(expected.registers[register][lane]);
                if value.is_none() || written(lane) {
                    check(row, &v.name, (Some(register), lane), value, found, float);
                }
            }
        }
        if let (Some(e), Some(captured)) = (position, output.captured.get("gl_Position")) {
            let register = e.register as usize;
            for (lane, &found) in captured[row].iter().enumerate() {
                if expected.written[register] >> lane & 1 != 0 {
                    let value = Some(expected.registers[register][lane]);
                    check(row, "gl_Position", (Some(register), lane), value, found, true);
                }
            }
        }
        if let (Some(depth), Some(&found)) =
            (expected.depth.filter(|_| !expected.discarded), output.depth.get(row))
        {
            check(row, "depth", (None, 0), Some(depth.clamp(0.0, 1.0).to_bits()), found, true);
        }
    }
    Ok(Comparison { differences, compared })
}
