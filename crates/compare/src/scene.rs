//! Random but sensible things to bind to a program and to feed it.

use crate::bounds;
use crate::random::Random;
use shaderport_dxbc::program::{Interpolation, Modifier, OperandKind, ResourceDimension, ReturnType};
use shaderport_dxbc::reflection::{BaseType, Class, TypeTable};
use shaderport_dxbc::signature::ComponentType;
use shaderport_dxbc::{
    Container, Instruction, Opcode, Program, ScalarType, Signature, SignatureElement, Slot as OperandSlot,
    Stage, SystemValue,
};
use shaderport_exec::{
    Address, Bindings, Comparison, ConstantBuffer, Filter, Inputs, Instance, Manner, Resource, Sampler, Slot,
    TexelKind, Texture, View, Views,
};
use shaderport_gl_harness::Backend;
use std::collections::{BTreeMap, BTreeSet};

/// Elements of every buffer.
pub const ELEMENTS: u32 = 16;

/// Depth that the rasterizer finds for every pixel.
pub const DEPTH: f32 = 0.5;

/// What one run needs beside the program.
#[derive(Clone, Debug)]
pub struct Scene {
    /// Everything bound.
    pub bindings: Bindings,
    /// Views that the program writes, as they are before.
    pub views: Views,
    /// The registers of each vertex, or of each pixel from the left of the first row on.
    pub inputs: Vec<Inputs>,
    /// Pixels in a row.
    pub width: usize,
    /// Registers and lanes that differ within a quad: the position.
    pub position: Option<usize>,
    /// The elements of the input signature.
    pub elements: Vec<InputElement>,
    /// What is at three corners of a triangle around all pixels (see [`Scene::sloped`]); otherwise each pixel is a
    /// point of its own.
    pub corners: Option<[Inputs; 3]>,
    /// How the GL that draws it takes derivatives (see [`Scene::on`]).
    pub manner: Manner,
}

/// An element of the input signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InputElement {
    /// Register.
    pub register: usize,
    /// Lanes.
    pub mask: u8,
    /// What they hold.
    pub kind: TexelKind,
    /// What the pipeline puts there.
    pub system: SystemValue,
}

fn lane(random: &mut Random, kind: TexelKind) -> u32 {
    match kind {
        TexelKind::Float => random.dyadic(-2.0, 2.0).to_bits(),
        TexelKind::Uint => random.below(8),
        TexelKind::Sint => random.below(8).wrapping_sub(2),
    }
}

impl Scene {
    /// Vertices, or pixels that are points of their own in rows of `width`.
    pub fn points(inputs: Vec<Inputs>, bindings: Bindings, width: usize) -> Scene {
        Scene {
            bindings,
            views: Views::default(),
            inputs,
            width,
            position: None,
            elements: Vec::new(),
            corners: None,
            manner: Manner::default(),
        }
    }

    /// Makes a scene for a program, with filters only for odd seeds; `None` if the container has no signature to
    /// go by.
    pub fn random(container: &Container<'_>, program: &Program, seed: u64) -> Option<Scene> {
        const WIDTH: usize = 8;
        const HEIGHT: usize = 4;
        let mut random = Random::new(seed);
        let signature = container.input_signature().ok()??;
        let elements: Vec<_> = signature.elements.iter().filter_map(input_element).collect();
        let mut scene = Scene {
            bindings: Bindings::default(),
            views: Views::default(),
            inputs: Vec::new(),
            width: WIDTH,
            position: position(&signature),
            elements,
            corners: None,
            manner: Manner::default(),
        };
        scene.constants(program, &mut random);
        scene.resources(program, &mut random, seed % 2 == 1);
        scene.interfaces(program, &mut random);
        for n in 0..WIDTH * HEIGHT {
            let mut inputs = Inputs { depth: DEPTH, ..Inputs::default() };
            for e in &scene.elements {
                for l in (0..4).filter(|l| e.mask >> l & 1 != 0) {
                    let bits = lane(&mut random, e.kind);
                    // A little off the constants and each other: sums stay away from the edges of texels and faces.
                    let float = e.kind == TexelKind::Float;
                    inputs.registers[e.register][l] =
                        if float { (f32::from_bits(bits) + (1 + l) as f32 / 2048.0).to_bits() } else { bits };
                }
                let fill = |inputs: &mut Inputs, bits: u32| {
                    for l in (0..4).filter(|l| e.mask >> l & 1 != 0) {
                        inputs.registers[e.register][l] = bits;
                    }
                };
                match (program.stage, e.system) {
                    (Stage::Pixel, SystemValue::Position) => {
                        inputs.registers[e.register] = pixel_position(n % WIDTH, n / WIDTH);
                    }
                    (Stage::Vertex, SystemValue::VertexId) => fill(&mut inputs, n as u32),
                    (Stage::Pixel, SystemValue::IsFrontFace) => fill(&mut inputs, u32::MAX),
                    (_, SystemValue::InstanceId)
                    | (
                        Stage::Pixel,
                        SystemValue::SampleIndex
                        | SystemValue::PrimitiveId
                        | SystemValue::RenderTargetArrayIndex
                        | SystemValue::ViewportArrayIndex,
                    ) => fill(&mut inputs, 0),
                    _ => {}
                }
            }
            scene.inputs.push(inputs);
        }
        Some(scene)
    }

    /// The same with one triangle for all pixels, so that derivatives are not 0: what is interpolated differs from
    /// pixel to pixel. `None` for vertex programs and what needs more than that.
    pub fn sloped(container: &Container<'_>, program: &Program, seed: u64) -> Option<Scene> {
        let mut scene = Scene::random(container, program, seed)?;
        if program.stage != Stage::Pixel {
            return None;
        }
        let flat = constant_lanes(program);
        let mut random = Random::new(!seed);
        let mut corners = [(); 3].map(|()| scene.inputs[0].clone());
        for e in scene.elements.iter().filter(|e| e.kind == TexelKind::Float) {
            for l in (0..4).filter(|l| e.mask & !flat[e.register] >> l & 1 != 0) {
                for corner in &mut corners[1..] {
                    // Across all pixels; some slopes are small, as magnified textures have them.
                    let slope = random.pick(&[0.5, 2.0, 8.0]) * random.dyadic(-1.0, 1.0);
                    let bits = &mut corner.registers[e.register][l];
                    *bits = (f32::from_bits(*bits) + slope).to_bits();
                }
            }
        }
        scene.corners = Some(corners);
        scene.interpolate();
        Some(scene)
    }

    /// Gives pixels what the corners say. These are at (0, 0), (2, 0) and (0, 2) times the size of the target.
    fn interpolate(&mut self) {
        let Some(corners) = &self.corners else { return };
        let height = self.inputs.len() / self.width;
        for (n, inputs) in self.inputs.iter_mut().enumerate() {
            let along = |at: usize, of: usize| (at as f64 + 0.5) / (2 * of) as f64;
            let [x, y] = [along(n % self.width, self.width), along(n / self.width, height)];
            for e in self.elements.iter().filter(|e| e.system != SystemValue::Position) {
                for l in (0..4).filter(|l| e.mask >> l & 1 != 0) {
                    if e.kind != TexelKind::Float {
                        inputs.registers[e.register][l] = corners[0].registers[e.register][l];
                        continue;
                    }
                    let [a, b, c] =
                        [0, 1, 2].map(|n| f64::from(f32::from_bits(corners[n].registers[e.register][l])));
                    inputs.registers[e.register][l] = ((a + (b - a) * x + (c - a) * y) as f32).to_bits();
                }
            }
        }
    }

    /// Gives rows that `ends` says no to the inputs of one that it says yes to, but for what the pipeline puts there;
    /// whether all end then.
    pub fn replace_endless(&mut self, ends: impl Fn(&Scene, usize) -> bool) -> bool {
        let rows = 0..self.inputs.len();
        let Some(good) = rows.clone().find(|&row| ends(self, row)) else { return false };
        let good = self.inputs[good].clone();
        for row in rows {
            if ends(self, row) {
                continue;
            }
            for e in self.elements.iter().filter(|e| e.system == SystemValue::None) {
                for l in (0..4).filter(|l| e.mask >> l & 1 != 0) {
                    self.inputs[row].registers[e.register][l] = good.registers[e.register][l];
                }
            }
            if !ends(self, row) {
                return false;
            }
        }
        true
    }

    /// The same with every float of the inputs and constants off by a little, for the sake of what comes of it.
    #[must_use]
    pub fn shaken(&self, seed: u64, relative: f32) -> Scene {
        let mut random = Random::new(seed);
        let mut shake = |bits: &mut u32| {
            let value = f32::from_bits(*bits);
            if value.is_normal() {
                *bits = (value * (1.0 + relative * random.dyadic(-1.0, 1.0))).to_bits();
            }
        };
        let mut scene = self.clone();
        for buffer in scene.bindings.constants.values_mut() {
            let mut rows = buffer.rows().to_vec();
            rows.iter_mut().flatten().for_each(&mut shake);
            *buffer = ConstantBuffer::from_rows(rows).into();
        }
        let inputs = match &mut scene.corners {
            Some(corners) => &mut corners[..],
            None => &mut scene.inputs[..],
        };
        let floats = self.elements.iter().filter(|e| e.kind == TexelKind::Float);
        for e in floats.filter(|e| e.system != SystemValue::Position) {
            for l in (0..4).filter(|l| e.mask >> l & 1 != 0) {
                inputs.iter_mut().for_each(|i| shake(&mut i.registers[e.register][l]));
            }
        }
        scene.interpolate();
        scene
    }

    /// The same for a GL: it takes derivatives in its own way, and what it cannot filter is not filtered.
    #[must_use]
    pub fn on(mut self, backend: Backend, program: &Program) -> Scene {
        self.manner = bounds::manner(backend);
        if backend == Backend::Angle {
            self.avoid_offsets_between_levels(program);
        }
        self
    }

    /// Takes the filter between levels from samplers, if the program samples with offsets: SwiftShader offsets the
    /// second level twice (`tests/drivers.rs` shows it).
    pub fn avoid_offsets_between_levels(&mut self, program: &Program) {
        if program.instructions.iter().any(|i| i.extended.offsets.is_some_and(|o| o != [0; 3])) {
            self.bindings.samplers.values_mut().for_each(|s| s.mip = Filter::Point);
        }
    }

    /// The quad around a pixel, and its place in it. The others help it; of points, only their position differs.
    pub fn quad(&self, pixel: usize) -> ([Inputs; 4], usize) {
        let (x, y) = (pixel % self.width, pixel / self.width);
        let place = (y & 1) * 2 + (x & 1);
        let quad = std::array::from_fn(|n| {
            let helper = n != place;
            if self.corners.is_some() {
                let inputs = &self.inputs[(y & !1 | n >> 1) * self.width + (x & !1 | n & 1)];
                return Inputs { helper, ..inputs.clone() };
            }
            let mut inputs = Inputs { helper, ..self.inputs[pixel].clone() };
            if let Some(register) = self.position {
                inputs.registers[register] = pixel_position((x & !1) + (n & 1), (y & !1) + (n >> 1));
            }
            inputs
        });
        (quad, place)
    }

    fn constants(&mut self, program: &Program, random: &mut Random) {
        let uses = constant_kinds(program);
        for i in program.instructions.iter().filter(|i| i.opcode == Opcode::DclConstantBuffer) {
            let Some(o) = program.operands(i).first() else { continue };
            let words = program.words(i);
            let rows =
                if program.is_5_1() { words.first().copied().unwrap_or(0) } else { o.index[1].immediate };
            for slot in slots(program, i) {
                let rows = (0..rows.clamp(1, 4096)).map(|row| {
                    std::array::from_fn(|l| {
                        let kind = uses.get(&(o.register(), row, l)).copied().unwrap_or_default();
                        lane(random, kind)
                    })
                });
                let buffer = ConstantBuffer::from_rows(rows.collect());
                self.bindings.constants.insert(slot, buffer.into());
            }
        }
    }

    /// Makes every four rows of constants nearly the identity, but where integers are read: what takes them for a
    /// matrix leaves a position nearly where it is.
    pub fn calm_constants(&mut self, program: &Program) {
        let kinds = constant_kinds(program);
        for (slot, buffer) in &mut self.bindings.constants {
            let row = |(n, bits): (usize, &[u32; 4])| {
                std::array::from_fn(|l| {
                    if kinds.contains_key(&(slot.register, n as u32, l)) {
                        return bits[l];
                    }
                    (f32::from(u8::from(n % 4 == l)) + (n % 7) as f32 / 1024.0).to_bits()
                })
            };
            *buffer = ConstantBuffer::from_rows(buffer.rows().iter().enumerate().map(row).collect()).into();
        }
    }

    /// Makes what reflection says are float matrices of four registers nearly the identity.
    pub fn calm_matrices(&mut self, container: &Container<'_>, program: &Program) {
        let kinds = constant_kinds(program);
        for (slot, row) in matrix_rows(container) {
            let Some(buffer) = self.bindings.constants.get_mut(&slot) else { continue };
            let mut rows = buffer.rows().to_vec();
            for (n, bits) in rows.iter_mut().skip(row).take(4).enumerate() {
                for l in (0..4).filter(|l| !kinds.contains_key(&(slot.register, (row + n) as u32, *l))) {
                    bits[l] = (f32::from(u8::from(n == l)) + (n * 4 + l) as f32 / 1024.0).to_bits();
                }
            }
            *buffer = ConstantBuffer::from_rows(rows).into();
        }
    }

    /// Binds a class to every interface that takes one, its members in the buffers and textures that there are.
    fn interfaces(&mut self, program: &Program, random: &mut Random) {
        let registers = |slots: Vec<Slot>| slots.into_iter().map(|s| s.register).collect::<Vec<_>>();
        let buffers = registers(self.bindings.constants.keys().copied().collect());
        let textures = registers(self.bindings.resources.keys().copied().collect());
        let samplers = registers(self.bindings.samplers.keys().copied().collect());
        let any = |random: &mut Random, list: &[u32]| if list.is_empty() { 0 } else { random.pick(list) };
        for i in program.instructions.iter().filter(|i| i.opcode == Opcode::DclInterface) {
            let &[first, _, counts, ref tables @ ..] = program.words(i) else { continue };
            if tables.is_empty() {
                continue;
            }
            for number in (first..).take((counts >> 16) as usize) {
                let instance = Instance {
                    table: random.pick(tables),
                    buffer: any(random, &buffers),
                    offset: random.below(2),
                    texture: any(random, &textures),
                    sampler: any(random, &samplers),
                };
                self.bindings.interfaces.insert(number, instance);
            }
        }
    }

    fn resources(&mut self, program: &Program, random: &mut Random, filtered: bool) {
        let compared = compared(program, OperandKind::Resource);
        for i in &program.instructions {
            let Some(o) = program.operands(i).first() else { continue };
            let words = program.words(i);
            let word = |n: usize| words.get(n).copied().unwrap_or(0);
            if i.opcode == Opcode::DclConstantBuffer {
                continue;
            }
            for slot in slots(program, i) {
                let resource = match i.opcode {
                    Opcode::DclSampler => {
                        self.bindings.samplers.insert(slot, sampler(random, filtered));
                        continue;
                    }
                    Opcode::DclResourceRaw | Opcode::DclUavRaw => {
                        Resource::Raw(buffer_words(random, ELEMENTS * 4))
                    }
                    Opcode::DclResourceStructured | Opcode::DclUavStructured => {
                        let stride = word(0).max(4);
                        Resource::Structured { stride, words: buffer_words(random, stride / 4 * ELEMENTS) }
                    }
                    _ => {
                        let kind = match ReturnType::unpack(word(0))[0] {
                            ReturnType::Sint => TexelKind::Sint,
                            ReturnType::Uint => TexelKind::Uint,
                            _ => TexelKind::Float,
                        };
                        let dimension = i.resource_dimension().unwrap_or(ResourceDimension::Unknown);
                        let view = i.opcode == Opcode::DclUavTyped;
                        let compared = !view && compared.contains(&o.register());
                        match texture(random, dimension, kind, compared) {
                            Some(Resource::Texture(t)) if view => match of_one_level(&t) {
                                Ok(resource) => resource,
                                Err(_) => continue,
                            },
                            Some(resource) => resource,
                            None => continue,
                        }
                    }
                };
                if o.kind == OperandKind::UnorderedAccessView {
                    self.views
                        .slots
                        .insert(slot, View { counter: random.below(ELEMENTS), ..resource.into() });
                } else {
                    self.bindings.resources.insert(slot, resource.into());
                }
            }
        }
    }
}

/// The slots that an instruction declares, of a long array the first.
fn slots(program: &Program, i: &Instruction) -> impl Iterator<Item = Slot> + use<> {
    program.slots(i).into_iter().flat_map(|s| {
        let upper = s.upper.min(s.lower.saturating_add(7));
        (s.lower..=upper).map(move |register| Slot { space: s.space, register })
    })
}

/// A texture's first level alone, as a view has it.
fn of_one_level(texture: &Texture) -> Result<Resource, String> {
    let levels = vec![texture.level(0).to_vec()];
    let mut one = Texture::new(texture.dimension(), texture.level_size(0), texture.layers(), levels)?;
    one.kind = texture.kind;
    Ok(Resource::Texture(one))
}

/// Centre of a pixel as `SV_Position`.
fn pixel_position(x: usize, y: usize) -> [u32; 4] {
    [x as f32 + 0.5, y as f32 + 0.5, DEPTH, 1.0].map(f32::to_bits)
}

fn position(signature: &Signature<'_>) -> Option<usize> {
    let element = signature.elements.iter().find(|e| e.system_value == SystemValue::Position)?;
    Some(element.register as usize).filter(|r| *r < 32)
}

fn input_element(e: &SignatureElement<'_>) -> Option<InputElement> {
    let kind = match e.component_type {
        ComponentType::Uint32 | ComponentType::Uint16 => TexelKind::Uint,
        ComponentType::Sint32 | ComponentType::Sint16 => TexelKind::Sint,
        _ => TexelKind::Float,
    };
    let register = Some(e.register as usize).filter(|r| *r < 32)?;
    Some(InputElement { register, mask: e.mask, kind, system: e.system_value })
}

/// Lanes of inputs that are not interpolated.
fn constant_lanes(program: &Program) -> [u8; 32] {
    let mut lanes = [0; 32];
    for i in &program.instructions {
        let declares = matches!(i.opcode, Opcode::DclInputPs | Opcode::DclInputPsSiv | Opcode::DclInputPsSgv);
        let Some(o) = program.operands(i).first().filter(|_| declares) else { continue };
        if i.interpolation() == Interpolation::Constant
            && let Some(lanes) = lanes.get_mut(o.register() as usize)
        {
            *lanes |= o.mask();
        }
    }
    lanes
}

/// Buffers and first rows of the float matrices of four registers that reflection knows.
fn matrix_rows(container: &Container<'_>) -> Vec<(Slot, usize)> {
    let mut found = Vec::new();
    let Ok(Some(reflection)) = container.reflection() else { return found };
    let buffers: Vec<_> = reflection.constant_buffers().flatten().collect();
    let mut types = TypeTable::new(&reflection);
    for binding in reflection.bindings().flatten() {
        let Some(buffer) = buffers.iter().find(|b| b.name == binding.name) else { continue };
        let slot = Slot { space: binding.space.unwrap_or(0), register: binding.bind_point };
        for v in buffer.variables().flatten() {
            let Ok(id) = types.resolve(v.type_offset) else { continue };
            let Some(ty) = types.get(id) else { continue };
            let registers = match ty.class {
                Class::MatrixRows => ty.rows,
                Class::MatrixColumns => ty.columns,
                _ => continue,
            };
            if ty.base == BaseType::Float && registers == 4 {
                found.extend(
                    (0..usize::from(ty.elements.max(1))).map(|n| (slot, v.offset as usize / 16 + n * 4)),
                );
            }
        }
    }
    found
}

/// What the lanes of constants are, by the instructions that read them: register, row and lane.
fn constant_kinds(program: &Program) -> BTreeMap<(u32, u32, usize), TexelKind> {
    let mut kinds = BTreeMap::new();
    for i in program.instructions.iter().filter(|i| !i.opcode.is_declaration()) {
        for (o, slot) in program.operands(i).iter().zip(i.opcode.info().slots) {
            let kind = match slot {
                OperandSlot::Src(ScalarType::Float | ScalarType::Any | ScalarType::Double) => continue,
                OperandSlot::Src(ScalarType::Int) => TexelKind::Sint,
                OperandSlot::Src(_) if o.modifier == Modifier::None => TexelKind::Uint,
                _ => TexelKind::Sint,
            };
            if o.kind == OperandKind::ConstantBuffer {
                let row = o.index[(o.dimensions as usize).clamp(1, 3) - 1].immediate;
                for l in 0..4 {
                    kinds.insert((o.register(), row, o.source_lane(l)), kind);
                }
            }
        }
    }
    // What serves as an index is an integer.
    for o in program.relative.iter().filter(|o| o.kind == OperandKind::ConstantBuffer) {
        let row = o.index[(o.dimensions as usize).clamp(1, 3) - 1].immediate;
        kinds.insert((o.register(), row, o.source_lane(0)), TexelKind::Uint);
    }
    kinds
}

/// The registers of a kind, textures or samplers, that a program compares with.
pub(crate) fn compared(program: &Program, kind: OperandKind) -> BTreeSet<u32> {
    let comparing = [Opcode::SampleC, Opcode::SampleCLz, Opcode::Gather4C, Opcode::Gather4PoC];
    let users = program.instructions.iter().filter(|i| comparing.contains(&i.opcode));
    let operands = users.flat_map(|i| program.operands(i));
    operands.filter(|o| o.kind == kind).map(|o| o.register()).collect()
}

fn buffer_words(random: &mut Random, count: u32) -> Vec<u32> {
    let word = |random: &mut Random| {
        let kind = if random.once_in(3) { TexelKind::Uint } else { TexelKind::Float };
        lane(random, kind)
    };
    (0..count).map(|_| word(random)).collect()
}

fn sampler(random: &mut Random, filtered: bool) -> Sampler {
    let filters = if filtered { [Filter::Point, Filter::Linear] } else { [Filter::Point; 2] };
    let filter = random.pick(&filters);
    let address = |random: &mut Random| random.pick(&[Address::Wrap, Address::Mirror, Address::Clamp]);
    let comparisons =
        [Comparison::Less, Comparison::LessEqual, Comparison::Greater, Comparison::GreaterEqual];
    Sampler {
        mag: filter,
        min: filter,
        mip: random.pick(&filters),
        address: std::array::from_fn(|_| address(random)),
        comparison: random.pick(&comparisons),
        ..Sampler::default()
    }
}

fn texture(
    random: &mut Random,
    dimension: ResourceDimension,
    kind: TexelKind,
    depth: bool,
) -> Option<Resource> {
    use ResourceDimension::*;
    let texel = |random: &mut Random| match kind {
        TexelKind::Float if depth => [random.dyadic(0.0, 1.0), 0.0, 0.0, 1.0].map(f32::to_bits),
        TexelKind::Float => std::array::from_fn(|_| random.dyadic(0.0, 1.0).to_bits()),
        kind => std::array::from_fn(|_| lane(random, kind)),
    };
    let (size, layers): ([u32; 3], u32) = match dimension {
        Buffer => {
            let texels = (0..ELEMENTS).map(|_| std::array::from_fn(|_| lane(random, kind))).collect();
            return Some(Resource::Typed(texels, kind));
        }
        Texture1D => ([8, 1, 1], 1),
        Texture1DArray => ([8, 1, 1], 3),
        Texture2D => ([8, 4, 1], 1),
        Texture2DArray => ([8, 4, 1], 3),
        Texture3D => ([8, 4, 2], 1),
        TextureCube => ([4, 4, 1], 6),
        TextureCubeArray => ([4, 4, 1], 12),
        _ => return None,
    };
    let most = size.iter().fold(1, |most, n| most.max(32 - n.leading_zeros()));
    let levels = (0..most).map(|level| {
        let texels = size.map(|n| (n >> level).max(1)).into_iter().product::<u32>() * layers;
        (0..texels).map(|_| texel(random)).collect()
    });
    let mut texture = Texture::new(dimension, size, layers, levels.collect()).ok()?;
    texture.kind = kind;
    if depth {
        texture.present = 1;
    }
    Some(Resource::Texture(texture))
}
