//! One shader against one role.
//!
//! Contract: "SPIR-V interface validation". First the checks of upstream, in its order and words; then the hardening
//! that the contract asks for and upstream leaves open, each rule of which can be turned off.

mod hardening;
mod interface;
mod pair;

pub use pair::check_pair;

use crate::abi::{Abi, Stage};
use crate::advice;
use crate::finding::{Finding, Findings, ShaderSite, bounded};
use crate::role::Access;
use crate::rules::{Compat, Options};
use shaderport_diagnostics::codes::{renderpack as codes, spirv as spirv_codes};
use shaderport_diagnostics::{Code, Diagnostic, Place};
use shaderport_spirv::{Instruction, Module, Reading, Uses, read, spirv::Op};

/// Largest shader asset in bytes.
pub const LARGEST_ASSET: u64 = 16 << 20;

/// A shader that was read, to be checked against one or more roles.
#[derive(Debug)]
pub struct Shader {
    module: Option<Module>,
    complete: bool,
    diagnostics: Vec<Diagnostic>,
    /// Of the first entry point.
    uses: Uses,
}

impl Shader {
    /// Reads a module.
    pub fn read(bytes: &[u8], options: &Options) -> Self {
        let Reading { module, complete, diagnostics } = read(bytes);
        let module = match options.compat {
            Compat::Contract => module,
            // Upstream looks at direct decorations alone.
            Compat::Upstream => module.map(Module::without_groups),
        };
        let uses = match &module {
            Some(m) if options.compat == Compat::Contract => {
                m.entry_points.first().map(|e| m.uses(e)).unwrap_or_default()
            }
            _ => Uses::default(),
        };
        Shader { module, complete, diagnostics, uses }
    }

    /// The module, where there is one.
    pub fn module(&self) -> Option<&Module> {
        self.module.as_ref()
    }
}

/// Rules beyond upstream's, each of which can be turned off.
pub const HARDENING: &[Code] = &[
    spirv_codes::VERSION,
    spirv_codes::BOUND,
    spirv_codes::SCHEMA,
    spirv_codes::EXTRA_WORDS,
    spirv_codes::OPERANDS,
    spirv_codes::STRING,
    spirv_codes::ID_REDEFINED,
    spirv_codes::ID_UNDEFINED,
    spirv_codes::TYPE_INVALID,
    spirv_codes::CONSTANT_WIDTH,
    spirv_codes::MEMORY_MODEL,
    spirv_codes::GROUP_EXPANSION,
    spirv_codes::MEMBER_INDEX,
    codes::SHADER_DECORATION,
    codes::SHADER_MEMORY_MODEL,
    codes::SHADER_CAPABILITY,
    codes::SHADER_FORBIDDEN_OP,
    codes::SHADER_STORE,
    codes::SHADER_STORE_UNTRACED,
    codes::SHADER_SAMPLED_TYPE,
    codes::SHADER_SAMPLED_DEPTH,
    codes::SHADER_SAMPLED_MULTISAMPLED,
    codes::SHADER_PRIVATE_LAYOUT,
    codes::SHADER_STAGE_STORAGE,
    codes::SHADER_VIEW_INDEX,
    codes::SHADER_OUTPUTS,
    codes::SHADER_DEPTH_EXPORT,
    codes::SHADER_UNLISTED,
    codes::SHADER_SPEC_CONSTANT,
    codes::SHADER_SEMANTIC,
    codes::VARYING_MISSING,
    codes::VARYING_TYPE,
    codes::VARYING_FLAT,
    codes::SETTING_CHOICE_DUPLICATE,
    codes::SETTING_PCF,
    codes::PRESET_RESOURCE_DUPLICATE,
    codes::PRESET_RESOURCE_MODE,
];

/// Checks a shader for one use of it. `asset` names it in findings.
pub fn check_shader(
    shader: &Shader,
    asset: &str,
    stage: Stage,
    access: &Access,
    options: &Options,
) -> Vec<Finding> {
    let mut c = Checker {
        abi: options.abi,
        options,
        access,
        stage,
        asset,
        module: shader.module.as_ref(),
        uses: &shader.uses,
        findings: Findings::default(),
        hardening: Findings::default(),
    };
    if c.framing(shader) {
        c.entry_point();
        c.variables();
        c.image_writes();
        if options.compat == Compat::Contract {
            c.harden(shader);
        }
    }
    let mut list = c.findings.into_list();
    list.extend(c.hardening.into_list());
    advice::complete(&mut list, None);
    list
}

struct Checker<'c> {
    abi: &'static Abi,
    options: &'c Options,
    access: &'c Access,
    stage: Stage,
    asset: &'c str,
    module: Option<&'c Module>,
    uses: &'c Uses,
    findings: Findings,
    hardening: Findings,
}

impl Checker<'_> {
    fn site(&self, place: Place) -> ShaderSite {
        ShaderSite { asset: self.asset.to_owned(), stage: Some(self.stage), place, source: None }
    }

    /// A finding of upstream's checks.
    fn add(&mut self, code: Code, place: Place, message: impl Into<String>) -> &mut Finding {
        let site = self.site(place);
        let f = self.findings.add(code, "$", message);
        f.shader = Some(site);
        f
    }

    /// A finding of upstream's checks about a module-scope variable.
    fn add_variable(&mut self, code: Code, v: &Instruction<'_>, message: impl Into<String>) -> &mut Finding {
        let mut site = self.site(v.place());
        let line = v.result().zip(self.module).and_then(|(id, m)| m.variable_line(id));
        site.source = line.map(|l| bounded(format!("{}:{}", l.file, l.line)));
        let f = self.findings.add(code, "$", message);
        f.shader = Some(site);
        f
    }

    /// Header, instruction lengths and the operands of the instructions that the checks read. Whether to go on.
    fn framing(&mut self, shader: &Shader) -> bool {
        for d in &shader.diagnostics {
            let word = d.place.byte_offset.unwrap_or(0) / 4;
            let op = d.place.opcode.unwrap_or_default();
            let read_by_checks = op.starts_with("Type")
                || matches!(op, "EntryPoint" | "Variable" | "Decorate" | "MemberDecorate");
            match d.code {
                c if c == spirv_codes::NOT_WORDS => {
                    self.add(
                        codes::SHADER_NOT_WORDS,
                        d.place,
                        "the module is not a word-aligned SPIR-V binary",
                    )
                    .notes(d.message.clone());
                }
                c if c == spirv_codes::MAGIC => {
                    self.add(codes::SHADER_MAGIC, d.place, "the module does not have the SPIR-V magic word")
                        .notes(d.message.clone());
                }
                c if c == spirv_codes::INSTRUCTION_LENGTH => {
                    self.add(
                        codes::SHADER_MALFORMED,
                        d.place,
                        format!("malformed SPIR-V instruction at word {word}"),
                    )
                    .notes(d.message.clone());
                }
                c if c == spirv_codes::OPERANDS && read_by_checks => {
                    self.add(codes::SHADER_MALFORMED, d.place, format!("malformed SPIR-V Op{op}"))
                        .notes(d.message.clone());
                }
                c if c == spirv_codes::STRING && op == "EntryPoint" => {
                    self.add(codes::SHADER_MALFORMED, d.place, "unterminated SPIR-V string")
                        .notes(d.message.clone());
                }
                _ => {}
            }
        }
        let big_endian = self.module.is_some_and(|m| m.header.big_endian);
        if big_endian {
            self.add(codes::SHADER_MAGIC, Place::at(0), "the module does not have the SPIR-V magic word")
                .says("03 02 23 07", "07 23 02 03")
                .notes("the module is big-endian, which the host does not read");
        }
        self.findings.len() == 0 && shader.complete && !big_endian
    }

    fn entry_point(&mut self) {
        let Some(module) = self.module else { return };
        let found: Vec<String> = module
            .entry_points
            .iter()
            .map(|e| format!("{} {}", shaderport_spirv::stage_name(e.model), e.name))
            .collect();
        let right = match module.entry_points.as_slice() {
            [e] => e.model == self.stage.model() && e.name == self.abi.entry_point,
            _ => false,
        };
        if !right {
            let (stage, name) = (self.stage.name(), self.abi.entry_point);
            let place = module
                .entry_points
                .first()
                .and_then(|e| module.instruction(e.inst))
                .map(|i| i.place())
                .unwrap_or_default();
            self.add(
                codes::SHADER_ENTRY,
                place,
                format!("the declared {stage} asset must expose exactly entry point '{name}' for that stage"),
            )
            .says(
                format!("one {stage} entry point {name}"),
                if found.is_empty() { "none".into() } else { found.join(", ") },
            );
        }
    }

    fn image_writes(&mut self) {
        let Some(module) = self.module else { return };
        if let Some(i) = module.instructions().find(|i| i.is(Op::ImageWrite)) {
            let line = module.source_line(i.index).map(|l| bounded(format!("{}:{}", l.file, l.line)));
            let message = format!("storage image writes are forbidden by {}", self.abi.label);
            if let Some(site) = &mut self.add(codes::SHADER_IMAGE_WRITE, i.place(), message).shader {
                site.source = line;
            }
        }
    }
}
