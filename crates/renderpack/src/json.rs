//! Strict JSON with the place of every value and key.
//!
//! `serde_json` parses; places come from where its raw slices lie in the text.

use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;

/// A place in a text, both one-based; columns count characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Position {
    /// Line.
    pub line: u32,
    /// Column.
    pub column: u32,
}

/// A value and where it begins.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) value: Value,
    pub(crate) at: Position,
}

#[derive(Clone, Debug)]
pub(crate) enum Value {
    Null,
    Bool(bool),
    /// As it stands.
    Number(String),
    String(String),
    Array(Vec<Node>),
    Object(Object),
}

/// Entries in order; keys may repeat.
#[derive(Clone, Debug)]
pub(crate) struct Object {
    pub(crate) entries: Vec<Entry>,
    /// Places of the entries, by key and then by place: each finding looks for its own.
    by_key: Vec<usize>,
}

impl Object {
    fn new(entries: Vec<Entry>) -> Self {
        let mut by_key: Vec<usize> = (0..entries.len()).collect();
        by_key.sort_by(|a, b| entries[*a].key.cmp(&entries[*b].key));
        Object { entries, by_key }
    }

    /// The first value of a key.
    pub(crate) fn get(&self, key: &str) -> Option<&Node> {
        let at = self.by_key.partition_point(|i| self.entries[*i].key.as_str() < key);
        let entry = &self.entries[*self.by_key.get(at)?];
        (entry.key == key).then_some(&entry.value)
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) key: String,
    pub(crate) at: Position,
    pub(crate) value: Node,
}

impl Value {
    /// What it is, for messages.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Value::Null => "null",
            Value::Bool(_) => "a boolean",
            Value::Number(_) => "a number",
            Value::String(_) => "a string",
            Value::Array(_) => "an array",
            Value::Object(_) => "an object",
        }
    }
}

impl Node {
    /// The value at a path such as `$.passes[3].id`, or the nearest one above it that is there.
    pub(crate) fn nearest(&self, path: &str) -> &Node {
        self.walk(path).0
    }

    /// The value at a path in few words; `nothing` where there is none.
    pub(crate) fn quote(&self, path: &str, most: usize) -> String {
        let (node, true) = self.walk(path) else { return "nothing".into() };
        match &node.value {
            Value::Null => "null".into(),
            Value::Bool(b) => b.to_string(),
            Value::Number(text) => short(text, most),
            Value::String(text) => format!("\"{}\"", short(text, most)),
            Value::Array(items) if items.is_empty() => "an empty list".into(),
            Value::Array(items) => format!("a list of {}", items.len()),
            Value::Object(_) => "an object".into(),
        }
    }

    /// The nearest value to a path, and whether it is the one at the path.
    fn walk(&self, path: &str) -> (&Node, bool) {
        let mut node = self;
        for step in path.trim_start_matches('$').split(['.', '[']).filter(|s| !s.is_empty()) {
            let next = match (&node.value, step.strip_suffix(']')) {
                (Value::Array(items), Some(index)) => index.parse::<usize>().ok().and_then(|i| items.get(i)),
                (Value::Object(object), None) => object.get(step),
                _ => None,
            };
            match next {
                Some(n) => node = n,
                None => return (node, false),
            }
        }
        (node, true)
    }
}

/// The first characters of a text.
fn short(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

/// Deeper nesting is refused; no descriptor comes near it.
const MOST_DEPTH: usize = 32;

/// What is wrong with a text that is no JSON.
#[derive(Clone, Debug)]
pub(crate) struct JsonError {
    pub(crate) message: String,
    pub(crate) at: Position,
}

/// Parses a whole text.
pub(crate) fn parse(text: &str) -> Result<Node, JsonError> {
    let raw: &RawValue = serde_json::from_str(text).map_err(|e| JsonError {
        message: without_place(&e),
        at: Position { line: e.line().max(1) as u32, column: e.column().max(1) as u32 },
    })?;
    let lines = Lines::new(text);
    node(raw, &lines, 0)
}

/// `serde_json` ends its messages with the place, which is shown apart.
fn without_place(e: &serde_json::Error) -> String {
    let text = e.to_string();
    text.split(" at line ").next().unwrap_or_default().to_owned()
}

const MARK: usize = 1024;

/// Characters that begin in some bytes of UTF-8.
fn characters(bytes: &[u8]) -> usize {
    bytes.iter().filter(|b| **b & 0xc0 != 0x80).count()
}

struct Lines<'t> {
    text: &'t str,
    /// Byte offsets at which lines begin.
    starts: Vec<usize>,
    /// At each multiple of `MARK` bytes, the characters since the line began.
    marks: Vec<usize>,
}

impl<'t> Lines<'t> {
    fn new(text: &'t str) -> Self {
        let (mut starts, mut marks, mut since) = (vec![0], Vec::new(), 0);
        for (i, b) in text.bytes().enumerate() {
            if i % MARK == 0 {
                marks.push(since);
            }
            since += characters(&[b]);
            if b == b'\n' {
                starts.push(i + 1);
                since = 0;
            }
        }
        // The end of the text may be a mark, too.
        marks.push(since);
        Lines { text, starts, marks }
    }

    /// Where a slice of the text begins. A slice of anything else is at the start.
    fn position(&self, part: &str) -> Position {
        let offset = (part.as_ptr() as usize).wrapping_sub(self.text.as_ptr() as usize);
        if offset > self.text.len() {
            return Position { line: 1, column: 1 };
        }
        let line = self.starts.partition_point(|&s| s <= offset) - 1;
        let start = self.starts[line];
        // From the last mark of the line, so that a text of one long line does not take the square of its length.
        let mark = (offset / MARK * MARK).max(start);
        let before = if mark > start { self.marks[offset / MARK] } else { 0 };
        let column = before + characters(&self.text.as_bytes()[mark..offset]);
        Position { line: line as u32 + 1, column: column as u32 + 1 }
    }
}

fn node(raw: &RawValue, lines: &Lines<'_>, depth: usize) -> Result<Node, JsonError> {
    let text = raw.get();
    let at = lines.position(text);
    let fail = |message: String| JsonError { message, at };
    if depth > MOST_DEPTH {
        return Err(fail(format!("values nest deeper than {MOST_DEPTH} levels")));
    }
    let mut de = serde_json::Deserializer::from_str(text);
    let value = match text.as_bytes().first() {
        Some(b'{') => {
            let entries = de.deserialize_map(Entries).map_err(|e| fail(without_place(&e)))?;
            let mut out = Vec::with_capacity(entries.len());
            for (key, value) in entries {
                let value = node(value, lines, depth + 1)?;
                // A key with escapes is a copy, whose place is not known; its value's is near enough.
                let at = match &key {
                    Cow::Borrowed(k) => {
                        let p = lines.position(k);
                        Position { column: p.column.saturating_sub(1).max(1), ..p }
                    }
                    Cow::Owned(_) => value.at,
                };
                out.push(Entry { key: key.into_owned(), at, value });
            }
            Value::Object(Object::new(out))
        }
        Some(b'[') => {
            let items = de.deserialize_seq(Items).map_err(|e| fail(without_place(&e)))?;
            Value::Array(items.into_iter().map(|v| node(v, lines, depth + 1)).collect::<Result<_, _>>()?)
        }
        Some(b'"') => Value::String(serde_json::from_str(text).map_err(|e| fail(without_place(&e)))?),
        Some(b't') => Value::Bool(true),
        Some(b'f') => Value::Bool(false),
        Some(b'n') => Value::Null,
        _ => Value::Number(text.to_owned()),
    };
    Ok(Node { value, at })
}

struct Entries;

impl<'de> Visitor<'de> for Entries {
    type Value = Vec<(Cow<'de, str>, &'de RawValue)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut out = Vec::new();
        while let Some(Key(key)) = map.next_key()? {
            out.push((key, map.next_value()?));
        }
        Ok(out)
    }
}

/// A key, borrowed where it has no escapes.
struct Key<'de>(Cow<'de, str>);

impl<'de> serde::Deserialize<'de> for Key<'de> {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        struct KeyVisitor;
        impl<'de> Visitor<'de> for KeyVisitor {
            type Value = Key<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }
            fn visit_borrowed_str<E>(self, v: &'de str) -> Result<Self::Value, E> {
                Ok(Key(Cow::Borrowed(v)))
            }
            fn visit_str<E>(self, v: &str) -> Result<Self::Value, E> {
                Ok(Key(Cow::Owned(v.to_owned())))
            }
        }
        d.deserialize_str(KeyVisitor)
    }
}

struct Items;

impl<'de> Visitor<'de> for Items {
    type Value = Vec<&'de RawValue>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut out = Vec::new();
        while let Some(v) = seq.next_element()? {
            out.push(v);
        }
        Ok(out)
    }
}
