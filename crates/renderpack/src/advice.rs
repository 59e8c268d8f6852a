//! What every finding has at least: what was expected and found, a note, and a suggestion.
//!
//! Rules say these where they know better; the rest comes from here, and the note from the code's explanation.

use crate::finding::Finding;
use crate::json::Node;
use shaderport_diagnostics::Code;
use shaderport_diagnostics::codes::{renderpack as r, spirv as s};

/// For each code, what its rule expects and what to do.
const ADVICE: &[(Code, &str, &str)] = &[
    (r::JSON, "one JSON object in UTF-8", "mend the text at the place given"),
    (r::DUPLICATE_KEY, "each key once", "remove one of the two"),
    (
        r::UNKNOWN_FIELD,
        "a field of the descriptor's form",
        "remove the field, or write the name that was meant",
    ),
    (r::MISSING_FIELD, "a value", "add the field; `shaderport schema pack` prints the form"),
    (r::WRONG_TYPE, "a value of the form's type", "write the value as `shaderport schema pack` has it"),
    (r::PACK_MISSING, "a file pack.json", "make one with `shaderport pack new`"),
    (r::PACK_ID, "a stable id", "write a lowercase letter, then a-z, 0-9, `.`, `_` or `-`"),
    (r::PACK_DISPLAY_NAME, "a name", "write what people shall read in a list of packs"),
    (r::PACK_SUMMARY, "a sentence or two", "write what the pack does"),
    (r::PACK_VERSION, "two to four numbers with dots", "write a version like 1.0.0"),
    (r::PACK_API, "a version that is supported", "write 1"),
    (r::PACK_TIER, "a tier", "write Tier1, Tier2 or Tier2Plus"),
    (r::NULL_LIST, "a list", "write an empty list, `[]`, for nothing"),
    (r::CAPABILITY_UNKNOWN, "the name of a capability", "correct the name, or remove it"),
    (
        r::SHADOW_LIGHT,
        "SelectedCelestialDirectionalLight, and no SunDirection",
        "declare SelectedCelestialDirectionalLight instead of the sun",
    ),
    (r::SEMANTIC_CAPABILITY, "the capability of the semantic", "add the capability to requiredCapabilities"),
    (r::ITEM_ID, "a stable id", "write a lowercase letter, then a-z, 0-9, `.`, `_` or `-`"),
    (r::ITEM_DUPLICATE, "an id of its own, whatever its case", "give one of the two another id"),
    (r::ASSET_KEY, "a relative path inside the pack", "write a path like shaders/copy.frag.spv"),
    (r::RESOURCE_NAME, "a known name", "write one of the names that are expected"),
    (
        r::RESOURCE_RESERVED,
        "an image without storage usage",
        "use an image; buffers and storage have no binding in this version",
    ),
    (r::RESOURCE_COLOUR_ARRAY, "an Image2D", "declare an image for each layer"),
    (r::RESOURCE_BYTES, "0 or more", "write 0 where the bytes are not known"),
    (r::RESOURCE_USAGE, "at least one usage", "add \"Sampled\", and the attachment that it is"),
    (r::RESOURCE_NO_EXTENT, "an extent", "add an extent with mode, width and height"),
    (r::RESOURCE_EXTENT, "finite sizes above 0, and 1 to 256 layers", "correct width, height or layers"),
    (r::RESOURCE_ABSOLUTE, "whole pixels up to 16384", "round the size, or make it smaller"),
    (r::RESOURCE_RELATIVE, "a scale above 0, up to 1", "write a part of the whole, like 0.5"),
    (r::RESOURCE_TOTAL, "at most 256 MiB in all", "make images smaller, or declare fewer"),
    (r::PASS_HOOK_UNKNOWN, "the name of a hook", "write one of the names that are expected"),
    (r::PASS_HOOK_ORDER, "the order of the hooks", "move the pass ahead of those at later hooks"),
    (r::PASS_INPUT_UNKNOWN, "the name of a semantic input", "write one of the names that are expected"),
    (r::PASS_INPUT_DUPLICATE, "each input once", "remove one of the two"),
    (r::PASS_BINDING_DUPLICATE, "each resource once", "remove one of the two"),
    (r::PASS_WRITES, "at most one", "write the others in passes of their own"),
    (r::PASS_NO_OUTPUT, "one resource", "name the resource that the pass writes, or move it to a later hook"),
    (r::PASS_READ_UNKNOWN, "a declared resource", "declare the resource, or correct its id"),
    (r::PASS_READ_EARLY, "a resource that is written", "move the pass behind the one that writes it"),
    (r::PASS_READ_USAGE, "a resource with the usage Sampled", "add \"Sampled\" to its usage"),
    (r::PASS_WRITE_UNKNOWN, "a declared resource", "declare the resource, or correct its id"),
    (r::PASS_READ_WRITE, "another resource", "read from one resource and write to another"),
    (r::PASS_WRITE_USAGE, "a resource that is an attachment", "add the attachment to its usage"),
    (r::PASS_SLOTS, "at most four sampled inputs", "take inputs away, or split the pass"),
    (r::REPLAY_NAME, "a known name", "write one of the names that are expected"),
    (r::REPLAY_VIEWS, "1 to 4", "write the number of cascades, up to 4"),
    (r::REPLAY_CASTERS, "at least one class", "name the classes that cast shadows"),
    (r::VARIANT_NAME, "a known name", "write one of the names that are expected"),
    (r::VARIANT_MATERIALS, "at least one material", "name the materials that the variant draws"),
    (r::VARIANT_INPUT_UNKNOWN, "the name of a semantic input", "write one of the names that are expected"),
    (r::SETTING_COUNT, "at most 64", "remove settings; the block holds 64 numbers"),
    (r::SETTING_KIND, "Boolean, Integer, Float or Choice", "write one of the kinds"),
    (r::SETTING_DISPLAY_NAME, "a name", "write what people shall read beside the setting"),
    (r::SETTING_BOUNDS, "finite numbers, and a step above 0", "correct the bound, or write null for none"),
    (r::SETTING_RANGE, "a minimum up to the maximum", "exchange the two"),
    (r::SETTING_CHOICES, "choices with the default among them", "add the default to the choices"),
    (
        r::SETTING_CHOICE_DUPLICATE,
        "each choice once",
        "remove one of the two; their order is what shaders see",
    ),
    (r::SETTING_DEFAULT, "a value of the setting", "write a value that kind, range and step allow"),
    (r::SETTING_PCF, "1, 9 or 25", "offer 1, 9 and 25 taps alone"),
    (r::PRESET_NONE, "at least one preset", "add a preset; `shaderport pack new` shows one"),
    (r::PRESET_DISPLAY_NAME, "a name", "write what people shall read in the list of presets"),
    (r::PRESET_CAPABILITY, "the name of a capability", "correct the name, or remove it"),
    (r::PRESET_HINT, "a known hint", "correct the hint, or remove it"),
    (r::PRESET_MULTIVIEW, "a Low preset of the shadow graph", "remove the hint, or make it the Low preset's"),
    (r::PRESET_FUSED, "a Low preset of the full graph", "remove the hint, or make it the Low preset's"),
    (r::PRESET_RESIDENT, "0 to 268435456", "write the bytes that the preset's images take"),
    (r::PRESET_BUDGET, "finite numbers, P50 up to P99", "correct the time"),
    (r::PRESET_RESOURCE_UNKNOWN, "a declared resource", "declare the resource, or correct its id"),
    (r::PRESET_RESOURCE_BYTES, "0 or more", "write 0 where the bytes are not known"),
    (r::PRESET_RESOURCE_EXTENT, "a sound extent", "correct width, height or layers"),
    (r::PRESET_RESOURCE_DUPLICATE, "each resource once", "join the two overrides"),
    (r::PRESET_RESOURCE_MODE, "an extent of the resource's mode", "keep the mode, and change the size"),
    (r::PRESET_SETTING_UNKNOWN, "a declared setting", "declare the setting, or correct its id"),
    (r::PRESET_SETTING_DUPLICATE, "each setting once", "remove one of the two"),
    (r::PRESET_SETTING_VALUE, "a value of the setting", "write a value that kind, range and step allow"),
    (r::SEMANTIC_UNKNOWN, "the name of a semantic", "write one of the names that are expected"),
    (r::SEMANTIC_DUPLICATE, "each semantic once", "make one of the two Custom"),
    (r::AUTOMATIC_KIND, "Boolean", "make the setting a Boolean"),
    (
        r::AUTOMATIC_PRESETS,
        "Low, Medium and High presets that are autoEligible",
        "add the preset, or make it autoEligible",
    ),
    (r::PROFILE_TIER, "Tier2 or Tier2Plus", "raise highestTier"),
    (
        r::PROFILE_CAPABILITY,
        "the capabilities of the shadow graph",
        "add the capability to requiredCapabilities",
    ),
    (
        r::PROFILE_MISSING,
        "every part of the graph",
        "add the declaration; `shaderport pack new` makes a whole graph",
    ),
    (r::PROFILE_COUNT, "the graph's declarations and no others", "remove what does not belong to the graph"),
    (r::PROFILE_RESOURCE, "the role's image", "declare the image as the role has it"),
    (r::PROFILE_VARIANT, "the role's base, materials and inputs", "declare the variant as the role has it"),
    (r::PROFILE_REPLAY, "the casters and views of the graph", "declare the replay as the graph has it"),
    (r::PROFILE_CURVE, "two points or more", "add points to the curve"),
    (r::PROFILE_HOOK, "the role's hook", "move the pass to its hook"),
    (r::PROFILE_ORDER, "the order of the roles", "sort the passes as the graph runs them"),
    (r::PROFILE_EDGES, "the reads and writes of the role", "declare the edges as the role has them"),
    (
        r::PROFILE_CUSTOM,
        "one custom pass at ToneMap that shows WorldColor",
        "keep the copy to the screen, and no other custom pass",
    ),
    (r::POLICY_CURVE, "rising elevations and multipliers in range", "correct the point"),
    (r::POLICY_HORIZON, "0 at and below the horizon", "let the curve be 0 up to a point at 0 degrees"),
    (r::POLICY_DAY_GROUP, "each group once", "remove one of the two"),
    (r::POLICY_WIND, "each kind of weather once", "correct the row"),
    (
        r::DEVICE_CAPABILITY,
        "a device with the capability",
        "make the capability optional, or do without it there",
    ),
    (r::DEVICE_PRESET, "a preset that the device can run", "offer a preset that asks for less"),
    (r::DEVICE_FILE, "a device file", "write the file as `shaderport schema device` has it"),
    (r::ASSET_MISSING, "a file that can be read", "compile it: `shaderport pack build`"),
    (r::ASSET_OUTSIDE, "a file inside the pack", "put the file itself into the pack"),
    (r::ASSET_SIZE, "at most 16777216 bytes", "compile without debug information, or split the shader"),
    (r::ASSET_NOT_SPIRV, "a SPIR-V module", "compile it: `shaderport pack build`"),
    (r::SHADER_NOT_WORDS, "a number of bytes that four divides", "compile it again: the file is cut"),
    (r::SHADER_MAGIC, "03 02 23 07", "compile it again, with little-endian words"),
    (r::SHADER_MALFORMED, "instructions that the grammar allows", "compile it again: the file is damaged"),
    (r::SHADER_ENTRY, "one entry point main of the stage", "name the shader in the right field"),
    (r::SHADER_PUSH_DUPLICATE, "one push-constant block", "remove one of the two"),
    (r::SHADER_PUSH_LAYOUT, "the push block of the ABI", HEADER),
    (r::SHADER_UNBOUND, "a set and a binding", "add `layout(set = ..., binding = ...)`"),
    (r::SHADER_ALIASED, "one variable at each binding", "remove one of the two"),
    (r::SHADER_TABLE_UNDECLARED, "no texture table", "declare what the pass samples, or sample nothing"),
    (r::SHADER_TABLE_SHAPE, "sampler2DArray[]", HEADER),
    (r::SHADER_BLOCK_CLASS, "a uniform block", HEADER),
    (r::SHADER_BLOCK_UNDECLARED, "blocks of the role alone", "remove the block, or declare what brings it"),
    (r::SHADER_BLOCK_STRUCT, "one Block structure", HEADER),
    (r::SHADER_BLOCK_LAYOUT, "the members of the ABI's block", HEADER),
    (r::SHADER_STORAGE_UNDECLARED, "buffers of the role alone", "remove the buffer"),
    (r::SHADER_STORAGE_WRITABLE, "a read-only buffer", "declare the buffer `readonly`"),
    (r::SHADER_STORAGE_STRUCT, "one Block structure", HEADER),
    (r::SHADER_RENDERER_BLOCK, "blocks of the role alone", "remove the block"),
    (r::SHADER_RENDERER_STRUCT, "one Block structure", HEADER),
    (r::SHADER_NO_BINDING, "descriptors of the ABI alone", "use what the role has, or remove the descriptor"),
    (r::SHADER_IMAGE_WRITE, "no OpImageWrite", "write to the pass's attachment instead"),
    (r::SHADER_MEMORY_MODEL, "Logical GLSL450", "compile for Vulkan without addresses"),
    (r::SHADER_CAPABILITY, "capabilities of the ABI alone", "do without what asks for the capability"),
    (r::SHADER_FORBIDDEN_OP, "instructions that write nothing shared", "do without the instruction"),
    (r::SHADER_STORE, "no write to it", "write to a variable of the shader instead"),
    (
        r::SHADER_STORE_UNTRACED,
        "a pointer to a variable of the shader",
        "write to a variable of the shader instead",
    ),
    (r::SHADER_SAMPLED_TYPE, "sampler2DArray[]", HEADER),
    (r::SHADER_SAMPLED_DEPTH, "sampler2DArray[]", "sample the depth, and compare in the shader"),
    (r::SHADER_SAMPLED_MULTISAMPLED, "sampler2DArray[]", HEADER),
    (r::SHADER_PRIVATE_LAYOUT, "the renderer's layout", HEADER),
    (r::SHADER_STAGE_STORAGE, "no storage in this stage", "read it in the vertex shader, and pass it on"),
    (r::SHADER_VIEW_INDEX, "no gl_ViewIndex", "take the cascade from the push block"),
    (r::SHADER_OUTPUTS, "one colour at location 0", "remove the other outputs"),
    (r::SHADER_DEPTH_EXPORT, "depth as it is", "do not write depth, stencil or coverage"),
    (r::SHADER_UNLISTED, "every used variable in the entry point's list", "compile it with a newer compiler"),
    (r::SHADER_SPEC_CONSTANT, "a constant", "use a setting of the pack, or a plain constant"),
    (r::SHADER_SEMANTIC, "a semantic that brings the value", "add the semantic to semanticInputs"),
    (r::SHADER_DECORATION, "each decoration once", "compile it again with another compiler"),
    (r::VARYING_MISSING, "an output of the vertex shader", "write the varying in the vertex shader"),
    (r::VARYING_TYPE, "the same type on both sides", "declare the varying alike in both shaders"),
    (r::VARYING_FLAT, "a flat input", "write `flat` before the input"),
    (s::VERSION, "1.0 to 1.6", "compile for Vulkan 1.3 or earlier"),
    (s::BOUND, "a bound above every id", DAMAGED),
    (s::SCHEMA, "0", DAMAGED),
    (s::EXTRA_WORDS, "as many words as the grammar has", DAMAGED),
    (s::OPERANDS, "the operands of the grammar", DAMAGED),
    (s::STRING, "a string with its end", DAMAGED),
    (s::ID_REDEFINED, "one definition of each id", DAMAGED),
    (s::ID_UNDEFINED, "a definition of each id", DAMAGED),
    (s::TYPE_INVALID, "types made of earlier types", DAMAGED),
    (s::CONSTANT_WIDTH, "as many words as the type has", DAMAGED),
    (s::MEMORY_MODEL, "one memory model", DAMAGED),
    (s::GROUP_EXPANSION, "groups of a sensible size", DAMAGED),
    (s::MEMBER_INDEX, "a member that the structure has", DAMAGED),
];

const HEADER: &str = "include the generated header: `shaderport pack abi --format glsl`";
const DAMAGED: &str = "compile it again: the module is damaged";

/// The longest piece of a descriptor that a finding quotes, in characters.
const QUOTE: usize = 60;

/// Gives every finding what its rule left out. The text at a finding's path is what was found.
pub(crate) fn complete(findings: &mut [Finding], root: Option<&Node>) {
    for f in findings {
        let row = ADVICE.iter().find(|(code, ..)| *code == f.code);
        if let Some((_, expected, help)) = row {
            f.expected.get_or_insert_with(|| (*expected).to_owned());
            f.help.get_or_insert_with(|| (*help).to_owned());
        }
        if f.notes.is_empty() {
            f.notes.extend(f.code.info().explanation.lines().next().map(str::to_owned));
        }
        if f.found.as_deref().is_none_or(str::is_empty) {
            let opcode = f.shader.as_ref().and_then(|s| s.place.opcode).map(|op| format!("Op{op}"));
            let value = || root.map(|r| r.quote(&f.path, QUOTE));
            let message = || f.message.clone();
            f.found = Some(opcode.or_else(value).unwrap_or_else(message));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::HARDENING;

    #[test]
    fn every_code_has_its_advice() {
        for code in r::ALL.iter().chain(HARDENING) {
            let rows = ADVICE.iter().filter(|row| row.0 == *code).count();
            assert_eq!(rows, 1, "{code}");
        }
    }
}
