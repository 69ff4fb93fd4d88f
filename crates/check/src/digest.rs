//! A stable fingerprint of a model after preprocessing.

use spinor_syntax::token::Token;

/// FNV-1a over the tokens, 64 bits. Layout and comments do not matter; macros,
/// included files and `-D` do, through the tokens they lead to.
pub(crate) fn of_tokens(tokens: &[Token]) -> u64 {
    const PRIME: u64 = 0x0000_0100_0000_01b3;
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for token in tokens {
        for byte in token.text.bytes().chain([0]) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(PRIME);
        }
    }
    hash
}
