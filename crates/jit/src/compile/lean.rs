//! Large programs: what every transition does in the same way is left to a function, so
//! that less code has to be generated. It costs a call per successor.

use super::emit::Emit;
use super::perform::Way;
use super::step::Role;
use crate::abi::Cx;
use cranelift_codegen::ir::{AbiParam, InstBuilder, Signature, types};
use spinor_ts::Event;
use std::mem::MaybeUninit;

/// Transitions from which on a program is large.
pub(super) const LARGE: usize = 1000;

/// A word of a state.
type Word = [MaybeUninit<u8>; 16];

/// Copies the state at `from` to `to` and writes the event.
///
/// # Safety
/// A state of the shape of `cx`, with slack, lies at `from`; there is room at `to`, not
/// overlapping, and for the event.
unsafe extern "C" fn write_out(
    cx: *const Cx,
    from: *const u8,
    to: *mut u8,
    event: *mut Event,
    steps: u32,
) {
    // SAFETY: within the state and its slack, as promised.
    unsafe {
        let cx = &*cx;
        let length = cx.length;
        let mut at = 0;
        while at < length {
            let word = from.add(at).cast::<Word>().read_unaligned();
            to.add(at).cast::<Word>().write_unaligned(word);
            at += size_of::<Word>();
        }
        let start = to.offset_from_unsigned(cx.bytes_start) as u32;
        event.write(Event::successor(steps, start, start + length as u32));
    }
}

impl Emit<'_, '_> {
    /// Calls [`write_out`] for the transition of `way`.
    pub fn write_out(&mut self, way: Way<'_>) {
        let steps = self.steps_word(way.transition.atomic);
        let event = self.b.use_var(self.out.events);
        let mut signature = Signature::new(self.facts.conv);
        signature.params = vec![AbiParam::new(types::I64); 4];
        signature.params.push(AbiParam::new(types::I32));
        let sig = self.b.import_signature(signature);
        let function: unsafe extern "C" fn(*const Cx, *const u8, *mut u8, *mut Event, u32) =
            write_out;
        let callee = self.word(function as usize as i64);
        let args = [self.cx, way.from.base, way.to.base, event, steps];
        self.b.ins().call_indirect(sig, callee, &args);
    }

    /// Elementary steps of the events that the function writes.
    pub fn event_steps(&self) -> u32 {
        if self.out.role == Role::Accept { 2 } else { 1 + self.out.links }
    }
}
