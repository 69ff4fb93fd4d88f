//! Calls of C code.
#![allow(unsafe_code)]

use crate::guard::{self, why};
use spinor_program::{CEntry, CFault, CFunction};
use std::collections::HashSet;
use std::ffi::{c_char, c_int};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Number, globals, frame, hidden variables, who.
pub(crate) type Run = unsafe extern "C" fn(u32, *mut u8, *mut u8, *mut u8, u32) -> u64;
/// Calls a generated function.
pub(crate) type Around = unsafe extern "C" fn(usize, usize, usize, usize, usize) -> u64;
/// Why a call ends.
pub(crate) type Escape = unsafe extern "C" fn(c_int);
/// Who gets what is printed.
pub(crate) type Listen = unsafe extern "C" fn(Option<extern "C" fn(*const c_char, usize)>);

/// What the checker calls in a shared object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Functions {
    /// A piece of code.
    pub run: Run,
    /// First values.
    pub begin: Run,
    /// A piece of code, inside of `around`.
    pub call: CFunction,
    /// Calls generated code.
    pub around: Around,
    /// The last call inside of it.
    pub last: *const LastCall,
    /// Ends the call that is going on.
    pub escape: Escape,
    /// Listens to what is printed.
    pub listen: Listen,
}

/// A call by generated code.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct LastCall {
    globals: *mut u8,
    frame: *mut u8,
    hidden: *mut u8,
    code: u32,
    who: u32,
}

/// Calls that never came back, by their input: they are not made again.
#[derive(Debug, Default)]
pub(crate) struct Endless {
    any: AtomicBool,
    known: Mutex<HashSet<u64>>,
}

impl Endless {
    /// Whether there are any.
    #[inline]
    fn any(&self) -> bool {
        self.any.load(Ordering::Acquire)
    }

    #[inline]
    fn has(&self, call: impl FnOnce() -> u64) -> bool {
        self.any() && self.known.lock().unwrap_or_else(PoisonError::into_inner).contains(&call())
    }

    fn add(&self, call: u64) {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).insert(call);
        self.any.store(true, Ordering::Release);
    }
}

/// How many bytes of a state a call depends on.
#[derive(Debug, Default)]
pub(crate) struct Extents {
    pub globals: usize,
    pub hidden: usize,
    /// Of the frame, by code.
    pub frames: Vec<usize>,
}

/// One copy of the C code, and the call that goes on in it.
#[derive(Debug)]
pub(crate) struct Slot {
    pub functions: Functions,
    /// Number of calls, twice; odd while one goes on.
    pub turn: AtomicU64,
    /// The turn that has to end.
    pub condemned: AtomicU64,
    /// The thread of the call.
    pub thread: AtomicU64,
    /// [`guard::home`] of that thread.
    pub home: AtomicUsize,
    /// Longest time of a call.
    pub limit: Duration,
    pub endless: std::sync::Arc<Endless>,
    pub extents: std::sync::Arc<Extents>,
}

impl Slot {
    /// Does something in C.
    #[inline(always)]
    fn guarded(&self, call: impl FnOnce() -> u64) -> u64 {
        let turn = self.turn.load(Ordering::Relaxed);
        let home = guard::home();
        if self.home.load(Ordering::Relaxed) != home {
            // SAFETY: it only looks at the thread.
            let thread = unsafe { libc::pthread_self() };
            self.thread.store(thread as u64, Ordering::Relaxed);
            self.home.store(home, Ordering::Relaxed);
        }
        self.turn.store(turn + 1, Ordering::Release);
        // Generated code may start a process, which asks another copy for first values.
        let outer = guard::set_current(self);
        let result = call();
        guard::set_current(outer);
        self.turn.store(turn + 2, Ordering::Release);
        result
    }

    /// Runs a piece of code.
    ///
    /// # Safety
    /// The pointers lead to as many bytes as the code's [extents](Extents) say.
    #[inline(always)]
    pub unsafe fn run(&self, code: u32, g: *mut u8, f: *mut u8, h: *mut u8, who: u32) -> u64 {
        // SAFETY: as above.
        let call = || unsafe { self.fingerprint(code, g, f, h, who) };
        if self.endless.has(call) {
            return why::ENDLESS << 32;
        }
        // SAFETY: the caller's promise is all that the function asks for.
        let result = self.guarded(|| unsafe { (self.functions.run)(code, g, f, h, who) });
        if result >> 32 == why::ENDLESS {
            self.endless.add(call());
        }
        result
    }

    /// Gives first values.
    ///
    /// # Safety
    /// As with [`Slot::run`].
    pub unsafe fn begin(&self, what: u32, g: *mut u8, f: *mut u8, h: *mut u8, who: u32) -> u64 {
        // SAFETY: the caller's promise is all that the function asks for.
        self.guarded(|| unsafe { (self.functions.begin)(what, g, f, h, who) })
    }

    /// A number that stands for a call and all it depends on.
    unsafe fn fingerprint(
        &self,
        code: u32,
        g: *const u8,
        f: *const u8,
        h: *const u8,
        who: u32,
    ) -> u64 {
        let extents = &self.extents;
        let frame = extents.frames.get(code as usize).copied().unwrap_or(0);
        let mut all = Vec::new();
        for (at, bytes) in [(g, extents.globals), (f, frame), (h, extents.hidden)] {
            if bytes > 0 {
                // SAFETY: the caller's pointers lead to that many bytes.
                all.extend_from_slice(unsafe { std::slice::from_raw_parts(at, bytes) });
            }
        }
        all.extend_from_slice(&code.to_le_bytes());
        all.extend_from_slice(&who.to_le_bytes());
        rapidhash::v3::rapidhash_v3(&all)
    }
}

/// Calls generated code; the handle is the address of a [`Slot`].
unsafe extern "C" fn around(
    handle: usize,
    function: usize,
    cx: usize,
    state: usize,
    frame: usize,
    pid: usize,
) -> u32 {
    // SAFETY: whoever generates calls keeps the instance, and with it the slot, alive. Between the
    // place to jump to and C there is only generated code, which has nothing to clean up.
    unsafe {
        let slot = &*(handle as *const Slot);
        if slot.endless.any() {
            // One call by one.
            return CEntry::FAILED;
        }
        let result = slot.guarded(|| (slot.functions.around)(function, cx, state, frame, pid));
        match result >> 32 {
            0 => return result as u32,
            why::ENDLESS => {
                let LastCall { globals, frame, hidden, code, who } = *slot.functions.last;
                slot.endless.add(slot.fingerprint(code, globals, frame, hidden, who));
            }
            _ => {}
        }
        CEntry::FAILED
    }
}

impl Slot {
    /// For generated code.
    pub fn entry(&self) -> CEntry {
        CEntry { function: self.functions.call, around, handle: std::ptr::from_ref(self) as usize }
    }
}

// SAFETY: the pointer leads into the memory of the object, which goes with the slot.
unsafe impl Send for Functions {}
// SAFETY: what it leads to is read only by the thread that has made the call.
unsafe impl Sync for Functions {}

/// The value that a call gave, or why there is none.
pub(crate) fn outcome(result: u64) -> Result<i32, CFault> {
    match result >> 32 {
        0 => Ok(result as u32 as i32),
        why::PRECONDITION => Err(CFault::Precondition),
        why::ASSERTION => Err(CFault::Assertion),
        why::MEMORY => Err(CFault::Memory),
        why::ARITHMETIC => Err(CFault::Arithmetic),
        why::EXIT => Err(CFault::Exit),
        why::ENDLESS => Err(CFault::Endless),
        _ => Err(CFault::Abort),
    }
}
