//! Decodes every program of the shared corpus, where that is at hand.
use shaderport_dxbc::Program;
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
                if p.encode() != &bytes[o + 8..o + 8 + u(o + 4)] {
                    let e=p.encode(); let at=(0..e.len()/4).find(|i| e[i*4..i*4+4]!=bytes[o+8+i*4..o+12+i*4]).unwrap_or(0);
                    let w=|b:&[u8],i:usize| u32::from_le_bytes(b[i*4..i*4+4].try_into().unwrap());
                    println!("NO {} {} {} at {at} {:08x} {:08x}",f[0],e.len(),u(o+4),w(&e,at),w(&bytes[o+8..],at));
                }
                n += 1;
                instrs += p.instructions.len();
            }
        }
    }
    assert!(n > 2000);
    println!("{n} programs, {instrs} instructions");
}
