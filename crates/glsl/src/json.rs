//! Plain data as indented JSON, two blanks a level.
//!
//! The text is that of `serde_json::to_string_pretty`, which takes nearly twice as long: it looks at every byte of
//! every key, and writes in small pieces.

use crate::print::push_start;
use serde::Serialize;
use serde::ser::{
    SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};
use std::fmt::{Error, Write as _};

/// Plain data as indented JSON that ends with a newline.
pub fn to_json(value: &impl Serialize) -> String {
    let mut w = Writer { out: String::with_capacity(8192), depth: 0 };
    // Writing plain data to memory cannot fail.
    let _ = value.serialize(&mut w);
    w.out.push('\n');
    w.out
}

struct Writer {
    out: String,
    depth: usize,
}

impl Writer {
    /// Begins a line of the current depth, after a comma unless it is the first of its kind.
    fn line(&mut self, first: bool) {
        const LINE: &str = ",\n                                        ";
        let blanks = LINE.len() - 2;
        let mut rest = self.depth * 2;
        if rest <= 14 {
            let start = usize::from(first);
            return push_start(&mut self.out, &LINE[start..start + 16], 2 + rest - start);
        }
        self.out.push_str(&LINE[usize::from(first)..2 + rest.min(blanks)]);
        while rest > blanks {
            rest -= blanks;
            self.out.push_str(&LINE[2..2 + rest.min(blanks)]);
        }
    }

    fn open(&mut self, brackets: [char; 2]) -> Items<'_> {
        self.out.push(brackets[0]);
        self.depth += 1;
        Items { w: self, first: true, close: brackets[1], outer: None }
    }

    /// `{ "variant": [ ... ] }`
    fn open_variant(&mut self, variant: &'static str, brackets: [char; 2]) -> Items<'_> {
        self.out.push('{');
        self.depth += 1;
        self.line(true);
        self.key(variant);
        Items { outer: Some('}'), ..self.open(brackets) }
    }

    /// A name that needs no escapes, and its colon.
    fn key(&mut self, name: &str) {
        self.out.push('"');
        self.out.push_str(name);
        self.out.push_str("\": ");
    }

    fn integer(&mut self, v: impl itoa::Integer) -> Result<(), Error> {
        self.out.push_str(itoa::Buffer::new().format(v));
        Ok(())
    }

    /// A finite number; JSON has no others.
    fn float(&mut self, v: Option<impl ryu::Float>) -> Result<(), Error> {
        match v {
            Some(v) => self.out.push_str(ryu::Buffer::new().format_finite(v)),
            None => self.out.push_str("null"),
        }
        Ok(())
    }

    #[cold]
    fn escaped(&mut self, text: &str) {
        for c in text.chars() {
            match c {
                '"' => self.out.push_str("\\\""),
                '\\' => self.out.push_str("\\\\"),
                '\u{8}' => self.out.push_str("\\b"),
                '\u{c}' => self.out.push_str("\\f"),
                '\n' => self.out.push_str("\\n"),
                '\r' => self.out.push_str("\\r"),
                '\t' => self.out.push_str("\\t"),
                c if c < ' ' => {
                    let _ = write!(self.out, "\\u{:04x}", u32::from(c));
                }
                c => self.out.push(c),
            }
        }
    }
}

/// The items of an array or object that is being written.
struct Items<'w> {
    w: &'w mut Writer,
    first: bool,
    close: char,
    /// Bracket of the object around a variant's contents.
    outer: Option<char>,
}

impl Items<'_> {
    fn item(&mut self, value: &(impl Serialize + ?Sized)) -> Result<(), Error> {
        self.w.line(self.first);
        self.first = false;
        value.serialize(&mut *self.w)
    }

    fn field(&mut self, name: &'static str, value: &(impl Serialize + ?Sized)) -> Result<(), Error> {
        self.w.line(self.first);
        self.first = false;
        self.w.key(name);
        value.serialize(&mut *self.w)
    }

    fn finish(self) -> Result<(), Error> {
        self.w.depth -= 1;
        if !self.first {
            self.w.line(true);
        }
        self.w.out.push(self.close);
        if let Some(bracket) = self.outer {
            self.w.depth -= 1;
            self.w.line(true);
            self.w.out.push(bracket);
        }
        Ok(())
    }
}

macro_rules! items {
    ($($name:ident $method:ident;)*) => { $(
        impl $name for Items<'_> {
            type Ok = ();
            type Error = Error;
            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
                self.item(value)
            }
            fn end(self) -> Result<(), Error> {
                self.finish()
            }
        }
    )* };
}
items! {
    SerializeSeq serialize_element;
    SerializeTuple serialize_element;
    SerializeTupleStruct serialize_field;
    SerializeTupleVariant serialize_field;
}

macro_rules! fields {
    ($($name:ident)*) => { $(
        impl $name for Items<'_> {
            type Ok = ();
            type Error = Error;
            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                key: &'static str,
                value: &T,
            ) -> Result<(), Error> {
                self.field(key, value)
            }
            fn end(self) -> Result<(), Error> {
                self.finish()
            }
        }
    )* };
}
fields! { SerializeStruct SerializeStructVariant }

impl SerializeMap for Items<'_> {
    type Ok = ();
    type Error = Error;
    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        self.w.line(self.first);
        self.first = false;
        let start = self.w.out.len();
        key.serialize(&mut *self.w)?;
        // Keys are strings, whatever they were.
        if !self.w.out[start..].starts_with('"') {
            self.w.out.insert(start, '"');
            self.w.out.push('"');
        }
        Ok(())
    }
    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.w.out.push_str(": ");
        value.serialize(&mut *self.w)
    }
    fn end(self) -> Result<(), Error> {
        self.finish()
    }
}

macro_rules! integers {
    ($($method:ident $ty:ty;)*) => { $(
        fn $method(self, v: $ty) -> Result<(), Error> {
            self.integer(v)
        }
    )* };
}

const ARRAY: [char; 2] = ['[', ']'];
const OBJECT: [char; 2] = ['{', '}'];

impl<'w> Serializer for &'w mut Writer {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Items<'w>;
    type SerializeTuple = Items<'w>;
    type SerializeTupleStruct = Items<'w>;
    type SerializeTupleVariant = Items<'w>;
    type SerializeMap = Items<'w>;
    type SerializeStruct = Items<'w>;
    type SerializeStructVariant = Items<'w>;

    integers! {
        serialize_i8 i8;
        serialize_i16 i16;
        serialize_i32 i32;
        serialize_i64 i64;
        serialize_i128 i128;
        serialize_u8 u8;
        serialize_u16 u16;
        serialize_u32 u32;
        serialize_u64 u64;
        serialize_u128 u128;
    }
    fn serialize_bool(self, v: bool) -> Result<(), Error> {
        self.out.push_str(if v { "true" } else { "false" });
        Ok(())
    }
    fn serialize_f32(self, v: f32) -> Result<(), Error> {
        self.float(v.is_finite().then_some(v))
    }
    fn serialize_f64(self, v: f64) -> Result<(), Error> {
        self.float(v.is_finite().then_some(v))
    }
    fn serialize_char(self, v: char) -> Result<(), Error> {
        self.serialize_str(v.encode_utf8(&mut [0; 4]))
    }
    fn serialize_str(self, v: &str) -> Result<(), Error> {
        self.out.push('"');
        // Without an early end, which keeps it from being done for many bytes at once.
        if v.bytes().fold(false, |found, b| found | (b < b' ' || b == b'"' || b == b'\\')) {
            self.escaped(v);
        } else {
            self.out.push_str(v);
        }
        self.out.push('"');
        Ok(())
    }
    fn serialize_bytes(self, v: &[u8]) -> Result<(), Error> {
        self.collect_seq(v)
    }
    fn serialize_none(self) -> Result<(), Error> {
        self.serialize_unit()
    }
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }
    fn serialize_unit(self) -> Result<(), Error> {
        self.out.push_str("null");
        Ok(())
    }
    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Error> {
        self.serialize_unit()
    }
    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<(), Error> {
        self.serialize_str(variant)
    }
    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, v: &T) -> Result<(), Error> {
        v.serialize(self)
    }
    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        let mut object = self.open(OBJECT);
        object.field(variant, value)?;
        object.finish()
    }
    fn serialize_seq(self, _: Option<usize>) -> Result<Items<'w>, Error> {
        Ok(self.open(ARRAY))
    }
    fn serialize_tuple(self, _: usize) -> Result<Items<'w>, Error> {
        Ok(self.open(ARRAY))
    }
    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Items<'w>, Error> {
        Ok(self.open(ARRAY))
    }
    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Items<'w>, Error> {
        Ok(self.open_variant(variant, ARRAY))
    }
    fn serialize_map(self, _: Option<usize>) -> Result<Items<'w>, Error> {
        Ok(self.open(OBJECT))
    }
    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Items<'w>, Error> {
        Ok(self.open(OBJECT))
    }
    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Items<'w>, Error> {
        Ok(self.open_variant(variant, OBJECT))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[derive(Serialize)]
    enum Shape {
        Unit,
        One(u8),
        Two(i64, bool),
        Named { x: f32, empty: [u8; 0] },
    }

    #[derive(Serialize)]
    struct All {
        text: String,
        nothing: Option<u32>,
        something: Option<char>,
        shapes: Vec<Shape>,
        map: BTreeMap<i32, Vec<()>>,
        deep: Vec<Vec<Vec<Vec<BTreeMap<&'static str, f64>>>>>,
    }

    #[test]
    fn reads_as_serde_json_has_it() {
        let all = All {
            text: "a \"b\" \\ \u{1}\u{8}\u{c}\n\r\t\u{7f}é/".into(),
            nothing: None,
            something: Some('x'),
            shapes: vec![
                Shape::Unit,
                Shape::One(1),
                Shape::Two(-2, true),
                Shape::Named { x: 0.5, empty: [] },
            ],
            map: BTreeMap::from([(-1, vec![]), (7, vec![(), ()])]),
            deep: vec![vec![vec![vec![BTreeMap::from([("k", 1.25), ("n", f64::NAN)])], vec![]]]],
        };
        assert_eq!(to_json(&all), serde_json::to_string_pretty(&all).unwrap() + "\n");
        let mut nest = serde_json::json!(1);
        for _ in 0..50 {
            nest = serde_json::json!([nest, {}]);
        }
        assert_eq!(to_json(&nest), serde_json::to_string_pretty(&nest).unwrap() + "\n");
    }
}
