//! How many instructions a second the executor runs, on one core, without a trace: `cargo run --release -p
//! shaderport-exec --example speed -- FILES`, vertex and pixel shaders with their containers. Of each that ends within a
//! million instructions, a vertex or a quad of four pixels is run for a tenth of a second, all inputs and constants 0.5.

use shaderport_dxbc::{Container, Program, Stage};
use shaderport_exec::{Bindings, ConstantBuffer, Executor, Inputs, Views};
use std::error::Error;
use std::hint::black_box;
use std::ops::ControlFlow;
use std::process::ExitCode;
use std::time::{Duration, Instant};

const LIMIT: u64 = 1_000_000;

/// Instructions of one run, and seconds that it takes.
struct Speed {
    name: String,
    instructions: u64,
    seconds: f64,
}

impl Speed {
    fn rate(&self) -> f64 {
        self.instructions as f64 / self.seconds
    }
}

fn main() -> ExitCode {
    let (mut measured, mut left_out) = (Vec::new(), 0);
    for name in std::env::args().skip(1) {
        match measure(&name) {
            Ok(speed) => measured.push(speed),
            Err(e) => {
                println!("left out: {name}: {e}");
                left_out += 1;
            }
        }
    }
    measured.sort_by(|a, b| a.rate().total_cmp(&b.rate()));
    for s in measured.iter().take(5) {
        println!("{:.2} million a second: {}, {} instructions", s.rate() / 1e6, s.name, s.instructions);
    }
    let Some(fastest) = measured.last() else {
        eprintln!("usage: speed FILES");
        return ExitCode::from(2);
    };
    let instructions: u64 = measured.iter().map(|s| s.instructions).sum();
    let seconds: f64 = measured.iter().map(|s| s.seconds).sum();
    println!(
        "{} shaders, {left_out} left out: {:.2} million instructions a second together, {:.2} at the least, {:.2} at the most",
        measured.len(),
        instructions as f64 / seconds / 1e6,
        measured[0].rate() / 1e6,
        fastest.rate() / 1e6,
    );
    ExitCode::SUCCESS
}

fn measure(name: &str) -> Result<Speed, Box<dyn Error>> {
    let bytes = std::fs::read(name)?;
    let container = Container::parse(&bytes).map_err(|d| d.to_string())?;
    let chunk = container.program_chunk().map_err(|d| d.to_string())?;
    let program = Program::decode(chunk.data, chunk.tag, chunk.offset + 8).map_err(|d| d.to_string())?;
    let executor = Executor::new(&program)?.limit(LIMIT);
    let rows = || ConstantBuffer::from_rows(vec![[0.5f32.to_bits(); 4]; 64]);
    let bindings = (0..4).fold(Bindings::default(), |b, n| b.constants(n, rows()));
    let mut views = Views::default();
    let inputs = Inputs { registers: [[0.5f32.to_bits(); 4]; 32], ..Inputs::default() };
    let quad = std::array::from_fn(|_| inputs.clone());
    let vertex = program.stage == Stage::Vertex;
    let instructions = if vertex {
        executor.trace_vertex(&bindings, &mut views, &inputs, &mut |_| ControlFlow::Continue(()))?.1
    } else {
        executor.trace_quad(&bindings, &mut views, &quad, &mut |_| ControlFlow::Continue(()))?.1
    };
    let (start, mut runs) = (Instant::now(), 0u32);
    while start.elapsed() < Duration::from_millis(100) {
        if vertex {
            black_box(executor.run_vertex(&bindings, &mut views, &inputs)?);
        } else {
            black_box(executor.run_quad(&bindings, &mut views, &quad)?);
        }
        runs += 1;
    }
    let seconds = start.elapsed().as_secs_f64() / f64::from(runs.max(1));
    Ok(Speed { name: name.to_owned(), instructions, seconds })
}
