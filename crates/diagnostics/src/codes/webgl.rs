//! What WebGL2 cannot express, and what a translation changes.

codes! {}
