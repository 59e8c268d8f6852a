//! Whole files, translated; the first byte chooses options.
#![no_main]

use libfuzzer_sys::fuzz_target;
use shaderport_glsl::options::*;

fuzz_target!(|input: &[u8]| {
    let Some((&choice, bytes)) = input.split_first() else { return };
    let bit = |n: u32| choice >> n & 1 != 0;
    let options = Options {
        registers: if bit(0) { Registers::Float } else { Registers::Typed },
        fidelity: if bit(1) { Fidelity::Fast } else { Fidelity::Strict },
        cb_oob: if bit(2) { CbOutOfBounds::Driver } else { CbOutOfBounds::Declared },
        vertex_buffers: if bit(3) { BufferForm::Texture } else { BufferForm::Block },
        pixel_buffers: if bit(3) { BufferForm::Block } else { BufferForm::Texture },
        integer_attributes: if bit(4) { IntegerAttributes::Native } else { IntegerAttributes::Float },
        flip_y: bit(5),
        line_directives: bit(6),
        line_map: bit(6),
        forbid_extensions: if bit(7) { Extension::ALL.to_vec() } else { Vec::new() },
        ..Options::default()
    };
    if let Ok(t) = shaderport_glsl::translate(bytes, &options) {
        assert!(t.source.starts_with("#version 300 es\n"));
        assert!(!t.manifest.to_json().is_empty());
    }
});
