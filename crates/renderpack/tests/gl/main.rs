//! What shaders compute and read of the ABI, on ANGLE and on Mesa.
//!
//! The header that `pack abi --format glsl` prints is compiled as it is, all of it; only the layout qualifiers that
//! ES 3.00 does not know are taken off its blocks.

mod block_bytes;
mod helpers;

use shaderport_gl_harness::{Backend, Gl};
use shaderport_renderpack::abi::{Abi, Format, print};

/// Both drivers, one after the other.
fn each_driver(mut run: impl FnMut(Backend, &Gl)) {
    for backend in [Backend::Angle, Backend::Mesa] {
        run(backend, &Gl::open(backend).unwrap_or_else(|e| panic!("{e}")));
    }
}

/// The printed header under ES 3.00, with the blocks that `uses` names.
fn es_header(abi: &Abi, uses: &[&str]) -> String {
    let mut out = String::from(
        "#version 300 es
precision highp float;
precision highp int;
precision highp usampler2D;
",
    );
    for name in uses {
        out += &format!("#define PACK_USES_{name}\n");
    }
    for line in print(abi, Format::Glsl).lines() {
        let line = line.replace("layout(push_constant)", "layout(std140)");
        out += &match (line.find("std140, "), line.find(") uniform")) {
            (Some(from), Some(to)) => format!("{}{}\n", &line[..from + "std140".len()], &line[to..]),
            _ => line + "\n",
        };
    }
    out
}
