//! What the personality needs of the world.

use std::fmt;
use std::io::{BufRead, Write};
use std::path::PathBuf;

/// Streams, signals and the name of this program.
pub struct Host<'a> {
    /// Standard output.
    pub out: &'a mut dyn Write,
    /// Standard error.
    pub err: &'a mut dyn Write,
    /// Standard input.
    pub input: &'a mut dyn BufRead,
    /// Whether the user wants the work to end.
    pub is_interrupted: &'a dyn Fn() -> bool,
    /// The program that runs, for the `pan.c` that calls it.
    pub executable: Option<PathBuf>,
    /// Bound on the memory of a search if the command line gives none.
    pub memory_limit_bytes: Option<u64>,
}

impl Host<'_> {
    /// Prints. A reader that has gone away is no error.
    pub(crate) fn print(&mut self, text: impl fmt::Display) {
        let _ = write!(self.out, "{text}");
    }

    /// Prints to standard error.
    pub(crate) fn complain(&mut self, text: impl fmt::Display) {
        let _ = self.out.flush();
        let _ = write!(self.err, "{text}");
    }
}
