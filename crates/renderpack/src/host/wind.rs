//! Wind on foliage, and Rust models of the GLSL helpers.
//!
//! Contract: "ABI v2 (additive)" and "Colour space".

use super::blocks::Wind;
use crate::descriptor::{WeatherKind, WindPoint};

/// The wind that the weather asks for: mean and gust. Weather that the pack does not name blows as clear weather.
pub fn target(rows: &[WindPoint], weather: WeatherKind, strength: f32) -> [f32; 2] {
    let row = |kind: WeatherKind| rows.iter().find(|r| r.weather_kind == kind.name());
    row(weather)
        .or_else(|| row(WeatherKind::Clear))
        .map_or([0.0; 2], |r| [r.mean as f32 * strength, r.gust as f32 * strength])
}

/// Wind that changes slowly.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EasedWind {
    /// Mean and gust as they are now.
    pub current: [f32; 2],
}

impl EasedWind {
    /// Moves towards a target; a transition of no time is done at once.
    pub fn step(&mut self, target: [f32; 2], delta_seconds: f32, transition_seconds: f32) {
        let t = if transition_seconds <= 0.0 {
            1.0
        } else {
            (delta_seconds / transition_seconds).clamp(0.0, 1.0)
        };
        for (now, target) in self.current.iter_mut().zip(target) {
            *now += (target - *now) * t;
        }
    }
}

/// Settings of the wind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WindSettings {
    /// It blows at all.
    pub enabled: bool,
    /// Direction in degrees.
    pub direction_degrees: f32,
    /// Lean, branches, flutter and canopy height in metres.
    pub amplitude: [f32; 4],
}

impl Default for WindSettings {
    fn default() -> Self {
        WindSettings { enabled: true, direction_degrees: 225.0, amplitude: [0.25, 0.15, 0.05, 8.0] }
    }
}

/// The wind members of a frame: nothing blows indoors or where it is switched off.
pub fn members(settings: &WindSettings, now: &EasedWind, seconds: f32, outdoor: bool) -> Wind {
    if !(settings.enabled && outdoor) {
        return Wind {
            clock: [seconds, 0.0, 0.0, settings.direction_degrees.to_radians()],
            amplitude: settings.amplitude,
        };
    }
    let [mean, gust] = now.current;
    Wind {
        clock: [seconds, mean, gust, settings.direction_degrees.to_radians()],
        amplitude: settings.amplitude,
    }
}

/// The model of `packFoliageWind` in `foliage_wind.glsl`.
pub fn foliage(place: [f32; 3], root_height: f32, flags: u32, wind: &Wind) -> [f32; 3] {
    if flags & 6 == 0 {
        return place;
    }
    let [seconds, mean, gust, direction] = wind.clock;
    let [lean_m, branch_m, flutter_m, canopy_m] = wind.amplitude;
    let (along_y, along_x) = direction.sin_cos();
    let canopy = canopy_m.max(0.5);
    let h = ((place[2] - root_height) / canopy).clamp(0.0, 1.0);
    let downwind = place[0] * along_x + place[1] * along_y;
    let envelope =
        0.5 + 0.25 * ((0.05 * seconds - 0.02 * downwind).sin() + (0.13 * seconds - 0.05 * downwind).sin());
    let strength = mean + gust * envelope;
    let lean = lean_m * h * h * strength;
    let phase = 0.35 * (place[0] + place[1]);
    let branch = branch_m * h * strength * (1.1 * seconds + phase).sin();
    let mut x = along_x * (lean + branch);
    let mut y = along_y * (lean + branch);
    if flags & 2 != 0 {
        let flutter = flutter_m * h * strength;
        x += flutter * (6.0 * seconds + 3.0 * place[0]).sin();
        y += flutter * (6.0 * seconds + 3.0 * place[1] + 1.7).sin();
    }
    let drop = 0.5 * (x * x + y * y) / (h * canopy).max(0.5);
    [place[0] + x, place[1] + y, place[2] - drop]
}

/// The model of `packDecodeDisplay`.
pub fn decode_display(colour: [f32; 3]) -> [f32; 3] {
    colour.map(|c| c.max(0.0).powf(2.2))
}

/// The model of `packEncodeDisplay`.
pub fn encode_display(colour: [f32; 3]) -> [f32; 3] {
    colour.map(|c| c.max(0.0).powf(1.0 / 2.2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wind_follows_the_weather() {
        let rows = [
            WindPoint { weather_kind: "Clear".into(), mean: 0.25, gust: 0.15 },
            WindPoint { weather_kind: "Storm".into(), mean: 1.0, gust: 0.75 },
        ];
        assert_eq!(target(&rows, WeatherKind::Rain, 1.0), [0.25, 0.15]);
        assert_eq!(target(&[], WeatherKind::Rain, 1.0), [0.0, 0.0]);
        let mut w = EasedWind::default();
        w.step([1.0, 0.5], 1.0, 4.0);
        assert_eq!(w.current, [0.25, 0.125]);
        w.step([1.0, 0.5], 1.0, 0.0);
        assert_eq!(w.current, [1.0, 0.5]);
        let indoors = members(&WindSettings::default(), &w, 3.0, false);
        assert_eq!(indoors.clock[1..3], [0.0, 0.0]);
    }

    #[test]
    fn roots_and_other_meshes_stand_still() {
        let wind = Wind { clock: [3.0, 1.0, 0.5, 0.7], amplitude: [0.25, 0.15, 0.05, 8.0] };
        assert_eq!(foliage([1.0, 2.0, 5.0], 2.0, 1, &wind), [1.0, 2.0, 5.0]);
        let root = foliage([1.0, 2.0, 2.0], 2.0, 4, &wind);
        assert_eq!(root, [1.0, 2.0, 2.0]);
        let top = foliage([1.0, 2.0, 10.0], 2.0, 4, &wind);
        assert!(top[0] > 1.0 && top[2] < 10.0);
    }
}
