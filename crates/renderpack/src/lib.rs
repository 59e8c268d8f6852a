//! Render packs.
