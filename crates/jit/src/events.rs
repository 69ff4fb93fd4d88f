//! Events as generated code writes them, and the room they are written to.
#![allow(unsafe_code)]

use crate::abi::{Cx, SLACK};
use spinor_ts::Event;
use std::mem::MaybeUninit;

/// Successors of one state that are larger in sum are the interpreter's business:
/// it leaves some out and says so.
const MAX_BYTES: usize = 1 << 28;

/// Least room for events when a state is begun.
const FIRST_EVENTS: usize = 128;

/// Least room for bytes when a state is begun.
const FIRST_BYTES: usize = 1 << 13;

/// A successor event with its fields accessible; laid out like [`Event`].
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct RawEvent {
    kind: u32,
    violation: [MaybeUninit<u32>; 2],
    pub steps: u32,
    pub start: u32,
    pub end: u32,
}

const _: () = assert!(size_of::<RawEvent>() == size_of::<Event>());
const _: () = assert!(align_of::<RawEvent>() == align_of::<Event>());

/// The vectors behind the cursors of a [`Cx`].
#[derive(Clone, Copy)]
pub(crate) struct Room {
    events: *mut Vec<Event>,
    bytes: *mut Vec<u8>,
}

impl Room {
    /// No room: to be replaced before anything is written.
    pub const fn none() -> Self {
        Room { events: std::ptr::null_mut(), bytes: std::ptr::null_mut() }
    }

    /// Empties the vectors and sets the cursors to their start. They must not be
    /// touched otherwise until [`Room::close`].
    #[inline]
    pub fn open(events: &mut Vec<Event>, bytes: &mut Vec<u8>, cx: &mut Cx) -> Self {
        events.clear();
        bytes.clear();
        Room::reopen(events, bytes, cx)
    }

    /// The same behind what is in the vectors.
    #[inline]
    pub fn reopen(events: &mut Vec<Event>, bytes: &mut Vec<u8>, cx: &mut Cx) -> Self {
        if events.capacity() - events.len() < FIRST_EVENTS {
            events.reserve(FIRST_EVENTS);
        }
        if bytes.capacity() - bytes.len() < FIRST_BYTES {
            bytes.reserve(FIRST_BYTES);
        }
        let (used_events, used_bytes) = (events.len(), bytes.len());
        // SAFETY: what is used is within the vectors.
        unsafe {
            cx.events = events.as_mut_ptr().add(used_events);
            cx.bytes = bytes.as_mut_ptr().add(used_bytes);
        }
        let room = Room { events, bytes };
        // SAFETY: both were just made from references.
        unsafe { room.set_ends(cx) };
        room
    }

    /// Sets starts and ends; the cursors stand where they should.
    ///
    /// # Safety
    /// The vectors are there and nobody else looks at them.
    unsafe fn set_ends(self, cx: &mut Cx) {
        // SAFETY: by the caller's promise; the capacities bound what is computed.
        unsafe {
            let (events, bytes) = (&mut *self.events, &mut *self.bytes);
            cx.events_end = events.as_mut_ptr().add(events.capacity());
            cx.bytes_start = bytes.as_mut_ptr();
            cx.bytes_end = bytes.as_mut_ptr().add(bytes.capacity() - SLACK);
        }
    }

    /// Makes room for so many more events and bytes; `false` if there is too much.
    ///
    /// # Safety
    /// The room is open for `cx`.
    pub unsafe fn grow(self, cx: &mut Cx, events: usize, bytes: usize) -> bool {
        // SAFETY: the room is open, so the vectors are there, untouched by others, and
        // everything before the cursors has been written.
        unsafe {
            let (all_events, all_bytes) = (&mut *self.events, &mut *self.bytes);
            let used_events = cx.events.offset_from_unsigned(all_events.as_ptr());
            let used_bytes = cx.bytes.offset_from_unsigned(cx.bytes_start);
            if used_bytes + bytes > MAX_BYTES {
                return false;
            }
            all_events.set_len(used_events);
            all_bytes.set_len(used_bytes);
            all_events.reserve(events);
            all_bytes.reserve(bytes + SLACK);
            cx.events = all_events.as_mut_ptr().add(used_events);
            cx.bytes = all_bytes.as_mut_ptr().add(used_bytes);
            self.set_ends(cx);
        }
        true
    }

    /// Ends the writing: the vectors hold what lies before the cursors, and zeros behind the
    /// last state, so that it is padded.
    ///
    /// # Safety
    /// The room is open for `cx`.
    #[inline]
    pub unsafe fn close(self, cx: &Cx) {
        // SAFETY: as in `grow`.
        unsafe {
            let (events, bytes) = (&mut *self.events, &mut *self.bytes);
            events.set_len(cx.events.offset_from_unsigned(events.as_ptr()));
            cx.bytes.cast::<[u8; SLACK]>().write([0; SLACK]);
            bytes.set_len(cx.bytes.offset_from_unsigned(cx.bytes_start) + SLACK);
        }
    }

    /// Bytes of the events written so far.
    ///
    /// # Safety
    /// The room is open for `cx`.
    #[inline]
    pub unsafe fn event_bytes(self, cx: &Cx) -> usize {
        // SAFETY: the cursor stands in the vector.
        unsafe { cx.events.byte_offset_from_unsigned((*self.events).as_mut_ptr()) }
    }

    /// The events behind the first `first` bytes of events.
    ///
    /// # Safety
    /// The room is open for `cx`, `first` is where an event begins or will begin, and
    /// nothing is written while the result is used.
    #[inline]
    pub unsafe fn events_from<'a>(self, cx: &Cx, first: usize) -> &'a mut [RawEvent] {
        // SAFETY: everything before the cursor is written, and laid out so.
        unsafe {
            let start = (*self.events).as_mut_ptr().cast::<RawEvent>().byte_add(first);
            let end = cx.events.cast::<RawEvent>();
            std::slice::from_raw_parts_mut(start, end.offset_from_unsigned(start))
        }
    }

    /// Bytes of states written so far.
    #[inline]
    pub fn bytes_used(self, cx: &Cx) -> usize {
        cx.bytes as usize - cx.bytes_start as usize
    }

    /// Drops what was written behind the first `events` bytes of events and `bytes` bytes of
    /// states.
    ///
    /// # Safety
    /// The room is open for `cx`, and so much was written.
    pub unsafe fn rewind_to(self, cx: &mut Cx, events: usize, bytes: usize) {
        // SAFETY: the room is open.
        unsafe {
            cx.bytes = cx.bytes_start.add(bytes);
            cx.events = (*self.events).as_mut_ptr().byte_add(events);
        }
    }

    /// Drops everything written.
    ///
    /// # Safety
    /// The room is open for `cx`.
    pub unsafe fn rewind(self, cx: &mut Cx) {
        cx.bytes = cx.bytes_start;
        // SAFETY: the room is open.
        cx.events = unsafe { (*self.events).as_mut_ptr() };
    }
}

/// Copies in words; up to 15 bytes more are read and written.
///
/// # Safety
/// Both sides have [`SLACK`] bytes behind `length`, and do not overlap.
#[inline]
pub(crate) unsafe fn copy_words(from: *const u8, to: *mut u8, length: usize) {
    if length > 256 {
        // SAFETY: as promised.
        unsafe { std::ptr::copy_nonoverlapping(from, to, length) };
        return;
    }
    let mut at = 0;
    while at < length {
        // SAFETY: `at` is below `length`, and a word is shorter than the slack.
        unsafe {
            let word = from.add(at).cast::<[MaybeUninit<u8>; 16]>().read_unaligned();
            to.add(at).cast::<[MaybeUninit<u8>; 16]>().write_unaligned(word);
        }
        at += 16;
    }
}

/// Writes a successor behind the cursors; `false` if there is too much.
///
/// # Safety
/// `room` is open for `cx`; a state of `length` bytes, with slack, lies at `state`
/// outside of it.
pub(crate) unsafe fn emit(
    cx: &mut Cx,
    room: Room,
    state: *const u8,
    length: usize,
    steps: u32,
) -> bool {
    // SAFETY: there is room or it is made; the cursors stay inside.
    unsafe {
        let left = cx.bytes_end as usize - cx.bytes as usize;
        if (left < length || cx.events == cx.events_end) && !room.grow(cx, 1, length) {
            return false;
        }
        let start = cx.bytes.offset_from_unsigned(cx.bytes_start) as u32;
        copy_words(state, cx.bytes, length);
        cx.events.write(Event::successor(steps, start, start + length as u32));
        cx.bytes = cx.bytes.add(length);
        cx.events = cx.events.add(1);
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_events_lie_where_they_should() {
        let event = Event::successor(7, 11, 13);
        // SAFETY: same size, and a successor's fields are plain numbers.
        let raw = unsafe { (&raw const event).cast::<RawEvent>().read() };
        assert_eq!((raw.kind, raw.steps, raw.start, raw.end), (0, 7, 11, 13));
    }
}
