//! The text around the statements: declarations, prelude, `main` and its epilogue.

use crate::decls::{BufferKind, Decls, Element};
use crate::flow::Flow;
use crate::literal::{write_float, write_int, write_uint};
use crate::lower::{InputKind, Lower, OutputKind, capacity, form};
use crate::manifest::LineMapEntry;
use crate::options::{BufferForm, ConstantForm, DepthRange, Extension, Options, Registers};
use crate::print::{Printer, write_temp};
use crate::reflect::{Names, summary};
use crate::resources::{BufferUse, Resources, SamplerUniform};
use crate::rewrite::{Home, Part};
use crate::tree::*;
use shaderport_dxbc::program::{Interpolation, OperandKind, ResourceDimension};
use shaderport_dxbc::{Opcode, Program, Slot, Stage};
use std::fmt::Write as _;

/// Elements of all indexable temporaries together that Direct3D allows; a program with more is damaged.
const MAX_ARRAY_ELEMENTS: u32 = 4096;

/// Everything that shapes the text of one stage.
pub(crate) struct Emit<'a> {
    pub(crate) p: &'a Program,
    pub(crate) decls: &'a Decls<'a>,
    pub(crate) flow: &'a Flow,
    pub(crate) resources: &'a Resources,
    pub(crate) options: &'a Options,
    pub(crate) lower: Lower<'a>,
    /// Written as comments, where these are wanted.
    pub(crate) names: Names<'a>,
    pub(crate) out: String,
    pub(crate) line_map: Vec<LineMapEntry>,
}

/// The GLSL type of a sampler uniform.
pub(crate) fn sampler_type(s: &SamplerUniform) -> &'static str {
    use ResourceDimension::*;
    let kind = if s.comparison { 3 } else { s.scalar as usize % 3 };
    let names: [&'static str; 4] = match s.dimension {
        Texture3D => ["sampler3D", "isampler3D", "usampler3D", "sampler3D"],
        TextureCube => ["samplerCube", "isamplerCube", "usamplerCube", "samplerCubeShadow"],
        _ if matches!(s.part, Some(Part::Layer(_))) => {
            ["sampler2DArray", "isampler2DArray", "usampler2DArray", "sampler2DArrayShadow"]
        }
        Texture2DArray | Texture1DArray => {
            ["sampler2DArray", "isampler2DArray", "usampler2DArray", "sampler2DArrayShadow"]
        }
        _ => ["sampler2D", "isampler2D", "usampler2D", "sampler2DShadow"],
    };
    names[kind]
}

/// The qualifier of a varying, and the extension that it needs.
pub(crate) fn qualifier(e: &Element<'_>, options: &Options) -> (&'static str, Option<Extension>) {
    let may = |x: Extension| !options.forbid_extensions.contains(&x);
    if e.scalar != Scalar::Float {
        return ("flat ", None);
    }
    let no_perspective = may(Extension::NoPerspective);
    let sample = may(Extension::MultisampleInterpolation);
    use Interpolation::*;
    match e.interpolation {
        Constant => ("flat ", None),
        LinearCentroid => ("centroid ", None),
        LinearNoPerspective if no_perspective => ("noperspective ", Some(Extension::NoPerspective)),
        LinearNoPerspectiveCentroid if no_perspective => {
            ("noperspective centroid ", Some(Extension::NoPerspective))
        }
        LinearNoPerspectiveCentroid => ("centroid ", None),
        LinearSample if sample => ("sample ", Some(Extension::MultisampleInterpolation)),
        LinearNoPerspectiveSample if sample && no_perspective => {
            ("noperspective sample ", Some(Extension::NoPerspective))
        }
        LinearNoPerspectiveSample if no_perspective => ("noperspective ", Some(Extension::NoPerspective)),
        LinearNoPerspectiveSample if sample => ("sample ", Some(Extension::MultisampleInterpolation)),
        _ => ("", None),
    }
}

fn zero_text(ty: Ty) -> &'static str {
    const Z: [[&str; 4]; 4] = [
        ["0.0", "vec2(0.0)", "vec3(0.0)", "vec4(0.0)"],
        ["0", "ivec2(0)", "ivec3(0)", "ivec4(0)"],
        ["0u", "uvec2(0u)", "uvec3(0u)", "uvec4(0u)"],
        ["false", "bvec2(false)", "bvec3(false)", "bvec4(false)"],
    ];
    Z[ty.scalar as usize][(ty.width as usize - 1) & 3]
}

impl<'a> Emit<'a> {
    fn name(&self, n: NameId) -> &str {
        self.lower.tree.name_text(n)
    }

    /// Writes a line made of parts.
    fn text(&mut self, parts: &[&str]) {
        for p in parts {
            self.out.push_str(p);
        }
    }

    fn line(&mut self, parts: &[&str]) {
        self.text(parts);
        self.out.push('\n');
    }

    pub(crate) fn write(&mut self) {
        let body_end = self
            .lower
            .tree
            .stmts
            .iter()
            .position(|s| matches!(s.kind, StmtKind::Function(_)))
            .unwrap_or(self.lower.tree.stmts.len());
        let wrapped = self.flow.has_calls || (self.lower.flow_state.early_return && self.has_epilogue());
        self.header();
        self.uniforms();
        self.stage_io();
        self.prelude();
        self.main(body_end, wrapped);
    }

    /// What stands between a constant buffer's name and the index of a row.
    fn member(&self) -> &'static str {
        if self.options.abi.constant_form == ConstantForm::Array { "" } else { ".data" }
    }

    fn is_vertex(&self) -> bool {
        self.p.stage == Stage::Vertex
    }

    fn header(&mut self) {
        self.out.push_str("#version 300 es\n");
        let mut extensions = std::mem::take(&mut self.lower.extensions);
        extensions.sort_unstable();
        for e in &extensions {
            self.line(&["#extension ", e.glsl_name(), " : require"]);
        }
        self.lower.extensions = extensions;
        self.out.push_str("precision highp float;\nprecision highp int;\n");
        let declared = self.resources.samplers.iter().filter(|s| s.is_declared);
        let mut types: Vec<&str> = declared.map(sampler_type).collect();
        let is_texture = |b: &BufferUse| form(self.options, self.p.stage, b.register) == BufferForm::Texture;
        if self.resources.buffers.iter().any(is_texture) {
            types.push("usampler2D");
        }
        types.sort_unstable();
        types.dedup();
        for t in types {
            self.line(&["precision highp ", t, ";"]);
        }
        self.out.push('\n');
    }

    /// Ends a line, with a comment made of these parts where there are any and comments are wanted.
    fn comment(&mut self, parts: &[&str]) {
        if !parts.is_empty() && self.options.comments {
            self.out.push_str(" // ");
            // A comment ends with its line, and no name may end it early.
            let plain = |c: char| (c.is_ascii_graphic() || c == ' ') && c != '\\';
            for text in parts {
                if text.bytes().all(|b| plain(b.into())) {
                    self.out.push_str(text);
                } else {
                    self.out.extend(text.chars().map(|c| if plain(c) { c } else { '?' }));
                }
            }
        }
        self.out.push('\n');
    }

    fn uniforms(&mut self) {
        let names = std::mem::take(&mut self.names);
        for (n, b) in self.resources.blocks.iter().enumerate() {
            let mut rows = itoa::Buffer::new();
            let rows = rows.format(b.rows);
            match self.options.abi.constant_form {
                ConstantForm::Array => {
                    self.text(&["uniform vec4 ", &b.name, "[", rows, "];"]);
                }
                ConstantForm::Block => {
                    self.out.push_str("layout(std140) uniform ");
                    write_block_name(&mut self.out, &b.name);
                    self.text(&[" { vec4 data[", rows, "]; } ", &b.name, ";"]);
                }
            }
            match names.blocks.get(n) {
                Some((Some(name), constants)) if self.options.comments => {
                    self.comment(&[&summary(name, constants)]);
                }
                _ => self.comment(&[]),
            }
        }
        let resources = self.resources;
        for (n, s) in resources.samplers.iter().enumerate().filter(|(_, s)| s.is_declared) {
            self.out.push_str("uniform ");
            self.out.push_str(sampler_type(s));
            self.out.push(' ');
            self.out.push_str(&s.name);
            self.out.push(';');
            match names.samplers.get(n) {
                Some((texture, Some(sampler))) => self.comment(&[texture.unwrap_or(""), ", ", sampler]),
                Some((Some(texture), None)) => self.comment(&[texture]),
                _ => self.comment(&[]),
            }
        }
        for s in resources.samplers.iter().filter(|s| s.levels && s.is_declared) {
            self.line(&["uniform uint ", &s.name, "_levels;"]);
        }
        for (n, b) in resources.buffers.iter().enumerate() {
            if let Some(home) = &b.home {
                if let Home::Area { texture, .. } = home
                    && !resources.buffers[..n]
                        .iter()
                        .any(|o| o.home.as_ref().is_some_and(|h| h.is_in(texture)))
                {
                    self.line(&["uniform usampler2D ", texture, ";"]);
                }
            } else if b.read {
                match form(self.options, self.p.stage, b.register) {
                    BufferForm::Texture => {
                        self.out.push_str("uniform usampler2D ");
                        self.out.push_str(&b.name);
                        self.out.push(';');
                    }
                    BufferForm::Block => {
                        let (rows, _) = block_rows(self.decls, self.options, self.p.stage, b);
                        let mut text = itoa::Buffer::new();
                        let rows = text.format(rows);
                        let name = &b.name;
                        self.text(&["layout(std140) uniform ", name, "_block { uvec4 data[", rows, "]; } "]);
                        self.text(&[name, ";"]);
                    }
                }
                match names.buffers.get(n) {
                    Some(Some(name)) => self.comment(&[name]),
                    _ => self.comment(&[]),
                }
            }
            if b.length && crate::lower::length_from_uniform(self.options, self.p.stage, b.register) {
                self.line(&["uniform uint ", &b.name, "_length;"]);
            }
        }
        self.names = names;
        if !self.out.ends_with("\n\n") {
            self.out.push('\n');
        }
    }

    fn stage_io(&mut self) {
        for e in self.decls.inputs.in_register_order() {
            let place = self.lower.interface.inputs[e];
            if place.vector.is_some_and(|v| !v.leads) {
                continue;
            }
            let (name, ty) = place.vector.map_or((place.name, place.declared), |v| (v.name, v.ty));
            match place.kind {
                InputKind::Attribute { location, .. } => {
                    self.out.push_str("layout(location = ");
                    self.out.push_str(itoa::Buffer::new().format(location));
                    self.out.push_str(") in ");
                }
                InputKind::Varying => {
                    self.out.push_str(qualifier(&self.decls.inputs.elements[e], self.options).0);
                    self.out.push_str("in ");
                }
                InputKind::Missing => {
                    self.out.push_str("const ");
                    self.out.push_str(place.declared.keyword());
                    self.out.push(' ');
                    self.out.push_str(self.lower.tree.name_text(name));
                    self.line(&[" = ", zero_text(place.declared), ";"]);
                    continue;
                }
                _ => continue,
            }
            self.out.push_str(ty.keyword());
            self.out.push(' ');
            self.out.push_str(self.lower.tree.name_text(name));
            self.out.push_str(";\n");
        }
        for e in self.decls.outputs.in_register_order() {
            let place = self.lower.interface.outputs[e];
            if place.vector.is_some_and(|v| !v.leads) {
                continue;
            }
            let (name, ty) = place.vector.map_or((place.name, place.declared), |v| (v.name, v.ty));
            match place.kind {
                OutputKind::Target(n) => {
                    self.out.push_str("layout(location = ");
                    self.out.push_str(itoa::Buffer::new().format(n));
                    self.out.push_str(") out ");
                }
                OutputKind::Varying => {
                    self.out.push_str(qualifier(&self.decls.outputs.elements[e], self.options).0);
                    self.out.push_str("out ");
                }
                _ => continue,
            }
            self.out.push_str(ty.keyword());
            self.out.push(' ');
            self.out.push_str(self.lower.tree.name_text(name));
            self.out.push_str(";\n");
        }
        let distances = self.lower.interface.distances;
        if self.is_vertex() {
            for (n, name) in distances.iter().zip(["gl_ClipDistance", "gl_CullDistance"]) {
                if *n > 0 {
                    let _ = writeln!(self.out, "out highp float {name}[{n}];");
                }
            }
        }
        if !self.out.ends_with("\n\n") {
            self.out.push('\n');
        }
    }

    /// Helpers, constant arrays and guarded reads.
    fn prelude(&mut self) {
        let start = self.out.len();
        self.lower.helpers.write(&mut self.out);
        if self.resources.icb_dynamic {
            self.icb();
        }
        let resources = self.resources;
        for (n, b) in resources.blocks.iter().enumerate() {
            if let Some(f) = self.lower.guarded_cb[n] {
                let base = format!("{}{}", b.name, self.member());
                self.guard(f, Ty::new(Scalar::Float, 4), &base, b.rows);
            }
        }
        for k in 0..self.lower.cb_ladders.len() {
            // GLSL only indexes arrays of blocks by constants: one test for each.
            let (decl, f) = self.lower.cb_ladders[k];
            let name = self.name(f).to_owned();
            let member = self.member();
            let _ = writeln!(self.out, "vec4 {name}(int which, int i) {{");
            for b in resources.blocks.iter().filter(|b| b.decl == decl) {
                let _ = writeln!(
                    self.out,
                    "    if (which == {} && uint(i) < {}u) return {}{member}[i];",
                    b.register, b.rows, b.name
                );
            }
            self.out.push_str("    return vec4(0.0);\n}\n");
        }
        if let (Some(f), Some(name)) = (self.lower.guarded_icb, self.lower.icb_name) {
            let rows = self.icb_rows();
            let base = self.name(name).to_owned();
            self.guard(f, Ty::new(self.lower.icb_scalar, 4), &base, rows);
        }
        for (n, a) in self.decls.arrays.iter().enumerate() {
            if let Some(f) = self.lower.guarded_array[n] {
                let ty = Ty::new(self.lower.types.of_array(n), a.width);
                let base = self.name(self.lower.array_names[n]).to_owned();
                let _ = writeln!(self.out, "{} {base}[{}];", ty.keyword(), a.count.max(1));
                self.guard(f, ty, &base, a.count.max(1));
            }
        }
        for n in 0..self.lower.interface.ranges.len() {
            let r = self.lower.interface.ranges[n];
            let ty = Ty::new(r.scalar, 4);
            let base = self.name(r.name).to_owned();
            let _ = writeln!(self.out, "{} {base}[{}];", ty.keyword(), r.range.count.max(1));
            if let Some(f) = r.guard {
                self.guard(f, ty, &base, r.range.count.max(1));
            }
        }
        for k in 0..self.lower.fetches.len() {
            let (u, levels, f) = self.lower.fetches[k];
            self.fetch(u, levels, f);
        }
        self.buffer_functions();
        self.buffer_ladders();
        if self.out.len() > start {
            self.out.push('\n');
        }
    }

    fn icb_rows(&self) -> u32 {
        self.decls.icb.map_or(0, |at| self.p.words(&self.p.instructions[at as usize]).len() as u32 / 4)
    }

    fn icb(&mut self) {
        let (Some(at), Some(name)) = (self.decls.icb, self.lower.icb_name) else { return };
        let words = self.p.words(&self.p.instructions[at as usize]);
        let scalar = self.lower.icb_scalar;
        let keyword = Ty::new(scalar, 4).keyword();
        let rows = (words.len() / 4).max(1);
        let base = self.name(name).to_owned();
        let _ = writeln!(self.out, "const {keyword} {base}[{rows}] = {keyword}[{rows}](");
        for (r, row) in words.chunks_exact(4).enumerate() {
            let _ = write!(self.out, "    {keyword}(");
            for (l, w) in row.iter().enumerate() {
                if l > 0 {
                    self.out.push_str(", ");
                }
                match scalar {
                    Scalar::Float => write_float(&mut self.out, *w),
                    Scalar::Int => write_int(&mut self.out, *w),
                    _ => write_uint(&mut self.out, *w),
                }
            }
            self.out.push_str(if (r + 1) * 4 < words.len() { "),\n" } else { ")\n" });
        }
        if words.len() < 4 {
            let _ = writeln!(self.out, "    {}", zero_text(Ty::new(scalar, 4)));
        }
        self.out.push_str(");\n");
    }

    fn guard(&mut self, f: NameId, ty: Ty, base: &str, rows: u32) {
        let name = self.name(f).to_owned();
        let _ = writeln!(
            self.out,
            "{} {name}(int i) {{ return uint(i) < {rows}u ? {base}[i] : {}; }}",
            ty.keyword(),
            zero_text(ty)
        );
    }

    /// A texel, or 0 outside the texture (D3D11.3 functional specification, 22.4.6).
    fn fetch(&mut self, u: usize, levels: bool, f: NameId) {
        let s = &self.resources.samplers[u];
        if s.part == Some(Part::Profiles) {
            let text = crate::rewrite::profile_function(self.options, s.register, self.name(f));
            self.out.push_str(&text);
            return;
        }
        let ty = Ty::new(s.scalar, 4);
        use ResourceDimension::*;
        let n = if matches!(s.dimension, Texture3D | Texture2DArray | Texture1DArray) { 3 } else { 2 };
        let name = self.name(f).to_owned();
        let (keyword, t, zero) = (ty.keyword(), &s.name, zero_text(ty));
        let _ = if levels {
            // The size of a level that is not there is undefined. Each level is half as large as the one before; asked
            // for its size, Mesa gives all pixels that of the first one's level (`compare/tests/drivers.rs`).
            let shift = if matches!(s.dimension, Texture2DArray | Texture1DArray) {
                "ivec3(level, level, 0)"
            } else {
                "level"
            };
            writeln!(
                self.out,
                "{keyword} {name}(ivec{n} p, int level) {{\n    if (uint(level) >= {t}_levels || any(greaterThanEqual(uvec{n}(p), uvec{n}(max(textureSize({t}, 0) >> {shift}, 1))))) return {zero};\n    return texelFetch({t}, p, level);\n}}"
            )
        } else {
            writeln!(
                self.out,
                "{keyword} {name}(ivec{n} p) {{\n    return all(lessThan(uvec{n}(p), uvec{n}(textureSize({t}, 0)))) ? texelFetch({t}, p, 0) : {zero};\n}}"
            )
        };
    }

    /// Functions that load a word or a row of a buffer, 0 outside it.
    fn buffer_functions(&mut self) {
        let resources = self.resources;
        let width = self.options.data_texture_width.max(1).next_power_of_two();
        let (mask, shift) = (width - 1, width.trailing_zeros());
        for (n, b) in resources.buffers.iter().enumerate() {
            let word = self.lower.buffer_loads[n].map(|f| self.name(f).to_owned());
            let row = self.lower.buffer_rows.iter().find(|r| r.0 == n).map(|r| self.name(r.1).to_owned());
            let t = &b.name;
            let kind = self.decls.buffers[b.decl].kind;
            if b.home == Some(Home::Joints) {
                self.joint_functions(word.as_deref(), row.as_deref());
                continue;
            }
            if let Some(home) = &b.home {
                self.out.push_str(&home.functions(kind, word.as_deref(), row.as_deref(), mask, shift));
                continue;
            }
            let texture = form(self.options, self.p.stage, b.register) == BufferForm::Texture;
            let (_, rows_each) = block_rows(self.decls, self.options, self.p.stage, b);
            let count = capacity(self.options, self.p.stage, b.register);
            // Times and divided by one is left out.
            let times = |n: u32| if n == 1 { String::new() } else { format!(" * {n}u") };
            let over = |n: u32| if n == 1 { String::new() } else { format!(" / {n}u") };
            let texel = |i: &str| format!("texelFetch({t}, ivec2({i} & {mask}u, {i} >> {shift}u), 0)");
            match kind {
                BufferKind::Raw => {
                    let Some(f) = word else { continue };
                    if texture {
                        let fetch = texel("r");
                        let _ = writeln!(
                            self.out,
                            "uint {f}(uint i) {{\n    uint r = i >> 2u;\n    uvec2 s = uvec2(textureSize({t}, 0));\n    return r < s.x * s.y ? {fetch}[i & 3u] : 0u;\n}}"
                        );
                    } else {
                        let _ = writeln!(
                            self.out,
                            "uint {f}(uint i) {{ return i < {}u ? {t}.data[i >> 2u][i & 3u] : 0u; }}",
                            count.saturating_mul(4)
                        );
                    }
                }
                BufferKind::Typed(_) => {
                    let Some(f) = word else { continue };
                    if texture {
                        let fetch = texel("e");
                        let _ = writeln!(
                            self.out,
                            "uvec4 {f}(uint e) {{\n    uvec2 s = uvec2(textureSize({t}, 0));\n    return e < s.x * s.y ? {fetch} : uvec4(0u);\n}}"
                        );
                    } else {
                        let _ = writeln!(
                            self.out,
                            "uvec4 {f}(uint e) {{ return e < {count}u ? {t}.data[e] : uvec4(0u); }}"
                        );
                    }
                }
                BufferKind::Structured(stride) => {
                    let words = (stride / 4).max(1);
                    if let Some(f) = word {
                        if texture {
                            let (fetch, m, d) = (texel("r"), times(words), over(words));
                            let _ = writeln!(
                                self.out,
                                "uint {f}(uint e, uint w) {{\n    uint i = e{m} + w;\n    uint r = i >> 2u;\n    uvec2 s = uvec2(textureSize({t}, 0));\n    return e < s.x * s.y * 4u{d} && w < {words}u ? {fetch}[i & 3u] : 0u;\n}}"
                            );
                        } else {
                            let m = times(rows_each);
                            let _ = writeln!(
                                self.out,
                                "uint {f}(uint e, uint w) {{ return e < {count}u && w < {}u ? {t}.data[e{m} + (w >> 2u)][w & 3u] : 0u; }}",
                                rows_each * 4
                            );
                        }
                    }
                    if let Some(f) = row {
                        if texture {
                            let each = (stride / 16).max(1);
                            let (fetch, m, d) = (texel("i"), times(each), over(each));
                            let _ = writeln!(
                                self.out,
                                "uvec4 {f}(uint e, uint r) {{\n    uint i = e{m} + r;\n    uvec2 s = uvec2(textureSize({t}, 0));\n    return e < s.x * s.y{d} && r < {each}u ? {fetch} : uvec4(0u);\n}}"
                            );
                        } else {
                            let m = times(rows_each);
                            let _ = writeln!(
                                self.out,
                                "uvec4 {f}(uint e, uint r) {{ return e < {count}u && r < {rows_each}u ? {t}.data[e{m} + r] : uvec4(0u); }}"
                            );
                        }
                    }
                }
            }
        }
    }

    /// Functions that load a word or a row of a joint from a constant buffer, 0 outside the joints.
    fn joint_functions(&mut self, word: Option<&str>, row: Option<&str>) {
        let Some(j) = self.options.abi.joints else { return };
        let Some(b) = self.resources.blocks.iter().find(|b| (b.register, b.space) == (j.slot, 0)) else {
            return;
        };
        let (base, first, joints) = (format!("{}{}", b.name, self.member()), j.first_row, j.joints);
        if let Some(f) = word {
            let _ = writeln!(
                self.out,
                "uint {f}(uint e, uint w) {{ return e < {joints}u && w < 12u ? floatBitsToUint({base}[{first}u + e * 3u + (w >> 2u)])[w & 3u] : 0u; }}"
            );
        }
        if let Some(f) = row {
            let _ = writeln!(
                self.out,
                "uvec4 {f}(uint e, uint r) {{ return e < {joints}u && r < 3u ? floatBitsToUint({base}[{first}u + e * 3u + r]) : uvec4(0u); }}"
            );
        }
    }

    /// Loads from an element of an array of buffers: one test for each.
    fn buffer_ladders(&mut self) {
        let resources = self.resources;
        for k in 0..self.lower.buffer_ladders.len() {
            let (decl, rows, f) = self.lower.buffer_ladders[k];
            let (ty, zero, parameters, arguments) = match (self.decls.buffers[decl].kind, rows) {
                (BufferKind::Raw, _) => ("uint", "0u", "uint i", "i"),
                (BufferKind::Typed(_), _) => ("uvec4", "uvec4(0u)", "uint e", "e"),
                (BufferKind::Structured(_), true) => ("uvec4", "uvec4(0u)", "uint e, uint r", "e, r"),
                (BufferKind::Structured(_), false) => ("uint", "0u", "uint e, uint w", "e, w"),
            };
            let name = self.name(f).to_owned();
            let _ = writeln!(self.out, "{ty} {name}(int which, {parameters}) {{");
            for b in resources.buffers.iter().filter(|b| b.decl == decl) {
                let suffix = if rows { "row" } else { "at" };
                let _ = writeln!(
                    self.out,
                    "    if (which == {}) return {}_{suffix}({arguments});",
                    b.register, b.name
                );
            }
            let _ = writeln!(self.out, "    return {zero};\n}}");
        }
    }

    fn has_epilogue(&self) -> bool {
        let outputs = &self.lower.interface.outputs;
        outputs.iter().any(|o| matches!(o.kind, OutputKind::Position | OutputKind::Distance { .. }))
            || self.lower.demoted.is_some()
            || self.lower.interface.ranges.iter().any(|r| r.range.output)
    }

    /// Locals that hold registers.
    fn temps(&mut self, indent: &str) {
        const KINDS: [Scalar; 4] = [Scalar::Float, Scalar::Int, Scalar::Uint, Scalar::Bool];
        let float_file = self.options.registers == Registers::Float;
        for r in 0..self.lower.temps.len() {
            for s in KINDS {
                let bits = self.lower.temps[r][s as usize];
                if bits & 15 == 0 {
                    continue;
                }
                let width = if float_file { 4 } else { 8 - (bits & 15).leading_zeros() as u8 };
                let ty = Ty::new(s, width);
                self.out.push_str(indent);
                self.out.push_str(ty.keyword());
                self.out.push(' ');
                write_temp(&mut self.out, r as u32, s);
                if bits & 16 != 0 {
                    self.out.push_str(" = ");
                    self.out.push_str(zero_text(ty));
                }
                self.out.push_str(";\n");
            }
        }
    }

    /// Whether every element is written by constant indices before anything is read.
    fn array_is_filled(&self, register: u32, count: u32, width: u8) -> bool {
        // Lanes that nothing reads need no value.
        let mut full = 0u8;
        for i in self.p.instructions.iter().filter(|i| i.names(OperandKind::IndexableTemp)) {
            let first = self.p.operand_index(i);
            for (k, o) in self.p.operands(i).iter().enumerate() {
                if o.kind == OperandKind::IndexableTemp && o.register() == register {
                    full |= o.source_lanes(self.flow.positions[first + k]);
                }
                for d in 0..o.dimensions as usize {
                    let inner = self.p.relative(&o.index[d.min(2)]);
                    if inner.is_some_and(|x| x.kind == OperandKind::IndexableTemp && x.register() == register)
                    {
                        full = 15;
                    }
                }
            }
        }
        full &= (1 << width) - 1;
        let mut lanes = vec![0u8; count.min(4096) as usize];
        for (n, i) in self.p.instructions.iter().enumerate() {
            if i.opcode.is_declaration() {
                continue;
            }
            let operands = self.p.operands(i);
            for (o, s) in operands.iter().zip(i.opcode.info().slots) {
                if o.kind == OperandKind::IndexableTemp && o.register() == register {
                    let write =
                        matches!(s, Slot::Dest(_)) && !o.index[1].is_relative() && self.flow.depth[n] == 0;
                    if !write {
                        return lanes.iter().all(|l| l & full == full);
                    }
                    if let Some(l) = lanes.get_mut(o.index[1].immediate as usize) {
                        *l |= o.mask();
                    }
                }
                for d in 0..o.dimensions as usize {
                    let inner = self.p.relative(&o.index[d.min(2)]);
                    if inner.is_some_and(|x| x.kind == OperandKind::IndexableTemp && x.register() == register)
                    {
                        return lanes.iter().all(|l| l & full == full);
                    }
                }
            }
            if matches!(i.opcode, Opcode::Call | Opcode::Callc | Opcode::Label | Opcode::Ret) {
                break;
            }
        }
        lanes.iter().all(|l| l & full == full)
    }

    fn arrays(&mut self, indent: &str) {
        for (n, a) in self.decls.arrays.iter().enumerate() {
            let ty = Ty::new(self.lower.types.of_array(n), a.width);
            let base = self.name(self.lower.array_names[n]).to_owned();
            let count = a.count.max(1);
            let global = self.lower.guarded_array[n].is_some();
            if self.decls.array(a.register).is_none_or(|x| x.0 != n) {
                continue;
            }
            if !global {
                let _ = writeln!(self.out, "{indent}{} {base}[{count}];", ty.keyword());
            }
        }
    }

    /// Arrays that may be read before they are written start as 0.
    ///
    /// Element by element: some drivers get a loop that sets an array wrong (A074).
    fn zero_arrays(&mut self) {
        let mut left = MAX_ARRAY_ELEMENTS;
        for (n, a) in self.decls.arrays.iter().enumerate() {
            let count = a.count.max(1);
            if self.decls.array(a.register).is_none_or(|x| x.0 != n)
                || self.array_is_filled(a.register, a.count, a.width)
            {
                continue;
            }
            let ty = Ty::new(self.lower.types.of_array(n), a.width);
            let base = self.name(self.lower.array_names[n]).to_owned();
            let zero = zero_text(ty);
            match left.checked_sub(count) {
                Some(rest) => {
                    left = rest;
                    for i in 0..count {
                        self.line(&["    ", &base, "[", itoa::Buffer::new().format(i), "] = ", zero, ";"]);
                    }
                }
                None => {
                    let _ = writeln!(self.out, "    for (int i = 0; i < {count}; ++i) {base}[i] = {zero};");
                }
            }
        }
    }

    fn main(&mut self, body_end: usize, wrapped: bool) {
        let calls = self.flow.has_calls;
        if calls {
            self.temps("");
            self.arrays("");
        }
        let flags: Vec<NameId> = self.lower.flags.iter().copied().chain(self.lower.demoted).collect();
        let locals = if wrapped { "" } else { "    " };
        if wrapped {
            self.epilogue_locals(locals);
            for f in &flags {
                let name = self.name(*f).to_owned();
                self.line(&["bool ", &name, " = false;"]);
            }
            self.prologue_locals("");
        }
        if calls {
            for k in 0..self.lower.subroutines.len() {
                let name = self.name(self.lower.subroutines[k].1).to_owned();
                self.line(&["void ", &name, "();"]);
            }
            self.out.push('\n');
        }
        if wrapped {
            self.out.push_str("void dxbc_main() {\n");
        } else {
            self.out.push_str("void main() {\n");
            self.epilogue_locals(locals);
            for f in &flags {
                let name = self.name(*f).to_owned();
                self.line(&["    bool ", &name, " = false;"]);
            }
        }
        if !calls {
            self.temps("    ");
            self.arrays("    ");
        }
        if !wrapped {
            self.prologue_locals("    ");
            self.prologue(wrapped);
        }
        self.zero_arrays();
        self.body(0, body_end, 1);
        if wrapped {
            self.out.push_str("}\n\n");
            let end = self.lower.tree.stmts.len();
            if body_end < end {
                self.body(body_end, end, 0);
                // A program may end inside its last subroutine.
                if !matches!(self.lower.tree.stmts.last().map(|s| s.kind), Some(StmtKind::EndFunction)) {
                    self.out.push_str("}\n");
                }
                self.out.push('\n');
            }
            self.out.push_str("void main() {\n");
            self.prologue(wrapped);
            self.out.push_str("    dxbc_main();\n");
        }
        self.epilogue();
        self.out.push_str("}\n");
    }

    fn body(&mut self, from: usize, to: usize, depth: usize) {
        let member = self.member();
        let mut printer = Printer {
            member,
            tree: &self.lower.tree,
            out: &mut self.out,
            temps: if self.options.registers == Registers::Float { &[] } else { &self.lower.temps },
            depth,
            line_directives: self.options.line_directives.then_some(u32::from(self.p.stage == Stage::Pixel)),
            line_map: self.options.line_map.then_some(&mut self.line_map),
            line: 0,
        };
        printer.stmts(from, to);
    }

    /// Locals that the epilogue reads.
    fn epilogue_locals(&mut self, indent: &str) {
        for e in self.decls.outputs.in_register_order() {
            let o = self.lower.interface.outputs[e];
            if matches!(o.kind, OutputKind::Position | OutputKind::Distance { .. }) {
                let name = self.name(o.name).to_owned();
                let zero = if o.zeroed { " = " } else { "" };
                let value = if o.zeroed { zero_text(o.declared) } else { "" };
                self.line(&[indent, o.declared.keyword(), " ", &name, zero, value, ";"]);
            }
        }
    }

    /// Built-ins in the form that Direct3D gives them.
    fn prologue_locals(&mut self, indent: &str) {
        for e in self.decls.inputs.in_register_order() {
            let place = self.lower.interface.inputs[e];
            if !matches!(place.kind, InputKind::FragCoord | InputKind::Distance { .. }) {
                continue;
            }
            let name = self.name(place.name).to_owned();
            match place.kind {
                InputKind::FragCoord if indent.is_empty() => self.line(&["vec4 ", &name, ";"]),
                InputKind::Distance { .. } if indent.is_empty() => {
                    self.line(&[place.declared.keyword(), " ", &name, ";"]);
                }
                _ => {}
            }
        }
    }

    fn prologue(&mut self, wrapped: bool) {
        for e in self.decls.inputs.in_register_order() {
            let place = self.lower.interface.inputs[e];
            if !matches!(place.kind, InputKind::FragCoord | InputKind::Distance { .. }) {
                continue;
            }
            let name = self.name(place.name).to_owned();
            let keyword = if wrapped { "" } else { place.declared.keyword() };
            let space = if wrapped { "" } else { " " };
            match place.kind {
                InputKind::FragCoord => {
                    // Direct3D gives w, OpenGL 1/w.
                    let value = match self.options.depth_range {
                        DepthRange::Gl | DepthRange::D3d => {
                            " = vec4(gl_FragCoord.xyz, 1.0 / gl_FragCoord.w);"
                        }
                        DepthRange::Reversed => {
                            " = vec4(gl_FragCoord.xy, 1.0 - gl_FragCoord.z, 1.0 / gl_FragCoord.w);"
                        }
                    };
                    self.line(&["    ", keyword, space, &name, value]);
                }
                InputKind::Distance { first, cull } => {
                    let array = if cull { "gl_CullDistance" } else { "gl_ClipDistance" };
                    let lanes: Vec<String> = (0..u32::from(place.declared.width))
                        .map(|l| format!("{array}[{}]", first + l))
                        .collect();
                    let list = lanes.join(", ");
                    if lanes.len() == 1 {
                        self.line(&["    ", keyword, space, &name, " = ", &list, ";"]);
                    } else {
                        self.line(&[
                            "    ",
                            keyword,
                            space,
                            &name,
                            " = ",
                            place.declared.keyword(),
                            "(",
                            &list,
                            ");",
                        ]);
                    }
                }
                _ => {}
            }
        }
        // Indexed inputs are gathered in an array.
        for n in 0..self.lower.interface.ranges.len() {
            let r = self.lower.interface.ranges[n];
            let base = self.name(r.name).to_owned();
            for k in 0..r.range.count {
                if r.range.output {
                    let _ = writeln!(self.out, "    {base}[{k}] = {};", zero_text(Ty::new(r.scalar, 4)));
                    continue;
                }
                for l in 0..4u8 {
                    let Some(e) = self.decls.inputs.at(r.range.register + k, l) else { continue };
                    let place = self.lower.interface.inputs[e];
                    let el = &self.decls.inputs.elements[e];
                    let name = self.name(place.name).to_owned();
                    let lane = el.lane(l).min(place.declared.width - 1) as usize;
                    let dot =
                        if place.declared.width > 1 { ["", ".x", ".y", ".z", ".w"][lane + 1] } else { "" };
                    let value = match (place.kind, el.scalar, r.scalar) {
                        (InputKind::Zero, ..) => "0u".to_owned(),
                        (InputKind::Attribute { converted: true, .. }, Scalar::Int, _) => {
                            format!("uint(int({name}{dot}))")
                        }
                        (InputKind::Attribute { converted: true, .. }, ..) => format!("uint({name}{dot})"),
                        (_, Scalar::Float, Scalar::Uint) => format!("floatBitsToUint({name}{dot})"),
                        (_, Scalar::Bool, _) => format!("({name} ? 0xffffffffu : 0u)"),
                        (_, Scalar::Int, _) => format!("uint({name}{dot})"),
                        _ => format!("{name}{dot}"),
                    };
                    let to = ["x", "y", "z", "w"][l as usize];
                    let _ = writeln!(self.out, "    {base}[{k}].{to} = {value};");
                }
            }
        }
        for e in self.decls.outputs.in_register_order() {
            let o = self.lower.interface.outputs[e];
            if o.zeroed && matches!(o.kind, OutputKind::Varying | OutputKind::Target(_)) {
                let name = self.name(o.name).to_owned();
                self.line(&["    ", &name, " = ", zero_text(o.declared), ";"]);
            }
        }
        if self.decls.depth.is_some() && self.lower.interface.depth_zeroed {
            self.out.push_str("    gl_FragDepth = 0.0;\n");
        }
        if self.decls.coverage_out && self.lower.interface.coverage_zeroed {
            self.out.push_str("    gl_SampleMask[0] = -1;\n");
        }
    }

    fn epilogue(&mut self) {
        for n in 0..self.lower.interface.ranges.len() {
            let r = self.lower.interface.ranges[n];
            if !r.range.output {
                continue;
            }
            let base = self.name(r.name).to_owned();
            for k in 0..r.range.count {
                let mut done = Vec::new();
                for l in 0..4u8 {
                    let Some(e) = self.decls.outputs.at(r.range.register + k, l) else { continue };
                    if done.contains(&e) {
                        continue;
                    }
                    done.push(e);
                    let o = self.lower.interface.outputs[e];
                    let el = &self.decls.outputs.elements[e];
                    let name = self.name(o.name).to_owned();
                    let whole = matches!(o.kind, OutputKind::Target(_) | OutputKind::Position);
                    let lanes = if whole { "xyzw" } else { crate::manifest::mask_text(el.mask) };
                    let value = format!("{base}[{k}].{lanes}");
                    let value = match (r.scalar, o.declared.scalar) {
                        (Scalar::Uint, Scalar::Float) => format!("uintBitsToFloat({value})"),
                        (Scalar::Uint, Scalar::Int) => format!("{}({value})", o.declared.keyword()),
                        _ => value,
                    };
                    self.line(&["    ", &name, " = ", &value, ";"]);
                }
            }
        }
        for e in self.decls.outputs.in_register_order() {
            let o = self.lower.interface.outputs[e];
            let name = self.name(o.name).to_owned();
            match o.kind {
                OutputKind::Position => match (self.options.depth_range, self.options.flip_y) {
                    (DepthRange::D3d, false) => self.line(&["    gl_Position = ", &name, ";"]),
                    (range, _) => {
                        let n: &str = &name;
                        let z = match range {
                            DepthRange::Gl => ["2.0 * ", n, ".z - ", n, ".w"],
                            DepthRange::Reversed => [n, ".w - 2.0 * ", n, ".z", ""],
                            DepthRange::D3d => [n, ".z", "", "", ""],
                        };
                        let xy = if self.options.flip_y { [".x, -", n, ".y"] } else { [".xy", "", ""] };
                        let start = ["    gl_Position = vec4(", n].into_iter().chain(xy);
                        let all = start.chain([", "]).chain(z).chain([", ", n, ".w);\n"]);
                        all.for_each(|text| self.out.push_str(text));
                    }
                },
                OutputKind::Distance { first, cull } => {
                    let array = if cull { "gl_CullDistance" } else { "gl_ClipDistance" };
                    for l in 0..o.declared.width {
                        let lane = if o.declared.width > 1 {
                            ["", ".x", ".y", ".z", ".w"][l as usize + 1]
                        } else {
                            ""
                        };
                        let _ = writeln!(self.out, "    {array}[{}] = {name}{lane};", first + u32::from(l));
                    }
                }
                _ => {}
            }
        }
        if let Some(f) = self.lower.demoted {
            let name = self.name(f).to_owned();
            self.line(&["    if (", &name, ") discard;"]);
        }
    }
}

/// `cb0` is the instance of `ConstantBuffer0`, `cb0_ps` of `ConstantBuffer0_ps`.
pub(crate) fn write_block_name(out: &mut String, instance: &str) {
    out.push_str("ConstantBuffer");
    out.push_str(instance.strip_prefix("cb").unwrap_or(instance));
}

/// Rows of a buffer's block, and rows from one element to the next.
pub(crate) fn block_rows(decls: &Decls<'_>, options: &Options, stage: Stage, b: &BufferUse) -> (u32, u32) {
    let count = capacity(options, stage, b.register);
    let each = match decls.buffers[b.decl].kind {
        BufferKind::Structured(stride) => stride.div_ceil(16).max(1),
        _ => 1,
    };
    (count.saturating_mul(each), each)
}
