//! Ctrl-C: the first one stops the search, the second one the program.

use crate::exit;
use std::sync::atomic::{AtomicBool, Ordering};

/// Of the thread that waits for it.
const STACK_BYTES: usize = 2 << 20;

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Starts to listen.
pub(crate) fn listen() {
    // Without a handler Ctrl-C still ends the program, only less politely.
    if spinor_check::thread(STACK_BYTES).is_err() {
        return;
    }
    let _ = ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(i32::from(exit::INTERRUPTED));
        }
    });
}

/// Whether the user has asked to stop.
pub(crate) fn is_requested() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}
