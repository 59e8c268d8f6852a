//! The typed GLSL tree between lowering and printing: expressions in an arena, statements in a flat list whose
//! blocks are marked by opening and closing statements, as DXBC marks its own.

use crate::helpers::Helper;

/// Scalar type of a GLSL value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Scalar {
    Float,
    Int,
    Uint,
    Bool,
}

/// Type of a GLSL value: 1 to 4 lanes of a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Ty {
    pub(crate) scalar: Scalar,
    pub(crate) width: u8,
}

impl Ty {
    pub(crate) const fn new(scalar: Scalar, width: u8) -> Ty {
        Ty { scalar, width }
    }
    /// The GLSL keyword.
    pub(crate) const fn keyword(self) -> &'static str {
        const NAMES: [[&str; 4]; 4] = [
            ["float", "vec2", "vec3", "vec4"],
            ["int", "ivec2", "ivec3", "ivec4"],
            ["uint", "uvec2", "uvec3", "uvec4"],
            ["bool", "bvec2", "bvec3", "bvec4"],
        ];
        NAMES[self.scalar as usize][(self.width as usize - 1) & 3]
    }
}

/// An expression of the arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ExprId(pub(crate) u32);

/// A name of the name table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct NameId(pub(crate) u32);

/// Something that can be named in an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Var {
    /// The variable that holds the lanes of one type of a temporary register.
    Temp { register: u32, scalar: Scalar },
    /// A local made by the lowering.
    Local(u32),
    /// Anything that has a name in the table.
    Named(NameId),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UnaryOp {
    Neg,
    Not,
    BitNot,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Shl,
    Shr,
    BitAnd,
    BitOr,
    BitXor,
    Eq,
    Ne,
    Lt,
    Ge,
    And,
    Or,
    Xor,
}

impl BinaryOp {
    /// The operator with a blank on either side.
    pub(crate) fn write(self, out: &mut String) {
        use BinaryOp::*;
        // One arm each: text of a length that is known is copied in place.
        match self {
            Add => out.push_str(" + "),
            Sub => out.push_str(" - "),
            Mul => out.push_str(" * "),
            Div => out.push_str(" / "),
            Rem => out.push_str(" % "),
            Shl => out.push_str(" << "),
            Shr => out.push_str(" >> "),
            BitAnd => out.push_str(" & "),
            BitOr => out.push_str(" | "),
            BitXor => out.push_str(" ^ "),
            Eq => out.push_str(" == "),
            Ne => out.push_str(" != "),
            Lt => out.push_str(" < "),
            Ge => out.push_str(" >= "),
            And => out.push_str(" && "),
            Or => out.push_str(" || "),
            Xor => out.push_str(" ^^ "),
        }
    }
    /// GLSL ES 3.00, section 5.1; higher binds tighter.
    pub(crate) const fn precedence(self) -> u8 {
        use BinaryOp::*;
        match self {
            Or => 2,
            Xor => 3,
            And => 4,
            BitOr => 5,
            BitXor => 6,
            BitAnd => 7,
            Eq | Ne => 8,
            Lt | Ge => 9,
            Shl | Shr => 10,
            Add | Sub => 11,
            Mul | Div | Rem => 12,
        }
    }
}

/// A function that is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Func {
    Builtin(&'static str),
    Helper(Helper),
    Named(NameId),
}

/// A function of [`Tree::func`]: half a function's size, so that a node is 24 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FuncId(u32);

const _: () = assert!(size_of::<Node>() == 24);

/// The set bits of a mask of lanes, in order.
#[inline]
pub(crate) fn lanes_in(mask: u8) -> impl Iterator<Item = u8> {
    let mut rest = mask;
    std::iter::from_fn(move || {
        (rest != 0).then(|| {
            let lane = rest.trailing_zeros() as u8;
            rest &= rest - 1;
            lane
        })
    })
}

/// Up to four lane numbers.
///
/// Invariant: entries of `lane` beyond `count` repeat the first, so that what holds for all lanes can be worked out of
/// four entries without asking how many there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lanes {
    pub(crate) lane: [u8; 4],
    pub(crate) count: u8,
}

impl Lanes {
    pub(crate) const fn new() -> Lanes {
        Lanes { lane: [0; 4], count: 0 }
    }
    #[inline]
    pub(crate) fn push(&mut self, lane: u8) {
        if self.count == 0 {
            self.lane = [lane; 4];
        } else {
            self.lane[self.count as usize & 3] = lane;
        }
        self.count += 1;
    }
    pub(crate) const fn one(lane: u8) -> Lanes {
        Lanes { lane: [lane; 4], count: 1 }
    }
    pub(crate) const fn first(count: u8) -> Lanes {
        Lanes { lane: (0x0302_0100 & Lanes::cover(count)).to_le_bytes(), count }
    }
    /// The set bits of a mask.
    #[inline]
    pub(crate) fn of_mask(mask: u8) -> Lanes {
        const TABLE: [Lanes; 16] = {
            let mut t = [Lanes::new(); 16];
            let mut m = 0;
            while m < 16 {
                let mut l = 0;
                if m != 0 {
                    t[m].lane = [m.trailing_zeros() as u8; 4];
                }
                while l < 4 {
                    if m >> l & 1 != 0 {
                        t[m].lane[t[m].count as usize] = l;
                        t[m].count += 1;
                    }
                    l += 1;
                }
                m += 1;
            }
            t
        };
        TABLE[mask as usize & 15]
    }
    #[inline]
    pub(crate) fn as_slice(&self) -> &[u8] {
        &self.lane[..self.count as usize & 7]
    }
    /// The lanes as one word, those beyond `count` cleared.
    #[inline]
    fn word(&self) -> u32 {
        u32::from_le_bytes(self.lane) & Lanes::cover(self.count)
    }
    #[inline]
    const fn cover(count: u8) -> u32 {
        const COVER: [u32; 8] = [0, 0xff, 0xffff, 0xff_ffff, u32::MAX, u32::MAX, u32::MAX, u32::MAX];
        COVER[count as usize & 7]
    }
    #[inline]
    pub(crate) fn is_uniform(&self) -> bool {
        self.lane == [self.lane[0]; 4]
    }
    /// Whether it names the first lanes in order.
    #[inline]
    fn is_identity(&self) -> bool {
        self.word() == 0x0302_0100 & Lanes::cover(self.count)
    }
    /// The lanes as a mask.
    #[inline]
    pub(crate) fn mask(&self) -> u8 {
        self.lane.iter().fold(0, |m, l| m | 1 << l) * u8::from(self.count != 0)
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Expr {
    /// Bits of each lane; a bool is 0 or 1.
    Literal([u32; 4]),
    Var(Var),
    Swizzle(ExprId, Lanes),
    Index(ExprId, ExprId),
    /// `base.data`: the one member of every block.
    Data(ExprId),
    /// `block.data[row]`: a row by a constant, the commonest read of all.
    Row(NameId, u32),
    Unary(UnaryOp, ExprId),
    Binary(BinaryOp, ExprId, ExprId),
    Call(FuncId, Args),
    Construct(Args),
    /// `condition ? a : b`
    Select(ExprId, ExprId, ExprId),
}

/// A run of [`Tree::args`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Args {
    start: u32,
    count: u32,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub(crate) ty: Ty,
    pub(crate) expr: Expr,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum StmtKind {
    Assign(ExprId, ExprId),
    /// `type name = value;`
    Local(u32, ExprId),
    If(ExprId),
    Else,
    EndIf,
    Loop,
    EndLoop,
    /// `switch (e) {`
    Switch(ExprId),
    Case(ExprId),
    Default,
    EndSwitch,
    /// `do {` ... `} while (false);`
    Once,
    EndOnce,
    Break,
    Continue,
    Return,
    Discard,
    /// A call for its effects.
    Call(NameId),
    /// `if (c) break;` and the like on one line.
    IfBreak(ExprId),
    IfContinue(ExprId),
    IfReturn(ExprId),
    IfDiscard(ExprId),
    /// `name = bool;` of a flag.
    SetFlag(NameId, bool),
    /// `void name() {`
    Function(NameId),
    EndFunction,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Stmt {
    pub(crate) kind: StmtKind,
    /// Index of the instruction it stands for.
    pub(crate) instruction: u32,
}

/// Expressions, statements and names of one shader.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    pub(crate) nodes: Vec<Node>,
    args: Vec<ExprId>,
    funcs: Vec<Func>,
    pub(crate) stmts: Vec<Stmt>,
    names: String,
    name_ends: Vec<u32>,
    /// Instruction that the next statements stand for.
    pub(crate) instruction: u32,
    pub(crate) locals: u32,
    /// Whether a literal has a -0, and may be what [`is_signed_zeros`] finds.
    pub(crate) signed_zeros: bool,
}

/// Whether a literal is a vector of zeros that are not all positive.
pub(crate) fn is_signed_zeros(ty: Ty, bits: &[u32; 4]) -> bool {
    ty.scalar == Scalar::Float
        && ty.width > 1
        && bits[..ty.width as usize].iter().fold(0, |all, b| all | b) == 0x8000_0000
}

impl Tree {
    pub(crate) fn with_capacity(instructions: usize) -> Tree {
        // What nine programs of ten need. More would not be touched, but the allocator hands a big heap back to the
        // system after each translation and asks for it again.
        Tree {
            nodes: Vec::with_capacity(instructions * 9 / 2 + 64),
            args: Vec::with_capacity(instructions + 32),
            funcs: Vec::with_capacity(instructions / 2 + 16),
            stmts: Vec::with_capacity(instructions + 16),
            names: String::with_capacity(512),
            name_ends: Vec::with_capacity(48),
            instruction: 0,
            locals: 0,
            signed_zeros: false,
        }
    }

    pub(crate) fn name(&mut self, text: &str) -> NameId {
        self.names.push_str(text);
        self.name_ends.push(self.names.len() as u32);
        NameId(self.name_ends.len() as u32 - 1)
    }

    pub(crate) fn name_text(&self, id: NameId) -> &str {
        let i = id.0 as usize;
        let start = if i == 0 { 0 } else { self.name_ends[i - 1] as usize };
        &self.names[start..self.name_ends[i] as usize]
    }

    pub(crate) fn ty(&self, e: ExprId) -> Ty {
        self.nodes[e.0 as usize].ty
    }
    pub(crate) fn expr(&self, e: ExprId) -> Expr {
        self.nodes[e.0 as usize].expr
    }
    /// The function of a call.
    pub(crate) fn func(&self, f: FuncId) -> Func {
        self.funcs[f.0 as usize]
    }
    pub(crate) fn args(&self, a: Args) -> &[ExprId] {
        &self.args[a.start as usize..(a.start + a.count) as usize]
    }

    pub(crate) fn push(&mut self, ty: Ty, expr: Expr) -> ExprId {
        self.nodes.push(Node { ty, expr });
        ExprId(self.nodes.len() as u32 - 1)
    }

    pub(crate) fn stmt(&mut self, kind: StmtKind) {
        let instruction = self.instruction;
        self.stmts.push(Stmt { kind, instruction });
    }

    fn arg_list(&mut self, list: &[ExprId]) -> Args {
        let start = self.args.len() as u32;
        self.args.extend_from_slice(list);
        Args { start, count: list.len() as u32 }
    }

    pub(crate) fn literal(&mut self, scalar: Scalar, width: u8, bits: [u32; 4]) -> ExprId {
        self.signed_zeros |= scalar == Scalar::Float && bits.contains(&0x8000_0000);
        self.push(Ty::new(scalar, width), Expr::Literal(bits))
    }
    pub(crate) fn float(&mut self, v: f32) -> ExprId {
        self.literal(Scalar::Float, 1, [v.to_bits(); 4])
    }
    pub(crate) fn int(&mut self, v: i32) -> ExprId {
        self.literal(Scalar::Int, 1, [v as u32; 4])
    }
    pub(crate) fn uint(&mut self, v: u32) -> ExprId {
        self.literal(Scalar::Uint, 1, [v; 4])
    }
    /// All lanes zero (false).
    pub(crate) fn zero(&mut self, ty: Ty) -> ExprId {
        self.literal(ty.scalar, ty.width, [0; 4])
    }

    pub(crate) fn var(&mut self, ty: Ty, var: Var) -> ExprId {
        self.push(ty, Expr::Var(var))
    }
    pub(crate) fn named(&mut self, ty: Ty, name: NameId) -> ExprId {
        self.var(ty, Var::Named(name))
    }

    /// Lanes of `base`; lanes of lanes are joined, and all lanes in order are `base` itself.
    pub(crate) fn swizzle(&mut self, base: ExprId, lanes: Lanes) -> ExprId {
        let ty = self.ty(base);
        if lanes.count == ty.width && lanes.is_identity() {
            return base;
        }
        let expr = self.expr(base);
        let out = Ty::new(ty.scalar, lanes.count);
        match expr {
            Expr::Literal(bits) => {
                let last = if ty.width == 1 { 0 } else { 3 };
                self.literal(out.scalar, out.width, lanes.lane.map(|l| bits[l as usize & last]))
            }
            Expr::Swizzle(inner, first) => {
                let lane = lanes.lane.map(|l| first.lane[l as usize & 3]);
                self.swizzle(inner, Lanes { lane, count: lanes.count })
            }
            // The first part of a constructor, whole.
            Expr::Construct(a)
                if self.args(a).len() > 1 && lanes.is_identity() && self.ty(self.args(a)[0]) == out =>
            {
                self.args(a)[0]
            }
            // A scalar has no lanes to name.
            _ if ty.width == 1 => self.widen(base, lanes.count),
            _ => self.push(out, Expr::Swizzle(base, lanes)),
        }
    }

    /// A scalar repeated to `width` lanes; wider values are left.
    pub(crate) fn widen(&mut self, e: ExprId, width: u8) -> ExprId {
        let ty = self.ty(e);
        if width == 1 || ty.width != 1 {
            return e;
        }
        let expr = self.expr(e);
        let out = Ty::new(ty.scalar, width);
        match expr {
            Expr::Literal(b) => self.literal(out.scalar, out.width, [b[0]; 4]),
            Expr::Swizzle(inner, l) => {
                self.push(out, Expr::Swizzle(inner, Lanes { lane: [l.lane[0]; 4], count: width }))
            }
            _ => self.construct(out, &[e]),
        }
    }

    /// `type(parts)`; parts that are lanes of one value are its swizzle.
    pub(crate) fn construct(&mut self, ty: Ty, parts: &[ExprId]) -> ExprId {
        if parts.len() > 1
            && let Some(joined) = self.joined(ty, parts)
        {
            return joined;
        }
        let a = self.arg_list(parts);
        self.push(ty, Expr::Construct(a))
    }
    /// Whether two expressions say the same.
    pub(crate) fn is_same(&self, a: ExprId, b: ExprId) -> bool {
        if a == b {
            return true;
        }
        match (self.expr(a), self.expr(b)) {
            (Expr::Index(x, i), Expr::Index(y, j)) => self.is_same(x, y) && self.is_same(i, j),
            (Expr::Data(x), Expr::Data(y)) => self.is_same(x, y),
            (Expr::Row(x, i), Expr::Row(y, j)) => x == y && i == j,
            (Expr::Swizzle(x, l), Expr::Swizzle(y, m)) => {
                l.count == m.count && l.word() == m.word() && self.is_same(x, y)
            }
            (Expr::Literal(x), Expr::Literal(y)) => x == y && self.ty(a) == self.ty(b),
            (Expr::Var(x), Expr::Var(y)) => x == y,
            _ => false,
        }
    }

    fn joined(&mut self, ty: Ty, parts: &[ExprId]) -> Option<ExprId> {
        let mut lanes = Lanes::new();
        let mut whole: Option<ExprId> = None;
        for &p in parts {
            let Node { ty: pt, expr } = self.nodes[p.0 as usize];
            let Expr::Swizzle(base, l) = expr else { return None };
            if pt.scalar != ty.scalar {
                return None;
            }
            match whole {
                Some(first) if self.is_same(first, base) => {}
                Some(_) => return None,
                None => whole = Some(base),
            }
            for &x in l.as_slice() {
                lanes.push(x);
            }
        }
        let base = whole?;
        Some(self.push(ty, Expr::Swizzle(base, lanes)))
    }

    pub(crate) fn call(&mut self, ty: Ty, func: Func, args: &[ExprId]) -> ExprId {
        let a = self.arg_list(args);
        self.funcs.push(func);
        self.push(ty, Expr::Call(FuncId(self.funcs.len() as u32 - 1), a))
    }
    pub(crate) fn builtin(&mut self, ty: Ty, name: &'static str, args: &[ExprId]) -> ExprId {
        self.call(ty, Func::Builtin(name), args)
    }
    pub(crate) fn index(&mut self, ty: Ty, base: ExprId, index: ExprId) -> ExprId {
        self.push(ty, Expr::Index(base, index))
    }
    pub(crate) fn unary(&mut self, op: UnaryOp, a: ExprId) -> ExprId {
        let Node { ty, expr } = self.nodes[a.0 as usize];
        match (op, expr) {
            (UnaryOp::Not, Expr::Unary(UnaryOp::Not, inner)) => inner,
            (UnaryOp::Neg, Expr::Literal(bits)) => {
                let flip = |b: u32| match ty.scalar {
                    Scalar::Float => b ^ 0x8000_0000,
                    _ => b.wrapping_neg(),
                };
                self.literal(ty.scalar, ty.width, bits.map(flip))
            }
            _ => self.push(ty, Expr::Unary(op, a)),
        }
    }
    /// An arithmetic or bitwise operation; a scalar beside a vector works on every lane.
    pub(crate) fn binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> ExprId {
        let (ta, tb) = (self.ty(a), self.ty(b));
        self.push(Ty::new(ta.scalar, ta.width.max(tb.width)), Expr::Binary(op, a, b))
    }
    /// A comparison or logic operation of two scalars.
    pub(crate) fn test(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> ExprId {
        self.push(Ty::new(Scalar::Bool, 1), Expr::Binary(op, a, b))
    }
    pub(crate) fn select(&mut self, c: ExprId, a: ExprId, b: ExprId) -> ExprId {
        let ty = self.ty(a);
        self.push(ty, Expr::Select(c, a, b))
    }

    /// A fresh local with this value.
    pub(crate) fn local(&mut self, value: ExprId) -> ExprId {
        let n = self.locals;
        self.locals += 1;
        self.stmt(StmtKind::Local(n, value));
        let ty = self.ty(value);
        self.var(ty, Var::Local(n))
    }
}
