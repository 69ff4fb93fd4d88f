//! The whole way from a formula to a reduced automaton.

use std::time::{Duration, Instant};

use crate::automaton::{Size, Tgba};
use crate::limits::{Limits, TooLarge};
use crate::pool::{Id, Pool};
use crate::{Formula, obligation, reduce, split, tableau};

/// Implication checks that simplification may spend.
const SIMPLIFY_BUDGET: u64 = 200_000;
/// The minimal deterministic automaton is not looked for beyond this size.
const MAX_MINIMISED: Size = Size { states: 64, edges: 2_000 };
/// For the negation, which only confirms that a minimal automaton is right.
const NEGATION_LIMITS: Limits =
    Limits { max_states: 500, max_edges: 5_000, max_nodes: 50_000, max_steps: 200_000 };

/// How a translation went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Distinct formulas met.
    pub formulas: usize,
    /// Size straight out of the tableau.
    pub tableau: Size,
    /// Size of the result.
    pub reduced: Size,
    /// Whether the result is a minimal weak deterministic automaton.
    pub is_minimal: bool,
    /// Time taken.
    pub elapsed: Duration,
}

/// An automaton and how it was found.
#[derive(Clone, Debug)]
pub struct Translation {
    /// The automaton.
    pub automaton: Tgba,
    /// How it was found.
    pub statistics: Statistics,
}

/// The automaton that accepts the words on which `formula` holds.
///
/// # Errors
///
/// [`TooLarge`] if the automaton outgrows `limits` before it is reduced.
pub fn translate(formula: &Formula, limits: &Limits) -> Result<Tgba, TooLarge> {
    Ok(translate_with_statistics(formula, limits)?.automaton)
}

/// As [`translate`], with sizes on the way and the time taken.
///
/// # Errors
///
/// [`TooLarge`] if the automaton outgrows `limits` before it is reduced.
pub fn translate_with_statistics(
    formula: &Formula,
    limits: &Limits,
) -> Result<Translation, TooLarge> {
    let start = Instant::now();
    let mut pool = Pool::new(SIMPLIFY_BUDGET);
    let f = pool.import(formula, true);
    let mut automaton = split::build(&mut pool, f, limits)?;
    let tableau = automaton.size();
    let mut steps = limits.max_steps;
    reduce::reduce(&mut automaton, &mut steps);
    let minimal = minimal(&mut pool, f, &mut automaton, limits);
    let is_minimal = minimal.is_some();
    let mut automaton = minimal.unwrap_or(automaton);
    reduce::jumps::jump_late(&mut automaton);
    automaton.compact();
    let statistics = Statistics {
        formulas: pool.len(),
        tableau,
        reduced: automaton.size(),
        is_minimal,
        elapsed: start.elapsed(),
    };
    Ok(Translation { automaton, statistics })
}

/// A minimal deterministic automaton with no more states than `automaton`.
fn minimal(pool: &mut Pool, f: Id, automaton: &mut Tgba, limits: &Limits) -> Option<Tgba> {
    let size = automaton.size();
    if size.states > MAX_MINIMISED.states || size.edges > MAX_MINIMISED.edges {
        return None;
    }
    let is_obligation = pool.traits(f).obligation;
    let negation = || {
        let not_f = pool.negate(f);
        let mut negation = tableau::build(pool, not_f, &NEGATION_LIMITS).ok()?;
        reduce::reduce(&mut negation, &mut NEGATION_LIMITS.max_steps.clone());
        Some(negation)
    };
    let mut small = obligation::minimise(automaton, is_obligation, negation)?;
    reduce::reduce(&mut small, &mut limits.max_steps.clone());
    (small.states.len() <= automaton.states.len()).then_some(small)
}
