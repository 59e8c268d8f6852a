//! Modules that ask for the square of their size: each is done in a moment, or the test never ends.

use shaderport_spirv::{read, reflect};

/// A module of which `fill` writes the instructions behind the memory model.
fn module(fill: impl FnOnce(&mut dyn FnMut(&[u32]))) -> Vec<u8> {
    shaderport_asm::spirv_module(8_000_000, fill)
}

const MANY: u32 = 100_000;

fn reflected(bytes: &[u8]) -> shaderport_spirv::Reflection {
    let reading = read(bytes);
    assert!(reading.complete);
    reflect(&reading.module.unwrap())
}

#[test]
fn many_entry_points_of_one_large_function() {
    let bytes = module(|put| {
        (0..MANY).for_each(|i| put(&[15, 5, 3, 0x0061 + (i % 20)]));
        put(&[19, 1]);
        put(&[33, 2, 1]);
        put(&[54, 1, 3, 0, 2]);
        put(&[248, 4]);
        (0..MANY).for_each(|_| put(&[0]));
        put(&[253]);
        put(&[56]);
    });
    let r = reflected(&bytes);
    assert_eq!(r.entry_points.len(), MANY as usize);
    assert!(!r.entry_points[0].not_traced && r.entry_points.last().unwrap().not_traced);
}

#[test]
fn many_variables_of_many_decorations_and_members() {
    // One structure of many members, each NonWritable and a built-in; many variables of it, all listed.
    let bytes = module(|put| {
        let first = 1000;
        for chunk in 0..2 {
            let listed: Vec<u32> = (0..30_000).map(|i| first + chunk * 30_000 + i).collect();
            put(&[&[15, 4, 3, 0x0061 + chunk][..], &listed].concat());
        }
        (0..60_000).for_each(|m| put(&[72, 5, m, 24]));
        (0..60_000).for_each(|m| put(&[72, 5, m, 11, m]));
        (0..MANY).for_each(|_| put(&[71, 5, 5636, 0x0061]));
        put(&[22, 4, 32]);
        put(&[&[30, 5][..], &[4; 60_000]].concat());
        put(&[32, 6, 3, 5]);
        put(&[32, 7, 12, 5]);
        (0..MANY).for_each(|i| {
            put(&[59, if i % 2 == 0 { 6 } else { 7 }, first + i, if i % 2 == 0 { 3 } else { 12 }])
        });
    });
    let r = reflected(&bytes);
    assert_eq!(r.resources.len(), MANY as usize / 2);
    assert!(r.resources.iter().all(|x| x.non_writable));
    assert!(r.entry_points[0].outputs.iter().all(|v| v.built_ins.len() <= 64));
}

#[test]
fn many_imports_and_extended_instructions() {
    let bytes = module(|put| {
        (0..MANY).for_each(|i| put(&[11, 100 + i, 0x0061_6161]));
        put(&[15, 5, 3, 0x0061]);
        put(&[19, 1]);
        put(&[33, 2, 1]);
        put(&[54, 1, 3, 0, 2]);
        put(&[248, 4]);
        (0..MANY).for_each(|i| put(&[12, 1, 300_000 + i, 100 + i, 1]));
        put(&[253]);
        put(&[56]);
    });
    assert_eq!(reflected(&bytes).imports.len(), MANY as usize);
}

#[test]
fn many_pointers_kept_and_loaded() {
    let bytes = module(|put| {
        put(&[15, 5, 3, 0x0061]);
        put(&[19, 1]);
        put(&[33, 2, 1]);
        put(&[22, 5, 32]);
        put(&[32, 6, 7, 5]);
        put(&[32, 7, 7, 6]);
        put(&[32, 8, 6, 5]);
        put(&[59, 8, 9, 6]);
        put(&[54, 1, 3, 0, 2]);
        put(&[248, 4]);
        put(&[59, 7, 10, 7]);
        for i in 0..MANY {
            // A copy of a pointer is kept, one is loaded, and written through.
            let id = 1000 + 3 * i;
            put(&[83, 6, id, 9]);
            put(&[62, 10, id]);
            put(&[61, 6, id + 1, 10]);
            put(&[62, id + 1, 11]);
        }
        put(&[253]);
        put(&[56]);
    });
    let reading = read(&bytes);
    let m = reading.module.unwrap();
    let uses = m.uses(&m.entry_points[0]);
    assert_eq!(uses.written.keys().copied().collect::<Vec<_>>(), [9]);
    assert!(uses.untraced.is_empty());
}
