//! Names: a pure function of a signature, legal in every WebGL2 implementation.
//!
//! WebGL refuses `__`, the prefixes `gl_`, `webgl_` and `_webgl_`, and long identifiers (A103); the fixed prefixes
//! keep clear of keywords.

use crate::decls::Element;
use crate::manifest::mask_text;
use rustc_hash::FxHashSet;

/// Longest semantic taken whole.
const MAX_SEMANTIC: usize = 200;

/// Hands out names of one side of a stage.
#[derive(Default)]
pub(crate) struct Namer {
    taken: FxHashSet<String>,
}

impl Namer {
    /// Writes `prefix` + the semantic in upper case + its index. Where two elements would share a name (`A1` 0 and
    /// `A` 10), the later one, in register order, has its register added.
    pub(crate) fn element(&mut self, out: &mut String, prefix: &str, e: &Element<'_>) {
        out.push_str(prefix);
        push_semantic(out, e.semantic);
        out.push_str(itoa::Buffer::new().format(e.semantic_index));
        if self.taken.contains(out.as_str()) {
            out.push_str("_r");
            out.push_str(itoa::Buffer::new().format(e.register));
            out.push_str(mask_text(e.mask));
        }
        self.taken.insert(out.clone());
    }
}

/// A semantic in upper case, with what GLSL does not take replaced by single underscores.
pub(crate) fn push_semantic(out: &mut String, semantic: &str) {
    for b in semantic.bytes().take(MAX_SEMANTIC) {
        let c = if b.is_ascii_alphanumeric() { b.to_ascii_uppercase() } else { b'_' };
        if c == b'_' && out.ends_with('_') {
            continue;
        }
        out.push(c as char);
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn semantics_become_legal() {
        let name = |s: &str| {
            let mut out = String::from("in_");
            super::push_semantic(&mut out, s);
            out
        };
        assert_eq!(name("TexCoord"), "in_TEXCOORD");
        assert_eq!(name("A__B"), "in_A_B");
        assert_eq!(name("_x"), "in_X");
        assert_eq!(name("TEXCOORD_"), "in_TEXCOORD_");
        assert_eq!(name("ä"), "in_");
    }
}
