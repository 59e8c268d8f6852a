//! Sampling, gathering, loading and queries of textures.
//!
//! GLSL ES 3.00, section 8.8; D3D11.3 functional specification, 7.18 and 22.4. 1D textures are 2D of height 1.

use super::*;
use crate::decls::{coordinate_lanes, gradient_lanes};
use crate::helpers::{GatherDim, GatherKind};
use crate::resources::{level_is_first, needs_levels, register_pairs, registers, same_index};
use crate::rewrite::Part;
use shaderport_dxbc::program::ResourceDimension as Dim;

/// The operands of a sampling instruction, whose feedback forms have one destination more.
struct Shape {
    coordinate: usize,
    resource: usize,
    /// The opcode without feedback.
    base: Opcode,
    /// A level that the sample may not go below.
    clamp: Option<usize>,
}

fn shape(i: &Instruction) -> Shape {
    let base = i.opcode.without_feedback();
    let clamp = match i.opcode {
        Opcode::SampleClampFeedback => Some(5),
        Opcode::SampleBClampFeedback | Opcode::SampleCClampFeedback => Some(6),
        Opcode::SampleDClampFeedback => Some(7),
        _ => None,
    };
    let slots = i.opcode.info().slots;
    let resource = slots.iter().position(|s| *s == Slot::Resource).unwrap_or(2);
    let coordinate = slots.iter().take_while(|s| matches!(s, Slot::Dest(_))).count();
    Shape { coordinate, resource, base, clamp }
}

impl<'a> Lower<'a> {
    pub(super) fn texture(&mut self, i: &Instruction) -> Result<(), Box<Diagnostic>> {
        let s = shape(i);
        let resource = self.operand(i, s.resource)?;
        if self.decls.buffer(resource.register()).is_some() {
            return self.memory(i);
        }
        let Some((n, t)) = self.decls.texture(resource.register()) else {
            return Err(self.malformed(format!("t{} is used but not declared", resource.register())));
        };
        let index = *self.p.bound_register(resource);
        let sampler = i.opcode.info().slots.iter().position(|x| *x == Slot::Sampler);
        let sampler = match sampler {
            Some(k) => {
                let o = self.operand(i, k)?;
                let Some((sn, sd)) = self.decls.sampler(o.register()) else {
                    return Err(self.malformed(format!("s{} is used but not declared", o.register())));
                };
                Some((sn, sd, o))
            }
            None => None,
        };
        let find = |r: &Resources, (register, sr): (u32, u32)| match sampler {
            Some((sn, ..)) => r.find_sampler(n, register, (sn, sr), s.base),
            None => r.find_plain(n, register, s.base),
        };
        let sampler_index = sampler.map(|x| *self.p.bound_register(x.2));
        if !index.is_relative() && !sampler_index.is_some_and(|x| x.is_relative()) {
            let pair = (index.immediate, sampler_index.map_or(0, |x| x.immediate));
            let Some(u) = find(self.resources, pair) else {
                return Err(self.malformed("a texture is used beyond its declared range"));
            };
            let v = self.texture_value(i, &s, u, false)?;
            return self.write_texture(i, resource, v);
        }
        // GLSL cannot index samplers: one case for each pair. Derivatives are taken before the branches.
        let pairs: Vec<(u32, u32)> = match sampler {
            Some((_, sd, o)) => register_pairs(self.p, (&t.slots, resource), (&sd.slots, o)).collect(),
            None => {
                let (from, to) = registers(self.p, &t.slots, resource);
                (from..=to).map(|r| (r, 0)).collect()
            }
        };
        let Some(first) = pairs.first().and_then(|p| find(self.resources, *p)) else {
            return Err(self.malformed("an array of textures has no element"));
        };
        let ty = self.value_type(&s, first);
        let zero = self.tree.zero(ty);
        let result = self.tree.local(zero);
        let texture_index = self.index_value(&index)?;
        let texture_index = self.tree.local(texture_index);
        let together = sampler.is_some_and(|x| same_index(self.p, resource, x.2).is_some());
        let sampler_index = match sampler_index {
            Some(x) if x.is_relative() && !together => {
                let e = self.index_value(&x)?;
                Some(self.tree.local(e))
            }
            _ => None,
        };
        let mut values = Vec::with_capacity(pairs.len());
        for pair in pairs {
            if let Some(u) = find(self.resources, pair) {
                let mut v = self.texture_value(i, &s, u, true)?;
                if s.base == Opcode::Lod || s.clamp.is_some() {
                    // These take derivatives themselves.
                    v = self.tree.local(v);
                }
                values.push((pair, v));
            }
        }
        self.ladder_gradients = None;
        self.flush();
        for ((tr, sr), v) in values {
            let label = self.tree.int(tr as i32);
            let mut c = self.tree.test(BinaryOp::Eq, texture_index, label);
            if let Some(x) = sampler_index {
                let label = self.tree.int(sr as i32);
                let same = self.tree.test(BinaryOp::Eq, x, label);
                c = self.tree.test(BinaryOp::And, c, same);
            }
            self.tree.stmt(StmtKind::If(c));
            self.tree.stmt(StmtKind::Assign(result, v));
            self.tree.stmt(StmtKind::EndIf);
        }
        self.write_texture(i, resource, result)
    }

    /// Writes lanes of a texture's value: the resource's swizzle chooses them, then the mask.
    fn write_texture(
        &mut self,
        i: &Instruction,
        resource: &Operand,
        v: ExprId,
    ) -> Result<(), Box<Diagnostic>> {
        if self.operand(i, 0)?.is_null() {
            return Ok(());
        }
        let lanes = self.dest_lanes(i, 0)?;
        let v = if self.tree.ty(v).width == 1 {
            v
        } else {
            let mut from = Lanes::new();
            for &l in lanes.as_slice() {
                from.push(resource.source_lane(l as usize) as u8);
            }
            self.tree.swizzle(v, from)
        };
        self.write(i, 0, v)
    }

    fn value_type(&self, s: &Shape, u: usize) -> Ty {
        let uniform = &self.resources.samplers[u];
        match s.base {
            Opcode::SampleC | Opcode::SampleCLz => Ty::new(Scalar::Float, 1),
            Opcode::ResInfo => Ty::new(Scalar::Uint, 4),
            Opcode::Lod | Opcode::Gather4C | Opcode::Gather4PoC => Ty::new(Scalar::Float, 4),
            _ => Ty::new(uniform.scalar, 4),
        }
    }

    fn sampler_expr(&mut self, u: usize) -> ExprId {
        let name = self.sampler_names[u];
        self.tree.named(Ty::new(Scalar::Float, 4), name)
    }

    /// The value that the instruction reads from sampler uniform `u`. `ladder`: inside branches, where derivatives
    /// are undefined.
    fn texture_value(
        &mut self,
        i: &Instruction,
        s: &Shape,
        u: usize,
        ladder: bool,
    ) -> Result<ExprId, Box<Diagnostic>> {
        if let Some(Part::Stub { one }) = self.resources.samplers[u].part {
            let ty = self.value_type(s, u);
            let bits = match ty.scalar {
                Scalar::Float => 1f32.to_bits(),
                _ => 1,
            };
            let is_query = matches!(s.base, Opcode::ResInfo | Opcode::Lod);
            return Ok(self.tree.literal(ty.scalar, ty.width, [if one && !is_query { bits } else { 0 }; 4]));
        }
        if self.resources.samplers[u].part == Some(Part::Profiles) {
            let place = self.coordinate(i, s.coordinate, Dim::Texture2DArray)?;
            let level = self.read_at(i, s.resource + 2, Lanes::one(0), Scalar::Float)?;
            let name = self.fetch_function(u, false);
            return Ok(self.tree.call(Ty::new(Scalar::Float, 1), Func::Named(name), &[place, level]));
        }
        match s.base {
            Opcode::Ld => self.fetch(i, s, u),
            Opcode::ResInfo => self.resinfo(i, u),
            Opcode::Lod => self.lod(i, u),
            Opcode::Gather4 | Opcode::Gather4C | Opcode::Gather4Po | Opcode::Gather4PoC => {
                self.gather(i, s, u)
            }
            _ => {
                let v = self.sample(i, s, u, ladder)?;
                Ok(match self.resources.samplers[u].part {
                    // Nothing but the first channel of the packed texture is read.
                    Some(Part::Channel(c)) => self.tree.swizzle(v, Lanes::one(c)),
                    _ => v,
                })
            }
        }
    }

    /// A coordinate with the layer that a merged texture has become.
    fn in_layer(&mut self, u: usize, place: ExprId) -> ExprId {
        let Some(Part::Layer(n)) = self.resources.samplers[u].part else { return place };
        let layer = self.tree.float(n as f32);
        self.tree.construct(Ty::new(Scalar::Float, 3), &[place, layer])
    }

    /// The coordinate as GLSL takes it, without a reference value.
    fn coordinate(&mut self, i: &Instruction, k: usize, d: Dim) -> Result<ExprId, Box<Diagnostic>> {
        let n = coordinate_lanes(d);
        let float = |w| Ty::new(Scalar::Float, w);
        let c = self.read_at(i, k, Lanes::first(n), Scalar::Float)?;
        let c = self.tree.widen(c, n);
        Ok(match d {
            Dim::Texture1D => {
                let half = self.tree.float(0.5);
                self.tree.construct(float(2), &[c, half])
            }
            Dim::Texture1DArray => {
                let (x, half) = (self.tree.swizzle(c, Lanes::one(0)), self.tree.float(0.5));
                let layer = self.layer(c, 1);
                self.tree.construct(float(3), &[x, half, layer])
            }
            Dim::Texture2DArray if self.strict() => {
                let literal = matches!(self.tree.expr(c), Expr::Literal(_));
                if literal {
                    return Ok(c);
                }
                let xy = self.tree.swizzle(c, Lanes::first(2));
                let layer = self.layer(c, 2);
                self.tree.construct(float(3), &[xy, layer])
            }
            _ => c,
        })
    }

    /// The array layer: D3D rounds to nearest even, GLSL halves up; drivers take what is too large for the first.
    fn layer(&mut self, c: ExprId, lane: u8) -> ExprId {
        let l = self.tree.swizzle(c, Lanes::one(lane));
        if !self.strict() {
            return l;
        }
        match self.tree.expr(l) {
            Expr::Literal(bits) if f32::from_bits(bits[0]).abs() < 65536.0 => {
                self.tree.float(f32::from_bits(bits[0]).round_ties_even())
            }
            _ => self.help(Helper::Layer, Scalar::Float, &mut [l]),
        }
    }

    /// A gradient as GLSL takes it.
    fn gradient(&mut self, i: &Instruction, k: usize, d: Dim) -> Result<ExprId, Box<Diagnostic>> {
        let n = gradient_lanes(d);
        let g = self.read_at(i, k, Lanes::first(n), Scalar::Float)?;
        let g = self.tree.widen(g, n);
        if n == 1 {
            let zero = self.tree.float(0.0);
            return Ok(self.tree.construct(Ty::new(Scalar::Float, 2), &[g, zero]));
        }
        Ok(g)
    }

    fn offset(&mut self, i: &Instruction, d: Dim) -> Option<ExprId> {
        let o = i.extended.offsets?;
        if o == [0; 3] || matches!(d, Dim::TextureCube | Dim::TextureCubeArray) {
            return None;
        }
        let b = |k: usize| i32::from(o[k]) as u32;
        Some(match d {
            Dim::Texture3D => self.tree.literal(Scalar::Int, 3, [b(0), b(1), b(2), 0]),
            Dim::Texture1D | Dim::Texture1DArray => self.tree.literal(Scalar::Int, 2, [b(0), 0, 0, 0]),
            _ => self.tree.literal(Scalar::Int, 2, [b(0), b(1), 0, 0]),
        })
    }

    fn sample(
        &mut self,
        i: &Instruction,
        s: &Shape,
        u: usize,
        ladder: bool,
    ) -> Result<ExprId, Box<Diagnostic>> {
        use Opcode::*;
        let d = self.resources.samplers[u].dimension;
        let ty = self.value_type(s, u);
        let t = self.sampler_expr(u);
        let extra = s.resource + 2;
        let comparing = matches!(s.base, SampleC | SampleCLz);
        let place = self.coordinate(i, s.coordinate, d)?;
        let cube = d == Dim::TextureCube;
        let array = matches!(d, Dim::Texture2DArray | Dim::Texture1DArray);
        let coordinate = if comparing {
            let r = self.read_at(i, extra, Lanes::one(0), Scalar::Float)?;
            let width = self.tree.ty(place).width + 1;
            self.tree.construct(Ty::new(Scalar::Float, width), &[place, r])
        } else {
            self.in_layer(u, place)
        };
        let offset = self.offset(i, d);
        let gradient_width = if matches!(d, Dim::TextureCube | Dim::Texture3D) { 3 } else { 2 };
        if let Some(k) = s.clamp {
            let low = self.read_at(i, k, Lanes::one(0), Scalar::Float)?;
            let level = self.sampled_level(i, s, u, place)?;
            let level = self.tree.builtin(Ty::new(Scalar::Float, 1), "max", &[level, low]);
            return Ok(self.call_offset(
                ty,
                "textureLod",
                "textureLodOffset",
                &[t, coordinate, level],
                offset,
                None,
            ));
        }
        let derivatives = |l: &mut Self| {
            if let Some(known) = l.ladder_gradients {
                return known;
            }
            let gty = Ty::new(Scalar::Float, gradient_width);
            let p = l.tree.swizzle(place, Lanes::first(gradient_width));
            let (x, y) = (l.tree.builtin(gty, "dFdx", &[p]), l.tree.builtin(gty, "dFdy", &[p]));
            let both = (l.tree.local(x), l.tree.local(y));
            if ladder {
                // The elements of an array share the coordinate.
                l.ladder_gradients = Some(both);
            }
            both
        };
        Ok(match s.base {
            Sample | SampleC if self.is_pixel() && (ladder || (comparing && array && offset.is_some())) => {
                let (x, y) = derivatives(self);
                self.call_offset(ty, "textureGrad", "textureGradOffset", &[t, coordinate, x, y], offset, None)
            }
            SampleB if ladder => {
                let bias = self.read_at(i, extra, Lanes::one(0), Scalar::Float)?;
                let scale = self.tree.builtin(Ty::new(Scalar::Float, 1), "exp2", &[bias]);
                let (x, y) = derivatives(self);
                let x = self.tree.binary(BinaryOp::Mul, x, scale);
                let y = self.tree.binary(BinaryOp::Mul, y, scale);
                self.call_offset(ty, "textureGrad", "textureGradOffset", &[t, coordinate, x, y], offset, None)
            }
            SampleB => {
                let bias = self.read_at(i, extra, Lanes::one(0), Scalar::Float)?;
                self.call_offset(ty, "texture", "textureOffset", &[t, coordinate], offset, Some(bias))
            }
            SampleL => {
                let level = self.read_at(i, extra, Lanes::one(0), Scalar::Float)?;
                self.call_offset(ty, "textureLod", "textureLodOffset", &[t, coordinate, level], offset, None)
            }
            SampleD => {
                let (x, y) = (self.gradient(i, extra, d)?, self.gradient(i, extra + 1, d)?);
                self.call_offset(ty, "textureGrad", "textureGradOffset", &[t, coordinate, x, y], offset, None)
            }
            SampleCLz if cube || array => {
                // No `textureLod` for these shadow samplers; zero gradients choose the first level.
                let zero = self.tree.zero(Ty::new(Scalar::Float, gradient_width));
                self.call_offset(
                    ty,
                    "textureGrad",
                    "textureGradOffset",
                    &[t, coordinate, zero, zero],
                    offset,
                    None,
                )
            }
            SampleCLz => {
                let zero = self.tree.float(0.0);
                self.call_offset(ty, "textureLod", "textureLodOffset", &[t, coordinate, zero], offset, None)
            }
            _ => self.call_offset(ty, "texture", "textureOffset", &[t, coordinate], offset, None),
        })
    }

    /// The form with or without an offset; a bias comes last.
    fn call_offset(
        &mut self,
        ty: Ty,
        plain: &'static str,
        with_offset: &'static str,
        args: &[ExprId],
        offset: Option<ExprId>,
        bias: Option<ExprId>,
    ) -> ExprId {
        let mut all = [ExprId(0); 6];
        let mut n = args.len();
        all[..n].copy_from_slice(args);
        for e in [offset, bias].into_iter().flatten() {
            all[n] = e;
            n += 1;
        }
        self.tree.builtin(ty, if offset.is_some() { with_offset } else { plain }, &all[..n])
    }

    /// The level that a sample with a clamp would take without it.
    fn sampled_level(
        &mut self,
        i: &Instruction,
        s: &Shape,
        u: usize,
        place: ExprId,
    ) -> Result<ExprId, Box<Diagnostic>> {
        let float = Ty::new(Scalar::Float, 1);
        let d = self.resources.samplers[u].dimension;
        let extra = s.resource + 2;
        if s.base == Opcode::SampleD {
            let (x, y) = (self.gradient(i, extra, d)?, self.gradient(i, extra + 1, d)?);
            let size = self.size_in_texels(u);
            let (x, y) = (self.tree.binary(BinaryOp::Mul, x, size), self.tree.binary(BinaryOp::Mul, y, size));
            let (x, y) = (self.tree.builtin(float, "dot", &[x, x]), self.tree.builtin(float, "dot", &[y, y]));
            let m = self.tree.builtin(float, "max", &[x, y]);
            let l = self.tree.builtin(float, "log2", &[m]);
            let half = self.tree.float(0.5);
            return Ok(self.tree.binary(BinaryOp::Mul, half, l));
        }
        let zero = self.tree.float(0.0);
        let level = self.level_of(u, place, zero);
        let level = self.tree.swizzle(level, Lanes::one(1));
        if s.base == Opcode::SampleB {
            let bias = self.read_at(i, extra, Lanes::one(0), Scalar::Float)?;
            return Ok(self.tree.binary(BinaryOp::Add, level, bias));
        }
        Ok(level)
    }

    /// Size of the first level in texels, as many lanes as a gradient has.
    fn size_in_texels(&mut self, u: usize) -> ExprId {
        let d = self.resources.samplers[u].dimension;
        let size = self.texture_size(u, None);
        let n = if d == Dim::Texture3D { 3 } else { 2 };
        let size = self.tree.swizzle(size, Lanes::first(n));
        self.tree.construct(Ty::new(Scalar::Float, n), &[size])
    }

    fn level_of(&mut self, u: usize, place: ExprId, last: ExprId) -> ExprId {
        let d = self.resources.samplers[u].dimension;
        let vec4 = Ty::new(Scalar::Float, 4);
        if d == Dim::TextureCube {
            self.helpers.add(Helper::LodCube, 1);
            let size = self.texture_size(u, None);
            let edge = self.tree.swizzle(size, Lanes::one(0));
            let edge = self.tree.construct(Ty::new(Scalar::Float, 1), &[edge]);
            return self.tree.call(vec4, Func::Helper(Helper::LodCube), &[place, edge, last]);
        }
        let n = match d {
            Dim::Texture3D => 3,
            Dim::Texture1D | Dim::Texture1DArray => 1,
            _ => 2,
        };
        let size = self.texture_size(u, None);
        let size = self.tree.swizzle(size, Lanes::first(n));
        let size = self.tree.construct(Ty::new(Scalar::Float, n), &[size]);
        let p = self.tree.swizzle(place, Lanes::first(n));
        let texels = self.tree.binary(BinaryOp::Mul, p, size);
        self.helpers.add(Helper::Lod, n);
        self.tree.call(vec4, Func::Helper(Helper::Lod), &[texels, last])
    }

    fn lod(&mut self, i: &Instruction, u: usize) -> Result<ExprId, Box<Diagnostic>> {
        let d = self.resources.samplers[u].dimension;
        // The coordinate of `lod` has no array layer.
        let n = gradient_lanes(d);
        let place = self.read_at(i, 1, Lanes::first(n), Scalar::Float)?;
        let place = self.tree.widen(place, n);
        let levels = self.levels(u);
        let levels = self.tree.construct(Ty::new(Scalar::Float, 1), &[levels]);
        let one = self.tree.float(1.0);
        let last = self.tree.binary(BinaryOp::Sub, levels, one);
        Ok(self.level_of(u, place, last))
    }

    /// The uniform that holds the number of mip levels.
    fn levels(&mut self, u: usize) -> ExprId {
        let text = format!("{}_levels", self.resources.samplers[u].name);
        let name = self.tree.name(&text);
        self.tree.named(Ty::new(Scalar::Uint, 1), name)
    }

    /// `textureSize(t, level)`.
    fn texture_size(&mut self, u: usize, level: Option<ExprId>) -> ExprId {
        let d = self.resources.samplers[u].dimension;
        let width =
            if matches!(d, Dim::Texture3D | Dim::Texture2DArray | Dim::Texture1DArray) { 3 } else { 2 };
        let t = self.sampler_expr(u);
        let level = level.unwrap_or_else(|| self.tree.int(0));
        self.tree.builtin(Ty::new(Scalar::Int, width), "textureSize", &[t, level])
    }

    fn resinfo(&mut self, i: &Instruction, u: usize) -> Result<ExprId, Box<Diagnostic>> {
        let d = self.resources.samplers[u].dimension;
        let size = self.texture_size(u, None);
        let int = |w| Ty::new(Scalar::Int, w);
        let lane = |t: &mut Tree, n: u8| t.swizzle(size, Lanes::one(n));
        let zero = self.tree.int(0);
        // Width, height, depth or layers: 0 for what the dimension has not.
        let (size3, mips) = match d {
            Dim::Texture1D => {
                let x = lane(&mut self.tree, 0);
                (self.tree.construct(int(3), &[x, zero, zero]), [1, 0, 0])
            }
            Dim::Texture1DArray => {
                let (x, z) = (lane(&mut self.tree, 0), lane(&mut self.tree, 2));
                (self.tree.construct(int(3), &[x, z, zero]), [1, 0, 0])
            }
            Dim::Texture3D => (size, [1, 1, 1]),
            Dim::Texture2DArray => (size, [1, 1, 0]),
            _ => (self.tree.construct(int(3), &[size, zero]), [1, 1, 0]),
        };
        let form = i.controls >> 11 & 3;
        let uvec4 = Ty::new(Scalar::Uint, 4);
        if !needs_levels(self.p, &self.ranges, i) && form != 1 {
            let zero = self.tree.int(0);
            let four = self.tree.construct(int(4), &[size3, zero]);
            let to = if form == 2 { Scalar::Uint } else { Scalar::Float };
            return Ok(self.tree.construct(Ty::new(to, 4), &[four]));
        }
        let level = self.read_at(i, 1, Lanes::one(0), Scalar::Uint)?;
        let levels = if needs_levels(self.p, &self.ranges, i) { self.levels(u) } else { self.tree.uint(1) };
        let mips = self.tree.literal(Scalar::Int, 3, [mips[0], mips[1], mips[2], mips[0]]);
        let args = [size3, mips, level, levels];
        if form == 1 {
            self.helpers.add(Helper::ResinfoRcp, 1);
            return Ok(self.tree.call(Ty::new(Scalar::Float, 4), Func::Helper(Helper::ResinfoRcp), &args));
        }
        self.helpers.add(Helper::Resinfo, 1);
        let v = self.tree.call(uvec4, Func::Helper(Helper::Resinfo), &args);
        if form == 2 {
            return Ok(v);
        }
        Ok(self.tree.construct(Ty::new(Scalar::Float, 4), &[v]))
    }

    fn gather(&mut self, i: &Instruction, s: &Shape, u: usize) -> Result<ExprId, Box<Diagnostic>> {
        let uniform = &self.resources.samplers[u];
        let (scalar, d) = (uniform.scalar, uniform.dimension);
        let dim = match d {
            _ if uniform.part.is_some() => GatherDim::D2Array,
            Dim::Texture2DArray => GatherDim::D2Array,
            Dim::TextureCube => GatherDim::Cube,
            _ => GatherDim::D2,
        };
        let comparing = matches!(s.base, Opcode::Gather4C | Opcode::Gather4PoC);
        let t = self.sampler_expr(u);
        let n = coordinate_lanes(d);
        let c = self.read_at(i, s.coordinate, Lanes::first(n), Scalar::Float)?;
        let c = self.tree.widen(c, n);
        let c = self.in_layer(u, c);
        let mut args = vec![t, c];
        if dim != GatherDim::Cube {
            let offset = if matches!(s.base, Opcode::Gather4Po | Opcode::Gather4PoC) {
                let o = self.read_at(i, s.coordinate + 1, Lanes::first(2), Scalar::Int)?;
                let o = self.tree.widen(o, 2);
                self.helpers.add(Helper::Gather4Offset, 1);
                self.tree.call(Ty::new(Scalar::Int, 2), Func::Helper(Helper::Gather4Offset), &[o])
            } else {
                self.offset(i, d).unwrap_or_else(|| self.tree.zero(Ty::new(Scalar::Int, 2)))
            };
            args.push(offset);
        }
        let h = if comparing {
            let r = self.read_at(i, s.resource + 2, Lanes::one(0), Scalar::Float)?;
            args.push(r);
            Helper::gather_cmp(dim)
        } else {
            let kind = match scalar {
                Scalar::Int => GatherKind::Int,
                Scalar::Uint => GatherKind::Uint,
                _ => GatherKind::Float,
            };
            // The sampler operand names the channel.
            let channel = self.operand(i, s.resource + 1)?.source_lane(0) as u8;
            Helper::gather(dim, kind, channel)
        };
        self.helpers.add(h, 1);
        let ty = if comparing { Ty::new(Scalar::Float, 4) } else { Ty::new(scalar, 4) };
        Ok(self.tree.call(ty, Func::Helper(h), &args))
    }

    /// `ld`: texel coordinates, the level in lane w.
    fn fetch(&mut self, i: &Instruction, s: &Shape, u: usize) -> Result<ExprId, Box<Diagnostic>> {
        let d = self.resources.samplers[u].dimension;
        let ty = self.value_type(s, u);
        let n = coordinate_lanes(d);
        let c = self.read_at(i, s.coordinate, Lanes::first(n), Scalar::Int)?;
        let c = self.tree.widen(c, n);
        let level = self.read_at(i, s.coordinate, Lanes::one(3), Scalar::Int)?;
        let zero = self.tree.int(0);
        let int = |w| Ty::new(Scalar::Int, w);
        let mut c = match d {
            Dim::Texture1D => self.tree.construct(int(2), &[c, zero]),
            Dim::Texture1DArray => {
                let (x, l) = (self.tree.swizzle(c, Lanes::one(0)), self.tree.swizzle(c, Lanes::one(1)));
                self.tree.construct(int(3), &[x, zero, l])
            }
            _ => c,
        };
        if let Some(o) = self.offset(i, d) {
            // Added before the fetch: what lies outside reads 0, wherever the offset leads back to (A059).
            let o = if matches!(d, Dim::Texture2DArray | Dim::Texture1DArray) {
                self.tree.construct(int(3), &[o, zero])
            } else {
                o
            };
            c = self.tree.binary(BinaryOp::Add, c, o);
        }
        let t = self.sampler_expr(u);
        if !self.strict() {
            return Ok(self.tree.builtin(ty, "texelFetch", &[t, c, level]));
        }
        if level_is_first(&self.ranges, i) {
            let name = self.fetch_function(u, false);
            return Ok(self.tree.call(ty, Func::Named(name), &[c]));
        }
        let name = self.fetch_function(u, true);
        Ok(self.tree.call(ty, Func::Named(name), &[c, level]))
    }

    /// The function that reads a texel or 0; of any level, or of the first.
    fn fetch_function(&mut self, u: usize, levels: bool) -> NameId {
        if let Some(n) = self.fetches.iter().find(|f| (f.0, f.1) == (u, levels)) {
            return n.2;
        }
        let text = format!("{}_ld", self.resources.samplers[u].name);
        let name = self.tree.name(&text);
        self.fetches.push((u, levels, name));
        name
    }
}
