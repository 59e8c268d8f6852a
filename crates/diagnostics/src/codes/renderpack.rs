//! Render packs: the descriptor, its rules, and shaders against their roles.

codes! {}
