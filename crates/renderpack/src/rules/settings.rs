//! Rules 41 to 48 and decisions D9 and D10: settings.

use super::{Check, show};
use crate::descriptor::{Setting, SettingKind, SettingSemantic};
use crate::finding::{brief, joined};
use crate::settings::{SETTING_CAPACITY, encode};
use shaderport_diagnostics::codes::renderpack as codes;
use std::collections::HashSet;

impl Check<'_> {
    pub(super) fn settings(&mut self) {
        let d = self.d;
        let n = d.settings.len();
        if n > SETTING_CAPACITY {
            let message = format!(
                "Pack '{}' declares {n} settings; render-pack API v1 supports at most {SETTING_CAPACITY}.",
                brief(&d.id)
            );
            self.add(codes::SETTING_COUNT, "$.settings", message)
                .says(format!("at most {SETTING_CAPACITY}"), n.to_string());
        }
        for (i, s) in d.settings.iter().enumerate() {
            self.setting(s, &format!("$.settings[{i}]"));
        }
    }

    fn setting(&mut self, s: &Setting, path: &str) {
        let id = brief(&s.id);
        if s.kind.known.is_none() {
            let message = format!("Setting '{id}' declares an unknown kind.");
            self.unknown::<SettingKind>(codes::SETTING_KIND, &format!("{path}.kind"), &s.kind.text, message);
        }
        if s.display_name.trim().is_empty() {
            self.add(
                codes::SETTING_DISPLAY_NAME,
                &format!("{path}.displayName"),
                format!("Setting '{id}' has no display name."),
            );
        }
        for (key, null) in [("defaultValue", s.default_value.is_none()), ("choices", s.choices.null)] {
            if null {
                self.add(
                    codes::NULL_LIST,
                    &format!("{path}.{key}"),
                    format!("Setting '{id}' has a null default value or choice list."),
                );
            }
        }
        let mut bounds = true;
        for (field, v) in [("minimum", s.minimum), ("maximum", s.maximum), ("step", s.step)] {
            let Some(v) = v else { continue };
            if !v.is_finite() || (field == "step" && v <= 0.0) {
                bounds = false;
                let expected = if field == "step" { "a finite number above 0" } else { "a finite number" };
                self.add(
                    codes::SETTING_BOUNDS,
                    &format!("{path}.{field}"),
                    format!("Setting '{id}' has invalid bounds."),
                )
                .says(expected, show(v));
            }
        }
        if let (true, Some(min), Some(max)) = (bounds, s.minimum, s.maximum)
            && min > max
        {
            bounds = false;
            self.add(
                codes::SETTING_RANGE,
                &format!("{path}.minimum"),
                format!("Setting '{id}' has an inverted range."),
            )
            .says(format!("at most {}", show(max)), show(min));
        }
        let default = s.default_value.as_deref();
        if s.kind.is(SettingKind::Choice) && !s.choices.null {
            let known = default.is_none_or(|d| s.choices.iter().any(|c| c == d));
            if s.choices.is_empty() || !known {
                let field = if s.choices.is_empty() { "choices" } else { "defaultValue" };
                self.add(
                    codes::SETTING_CHOICES,
                    &format!("{path}.{field}"),
                    format!("Setting '{id}' must declare choices that contain its default value."),
                )
                .says(
                    format!("one of {}", joined(s.choices.iter().map(String::as_str))),
                    default.unwrap_or_default(),
                );
            }
        } else if let (Some(default), true, Some(_)) = (default, bounds, s.kind.known)
            && let Err(why) = encode(s, default)
        {
            self.add(
                codes::SETTING_DEFAULT,
                &format!("{path}.defaultValue"),
                format!("Setting '{id}' has an invalid default value."),
            )
            .says(range_text(s), default)
            .notes(why.to_string());
        }
        if self.options.hardened(codes::SETTING_CHOICE_DUPLICATE) {
            let mut seen = HashSet::new();
            for (k, c) in s.choices.iter().enumerate() {
                if !seen.insert(c) {
                    self.add(
                        codes::SETTING_CHOICE_DUPLICATE,
                        &format!("{path}.choices[{k}]"),
                        format!("Setting '{id}' declares choice '{c}' more than once."),
                    );
                }
            }
        }
        if s.semantic.is(SettingSemantic::DirectionalShadowPcfTaps)
            && self.options.hardened(codes::SETTING_PCF)
        {
            let values: Vec<(String, &str)> = if s.kind.is(SettingKind::Choice) {
                s.choices
                    .iter()
                    .enumerate()
                    .map(|(k, c)| (format!("{path}.choices[{k}]"), c.as_str()))
                    .collect()
            } else {
                default.map(|d| (format!("{path}.defaultValue"), d)).into_iter().collect()
            };
            for (at, v) in values {
                if !matches!(v.trim().parse(), Ok(1 | 9 | 25)) {
                    self.add(
                        codes::SETTING_PCF,
                        &at,
                        format!("Setting '{id}' offers shadow filter taps other than 1, 9 or 25."),
                    )
                    .says("1, 9 or 25", v);
                }
            }
        }
    }
}

/// What a setting takes, for messages.
pub(super) fn range_text(s: &Setting) -> String {
    let mut text = match s.kind.known {
        Some(SettingKind::Boolean) => return "true or false".into(),
        Some(SettingKind::Choice) => {
            return format!("one of {}", joined(s.choices.iter().map(String::as_str)));
        }
        Some(SettingKind::Integer) => "a whole number".to_owned(),
        _ => "a number".to_owned(),
    };
    for (word, v) in [(" from ", s.minimum), (" to ", s.maximum), (" in steps of ", s.step)] {
        if let Some(v) = v {
            text += &format!("{word}{}", show(v));
        }
    }
    text
}
