//! How many instructions a second the executor runs: `cargo test --release -p shaderport-exec --test speed -- --ignored
//! --nocapture`.

use shaderport_dxbc::{Container, Program, Stage};
use shaderport_exec::{Bindings, ConstantBuffer, Executor, Inputs};
use std::path::Path;
use std::time::{Duration, Instant};

#[test]
#[ignore = "a measurement"]
fn instructions_a_second() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/dxbc");
    let mut slowest = f64::MAX;
    for name in
        ["alu_float.vs", "flow_long.ps", "flow_matrix_loop.ps", "pair_lit.vs", "a022_main.vs", "tex_kinds.ps"]
    {
        let bytes = std::fs::read(folder.join(format!("{name}.dxbc"))).unwrap();
        let chunk = Container::parse(&bytes).unwrap().program_chunk().unwrap();
        let program = Program::decode(chunk.data, chunk.tag, chunk.offset + 8).unwrap();
        let executor = Executor::new(&program).unwrap();
        let rows = ConstantBuffer::from_rows(vec![[0x3f00_0000; 4]; 64]);
        let bindings = Bindings::default().constants(0, rows.clone()).constants(1, rows);
        let inputs = Inputs { registers: [[0x3f00_0000; 4]; 32], ..Inputs::default() };
        let quad = std::array::from_fn(|_| inputs.clone());
        let mut ignore = |_: &shaderport_exec::Step<'_>| std::ops::ControlFlow::Continue(());
        let steps = if program.stage == Stage::Vertex {
            executor.trace_vertex(&bindings, &inputs, &mut ignore).unwrap().1
        } else {
            executor.trace_quad(&bindings, &quad, &mut ignore).unwrap().1
        };
        let (start, mut runs) = (Instant::now(), 0u64);
        while start.elapsed() < Duration::from_millis(300) {
            if program.stage == Stage::Vertex {
                executor.run_vertex(&bindings, &inputs).unwrap();
            } else {
                executor.run_quad(&bindings, &quad).unwrap();
            }
            runs += 1;
        }
        let lanes = if program.stage == Stage::Vertex { 1.0 } else { 4.0 };
        let rate = runs as f64 * steps as f64 / start.elapsed().as_secs_f64();
        println!(
            "{name}: {steps} instructions, {:.1} million a second, {:.1} million lanes",
            rate / 1e6,
            rate * lanes / 1e6
        );
        slowest = slowest.min(rate);
    }
    assert!(slowest > 1e6);
}
