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
    SKINNING_LOAD: Error = "link-skinning-load", "a structured buffer is read other than as bones",
        "The profile puts bones in rows of a constant buffer. That holds for loads of whole words from one structured buffer of 48 bytes an element, at an offset that the instruction names, below 48. The shader reads a structured buffer otherwise. Use a profile that leaves structured buffers in a block or a texture.";
    SKINNING_ROWS: Error = "link-skinning-rows", "the shader itself uses the rows where bones go",
        "The profile puts bones in rows of a constant buffer, and the shader reads some of these rows for something else, or reads the buffer by a computed index, or uses the bone offset in the first of these rows other than by adding it to the index of a bone load. Where both stages share the buffer this holds for the pixel shader, too. Rows past the 4,096 that a constant buffer has are refused as well.";
    SLOT_TAKEN: Error = "link-slot-taken", "a constant-buffer slot is moved onto one in use",
        "The profile binds a constant buffer of the pixel stage as another slot, and that stage reads a buffer in that slot too, or the vertex stage does and the profile has one block for both stages, or the profile moves two slots to one place or one slot to two. Choose another slot in the profile.";
    VARYINGS_PACKED: Note = "link-varyings-packed", "varyings share variables",
        "The pixel stage reads more varyings than WebGL2 guarantees (or the limits allow), so all of a register are one variable of four lanes, named after the register. Where that does not do, varyings of any registers share variables if they have one type and one interpolation; the manifest says which lanes are whose.";
    LIMIT: Error = "link-limit-exceeded", "the program needs more than the given limit",
        "Both stages together need more of something than the limits in the options allow.";
    LIMIT_UNGUARANTEED: Warning = "link-limit-not-guaranteed", "the program needs more than WebGL2 guarantees",
        "Both stages together need more of something than every WebGL2 implementation must offer. Test `getParameter` first, or give `--limits` to refuse.";
}
