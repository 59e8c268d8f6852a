//! Vertex outputs against fragment inputs.

use super::Shader;
use crate::abi::Stage;
use crate::advice;
use crate::finding::{Finding, Findings, ShaderSite};
use crate::rules::Options;
use shaderport_diagnostics::Code;
use shaderport_diagnostics::codes::renderpack as codes;
use shaderport_spirv::spirv::{Decoration as D, StorageClass as C};
use shaderport_spirv::{Count, Instruction, Module, Scalar, Type};
use std::collections::{BTreeMap, HashSet};

/// One location of a varying.
#[derive(Clone, Debug)]
struct Varying<'m> {
    variable: Instruction<'m>,
    name: String,
    scalar: Scalar,
    components: u32,
    flat: bool,
    used: bool,
}

/// Locations with their first components. More than this many is no interface of a device.
const MOST_LOCATIONS: u32 = 256;

/// Members of all varyings together; no device has an interface that comes near.
const MOST_MEMBERS: usize = 1 << 16;

/// Checks that what the fragment shader reads is what the vertex shader writes.
pub fn check_pair(vertex: &Shader, fragment: &Shader, asset: &str, options: &Options) -> Vec<Finding> {
    let mut findings = Findings::default();
    let (Some(v), Some(f)) = (vertex.module(), fragment.module()) else { return Vec::new() };
    let outputs = varyings(v, vertex, C::Output);
    for (&(location, component), input) in &varyings(f, fragment, C::Input) {
        let mut add = |code: Code, message: String, expected: String, found: String| {
            if !options.hardened(code) {
                return;
            }
            let place = input.variable.place();
            let finding = findings.add(code, "$", message);
            finding.says(expected, found);
            finding.shader = Some(ShaderSite {
                asset: asset.to_owned(),
                stage: Some(Stage::Fragment),
                place,
                source: None,
            });
        };
        let at = if component == 0 {
            format!("location {location}")
        } else {
            format!("location {location}, component {component}")
        };
        let text = |x: &Varying<'_>| format!("{} ({})", scalar_text(x.scalar, x.components), x.name);
        if matches!(input.scalar, Scalar::Int { .. }) && !input.flat {
            add(
                codes::VARYING_FLAT,
                format!("the integer input at {at} is not flat"),
                "flat".into(),
                text(input),
            );
        }
        match outputs.get(&(location, component)) {
            None if input.used => {
                let have: Vec<_> =
                    outputs.iter().take(16).map(|((l, _), o)| format!("{l}: {}", text(o))).collect();
                let have = if have.is_empty() { "no outputs".into() } else { have.join(", ") };
                add(
                    codes::VARYING_MISSING,
                    format!("the vertex shader writes nothing at {at}"),
                    text(input),
                    have,
                );
            }
            Some(o) if o.scalar != input.scalar || o.components < input.components => {
                add(codes::VARYING_TYPE, format!("the varying at {at} has two types"), text(input), text(o));
            }
            _ => {}
        }
    }
    let mut list = findings.into_list();
    advice::complete(&mut list, None);
    list
}

fn varyings<'m>(module: &'m Module, shader: &Shader, class: C) -> BTreeMap<(u32, u32), Varying<'m>> {
    let mut out = BTreeMap::new();
    let Some(entry) = module.entry_points.first() else { return out };
    let mut budget = MOST_MEMBERS;
    let listed: HashSet<u32> = entry.interface.iter().copied().collect();
    for variable in module.variables() {
        let (Some(id), Some((c, ty))) = (variable.result(), module.pointee(&variable)) else { continue };
        if c != class as u32 || !listed.contains(&id) {
            continue;
        }
        let used = shader.uses.used.contains_key(&id);
        let name = module.name(id).or_else(|| module.name(ty)).unwrap_or_else(|| format!("%{id}"));
        let flat = module.is_decorated(id, None, D::Flat);
        let component = module.decoration_value(id, None, D::Component).unwrap_or(0);
        let mut put = |location, component, ty, flat, name: String| {
            place(
                module,
                &mut out,
                location,
                component,
                ty,
                &Varying { variable, name, scalar: Scalar::Bool, components: 1, flat, used },
            )
        };
        let location = module.decoration_value(id, None, D::Location);
        let count =
            module.ty(ty).map_or(0, |t| if let Type::Struct { members } = t { members.len() } else { 0 });
        let Some(left) = budget.checked_sub(count + 1) else { return out };
        budget = left;
        if let Some(members) = module.members(ty) {
            let mut next = location;
            for m in members {
                let own = module.decoration_value(ty, Some(m.index), D::Location).or(next);
                let Some(at) = own else { continue };
                let component = module.decoration_value(ty, Some(m.index), D::Component).unwrap_or(0);
                let flat = flat || module.is_decorated(ty, Some(m.index), D::Flat);
                let member = module.member_name(ty, m.index).unwrap_or_else(|| m.index.to_string());
                next = Some(at.saturating_add(put(at, component, m.ty, flat, format!("{name}.{member}"))));
            }
        } else if let Some(location) = location {
            put(location, component, ty, flat, name);
        }
    }
    out
}

/// Puts a value at its locations; how many it took.
fn place<'m>(
    module: &'m Module,
    out: &mut BTreeMap<(u32, u32), Varying<'m>>,
    location: u32,
    component: u32,
    ty: u32,
    varying: &Varying<'m>,
) -> u32 {
    let mut ty = ty;
    let mut locations: u32 = 1;
    // Arrays of arrays of matrices: each element and column takes a location. Types nest only so deep here, since
    // each level that counts multiplies what is already more than enough.
    for _ in 0..8 {
        match module.ty(ty) {
            Some(Type::Array { element, .. }) => {
                let Count::Sized(n) = module.count(ty) else { return 1 };
                locations = locations.saturating_mul(n);
                ty = element;
            }
            Some(Type::Matrix { column, columns }) => {
                locations = locations.saturating_mul(columns);
                ty = column;
            }
            _ => break,
        }
    }
    let (scalar, components) = match module.ty(ty) {
        Some(Type::Vector { component, count }) => (module.scalar(component), count),
        Some(Type::Scalar(s)) => (Some(s), 1),
        _ => (None, 0),
    };
    if let Some(scalar) = scalar {
        for k in 0..locations.min(MOST_LOCATIONS) {
            let at = (location.saturating_add(k), component);
            out.insert(at, Varying { scalar, components, ..varying.clone() });
        }
    }
    locations
}

fn scalar_text(scalar: Scalar, components: u32) -> String {
    let (one, prefix) = match scalar {
        Scalar::Bool => ("bool", "b"),
        Scalar::Int { signed: true, .. } => ("int", "i"),
        Scalar::Int { signed: false, .. } => ("uint", "u"),
        Scalar::Float { .. } => ("float", ""),
    };
    if components == 1 { one.to_owned() } else { format!("{prefix}vec{components}") }
}
