//! Render packs: a shader ABI as data, the descriptor of a pack with all its rules, SPIR-V against roles, and the
//! values that a host writes.
//!
//! The contract is `semantic-bindings-v1`; section names in the documentation are its headings. [`abi`] holds the
//! contract's tables, from which the checkers, the generated headers and the documentation are made.
#![forbid(unsafe_code)]

pub mod abi;
mod advice;
pub mod descriptor;
mod finding;
pub mod host;
mod ids;
mod json;
mod pack;
pub mod profiles;
mod role;
mod rules;
pub mod schema;
pub mod settings;
mod shader;
mod shape;
pub mod slots;
pub mod template;

pub use finding::{Finding, ShaderSite};
pub use ids::{ById, Declared};
pub use json::Position;
pub use pack::{AssetError, Assets, DirAssets, PackReport, ShaderReport, check_pack, check_pack_text};
pub use role::Access;
pub use rules::{Compat, Device, Options, TRANSIENT_CEILING, check, is_safe_asset_key, is_stable_id};
pub use shader::{HARDENING, LARGEST_ASSET, Shader, check_pair, check_shader};
