//! What WebGL2 cannot express, and what a translation changes.

codes! {
    STAGE: Error = "refused-stage", "a stage that WebGL2 does not have",
        "WebGL2 runs vertex and fragment shaders only. Geometry, hull, domain and compute shaders are read, inspected and disassembled, but not translated.";
    UAV: Error = "refused-uav", "unordered access views",
        "WebGL2 has no storage buffers, image stores or atomics, in any stage, so a shader that declares, reads or writes an unordered access view (RWTexture, RWBuffer, append and consume buffers), or uses `sync`, cannot be translated. Render to a texture instead, or give the shader a path without the view.";
    DOUBLE: Error = "refused-double", "double-precision arithmetic",
        "GLSL ES 3.00 has no doubles. Compile the HLSL with floats.";
    MULTISAMPLE: Error = "refused-multisample-texture", "multisampled textures",
        "WebGL2 has multisampled renderbuffers but no multisampled textures. Resolve to an ordinary texture and sample that.";
    CUBE_ARRAY: Error = "refused-cube-array", "arrays of cube textures",
        "WebGL2 has no cube-map arrays and no extension offers them. Use single cubes, or a 2D array with face arithmetic.";
    INTERFACE: Error = "refused-interface", "dynamic linkage",
        "The shader calls methods of HLSL interfaces, which the Direct3D runtime links when the shader is bound. Compile one shader for each class.";
    FEEDBACK: Error = "refused-tiled-feedback", "residency feedback of tiled resources",
        "The shader asks whether a texture access touched resident tiles. WebGL2 has no tiled resources.";
    SAMPLE_QUERY: Error = "refused-sample-query", "queries of sample positions or counts",
        "`sample_pos` and `sample_info` ask for the sample positions or the sample count of a texture or of the render target. GLSL ES 3.00 cannot answer.";
    PRIMITIVE_ID: Error = "refused-primitive-id", "`SV_PrimitiveID`",
        "WebGL2 has no primitive index. Feed it as a flat varying from non-indexed vertices.";
    LAYER_OUTPUT: Error = "refused-layer-output", "layer or viewport chosen by the vertex shader",
        "WebGL2 can neither choose a layer nor a viewport in the vertex shader. Draw once for each layer.";
    STENCIL_REF: Error = "refused-stencil-ref", "a stencil reference written by the pixel shader",
        "WebGL2 only takes the stencil reference from the API.";
    INNER_COVERAGE: Error = "refused-inner-coverage", "inner coverage",
        "WebGL2 has no conservative rasterization.";
    CYCLE_COUNTER: Error = "refused-cycle-counter", "the cycle counter",
        "GLSL has no clock.";
    ABORT: Error = "refused-abort", "`abort` and debug messages that end the shader",
        "`abort`, `errorf` and their kin need a debug runtime. Compile without them.";
    UNBOUNDED_ARRAY: Error = "refused-unbounded-array", "an array of resources without a small bound, indexed by a computed value",
        "GLSL ES 3.00 cannot index samplers or blocks by computed values, so a computed index becomes one branch for each element. That needs an array of at most 64 elements; declare its size in HLSL.";
    BUFFER_STRIDE: Error = "refused-buffer-stride", "a structured buffer whose stride is no multiple of four",
        "Buffers are read as 32-bit words. Direct3D itself demands a stride that is a multiple of four; the file is damaged or hand-made.";
    LEVEL_CLAMP: Error = "refused-level-clamp", "a sample with a level clamp that ES 3.00 cannot say",
        "The sample clamps its level of detail in a form that needs a function GLSL ES 3.00 does not have (comparison of cubes or arrays by level, gradients on cubes).";
    EXTENSION_FORBIDDEN: Error = "refused-extension", "a WebGL extension that the options forbid",
        "The shader needs the named extension and there is no other way to say it. Allow the extension, or change the shader.";
    MIXED_RETURN_TYPES: Error = "refused-mixed-return-types", "a texture whose lanes are of different types",
        "A GLSL sampler returns floats, ints or uints in all lanes; the declaration mixes them.";
    TOO_MANY_ATTRIBUTES: Error = "refused-attributes", "more vertex attributes than the limit",
        "WebGL2 guarantees 16 vertex attributes. Pack inputs, or raise the limit where the implementation has more.";
    LIMIT_EXCEEDED: Error = "limit-exceeded", "more than the given limit",
        "The shader needs more of something than the limits in the options allow.";
    MERGE: Error = "refused-merge", "a use that a merged texture would change",
        "The options make several textures into layers of one array or channels of one texture. A load, a query, a comparison or a gather of such a texture, a computed choice of it, or a read of more than the one packed channel would give another result, so nothing is merged.";
    EVALUATE: Error = "refused-evaluate", "pull-model interpolation of something that is no varying",
        "`EvaluateAttribute…` of an integer, of what the pipeline makes, or of an input that is negated or indexed has no counterpart in GLSL ES.";

    LIMIT_UNGUARANTEED: Warning = "limit-not-guaranteed", "more than WebGL2 guarantees",
        "The shader needs more of something than every WebGL2 implementation must offer. It runs where the implementation offers more; test `getParameter` first, or give `--limits` to refuse.";
    EARLY_DEPTH_DROPPED: Warning = "early-depth-stencil-dropped", "forced early depth test left out",
        "The shader forces depth and stencil tests before it runs, and also discards or writes depth or coverage, so that the order of the tests shows. WebGL2 cannot force the order.";
    NO_PERSPECTIVE_DROPPED: Warning = "no-perspective-dropped", "a no-perspective varying is interpolated with perspective",
        "The extension for no-perspective varyings is forbidden by the options, so the varying is interpolated as usual. Values differ on primitives that are not parallel to the screen.";
    SAMPLE_INTERPOLATION_DROPPED: Warning = "sample-interpolation-dropped", "a per-sample varying is interpolated per pixel",
        "The extension for per-sample varyings is forbidden by the options. Values differ on multisampled targets.";
    LAYER_INPUT_ZERO: Warning = "layer-input-zero", "layer or viewport index read as 0",
        "The pixel shader reads the layer or viewport index, which is always 0 in WebGL2.";
    BUFFER_CAPACITY_ASSUMED: Warning = "buffer-capacity-assumed", "a buffer's capacity is assumed",
        "A structured, raw or typed buffer became a uniform block, which needs a fixed size, and nothing says how many elements there are. Elements beyond the assumed capacity read 0. Give the capacity by option.";
    COMPONENT_TYPE_MISSING: Warning = "signature-missing", "a register without a signature element",
        "The program declares an input or output register that its signature does not name, so a generic name and float type are used.";
}
