//! Blocks of a module against blocks of the table.

use crate::abi::{Field, Ty};
use shaderport_spirv::{Count, Member, Module, Scalar, Type};

/// Whether a type, as a member decorates it, is the table's. With `unwrap`, a structure of one member at offset 0
/// counts as that member: the bytes are the same.
pub(crate) fn fits(module: &Module, ty: u32, member: &Member, want: &Ty, unwrap: bool) -> bool {
    let float = |t| module.scalar(t) == Some(Scalar::Float { width: 32 });
    let uint = |t| module.scalar(t) == Some(Scalar::Int { width: 32, signed: false });
    let Some(found) = module.ty(ty) else { return false };
    match (want, found) {
        (Ty::F32, Type::Scalar(_)) => float(ty),
        (Ty::U32, Type::Scalar(_)) => uint(ty),
        (Ty::I32, Type::Scalar(s)) => s == Scalar::Int { width: 32, signed: true },
        (Ty::Any32, Type::Scalar(s)) => s.bytes() == Some(4),
        (Ty::Vec2, Type::Vector { component, count: 2 })
        | (Ty::Vec4, Type::Vector { component, count: 4 }) => float(component),
        (Ty::UVec4, Type::Vector { component, count: 4 }) => uint(component),
        (Ty::Mat4, Type::Matrix { column, columns: 4 }) => {
            matches!(module.ty(column), Some(Type::Vector { component, count: 4 }) if float(component))
                && member.column_major
                && member.matrix_stride == Some(16)
        }
        (Ty::Array { of, len, stride }, Type::Array { element, .. }) => {
            module.count(ty) == Count::Sized(*len)
                && module.array_stride(ty) == Some(*stride)
                && fits(module, element, member, of, unwrap)
        }
        (Ty::Struct { fields, .. }, Type::Struct { .. }) => {
            let members = module.members(ty).unwrap_or_default();
            members.len() == fields.len()
                && members.iter().zip(*fields).all(|(m, f)| field_fits(module, m, f, unwrap))
        }
        (_, Type::Struct { members: [_] }) if unwrap => {
            let members = module.members(ty).unwrap_or_default();
            // The member is no larger than its structure, so this ends with the type's nesting; a type that holds
            // itself has no extent.
            module.extent(ty).is_some()
                && members.iter().all(|m| m.offset == Some(0) && fits(module, m.ty, m, want, false))
        }
        _ => false,
    }
}

/// Whether a member has the table's offset and type.
pub(crate) fn field_fits(module: &Module, member: &Member, field: &Field, unwrap: bool) -> bool {
    member.offset == Some(field.offset) && fits(module, member.ty, member, &field.ty, unwrap)
}

/// How std140 aligns a type; `None` for what is in no block, and for what is too large to tell in so many steps.
fn std140_alignment(module: &Module, ty: u32, steps: &mut u32) -> Option<u64> {
    *steps = steps.checked_sub(1)?;
    match module.ty(ty)? {
        Type::Scalar(s) => s.bytes(),
        Type::Vector { component, count } => {
            Some(module.scalar(component)?.bytes()? * if count == 2 { 2 } else { 4 })
        }
        Type::Matrix { column, .. } => Some(std140_alignment(module, column, steps)?.next_multiple_of(16)),
        Type::Array { element, .. } | Type::RuntimeArray { element } => {
            Some(std140_alignment(module, element, steps)?.next_multiple_of(16))
        }
        Type::Struct { members } => {
            let mut most = 16;
            for &m in members {
                most = std140_alignment(module, m, steps)?.max(most);
            }
            Some(most.next_multiple_of(16))
        }
        _ => None,
    }
}

/// What std140 makes of a member, for people who counted otherwise: the rule that it breaks, or the bytes that its
/// array takes.
pub(crate) fn std140_notes(module: &Module, member: &Member) -> Vec<String> {
    let mut notes = Vec::new();
    let what = type_text(module, member.ty, None, 4);
    if let (Some(offset), Some(alignment)) = (member.offset, std140_alignment(module, member.ty, &mut 64))
        && alignment > 0
        && !u64::from(offset).is_multiple_of(alignment)
    {
        notes.push(format!(
            "std140 starts a {what} at a multiple of {alignment}, which {offset} is not; scalar layout would"
        ));
    }
    if let Some(Type::Array { element, .. }) = module.ty(member.ty)
        && let (Some(stride), Count::Sized(n)) = (module.array_stride(member.ty), module.count(member.ty))
    {
        let whole = u64::from(stride) * u64::from(n);
        let inner = module.size_in_block(element, member).map(|e| e.bytes);
        if !stride.is_multiple_of(16) {
            notes.push(format!(
                "std140 puts the elements of an array a multiple of 16 bytes apart; {stride} is what std430 and scalar layout have"
            ));
        } else if let Some(inner) = inner.filter(|b| *b < u64::from(stride)) {
            notes.push(format!(
                "std140 rounds the stride of an array up to 16: {n} elements of {inner} bytes take {n} x {stride} = {whole} bytes, not {}",
                inner.saturating_mul(u64::from(n))
            ));
        }
    }
    if let Some(stride) = member.matrix_stride.filter(|s| !s.is_multiple_of(16)) {
        notes.push(format!("std140 puts the vectors of a matrix a multiple of 16 bytes apart, not {stride}"));
    }
    notes
}

/// A type of the table in GLSL's words.
pub(crate) fn ty_text(ty: &Ty) -> String {
    match ty {
        Ty::F32 => "float".into(),
        Ty::I32 => "int".into(),
        Ty::U32 => "uint".into(),
        Ty::Any32 => "a scalar of 32 bits".into(),
        Ty::Vec2 => "vec2".into(),
        Ty::Vec4 => "vec4".into(),
        Ty::UVec4 => "uvec4".into(),
        Ty::Mat4 => "mat4 (column-major, stride 16)".into(),
        Ty::Array { of, len, stride } => format!("{}[{len}] (stride {stride})", ty_text(of)),
        Ty::Struct { name, .. } => format!("struct {name}"),
    }
}

/// A member of a module in GLSL's words.
pub(crate) fn member_text(module: &Module, member: &Member) -> String {
    let offset = member.offset.map_or("no offset".into(), |o| format!("offset {o}"));
    format!("{} at {offset}", type_text(module, member.ty, Some(member), 4))
}

/// A type of a module in GLSL's words, a few levels deep.
pub(crate) fn type_text(module: &Module, ty: u32, member: Option<&Member>, depth: u32) -> String {
    let Some(depth) = depth.checked_sub(1) else { return "...".into() };
    let prefix = |s: Option<Scalar>| match s {
        Some(Scalar::Float { width: 32 }) => "",
        Some(Scalar::Float { width: 64 }) => "d",
        Some(Scalar::Float { .. }) => "f16",
        Some(Scalar::Int { width: 32, signed: true }) => "i",
        Some(Scalar::Int { width: 32, signed: false }) => "u",
        Some(Scalar::Int { width: 64, signed: true }) => "i64",
        Some(Scalar::Int { width: 64, signed: false }) => "u64",
        Some(Scalar::Bool) => "b",
        _ => "?",
    };
    match module.ty(ty) {
        Some(Type::Scalar(s)) => match s {
            Scalar::Bool => "bool".into(),
            Scalar::Float { width: 32 } => "float".into(),
            Scalar::Float { width } => format!("float{width}"),
            Scalar::Int { width: 32, signed } => if signed { "int" } else { "uint" }.into(),
            Scalar::Int { width, signed } => format!("{}int{width}", if signed { "" } else { "u" }),
        },
        Some(Type::Vector { component, count }) => format!("{}vec{count}", prefix(module.scalar(component))),
        Some(Type::Matrix { column, columns }) => {
            let rows = match module.ty(column) {
                Some(Type::Vector { count, .. }) => count,
                _ => 0,
            };
            let order = match member {
                Some(m) if m.row_major => "row-major, ",
                Some(m) if m.column_major => "column-major, ",
                _ => "",
            };
            let stride =
                member.and_then(|m| m.matrix_stride).map_or("no stride".into(), |s| format!("stride {s}"));
            let name = if rows == columns { format!("mat{columns}") } else { format!("mat{columns}x{rows}") };
            format!("{name} ({order}{stride})")
        }
        Some(Type::Array { element, .. } | Type::RuntimeArray { element }) => {
            let len = match module.count(ty) {
                Count::Sized(n) => n.to_string(),
                Count::Specialized(_) => "a specialisation constant".into(),
                _ => String::new(),
            };
            let stride = module.array_stride(ty).map(|s| format!(" (stride {s})")).unwrap_or_default();
            format!("{}[{len}]{stride}", type_text(module, element, member, depth))
        }
        Some(Type::Struct { members }) => {
            let name = module.name(ty).map(|n| format!(" {n}")).unwrap_or_default();
            format!("struct{name} of {} members", members.len())
        }
        Some(Type::SampledImage { image }) => match module.ty(image) {
            Some(Type::Image { sampled_type, depth: compare, arrayed, multisampled, dim, .. }) => format!(
                "{}sampler{}{}{}{}",
                prefix(module.scalar(sampled_type)),
                ["1D", "2D", "3D", "Cube", "2DRect", "Buffer", "Subpass"].get(dim as usize).unwrap_or(&"?"),
                if multisampled == 0 { "" } else { "MS" },
                if arrayed == 0 { "" } else { "Array" },
                if compare == 1 { "Shadow" } else { "" },
            ),
            _ => "a combined sampler of no image".into(),
        },
        Some(Type::Image { sampled, .. }) => {
            if sampled == 2 { "a storage image" } else { "an image without a sampler" }.into()
        }
        Some(Type::Sampler) => "a sampler without an image".into(),
        Some(Type::Pointer { .. }) => "a pointer".into(),
        Some(_) => "another type".into(),
        None => "no type".into(),
    }
}
