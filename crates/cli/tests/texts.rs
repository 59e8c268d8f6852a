//! The texts that verbs read, in the encodings that editors write.

mod common;
#[path = "../../effect/tests/common/mod.rs"]
mod effects;

use common::{Run, folder, put, root, run, run_with};
use effects::{OldWriter, pairs, some_effect};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A verb that reads a text, with the file that it reads.
struct Reader {
    arguments: Vec<PathBuf>,
    file: PathBuf,
}

/// Every verb that does, for each of its texts.
fn readers(at: &TempDir) -> Vec<Reader> {
    let example = |name: &str| root().join("examples").join(name);
    let [vs, ps] = ["lit.vs.dxbc", "lit.ps.dxbc"].map(example);
    let effect = put(at, "quad.sm_hi", &OldWriter::write(&some_effect(1, &[], &pairs()[..1]), 15));
    let pack = at.path().join("dusk");
    assert_eq!(run(["pack".as_ref(), "new".as_ref(), pack.as_os_str()]).status, 0);
    let inputs = put(at, "inputs.json", &std::fs::read(example("lit.vs.inputs.json")).unwrap());
    let profile = put(at, "profile.json", br#"{ "extends": "carbon" }"#);
    let table = put(at, "table.json", run(["effect", "table"]).stdout.as_bytes());
    let device = put(at, "device.json", b"{}");
    let descriptor = pack.join("pack.json");
    let mut all = Vec::new();
    let mut add = |verb: &str, rest: &[&Path], file: &Path| {
        let words = verb.split(' ').map(PathBuf::from);
        let arguments = words.chain(rest.iter().map(PathBuf::from)).collect();
        all.push(Reader { arguments, file: file.into() });
    };
    let [by_inputs, by_profile, by_table, by_device, check] =
        ["--inputs", "--profile", "--table", "--device", "--check"].map(Path::new);
    add("run", &[&vs, by_inputs, &inputs], &inputs);
    add("translate", &[&vs, by_profile, &profile], &profile);
    add("link", &[&vs, &ps, check, by_profile, &profile], &profile);
    add("effect build", &[&effect, check, by_profile, &profile], &profile);
    add("effect build", &[&effect, check, by_table, &table], &table);
    for verb in ["pack check", "pack build", "pack resolve", "pack plan"] {
        add(verb, &[&pack], &descriptor);
    }
    for verb in ["pack check", "pack resolve", "pack plan"] {
        add(verb, &[&pack, by_device, &device], &device);
    }
    all
}

fn same(a: &Run, b: &Run) -> bool {
    (a.status, &a.stdout, &a.stderr) == (b.status, &b.stdout, &b.stderr)
}

#[test]
fn a_byte_order_mark_is_no_part_of_a_text() {
    let at = folder();
    for Reader { arguments, file } in readers(&at) {
        let plain = run(&arguments);
        // Without a compiler there is nothing more to build.
        assert!(plain.status == 0 || arguments[1] == Path::new("build"), "{arguments:?}: {}", plain.stderr);
        let bytes = std::fs::read(&file).unwrap();
        std::fs::write(&file, [b"\xef\xbb\xbf", &bytes[..]].concat()).unwrap();
        let marked = run(&arguments);
        assert!(same(&plain, &marked), "{arguments:?}: {plain:?} {marked:?}");
        std::fs::write(&file, bytes).unwrap();
    }
}

#[test]
fn other_encodings_are_named() {
    let at = folder();
    for Reader { arguments, file } in readers(&at) {
        let bytes = std::fs::read(&file).unwrap();
        let text = String::from_utf8(bytes.clone()).unwrap();
        let units: Vec<u16> = text.encode_utf16().collect();
        let little: Vec<u8> = units.iter().flat_map(|u| u.to_le_bytes()).collect();
        let big: Vec<u8> = units.iter().flat_map(|u| u.to_be_bytes()).collect();
        let wide: Vec<u8> = text.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect();
        for (bytes, message) in [
            ([b"\xff\xfe", &little[..]].concat(), "in UTF-16, and UTF-8 is wanted"),
            (little, "in UTF-16, and UTF-8 is wanted"),
            ([b"\xfe\xff", &big[..]].concat(), "in UTF-16, and UTF-8 is wanted"),
            (big, "in UTF-16, and UTF-8 is wanted"),
            (wide, "in UTF-32, and UTF-8 is wanted"),
            // Latin-1, with a mark in front or without.
            (b"{ \"name\": \"K\xfcste\" }".to_vec(), "not in UTF-8: byte 12 "),
            (b"\xef\xbb\xbf{ \"name\": \"K\xfcste\" }".to_vec(), "not in UTF-8: byte 15 "),
        ] {
            std::fs::write(&file, bytes).unwrap();
            let r = run(&arguments);
            assert!(r.status != 0 && r.stderr.contains(message), "{arguments:?}: {message}: {}", r.stderr);
            // What `pack check` finds has codes of its own.
            let check = arguments[1] == Path::new("check") && file.ends_with("pack.json");
            assert!(r.stderr.contains("error[input-encoding]") || check, "{arguments:?}: {}", r.stderr);
        }
        std::fs::write(&file, bytes).unwrap();
    }
}

/// What cannot be a text at all.
#[test]
fn texts_that_are_not_there() {
    let at = folder();
    let shader = root().join("examples/lit.vs.dxbc");
    let with = |inputs: &Path| {
        let r = run(["run".as_ref(), shader.as_path(), "--inputs".as_ref(), inputs]);
        assert_eq!((r.status, r.stdout.as_str()), (1, ""));
        r.stderr
    };
    let folder = with(at.path());
    assert!(folder.contains("error[input-unreadable]: the input is a folder"), "{folder}");
    assert!(with(&at.path().join("none.json")).contains("error[input-missing]"));
    let empty = with(&put(&at, "empty.json", b" \n"));
    assert!(empty.contains("the inputs are empty") && empty.contains("`{}`"), "{empty}");
    let marked = with(&put(&at, "marked.json", b"\xef\xbb\xbf"));
    assert!(marked.contains("the inputs are empty"), "{marked}");
    let r = run(["translate".as_ref(), shader.as_path(), "--profile".as_ref(), "carbn".as_ref()]);
    assert_eq!(r.status, 2);
    assert!(r.stderr.contains("no such file, and it is not built in (specs, carbon)"), "{}", r.stderr);
}

/// There is nothing left for a second reader.
#[test]
fn standard_input_is_read_once() {
    let shader = std::fs::read(root().join("examples/lit.vs.dxbc")).unwrap();
    for (arguments, status) in [(["run", "-", "--inputs", "-"], 1), (["translate", "-", "--profile", "-"], 2)]
    {
        let r = run_with(arguments, &shader);
        assert_eq!((r.status, r.stdout.as_str()), (status, ""), "{arguments:?}");
        let message = "error[input-unreadable]: standard input can be read only once";
        assert!(r.stderr.contains(message), "{arguments:?}: {}", r.stderr);
    }
}
