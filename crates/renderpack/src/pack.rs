//! A whole pack: descriptor, then shaders.

use crate::abi::{Abi, RoleKind, Stage};
use crate::advice;
use crate::descriptor::{self, Descriptor, Document, Named, SemanticInput};
use crate::finding::{Finding, Findings};
use crate::role::Access;
use crate::rules::{self, Options, is_safe_asset_key};
use crate::shader::{LARGEST_ASSET, Shader, check_pair, check_shader};
use serde::Serialize;
use shaderport_diagnostics::Severity;
use shaderport_diagnostics::codes::renderpack as codes;
use std::collections::HashMap;
use std::fs;
use std::io::Read;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// Why an asset could not be had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AssetError {
    /// There is no such file, or it cannot be read.
    Missing(String),
    /// It lies outside the pack, or behind a symbolic link.
    Outside,
    /// It is larger than any shader may be.
    TooLarge,
}

/// Where a pack's shaders come from.
pub trait Assets {
    /// The bytes behind a key. Each key is asked for once in a check.
    fn open(&mut self, key: &str) -> Result<Vec<u8>, AssetError>;
}

/// Shaders in a folder; nothing behind a symbolic link below it is read.
#[derive(Debug)]
pub struct DirAssets {
    root: PathBuf,
}

impl DirAssets {
    /// Assets under `root`.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        DirAssets { root: root.into() }
    }
}

impl Assets for DirAssets {
    fn open(&mut self, key: &str) -> Result<Vec<u8>, AssetError> {
        let missing = |e: std::io::Error| AssetError::Missing(e.to_string());
        let root = self.root.canonicalize().map_err(missing)?;
        let mut path = root;
        for part in Path::new(key).components() {
            match part {
                Component::Normal(name) => path.push(name),
                Component::CurDir => continue,
                _ => return Err(AssetError::Outside),
            }
            if fs::symlink_metadata(&path).map_err(missing)?.is_symlink() {
                return Err(AssetError::Outside);
            }
        }
        let meta = fs::metadata(&path).map_err(missing)?;
        if !meta.is_file() {
            return Err(AssetError::Missing("not a file".into()));
        }
        if meta.len() > LARGEST_ASSET {
            return Err(AssetError::TooLarge);
        }
        let mut bytes = Vec::new();
        // The file may grow between the two.
        fs::File::open(&path)
            .map_err(missing)?
            .take(LARGEST_ASSET + 1)
            .read_to_end(&mut bytes)
            .map_err(missing)?;
        if bytes.len() as u64 > LARGEST_ASSET { Err(AssetError::TooLarge) } else { Ok(bytes) }
    }
}

impl<F: FnMut(&str) -> Result<Vec<u8>, AssetError>> Assets for F {
    fn open(&mut self, key: &str) -> Result<Vec<u8>, AssetError> {
        self(key)
    }
}

/// A shader asset and what it weighs.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ShaderReport {
    /// Asset key.
    pub asset: String,
    /// Bytes of the module.
    pub bytes: u64,
    /// Bytes of it that only serve debuggers.
    pub debug_bytes: u64,
    /// Declarations that use it.
    pub uses: Vec<String>,
}

/// What came of checking a pack.
#[derive(Debug)]
pub struct PackReport {
    /// The descriptor, where the text was one.
    pub document: Option<Document>,
    /// Everything found, in the order of the rules: form, descriptor, shaders.
    pub findings: Vec<Finding>,
    /// The shaders, in the order of first use.
    pub shaders: Vec<ShaderReport>,
}

impl PackReport {
    /// Of a pack whose descriptor is missing, or cannot be read for the reason given.
    pub fn unreadable(why: Option<&str>) -> Self {
        let finding = match why {
            None => Finding::new(codes::PACK_MISSING, "$", "The pack descriptor is missing."),
            Some(why) => {
                Finding::new(codes::JSON, "$", format!("The pack descriptor cannot be read: {why}."))
            }
        };
        let mut findings = vec![finding];
        advice::complete(&mut findings, None);
        PackReport { document: None, findings, shaders: Vec::new() }
    }

    /// Nothing is wrong.
    pub fn accepted(&self) -> bool {
        self.findings.iter().all(|f| f.severity < Severity::Error)
    }
}

impl Finding {
    /// The reason as upstream's tools print it: a shader's clause is wrapped in a sentence about pack and asset.
    pub fn reason(&self, pack: &str, abi: &Abi) -> String {
        match &self.shader {
            Some(s) if self.code.name().starts_with("asset-") => {
                format!("Pack '{pack}' asset '{}' {}", s.asset, self.message)
            }
            Some(s) => {
                format!("Pack '{pack}' asset '{}' fails {}: {}.", s.asset, abi.shader_label, self.message)
            }
            None => self.message.clone(),
        }
    }
}

/// Checks the text of a `pack.json` alone, without its shaders.
pub fn check_pack_text(text: &str, options: &Options) -> PackReport {
    let (document, mut findings) = descriptor::read(text);
    if let Some(document) = &document {
        let broken: Vec<String> = findings
            .iter()
            .filter(|f| f.code == codes::WRONG_TYPE || f.code == codes::MISSING_FIELD)
            .map(|f| f.path.clone())
            .collect();
        for mut f in rules::check(&document.descriptor, options) {
            // What is no value at all needs no second finding about its value.
            if broken.iter().any(|b| is_within(&f.path, b)) {
                continue;
            }
            f.position = Some(document.position(&f.path));
            findings.push(f);
        }
    }
    advice::complete(&mut findings, document.as_ref().map(|d| &d.root));
    PackReport { document, findings, shaders: Vec::new() }
}

/// Whether a JSON path is another or leads on from it: `$.a[1].b` does from `$.a[1]`, `$.a[10]` and `$.ab` do not.
fn is_within(path: &str, outer: &str) -> bool {
    path.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

/// Checks a pack: its descriptor, then every shader for every use of it.
pub fn check_pack(text: &str, assets: &mut dyn Assets, options: &Options) -> PackReport {
    let mut report = check_pack_text(text, options);
    let Some(document) = report.document.take() else { return report };
    let mut checker = ShaderCheck {
        assets,
        options,
        loaded: HashMap::new(),
        checked: HashMap::new(),
        pairs: HashMap::new(),
        shaders: Vec::new(),
        findings: Findings::default(),
    };
    for request in requests(&document.descriptor, options) {
        checker.pair(&request);
    }
    let mut findings = checker.findings.into_list();
    advice::complete(&mut findings, Some(&document.root));
    for mut f in findings {
        f.position = Some(document.position(&f.path));
        report.findings.push(f);
    }
    report.shaders = checker.shaders;
    report.document = Some(document);
    report
}

/// One declaration with its two shaders.
struct Request {
    path: String,
    id: String,
    assets: [String; 2],
    access: Access,
}

fn requests(d: &Descriptor, options: &Options) -> Vec<Request> {
    let names = |inputs: &[Named<SemanticInput>]| {
        inputs.iter().filter_map(|n| n.known).map(|s| s.name().to_owned()).collect()
    };
    let passes = d.passes.iter().enumerate().filter_map(|(i, p)| {
        let role = options.abi.role(RoleKind::Pass, &p.semantic.text)?;
        Some(Request {
            path: format!("$.passes[{i}]"),
            id: p.id.clone(),
            assets: [p.vertex_shader_asset.clone(), p.fragment_shader_asset.clone()],
            access: Access { role, inputs: names(&p.semantic_inputs), reads: !p.resource_reads.is_empty() },
        })
    });
    let variants = d.pipeline_variants.iter().enumerate().filter_map(|(i, v)| {
        let role = options.abi.role(RoleKind::Variant, &v.semantic.text)?;
        Some(Request {
            path: format!("$.pipelineVariants[{i}]"),
            id: v.id.clone(),
            assets: [v.vertex_shader_asset.clone(), v.fragment_shader_asset.clone()],
            access: Access { role, inputs: names(&v.semantic_inputs), reads: false },
        })
    });
    passes.chain(variants).collect()
}

const FIELDS: [(Stage, &str); 2] =
    [(Stage::Vertex, "vertexShaderAsset"), (Stage::Fragment, "fragmentShaderAsset")];

struct ShaderCheck<'a> {
    assets: &'a mut dyn Assets,
    options: &'a Options,
    /// Opened once; `None` where it could not be.
    loaded: HashMap<String, Option<Loaded>>,
    /// What was found of a shader for a use: many declarations may use one shader alike.
    checked: HashMap<Use, Arc<[Finding]>>,
    /// What was found of two shaders together, by their places among the reports.
    pairs: HashMap<[usize; 2], Arc<[Finding]>>,
    shaders: Vec<ShaderReport>,
    findings: Findings,
}

#[derive(Clone)]
struct Loaded {
    shader: Arc<Shader>,
    /// Its place among the reports.
    report: usize,
}

/// All that a check of one shader depends on.
#[derive(PartialEq, Eq, Hash)]
struct Use {
    report: usize,
    stage: Stage,
    kind: RoleKind,
    role: &'static str,
    inputs: Vec<String>,
    reads: bool,
}

impl ShaderCheck<'_> {
    fn pair(&mut self, request: &Request) {
        let mut shaders = Vec::new();
        let mut sound = true;
        for ((stage, field), key) in FIELDS.into_iter().zip(&request.assets) {
            let path = format!("{}.{field}", request.path);
            // An unsafe key was reported with the descriptor.
            if !is_safe_asset_key(key) {
                continue;
            }
            let Some(loaded) = self.load(key, stage, &path) else { continue };
            self.shaders[loaded.report].uses.push(request.id.clone());
            if !self.findings.settled() {
                let found = self.check(&loaded, key, stage, &request.access);
                sound &= found.iter().all(|f| f.severity < Severity::Error);
                self.extend(&found, &path);
            }
            shaders.push(loaded);
        }
        if let [vertex, fragment] = shaders.as_slice()
            && sound
            && !self.findings.settled()
        {
            let path = format!("{}.fragmentShaderAsset", request.path);
            let options = self.options;
            let pair = || check_pair(&vertex.shader, &fragment.shader, &request.assets[1], options).into();
            let found = self.pairs.entry([vertex.report, fragment.report]).or_insert_with(pair).clone();
            self.extend(&found, &path);
        }
    }

    fn check(&mut self, loaded: &Loaded, key: &str, stage: Stage, access: &Access) -> Arc<[Finding]> {
        let of = Use {
            report: loaded.report,
            stage,
            kind: access.role.kind,
            role: access.role.name,
            inputs: access.inputs.clone(),
            reads: access.reads,
        };
        let options = self.options;
        let check = || check_shader(&loaded.shader, key, stage, access, options).into();
        self.checked.entry(of).or_insert_with(check).clone()
    }

    fn extend(&mut self, findings: &[Finding], path: &str) {
        for f in findings {
            if self.findings.settled() {
                return;
            }
            self.findings.push(Finding { path: path.to_owned(), ..f.clone() });
        }
    }

    fn load(&mut self, key: &str, stage: Stage, path: &str) -> Option<Loaded> {
        if let Some(loaded) = self.loaded.get(key) {
            return loaded.clone();
        }
        let loaded = match self.assets.open(key) {
            Ok(bytes) if bytes.len() as u64 > LARGEST_ASSET => Err((codes::ASSET_SIZE, ceiling())),
            Ok(bytes) if !looks_like_spirv(&bytes) => {
                Err((codes::ASSET_NOT_SPIRV, "is not valid SPIR-V.".to_owned()))
            }
            Ok(bytes) => {
                let shader = Shader::read(&bytes, self.options);
                self.shaders.push(ShaderReport {
                    asset: key.to_owned(),
                    bytes: bytes.len() as u64,
                    debug_bytes: shader.module().map_or(0, shaderport_spirv::debug_bytes),
                    uses: Vec::new(),
                });
                Ok(Loaded { shader: Arc::new(shader), report: self.shaders.len() - 1 })
            }
            Err(AssetError::Missing(why)) => Err((codes::ASSET_MISSING, format!("cannot be opened: {why}."))),
            Err(AssetError::Outside) => {
                Err((codes::ASSET_OUTSIDE, "lies outside the pack, or behind a symbolic link.".to_owned()))
            }
            Err(AssetError::TooLarge) => Err((codes::ASSET_SIZE, ceiling())),
        };
        let loaded = loaded.map_err(|(code, message)| {
            let mut f = Finding::new(code, path, message);
            f.shader = Some(crate::finding::ShaderSite {
                asset: key.to_owned(),
                stage: Some(stage),
                ..Default::default()
            });
            self.findings.push(f);
        });
        self.loaded.insert(key.to_owned(), loaded.as_ref().ok().cloned());
        loaded.ok()
    }
}

fn ceiling() -> String {
    format!("exceeds the {LARGEST_ASSET}-byte shader ceiling.")
}

/// The check that upstream's loader makes before any other.
fn looks_like_spirv(bytes: &[u8]) -> bool {
    bytes.len().is_multiple_of(4) && bytes.starts_with(&[0x03, 0x02, 0x23, 0x07])
}
