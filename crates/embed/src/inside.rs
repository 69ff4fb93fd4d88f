//! The C of a model inside of a program: the `pan` that was compiled from a `pan.c` together with other files.
//!
//! A program that can be loaded anywhere is a shared object but for a mark, which is taken off in a copy.

use crate::elf;
use std::path::Path;

/// What stands in front of the text's number in a program that carries it.
const MARK: &str = "spinor-c-";

/// A word that tells whether a program has this text in it.
pub(crate) fn mark(text: &str) -> String {
    format!("{MARK}{:016x}", rapidhash::v3::rapidhash_v3(text.as_bytes()))
}

/// The program as a shared object, if it has been made from this text and can be loaded.
pub(crate) fn library(program: &Path, text: &str) -> Option<Vec<u8>> {
    let mut bytes = std::fs::read(program).ok()?;
    let mark = mark(text).into_bytes();
    let has_mark = bytes.windows(mark.len()).any(|window| window == mark);
    (has_mark && elf::make_loadable(&mut bytes)).then_some(bytes)
}
