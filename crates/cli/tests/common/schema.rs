//! The part of JSON Schema that our schemas use. A keyword that is not known here fails the test.

use serde_json::{Map, Value};

/// Checks `value` against `schema`, the root document.
pub fn check(schema: &Value, value: &Value) -> Result<(), String> {
    node(schema, schema, value, "$")
}

fn node(root: &Value, schema: &Value, value: &Value, at: &str) -> Result<(), String> {
    let schema = match schema {
        Value::Bool(true) => return Ok(()),
        Value::Object(schema) => schema,
        other => return Err(format!("{at}: no schema: {other}")),
    };
    for (keyword, rule) in schema {
        keyword_holds(root, schema, keyword, rule, value, at)?;
    }
    Ok(())
}

fn keyword_holds(
    root: &Value,
    schema: &Map<String, Value>,
    keyword: &str,
    rule: &Value,
    value: &Value,
    at: &str,
) -> Result<(), String> {
    let fail = |what: &str| Err(format!("{at}: {what}: {value} against {rule}"));
    let list = || rule.as_array().expect("a list");
    match keyword {
        "$schema" | "$defs" | "title" | "description" | "format" | "default" => {}
        "$ref" => {
            let pointer = rule.as_str().and_then(|r| r.strip_prefix('#')).expect("a local reference");
            let target = root.pointer(pointer).ok_or_else(|| format!("{at}: dangling {rule}"))?;
            node(root, target, value, at)?;
        }
        "type" => {
            let is = |name: &Value| match name.as_str().expect("a type's name") {
                "object" => value.is_object(),
                "array" => value.is_array(),
                "string" => value.is_string(),
                "boolean" => value.is_boolean(),
                "null" => value.is_null(),
                "integer" => value.is_u64() || value.is_i64(),
                "number" => value.is_number(),
                other => panic!("type {other}"),
            };
            let names = rule.as_array().cloned().unwrap_or_else(|| vec![rule.clone()]);
            if !names.iter().any(is) {
                return fail("another type");
            }
        }
        "properties" => {
            for (key, rule) in rule.as_object().expect("properties") {
                if let Some(value) = value.get(key) {
                    node(root, rule, value, &format!("{at}.{key}"))?;
                }
            }
        }
        "required" => {
            for key in list() {
                if value.is_object() && value.get(key.as_str().expect("a key")).is_none() {
                    return fail("a missing key");
                }
            }
        }
        "additionalProperties" => {
            assert_eq!(*rule, false);
            let part = |name: &str| schema.get(name).and_then(Value::as_object);
            let (known, patterns) = (part("properties"), part("patternProperties"));
            assert!(known.is_some() || patterns.is_some());
            let is_known = |key: &String| {
                known.is_some_and(|k| k.contains_key(key))
                    || patterns.is_some_and(|p| p.keys().any(|p| matches(p, key)))
            };
            if value.as_object().is_some_and(|v| !v.keys().all(is_known)) {
                return fail("an unknown key");
            }
        }
        "patternProperties" => {
            for (pattern, rule) in rule.as_object().expect("patterns") {
                for (key, value) in value.as_object().into_iter().flatten() {
                    if matches(pattern, key) {
                        node(root, rule, value, &format!("{at}.{key}"))?;
                    }
                }
            }
        }
        "pattern" => {
            let pattern = rule.as_str().expect("a pattern");
            if value.as_str().is_some_and(|v| !matches(pattern, v)) {
                return fail("no match");
            }
        }
        "items" => {
            for (i, item) in value.as_array().into_iter().flatten().enumerate() {
                node(root, rule, item, &format!("{at}[{i}]"))?;
            }
        }
        "minItems" | "maxItems" => {
            if let Some(items) = value.as_array() {
                let bound = rule.as_u64().expect("a number") as usize;
                let holds = if keyword == "minItems" { items.len() >= bound } else { items.len() <= bound };
                if !holds {
                    return fail("another number of items");
                }
            }
        }
        "minimum" | "maximum" => {
            if let (Some(v), Some(bound)) = (value.as_f64(), rule.as_f64())
                && !(if keyword == "minimum" { v >= bound } else { v <= bound })
            {
                return fail("out of range");
            }
        }
        "enum" => {
            if !list().contains(value) {
                return fail("another value");
            }
        }
        "const" => {
            if rule != value {
                return fail("another value");
            }
        }
        "allOf" => {
            for rule in list() {
                node(root, rule, value, at)?;
            }
        }
        "anyOf" | "oneOf" => {
            let results: Vec<_> = list().iter().map(|rule| node(root, rule, value, at)).collect();
            let matching = results.iter().filter(|r| r.is_ok()).count();
            if matching == 0 || keyword == "oneOf" && matching != 1 {
                return Err(format!("{at}: {matching} of {keyword} match: {results:?}"));
            }
        }
        other => panic!("{at}: the test does not know the keyword {other}"),
    }
    Ok(())
}

/// The patterns that our schemas have.
fn matches(pattern: &str, text: &str) -> bool {
    let digits = |t: &str| !t.is_empty() && t.bytes().all(|b| b.is_ascii_digit());
    match pattern {
        r"^\d+$" => digits(text),
        "^[a-z][a-z0-9._-]{0,127}$" => {
            let rest = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b"._-".contains(&b);
            text.len() <= 128 && text.starts_with(|c: char| c.is_ascii_lowercase()) && text.bytes().all(rest)
        }
        r"^[0-9]+(\.[0-9]+){1,3}$" => {
            let parts: Vec<_> = text.split('.').collect();
            (2..=4).contains(&parts.len()) && parts.into_iter().all(digits)
        }
        other => panic!("the test does not know the pattern {other}"),
    }
}
