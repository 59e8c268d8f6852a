//! `shaderport schema`.

use crate::Exit;
use crate::args::SchemaName;
use crate::effect::BuildReport;
use crate::output::{Fatal, Out};
use crate::pack::check::CheckReport;
use crate::pack::check_shader::ShaderCheckReport;
use crate::pack::resolve::ResolveReport;
use crate::report::{InputReport, LinkReport, SummaryLine};
use crate::run::report::RunReport;
use crate::spirv::SpirvReport;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use shaderport::effect::budget::Table;
use shaderport::effect::describe::Index;
use shaderport::effect::package::PackageIndex;
use shaderport::linker::Profile;
use shaderport::renderpack::abi::Abi;
use shaderport::renderpack::host::budget::Plan;
use shaderport::renderpack::schema::{descriptor_schema, device_schema};
use shaderport::{Inspection, Manifest, ProgramManifest};
use std::borrow::Cow;

pub(crate) fn run(name: SchemaName, out: &mut Out) -> Result<Exit, Fatal> {
    let schema = match name {
        SchemaName::Manifest => schema_of::<Manifest>(),
        SchemaName::Translate => schema_of::<Line>(),
        SchemaName::Inspect => schema_of::<Inspection<'_>>(),
        SchemaName::Program => schema_of::<ProgramManifest>(),
        SchemaName::Profile => SchemaSettings::default().into_generator().into_root_schema_for::<Profile>(),
        SchemaName::Link => schema_of::<LinkReport>(),
        SchemaName::Run => schema_of::<RunReport>(),
        SchemaName::Spirv => schema_of::<SpirvReport>(),
        SchemaName::Pack => return whole(&descriptor_schema(), out),
        SchemaName::Device => return whole(&device_schema(), out),
        SchemaName::PackCheck => schema_of::<CheckReport<'_>>(),
        SchemaName::PackCheckShader => schema_of::<ShaderCheckReport<'_>>(),
        SchemaName::PackResolve => schema_of::<ResolveReport<'_>>(),
        SchemaName::PackPlan => schema_of::<Vec<Plan>>(),
        SchemaName::PackAbi => schema_of::<Abi>(),
        SchemaName::Effect => schema_of::<Index>(),
        SchemaName::Package => schema_of::<PackageIndex>(),
        SchemaName::EffectBuild => schema_of::<BuildReport>(),
        SchemaName::EffectTable => schema_of::<Table>(),
    };
    out.json_pretty(&schema)?;
    Ok(Exit::Fine)
}

/// A schema that is written by hand.
fn whole(schema: &serde_json::Value, out: &mut Out) -> Result<Exit, Fatal> {
    out.json_pretty(schema)?;
    Ok(Exit::Fine)
}

/// The schema of what is written, which says more than that of what would be read: keys that are always there are
/// required.
fn schema_of<T: JsonSchema>() -> Schema {
    SchemaSettings::default().for_serialize().into_generator().into_root_schema_for::<T>()
}

/// Any line of `translate --format json`.
enum Line {}

impl JsonSchema for Line {
    fn schema_name() -> Cow<'static, str> {
        "Line".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let lines = [generator.subschema_for::<InputReport>(), generator.subschema_for::<SummaryLine>()];
        json_schema!({ "description": "A line of `translate --format json`.", "anyOf": lines })
    }
}
