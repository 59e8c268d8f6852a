//! Reading DXBC containers and programs.

codes! {
    CONTAINER_TRUNCATED: Error = "container-truncated", "the container ends before its contents do",
        "A size or an offset in the container header or chunk table points outside the file. The file was cut short or damaged; fetch it again or rebuild it.";
    PROGRAM_TRUNCATED: Error = "program-truncated", "an instruction runs past the end of the program",
        "The token stream ends in the middle of an instruction, or an instruction's length reaches past the program's end. The file is damaged.";
    OPCODE_UNKNOWN: Error = "opcode-unknown", "an opcode number that no shader model up to 5.1 defines",
        "The program uses an opcode number outside the published tables of shader models 4.0 to 5.1. The file is damaged, or was made by a tool that emits private opcodes.";
    OPERAND_MALFORMED: Error = "operand-malformed", "an operand token that cannot be decoded",
        "An operand's tokens contradict themselves (index representation, component count, nesting) or are of a kind the instruction cannot take. The file is damaged.";
    PROGRAM_VERSION: Error = "program-version", "a program of a shader model that is not supported",
        "The program's version token names no stage or no shader model from 4.0 to 5.1. Shader model 6 programs are DXIL and need another tool; older models have no DXBC program.";
}
