//! The uniform blocks as bytes, from values that cannot be reserved ones, and back.
//!
//! Contract: "AtmosphericFrame - set 3, binding 5", "DirectionalShadow - set 3, binding 6", "PackPass - set 3,
//! binding 7", "Shared push constants". Offsets are those of [`crate::abi::SEMANTIC_V1`].

use crate::descriptor::WeatherKind;
use crate::slots::UNASSIGNED;

/// A column-major matrix.
pub type Mat4 = [[f32; 4]; 4];

/// The matrix that changes nothing.
pub const IDENTITY: Mat4 =
    [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];

/// Writes words one behind the other.
struct Writer<const N: usize> {
    bytes: [u8; N],
    at: usize,
}

impl<const N: usize> Writer<N> {
    fn new() -> Self {
        Writer { bytes: [0; N], at: 0 }
    }
    fn word(&mut self, word: u32) {
        if let Some(slot) = self.bytes.get_mut(self.at..self.at + 4) {
            slot.copy_from_slice(&word.to_le_bytes());
        }
        self.at += 4;
    }
    fn floats(&mut self, values: &[f32]) {
        values.iter().for_each(|v| self.word(v.to_bits()));
    }
    fn matrix(&mut self, m: &Mat4) {
        m.iter().for_each(|c| self.floats(c));
    }
}

/// Reads words by their offset; the caller has checked the length.
struct Reader<'b>(&'b [u8]);

impl Reader<'_> {
    fn word(&self, offset: usize) -> u32 {
        self.0.get(offset..offset + 4).map_or(0, |b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]))
    }
    fn float(&self, offset: usize) -> f32 {
        f32::from_bits(self.word(offset))
    }
    fn floats<const N: usize>(&self, offset: usize) -> [f32; N] {
        std::array::from_fn(|i| self.float(offset + 4 * i))
    }
    fn matrix(&self, offset: usize) -> Mat4 {
        std::array::from_fn(|c| self.floats(offset + 16 * c))
    }
    /// A float that holds a whole number.
    fn whole(&self, offset: usize, name: &str, wrong: &mut Vec<String>) -> i32 {
        let v = self.float(offset);
        if v.fract() != 0.0 || !v.is_finite() || v.abs() > 16_777_216.0 {
            wrong.push(format!("{name} is {v}, which is no whole number"));
            return 0;
        }
        v as i32
    }
}

/// What shaders call weather kinds.
pub fn weather_number(kind: WeatherKind) -> f32 {
    kind as u8 as f32
}

/// Time and wind of a frame; all zero where no wind blows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Wind {
    /// Elapsed seconds, mean, gust, direction in radians.
    pub clock: [f32; 4],
    /// Amplitudes of lean, branches and flutter, and the canopy's height, in metres.
    pub amplitude: [f32; 4],
}

/// The `AtmosphericFrame` block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AtmosphericFrame {
    /// The sun in the main viewport; (-1, -1) off screen.
    pub sun_uv: [f32; 2],
    /// Strength of visible rays.
    pub ray_strength: f32,
    /// Elevation of the sun in degrees.
    pub sun_elevation_degrees: f32,
    /// Authored colour, display-space.
    pub sun_color: [f32; 3],
    /// Combined multiplier of the ray policy.
    pub ray_policy: f32,
    /// Width and height of the viewport in pixels.
    pub viewport: [f32; 2],
    /// Weather.
    pub weather: WeatherKind,
    /// Intensity of the transition; clamped to 0 to 1.
    pub weather_intensity: f32,
    /// Seconds since the frame before; clamped to 0 to 1.
    pub delta_seconds: f32,
    /// The camera is outdoors.
    pub outdoor: bool,
    /// From a surface to the sun.
    pub sun_direction: [f32; 3],
    /// Authored brightness.
    pub sun_brightness: f32,
    /// Day group; -1 where none is published.
    pub day_group: i32,
    /// Its multiplier.
    pub group_factor: f32,
    /// Elevation factor of directional shadows.
    pub shadow_factor: f32,
    /// Elevation factor of shafts.
    pub shaft_factor: f32,
    /// From clip space to the world; identity where the projection has no inverse.
    pub inverse_view_projection: Mat4,
    /// Wind.
    pub wind: Wind,
}

impl AtmosphericFrame {
    /// Bytes of the current version.
    pub const BYTES: usize = 192;
    /// Bytes that shaders of version 1 read.
    pub const BYTES_V1: usize = 160;

    /// The block that shadow casters get: wind alone.
    pub fn casters(wind: Wind) -> [u8; Self::BYTES] {
        let mut w = Writer::new();
        w.floats(&[0.0; 24]);
        w.matrix(&IDENTITY);
        w.floats(&wind.clock);
        w.floats(&wind.amplitude);
        w.bytes
    }

    /// The frame that custom passes get: rays as the policy has them, since no setting of theirs is known, and no wind.
    pub fn custom(self) -> Self {
        AtmosphericFrame { ray_strength: self.ray_policy, wind: Wind::default(), ..self }
    }

    /// The frame that the shaft pass gets: the strength of shafts where others have that of rays, and no wind.
    pub fn shafts(self, strength: f32) -> Self {
        AtmosphericFrame { ray_strength: strength, ray_policy: strength, wind: Wind::default(), ..self }
    }

    /// The frame where no environment is published: no day group, and not outdoors.
    pub fn unpublished(self) -> Self {
        AtmosphericFrame { day_group: -1, outdoor: false, ..self }
    }

    /// The bytes to bind.
    pub fn encode(&self) -> [u8; Self::BYTES] {
        let [w, h] = self.viewport;
        let mut out = Writer::new();
        out.floats(&[self.sun_uv[0], self.sun_uv[1], self.ray_strength, self.sun_elevation_degrees]);
        let [r, g, b] = self.sun_color;
        out.floats(&[r, g, b, self.ray_policy]);
        out.floats(&[w, h, 1.0 / w, 1.0 / h]);
        let weather = weather_number(self.weather);
        // What is no number counts as none, since shaders are promised 0 to 1.
        let clamp = |v: f32| if v.is_nan() { 0.0 } else { v.clamp(0.0, 1.0) };
        let outdoor = f32::from(u8::from(self.outdoor));
        out.floats(&[weather, clamp(self.weather_intensity), clamp(self.delta_seconds), outdoor]);
        let [x, y, z] = self.sun_direction;
        out.floats(&[x, y, z, self.sun_brightness]);
        out.floats(&[self.day_group as f32, self.group_factor, self.shadow_factor, self.shaft_factor]);
        out.matrix(&self.inverse_view_projection);
        out.floats(&self.wind.clock);
        out.floats(&self.wind.amplitude);
        out.bytes
    }

    /// Reads a block of either version back. Every reserved value is named.
    pub fn decode(bytes: &[u8]) -> Result<Self, Vec<String>> {
        if bytes.len() != Self::BYTES && bytes.len() != Self::BYTES_V1 {
            return Err(vec![format!("the block has {} bytes, not 160 or 192", bytes.len())]);
        }
        let r = Reader(bytes);
        let mut wrong = Vec::new();
        let kind = r.whole(48, "uAtmosphereWeather.x", &mut wrong);
        let weather = usize::try_from(kind).ok().and_then(|k| WeatherKind::ALL.get(k)).copied();
        if weather.is_none() {
            wrong.push(format!("uAtmosphereWeather.x is {kind}; weather kinds are 0 to 4"));
        }
        let outdoor = r.float(60);
        if outdoor != 0.0 && outdoor != 1.0 {
            wrong.push(format!("uAtmosphereWeather.w is {outdoor}, which is neither 0 nor 1"));
        }
        let intensity = r.float(52);
        if !(0.0..=1.0).contains(&intensity) {
            wrong.push(format!("uAtmosphereWeather.y is {intensity}, outside 0 to 1"));
        }
        let day_group = r.whole(80, "uAtmospherePolicy.x", &mut wrong);
        if !wrong.is_empty() {
            return Err(wrong);
        }
        Ok(AtmosphericFrame {
            sun_uv: r.floats(0),
            ray_strength: r.float(8),
            sun_elevation_degrees: r.float(12),
            sun_color: r.floats(16),
            ray_policy: r.float(28),
            viewport: r.floats(32),
            weather: weather.unwrap_or(WeatherKind::Clear),
            weather_intensity: intensity,
            delta_seconds: r.float(56),
            outdoor: outdoor == 1.0,
            sun_direction: r.floats(64),
            sun_brightness: r.float(76),
            day_group,
            group_factor: r.float(84),
            shadow_factor: r.float(88),
            shaft_factor: r.float(92),
            inverse_view_projection: r.matrix(96),
            wind: Wind { clock: r.floats(160), amplitude: r.floats(176) },
        })
    }
}

/// The light that casts shadows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub enum LightSource {
    /// The authored sun.
    Sun = 1,
    /// The dominant moon.
    DominantMoon = 2,
    /// The secondary moon.
    SecondaryMoon = 3,
}

impl LightSource {
    /// Every source, in the order in which they are preferred.
    pub const ALL: [LightSource; 3] =
        [LightSource::Sun, LightSource::DominantMoon, LightSource::SecondaryMoon];
}

/// Radius of the receiver's filter in texels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub enum FilterRadius {
    /// One tap.
    None = 0,
    /// Nine taps.
    One = 1,
    /// 25 taps.
    Two = 2,
}

impl FilterRadius {
    /// From the number of taps that the setting resolves to.
    pub fn from_taps(taps: f32) -> Option<Self> {
        match taps {
            1.0 => Some(FilterRadius::None),
            9.0 => Some(FilterRadius::One),
            25.0 => Some(FilterRadius::Two),
            _ => None,
        }
    }
}

/// One cascade.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cascade {
    /// From the world to the cascade's clip space.
    pub world_to_clip: Mat4,
    /// Far distance from the eye in metres.
    pub split_far: f32,
    /// Constant bias, slope bias and normal offset in metres.
    pub bias: [f32; 3],
    /// Depth added for casters, in metres.
    pub caster_padding: f32,
}

/// Shadows of a frame that are valid.
#[derive(Clone, Debug, PartialEq)]
pub struct EnabledShadow {
    /// One to four cascades; further ones are left out.
    pub cascades: Vec<Cascade>,
    /// Strength.
    pub strength: f32,
    /// Softness; at least 1.
    pub softness: f32,
    /// The quality's reach in metres, given to cascades that are not used.
    pub quality_reach: f32,
    /// Slot of the depth array; not the unassigned one.
    pub texture_slot: u32,
    /// Edge of the map in pixels.
    pub resolution: u32,
    /// Filter.
    pub radius: FilterRadius,
    /// From a surface to the light.
    pub direction: [f32; 3],
    /// Which light.
    pub source: LightSource,
}

/// The `DirectionalShadow` block: shadows, or none.
#[derive(Clone, Debug, PartialEq)]
pub enum DirectionalShadow {
    /// No shadows: the enabled bit is clear and the source is none.
    Disabled,
    /// Shadows.
    Enabled(EnabledShadow),
}

impl DirectionalShadow {
    /// Bytes of the block.
    pub const BYTES: usize = 336;

    /// The bytes to bind. An unassigned slot or no cascade means no shadows, since a shader could not sample them.
    pub fn encode(&self) -> [u8; Self::BYTES] {
        let mut w = Writer::new();
        let shadow = match self {
            DirectionalShadow::Enabled(s) if s.texture_slot != UNASSIGNED && !s.cascades.is_empty() => s,
            _ => {
                (0..4).for_each(|_| w.matrix(&IDENTITY));
                w.floats(&[0.0; 12]);
                [UNASSIGNED, 1, 0, 0].into_iter().for_each(|x| w.word(x));
                return w.bytes;
            }
        };
        let n = shadow.cascades.len().min(4);
        let used = &shadow.cascades[..n];
        (0..4).for_each(|i| w.matrix(used.get(i).map_or(&IDENTITY, |c| &c.world_to_clip)));
        w.floats(&std::array::from_fn::<f32, 4, _>(|i| {
            used.get(i).map_or(shadow.quality_reach, |c| c.split_far)
        }));
        let last = &used[n - 1];
        let reach = last.split_far;
        w.floats(&[shadow.strength, shadow.softness.max(1.0), reach, (0.02 * reach).max(1.0)]);
        // Bias of the last cascade, padding of the first: what holds for all of them.
        w.floats(&[last.bias[0], last.bias[1], last.bias[2], used[0].caster_padding]);
        let flags = 1 | (shadow.radius as u32) << 8;
        [shadow.texture_slot, n as u32, shadow.resolution, flags].into_iter().for_each(|x| w.word(x));
        let [x, y, z] = shadow.direction;
        w.floats(&[x, y, z, shadow.source as u8 as f32]);
        w.bytes
    }

    /// Reads a block back. Every reserved value is named, and a source of none with the enabled bit set.
    pub fn decode(bytes: &[u8]) -> Result<Self, Vec<String>> {
        if bytes.len() != Self::BYTES {
            return Err(vec![format!("the block has {} bytes, not 336", bytes.len())]);
        }
        let r = Reader(bytes);
        let mut wrong = Vec::new();
        let kind = r.whole(332, "uShadowLightDirectionAndSource.w", &mut wrong);
        if !(0..=3).contains(&kind) {
            wrong.push(format!("the source kind is {kind}; kinds are 0 to 3"));
        }
        let [slot, count, resolution, flags] = [304, 308, 312, 316].map(|o| r.word(o));
        if flags & !0xf01 != 0 {
            wrong.push(format!("the flags are {flags:#x}; only bits 0 and 8 to 11 have a meaning"));
        }
        let radius = match (flags >> 8) & 15 {
            0 => FilterRadius::None,
            1 => FilterRadius::One,
            2 => FilterRadius::Two,
            n => {
                wrong.push(format!("the filter radius is {n}; radii are 0 to 2"));
                FilterRadius::None
            }
        };
        if !(1..=4).contains(&count) {
            wrong.push(format!("the cascade count is {count}, outside 1 to 4"));
        }
        let enabled = flags & 1 != 0;
        if enabled && kind == 0 {
            wrong.push("the source kind is none, but the enabled bit is set".into());
        }
        if enabled && slot == UNASSIGNED {
            wrong.push("the texture slot is unassigned, but the enabled bit is set".into());
        }
        if !wrong.is_empty() {
            return Err(wrong);
        }
        let source = LightSource::ALL.into_iter().find(|s| *s as i32 == kind);
        let Some(source) = source.filter(|_| enabled) else { return Ok(DirectionalShadow::Disabled) };
        let bias = r.floats(288);
        let padding = r.float(300);
        let cascade = |i: usize| Cascade {
            world_to_clip: r.matrix(64 * i),
            split_far: r.float(256 + 4 * i),
            bias,
            caster_padding: padding,
        };
        Ok(DirectionalShadow::Enabled(EnabledShadow {
            cascades: (0..count as usize).map(cascade).collect(),
            strength: r.float(272),
            softness: r.float(276),
            quality_reach: if count < 4 { r.float(268) } else { r.float(280) },
            texture_slot: slot,
            resolution,
            radius,
            direction: r.floats(320),
            source,
        }))
    }
}

/// The `PackPass` block: sixteen numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PackPass(pub [[f32; 4]; 4]);

impl PackPass {
    /// Bytes of the block.
    pub const BYTES: usize = 64;

    /// The bytes to bind.
    pub fn encode(&self) -> [u8; Self::BYTES] {
        let mut w = Writer::new();
        w.matrix(&self.0);
        w.bytes
    }

    /// Reads a block back.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        (bytes.len() == Self::BYTES).then(|| PackPass(Reader(bytes).matrix(0)))
    }
}

/// The push block: the same words for every pipeline, in passes with the bits of texture slots.
///
/// Contract: "Shared push constants".
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PushBlock {
    /// Main-world view-projection.
    pub view_projection: Mat4,
    /// Added to the draw index.
    pub draw_id_offset: i32,
    /// The base pipeline's lighting mode.
    pub lighting_mode: i32,
    /// The cascade, while casters are drawn.
    pub render_pass: i32,
    /// The base pipeline's debug view.
    pub light_debug: i32,
    /// Texture slots A and B, then the bits of the words that passes read as slots C and D: see
    /// [`slot_words`](crate::slots::slot_words).
    pub textures: [u32; 4],
}

impl PushBlock {
    /// Bytes of the block.
    pub const BYTES: usize = 96;

    /// The bytes to push.
    pub fn encode(&self) -> [u8; Self::BYTES] {
        let mut w = Writer::new();
        w.matrix(&self.view_projection);
        for number in [self.draw_id_offset, self.lighting_mode, self.render_pass, self.light_debug] {
            w.word(number as u32);
        }
        self.textures.iter().for_each(|t| w.word(*t));
        w.bytes
    }

    /// Reads a block back.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let r = Reader((bytes.len() == Self::BYTES).then_some(bytes)?);
        Some(PushBlock {
            view_projection: r.matrix(0),
            draw_id_offset: r.word(64) as i32,
            lighting_mode: r.word(68) as i32,
            render_pass: r.word(72) as i32,
            light_debug: r.word(76) as i32,
            textures: [80, 84, 88, 92].map(|o| r.word(o)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::abi::{SEMANTIC_V1, Slot};

    pub(super) fn frame() -> AtmosphericFrame {
        AtmosphericFrame {
            sun_uv: [1.0, 2.0],
            ray_strength: 3.0,
            sun_elevation_degrees: 4.0,
            sun_color: [5.0, 6.0, 7.0],
            ray_policy: 8.0,
            viewport: [1920.0, 1080.0],
            weather: WeatherKind::Snow,
            weather_intensity: 0.5,
            delta_seconds: 0.25,
            outdoor: true,
            sun_direction: [9.0, 10.0, 11.0],
            sun_brightness: 12.0,
            day_group: 2,
            group_factor: 13.0,
            shadow_factor: 14.0,
            shaft_factor: 15.0,
            inverse_view_projection: std::array::from_fn(|c| {
                std::array::from_fn(|r| (16 + c * 4 + r) as f32)
            }),
            wind: Wind { clock: [40.0, 41.0, 42.0, 43.0], amplitude: [44.0, 45.0, 46.0, 47.0] },
        }
    }

    fn shadow(n: usize) -> EnabledShadow {
        let cascade = |i: usize| Cascade {
            world_to_clip: [[i as f32 + 1.0; 4]; 4],
            split_far: 10.0 * (i + 1) as f32,
            bias: [0.1, 0.2, 0.3],
            caster_padding: 0.4,
        };
        EnabledShadow {
            cascades: (0..n).map(cascade).collect(),
            strength: 0.7,
            softness: 1.5,
            quality_reach: 144.0,
            texture_slot: 7,
            resolution: 1536,
            radius: FilterRadius::One,
            direction: [0.0, 0.6, 0.8],
            source: LightSource::DominantMoon,
        }
    }

    /// Each member's bytes stand at the table's offset.
    #[test]
    fn bytes_stand_where_the_table_says() {
        let offset = |block: &str, member: &str| {
            let b = SEMANTIC_V1.blocks.iter().find(|b| b.name == block && b.slot != Slot::Push).unwrap();
            b.fields.iter().find(|f| f.name == member).unwrap().offset as usize
        };
        let float = |bytes: &[u8], at: usize| f32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
        let bytes = frame().encode();
        for (member, first) in [
            ("uAtmosphereSunScreen", 1.0),
            ("uAtmosphereSunColor", 5.0),
            ("uAtmosphereViewport", 1920.0),
            ("uAtmosphereWeather", 3.0),
            ("uAtmosphereSunDirection", 9.0),
            ("uAtmospherePolicy", 2.0),
            ("uAtmosphereInverseViewProjection", 16.0),
            ("uAtmosphereClockWind", 40.0),
            ("uAtmosphereWindAmplitude", 44.0),
        ] {
            assert_eq!(float(&bytes, offset("AtmosphericFrame", member)), first, "{member}");
        }
        let bytes = DirectionalShadow::Enabled(shadow(2)).encode();
        let at = |m| offset("DirectionalShadow", m);
        assert_eq!(float(&bytes, at("uShadowWorldToClip") + 64), 2.0);
        assert_eq!(float(&bytes, at("uShadowSplitFarMeters") + 8), 144.0);
        assert_eq!(float(&bytes, at("uShadowControl") + 8), 20.0);
        assert_eq!(float(&bytes, at("uShadowBiasMeters") + 12), 0.4);
        let flags = at("uShadowTextureAndFlags") + 12;
        assert_eq!(u32::from_le_bytes(bytes[flags..flags + 4].try_into().unwrap()), 0x101);
        assert_eq!(float(&bytes, at("uShadowLightDirectionAndSource") + 12), 2.0);
    }

    /// What one kind of pass gets differs from the frame in the words that are named, and in no other.
    #[test]
    fn passes_have_frames_of_their_own() {
        let changed = |other: [u8; 192]| -> Vec<(usize, f32)> {
            let pairs = frame().encode().into_iter().zip(other).collect::<Vec<_>>();
            let words = pairs.chunks_exact(4).enumerate().filter(|(_, w)| w.iter().any(|(a, b)| a != b));
            words.map(|(i, w)| (4 * i, f32::from_le_bytes([w[0].1, w[1].1, w[2].1, w[3].1]))).collect()
        };
        let no_wind = (160..192).step_by(4).map(|at| (at, 0.0));
        let with = |first: &[(usize, f32)]| first.iter().copied().chain(no_wind.clone()).collect::<Vec<_>>();
        assert_eq!(changed(frame().custom().encode()), with(&[(8, 8.0)]));
        assert_eq!(changed(frame().shafts(0.25).encode()), with(&[(8, 0.25), (28, 0.25)]));
        assert_eq!(changed(frame().unpublished().encode()), [(60, 0.0), (80, -1.0)]);
    }

    #[test]
    fn blocks_come_back() {
        let f = frame();
        assert_eq!(AtmosphericFrame::decode(&f.encode()), Ok(f));
        let v1 = AtmosphericFrame { wind: Wind::default(), ..f };
        assert_eq!(AtmosphericFrame::decode(&f.encode()[..160]), Ok(v1));
        for n in 1..=4 {
            let DirectionalShadow::Enabled(back) =
                DirectionalShadow::decode(&DirectionalShadow::Enabled(shadow(n)).encode()).unwrap()
            else {
                panic!("{n}")
            };
            assert_eq!(back.cascades, shadow(n).cascades);
        }
        let off = DirectionalShadow::Disabled.encode();
        assert_eq!(DirectionalShadow::decode(&off), Ok(DirectionalShadow::Disabled));
        let p = PackPass([[1.0, 2.0, 3.0, 4.0]; 4]);
        assert_eq!(PackPass::decode(&p.encode()), Some(p));
        let textures = [1, 2, UNASSIGNED, 4];
        let numbers = [-1, 2, 3, i32::MIN];
        let [draw_id_offset, lighting_mode, render_pass, light_debug] = numbers;
        let view_projection = f.inverse_view_projection;
        let p =
            PushBlock { view_projection, draw_id_offset, lighting_mode, render_pass, light_debug, textures };
        assert_eq!(PushBlock::decode(&p.encode()), Some(p));
        assert_eq!(PushBlock::decode(&p.encode()[..95]), None);
    }

    /// What a host has no number for is written as zero, not as a value that is reserved.
    #[test]
    fn no_number_is_no_intensity() {
        let f = AtmosphericFrame { weather_intensity: f32::NAN, delta_seconds: f32::NAN, ..frame() };
        let back = AtmosphericFrame::decode(&f.encode()).unwrap();
        assert_eq!((back.weather_intensity, back.delta_seconds), (0.0, 0.0));
    }

    #[test]
    fn reserved_values_are_named() {
        let mut bytes = frame().encode();
        bytes[48..52].copy_from_slice(&5.0f32.to_le_bytes());
        bytes[60..64].copy_from_slice(&0.5f32.to_le_bytes());
        assert_eq!(AtmosphericFrame::decode(&bytes).unwrap_err().len(), 2);
        let mut bytes = DirectionalShadow::Enabled(shadow(1)).encode();
        bytes[332..336].copy_from_slice(&0.0f32.to_le_bytes());
        assert_eq!(
            DirectionalShadow::decode(&bytes).unwrap_err(),
            ["the source kind is none, but the enabled bit is set"]
        );
        bytes[332..336].copy_from_slice(&4.0f32.to_le_bytes());
        bytes[316..320].copy_from_slice(&0x1301u32.to_le_bytes());
        assert_eq!(DirectionalShadow::decode(&bytes).unwrap_err().len(), 3);
    }
}
