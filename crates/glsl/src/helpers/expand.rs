//! Turns one GLSL template into the text of each vector width, at compile time.
//!
//! A template is GLSL with types and lane by lane expressions marked:
//!
//! | mark | becomes, for 1 and for `n` lanes |
//! |---|---|
//! | `$F` `$I` `$U` | `float` / `vecn`, `int` / `ivecn`, `uint` / `uvecn` |
//! | `$f[e$]` `$i[e$]` `$u[e$]` | `e` / the vector made of `e` once per lane; in it `@` is nothing / `.x` to `.w` |
//!
//! So `$u[a@ < b@ ? 1u : 0u$]` needs no integer `mix`, which GLSL ES 3.00 lacks.

const LANES: &[u8; 4] = b"xyzw";

/// Writes `template` for `width` lanes into `out` and returns its length.
///
/// What does not fit is counted and dropped, so an empty `out` measures.
pub(super) const fn render(template: &[u8], width: usize, out: &mut [u8]) -> usize {
    let mut len = 0;
    let mut at = 0;
    let mut lane = 0;
    let mut loop_start = 0;
    while at < template.len() {
        let byte = template[at];
        if byte == b'$' {
            let mark = template[at + 1];
            at += 2;
            match mark {
                b'F' | b'I' | b'U' => len = push_type(out, len, mark, width),
                b'f' | b'i' | b'u' => {
                    lane = 0;
                    at += 1;
                    loop_start = at;
                    if width > 1 {
                        len = push_type(out, len, mark.to_ascii_uppercase(), width);
                        len = push(out, len, b"(");
                    }
                }
                b']' => {
                    lane += 1;
                    if lane < width {
                        len = push(out, len, b", ");
                        at = loop_start;
                    } else if width > 1 {
                        len = push(out, len, b")");
                    }
                }
                _ => panic!("unknown mark in a helper's template"),
            }
        } else {
            at += 1;
            if byte != b'@' {
                len = push(out, len, &[byte]);
            } else if width > 1 {
                len = push(out, len, &[b'.', LANES[lane]]);
            }
        }
    }
    len
}

const fn push_type(out: &mut [u8], len: usize, mark: u8, width: usize) -> usize {
    let (scalar, prefix): (&[u8], &[u8]) = match mark {
        b'F' => (b"float", b""),
        b'I' => (b"int", b"i"),
        _ => (b"uint", b"u"),
    };
    if width == 1 {
        return push(out, len, scalar);
    }
    let len = push(out, len, prefix);
    let len = push(out, len, b"vec");
    push(out, len, &[b'0' + width as u8])
}

const fn push(out: &mut [u8], len: usize, text: &[u8]) -> usize {
    let mut i = 0;
    while i < text.len() {
        if len + i < out.len() {
            out[len + i] = text[i];
        }
        i += 1;
    }
    len + text.len()
}

/// The text of a template at one width, as a constant.
macro_rules! expand {
    ($template:expr, $width:expr) => {{
        const TEMPLATE: &[u8] = $template.as_bytes();
        const LEN: usize = $crate::helpers::expand::render(TEMPLATE, $width, &mut []);
        const BYTES: [u8; LEN] = {
            let mut bytes = [0; LEN];
            $crate::helpers::expand::render(TEMPLATE, $width, &mut bytes);
            bytes
        };
        const TEXT: &str = match std::str::from_utf8(&BYTES) {
            Ok(text) => text,
            Err(_) => panic!("a helper's template is not UTF-8"),
        };
        TEXT
    }};
}
pub(super) use expand;
