//! Running programs on the CPU.

codes! {
    EXEC_UNSUPPORTED: Error = "exec-unsupported", "the executor does not run this program",
        "The reference executor runs vertex and pixel programs of shader models 4.0 to 5.1, not those of other stages, nor instructions and registers of theirs in a damaged program.";
    EXEC_MALFORMED: Error = "exec-malformed", "the program cannot be executed",
        "Blocks do not nest, a label is missing, or an instruction names a register that is not declared. The program was damaged or assembled by hand; Direct3D would refuse it at creation.";
    EXEC_STEP_LIMIT: Error = "exec-step-limit", "the program did not end within the limit",
        "The executor counts instructions and gives up at a limit, so that a loop without end does not hang it. Check the inputs that the loop's condition depends on, or raise the limit.";
    EXEC_ABORTED: Error = "exec-aborted", "the shader executed abort",
        "The HLSL intrinsic abort() ends the shader with an error. The inputs reached it.";
    EXEC_MISMATCH: Error = "exec-mismatch", "what is bound is not what the shader declares",
        "A texture of another dimension, or a buffer of another kind, is bound to a register than the one that the shader declares there. Direct3D leaves the result undefined; the executor refuses.";
}
