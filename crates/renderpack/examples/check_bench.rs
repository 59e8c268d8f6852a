//! Times: a whole pack checked in process, and a thousand modules against `spirv-val`, one process a module.
//!
//!     cargo run --release -p shaderport-renderpack --example check_bench -- [FOLDER]
//!
//! The modules are those of FOLDER, else of the templates, taken again and again.

use shaderport_renderpack::abi::SEMANTIC_V1;
use shaderport_renderpack::template::{Profile, new_pack};
use shaderport_renderpack::{AssetError, Options, check_pack};
use shaderport_spirv::{read, reflect};
use std::collections::HashMap;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const MODULES: usize = 1000;

fn main() {
    let files = new_pack(Profile::Atmospheric, "bench", &SEMANTIC_V1).expect("the id is stable");
    let files: HashMap<String, Vec<u8>> = files.into_iter().map(|f| (f.path, f.bytes)).collect();
    pack(&files);

    let folder = std::env::args().nth(1);
    let mut modules: Vec<(String, Vec<u8>)> = match &folder {
        Some(folder) => std::fs::read_dir(folder)
            .expect("the folder can be listed")
            .filter_map(|e| {
                let path = e.ok()?.path();
                Some((path.to_string_lossy().into_owned(), std::fs::read(&path).ok()?))
            })
            .collect(),
        None => files.into_iter().filter(|(path, _)| path.ends_with(".spv")).collect(),
    };
    modules.sort();
    assert!(!modules.is_empty(), "no modules");
    let list: Vec<_> = modules.iter().cycle().take(MODULES).collect();
    let start = Instant::now();
    for (_, bytes) in &list {
        read(bytes).module.as_ref().map(reflect);
    }
    let ours = start.elapsed();

    let temporary = std::env::temp_dir().join(format!("shaderport-bench-{}", std::process::id()));
    std::fs::create_dir_all(&temporary).expect("a folder for modules");
    let paths: Vec<_> = list
        .iter()
        .enumerate()
        .map(|(i, (_, bytes))| {
            let path = temporary.join(format!("{i}.spv"));
            std::fs::write(&path, bytes).expect("a module can be written");
            path
        })
        .collect();
    let start = Instant::now();
    for path in &paths {
        let mut command = Command::new("spirv-val");
        command.args(["--target-env", "vulkan1.3"]).arg(path).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().expect("spirv-val is installed");
    }
    let theirs = start.elapsed();
    // What the command does with the same files: each read from the disk.
    let start = Instant::now();
    for path in &paths {
        let bytes = std::fs::read(path).expect("a module can be read");
        read(&bytes).module.as_ref().map(reflect);
    }
    let files = start.elapsed();
    std::fs::remove_dir_all(&temporary).expect("the folder can go");
    let ms = |d: Duration| d.as_secs_f64() * 1e3;
    println!("{MODULES} modules read and reflected: {:.1} ms, from files {:.1} ms", ms(ours), ms(files));
    println!("spirv-val, a process each: {:.1} ms, {:.1} times that", ms(theirs), ms(theirs) / ms(files));
}

/// A pack in which no two declarations share a shader.
fn pack(files: &HashMap<String, Vec<u8>>) {
    let mut text = String::from_utf8_lossy(&files["pack.json"]).into_owned();
    let mut assets = HashMap::new();
    let mut at = 0;
    while let Some(found) = text[at..].find("\"shaders/") {
        let start = at + found + 1;
        let end = start + text[start..].find('"').expect("a string ends");
        let own = format!("own/{}.spv", assets.len());
        assets.insert(own.clone(), files[&text[start..end]].clone());
        text.replace_range(start..end, &own);
        at = start;
    }
    let options = Options::default();
    let mut best = Duration::MAX;
    for _ in 0..200 {
        let start = Instant::now();
        let mut open = |key: &str| assets.get(key).cloned().ok_or(AssetError::Missing("not there".into()));
        let report = check_pack(&text, &mut open, &options);
        best = best.min(start.elapsed());
        assert!(report.accepted() && report.shaders.len() == assets.len());
    }
    println!("a pack of {} shaders: {:.3} ms at best of 200", assets.len(), best.as_secs_f64() * 1e3);
}
