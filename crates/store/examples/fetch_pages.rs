//! Asks the system for so many megabytes of large pages and gives them back.
//!
//! `fetch_pages MEGABYTES`
//!
//! A virtual machine may have handed free memory back to its host. Then the program that runs next waits for its pages, up to
//! half a second for each 256 MB, by chance this one or that. Who measures programs calls this one before, so that none of them
//! does.

#![allow(unsafe_code)]

const PAGE: usize = 2 << 20;

fn main() {
    let megabytes = std::env::args().nth(1).and_then(|words| words.parse::<usize>().ok());
    let bytes = megabytes.unwrap_or(0) << 20;
    let mut memory: Vec<u8> = Vec::with_capacity(bytes);
    advise(&memory);
    memory.resize(bytes, 1);
    std::hint::black_box(&memory);
}

#[cfg(target_os = "linux")]
fn advise(memory: &Vec<u8>) {
    let start = memory.as_ptr().addr().next_multiple_of(PAGE);
    let end = (memory.as_ptr().addr() + memory.capacity()) / PAGE * PAGE;
    if start < end {
        let address = memory.as_ptr().with_addr(start).cast_mut().cast();
        // SAFETY: the range lies within the allocation, and advice changes no contents.
        unsafe { libc::madvise(address, end - start, libc::MADV_HUGEPAGE) };
    }
}

#[cfg(not(target_os = "linux"))]
fn advise(_memory: &Vec<u8>) {}
