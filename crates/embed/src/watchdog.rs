//! Ends calls that take too long.

#![allow(unsafe_code)]

use crate::call::Slot;
use crate::guard;
use std::collections::HashMap;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, Once, PoisonError, Weak};
use std::time::{Duration, Instant};

/// How often calls are looked at.
const NAP: Duration = Duration::from_millis(50);

/// Slots that are in use.
static SLOTS: Mutex<Vec<Weak<Slot>>> = Mutex::new(Vec::new());

/// Watches the calls through a slot from now on.
pub(crate) fn watch(slot: &Arc<Slot>) {
    static ONCE: Once = Once::new();
    SLOTS.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::downgrade(slot));
    ONCE.call_once(|| {
        // Without a thread there is no limit, which is better than no check.
        let _ = std::thread::Builder::new().name("watchdog".to_owned()).spawn(run);
    });
}

fn run() {
    let mut seen: HashMap<usize, (u64, Instant)> = HashMap::new();
    loop {
        std::thread::sleep(NAP);
        let slots: Vec<Arc<Slot>> = {
            let mut slots = SLOTS.lock().unwrap_or_else(PoisonError::into_inner);
            slots.retain(|slot| slot.strong_count() > 0);
            slots.iter().filter_map(Weak::upgrade).collect()
        };
        seen.retain(|address, _| slots.iter().any(|s| Arc::as_ptr(s) as usize == *address));
        for slot in &slots {
            let turn = slot.turn.load(Ordering::Acquire);
            let (last, since) =
                seen.entry(Arc::as_ptr(slot) as usize).or_insert_with(|| (turn, Instant::now()));
            if *last != turn {
                (*last, *since) = (turn, Instant::now());
            }
            // Odd: inside of a call.
            if turn % 2 == 1 && since.elapsed() >= slot.limit {
                slot.condemned.store(turn, Ordering::Release);
                let thread = slot.thread.load(Ordering::Acquire);
                // SAFETY: the thread is in a call, so it exists; if the call has just ended, the
                // handler sees that.
                unsafe { libc::pthread_kill(thread as libc::pthread_t, guard::TOO_LONG) };
            }
        }
    }
}
