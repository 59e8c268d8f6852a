//! Rules 65 to 69: the atmosphere policy.

use super::{Check, one_of, show};
use crate::descriptor::{CurvePoint, List, WeatherKind};
use crate::finding::brief;
use shaderport_diagnostics::codes::renderpack as codes;
use std::collections::HashSet;

impl Check<'_> {
    pub(super) fn policy(&mut self) {
        let d = self.d;
        let Some(p) = &d.atmosphere_policy else { return };
        let lists = [
            ("sunElevationResponse", p.sun_elevation_response.null),
            ("activeDayGroupMultipliers", p.active_day_group_multipliers.null),
            ("directionalShadowLightElevationResponse", p.directional_shadow_light_elevation_response.null),
            ("volumetricShaftSunElevationResponse", p.volumetric_shaft_sun_elevation_response.null),
            ("foliageWindByWeather", p.foliage_wind_by_weather.null),
            ("foliageExclusions", p.foliage_exclusions.null),
        ];
        for (key, _) in lists.iter().filter(|(_, null)| *null) {
            self.add(
                codes::NULL_LIST,
                &format!("$.atmospherePolicy.{key}"),
                format!("Pack '{}' has a null atmosphere-policy list.", brief(&d.id)),
            )
            .helps(format!("write `\"{key}\": []`"));
        }
        self.curve(&p.sun_elevation_response, "sunElevationResponse", "sun-elevation", false);
        let shadow = &p.directional_shadow_light_elevation_response;
        let key = "directionalShadowLightElevationResponse";
        let sound = self.curve(shadow, key, "directional-shadow light-elevation", true);
        let shafts = &p.volumetric_shaft_sun_elevation_response;
        self.curve(shafts, "volumetricShaftSunElevationResponse", "volumetric-shaft sun-elevation", true);
        // The rule of the horizon comes behind the form of all three.
        if sound {
            self.horizon(shadow, key);
        }
        let mut groups = HashSet::new();
        for (i, g) in p.active_day_group_multipliers.iter().enumerate() {
            let path = format!("$.atmospherePolicy.activeDayGroupMultipliers[{i}]");
            if !groups.insert(g.active_day_group) {
                let message = format!(
                    "Pack '{}' declares day group {} more than once.",
                    brief(&d.id),
                    g.active_day_group
                );
                self.add(codes::POLICY_DAY_GROUP, &format!("{path}.activeDayGroup"), message);
            }
            if !(g.multiplier.is_finite() && g.multiplier >= 0.0) {
                let message = format!("Pack '{}' has an invalid day-group multiplier.", brief(&d.id));
                self.add(codes::POLICY_DAY_GROUP, &format!("{path}.multiplier"), message)
                    .says("a finite number, 0 or more", show(g.multiplier));
            }
        }
        let mut kinds = HashSet::new();
        for (i, w) in p.foliage_wind_by_weather.iter().enumerate() {
            let path = format!("$.atmospherePolicy.foliageWindByWeather[{i}]");
            let message = format!("Pack '{}' has an invalid foliage-wind weather list.", brief(&d.id));
            if w.weather_kind.parse::<WeatherKind>().is_err() {
                self.add(codes::POLICY_WIND, &format!("{path}.weatherKind"), message)
                    .says(one_of::<WeatherKind>(), w.weather_kind.clone());
            } else if !kinds.insert(&w.weather_kind) {
                self.add(codes::POLICY_WIND, &format!("{path}.weatherKind"), message)
                    .says("each kind once", w.weather_kind.clone());
            } else {
                for (field, v) in [("mean", w.mean), ("gust", w.gust)] {
                    if !(v.is_finite() && v >= 0.0) {
                        self.add(codes::POLICY_WIND, &format!("{path}.{field}"), message.clone())
                            .says("a finite number, 0 or more", show(v));
                    }
                }
            }
        }
    }

    /// Rule 66. Whether the curve is sound.
    fn curve(&mut self, points: &List<CurvePoint>, key: &str, name: &str, at_most_one: bool) -> bool {
        let mut sound = true;
        let mut before = f64::NEG_INFINITY;
        for (i, p) in points.iter().enumerate() {
            let path = format!("$.atmospherePolicy.{key}[{i}]");
            let message = format!("Pack '{}' has an invalid {name} response curve.", brief(&self.d.id));
            let (e, m) = (p.elevation_degrees, p.multiplier);
            if !(-90.0..=90.0).contains(&e) || e <= before {
                sound = false;
                self.add(codes::POLICY_CURVE, &format!("{path}.elevationDegrees"), message.clone())
                    .says("from -90 to 90, above the point before", show(e));
            }
            before = before.max(e);
            if !(m.is_finite() && m >= 0.0) || (at_most_one && m > 1.0) {
                sound = false;
                let most = if at_most_one { ", at most 1" } else { "" };
                self.add(codes::POLICY_CURVE, &format!("{path}.multiplier"), message)
                    .says(format!("a finite number, 0 or more{most}"), show(m));
            }
        }
        sound
    }

    /// Rule 67.
    fn horizon(&mut self, points: &[CurvePoint], key: &str) {
        let message = format!(
            "Pack '{}' directional-shadow light-elevation curve must resolve to zero at and below the 0-degree authored horizon.",
            brief(&self.d.id)
        );
        let mut bad: Vec<usize> = (0..points.len())
            .filter(|&i| points[i].elevation_degrees <= 0.0 && points[i].multiplier != 0.0)
            .collect();
        if !points.iter().any(|p| p.elevation_degrees == 0.0) {
            bad.extend(
                points
                    .iter()
                    .position(|p| p.elevation_degrees > 0.0)
                    .filter(|&i| points[i].multiplier != 0.0),
            );
        }
        for i in bad {
            self.add(
                codes::POLICY_HORIZON,
                &format!("$.atmospherePolicy.{key}[{i}].multiplier"),
                message.clone(),
            )
            .says("0", show(points[i].multiplier))
            .helps("let the curve be 0 up to a point at 0 degrees");
        }
    }
}
