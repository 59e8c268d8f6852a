#![no_main]
//! Any bytes as a SPIR-V module.

use libfuzzer_sys::fuzz_target;
use shaderport_spirv::{read, reflect};

fuzz_target!(|bytes: &[u8]| {
    if let Some(module) = read(bytes).module {
        reflect(&module);
    }
});
