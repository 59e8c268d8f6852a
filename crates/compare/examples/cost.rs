//! What `--fidelity strict` costs: time of a draw with each fidelity, on llvmpipe.
//!
//! ```text
//! cargo run --release -p shaderport-compare --example cost -- FOLDER
//! ```
//!
//! FOLDER is a corpus with an `INDEX.tsv` (the shared one, unless told). The shaders are by rule: of each of its
//! packages the pixel shader with the most instructions that both fidelities translate and llvmpipe draws (and that ends
//! within 100,000 instructions); of these
//! the ten with the most. Each draws a triangle over 256 by 256 pixels, strict and fast by turns, and the least time
//! of many counts. The last line is the mean of the ratios.

use shaderport_compare::scene::Scene;
use shaderport_compare::{Subject, draw, execute, translate};
use shaderport_gl_harness::{Gl, Job};
use shaderport_glsl::options::{Fidelity, Options};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

const SIZE: u32 = 256;
const SHADERS: usize = 10;
const TURNS: usize = 12;
const DRAWS: usize = 4;

fn job(bytes: &[u8], scene: &Scene, fidelity: Fidelity) -> Option<Job> {
    let options = Options { fidelity, ..draw::options() };
    let translation = translate(bytes, &options).ok()?;
    if std::env::var_os("SHOW").is_some() {
        println!("{}", translation.source);
    }
    let job = draw::job(&translation, scene).ok()?;
    Some(Job { size: [SIZE; 2], ..job })
}

/// Strict and fast.
fn jobs(path: &Path) -> Option<[Job; 2]> {
    let bytes = std::fs::read(path).ok()?;
    let subject = Subject::new(&bytes).ok()?;
    let scene = Scene::sloped(&subject.container, &subject.program, 1)?;
    // A loop without end would hang the driver.
    execute(&subject.program, &scene, 100_000).ok()?;
    Some([job(&bytes, &scene, Fidelity::Strict)?, job(&bytes, &scene, Fidelity::Fast)?])
}

fn main() {
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let folder = std::env::args().nth(1).map_or(default, PathBuf::from);
    let only = std::env::var("ONLY").ok();
    let index = std::fs::read_to_string(folder.join("INDEX.tsv")).expect("the folder has an INDEX.tsv");
    let mut packages = BTreeMap::<&str, Vec<(usize, PathBuf)>>::new();
    for line in index.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [path, _, _, "ps", ..] = fields[..] else { continue };
        let file = folder.join(path);
        let bytes = std::fs::read(&file).expect("the index names files");
        let Ok(subject) = Subject::new(&bytes) else { continue };
        let count = subject.program.instructions.iter().filter(|i| !i.opcode.is_declaration()).count();
        packages.entry(path.split('/').next().unwrap_or_default()).or_default().push((count, file));
    }
    let mut packages: Vec<Vec<_>> = packages.into_values().collect();
    for list in &mut packages {
        list.sort_by(|a, b| b.cmp(a));
    }
    packages.sort_by(|a, b| b[0].cmp(&a[0]));

    let gl = Gl::mesa().unwrap_or_else(|e| panic!("{e}"));
    println!("| shader | instructions | strict | fast | ratio |\n|---|---|---|---|---|");
    let mut ratios = Vec::new();
    for list in packages {
        let fits = list.iter().find_map(|(count, path)| {
            let jobs = jobs(path)?;
            let drawn = jobs.iter().all(|job| gl.time(job, 0, 1).is_ok());
            drawn.then_some((count, path, jobs))
        });
        let Some((count, path, jobs)) = fits else { continue };
        let name = path.strip_prefix(&folder).unwrap_or(path).display().to_string();
        if only.as_ref().is_some_and(|only| !name.contains(only)) {
            continue;
        }
        let mut least = [Duration::MAX; 2];
        for _ in 0..TURNS {
            for (job, least) in jobs.iter().zip(&mut least) {
                let times = gl.time(job, 1, DRAWS).expect("it drew before");
                *least = times.into_iter().min().unwrap_or(*least).min(*least);
            }
        }
        let [strict, fast] = least.map(|t| t.as_secs_f64() * 1e3);
        println!("| {name} | {count} | {strict:.2} ms | {fast:.2} ms | {:.3} |", strict / fast);
        ratios.push(strict / fast);
        if ratios.len() == SHADERS {
            break;
        }
    }
    println!("mean of {}: {:.3}", ratios.len(), ratios.iter().sum::<f64>() / ratios.len() as f64);
}
