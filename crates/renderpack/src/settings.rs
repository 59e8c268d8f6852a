//! Settings as shaders see them: the codec, the resolution and the 256-byte block.
//!
//! Contract: "PackSettings (set 3, binding 8, 256 bytes)". Numbers follow the invariant culture of .NET.

use crate::descriptor::{Descriptor, Preset, Setting, SettingKind};
use crate::ids::ById;
use std::fmt;

/// Numbers that the block holds.
pub const SETTING_CAPACITY: usize = 64;
/// Largest magnitude of an integer setting: every whole number up to it has an exact float.
pub const LARGEST_INTEGER: i64 = 16_777_216;

/// Why a text is no value of a setting.
#[derive(Clone, Debug, PartialEq)]
pub enum Invalid {
    /// The setting's kind is unknown.
    Kind,
    /// Not written as the kind asks.
    Grammar(SettingKind),
    /// A number outside what a float holds exactly (integers) or at all.
    Magnitude,
    /// Below the minimum or above the maximum.
    Bounds,
    /// Not on a step from the minimum (or from 0).
    Step,
    /// Not one of the choices.
    Choice,
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Invalid::Kind => "the setting's kind is unknown",
            Invalid::Grammar(SettingKind::Boolean) => "a Boolean is `true` or `false`",
            Invalid::Grammar(SettingKind::Integer) => "an Integer is digits with an optional sign",
            Invalid::Grammar(_) => {
                "a Float is digits with an optional sign, dot and exponent, and no separators"
            }
            Invalid::Magnitude => "the number is larger than a shader's float can hold exactly",
            Invalid::Bounds => "the number is outside the setting's minimum and maximum",
            Invalid::Step => "the number is not on one of the setting's steps",
            Invalid::Choice => "the text is none of the setting's choices",
        })
    }
}

/// The number that a shader sees for a text.
///
/// Boolean gives 0 or 1, Choice the index of the first equal choice, Integer and Float their value.
pub fn encode(setting: &Setting, text: &str) -> Result<f32, Invalid> {
    let kind = setting.kind.known.ok_or(Invalid::Kind)?;
    match kind {
        SettingKind::Boolean => {
            let word = text.trim_matches(|c: char| c.is_whitespace() || c == '\0');
            if word.eq_ignore_ascii_case("true") {
                Ok(1.0)
            } else if word.eq_ignore_ascii_case("false") {
                Ok(0.0)
            } else {
                Err(Invalid::Grammar(kind))
            }
        }
        SettingKind::Integer => {
            let value = parse_integer(text).ok_or(Invalid::Grammar(kind))?;
            if value.unsigned_abs() > LARGEST_INTEGER.unsigned_abs() {
                return Err(Invalid::Magnitude);
            }
            in_range(setting, value as f64)?;
            Ok(value as f32)
        }
        SettingKind::Float => {
            let value = parse_float(text).ok_or(Invalid::Grammar(kind))?;
            if !value.is_finite() || value.abs() > f64::from(f32::MAX) {
                return Err(Invalid::Magnitude);
            }
            in_range(setting, value)?;
            Ok(value as f32)
        }
        SettingKind::Choice => {
            setting.choices.iter().position(|c| c == text).map(|i| i as f32).ok_or(Invalid::Choice)
        }
    }
}

fn in_range(setting: &Setting, value: f64) -> Result<(), Invalid> {
    if setting.minimum.is_some_and(|m| value < m) || setting.maximum.is_some_and(|m| value > m) {
        return Err(Invalid::Bounds);
    }
    if let Some(step) = setting.step {
        let steps = (value - setting.minimum.unwrap_or(0.0)) / step;
        if !steps.is_finite() || (steps - steps.round()).abs() > (steps.abs() * 1e-7).max(1e-7) {
            return Err(Invalid::Step);
        }
    }
    Ok(())
}

/// The whitespace around numbers; zero characters may follow.
fn trim_number(text: &str) -> &str {
    let space = |c: char| matches!(c, '\t'..='\r' | ' ');
    text.trim_end_matches('\0').trim_matches(space)
}

fn parse_integer(text: &str) -> Option<i64> {
    let t = trim_number(text);
    let digits = t.strip_prefix(['+', '-']).unwrap_or(t);
    (!digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())).then(|| t.parse().ok())?
}

fn parse_float(text: &str) -> Option<f64> {
    let t = trim_number(text);
    let unsigned = t.strip_prefix(['+', '-']).unwrap_or(t);
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((m, e)) => (m, Some(e.strip_prefix(['+', '-']).unwrap_or(e))),
        None => (unsigned, None),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = |s: &str| s.bytes().all(|b| b.is_ascii_digit());
    let sound = digits(whole)
        && digits(fraction)
        && !(whole.is_empty() && fraction.is_empty())
        && exponent.is_none_or(|e| !e.is_empty() && digits(e));
    sound.then(|| t.parse().ok())?
}

/// A user's own value of a setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserOverride {
    /// Id of the setting, in any case.
    pub setting: String,
    /// Its text.
    pub value: String,
}

/// Where a resolved value came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// The user's own value.
    User,
    /// The preset's override.
    Preset,
    /// The declaration's default.
    Default,
}

/// A setting's value in one preset.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Resolved {
    /// Index of the setting, which is its place in the block.
    pub index: usize,
    /// Id of the setting.
    pub id: String,
    /// The text that counts.
    pub text: String,
    /// Where it came from.
    pub source: Source,
    /// What shaders see; 0 for a text that is no value.
    pub value: f32,
}

/// Checks a user's values before anything is activated. The first reason is the one that upstream gives.
pub fn check_user_overrides(descriptor: &Descriptor, user: &[UserOverride]) -> Vec<String> {
    let mut reasons = Vec::new();
    let settings = ById::new(&descriptor.settings);
    for o in user {
        match settings.get(&o.setting) {
            None => reasons.push(format!(
                "Render pack '{}' has a user override for unknown setting '{}'.",
                descriptor.id, o.setting
            )),
            Some(s) if encode(s, &o.value).is_err() => reasons.push(format!(
                "Render pack '{}' user override '{}' has invalid {} value '{}'.",
                descriptor.id, o.setting, s.kind.text, o.value
            )),
            Some(_) => {}
        }
    }
    reasons
}

/// Resolves every setting: the user's value, else the preset's, else the default.
pub fn resolve(descriptor: &Descriptor, preset: &Preset, user: &[UserOverride]) -> Vec<Resolved> {
    let resolved = descriptor.settings.iter().take(SETTING_CAPACITY).enumerate();
    resolved
        .map(|(index, s)| {
            let user =
                user.iter().find(|o| o.setting.eq_ignore_ascii_case(&s.id)).map(|o| (&o.value, Source::User));
            let preset = || {
                let found =
                    preset.setting_overrides.iter().find(|o| o.setting_id.eq_ignore_ascii_case(&s.id));
                found.map(|o| (&o.value, Source::Preset))
            };
            let (text, source) = user.or_else(preset).map_or_else(
                || (s.default_value.clone().unwrap_or_default(), Source::Default),
                |(t, s)| (t.clone(), s),
            );
            Resolved { index, id: s.id.clone(), value: encode(s, &text).unwrap_or(0.0), text, source }
        })
        .collect()
}

/// The `PackSettings` block: setting i is number i, the rest is zero.
pub fn block(resolved: &[Resolved]) -> [u8; 256] {
    let mut bytes = [0; 256];
    for r in resolved {
        if let Some(slot) = bytes.chunks_exact_mut(4).nth(r.index) {
            slot.copy_from_slice(&r.value.to_le_bytes());
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::descriptor::{List, Named, SettingSemantic};

    fn setting(kind: SettingKind, min: Option<f64>, max: Option<f64>, step: Option<f64>) -> Setting {
        Setting {
            id: "s".into(),
            display_name: "S".into(),
            kind: Named { known: Some(kind), text: kind.name().into() },
            default_value: Some(String::new()),
            minimum: min,
            maximum: max,
            step,
            choices: List::from(vec!["low".to_owned(), "high".to_owned()]),
            semantic: Named { known: Some(SettingSemantic::Custom), text: "Custom".into() },
        }
    }

    #[test]
    fn the_grammar_of_values() {
        use SettingKind as K;
        let ok = |k, t: &str| encode(&setting(k, None, None, None), t).ok();
        assert_eq!(ok(K::Boolean, " TRUE\0"), Some(1.0));
        assert_eq!(ok(K::Boolean, "false"), Some(0.0));
        assert_eq!(ok(K::Boolean, "1"), None);
        assert_eq!(ok(K::Integer, " -12 "), Some(-12.0));
        assert_eq!(ok(K::Integer, "+16777216"), Some(16_777_216.0));
        for bad in ["1.5", "16777217", "", "+", "1 2", "0x1", "1e3", "99999999999999999999"] {
            assert_eq!(ok(K::Integer, bad), None, "{bad}");
        }
        for (text, value) in [(".5", 0.5), ("5.", 5.0), ("1e-2", 0.01), ("\t-2.5E+1 ", -25.0)] {
            assert_eq!(ok(K::Float, text), Some(value), "{text}");
        }
        for bad in ["1,5", "1e100", "NaN", "Infinity", "inf", ".", "1e", "1_0", "1 e2"] {
            assert_eq!(ok(K::Float, bad), None, "{bad}");
        }
        assert_eq!(ok(K::Choice, "high"), Some(1.0));
        assert_eq!(ok(K::Choice, "High"), None);
    }

    #[test]
    fn ranges_and_steps() {
        let s = setting(SettingKind::Float, Some(0.0), Some(2.0), Some(0.25));
        assert_eq!(encode(&s, "1.1"), Err(Invalid::Step));
        assert_eq!(encode(&s, "2.25"), Err(Invalid::Bounds));
        assert_eq!(encode(&s, "-0.25"), Err(Invalid::Bounds));
        assert_eq!(encode(&s, "1.75"), Ok(1.75));
        let fine = setting(SettingKind::Float, Some(0.0), Some(1.0), Some(0.02));
        assert_eq!(encode(&fine, "0.72"), Ok(0.72));
        let origin = setting(SettingKind::Integer, Some(8.0), None, Some(8.0));
        assert!(encode(&origin, "40").is_ok() && encode(&origin, "41").is_err());
    }
}
