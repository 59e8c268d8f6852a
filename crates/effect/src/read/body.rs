//! One body: techniques, passes, stages and their records, in the layout of any version.

use super::cursor::{Arena, Cursor, Fault};
use crate::model::*;

/// How a body is laid out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    version: u32,
    /// The inputs and registers stand before the program (up to version 13) rather than behind it.
    program_behind: bool,
    /// Each pass ends with the reference to a backend block.
    blocks: bool,
}

impl Layout {
    /// The layouts that a body of this version may have, the likeliest first.
    ///
    /// A version 15 body has backend blocks or not and nothing says which: it must be used up exactly, so at most
    /// one layout fits. Readers disagree on the order of a version 14 stage, of which no file is known.
    pub(super) fn candidates(version: u32) -> impl Iterator<Item = Layout> {
        let plain = Layout { version, program_behind: version < 14, blocks: false };
        let other = match version {
            14 => Some(Layout { program_behind: true, ..plain }),
            15 => Some(Layout { blocks: true, ..plain }),
            _ => None,
        };
        std::iter::once(plain).chain(other)
    }
}

/// Where in a body the reader is.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Path {
    pub(super) technique: Option<usize>,
    pub(super) pass: Option<usize>,
    pub(super) stage: Option<StageKind>,
    pub(super) library: Option<usize>,
    pub(super) parameter: Option<usize>,
}

impl std::fmt::Display for Path {
    /// A list such as `, technique 0, pass 1, pixel stage`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (what, index) in [
            ("technique", self.technique),
            ("pass", self.pass),
            ("library", self.library),
            ("parameter", self.parameter),
        ] {
            if let Some(i) = index {
                write!(f, ", {what} {i}")?;
            }
        }
        match self.stage {
            Some(s) => write!(f, ", {} stage", s.name()),
            None => Ok(()),
        }
    }
}

/// Reads one body.
pub(super) struct BodyReader<'r, 'a> {
    pub(super) cursor: Cursor<'a>,
    pub(super) arena: &'r Arena<'a>,
    pub(super) layout: Layout,
    pub(super) path: Path,
}

impl<'a> BodyReader<'_, 'a> {
    /// The body, which must end where the cursor ends.
    pub(super) fn read(&mut self) -> Result<Body<'a>, Fault> {
        let mut body = Body { backend_blocks: self.layout.blocks, ..Body::default() };
        // A technique is a name and a count.
        for i in 0..self.count("techniques", limit::BYTE, 5)? {
            self.path = Path { technique: Some(i), ..Path::default() };
            body.techniques.push(self.technique()?);
        }
        self.path = Path::default();
        if self.layout.version >= 14 {
            // Payload size, program, count, hit group and the seven counts of both input sets.
            for i in 0..self.count("libraries", limit::BYTE, 60)? {
                self.path.library = Some(i);
                body.libraries.push(self.library()?);
            }
            self.path.library = None;
        }
        let at = self.cursor.pos;
        let count = self.cursor.u16()?;
        for i in 0..self.cursor.check_count(at, "parameters", count.into(), limit::PARAMETERS, 5)? {
            self.path.parameter = Some(i);
            let name = self.text()?;
            body.parameters.push(Parameter { name, annotations: self.annotations()? });
        }
        self.path.parameter = None;
        self.cursor.finish()?;
        Ok(body)
    }

    /// A count byte, checked.
    fn count(&mut self, what: &'static str, limit: u32, least: usize) -> Result<usize, Fault> {
        let at = self.cursor.pos;
        let count = self.cursor.u8()?;
        self.cursor.check_count(at, what, count.into(), limit, least)
    }

    fn text(&mut self) -> Result<Text<'a>, Fault> {
        self.cursor.text(self.arena)
    }

    fn blob(&mut self) -> Result<Blob<'a>, Fault> {
        self.cursor.blob(self.arena)
    }

    fn technique(&mut self) -> Result<Technique<'a>, Fault> {
        let name = self.text()?;
        let count = self.count("passes", limit::PASSES, 2)?;
        let mut passes = Vec::with_capacity(count);
        for i in 0..count {
            self.path.pass = Some(i);
            passes.push(self.pass()?);
        }
        Ok(Technique { name, passes })
    }

    fn pass(&mut self) -> Result<Pass<'a>, Fault> {
        let mut pass = Pass::default();
        for _ in 0..self.count("stages", limit::STAGES, 1)? {
            let at = self.cursor.pos;
            let code = self.cursor.u8()?;
            let kind = StageKind::from_code(code).ok_or(Fault::stage_unknown(at, code))?;
            if pass.stages.iter().any(|s| s.kind == kind) {
                return Err(Fault::stage_twice(at, kind.name()));
            }
            self.path.stage = Some(kind);
            pass.stages.push(self.stage(kind)?);
        }
        self.path.stage = None;
        pass.render_states = self.cursor.list("render states", limit::RECORDS, 8, |c| {
            Ok(RenderState { state: c.u32()?, value: c.u32()? })
        })?;
        if self.layout.blocks {
            pass.backend_block = self.blob()?;
        }
        Ok(pass)
    }

    fn stage(&mut self, kind: StageKind) -> Result<Stage<'a>, Fault> {
        let mut set = InputSet::default();
        let (program, thread_group, inputs);
        if self.layout.program_behind {
            inputs = self.inputs()?;
            self.registers(&mut set, kind.code())?;
            program = self.blob()?;
            if self.layout.version <= 11 {
                // Size and offset of a second program that no engine uses any more.
                self.cursor.take(8)?;
            }
            thread_group = self.thread_group()?;
        } else {
            program = self.blob()?;
            thread_group = self.thread_group()?;
            inputs = self.inputs()?;
            self.registers(&mut set, kind.code())?;
        }
        self.resources(&mut set)?;
        Ok(Stage { kind, program, thread_group, inputs, set })
    }

    fn thread_group(&mut self) -> Result<[u32; 3], Fault> {
        Ok([self.cursor.u32()?, self.cursor.u32()?, self.cursor.u32()?])
    }

    fn inputs(&mut self) -> Result<Vec<Input>, Fault> {
        let typed = self.layout.version >= 11;
        self.cursor.list("inputs", limit::RECORDS, if typed { 6 } else { 4 }, |c| {
            let [usage, register, usage_index, used_mask] = c.array()?;
            // The engine derives what the file does not say: blend indices are integers.
            let [ty, dimension] = if typed { c.array()? } else { [if usage == 6 { 2 } else { 0 }, 4] };
            Ok(Input { usage, register, usage_index, used_mask, ty, dimension })
        })
    }

    /// Registers and static samplers, as far as the version has them.
    fn registers(&mut self, set: &mut InputSet<'a>, stage: u8) -> Result<(), Fault> {
        let version = self.layout.version;
        if version >= 9 {
            let long = version >= 13;
            set.registers = self.cursor.list("registers", limit::BYTE, if long { 10 } else { 5 }, |c| {
                let kind = c.u8()?;
                let kind = if version == 9 { register_of_v9(kind) } else { kind };
                let index = c.u32()?;
                let (count, space) = if long { (c.u32()?, c.u8()?) } else { (1, stage) };
                Ok(Register { kind, index, count, space })
            })?;
        }
        if version >= 13 {
            set.static_samplers = self.cursor.list("static samplers", limit::BYTE, 27, |c| {
                let (register, space) = (c.u32()?, c.u8()?);
                let mut filtering = filtering(c)?;
                let border_color = c.u8()?;
                (filtering.min_lod, filtering.max_lod) = (Bits(c.u32()?), Bits(c.u32()?));
                Ok(StaticSampler { register, space, filtering, border_color })
            })?;
        }
        Ok(())
    }

    /// Constants and everything behind them.
    fn resources(&mut self, set: &mut InputSet<'a>) -> Result<(), Fault> {
        let (arena, version) = (self.arena, self.layout.version);
        let at = self.cursor.pos;
        let count = self.cursor.u32()?;
        let count = self.cursor.check_count(at, "constants", count, u32::MAX, 20)?;
        set.constants.reserve_exact(count);
        let c = &mut self.cursor;
        for _ in 0..count {
            let (name, offset, size) = (c.text(arena)?, c.u32()?, c.u32()?);
            let ty = c.u8()?;
            let ty = if version >= 11 { ty } else { constant_type_of_v10(ty) };
            let (dimension, elements) = (c.u8()?, c.u32()?);
            let [is_srgb, is_autoregister] = c.array()?;
            let constant = Constant { name, offset, size, ty, dimension, elements, is_srgb, is_autoregister };
            set.constants.push(constant);
        }
        set.defaults = c.blob(arena)?;
        let counted = version >= 13;
        let extra = if counted { 4 } else { 0 };
        set.textures = c.list("textures", limit::RECORDS, 8 + extra, |c| {
            let (register, name, ty) = (c.u8()?, c.text(arena)?, c.u8()?);
            let count = if counted { c.u32()? } else { 1 };
            let [is_srgb, is_autoregister] = c.array()?;
            Ok(Texture { register, name, ty, count, is_srgb, is_autoregister })
        })?;
        set.samplers = c.list("samplers", limit::RECORDS, if counted { 43 } else { 42 }, |c| {
            let (register, name) = (c.u8()?, c.text(arena)?);
            let mut filtering = filtering(c)?;
            let mut border_color = [Bits(0); 4];
            for lane in &mut border_color {
                *lane = Bits(c.u32()?);
            }
            (filtering.min_lod, filtering.max_lod) = (Bits(c.u32()?), Bits(c.u32()?));
            let is_dynamic = if counted { c.u8()? } else { 1 };
            Ok(Sampler { register, name, filtering, border_color, is_dynamic })
        })?;
        set.uavs = c.list("unordered access views", limit::RECORDS, 7 + extra, |c| {
            let (register, name, ty) = (c.u8()?, c.text(arena)?, c.u8()?);
            let count = if counted { c.u32()? } else { 1 };
            Ok(Uav { register, name, ty, count, is_autoregister: c.u8()? })
        })?;
        set.annotations = self.annotations()?;
        Ok(())
    }

    fn annotations(&mut self) -> Result<Vec<Annotation<'a>>, Fault> {
        let arena = self.arena;
        self.cursor.list("annotations", limit::BYTE, 9, |c| {
            let name = c.text(arena)?;
            let value = match c.u8()? {
                0 => Value::Bool(c.u32()?),
                1 => Value::Int(i32::from_le_bytes(c.array()?)),
                2 => Value::Float(Bits(c.u32()?)),
                3 => Value::Text(c.text(arena)?),
                ty => Value::Other { ty, word: c.u32()? },
            };
            Ok(Annotation { name, value })
        })
    }

    fn library(&mut self) -> Result<Library<'a>, Fault> {
        let payload_size = self.cursor.u32()?;
        let program = self.blob()?;
        let at = self.cursor.pos;
        let count = self.cursor.u32()?;
        let count = self.cursor.check_count(at, "exports", count, u32::MAX, 5)?;
        let mut exports = Vec::with_capacity(count);
        for _ in 0..count {
            exports.push(Export { ty: self.cursor.u8()?, name: self.text()? });
        }
        let hit_group = self.text()?;
        let mut sets = [InputSet::default(), InputSet::default()];
        for set in &mut sets {
            self.registers(set, StageKind::Compute.code())?;
            self.resources(set)?;
        }
        let [global, local] = sets;
        Ok(Library { payload_size, program, exports, hit_group, global, local })
    }
}

/// The fields that both kinds of samplers begin with; levels follow a border colour.
fn filtering(c: &mut Cursor<'_>) -> Result<Filtering, Fault> {
    let comparison = c.u8()?;
    let (filters, address) = (c.array()?, c.array()?);
    let mip_bias = Bits(c.u32()?);
    let [max_anisotropy, comparison_func] = c.array()?;
    let (min_lod, max_lod) = (Bits(0), Bits(0));
    Ok(Filtering {
        comparison,
        filters,
        address,
        mip_bias,
        max_anisotropy,
        comparison_func,
        min_lod,
        max_lod,
    })
}

/// The register code that stands for one of version 9 (container format, registers).
fn register_of_v9(kind: u8) -> u8 {
    match kind {
        0 => 0,
        2 => 68,
        3 => 1,
        _ => 36,
    }
}

/// The constant type code that stands for one of versions 8 to 10 (container format, constants).
fn constant_type_of_v10(ty: u8) -> u8 {
    match ty {
        0 | 1 => ty,
        2 => 3,
        _ => 4,
    }
}
