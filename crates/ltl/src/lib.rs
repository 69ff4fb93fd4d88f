//! Linear temporal logic to Büchi automata.
//!
//! [`parse`] reads SPIN's syntax, [`translate`] gives a small transition-based
//! generalised automaton, [`degeneralize`] a plain Büchi automaton, [`output`]
//! prints either as a never claim, in the HOA format, as DOT or as JSON.
//!
//! ```
//! use spinor_ltl::{Limits, degeneralize, output, parse, translate};
//!
//! let formula = parse("[] (p -> <> q)").unwrap();
//! let automaton = translate(&formula.negated(), &Limits::default()).unwrap();
//! let claim = output::never::print(&degeneralize(&automaton), None);
//! assert!(claim.contains("accept_S1"));
//! ```
//!
//! The way through the crate: `pool` holds formulas in negation normal form,
//! `simplify` builds them, `translate` is the tableau, `reduce` makes its result
//! smaller, `obligation` finds the minimal deterministic automaton where one
//! exists, `classify` and `stutter` tell what kind of automaton or property it is.
//! A [`Monitor`] is an automaton made ready to run beside a system.
//!
//! Invariants
//! - Nothing here knows of Promela: an atom is a string.
//! - The size of the work is bounded by [`Limits`]; past them the answer is an
//!   error, never a wrong automaton.
//! - The same formula gives the same automaton, always.

mod automaton;
mod bdd;
mod classify;
mod degeneralize;
mod formula;
mod guard;
mod limits;
mod monitor;
mod obligation;
pub mod output;
mod parse;
mod pool;
mod reduce;
mod scc;
mod simplify;
mod split;
mod stutter;
mod tableau;
mod translate;
mod word;

pub use automaton::{Buchi, Edge, Marks, Size, Tgba};
pub use bdd::{Bdd, Label, Literal};
pub use classify::{Strength, component_strength, strength};
pub use degeneralize::degeneralize;
pub use formula::Formula;
pub use limits::{Limits, Resource, TooLarge};
pub use monitor::{Cycles, MAX_ATOMS, Monitor, MonitorError, Move, Moves};
pub use parse::{ParseError, parse};
pub use scc::Components;
pub use stutter::is_stutter_invariant;
pub use translate::{Statistics, Translation, translate, translate_with_statistics};
pub use word::{Lasso, Letter};
