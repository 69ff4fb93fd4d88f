//! Threads where memory is short.

use crate::reserve::{address_space, has_room};
use std::io;
use std::thread::Builder;

/// What a thread needs beside its stack before its first instruction, and some more, as others take memory meanwhile. The
/// standard library aborts where it is not there.
const BESIDE: usize = 4 << 20;
/// A stack gets no larger part of the address space.
const SHARE: u64 = 16;

/// A thread to be started, with a stack of so many bytes, or fewer where the address space is limited.
///
/// # Errors
/// There is no room for it.
pub fn thread(stack_bytes: usize) -> io::Result<Builder> {
    let builder = Builder::new();
    let Some(limit) = address_space() else { return Ok(builder.stack_size(stack_bytes)) };
    let bytes = stack_bytes.min(usize::try_from(limit / SHARE).unwrap_or(usize::MAX));
    if !has_room(bytes + BESIDE) {
        return Err(io::ErrorKind::OutOfMemory.into());
    }
    Ok(builder.stack_size(bytes))
}
