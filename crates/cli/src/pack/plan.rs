//! `shaderport pack plan`.

use super::check::{read_device, read_text};
use crate::Exit;
use crate::args::Format;
use crate::output::{Fatal, Out, printable};
use clap::Args;
use shaderport::renderpack::Device;
use shaderport::renderpack::descriptor;
use shaderport::renderpack::host::budget::{Plan, Planner};
use std::fmt::Write;
use std::path::PathBuf;

/// Work out the memory that each preset takes on a device
///
/// Ends with status 1 where a preset takes more than its own budget or the device allows.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  shaderport pack plan my-pack
  shaderport pack plan my-pack --device low-end.json --format json")]
pub(crate) struct PlanArgs {
    /// The pack's folder, which holds pack.json
    #[arg(value_name = "DIR")]
    dir: PathBuf,

    /// The device [default: one that can do everything, at 1920 by 1080]
    #[arg(long, value_name = "FILE")]
    device: Option<PathBuf>,

    /// Plan for this preset alone
    #[arg(long, value_name = "ID")]
    preset: Option<String>,

    /// How to report
    #[arg(long, value_enum, default_value = "human")]
    format: Format,
}

/// Most images that are planned at once. Plans hold presets times images, which can be far more than the descriptor.
const MOST_IMAGES: usize = 1 << 16;

pub(crate) fn run(args: &PlanArgs, out: &mut Out) -> Result<Exit, Fatal> {
    let device = args.device.as_deref().map(read_device).transpose()?.unwrap_or_else(Device::conformance);
    let text = read_text(&args.dir.join("pack.json"))?;
    let (Some(document), _) = descriptor::read(&text) else {
        return Err(Fatal::Usage("pack.json cannot be read; `shaderport pack check` says why".into()));
    };
    let d = &document.descriptor;
    let wanted = |id: &str| args.preset.as_ref().is_none_or(|p| p.eq_ignore_ascii_case(id));
    let presets: Vec<_> = d.quality_presets.iter().filter(|p| wanted(&p.id)).collect();
    if presets.is_empty() {
        return Err(Fatal::Usage("there is no such preset".into()));
    }
    let planner = Planner::new(d);
    let (n, images) = (presets.len(), planner.images());
    if n > 1 && n.saturating_mul(images) > MOST_IMAGES {
        let message =
            format!("{n} presets of up to {images} images each are too many; name one with --preset");
        return Err(Fatal::Usage(message));
    }
    let plans: Vec<Plan> = presets.into_iter().map(|p| planner.plan(p, &device)).collect();
    match args.format {
        Format::Json => out.json_pretty(&plans)?,
        Format::Human => out.write(printable(&human(&plans)).as_bytes())?,
    }
    Ok(if plans.iter().all(|p| p.exceeded.is_empty()) { Exit::Fine } else { Exit::Findings })
}

fn human(plans: &[Plan]) -> String {
    let mut t = String::new();
    for p in plans {
        // Writing to a string cannot fail.
        let _ = writeln!(
            t,
            "{}: {} bytes resident, {} transient, budget {}",
            p.preset, p.resident_bytes, p.transient_bytes, p.preset_budget
        );
        for i in &p.resident {
            let [w, h, l] = i.size;
            let _ =
                writeln!(t, "  {:24} {w} x {h} x {l} at {} bytes = {}", i.name, i.bytes_per_pixel, i.bytes);
        }
        for e in &p.exceeded {
            let _ = writeln!(t, "  exceeded: {e}");
        }
    }
    t
}
