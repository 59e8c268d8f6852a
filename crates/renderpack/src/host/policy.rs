//! Response curves, weather, day groups and the horizon.
//!
//! Contract: "AtmosphericFrame - set 3, binding 5" (the policy members) and decision D1's `atmospherePolicy`.

use crate::descriptor::{CurvePoint, DayGroup, WeatherKind};

/// How a curve lies between its points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CurveKind {
    /// Straight lines over degrees: sun rays.
    Ray,
    /// Straight lines over the sine of the elevation: directional shadows.
    Shadow,
    /// Smoothstep over degrees: volumetric shafts.
    Shaft,
}

/// A curve's value at an elevation in degrees; the ends go on as they are. An empty curve gives `fallback`.
pub fn evaluate(kind: CurveKind, points: &[CurvePoint], degrees: f64, fallback: f64) -> f32 {
    let domain = |e: f64| if kind == CurveKind::Shadow { e.to_radians().sin() } else { e };
    let x = domain(degrees);
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return fallback as f32 };
    if x.is_nan() || x <= domain(first.elevation_degrees) {
        return first.multiplier as f32;
    }
    if x >= domain(last.elevation_degrees) {
        return last.multiplier as f32;
    }
    for pair in points.windows(2) {
        let (a, b) = (domain(pair[0].elevation_degrees), domain(pair[1].elevation_degrees));
        if x <= b {
            let t = if b > a { (x - a) / (b - a) } else { 1.0 };
            let t = if kind == CurveKind::Shaft { t * t * (3.0 - 2.0 * t) } else { t };
            return (pair[0].multiplier + (pair[1].multiplier - pair[0].multiplier) * t) as f32;
        }
    }
    last.multiplier as f32
}

/// The shadow curve with the horizon rule: zero at and below 0 degrees, whatever the points say.
pub fn shadow_factor(points: &[CurvePoint], degrees: f64) -> f32 {
    if degrees <= 0.0 { 0.0 } else { evaluate(CurveKind::Shadow, points, degrees, 0.0) }
}

/// The multiplier of a day group; 1 for one that the pack does not name.
pub fn day_group_factor(groups: &[DayGroup], group: i32) -> f32 {
    groups.iter().find(|g| g.active_day_group == i64::from(group)).map_or(1.0, |g| g.multiplier as f32)
}

/// How far weather dims sun rays at full intensity.
pub fn ray_weather(kind: WeatherKind) -> f32 {
    match kind {
        WeatherKind::Clear => 1.0,
        WeatherKind::Overcast => 0.18,
        WeatherKind::Rain => 0.10,
        WeatherKind::Snow => 0.16,
        WeatherKind::Storm => 0.06,
    }
}

/// The weather's factor on rays at an intensity.
pub fn ray_weather_factor(kind: WeatherKind, intensity: f32) -> f32 {
    1.0 + (ray_weather(kind) - 1.0) * intensity.clamp(0.0, 1.0)
}

/// `uAtmosphereSunColor.w`: the combined ray policy.
pub fn ray_policy(curve: f32, day_group: f32, weather: f32, outdoor: bool, on_screen: bool) -> f32 {
    if outdoor && on_screen { (curve * day_group * weather).clamp(0.0, 4.0) } else { 0.0 }
}

/// `uAtmosphereSunScreen.z`: the strength of visible rays.
pub fn ray_strength(setting: f32, policy: f32, outdoor: bool, on_screen: bool) -> f32 {
    if outdoor && on_screen { (setting * policy).clamp(0.0, 4.0) } else { 0.0 }
}

/// Why no shafts are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoShafts {
    /// The setting is zero or less.
    Setting,
    /// No shadow maps of this frame.
    NoShadow,
    /// No depth.
    NoDepth,
    /// Indoors.
    Indoor,
    /// The sun is off screen.
    OffScreen,
    /// Too weak to be seen.
    Weak,
}

/// What the strength of shafts is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shafts {
    /// The setting.
    pub setting: f32,
    /// The weather's factor.
    pub weather: f32,
    /// The shaft curve.
    pub curve: f32,
    /// Authored brightness.
    pub brightness: f32,
    /// The day group's multiplier.
    pub day_group: f32,
    /// Shadow maps of this frame are bound.
    pub has_shadow: bool,
    /// Scene depth is there.
    pub has_depth: bool,
    /// Outdoors.
    pub outdoor: bool,
    /// The sun is on screen.
    pub on_screen: bool,
}

/// Strength of volumetric shafts, or why there are none.
pub fn shaft_strength(s: &Shafts) -> Result<f32, NoShafts> {
    let gates = [
        (s.setting <= 0.0, NoShafts::Setting),
        (!s.has_shadow, NoShafts::NoShadow),
        (!s.has_depth, NoShafts::NoDepth),
        (!s.outdoor, NoShafts::Indoor),
        (!s.on_screen, NoShafts::OffScreen),
    ];
    if let Some((_, why)) = gates.into_iter().find(|(closed, _)| *closed) {
        return Err(why);
    }
    let light = s.brightness.clamp(0.0, 4.0) * s.day_group.clamp(0.0, 4.0);
    let strength = (s.setting * s.weather * s.curve * light).clamp(0.0, 1.0);
    if strength <= 1e-4 { Err(NoShafts::Weak) } else { Ok(strength) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(list: &[(f64, f64)]) -> Vec<CurvePoint> {
        list.iter().map(|&(e, m)| CurvePoint { elevation_degrees: e, multiplier: m }).collect()
    }

    #[test]
    fn three_kinds_of_curves() {
        let p = points(&[(0.0, 0.0), (90.0, 1.0)]);
        assert_eq!(evaluate(CurveKind::Ray, &p, 45.0, 0.0), 0.5);
        assert!((evaluate(CurveKind::Shadow, &p, 30.0, 0.0) - 0.5).abs() < 1e-6);
        assert_eq!(evaluate(CurveKind::Shaft, &p, 22.5, 0.0), 0.15625);
        assert_eq!(evaluate(CurveKind::Ray, &p, -5.0, 0.0), 0.0);
        assert_eq!(evaluate(CurveKind::Ray, &p, 99.0, 0.0), 1.0);
        assert_eq!(evaluate(CurveKind::Ray, &[], 10.0, 1.0), 1.0);
        assert_eq!(shadow_factor(&points(&[(-90.0, 0.7), (90.0, 1.0)]), 0.0), 0.0);
    }

    #[test]
    fn weather_and_rays() {
        assert!((ray_weather_factor(WeatherKind::Storm, 0.5) - 0.53).abs() < 1e-6);
        assert!((ray_weather_factor(WeatherKind::Storm, 7.0) - 0.06).abs() < 1e-6);
        assert_eq!(ray_policy(3.0, 2.0, 1.0, true, true), 4.0);
        assert_eq!(ray_policy(3.0, 2.0, 1.0, true, false), 0.0);
        assert_eq!(day_group_factor(&[DayGroup { active_day_group: 1, multiplier: 0.35 }], 2), 1.0);
        let s = Shafts {
            setting: 0.35,
            weather: 1.0,
            curve: 1.0,
            brightness: 9.0,
            day_group: 1.0,
            has_shadow: true,
            has_depth: true,
            outdoor: true,
            on_screen: true,
        };
        assert_eq!(shaft_strength(&s), Ok(1.0));
        assert_eq!(shaft_strength(&Shafts { outdoor: false, has_depth: false, ..s }), Err(NoShafts::NoDepth));
        assert_eq!(shaft_strength(&Shafts { curve: 0.0, ..s }), Err(NoShafts::Weak));
    }
}
