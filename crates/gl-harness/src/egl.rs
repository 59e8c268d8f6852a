//! Driver libraries, their EGL displays and contexts.
//!
//! A driver is loaded once a process and never unloaded: both ANGLE and Mesa keep threads and thread-local
//! state that a `dlclose` would leave dangling.

use std::cell::Cell;
use std::ffi::{CString, c_char, c_void};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use libloading::Library;

use crate::{Backend, GlError};

/// The script that fetches ANGLE; named in every message about missing libraries.
const SCRIPT: &str = "tools/get-angle.sh";

type Handle = *mut c_void;
type Attrib = isize;

const NONE: i32 = 0x3038;
const PLATFORM_ANGLE: u32 = 0x3202;
const PLATFORM_SURFACELESS: u32 = 0x31DD;
const OPENGL_ES_API: u32 = 0x30A0;

/// ANGLE on its Vulkan back end, and that on SwiftShader, with no window system.
const ANGLE_DISPLAY: [Attrib; 7] = [
    0x3203,
    0x3450, // platform type: Vulkan
    0x3209,
    0x3487, // device type: SwiftShader
    0x348F,
    0x31DD, // native platform: surfaceless
    NONE as Attrib,
];

const CONFIG: [i32; 5] = [
    0x3040, 0x40, // renderable type: OpenGL ES 3
    0x3033, 0, // surface type: any, the default asks for windows
    NONE,
];

const ANGLE_CONTEXT: [i32; 17] = [
    0x3098, 3, 0x30FB, 0, // version 3.0
    0x33AC, 1, // WebGL compatibility
    0x345F, 0, // extensions are off until asked for, as in a browser
    0x3453, 1, // robust resource initialisation
    0x3452, 0, // no client arrays
    0x33AD, 0, // names come from glGen* only
    0x3483, 0, // exactly 3.0: without it ANGLE hands out 3.1 and takes `#version 310 es`
    NONE,
];

const MESA_CONTEXT: [i32; 5] = [0x3098, 3, 0x30FB, 0, NONE];

/// What a WebGL2 page on SwiftShader can enable, by the names native ANGLE gives it.
const WEBGL_EXTENSIONS: &[&str] = &[
    "GL_ANGLE_clip_cull_distance",
    "GL_ANGLE_multi_draw",
    "GL_ANGLE_polygon_mode",
    "GL_ANGLE_stencil_texturing",
    "GL_ANGLE_texture_compression_dxt3",
    "GL_ANGLE_texture_compression_dxt5",
    "GL_EXT_clip_control",
    "GL_EXT_color_buffer_float",
    "GL_EXT_color_buffer_half_float",
    "GL_EXT_conservative_depth",
    "GL_EXT_depth_clamp",
    "GL_EXT_disjoint_timer_query",
    "GL_EXT_float_blend",
    "GL_EXT_polygon_offset_clamp",
    "GL_EXT_texture_compression_bptc",
    "GL_EXT_texture_compression_dxt1",
    "GL_EXT_texture_compression_rgtc",
    "GL_EXT_texture_compression_s3tc_srgb",
    "GL_EXT_texture_filter_anisotropic",
    "GL_EXT_texture_mirror_clamp_to_edge",
    "GL_KHR_texture_compression_astc_ldr",
    "GL_NV_shader_noperspective_interpolation",
    "GL_OES_draw_buffers_indexed",
    "GL_OES_sample_variables",
    "GL_OES_shader_multisample_interpolation",
    "GL_OES_texture_float_linear",
    "GL_OVR_multiview2",
];

/// One loaded driver with its display.
pub(crate) struct Driver {
    backend: Backend,
    display: Handle,
    config: Handle,
    functions: Functions,
}

// SAFETY: EGL displays, configs and entry points may be used from any thread; contexts are kept apart.
unsafe impl Send for Driver {}
// SAFETY: as above.
unsafe impl Sync for Driver {}

struct Functions {
    get_error: unsafe extern "C" fn() -> i32,
    get_proc_address: unsafe extern "C" fn(*const c_char) -> *const c_void,
    get_platform_display: unsafe extern "C" fn(u32, *mut c_void, *const Attrib) -> Handle,
    initialize: unsafe extern "C" fn(Handle, *mut i32, *mut i32) -> u32,
    bind_api: unsafe extern "C" fn(u32) -> u32,
    choose_config: unsafe extern "C" fn(Handle, *const i32, *mut Handle, i32, *mut i32) -> u32,
    create_context: unsafe extern "C" fn(Handle, Handle, Handle, *const i32) -> Handle,
    destroy_context: unsafe extern "C" fn(Handle, Handle) -> u32,
    make_current: unsafe extern "C" fn(Handle, Handle, Handle, Handle) -> u32,
}

impl Driver {
    /// The driver of `backend`, loaded on first use.
    pub(crate) fn get(backend: Backend) -> Result<&'static Driver, GlError> {
        static DRIVERS: [OnceLock<Result<Driver, GlError>>; 2] = [const { OnceLock::new() }; 2];
        DRIVERS[backend as usize].get_or_init(|| Driver::load(backend)).as_ref().map_err(Clone::clone)
    }

    fn load(backend: Backend) -> Result<Driver, GlError> {
        let name: PathBuf = match backend {
            Backend::Angle => find_angle(std::env::var_os("ANGLE_DIR").map(PathBuf::from).as_deref())?,
            Backend::Mesa => "libEGL.so.1".into(),
        };
        let missing = |e: libloading::Error| match backend {
            Backend::Angle => {
                GlError::Missing(format!("{}: {e}; run {SCRIPT} to fetch ANGLE again", name.display()))
            }
            Backend::Mesa => GlError::Missing(format!(
                "{e}; Mesa needs the packages libegl1 libgles2 libegl-mesa0 libgl1-mesa-dri"
            )),
        };
        // SAFETY: both libraries are EGL implementations whose initialisers have no preconditions, the symbols
        // have the types that EGL 1.5 gives them, and the library is leaked, so they stay valid.
        unsafe {
            let library: &'static Library = Box::leak(Box::new(Library::new(&name).map_err(missing)?));
            macro_rules! symbol {
                ($name:literal) => {
                    *library.get(concat!($name, "\0").as_bytes()).map_err(missing)?
                };
            }
            let functions = Functions {
                get_error: symbol!("eglGetError"),
                get_proc_address: symbol!("eglGetProcAddress"),
                get_platform_display: symbol!("eglGetPlatformDisplay"),
                initialize: symbol!("eglInitialize"),
                bind_api: symbol!("eglBindAPI"),
                choose_config: symbol!("eglChooseConfig"),
                create_context: symbol!("eglCreateContext"),
                destroy_context: symbol!("eglDestroyContext"),
                make_current: symbol!("eglMakeCurrent"),
            };
            Driver::open(backend, functions)
        }
    }

    /// # Safety
    /// `functions` must be the entry points of an EGL 1.5 implementation that stays loaded.
    unsafe fn open(backend: Backend, functions: Functions) -> Result<Driver, GlError> {
        let (platform, attributes) = match backend {
            Backend::Angle => (PLATFORM_ANGLE, ANGLE_DISPLAY.as_ptr()),
            Backend::Mesa => (PLATFORM_SURFACELESS, std::ptr::null()),
        };
        let mut driver =
            Driver { backend, display: std::ptr::null_mut(), config: std::ptr::null_mut(), functions };
        let mut found = 0;
        // SAFETY: the attribute lists end in NONE and the out pointers are valid for the calls.
        unsafe {
            let f = &driver.functions;
            driver.display = (f.get_platform_display)(platform, std::ptr::null_mut(), attributes);
            if driver.display.is_null() {
                return Err(driver.error("eglGetPlatformDisplay"));
            }
            if (f.initialize)(driver.display, std::ptr::null_mut(), std::ptr::null_mut()) == 0 {
                return Err(driver.error("eglInitialize"));
            }
            let chosen =
                (f.choose_config)(driver.display, CONFIG.as_ptr(), &mut driver.config, 1, &mut found);
            if chosen == 0 || found == 0 {
                return Err(driver.error("eglChooseConfig"));
            }
        }
        Ok(driver)
    }

    fn error(&self, call: &str) -> GlError {
        // SAFETY: eglGetError may be called at any time.
        let code = unsafe { (self.functions.get_error)() };
        GlError::Egl(format!("{call} failed on {} with EGL error {code:#06x}", self.backend))
    }

    fn proc_address(&self, name: &str) -> *const c_void {
        let name = CString::new(name).unwrap_or_default();
        // SAFETY: `name` is a NUL-terminated string.
        unsafe { (self.functions.get_proc_address)(name.as_ptr()) }
    }
}

/// A context of a [`Driver`]; it belongs to the thread that made it.
pub(crate) struct Context {
    driver: &'static Driver,
    handle: Handle,
}

thread_local! {
    /// The context current on this thread, by driver: switching is not free, so it is done only when needed.
    static CURRENT: [Cell<Handle>; 2] = const { [const { Cell::new(std::ptr::null_mut()) }; 2] };
}

impl Context {
    /// A new context, current on this thread, with its entry points.
    pub(crate) fn new(backend: Backend) -> Result<(Context, glow::Context), GlError> {
        // ANGLE looks for its Vulkan driver by way of environment variables, which threads share.
        static MAKING: Mutex<()> = Mutex::new(());
        let _guard = MAKING.lock().unwrap_or_else(PoisonError::into_inner);

        let driver = Driver::get(backend)?;
        let attributes: &[i32] = match backend {
            Backend::Angle => &ANGLE_CONTEXT,
            Backend::Mesa => &MESA_CONTEXT,
        };
        let f = &driver.functions;
        // SAFETY: display and config are valid, and the attribute list ends in NONE.
        let handle = unsafe {
            (f.bind_api)(OPENGL_ES_API);
            (f.create_context)(driver.display, driver.config, std::ptr::null_mut(), attributes.as_ptr())
        };
        if handle.is_null() {
            return Err(driver.error("eglCreateContext"));
        }
        let context = Context { driver, handle };
        context.try_make_current()?;
        if backend == Backend::Angle {
            context.request_extensions()?;
        }
        // SAFETY: a context of the driver is current, and its entry points outlive the process's use of them.
        let gl = unsafe { glow::Context::from_loader_function(|name| driver.proc_address(name)) };
        Ok((context, gl))
    }

    fn try_make_current(&self) -> Result<(), GlError> {
        CURRENT.with(|current| {
            let current = &current[self.driver.backend as usize];
            if current.get() == self.handle {
                return Ok(());
            }
            let none = std::ptr::null_mut();
            // SAFETY: display and context are valid; both drivers take contexts without surfaces.
            if unsafe { (self.driver.functions.make_current)(self.driver.display, none, none, self.handle) }
                == 0
            {
                return Err(self.driver.error("eglMakeCurrent"));
            }
            current.set(self.handle);
            Ok(())
        })
    }

    /// Makes this context the current one of its thread.
    ///
    /// # Panics
    /// When the driver refuses, which happens only after the context is lost.
    pub(crate) fn make_current(&self) {
        if let Err(e) = self.try_make_current() {
            panic!("{e}");
        }
    }

    fn request_extensions(&self) -> Result<(), GlError> {
        let request = self.driver.proc_address("glRequestExtensionANGLE");
        if request.is_null() {
            return Err(GlError::Egl("ANGLE has no glRequestExtensionANGLE".into()));
        }
        // SAFETY: the extension defines the function with this type, and the context is current. Names that
        // this build cannot provide only set a GL error, which nothing has read yet.
        unsafe {
            let request: unsafe extern "C" fn(*const c_char) = std::mem::transmute(request);
            for name in WEBGL_EXTENSIONS {
                let name = CString::new(*name).unwrap_or_default();
                request(name.as_ptr());
            }
        }
        Ok(())
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        let f = &self.driver.functions;
        let none = std::ptr::null_mut();
        // SAFETY: the handles are valid. A context is released before it is destroyed, so it dies at once.
        unsafe {
            CURRENT.with(|current| {
                let current = &current[self.driver.backend as usize];
                if current.get() == self.handle {
                    (f.make_current)(self.driver.display, none, none, none);
                    current.set(none);
                }
            });
            (f.destroy_context)(self.driver.display, self.handle);
        }
    }
}

/// Path of ANGLE's `libEGL.so`: in `given` if there is one, else in a `third_party/angle` of this workspace or
/// of a folder around the executable or the working directory.
fn find_angle(given: Option<&Path>) -> Result<PathBuf, GlError> {
    const LIBRARY: &str = "libEGL.so";
    if let Some(dir) = given {
        let path = dir.join(LIBRARY);
        // Absolute, because the loader would take a bare relative name for one to search for.
        return path.canonicalize().map_err(|_| {
            GlError::Missing(format!("no {} (ANGLE_DIR is set); run {SCRIPT} to fetch ANGLE", path.display()))
        });
    }
    let starts = [
        Some(PathBuf::from(env!("CARGO_MANIFEST_DIR"))),
        std::env::current_exe().ok(),
        std::env::current_dir().ok(),
    ];
    starts
        .iter()
        .flatten()
        .flat_map(|start| start.ancestors())
        .find_map(|dir| dir.join("third_party/angle").join(LIBRARY).canonicalize().ok())
        .ok_or_else(|| {
            GlError::Missing(format!(
                "ANGLE is not here: no third_party/angle/{LIBRARY}; run {SCRIPT}, or set ANGLE_DIR to its folder"
            ))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_angle_names_the_script() {
        let error = find_angle(Some(Path::new("/nonexistent"))).unwrap_err();
        assert!(error.to_string().contains(SCRIPT), "{error}");
        assert!(error.to_string().contains("/nonexistent/libEGL.so"), "{error}");
    }
}
