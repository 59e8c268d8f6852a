//! Shaders by way of a decoder that is not ours: `vkd3d-compiler` makes SPIR-V of DXBC, and Mesa's lavapipe draws it.
//! What comes out is compared with the executor, so that this project's decoder and opcode table are not their own
//! judges.

mod module;

use crate::draw::{CLEAR, gl_sampler, held, set_target};
use crate::scene::{DEPTH, Scene, compared};
use crate::{Comparison, Differences, Failed, Skipped, Subject, Tolerance, execute};
use module::{Interface, Variable, capturing, feeder, interface};
use shaderport_dxbc::program::{OperandKind, ResourceDimension};
use shaderport_dxbc::{Program, Signature, Stage, SystemValue};
use shaderport_exec::{Outputs, Resource, Slot, TexelKind, Texture};
use shaderport_spirv::ResourceKind;
use shaderport_vk_harness as vk;
use shaderport_vk_harness::{Job, Worker};
use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

pub use module::Module;

/// The programs that are needed, with the Debian packages that have them.
pub const TOOLS: [(&str, &str); 2] = [("vkd3d-compiler", "vkd3d-compiler"), ("spirv-val", "spirv-tools")];

/// A tool that was run: what it wrote to standard output and what it complained of, or only the latter.
fn run(program: &str, arguments: &[&str], input: &[u8]) -> Result<(Vec<u8>, String), String> {
    let missing = |e| panic!("{program}: {e}; the test needs the packages {TOOLS:?}");
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(missing);
    // Neither says anything before it has read all; one that ends before shows it by its status.
    let _ = child.stdin.take().map(|mut to| to.write_all(input));
    let output = child.wait_with_output().map_err(|e| e.to_string())?;
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() { Ok((output.stdout, errors)) } else { Err(format!("{program}: {errors}")) }
}

/// Valid SPIR-V of a DXBC file.
///
/// # Errors
/// What a tool says; a panic where it is missing.
pub fn module(file: &Path) -> Result<Module, String> {
    let bytes = std::fs::read(file).map_err(|e| e.to_string())?;
    let options = ["-x", "dxbc-tpf", "-b", "spirv-binary", "-o", "-", "-"];
    let (module, warnings) = run("vkd3d-compiler", &options, &bytes)?;
    run("spirv-val", &["--target-env", "vulkan1.3", "-"], &module)?;
    let words = module.chunks_exact(4).map(|w| u32::from_le_bytes([w[0], w[1], w[2], w[3]])).collect();
    Ok(Module { words, warnings })
}

/// A register and a lane of it.
type Place = (usize, usize);

/// Where what a variable holds is in the registers, word for word; `None` where it is not in them.
fn places(v: &Variable, signature: &Signature<'_>) -> Result<Option<Vec<Place>>, String> {
    let lanes = |mask: u8| (0..4).filter(move |l| mask >> l & 1 != 0);
    if let Some(register) = v.location {
        let elements = signature.elements.iter().filter(|e| e.register as usize == register);
        let mask = elements.fold(0, |mask, e| mask | e.mask);
        let held = match v.component {
            Some(first) => (first..first + v.count).collect(),
            None => held(v.count, lanes(mask).collect()),
        };
        return Ok(Some(held.into_iter().map(|lane| (register, lane)).collect()));
    }
    let system = match v.built_in.as_deref() {
        Some("Position") => SystemValue::Position,
        Some("ClipDistance") => SystemValue::ClipDistance,
        Some("CullDistance") => SystemValue::CullDistance,
        Some("FragDepth" | "SampleMask") => return Ok(None),
        other => return Err(format!("{} is the built-in {other:?}, which is not clear", v.name)),
    };
    let mut elements: Vec<_> = signature.elements.iter().filter(|e| e.system_value == system).collect();
    elements.sort_by_key(|e| e.semantic_index);
    let places = elements.iter().flat_map(|e| lanes(e.mask).map(|lane| (e.register as usize, lane)));
    let mut places: Vec<Place> = places.collect();
    // All of the position is in the variable, whatever the signature says.
    if system == SystemValue::Position && places.len() < v.count {
        places =
            places.first().map_or(Vec::new(), |(register, _)| (0..4).map(|lane| (*register, lane)).collect());
    }
    if places.len() != v.count {
        return Err(format!("{} has {} words, the signature {}", v.name, v.count, places.len()));
    }
    Ok(Some(places))
}

/// The slot that a register of vkd3d's names is for, such as `t1` or `cb0_3`. In model 5.1 the number is that of a
/// range, of which vkd3d takes one resource for all: it must be the one that the program reads.
fn slot(program: &Program, name: &str, kind: OperandKind) -> Result<Slot, String> {
    let unclear = || format!("what {name} is for is not clear");
    let digits = name.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let number: u32 = digits.split('_').next().and_then(|n| n.parse().ok()).ok_or_else(unclear)?;
    if !program.is_5_1() {
        return Ok(number.into());
    }
    let (mut space, mut registers) = (0, BTreeSet::new());
    for i in &program.instructions {
        for o in program.operands(i).iter().filter(|o| o.kind == kind && o.register() == number) {
            if !i.opcode.is_declaration() {
                registers.insert((!o.index[1].is_relative()).then_some(o.index[1].immediate));
                continue;
            }
            let Some(slots) = program.slots(i) else { continue };
            space = slots.space;
            if slots.lower == slots.upper {
                registers = BTreeSet::from([Some(slots.lower)]);
            }
        }
    }
    match registers.iter().collect::<Vec<_>>()[..] {
        [Some(register)] => Ok(Slot { space, register: *register }),
        [] => Err(unclear()),
        _ => Err(format!("{name} is a range of which several are read")),
    }
}

fn image(texture: &Texture) -> Result<vk::Image, String> {
    use ResourceDimension::*;
    let dimension = match texture.dimension() {
        Texture1D => vk::Dimension::D1,
        Texture1DArray => vk::Dimension::D1Array,
        Texture2D => vk::Dimension::D2,
        Texture2DArray => vk::Dimension::D2Array,
        Texture3D => vk::Dimension::D3,
        TextureCube => vk::Dimension::Cube,
        TextureCubeArray => vk::Dimension::CubeArray,
        other => return Err(format!("the harness has no {}", other.name())),
    };
    // What has one lane is there to be compared with.
    let depth = texture.present == 1;
    let lanes = if depth { 1 } else { 4 };
    let level = |n: usize| texture.level(n).iter().flat_map(|t| t[..lanes].iter().copied()).collect();
    Ok(vk::Image {
        dimension,
        kind: kind(texture.kind),
        depth,
        size: texture.level_size(0),
        layers: texture.layers(),
        levels: (0..texture.level_count()).map(level).collect(),
    })
}

fn kind(kind: TexelKind) -> vk::Kind {
    match kind {
        TexelKind::Float => vk::Kind::Float,
        TexelKind::Sint => vk::Kind::Int,
        TexelKind::Uint => vk::Kind::Uint,
    }
}

/// A buffer as vkd3d reads it: an element of typed buffers or a word of others in each texel.
fn texels(resource: &Resource) -> Option<vk::Descriptor> {
    let (size, kind, bits) = match resource {
        Resource::Typed(texels, of) => (4, kind(*of), texels.concat()),
        Resource::Raw(words) | Resource::Structured { words, .. } => (1, vk::Kind::Uint, words.clone()),
        Resource::Texture(_) => return None,
    };
    Some(vk::Descriptor::Texels { size, data: vk::Data { kind, bits } })
}

/// What a module reads, from the scene.
fn descriptors(
    interface: &Interface,
    program: &Program,
    scene: &Scene,
) -> Result<Vec<(u32, vk::Descriptor)>, String> {
    let bindings = &scene.bindings;
    let comparing = compared(program, OperandKind::Sampler);
    let descriptor = |b: &module::Binding| {
        let unbound = || format!("{} is not bound", b.name);
        let operand = match b.kind {
            ResourceKind::UniformBuffer => OperandKind::ConstantBuffer,
            ResourceKind::Sampler => OperandKind::Sampler,
            ResourceKind::SampledImage | ResourceKind::UniformTexelBuffer => OperandKind::Resource,
            other => return Err(format!("{} is a {other:?}, which the harness has not", b.name)),
        };
        let slot = slot(program, &b.name, operand)?;
        let descriptor = match b.kind {
            ResourceKind::UniformBuffer => {
                vk::Descriptor::Uniform(bindings.constants.get(&slot).ok_or_else(unbound)?.rows().concat())
            }
            ResourceKind::Sampler => {
                let sampler = bindings.samplers.get(&slot).ok_or_else(unbound)?;
                let number = b.name.trim_start_matches('s').parse().map_err(|_| unbound())?;
                vk::Descriptor::Sampler(gl_sampler(sampler, true, comparing.contains(&number))?)
            }
            _ => match bindings.resources.get(&slot).map(|r| &**r) {
                Some(Resource::Texture(texture)) => vk::Descriptor::Image(image(texture)?),
                Some(buffer) => texels(buffer).ok_or_else(unbound)?,
                None => return Err(unbound()),
            },
        };
        Ok((b.binding, descriptor))
    };
    interface.bindings.iter().map(descriptor).collect()
}

/// The values that an input of a stage has in a scene.
fn attribute(
    location: usize,
    v: &Variable,
    signature: &Signature<'_>,
    scene: &Scene,
) -> Result<vk::Attribute, String> {
    let places = places(v, signature)?.unwrap_or_default();
    let kind = v.kind.ok_or_else(|| format!("{} is a boolean", v.name))?;
    let bits =
        scene.inputs.iter().flat_map(|i| places.iter().map(|&(register, lane)| i.registers[register][lane]));
    let size = u8::try_from(v.count).map_err(|e| e.to_string())?;
    Ok(vk::Attribute { location: location as u32, size, data: vk::Data { kind, bits: bits.collect() } })
}

fn job(module: &Module, interface: &Interface, subject: &Subject<'_>, scene: &Scene) -> Result<Job, String> {
    let inputs =
        subject.container.input_signature().map_err(|e| e.to_string())?.ok_or("no input signature")?;
    let mut job = Job {
        vertices: scene.inputs.len() as u32,
        descriptors: descriptors(interface, &subject.program, scene)?,
        ..Job::default()
    };
    // What has no location the pipeline makes, in the same way as the scene.
    let fed: Vec<&Variable> = interface.inputs.iter().filter(|v| v.location.is_some()).collect();
    if subject.program.stage == Stage::Vertex {
        for v in fed {
            job.attributes.push(attribute(v.location.unwrap_or(0), v, &inputs, scene)?);
        }
        job.vertex = capturing(&module.words, &interface.outputs);
        job.captured_words = interface.outputs.iter().map(|o| o.count as u32).sum();
        return Ok(job);
    }
    for (n, v) in fed.iter().enumerate() {
        job.attributes.push(attribute(n, v, &inputs, scene)?);
    }
    let height = scene.inputs.len() / scene.width;
    let place = |at: usize, of: usize| ((at * 2 + 1) as f32 / of as f32 - 1.0).to_bits();
    let at = (0..scene.inputs.len()).flat_map(|n| {
        let [x, y] = [place(n % scene.width, scene.width), place(n / scene.width, height)];
        [x, y, DEPTH.to_bits(), 1f32.to_bits()]
    });
    let at = vk::Data { kind: vk::Kind::Float, bits: at.collect() };
    job.attributes.push(vk::Attribute { location: fed.len() as u32, size: 4, data: at });
    job.vertex = feeder(&fed);
    job.fragment = Some(module.words.clone());
    job.size = [scene.width as u32, height as u32];
    job.clear = [CLEAR; 4];
    for v in &interface.outputs {
        match (v.location, v.kind) {
            (Some(location), Some(kind)) => set_target(&mut job.targets, location, kind),
            _ if v.built_in.as_deref() == Some("FragDepth") => {
                job.depth = Some(vk::Depth { clear: 0.25, test: vk::Compare::Always });
            }
            _ => {}
        }
    }
    Ok(job)
}

/// Whether a pixel is drawn: of one sample, the mask's first bit says.
fn is_drawn(outputs: &Outputs) -> bool {
    !outputs.discarded && outputs.coverage.is_none_or(|mask| mask & 1 != 0)
}

/// Draws the module that the compiler made of a shader, and compares.
///
/// # Errors
/// [`Failed`].
pub fn compare(
    worker: &mut Worker,
    module: &Module,
    subject: &Subject<'_>,
    scene: &Scene,
    tolerance: Tolerance,
) -> Result<Comparison, Failed> {
    let unfit = |e: String| Failed::Skipped(Skipped::Scene(e));
    let expected = execute(&subject.program, scene, crate::LIMIT).map_err(Failed::Skipped)?;
    let interface = interface(&module.words).map_err(unfit)?;
    let job = job(module, &interface, subject, scene).map_err(unfit)?;
    let output = worker.draw(&job).map_err(Failed::Draw)?;
    let outputs = subject.container.output_signature().ok().flatten();
    let outputs = outputs.ok_or_else(|| unfit("no output signature".into()))?;

    let vertex = subject.program.stage == Stage::Vertex;
    let mut differences = Differences { list: Vec::new(), compared: 0, tolerance };
    // What the executor writes must have a place to be found in.
    let mut unseen = expected.iter().fold([0; 32], |mut all, o| {
        all.iter_mut().zip(o.written).for_each(|(all, written)| *all |= written);
        all
    });
    let mut first = 0;
    for v in &interface.outputs {
        let start = first;
        first += v.count;
        let Some(places) = places(v, &outputs).map_err(unfit)? else { continue };
        let float = v.kind == Some(vk::Kind::Float);
        for (n, &(register, lane)) in places.iter().enumerate() {
            unseen[register] &= !(1 << lane);
            for (row, expected) in expected.iter().enumerate() {
                let found =
                    if vertex { output.captured[row][start + n] } else { output.pixels[register][row][lane] };
                let value = (vertex || is_drawn(expected)).then_some(expected.registers[register][lane]);
                if value.is_none() || expected.written[register] >> lane & 1 != 0 {
                    differences.check(row, (&v.name, Some(register)), lane, value, found, float);
                }
            }
        }
    }
    let depth = expected.iter().any(|o| o.depth.is_some());
    if unseen != [0; 32] || depth && output.depth.is_empty() {
        return Err(Failed::Draw("the module lacks outputs that the shader writes".into()));
    }
    for (row, (expected, &found)) in expected.iter().zip(&output.depth).enumerate() {
        if let Some(depth) = expected.depth.filter(|_| is_drawn(expected)) {
            let depth = depth.clamp(0.0, 1.0).to_bits();
            differences.check(row, ("depth", None), 0, Some(depth), found, true);
        }
    }
    if differences.compared == 0 {
        return Err(unfit("no value to compare".into()));
    }
    Ok(Comparison { differences: differences.list, compared: differences.compared })
}
