//! Passes over programs that make the state space smaller and keep every verdict.
//!
//! They are the three that SPIN applies unless told otherwise, with the same effect on
//! the counts of a search:
//! - [write-only globals](Passes::write_only): what nobody reads is not kept;
//! - [dead locals](Passes::dead_variables): a local that will be written before it is
//!   read again becomes 0 as part of the step that used it last;
//! - [merging](Passes::merging): a chain of steps of one process that nobody else can
//!   tell apart becomes one step.
//!
//! A pass takes a program and gives a program of the same kind, so no engine knows of
//! them. Statements keep their numbers; those that stand for a chain come behind them,
//! and their numbers depend on merging only. So programs that differ in the other two
//! passes have the same events in the same order, and a run found in one is a run of the
//! other: stories are told with every variable there.
//!
//! Where SPIN's analyses are wrong they are not copied:
//! - a chain ends before a statement that can tell where the process stands or who moved
//!   (`pc_value`, `enabled`, `timeout`, `_last`, `P@L`);
//!   models in which others ask for `pc_value` or `enabled` are not merged at all;
//! - an index, an argument of `run` and a branch of `(c -> a : b)` may be global too;
//! - steps between which others may move stay two if both are noticed: `run`, changes of priority,
//!   with priorities also those of atomic sequences, and with `_last` all;
//! - steps to and from where others look are noticed: labels of `P@L`, and receives, if a rendezvous
//!   send pre-empts something, closes an `else` or goes on with an atomic sequence;
//! - that a global is `local` is believed only where it shows, and receives are noticed whatever `xr`
//!   says;
//! - a labelled `break` inside a chain does not cut it short;
//! - fields of records and arguments of `set_priority` are told from variables of the
//!   same name.

mod access;
mod audience;
mod bits;
mod build;
mod chain;
mod dead;
mod global;
mod seen;
mod unread;

use chain::Chain;
use spinor_program::{Expr, Program, StmtId};

/// Which passes to apply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Passes {
    /// Chains of steps become one.
    pub merging: bool,
    /// Dead locals are set to 0.
    pub dead_variables: bool,
    /// Globals that are never read are not kept.
    pub write_only: bool,
}

impl Passes {
    /// All of them.
    pub const ALL: Passes = Passes { merging: true, dead_variables: true, write_only: true };
    /// None.
    pub const NONE: Passes = Passes { merging: false, dead_variables: false, write_only: false };
}

/// A program after the passes.
#[derive(Clone, Debug)]
pub struct Optimised {
    /// The program.
    pub program: Program,
    /// How many statements the program had before: the same numbers still name them.
    pub originals: usize,
    /// What the statements behind those stand for, in order of execution.
    pub chains: Vec<Vec<StmtId>>,
    /// Whether steps stay apart that SPIN merges although others can tell.
    pub kept_apart: bool,
}

impl Optimised {
    /// By number: whether the statements of the program before the passes were executed,
    /// given the same for those after.
    #[must_use]
    pub fn executed(&self, was_executed: impl Fn(StmtId) -> bool) -> Vec<bool> {
        let number = |at: usize| StmtId(at as u32);
        let mut executed: Vec<bool> =
            (0..self.originals).map(|at| was_executed(number(at))).collect();
        for (at, members) in self.chains.iter().enumerate() {
            if was_executed(number(self.originals + at)) {
                members.iter().for_each(|id| executed[id.index()] = true);
            }
        }
        executed
    }
}

/// The program after the passes. `watched` are expressions from outside the program
/// that its states must still answer; the `ltl` blocks of the model are looked after anyway.
#[must_use]
pub fn optimise(program: &Program, passes: Passes, watched: &[Expr]) -> Optimised {
    let originals = program.statements.len();
    let seen = seen::Seen::new(program, watched);
    // C may read and write everything.
    let has_c = program.embedded.is_some();
    let passes = Passes {
        dead_variables: passes.dead_variables && !has_c,
        write_only: passes.write_only && !has_c,
        ..passes
    };
    let mut result = program.clone();
    if passes.write_only {
        unread::drop_assignments(&mut result, watched);
    }
    let resets = if passes.dead_variables && !seen.remote_variables {
        dead::resets(program)
    } else {
        dead::Resets::default()
    };
    let (chains, is_cut) = if passes.merging && seen.allows_merging(program) {
        chain::chains(program, &seen)
    } else {
        (Vec::new(), false)
    };
    let kept_apart = is_cut || (passes.merging && seen.asks_for_locations);
    build::apply(&mut result, &chains, &resets);
    let chains = chains.into_iter().map(|Chain { members, .. }| members).collect();
    Optimised { program: result, originals, chains, kept_apart }
}
