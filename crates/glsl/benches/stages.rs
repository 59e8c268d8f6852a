//! Decoding, translating, and the whole way from bytes to text and manifest; `cargo bench -p shaderport-glsl`.

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use shaderport_dxbc::{Container, Program};
use shaderport_glsl::options::Options;

/// Fixtures of different kinds and sizes.
const FIXTURES: &[&str] = &["pair_mesh.vs", "pair_mesh.ps", "pair_skinned.vs", "alu_int.ps", "flow_long.ps"];

fn load(name: &str) -> Vec<u8> {
    let path = format!("{}/../../fixtures/dxbc/{name}.dxbc", env!("CARGO_MANIFEST_DIR"));
    std::fs::read(&path).unwrap_or_else(|e| panic!("{path}: {e}"))
}

fn main() {
    divan::main();
}

/// Header, chunk table and checksum.
#[divan::bench(args = FIXTURES)]
fn container(bencher: Bencher<'_, '_>, name: &str) {
    let bytes = load(name);
    bencher.counter(BytesCount::of_slice(&bytes)).bench(|| {
        let container = Container::parse(black_box(&bytes)).unwrap();
        container.checksum_ok()
    });
}

/// Instructions from the program chunk.
#[divan::bench(args = FIXTURES)]
fn decode(bencher: Bencher<'_, '_>, name: &str) {
    let bytes = load(name);
    let chunk = Container::parse(&bytes).unwrap().program_chunk().unwrap();
    bencher
        .counter(BytesCount::of_slice(chunk.data))
        .bench(|| Program::decode(black_box(chunk.data), chunk.tag, chunk.offset + 8).unwrap());
}

/// Bytes in, text out.
#[divan::bench(args = FIXTURES)]
fn translate(bencher: Bencher<'_, '_>, name: &str) {
    let bytes = load(name);
    let options = Options::default();
    bencher
        .counter(BytesCount::of_slice(&bytes))
        .bench(|| shaderport_glsl::translate(black_box(&bytes), &options).unwrap());
}

/// Bytes in, text and the manifest's JSON out.
#[divan::bench(args = FIXTURES)]
fn whole(bencher: Bencher<'_, '_>, name: &str) {
    let bytes = load(name);
    let options = Options::default();
    bencher.counter(BytesCount::of_slice(&bytes)).bench(|| {
        let t = shaderport_glsl::translate(black_box(&bytes), &options).unwrap();
        (t.manifest.to_json(), t.source)
    });
}
