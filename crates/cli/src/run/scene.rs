//! The inputs of a run, from JSON.

use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeOwned, Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use shaderport::diagnostics::codes::cli as codes;
use shaderport::dxbc::program::{Instruction, OperandKind, ResourceDimension, ReturnType, SlotRange};
use shaderport::dxbc::reflection::{
    BaseType, Binding, BufferKind, Class, InputType, Type, TypeId, TypeTable,
};
use shaderport::dxbc::signature::ComponentType;
use shaderport::dxbc::{Linkage, Opcode, Reflection, Signature, SignatureElement, SystemValue};
use shaderport::exec::{
    Address, Bindings, Comparison, ConstantBuffer, DepthFormat, Filter, Inputs, Instance, REGISTERS,
    Resource, Sampler, Slot, TexelKind, Texture, View, Views,
};
use shaderport::{Container, Diagnostic, Program, Stage};
use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Range;
use std::path::Path;

/// A shader with all that gives its registers names.
pub(super) struct Shader<'a> {
    pub(super) program: Program,
    pub(super) inputs: Signature<'a>,
    pub(super) outputs: Signature<'a>,
    reflection: Option<Reflection<'a>>,
    linkage: Option<Linkage<'a>>,
}

/// What a run needs.
pub(super) struct Scene {
    pub(super) bindings: Bindings,
    /// Views as they are before.
    pub(super) views: Views,
    /// Vertices, or the pixels of a quad.
    pub(super) invocations: Vec<Inputs>,
    /// How many of them were asked for.
    pub(super) shown: usize,
}

/// The file as it is written.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct File {
    inputs: Named<Value>,
    invocations: Option<Vec<Named<Value>>>,
    constants: Named<Value>,
    textures: Named<Object<TextureFile>>,
    samplers: Named<Object<SamplerFile>>,
    buffers: Named<Vec<Value>>,
    views: Named<Object<ViewFile>>,
    interfaces: Named<Value>,
    samples: Option<u32>,
}

/// A JSON object; readers that are derived take a list as well.
struct Object<T>(T);

impl<'de, T: DeserializeOwned> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Members<T>(PhantomData<T>);
        impl<'de, T: DeserializeOwned> Visitor<'de> for Members<T> {
            type Value = Object<T>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<Object<T>, A::Error> {
                T::deserialize(MapAccessDeserializer::new(members)).map(Object)
            }
        }
        from.deserialize_map(Members(PhantomData))
    }
}

/// Values by their names, each given once.
struct Named<T>(BTreeMap<String, T>);

impl<T> Default for Named<T> {
    fn default() -> Self {
        Named(BTreeMap::new())
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Named<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Members<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Members<T> {
            type Value = Named<T>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Named<T>, A::Error> {
                let mut all = BTreeMap::new();
                while let Some(name) = members.next_key::<String>()? {
                    if all.contains_key(&name) {
                        return Err(A::Error::custom(format!("`{name}` is given twice")));
                    }
                    all.insert(name, members.next_value()?);
                }
                Ok(Named(all))
            }
        }
        from.deserialize_map(Members(PhantomData))
    }
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct TextureFile {
    /// PNG files, one for each level.
    files: Vec<String>,
    srgb: bool,
    size: Vec<u32>,
    layers: Option<u32>,
    /// Texels of each level, each a number or up to four.
    levels: Vec<Vec<Value>>,
    /// Lanes that the format has.
    channels: Option<u8>,
    /// Bits of a normalized depth format.
    depth_bits: Option<u8>,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct ViewFile {
    /// Words, structures or texels; what is missing is 0.
    elements: Vec<Value>,
    /// How many there are, of a buffer.
    count: Option<u32>,
    /// Of a texture.
    size: Vec<u32>,
    layers: Option<u32>,
    /// Lanes that the format has, of a typed buffer or texture.
    channels: Option<u8>,
    /// Hidden counter of a structured buffer.
    counter: Option<u32>,
}

/// A class instance that is no variable of the shader's own.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct InstanceFile {
    /// Name of the class, or else a function table.
    class: Option<String>,
    table: Option<u32>,
    buffer: u32,
    row: u32,
    texture: u32,
    sampler: u32,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct SamplerFile {
    filter: FilterFile,
    mip: FilterFile,
    address: Vec<AddressFile>,
    border: Vec<Value>,
    comparison: ComparisonFile,
    lod_bias: f32,
    min_lod: Option<f32>,
    max_lod: Option<f32>,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum FilterFile {
    #[default]
    Point,
    Linear,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum AddressFile {
    Wrap,
    Mirror,
    Clamp,
    Border,
    MirrorOnce,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum ComparisonFile {
    #[default]
    Never,
    Less,
    Equal,
    LessEqual,
    Greater,
    NotEqual,
    GreaterEqual,
    Always,
}

fn wrong(message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(codes::RUN_INPUTS, message.into())
}

/// How a JSON number becomes 32 bits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum NumberType {
    Float,
    Integer,
    /// A float if it is written with a point or an exponent.
    Written,
}

/// A value as a message quotes it: the file may have megabytes in one list.
fn quoted(value: &Value) -> String {
    const MOST: usize = 60;
    let text = value.to_string();
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("`{}...`", &text[..end]),
        None => format!("`{text}`"),
    }
}

/// A number, `"0x..."` for its bits, `"nan"`, `"inf"`, `"-inf"`, or a truth value.
fn bits(value: &Value, ty: NumberType) -> Result<u32, Diagnostic> {
    let refuse = || {
        wrong(format!("{} is no value of 32 bits", quoted(value))).help(
            "a value is a number, \"nan\", \"inf\", \"-inf\", its bits as in \"0x7fc00000\", true or false",
        )
    };
    let not_integer = || wrong(format!("{} should be an integer", quoted(value)));
    match value {
        Value::Bool(true) => Ok(if ty == NumberType::Float { 1f32.to_bits() } else { u32::MAX }),
        Value::Bool(false) => Ok(0),
        Value::Number(n) => match ty {
            NumberType::Written if !n.is_f64() => bits(value, NumberType::Integer),
            NumberType::Float | NumberType::Written => {
                let float = n.as_f64().ok_or_else(refuse)? as f32;
                if float.is_infinite() {
                    Err(refuse().help("the greatest float is 3.4028235e38; infinity is \"inf\""))
                } else {
                    Ok(float.to_bits())
                }
            }
            // What the reader makes of -0.
            NumberType::Integer if n.as_f64() == Some(0.0) => Ok(0),
            NumberType::Integer if n.is_f64() => Err(not_integer()),
            NumberType::Integer => {
                let unsigned = n.as_u64().and_then(|n| u32::try_from(n).ok());
                let signed = || n.as_i64().and_then(|n| i32::try_from(n).ok()).map(|n| n as u32);
                unsigned
                    .or_else(signed)
                    .ok_or_else(|| refuse().help("an integer is from -2147483648 to 4294967295"))
            }
        },
        Value::String(text) => match text.strip_prefix("0x") {
            // The standard library takes a sign before the digits.
            Some(digits) if digits.starts_with('+') => Err(refuse()),
            Some(digits) => u32::from_str_radix(digits, 16).map_err(|_| refuse()),
            None => {
                let float = match text.to_ascii_lowercase().as_str() {
                    "nan" => f32::NAN,
                    "inf" => f32::INFINITY,
                    "-inf" => f32::NEG_INFINITY,
                    _ => return Err(refuse()),
                };
                if ty == NumberType::Integer {
                    return Err(not_integer());
                }
                Ok(float.to_bits())
            }
        },
        _ => Err(refuse()),
    }
}

/// A number or a list of numbers.
fn list(value: &Value, ty: NumberType) -> Result<Vec<u32>, Diagnostic> {
    match value {
        Value::Array(values) => values.iter().map(|v| bits(v, ty)).collect(),
        single => Ok(vec![bits(single, ty)?]),
    }
}

/// The same, of a row, texel or register: four at the most, each of a type of its own.
fn four(value: &Value, ty: impl Fn(usize) -> NumberType) -> Result<Vec<u32>, Diagnostic> {
    let values = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
    let words = values.iter().take(4).enumerate().map(|(n, v)| bits(v, ty(n))).collect::<Result<_, _>>()?;
    if values.len() > 4 {
        return Err(wrong(format!("{} is more than four numbers", quoted(value))));
    }
    Ok(words)
}

/// `t3`, `cb0` and the like: the number behind the prefix.
fn register(name: &str, prefix: &str) -> Option<u32> {
    number(name.strip_prefix(prefix)?)
}

/// `t3`, or `t3,space1` as HLSL has it.
fn bound_register(name: &str, prefix: &str) -> Option<Slot> {
    let (name, space) = match name.split_once(',') {
        Some((name, space)) => (name, register(space.trim_start(), "space")?),
        None => (name, 0),
    };
    Some(Slot { space, register: register(name, prefix)? })
}

/// A bound register as [`bound_register`] reads it.
pub(super) fn slot_text(prefix: &str, slot: Slot) -> String {
    match slot {
        Slot { space: 0, register } => format!("{prefix}{register}"),
        Slot { space, register } => format!("{prefix}{register},space{space}"),
    }
}

/// Digits alone, as registers and elements are written.
fn number(digits: &str) -> Option<u32> {
    let plain = digits.bytes().all(|b| b.is_ascii_digit()) && (digits == "0" || !digits.starts_with('0'));
    digits.parse().ok().filter(|_| plain)
}

/// An array and the element of it: `name[element]`.
fn element_of(name: &str) -> Option<(&str, u32)> {
    let (array, element) = name.strip_suffix(']')?.rsplit_once('[')?;
    Some((array, number(element)?))
}

/// The prefix of the registers that a kind of resource stands in.
fn prefix_of(kind: InputType) -> Option<&'static str> {
    match kind {
        InputType::ConstantBuffer => Some("cb"),
        InputType::Sampler => Some("s"),
        InputType::TextureBuffer | InputType::Texture | InputType::Structured | InputType::ByteAddress => {
            Some("t")
        }
        InputType::RwTyped
        | InputType::RwStructured
        | InputType::RwByteAddress
        | InputType::AppendStructured
        | InputType::ConsumeStructured
        | InputType::RwStructuredWithCounter => Some("u"),
        _ => None,
    }
}

impl<'a> Shader<'a> {
    /// Reads a container. What is suspicious but does not keep it from running is added to `warnings`.
    pub(super) fn read(bytes: &'a [u8], warnings: &mut Vec<Diagnostic>) -> Result<Shader<'a>, Diagnostic> {
        let container = Container::parse(bytes)?;
        warnings.extend(container.check_checksum());
        let chunk = container.program_chunk()?;
        let offset = chunk.place(0).byte_offset.unwrap_or(chunk.offset);
        let empty = || Signature { tag: *b"ISGN", elements: Vec::new() };
        Ok(Shader {
            program: Program::decode(chunk.data, chunk.tag, offset)?,
            inputs: container.input_signature()?.unwrap_or_else(empty),
            outputs: container.output_signature()?.unwrap_or_else(empty),
            // Names are a convenience: without them, registers are named by their numbers.
            reflection: container.reflection().ok().flatten(),
            linkage: container.linkage().ok().flatten(),
        })
    }

    /// What reflection calls by a name, among the resources in registers of a kind.
    fn reflected(&self, name: &str, prefix: &str) -> Option<Binding<'a>> {
        let mut bindings = self.reflection.iter().flat_map(|r| r.bindings()).filter_map(Result::ok);
        bindings.find(|b| b.name == name && prefix_of(b.input_type) == Some(prefix))
    }

    /// The register that a resource's name, or `name[element]`, stands for.
    fn named(&self, name: &str, prefix: &str) -> Option<Slot> {
        let slot = |b: Binding<'_>, n| {
            Some(Slot { space: b.space.unwrap_or(0), register: b.bind_point.checked_add(n)? })
        };
        if let Some(binding) = self.reflected(name, prefix) {
            return slot(binding, 0);
        }
        let (array, n) = element_of(name)?;
        let binding = self.reflected(array, prefix)?;
        // An array without an end counts 0.
        if binding.bind_count != 0 && n >= binding.bind_count {
            return None;
        }
        slot(binding, n)
    }

    /// Whether a name stands for an array of resources.
    fn is_array(&self, name: &str, prefix: &str) -> bool {
        self.reflected(name, prefix).is_some_and(|b| b.bind_count != 1)
    }

    /// The bound register that a resource's name or `prefix#` stands for. A resource may be called as a register is:
    /// names come first.
    fn slot(&self, name: &str, prefix: &str) -> Result<Slot, Diagnostic> {
        if let Some(slot) = self.named(name, prefix) {
            return Ok(slot);
        }
        let Some(slot) = bound_register(name, prefix) else {
            return Err(wrong(format!("`{name}` is no resource of this shader")).help(self.spellings(prefix)));
        };
        if !self.ranges(prefix).any(|(_, r)| r.contains(slot.space, slot.register)) {
            return Err(
                wrong(format!("this shader does not declare `{name}`")).help(self.declared_text(prefix))
            );
        }
        Ok(slot)
    }

    /// The number of the interface that a name, `name[element]` or `fp#` stands for. Names come first.
    fn interface(&self, name: &str) -> Result<u32, Diagnostic> {
        let named = |array: &str, element: u32| {
            let buffers = self.reflection.iter().flat_map(|r| r.constant_buffers()).filter_map(Result::ok);
            let pointers = buffers.filter(|b| b.kind == BufferKind::InterfacePointers);
            let mut variables = pointers.flat_map(|b| b.variables()).filter_map(Result::ok);
            let v = variables.find(|v| v.name == array && element < v.size.max(1))?;
            v.offset.checked_add(element)
        };
        let element = || element_of(name).and_then(|(array, n)| named(array, n));
        let Some(found) = named(name, 0).or_else(element).or_else(|| register(name, "fp")) else {
            let help = "give its name in HLSL, if reflection was not stripped, or `fp` and its number";
            return Err(wrong(format!("`{name}` is no interface of this shader")).help(help));
        };
        let declared = self.program.instructions.iter().any(|i| match *self.program.words(i) {
            [first, _, counts, ..] if i.opcode == Opcode::DclInterface => {
                found.checked_sub(first).is_some_and(|n| n < counts >> 16)
            }
            _ => false,
        });
        if !declared {
            return Err(wrong(format!("this shader does not declare `{name}`")));
        }
        Ok(found)
    }

    /// The function table of a class in an interface.
    fn function_table(&self, interface: u32, class: u16) -> Result<u32, Diagnostic> {
        let table = self.linkage.and_then(|l| l.table(interface, class));
        table.ok_or_else(|| wrong(format!("the interface fp{interface} does not take this class")))
    }

    /// What is bound to an interface: a variable of the shader by its name, or a class and where its members are.
    fn instance(&self, interface: u32, value: &Value) -> Result<Instance, Diagnostic> {
        let names = |names: Vec<&str>, what: &str| {
            let known = if names.is_empty() { "none are known".into() } else { names.join(", ") };
            format!("{what} are {known}")
        };
        if let Value::String(name) = value {
            let instances = || self.linkage.iter().flat_map(|l| l.instances()).filter_map(Result::ok);
            let Some(found) = instances().find(|i| i.name == name) else {
                let help = names(instances().map(|i| i.name).collect(), "its class instances");
                return Err(wrong(format!("`{name}` is no class instance of this shader")).help(help));
            };
            let place = |n: Option<u16>| n.map_or(0, u32::from);
            return Ok(Instance {
                table: self.function_table(interface, found.class)?,
                buffer: place(found.buffer),
                offset: place(found.row),
                texture: place(found.texture),
                sampler: place(found.sampler),
            });
        }
        let Object(file): Object<InstanceFile> =
            Object::deserialize(value).map_err(|e| wrong(format!("this is no class instance: {e}")))?;
        let table = match (&file.class, file.table) {
            (None, Some(table)) => table,
            (Some(name), None) => {
                let classes = || self.linkage.iter().flat_map(|l| l.classes()).filter_map(Result::ok);
                let Some(class) = classes().position(|c| c.name == name) else {
                    let help = names(classes().map(|c| c.name).collect(), "its classes");
                    return Err(wrong(format!("`{name}` is no class of this shader")).help(help));
                };
                self.function_table(interface, class as u16)?
            }
            _ => return Err(wrong("a class instance has either a `class` or a `table`")),
        };
        let InstanceFile { buffer, row, texture, sampler, .. } = file;
        Ok(Instance { table, buffer, offset: row, texture, sampler })
    }

    /// How a resource is named.
    fn spellings(&self, prefix: &str) -> String {
        let register =
            format!("give its name in HLSL, if reflection was not stripped, or `{prefix}` and its register");
        if self.program.is_5_1() {
            let spaces = format!("with its space, if that is not 0, as in `{prefix}7,space1`");
            return format!("{register}, {spaces}; an element of an array is `name[1]`");
        }
        register
    }

    /// The registers that are declared.
    fn declared_text(&self, prefix: &str) -> String {
        let ranges = self.ranges(prefix).map(|(_, r)| {
            let text = |register| format!("`{}`", slot_text(prefix, Slot { space: r.space, register }));
            match r.upper {
                upper if upper == r.lower => text(upper),
                u32::MAX => format!("{} and on", text(r.lower)),
                upper => format!("{} to {}", text(r.lower), text(upper)),
            }
        });
        let ranges: Vec<_> = ranges.collect();
        if ranges.is_empty() {
            return format!("it declares no `{prefix}` register");
        }
        format!("it declares {}", ranges.join(", "))
    }

    /// Whether an operand is of one of these kinds.
    fn uses(&self, kinds: &[OperandKind]) -> bool {
        let program = &self.program;
        program.instructions.iter().any(|i| program.operands(i).iter().any(|o| kinds.contains(&o.kind)))
    }

    /// Whether the depth of the pixel can be seen: in its position, or in an output that is bounded by it.
    fn takes_depth(&self) -> bool {
        let position = |e: &SignatureElement<'_>| e.system_value == SystemValue::Position;
        let bounded = [OperandKind::OutputDepthGreaterEqual, OperandKind::OutputDepthLessEqual];
        self.program.stage == Stage::Pixel
            && (self.inputs.elements.iter().any(position) || self.uses(&bounded))
    }

    /// Whether an input register is declared.
    fn declares_input(&self, register: u32) -> bool {
        use Opcode::*;
        let program = &self.program;
        program.instructions.iter().any(|i| {
            let input = matches!(
                i.opcode,
                DclInput | DclInputSgv | DclInputSiv | DclInputPs | DclInputPsSgv | DclInputPsSiv
            );
            let declared = program.operands(i).first().filter(|o| input && o.kind == OperandKind::Input);
            declared.is_some_and(|o| o.register() == register)
        })
    }

    /// What reflection calls a register, if that is not one of an array.
    pub(super) fn name_of(&self, slot: Slot, prefix: &str) -> Option<&'a str> {
        let mut bindings = self.reflection.iter().flat_map(|r| r.bindings()).filter_map(Result::ok);
        let is = |b: &Binding<'_>| {
            let register = Slot { space: b.space.unwrap_or(0), register: b.bind_point };
            prefix_of(b.input_type) == Some(prefix) && b.bind_count == 1 && register == slot
        };
        bindings.find(is).map(|b| b.name)
    }

    /// The declared `t`, `u`, `s` or `cb` registers.
    fn ranges<'s>(&'s self, prefix: &'s str) -> impl Iterator<Item = (&'s Instruction, SlotRange)> + 's {
        let program = &self.program;
        program.instructions.iter().filter_map(move |i| {
            let slots = program.slots(i)?;
            let o = program.operands(i).first()?;
            (o.kind.prefix(false) == prefix).then_some((i, slots))
        })
    }

    /// The declaration of a resource or view: what stands there, and its lanes or stride.
    fn declared(&self, slot: Slot, prefix: &str) -> Option<(ResourceDimension, u32)> {
        let (i, _) = self.ranges(prefix).find(|(_, r)| r.contains(slot.space, slot.register))?;
        let dimension = match i.opcode {
            Opcode::DclResourceRaw | Opcode::DclUavRaw => ResourceDimension::RawBuffer,
            Opcode::DclResourceStructured | Opcode::DclUavStructured => ResourceDimension::StructuredBuffer,
            _ => i.resource_dimension()?,
        };
        Some((dimension, self.program.words(i).first().copied().unwrap_or(0)))
    }
}

/// What a file may still ask for, all that it binds together: a few of its bytes stand for much memory.
struct Budget {
    /// Words of constants, buffers and views.
    words: usize,
    /// Texels of images.
    texels: usize,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { words: MOST_WORDS, texels: MOST_TEXELS }
    }
}

impl Budget {
    fn words(&mut self, count: usize) -> Result<(), Diagnostic> {
        let too_many = || {
            wrong(format!("constants, buffers and views have {MOST_WORDS} words at the most, all together"))
        };
        self.words = self.words.checked_sub(count).ok_or_else(too_many)?;
        Ok(())
    }

    fn image(&mut self, width: u32, height: u32) -> Result<(), Diagnostic> {
        let too_many = || wrong(format!("`files` have {MOST_TEXELS} texels at the most, all together"));
        // Each is a side that was looked at before.
        let count = width as usize * height as usize;
        self.texels = self.texels.checked_sub(count).ok_or_else(too_many)?;
        Ok(())
    }
}

impl Scene {
    /// Reads the file; paths in it start at `folder`.
    pub(super) fn read(shader: &Shader<'_>, text: &str, folder: &Path) -> Result<Scene, Diagnostic> {
        Scene::of(shader, text, folder).map_err(|e| {
            if e.code == codes::RUN_INPUTS && e.help.is_none() {
                return e.help("`shaderport run --help` describes the file");
            }
            e
        })
    }

    fn of(shader: &Shader<'_>, text: &str, folder: &Path) -> Result<Scene, Diagnostic> {
        if text.trim().is_empty() {
            return Err(wrong("the inputs are empty").help("`{}` leaves everything out, which is 0 then"));
        }
        let Object(file): Object<File> =
            serde_json::from_str(text).map_err(|e| wrong(format!("the inputs cannot be read: {e}")))?;
        let pixel = shader.program.stage == Stage::Pixel;
        if file.samples.is_some() && !pixel {
            return Err(wrong("`samples` are of a pixel, and this is no pixel shader"));
        }
        let samples = file.samples.unwrap_or(1);
        if ![1, 2, 4, 8, 16].contains(&samples) {
            return Err(wrong(format!("a pixel has 1, 2, 4, 8 or 16 samples, not {samples}")));
        }
        let mut bindings = Bindings { rasterizer_samples: samples, ..Bindings::default() };
        let mut budget = Budget::default();
        constants(shader, &file.constants.0, &mut bindings, &mut budget)?;
        let twice = |name: &str| Err(wrong(format!("what `{name}` stands for is bound twice")));
        for (name, Object(texture)) in &file.textures.0 {
            let slot = shader.slot(name, "t")?;
            let texture = read_texture(shader, slot, texture, folder, &mut budget)
                .map_err(|e| e.note(format!("in texture `{name}`")))?;
            if bindings.resources.insert(slot, Resource::Texture(texture).into()).is_some() {
                return twice(name);
            }
        }
        for (name, values) in &file.buffers.0 {
            let slot = shader.slot(name, "t")?;
            let buffer = buffer(shader, slot, values, &mut budget)
                .map_err(|e| e.note(format!("in buffer `{name}`")))?;
            if bindings.resources.insert(slot, buffer.into()).is_some() {
                return twice(name);
            }
        }
        for (name, value) in &file.interfaces.0 {
            let number = shader.interface(name)?;
            let instance =
                shader.instance(number, value).map_err(|e| e.note(format!("in interface `{name}`")))?;
            if bindings.interfaces.insert(number, instance).is_some() {
                return twice(name);
            }
        }
        let mut views = Views::default();
        for (name, Object(view)) in &file.views.0 {
            let slot = shader.slot(name, "u")?;
            let view = read_view(shader, slot, view, &mut budget)
                .map_err(|e| e.note(format!("in view `{name}`")))?;
            if views.slots.insert(slot, view).is_some() {
                return twice(name);
            }
        }
        for (name, Object(sampler)) in &file.samplers.0 {
            let slot = shader.slot(name, "s")?;
            let sampler = read_sampler(sampler).map_err(|e| e.note(format!("in sampler `{name}`")))?;
            if bindings.samplers.insert(slot, sampler).is_some() {
                return twice(name);
            }
        }
        if file.invocations.as_ref().is_some_and(Vec::is_empty) {
            return Err(
                wrong("there are no `invocations` in the list").help("without a list, the shader runs once")
            );
        }
        let given = file.invocations.unwrap_or_default();
        let mut invocations = Vec::new();
        let shown = given.len().max(1);
        if pixel && shown > 4 {
            return Err(wrong(format!("there are {shown} `invocations`, and a quad has four pixels")));
        }
        for n in 0..if pixel { 4 } else { shown } {
            // Pixels that are not given are as the first, and only help it.
            let mut inputs = Inputs { helper: pixel && n >= shown, ..Inputs::default() };
            let own = given.get(n).or(given.first().filter(|_| pixel));
            let maps = || [Some(&file.inputs), own].into_iter().flatten().map(|named| &named.0);
            // What an invocation says of its own comes before what is said of all.
            for (of_all, map) in [true, false].into_iter().zip(maps()) {
                let mut given = [[None; 4]; REGISTERS];
                for (name, value) in map {
                    input(shader, &mut inputs, &mut given, name, value).map_err(|e| match of_all {
                        true => e.note("in `inputs`"),
                        false => e.note(format!("in number {n} of `invocations`, from 0")),
                    })?;
                }
            }
            for e in &shader.inputs.elements {
                let register = format!("v{}", e.register);
                if !maps().flatten().any(|(name, _)| is_named(e, name) || *name == register) {
                    default_input(shader, e, n, &mut inputs);
                }
            }
            invocations.push(inputs);
        }
        Ok(Scene { bindings, views, invocations, shown })
    }
}

/// Semantic name with its index, as one writes it.
pub(super) fn semantic(e: &SignatureElement<'_>) -> String {
    format!("{}{}", e.name, e.semantic_index)
}

fn is_named(e: &SignatureElement<'_>, name: &str) -> bool {
    semantic(e).eq_ignore_ascii_case(name) || e.semantic_index == 0 && e.has_name(name)
}

fn number_type(ty: ComponentType) -> NumberType {
    match ty {
        ComponentType::Float32 | ComponentType::Float16 => NumberType::Float,
        ComponentType::Unknown => NumberType::Written,
        _ => NumberType::Integer,
    }
}

/// What was given already under another name.
fn both(one: &str, other: &str) -> Diagnostic {
    wrong(format!("`{one}` and `{other}` stand for the same, and both are given"))
}

/// Sets what `name` stands for: a semantic, `v#`, or a value that has no register. `given` are the names that the lanes
/// were set by.
fn input<'n>(
    shader: &Shader<'_>,
    inputs: &mut Inputs,
    given: &mut [[Option<&'n str>; 4]; REGISTERS],
    name: &'n str,
    value: &Value,
) -> Result<(), Diagnostic> {
    let mut set = |n: usize, lane: usize, value: u32| {
        inputs.registers[n][lane] = value;
        given[n][lane].replace(name).map_or(Ok(()), |other| Err(both(other, name)))
    };
    let place = |e: Diagnostic| e.note(format!("in input `{name}`"));
    if let Some(e) = shader.inputs.elements.iter().find(|e| is_named(e, name)) {
        let values = list(value, number_type(e.component_type)).map_err(place)?;
        let lanes: Vec<usize> = (0..4).filter(|l| e.mask >> l & 1 != 0).collect();
        if values.len() > lanes.len() {
            let lanes = if lanes.len() == 1 { "1 lane".into() } else { format!("{} lanes", lanes.len()) };
            return Err(wrong(format!("`{name}` has {lanes}, not {}", values.len())));
        }
        let n = e.register as usize;
        if n >= REGISTERS {
            return Err(wrong(format!("`{name}` has no register")));
        }
        return values.iter().zip(lanes).try_for_each(|(v, lane)| set(n, lane, *v));
    }
    if let Some(n) = register(name, "v") {
        // A lane is what the signature says of it.
        let types = [0, 1, 2, 3].map(|lane| {
            let of_lane = |e: &&SignatureElement<'_>| e.register == n && e.mask >> lane & 1 != 0;
            let element = shader.inputs.elements.iter().find(of_lane);
            element.map_or(NumberType::Written, |e| number_type(e.component_type))
        });
        let values = four(value, |lane| types[lane]).map_err(place)?;
        if n as usize >= REGISTERS || !shader.declares_input(n) {
            return Err(wrong(format!("this shader does not declare `{name}`")));
        }
        return values.iter().enumerate().try_for_each(|(lane, v)| set(n as usize, lane, *v));
    }
    match name {
        "coverage" if shader.uses(&[OperandKind::InputCoverageMask]) => {
            inputs.coverage = bits(value, NumberType::Integer).map_err(place)?;
        }
        "inner_coverage" if shader.uses(&[OperandKind::InnerCoverage]) => {
            inputs.inner_coverage = bits(value, NumberType::Integer).map_err(place)?;
        }
        "depth" if shader.takes_depth() => {
            inputs.depth = f32::from_bits(bits(value, NumberType::Float).map_err(place)?);
        }
        _ => {
            let known: Vec<_> = shader.inputs.elements.iter().map(semantic).collect();
            return Err(wrong(format!("`{name}` is no input of this shader")).help(match known.len() {
                0 => "it has no inputs with a semantic".into(),
                _ => format!("its inputs are {}", known.join(", ")),
            }));
        }
    }
    Ok(())
}

/// What the pipeline gives where the file is silent: vertex ids that count, a position at the pixel's centre, the front.
fn default_input(shader: &Shader<'_>, e: &SignatureElement<'_>, n: usize, inputs: &mut Inputs) {
    let depth = inputs.depth;
    let Some(register) = inputs.registers.get_mut(e.register as usize) else { return };
    let lane = (e.mask & 15).trailing_zeros() as usize & 3;
    match (shader.program.stage, e.system_value) {
        (Stage::Pixel, SystemValue::Position) => {
            let (x, y) = ((n & 1) as f32 + 0.5, (n >> 1) as f32 + 0.5);
            *register = [x, y, depth, 1.0].map(f32::to_bits);
        }
        (Stage::Pixel, SystemValue::IsFrontFace) => register[lane] = u32::MAX,
        (Stage::Vertex, SystemValue::VertexId) => register[lane] = n as u32,
        _ => {}
    }
}

fn constants(
    shader: &Shader<'_>,
    given: &BTreeMap<String, Value>,
    bindings: &mut Bindings,
    budget: &mut Budget,
) -> Result<(), Diagnostic> {
    let mut variables = BTreeMap::new();
    // Default values, so that what is not given is as Direct3D's effects would have it. Rows behind the last that is
    // given read 0.
    let slots = shader.ranges("cb").map(|(_, r)| Slot { space: r.space, register: r.lower });
    let mut buffers: BTreeMap<Slot, Constants<'_>> = slots.map(|slot| (slot, Constants::default())).collect();
    let reflection = shader.reflection;
    for buffer in reflection.iter().flat_map(|r| r.constant_buffers()).filter_map(Result::ok) {
        let Ok(slot) = shader.slot(buffer.name, "cb") else { continue };
        let Some(target) = buffers.get_mut(&slot) else { continue };
        let size = (buffer.size as usize).min(LARGEST_BUFFER);
        for v in buffer.variables().filter_map(Result::ok) {
            let start = v.offset as usize;
            if let Some(default) = v.default_value
                && let Some(end) = start.checked_add(default.len()).filter(|&end| end <= size)
            {
                target.reach(end, budget)?;
                target.bytes[start..end].copy_from_slice(default);
            }
            variables.insert(v.name, (buffer.name, slot, v));
        }
    }
    for (name, value) in given {
        if bound_register(name, "cb").is_some() && !variables.contains_key(name.as_str()) {
            let target = buffers.entry(shader.slot(name, "cb")?).or_default();
            let rows = value.as_array().ok_or_else(|| wrong(format!("`{name}` takes a list of rows")))?;
            for (row, value) in rows.iter().enumerate() {
                let words = four(value, |_| NumberType::Written)
                    .map_err(|e| e.note(format!("in row {row} of `{name}`")))?;
                target.put(row * 16, &words, name, budget)?;
            }
            continue;
        }
        let (head, path) = name.split_at(name.find(['.', '[']).unwrap_or(name.len()));
        let (Some((buffer, slot, v)), Some(reflection)) = (variables.get(head), reflection) else {
            return Err(wrong(format!("`{name}` is no constant of this shader")).help(shader.spellings("cb")));
        };
        let none = || wrong(format!("`{name}` has no such member or element"));
        let (mut slot, mut path) = (*slot, path);
        // The first index of a constant in an array of buffers is that of the buffer: `ConstantBuffer<T> name[5]`.
        if path.starts_with('[') && shader.is_array(buffer, "cb") {
            let (element, rest) = path.split_at(path.find(']').ok_or_else(none)? + 1);
            slot = shader.named(&format!("{buffer}{element}"), "cb").ok_or_else(none)?;
            path = rest;
        }
        let mut types = TypeTable::new(&reflection);
        let id = types.resolve(v.type_offset)?;
        let (place, ty) = member(&types, id, path, v.offset as usize).ok_or_else(none)?;
        let target = buffers.entry(slot).or_default();
        write_constant(target, name, place, value, ty, budget)
            .map_err(|e| e.note(format!("in constant `{name}`")))?;
    }
    for (slot, Constants { bytes, .. }) in buffers {
        bindings.constants.insert(slot, ConstantBuffer::from_bytes(&bytes).into());
    }
    Ok(())
}

/// Bytes of a constant buffer, at the most.
const LARGEST_BUFFER: usize = 4096 * 16;

/// The bytes of a constant buffer.
#[derive(Default)]
struct Constants<'n> {
    bytes: Vec<u8>,
    /// The name that each word was given by.
    given: BTreeMap<usize, &'n str>,
}

impl<'n> Constants<'n> {
    /// Makes the buffer so long at the least.
    fn reach(&mut self, end: usize, budget: &mut Budget) -> Result<(), Diagnostic> {
        let more = end.saturating_sub(self.bytes.len());
        budget.words(more.div_ceil(4))?;
        self.bytes.resize(self.bytes.len() + more, 0);
        Ok(())
    }

    fn put(
        &mut self,
        at: usize,
        words: &[u32],
        name: &'n str,
        budget: &mut Budget,
    ) -> Result<(), Diagnostic> {
        let end = at + words.len() * 4;
        if end > LARGEST_BUFFER {
            return Err(wrong(format!("`{name}` reaches beyond the 4096 rows of a constant buffer")));
        }
        self.reach(end, budget)?;
        for (n, word) in words.iter().enumerate() {
            let at = at + n * 4;
            if let Some(other) = self.given.insert(at / 4, name) {
                return Err(both(other, name));
            }
            self.bytes[at..at + 4].copy_from_slice(&word.to_le_bytes());
        }
        Ok(())
    }
}

/// Bytes of one element of a type; arrays and the registers of matrices begin at rows of 16 bytes.
fn element_size(types: &TypeTable<'_>, ty: &Type<'_>) -> usize {
    match ty.class {
        Class::Struct => ty.members.last().and_then(|m| Some((m, types.get(m.ty)?))).map_or(0, |(m, t)| {
            let each = element_size(types, t);
            m.offset as usize + each.next_multiple_of(16) * (t.elements.max(1) as usize - 1) + each
        }),
        Class::MatrixColumns => (ty.columns.max(1) as usize - 1) * 16 + ty.rows as usize * 4,
        Class::MatrixRows => (ty.rows.max(1) as usize - 1) * 16 + ty.columns as usize * 4,
        // A double takes two words.
        _ => ty.columns as usize * if ty.base == BaseType::Double { 8 } else { 4 },
    }
}

/// Follows `.member` and `[element]` from a type: the bytes there and how numbers are read.
fn member(
    types: &TypeTable<'_>,
    id: TypeId,
    path: &str,
    offset: usize,
) -> Option<(Range<usize>, NumberType)> {
    let ty = types.get(id)?;
    let each = element_size(types, ty);
    let row = each.next_multiple_of(16);
    if let Some(rest) = path.strip_prefix('[') {
        let (number, rest) = rest.split_once(']')?;
        let n = self::number(number).filter(|n| *n < ty.elements.into())? as usize;
        let start = offset + n * row;
        let (place, number) = member(types, id, rest, start)?;
        // Without more of a path, the whole array was found.
        return Some((place.start..place.end.min(start + each), number));
    }
    if let Some(rest) = path.strip_prefix('.') {
        let (name, rest) = rest.split_at(rest.find(['.', '[']).unwrap_or(rest.len()));
        let m = ty.members.iter().find(|m| m.name == name)?;
        return member(types, m.ty, rest, offset + m.offset as usize);
    }
    let number = match ty.base {
        BaseType::Float | BaseType::Min16Float | BaseType::Min10Float => NumberType::Float,
        BaseType::Void => NumberType::Written,
        _ => NumberType::Integer,
    };
    let size = row * (ty.elements.max(1) as usize - 1) + each;
    path.is_empty().then_some((offset..offset + size, number))
}

/// Writes numbers one behind the other; a list of lists puts each at a row of its own, as arrays and matrices are.
fn write_constant<'n>(
    target: &mut Constants<'n>,
    name: &'n str,
    place: Range<usize>,
    value: &Value,
    ty: NumberType,
    budget: &mut Budget,
) -> Result<(), Diagnostic> {
    match value {
        Value::Array(rows) if rows.iter().any(Value::is_array) => {
            let mut at = place.start;
            for row in rows {
                write_constant(target, name, at..place.end.min(at + 16), row, ty, budget)?;
                at += 16;
            }
        }
        value => {
            let words = list(value, ty)?;
            if place.start + words.len() * 4 > place.end {
                let room = place.end.saturating_sub(place.start) / 4;
                return Err(wrong(format!("{} is more than there is room for", quoted(value)))
                    .note(format!("there is room for {room} numbers here, and these are {}", words.len())));
            }
            target.put(place.start, &words, name, budget)?;
        }
    }
    Ok(())
}

fn kind_of(returns: u32) -> TexelKind {
    match ReturnType::unpack(returns)[0] {
        ReturnType::Sint => TexelKind::Sint,
        ReturnType::Uint => TexelKind::Uint,
        _ => TexelKind::Float,
    }
}

fn texel(value: &Value, kind: TexelKind) -> Result<[u32; 4], Diagnostic> {
    let ty = if kind == TexelKind::Float { NumberType::Float } else { NumberType::Integer };
    let one = if kind == TexelKind::Float { 1f32.to_bits() } else { 1 };
    let mut texel = [0, 0, 0, one];
    texel.iter_mut().zip(four(value, |_| ty)?).for_each(|(lane, v)| *lane = v);
    Ok(texel)
}

/// The lanes of a format with so many channels.
fn present(channels: Option<u8>) -> Result<u8, Diagnostic> {
    match channels {
        None => Ok(15),
        Some(n @ 1..=4) => Ok((1 << n) - 1),
        Some(_) => Err(wrong("a format has 1 to 4 channels")),
    }
}

fn read_texture(
    shader: &Shader<'_>,
    slot: Slot,
    file: &TextureFile,
    folder: &Path,
    budget: &mut Budget,
) -> Result<Texture, Diagnostic> {
    let (dimension, returns) = shader.declared(slot, "t").unwrap_or((ResourceDimension::Texture2D, 0));
    let kind = kind_of(returns);
    if file.size.len() > 3 {
        return Err(wrong("a size has at most three numbers"));
    }
    let present = present(file.channels)?;
    if file.depth_bits.is_some_and(|n| !(1..=24).contains(&n)) {
        return Err(wrong("a normalized depth has 1 to 24 bits"));
    }
    if file.files.is_empty() && file.levels.is_empty() {
        return Err(wrong("the texture has no texels").help("give `files`, or `size` and `levels`"));
    }
    if !file.files.is_empty() && !file.levels.is_empty() {
        return Err(wrong("`files` and `levels` both give the texels").help("leave out one of them"));
    }
    if file.srgb && file.files.is_empty() {
        return Err(wrong("`srgb` is for `files`: texels are given as the shader reads them"));
    }
    if kind != TexelKind::Float && !file.files.is_empty() {
        return Err(wrong("a PNG gives fractions, and this texture holds integers")
            .help("give its `size` and the texels of its `levels`"));
    }
    let mut size = [1u32; 3];
    size.iter_mut().zip(&file.size).for_each(|(a, b)| *a = *b);
    let mut levels = Vec::new();
    for (n, name) in file.files.iter().enumerate() {
        let (png_size, texels) = read_png(&folder.join(name), file.srgb, budget)?;
        if n == 0 && file.size.is_empty() {
            size = [png_size[0], png_size[1], 1];
        }
        let level = size.map(|axis| axis.checked_shr(n as u32).unwrap_or(0).max(1));
        if png_size != level[..2] {
            let ([w, h], [x, y, _]) = (png_size, level);
            return Err(wrong(format!("{name} is {w} by {h}, and level {n} is {x} by {y}")));
        }
        levels.push(texels);
    }
    for (n, level) in file.levels.iter().enumerate() {
        let texels = level.iter().enumerate().map(|(at, v)| {
            texel(v, kind).map_err(|e| e.note(format!("in texel {at} of level {n}, both from 0")))
        });
        levels.push(texels.collect::<Result<_, _>>()?);
    }
    let cube = matches!(dimension, ResourceDimension::TextureCube | ResourceDimension::TextureCubeArray);
    let layers = file.layers.unwrap_or(if cube { 6 } else { 1 });
    let mut texture = Texture::new(dimension, size, layers, levels).map_err(wrong)?;
    texture.kind = kind;
    texture.present = present;
    texture.depth = file.depth_bits.map_or(DepthFormat::Float, DepthFormat::Unorm);
    Ok(texture)
}

/// Width and height of a texture in Direct3D 11, at the most.
const LARGEST_TEXTURE: u32 = 16384;

/// Texels of all images together, at the most: sixteen of 2048 by 2048.
const MOST_TEXELS: usize = 1 << 26;

/// A PNG's size, and its texels as floats from 0 to 1.
fn read_png(path: &Path, srgb: bool, budget: &mut Budget) -> Result<([u32; 2], Vec<[u32; 4]>), Diagnostic> {
    let fail = |e: &dyn std::fmt::Display| {
        wrong(format!("{} cannot be read: {e}", path.display()))
            .help("`files` are PNG images, sought beside the JSON")
    };
    let file = std::fs::File::open(path).map_err(|e| fail(&e))?;
    let mut decoder = png::Decoder::new(std::io::BufReader::new(file));
    decoder.set_transformations(png::Transformations::EXPAND);
    // Before memory is asked for by what the header says.
    let header = decoder.read_header_info().map_err(|e| fail(&e))?;
    let (width, height) = (header.width, header.height);
    if width.max(height) > LARGEST_TEXTURE {
        let limit = format!("a texture is {LARGEST_TEXTURE} texels wide and high at the most");
        return Err(fail(&format!("it is {width} by {height}")).help(limit));
    }
    budget.image(width, height).map_err(|e| e.note(format!("{} is {width} by {height}", path.display())))?;
    let mut reader = decoder.read_info().map_err(|e| fail(&e))?;
    let length = reader.output_buffer_size().ok_or_else(|| fail(&"it is too large"))?;
    let mut bytes = vec![0; length];
    let info = reader.next_frame(&mut bytes).map_err(|e| fail(&e))?;
    let wide = info.bit_depth == png::BitDepth::Sixteen;
    let channels = info.color_type.samples();
    let texels = bytes.chunks_exact(channels * if wide { 2 } else { 1 }).map(|texel| {
        let sample = |n: usize| match wide {
            true => f32::from(u16::from_be_bytes([texel[n * 2], texel[n * 2 + 1]])) / 65535.0,
            false => f32::from(texel[n]) / 255.0,
        };
        let color = if channels < 3 { [0; 3] } else { [0, 1, 2] };
        let [r, g, b] = color.map(sample);
        let a = if channels % 2 == 0 { sample(channels - 1) } else { 1.0 };
        let curve = |c: f32| if srgb { linear(c) } else { c };
        [curve(r), curve(g), curve(b), a].map(f32::to_bits)
    });
    Ok(([info.width, info.height], texels.collect()))
}

/// D3D11.3 functional specification, 3.2.3.7.
fn linear(c: f32) -> f32 {
    if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
}

/// Bytes of a structure, at the most.
const LARGEST_STRUCTURE: u32 = 2048;

/// Where in a list a value is wrong.
fn element(n: usize) -> impl FnOnce(Diagnostic) -> Diagnostic {
    move |e| e.note(format!("in element {n} of the list, from 0"))
}

fn flat(values: &[Value], budget: &mut Budget) -> Result<Vec<u32>, Diagnostic> {
    let lists = values.iter().enumerate().map(|(n, v)| list(v, NumberType::Written).map_err(element(n)));
    let words = lists.collect::<Result<Vec<_>, _>>()?.concat();
    budget.words(words.len())?;
    Ok(words)
}

/// Structures of so many words: each a list, in which what is left out is 0, or numbers one behind the other. Before a
/// list and at the end these are filled up to whole structures.
fn structures(values: &[Value], each: usize, budget: &mut Budget) -> Result<Vec<u32>, Diagnostic> {
    let mut all: Vec<u32> = Vec::new();
    let mut put = |words: Vec<u32>, end: usize| {
        budget.words(end - all.len())?;
        all.extend(words);
        all.resize(end, 0);
        Ok(())
    };
    let mut at = 0usize;
    for (n, value) in values.iter().enumerate() {
        let words = list(value, NumberType::Written).map_err(element(n))?;
        if !value.is_array() {
            at += 1;
            put(words, at)?;
            continue;
        }
        if words.len() > each {
            let text = format!("{} is more than a structure, which has {each} words", quoted(value));
            return Err(element(n)(wrong(text)));
        }
        at = at.next_multiple_of(each);
        put(Vec::new(), at)?;
        at += each;
        put(words, at)?;
    }
    put(Vec::new(), at.next_multiple_of(each))?;
    Ok(all)
}

fn texels(values: &[Value], kind: TexelKind, budget: &mut Budget) -> Result<Vec<[u32; 4]>, Diagnostic> {
    budget.words(values.len().saturating_mul(4))?;
    values.iter().enumerate().map(|(n, v)| texel(v, kind).map_err(element(n))).collect()
}

/// Words of the shader's structures.
fn structure_words(stride: u32) -> Result<usize, Diagnostic> {
    if stride == 0 || stride > LARGEST_STRUCTURE {
        let text = format!("the shader's structures have {stride} bytes");
        return Err(wrong(text).help(format!("Direct3D has those of 4 to {LARGEST_STRUCTURE}")));
    }
    Ok((stride / 4).max(1) as usize)
}

fn buffer(
    shader: &Shader<'_>,
    slot: Slot,
    values: &[Value],
    budget: &mut Budget,
) -> Result<Resource, Diagnostic> {
    Ok(match shader.declared(slot, "t") {
        Some((ResourceDimension::StructuredBuffer, stride)) => {
            Resource::Structured { stride, words: structures(values, structure_words(stride)?, budget)? }
        }
        Some((ResourceDimension::Buffer, returns)) => {
            let kind = kind_of(returns);
            Resource::Typed(texels(values, kind, budget)?, kind)
        }
        Some((ResourceDimension::RawBuffer, _)) | None => Resource::Raw(flat(values, budget)?),
        Some((dimension, _)) => {
            return Err(wrong(format!("this is a {}", dimension.name())).help("give it in `textures`"));
        }
    })
}

/// Words of constants, buffers and views together, at the most.
const MOST_WORDS: usize = 1 << 22;

fn read_view(
    shader: &Shader<'_>,
    slot: Slot,
    file: &ViewFile,
    budget: &mut Budget,
) -> Result<View, Diagnostic> {
    let (dimension, said) = shader.declared(slot, "u").unwrap_or((ResourceDimension::RawBuffer, 0));
    let buffer = matches!(
        dimension,
        ResourceDimension::RawBuffer | ResourceDimension::StructuredBuffer | ResourceDimension::Buffer
    );
    let structured = dimension == ResourceDimension::StructuredBuffer;
    let strange = [
        ("count", file.count.is_some() && !buffer),
        ("size", !file.size.is_empty() && buffer),
        ("layers", file.layers.is_some() && buffer),
        ("channels", file.channels.is_some() && buffer && dimension != ResourceDimension::Buffer),
        ("counter", file.counter.is_some() && !structured),
    ];
    if let Some((member, _)) = strange.into_iter().find(|s| s.1) {
        return Err(wrong(format!("a {} has no `{member}`", dimension.name())));
    }
    let present = present(file.channels)?;
    // Words of all elements, so many each: `count` of them, or as many as are given.
    let fill = |mut words: Vec<u32>, each: usize, budget: &mut Budget| {
        let given = words.len().div_ceil(each);
        let count = file.count.map_or(given, |n| n as usize);
        if given > count {
            return Err(wrong(format!("{given} elements are given, and `count` is {count}")));
        }
        let all = count.saturating_mul(each);
        budget.words(all - words.len())?;
        words.resize(all, 0);
        Ok(words)
    };
    let kind = kind_of(said);
    let resource = match dimension {
        ResourceDimension::RawBuffer => Resource::Raw(fill(flat(&file.elements, budget)?, 1, budget)?),
        ResourceDimension::StructuredBuffer => {
            let each = structure_words(said)?;
            let words = fill(structures(&file.elements, each, budget)?, each, budget)?;
            Resource::Structured { stride: said, words }
        }
        ResourceDimension::Buffer => {
            let words = fill(texels(&file.elements, kind, budget)?.concat(), 4, budget)?;
            Resource::Typed(words.as_chunks().0.to_vec(), kind)
        }
        _ => {
            if file.size.len() > 3 {
                return Err(wrong("a size has at most three numbers"));
            }
            let mut size = [1; 3];
            size.iter_mut().zip(&file.size).for_each(|(a, b)| *a = *b);
            let layers = file.layers.unwrap_or(1);
            let words = size.iter().chain([&layers, &4]).fold(1usize, |n, &x| n.saturating_mul(x as usize));
            let count = words / 4;
            let mut level = texels(&file.elements, kind, budget)?;
            if level.len() > count {
                return Err(wrong(format!("there are {count} texels, and {} are given", level.len())));
            }
            budget.words(words - level.len() * 4)?;
            level.resize(count, [0; 4]);
            let mut texture = Texture::new(dimension, size, layers, vec![level]).map_err(wrong)?;
            texture.kind = kind;
            texture.present = present;
            Resource::Texture(texture)
        }
    };
    Ok(View { resource, counter: file.counter.unwrap_or(0), present })
}

fn read_sampler(file: &SamplerFile) -> Result<Sampler, Diagnostic> {
    let filter = |f: FilterFile| match f {
        FilterFile::Point => Filter::Point,
        FilterFile::Linear => Filter::Linear,
    };
    let address = |n: usize| match file.address.get(n).or(file.address.last()) {
        Some(AddressFile::Wrap) => Address::Wrap,
        Some(AddressFile::Mirror) => Address::Mirror,
        Some(AddressFile::Border) => Address::Border,
        Some(AddressFile::MirrorOnce) => Address::MirrorOnce,
        Some(AddressFile::Clamp) | None => Address::Clamp,
    };
    if file.address.len() > 3 || file.border.len() > 4 {
        return Err(wrong("there are up to three modes in `address`, and four numbers in `border`"));
    }
    let numbers = [Some(file.lod_bias), file.min_lod, file.max_lod];
    if numbers.into_iter().flatten().any(f32::is_infinite) {
        return Err(wrong("a level of detail is no float of 32 bits"));
    }
    let mut border = [0; 4];
    for (lane, value) in border.iter_mut().zip(&file.border) {
        *lane = bits(value, NumberType::Float).map_err(|e| e.note("in `border`"))?;
    }
    let default = Sampler::default();
    Ok(Sampler {
        mag: filter(file.filter),
        min: filter(file.filter),
        mip: filter(file.mip),
        address: [0, 1, 2].map(address),
        border,
        comparison: match file.comparison {
            ComparisonFile::Never => Comparison::Never,
            ComparisonFile::Less => Comparison::Less,
            ComparisonFile::Equal => Comparison::Equal,
            ComparisonFile::LessEqual => Comparison::LessEqual,
            ComparisonFile::Greater => Comparison::Greater,
            ComparisonFile::NotEqual => Comparison::NotEqual,
            ComparisonFile::GreaterEqual => Comparison::GreaterEqual,
            ComparisonFile::Always => Comparison::Always,
        },
        lod_bias: file.lod_bias,
        min_lod: file.min_lod.unwrap_or(default.min_lod),
        max_lod: file.max_lod.unwrap_or(default.max_lod),
    })
}
