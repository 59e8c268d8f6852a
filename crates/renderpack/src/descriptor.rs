//! The descriptor of a pack, as `pack.json` holds it.
//!
//! Reading is lenient where a rule has something to say: an unknown name or a null list is kept as such, and the
//! rule reports it in its own place and words. What the form itself forbids (unknown fields, duplicate keys, wrong
//! types, missing fields) is reported while reading.

use crate::finding::{Finding, Findings};
use crate::json::{self, Node, Position, Value};
use shaderport_diagnostics::codes::renderpack as codes;
use std::collections::HashSet;
use std::ops::Deref;

/// A name that may be none of the known ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named<E> {
    /// What it stands for, if it is known.
    pub known: Option<E>,
    /// As it stands.
    pub text: String,
}

impl<E: Copy + PartialEq> Named<E> {
    /// Whether it is this one.
    pub fn is(&self, e: E) -> bool {
        self.known == Some(e)
    }
}

/// A list that may be null or absent.
#[derive(Clone, Debug, PartialEq)]
pub struct List<T> {
    items: Vec<T>,
    /// The list is null, or absent where it must not be.
    pub null: bool,
}

impl<T> Default for List<T> {
    fn default() -> Self {
        List { items: Vec::new(), null: false }
    }
}

impl<T> From<Vec<T>> for List<T> {
    fn from(items: Vec<T>) -> Self {
        List { items, null: false }
    }
}

impl<T> Deref for List<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        &self.items
    }
}

/// A set of flags, written as an array of names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// Known flags, as bits in the order of their enum.
    pub bits: u32,
    /// Names that are none: index in the array and text.
    pub unknown: Vec<(usize, String)>,
}

impl Flags {
    /// Whether the flag of that index is set.
    pub fn has(&self, flag: impl Flag) -> bool {
        self.bits & flag.bit() != 0
    }
    /// Whether exactly these are set, and nothing unknown.
    pub fn is_exactly(&self, bits: u32) -> bool {
        self.bits == bits && self.unknown.is_empty()
    }
}

/// An enum whose values are bits.
pub trait Flag: Copy {
    /// Its bit.
    fn bit(self) -> u32;
}

/// Declares an enum whose names are those of the descriptor.
macro_rules! names {
    ($(#[$m:meta])* $name:ident { $( $(#[$vm:meta])* $v:ident),* $(,)? }) => {
        $(#[$m])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[allow(missing_docs)]
        pub enum $name { $( $(#[$vm])* $v),* }

        impl $name {
            /// Every value, in the order of their numbers.
            pub const ALL: &'static [$name] = &[$($name::$v),*];
            /// The name in descriptors.
            pub const fn name(self) -> &'static str {
                match self { $($name::$v => stringify!($v)),* }
            }
        }
        impl std::str::FromStr for $name {
            type Err = ();
            fn from_str(text: &str) -> Result<Self, ()> {
                match text { $(stringify!($v) => Ok($name::$v),)* _ => Err(()) }
            }
        }
        impl Flag for $name {
            fn bit(self) -> u32 { 1 << self as u32 }
        }
        impl Names for $name {
            const NAMES: &'static [&'static str] = &[$(stringify!($v)),*];
        }
    };
}

/// The names of an enum, for messages and schemas.
pub trait Names: 'static {
    /// In the order of their numbers.
    const NAMES: &'static [&'static str];
}

names! {
    /// How far a pack goes.
    Tier { Tier1, Tier2, Tier2Plus }
}
names! {
    /// What a host can do.
    Capability {
        MainWorldColorIntermediate, FullscreenPasses, SceneDepthSampling, SceneNormalSampling, AuthoredSunDirection,
        AuthoredSunScreenPosition, AuthoredWeather, DirectionalShadowMaps, OutdoorDirectionalShadowCasterReplay,
        AnimatedCasterTransforms, AlphaCutoutShadowCasters, GpuTimestampQueries, MultiviewDirectionalShadowCascades,
        AuthoredCelestialDirectionalLight,
    }
}
names! {
    /// Where in a frame a pass runs.
    Hook { ShadowDepthBeforeWorld, AtmosphereBeforeToneMap, ToneMap, AfterToneMapBeforePrivateViewports }
}
names! {
    /// What a shader may ask for by name.
    SemanticInput {
        WorldColor, SceneDepth, SceneNormals, SunDirection, SunScreenPosition, ActiveDayGroup, Weather, CameraMatrices,
        ShadowCasterTransforms, DirectionalShadowMaps, FrameTime, SelectedCelestialDirectionalLight,
    }
}
names! {
    /// What a scene replay draws.
    ReplaySemantic { OutdoorDirectionalShadowCasters }
}
names! {
    /// Classes of shadow casters (flags).
    CasterClass { Terrain, OpaqueWorld, AlphaCutoutWorld, AnimatedOpaque, AnimatedAlphaCutout }
}
names! {
    /// The renderer's pipelines.
    BaseSemantic { Terrain, WorldMesh, EnvCell }
}
names! {
    /// Classes of materials (flags).
    MaterialClass { Opaque, AlphaCutout, AnimatedOpaque, AnimatedAlphaCutout }
}
names! {
    /// Kinds of resources.
    ResourceKind { Image2D, Image2DArray, Buffer }
}
names! {
    /// Classes of formats.
    FormatClass { LdrColor, HdrColor, SingleChannel, DirectionalDepth, StructuredData }
}
names! {
    /// What the numbers of an extent mean.
    ExtentMode { AbsolutePixels, RelativeToMainWorld, RelativeToOutput }
}
names! {
    /// Uses of a resource (flags).
    Usage { Sampled, ColorAttachment, DepthAttachment, Storage, TransferSource, TransferDestination }
}
names! {
    /// How long a resource lives.
    Lifetime { TransientPass, FrameFlight, ActivePack }
}
names! {
    /// Roles of resources.
    ResourceSemantic {
        Custom, MainWorldHdr, BloomPing, BloomPong, SunOcclusionMask, SunRays, DirectionalShadowDepth, VolumetricShafts,
    }
}
names! {
    /// Roles of passes.
    PassSemantic {
        CustomFullscreen, DirectionalShadowDepth, BloomDownsample, BloomBlurHorizontal, BloomBlurVertical, SunOcclusion,
        SunRays, VolumetricShafts, FilmicComposite,
    }
}
names! {
    /// Roles of pipeline variants.
    VariantSemantic {
        Custom, TerrainDirectionalShadowCaster, WorldOpaqueDirectionalShadowCaster,
        WorldAlphaCutoutDirectionalShadowCaster, TerrainDirectionalShadowReceiver, WorldDirectionalShadowReceiver,
        TerrainMultiviewDirectionalShadowCaster, WorldOpaqueMultiviewDirectionalShadowCaster,
        WorldAlphaCutoutMultiviewDirectionalShadowCaster,
    }
}
names! {
    /// Roles of quality presets.
    QualitySemantic { Custom, Low, Medium, High, Automatic }
}
names! {
    /// Ways to execute a preset (flags).
    ExecutionHint { FusedAtmosphericPostProcess, MultiviewDirectionalShadowCascades }
}
names! {
    /// Kinds of settings.
    SettingKind { Boolean, Integer, Float, Choice }
}
names! {
    /// Roles of settings.
    SettingSemantic {
        Custom, BloomStrength, FilmicStrength, Exposure, GradeSaturation, GradeContrast, VignetteStrength, SunRayStrength,
        DirectionalShadowStrength, DirectionalShadowReachMetres, DirectionalShadowPcfTaps, VolumetricStrength,
        VolumetricRayMarchSteps, AutomaticQuality, WindEnabled, WindStrength, WindDirectionDegrees, WindLeanMetres,
        WindBranchMetres, WindFlutterMetres, WindCanopyHeightMetres,
    }
}
names! {
    /// Kinds of weather, with the numbers that shaders see.
    WeatherKind { Clear, Overcast, Rain, Snow, Storm }
}

/// A whole descriptor.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct Descriptor {
    pub id: String,
    pub display_name: String,
    pub pack_version: String,
    pub pack_api_version: i64,
    pub highest_tier: Named<Tier>,
    pub required_capabilities: List<Named<Capability>>,
    pub optional_capabilities: List<Named<Capability>>,
    pub resources: List<Resource>,
    pub passes: List<Pass>,
    pub scene_replays: List<Replay>,
    pub pipeline_variants: List<Variant>,
    pub quality_presets: List<Preset>,
    pub settings: List<Setting>,
    pub atmosphere_policy: Option<Policy>,
    pub feature_summary: String,
}

/// How large an image is.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct Extent {
    pub mode: Named<ExtentMode>,
    pub width: f64,
    pub height: f64,
    pub layers: i64,
}

/// An image that passes read and write.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct Resource {
    pub id: String,
    pub kind: Named<ResourceKind>,
    pub format: Named<FormatClass>,
    pub extent: Option<Extent>,
    pub size_bytes: i64,
    pub usage: Flags,
    pub lifetime: Named<Lifetime>,
    pub estimated_resident_bytes: i64,
    pub semantic: Named<ResourceSemantic>,
}

/// A pass.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct Pass {
    pub id: String,
    pub hook: Named<Hook>,
    pub vertex_shader_asset: String,
    pub fragment_shader_asset: String,
    pub semantic_inputs: List<Named<SemanticInput>>,
    pub resource_reads: List<String>,
    pub resource_writes: List<String>,
    pub semantic: Named<PassSemantic>,
}

/// A replay of retained geometry.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct Replay {
    pub id: String,
    pub semantic: Named<ReplaySemantic>,
    pub caster_classes: Flags,
    pub view_count: i64,
}

/// A variant of one of the renderer's pipelines.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct Variant {
    pub id: String,
    pub base_semantic: Named<BaseSemantic>,
    pub vertex_shader_asset: String,
    pub fragment_shader_asset: String,
    pub compatible_materials: Flags,
    pub semantic_inputs: List<Named<SemanticInput>>,
    pub semantic: Named<VariantSemantic>,
}

/// A quality preset.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct Preset {
    pub id: String,
    pub display_name: String,
    pub required_capabilities: List<Named<Capability>>,
    pub resource_overrides: List<ResourceOverride>,
    pub setting_overrides: List<SettingOverride>,
    pub max_resident_gpu_bytes: i64,
    /// GPU P50 and P99, then CPU P50 and P99, in milliseconds.
    pub milliseconds: [f64; 4],
    pub auto_eligible: bool,
    pub semantic: Named<QualitySemantic>,
    pub execution_hints: Flags,
}

/// Field names of [`Preset::milliseconds`].
pub const MILLISECONDS: [&str; 4] = [
    "maxIncrementalGpuMillisecondsP50",
    "maxIncrementalGpuMillisecondsP99",
    "maxIncrementalCpuMillisecondsP50",
    "maxIncrementalCpuMillisecondsP99",
];

/// A preset's own size of a resource.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct ResourceOverride {
    pub resource_id: String,
    pub extent: Option<Extent>,
    pub size_bytes: i64,
    pub estimated_resident_bytes: i64,
}

/// A preset's own value of a setting.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct SettingOverride {
    pub setting_id: String,
    pub value: String,
}

/// A setting.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct Setting {
    pub id: String,
    pub display_name: String,
    pub kind: Named<SettingKind>,
    /// `None` for null.
    pub default_value: Option<String>,
    pub minimum: Option<f64>,
    pub maximum: Option<f64>,
    pub step: Option<f64>,
    pub choices: List<String>,
    pub semantic: Named<SettingSemantic>,
}

/// A point of a response curve.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct CurvePoint {
    pub elevation_degrees: f64,
    pub multiplier: f64,
}

/// The multiplier of one day group.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct DayGroup {
    pub active_day_group: i64,
    pub multiplier: f64,
}

/// Wind on foliage in one kind of weather.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct WindPoint {
    pub weather_kind: String,
    pub mean: f64,
    pub gust: f64,
}

/// How a pack answers sun, moon, day and weather.
#[derive(Clone, Debug, Default, PartialEq)]
#[allow(missing_docs)]
pub struct Policy {
    pub sun_elevation_response: List<CurvePoint>,
    pub active_day_group_multipliers: List<DayGroup>,
    pub directional_shadow_light_elevation_response: List<CurvePoint>,
    pub volumetric_shaft_sun_elevation_response: List<CurvePoint>,
    pub foliage_wind_by_weather: List<WindPoint>,
    pub foliage_exclusions: List<u32>,
}

/// A descriptor with the text that it was read from.
#[derive(Debug)]
pub struct Document {
    /// The descriptor, as far as it could be read.
    pub descriptor: Descriptor,
    pub(crate) root: Node,
}

impl Document {
    /// Where the value at a path stands, or the nearest value above it.
    pub fn position(&self, path: &str) -> Position {
        self.root.nearest(path).at
    }
}

/// Reads `pack.json`. Findings are those of the form; `None` only where the text is no JSON object.
pub fn read(text: &str) -> (Option<Document>, Vec<Finding>) {
    let mut findings = Findings::default();
    let root = match json::parse(text) {
        Ok(root) => root,
        Err(e) => {
            findings.add(codes::JSON, "$", e.message);
            let mut list = findings.into_list();
            list.iter_mut().for_each(|f| f.position = Some(e.at));
            return (None, list);
        }
    };
    let Value::Object(_) = root.value else {
        findings.add(
            codes::WRONG_TYPE,
            "$",
            format!("the descriptor is {}, not an object", root.value.kind()),
        );
        return (None, findings.into_list());
    };
    let descriptor = descriptor(Record::new(&root, "$".into(), &mut findings));
    let mut list = findings.into_list();
    for f in &mut list {
        f.position.get_or_insert(root.nearest(&f.path).at);
    }
    (Some(Document { descriptor, root }), list)
}

/// Reads the fields of one object, and knows which ones were asked for.
pub(crate) struct Record<'n, 'f> {
    node: &'n Node,
    path: String,
    asked: Vec<&'static str>,
    findings: &'f mut Findings,
}

impl<'n, 'f> Record<'n, 'f> {
    pub(crate) fn new(node: &'n Node, path: String, findings: &'f mut Findings) -> Self {
        if let Value::Object(object) = &node.value {
            let mut seen = HashSet::new();
            for e in &object.entries {
                if !seen.insert(e.key.as_str()) {
                    findings.add_at(
                        codes::DUPLICATE_KEY,
                        &format!("{path}.{}", e.key),
                        e.at,
                        format!("the key `{}` stands twice", e.key),
                    );
                }
            }
        } else {
            findings.add(
                codes::WRONG_TYPE,
                &path,
                format!("an object is expected here, not {}", node.value.kind()),
            );
        }
        Record { node, path, asked: Vec::new(), findings }
    }

    fn entry(&mut self, key: &'static str) -> Option<&'n Node> {
        // A field may be looked at before it is read.
        if !self.asked.contains(&key) {
            self.asked.push(key);
        }
        match &self.node.value {
            Value::Object(object) => object.get(key),
            _ => None,
        }
    }

    /// Reports the fields that nothing asked for.
    pub(crate) fn finish(self) {
        let Value::Object(object) = &self.node.value else { return };
        for e in &object.entries {
            if self.asked.contains(&e.key.as_str()) {
                continue;
            }
            let path = format!("{}.{}", self.path, e.key);
            let nearest = self.asked.iter().find(|a| a.eq_ignore_ascii_case(&e.key) || close(a, &e.key));
            let f = self.findings.add_at(
                codes::UNKNOWN_FIELD,
                &path,
                e.at,
                format!("the field `{}` is unknown", e.key),
            );
            f.expected = Some(format!("one of {}", self.asked.join(", ")));
            f.found = Some(e.key.clone());
            f.help = nearest.map(|n| format!("write `{n}`"));
        }
    }

    fn missing(&mut self, key: &str) {
        // An object of the wrong type has been reported as such.
        if matches!(self.node.value, Value::Object(_)) {
            self.findings.add(
                codes::MISSING_FIELD,
                &format!("{}.{key}", self.path),
                format!("the field `{key}` is missing"),
            );
        }
    }

    fn wrong(&mut self, key: &str, expected: &str, found: &Node) {
        wrong(self.findings, &format!("{}.{key}", self.path), expected, found);
    }

    pub(crate) fn string(&mut self, key: &'static str) -> String {
        match self.entry(key) {
            Some(Node { value: Value::String(s), .. }) => s.clone(),
            Some(n) => {
                self.wrong(key, "a string", n);
                String::new()
            }
            None => {
                self.missing(key);
                String::new()
            }
        }
    }

    /// A string that rules see as null where it is null or absent.
    fn nullable_string(&mut self, key: &'static str) -> Option<String> {
        match self.entry(key) {
            Some(Node { value: Value::String(s), .. }) => Some(s.clone()),
            None | Some(Node { value: Value::Null, .. }) => None,
            Some(n) => {
                self.wrong(key, "a string", n);
                Some(String::new())
            }
        }
    }

    pub(crate) fn bool_or(&mut self, key: &'static str, default: bool) -> bool {
        match self.entry(key) {
            Some(Node { value: Value::Bool(b), .. }) => *b,
            None => default,
            Some(n) => {
                self.wrong(key, "true or false", n);
                default
            }
        }
    }

    fn integer_of(&mut self, key: &'static str, node: &Node) -> i64 {
        if let Value::Number(text) = &node.value
            && let Ok(v) = text.parse::<i64>()
        {
            return v;
        }
        self.wrong(key, "a whole number of 64 bits", node);
        0
    }

    pub(crate) fn integer(&mut self, key: &'static str) -> i64 {
        match self.entry(key) {
            Some(n) => self.integer_of(key, n),
            None => {
                self.missing(key);
                0
            }
        }
    }

    pub(crate) fn integer_or(&mut self, key: &'static str, default: i64) -> i64 {
        match self.entry(key) {
            Some(n) => self.integer_of(key, n),
            None => default,
        }
    }

    /// An integer of the width that hosts have for it.
    fn integer_32(&mut self, key: &'static str) -> i64 {
        let value = self.integer(key);
        if let Some(node) = self.entry(key).filter(|_| i32::try_from(value).is_err()) {
            self.wrong(key, "a whole number of 32 bits", node);
        }
        value
    }

    fn number_of(&mut self, key: &'static str, node: &Node) -> f64 {
        if let Value::Number(text) = &node.value {
            // Too large for a double becomes infinite, which the rules refuse.
            if let Ok(v) = text.parse::<f64>() {
                return v;
            }
        }
        self.wrong(key, "a number", node);
        0.0
    }

    pub(crate) fn number(&mut self, key: &'static str) -> f64 {
        match self.entry(key) {
            Some(n) => self.number_of(key, n),
            None => {
                self.missing(key);
                0.0
            }
        }
    }

    fn nullable_number(&mut self, key: &'static str) -> Option<f64> {
        match self.entry(key) {
            None | Some(Node { value: Value::Null, .. }) => None,
            Some(n) => Some(self.number_of(key, n)),
        }
    }

    fn name<E: std::str::FromStr>(&mut self, key: &'static str) -> Named<E> {
        let text = self.string(key);
        Named { known: text.parse().ok(), text }
    }

    fn name_or<E: std::str::FromStr>(&mut self, key: &'static str, default: &str) -> Named<E> {
        if self.entry(key).is_none() {
            return Named { known: default.parse().ok(), text: default.to_owned() };
        }
        self.name(key)
    }

    /// A list; null where it is null or absent.
    fn list<T>(
        &mut self,
        key: &'static str,
        mut item: impl FnMut(&'n Node, String, &mut Findings) -> T,
    ) -> List<T> {
        match self.entry(key) {
            Some(Node { value: Value::Array(items), .. }) => {
                let mut out = Vec::with_capacity(items.len());
                for (i, n) in items.iter().enumerate() {
                    out.push(item(n, format!("{}.{key}[{i}]", self.path), self.findings));
                }
                out.into()
            }
            None | Some(Node { value: Value::Null, .. }) => List { items: Vec::new(), null: true },
            Some(n) => {
                self.wrong(key, "an array", n);
                List::default()
            }
        }
    }

    /// A list that may be left out.
    fn optional_list<T>(
        &mut self,
        key: &'static str,
        item: impl FnMut(&'n Node, String, &mut Findings) -> T,
    ) -> List<T> {
        if self.entry(key).is_none() { List::default() } else { self.list(key, item) }
    }

    fn names<E: std::str::FromStr>(&mut self, key: &'static str) -> List<Named<E>> {
        self.list(key, |n, path, f| {
            let text = text_of(n, &path, f);
            Named { known: text.parse().ok(), text }
        })
    }

    pub(crate) fn strings(&mut self, key: &'static str) -> List<String> {
        self.list(key, |n, path, f| text_of(n, &path, f))
    }

    fn flags<E: Flag + std::str::FromStr>(&mut self, key: &'static str) -> Flags {
        let list: List<Named<E>> = self.names(key);
        if list.null {
            self.missing(key);
        }
        let mut flags = Flags::default();
        for (i, n) in list.iter().enumerate() {
            match n.known {
                Some(e) => flags.bits |= e.bit(),
                None => flags.unknown.push((i, n.text.clone())),
            }
        }
        flags
    }
}

fn wrong(findings: &mut Findings, path: &str, expected: &str, found: &Node) {
    let kind = found.value.kind();
    let shown = match &found.value {
        Value::Number(n) => n.clone(),
        _ => kind.to_owned(),
    };
    let f = findings.add(codes::WRONG_TYPE, path, format!("{expected} is expected here, not {shown}"));
    f.expected = Some(expected.to_owned());
    f.found = Some(shown);
}

fn text_of(n: &Node, path: &str, findings: &mut Findings) -> String {
    match &n.value {
        Value::String(s) => s.clone(),
        _ => {
            wrong(findings, path, "a string", n);
            String::new()
        }
    }
}

/// One letter apart, or one letter more or less.
pub(crate) fn close(a: &str, b: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().abs_diff(b.len()) > 1 {
        return false;
    }
    let start = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    let end = a[start..].iter().rev().zip(b[start..].iter().rev()).take_while(|(x, y)| x == y).count();
    a.len().max(b.len()) - start - end <= 1
}

/// Reads a record by a function of its fields, then reports unknown fields.
fn record<T>(read: impl Fn(&mut Record<'_, '_>) -> T) -> impl Fn(&Node, String, &mut Findings) -> T {
    move |node, path, findings| {
        let mut r = Record::new(node, path, findings);
        let out = read(&mut r);
        r.finish();
        out
    }
}

fn descriptor(mut r: Record<'_, '_>) -> Descriptor {
    let d = Descriptor {
        id: r.string("id"),
        display_name: r.string("displayName"),
        pack_version: r.string("packVersion"),
        pack_api_version: r.integer("packApiVersion"),
        highest_tier: r.name("highestTier"),
        required_capabilities: r.names("requiredCapabilities"),
        optional_capabilities: r.names("optionalCapabilities"),
        resources: r.list("resources", record(resource)),
        passes: r.list("passes", record(pass)),
        scene_replays: r.list("sceneReplays", record(replay)),
        pipeline_variants: r.list("pipelineVariants", record(variant)),
        quality_presets: r.list("qualityPresets", record(preset)),
        settings: r.list("settings", record(setting)),
        atmosphere_policy: match r.entry("atmospherePolicy") {
            None | Some(Node { value: Value::Null, .. }) => None,
            Some(n) => {
                let path = format!("{}.atmospherePolicy", r.path);
                Some(record(policy)(n, path, r.findings))
            }
        },
        feature_summary: match r.entry("featureSummary") {
            None => String::new(),
            Some(_) => r.string("featureSummary"),
        },
    };
    r.finish();
    d
}

fn extent(r: &mut Record<'_, '_>) -> Option<Extent> {
    let node = r.entry("extent")?;
    if matches!(node.value, Value::Null) {
        return None;
    }
    let path = format!("{}.extent", r.path);
    let read = record(|r| Extent {
        mode: r.name("mode"),
        width: r.number("width"),
        height: r.number("height"),
        layers: r.integer_or("layers", 1),
    });
    Some(read(node, path, r.findings))
}

fn resource(r: &mut Record<'_, '_>) -> Resource {
    Resource {
        id: r.string("id"),
        kind: r.name("kind"),
        format: r.name("format"),
        extent: extent(r),
        size_bytes: r.integer("sizeBytes"),
        usage: r.flags::<Usage>("usage"),
        lifetime: r.name("lifetime"),
        estimated_resident_bytes: r.integer("estimatedResidentBytes"),
        semantic: r.name_or("semantic", "Custom"),
    }
}

fn pass(r: &mut Record<'_, '_>) -> Pass {
    Pass {
        id: r.string("id"),
        hook: r.name("hook"),
        vertex_shader_asset: r.string("vertexShaderAsset"),
        fragment_shader_asset: r.string("fragmentShaderAsset"),
        semantic_inputs: r.names("semanticInputs"),
        resource_reads: r.strings("resourceReads"),
        resource_writes: r.strings("resourceWrites"),
        semantic: r.name_or("semantic", "CustomFullscreen"),
    }
}

fn replay(r: &mut Record<'_, '_>) -> Replay {
    Replay {
        id: r.string("id"),
        semantic: r.name("semantic"),
        caster_classes: r.flags::<CasterClass>("casterClasses"),
        view_count: r.integer("viewCount"),
    }
}

fn variant(r: &mut Record<'_, '_>) -> Variant {
    Variant {
        id: r.string("id"),
        base_semantic: r.name("baseSemantic"),
        vertex_shader_asset: r.string("vertexShaderAsset"),
        fragment_shader_asset: r.string("fragmentShaderAsset"),
        compatible_materials: r.flags::<MaterialClass>("compatibleMaterials"),
        semantic_inputs: r.names("semanticInputs"),
        semantic: r.name_or("semantic", "Custom"),
    }
}

fn preset(r: &mut Record<'_, '_>) -> Preset {
    Preset {
        id: r.string("id"),
        display_name: r.string("displayName"),
        required_capabilities: r.names("requiredCapabilities"),
        resource_overrides: r.list(
            "resourceOverrides",
            record(|r| ResourceOverride {
                resource_id: r.string("resourceId"),
                extent: extent(r),
                size_bytes: r.integer("sizeBytes"),
                estimated_resident_bytes: r.integer("estimatedResidentBytes"),
            }),
        ),
        setting_overrides: r.list(
            "settingOverrides",
            record(|r| SettingOverride { setting_id: r.string("settingId"), value: r.string("value") }),
        ),
        max_resident_gpu_bytes: r.integer("maxResidentGpuBytes"),
        milliseconds: MILLISECONDS.map(|key| r.number(key)),
        auto_eligible: r.bool_or("autoEligible", true),
        semantic: r.name_or("semantic", "Custom"),
        execution_hints: if r.entry("executionHints").is_none() {
            Flags::default()
        } else {
            r.flags::<ExecutionHint>("executionHints")
        },
    }
}

fn setting(r: &mut Record<'_, '_>) -> Setting {
    Setting {
        id: r.string("id"),
        display_name: r.string("displayName"),
        kind: r.name("kind"),
        default_value: r.nullable_string("defaultValue"),
        minimum: r.nullable_number("minimum"),
        maximum: r.nullable_number("maximum"),
        step: r.nullable_number("step"),
        choices: r.strings("choices"),
        semantic: r.name_or("semantic", "Custom"),
    }
}

fn curve_point(r: &mut Record<'_, '_>) -> CurvePoint {
    CurvePoint { elevation_degrees: r.number("elevationDegrees"), multiplier: r.number("multiplier") }
}

fn policy(r: &mut Record<'_, '_>) -> Policy {
    Policy {
        sun_elevation_response: r.list("sunElevationResponse", record(curve_point)),
        active_day_group_multipliers: r.list(
            "activeDayGroupMultipliers",
            record(|r| DayGroup {
                active_day_group: r.integer_32("activeDayGroup"),
                multiplier: r.number("multiplier"),
            }),
        ),
        directional_shadow_light_elevation_response: r
            .optional_list("directionalShadowLightElevationResponse", record(curve_point)),
        volumetric_shaft_sun_elevation_response: r
            .optional_list("volumetricShaftSunElevationResponse", record(curve_point)),
        foliage_wind_by_weather: r.optional_list(
            "foliageWindByWeather",
            record(|r| WindPoint {
                weather_kind: r.string("weatherKind"),
                mean: r.number("mean"),
                gust: r.number("gust"),
            }),
        ),
        foliage_exclusions: r.optional_list("foliageExclusions", |n, path, f| match &n.value {
            Value::Number(text) if text.parse::<u32>().is_ok() => text.parse().unwrap_or_default(),
            _ => {
                wrong(f, &path, "a whole number of 32 bits without sign", n);
                0
            }
        }),
    }
}
