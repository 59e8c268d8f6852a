//! Compares listings with Microsoft's: of our own fixtures, and of the shared corpus where that is at hand.

use shaderport_dxbc::{Program, disasm::disassemble};
use std::collections::BTreeMap;
use std::path::Path;

/// Lines of instructions from the profile on, with their indentation. Debug information puts `#line`
/// directives between them and names of variables behind them.
fn instruction_lines(listing: &str) -> Vec<&str> {
    let is_profile = |l: &str| {
        ["ps", "vs", "gs", "hs", "ds", "cs"].iter().any(|p| l.starts_with(p))
            && ["_4_0", "_4_1", "_5_0", "_5_1"].contains(&&l[2..])
    };
    listing
        .lines()
        .skip_while(|l| !is_profile(l))
        .map(|l| l.split("//").next().unwrap_or("").trim_end())
        .filter(|l| !(l.is_empty() || l.starts_with("#line")))
        .collect()
}

fn program(path: &Path) -> Program {
    let bytes = std::fs::read(path).unwrap();
    let u = |o: usize| u32::from_le_bytes(bytes[o..o + 4].try_into().unwrap()) as usize;
    let mut chunks = (0..u(28))
        .map(|c| u(32 + 4 * c))
        .filter(|o| [b"SHDR", b"SHEX"].contains(&&bytes[*o..o + 4].try_into().unwrap()));
    let o = chunks.next().unwrap_or_else(|| panic!("{}: no program", path.display()));
    Program::decode(&bytes[o + 8..o + 8 + u(o + 4)], *b"SHEX", o as u32 + 8).unwrap()
}

/// The first line of a shader that differs from its listing, ours above Microsoft's.
fn difference(shader: &Path, listing: &Path) -> Option<String> {
    let mut ours = String::new();
    disassemble(&program(shader), &mut ours);
    let theirs = String::from_utf8_lossy(&std::fs::read(listing).unwrap()).into_owned();
    let (ours, theirs) = (instruction_lines(&ours), instruction_lines(&theirs));
    assert!(theirs.len() > 1, "{}: no listing", listing.display());
    let n = (0..ours.len().max(theirs.len())).find(|n| ours.get(*n) != theirs.get(*n))?;
    Some(format!("{}:\n  {:?}\n  {:?}", shader.display(), ours.get(n), theirs.get(n)))
}

#[test]
fn fixtures_match() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/dxbc");
    let Ok(entries) = std::fs::read_dir(&folder) else { return };
    let shaders = entries.map(|e| e.unwrap().path()).filter(|p| p.extension().is_some_and(|e| e == "dxbc"));
    let (mut count, mut failures) = (0, Vec::new());
    for shader in shaders {
        let listing = shader.with_extension("asm");
        if listing.exists() {
            count += 1;
            failures.extend(difference(&shader, &listing));
        }
    }
    assert!(count > 0, "no fixtures");
    assert!(failures.is_empty(), "{} of {count} differ:\n{}", failures.len(), failures.join("\n"));
}

/// Every file of every stage matches; the counts are printed by stage.
#[test]
fn corpus_matches() {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let Ok(index) = std::fs::read_to_string(shared.join("corpus/INDEX.tsv")) else { return };
    let mut stages = BTreeMap::<&str, (u32, u32)>::new();
    let mut failures = Vec::new();
    for line in index.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let listing = shared.join("listings").join(fields[0]).with_extension("asm");
        if !listing.exists() {
            continue;
        }
        let failure = difference(&shared.join("corpus").join(fields[0]), &listing);
        let (matched, all) = stages.entry(fields[3]).or_default();
        *matched += failure.is_none() as u32;
        *all += 1;
        failures.extend(failure);
    }
    println!("{stages:?}");
    assert!(failures.is_empty(), "{} differ:\n{}", failures.len(), failures.join("\n"));
}
