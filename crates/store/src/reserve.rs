//! When the system gives no more memory.
//!
//! A program is to end with a report then, not with an abort. So some address space is set
//! aside at the beginning, which costs nothing as long as nobody touches it. When memory is
//! refused it is given back: what was asked for is there after all, and every search, which
//! looks at [`is_refused`] along with its limits, ends soon.
//!
//! Where even that is not enough (a model that hardly fits, code being generated) nothing can be
//! built any more, not even a report: so what is to be said then is [laid down](set_last_words) before.

#![allow(unsafe_code)]

use crate::faults::refuses;
use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr::null_mut;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};

/// Set aside if there is no limit to the address space.
const USUAL: usize = 1 << 30;
/// Else this part of it.
const SHARE: u64 = 4;

/// Memory was refused.
static REFUSED: AtomicBool = AtomicBool::new(false);
/// What is set aside, and how much; null once it is given back.
static START: AtomicPtr<u8> = AtomicPtr::new(std::ptr::null_mut());
static LENGTH: AtomicUsize = AtomicUsize::new(0);

/// What a program says when it ends because it cannot go on without more memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LastWords {
    /// For standard output.
    pub report: Vec<u8>,
    /// For standard error.
    pub message: Vec<u8>,
    /// The exit code.
    pub code: u8,
}

/// What is said before words were laid down, and the exit code.
const NO_WORDS: &[u8] = b"error: too little memory to begin\n";
const INTERNAL: u8 = 70;

static IS_ENDING: AtomicBool = AtomicBool::new(false);
static LAST_WORDS: OnceLock<LastWords> = OnceLock::new();

/// Lays down what is said when memory is refused and there is no reserve left. The first time counts.
pub fn set_last_words(words: LastWords) {
    // Whoever comes second was told so.
    let _ = LAST_WORDS.set(words);
}

/// Ends the program with its last words.
pub(crate) fn give_up() {
    // Once: whoever comes later waits for the end.
    if IS_ENDING.swap(true, Ordering::AcqRel) {
        system::wait();
        return;
    }
    match LAST_WORDS.get() {
        Some(LastWords { report, message, code }) => system::end(report, message, *code),
        None => system::end(&[], NO_WORDS, INTERNAL),
    }
}

/// Whether the system has refused memory since the program began.
#[must_use]
pub fn is_refused() -> bool {
    REFUSED.load(Ordering::Relaxed)
}

/// Sets address space aside. To be called once, at the beginning.
pub fn set_aside() {
    let length = address_space().map_or(USUAL, |bytes| (bytes / SHARE).min(USUAL as u64) as usize);
    if let Some(start) = system::map(length) {
        LENGTH.store(length, Ordering::Relaxed);
        START.store(start, Ordering::Release);
    }
}

/// How much address space this process may have; `None` if that is not limited or not known.
#[must_use]
pub fn address_space() -> Option<u64> {
    system::address_space()
}

/// Whether so many bytes of address space are there, beside what is set aside.
pub(crate) fn has_room(bytes: usize) -> bool {
    let Some(start) = system::map(bytes) else { return false };
    system::unmap(start, bytes);
    true
}

/// Gives back what was set aside. Whether somebody did, now or before: then it is worth
/// asking the system again.
pub(crate) fn give_way() -> bool {
    let start = START.swap(std::ptr::null_mut(), Ordering::AcqRel);
    let length = LENGTH.load(Ordering::Relaxed);
    if !start.is_null() {
        system::unmap(start, length);
        REFUSED.store(true, Ordering::Release);
    }
    // Somebody else may be about to give it back.
    while length > 0 && !REFUSED.load(Ordering::Acquire) {
        std::hint::spin_loop();
    }
    length > 0
}

/// The system's allocator, which is asked again after the reserve was given back.
#[derive(Clone, Copy, Debug, Default)]
pub struct Allocator;

// SAFETY: everything is done by the system's allocator, under the same conditions.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as promised by the caller.
        again(layout.size(), || unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as promised by the caller.
        again(layout.size(), || unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as promised by the caller; memory is not touched by a call that fails.
        again(size, || unsafe { System.realloc(memory, layout, size) })
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as promised by the caller.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[inline]
fn again(bytes: usize, ask: impl Fn() -> *mut u8) -> *mut u8 {
    let ask = || if refuses(bytes) { null_mut() } else { ask() };
    let memory = ask();
    if memory.is_null() { ask_again(&ask) } else { memory }
}

#[cold]
fn ask_again(ask: &dyn Fn() -> *mut u8) -> *mut u8 {
    let memory = if give_way() { ask() } else { null_mut() };
    if memory.is_null() {
        give_up();
    }
    memory
}

#[cfg(target_os = "linux")]
mod system {
    use std::ptr::null_mut;

    pub(super) fn map(length: usize) -> Option<*mut u8> {
        let kind = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        // SAFETY: a new mapping at an address of the system's choice, which nobody touches.
        let start = unsafe { libc::mmap(null_mut(), length, libc::PROT_NONE, kind, -1, 0) };
        (start != libc::MAP_FAILED).then_some(start.cast())
    }

    pub(super) fn unmap(start: *mut u8, length: usize) {
        // SAFETY: what `map` gave, as a whole; the caller has taken it from its place.
        unsafe { libc::munmap(start.cast(), length) };
    }

    /// Without anything that could need memory.
    pub(super) fn end(report: &[u8], message: &[u8], code: u8) {
        for (file, mut text) in [(libc::STDERR_FILENO, message), (libc::STDOUT_FILENO, report)] {
            while !text.is_empty() {
                // SAFETY: the bytes are those of a slice.
                let written = unsafe { libc::write(file, text.as_ptr().cast(), text.len()) };
                match usize::try_from(written) {
                    Ok(written @ 1..) => text = &text[written..],
                    // There is nobody to tell.
                    _ => break,
                }
            }
        }
        // SAFETY: ends the process at once, whatever its threads do.
        unsafe { libc::_exit(code.into()) }
    }

    /// Until somebody else ends the process.
    pub(super) fn wait() {
        loop {
            // SAFETY: waits for a signal.
            unsafe { libc::pause() };
        }
    }

    pub(super) fn address_space() -> Option<u64> {
        let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        // SAFETY: the place is there to be written to.
        let failed = unsafe { libc::getrlimit(libc::RLIMIT_AS, &raw mut limit) };
        (failed == 0 && limit.rlim_cur != libc::RLIM_INFINITY).then_some(limit.rlim_cur)
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    pub(super) fn map(_length: usize) -> Option<*mut u8> {
        None
    }

    pub(super) fn unmap(_start: *mut u8, _length: usize) {}

    pub(super) fn wait() {}

    pub(super) fn end(_report: &[u8], _message: &[u8], code: u8) {
        std::process::exit(code.into());
    }

    pub(super) fn address_space() -> Option<u64> {
        None
    }
}
