//! `shaderport pack resolve`.

use super::check::{read_device, read_text};
use crate::Exit;
use crate::args::Format;
use crate::output::{Fatal, Out, print_error_line, printable};
use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;
use shaderport::renderpack::descriptor::{self, Descriptor, Preset, SettingSemantic};
use shaderport::renderpack::host::passes::{PassInputs, numbers};
use shaderport::renderpack::settings::{Resolved, UserOverride, block, check_user_overrides, resolve};
use shaderport::renderpack::slots::{SampledInput, fused_inputs, sampled_inputs};
use shaderport::renderpack::{ById, Device};
use std::fmt::Write;
use std::path::PathBuf;

/// Resolve a preset: every setting's value and where it comes from, texture slots, and what the blocks hold
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  shaderport pack resolve my-pack
  shaderport pack resolve my-pack --preset low --set exposure=1.5 --format json")]
pub(crate) struct ResolveArgs {
    /// The pack's folder, which holds pack.json
    #[arg(value_name = "DIR")]
    dir: PathBuf,

    /// Id of the preset [default: the first]
    #[arg(long, value_name = "ID")]
    preset: Option<String>,

    /// A user's own value of a setting
    #[arg(long, value_name = "ID=VALUE", value_parser = user_override)]
    set: Vec<UserOverride>,

    /// The device, whose main world gives the passes' targets their sizes [default: one of 1920 by 1080]
    #[arg(long, value_name = "FILE")]
    device: Option<PathBuf>,

    /// How to report
    #[arg(long, value_enum, default_value = "human")]
    format: Format,
}

fn user_override(text: &str) -> Result<UserOverride, String> {
    let (setting, value) = text.split_once('=').ok_or("write ID=VALUE")?;
    Ok(UserOverride { setting: setting.to_owned(), value: value.to_owned() })
}

/// What `pack resolve --format json` prints.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ResolveReport<'r> {
    /// The pack's id.
    pack: &'r str,
    /// The preset's id.
    preset: &'r str,
    /// Every setting, in the order of declaration.
    settings: Vec<Resolved>,
    /// The PackSettings block, in hexadecimal.
    pack_settings: String,
    /// Every pass, in the order of declaration.
    passes: Vec<PassReport<'r>>,
}

/// A pass.
#[derive(Debug, Serialize, JsonSchema)]
struct PassReport<'r> {
    /// The pass's id.
    pass: &'r str,
    /// Its semantic.
    semantic: &'r str,
    /// What slots A to D hold.
    slots: Vec<SampledInput>,
    /// uPackParams0 to 3, for the targets that the preset has on the device.
    pack_pass: [[f32; 4]; 4],
}

pub(crate) fn run(args: &ResolveArgs, out: &mut Out) -> Result<Exit, Fatal> {
    let device = args.device.as_deref().map(read_device).transpose()?.unwrap_or_else(Device::conformance);
    let text = read_text(&args.dir.join("pack.json"))?;
    let (Some(document), _) = descriptor::read(&text) else {
        return Err(Fatal::Usage("pack.json cannot be read; `shaderport pack check` says why".into()));
    };
    let d = &document.descriptor;
    let preset = find_preset(d, args.preset.as_deref())?;
    let reasons = check_user_overrides(d, &args.set);
    if !reasons.is_empty() {
        reasons.iter().for_each(|r| print_error_line(&format!("FAIL: {r}")));
        return Ok(Exit::Findings);
    }
    let report = report(d, preset, &args.set, &device);
    match args.format {
        Format::Json => out.json_pretty(&report)?,
        Format::Human => out.write(printable(&human(&report)).as_bytes())?,
    }
    Ok(Exit::Fine)
}

/// The preset of an id, or the first.
fn find_preset<'d>(d: &'d Descriptor, id: Option<&str>) -> Result<&'d Preset, Fatal> {
    let found = match id {
        Some(id) => d.quality_presets.iter().find(|p| p.id.eq_ignore_ascii_case(id)),
        None => d.quality_presets.first(),
    };
    found.ok_or_else(|| {
        let ids: Vec<_> = d.quality_presets.iter().map(|p| p.id.as_str()).collect();
        Fatal::Usage(format!("there is no such preset; there are {}", ids.join(", ")))
    })
}

fn report<'d>(
    d: &'d Descriptor,
    preset: &'d Preset,
    user: &[UserOverride],
    device: &Device,
) -> ResolveReport<'d> {
    use SettingSemantic as S;
    let settings = resolve(d, preset, user);
    let value = |semantic: S, default: f32| {
        let i = d.settings.iter().position(|s| s.semantic.is(semantic));
        i.and_then(|i| settings.get(i)).map_or(default, |r| r.value)
    };
    let base = PassInputs::default();
    let inputs = PassInputs {
        bloom: value(S::BloomStrength, base.bloom),
        filmic: value(S::FilmicStrength, base.filmic),
        exposure: value(S::Exposure, base.exposure),
        saturation: value(S::GradeSaturation, base.saturation),
        contrast: value(S::GradeContrast, base.contrast),
        vignette: value(S::VignetteStrength, base.vignette),
        shafts: value(S::VolumetricStrength, base.shafts),
        shaft_steps: value(S::VolumetricRayMarchSteps, base.shaft_steps),
        fused: preset.execution_hints.has(descriptor::ExecutionHint::FusedAtmosphericPostProcess),
        ..base
    }
    .with_targets(d, preset, device.main_world);
    let sampled = if inputs.fused { fused_inputs } else { sampled_inputs };
    let resources = ById::new(&d.resources);
    let passes = d.passes.iter().map(|p| PassReport {
        pass: &p.id,
        semantic: &p.semantic.text,
        slots: sampled(p, &resources),
        pack_pass: p.semantic.known.map(|s| numbers(s, &inputs).0).unwrap_or_default(),
    });
    ResolveReport {
        pack: &d.id,
        preset: &preset.id,
        passes: passes.collect(),
        pack_settings: block(&settings).iter().map(|b| format!("{b:02x}")).collect(),
        settings,
    }
}

fn human(r: &ResolveReport<'_>) -> String {
    let mut t = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(t, "{}, preset {}", r.pack, r.preset);
    for s in &r.settings {
        let place = ["x", "y", "z", "w"][s.index % 4];
        let source = format!("{:?}", s.source).to_lowercase();
        let _ = writeln!(
            t,
            "  uPackSettings[{}].{place} = {} ({} `{}`, {source})",
            s.index / 4,
            s.value,
            s.id,
            s.text
        );
    }
    for p in &r.passes {
        let _ = writeln!(t, "\n{} ({})", p.pass, p.semantic);
        for (slot, input) in ["A", "B", "C", "D"].iter().zip(&p.slots) {
            let name = match input {
                SampledInput::Semantic(s) => s.name(),
                SampledInput::Resource(id) => id,
            };
            let _ = writeln!(t, "  slot {slot}: {name}");
        }
        for (i, v) in p.pack_pass.iter().enumerate().filter(|(_, v)| **v != [0.0; 4]) {
            let _ = writeln!(t, "  uPackParams{i} = {v:?}");
        }
    }
    t
}
