//! Times: a whole pack checked in process, and every module of a folder read.
//!
//!     cargo run --release -p shaderport-renderpack --example check_bench -- [FOLDER]
//!
//! With a folder, the names of modules with errors are printed as well, for comparison with another validator.

use shaderport_diagnostics::Severity;
use shaderport_renderpack::abi::SEMANTIC_V1;
use shaderport_renderpack::template::{Profile, new_pack};
use shaderport_renderpack::{AssetError, Options, check_pack};
use shaderport_spirv::{read, reflect};
use std::collections::HashMap;
use std::time::{Duration, Instant};

fn main() {
    let files = new_pack(Profile::Atmospheric, "bench", &SEMANTIC_V1).expect("the id is stable");
    let files: HashMap<String, Vec<u8>> = files.into_iter().map(|f| (f.path, f.bytes)).collect();
    let text = String::from_utf8_lossy(&files["pack.json"]).into_owned();
    let options = Options::default();
    let mut best = Duration::MAX;
    let mut requests = 0;
    for _ in 0..200 {
        let start = Instant::now();
        let mut assets = |key: &str| files.get(key).cloned().ok_or(AssetError::Missing("not there".into()));
        let report = check_pack(&text, &mut assets, &options);
        best = best.min(start.elapsed());
        assert!(report.accepted());
        requests = report.shaders.iter().map(|s| s.uses.len()).sum();
    }
    println!("a pack of {requests} shader uses: {:.3} ms", best.as_secs_f64() * 1e3);
    let Some(dir) = std::env::args().nth(1) else { return };
    let mut modules: Vec<_> = std::fs::read_dir(dir)
        .expect("the folder can be listed")
        .filter_map(|e| {
            let path = e.ok()?.path();
            Some((path.file_name()?.to_string_lossy().into_owned(), std::fs::read(&path).ok()?))
        })
        .collect();
    modules.sort();
    let start = Instant::now();
    let mut invalid = Vec::new();
    for (name, bytes) in &modules {
        let reading = read(bytes);
        reading.module.as_ref().map(reflect);
        if let Some(d) = reading.diagnostics.iter().find(|d| d.severity == Severity::Error) {
            invalid.push(format!("{name}: {d}"));
        }
    }
    println!("{} modules read and reflected: {:.1} ms", modules.len(), start.elapsed().as_secs_f64() * 1e3);
    invalid.iter().for_each(|l| println!("{l}"));
}
