//! The light that casts shadows, whether it does, and where its cascades lie.
//!
//! Contract: "DirectionalShadow - set 3, binding 6". The world's z axis points up.

use super::blocks::{Cascade, FilterRadius, IDENTITY, LightSource, Mat4};
use crate::descriptor::WeatherKind;

/// A celestial body of a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body {
    /// It is drawn.
    pub visible: bool,
    /// What replaces it is fully transparent.
    pub transparent: bool,
    /// Where it is anchored, if anywhere.
    pub anchor: Option<[f32; 3]>,
    /// From a surface to the body.
    pub direction: [f32; 3],
}

impl Body {
    fn can_cast(&self) -> bool {
        self.visible
            && !self.transparent
            && self.anchor.is_some_and(|a| a.iter().all(|v| v.is_finite()))
            && self.direction[2] > 0.0
    }
}

/// The one body that casts this frame's shadows: the sun, else the dominant moon, else the secondary one.
pub fn select(
    sun: Option<Body>,
    dominant: Option<Body>,
    secondary: Option<Body>,
) -> Option<(LightSource, [f32; 3])> {
    let bodies = [sun, dominant, secondary].into_iter().zip(LightSource::ALL);
    bodies.filter_map(|(b, s)| b.filter(Body::can_cast).map(|b| (s, b.direction))).next()
}

/// Energy of an authored light: its brightest channel.
pub fn energy(color: [f32; 3]) -> f32 {
    color.into_iter().fold(0.0f32, f32::max).clamp(0.0, 1.0)
}

/// Why there are no shadows, in the order in which it is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
pub enum Gate {
    /// The pack is off.
    PackDisabled,
    /// A portal or the login screen covers the world.
    PortalOrLoginCover,
    /// Indoors.
    Indoor,
    /// No body can cast.
    NoVisibleCelestial,
    /// It is at or below its horizon.
    SelectedLightBelowHorizon,
    /// It gives no light.
    SelectedLightHasNoEnergy,
    /// The atmosphere takes all of it.
    AtmosphereSuppressed,
    /// No world around the camera is loaded.
    ResidentWindowUnavailable,
}

/// What decides whether there are shadows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShadowState {
    /// The pack is on.
    pub enabled: bool,
    /// Something covers the world.
    pub covered: bool,
    /// Outdoors.
    pub outdoor: bool,
    /// The selected light.
    pub light: Option<(LightSource, [f32; 3])>,
    /// The sine at or below which the light is down; packs have -1.001, since their curve decides.
    pub horizon_sine: f32,
    /// Energy of the light.
    pub energy: f32,
    /// Weather.
    pub weather: WeatherKind,
    /// Intensity of the authored light.
    pub intensity: f32,
    /// Multiplier of the day group.
    pub day_group: f32,
    /// The pack's shadow curve at the light's elevation.
    pub curve: f32,
    /// The setting.
    pub setting: f32,
    /// The world around the camera is loaded.
    pub resident: bool,
}

/// How far weather dims shadows.
pub fn shadow_weather(kind: WeatherKind) -> f32 {
    match kind {
        WeatherKind::Clear => 1.0,
        WeatherKind::Overcast => 0.65,
        WeatherKind::Rain => 0.45,
        WeatherKind::Snow => 0.60,
        WeatherKind::Storm => 0.25,
    }
}

/// How soft weather makes shadows.
pub fn shadow_softness(kind: WeatherKind) -> f32 {
    match kind {
        WeatherKind::Clear => 1.0,
        WeatherKind::Overcast => 1.5,
        WeatherKind::Rain => 1.8,
        WeatherKind::Snow => 1.6,
        WeatherKind::Storm => 2.0,
    }
}

/// Strength of directional shadows, or why there are none.
pub fn shadow_strength(s: &ShadowState) -> Result<f32, Gate> {
    if !s.enabled {
        return Err(Gate::PackDisabled);
    }
    if s.covered {
        return Err(Gate::PortalOrLoginCover);
    }
    if !s.outdoor {
        return Err(Gate::Indoor);
    }
    let Some((_, direction)) = s.light else { return Err(Gate::NoVisibleCelestial) };
    if direction[2] <= s.horizon_sine || s.curve <= 0.0 {
        return Err(Gate::SelectedLightBelowHorizon);
    }
    if s.energy <= 1e-5 {
        return Err(Gate::SelectedLightHasNoEnergy);
    }
    let clamp = |v: f32| v.clamp(0.0, 1.0);
    let strength = clamp(s.energy)
        * shadow_weather(s.weather)
        * clamp(s.intensity)
        * clamp(s.day_group * s.curve * s.setting);
    if strength <= 0.0 {
        return Err(Gate::AtmosphereSuppressed);
    }
    if !s.resident {
        return Err(Gate::ResidentWindowUnavailable);
    }
    Ok(strength)
}

/// Quality of shadow maps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShadowQuality {
    /// Cascades.
    pub cascades: u32,
    /// Edge of a map in pixels.
    pub resolution: u32,
    /// Reach in metres.
    pub reach: f32,
    /// Filter.
    pub radius: FilterRadius,
}

/// The Low quality.
pub const LOW: ShadowQuality =
    ShadowQuality { cascades: 2, resolution: 768, reach: 72.0, radius: FilterRadius::None };
/// The Medium quality.
pub const MEDIUM: ShadowQuality =
    ShadowQuality { cascades: 3, resolution: 1536, reach: 144.0, radius: FilterRadius::One };
/// The High quality.
pub const HIGH: ShadowQuality =
    ShadowQuality { cascades: 4, resolution: 2048, reach: 240.0, radius: FilterRadius::Two };

/// The distance at which cascades begin.
pub const NEAR: f32 = 0.1;
const LAMBDA: f32 = 0.65;

/// Far distances of the cascades: between equal ratios and equal lengths. The reach is clamped to 1 to 10,000 metres.
pub fn splits(cascades: u32, reach: f32) -> Vec<f32> {
    let n = cascades.clamp(1, 4);
    let far = reach.clamp(1.0, 10_000.0);
    (1..=n)
        .map(|i| {
            let t = i as f32 / n as f32;
            if i == n {
                return far;
            }
            LAMBDA * NEAR * (far / NEAR).powf(t) + (1.0 - LAMBDA) * (NEAR + (far - NEAR) * t)
        })
        .collect()
}

/// A perspective camera.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Eye.
    pub eye: [f32; 3],
    /// Unit vector ahead.
    pub forward: [f32; 3],
    /// Half the vertical field of view, as a tangent.
    pub tan_half_fov: f32,
    /// Width over height.
    pub aspect: f32,
}

/// Biases as multiples of a texel, with limits in metres: least, texels, most.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bias {
    /// Constant, slope and normal offset.
    pub each: [[f32; 3]; 3],
    /// Depth added on the light's side, in metres.
    pub caster_padding: f32,
}

type V3 = [f32; 3];

fn dot(a: V3, b: V3) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: V3, b: V3) -> V3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn normal(a: V3) -> V3 {
    let l = dot(a, a).sqrt();
    a.map(|v| v / l)
}

/// The cascades of a frame. Each slice of the view is put in a sphere, whose size does not change as the camera
/// turns and whose centre moves by whole texels, so that shadows do not crawl.
pub fn cascades(camera: &Camera, direction: V3, quality: &ShadowQuality, bias: &Bias) -> Vec<Cascade> {
    let light = normal(direction);
    // A frame that does not turn with the camera.
    let up = if light[2].abs() > 0.99 { [0.0, 1.0, 0.0] } else { [0.0, 0.0, 1.0] };
    let right = normal(cross(up, light));
    let up = cross(light, right);
    let mut near = NEAR;
    let all = splits(quality.cascades, quality.reach).into_iter().map(|far| {
        let (distance, radius) = slice_sphere(camera, near, far);
        near = far;
        let texel = 2.0 * radius / quality.resolution as f32;
        let centre: V3 = std::array::from_fn(|i| camera.eye[i] + camera.forward[i] * distance);
        let snap = |v: f32| (v / texel).round() * texel;
        let (x, y, z) = (snap(dot(centre, right)), snap(dot(centre, up)), dot(centre, light));
        let depth = 2.0 * radius + bias.caster_padding;
        let mut m = IDENTITY;
        for i in 0..3 {
            m[i][0] = right[i] / radius;
            m[i][1] = up[i] / radius;
            m[i][2] = -light[i] / depth;
        }
        // Depth 0 is the padding's far side towards the light, 1 the sphere's other side.
        m[3] = [-x / radius, -y / radius, (z + radius + bias.caster_padding) / depth, 1.0];
        let limited = |[least, texels, most]: [f32; 3]| (texels * texel).clamp(least, most.max(least));
        Cascade {
            world_to_clip: m,
            split_far: far,
            bias: bias.each.map(limited),
            caster_padding: bias.caster_padding,
        }
    });
    all.collect()
}

/// Where along the view a slice's sphere has its centre, and its radius rounded up to sixteenths of a metre.
fn slice_sphere(camera: &Camera, near: f32, far: f32) -> (f32, f32) {
    let k = camera.tan_half_fov * camera.tan_half_fov * (1.0 + camera.aspect * camera.aspect);
    // The point ahead that is as far from the near corners as from the far ones, kept within the slice.
    let distance = (0.5 * (near + far) * (1.0 + k)).min(far);
    let ahead = far - distance;
    let radius = (ahead * ahead + k * far * far).sqrt();
    (distance, (radius * 16.0).ceil() / 16.0)
}

/// A column-major matrix times a point.
pub fn transform(m: &Mat4, p: V3) -> [f32; 4] {
    std::array::from_fn(|r| m[0][r] * p[0] + m[1][r] * p[1] + m[2][r] * p[2] + m[3][r])
}

/// The sun in the main viewport, and whether it is ahead and on it. Off screen it is at (-1, -1).
pub fn project_sun(view_projection: &Mat4, eye: V3, direction: V3) -> ([f32; 2], bool) {
    let far: V3 = std::array::from_fn(|i| eye[i] + 10_000.0 * direction[i]);
    let clip = transform(view_projection, far);
    if clip[3] <= 1e-5 {
        return ([-1.0; 2], false);
    }
    let uv = [clip[0] / clip[3] * 0.5 + 0.5, 0.5 - clip[1] / clip[3] * 0.5];
    let on = uv.iter().all(|v| (0.0..=1.0).contains(v));
    (if on { uv } else { [-1.0; 2] }, on)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BODY: Body =
        Body { visible: true, transparent: false, anchor: Some([0.0; 3]), direction: [0.0, 0.6, 0.8] };

    #[test]
    fn the_first_body_that_can_casts() {
        let below = Body { direction: [0.0, 1.0, 0.0], ..BODY };
        assert_eq!(select(Some(below), Some(BODY), None), Some((LightSource::DominantMoon, BODY.direction)));
        let lost = Body { anchor: Some([f32::NAN; 3]), ..BODY };
        assert_eq!(
            select(Some(Body { visible: false, ..BODY }), Some(lost), Some(BODY)).unwrap().0,
            LightSource::SecondaryMoon
        );
        assert_eq!(select(None, None, None), None);
    }

    #[test]
    fn gates_are_asked_in_order() {
        let open = ShadowState {
            enabled: true,
            covered: false,
            outdoor: true,
            light: Some((LightSource::Sun, BODY.direction)),
            horizon_sine: -1.001,
            energy: 1.0,
            weather: WeatherKind::Rain,
            intensity: 1.0,
            day_group: 1.0,
            curve: 1.0,
            setting: 0.72,
            resident: true,
        };
        assert_eq!(shadow_strength(&open), Ok(0.45 * 0.72));
        let gate = |s: ShadowState| shadow_strength(&s).unwrap_err();
        assert_eq!(gate(ShadowState { enabled: false, covered: true, ..open }), Gate::PackDisabled);
        assert_eq!(gate(ShadowState { covered: true, outdoor: false, ..open }), Gate::PortalOrLoginCover);
        assert_eq!(gate(ShadowState { outdoor: false, light: None, ..open }), Gate::Indoor);
        assert_eq!(gate(ShadowState { light: None, ..open }), Gate::NoVisibleCelestial);
        assert_eq!(gate(ShadowState { curve: 0.0, energy: 0.0, ..open }), Gate::SelectedLightBelowHorizon);
        assert_eq!(gate(ShadowState { energy: 1e-6, ..open }), Gate::SelectedLightHasNoEnergy);
        assert_eq!(gate(ShadowState { setting: 0.0, ..open }), Gate::AtmosphereSuppressed);
        assert_eq!(gate(ShadowState { resident: false, ..open }), Gate::ResidentWindowUnavailable);
    }

    #[test]
    fn cascades_hold_their_slices_and_do_not_crawl() {
        let bias = Bias { each: [[0.01, 1.0, 0.2]; 3], caster_padding: 50.0 };
        let mut last: Option<Vec<Cascade>> = None;
        for turn in 0..32 {
            let a = turn as f32 * 0.2;
            let camera = Camera {
                eye: [100.0 + turn as f32 * 0.01, 50.0, 30.0],
                forward: [a.cos(), a.sin(), 0.0],
                tan_half_fov: 0.6,
                aspect: 1.7,
            };
            let found = cascades(&camera, [0.3, -0.4, 0.866], &HIGH, &bias);
            let mut near = NEAR;
            for c in &found {
                for d in [near, c.split_far] {
                    let side = normal(cross(camera.forward, [0.0, 0.0, 1.0]));
                    for (sx, sy) in [(-1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
                        let p: V3 = std::array::from_fn(|i| {
                            let across =
                                side[i] * sx * 0.6 * 1.7 * d + if i == 2 { sy * 0.6 * d } else { 0.0 };
                            camera.eye[i] + camera.forward[i] * d + across
                        });
                        let clip = transform(&c.world_to_clip, p);
                        assert!(
                            clip[0].abs() <= 1.01 && clip[1].abs() <= 1.01 && (0.0..=1.0).contains(&clip[2]),
                            "{clip:?}"
                        );
                    }
                }
                near = c.split_far;
            }
            // The scale does not change, and the place in texels is whole.
            if let Some(last) = &last {
                for (a, b) in last.iter().zip(&found) {
                    assert_eq!(a.world_to_clip[0], b.world_to_clip[0]);
                    let texels =
                        (a.world_to_clip[3][0] - b.world_to_clip[3][0]) * HIGH.resolution as f32 * 0.5;
                    assert!((texels - texels.round()).abs() < 0.05, "{texels}");
                }
            }
            last = Some(found);
        }
        assert_eq!(splits(3, 144.0).last(), Some(&144.0));
    }
}
