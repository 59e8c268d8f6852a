//! Rules 14 to 23: resources.

use super::{Check, show};
use crate::descriptor::{Extent, ExtentMode, FormatClass, Lifetime, Resource, ResourceKind, Usage};
use crate::finding::brief;
use shaderport_diagnostics::Code;
use shaderport_diagnostics::codes::renderpack as codes;

/// Longest edge of an image in pixels.
pub(crate) const LARGEST_EDGE: f64 = 16_384.0;
/// Most layers of an image.
pub(crate) const MOST_LAYERS: i64 = 256;
/// Most resident bytes of a pack.
pub(crate) const RESIDENT_CEILING: i64 = 256 << 20;

impl Check<'_> {
    pub(super) fn resources(&mut self) {
        let d = self.d;
        for (i, r) in d.resources.iter().enumerate() {
            self.resource(r, &format!("$.resources[{i}]"));
        }
        let total = d.resources.iter().try_fold(0i64, |sum, r| sum.checked_add(r.estimated_resident_bytes));
        if total.is_none_or(|t| t > RESIDENT_CEILING) {
            let found = total.map_or("more than 64 bits hold".into(), |t| t.to_string());
            self.add(
                codes::RESOURCE_TOTAL,
                "$.resources",
                format!(
                    "Pack '{}' exceeds the resident-byte ceiling of {RESIDENT_CEILING} bytes.",
                    brief(&d.id)
                ),
            )
            .says(format!("at most {RESIDENT_CEILING} bytes in all"), found);
        }
    }

    fn resource(&mut self, r: &Resource, path: &str) {
        let id = brief(&r.id);
        let message = |what| format!("Resource '{id}' declares an unknown {what}.");
        if r.kind.known.is_none() {
            self.unknown::<ResourceKind>(
                codes::RESOURCE_NAME,
                &format!("{path}.kind"),
                &r.kind.text,
                message("kind"),
            );
        }
        if r.format.known.is_none() {
            self.unknown::<FormatClass>(
                codes::RESOURCE_NAME,
                &format!("{path}.format"),
                &r.format.text,
                message("format"),
            );
        }
        if r.lifetime.known.is_none() {
            self.unknown::<Lifetime>(
                codes::RESOURCE_NAME,
                &format!("{path}.lifetime"),
                &r.lifetime.text,
                message("lifetime"),
            );
        }
        self.flags::<Usage>(codes::RESOURCE_NAME, &format!("{path}.usage"), &r.usage, &message("usage"));
        if r.kind.is(ResourceKind::Buffer)
            || r.format.is(FormatClass::StructuredData)
            || r.usage.has(Usage::Storage)
        {
            let field = if r.kind.is(ResourceKind::Buffer) {
                "kind"
            } else if r.format.is(FormatClass::StructuredData) {
                "format"
            } else {
                "usage"
            };
            self.add(
                codes::RESOURCE_RESERVED,
                &format!("{path}.{field}"),
                format!("Resource '{id}' uses a buffer/structured/storage declaration reserved and unbindable in render-pack API v1."),
            );
            // What follows is about images.
            return;
        }
        if r.kind.is(ResourceKind::Image2DArray)
            && r.format.known.is_some()
            && !r.format.is(FormatClass::DirectionalDepth)
        {
            self.add(
                codes::RESOURCE_COLOUR_ARRAY,
                &format!("{path}.format"),
                format!("Resource '{id}' uses a color image array; render-pack API v1 reserves image arrays for directional depth maps."),
            )
            .says("DirectionalDepth", r.format.text.clone());
        }
        for (field, bytes) in
            [("sizeBytes", r.size_bytes), ("estimatedResidentBytes", r.estimated_resident_bytes)]
        {
            if bytes < 0 {
                self.add(
                    codes::RESOURCE_BYTES,
                    &format!("{path}.{field}"),
                    format!("Resource '{id}' declares negative bytes."),
                )
                .says("0 or more", bytes.to_string());
            }
        }
        if r.usage.bits == 0 && r.usage.unknown.is_empty() {
            self.add(
                codes::RESOURCE_USAGE,
                &format!("{path}.usage"),
                format!("Resource '{id}' declares no usage."),
            );
        }
        match &r.extent {
            None => {
                self.add(
                    codes::RESOURCE_NO_EXTENT,
                    &format!("{path}.extent"),
                    format!("Image resource '{id}' has no extent."),
                );
            }
            Some(e) => self.extent(e, &format!("{path}.extent"), &format!("esource '{id}'"), None),
        }
    }

    /// Rules 20 to 22; `subject` lacks its first letter, since one rule puts a word before it. With `code`, all
    /// three report under that code.
    pub(super) fn extent(&mut self, e: &Extent, path: &str, subject: &str, code: Option<Code>) {
        let bad = |v: f64| !(v.is_finite() && v > 0.0);
        let layers = (1..=MOST_LAYERS).contains(&e.layers);
        let found = format!("{} x {} x {}", show(e.width), show(e.height), e.layers);
        if e.mode.known.is_none() || bad(e.width) || bad(e.height) || !layers {
            let field = match () {
                () if e.mode.known.is_none() => ".mode",
                () if bad(e.width) => ".width",
                () if bad(e.height) => ".height",
                () => ".layers",
            };
            let found = if e.mode.known.is_none() { e.mode.text.clone() } else { found };
            self.add(
                code.unwrap_or(codes::RESOURCE_EXTENT),
                &format!("{path}{field}"),
                format!("R{subject} has an invalid extent."),
            )
            .says(format!("a known mode, sizes above 0 and 1 to {MOST_LAYERS} layers"), found);
            return;
        }
        let sizes = [("width", e.width), ("height", e.height)];
        if e.mode.is(ExtentMode::AbsolutePixels) {
            if let Some((field, _)) = sizes.iter().find(|(_, v)| *v > LARGEST_EDGE || v.fract() != 0.0) {
                self.add(
                    code.unwrap_or(codes::RESOURCE_ABSOLUTE),
                    &format!("{path}.{field}"),
                    format!("R{subject} exceeds or fractionalizes the absolute image limit."),
                )
                .says(format!("whole numbers up to {LARGEST_EDGE}"), found);
            }
        } else if let Some((field, _)) = sizes.iter().find(|(_, v)| *v > 1.0) {
            self.add(
                code.unwrap_or(codes::RESOURCE_RELATIVE),
                &format!("{path}.{field}"),
                format!("Relative r{subject} must use a scale in (0, 1]."),
            )
            .says("a scale above 0, at most 1", found);
        }
    }
}
