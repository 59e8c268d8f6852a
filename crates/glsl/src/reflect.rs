//! Names and constants from a container's reflection, where it has one. Translation never depends on it.

use crate::decls::Decls;
use crate::manifest::Constant;
use crate::resources::Resources;
use shaderport_dxbc::Container;
use shaderport_dxbc::reflection::{
    BaseType, Binding, Class, ConstantBuffer, InputType, Reflection, Type, TypeTable,
};

/// What reflection says, by slot.
#[derive(Default)]
pub(crate) struct Reflected<'a> {
    bindings: Vec<Binding<'a>>,
    buffers: Vec<ConstantBuffer<'a>>,
    types: Option<TypeTable<'a>>,
}

impl<'a> Reflected<'a> {
    /// Reads what is readable; damage is reported by `inspect`, and only costs names here.
    pub(crate) fn read(container: &Container<'a>) -> Reflected<'a> {
        let Ok(Some(r)) = container.reflection() else { return Reflected::default() };
        Reflected::from(&r)
    }

    fn from(r: &Reflection<'a>) -> Reflected<'a> {
        Reflected {
            bindings: r.bindings().filter_map(Result::ok).collect(),
            buffers: r.constant_buffers().filter_map(Result::ok).collect(),
            types: Some(TypeTable::new(r)),
        }
    }

    fn name(&self, register: u32, space: u32, kind: impl Fn(InputType) -> bool) -> Option<&'a str> {
        self.bindings
            .iter()
            .find(|b| {
                kind(b.input_type)
                    && b.space.unwrap_or(0) == space
                    && register >= b.bind_point
                    && (b.bind_count == 0 || register - b.bind_point < b.bind_count)
            })
            .map(|b| b.name)
    }

    /// HLSL name of a constant buffer.
    pub(crate) fn constant_buffer(&self, register: u32, space: u32) -> Option<&'a str> {
        self.name(register, space, |t| t == InputType::ConstantBuffer)
    }

    /// HLSL name of a texture or buffer.
    pub(crate) fn resource(&self, register: u32, space: u32) -> Option<&'a str> {
        self.name(register, space, |t| !matches!(t, InputType::ConstantBuffer | InputType::Sampler))
    }

    /// HLSL name of a sampler.
    pub(crate) fn sampler(&self, register: u32, space: u32) -> Option<&'a str> {
        self.name(register, space, |t| t == InputType::Sampler)
    }

    /// The constants of a buffer.
    pub(crate) fn constants(&mut self, name: &str) -> Vec<Constant> {
        let Some(types) = &mut self.types else { return Vec::new() };
        let Some(buffer) = self.buffers.iter().find(|b| b.name == name) else { return Vec::new() };
        let mut list = Vec::new();
        // Defaults of a damaged file may overlap: no more than a full buffer of them.
        let mut budget = 1usize << 16;
        for v in buffer.variables().filter_map(Result::ok) {
            let ty = types.resolve(v.type_offset).ok().and_then(|id| types.get(id));
            list.push(Constant {
                name: v.name.to_owned(),
                ty: ty.map(type_text).unwrap_or_default(),
                offset: v.offset,
                size: v.size,
                elements: ty.map_or(0, |t| u32::from(t.elements)),
                used: v.is_used(),
                default: v
                    .default_value
                    .filter(|d| budget.checked_sub(d.len()).map(|b| budget = b).is_some())
                    .map(|d| {
                        d.chunks(4)
                            .map(|w| w.iter().rev().fold(0, |all, b| all << 8 | u32::from(*b)))
                            .collect()
                    }),
            });
        }
        list
    }

    /// Names of what a program uses.
    pub(crate) fn names(&mut self, decls: &Decls<'_>, resources: &Resources) -> Names<'a> {
        let mut blocks = Vec::with_capacity(resources.blocks.len());
        for b in &resources.blocks {
            let name = self.constant_buffer(b.register, b.space);
            blocks.push((name, name.map(|n| self.constants(n)).unwrap_or_default()));
        }
        let sampler = |(d, register): (usize, u32)| self.sampler(register, decls.samplers[d].slots.space);
        let samplers = resources.samplers.iter().map(|s| {
            let texture = self.resource(s.register, decls.textures[s.texture].slots.space);
            (texture, s.sampler.and_then(sampler))
        });
        let buffers = resources.buffers.iter();
        let buffers = buffers.map(|b| self.resource(b.register, decls.buffers[b.decl].slots.space));
        Names { blocks, samplers: samplers.collect(), buffers: buffers.collect() }
    }
}

/// HLSL names of a program's resources, in the order of [`Resources`].
#[derive(Debug, Default)]
pub(crate) struct Names<'a> {
    /// Constant buffers, with their constants.
    pub(crate) blocks: Vec<(Option<&'a str>, Vec<Constant>)>,
    /// Texture and sampler.
    pub(crate) samplers: Vec<(Option<&'a str>, Option<&'a str>)>,
    pub(crate) buffers: Vec<Option<&'a str>>,
}

/// A constant buffer in one line: `Camera: World [0], ViewProjection [4]`.
pub(crate) fn summary(name: &str, constants: &[Constant]) -> String {
    let mut text = String::with_capacity(64);
    text.push_str(name);
    let mut sep = ": ";
    for c in constants.iter().take(24) {
        text.push_str(sep);
        text.push_str(&c.name);
        text.push_str(" [");
        text.push_str(itoa::Buffer::new().format(c.offset / 16));
        text.push(']');
        let lane = c.offset % 16 / 4;
        if lane > 0 || c.size < 16 {
            text.push('.');
            let end = (lane + c.size.div_ceil(4)).min(4);
            text.push_str(&"xyzw"[lane as usize..end.max(lane) as usize]);
        }
        sep = ", ";
    }
    text
}

/// `float4x4`, `row_major float3x3`, `struct Light`.
fn type_text(t: &Type<'_>) -> String {
    let base = match t.base {
        BaseType::Void => "struct",
        b => b.name().unwrap_or("unknown"),
    };
    let mut text = String::with_capacity(24);
    let number = |text: &mut String, n: u16| text.push_str(itoa::Buffer::new().format(n));
    if t.class == Class::MatrixRows {
        text.push_str("row_major ");
    }
    text.push_str(base);
    match t.class {
        Class::Struct => {
            text.clear();
            text.push_str("struct");
            if let Some(name) = t.name {
                text.push(' ');
                text.push_str(name);
            }
        }
        Class::Vector => number(&mut text, t.columns),
        Class::MatrixRows | Class::MatrixColumns => {
            number(&mut text, t.rows);
            text.push('x');
            number(&mut text, t.columns);
        }
        _ => {}
    }
    text
}
