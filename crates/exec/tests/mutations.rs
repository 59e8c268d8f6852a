//! Programs with damaged words: whatever they say, the executor refuses them or runs them to an end, in little memory.
//! `MUTATIONS=n` damages each so many times as often.

use shaderport_dxbc::program::ResourceDimension;
use shaderport_dxbc::{Container, Program, Stage};
use shaderport_exec::{
    Bindings, ConstantBuffer, Executor, Inputs, Instance, Resource, Slot, TexelKind, Texture, View, Views,
};
use std::ops::ControlFlow;
use std::path::Path;

/// Instructions that a damaged program may take.
const LIMIT: u64 = 500;

struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 32) as usize * bound) >> 32
    }
}

/// A view of each kind, in every register of the first spaces.
fn views() -> Views {
    use ResourceDimension::*;
    let texture = |dimension, size: [u32; 3], layers| {
        let count = size.iter().product::<u32>() * layers;
        Resource::Texture(Texture::new(dimension, size, layers, vec![vec![[1; 4]; count as usize]]).unwrap())
    };
    let kinds = [
        Resource::Raw(vec![1; 9]),
        Resource::Structured { stride: 8, words: vec![1; 9] },
        Resource::Typed(vec![[1; 4]; 3], TexelKind::Uint),
        texture(Texture2D, [2, 2, 1], 1),
        texture(Texture2DArray, [2, 2, 1], 2),
        texture(Texture3D, [2, 2, 2], 1),
        // A stride that divides nothing.
        Resource::Structured { stride: 0, words: vec![1; 3] },
    ];
    let all = (0..2).flat_map(|space| {
        kinds.iter().cycle().zip(0..14).map(move |(kind, register)| (Slot { space, register }, kind.clone()))
    });
    all.fold(Views::default(), |views, (slot, resource)| {
        views.view(slot, View { counter: u32::MAX, ..resource.into() })
    })
}

/// Runs it if it can be; whether it could.
fn run(program: &Program, bindings: &Bindings, views: &Views) -> bool {
    let Ok(executor) = Executor::new(program) else { return false };
    let executor = executor.limit(LIMIT);
    // Only the declared registers: what does not fit them would end the run at once.
    let mut fitting = views.clone();
    let inputs = Inputs { registers: [[1, 0x3f80_0000, 0xffff_ffff, 2]; 32], ..Inputs::default() };
    let quad = [(); 4].map(|()| inputs.clone());
    let mut steps = 0;
    let mut look = |_: &shaderport_exec::Step<'_>| {
        steps += 1;
        ControlFlow::Continue(())
    };
    for _ in 0..16 {
        let ran = if program.stage == Stage::Vertex {
            executor.trace_vertex(bindings, &mut fitting, &inputs, &mut look).map(|r| r.1)
        } else {
            executor.trace_quad(bindings, &mut fitting, &quad, &mut look).map(|r| r.1)
        };
        match ran {
            Err(e) if matches!(e.kind, shaderport_exec::ErrorKind::Mismatch(_)) => {
                // The view that does not fit is named first.
                let text = e.to_string();
                let slot = fitting.slots.keys().copied().find(|s| {
                    let space = if s.space == 0 { " ".into() } else { format!(",space{} ", s.space) };
                    text.contains(&format!(": u{}{space}", s.register))
                });
                match slot {
                    Some(slot) => fitting.slots.remove(&slot),
                    None => break,
                };
            }
            _ => break,
        }
    }
    assert!(steps <= LIMIT * 4);
    steps > 0
}

#[test]
fn damaged_programs_end() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/dxbc");
    let mut names: Vec<_> =
        std::fs::read_dir(&folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.retain(|n| n.ends_with(".vs.dxbc") || n.ends_with(".ps.dxbc"));
    names.sort();
    let rows = || ConstantBuffer::from_rows(vec![[1, 2, 0x3f80_0000, 0xffff_ffff]; 8]);
    let bindings = (0..3).fold(Bindings::default(), |b, n| b.constants(n, rows()));
    let bindings = (0..4).fold(bindings, |b, n| {
        b.interface(n, Instance { table: if n == 0 { 1 } else { 2 }, buffer: 1, ..Instance::default() })
    });
    let views = views();
    let times: usize = std::env::var("MUTATIONS").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    let (mut random, mut ran, mut refused) = (Random(0x1234_5678_9abc_def1), 0, 0);
    for (n, name) in names.iter().enumerate() {
        // All that have views and interfaces, and some of the others.
        let ours = ["uav", "atomics", "append", "ordered", "interface", "feedback"];
        let count = if ours.iter().any(|o| name.contains(o)) {
            300
        } else if n % 8 == 0 {
            20
        } else {
            continue;
        };
        let bytes = std::fs::read(folder.join(name)).unwrap();
        let chunk = Container::parse(&bytes).unwrap().program_chunk().unwrap();
        for _ in 0..count * times {
            let mut data = chunk.data.to_vec();
            for _ in 0..1 + random.below(3) {
                let at = 8 + random.below(data.len() - 8);
                data[at] = match random.below(3) {
                    0 => 1 << random.below(8) ^ data[at],
                    1 => [0, 0xff, 0x7f, 0x80][random.below(4)],
                    _ => random.below(256) as u8,
                };
            }
            let Ok(program) = Program::decode(&data, chunk.tag, 0) else { continue };
            if run(&program, &bindings, &views) {
                ran += 1;
            } else {
                refused += 1;
            }
        }
    }
    println!("{ran} ran, {refused} were refused");
    assert!(ran > 1500 && refused > 100);
}
