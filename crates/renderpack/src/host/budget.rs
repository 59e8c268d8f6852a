//! Memory that a preset takes on a device.

use crate::descriptor::{
    Descriptor, ExecutionHint, Extent, ExtentMode, FormatClass, PassSemantic, Preset, Resource,
    ResourceSemantic,
};
use crate::rules::Device;
use serde::Serialize;
use std::collections::{HashMap, HashSet};

/// One image of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlannedImage {
    /// The resource, or `main world` and the like for the host's own.
    pub name: String,
    /// Width, height, layers.
    pub size: [i64; 3],
    /// Bytes of a pixel.
    pub bytes_per_pixel: i64,
    /// Bytes.
    pub bytes: i64,
}

/// A preset's memory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Plan {
    /// The preset.
    pub preset: String,
    /// Images that stay.
    pub resident: Vec<PlannedImage>,
    /// Bytes that stay.
    pub resident_bytes: i64,
    /// Bytes of multisampled targets within a frame.
    pub transient_bytes: i64,
    /// The preset's budget at this size of the main world.
    pub preset_budget: i64,
    /// Texture slots that shadow maps take beside the resources.
    pub extra_texture_slots: u32,
    /// What is exceeded, in words.
    pub exceeded: Vec<String>,
}

/// Bytes of a pixel of a format.
pub fn bytes_per_pixel(format: FormatClass) -> i64 {
    match format {
        FormatClass::HdrColor => 8,
        FormatClass::LdrColor
        | FormatClass::SingleChannel
        | FormatClass::DirectionalDepth
        | FormatClass::StructuredData => 4,
    }
}

/// The pixels of an extent; relative ones are rounded up, and at least 1.
pub fn pixels(extent: &Extent, main_world: [i64; 2]) -> [i64; 3] {
    let edge = |v: f64, whole: i64| {
        let v = if extent.mode.is(ExtentMode::AbsolutePixels) { v } else { (v * whole as f64).ceil() };
        // Out-of-range numbers saturate.
        (v as i64).max(1)
    };
    [edge(extent.width, main_world[0]), edge(extent.height, main_world[1]), extent.layers.max(1)]
}

/// A resource's extent in a preset: the preset's own, else the declared one.
pub fn extent_in<'d>(resource: &'d Resource, preset: &'d Preset) -> Option<&'d Extent> {
    let over = preset.resource_overrides.iter().find(|o| o.resource_id.eq_ignore_ascii_case(&resource.id));
    over.and_then(|o| o.extent.as_ref()).or(resource.extent.as_ref())
}

fn product(factors: impl IntoIterator<Item = i64>) -> i64 {
    factors.into_iter().fold(1i64, |a, b| a.saturating_mul(b))
}

/// Works out what a preset takes. [`Planner`] does for several presets what they have in common once.
pub fn plan(descriptor: &Descriptor, preset: &Preset, device: &Device) -> Plan {
    Planner::new(descriptor).plan(preset, device)
}

/// Works out what the presets of one descriptor take.
#[derive(Clone, Debug)]
pub struct Planner<'d> {
    /// The resources that a pass writes and for which a host makes an image, with their ids in lower case.
    images: Vec<(String, &'d Resource)>,
    passes: bool,
    shadows: bool,
}

impl<'d> Planner<'d> {
    /// For a descriptor.
    pub fn new(descriptor: &'d Descriptor) -> Self {
        let writes = descriptor.passes.iter().flat_map(|p| p.resource_writes.iter());
        let written: HashSet<String> = writes.map(|id| id.to_ascii_lowercase()).collect();
        let images = descriptor
            .resources
            .iter()
            .filter(|r| !r.semantic.is(ResourceSemantic::MainWorldHdr))
            .map(|r| (r.id.to_ascii_lowercase(), r))
            .filter(|(id, _)| written.contains(id))
            .collect();
        Planner {
            images,
            passes: !descriptor.passes.is_empty(),
            shadows: descriptor.passes.iter().any(|p| p.semantic.is(PassSemantic::DirectionalShadowDepth)),
        }
    }

    /// Images in the plan of one preset, at most.
    pub fn images(&self) -> usize {
        self.images.len() + 2
    }

    /// Works out what a preset of the descriptor takes.
    pub fn plan(&self, preset: &Preset, device: &Device) -> Plan {
        let [w, h] = device.main_world;
        let area = product([w, h]);
        let mut resident = vec![
            PlannedImage {
                name: "main world colour".into(),
                size: [w, h, 1],
                bytes_per_pixel: 8,
                bytes: product([area, 8]),
            },
            PlannedImage {
                name: "main world depth".into(),
                size: [w, h, 1],
                bytes_per_pixel: 4,
                bytes: product([area, 4]),
            },
        ];
        let fused = preset.execution_hints.has(ExecutionHint::FusedAtmosphericPostProcess);
        let mut overrides = HashMap::new();
        for o in preset.resource_overrides.iter() {
            overrides.entry(o.resource_id.to_ascii_lowercase()).or_insert(o.extent.as_ref());
        }
        let mut exceeded = Vec::new();
        for (id, r) in &self.images {
            let skipped = fused
                && (r.semantic.is(ResourceSemantic::BloomPing) || r.semantic.is(ResourceSemantic::BloomPong));
            let own = overrides.get(id).copied().flatten();
            let Some(extent) = own.or(r.extent.as_ref()).filter(|_| !skipped) else { continue };
            let size = pixels(extent, device.main_world);
            let bpp = r.format.known.map_or(4, bytes_per_pixel);
            if size[0].max(size[1]) > device.max_image_edge || size[2] > device.max_image_layers {
                exceeded.push(format!("resource '{}' is larger than the device's images", r.id));
            }
            let bytes = product(size.into_iter().chain([bpp]));
            resident.push(PlannedImage { name: r.id.clone(), size, bytes_per_pixel: bpp, bytes });
        }
        let resident_bytes = resident.iter().fold(0i64, |sum, i| sum.saturating_add(i.bytes));
        let transient_bytes = if device.samples > 1 { product([area, 12, device.samples]) } else { 0 };
        // A budget is stated for 1920 by 1080 and grows with what is above it.
        let scale = (area as f64 / (1920.0 * 1080.0)).max(1.0);
        let scaled = (preset.max_resident_gpu_bytes as f64 * scale).ceil() as i64;
        let preset_budget = scaled.min(device.resident_bytes);
        for (what, bytes, most) in [
            ("the preset's budget", resident_bytes, preset_budget),
            ("the device's resident memory", resident_bytes, device.resident_bytes),
            ("the device's transient memory", transient_bytes, device.transient_bytes),
        ] {
            // A preset that draws nothing keeps nothing of its own.
            if bytes > most && self.passes {
                exceeded.push(format!("{bytes} bytes are needed; {what} is {most}"));
            }
        }
        Plan {
            preset: preset.id.clone(),
            resident,
            resident_bytes,
            transient_bytes,
            preset_budget,
            extra_texture_slots: if self.shadows { 2 } else { 0 },
            exceeded,
        }
    }
}
