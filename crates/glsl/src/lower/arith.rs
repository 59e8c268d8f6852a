//! Arithmetic, bits, comparisons, conversions and derivatives.
//!
//! What each computes: D3D11.3 functional specification, chapter 22. Where GLSL leaves open what Direct3D defines,
//! a helper fills in.

use super::*;

impl Lower<'_> {
    pub(super) fn arith(&mut self, i: &Instruction) -> Result<(), Box<Diagnostic>> {
        use Opcode::*;
        use Scalar::*;
        match self.opcode_of(i) {
            Add => {
                let (a, b) = (self.read(i, 1, Float)?, self.read(i, 2, Float)?);
                let v = if self.strict() && self.are_opposites(i) {
                    self.help(Helper::AddOpposite, Float, &mut [a, b])
                } else {
                    self.sum(a, b)
                };
                self.write(i, 0, v)
            }
            Mul => {
                let (a, b) = (self.read(i, 1, Float)?, self.read(i, 2, Float)?);
                let v = self.product(a, b);
                self.write(i, 0, v)
            }
            Div => {
                let (a, b) = (self.read(i, 1, Float)?, self.read(i, 2, Float)?);
                let v = self.quotient(a, b);
                self.write(i, 0, v)
            }
            Mad => {
                let (a, b, c) = (self.read(i, 1, Float)?, self.read(i, 2, Float)?, self.read(i, 3, Float)?);
                let v = self.mul_add(a, b, c);
                self.write(i, 0, v)
            }
            Dp2 | Dp3 | Dp4 => {
                let (a, b) = (self.read_wide(i, 1, Float)?, self.read_wide(i, 2, Float)?);
                let v = self.dot(a, b);
                self.write(i, 0, v)
            }
            Min | Max => self.extreme(i),
            Sqrt => self.function(i, "sqrt"),
            Rsq => self.function(i, "inversesqrt"),
            RoundNe => self.function(i, "roundEven"),
            RoundNi => self.function(i, "floor"),
            RoundPi => self.function(i, "ceil"),
            RoundZ => self.function(i, "trunc"),
            Exp => self.helper1(i, Helper::Exp2, Float, Float),
            Log => self.helper1(i, Helper::Log2, Float, Float),
            Frc => self.helper1(i, Helper::Frc, Float, Float),
            DerivRtx | DerivRtxCoarse | DerivRtxFine => self.function(i, "dFdx"),
            DerivRty | DerivRtyCoarse | DerivRtyFine => self.function(i, "dFdy"),
            EvalSnapped | EvalSampleIndex | EvalCentroid => self.evaluate(i),
            Rcp => {
                let a = self.read(i, 1, Float)?;
                let one = self.tree.float(1.0);
                let v = self.tree.binary(BinaryOp::Div, one, a);
                self.write(i, 0, v)
            }
            SinCos => {
                let (s, c) = (self.sin_or_cos(i, 0, "sin")?, self.sin_or_cos(i, 1, "cos")?);
                self.write_two(i, s, c)
            }

            Eq => self.comparison(i, BinaryOp::Eq, Float),
            Ne => self.comparison(i, BinaryOp::Ne, Float),
            Lt => self.comparison(i, BinaryOp::Lt, Float),
            Ge => self.comparison(i, BinaryOp::Ge, Float),
            Ilt => self.comparison(i, BinaryOp::Lt, Int),
            Ige => self.comparison(i, BinaryOp::Ge, Int),
            Ult => self.comparison(i, BinaryOp::Lt, Uint),
            Uge => self.comparison(i, BinaryOp::Ge, Uint),
            Ieq | Ine => {
                let s = self.integer_of_sources(i);
                let op = if i.opcode == Ieq { BinaryOp::Eq } else { BinaryOp::Ne };
                self.comparison(i, op, s)
            }

            Iadd => {
                let s = self.integer_of_dest(i, 0);
                let (a, b) = (self.read(i, 1, s)?, self.read(i, 2, s)?);
                let v = self.sum(a, b);
                self.write(i, 0, v)
            }
            Imad | Umad => {
                let s = self.integer_of_dest(i, 0);
                let (a, b, c) = (self.read(i, 1, s)?, self.read(i, 2, s)?, self.read(i, 3, s)?);
                let v = self.mul_add(a, b, c);
                self.write(i, 0, v)
            }
            Imul => self.multiply(i, Int, Helper::ImulHi),
            Umul => self.multiply(i, Uint, Helper::UmulHi),
            Ineg => {
                let s = self.integer_of_dest(i, 0);
                let a = self.read(i, 1, s)?;
                let v = self.tree.unary(UnaryOp::Neg, a);
                self.write(i, 0, v)
            }
            Imax => self.integer_extreme(i, "max", Int),
            Imin => self.integer_extreme(i, "min", Int),
            Umax => self.integer_extreme(i, "max", Uint),
            Umin => self.integer_extreme(i, "min", Uint),
            Udiv => self.divide(i),
            Uaddc => self.carry(i, BinaryOp::Add, Helper::UaddCarry),
            Usubb => self.carry(i, BinaryOp::Sub, Helper::UsubBorrow),
            Msad => {
                let mut a = [self.read(i, 1, Uint)?, self.read(i, 2, Uint)?, self.read(i, 3, Uint)?];
                let v = self.help(Helper::Msad, Uint, &mut a);
                self.write(i, 0, v)
            }

            And | Or | Xor | Not => self.logic(i),
            Ishl => {
                let s = self.integer_of_dest(i, 0);
                self.shift(i, BinaryOp::Shl, s)
            }
            Ishr => self.shift(i, BinaryOp::Shr, Int),
            Ushr => self.shift(i, BinaryOp::Shr, Uint),
            CountBits => self.helper1(i, Helper::Countbits, Uint, Uint),
            FirstBitHi => self.helper1(i, Helper::FirstbitHi, Uint, Uint),
            FirstBitLo => self.helper1(i, Helper::FirstbitLo, Uint, Uint),
            FirstBitShi => self.helper1(i, Helper::FirstbitShi, Int, Uint),
            Bfrev => self.helper1(i, Helper::Bfrev, Uint, Uint),
            Ubfe => self.bit_field(i, Helper::Ubfe, Uint, 3),
            Ibfe => self.bit_field(i, Helper::Ibfe, Int, 3),
            Bfi => self.bit_field(i, Helper::Bfi, Uint, 4),

            Ftoi => self.helper1(i, Helper::Ftoi, Float, Int),
            Ftou => self.helper1(i, Helper::Ftou, Float, Uint),
            Itof => self.convert_integer(i, Int),
            Utof => self.convert_integer(i, Uint),
            F16ToF32 => self.helper1(i, Helper::F16tof32, Uint, Float),
            F32ToF16 => self.helper1(i, Helper::F32tof16, Float, Uint),
            _ => Ok(()),
        }
    }

    /// `a + b`, written as a difference where a term is negated.
    fn sum(&mut self, a: ExprId, b: ExprId) -> ExprId {
        if let Some(b) = self.negated(b) {
            return self.tree.binary(BinaryOp::Sub, a, b);
        }
        if let Some(a) = self.negated(a) {
            return self.tree.binary(BinaryOp::Sub, b, a);
        }
        self.tree.binary(BinaryOp::Add, a, b)
    }

    /// Whether a lane of the instruction's first two sources is the same with opposite signs.
    fn are_opposites(&self, i: &Instruction) -> bool {
        let [_, a, b, ..] = self.p.operands(i) else { return false };
        use Modifier::{Abs, AbsNeg, Neg, None};
        let signs =
            matches!((a.modifier, b.modifier), (None, Neg) | (Neg, None) | (Abs, AbsNeg) | (AbsNeg, Abs));
        let same = |l: &u8| a.source_lane(*l as usize) == b.source_lane(*l as usize);
        signs && self.same_register(a, b) && self.positions(i, 1).as_slice().iter().any(same)
    }

    /// What is negated in `e`: `x` of `-x`, the magnitude of a negative number.
    fn negated(&mut self, e: ExprId) -> Option<ExprId> {
        let Node { ty, expr } = self.tree.nodes[e.0 as usize];
        match expr {
            Expr::Unary(UnaryOp::Neg, x) => Some(x),
            Expr::Literal(bits) => {
                let negative = bits[..ty.width as usize].iter().all(|b| match ty.scalar {
                    Scalar::Float => f32::from_bits(*b) < 0.0,
                    Scalar::Int => (*b as i32) < 0 && *b != 0x8000_0000,
                    _ => false,
                });
                negative.then(|| self.tree.unary(UnaryOp::Neg, e))
            }
            _ => None,
        }
    }

    /// `a * b + c`. A negated factor moves into a difference: (-a)b + c is c - ab, exactly.
    fn mul_add(&mut self, a: ExprId, b: ExprId, c: ExprId) -> ExprId {
        let unary = |t: &Tree, e: ExprId| match t.expr(e) {
            Expr::Unary(UnaryOp::Neg, x) => Some(x),
            _ => None,
        };
        let (na, nb) = (unary(&self.tree, a), unary(&self.tree, b));
        let (a, b, minus) = match (na, nb) {
            (Some(x), Some(y)) => (x, y, false),
            (Some(x), None) => (x, b, true),
            (None, Some(y)) => (a, y, true),
            (None, None) => (a, b, false),
        };
        let product = self.product(a, b);
        if minus {
            if let Some(c) = self.negated(c) {
                let p = self.tree.unary(UnaryOp::Neg, product);
                return self.tree.binary(BinaryOp::Sub, p, c);
            }
            return self.tree.binary(BinaryOp::Sub, c, product);
        }
        match self.negated(c) {
            Some(c) => self.tree.binary(BinaryOp::Sub, product, c),
            None => self.tree.binary(BinaryOp::Add, product, c),
        }
    }

    /// `a * b`. Compilers make 0 of what a literal 0 is multiplied with, infinity and NaN too, unless a helper looks.
    fn product(&mut self, a: ExprId, b: ExprId) -> ExprId {
        if let Some(zeros) = self.zeros(b) {
            return self.help(Helper::MulZero, Scalar::Float, &mut [a, zeros]);
        }
        if let Some(zeros) = self.zeros(a) {
            return self.help(Helper::MulZero, Scalar::Float, &mut [b, zeros]);
        }
        self.tree.binary(BinaryOp::Mul, a, b)
    }

    /// The sum of the lanes' products, as [`product`](Self::product) has them.
    fn dot(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let (a, b) = match (self.zeros(a), self.zeros(b)) {
            (None, None) => (a, b),
            _ => {
                let width = self.tree.ty(a).width;
                let ones = self.tree.literal(Scalar::Float, width, [1.0f32.to_bits(); 4]);
                (self.product(a, b), ones)
            }
        };
        self.tree.builtin(Ty::new(Scalar::Float, 1), "dot", &[a, b])
    }

    /// `a / b`. Compilers make 0 of a literal 0 divided by anything, and a product of a quotient with a literal.
    fn quotient(&mut self, a: ExprId, b: ExprId) -> ExprId {
        if let Some(edges) = self.literal_with(b, |b| b & 0x7f80_0000 == 0 || b & 0x7fff_ffff == 0x7f80_0000)
        {
            return self.help(Helper::DivEdge, Scalar::Float, &mut [a, edges]);
        }
        match self.zeros(a) {
            Some(a) => self.help(Helper::DivZero, Scalar::Float, &mut [a, b]),
            None => self.tree.binary(BinaryOp::Div, a, b),
        }
    }

    /// A float literal with a zero among its lanes, if that matters; denormals count as zeros of their sign, and become
    /// them.
    fn zeros(&mut self, e: ExprId) -> Option<ExprId> {
        self.literal_with(e, |b| b & 0x7f80_0000 == 0)
    }

    /// The same for any lane that has a property.
    fn literal_with(&mut self, e: ExprId, has: impl Fn(u32) -> bool) -> Option<ExprId> {
        let Node { ty, expr } = self.tree.nodes[e.0 as usize];
        let Expr::Literal(bits) = expr else { return None };
        let matters = self.strict() && ty.scalar == Scalar::Float;
        if !matters || !bits[..ty.width as usize].iter().any(|b| has(*b)) {
            return None;
        }
        let flushed = bits.map(|b| if b & 0x7f80_0000 == 0 { b & 0x8000_0000 } else { b });
        Some(self.tree.literal(ty.scalar, ty.width, flushed))
    }

    fn function(&mut self, i: &Instruction, name: &'static str) -> Result<(), Box<Diagnostic>> {
        let a = self.read(i, 1, Scalar::Float)?;
        let ty = self.tree.ty(a);
        let v = match (self.tree.expr(a), name) {
            // ANGLE folds the root of a negative literal to 0.
            (Expr::Literal(bits), "sqrt" | "inversesqrt") => {
                let root = |b: u32| {
                    let r = f32::from_bits(b).sqrt();
                    let r = if name == "sqrt" { r } else { 1.0 / r };
                    if r.is_nan() { 0x7fc0_0000 } else { r.to_bits() }
                };
                self.tree.literal(Scalar::Float, ty.width, bits.map(root))
            }
            _ => self.tree.builtin(ty, name, &[a]),
        };
        self.write(i, 0, v)
    }

    fn helper1(
        &mut self,
        i: &Instruction,
        h: Helper,
        from: Scalar,
        to: Scalar,
    ) -> Result<(), Box<Diagnostic>> {
        let a = self.read(i, 1, from)?;
        let v = self.help(h, to, &mut [a]);
        self.write(i, 0, v)
    }

    /// Whether a value is a literal without NaN.
    fn is_number(&self, e: ExprId) -> bool {
        let Node { ty, expr } = self.tree.nodes[e.0 as usize];
        match expr {
            Expr::Literal(b) => b[..ty.width as usize].iter().all(|b| !f32::from_bits(*b).is_nan()),
            Expr::Call(f, _) => self.tree.func(f) == Func::Helper(Helper::Saturate),
            // Conversions from integers.
            Expr::Construct(_) => false,
            _ => false,
        }
    }

    fn extreme(&mut self, i: &Instruction) -> Result<(), Box<Diagnostic>> {
        let (a, b) = (self.read(i, 1, Scalar::Float)?, self.read(i, 2, Scalar::Float)?);
        let (plain, number) = match i.opcode {
            Opcode::Min => (Helper::Min, Helper::MinNum),
            _ => (Helper::Max, Helper::MaxNum),
        };
        // Mesa takes the greater of |x| and 0 for |x|, NaN too, where it sees that |x| comes first.
        let magnitude =
            |l: &mut Self, x, zeros| i.opcode == Opcode::Max && l.is_magnitude(x) && l.zeros(zeros).is_some();
        let v = if magnitude(self, a, b) {
            self.help(plain, Scalar::Float, &mut [b, a])
        } else if magnitude(self, b, a) {
            self.help(plain, Scalar::Float, &mut [a, b])
        } else if self.is_number(b) {
            self.help(number, Scalar::Float, &mut [a, b])
        } else if self.is_number(a) {
            self.help(number, Scalar::Float, &mut [b, a])
        } else {
            self.help(plain, Scalar::Float, &mut [a, b])
        };
        self.write(i, 0, v)
    }

    fn integer_extreme(
        &mut self,
        i: &Instruction,
        name: &'static str,
        s: Scalar,
    ) -> Result<(), Box<Diagnostic>> {
        let (a, b) = (self.read(i, 1, s)?, self.read(i, 2, s)?);
        let width = self.tree.ty(a).width.max(self.tree.ty(b).width);
        let (a, b) = (self.tree.widen(a, width), self.tree.widen(b, width));
        let v = self.tree.builtin(Ty::new(s, width), name, &[a, b]);
        self.write(i, 0, v)
    }

    /// One destination of `sincos`, for its own lanes.
    fn sin_or_cos(
        &mut self,
        i: &Instruction,
        k: usize,
        name: &'static str,
    ) -> Result<ExprId, Box<Diagnostic>> {
        let lanes = self.dest_lanes(i, k)?;
        if self.operand(i, k)?.is_null() || lanes.count == 0 {
            return Ok(self.tree.float(0.0));
        }
        let a = self.read_at(i, 2, lanes, Scalar::Float)?;
        Ok(self.tree.builtin(self.tree.ty(a), name, &[a]))
    }

    fn comparison(&mut self, i: &Instruction, op: BinaryOp, s: Scalar) -> Result<(), Box<Diagnostic>> {
        let (a, b) = (self.read(i, 1, s)?, self.read(i, 2, s)?);
        let v = match op {
            BinaryOp::Lt if s == Scalar::Float => self.below_magnitude(a, b),
            _ => None,
        };
        let v = v.unwrap_or_else(|| self.compare(op, a, b));
        self.write(i, 0, v)
    }

    fn is_magnitude(&self, e: ExprId) -> bool {
        matches!(self.tree.expr(e), Expr::Call(f, _) if self.tree.func(f) == Func::Builtin("abs"))
    }

    /// `0 < |x|` (or `-|x| < 0`) as `|x| >= y`, with the next number for each lane of the literal. Mesa makes `x != 0`
    /// of the former (nir_opt_algebraic.py), which is true for NaN.
    fn below_magnitude(&mut self, a: ExprId, b: ExprId) -> Option<ExprId> {
        let (literal, x) = match self.tree.expr(a) {
            Expr::Unary(UnaryOp::Neg, x) if self.is_magnitude(x) => (self.zeros(b)?, x),
            _ if self.is_magnitude(b) => (self.zeros(a)?, b),
            _ => return None,
        };
        let literal = if x == b { literal } else { self.tree.unary(UnaryOp::Neg, literal) };
        let Expr::Literal(bits) = self.tree.expr(literal) else { return None };
        let width = self.tree.ty(literal).width;
        let next = bits.map(|b| match f32::from_bits(b) {
            0.0 => f32::MIN_POSITIVE.to_bits(),
            // Nothing is greater.
            f32::INFINITY => f32::NAN.to_bits(),
            x => x.next_up().to_bits(),
        });
        let next = self.tree.literal(Scalar::Float, width, next);
        Some(self.compare(BinaryOp::Ge, x, next))
    }

    /// The integer type for an operation whose result does not depend on it: the destination's.
    fn integer_of_dest(&self, i: &Instruction, k: usize) -> Scalar {
        let lane = self.p.operands(i).get(k).map_or(0, |o| o.mask().trailing_zeros() as u8);
        match self.dest_scalar(i, k, lane.min(3)) {
            Scalar::Int => Scalar::Int,
            _ => Scalar::Uint,
        }
    }

    /// The integer type in which the sources are held, if they agree.
    fn integer_of_sources(&self, i: &Instruction) -> Scalar {
        let first = self.p.operand_index(i);
        for (k, o) in self.p.operands(i).iter().enumerate().skip(1) {
            let scalar = match o.kind {
                OperandKind::Temp => {
                    let positions = usize::from(self.positions(i, k).lane[0]);
                    let w = self.flow.operand_webs[first + k][o.source_lane(positions & 3)];
                    self.types.of(w)
                }
                OperandKind::Input => {
                    let e = self.decls.inputs.at(o.register(), o.source_lane(0) as u8);
                    e.map_or(Scalar::Float, |e| self.decls.inputs.elements[e].scalar)
                }
                _ => continue,
            };
            if matches!(scalar, Scalar::Int | Scalar::Uint) {
                return scalar;
            }
        }
        Scalar::Int
    }

    fn multiply(&mut self, i: &Instruction, s: Scalar, high: Helper) -> Result<(), Box<Diagnostic>> {
        let low_scalar = self.integer_of_dest(i, 1);
        let low = if self.operand(i, 1)?.is_null() {
            self.tree.uint(0)
        } else {
            let lanes = self.dest_lanes(i, 1)?;
            let (a, b) = (self.read_at(i, 2, lanes, low_scalar)?, self.read_at(i, 3, lanes, low_scalar)?);
            self.tree.binary(BinaryOp::Mul, a, b)
        };
        if self.operand(i, 0)?.is_null() {
            return self.write(i, 1, low);
        }
        let lanes = self.dest_lanes(i, 0)?;
        let (a, b) = (self.read_at(i, 2, lanes, s)?, self.read_at(i, 3, lanes, s)?);
        let high = self.help(high, s, &mut [a, b]);
        self.write_two(i, high, low)
    }

    fn divide(&mut self, i: &Instruction) -> Result<(), Box<Diagnostic>> {
        let mut results = [ExprId(0); 2];
        for (k, h) in [(0, Helper::Udiv), (1, Helper::Umod)] {
            let lanes = self.dest_lanes(i, k)?;
            if self.operand(i, k)?.is_null() || lanes.count == 0 {
                results[k] = self.tree.uint(0);
                continue;
            }
            let (a, b) = (self.read_at(i, 2, lanes, Scalar::Uint)?, self.read_at(i, 3, lanes, Scalar::Uint)?);
            results[k] = match self.tree.expr(b) {
                // No zero to guard against.
                Expr::Literal(bits) if bits.iter().all(|b| *b != 0) => {
                    let op = if k == 0 { BinaryOp::Div } else { BinaryOp::Rem };
                    self.tree.binary(op, a, b)
                }
                _ => self.help(h, Scalar::Uint, &mut [a, b]),
            };
        }
        self.write_two(i, results[0], results[1])
    }

    fn carry(&mut self, i: &Instruction, op: BinaryOp, h: Helper) -> Result<(), Box<Diagnostic>> {
        let mut results = [ExprId(0); 2];
        for (k, r) in results.iter_mut().enumerate() {
            let lanes = self.dest_lanes(i, k)?;
            if self.operand(i, k)?.is_null() || lanes.count == 0 {
                *r = self.tree.uint(0);
                continue;
            }
            let (a, b) = (self.read_at(i, 2, lanes, Scalar::Uint)?, self.read_at(i, 3, lanes, Scalar::Uint)?);
            *r = if k == 0 { self.tree.binary(op, a, b) } else { self.help(h, Scalar::Uint, &mut [a, b]) };
        }
        self.write_two(i, results[0], results[1])
    }

    fn shift(&mut self, i: &Instruction, op: BinaryOp, s: Scalar) -> Result<(), Box<Diagnostic>> {
        let a = self.read(i, 1, s)?;
        // The count has the operand's own sign: some drivers fail on a mixture (A009).
        let count = self.read(i, 2, s)?;
        let count = match self.tree.expr(count) {
            Expr::Literal(bits) => {
                let ty = self.tree.ty(count);
                self.tree.literal(ty.scalar, ty.width, bits.map(|b| b & 31))
            }
            _ => {
                let mask = self.tree.literal(s, 1, [31; 4]);
                self.tree.binary(BinaryOp::BitAnd, count, mask)
            }
        };
        // A scalar cannot be shifted by a vector.
        let width = self.tree.ty(count).width;
        let mut a = self.tree.widen(a, width);
        if op == BinaryOp::Shr
            && self.tree.ty(a) == Ty::new(Scalar::Uint, 1)
            && matches!(self.tree.expr(a), Expr::Construct(_))
        {
            // Adreno 5xx and 6xx shift `uint(int)` as an int unless it is converted twice (A008).
            a = self.tree.construct(Ty::new(Scalar::Uint, 1), &[a]);
        }
        let v = self.tree.binary(op, a, count);
        self.write(i, 0, v)
    }

    fn bit_field(
        &mut self,
        i: &Instruction,
        h: Helper,
        s: Scalar,
        sources: usize,
    ) -> Result<(), Box<Diagnostic>> {
        let mut args = [ExprId(0); 4];
        for (k, a) in args.iter_mut().enumerate().take(sources) {
            *a = self.read(i, k + 1, s)?;
        }
        let args = &mut args[..sources];
        let v = match self.plain_field(h, args, s) {
            Some(v) => v,
            None => self.help(h, s, args),
        };
        self.write(i, 0, v)
    }

    /// An unsigned field of known width and place is a shift and a mask.
    fn plain_field(&mut self, h: Helper, args: &[ExprId], s: Scalar) -> Option<ExprId> {
        if h != Helper::Ubfe {
            return None;
        }
        let (Expr::Literal(width), Expr::Literal(offset)) =
            (self.tree.expr(args[0]), self.tree.expr(args[1]))
        else {
            return None;
        };
        let lanes = self.tree.ty(args[0]).width.max(self.tree.ty(args[1]).width);
        let lane = |t: &Tree, e: ExprId, b: [u32; 4], n: usize| if t.ty(e).width == 1 { b[0] } else { b[n] };
        let (mut shift, mut mask) = ([0; 4], [0; 4]);
        for n in 0..4 {
            let n2 = n.min(lanes as usize - 1);
            let w = lane(&self.tree, args[0], width, n2) & 31;
            let o = lane(&self.tree, args[1], offset, n2) & 31;
            shift[n] = o;
            mask[n] = (1u32 << w) - 1;
        }
        let v = self.tree.widen(args[2], lanes);
        let shift_bits = shift[..lanes as usize].to_vec();
        let shifted = if shift_bits.iter().all(|s| *s == 0) {
            v
        } else {
            let count = self.tree.literal(s, lanes, shift);
            let count = self.narrow(count);
            self.tree.binary(BinaryOp::Shr, v, count)
        };
        let mask = self.tree.literal(s, lanes, mask);
        let mask = self.narrow(mask);
        Some(self.tree.binary(BinaryOp::BitAnd, shifted, mask))
    }

    /// A literal whose lanes are equal, as a scalar.
    fn narrow(&mut self, e: ExprId) -> ExprId {
        let Node { ty, expr } = self.tree.nodes[e.0 as usize];
        match expr {
            Expr::Literal(b) if b[..ty.width as usize].iter().all(|x| *x == b[0]) => {
                self.tree.literal(ty.scalar, 1, [b[0]; 4])
            }
            _ => e,
        }
    }

    fn convert_integer(&mut self, i: &Instruction, from: Scalar) -> Result<(), Box<Diagnostic>> {
        let a = self.read(i, 1, from)?;
        let v = self.tree.construct(Ty::new(Scalar::Float, self.tree.ty(a).width), &[a]);
        self.write(i, 0, v)
    }

    fn logic(&mut self, i: &Instruction) -> Result<(), Box<Diagnostic>> {
        self.by_type(i, 0, |l, i, lanes, s| l.logic_value(i, lanes, s))
    }

    fn logic_value(&mut self, i: &Instruction, lanes: Lanes, s: Scalar) -> Result<ExprId, Box<Diagnostic>> {
        if s == Scalar::Bool {
            return self.bool_logic(i, lanes);
        }
        if i.opcode == Opcode::And
            && let Some(v) = self.masked(i, lanes, s)?
        {
            return Ok(v);
        }
        let int = if s == Scalar::Int { Scalar::Int } else { Scalar::Uint };
        let a = self.read_at(i, 1, lanes, int)?;
        if i.opcode == Opcode::Not {
            return Ok(self.tree.unary(UnaryOp::BitNot, a));
        }
        let b = self.read_at(i, 2, lanes, int)?;
        let op = match i.opcode {
            Opcode::And => BinaryOp::BitAnd,
            Opcode::Or => BinaryOp::BitOr,
            _ => BinaryOp::BitXor,
        };
        Ok(self.tree.binary(op, a, b))
    }

    /// Logic of masks as logic of bools.
    fn bool_logic(&mut self, i: &Instruction, lanes: Lanes) -> Result<ExprId, Box<Diagnostic>> {
        let a = self.read_at(i, 1, lanes, Scalar::Bool)?;
        if i.opcode == Opcode::Not {
            return Ok(if self.tree.ty(a).width == 1 {
                self.tree.unary(UnaryOp::Not, a)
            } else {
                self.tree.builtin(self.tree.ty(a), "not", &[a])
            });
        }
        let b = self.read_at(i, 2, lanes, Scalar::Bool)?;
        let op = match i.opcode {
            Opcode::And => BinaryOp::And,
            Opcode::Or => BinaryOp::Or,
            _ => BinaryOp::Xor,
        };
        let width = self.tree.ty(a).width.max(self.tree.ty(b).width);
        if width == 1 {
            return Ok(self.tree.test(op, a, b));
        }
        // The logic operators only take scalars.
        let (a, b) = (self.tree.widen(a, width), self.tree.widen(b, width));
        let mut parts = [a; 4];
        for n in 0..width {
            let (an, bn) = (self.tree.swizzle(a, Lanes::one(n)), self.tree.swizzle(b, Lanes::one(n)));
            parts[n as usize] = self.tree.test(op, an, bn);
        }
        Ok(self.tree.construct(Ty::new(Scalar::Bool, width), &parts[..width as usize]))
    }

    /// `mask & value` where one side is a bool: the value or 0.
    fn masked(
        &mut self,
        i: &Instruction,
        lanes: Lanes,
        s: Scalar,
    ) -> Result<Option<ExprId>, Box<Diagnostic>> {
        let is_bool = |l: &Self, k: usize| {
            let Some(o) = l.p.operands(i).get(k) else { return false };
            match o.kind {
                OperandKind::Temp => lanes.as_slice().iter().all(|&n| {
                    let w = l.flow.operand_webs[l.p.operand_index(i) + k][o.source_lane(n as usize)];
                    l.types.of(w) == Scalar::Bool
                }),
                OperandKind::Input => lanes.as_slice().iter().all(|&n| {
                    l.decls
                        .inputs
                        .at(o.register(), o.source_lane(n as usize) as u8)
                        .is_some_and(|e| l.interface.is_bool(e))
                }),
                _ => false,
            }
        };
        let (mask, value) = match (is_bool(self, 1), is_bool(self, 2)) {
            (true, false) => (1, 2),
            (false, true) => (2, 1),
            _ => return Ok(None),
        };
        let c = self.read_at(i, mask, lanes, Scalar::Bool)?;
        let v = self.read_at(i, value, lanes, s)?;
        let ty = self.tree.ty(v);
        let one = match s {
            Scalar::Float => 1f32.to_bits(),
            _ => 1,
        };
        if let Expr::Literal(b) = self.tree.expr(v)
            && b[..ty.width as usize].iter().all(|x| *x == one)
        {
            // `float(true)` is 1.0.
            return Ok(Some(self.tree.construct(Ty::new(s, self.tree.ty(c).width), &[c])));
        }
        let zero = self.tree.zero(ty);
        Ok(Some(self.pick(c, v, zero)))
    }

    /// Pull-model interpolation, where ES 3.00 can say it.
    fn evaluate(&mut self, i: &Instruction) -> Result<(), Box<Diagnostic>> {
        use crate::options::Extension::MultisampleInterpolation;
        let lanes = self.dest_lanes(i, 0)?;
        let a = self.read_at(i, 1, lanes, Scalar::Float)?;
        self.use_extension(MultisampleInterpolation);
        let place = match i.opcode {
            Opcode::EvalCentroid => None,
            Opcode::EvalSampleIndex => Some(self.read_at(i, 2, Lanes::one(0), Scalar::Int)?),
            _ => {
                // A 4-bit signed offset in sixteenths of a pixel: D3D11.3 functional spec, 22.5.6.
                let o = self.read_at(i, 2, Lanes::first(2), Scalar::Int)?;
                let o = self.tree.widen(o, 2);
                let up = self.tree.int(28);
                let high = self.tree.binary(BinaryOp::Shl, o, up);
                let signed = self.tree.binary(BinaryOp::Shr, high, up);
                let f = self.tree.construct(Ty::new(Scalar::Float, 2), &[signed]);
                let scale = self.tree.float(1.0 / 16.0);
                Some(self.tree.binary(BinaryOp::Mul, f, scale))
            }
        };
        // The functions take a varying, neither lanes of one nor a vector made of several.
        let Expr::Construct(parts) = self.tree.expr(a) else {
            let v = self.evaluate_lanes(i.opcode, a, place);
            return self.write(i, 0, v);
        };
        let parts = self.tree.args(parts).to_vec();
        let place = place.map(|place| match self.tree.expr(place) {
            Expr::Literal(_) => place,
            _ if parts.len() == 1 => place,
            _ => self.tree.local(place),
        });
        let parts: Vec<_> = parts.into_iter().map(|p| self.evaluate_lanes(i.opcode, p, place)).collect();
        let v = self.tree.construct(self.tree.ty(a), &parts);
        self.write(i, 0, v)
    }

    /// Lanes of a varying at another place: it is evaluated whole, and the lanes are chosen then.
    fn evaluate_lanes(&mut self, opcode: Opcode, lanes: ExprId, place: Option<ExprId>) -> ExprId {
        let (base, chosen) = match self.tree.expr(lanes) {
            Expr::Swizzle(base, l) => (base, Some(l)),
            _ => (lanes, None),
        };
        let name = match opcode {
            Opcode::EvalCentroid => "interpolateAtCentroid",
            Opcode::EvalSampleIndex => "interpolateAtSample",
            _ => "interpolateAtOffset",
        };
        let arguments: Vec<_> = std::iter::once(base).chain(place).collect();
        let v = self.tree.builtin(self.tree.ty(base), name, &arguments);
        match chosen {
            Some(l) => self.tree.swizzle(v, l),
            None => v,
        }
    }
}
