//! Reading SPIR-V modules.

codes! {
    NOT_WORDS: Error = "spirv-not-words", "the file is too short for a module or not made of whole words",
        "A SPIR-V module is a sequence of 32-bit words, the first five of which are its header. This file has fewer than 20 bytes, or a length that is not a multiple of four: it is empty, cut short, or something else (GLSL source, SPIR-V assembly text). Compile the source again.";
    MAGIC: Error = "spirv-magic", "the file does not begin with the SPIR-V magic word",
        "The first word of a module is 0x07230203, in either byte order. This file begins with something else and is not SPIR-V.";
    INSTRUCTION_LENGTH: Error = "spirv-instruction-length", "an instruction's word count is zero or reaches past the end",
        "Every instruction states its length in words. This one's is zero or larger than what is left of the file, so that nothing behind it can be found. The file was cut short or damaged; compile the source again.";
    VERSION: Error = "spirv-version", "the header names no SPIR-V version from 1.0 to 1.6",
        "The second word of the header holds the version as 0x00MMmm00. This module's is none that has been published up to 1.6. The file is damaged or was edited.";
    BOUND: Error = "spirv-bound", "the header's bound does not fit the ids",
        "Every id of a module is at least 1 and below the bound in the header's fourth word. Drivers size tables by the bound. The file is damaged or was edited by hand; running it through spirv-opt rewrites the bound.";
    SCHEMA: Error = "spirv-schema", "the header's reserved word is not zero",
        "The fifth word of the header is reserved for an instruction schema and must be 0. The file is damaged or was edited.";
    OPERANDS: Error = "spirv-operands", "an instruction lacks operands",
        "The instruction has fewer operands than its grammar asks for. The file is damaged, or was written by a broken tool.";
    EXTRA_WORDS: Error = "spirv-extra-words", "an instruction has words behind its last operand",
        "The instruction is longer than its grammar allows. The file is damaged, or was written by a broken tool.";
    STRING: Error = "spirv-string", "a string that does not end inside its instruction",
        "Strings (names, extensions, file names) end with a zero byte inside their own instruction. This one does not. The file is damaged.";
    UNKNOWN_INSTRUCTION: Note = "spirv-unknown-instruction", "an instruction that this reader does not know",
        "The opcode stands in none of the published tables this reader was built from. It was passed over, by its word count; what it declares or uses is not in the report.";
    ID_REDEFINED: Error = "spirv-id-redefined", "an id is the result of two instructions",
        "Every result id is defined once. The first definition is taken. The file is damaged, or two modules were joined without renumbering.";
    ID_UNDEFINED: Error = "spirv-id-undefined", "an id is used that nothing defines",
        "An instruction refers to an id that is no instruction's result. The file is damaged, or was stripped too far.";
    TYPE_INVALID: Error = "spirv-type-invalid", "a type refers to something that is no type before it",
        "A type is built of types that stand before it (only a pointer may point to a later one). This one refers to itself, to a later type or to something that is no type, so it has no shape or size. The file is damaged.";
    CONSTANT_WIDTH: Error = "spirv-constant-width", "a constant has more or fewer words than its type",
        "A 64-bit constant takes two words and any narrower one a single word. The file is damaged.";
    MEMORY_MODEL: Error = "spirv-memory-model", "the module does not state its memory model exactly once",
        "Every module has one OpMemoryModel instruction. The file is damaged, or is a fragment that was never linked.";
    DUPLICATE_DECORATION: Warning = "spirv-duplicate-decoration", "a decoration is given twice",
        "The same object or member carries one decoration twice, possibly with two values. Readers disagree on which counts (this one takes the last), and validators refuse it.";
    GROUP_EXPANSION: Error = "spirv-decoration-groups", "decoration groups expand to far more than the module's size",
        "OpGroupDecorate copies every decoration of a group to every target. In this module the copies outnumber the module's words many times over, so they were not expanded. No compiler emits such groups.";
    MEMBER_INDEX: Warning = "spirv-member-index", "a decoration or name of a member that the structure does not have",
        "OpMemberDecorate and OpMemberName name a structure and the index of one of its members. Here the target is no structure, or has fewer members.";
    RESOURCE_WITHOUT_SET: Warning = "spirv-resource-without-set", "a resource without a DescriptorSet decoration",
        "Vulkan binds resources by set and binding. Without the decoration this one can be bound nowhere. It is reported as having no set, which is not the same as set 0.";
    RESOURCE_WITHOUT_BINDING: Warning = "spirv-resource-without-binding", "a resource without a Binding decoration",
        "Vulkan binds resources by set and binding. Without the decoration this one can be bound nowhere. It is reported as having no binding, which is not the same as binding 0.";
    PUSH_WITHOUT_BLOCK: Warning = "spirv-push-without-block", "a push-constant variable whose structure is not a block",
        "The structure behind a push-constant variable carries the Block decoration. Without it the offsets of its members mean nothing.";
    TOO_MANY: Note = "spirv-too-many-findings", "further findings were left out",
        "A damaged module can give one finding for each instruction. Only the first ones are kept.";
}
