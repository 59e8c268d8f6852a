//! Texture sampling: D3D11.3 functional specification, 7.18.
//!
//! Coordinates and weights are exact where the specification allows fixed point of at least 8 bits, and filtered
//! values are rounded once; an implementation may differ by that much.

use crate::resource::{Address, DepthFormat, Filter, Sampler, TexelKind, Texture};
use crate::rules::float;

/// One texel that a filter reads, and its share.
#[derive(Clone, Copy)]
struct Tap {
    texel: [u32; 4],
    weight: f64,
}

/// The texels that one sample reads of one level: two along each of three axes at the most.
struct Taps {
    taps: [Tap; 8],
    count: usize,
}

impl Taps {
    fn new() -> Taps {
        Taps { taps: [Tap { texel: [0; 4], weight: 0.0 }; 8], count: 0 }
    }

    fn push(&mut self, texel: [u32; 4], weight: f64) {
        self.taps[self.count] = Tap { texel, weight };
        self.count += 1;
    }

    fn as_slice(&self) -> &[Tap] {
        &self.taps[..self.count]
    }
}

/// Where to sample. Array layers and faces follow from the coordinate.
pub(crate) struct Place<'a> {
    pub(crate) texture: &'a Texture,
    pub(crate) sampler: &'a Sampler,
    /// Coordinates, then the array element.
    pub(crate) coordinate: [f32; 4],
    pub(crate) offset: [i32; 3],
}

/// A number as the address arithmetic takes it: NaN counts as 0.
fn number(x: f32) -> f64 {
    let x = float::flush(x);
    if x.is_nan() { 0.0 } else { x.into() }
}

/// 7.18.6: the coordinate without the magnitude of its tiling.
fn reduce(u: f64, address: Address) -> f64 {
    let reduced = match address {
        Address::Wrap => u - u.floor(),
        Address::Mirror => {
            let half = u / 2.0;
            (half - half.trunc()) * 2.0
        }
        Address::Clamp | Address::Border | Address::MirrorOnce => u.clamp(-10.0, 10.0),
    };
    // Of an infinity.
    if reduced.is_nan() { 0.0 } else { reduced }
}

/// 7.18.9: the texel that stands for texel `i`; `None` for the border colour.
fn address(i: i64, size: i64, address: Address) -> Option<i64> {
    if (0..size).contains(&i) {
        return Some(i);
    }
    let mirrored = if i < 0 { -i - 1 } else { i };
    Some(match address {
        Address::Wrap => i.rem_euclid(size),
        Address::Mirror if (mirrored / size) & 1 != 0 => size - mirrored % size - 1,
        Address::Mirror => mirrored % size,
        Address::Clamp => i.clamp(0, size - 1),
        Address::MirrorOnce => mirrored.min(size - 1),
        Address::Border => return None,
    })
}

/// 7.18.7, 7.18.8: along one axis, the first texel and the weight of the one behind it.
fn texel_position(u: f64, size: u32, filter: Filter) -> (i64, f64) {
    let scaled = u * f64::from(size);
    match filter {
        Filter::Point => (scaled.floor() as i64, 0.0),
        Filter::Linear => {
            let scaled = scaled - 0.5;
            (scaled.floor() as i64, scaled - scaled.floor())
        }
    }
}

/// The largest component of a direction and what belongs to it (5.3.8, 7.18.7; ties go to z, then y).
struct Face {
    /// +x -x +y -y +z -z
    number: u32,
    axis: usize,
    negative: bool,
}

impl Face {
    fn of(v: [f64; 3]) -> Face {
        let [x, y, z] = v.map(f64::abs);
        let axis = if z >= x && z >= y { 2 } else { usize::from(y >= x) };
        let negative = v[axis] < 0.0 || v[axis] == 0.0 && v[axis].is_sign_negative();
        Face { number: axis as u32 * 2 + u32::from(negative), axis, negative }
    }

    /// The minor axes of `v` as the face mirrors them.
    fn minor(&self, v: [f64; 3]) -> [f64; 2] {
        let [x, y, z] = v;
        match self.number {
            0 => [-z, -y],
            1 => [z, -y],
            2 => [x, z],
            3 => [x, -z],
            4 => [x, -y],
            _ => [-x, -y],
        }
    }

    /// The major axis of `v`, positive towards the face.
    fn major(&self, v: [f64; 3]) -> f64 {
        if self.negative { -v[self.axis] } else { v[self.axis] }
    }

    /// The direction to a point of the face.
    fn direction(&self, [s, t]: [f64; 2]) -> [f64; 3] {
        match self.number {
            0 => [1.0, -t, -s],
            1 => [-1.0, -t, s],
            2 => [s, 1.0, t],
            3 => [s, -1.0, -t],
            4 => [s, -t, 1.0],
            _ => [-s, -t, -1.0],
        }
    }

    /// The point of the face that `v` goes through, 0 to 1 in both axes.
    fn point(&self, v: [f64; 3]) -> [f64; 2] {
        let major = self.major(v);
        self.minor(v).map(|n| {
            let p = n / major * 0.5 + 0.5;
            if p.is_nan() { 0.5 } else { p }
        })
    }
}

/// Position in a face along both axes: first texel and weight of the next.
type FacePosition = [(i64, f64); 2];

impl Place<'_> {
    fn vector(&self) -> [f64; 3] {
        let [x, y, z, _] = self.coordinate.map(number);
        [x, y, z]
    }

    /// The array element: rounded to the nearest, ties to even, and clamped (22.4.15).
    fn layer(&self) -> u32 {
        let cube = self.texture.is_cube();
        let element = self.coordinate[if cube { 3 } else { self.texture.axes() }];
        let elements = if cube { self.texture.layers / 6 } else { self.texture.layers };
        if elements == 1 {
            return 0;
        }
        (number(element).round_ties_even() as i64).clamp(0, i64::from(elements) - 1) as u32
    }

    /// The texel at an address that may lie outside.
    fn texel(&self, level: usize, layer: u32, at: [i64; 3]) -> [u32; 4] {
        let size = self.texture.level_size(level);
        let mut inside = [0u32; 3];
        for axis in 0..self.texture.axes() {
            match address(at[axis], size[axis].into(), self.sampler.address[axis]) {
                Some(i) => inside[axis] = i as u32,
                None => return self.texture.with_defaults(self.sampler.border),
            }
        }
        let texel = self.texture.texel(level, layer, inside, 0).unwrap_or_default();
        self.texture.with_defaults(texel)
    }

    /// 7.18.7, 7.18.8: the texels of a filter in one level.
    fn taps(&self, level: usize, filter: Filter) -> Taps {
        let mut taps = Taps::new();
        if self.texture.is_cube() {
            let (face, position) = self.face_position(level, filter);
            self.cube_taps(level, &face, position, &mut taps);
            return taps;
        }
        let size = self.texture.level_size(level);
        let coordinate = self.vector();
        let axes = self.texture.axes();
        let mut position = [(0, 0.0); 3];
        for axis in 0..axes {
            let u = reduce(coordinate[axis], self.sampler.address[axis]);
            let (first, weight) = texel_position(u, size[axis], filter);
            position[axis] = (first + i64::from(self.offset[axis]), weight);
        }
        let layer = if axes == 3 { 0 } else { self.layer() };
        for corner in 0..1usize << axes {
            let second = |axis: usize| corner >> axis & 1 != 0;
            let share = |axis: usize| if second(axis) { position[axis].1 } else { 1.0 - position[axis].1 };
            let weight = (0..axes).map(share).product::<f64>();
            // A texel of no weight is not looked at, so that its NaN does not count.
            if weight != 0.0 {
                let at =
                    std::array::from_fn(|axis| position[axis].0 + i64::from(axis < axes && second(axis)));
                taps.push(self.texel(level, layer, at), weight);
            }
        }
        taps
    }

    fn face_position(&self, level: usize, filter: Filter) -> (Face, FacePosition) {
        let v = self.vector();
        let face = Face::of(v);
        let size = self.texture.level_size(level)[0];
        let point = face.point(v);
        let position = point.map(|u| match texel_position(u, size, filter) {
            // A coordinate of exactly 1 belongs to the last texel.
            (i, w) if filter == Filter::Point => (i.clamp(0, i64::from(size) - 1), w),
            linear => linear,
        });
        (face, position)
    }

    /// 7.18.12: a texel beside a face is on the face next to it; `None` at a corner of the cube.
    fn cube_texel(&self, level: usize, face: &Face, at: [i64; 2]) -> Option<[u32; 4]> {
        let size = self.texture.level_size(level)[0];
        let outside = at.map(|i| !(0..i64::from(size)).contains(&i));
        if outside == [true, true] {
            return None;
        }
        let (number, at) = if outside == [false, false] {
            (face.number, at)
        } else {
            let v = face.direction(at.map(|i| (2 * i + 1) as f64 / f64::from(size) - 1.0));
            let next = Face::of(v);
            (next.number, next.point(v).map(|u| (u * f64::from(size)).floor() as i64))
        };
        let [x, y] = at.map(|i| i.clamp(0, i64::from(size) - 1) as u32);
        let texel = self.texture.texel(level, self.layer() * 6 + number, [x, y, 0], 0).unwrap_or_default();
        Some(self.texture.with_defaults(texel))
    }

    /// The four texels of a linear filter on a cube, `None` at a corner.
    fn cube_corners(
        &self,
        level: usize,
        face: &Face,
        position: FacePosition,
    ) -> [(Option<[u32; 4]>, f64); 4] {
        let [(x, wx), (y, wy)] = position;
        [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(dx, dy)| {
            let weight = if dx == 0 { 1.0 - wx } else { wx } * if dy == 0 { 1.0 - wy } else { wy };
            (self.cube_texel(level, face, [x + dx, y + dy]), weight)
        })
    }

    fn cube_taps(&self, level: usize, face: &Face, position: FacePosition, taps: &mut Taps) {
        let point = position.iter().all(|&(_, w)| w == 0.0);
        if point {
            let texel = self.cube_texel(level, face, [position[0].0, position[1].0]);
            taps.push(texel.unwrap_or_default(), 1.0);
            return;
        }
        let corners = self.cube_corners(level, face, position);
        // The missing texel's share goes to the three others evenly (7.18.12).
        let missing: f64 = corners.iter().filter(|(t, _)| t.is_none()).map(|(_, w)| w).sum();
        for (texel, weight) in corners {
            let weight = weight + missing / 3.0;
            if let Some(texel) = texel
                && weight != 0.0
            {
                taps.push(texel, weight);
            }
        }
    }

    /// Samples at a level of detail that is biased but not clamped (7.18.10, 7.18.11). With a reference value
    /// each texel counts as 1 or 0 (22.4.19).
    pub(crate) fn sample(&self, lod: f32, least: f32, reference: Option<f32>) -> [u32; 4] {
        let sampler = self.sampler;
        let lod = float::max(sampler.min_lod, float::min(sampler.max_lod, lod));
        let lod = float::max(lod, least);
        let filter = if self.texture.kind != TexelKind::Float && reference.is_none() {
            // Integers are not filtered.
            Filter::Point
        } else if lod <= 0.0 {
            sampler.mag
        } else {
            sampler.min
        };
        let last = (self.texture.level_count() - 1) as f32;
        let clamp = |level: f32| level.clamp(0.0, last) as usize;
        let (levels, weight) = match sampler.mip {
            Filter::Point => ([clamp((lod + 0.5).floor()); 2], 0.0),
            Filter::Linear => ([clamp(lod.floor()), clamp(lod.floor() + 1.0)], f64::from(lod - lod.floor())),
        };
        // Of an infinite level of detail both levels are the same.
        let weight = if levels[0] == levels[1] { 0.0 } else { weight };
        let mut sum = [0f64; 4];
        for (level, share) in levels.into_iter().zip([1.0 - weight, weight]) {
            if share == 0.0 {
                continue;
            }
            let taps = self.taps(level, filter);
            let taps = taps.as_slice();
            if let (&[tap], None, true) = (taps, reference, share == 1.0) {
                return tap.texel;
            }
            for tap in taps {
                for (lane, sum) in sum.iter_mut().enumerate() {
                    let value = match reference {
                        Some(r) => f64::from(u8::from(self.passes(r, tap.texel[0]))),
                        None => f64::from(float::operand(tap.texel[lane])),
                    };
                    *sum += share * tap.weight * value;
                }
            }
        }
        sum.map(|x| float::result(x as f32))
    }

    /// Whether a texel passes the comparison, at the precision of the format (22.4.19).
    fn passes(&self, reference: f32, texel: u32) -> bool {
        let reference = match self.texture.depth {
            DepthFormat::Float => reference,
            DepthFormat::Unorm(bits) => {
                let most = f64::from((1u32 << bits.min(24)) - 1);
                ((f64::from(float::saturate(reference)) * most + 0.5).floor() / most) as f32
            }
        };
        self.sampler.comparison.passes(float::flush(reference), float::operand(texel))
    }

    /// 22.4.2 to 22.4.5: one lane of the four texels of a linear filter in level 0, from the lower left one
    /// counter-clockwise; or whether each passes the comparison.
    pub(crate) fn gather(&self, lane: usize, reference: Option<f32>) -> [u32; 4] {
        let value = |texel: [u32; 4]| match reference {
            Some(r) => f32::from(u8::from(self.passes(r, texel[0]))).to_bits(),
            None => texel[lane],
        };
        const ORDER: [(i64, i64); 4] = [(0, 1), (1, 1), (1, 0), (0, 0)];
        if self.texture.is_cube() {
            let (face, [(x, _), (y, _)]) = self.face_position(0, Filter::Linear);
            let texels = ORDER.map(|(dx, dy)| self.cube_texel(0, &face, [x + dx, y + dy]).map(value));
            // The texel that a corner lacks is the mean of the others, after the comparison (22.4.3).
            let there = texels.iter().flatten().map(|&t| f64::from(float::operand(t)));
            let mean = float::result((there.sum::<f64>() / 3.0) as f32);
            return texels.map(|t| t.unwrap_or(mean));
        }
        let size = self.texture.level_size(0);
        let coordinate = self.vector();
        let [x, y] = [0, 1].map(|axis| {
            let u = reduce(coordinate[axis], self.sampler.address[axis]);
            texel_position(u, size[axis], Filter::Linear).0 + i64::from(self.offset[axis])
        });
        let layer = self.layer();
        ORDER.map(|(dx, dy)| value(self.texel(0, layer, [x + dx, y + dy, 0])))
    }

    /// 7.18.11: the isotropic level of detail for these derivatives of the coordinate.
    pub(crate) fn level_of_detail(&self, dx: [f32; 4], dy: [f32; 4]) -> f32 {
        let size = self.texture.size.map(f64::from);
        let length = |d: [f32; 4]| {
            let [x, y, z, _] = d.map(|n| f64::from(float::flush(n)));
            let scaled = if self.texture.is_cube() {
                let v = self.vector();
                let face = Face::of(v);
                let (major, point) = (face.major(v), face.minor(v));
                let (d_major, d_minor) = (face.major([x, y, z]), face.minor([x, y, z]));
                let along =
                    |n: usize| 0.5 * size[0] * (major * d_minor[n] - point[n] * d_major) / (major * major);
                [along(0), along(1), 0.0]
            } else {
                let axes = self.texture.axes();
                let all = [x * size[0], y * size[1], z * size[2]];
                std::array::from_fn(|n| if n < axes { all[n] } else { 0.0 })
            };
            scaled.iter().map(|n| n * n).sum::<f64>().sqrt()
        };
        let (x, y) = (length(dx), length(dy));
        // As `max` has it, a number wins over NaN.
        x.max(y).log2() as f32
    }

    /// [`CubeLevels::TwoAxes`](crate::CubeLevels::TwoAxes): the level for these derivatives, which are already over the
    /// longest axis.
    pub(crate) fn level_by_axes(&self, dx: [f32; 4], dy: [f32; 4]) -> f32 {
        let most = |d: [f32; 4]| {
            let [x, y, z, _] = d.map(|n| f64::from(n.abs()));
            (x + y).max(x + z).max(y + z)
        };
        (0.5 * f64::from(self.texture.size[0]) * most(dx).max(most(dy))).log2() as f32
    }
}

/// The magnitude of the longest axis of a direction.
pub(crate) fn longest([x, y, z, _]: [f32; 4]) -> f32 {
    x.abs().max(y.abs()).max(z.abs())
}

/// Bits of a direction over its longest axis.
pub(crate) fn over_longest(direction: [u32; 4]) -> [u32; 4] {
    let direction = direction.map(f32::from_bits);
    let longest = longest(direction);
    direction.map(|n| (n / longest).to_bits())
}

#[cfg(test)]
mod tests {
    use super::*;
    use shaderport_dxbc::program::ResourceDimension;

    #[test]
    fn faces_are_mapped_both_ways() {
        for number in 0..6 {
            let face = Face { number, axis: number as usize / 2, negative: number & 1 != 0 };
            let v = face.direction([0.25, -0.5]);
            assert_eq!((Face::of(v).number, face.point(v)), (number, [0.625, 0.25]));
        }
        assert_eq!(Face::of([1.0, 1.0, 1.0]).number, 4); // 7.18.7: ties go to z, y, x
        assert_eq!(Face::of([1.0, -1.0, 0.5]).number, 3);
    }

    #[test]
    fn addresses() {
        let row = |mode| (-5..9).map(|i| address(i, 4, mode)).collect::<Vec<_>>();
        let some = |list: [i64; 14]| list.map(Some).to_vec();
        assert_eq!(row(Address::Wrap), some([3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0]));
        assert_eq!(row(Address::Mirror), some([3, 3, 2, 1, 0, 0, 1, 2, 3, 3, 2, 1, 0, 0]));
        assert_eq!(row(Address::Clamp), some([0, 0, 0, 0, 0, 0, 1, 2, 3, 3, 3, 3, 3, 3]));
        assert_eq!(row(Address::MirrorOnce), some([3, 3, 2, 1, 0, 0, 1, 2, 3, 3, 3, 3, 3, 3]));
        assert_eq!(row(Address::Border).iter().flatten().count(), 4);
    }

    fn ramp(size: u32) -> Texture {
        let level = |n: u32| (0..n * n).map(|i| [(i as f32).to_bits(); 4]).collect();
        let levels = vec![level(size), level(size / 2)];
        Texture::new(ResourceDimension::Texture2D, [size, size, 1], 1, levels).unwrap()
    }

    fn place<'a>(texture: &'a Texture, sampler: &'a Sampler, coordinate: [f32; 4]) -> Place<'a> {
        Place { texture, sampler, coordinate, offset: [0; 3] }
    }

    #[test]
    fn linear_filter_weighs_four_texels() {
        let texture = ramp(4);
        let sampler = Sampler { mag: Filter::Linear, ..Sampler::default() };
        // Between the centres of texels 5, 6, 9 and 10.
        let s = place(&texture, &sampler, [0.5, 0.5, 0.0, 0.0]).sample(0.0, f32::NEG_INFINITY, None);
        assert_eq!(f32::from_bits(s[0]), 7.5);
        let g = place(&texture, &sampler, [0.5, 0.5, 0.0, 0.0]).gather(0, None);
        assert_eq!(g.map(f32::from_bits), [9.0, 10.0, 6.0, 5.0]); // 22.4.2: (-,+) (+,+) (+,-) (-,-)
    }

    #[test]
    fn levels_are_rounded_or_blended() {
        let texture = ramp(4);
        let point = Sampler::default();
        let at = |sampler: &Sampler, lod| {
            f32::from_bits(
                place(&texture, sampler, [0.9, 0.9, 0.0, 0.0]).sample(lod, f32::NEG_INFINITY, None)[0],
            )
        };
        assert_eq!(
            [-3.0, 0.0, 0.49, 0.5, 1.0, 9.0, f32::NAN].map(|l| at(&point, l)),
            [15., 15., 15., 3., 3., 3., 3.]
        );
        let linear = Sampler { mip: Filter::Linear, ..point };
        assert_eq!([0.0, 0.25, 1.0, 2.0].map(|l| at(&linear, l)), [15.0, 12.0, 3.0, 3.0]);
        let clamped = Sampler { min_lod: 1.0, max_lod: 0.0, ..point };
        assert_eq!(at(&clamped, 0.0), 3.0); // 7.18.11: the least one wins
    }

    #[test]
    fn levels_of_cubes_in_two_manners() {
        let cube =
            Texture::new(ResourceDimension::TextureCube, [4, 4, 1], 6, vec![vec![[0; 4]; 96]]).unwrap();
        let sampler = Sampler::default();
        let p = place(&cube, &sampler, [2.0, 1.0, 0.5, 0.0]);
        // 7.18.11: half of 4 texels, times the derivative of y / x and z / x at x = 2: (0, 3 / 2, 2).
        let level = p.level_of_detail([0.0, 3.0, 4.0, 0.0], [0.0; 4]);
        assert!((level - (2.0f32 * 2.5).log2()).abs() < 1e-6);
        // The same over the longest axis; two axes are 3.5 together.
        let level = p.level_by_axes([0.0, 1.5, 2.0, 0.0], [0.0; 4]);
        assert!((level - (2.0f32 * 3.5).log2()).abs() < 1e-6);
        let over = over_longest([2.0, -4.0, 1.0, 0.0].map(f32::to_bits)).map(f32::from_bits);
        assert_eq!(over[..3], [0.5, -1.0, 0.25]);
    }

    #[test]
    fn cube_filters_across_edges() {
        let texels = (0..6).flat_map(|face| vec![[(face as f32).to_bits(); 4]; 4]).collect();
        let cube = Texture::new(ResourceDimension::TextureCube, [2, 2, 1], 6, vec![texels]).unwrap();
        let sampler = Sampler { mag: Filter::Linear, ..Sampler::default() };
        let at = |v: [f32; 3]| {
            let p = place(&cube, &sampler, [v[0], v[1], v[2], 0.0]);
            f32::from_bits(p.sample(0.0, f32::NEG_INFINITY, None)[0])
        };
        assert_eq!(at([1.0, 0.0, 0.0]), 0.0);
        assert_eq!(at([1.0, 0.0, 1.0]), 2.0); // half +x, half +z
        assert!((at([1.0, 1.0, 1.0]) - 2.0).abs() < 1e-6); // a third of +x, +y and +z each
    }
}
