//! Damages fixtures in seeded ways and reads, disassembles and translates the results: whatever the bytes, each
//! step returns, soon and in little memory.
//!
//! `SHADERPORT_MUTATIONS=100000` sets how many files are damaged, `SHADERPORT_SEED=n` where the row begins. This
//! is a test binary of its own, so that the peak memory of the process is that of these files.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use shaderport_dxbc::reflection::TypeTable;
use shaderport_dxbc::{Container, Program, disasm};
use shaderport_glsl::options::*;

/// Damaged files in the everyday run.
const EVERYDAY: u64 = 4_000;

/// Longest time for one file; ordinary ones take well below a millisecond, on a machine that may be busy.
const LIMIT: Duration = Duration::from_secs(5);

/// Most memory of the whole process, the fixtures included.
const MEMORY_KIB: u64 = 64 * 1024;

/// splitmix64
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }
    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

fn fixtures() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/dxbc");
    let mut paths: Vec<_> = std::fs::read_dir(&folder)
        .unwrap_or_else(|e| panic!("{}: {e}", folder.display()))
        .map(|f| f.unwrap().path())
        .filter(|p| p.extension().is_some_and(|e| e == "dxbc"))
        .collect();
    paths.sort();
    paths.iter().map(|p| std::fs::read(p).unwrap()).collect()
}

/// Where the words of the program chunk lie, if the file has one.
fn program_of(bytes: &[u8]) -> Option<std::ops::Range<usize>> {
    let chunk = Container::parse(bytes).ok()?.program_chunk().ok()?;
    let start = chunk.offset as usize + 8;
    Some(start..start + chunk.data.len())
}

fn put(bytes: &mut [u8], at: usize, word: u32) {
    if let Some(place) = bytes.get_mut(at..at + 4) {
        place.copy_from_slice(&word.to_le_bytes());
    }
}

fn word(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..at + 4).map_or(0, |b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]))
}

/// One to four damages: half of them to words of the program, the rest anywhere.
fn damage(sound: &[u8], others: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    const WORDS: [u32; 12] =
        [0, 1, 2, 3, 4, 0x7f, 0xff, 0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_fffe, u32::MAX];
    let mut bytes = sound.to_vec();
    let program = program_of(sound).filter(|_| random.below(4) > 0);
    for _ in 0..=random.below(4) {
        let all = 0..bytes.len();
        let range = program.clone().filter(|p| p.end <= bytes.len()).unwrap_or(all);
        let at = range.start + random.below(range.len());
        let aligned = at & !3;
        match random.below(10) {
            0 | 1 => bytes[at] ^= 1 << random.below(8),
            2 => bytes[at] = random.next() as u8,
            3 => put(&mut bytes, aligned, random.pick(&WORDS)),
            4 => {
                let near = word(&bytes, aligned).wrapping_add(random.below(7) as u32).wrapping_sub(3);
                put(&mut bytes, aligned, near);
            }
            // Another opcode with the same length.
            5 => {
                let token = word(&bytes, aligned);
                put(&mut bytes, aligned, token & !0x7ff | random.below(240) as u32);
            }
            // A word from elsewhere, of this file or another.
            6 => {
                let from = if random.below(2) == 0 { sound } else { &others[random.below(others.len())] };
                let w = word(from, random.below(from.len()) & !3);
                put(&mut bytes, aligned, w);
            }
            7 => {
                let from = range.start + random.below(range.len());
                let len = random.below(64).min(range.end - at.max(from));
                bytes.copy_within(from..from + len, at);
            }
            8 => {
                let len = random.below(16).min(bytes.len() - at);
                bytes.drain(at..at + len);
            }
            _ if random.below(4) == 0 => bytes.truncate(at),
            _ => {}
        }
        if bytes.is_empty() {
            break;
        }
    }
    // Mostly with the size that the header says.
    if random.below(4) > 0 {
        let len = bytes.len() as u32;
        put(&mut bytes, 24, len);
    }
    bytes
}

fn variants() -> Vec<Options> {
    let default = Options::default;
    vec![
        default(),
        default(),
        Options { registers: Registers::Float, flip_y: true, ..default() },
        Options { fidelity: Fidelity::Fast, cb_oob: CbOutOfBounds::Driver, ..default() },
        Options {
            vertex_buffers: BufferForm::Texture,
            pixel_buffers: BufferForm::Block,
            buffer_length: BufferLength::Uniform,
            line_directives: true,
            line_map: true,
            ..default()
        },
        Options {
            integer_attributes: IntegerAttributes::Native,
            forbid_extensions: Extension::ALL.to_vec(),
            limits: Some(Limits::GUARANTEED),
            ..default()
        },
    ]
}

/// Everything a reader of the file can ask; returns whether it was translated.
fn read(bytes: &[u8], options: &Options, text: &mut String) -> bool {
    let _ = shaderport_dxbc::scan::find_all(bytes).count();
    if let Ok(c) = Container::parse(bytes) {
        let _ = c.check_checksum();
        let _ = (c.input_signature(), c.output_signature(), c.patch_constant_signature());
        let _ = (c.statistics(), c.feature_flags(), c.kind());
        if let Ok(Some(r)) = c.reflection() {
            let _ = (r.creator(), r.bindings().flatten().count());
            let mut types = TypeTable::new(&r);
            for v in r.constant_buffers().flatten().flat_map(|b| b.variables()).flatten() {
                let _ = types.resolve(v.type_offset);
            }
        }
        if let Ok(chunk) = c.program_chunk()
            && let Ok(program) = Program::decode(chunk.data, chunk.tag, chunk.offset + 8)
        {
            text.clear();
            disasm::disassemble(&program, text);
        }
    }
    match shaderport_glsl::translate(bytes, options) {
        Ok(t) => {
            assert!(!t.manifest.to_json().is_empty());
            true
        }
        Err(f) => {
            assert!(!f.diagnostics.is_empty());
            false
        }
    }
}

fn peak_kib() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|l| l.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

fn number(name: &str, default: u64) -> u64 {
    let value = std::env::var(name).ok();
    value.map_or(default, |v| v.parse().unwrap_or_else(|e| panic!("{name}: {e}")))
}

#[test]
fn damaged_files_are_read_or_refused() {
    let (count, first) = (number("SHADERPORT_MUTATIONS", EVERYDAY), number("SHADERPORT_SEED", 0));
    let files = fixtures();
    let options = variants();
    let at = Arc::new(AtomicU64::new(first));
    let watched = Arc::clone(&at);
    std::thread::spawn(move || {
        let mut last = u64::MAX;
        loop {
            std::thread::sleep(4 * LIMIT);
            let now = watched.load(Ordering::Relaxed);
            if now == last {
                eprintln!("the file of SHADERPORT_SEED={now} takes more than {:?}", 4 * LIMIT);
                std::process::abort();
            }
            last = now;
        }
    });
    let mut slowest = (Duration::ZERO, 0);
    let mut largest = (0, 0);
    let (mut translated, mut text) = (0, String::new());
    for seed in first..first + count {
        at.store(seed, Ordering::Relaxed);
        let mut random = Random(seed);
        let file = random.below(files.len());
        let bytes = damage(&files[file], &files, &mut random);
        let start = Instant::now();
        let before = peak_kib();
        let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            read(&bytes, &options[seed as usize % options.len()], &mut text)
        }));
        match done {
            Ok(done) => translated += u64::from(done),
            Err(_) => panic!("SHADERPORT_SEED={seed} SHADERPORT_MUTATIONS=1 shows this panic again"),
        }
        slowest = slowest.max((start.elapsed(), seed));
        let grown = peak_kib().zip(before).map_or(0, |(after, before)| after - before);
        largest = largest.max((grown, seed));
    }
    let peak = peak_kib();
    println!(
        "{count} damaged files, {translated} of them translated; slowest {:?} (seed {}), peak memory {} KiB (grown most by seed {})",
        slowest.0,
        slowest.1,
        peak.map_or("?".into(), |p| p.to_string()),
        largest.1
    );
    assert!(slowest.0 < LIMIT, "SHADERPORT_SEED={} takes {:?}", slowest.1, slowest.0);
    if let Some(peak) = peak {
        assert!(peak < MEMORY_KIB, "{peak} KiB; SHADERPORT_SEED={} grew most", largest.1);
    }
}
