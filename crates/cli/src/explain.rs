//! `shaderport explain`.

use crate::Exit;
use crate::args::ExplainArgs;
use crate::output::{Fatal, Out};
use shaderport::Code;
use shaderport::diagnostics::codes;
use std::fmt::Write;

/// Columns of a paragraph.
const WIDTH: usize = 100;

pub(crate) fn run(args: &ExplainArgs, out: &mut Out) -> Result<Exit, Fatal> {
    let mut text = String::new();
    if args.list {
        let width = codes::all().map(|c| c.name().len()).max().unwrap_or(0);
        for code in codes::all() {
            let severity = code.severity().to_string();
            let _ = writeln!(text, "{:width$}  {severity:7}  {}", code.name(), code.info().title);
        }
    }
    // The argument's parser only lets codes through.
    if let Some(code) = args.code.as_deref().and_then(Code::find) {
        let info = code.info();
        let _ = writeln!(text, "{}[{}]: {}", info.severity, info.name, info.title);
        for paragraph in info.explanation.lines() {
            text.push('\n');
            wrap(paragraph, &mut text);
        }
    }
    out.write(text.as_bytes())?;
    Ok(Exit::Fine)
}

/// Appends a paragraph in lines of up to [`WIDTH`] columns.
fn wrap(paragraph: &str, text: &mut String) {
    let mut column = 0;
    for word in paragraph.split(' ') {
        let length = word.chars().count();
        if column > 0 && column + 1 + length > WIDTH {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += length;
    }
    text.push('\n');
}
