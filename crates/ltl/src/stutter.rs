//! Whether repeating a letter of a word can change the truth of a formula.
//!
//! Let both the automaton of the formula and that of its negation read any
//! letter once more without moving: the property is stutter-invariant exactly
//! if they still have no word in common (Michaud & Duret-Lutz 2015).

use rapidhash::RapidHashMap;

use crate::automaton::Tgba;
use crate::limits::{Limits, TooLarge};
use crate::obligation::has_accepting_component;
use crate::{Formula, translate};

/// Letters are listed one by one.
const MAX_ATOMS: usize = 6;
/// Pairs of states with their last letter.
const MAX_PAIRS: usize = 20_000;

/// Whether `formula` is stutter-invariant; `None` if the automata are too large to tell.
///
/// # Errors
///
/// [`TooLarge`] if a translation outgrows `limits`.
pub fn is_stutter_invariant(formula: &Formula, limits: &Limits) -> Result<Option<bool>, TooLarge> {
    if formula.is_next_free() {
        return Ok(Some(true));
    }
    let yes = translate(formula, limits)?;
    let no = translate(&formula.clone().negated(), limits)?;
    if yes.atoms.len() > MAX_ATOMS || yes.sets + no.sets > 62 {
        return Ok(None);
    }
    Ok(stuttering_meets(&yes, &no).map(|meets| !meets))
}

/// The ways to read `letter` in `state`: where to, and with which marks; one
/// more set keeps a run from staying for ever.
fn moves(a: &Tgba, state: usize, letter: u64, may_stay: bool) -> Vec<(usize, u64)> {
    let edges = a.states[state].iter().filter(|e| a.bdd.eval(e.label, |v| letter >> v & 1 == 1));
    let moved = edges.map(|e| (e.target, e.marks | 1 << a.sets));
    moved.chain(may_stay.then_some((state, 0))).collect()
}

fn stuttering_meets(yes: &Tgba, no: &Tgba) -> Option<bool> {
    let letters = 1_u64 << yes.atoms.len();
    let shift = yes.sets + 1;
    let all = (1 << (yes.sets + no.sets + 2)) - 1;
    let mut states = vec![(yes.initial, no.initial, u64::MAX)];
    let mut number: RapidHashMap<_, usize> = RapidHashMap::default();
    number.insert(states[0], 0);
    let mut graph: Vec<Vec<(usize, u64)>> = Vec::new();
    while graph.len() < states.len() {
        let (s, t, last) = states[graph.len()];
        let mut row = Vec::new();
        for letter in 0..letters {
            for (s, left) in moves(yes, s, letter, letter == last) {
                for (t, right) in moves(no, t, letter, letter == last) {
                    let next = (s, t, letter);
                    let to = *number.entry(next).or_insert_with(|| {
                        states.push(next);
                        states.len() - 1
                    });
                    row.push((to, left | right << shift));
                }
            }
        }
        graph.push(row);
        if states.len() > MAX_PAIRS {
            return None;
        }
    }
    Some(has_accepting_component(&graph, [0], all))
}
