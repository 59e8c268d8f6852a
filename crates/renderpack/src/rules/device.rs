//! Compatibility and budget against a device description.

use super::{Check, resources::RESIDENT_CEILING};
use crate::advice;
use crate::descriptor::{Capability, Extent, ExtentMode, Preset, QualitySemantic, Record, Resource};
use crate::finding::brief;
use crate::finding::{Finding, Findings};
use crate::json;
use shaderport_diagnostics::codes::renderpack as codes;
use std::collections::BTreeMap;

/// What a device can do, as a device file says.
#[derive(Clone, Debug, PartialEq)]
pub struct Device {
    /// Capabilities.
    pub capabilities: Vec<Capability>,
    /// Longest edge of an image.
    pub max_image_edge: i64,
    /// Most layers of an image.
    pub max_image_layers: i64,
    /// Bytes that a pack may keep.
    pub resident_bytes: i64,
    /// Bytes that a pack may use within a frame.
    pub transient_bytes: i64,
    /// Width and height of the main world.
    pub main_world: [i64; 2],
    /// Samples of the main world.
    pub samples: i64,
}

/// Bytes of multisampled targets that a pack may use at most.
pub const TRANSIENT_CEILING: i64 = 512 << 20;

impl Device {
    /// A device that can do everything, as upstream's conformance host.
    pub fn conformance() -> Self {
        Device {
            capabilities: Capability::ALL.to_vec(),
            max_image_edge: 16_384,
            max_image_layers: 256,
            resident_bytes: RESIDENT_CEILING,
            transient_bytes: TRANSIENT_CEILING,
            main_world: [1920, 1080],
            samples: 1,
        }
    }

    /// Limits of a host with that much video memory.
    pub fn with_video_memory(mut self, bytes: i64) -> Self {
        self.resident_bytes = (bytes / 8).min(RESIDENT_CEILING);
        self.transient_bytes = (bytes / 8).min(TRANSIENT_CEILING);
        self
    }

    /// Reads a device file. What it leaves out is as on the conformance device.
    pub fn read(text: &str) -> Result<Self, Vec<Finding>> {
        let mut findings = Findings::default();
        let mut device = Device::conformance();
        let root = match json::parse(text) {
            Ok(root) => root,
            Err(e) => {
                findings.add_at(codes::DEVICE_FILE, "$", e.at, e.message);
                return Err(findings.into_list());
            }
        };
        let mut r = Record::new(&root, "$".into(), &mut findings);
        let names = r.strings("capabilities");
        let mut unknown = Vec::new();
        if !names.null {
            device.capabilities.clear();
            for (i, n) in names.iter().enumerate() {
                match n.parse() {
                    Ok(c) => device.capabilities.push(c),
                    Err(()) => unknown.push((i, n.clone())),
                }
            }
        }
        // Where the file does not say, the ceilings stay.
        let video_memory = r.integer_or("videoMemoryBytes", i64::MAX);
        device = device.with_video_memory(video_memory);
        device.max_image_edge = r.integer_or("maxImageEdge", device.max_image_edge);
        device.max_image_layers = r.integer_or("maxImageLayers", device.max_image_layers);
        device.resident_bytes = r.integer_or("residentBytes", device.resident_bytes);
        device.transient_bytes = r.integer_or("transientBytes", device.transient_bytes);
        device.main_world[0] = r.integer_or("mainWorldWidth", device.main_world[0]);
        device.main_world[1] = r.integer_or("mainWorldHeight", device.main_world[1]);
        device.samples = r.integer_or("samples", device.samples);
        r.finish();
        for (i, n) in unknown {
            findings.add(
                codes::CAPABILITY_UNKNOWN,
                &format!("$.capabilities[{i}]"),
                format!("the capability '{n}' is unknown"),
            );
        }
        for (key, v) in [
            ("maxImageEdge", device.max_image_edge),
            ("maxImageLayers", device.max_image_layers),
            ("mainWorldWidth", device.main_world[0]),
            ("mainWorldHeight", device.main_world[1]),
            ("samples", device.samples),
        ] {
            if !(1..=1 << 20).contains(&v) {
                findings.add(
                    codes::DEVICE_FILE,
                    &format!("$.{key}"),
                    format!("`{key}` is {v}, which is no size"),
                );
            }
        }
        for (key, v) in [
            ("videoMemoryBytes", video_memory),
            ("residentBytes", device.resident_bytes),
            ("transientBytes", device.transient_bytes),
        ] {
            // Limits that follow from the video memory were judged with it.
            if v < 0 && (video_memory >= 0 || key == "videoMemoryBytes") {
                let message = format!("`{key}` is {v}, which is no number of bytes");
                findings.add(codes::DEVICE_FILE, &format!("$.{key}"), message);
            }
        }
        let mut list = findings.into_list();
        advice::complete(&mut list, Some(&root));
        list.iter_mut().for_each(|f| f.position = f.position.or(Some(root.nearest(&f.path).at)));
        if list.is_empty() { Ok(device) } else { Err(list) }
    }

    fn can(&self, c: Capability) -> bool {
        self.capabilities.contains(&c)
    }

    fn supports(&self, e: &Extent) -> bool {
        let large =
            e.mode.is(ExtentMode::AbsolutePixels) && e.width.max(e.height) > self.max_image_edge as f64;
        !large && e.layers <= self.max_image_layers
    }
}

/// Resources grouped by id, so that no preset has to pass over all of them. Ids are in lower case.
struct Images<'d> {
    /// Indices of all.
    all: BTreeMap<String, Vec<usize>>,
    /// Those of which the device does not support the declared extent.
    unsupported: BTreeMap<String, Vec<(usize, &'d Extent)>>,
}

impl<'d> Images<'d> {
    fn new(resources: &'d [Resource], device: &Device) -> Self {
        let mut images = Images { all: BTreeMap::new(), unsupported: BTreeMap::new() };
        for (k, r) in resources.iter().enumerate() {
            let id = r.id.to_ascii_lowercase();
            if let Some(e) = r.extent.as_ref().filter(|e| !device.supports(e)) {
                images.unsupported.entry(id.clone()).or_default().push((k, e));
            }
            images.all.entry(id).or_default().push(k);
        }
        images
    }

    fn of(&self, id: &str) -> &[usize] {
        self.all.get(id).map_or(&[], Vec::as_slice)
    }
}

impl Check<'_> {
    /// Rule 9, against a device.
    pub(super) fn device_capabilities(&mut self) {
        let Some(device) = &self.options.device else { return };
        let d = self.d;
        for (i, c) in d.required_capabilities.iter().enumerate() {
            if let Some(c) = c.known.filter(|c| !device.can(*c)) {
                let message =
                    format!("Pack '{}' requires unsupported capability '{}'.", brief(&d.id), c.name());
                self.add(codes::DEVICE_CAPABILITY, &format!("$.requiredCapabilities[{i}]"), message);
            }
        }
    }

    /// Which presets the device can run.
    pub(super) fn device_presets(&mut self) {
        let Some(device) = &self.options.device else { return };
        let d = self.d;
        let images = Images::new(&d.resources, device);
        for (i, p) in d.quality_presets.iter().enumerate() {
            let path = format!("$.qualityPresets[{i}]");
            for (k, c) in p.required_capabilities.iter().enumerate() {
                if let Some(c) = c.known.filter(|c| !device.can(*c)) {
                    let message =
                        format!("Preset '{}' requires unsupported capability '{}'.", brief(&p.id), c.name());
                    self.add(codes::DEVICE_PRESET, &format!("{path}.requiredCapabilities[{k}]"), message);
                }
            }
            if p.semantic.is(QualitySemantic::Automatic) {
                if !device.can(Capability::GpuTimestampQueries) {
                    let message = format!(
                        "Preset '{}' requires unsupported capability 'GpuTimestampQueries'.",
                        brief(&p.id)
                    );
                    self.add(codes::DEVICE_PRESET, &format!("{path}.semantic"), message);
                }
                continue;
            }
            if p.max_resident_gpu_bytes > device.resident_bytes {
                let message = format!("Preset '{}' exceeds the device's resident budget.", brief(&p.id));
                self.add(codes::DEVICE_PRESET, &format!("{path}.maxResidentGpuBytes"), message)
                    .says(format!("at most {}", device.resident_bytes), p.max_resident_gpu_bytes.to_string());
            }
            if !self.device_extents(device, p, &path, &images) {
                return;
            }
        }
    }

    /// The extents that resources have in a preset; whether there is room for more findings.
    fn device_extents(&mut self, device: &Device, p: &Preset, path: &str, images: &Images<'_>) -> bool {
        // For each resource the first override that has an extent.
        let mut overrides: BTreeMap<String, (usize, &Extent)> = BTreeMap::new();
        for (o, over) in p.resource_overrides.iter().enumerate() {
            if let Some(e) = &over.extent {
                overrides.entry(over.resource_id.to_ascii_lowercase()).or_insert((o, e));
            }
        }
        // Index of the resource, and of the override where it is that one's extent.
        let mut unsupported: Vec<(usize, Option<usize>, &Extent)> = Vec::new();
        for (id, (o, e)) in &overrides {
            if !device.supports(e) {
                unsupported.extend(images.of(id).iter().map(|k| (*k, Some(*o), *e)));
            }
        }
        for (id, declared) in &images.unsupported {
            if !overrides.contains_key(id) {
                unsupported.extend(declared.iter().map(|(k, e)| (*k, None, *e)));
            }
        }
        unsupported.sort_unstable_by_key(|(k, ..)| *k);
        for (k, over, e) in unsupported {
            let at = match over {
                Some(o) => format!("{path}.resourceOverrides[{o}].extent"),
                None => format!("$.resources[{k}].extent"),
            };
            let message = format!(
                "Preset '{}' gives resource '{}' an extent that the device does not support.",
                brief(&p.id),
                brief(&self.d.resources[k].id)
            );
            self.add(codes::DEVICE_PRESET, &at, message).says(
                format!("edges up to {} and up to {} layers", device.max_image_edge, device.max_image_layers),
                format!("{} x {} x {}", e.width, e.height, e.layers),
            );
            if self.findings.overflows() {
                return false;
            }
        }
        true
    }
}
