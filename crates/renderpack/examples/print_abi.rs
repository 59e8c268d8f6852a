//! Prints the ABI; `regenerate.sh` of the templates uses it.

use shaderport_renderpack::abi::{Format, SEMANTIC_V1, print};

fn main() {
    let format = match std::env::args().nth(1).as_deref() {
        Some("markdown") => Format::Markdown,
        Some("json") => Format::Json,
        Some("rust") => Format::Rust,
        Some("csharp") => Format::CSharp,
        Some("c") => Format::C,
        _ => Format::Glsl,
    };
    print!("{}", print(&SEMANTIC_V1, format));
}
