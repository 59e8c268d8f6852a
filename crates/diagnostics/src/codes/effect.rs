//! Carbon effect containers and the packages made of them.

codes! {
    VERSION: Error = "effect-version", "an effect container of a version that is not read",
        "The first four bytes of a Carbon effect container (`.sm_hi`, `.sm_depth`, `.sm_lo`) are its version. Versions 8 to 15 are read. Another number means an older or newer compiler, or another kind of file.";
    TRUNCATED: Error = "effect-truncated", "the effect container ends before its contents do",
        "A field or a list reaches past the end of the file or of the permutation's body that holds it. The file was cut short or damaged; fetch it again or rebuild it.";
    COUNT: Error = "effect-count", "a list of an effect container is longer than it can be",
        "The container says that a list has more entries than the engine accepts, or more than what is left of the file could hold. The file is damaged.";
    REFERENCE: Error = "effect-reference", "a reference of an effect container leads nowhere",
        "Names, programs and default values stand in one area at the front of the container and are referred to by offset. This reference points outside that area, at a name that no zero byte ends, or so many references overlap that together they name far more than the file holds. The file is damaged.";
    AXIS: Error = "effect-axis", "a permutation axis that contradicts itself",
        "A permutation axis has no options, or its default option is not among them. No permutation could be chosen.";
    ROWS: Error = "effect-rows", "the table of permutations contradicts itself",
        "The table has no rows, or a row's body is empty, lies outside the file, reaches back into the table, or overlaps a part of another row's body. Rows may share a body whole. The file is damaged.";
    BODY_LENGTH: Error = "effect-body-length", "a permutation's body does not end where its row says",
        "A body must be used up exactly by what it holds. Bytes that are left over mean that a count or a version is wrong. The file is damaged, or was written by a tool with another idea of the format.";
    STAGE: Error = "effect-stage", "a pass with an unknown stage or with a stage twice",
        "Stages are vertex (0), pixel (1), compute (2), geometry (3), hull (4) and domain (5), and a pass has at most one of each.";
    DUPLICATE: Warning = "effect-duplicate", "an entry of an effect container that occurs twice",
        "Two entries of one list have the same register, state or name. The engine takes the last; so do the packages made here.";
    ROW_INDEX: Warning = "effect-row-index", "a row that stores another index than its place",
        "Each row of the permutation table stores its own index. The engine goes by the row's place and ignores the stored index; so does this reader.";
    ROW_COUNT: Warning = "effect-row-count", "not as many rows as permutations",
        "A complete container has one row for every combination of options. With fewer, some combinations have no shader; with more, some rows can never be chosen. A compiler told to ignore permutations writes a single row.";
    SLACK: Warning = "effect-slack", "bytes of an effect container that nothing uses",
        "There are bytes between or behind the bodies that no row refers to. They are not kept when the container is written again.";
    UNWRITABLE: Error = "effect-unwritable", "an effect that version 15 cannot store",
        "A list is longer than its count field or than the engine's limit, a name holds a zero byte, or the file would be larger than its 32-bit offsets reach.";
    BLOCK: Error = "effect-backend-block", "a WebGL block of a pass that cannot be read",
        "Containers with translated programs store, behind each pass, a block that says how its uniforms are bound. This one ends early, has bytes left over, or uses a code that is not known.";
}
