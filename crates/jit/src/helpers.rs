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
