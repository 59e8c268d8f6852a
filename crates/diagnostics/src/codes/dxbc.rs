//! Reading DXBC containers and programs.

codes! {
    CONTAINER_MAGIC: Error = "container-magic", "the input does not begin with DXBC",
        "A compiled Direct3D 10, 11 or 12 shader is a container whose first four bytes are the letters DXBC. This input begins with something else: HLSL source, Direct3D 9 byte code, SPIR-V, or an archive that holds shaders. Compile the source with fxc first; to pick the containers out of a larger file, use `shaderport extract`.";
    CONTAINER_MALFORMED: Error = "container-malformed", "the container header contradicts itself",
        "The header's total size is smaller than the header, or its chunk table is larger than the whole container. The file is damaged; fetch it again or rebuild it.";
    CONTAINER_TRUNCATED: Error = "container-truncated", "the container ends before its contents do",
        "A size or an offset in the container header or chunk table points outside the file. The file was cut short or damaged; fetch it again or rebuild it.";
    CHUNK_OUT_OF_BOUNDS: Error = "chunk-out-of-bounds", "a chunk lies outside its container",
        "An entry of the chunk table, or a chunk's own size, reaches past the container's end or back into its header. Nothing in such a file can be trusted; fetch it again or rebuild it.";
    CHECKSUM_MISMATCH: Warning = "checksum-mismatch", "the stored checksum is not that of the contents",
        "Bytes 4 to 19 of a container hold a checksum (a variant of MD5) of everything behind them. It does not match: the file was edited or assembled by a tool that leaves the checksum alone, or it is damaged. Direct3D refuses such a shader at creation; this reader goes on, because some working tools write wrong or empty checksums.";
    CONTAINER_DXIL: Error = "container-dxil", "the container holds DXIL, which this reader does not read",
        "Shader models 6.0 and later are compiled by dxc into DXIL, LLVM bitcode inside the same container format. Only the token streams of shader models 4.0 to 5.1 are read. Compile the source with fxc for a 5.0 or 5.1 profile.";
    CONTAINER_ROOT_SIGNATURE: Error = "container-root-signature", "the container holds a root signature and no program",
        "A serialized Direct3D 12 root signature (chunk RTS0) describes how resources are bound and contains no instructions. There is nothing to translate.";
    CONTAINER_EFFECT: Error = "container-effect", "the container holds an effect of the fx_4 or fx_5 profiles",
        "The D3D10 and D3D11 effect framework stores techniques, state and several shaders in one FX10 chunk. `shaderport extract` finds the shaders inside; translate those.";
    CONTAINER_LIBRARY: Error = "container-library", "the container holds a library of functions, not a shader",
        "The lib profiles compile functions that Direct3D 11.2 links into a shader at run time (chunks LIBF and LIBH). Such a function has no stage and no entry point of its own. Link it first, or compile the shader for a vertex or pixel profile.";
    CONTAINER_NO_PROGRAM: Error = "container-no-program", "the container has no program chunk",
        "The container has neither a SHDR nor a SHEX chunk, the two places where shader models 4.0 to 5.1 keep their instructions. It may hold debug information alone, or was stripped too far.";
    SIGNATURE_MALFORMED: Error = "signature-malformed", "an input or output signature cannot be read",
        "The chunk that lists a stage's inputs, outputs or patch constants has a table that reaches past its end, or a semantic name that is not terminated or not text. Without its signature a shader cannot be given names or be linked to another stage. The file is damaged.";
    REFLECTION_MALFORMED: Warning = "reflection-malformed", "the reflection data cannot be read",
        "The RDEF chunk, which names constant buffers, their variables and the bound resources, contradicts itself: a table or name lies outside it, tables overlap, or a type contains itself. The program does not depend on it: it is read as though it had been stripped, and resources get names made of their registers.";
    LINKAGE_MALFORMED: Warning = "linkage-malformed", "the classes and interfaces cannot be read",
        "The IFCE chunk, which names classes, their instances and the function tables that interfaces take for them, contradicts itself: a table or name lies outside it. The program does not depend on it: interfaces and what is bound to them are then named by numbers.";
    STAT_MALFORMED: Warning = "stat-malformed", "the statistics cannot be read",
        "The STAT chunk holds the compiler's counts of instructions and registers as a fixed row of 32-bit numbers, and this one is shorter than any known layout. Nothing but the printed statistics depends on it.";
    FEATURES_MALFORMED: Warning = "features-malformed", "the feature flags cannot be read",
        "The SFI0 chunk holds one 64-bit set of optional features that the shader needs, and this one is shorter. The instructions themselves still show what is used.";
    PROGRAM_TRUNCATED: Error = "program-truncated", "an instruction runs past the end of the program",
        "The token stream ends in the middle of an instruction, or an instruction's length reaches past the program's end. The file is damaged.";
    OPCODE_UNKNOWN: Error = "opcode-unknown", "an opcode number that no shader model up to 5.1 defines",
        "The program uses an opcode number outside the published tables of shader models 4.0 to 5.1. The file is damaged, or was made by a tool that emits private opcodes.";
    OPERAND_MALFORMED: Error = "operand-malformed", "an operand token that cannot be decoded",
        "An operand's tokens contradict themselves (index representation, component count, nesting) or are of a kind the instruction cannot take. The file is damaged.";
    PROGRAM_VERSION: Error = "program-version", "a program of a shader model that is not supported",
        "The program's version token names no stage or no shader model from 4.0 to 5.1. Shader model 6 programs are DXIL and need another tool; older models have no DXBC program.";
    FLOW_MALFORMED: Error = "flow-malformed", "blocks of a program that do not nest",
        "An `else`, `endif`, `endloop`, `endswitch`, `break`, `continue`, `case`, `label` or `call` stands where no block or label answers it. The file is damaged.";
    NESTING_TOO_DEEP: Error = "nesting-too-deep", "blocks nest deeper than GLSL compilers allow",
        "GLSL compilers in browsers refuse blocks that nest some hundred deep. Compile the HLSL with fewer nested conditions, or flatten them.";
    PROGRAM_TOO_COMPLEX: Error = "program-too-complex", "a program whose data flow is larger than any compiler makes",
        "The program has so many blocks and registers that following its values would take more memory than its size warrants. The file is hostile or damaged.";
}
