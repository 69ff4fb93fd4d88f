//! Embedded C as an executor sees it: something to call.
//!
//! The program knows only these traits; `embed` compiles the C and implements them.

use crate::expr::{CodeId, ProctypeId};
use std::fmt::Debug;
use std::sync::Arc;

/// The compiled C of a program.
pub trait CLibrary: Debug + Send + Sync {
    /// A copy of the code with memory of its own, as fresh as after loading.
    ///
    /// # Errors
    /// The copy cannot be loaded: says why.
    fn instance(&self) -> Result<Box<dyn CInstance>, String>;

    /// What of the C code's memory is no part of any state, if anything is. Such
    /// code cannot run on several threads.
    fn own_memory(&self) -> Option<&str>;

    /// Whether processes of this type have C state with a first value.
    fn initialises(&self, proctype: ProctypeId) -> bool;

    /// Whether the globals have C state with a first value, or memory is tracked.
    fn initialises_globals(&self) -> bool;
}

/// The C code, for one thread at a time.
pub trait CInstance: Debug + Send {
    /// The value of a `c_expr`.
    ///
    /// # Errors
    /// It does not come to a value.
    fn evaluate(&self, code: CodeId, state: &[u8], at: CBases) -> Result<i32, CFault>;

    /// Runs a `c_code`, which may change the state.
    ///
    /// # Errors
    /// It does not come to its end; the state is as before.
    fn execute(&self, code: CodeId, state: &mut [u8], at: CBases) -> Result<(), CFault>;

    /// Gives the C state of the globals, or of a process, its first value.
    ///
    /// # Errors
    /// The code for the value fails.
    fn initialise(
        &self,
        process: Option<ProctypeId>,
        state: &mut [u8],
        at: CBases,
    ) -> Result<(), CFault>;

    /// Runs a `c_code` on a copy of the state and gives what it prints.
    fn output(&self, code: CodeId, state: &[u8], at: CBases) -> String;

    /// The functions to be called by generated code and around it.
    fn entry(&self) -> CEntry;
}

/// A call of C by generated code: the code's number, pointers to globals, frame and hidden
/// variables, and [`CBases::who`]. The lower half of the result is the value, the upper half is 0
/// unless something went wrong.
pub type CFunction = unsafe extern "C" fn(u32, usize, usize, usize, u32) -> u64;

/// Calls a generated function, given as an address, with four arguments, so that crashes inside of
/// the C that it calls come back as [`CEntry::FAILED`]; the library's handle comes first.
pub type CAround = unsafe extern "C" fn(usize, usize, usize, usize, usize, usize) -> u32;

/// What calls by generated code need.
#[derive(Clone, Copy, Debug)]
pub struct CEntry {
    /// For generated code that was called by `around`.
    pub function: CFunction,
    /// Calls generated code.
    pub around: CAround,
    /// First argument of `around`.
    pub handle: usize,
}

impl CEntry {
    /// What [`CAround`] returns if C did not come to its end.
    pub const FAILED: u32 = u32::MAX;
}

/// Where C finds its things in a state.
#[derive(Clone, Copy, Debug)]
pub struct CBases {
    /// Start of the globals.
    pub globals: usize,
    /// Start of the frame at hand.
    pub frame: usize,
    /// Start of the hidden variables.
    pub hidden: usize,
    /// The pid at hand, and above it, shifted by 8 and 16 bits, the number of processes and `_last`.
    pub who: u32,
}

/// Why C code did not come to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CFault {
    /// The condition in `c_code [ … ]` does not hold.
    Precondition,
    /// `assert` of C failed.
    Assertion,
    /// It used memory that it does not have.
    Memory,
    /// The processor refused an operation, such as a division by zero.
    Arithmetic,
    /// It called `abort` or did something that the processor does not know.
    Abort,
    /// It called `exit`.
    Exit,
    /// It took too long.
    Endless,
}

/// Embedded C of a program.
#[derive(Clone, Debug)]
pub struct Embedded {
    /// Pieces of code that are executed.
    pub codes: u32,
    /// The C file that it was made from.
    pub source: Arc<str>,
    /// The compiled code; without it the program cannot be executed.
    pub library: Option<Arc<dyn CLibrary>>,
}
