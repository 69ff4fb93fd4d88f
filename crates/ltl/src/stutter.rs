//! Whether repeating a letter of a word can change the truth of a formula.
//!
//! Let both the automaton of the formula and that of its negation read any
//! letter once more without moving: the property is stutter-invariant exactly
//! if they still have no word in common (Michaud & Duret-Lutz 2015).

use rapidhash::{RapidHashMap, RapidHashSet};

use crate::automaton::Tgba;
use crate::bdd::{Bdd, Label};
use crate::limits::{Limits, TooLarge};
use crate::obligation::{has_accepting_component, one_letter};
use crate::word::Letter;
use crate::{Formula, translate};

/// Letters that the automata tell apart.
const MAX_LETTERS: usize = 256;
/// Pairs of states with their last letter.
const MAX_PAIRS: usize = 20_000;
/// Nodes that telling letters apart may take.
const ROOM: usize = 50_000;

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
    if yes.atoms != no.atoms || yes.sets + no.sets > 62 {
        return Ok(None);
    }
    let Some(letters) = letters(&yes, &no) else { return Ok(None) };
    Ok(stuttering_meets(&yes, &no, &letters).map(|meets| !meets))
}

/// One letter of each kind that some label of the automata tells from others.
/// Letters of one kind can stand for each other in every word, so it is enough
/// to repeat these.
fn letters(yes: &Tgba, no: &Tgba) -> Option<Vec<Letter>> {
    if yes.atoms.len() > Letter::BITS as usize {
        return None;
    }
    let mut bdd = Bdd::with_limit(ROOM);
    let mut labels = RapidHashSet::default();
    for automaton in [yes, no] {
        let mut done = RapidHashMap::default();
        for e in automaton.states.iter().flatten() {
            labels.insert(automaton.bdd.copy_into(e.label, &mut bdd, &mut done));
        }
    }
    let mut labels: Vec<Label> = labels.into_iter().collect();
    labels.sort_unstable();
    let mut kinds = vec![Label::TRUE];
    for label in labels {
        let mut finer = Vec::with_capacity(kinds.len() + 1);
        for kind in kinds {
            let (inside, outside) = (bdd.and(kind, label), bdd.minus(kind, label));
            finer.extend([inside, outside].into_iter().filter(|&k| k != Label::FALSE));
        }
        kinds = finer;
        if kinds.len() > MAX_LETTERS || bdd.is_exhausted() {
            return None;
        }
    }
    let letter = |kind: Label| one_letter(kind, &bdd).into_iter().fold(0, |m, v| m | 1 << v);
    Some(kinds.into_iter().map(letter).collect())
}

/// The ways to read `letter` in `state`: where to, and with which marks; one
/// more set keeps a run from staying for ever.
fn moves(a: &Tgba, state: usize, letter: u64, may_stay: bool) -> Vec<(usize, u64)> {
    let edges = a.states[state].iter().filter(|e| a.bdd.eval(e.label, |v| letter >> v & 1 == 1));
    let moved = edges.map(|e| (e.target, e.marks | 1 << a.sets));
    moved.chain(may_stay.then_some((state, 0))).collect()
}

fn stuttering_meets(yes: &Tgba, no: &Tgba, letters: &[Letter]) -> Option<bool> {
    let shift = yes.sets + 1;
    let all = (1 << (yes.sets + no.sets + 2)) - 1;
    let mut states = vec![(yes.initial, no.initial, None)];
    let mut number: RapidHashMap<_, usize> = RapidHashMap::default();
    number.insert(states[0], 0);
    let mut graph: Vec<Vec<(usize, u64)>> = Vec::new();
    while graph.len() < states.len() {
        let (s, t, last) = states[graph.len()];
        let mut row = Vec::new();
        for &letter in letters {
            let may_stay = last == Some(letter);
            for (s, left) in moves(yes, s, letter, may_stay) {
                for (t, right) in moves(no, t, letter, may_stay) {
                    let next = (s, t, Some(letter));
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
