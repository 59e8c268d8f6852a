//! What one invocation of a program reads and writes.

/// Number of `v` and of `o` registers.
pub const REGISTERS: usize = 32;

/// What one vertex or pixel reads besides the [`Bindings`](crate::Bindings).
#[derive(Clone, Debug, PartialEq)]
pub struct Inputs {
    /// The `v` registers as bits: attributes, or interpolated values, and the system values that the signature
    /// puts into registers (position, vertex and instance id, front face as all ones or 0, ...).
    pub registers: [[u32; 4]; REGISTERS],
    /// `vCoverage`.
    pub coverage: u32,
    /// `vInnerCoverage`.
    pub inner_coverage: u32,
    /// `vPrim`.
    pub primitive_id: u32,
    /// Depth that the rasterizer found, for conservative depth (16.9.3).
    pub depth: f32,
    /// Whether the pixel only helps its neighbours to their derivatives: it writes no views, and reads 0 of them
    /// (16.13).
    pub helper: bool,
}

impl Default for Inputs {
    fn default() -> Inputs {
        Inputs {
            registers: [[0; 4]; REGISTERS],
            coverage: 1,
            inner_coverage: 0,
            primitive_id: 0,
            depth: 0.0,
            helper: false,
        }
    }
}

impl Inputs {
    /// Sets a register.
    pub fn register(mut self, number: usize, lanes: [u32; 4]) -> Inputs {
        self.registers[number] = lanes;
        self
    }

    /// Sets a register to floats.
    pub fn floats(self, number: usize, lanes: [f32; 4]) -> Inputs {
        self.register(number, lanes.map(f32::to_bits))
    }
}

/// What one vertex or pixel wrote.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outputs {
    /// The `o` registers as bits. What the program did not write is 0.
    pub registers: [[u32; 4]; REGISTERS],
    /// Lanes of each `o` register that were written, bit 0 for x. Direct3D leaves declared lanes that were not
    /// written undefined.
    pub written: [u8; REGISTERS],
    /// `oDepth`, if written; conservative depth is clamped to [`Inputs::depth`].
    pub depth: Option<f32>,
    /// `oMask`, if written.
    pub coverage: Option<u32>,
    /// `oStencilRef`, if written.
    pub stencil: Option<u32>,
    /// Whether the pixel was discarded; its outputs then count for nothing.
    pub discarded: bool,
}
