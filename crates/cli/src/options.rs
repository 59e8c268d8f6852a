//! The translator's options as arguments.

use crate::inputs::read_text;
use crate::output::Fatal;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use shaderport::diagnostics::codes::cli as codes;
use shaderport::glsl::options::{
    BufferCapacity, BufferForm, BufferLength, CbOutOfBounds, DepthRange, Extension, Fidelity,
    IntegerAttributes, Limits, Options, Registers,
};
use shaderport::linker::{LinkOptions, Profile};
use std::path::Path;

/// A choice: each value's name, what it does, and the value.
type Choice<T> = &'static [(&'static str, &'static str, T)];

const DEPTH_RANGE: Choice<DepthRange> = &[
    ("gl", "z' = 2z - w, for OpenGL's depth of -w to w", DepthRange::Gl),
    ("reversed", "z' = w - 2z, for engines that render with reversed depth", DepthRange::Reversed),
    ("d3d", "z' = z, for hosts that use EXT_clip_control", DepthRange::D3d),
];
const INTEGER_ATTRIBUTES: Choice<IntegerAttributes> = &[
    ("float", "floats that hold the integer's value (vertexAttribPointer)", IntegerAttributes::Float),
    ("native", "integers (vertexAttribIPointer)", IntegerAttributes::Native),
];
const FIDELITY: Choice<Fidelity> = &[
    ("strict", "NaN, infinities, conversions and reads out of bounds as Direct3D has them", Fidelity::Strict),
    ("fast", "GLSL's own functions where they are the same for ordinary numbers", Fidelity::Fast),
];
const CB_OOB: Choice<CbOutOfBounds> = &[
    ("declared", "0, guarded by the declared size", CbOutOfBounds::Declared),
    ("driver", "whatever WebGL's own bounds give", CbOutOfBounds::Driver),
];
const REGISTERS: Choice<Registers> = &[
    ("typed", "each live range in the type that it needs", Registers::Typed),
    ("float", "one vec4 a register, integers as float bit patterns", Registers::Float),
];
const BUFFER_FORM: Choice<BufferForm> = &[
    ("block", "a std140 uniform block of fixed capacity", BufferForm::Block),
    ("texture", "an RGBA32UI data texture", BufferForm::Texture),
];
const BUFFER_LENGTH: Choice<BufferLength> = &[
    ("capacity", "the capacity it was translated with", BufferLength::Capacity),
    ("uniform", "a uint uniform that the manifest names", BufferLength::Uniform),
];

/// Parses one of the names of `choice` and shows them in the help.
fn choice<T: Copy + Send + Sync>(choice: Choice<T>) -> impl TypedValueParser<Value = T> {
    let names = choice.iter().map(|(name, help, _)| PossibleValue::new(*name).help(*help));
    PossibleValuesParser::new(names).try_map(move |given| {
        choice.iter().find(|(name, ..)| *name == given).map(|c| c.2).ok_or("unknown value")
    })
}

/// The translator's options.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Translator options")]
pub(crate) struct TranslatorArgs {
    /// How clip-space depth is mapped [default: gl, or what the profile says]
    #[arg(long, value_name = "MAPPING", value_parser = choice(DEPTH_RANGE))]
    depth_range: Option<DepthRange>,

    /// Negate gl_Position.y, so that row 0 of the image is Direct3D's row 0
    #[arg(long)]
    flip_y: bool,

    /// How integer vertex attributes are declared [default: float, or what the profile says]
    #[arg(long, value_name = "TYPE", value_parser = choice(INTEGER_ATTRIBUTES))]
    integer_attributes: Option<IntegerAttributes>,

    /// How close the arithmetic stays to Direct3D's
    #[arg(long, value_name = "LEVEL", value_parser = choice(FIDELITY), default_value = "strict")]
    fidelity: Fidelity,

    /// What a constant-buffer read past the declared size gives
    #[arg(long, value_name = "RULE", value_parser = choice(CB_OOB), default_value = "declared")]
    cb_oob: CbOutOfBounds,

    /// How temporary registers are held
    #[arg(long, value_name = "FORM", value_parser = choice(REGISTERS), default_value = "typed")]
    registers: Registers,

    /// Where a vertex shader reads structured, raw and typed buffers from [default: block, or what the profile says]
    #[arg(long, value_name = "FORM", value_parser = choice(BUFFER_FORM))]
    vertex_buffers: Option<BufferForm>,

    /// Where a pixel shader reads structured, raw and typed buffers from
    #[arg(long, value_name = "FORM", value_parser = choice(BUFFER_FORM), default_value = "texture")]
    pixel_buffers: BufferForm,

    /// Elements of buffer blocks, or with a register of one buffer; may be repeated [default: 69]
    #[arg(long, value_name = "N|tREG=N", value_parser = parse_capacity)]
    buffer_capacity: Vec<Capacity>,

    /// Where a buffer's element count comes from
    #[arg(long, value_name = "SOURCE", value_parser = choice(BUFFER_LENGTH), default_value = "capacity")]
    buffer_length: BufferLength,

    /// Texels in a row of a data texture, a power of two
    #[arg(long, value_name = "N", value_parser = parse_width, default_value = "2048")]
    data_texture_width: u32,

    /// Do without a WebGL extension; may be repeated
    #[arg(long, value_name = "NAME", value_parser = extension())]
    forbid_extension: Vec<Extension>,

    /// Refuse what exceeds these limits, instead of warning beyond what WebGL2 guarantees
    ///
    /// `guaranteed`, or a list such as `max_draw_buffers=8,max_varying_vectors=30` of getParameter's names in either
    /// case; limits that are not named are the guaranteed ones.
    #[arg(long, value_name = "guaranteed|KEY=N,...", value_parser = parse_limits)]
    limits: Option<Limits>,

    /// Write #line with the index of the DXBC instruction
    #[arg(long)]
    line_directives: bool,

    /// List in the manifest which line stands for which instruction
    #[arg(long)]
    line_map: bool,

    /// Leave out the comments with names from reflection
    #[arg(long)]
    no_comments: bool,

    /// Treat a wrong checksum as an error
    #[arg(long)]
    strict: bool,
}

impl TranslatorArgs {
    /// The options that the arguments stand for.
    pub(crate) fn options(&self) -> Options {
        self.options_over(Options::default())
    }

    /// The options that the arguments stand for, where others are the defaults.
    pub(crate) fn options_over(&self, defaults: Options) -> Options {
        let mut capacity = defaults.buffer_capacity;
        let mut capacities: Vec<BufferCapacity> = Vec::new();
        // Given twice, the last one counts, as for other options of a command line.
        for given in &self.buffer_capacity {
            match *given {
                Capacity::All(n) => capacity = n,
                Capacity::One(one) => {
                    capacities.retain(|c| c.register != one.register);
                    capacities.push(one);
                }
            }
        }
        let mut forbidden = self.forbid_extension.clone();
        forbidden.sort_unstable();
        forbidden.dedup();
        Options {
            strict_checksum: self.strict,
            depth_range: self.depth_range.unwrap_or(defaults.depth_range),
            flip_y: self.flip_y || defaults.flip_y,
            integer_attributes: self.integer_attributes.unwrap_or(defaults.integer_attributes),
            fidelity: self.fidelity,
            cb_oob: self.cb_oob,
            registers: self.registers,
            vertex_buffers: self.vertex_buffers.unwrap_or(defaults.vertex_buffers),
            pixel_buffers: self.pixel_buffers,
            buffer_capacity: capacity,
            buffer_capacities: capacities,
            buffer_length: self.buffer_length,
            data_texture_width: self.data_texture_width,
            pixel_resources: defaults.pixel_resources,
            abi: defaults.abi,
            forbid_extensions: forbidden,
            limits: self.limits,
            line_directives: self.line_directives,
            line_map: self.line_map,
            comments: !self.no_comments,
        }
    }
}

/// The profile's arguments.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Profile")]
pub(crate) struct ProfileArgs {
    /// The ABI of the host: `specs`, `carbon`, or a file with rules in JSON (`shaderport schema profile`)
    ///
    /// Translator options that are given go before the profile's rules.
    #[arg(long, value_name = "specs|carbon|FILE.json")]
    profile: Option<String>,

    /// Set one rule of the profile, such as varyings=register or skinning={"form":"texture"}; may be repeated
    #[arg(long, value_name = "RULE=VALUE", value_parser = parse_rule)]
    rule: Vec<(String, serde_json::Value)>,
}

/// The profile's arguments where the pipeline's inputs have to be told.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Profile")]
pub(crate) struct LinkProfileArgs {
    #[command(flatten)]
    profile: ProfileArgs,

    /// A vertex input register whose pipeline input has usage BITANGENT; may be repeated
    #[arg(long, value_name = "REGISTER")]
    bitangent: Vec<u32>,
}

impl LinkProfileArgs {
    /// Linking options of the profile, with the translator's arguments over it.
    pub(crate) fn link_options(&self, translator: &TranslatorArgs) -> Result<LinkOptions, Fatal> {
        Ok(self.profile.options(translator, &self.bitangent)?.0)
    }
}

impl ProfileArgs {
    /// Linking options of the profile, with the translator's arguments over it, and whether bitangents have a name of
    /// their own.
    pub(crate) fn options(
        &self,
        translator: &TranslatorArgs,
        bitangents: &[u32],
    ) -> Result<(LinkOptions, bool), Fatal> {
        let mut options = LinkOptions::default();
        let mut own_name = false;
        if self.profile.is_some() || !self.rule.is_empty() {
            let profile = self.profile()?;
            profile.apply(&mut options, bitangents);
            own_name = profile.bitangents;
        }
        options.translation = translator.options_over(options.translation);
        Ok((options, own_name))
    }

    fn profile(&self) -> Result<Profile, Fatal> {
        let base = match self.profile.as_deref() {
            None => Profile::default(),
            Some(name) => match Profile::built_in(name) {
                Some(profile) => profile,
                None => {
                    let text = read_text(Path::new(name)).map_err(|finding| match finding.code {
                        code if code == codes::INPUT_MISSING => Fatal::Usage(format!(
                            "profile {name}: there is no such file, and it is not built in ({})",
                            Profile::BUILT_IN.join(", ")
                        )),
                        _ => Fatal::finding(name, finding),
                    })?;
                    Profile::from_json(&text).map_err(|e| Fatal::Usage(format!("profile {name}: {e}")))?
                }
            },
        };
        base.with_rules(self.rule.iter().cloned()).map_err(|e| Fatal::Usage(format!("--rule: {e}")))
    }
}

fn parse_rule(text: &str) -> Result<(String, serde_json::Value), String> {
    let Some((rule, value)) = text.split_once('=') else {
        return Err(format!("`{text}` is not of the form RULE=VALUE"));
    };
    // A word is a string.
    let value = serde_json::from_str(value).unwrap_or_else(|_| value.into());
    Ok((rule.to_owned(), value))
}

/// A value of `--buffer-capacity`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Capacity {
    All(u32),
    One(BufferCapacity),
}

fn parse_capacity(text: &str) -> Result<Capacity, String> {
    let elements = |n: &str| match n.parse::<u32>() {
        Ok(n) if n > 0 => Ok(n),
        _ => Err(format!("`{n}` is no number of elements from 1")),
    };
    let Some((register, n)) = text.split_once('=') else { return elements(text).map(Capacity::All) };
    let number = register.strip_prefix('t').and_then(|r| r.parse().ok());
    let register = number.ok_or_else(|| format!("`{register}` is no buffer register such as t3"))?;
    Ok(Capacity::One(BufferCapacity { register, elements: elements(n)? }))
}

fn parse_width(text: &str) -> Result<u32, String> {
    match text.parse::<u32>() {
        Ok(n) if n.is_power_of_two() => Ok(n),
        _ => Err("the width must be a power of two".to_string()),
    }
}

fn extension() -> impl TypedValueParser<Value = Extension> {
    PossibleValuesParser::new(Extension::ALL.map(Extension::webgl_name))
        .try_map(|name| Extension::find(&name).ok_or("unknown extension"))
}

fn parse_limits(text: &str) -> Result<Limits, String> {
    let mut limits = Limits::GUARANTEED;
    if text == "guaranteed" {
        return Ok(limits);
    }
    for part in text.split(',') {
        let Some((key, value)) = part.split_once('=') else {
            return Err(format!("`{part}` is not of the form KEY=N"));
        };
        let value = value.parse().map_err(|_| format!("`{value}` is no number"))?;
        let field = match key.trim().to_ascii_lowercase().as_str() {
            "max_vertex_attribs" => &mut limits.max_vertex_attribs,
            "max_varying_vectors" => &mut limits.max_varying_vectors,
            "max_vertex_texture_image_units" => &mut limits.max_vertex_texture_image_units,
            "max_texture_image_units" => &mut limits.max_texture_image_units,
            "max_combined_texture_image_units" => &mut limits.max_combined_texture_image_units,
            "max_vertex_uniform_blocks" => &mut limits.max_vertex_uniform_blocks,
            "max_fragment_uniform_blocks" => &mut limits.max_fragment_uniform_blocks,
            "max_combined_uniform_blocks" => &mut limits.max_combined_uniform_blocks,
            "max_uniform_block_size" => &mut limits.max_uniform_block_size,
            "max_draw_buffers" => &mut limits.max_draw_buffers,
            "max_vertex_uniform_vectors" => &mut limits.max_vertex_uniform_vectors,
            "max_fragment_uniform_vectors" => &mut limits.max_fragment_uniform_vectors,
            _ => {
                let names = serde_json::to_value(limits).unwrap_or_default();
                let names: Vec<_> = names.as_object().into_iter().flat_map(|m| m.keys().cloned()).collect();
                return Err(format!("no limit is named `{key}`; the limits are {}", names.join(", ")));
            }
        };
        *field = value;
    }
    Ok(limits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;
    use serde::Serialize;

    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        translator: TranslatorArgs,
    }

    fn parse(arguments: &[&str]) -> Result<Options, String> {
        let all = [&["x"][..], arguments].concat();
        Command::try_parse_from(all).map(|c| c.translator.options()).map_err(|e| e.to_string())
    }

    #[test]
    fn no_flags_are_the_defaults() {
        assert_eq!(parse(&[]), Ok(Options::default()));
    }

    /// The names on the command line are those in the manifest.
    #[test]
    fn values_are_spelled_as_in_the_manifest() {
        fn check<T: Serialize>(choice: Choice<T>) {
            for (name, _, value) in choice {
                assert_eq!(serde_json::to_value(value).unwrap(), *name);
            }
        }
        check(DEPTH_RANGE);
        check(INTEGER_ATTRIBUTES);
        check(FIDELITY);
        check(CB_OOB);
        check(REGISTERS);
        check(BUFFER_FORM);
        check(BUFFER_LENGTH);
    }

    #[test]
    fn flags_reach_the_options() {
        let line = "--depth-range d3d --flip-y --integer-attributes native --fidelity fast --cb-oob driver \
            --registers float --vertex-buffers texture --pixel-buffers block --buffer-capacity 9 \
            --buffer-capacity t3=4 --buffer-capacity t1=7 --buffer-capacity t3=5 --buffer-length uniform \
            --data-texture-width 1024 --forbid-extension WEBGL_clip_cull_distance \
            --forbid-extension OES_sample_variables --limits MAX_DRAW_BUFFERS=8,max_vertex_attribs=32 \
            --line-directives --line-map --no-comments --strict";
        let options = parse(&line.split_whitespace().collect::<Vec<_>>());
        let one = |register, elements| BufferCapacity { register, elements };
        assert_eq!(
            options,
            Ok(Options {
                strict_checksum: true,
                depth_range: DepthRange::D3d,
                flip_y: true,
                integer_attributes: IntegerAttributes::Native,
                fidelity: Fidelity::Fast,
                cb_oob: CbOutOfBounds::Driver,
                registers: Registers::Float,
                vertex_buffers: BufferForm::Texture,
                pixel_buffers: BufferForm::Block,
                buffer_capacity: 9,
                buffer_capacities: vec![one(1, 7), one(3, 5)],
                buffer_length: BufferLength::Uniform,
                data_texture_width: 1024,
                pixel_resources: Default::default(),
                abi: Default::default(),
                forbid_extensions: vec![Extension::SampleVariables, Extension::ClipCullDistance],
                limits: Some(Limits { max_draw_buffers: 8, max_vertex_attribs: 32, ..Limits::GUARANTEED }),
                line_directives: true,
                line_map: true,
                comments: false,
            })
        );
    }

    #[test]
    fn every_limit_has_a_key() {
        let names = serde_json::to_value(Limits::GUARANTEED).unwrap();
        for name in names.as_object().unwrap().keys() {
            let limits = serde_json::to_value(parse_limits(&format!("{name}=77")).unwrap()).unwrap();
            assert_eq!(limits[name], 77);
        }
        assert_eq!(parse_limits("guaranteed"), Ok(Limits::GUARANTEED));
    }

    #[test]
    fn wrong_values_are_refused() {
        for arguments in [
            ["--buffer-capacity", "0"],
            ["--buffer-capacity", "u1=4"],
            ["--buffer-capacity", "t1="],
            ["--data-texture-width", "1000"],
            ["--forbid-extension", "OES_nothing"],
            ["--limits", "max_nothing=1"],
            ["--limits", "max_draw_buffers"],
            ["--limits", "max_draw_buffers=-1"],
            ["--depth-range", "GL"],
        ] {
            assert!(parse(&arguments).is_err(), "{arguments:?}");
        }
    }
}
