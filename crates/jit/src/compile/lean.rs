//! Large programs: what every transition does in the same way is left to a function, so
//! that less code has to be generated. It costs a call per successor.

use super::emit::Emit;
use super::perform::Way;
use super::step::Role;
use crate::abi::{ATOMIC, Cx, PID_SHIFT};
use cranelift_codegen::ir::{AbiParam, InstBuilder, Signature, Value, types};
use spinor_ts::Event;
use std::mem::MaybeUninit;

/// Transitions from which on a program is large.
pub(super) const LARGE: usize = 1000;

/// A word of a state.
type Word = [MaybeUninit<u8>; 16];

/// Copies the state at `from` to `to`, marks a statement as executed, and writes the event:
/// the number of the statement is in the upper half of `what`, its steps in the lower.
///
/// # Safety
/// A state of the shape of `cx`, with slack, lies at `from`; there is room at `to`, not
/// overlapping, and for the event.
unsafe extern "C" fn write_out(
    cx: *const Cx,
    from: *const u8,
    to: *mut u8,
    event: *mut Event,
    what: u64,
) {
    // SAFETY: within the state and its slack, as promised; the driver's table of executed
    // statements has an entry for each.
    unsafe {
        let cx = &*cx;
        let length = cx.length;
        let mut at = 0;
        while at < length {
            let word = from.add(at).cast::<Word>().read_unaligned();
            to.add(at).cast::<Word>().write_unaligned(word);
            at += size_of::<Word>();
        }
        *cx.executed.add((what >> 32) as usize) = 1;
        let start = to.offset_from_unsigned(cx.bytes_start) as u32;
        event.write(Event::successor(what as u32, start, start + length as u32));
    }
}

impl Emit<'_, '_> {
    /// Calls [`write_out`] for the transition of `way`.
    pub fn write_out(&mut self, way: Way<'_>) {
        let what = self.what_happens(way);
        let event = self.b.use_var(self.out.events);
        let mut signature = Signature::new(self.facts.conv);
        signature.params = vec![AbiParam::new(types::I64); 5];
        let sig = self.b.import_signature(signature);
        let function: unsafe extern "C" fn(*const Cx, *const u8, *mut u8, *mut Event, u64) =
            write_out;
        let callee = self.word(function as usize as i64);
        let args = [self.cx, way.from.base, way.to.base, event, what];
        self.b.ins().call_indirect(sig, callee, &args);
    }

    fn what_happens(&mut self, way: Way<'_>) -> Value {
        let statement = i64::from(way.transition.statement.0) << 32;
        let steps = i64::from(self.event_steps());
        if !way.transition.atomic {
            return self.word(statement | steps);
        }
        let pid = self.b.ins().ishl_imm_u(self.pid, i64::from(PID_SHIFT));
        let marks = self.word(statement | i64::from(ATOMIC) | steps);
        self.b.ins().bor(pid, marks)
    }

    /// Elementary steps of the events that the function writes.
    pub fn event_steps(&self) -> u32 {
        if self.out.role == Role::Accept { 2 } else { 1 }
    }
}
