//! Functions that generated code calls.
#![allow(unsafe_code)]

use crate::abi::{Cx, Helpers};
use crate::events::Room;
use crate::starts::Starts;

/// What the helpers need; `Cx::driver` points to it.
pub(crate) struct Service {
    pub room: Room,
    pub starts: Starts,
}

/// The helpers for generated code.
pub(crate) const HELPERS: Helpers = Helpers { grow, start };

unsafe extern "C" fn grow(cx: *mut Cx, events: usize, bytes: usize) -> u32 {
    // SAFETY: generated code passes on the context it was called with, whose driver is
    // a service with the room that is open for it, and which nobody else uses meanwhile.
    let is_large_enough = unsafe {
        let room = (*(*cx).driver.cast::<Service>()).room;
        room.grow(&mut *cx, events, bytes)
    };
    u32::from(!is_large_enough)
}

/// [`call_c`] as generated code sees it.
pub(crate) type CallC = unsafe extern "C" fn(*const Cx, u32, usize, usize, usize, u32) -> u64;

/// Calls embedded C: the code's number, pointers to globals, frame and hidden variables of a state, and
/// [who](spinor_program::CBases::who). The lower half of the result is the value, the upper half is 0 unless something
/// went wrong.
pub(crate) unsafe extern "C" fn call_c(
    cx: *const Cx,
    code: u32,
    globals: usize,
    frame: usize,
    hidden: usize,
    who: u32,
) -> u64 {
    // SAFETY: as for `grow`; the pointers lead into a state of the program.
    let entry = unsafe { (*(*cx).driver.cast::<Service>()).starts.c_entry() };
    match entry {
        Some(entry) => (entry.function)(entry.handle, code, globals, frame, hidden, who),
        None => u64::MAX,
    }
}

unsafe extern "C" fn start(
    cx: *mut Cx,
    state: *const u8,
    length: usize,
    proctype: u32,
    args: *const i32,
    priority: i32,
    out: *mut u8,
) -> i64 {
    // SAFETY: as for `grow`; the state, the arguments of the proctype and the room at
    // `out` are as `Helpers::start` describes them.
    unsafe {
        let starts = &mut (*(*cx).driver.cast::<Service>()).starts;
        let state = std::slice::from_raw_parts(state, length);
        let proctype = proctype as usize;
        let args = match starts.params(proctype) {
            0 => &[],
            count => std::slice::from_raw_parts(args, count),
        };
        let out = std::slice::from_raw_parts_mut(out, length + starts.growth(proctype));
        starts.start(state, proctype, args, priority, out).map_or(-1, |pid| pid as i64)
    }
}
