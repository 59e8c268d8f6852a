//! Flow, its forms enumerated: every conditional instruction with both tests, each kind of operand and bits that floats
//! would not tell from 0; switches with every order of their labels and every end of their sections; blocks in blocks,
//! left in every way. Every two choices of a form are together: half of the forms are tried by vertices, half by pixels,
//! each on one of the GLs. `ALL=1` tries every form by both and on both (`ALL=n`: every `n`th).

use shaderport_asm::{Ins, Operand, Shader, Type, l, label, o, r, v};
use shaderport_compare::cover::{Factors, share};
use shaderport_compare::random::Random;
use shaderport_compare::scene::Scene;
use shaderport_compare::{Tolerance, compare_and_show};
use shaderport_dxbc::{Opcode, Stage};
use shaderport_exec::{Bindings, Inputs};
use shaderport_gl_harness::{Backend, Worker};
use std::time::Duration;

const ROWS: usize = 64;
/// Zero, what floats take for zero, and what is something.
const TESTS: [u32; 8] = [0, 0, 0x8000_0000, 1, 0x007f_ffff, u32::MAX, 0x7fc0_0000, 0x3f80_0000];
/// What a form records is in its lane x.
const RECORD: u32 = 0;
/// A register for conditions.
const CONDITION: u32 = 1;
/// Counters of loops, by their depth.
const COUNTERS: u32 = 2;

/// A shader whose forms write an output each: in the main program, or called.
struct Forms {
    shader: Shader,
    marks: u32,
    /// Subroutines that forms call, other than those around forms.
    callees: Vec<(u32, u32)>,
    labels: u32,
}

impl Forms {
    /// Adds a number to the record, so that it tells the order of all that were added.
    fn mark(&mut self) {
        self.marks += 1;
        let record = r(RECORD, "x");
        self.shader.op(Opcode::Imad, &[record.clone(), record, l(37u32), l(self.marks)]);
    }

    fn op(&mut self, opcode: Opcode, operands: &[Operand]) {
        self.shader.op(opcode, operands);
    }

    fn test(&mut self, opcode: Opcode, nz: bool, operands: &[Operand]) {
        let ins = Ins::new(opcode, operands);
        self.shader.push(if nz { ins.nz() } else { ins });
    }

    /// A condition that changes as the record does.
    fn condition(&mut self) -> Operand {
        let c = r(CONDITION, "x");
        self.op(Opcode::Xor, &[c.clone(), r(RECORD, "x"), v(1, "x")]);
        self.op(Opcode::And, &[c.clone(), c.clone(), l(2u32)]);
        c
    }

    /// A loop's head: it goes round three times.
    fn begin_loop(&mut self, depth: u32) {
        let counter = r(COUNTERS + depth, "x");
        self.op(Opcode::Mov, &[counter.clone(), l(0u32)]);
        self.op(Opcode::Loop, &[]);
        self.op(Opcode::Ige, &[r(CONDITION, "y"), counter.clone(), l(3u32)]);
        self.test(Opcode::Breakc, true, &[r(CONDITION, "y")]);
        self.op(Opcode::Iadd, &[counter.clone(), counter, l(1u32)]);
    }
}

/// A family of forms: what is varied, and how a form is written.
struct Family {
    name: &'static str,
    factors: Factors,
    write: fn(&mut Forms, &[usize]),
    /// Whether a form must stand in a subroutine: it returns.
    called: fn(&[usize]) -> bool,
}

const CONDITIONAL: [Opcode; 5] = [Opcode::If, Opcode::Breakc, Opcode::Continuec, Opcode::Retc, Opcode::Callc];

/// Instruction, test, lane, what holds the operand, and whether the form is in a subroutine.
fn conditional() -> Family {
    let mut factors = Factors::default();
    // An integer input, a float input, temporaries of both, of a comparison, and two literals.
    for count in [CONDITIONAL.len(), 2, 4, 7, 2] {
        factors.add(count);
    }
    // In the main program, it would be the last form.
    factors.exclude((0, 3), (4, 0));
    Family { name: "conditional", factors, write: write_conditional, called: |row| row[4] == 1 }
}

fn tested(forms: &mut Forms, lane: &str, held: usize) -> Operand {
    let c = r(CONDITION, lane);
    match held {
        0 => return v(0, lane),
        1 => return v(2, lane),
        2 => forms.op(Opcode::Mov, &[r(CONDITION, "xyzw"), v(0, "xyzw")]),
        3 => forms.op(Opcode::Mov, &[r(CONDITION, "xyzw"), v(2, "xyzw")]),
        4 => forms.op(Opcode::Ilt, &[r(CONDITION, "xyzw"), v(0, "xyzw"), l(0u32)]),
        5 => return l(0u32),
        _ => return l(0x8000_0000u32),
    }
    c
}

fn write_conditional(forms: &mut Forms, row: &[usize]) {
    let &[opcode, nz, lane, held, _] = row else { unreachable!() };
    let (opcode, nz, lane) = (CONDITIONAL[opcode], nz == 1, ["x", "y", "z", "w"][lane]);
    match opcode {
        Opcode::If => {
            let c = tested(forms, lane, held);
            forms.test(opcode, nz, &[c]);
            forms.mark();
            forms.op(Opcode::Else, &[]);
            forms.mark();
            forms.op(Opcode::EndIf, &[]);
        }
        Opcode::Breakc | Opcode::Continuec => {
            forms.begin_loop(0);
            forms.mark();
            let c = tested(forms, lane, held);
            forms.test(opcode, nz, &[c]);
            forms.mark();
            forms.op(Opcode::EndLoop, &[]);
        }
        Opcode::Retc => {
            forms.mark();
            let c = tested(forms, lane, held);
            forms.test(opcode, nz, &[c]);
        }
        _ => {
            let c = tested(forms, lane, held);
            forms.labels += 1;
            forms.marks += 1;
            forms.callees.push((forms.labels, forms.marks));
            let callee = label(forms.labels);
            forms.test(opcode, nz, &[c, callee]);
        }
    }
    forms.mark();
}

/// Orders of the labels of a switch; 0 is its default.
const ORDERS: [&[u32]; 14] = [
    &[1, 2, 3],
    &[3, 1, 2],
    &[0, 1, 2, 3],
    &[1, 0, 2, 3],
    &[1, 2, 0, 3],
    &[1, 2, 3, 0],
    &[3, 2, 1, 0],
    &[0, 3, 2, 1],
    &[2, 0, 3, 1],
    &[3, 1, 0, 2],
    &[0],
    &[1],
    &[0, 2],
    &[2, 0],
];

/// Order, how each of four sections ends, what holds the selector, and whether there is a loop around.
fn switches() -> Family {
    let mut factors = Factors::default();
    for count in [ORDERS.len(), 5, 5, 5, 5, 3, 2] {
        factors.add(count);
    }
    for section in 1..=4 {
        // There is nothing to continue.
        factors.exclude((section, 4), (6, 0));
    }
    Family { name: "switches", factors, write: write_switch, called: |_| false }
}

fn write_switch(forms: &mut Forms, row: &[usize]) {
    let (order, ends, held, looped) = (ORDERS[row[0]], &row[1..5], row[5], row[6] == 1);
    if looped {
        forms.begin_loop(0);
    }
    let selector = match (held, looped) {
        // The number of the turn.
        (0, true) => r(COUNTERS, "x"),
        (0, false) => v(3, "x"),
        (1, _) => {
            forms.op(Opcode::Mov, &[r(CONDITION, "y"), v(3, "y")]);
            r(CONDITION, "y")
        }
        _ => {
            forms.op(Opcode::And, &[r(CONDITION, "z"), r(RECORD, "x"), l(3u32)]);
            r(CONDITION, "z")
        }
    };
    forms.op(Opcode::Switch, &[selector]);
    for (n, &of) in order.iter().enumerate() {
        match of {
            0 => forms.op(Opcode::Default, &[]),
            // One of them is no small number.
            3 => forms.op(Opcode::Case, &[l(u32::MAX)]),
            _ => forms.op(Opcode::Case, &[l(of)]),
        }
        // The last section ends somehow.
        let end = if n + 1 == order.len() && ends[n] == 0 { 2 } else { ends[n] };
        if end == 0 {
            // Two labels, one section.
            continue;
        }
        forms.mark();
        match end {
            1 => {}
            2 => forms.op(Opcode::Break, &[]),
            3 => {
                let c = forms.condition();
                forms.test(Opcode::Breakc, true, &[c]);
                forms.mark();
                forms.op(Opcode::Break, &[]);
            }
            _ => {
                let c = forms.condition();
                forms.test(Opcode::Continuec, false, &[c]);
                forms.op(Opcode::Break, &[]);
            }
        }
    }
    forms.op(Opcode::EndSwitch, &[]);
    forms.mark();
    if looped {
        forms.op(Opcode::EndLoop, &[]);
        forms.mark();
    }
}

/// Three blocks in each other, the way out of the innermost, and whether the form is in a subroutine.
fn blocks() -> Family {
    let mut factors = Factors::default();
    for count in [BLOCKS, BLOCKS, BLOCKS, EXITS, 2] {
        factors.add(count);
    }
    for exit in [5, 6] {
        factors.exclude((3, exit), (4, 0));
    }
    Family { name: "blocks", factors, write: write_blocks, called: |row| row[4] == 1 }
}

/// `if`, `else`, `loop`, `switch`.
const BLOCKS: usize = 4;
/// None; `breakc`, `break`, `continuec`, `continue`, `retc`, `ret`.
const EXITS: usize = 7;

fn write_blocks(forms: &mut Forms, row: &[usize]) {
    let (blocks, exit) = (&row[..3], row[3]);
    write_block(forms, blocks, exit, 0);
    forms.mark();
}

fn write_block(forms: &mut Forms, blocks: &[usize], exit: usize, depth: u32) {
    let Some(&block) = blocks.get(depth as usize) else {
        forms.mark();
        let loops = blocks.contains(&2);
        let opcodes = match exit {
            1 | 2 if loops || blocks.contains(&3) => (Opcode::Breakc, Opcode::Break),
            3 | 4 if loops => (Opcode::Continuec, Opcode::Continue),
            5 | 6 => (Opcode::Retc, Opcode::Ret),
            _ => return,
        };
        let c = forms.condition();
        if exit % 2 == 1 {
            forms.test(opcodes.0, true, &[c]);
        } else {
            forms.test(Opcode::If, true, &[c]);
            forms.op(opcodes.1, &[]);
            forms.op(Opcode::EndIf, &[]);
        }
        forms.mark();
        return;
    };
    match block {
        0 | 1 => {
            let c = forms.condition();
            forms.test(Opcode::If, block == 0, &[c]);
            if block == 1 {
                forms.mark();
                forms.op(Opcode::Else, &[]);
            }
            write_block(forms, blocks, exit, depth + 1);
            forms.op(Opcode::EndIf, &[]);
        }
        2 => {
            forms.begin_loop(depth);
            write_block(forms, blocks, exit, depth + 1);
            forms.mark();
            forms.op(Opcode::EndLoop, &[]);
        }
        _ => {
            let c = forms.condition();
            forms.op(Opcode::Switch, &[c]);
            forms.op(Opcode::Case, &[l(2u32)]);
            write_block(forms, blocks, exit, depth + 1);
            forms.op(Opcode::Break, &[]);
            forms.op(Opcode::Default, &[]);
            forms.mark();
            forms.op(Opcode::Break, &[]);
            forms.op(Opcode::EndSwitch, &[]);
        }
    }
    forms.mark();
}

fn families() -> [Family; 3] {
    [conditional(), switches(), blocks()]
}

fn begin(stage: Stage) -> Shader {
    let mut shader = Shader::new(stage);
    for n in 0..4 {
        let ty = if n == 2 { Type::Float } else { Type::Uint };
        shader.input_as(n, "xyzw", &format!("A{n}"), ty, shaderport_asm::Interpolation::Constant);
    }
    shader
}

fn shader(stage: Stage, family: &Family, rows: &[Vec<usize>]) -> Vec<u8> {
    let mut shader = begin(stage);
    for n in 0..rows.len() as u32 {
        match stage {
            Stage::Vertex => shader.output(n, "x", &format!("B{n}"), Type::Uint),
            _ => shader.target(n, "x", Type::Uint),
        };
    }
    shader.temps(COUNTERS + 3);
    let mut forms = Forms { shader, marks: 0, callees: Vec::new(), labels: rows.len() as u32 };
    for (n, row) in rows.iter().enumerate() {
        forms.op(Opcode::Mov, &[r(RECORD, "x"), v(1, "y")]);
        if (family.called)(row) {
            forms.op(Opcode::Call, &[label(n as u32)]);
        } else {
            (family.write)(&mut forms, row);
        }
        forms.op(Opcode::Mov, &[o(n as u32, "x"), r(RECORD, "x")]);
    }
    forms.op(Opcode::Ret, &[]);
    for (n, row) in rows.iter().enumerate().filter(|(_, row)| (family.called)(row)) {
        forms.op(Opcode::Label, &[label(n as u32)]);
        (family.write)(&mut forms, row);
        forms.op(Opcode::Ret, &[]);
    }
    for (callee, mark) in std::mem::take(&mut forms.callees) {
        forms.op(Opcode::Label, &[label(callee)]);
        forms.op(Opcode::Iadd, &[r(RECORD, "x"), r(RECORD, "x"), l(mark << 16)]);
        forms.op(Opcode::Ret, &[]);
    }
    forms.shader.build()
}

fn inputs(random: &mut Random) -> Vec<Inputs> {
    let row = |_| {
        let tests = [(); 4].map(|()| random.pick(&TESTS));
        let selectors = [(); 4].map(|()| random.pick(&[0, 1, 2, u32::MAX, 7]));
        Inputs::default()
            .register(0, tests)
            .register(1, [(); 4].map(|()| random.bits()))
            .register(2, [(); 4].map(|()| random.pick(&TESTS)))
            .register(3, selectors)
    };
    (0..ROWS).map(row).collect()
}

fn compare(worker: &mut Worker, bytes: &[u8], name: &str, random: &mut Random) -> Option<usize> {
    let scene = Scene::points(inputs(random), Bindings::default(), 16);
    compare_and_show(worker, bytes, &scene, Tolerance::EXACT, name, 4)
}

fn run(backend: Backend) {
    let mut worker = Worker::new(backend, Duration::from_secs(60)).unwrap();
    let all = share().is_some();
    let (mut bad, mut compared, mut shaders, mut forms) = (0, 0, 0, 0);
    let mut count = |result: Option<usize>, of: usize| {
        shaders += 1;
        forms += of;
        match result {
            Some(values) => compared += values,
            None => bad += 1,
        }
    };
    for (k, family) in families().into_iter().enumerate() {
        let rows = family.factors.rows(1);
        for stage in [Stage::Vertex, Stage::Pixel] {
            let mut random = Random::new(stage as u64);
            let tried = |n: &usize| all || n % 2 == stage as usize;
            let rows: Vec<_> = (0..rows.len()).filter(tried).map(|n| rows[n].clone()).collect();
            let outputs = if stage == Stage::Vertex { 16 } else { 4 };
            for (n, rows) in rows.chunks(outputs).enumerate() {
                if all || (n + k) % 2 == backend as usize {
                    let bytes = shader(stage, &family, rows);
                    count(compare(&mut worker, &bytes, family.name, &mut random), rows.len());
                }
            }
        }
    }
    for nz in [false, true] {
        for held in 0..7 {
            let mut random = Random::new(held as u64);
            let bytes = discards(nz, held);
            count(compare(&mut worker, &bytes, "discard", &mut random), 1);
        }
    }
    println!("{forms} forms in {shaders} shaders, {compared} values");
    assert_eq!(bad, 0);
    assert!(compared > 4_000, "only {compared} values");
}

/// `discard` at two places, the second within a block: what is written before and after is not there.
fn discards(nz: bool, held: usize) -> Vec<u8> {
    let mut shader = begin(Stage::Pixel);
    shader.target(0, "x", Type::Uint).temps(COUNTERS + 3);
    let mut forms = Forms { shader, marks: 0, callees: Vec::new(), labels: 0 };
    forms.op(Opcode::Mov, &[r(RECORD, "x"), v(1, "y")]);
    forms.op(Opcode::Mov, &[o(0, "x"), r(RECORD, "x")]);
    let c = forms.condition();
    forms.test(Opcode::If, true, &[c]);
    let c = tested(&mut forms, "y", held);
    forms.test(Opcode::Discard, nz, &[c]);
    forms.mark();
    forms.op(Opcode::Else, &[]);
    let c = tested(&mut forms, "z", if held < 5 { (held + 1) % 5 } else { 0 });
    forms.test(Opcode::Discard, !nz, &[c]);
    forms.op(Opcode::EndIf, &[]);
    forms.mark();
    forms.op(Opcode::Mov, &[o(0, "x"), r(RECORD, "x")]);
    forms.op(Opcode::Ret, &[]);
    forms.shader.build()
}

#[test]
fn angle() {
    run(Backend::Angle);
}

#[test]
fn mesa() {
    run(Backend::Mesa);
}

/// Every two choices are together in the everyday run.
#[test]
fn every_two_choices_meet() {
    for family in families() {
        let rows = family.factors.covering(1);
        assert_eq!(family.factors.unmet(&rows), None, "{}", family.name);
    }
}
