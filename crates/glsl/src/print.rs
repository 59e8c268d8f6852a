//! From the tree to text. Knows GLSL's grammar and nothing of DXBC.

use crate::literal::{float_is_signed_text, write_float, write_int, write_uint};
use crate::manifest::LineMapEntry;
use crate::tree::*;

/// Precedence of a primary expression or a call.
const PRIMARY: u8 = 15;
const UNARY: u8 = 13;
const TERNARY: u8 = 1;

/// Every choice of four lanes with its dot: `.xxxx.yxxx...`; fewer lanes are the beginning of an entry.
const SWIZZLES: &str = {
    const BYTES: [u8; 256 * 5] = {
        let mut b = [b'.'; 256 * 5];
        let mut n = 0;
        while n < 256 {
            let mut l = 0;
            while l < 4 {
                b[n * 5 + 1 + l] = b"xyzw"[n >> (2 * l) & 3];
                l += 1;
            }
            n += 1;
        }
        b
    };
    match std::str::from_utf8(&BYTES) {
        Ok(s) => s,
        Err(_) => "",
    }
};

/// Writes the statements of `tree` at `depth`.
pub(crate) struct Printer<'a> {
    pub(crate) tree: &'a Tree,
    pub(crate) out: &'a mut String,
    /// For each register and type, the lanes in use: a variable of one lane has no lanes to name.
    pub(crate) temps: &'a [[u8; 4]],
    pub(crate) depth: usize,
    /// Source string number for `#line`, where wanted.
    pub(crate) line_directives: Option<u32>,
    /// Where to note which line stands for which instruction.
    pub(crate) line_map: Option<&'a mut Vec<LineMapEntry>>,
    /// Member of a constant buffer's block that holds its rows; empty for an array.
    pub(crate) member: &'static str,
    /// Line that the next statement begins, from 1; set by [`Printer::stmts`].
    pub(crate) line: u32,
}

fn number(out: &mut String, n: u32) {
    const DIGITS: &str = "0123456789";
    let d = n as usize;
    if d < 10 {
        out.push_str(&DIGITS[d..d + 1]);
    } else {
        out.push_str(itoa::Buffer::new().format(n));
    }
}

/// The first `len` bytes of ASCII `text`, copied whole and cut: `text` has a length that is known where this is
/// compiled in.
#[inline(always)]
pub(crate) fn push_start(out: &mut String, text: &str, len: usize) {
    let end = out.len() + len;
    out.push_str(text);
    out.truncate(end);
}

/// Name of the variable for one type of a temporary register.
#[inline]
pub(crate) fn write_temp(out: &mut String, register: u32, scalar: Scalar) {
    out.push('r');
    number(out, register);
    match scalar {
        Scalar::Float => {}
        Scalar::Int => out.push('i'),
        Scalar::Uint => out.push('u'),
        Scalar::Bool => out.push('b'),
    }
}

impl Printer<'_> {
    fn indent(&mut self) {
        const SPACES: &str = "                                                                ";
        let mut n = self.depth * 4;
        if n <= 16 {
            return push_start(self.out, &SPACES[..16], n);
        }
        while n > 0 {
            let k = n.min(SPACES.len());
            self.out.push_str(&SPACES[..k]);
            n -= k;
        }
    }

    fn var(&mut self, v: Var) {
        match v {
            Var::Temp { register, scalar } => write_temp(self.out, register, scalar),
            Var::Local(n) => {
                self.out.push_str("tmp");
                number(self.out, n);
            }
            Var::Named(n) => self.out.push_str(self.tree.name_text(n)),
        }
    }

    fn scalar_literal(&mut self, scalar: Scalar, bits: u32) {
        match scalar {
            Scalar::Float => write_float(self.out, bits),
            Scalar::Int => write_int(self.out, bits),
            Scalar::Uint => write_uint(self.out, bits),
            Scalar::Bool => self.out.push_str(if bits != 0 { "true" } else { "false" }),
        }
    }

    fn precedence(&self, e: ExprId) -> u8 {
        let node = &self.tree.nodes[e.0 as usize];
        match node.expr {
            Expr::Binary(op, ..) => op.precedence(),
            Expr::Unary(..) => UNARY,
            Expr::Select(..) => TERNARY,
            Expr::Literal(b) if node.ty.width == 1 => {
                let signed = match node.ty.scalar {
                    Scalar::Float => float_is_signed_text(b[0]),
                    Scalar::Int => (b[0] as i32) < 0 && (b[0] as i32) >= -0xffff,
                    _ => false,
                };
                if signed { UNARY } else { PRIMARY }
            }
            _ => PRIMARY,
        }
    }

    fn is_scalar_temp(&self, e: ExprId) -> bool {
        match self.tree.expr(e) {
            Expr::Var(Var::Temp { register, scalar }) => {
                self.temps.get(register as usize).is_some_and(|t| t[scalar as usize] & 15 == 1)
            }
            _ => false,
        }
    }

    fn child(&mut self, e: ExprId, least: u8) {
        let loose = matches!(
            self.tree.expr(e),
            Expr::Binary(..) | Expr::Unary(..) | Expr::Select(..) | Expr::Literal(_)
        );
        if loose && self.precedence(e) < least {
            self.out.push('(');
            self.expr(e);
            self.out.push(')');
        } else {
            self.expr(e);
        }
    }

    fn list(&mut self, a: Args) {
        self.out.push('(');
        let tree = self.tree;
        for (i, &e) in tree.args(a).iter().enumerate() {
            if i > 0 {
                self.out.push_str(", ");
            }
            self.expr(e);
        }
        self.out.push(')');
    }

    pub(crate) fn expr(&mut self, e: ExprId) {
        let tree = self.tree;
        let Node { ty, ref expr } = tree.nodes[e.0 as usize];
        match *expr {
            Expr::Literal(bits) => {
                if ty.width == 1 {
                    return self.scalar_literal(ty.scalar, bits[0]);
                }
                self.out.push_str(ty.keyword());
                self.out.push('(');
                let lanes = &bits[..ty.width as usize];
                if lanes.iter().all(|b| *b == lanes[0]) {
                    self.scalar_literal(ty.scalar, lanes[0]);
                } else {
                    for (i, b) in lanes.iter().enumerate() {
                        if i > 0 {
                            self.out.push_str(", ");
                        }
                        self.scalar_literal(ty.scalar, *b);
                    }
                }
                self.out.push(')');
            }
            Expr::Var(v) => self.var(v),
            Expr::Swizzle(base, lanes) => {
                if self.is_scalar_temp(base) {
                    if lanes.count == 1 {
                        return self.expr(base);
                    }
                    self.out.push_str(ty.keyword());
                    self.out.push('(');
                    self.expr(base);
                    self.out.push(')');
                    return;
                }
                match tree.expr(base) {
                    Expr::Var(v) => self.var(v),
                    _ => self.child(base, PRIMARY),
                }
                let l = lanes.lane.map(|l| l as usize & 3);
                let at = (l[0] | l[1] << 2 | l[2] << 4 | l[3] << 6) * 5;
                push_start(self.out, &SWIZZLES[at..at + 5], 1 + lanes.as_slice().len());
            }
            Expr::Index(base, index) => {
                self.child(base, PRIMARY);
                self.out.push('[');
                self.expr(index);
                self.out.push(']');
            }
            Expr::Row(block, row) => {
                self.out.push_str(self.tree.name_text(block));
                self.out.push_str(self.member);
                self.out.push('[');
                number(self.out, row);
                self.out.push(']');
            }
            Expr::Data(base) => {
                self.expr(base);
                self.out.push_str(self.member);
            }
            Expr::Unary(op, a) => {
                self.out.push(match op {
                    UnaryOp::Neg => '-',
                    UnaryOp::Not => '!',
                    UnaryOp::BitNot => '~',
                });
                // `--a` would be a decrement.
                self.child(a, if op == UnaryOp::Neg { UNARY + 1 } else { UNARY });
            }
            Expr::Binary(op, a, b) => {
                let p = op.precedence();
                self.child(a, p);
                op.write(self.out);
                // Logic associates: no parentheses for a chain of one operator.
                let chain = matches!(op, BinaryOp::And | BinaryOp::Or)
                    && matches!(self.tree.expr(b), Expr::Binary(o, ..) if o == op);
                self.child(b, if chain { p } else { p + 1 });
            }
            Expr::Call(func, args) => {
                match tree.func(func) {
                    Func::Builtin(name) => self.out.push_str(name),
                    Func::Helper(h) => self.out.push_str(h.name()),
                    Func::Named(n) => self.out.push_str(self.tree.name_text(n)),
                }
                self.list(args);
            }
            Expr::Construct(args) => {
                self.out.push_str(ty.keyword());
                self.list(args);
            }
            Expr::Select(c, a, b) => {
                self.child(c, TERNARY + 1);
                self.out.push_str(" ? ");
                self.child(a, TERNARY + 1);
                self.out.push_str(" : ");
                self.child(b, TERNARY + 1);
            }
        }
    }

    fn conditional(&mut self, c: ExprId, what: &str) {
        self.out.push_str("if (");
        self.expr(c);
        self.out.push_str(") ");
        self.out.push_str(what);
    }

    /// Prints statements `from..to`.
    pub(crate) fn stmts(&mut self, from: usize, to: usize) {
        let tree = self.tree;
        if self.line_map.is_some() {
            self.line = 1 + self.out.bytes().filter(|b| *b == b'\n').count() as u32;
        }
        for s in &tree.stmts[from..to] {
            if let Some(source) = self.line_directives {
                // The number is that of the next line: GLSL ES 3.00, section 3.5.
                self.out.push_str("#line ");
                number(self.out, s.instruction);
                self.out.push(' ');
                number(self.out, source);
                self.out.push('\n');
                self.line += 1;
            }
            if let Some(map) = &mut self.line_map {
                map.push(LineMapEntry { line: self.line, instruction: s.instruction });
                self.line += 1;
            }
            self.stmt(s.kind);
        }
    }

    fn stmt(&mut self, kind: StmtKind) {
        use StmtKind::*;
        match kind {
            Else | EndIf | EndLoop | EndSwitch | EndOnce | EndFunction => self.depth -= 1,
            _ => {}
        }
        match kind {
            Case(_) | Default => {
                self.depth -= 1;
                self.indent();
                self.depth += 1;
            }
            _ => self.indent(),
        }
        match kind {
            Assign(l, r) => {
                self.expr(l);
                self.out.push_str(" = ");
                self.expr(r);
                self.out.push(';');
            }
            Local(n, e) => {
                self.out.push_str(self.tree.ty(e).keyword());
                self.out.push_str(" tmp");
                number(self.out, n);
                self.out.push_str(" = ");
                self.expr(e);
                self.out.push(';');
            }
            If(c) => self.conditional(c, "{"),
            Else => self.out.push_str("} else {"),
            EndIf | EndLoop | EndSwitch | EndFunction => self.out.push('}'),
            Loop => self.out.push_str("while (true) {"),
            Switch(e) => {
                self.out.push_str("switch (");
                self.expr(e);
                self.out.push_str(") {");
            }
            Case(e) => {
                self.out.push_str("case ");
                self.expr(e);
                self.out.push(':');
            }
            Default => self.out.push_str("default:"),
            Once => self.out.push_str("do {"),
            EndOnce => self.out.push_str("} while (false);"),
            Break => self.out.push_str("break;"),
            Continue => self.out.push_str("continue;"),
            Return => self.out.push_str("return;"),
            Discard => self.out.push_str("discard;"),
            Call(n) => {
                self.out.push_str(self.tree.name_text(n));
                self.out.push_str("();");
            }
            IfBreak(c) => self.conditional(c, "break;"),
            IfContinue(c) => self.conditional(c, "continue;"),
            IfReturn(c) => self.conditional(c, "return;"),
            IfDiscard(c) => self.conditional(c, "discard;"),
            SetFlag(n, v) => {
                self.out.push_str(self.tree.name_text(n));
                self.out.push_str(if v { " = true;" } else { " = false;" });
            }
            Function(n) => {
                self.out.push_str("void ");
                self.out.push_str(self.tree.name_text(n));
                self.out.push_str("() {");
            }
        }
        self.out.push('\n');
        match kind {
            If(_) | Else | Loop | Switch(_) | Once | Function(_) => self.depth += 1,
            _ => {}
        }
    }
}
