//! Making programs of two stages.

codes! {}
