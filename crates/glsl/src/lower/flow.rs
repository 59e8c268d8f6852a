//! Flow: blocks map one to one; what GLSL or the compilers behind browsers do not take is forwarded by flags.

use super::*;

/// What flow lowering remembers.
#[derive(Default)]
pub(crate) struct State {
    /// Open blocks, outermost first.
    frames: Vec<Frame>,
    /// Places of `retc` and of `ret` that do not end `main`.
    pub(crate) early_return: bool,
    /// The last instruction that uses derivatives.
    last_derivative: usize,
    /// Bodies of subroutines have begun.
    in_subroutine: bool,
}

enum Frame {
    If,
    /// With the flag of forwarded continues.
    Loop(Option<NameId>),
    /// `once`: all cases share one body, said by a `do` block (A069); `forward`: continues pass through.
    Switch {
        once: bool,
        forward: bool,
        scalar: Scalar,
    },
}

fn uses_derivatives(op: Opcode) -> bool {
    use Opcode::*;
    matches!(op.without_feedback(), Sample | SampleB | SampleC | Lod)
        || matches!(op.info().family, Family::Derivative)
}

impl Lower<'_> {
    pub(super) fn prepare_flow(&mut self) {
        let p = self.p;
        let mut last_main = 0;
        for (n, i) in p.instructions.iter().enumerate() {
            if uses_derivatives(i.opcode) {
                self.flow_state.last_derivative = n;
            }
            if n < self.flow.main_end && !i.opcode.is_declaration() {
                last_main = n;
            }
        }
        self.flow_state.early_return =
            p.instructions[..self.flow.main_end].iter().enumerate().any(|(n, i)| {
                i.opcode == Opcode::Retc
                    || (i.opcode == Opcode::Ret && (n != last_main || self.flow.depth[n] > 0))
            });
        for i in &p.instructions {
            if i.opcode == Opcode::Label {
                let label = p.operands(i).first().map_or(0, |o| o.register());
                let text = format!("label{label}");
                let name = self.tree.name(&text);
                self.subroutines.push((label, name));
            }
        }
    }

    pub(super) fn in_loop(&self) -> bool {
        self.flow_state.frames.iter().any(|f| matches!(f, Frame::Loop(_)))
    }

    fn subroutine(&self, i: &Instruction) -> Option<NameId> {
        let label = self.p.operands(i).last()?.register();
        self.subroutines.iter().find(|s| s.0 == label).map(|s| s.1)
    }

    fn is_forwarded(&self) -> bool {
        self.flow.forwarded_continue.binary_search(&(self.index as u32)).is_ok()
    }

    pub(super) fn control(&mut self, i: &Instruction) -> Result<(), Box<Diagnostic>> {
        use StmtKind as S;
        match i.opcode {
            Opcode::If => {
                let c = self.condition(i, 0)?;
                self.flush();
                self.tree.stmt(S::If(c));
                self.flow_state.frames.push(Frame::If);
            }
            Opcode::Else => {
                self.flush();
                self.tree.stmt(S::Else);
            }
            Opcode::EndIf => {
                self.flush();
                self.flow_state.frames.pop();
                self.tree.stmt(S::EndIf);
            }
            Opcode::Loop => {
                self.flush();
                self.tree.stmt(S::Loop);
                let flag = self.is_forwarded().then(|| {
                    let text = format!("continued{}", self.index);
                    let name = self.tree.name(&text);
                    self.flags.push(name);
                    self.tree.stmt(S::SetFlag(name, false));
                    name
                });
                self.flow_state.frames.push(Frame::Loop(flag));
            }
            Opcode::EndLoop => {
                self.flush();
                self.flow_state.frames.pop();
                self.tree.stmt(S::EndLoop);
            }
            Opcode::Break => {
                self.flush();
                self.tree.stmt(S::Break);
            }
            Opcode::Breakc => {
                let c = self.condition(i, 0)?;
                self.flush();
                self.tree.stmt(S::IfBreak(c));
            }
            Opcode::Continue => {
                self.flush();
                match self.forward_flag() {
                    Some(flag) => {
                        self.tree.stmt(S::SetFlag(flag, true));
                        self.tree.stmt(S::Break);
                    }
                    None => self.tree.stmt(S::Continue),
                }
            }
            Opcode::Continuec => {
                let c = self.condition(i, 0)?;
                self.flush();
                match self.forward_flag() {
                    Some(flag) => {
                        self.tree.stmt(S::If(c));
                        self.tree.stmt(S::SetFlag(flag, true));
                        self.tree.stmt(S::Break);
                        self.tree.stmt(S::EndIf);
                    }
                    None => self.tree.stmt(S::IfContinue(c)),
                }
            }
            Opcode::Switch => self.switch(i)?,
            Opcode::Case => {
                self.flush();
                let Some(Frame::Switch { once, scalar, .. }) = self.flow_state.frames.last() else {
                    return Ok(());
                };
                if !once {
                    let scalar = *scalar;
                    let value = self.p.immediate(self.operand(i, 0)?)[0];
                    let value = self.tree.literal(scalar, 1, [value; 4]);
                    self.tree.stmt(S::Case(value));
                }
            }
            Opcode::Default => {
                self.flush();
                if let Some(Frame::Switch { once: false, .. }) = self.flow_state.frames.last() {
                    self.tree.stmt(S::Default);
                }
            }
            Opcode::EndSwitch => self.end_switch(),
            Opcode::Discard => self.discard(i)?,
            Opcode::Ret => {
                self.flush();
                let at_end = self.flow_state.frames.is_empty() && self.is_last_of_function();
                if self.flow_state.in_subroutine && at_end {
                    self.tree.stmt(S::EndFunction);
                    self.flow_state.in_subroutine = false;
                } else if !at_end {
                    self.tree.stmt(S::Return);
                }
            }
            Opcode::Retc => {
                let c = self.condition(i, 0)?;
                self.flush();
                self.tree.stmt(S::IfReturn(c));
            }
            Opcode::Call => {
                self.flush();
                if let Some(name) = self.subroutine(i) {
                    self.tree.stmt(S::Call(name));
                }
            }
            Opcode::Callc => {
                let c = self.condition(i, 0)?;
                self.flush();
                if let Some(name) = self.subroutine(i) {
                    self.tree.stmt(S::If(c));
                    self.tree.stmt(S::Call(name));
                    self.tree.stmt(S::EndIf);
                }
            }
            Opcode::Label => {
                self.flush();
                if self.flow_state.in_subroutine {
                    self.tree.stmt(S::EndFunction);
                }
                if let Some(name) = self.subroutine(i) {
                    self.tree.stmt(S::Function(name));
                    self.flow_state.in_subroutine = true;
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Whether nothing but a label or the end follows.
    fn is_last_of_function(&self) -> bool {
        self.p.instructions.get(self.index + 1).is_none_or(|i| i.opcode == Opcode::Label)
    }

    /// The flag of the loop that a `continue` here goes to, where a switch stands between.
    fn forward_flag(&self) -> Option<NameId> {
        if !self.is_forwarded() {
            return None;
        }
        self.flow_state.frames.iter().rev().find_map(|f| match f {
            Frame::Loop(flag) => Some(*flag),
            _ => None,
        })?
    }

    fn switch(&mut self, i: &Instruction) -> Result<(), Box<Diagnostic>> {
        // All labels of a switch that has only one body: compilers behind browsers delete such a switch.
        let p = self.p;
        let mut depth = 0;
        let (mut cases, mut bodies, mut default) = (0, 0, false);
        let mut after_label = false;
        for n in self.index + 1..p.instructions.len() {
            match p.instructions[n].opcode {
                Opcode::Switch => depth += 1,
                Opcode::EndSwitch if depth == 0 => break,
                Opcode::EndSwitch => depth -= 1,
                op @ (Opcode::Case | Opcode::Default) if depth == 0 => {
                    cases += 1;
                    default |= op == Opcode::Default;
                    bodies += u32::from(!after_label);
                    after_label = true;
                    continue;
                }
                _ => {}
            }
            after_label = false;
        }
        let once = cases > 0 && bodies == 1 && default;
        let forward = self.is_forwarded();
        let web = {
            let o = self.operand(i, 0)?;
            let w = self.flow.operand_webs[p.operand_index(i)][o.source_lane(0)];
            if o.kind == OperandKind::Temp { self.types.of(w) } else { Scalar::Int }
        };
        let scalar = if web == Scalar::Uint { Scalar::Uint } else { Scalar::Int };
        let value = self.read_at(i, 0, Lanes::one(0), scalar)?;
        self.flush();
        if once {
            self.tree.stmt(StmtKind::Once);
        } else {
            self.tree.stmt(StmtKind::Switch(value));
        }
        self.flow_state.frames.push(Frame::Switch { once, forward, scalar });
        Ok(())
    }

    fn end_switch(&mut self) {
        self.flush();
        let Some(Frame::Switch { once, forward, .. }) = self.flow_state.frames.pop() else { return };
        if once {
            self.tree.stmt(StmtKind::EndOnce);
        } else {
            match self.tree.stmts.last().map(|s| s.kind) {
                // A label needs a statement.
                Some(StmtKind::Case(_) | StmtKind::Default) => self.tree.stmt(StmtKind::Break),
                // Nothing in it: the switch itself goes.
                Some(StmtKind::Switch(_)) => {
                    self.tree.stmts.pop();
                    return;
                }
                _ => {}
            }
            self.tree.stmt(StmtKind::EndSwitch);
        }
        if !forward {
            return;
        }
        let flag = self.flow_state.frames.iter().rev().find_map(|f| match f {
            Frame::Loop(flag) => Some(*flag),
            _ => None,
        });
        let Some(Some(flag)) = flag else { return };
        let set = self.tree.named(Ty::new(Scalar::Bool, 1), flag);
        let inner = self.flow_state.frames.iter().rev().find(|f| !matches!(f, Frame::If));
        self.tree.stmt(match inner {
            Some(Frame::Switch { .. }) => StmtKind::IfBreak(set),
            _ => StmtKind::IfContinue(set),
        });
    }

    /// D3D demotes: the invocation goes on for its neighbours' derivatives. Without later derivatives it may end.
    fn discard(&mut self, i: &Instruction) -> Result<(), Box<Diagnostic>> {
        let c = self.condition(i, 0)?;
        self.flush();
        let in_loop = self.in_loop();
        let derivatives = self.flow_state.last_derivative;
        let later = derivatives > self.index
            || (in_loop && derivatives > 0)
            || (self.flow.has_calls && derivatives > 0);
        let always = matches!(self.tree.expr(c), Expr::Literal(b) if b[0] != 0);
        if later {
            let flag = match self.demoted {
                Some(f) => f,
                None => {
                    let f = self.tree.name("discarded");
                    self.demoted = Some(f);
                    f
                }
            };
            if always {
                self.tree.stmt(StmtKind::SetFlag(flag, true));
            } else {
                self.tree.stmt(StmtKind::If(c));
                self.tree.stmt(StmtKind::SetFlag(flag, true));
                self.tree.stmt(StmtKind::EndIf);
            }
        } else if always {
            self.tree.stmt(StmtKind::Discard);
        } else {
            self.tree.stmt(StmtKind::IfDiscard(c));
        }
        Ok(())
    }
}
