//! What each helper computes, in Rust: the rule of the Direct3D 11.3 functional specification.
