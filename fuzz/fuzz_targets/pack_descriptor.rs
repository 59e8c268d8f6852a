#![no_main]
//! Any text as a pack's descriptor.

use libfuzzer_sys::fuzz_target;
use shaderport_renderpack::{Device, Options, check_pack_text};

fuzz_target!(|text: &str| {
    let options = Options { device: Some(Device::conformance()), ..Options::default() };
    check_pack_text(text, &options);
});
