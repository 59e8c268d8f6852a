//! What implementations do in ways of their own.

/// Where an implementation leaves Direct3D's rules, or takes a choice that they leave, though it is exact by its own;
/// see [`Executor::manner`](crate::Executor::manner). The default is Direct3D's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Manner {
    /// Coarse derivatives, and levels of cubes, come of each pixel's own row and column, where Direct3D has one pair for
    /// the quad (22.5.2).
    pub fine: bool,
    /// How levels of cubes come of derivatives.
    pub cube_levels: CubeLevels,
}

/// How a level of detail of a cube comes of the derivatives of a direction. The query of a level, and samples that clamp
/// it, follow Direct3D in any case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CubeLevels {
    /// By the length of the derivative, projected to the face of the direction (7.18.11).
    #[default]
    Projected,
    /// By the greatest sum of two axes of the derivative: that of directions over their own longest axes, or of a
    /// gradient over the direction's longest axis. No projection follows.
    TwoAxes,
}
