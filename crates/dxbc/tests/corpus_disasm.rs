//! Compares listings with Microsoft's, over the shared corpus where that is at hand.

use shaderport_dxbc::{Program, disasm::disassemble};
use std::collections::BTreeMap;
use std::path::Path;

/// Instruction lines from the profile on, with blanks normalised; without comments (debug information puts names
/// of variables behind instructions) and `#line` directives.
fn instruction_lines(text: &str) -> Vec<String> {
    let is_profile = |l: &str| {
        l.len() == 6
            && ["ps", "vs", "gs", "hs", "ds", "cs"].contains(&&l[..2])
            && ["_4_0", "_4_1", "_5_0", "_5_1"].contains(&&l[2..])
    };
    text.lines()
        .skip_while(|l| !is_profile(l))
        .map(|l| l.split("//").next().unwrap_or(""))
        .map(|l| l.split_whitespace().collect::<Vec<_>>().join(" "))
        .filter(|l| !(l.is_empty() || l.starts_with("#line")))
        .collect()
}

fn program(bytes: &[u8]) -> Option<Program> {
    let u = |o: usize| u32::from_le_bytes(bytes[o..o + 4].try_into().unwrap()) as usize;
    (0..u(28)).map(|c| u(32 + 4 * c)).find_map(|o| {
        let tag: [u8; 4] = bytes[o..o + 4].try_into().unwrap();
        let data = &bytes[o + 8..o + 8 + u(o + 4)];
        matches!(&tag, b"SHDR" | b"SHEX").then(|| Program::decode(data, tag, o as u32 + 8).unwrap())
    })
}

/// The first line that differs, as (ours, Microsoft's).
fn first_difference(ours: &str, theirs: &str) -> Option<(String, String)> {
    let (ours, theirs) = (instruction_lines(ours), instruction_lines(theirs));
    let n = (0..ours.len().max(theirs.len())).find(|n| ours.get(*n) != theirs.get(*n))?;
    let line = |lines: &[String]| lines.get(n).cloned().unwrap_or_default();
    Some((line(&ours), line(&theirs)))
}

#[test]
fn corpus_listings_match() {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let Ok(index) = std::fs::read_to_string(shared.join("corpus/INDEX.tsv")) else { return };
    let mut groups = BTreeMap::<&str, (u32, u32)>::new();
    let mut failures = Vec::new();
    for line in index.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let listing = shared.join("listings").join(fields[0]).with_extension("asm");
        let Ok(listing) = std::fs::read(listing) else { continue };
        let program = program(&std::fs::read(shared.join("corpus").join(fields[0])).unwrap()).unwrap();
        let mut ours = String::new();
        disassemble(&program, &mut ours);
        let group = groups.entry(fields[3]).or_default();
        group.1 += 1;
        match first_difference(&ours, &String::from_utf8_lossy(&listing)) {
            None => group.0 += 1,
            Some((ours, theirs)) => failures.push(format!("{}\n  {ours}\n  {theirs}", fields[0])),
        }
    }
    println!("{groups:?}");
    assert!(failures.is_empty(), "{} files differ:\n{}", failures.len(), failures.join("\n"));
}
