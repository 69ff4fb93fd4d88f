//! The generated functions as the driver calls them.
#![allow(unsafe_code)]

use crate::abi::{BAIL, Cx, StepFn};
use crate::compile::Code;

/// Generated functions, by proctype. Where there is none, one that gives up stands in.
#[derive(Clone)]
pub(crate) struct Routines {
    /// All transitions of a process.
    pub step: Vec<StepFn>,
    /// All transitions of all processes.
    pub all: Option<StepFn>,
    /// All transitions of the claim.
    pub claim: StepFn,
    /// Whether some transition is executable.
    pub enabled: Vec<StepFn>,
    /// Whether the `provided` clause holds; `None` without one.
    pub provided: Vec<Option<StepFn>>,
}

impl Routines {
    /// Those of compiled code.
    pub fn of(code: &Code) -> Self {
        let or_give_up = |f: &Option<StepFn>| f.unwrap_or(give_up);
        Routines {
            step: code.step.iter().map(or_give_up).collect(),
            all: code.all,
            claim: or_give_up(&code.claim),
            enabled: code.enabled.iter().map(or_give_up).collect(),
            provided: code.provided.clone(),
        }
    }
}

/// A function for what cannot happen: the interpreter is to decide.
pub(crate) unsafe extern "C" fn give_up(
    _cx: *mut Cx,
    _state: *const u8,
    _frame: usize,
    _pid: usize,
) -> u32 {
    BAIL
}
