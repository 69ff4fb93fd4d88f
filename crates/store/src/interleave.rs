//! Points where tests let another thread run.

/// Does nothing but in tests.
#[inline]
pub(crate) fn interleave() {
    #[cfg(test)]
    if fastrand::u8(..8) == 0 {
        std::thread::yield_now();
    }
}
