//! `shaderport disasm`.

use crate::Exit;
use crate::args::DisasmArgs;
use crate::inputs::{pick, read_one};
use crate::output::{Fatal, Out, print_finding, printable};
use shaderport::{Container, DisasmOptions, disassemble};

pub(crate) fn run(args: &DisasmArgs, out: &mut Out) -> Result<Exit, Fatal> {
    let options = DisasmOptions {
        instruction_numbers: args.numbers,
        byte_offsets: args.offsets,
        hex_literals: args.hex,
    };
    let name = args.shader.file.to_string_lossy();
    let bytes = read_one(&args.shader.file);
    let listing = match &bytes {
        Ok(bytes) => pick(bytes, args.shader.blob.as_deref())?.and_then(|bytes| {
            let warning = Container::parse(bytes)?.check_checksum();
            warning.iter().for_each(|finding| print_finding(&name, finding));
            disassemble(bytes, &options)
        }),
        Err(finding) => Err(finding.clone()),
    };
    match listing {
        Ok(text) => {
            out.write(printable(&text).as_bytes())?;
            Ok(Exit::Fine)
        }
        Err(finding) => {
            print_finding(&name, &finding);
            Ok(Exit::Findings)
        }
    }
}
