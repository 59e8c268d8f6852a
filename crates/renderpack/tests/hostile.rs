//! Modules that ask the checks for the square or the power of their size: each is done in a moment, or the test
//! never ends.

use shaderport_renderpack::abi::{SEMANTIC_V1, Stage};
use shaderport_renderpack::{Access, Compat, Options, Shader, check_pair, check_shader};

/// A module of which `fill` writes the instructions behind the memory model.
fn module(fill: impl Fn(&mut dyn FnMut(&[u32]))) -> Vec<u8> {
    let mut words = vec![0x0723_0203, 0x0001_0500, 0, 8_000_000, 0];
    let mut put = |inst: &[u32]| {
        words.push(((inst.len() as u32) << 16) | inst[0]);
        words.extend(&inst[1..]);
    };
    put(&[14, 0, 1]);
    fill(&mut put);
    words.iter().flat_map(|w| w.to_le_bytes()).collect()
}

/// All checks, of both sets of rules; the number of findings.
fn check(bytes: &[u8], role: &str) -> usize {
    let mut all = 0;
    for compat in [Compat::Contract, Compat::Upstream] {
        let options = Options { compat, ..Options::default() };
        let shader = Shader::read(bytes, &options);
        let access = Access::parse(&SEMANTIC_V1, role).unwrap();
        for stage in [Stage::Vertex, Stage::Fragment] {
            all += check_shader(&shader, "f", stage, &access, &options).len();
        }
        all += check_pair(&shader, &shader, "f", &options).len();
    }
    all
}

const MAIN: [u32; 2] = [u32::from_le_bytes(*b"main"), 0];
const MANY: u32 = 60_000;

#[test]
fn structures_that_branch() {
    // Forty levels of structures, each with a hundred members of the one before, in a block that packs have.
    let bytes = module(|put| {
        put(&[&[15, 4, 3][..], &MAIN].concat());
        put(&[71, 200, 2]);
        for (kind, value) in [(34, 3), (33, 7)] {
            put(&[71, 300, kind, value]);
        }
        for m in 0..4 {
            put(&[72, 200, m, 35, 20 * m]);
        }
        put(&[22, 100, 32]);
        for level in 0..40 {
            put(&[&[30, 101 + level][..], &[100 + level; 100]].concat());
        }
        put(&[30, 200, 140, 140, 140, 140]);
        put(&[32, 201, 2, 200]);
        put(&[59, 201, 300, 2]);
    });
    assert!(check(&bytes, "SunRays") > 0);
}

#[test]
fn many_varyings_of_many_members() {
    let bytes = module(|put| {
        let listed: Vec<u32> = (0..MANY).map(|i| 1000 + i).collect();
        put(&[&[15, 4, 3][..], &MAIN, &listed].concat());
        (0..MANY).for_each(|i| put(&[71, 1000 + i, 30, i]));
        put(&[22, 4, 32]);
        put(&[&[30, 5][..], &[4; 60_000]].concat());
        put(&[32, 6, 1, 5]);
        put(&[32, 7, 3, 5]);
        (0..MANY).for_each(|i| put(&[59, 6 + i % 2, 1000 + i, 1 + 2 * (i % 2)]));
    });
    assert!(check(&bytes, "SunRays") > 0);
}

#[test]
fn many_variables_at_one_binding() {
    let bytes = module(|put| {
        put(&[&[15, 0, 3][..], &MAIN].concat());
        for i in 0..MANY {
            put(&[71, 1000 + i, 34, i % 4]);
            put(&[71, 1000 + i, 33, i % 9]);
        }
        (0..MANY).for_each(|m| put(&[72, 5, m, 24]));
        put(&[71, 5, 2]);
        put(&[22, 4, 32]);
        put(&[&[30, 5][..], &[4; 60_000]].concat());
        put(&[32, 6, 12, 5]);
        put(&[32, 7, 2, 5]);
        (0..MANY).for_each(|i| put(&[59, 6 + i % 2, 1000 + i, if i % 2 == 0 { 12 } else { 2 }]));
    });
    assert!(check(&bytes, "WorldDirectionalShadowReceiver") > 1000);
}

#[test]
fn many_missing_varyings() {
    let vertex = module(|put| {
        let listed: Vec<u32> = (0..MANY).map(|i| 1000 + i).collect();
        put(&[&[15, 4, 3][..], &MAIN, &listed].concat());
        (0..MANY).for_each(|i| put(&[71, 1000 + i, 30, i]));
        put(&[19, 1]);
        put(&[33, 2, 1]);
        put(&[22, 4, 32]);
        put(&[32, 6, 1, 4]);
        put(&[32, 7, 3, 4]);
        // Inputs at even locations, outputs at odd ones; every input is read.
        (0..MANY).for_each(|i| put(&[59, 6 + i % 2, 1000 + i, 1 + 2 * (i % 2)]));
        put(&[54, 1, 3, 0, 2]);
        put(&[248, 8]);
        (0..MANY / 2).for_each(|i| put(&[61, 4, 200_000 + i, 1000 + 2 * i]));
        put(&[253]);
        put(&[56]);
    });
    let options = Options::default();
    let shader = Shader::read(&vertex, &options);
    let found = check_pair(&shader, &shader, "f", &options);
    assert_eq!(found.len(), 4096, "more say nothing new");
    assert!(found.iter().all(|f| f.code.name() == "varying-missing"));
}
