//! Fixtures, the corpus, options worth trying, and drivers.

use std::path::{Path, PathBuf};

use shaderport_dxbc::Stage;
use shaderport_gl_harness as gl;
use shaderport_glsl::options::*;
use shaderport_glsl::{Failure, Translation};

/// A compiled shader.
pub(crate) struct Fixture {
    /// File name without `.dxbc`.
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
}

/// The workspace.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Every committed fixture, by name.
pub(crate) fn fixtures() -> Vec<Fixture> {
    let mut paths = Vec::new();
    for folder in ["fixtures/dxbc", "examples"] {
        let folder = root().join(folder);
        let files = std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
        paths.extend(files.map(|f| f.unwrap().path()).filter(|p| p.extension().is_some_and(|e| e == "dxbc")));
    }
    paths.sort();
    assert!(paths.len() >= 388, "fixtures are missing");
    paths.iter().map(|p| load(p)).collect()
}

/// The fixture of that name.
pub(crate) fn fixture(name: &str) -> Fixture {
    load(&root().join("fixtures/dxbc").join(format!("{name}.dxbc")))
}

fn load(path: &Path) -> Fixture {
    let bytes = std::fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    Fixture { name: path.file_stem().unwrap_or_default().to_string_lossy().into(), bytes }
}

/// The shared corpus beside the workspace, if it is there: paths of its vertex and pixel shaders.
pub(crate) fn corpus() -> Vec<PathBuf> {
    let folder = root().join("../shared/corpus");
    let Ok(index) = std::fs::read_to_string(folder.join("INDEX.tsv")) else { return Vec::new() };
    let rows = index.lines().skip(1).map(|line| line.split('\t').collect::<Vec<_>>());
    rows.filter(|row| matches!(row[3], "vs" | "ps")).map(|row| folder.join(row[0])).collect()
}

/// Options that change the text, with names for messages. The first are the defaults.
pub(crate) fn variants() -> Vec<(&'static str, Options)> {
    let default = Options::default;
    vec![
        ("default", default()),
        ("fast", Options { fidelity: Fidelity::Fast, ..default() }),
        ("registers float", Options { registers: Registers::Float, ..default() }),
        (
            "registers float, fast",
            Options { registers: Registers::Float, fidelity: Fidelity::Fast, ..default() },
        ),
        ("line directives", Options { line_directives: true, ..default() }),
        ("flip y", Options { flip_y: true, ..default() }),
        ("native", Options { integer_attributes: IntegerAttributes::Native, ..default() }),
        ("reversed depth", Options { depth_range: DepthRange::Reversed, ..default() }),
        ("d3d depth, flip y", Options { depth_range: DepthRange::D3d, flip_y: true, ..default() }),
        (
            "buffers swapped",
            Options { vertex_buffers: BufferForm::Texture, pixel_buffers: BufferForm::Block, ..default() },
        ),
        (
            "buffer length uniform",
            Options { buffer_length: BufferLength::Uniform, data_texture_width: 256, ..default() },
        ),
        ("cb-oob driver", Options { cb_oob: CbOutOfBounds::Driver, ..default() }),
        ("no extensions", Options { forbid_extensions: Extension::ALL.to_vec(), ..default() }),
    ]
}

/// Translates, or says what the findings were.
pub(crate) fn translate(bytes: &[u8], options: &Options) -> Result<Translation, Failure> {
    shaderport_glsl::translate(bytes, options)
}

/// The findings, one a line.
pub(crate) fn findings(failure: &Failure) -> String {
    failure.diagnostics.iter().map(|d| format!("{d}\n")).collect()
}

/// ANGLE in WebGL mode; without it a test fails and says what to run.
pub(crate) fn angle() -> gl::Gl {
    gl::Gl::angle().unwrap_or_else(|e| panic!("{e}"))
}

/// The harness's name of a stage.
pub(crate) fn stage(stage: Stage) -> gl::Stage {
    if stage == Stage::Vertex { gl::Stage::Vertex } else { gl::Stage::Fragment }
}

/// A folder for files of one test, removed with its end.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    pub(crate) fn new(name: &str) -> Scratch {
        let path = std::env::temp_dir().join(format!("shaderport-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        Scratch(path)
    }

    /// Writes a file and says where it is.
    pub(crate) fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What cannot be removed is left to the system.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
