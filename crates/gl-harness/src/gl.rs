//! Contexts, and the compiling and linking of shaders.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;
use std::rc::Rc;
use std::str::FromStr;

use glow::HasContext;
use serde::{Deserialize, Serialize};

use crate::egl::Context;

/// Which OpenGL ES 3.0 runs the shaders.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Backend {
    /// ANGLE in WebGL mode on SwiftShader: the rules of a browser.
    Angle,
    /// Mesa's llvmpipe: laxer rules, another compiler, more precise transcendental functions.
    Mesa,
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Backend::Angle => "angle",
            Backend::Mesa => "mesa",
        })
    }
}

impl FromStr for Backend {
    type Err = String;

    fn from_str(s: &str) -> Result<Backend, String> {
        match s {
            "angle" => Ok(Backend::Angle),
            "mesa" => Ok(Backend::Mesa),
            _ => Err(format!("unknown backend `{s}`: angle or mesa")),
        }
    }
}

/// Why there is no context.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GlError {
    /// The driver's libraries are not on this machine; the text says how to get them.
    Missing(String),
    /// The driver is there but did not give a context.
    Egl(String),
    /// The context is not what this crate is for.
    Unsuitable(String),
    /// A child process cannot be had, or is not the program it should be.
    Child(String),
}

impl fmt::Display for GlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GlError::Missing(text)
            | GlError::Egl(text)
            | GlError::Unsuitable(text)
            | GlError::Child(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for GlError {}

/// A shader stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// Vertex shaders.
    Vertex,
    /// Fragment shaders.
    Fragment,
}

/// Where a check stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Compiling the vertex shader.
    Vertex,
    /// Compiling the fragment shader.
    Fragment,
    /// Linking.
    Link,
    /// The driver took longer than allowed.
    Timeout,
    /// The driver brought its process down.
    Crash,
    /// The shaders could not be read.
    Read,
}

/// A refusal, with the driver's reasons.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rejection {
    /// What was refused.
    pub phase: Phase,
    /// The info log.
    pub log: String,
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let phase = match self.phase {
            Phase::Vertex => "vertex shader",
            Phase::Fragment => "fragment shader",
            Phase::Link => "link",
            Phase::Timeout => "timeout",
            Phase::Crash => "crash",
            Phase::Read => "read",
        };
        write!(f, "{phase}: {}", self.log)
    }
}

impl std::error::Error for Rejection {}

impl From<Stage> for Phase {
    fn from(stage: Stage) -> Phase {
        match stage {
            Stage::Vertex => Phase::Vertex,
            Stage::Fragment => Phase::Fragment,
        }
    }
}

/// An OpenGL ES 3.0 context. It stays on the thread that made it; make one for each thread, they are cheap.
pub struct Gl {
    inner: Rc<Inner>,
    version: String,
    renderer: String,
    shaders: RefCell<HashMap<(Stage, String), Compiled>>,
}

/// A shader, or the log of its refusal.
type Compiled = Result<Rc<Shader>, String>;

struct Inner {
    context: Context,
    gl: glow::Context,
}

impl Inner {
    /// The entry points, with this context current.
    fn current(&self) -> &glow::Context {
        self.context.make_current();
        &self.gl
    }
}

/// A compiled shader.
pub struct Shader {
    inner: Rc<Inner>,
    id: glow::Shader,
}

impl Drop for Shader {
    fn drop(&mut self) {
        // SAFETY: the shader is of this context, and no one else deletes it.
        unsafe { self.inner.current().delete_shader(self.id) }
    }
}

/// A linked program.
pub struct Program {
    inner: Rc<Inner>,
    id: glow::Program,
}

impl Program {
    pub(crate) fn id(&self) -> glow::Program {
        self.id
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // SAFETY: the program is of this context, and no one else deletes it.
        unsafe { self.inner.current().delete_program(self.id) }
    }
}

impl Gl {
    /// ANGLE as a WebGL2 page sees it, on SwiftShader, with every extension such a page can enable.
    ///
    /// The libraries are looked for in `$ANGLE_DIR`, else in `third_party/angle` of the workspace, where
    /// `tools/get-angle.sh` puts them.
    pub fn angle() -> Result<Gl, GlError> {
        Gl::open(Backend::Angle)
    }

    /// Mesa's llvmpipe, without a window system.
    pub fn mesa() -> Result<Gl, GlError> {
        Gl::open(Backend::Mesa)
    }

    /// A new context of `backend`.
    pub fn open(backend: Backend) -> Result<Gl, GlError> {
        let (context, gl) = Context::new(backend)?;
        // SAFETY: the context is current.
        let (version, renderer) = unsafe {
            // Requests for extensions that this build lacks left errors behind.
            while gl.get_error() != glow::NO_ERROR {}
            (gl.get_parameter_string(glow::VERSION), gl.get_parameter_string(glow::RENDERER))
        };
        let fits = match backend {
            Backend::Angle => version.starts_with("OpenGL ES 3.0 ") && renderer.contains("SwiftShader"),
            Backend::Mesa => version.starts_with("OpenGL ES 3.") && renderer.contains("llvmpipe"),
        };
        if !fits {
            return Err(GlError::Unsuitable(format!(
                "{backend} gave \"{version}\" on \"{renderer}\"{}",
                if backend == Backend::Mesa { "; try LIBGL_ALWAYS_SOFTWARE=1" } else { "" }
            )));
        }
        let inner = Rc::new(Inner { context, gl });
        Ok(Gl { inner, version, renderer, shaders: RefCell::default() })
    }

    /// The driver's version string.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// The driver's renderer string.
    pub fn renderer(&self) -> &str {
        &self.renderer
    }

    /// The entry points, with this context current.
    pub(crate) fn current(&self) -> &glow::Context {
        self.inner.current()
    }

    /// Compiles one shader, or says why not.
    pub fn compile(&self, stage: Stage, source: &str) -> Result<Shader, String> {
        let gl = self.current();
        // SAFETY: the context is current and owns every object used.
        unsafe {
            let id = gl.create_shader(match stage {
                Stage::Vertex => glow::VERTEX_SHADER,
                Stage::Fragment => glow::FRAGMENT_SHADER,
            })?;
            let shader = Shader { inner: Rc::clone(&self.inner), id };
            gl.shader_source(id, source);
            gl.compile_shader(id);
            if gl.get_shader_compile_status(id) { Ok(shader) } else { Err(clean(gl.get_shader_info_log(id))) }
        }
    }

    /// Links two compiled shaders, or says why not.
    pub fn link(&self, vertex: &Shader, fragment: &Shader) -> Result<Program, String> {
        self.link_capturing(vertex, fragment, &[])
    }

    /// Links, with the vertex outputs that transform feedback should record one after another.
    pub(crate) fn link_capturing(
        &self,
        vertex: &Shader,
        fragment: &Shader,
        capture: &[&str],
    ) -> Result<Program, String> {
        let gl = self.current();
        // SAFETY: the context is current. Shaders of another context of the process are unknown names here,
        // which GL reports and the link status shows.
        unsafe {
            let id = gl.create_program()?;
            let program = Program { inner: Rc::clone(&self.inner), id };
            gl.attach_shader(id, vertex.id);
            gl.attach_shader(id, fragment.id);
            if !capture.is_empty() {
                gl.transform_feedback_varyings(id, capture, glow::INTERLEAVED_ATTRIBS);
            }
            gl.link_program(id);
            if gl.get_program_link_status(id) { Ok(program) } else { Err(clean(gl.get_program_info_log(id))) }
        }
    }

    /// Whether one shader compiles. Sources seen shortly before are not compiled again.
    pub fn check_one(&self, stage: Stage, source: &str) -> Result<(), Rejection> {
        self.cached(stage, source).map(drop)
    }

    /// Whether two shaders compile and link. Sources seen shortly before are not compiled again.
    pub fn check_pair(&self, vertex: &str, fragment: &str) -> Result<(), Rejection> {
        let (vertex, fragment) = self.cached_pair(vertex, fragment)?;
        self.link(&vertex, &fragment).map(drop).map_err(|log| Rejection { phase: Phase::Link, log })
    }

    pub(crate) fn cached_pair(
        &self,
        vertex: &str,
        fragment: &str,
    ) -> Result<(Rc<Shader>, Rc<Shader>), Rejection> {
        Ok((self.cached(Stage::Vertex, vertex)?, self.cached(Stage::Fragment, fragment)?))
    }

    fn cached(&self, stage: Stage, source: &str) -> Result<Rc<Shader>, Rejection> {
        /// Enough for the pairs of one family of shaders, few enough to keep a driver small.
        const KEPT: usize = 256;
        let mut shaders = self.shaders.borrow_mut();
        let key = (stage, source.to_owned());
        if shaders.len() >= KEPT && !shaders.contains_key(&key) {
            shaders.clear();
        }
        let shader = shaders.entry(key).or_insert_with(|| self.compile(stage, source).map(Rc::new));
        shader.clone().map_err(|log| Rejection { phase: stage.into(), log })
    }
}

/// Info logs end in NULs and newlines, and glow does not check that they are UTF-8.
fn clean(log: String) -> String {
    String::from_utf8_lossy(&log.into_bytes()).trim_end_matches(['\0', '\n']).to_owned()
}
