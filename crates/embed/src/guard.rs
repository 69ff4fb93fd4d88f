//! Crashes of embedded C become results.
//!
//! Signals that the processor sends are caught. If the thread is inside of a [call](crate::call), its C
//! frames are left with `longjmp` to where the call began. Elsewhere such a signal means that memory is
//! damaged, most likely by C: that is said, and the process ends.
#![allow(unsafe_code)]

use crate::call::Slot;
use std::cell::Cell;
use std::ffi::c_int;
use std::ptr;
use std::sync::Once;
use std::sync::atomic::Ordering;

/// Sent by the [watchdog](crate::watchdog) to a thread that has been in C for too long.
pub(crate) const TOO_LONG: c_int = libc::SIGUSR2;

/// Results of calls, as `runtime.c` has them.
pub(crate) mod why {
    pub const PRECONDITION: u64 = 1;
    pub const ASSERTION: u64 = 2;
    pub const MEMORY: u64 = 3;
    pub const ARITHMETIC: u64 = 4;
    pub const ABORT: u64 = 5;
    pub const EXIT: u64 = 6;
    pub const ENDLESS: u64 = 7;
}

thread_local! {
    /// The call that the thread is in.
    static CURRENT: Cell<*const Slot> = const { Cell::new(ptr::null()) };
}

/// A number that no other living thread has, faster to get than the thread itself.
#[inline]
pub(crate) fn home() -> usize {
    CURRENT.with(|current| ptr::from_ref(current) as usize)
}

/// Remembers that the thread is in a call, or in none; returns what it was in.
#[inline]
pub(crate) fn set_current(slot: *const Slot) -> *const Slot {
    CURRENT.with(|current| current.replace(slot))
}

/// Catches signals from now on.
pub(crate) fn install() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let crashes =
            [libc::SIGSEGV, libc::SIGBUS, libc::SIGFPE, libc::SIGILL, libc::SIGABRT, libc::SIGTRAP];
        for signal in crashes.into_iter().chain([TOO_LONG]) {
            // SAFETY: the handler does only what a handler may, and leaves other code alone.
            unsafe {
                let mut action: libc::sigaction = std::mem::zeroed();
                action.sa_sigaction = on_signal as *const () as usize;
                action.sa_flags = libc::SA_ONSTACK | libc::SA_NODEFER | libc::SA_RESTART;
                libc::sigemptyset(&raw mut action.sa_mask);
                libc::sigaction(signal, &raw const action, ptr::null_mut());
            }
        }
        // SAFETY: the function has the right type and lives for ever.
        unsafe { libc::atexit(at_exit) };
    });
}

extern "C" fn on_signal(signal: c_int) {
    let slot = CURRENT.with(Cell::get);
    if slot.is_null() {
        if signal != TOO_LONG {
            give_up(b"spinor: memory is damaged, most likely by embedded C\n");
        }
        return;
    }
    // SAFETY: the slot of a call that is going on is alive.
    let slot = unsafe { &*slot };
    let why = match signal {
        TOO_LONG if slot.condemned.load(Ordering::Acquire) != slot.turn.load(Ordering::Acquire) => {
            return;
        }
        TOO_LONG => why::ENDLESS,
        libc::SIGSEGV | libc::SIGBUS => why::MEMORY,
        libc::SIGFPE => why::ARITHMETIC,
        _ => why::ABORT,
    };
    // SAFETY: the thread is in C code called through this slot, so the place to jump to is alive.
    unsafe { (slot.functions.escape)(why as c_int) };
}

/// The process ends: if that is C's doing, it must not look like a result.
extern "C" fn at_exit() {
    if !CURRENT.with(Cell::get).is_null() {
        give_up(b"spinor: embedded C called exit\n");
    }
}

/// Says something and ends the process with the code of an internal error.
fn give_up(message: &[u8]) -> ! {
    // SAFETY: both calls are allowed in a signal handler.
    unsafe {
        libc::write(2, message.as_ptr().cast(), message.len());
        libc::_exit(70)
    }
}
