//! Render packs: the descriptor, its rules, and shaders against their roles.

codes! {
    JSON: Error = "pack-json", "the descriptor is not JSON",
        "`pack.json` is strict JSON in UTF-8, of 16 MiB at most: no comments, no trailing commas, one value. The place is \
         where the parser stopped.";
    DUPLICATE_KEY: Error = "pack-duplicate-key", "an object has the same key twice",
        "JSON readers disagree on which of two equal keys counts, so a descriptor must not have any. Remove one.";
    UNKNOWN_FIELD: Error = "pack-unknown-field", "a field that the descriptor's form does not have",
        "An unknown field is most often a misspelt one, whose value would silently not count. Field names are camelCase; `shaderport schema pack` prints the form.";
    MISSING_FIELD: Error = "pack-missing-field", "a field that must be there is not",
        "The descriptor's form has no default for this field. `shaderport schema pack` prints the form.";
    WRONG_TYPE: Error = "pack-wrong-type", "a value of another JSON type than the form asks for",
        "Names are strings, flags are arrays of names, numbers are numbers without quotes. `shaderport schema pack` prints the form.";

    PACK_MISSING: Error = "pack-missing", "there is no descriptor",
        "A pack is a folder with a `pack.json` in it. `shaderport pack new DIR` makes one.";
    PACK_ID: Error = "pack-id", "the pack's id is no stable id",
        "Ids are keys under which settings are kept, so they have one spelling: a lowercase letter, then up to 127 lowercase letters, digits, dots, underscores or hyphens.";
    PACK_DISPLAY_NAME: Error = "pack-display-name", "the pack has no display name",
        "The display name is what a player chooses by. It must not be empty or blank.";
    PACK_SUMMARY: Error = "pack-summary", "the pack has no feature summary",
        "The feature summary is the sentence that a player reads before choosing the pack. It must not be empty or blank.";
    PACK_VERSION: Error = "pack-version", "the pack has no version",
        "A version is two to four whole numbers with dots between them, such as 1.0.0.";
    PACK_API: Error = "pack-api", "a render-pack API that is not supported",
        "The pack asks for a version of the render-pack API outside the range that this checker knows.";
    PACK_TIER: Error = "pack-tier", "an unknown tier",
        "Tiers are Tier1 (fullscreen passes), Tier2 (directional shadows) and Tier2Plus (the full atmosphere).";
    NULL_LIST: Error = "pack-null-list", "a list that is null or absent",
        "Every list of the descriptor is given, if need be as `[]`; only the later lists of the atmosphere policy may be left out.";
    CAPABILITY_UNKNOWN: Error = "pack-capability-unknown", "an unknown capability",
        "Capabilities have fixed names. A misspelt one could never be met by any host.";
    SHADOW_LIGHT: Error = "pack-shadow-light", "a directional-shadow pass without the selected celestial light",
        "Directional shadows follow the one celestial body that the renderer selects, sun or moon. The pass lists SelectedCelestialDirectionalLight and must not list SunDirection, which stays with the sun at night. (Semantic execution and stable identity.)";
    SEMANTIC_CAPABILITY: Error = "pack-semantic-capability", "a semantic without its capability",
        "A semantic input can be supplied only by a host that has the capability beside it in the logical semantic table, so the pack must require that capability.";
    ITEM_ID: Error = "pack-item-id", "an id that is no stable id",
        "Ids of resources, passes, replays, variants, presets and settings are keys for persistence and messages: a lowercase letter, then up to 127 lowercase letters, digits, dots, underscores or hyphens.";
    ITEM_DUPLICATE: Error = "pack-duplicate-id", "two declarations of one kind with the same id",
        "Ids are unique within their kind, compared without regard to case. The same id may occur in two kinds.";
    ASSET_KEY: Error = "pack-asset-key", "an unsafe shader asset key",
        "An asset key is a relative path with forward slashes inside the pack's folder: not blank, at most 512 characters, not rooted, no backslash, no empty, `.` or `..` segment.";

    RESOURCE_NAME: Error = "resource-unknown-name", "an unknown kind, format, usage or lifetime",
        "Names of kinds, formats, usages and lifetimes are fixed by the render-pack API.";
    RESOURCE_RESERVED: Error = "resource-reserved", "buffers and storage are reserved",
        "Version 1 has no descriptor binding for buffers, structured data or storage usage, so a pack that declares one could not be bound. (Logical semantic table.)";
    RESOURCE_COLOUR_ARRAY: Error = "resource-colour-array", "an array of colour images",
        "Version 1 reserves image arrays for directional depth. Declare a colour intermediate as Image2D.";
    RESOURCE_BYTES: Error = "resource-bytes", "a negative number of bytes",
        "Sizes are zero or more; zero lets the host work the size out of the extent.";
    RESOURCE_USAGE: Error = "resource-usage", "no usage",
        "An image that is neither sampled nor written cannot be made.";
    RESOURCE_NO_EXTENT: Error = "resource-no-extent", "an image without an extent",
        "Every image states how large it is, in pixels or relative to the main world or the output.";
    RESOURCE_EXTENT: Error = "resource-extent", "an extent that is no size",
        "Width and height are finite and above zero, layers from 1 to 256, and the mode one of the three.";
    RESOURCE_ABSOLUTE: Error = "resource-absolute-extent", "an absolute extent that is too large or not whole",
        "An extent in pixels is made of whole numbers up to 16384.";
    RESOURCE_RELATIVE: Error = "resource-relative-extent", "a relative extent outside (0, 1]",
        "A relative extent is a scale: above zero and at most one.";
    RESOURCE_TOTAL: Error = "resource-total", "more resident bytes than a pack may have",
        "The estimated resident bytes of all resources together stay within 256 MiB.";

    PASS_HOOK_UNKNOWN: Error = "pass-hook-unknown", "an unknown hook",
        "Hooks are ShadowDepthBeforeWorld, AtmosphereBeforeToneMap, ToneMap and AfterToneMapBeforePrivateViewports.";
    PASS_HOOK_ORDER: Error = "pass-hook-order", "a pass that goes back to an earlier hook",
        "Passes run in the order of the descriptor, and hooks follow each other in a fixed order, so a pass cannot stand behind one of a later hook. Move it up. (Hooks and availability.)";
    PASS_INPUT_UNKNOWN: Error = "pass-input-unknown", "an unknown semantic input",
        "Semantic inputs have fixed names; see the logical semantic table.";
    PASS_INPUT_DUPLICATE: Error = "pass-input-duplicate", "a semantic input twice",
        "Texture slots are given out in the order of the inputs, so that each stands once.";
    PASS_BINDING_DUPLICATE: Error = "pass-binding-duplicate", "a resource read or written twice",
        "Reads and writes each name a resource once, compared without regard to case.";
    PASS_WRITES: Error = "pass-writes", "more than one attachment",
        "In version 1 a pass writes at most one declared attachment.";
    PASS_NO_OUTPUT: Error = "pass-no-output", "a pass without an output",
        "Only at ToneMap and AfterToneMapBeforePrivateViewports is there a target that the host owns; at other hooks a pass writes a resource.";
    PASS_READ_UNKNOWN: Error = "pass-read-unknown", "a read of a resource that is not declared",
        "Reads name resources of the same descriptor.";
    PASS_READ_EARLY: Error = "pass-read-early", "a read before anything is written",
        "A resource holds something only after an earlier pass has written it.";
    PASS_READ_USAGE: Error = "pass-read-usage", "a read of a resource that is not sampled",
        "A resource that a pass reads has Sampled among its usages.";
    PASS_WRITE_UNKNOWN: Error = "pass-write-unknown", "a write to a resource that is not declared",
        "Writes name resources of the same descriptor.";
    PASS_READ_WRITE: Error = "pass-read-write", "a resource read and written by one pass",
        "A render target cannot be sampled while it is drawn to. Use a second resource.";
    PASS_WRITE_USAGE: Error = "pass-write-usage", "a write to a resource that is no attachment",
        "A written resource has ColorAttachment among its usages, or DepthAttachment for directional depth.";
    PASS_SLOTS: Error = "pass-slots", "more sampled inputs than texture slots",
        "A pass has four slots, A to D, for sampled semantics and resource reads together. DirectionalShadowMaps brings its own in binding 6.";

    REPLAY_NAME: Error = "replay-unknown-name", "an unknown scene replay or caster class",
        "Names of replays and caster classes are fixed by the render-pack API.";
    REPLAY_VIEWS: Error = "replay-views", "a number of views outside 1 to 4",
        "A replay asks for one view for each cascade, up to four.";
    REPLAY_CASTERS: Error = "replay-casters", "a replay of no casters",
        "A replay names at least one caster class.";
    VARIANT_NAME: Error = "variant-unknown-name", "an unknown base or material",
        "Names of base pipelines and material classes are fixed by the render-pack API.";
    VARIANT_MATERIALS: Error = "variant-materials", "a variant for no material",
        "A pipeline variant names the materials that it can draw.";
    VARIANT_INPUT_UNKNOWN: Error = "variant-input-unknown", "an unknown semantic input",
        "Semantic inputs have fixed names; see the logical semantic table.";

    SETTING_COUNT: Error = "setting-count", "more settings than the block holds",
        "The PackSettings block has room for 64 numbers.";
    SETTING_KIND: Error = "setting-kind", "an unknown kind of setting",
        "A setting is Boolean, Integer, Float or Choice.";
    SETTING_DISPLAY_NAME: Error = "setting-display-name", "a setting without a display name",
        "The display name is what a player sees. It must not be empty or blank.";
    SETTING_BOUNDS: Error = "setting-bounds", "a minimum, maximum or step that is no number to use",
        "Minimum and maximum are finite, and a step is finite and above zero.";
    SETTING_RANGE: Error = "setting-range", "a minimum above the maximum",
        "No value could ever be valid.";
    SETTING_CHOICES: Error = "setting-choices", "a choice without choices, or a default that is none of them",
        "A Choice setting lists at least one choice, and its default is one of them, letter for letter.";
    SETTING_CHOICE_DUPLICATE: Error = "setting-choice-duplicate", "the same choice twice",
        "A choice is stored by its text and handed to shaders as its index; two equal texts could not be told apart.";
    SETTING_DEFAULT: Error = "setting-default", "a default that is no value of the setting",
        "The default follows the grammar of the setting's kind, its range and its step. Numbers are written with a dot and without separators.";
    SETTING_PCF: Error = "setting-pcf", "shadow filter taps other than 1, 9 or 25",
        "The receiver filters over a square of 1, 3 or 5 texels, so that the setting with this semantic offers 1, 9 and 25 alone.";

    PRESET_NONE: Error = "preset-none", "no quality preset",
        "A pack has at least one quality preset: it is what gets activated.";
    PRESET_DISPLAY_NAME: Error = "preset-display-name", "a preset without a display name",
        "The display name is what a player sees. It must not be empty or blank.";
    PRESET_CAPABILITY: Error = "preset-capability-unknown", "an unknown capability in a preset",
        "Capabilities have fixed names.";
    PRESET_HINT: Error = "preset-hint", "an unknown execution hint",
        "Hints are FusedAtmosphericPostProcess and MultiviewDirectionalShadowCascades.";
    PRESET_MULTIVIEW: Error = "preset-multiview", "multiview cascades where they cannot run",
        "The hint is for the Low preset, which then requires MultiviewDirectionalShadowCascades, in a pack with exactly one directional-shadow pass. (Multiview directional-shadow cascades.)";
    PRESET_FUSED: Error = "preset-fused", "a fused post process where it cannot run",
        "The hint is for the Low preset of a pack with exactly one pass of each of the six post-processing semantics. (PackPass.)";
    PRESET_RESIDENT: Error = "preset-resident", "a budget outside 0 to 256 MiB",
        "A preset's resident bytes are what a host reserves; a pack may have 256 MiB at most.";
    PRESET_BUDGET: Error = "preset-budget", "a time budget that cannot be met",
        "The four time budgets are finite, not negative, and no P50 is above its P99.";
    PRESET_RESOURCE_UNKNOWN: Error = "preset-resource-unknown", "an override of a resource that is not declared",
        "Overrides name resources of the same descriptor.";
    PRESET_RESOURCE_BYTES: Error = "preset-resource-bytes", "an override with a negative number of bytes",
        "Sizes are zero or more.";
    PRESET_RESOURCE_EXTENT: Error = "preset-resource-extent", "an override with an invalid extent",
        "An overriding extent obeys the rules of a resource's own.";
    PRESET_RESOURCE_DUPLICATE: Error = "preset-resource-duplicate", "a resource overridden twice in one preset",
        "Only one of the two could count.";
    PRESET_RESOURCE_MODE: Error = "preset-resource-mode", "an extent that the executor is not built for",
        "An override keeps the extent mode of its resource, and directional depth is square, in whole pixels, with one to four layers, as declared and in every preset: the executor is built for that.";
    PRESET_SETTING_UNKNOWN: Error = "preset-setting-unknown", "an override of a setting that is not declared",
        "Overrides name settings of the same descriptor.";
    PRESET_SETTING_DUPLICATE: Error = "preset-setting-duplicate", "a setting overridden twice in one preset",
        "Only one of the two could count. Ids are compared without regard to case.";
    PRESET_SETTING_VALUE: Error = "preset-setting-value", "an override with a value that the setting cannot have",
        "The value follows the grammar of the setting's kind, its range and its step.";

    SEMANTIC_UNKNOWN: Error = "semantic-unknown", "an unknown semantic role",
        "Roles have fixed names; a declaration without a role of its own is Custom (a pass: CustomFullscreen).";
    SEMANTIC_DUPLICATE: Error = "semantic-duplicate", "a semantic role twice",
        "Every role but Custom is unique within its kind, since the executor finds declarations by role.";
    AUTOMATIC_KIND: Error = "automatic-kind", "an automatic-quality setting that is no boolean",
        "The setting switches automatic quality on or off.";
    AUTOMATIC_PRESETS: Error = "automatic-presets", "automatic quality without presets to choose from",
        "Automatic quality moves between the Low, Medium and High presets, so that all three are declared and autoEligible.";
    PROFILE_TIER: Error = "profile-tier", "directional shadows below Tier2",
        "A pack with directional shadows says so in its highest tier.";
    PROFILE_CAPABILITY: Error = "profile-capability", "a capability that the shadow graph needs",
        "The directional-shadow graph cannot run without all of its capabilities, so the pack requires them.";
    PROFILE_MISSING: Error = "profile-missing", "a part of the executor's graph is not declared",
        "A fixed executor finds its passes, resources, variants, replays and settings by role and needs every one. A pack that wants less uses custom passes, or the shadows-only profile.";
    PROFILE_COUNT: Error = "profile-count", "more or fewer declarations than the executor takes",
        "The fixed executors run exactly the declarations of their graph. (Semantic execution and stable identity.)";
    PROFILE_RESOURCE: Error = "profile-resource", "a resource that does not fit its role",
        "Each resource role has one kind, format, extent mode, usage and lifetime.";
    PROFILE_VARIANT: Error = "profile-variant", "a variant that does not fit its role",
        "Each variant role has one base pipeline, one set of materials and one list of semantic inputs, in that order.";
    PROFILE_REPLAY: Error = "profile-replay", "a scene replay that does not fit the shadow graph",
        "The shadow graph replays all five caster classes.";
    PROFILE_CURVE: Error = "profile-curve", "a response curve with too few points",
        "The executor evaluates the shadow curve (and, in the full profile, the shaft curve), which has two points or more.";
    PROFILE_HOOK: Error = "profile-hook", "a pass role at another hook",
        "Each pass role runs at one hook.";
    PROFILE_ORDER: Error = "profile-order", "pass roles in another order",
        "The executor records its passes in one order, and the descriptor states them in it.";
    PROFILE_EDGES: Error = "profile-edges", "reads or writes that are not those of the pass's role",
        "Each pass role reads and writes fixed resource roles, the reads in a fixed order: they become texture slots A to D.";
    PROFILE_CUSTOM: Error = "profile-custom", "custom passes that the shadows-only profile cannot run",
        "The shadows-only profile has exactly one custom pass with WorldColor at ToneMap and no writes, and custom passes only at AtmosphereBeforeToneMap and ToneMap.";

    POLICY_CURVE: Error = "policy-curve", "a response curve that cannot be evaluated",
        "Points have finite elevations from -90 to 90 degrees that rise from one to the next, and finite multipliers from zero up; for the shadow and shaft curves up to one.";
    POLICY_HORIZON: Error = "policy-horizon", "shadows at or below the horizon",
        "The shadow curve is zero at and below 0 degrees: points there are exactly zero, and without a point at 0 the first one above is zero too, since the curve between two points is a line. (AtmosphericFrame.)";
    POLICY_DAY_GROUP: Error = "policy-day-group", "a day group twice, or with a multiplier that is no number",
        "Each day group has one finite multiplier from zero up.";
    POLICY_WIND: Error = "policy-wind", "foliage wind for no kind of weather, or without numbers",
        "Each row names a kind of weather (Clear, Overcast, Rain, Snow, Storm; letter for letter, once), with a finite mean and gust from zero up.";

    DEVICE_CAPABILITY: Error = "device-capability", "a capability that the device does not have",
        "The pack requires something that the described device cannot do.";
    DEVICE_PRESET: Error = "device-preset", "a preset that the device cannot run",
        "The preset requires a capability, memory or an extent that the described device does not have. Other presets may run.";
    DEVICE_FILE: Error = "device-file", "a device description that cannot be read",
        "`shaderport schema device` prints the form.";

    ASSET_MISSING: Error = "asset-missing", "a shader file that cannot be opened",
        "Every asset key names a file in the pack's folder.";
    ASSET_OUTSIDE: Error = "asset-outside", "a shader file outside the pack",
        "The key leads through a symbolic link, or out of the pack's folder. A pack is self-contained: its folder can be moved.";
    ASSET_SIZE: Error = "asset-size", "a shader file above 16 MiB",
        "No shader module may be larger. Debug information is often most of it; `spirv-opt --strip-debug` removes that.";
    ASSET_NOT_SPIRV: Error = "asset-not-spirv", "a shader file that is not SPIR-V",
        "The file has fewer than four bytes, no whole number of words, or another first word. GLSL has to be compiled first: `shaderport pack build DIR`.";

    SHADER_NOT_WORDS: Error = "shader-not-words", "no word-aligned module",
        "A module has at least 20 bytes and a whole number of words.";
    SHADER_MAGIC: Error = "shader-magic", "no SPIR-V magic word",
        "The host reads little-endian modules, whose first word is 0x07230203.";
    SHADER_MALFORMED: Error = "shader-malformed", "an instruction that cannot be read",
        "An instruction's length or operands are wrong. The file is damaged; compile it again.";
    SHADER_ENTRY: Error = "shader-entry", "not exactly one entry point `main` of the declared stage",
        "Each asset holds one stage, under the name `main`. Was the vertex asset given as the fragment asset?";
    SHADER_PUSH_DUPLICATE: Error = "shader-push-duplicate", "more than one push-constant block",
        "All pipelines share one block of 96 bytes.";
    SHADER_PUSH_LAYOUT: Error = "shader-push-layout", "a push-constant block of another shape",
        "The push block has exactly nine members in 96 bytes. Include the generated header (`shaderport pack abi --format glsl`) instead of a copy. (Shared push constants.)";
    SHADER_UNBOUND: Error = "shader-unbound", "a descriptor without a set or binding",
        "A resource that states no set or no binding can be bound nowhere; absent is not 0.";
    SHADER_ALIASED: Error = "shader-aliased", "two variables at one set and binding",
        "Each binding is declared once.";
    SHADER_TABLE_UNDECLARED: Error = "shader-table-undeclared", "the texture table without a sampled input",
        "A shader may declare the table only where the descriptor gives it something to sample: a resource read, WorldColor, SceneDepth, SceneNormals or DirectionalShadowMaps.";
    SHADER_TABLE_SHAPE: Error = "shader-table-shape", "a texture table of another shape",
        "The table is `sampler2DArray uTextures[]`, without a size: one runtime array of combined samplers over 2D arrays. A compiler turns an unsized array that is indexed by constants, or by nothing, into a sized one; index it with a slot number from the push block, with `nonuniformEXT`. (Texture-table sampling.)";
    SHADER_BLOCK_CLASS: Error = "shader-block-class", "something else than a uniform buffer in the packs' set",
        "The packs' descriptor set has uniform blocks alone.";
    SHADER_BLOCK_UNDECLARED: Error = "shader-block-undeclared", "a block that the role does not have",
        "Which blocks a shader sees follows from its role and, for custom passes, from its semantic inputs. Declare the semantic that brings the block, or remove the block. (Fixed descriptor ownership.)";
    SHADER_BLOCK_STRUCT: Error = "shader-block-struct", "a uniform buffer that is no single block",
        "The variable is one structure with the Block decoration: no array, no bare value.";
    SHADER_BLOCK_LAYOUT: Error = "shader-block-layout", "a block whose members are not those of the contract",
        "The host fills the block byte by byte, so that every member has the type, offset and strides of the contract. Include the generated header (`shaderport pack abi --format glsl`) instead of a copy.";
    SHADER_STORAGE_UNDECLARED: Error = "shader-storage-undeclared", "a renderer's storage buffer that the role does not have",
        "Only variants that specialise a pipeline with storage buffers may read them, and only those.";
    SHADER_STORAGE_WRITABLE: Error = "shader-storage-writable", "a storage buffer that is not read-only",
        "Declare it `readonly`: the buffers are the renderer's.";
    SHADER_STORAGE_STRUCT: Error = "shader-storage-struct", "a storage buffer that is no single block",
        "The variable is one structure with the Block decoration. Compile for Vulkan 1.1 or later: older targets write BufferBlock.";
    SHADER_RENDERER_BLOCK: Error = "shader-renderer-block", "a renderer's uniform block that the role does not have",
        "The renderer's own uniforms belong to its pipelines; a variant sees those of the pipeline that it specialises.";
    SHADER_RENDERER_STRUCT: Error = "shader-renderer-struct", "a renderer's uniform buffer that is no single block",
        "The variable is one structure with the Block decoration.";
    SHADER_NO_BINDING: Error = "shader-no-binding", "a descriptor that the contract does not have",
        "Bindings other than those of the contract are reserved. Storage images, separate samplers, input attachments and buffers of one's own have no place in version 1.";
    SHADER_IMAGE_WRITE: Error = "shader-image-write", "a write to a storage image",
        "Passes write their attachment and nothing else.";

    SHADER_MEMORY_MODEL: Error = "shader-memory-model", "another addressing or memory model",
        "Graphics shaders use Logical addressing and the GLSL450 memory model. Physical addressing opens memory that no descriptor names.";
    SHADER_CAPABILITY: Error = "shader-capability", "a capability that packs do not have",
        "Every capability is a promise of the device and a way to reach things. Only those on the contract's list are available: subgroup operations, 64-bit numbers, buffer references, atomics on images and the like are not.";
    SHADER_FORBIDDEN_OP: Error = "shader-forbidden-op", "an instruction that packs may not use",
        "Atomics, pointers to texels and their kin change memory that other work reads.";
    SHADER_STORE: Error = "shader-store", "a write through a renderer's buffer",
        "Some pointer made from a read-only or uniform buffer is written through.";
    SHADER_STORE_UNTRACED: Error = "shader-store-untraced", "a write through a pointer that comes from no variable",
        "The pointer is an address, or made of something that is no variable, so what it points to cannot be known. Packs write nothing but their outputs and their own variables.";
    SHADER_SAMPLED_TYPE: Error = "shader-sampled-type", "a texture table of integers",
        "The table holds textures of floats. Reading them as integers gives undefined values.";
    SHADER_SAMPLED_DEPTH: Error = "shader-sampled-depth", "a texture table of comparison samplers",
        "The host's samplers do not compare. Sample the depth and compare in the shader.";
    SHADER_SAMPLED_MULTISAMPLED: Error = "shader-sampled-multisampled", "a texture table of multisampled images",
        "No multisampled image is ever in the table.";
    SHADER_PRIVATE_LAYOUT: Error = "shader-private-layout", "a renderer's buffer with another layout",
        "A variant inherits the renderer's buffers as they are. Read with another layout they give other values.";
    SHADER_STAGE_STORAGE: Error = "shader-stage-storage", "a renderer's storage buffer in a stage that has no use for it",
        "Shadow casters place vertices by the renderer's transforms; their fragment stage draws depth alone.";
    SHADER_VIEW_INDEX: Error = "shader-view-index", "gl_ViewIndex outside a multiview variant",
        "Only the multiview casters run with several views. Elsewhere the index means nothing; cascades use the push block's renderPass.";
    SHADER_OUTPUTS: Error = "shader-outputs", "outputs without an attachment",
        "A pass has one colour attachment at location 0; a shadow caster has none.";
    SHADER_DEPTH_EXPORT: Error = "shader-depth-export", "a fragment shader that writes depth, stencil or coverage",
        "Depth is the renderer's. Shadow maps hold the depth of the geometry.";
    SHADER_UNLISTED: Error = "shader-unlisted", "a used variable that the entry point does not list",
        "The interface of an entry point lists its inputs and outputs and, from SPIR-V 1.4 on, every variable that it uses.";
    SHADER_SPEC_CONSTANT: Warning = "shader-spec-constant", "a specialisation constant",
        "The host sets none, so that the default always counts. Make it a constant, or a setting.";
    SHADER_SEMANTIC: Error = "shader-semantic", "a value is read whose semantic is not declared",
        "The descriptor lists every semantic that a shader reads: the host fills a member only for those who asked. (Logical semantic table.)";
    SHADER_DECORATION: Error = "shader-duplicate-decoration", "a decoration given twice",
        "Readers disagree on which of two equal decorations counts, so that a checked layout need not be the one that a driver uses.";
    VARYING_MISSING: Error = "varying-missing", "a fragment input that the vertex shader does not write",
        "The fragment shader reads a location that its vertex shader has no output for; the value is undefined.";
    VARYING_TYPE: Error = "varying-type", "a varying with two types",
        "Output and input at one location have the same component type, and the input no more components.";
    VARYING_FLAT: Error = "varying-flat", "an integer varying that is not flat",
        "Integers cannot be interpolated; the fragment input is declared `flat`.";
}
