//! Programs alone, without a container around them: decoding and disassembly.
#![no_main]

use libfuzzer_sys::fuzz_target;
use shaderport_dxbc::{Program, disasm};

fuzz_target!(|bytes: &[u8]| {
    if let Ok(program) = Program::decode(bytes, *b"SHEX", 0) {
        let mut text = String::new();
        disasm::disassemble(&program, &mut text);
    }
});
