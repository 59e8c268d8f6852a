//! JSON Schemas of the files that people write. The names come from the same lists that the reader uses.

use crate::descriptor::{
    BaseSemantic, Capability, CasterClass, ExecutionHint, ExtentMode, FormatClass, Hook, Lifetime,
    MILLISECONDS, MaterialClass, Names, PassSemantic, QualitySemantic, ReplaySemantic, ResourceKind,
    ResourceSemantic, SemanticInput, SettingKind, SettingSemantic, Tier, Usage, VariantSemantic, WeatherKind,
};
use serde_json::{Map, Value, json};

const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

fn names<E: Names>() -> Value {
    json!({ "enum": E::NAMES })
}

fn list(items: Value) -> Value {
    json!({ "type": "array", "items": items })
}

fn nullable(value: Value) -> Value {
    json!({ "anyOf": [value, { "type": "null" }] })
}

/// An object with all fields required but the optional ones, and no others.
fn object(required: Vec<(&str, Value)>, optional: Vec<(&str, Value)>) -> Value {
    let keys: Vec<String> = required.iter().map(|(k, _)| (*k).to_owned()).collect();
    let properties: Map<String, Value> =
        required.into_iter().chain(optional).map(|(k, v)| (k.to_owned(), v)).collect();
    json!({ "type": "object", "properties": properties, "required": keys, "additionalProperties": false })
}

fn text() -> Value {
    json!({ "type": "string" })
}

fn id() -> Value {
    json!({ "type": "string", "pattern": "^[a-z][a-z0-9._-]{0,127}$" })
}

fn number() -> Value {
    json!({ "type": "number" })
}

fn whole(minimum: i64) -> Value {
    json!({ "type": "integer", "minimum": minimum })
}

/// The schema of `pack.json`.
pub fn descriptor_schema() -> Value {
    let extent = object(
        vec![("mode", names::<ExtentMode>()), ("width", number()), ("height", number())],
        vec![("layers", json!({ "type": "integer", "minimum": 1, "maximum": 256, "default": 1 }))],
    );
    let resource = object(
        vec![
            ("id", id()),
            ("kind", names::<ResourceKind>()),
            ("format", names::<FormatClass>()),
            ("sizeBytes", whole(0)),
            ("usage", list(names::<Usage>())),
            ("lifetime", names::<Lifetime>()),
            ("estimatedResidentBytes", whole(0)),
        ],
        vec![("extent", nullable(extent.clone())), ("semantic", names::<ResourceSemantic>())],
    );
    let shaders = || [("vertexShaderAsset", text()), ("fragmentShaderAsset", text())];
    let mut pass = vec![("id", id()), ("hook", names::<Hook>())];
    pass.extend(shaders());
    pass.extend([
        ("semanticInputs", list(names::<SemanticInput>())),
        ("resourceReads", list(text())),
        ("resourceWrites", list(text())),
    ]);
    let mut variant = vec![("id", id()), ("baseSemantic", names::<BaseSemantic>())];
    variant.extend(shaders());
    variant.extend([
        ("compatibleMaterials", list(names::<MaterialClass>())),
        ("semanticInputs", list(names::<SemanticInput>())),
    ]);
    let replay = object(
        vec![
            ("id", id()),
            ("semantic", names::<ReplaySemantic>()),
            ("casterClasses", list(names::<CasterClass>())),
            ("viewCount", json!({ "type": "integer", "minimum": 1, "maximum": 4 })),
        ],
        vec![],
    );
    let resource_override = object(
        vec![("resourceId", text()), ("sizeBytes", whole(0)), ("estimatedResidentBytes", whole(0))],
        vec![("extent", nullable(extent))],
    );
    let mut preset = vec![
        ("id", id()),
        ("displayName", text()),
        ("requiredCapabilities", list(names::<Capability>())),
        ("resourceOverrides", list(resource_override)),
        ("settingOverrides", list(object(vec![("settingId", text()), ("value", text())], vec![]))),
        ("maxResidentGpuBytes", whole(0)),
    ];
    preset.extend(MILLISECONDS.map(|key| (key, json!({ "type": "number", "minimum": 0 }))));
    let setting = object(
        vec![
            ("id", id()),
            ("displayName", text()),
            ("kind", names::<SettingKind>()),
            ("defaultValue", text()),
            ("choices", list(text())),
        ],
        vec![
            ("minimum", nullable(number())),
            ("maximum", nullable(number())),
            ("step", nullable(number())),
            ("semantic", names::<SettingSemantic>()),
        ],
    );
    let curve = || {
        list(object(
            vec![
                ("elevationDegrees", json!({ "type": "number", "minimum": -90, "maximum": 90 })),
                ("multiplier", json!({ "type": "number", "minimum": 0 })),
            ],
            vec![],
        ))
    };
    let policy = object(
        vec![
            ("sunElevationResponse", curve()),
            (
                "activeDayGroupMultipliers",
                list(object(
                    vec![("activeDayGroup", json!({ "type": "integer" })), ("multiplier", number())],
                    vec![],
                )),
            ),
        ],
        vec![
            ("directionalShadowLightElevationResponse", curve()),
            ("volumetricShaftSunElevationResponse", curve()),
            (
                "foliageWindByWeather",
                list(object(
                    vec![("weatherKind", names::<WeatherKind>()), ("mean", number()), ("gust", number())],
                    vec![],
                )),
            ),
            ("foliageExclusions", list(json!({ "type": "integer", "minimum": 0, "maximum": u32::MAX }))),
        ],
    );
    let mut schema = object(
        vec![
            ("id", id()),
            ("displayName", text()),
            ("packVersion", json!({ "type": "string", "pattern": "^[0-9]+(\\.[0-9]+){1,3}$" })),
            ("packApiVersion", json!({ "const": 1 })),
            ("highestTier", names::<Tier>()),
            ("requiredCapabilities", list(names::<Capability>())),
            ("optionalCapabilities", list(names::<Capability>())),
            ("resources", list(resource)),
            ("passes", list(object(pass, vec![("semantic", names::<PassSemantic>())]))),
            ("sceneReplays", list(replay)),
            ("pipelineVariants", list(object(variant, vec![("semantic", names::<VariantSemantic>())]))),
            (
                "qualityPresets",
                list(object(
                    preset,
                    vec![
                        ("autoEligible", json!({ "type": "boolean", "default": true })),
                        ("semantic", names::<QualitySemantic>()),
                        ("executionHints", list(names::<ExecutionHint>())),
                    ],
                )),
            ),
            ("settings", list(setting)),
            ("featureSummary", text()),
        ],
        vec![("atmospherePolicy", nullable(policy))],
    );
    schema["$schema"] = json!(DIALECT);
    schema["title"] = json!("Render pack");
    schema
}

/// The schema of a device file.
pub fn device_schema() -> Value {
    let mut schema = object(
        vec![],
        vec![
            ("capabilities", list(names::<Capability>())),
            ("videoMemoryBytes", whole(1)),
            ("maxImageEdge", whole(1)),
            ("maxImageLayers", whole(1)),
            ("residentBytes", whole(0)),
            ("transientBytes", whole(0)),
            ("mainWorldWidth", whole(1)),
            ("mainWorldHeight", whole(1)),
            ("samples", whole(1)),
        ],
    );
    schema["$schema"] = json!(DIALECT);
    schema["title"] = json!("Device");
    schema["description"] =
        json!("What is left out is as on a device that can do everything, at 1920 by 1080.");
    schema
}
