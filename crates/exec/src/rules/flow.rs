//! Flow control: D3D11.3 functional specification, 22.7. What each instruction does to one lane's point of
//! execution; `crate::code` finds the targets.

use super::Rule;
use shaderport_dxbc::Opcode;

/// Subroutines that may be entered and not left; a call beyond is passed over (22.7.10).
pub(crate) const CALL_DEPTH: usize = 32;

/// An instruction that may move the point of execution. `target` is the place that `crate::code` found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flow {
    /// 22.7.1: unless the condition holds, behind the `else` or at the `endif`.
    If,
    /// 22.7.2, 22.7.5, 22.7.6, 22.7.8: `else` reached from above, `endloop`, `continue`, `break`.
    Jump,
    /// 22.7.7, 22.7.9: if the condition holds.
    JumpIf,
    /// 22.7.18: to the case that has the value, else to the default, else behind the `endswitch`.
    Switch,
    /// 22.7.10
    Call,
    /// 22.7.11
    CallIf,
    /// 22.7.19
    CallInterface,
    /// 22.7.16: to behind the call, or the end of the program.
    Return,
    /// 22.7.17
    ReturnIf,
    /// The shader gives up.
    Abort,
}

pub(crate) fn rule(opcode: Opcode) -> Option<Rule> {
    Some(match opcode {
        Opcode::If => Rule::Flow(Flow::If),
        Opcode::Else | Opcode::EndLoop | Opcode::Continue | Opcode::Break => Rule::Flow(Flow::Jump),
        Opcode::Continuec | Opcode::Breakc => Rule::Flow(Flow::JumpIf),
        Opcode::Switch => Rule::Flow(Flow::Switch),
        Opcode::Call => Rule::Flow(Flow::Call),
        Opcode::Callc => Rule::Flow(Flow::CallIf),
        Opcode::InterfaceCall => Rule::Flow(Flow::CallInterface),
        // A label can only follow a `ret` (22.7.15); what falls into one returns.
        Opcode::Ret | Opcode::Label => Rule::Flow(Flow::Return),
        Opcode::Retc => Rule::Flow(Flow::ReturnIf),
        Opcode::Abort => Rule::Flow(Flow::Abort),
        Opcode::EndIf | Opcode::Loop | Opcode::Case | Opcode::Default | Opcode::EndSwitch => Rule::Nothing,
        _ => return None,
    })
}
