//! Moves and selects: values pass in the type of their destination, never through another.

use super::*;
use crate::types::{Passes, passes};

impl Lower<'_> {
    pub(super) fn moves(&mut self, i: &Instruction) -> Result<(), Box<Diagnostic>> {
        match i.opcode {
            Opcode::Mov => self.by_type(i, 0, |l, i, lanes, s| l.read_at(i, 1, lanes, s)),
            Opcode::Movc => self.by_type(i, 0, |l, i, lanes, s| l.choose(i, 1, (2, 3), lanes, s)),
            Opcode::Swapc => self.swapc(i),
            _ => Ok(()),
        }
    }

    /// Makes the value of each type's lanes of destination `k` and writes it.
    pub(super) fn by_type(
        &mut self,
        i: &Instruction,
        k: usize,
        value: impl Fn(&mut Self, &Instruction, Lanes, Scalar) -> Result<ExprId, Box<Diagnostic>>,
    ) -> Result<(), Box<Diagnostic>> {
        if self.operand(i, k)?.is_null() {
            return Ok(());
        }
        // A sign change or a saturation is float arithmetic, whatever the register holds.
        let as_float = passes(self.p, i) == Passes::Nothing { as_float: true };
        let groups = self.dest_groups(i, k)?;
        let mut values: [Option<ExprId>; 4] = [None; 4];
        for (n, (s, lanes)) in groups.iter().enumerate().take_while(|g| g.1.1.count > 0) {
            let want = if as_float { Scalar::Float } else { *s };
            let mut v = value(self, i, *lanes, want)?;
            if i.saturate() && self.tree.ty(v).scalar == Scalar::Float {
                v = self.saturated(v);
            }
            values[n] = Some(v);
        }
        if groups[1].1.count > 0 && self.aliases(i) {
            for v in values.iter_mut().flatten() {
                *v = self.tree.local(*v);
            }
        }
        for (n, (_, lanes)) in groups.iter().enumerate() {
            if let Some(v) = values[n] {
                self.write_lanes(i, k, *lanes, v)?;
            }
        }
        Ok(())
    }

    /// `condition ? a : b` lane by lane.
    pub(super) fn choose(
        &mut self,
        i: &Instruction,
        condition: usize,
        (a, b): (usize, usize),
        lanes: Lanes,
        s: Scalar,
    ) -> Result<ExprId, Box<Diagnostic>> {
        let tested = if self.strict() { self.tested_lanes(i, condition, (a, b))? } else { 0 };
        let modifier = self.operand(i, b)?.modifier;
        let c = self.read_at(i, condition, lanes, Scalar::Bool)?;
        let a = self.read_at(i, a, lanes, s)?;
        let b = self.read_at(i, b, lanes, s)?;
        if tested & lanes.mask() == 0 {
            return Ok(self.pick(c, a, b));
        }
        let zero = self.tree.zero(Ty::new(s, 1));
        let zero = self.modified(modifier, zero);
        let mut parts = [c; 4];
        for (n, &l) in lanes.as_slice().iter().enumerate() {
            let one = Lanes::one(n as u8);
            let (c, a) = (self.tree.swizzle(c, one), self.tree.swizzle(a, one));
            let b = if tested >> l & 1 != 0 { zero } else { self.tree.swizzle(b, one) };
            parts[n] = self.pick(c, a, b);
        }
        Ok(self.tree.construct(Ty::new(s, lanes.count), &parts[..lanes.count as usize]))
    }

    /// The lanes in which a select has a literal 1 or -1 beside what it tests: where that is taken, it is 0, as Mesa
    /// finds out (see [`Lower::pick_bits`]).
    fn tested_lanes(
        &self,
        i: &Instruction,
        condition: usize,
        (a, b): (usize, usize),
    ) -> Result<u8, Box<Diagnostic>> {
        let (c, a, b) = (self.operand(i, condition)?, self.operand(i, a)?, self.operand(i, b)?);
        if a.kind != OperandKind::Immediate32 || c.modifier != Modifier::None || !self.same_register(c, b) {
            return Ok(0);
        }
        let literal = self.p.immediate(a);
        let is_one = |bits: u32| bits & 0x7fff_ffff == 1.0f32.to_bits();
        let tested =
            |l: &u8| is_one(literal[*l as usize]) && c.source_lane(*l as usize) == b.source_lane(*l as usize);
        Ok((0..4).filter(tested).fold(0, |mask, l| mask | 1 << l))
    }

    /// A true select: the side that is not taken cannot poison the result.
    pub(super) fn pick(&mut self, c: ExprId, a: ExprId, b: ExprId) -> ExprId {
        if let Some(v) = self.pick_bits(c, a, b) {
            return v;
        }
        let width = [c, a, b].iter().map(|e| self.tree.ty(*e).width).max().unwrap_or(1);
        let scalar = self.tree.ty(a).scalar;
        if self.tree.ty(c).width == 1 {
            let wide = self.tree.ty(a).width.max(self.tree.ty(b).width);
            let (a, b) = (self.tree.widen(a, wide), self.tree.widen(b, wide));
            let (a, b) = (self.settled(a), self.settled(b));
            return self.tree.select(c, a, b);
        }
        let (a, b) = (self.tree.widen(a, width), self.tree.widen(b, width));
        let ty = Ty::new(scalar, width);
        if scalar == Scalar::Float {
            return self.tree.builtin(ty, "mix", &[b, a, c]);
        }
        // ES 3.00 has no `mix` of integers.
        let (a, b) = (self.settled(a), self.settled(b));
        let mut parts = [c; 4];
        for n in 0..width {
            let one = Lanes::one(n);
            let (cn, an, bn) =
                (self.tree.swizzle(c, one), self.tree.swizzle(a, one), self.tree.swizzle(b, one));
            parts[n as usize] = self.tree.select(cn, an, bn);
        }
        self.tree.construct(ty, &parts[..width as usize])
    }

    /// A select of literals as a product of bits, where a lane has the two sides 1 and 0 with different signs: Mesa
    /// takes any such select for `float(c)` or `-float(c)` (nir_opt_algebraic.py), whose zero has the other sign.
    fn pick_bits(&mut self, c: ExprId, a: ExprId, b: ExprId) -> Option<ExprId> {
        let (Expr::Literal(x), Expr::Literal(y)) = (self.tree.expr(a), self.tree.expr(b)) else {
            return None;
        };
        let (ta, tb) = (self.tree.ty(a), self.tree.ty(b));
        let width = ta.width.max(tb.width);
        let lanes = |bits: [u32; 4], ty: Ty| if ty.width == 1 { [bits[0]; 4] } else { bits };
        let (x, y) = (lanes(x, ta), lanes(y, tb));
        let changes: [u32; 4] = std::array::from_fn(|n| x[n] ^ y[n]);
        let is_zero = |bits: u32| bits & 0x7fff_ffff == 0;
        let mixed = |n: usize| changes[n] == (-1.0f32).to_bits() && (is_zero(x[n]) || is_zero(y[n]));
        if !self.strict() || ta.scalar == Scalar::Bool || !(0..width as usize).any(mixed) {
            return None;
        }
        let taken = self.tree.construct(Ty::new(Scalar::Uint, self.tree.ty(c).width), &[c]);
        let changes = self.tree.literal(Scalar::Uint, width, changes);
        let mut bits = self.tree.binary(BinaryOp::Mul, taken, changes);
        if y[..width as usize].iter().any(|b| *b != 0) {
            let other = self.tree.literal(Scalar::Uint, width, y);
            bits = self.tree.binary(BinaryOp::BitXor, bits, other);
        }
        Some(self.cast(bits, ta.scalar))
    }

    /// A side of a select, in loops as a variable: ANGLE makes a branch of a select whose sides are more than that, and
    /// with a hundred branches in a row inside a loop, SwiftShader does not end compiling within minutes.
    fn settled(&mut self, e: ExprId) -> ExprId {
        let plain = match self.tree.expr(e) {
            Expr::Literal(_) | Expr::Var(_) => true,
            Expr::Swizzle(base, _) => matches!(self.tree.expr(base), Expr::Var(_)),
            _ => false,
        };
        if plain || !self.in_loop() { e } else { self.tree.local(e) }
    }

    /// swapc d0, d1, c, a, b: d0 = c ? b : a, d1 = c ? a : b.
    fn swapc(&mut self, i: &Instruction) -> Result<(), Box<Diagnostic>> {
        let (null0, null1) = (self.operand(i, 0)?.is_null(), self.operand(i, 1)?.is_null());
        let mut later = Vec::with_capacity(2);
        for (k, order) in [(0, (4, 3)), (1, (3, 4))] {
            if (k == 0 && null0) || (k == 1 && null1) {
                continue;
            }
            for (s, lanes) in self.dest_groups(i, k)?.into_iter().take_while(|g| g.1.count > 0) {
                let s = if passes(self.p, i) == Passes::Moved { s } else { Scalar::Float };
                let v = self.choose(i, 2, order, lanes, s)?;
                // Both results are made before either is written.
                let v = self.tree.local(v);
                later.push((k, lanes, v));
            }
        }
        for (k, lanes, v) in later {
            self.write_lanes(i, k, lanes, v)?;
        }
        Ok(())
    }
}
