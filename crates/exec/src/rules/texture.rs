//! Textures: D3D11.3 functional specification, 22.4 and 22.5.6. How texels are chosen and weighed stands in
//! `crate::sample`.

use super::pixel::{difference, sample_position};
use super::{Rule, compare, float};
use crate::code::{Access, Op};
use crate::machine::Machine;
use crate::manner::CubeLevels;
use crate::resource::{Resource, Texture as Bound};
use crate::sample::{self, Place};
use shaderport_dxbc::Opcode;
use shaderport_dxbc::program::ResourceDimension;

/// An instruction that reads a texture, or asks about one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Texture {
    /// 22.4.15 to 22.4.20
    Sample { lod: Lod, compare: bool, clamp: bool },
    /// 22.4.2 to 22.4.5
    Gather { compare: bool, programmable: bool },
    /// 22.4.6
    Load,
    /// 22.4.7
    LoadSample,
    /// 22.4.14
    ResInfo,
    /// 22.5.6
    QueryLod,
    /// 22.4.22
    SamplePosition,
    /// 22.4.21
    SampleInfo,
    /// 22.4.26
    CheckMapped,
}

/// Where the level of detail comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lod {
    /// From the quad's coordinates.
    Implicit,
    /// The same, with an operand added.
    Bias,
    /// From an operand.
    Level,
    /// From two operands, derivatives.
    Gradient,
    /// 0
    Zero,
}

pub(crate) fn rule(opcode: Opcode) -> Option<Rule> {
    let sample = |lod, compare, clamp| Texture::Sample { lod, compare, clamp };
    let gather = |compare, programmable| Texture::Gather { compare, programmable };
    Some(Rule::Texture(match opcode {
        Opcode::Sample => sample(Lod::Implicit, false, false),
        Opcode::SampleB => sample(Lod::Bias, false, false),
        Opcode::SampleL | Opcode::SampleLFeedback => sample(Lod::Level, false, false),
        Opcode::SampleD => sample(Lod::Gradient, false, false),
        Opcode::SampleC => sample(Lod::Implicit, true, false),
        Opcode::SampleCLz | Opcode::SampleCLzFeedback => sample(Lod::Zero, true, false),
        // 5.9.4.5: with a least level of detail as the last operand.
        Opcode::SampleClampFeedback => sample(Lod::Implicit, false, true),
        Opcode::SampleBClampFeedback => sample(Lod::Bias, false, true),
        Opcode::SampleDClampFeedback => sample(Lod::Gradient, false, true),
        Opcode::SampleCClampFeedback => sample(Lod::Implicit, true, true),
        Opcode::Gather4 | Opcode::Gather4Feedback => gather(false, false),
        Opcode::Gather4C | Opcode::Gather4CFeedback => gather(true, false),
        Opcode::Gather4Po | Opcode::Gather4PoFeedback => gather(false, true),
        Opcode::Gather4PoC | Opcode::Gather4PoCFeedback => gather(true, true),
        Opcode::Ld | Opcode::LdFeedback => Texture::Load,
        Opcode::LdMs | Opcode::LdMsFeedback => Texture::LoadSample,
        Opcode::ResInfo => Texture::ResInfo,
        Opcode::Lod => Texture::QueryLod,
        Opcode::SamplePos => Texture::SamplePosition,
        Opcode::SampleInfo => Texture::SampleInfo,
        Opcode::CheckAccessFullyMapped => Texture::CheckMapped,
        _ => return None,
    }))
}

/// What the feedback variants say of a resource whose every tile is there (5.9.4.5).
pub(crate) const FULLY_MAPPED: u32 = u32::MAX;

/// A number of texels or samples in the form that the instruction asks for (22.4.14).
#[derive(Clone, Copy)]
enum Form {
    Float,
    Reciprocal,
    Uint,
}

impl Form {
    fn of(access: &Access) -> Form {
        match access.form {
            1 => Form::Reciprocal,
            2 => Form::Uint,
            _ => Form::Float,
        }
    }

    fn number(self, n: u32) -> u32 {
        match self {
            Form::Uint => n,
            Form::Float | Form::Reciprocal => (n as f32).to_bits(),
        }
    }

    /// A size, which alone is given as a reciprocal.
    fn size(self, n: u32) -> u32 {
        match self {
            Form::Reciprocal => float::result(1.0 / n as f32),
            other => other.number(n),
        }
    }
}

impl<const N: usize> Machine<'_, N> {
    pub(crate) fn texture(&mut self, texture: Texture, active: [bool; N], op: &Op) {
        // The quad's coordinates, for implicit derivatives.
        let coordinates: [_; N] = std::array::from_fn(|lane| match op.source_count {
            0 => [0; 4],
            _ => self.source(lane, op, 0),
        });
        let access = self.code.accesses.get(op.access as usize).copied().unwrap_or_default();
        for lane in (0..N).filter(|&n| active[n]) {
            let bound = self.resource(lane, &access);
            let value = match texture {
                Texture::Sample { lod, compare, clamp } => {
                    self.sample(lane, op, &access, bound, &coordinates, (lod, compare, clamp))
                }
                Texture::Gather { compare, programmable } => {
                    self.gather(lane, op, &access, bound, (compare, programmable))
                }
                Texture::Load => load(bound, coordinates[lane], access.offset, 0),
                Texture::LoadSample => {
                    load(bound, coordinates[lane], access.offset, self.source(lane, op, 1)[0])
                }
                Texture::ResInfo => resinfo(bound, &access, coordinates[lane][0]),
                Texture::QueryLod => self.query_lod(lane, &access, bound, &coordinates),
                Texture::SamplePosition => {
                    let position = sample_position(self.samples(&access, bound), coordinates[lane][0]);
                    let [x, y] = position.unwrap_or_default().map(f32::to_bits);
                    [x, y, 0, 0]
                }
                Texture::SampleInfo => {
                    let samples = self.samples(&access, bound);
                    // One bit alone tells integers from floats.
                    let count = if access.form & 1 != 0 { samples } else { (samples as f32).to_bits() };
                    [count, 0, 0, 0]
                }
                Texture::CheckMapped => [compare::mask(coordinates[lane][0] != 0); 4],
            };
            let value = match texture {
                Texture::CheckMapped => value,
                _ => access.swizzle.map(|n| value[n as usize & 3]),
            };
            self.write(lane, op, 0, value);
            self.write(lane, op, 1, [FULLY_MAPPED; 4]);
        }
    }

    fn place<'a>(
        &self,
        lane: usize,
        op: &Op,
        access: &Access,
        texture: &'a Bound,
        sampler: &'a crate::resource::Sampler,
    ) -> Place<'a> {
        let coordinate = self.source(lane, op, 0).map(f32::from_bits);
        // Offsets are not defined for cubes (22.4.15).
        let offset = if texture.is_cube() { [0; 3] } else { access.offset };
        Place { texture, sampler, coordinate, offset }
    }

    fn sample(
        &self,
        lane: usize,
        op: &Op,
        access: &Access,
        bound: Option<&Resource>,
        coordinates: &[[u32; 4]; N],
        (lod, compare, clamp): (Lod, bool, bool),
    ) -> [u32; 4] {
        // Nothing bound reads as 0 (22.4.15).
        let Some(Resource::Texture(texture)) = bound else { return [0; 4] };
        let sampler = self.sampler(lane, access);
        let place = self.place(lane, op, access, texture, &sampler);
        let scalar = |n: usize| f32::from_bits(self.source(lane, op, n)[0]);
        let manner = self.code.manner;
        let axes = texture.is_cube() && !clamp && manner.cube_levels == CubeLevels::TwoAxes;
        // Of a texture that is no cube, all levels of a quad are the same.
        let fine = manner.fine && (texture.is_cube() || clamp);
        let implicit = || {
            let over;
            let coordinates = if axes {
                over = coordinates.map(sample::over_longest);
                &over
            } else {
                coordinates
            };
            let [x, y] = [false, true].map(|vertical| difference(coordinates, lane, vertical, fine));
            if axes { place.level_by_axes(x, y) } else { place.level_of_detail(x, y) }
        };
        let computed = match lod {
            Lod::Implicit => implicit(),
            Lod::Bias => implicit() + scalar(1),
            Lod::Level => scalar(1),
            Lod::Gradient => {
                let [x, y] = [1, 2].map(|n| self.source(lane, op, n).map(f32::from_bits));
                if axes {
                    let longest = sample::longest(place.coordinate);
                    place.level_by_axes(x.map(|n| n / longest), y.map(|n| n / longest))
                } else {
                    place.level_of_detail(x, y)
                }
            }
            Lod::Zero => 0.0,
        };
        let computed = match &self.code.noise {
            Some(noise) if matches!(lod, Lod::Implicit | Lod::Bias | Lod::Gradient) => {
                let [x, y, ..] = coordinates[lane];
                noise.level(computed, u64::from(x) << 32 | u64::from(y))
            }
            _ => computed,
        };
        let reference = compare.then(|| scalar(1));
        let least = if clamp { scalar(op.source_count as usize - 1) } else { f32::NEG_INFINITY };
        let value = place.sample(computed + sampler.lod_bias, least, reference);
        // 22.4.19: one result, in every lane.
        if compare { [value[0]; 4] } else { value }
    }

    fn gather(
        &self,
        lane: usize,
        op: &Op,
        access: &Access,
        bound: Option<&Resource>,
        (compare, programmable): (bool, bool),
    ) -> [u32; 4] {
        let Some(Resource::Texture(texture)) = bound else { return [0; 4] };
        let sampler = self.sampler(lane, access);
        let mut place = self.place(lane, op, access, texture, &sampler);
        if programmable {
            // 22.4.4: the low six bits, signed.
            let [u, v, ..] = self.source(lane, op, 1);
            place.offset = [u, v, 0].map(|n| (n << 26) as i32 >> 26);
        }
        let reference =
            compare.then(|| f32::from_bits(self.source(lane, op, 1 + usize::from(programmable))[0]));
        place.gather(access.sampler_lane as usize & 3, reference)
    }

    /// 22.5.6: the level of detail as `sample` would use it, and without any clamping.
    fn query_lod(
        &self,
        lane: usize,
        access: &Access,
        bound: Option<&Resource>,
        coordinates: &[[u32; 4]; N],
    ) -> [u32; 4] {
        let Some(Resource::Texture(texture)) = bound else { return [0; 4] };
        let sampler = self.sampler(lane, access);
        let coordinate = coordinates[lane].map(f32::from_bits);
        let place = Place { texture, sampler: &sampler, coordinate, offset: [0; 3] };
        let lod = place.level_of_detail(
            difference(coordinates, lane, false, self.code.manner.fine),
            difference(coordinates, lane, true, self.code.manner.fine),
        ) + sampler.lod_bias;
        let last = (texture.level_count() - 1) as f32;
        let clamped = float::max(sampler.min_lod, float::min(sampler.max_lod, lod));
        [float::result(float::max(0.0, float::min(last, clamped))), float::result(lod), 0, 0]
    }

    fn samples(&self, access: &Access, bound: Option<&Resource>) -> u32 {
        match bound {
            Some(Resource::Texture(texture)) => texture.samples,
            _ if access.resource.is_none() => self.bindings.rasterizer_samples.max(1),
            _ => 0,
        }
    }
}

/// 22.4.6, 22.4.7: a texel by unsigned integers; 0 outside, with the format's defaults.
fn load(bound: Option<&Resource>, address: [u32; 4], offset: [i32; 3], sample: u32) -> [u32; 4] {
    let texture = match bound {
        Some(Resource::Texture(texture)) => texture,
        Some(Resource::Typed(texels, _)) => {
            return texels.get(address[0] as usize).copied().unwrap_or_default();
        }
        _ => return [0; 4],
    };
    let (layer, at) = texture.place(address, offset);
    let level = if texture.samples == 1 { address[3] as usize } else { 0 };
    let texel = texture.texel(level, layer, at, sample);
    texture.with_defaults(texel.unwrap_or_default())
}

/// 22.4.14: width, height, depth or array elements, levels.
fn resinfo(bound: Option<&Resource>, access: &Access, level: u32) -> [u32; 4] {
    use ResourceDimension::*;
    let form = Form::of(access);
    let (texture, dimension) = match bound {
        Some(Resource::Texture(texture)) => (Some(texture), Some(texture.dimension)),
        _ => (None, access.declared),
    };
    let levels = texture.map_or(0, |t| t.level_count() as u32);
    let [w, h, d] = match texture {
        Some(texture) if level < levels => texture.level_size(level as usize),
        _ => [0; 3],
    };
    // A level that is not there has no array elements either (restriction 4).
    let layers = if level < levels { texture.map_or(0, |t| t.layers) } else { 0 };
    let sizes = match dimension {
        Some(Texture1D) => [form.size(w), 0, 0],
        Some(Texture1DArray) => [form.size(w), form.number(layers), 0],
        Some(Texture2DArray | Texture2DMsArray) => [form.size(w), form.size(h), form.number(layers)],
        // Later versions ask for the number of cubes.
        Some(TextureCubeArray) => [form.size(w), form.size(h), form.number(layers / 6)],
        Some(Texture3D) => [form.size(w), form.size(h), form.size(d)],
        _ => [form.size(w), form.size(h), 0],
    };
    [sizes[0], sizes[1], sizes[2], form.number(levels)]
}
