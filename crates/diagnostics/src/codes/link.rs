//! Making programs of two stages.

codes! {
    STAGES: Error = "link-stages", "the two shaders are not a vertex and a pixel shader",
        "A WebGL2 program is made of one vertex and one pixel shader, given in this order.";
    INPUT_MISSING: Warning = "link-input-missing", "the pixel stage reads what the vertex stage never writes",
        "Direct3D links stages by register and lanes. The pixel shader reads lanes that no output of the vertex shader covers; they read 0. Most likely the two shaders were not written for each other.";
    SEMANTIC_MISMATCH: Warning = "link-semantic-mismatch", "one register, two semantics",
        "Direct3D links stages by register, and its runtime complains where the semantics differ. The program is linked by register; check that the two shaders belong together.";
    TYPE_MISMATCH: Warning = "link-type-mismatch", "the stages disagree on the type of a varying",
        "The vertex shader writes another type than the pixel shader reads. The bits are passed on in the pixel shader's type.";
    LIMIT: Error = "link-limit-exceeded", "the program needs more than the given limit",
        "Both stages together need more of something than the limits in the options allow.";
    LIMIT_UNGUARANTEED: Warning = "link-limit-not-guaranteed", "the program needs more than WebGL2 guarantees",
        "Both stages together need more of something than every WebGL2 implementation must offer. Test `getParameter` first, or give `--limits` to refuse.";
}
