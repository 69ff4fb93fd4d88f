//! The hash of state vectors.

use rapidhash::v3::{RapidSecrets, rapidhash_v3_inline};

const SECRETS: RapidSecrets = RapidSecrets::seed(0x5350_494e_4f52_0001);

/// Hash of a byte string; the same in every run, so that runs can be repeated.
#[inline]
#[must_use]
pub fn hash(key: &[u8]) -> u64 {
    rapidhash_v3_inline::<true, false, false>(key, &SECRETS)
}
