//! Vulkan on Mesa's lavapipe, for tests: draws points with SPIR-V modules and hands back raw bits.
//!
//! [`Worker`] keeps the driver in a child process, `vk-check`, with a time limit, as that of `gl-harness` does: a
//! module is handed to the driver as it is, and one without end, or an invalid one, may take its process with it.
#![warn(clippy::undocumented_unsafe_blocks)]

mod device;
mod draw;
mod job;

use shaderport_gl_harness::child::{self, Children, NoAnswer, NoChild};
use std::path::PathBuf;
use std::time::Duration;

pub use device::Vulkan;
pub use job::{
    Attribute, Compare, Data, Depth, Descriptor, Dimension, Filter, Image, Job, Kind, Output, Sampler,
    Target, Wrap,
};

const KIND: child::Kind = child::Kind {
    name: "vk-check",
    folder: env!("CARGO_MANIFEST_DIR"),
    variable: "VK_CHECK",
    fingerprint: child::fingerprint(&[
        include_bytes!("device.rs"),
        include_bytes!("draw.rs"),
        include_bytes!("job.rs"),
        include_bytes!("lib.rs"),
        include_bytes!("../../gl-harness/src/child.rs"),
        include_bytes!("../../gl-harness/src/job.rs"),
    ]),
};

/// The child's side: answers jobs from standard input until that ends.
///
/// # Errors
/// When standard input or output fails, or a line is no job.
pub fn serve(limit: Duration) -> Result<(), String> {
    child::serve(KIND.fingerprint, limit, Vulkan::lavapipe, |vulkan, job: Job| vulkan.draw(&job))
}

/// The parent's side: one child, started again after it hung or died.
pub struct Worker(Children<Result<Output, String>, String>);

fn unavailable(e: NoChild<String>) -> String {
    let (NoChild::Driver(text) | NoChild::Child(text)) = e;
    text
}

impl Worker {
    /// A worker that gives each job `limit`.
    ///
    /// Its program is `$VK_CHECK`, else the `vk-check` built beside the running executable, else one that cargo builds
    /// now.
    ///
    /// # Errors
    /// Says what is missing.
    pub fn new(limit: Duration) -> Result<Worker, String> {
        Children::new(KIND, vec!["serve".into()], limit).map(Worker).map_err(unavailable)
    }

    /// A worker whose children run `program`, a `vk-check`.
    ///
    /// # Errors
    /// Says what is missing.
    pub fn with_program(program: impl Into<PathBuf>, limit: Duration) -> Result<Worker, String> {
        let children = Children::with_program(KIND, program.into(), vec!["serve".into()], limit);
        children.map(Worker).map_err(unavailable)
    }

    /// Runs a job.
    ///
    /// # Errors
    /// What the harness or the driver refuses; a hang (`timeout`) or a crash (`crash`).
    pub fn draw(&mut self, job: &Job) -> Result<Output, String> {
        self.0.run(job).unwrap_or_else(|failed| match failed {
            NoAnswer::Timeout(limit) => Err(format!("timeout: no answer within {limit:?}")),
            NoAnswer::Died(log) => Err(format!("crash: {log}")),
        })
    }
}
