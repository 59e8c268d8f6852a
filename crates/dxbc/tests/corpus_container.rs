//! Reads every container of the corpus beside the workspace, where there is one, and compares what is read
//! with its index.

use shaderport_dxbc::reflection::TypeTable;
use shaderport_dxbc::{Container, ContainerKind, scan};
use std::path::PathBuf;

#[test]
fn corpus_agrees_with_its_index() {
    let corpus = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let Ok(table) = std::fs::read_to_string(corpus.join("INDEX.tsv")) else { return };
    let mut all = Vec::new();
    let mut sizes = Vec::new();
    for line in table.lines().skip(1) {
        let cells: Vec<_> = line.split('\t').collect();
        let [file, _, bytes, stage, model, has_rdef, hash_ok, _, _, chunks, ..] = cells[..] else {
            panic!("{line}");
        };
        let input = std::fs::read(corpus.join(file)).unwrap();
        let container = Container::parse(&input).unwrap_or_else(|e| panic!("{file}: {e}"));
        assert_eq!(container.data().len(), bytes.parse::<usize>().unwrap(), "{file}");
        assert_eq!(container.version(), (1, 0), "{file}");
        let tags: Vec<_> = container.chunks().map(|c| String::from_utf8(c.tag.to_vec()).unwrap()).collect();
        assert_eq!(tags.join(","), chunks, "{file}");
        assert_eq!(container.checksum_ok(), hash_ok == "1", "{file}");
        assert!(matches!(container.kind(), ContainerKind::Shader(_)), "{file}");
        container.input_signature().unwrap_or_else(|e| panic!("{file}: {e}")).expect(file);
        container.output_signature().unwrap_or_else(|e| panic!("{file}: {e}")).expect(file);
        container.patch_constant_signature().unwrap_or_else(|e| panic!("{file}: {e}"));
        container.statistics().unwrap_or_else(|e| panic!("{file}: {e}"));
        container.feature_flags().unwrap_or_else(|e| panic!("{file}: {e}"));
        let reflection = container.reflection().unwrap_or_else(|e| panic!("{file}: {e}"));
        assert_eq!(reflection.is_some(), has_rdef == "1", "{file}");
        if let Some(reflection) = reflection {
            let target = reflection.target;
            // One file, made by another compiler than Microsoft's, stores the program's version token there.
            if let Some(found) = target.stage() {
                assert_eq!(found, stage, "{file}");
                assert_eq!(format!("{}.{}", target.major, target.minor), model, "{file}");
            } else {
                assert!(!reflection.creator().unwrap().starts_with("Microsoft"), "{file}");
            }
            reflection.creator().unwrap_or_else(|e| panic!("{file}: {e}"));
            for binding in reflection.bindings() {
                binding.unwrap_or_else(|e| panic!("{file}: {e}"));
            }
            let mut types = TypeTable::new(&reflection);
            for buffer in reflection.constant_buffers() {
                for variable in buffer.unwrap_or_else(|e| panic!("{file}: {e}")).variables() {
                    let variable = variable.unwrap_or_else(|e| panic!("{file}: {e}"));
                    types.resolve(variable.type_offset).unwrap_or_else(|e| panic!("{file}: {e}"));
                }
            }
        }
        sizes.push(input.len());
        all.push(0); // so that not all containers are aligned alike
        all.extend(input);
    }
    assert!(scan::find_all(&all).map(|(_, c)| c.len()).eq(sizes));
}
