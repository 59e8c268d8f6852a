//! Decodes every program of the shared corpus, where that is at hand, and encodes it again: the same bytes.
use shaderport_dxbc::{Container, Program};
use std::path::Path;

#[test]
fn corpus_decodes() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let Ok(index) = std::fs::read_to_string(root.join("INDEX.tsv")) else { return };
    let (mut n, mut instrs) = (0, 0);
    for line in index.lines().skip(1) {
        let f: Vec<&str> = line.split('\t').collect();
        let bytes = std::fs::read(root.join(f[0])).unwrap();
        let u = |o: usize| u32::from_le_bytes(bytes[o..o + 4].try_into().unwrap()) as usize;
        for c in 0..u(28) {
            let o = u(32 + 4 * c);
            let tag: [u8; 4] = bytes[o..o + 4].try_into().unwrap();
            if &tag == b"SHDR" || &tag == b"SHEX" {
                let p = Program::decode(&bytes[o + 8..o + 8 + u(o + 4)], tag, o as u32 + 8)
                    .unwrap_or_else(|e| panic!("{}: {e}", f[0]));
                assert_eq!(format!("{}.{}", p.major, p.minor), f[4], "{}", f[0]);
                assert_eq!(p.stage.prefix(), f[3]);
                assert!(p.encode() == bytes[o + 8..o + 8 + u(o + 4)], "{}: encoded otherwise", f[0]);
                n += 1;
                instrs += p.instructions.len();
            }
        }
    }
    assert!(n > 2000);
    println!("{n} programs, {instrs} instructions");
}

#[test]
fn fixtures_encode_to_the_same_bytes() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/dxbc");
    let mut n = 0;
    for path in std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()) {
        let bytes = std::fs::read(&path).unwrap();
        let Ok(container) = Container::parse(&bytes) else { continue };
        let Ok(chunk) = container.program_chunk() else { continue };
        let Ok(program) = Program::decode(chunk.data, chunk.tag, chunk.offset + 8) else { continue };
        assert!(program.encode() == chunk.data, "{}: encoded otherwise", path.display());
        n += 1;
    }
    println!("{n} fixtures");
    assert!(n > 100);
}
