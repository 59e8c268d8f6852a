//! The shaders that tests compare.

use std::path::{Path, PathBuf};

/// The vertex and pixel fixtures, by name.
///
/// # Panics
/// Where they are missing: they are in the repository.
pub fn fixtures() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/dxbc");
    let entries = std::fs::read_dir(folder).expect("the fixtures are in the repository");
    let mut list: Vec<_> = entries.map(|e| e.expect("the folder can be read").path()).collect();
    list.retain(|p| {
        let name = name(p);
        name.ends_with(".vs.dxbc") || name.ends_with(".ps.dxbc")
    });
    list.sort();
    list
}

/// Vertex and pixel shaders of the shared corpus in an order that mixes their sources, that of their hashes; none where
/// there is no corpus.
pub fn corpus() -> Vec<PathBuf> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let Ok(index) = std::fs::read_to_string(corpus.join("INDEX.tsv")) else { return Vec::new() };
    let rows = index.lines().skip(1).map(|line| line.split('\t').collect::<Vec<_>>());
    let mut rows: Vec<_> = rows.filter(|f| matches!(f[3], "vs" | "ps")).collect();
    rows.sort_by_key(|f| f[1]);
    rows.iter().map(|f| corpus.join(f[0])).collect()
}

/// The name of a file.
pub fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
