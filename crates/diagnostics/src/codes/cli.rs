//! The command line and its files.

codes! {}
