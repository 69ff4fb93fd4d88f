//! Formulas that are too large for one tableau, taken apart.
//!
//! Only where the tableau gives up: its automata are smaller, because it sees
//! what the parts have in common. A disjunction is the union of its parts.
//! Recurrences `[]<>p` in a conjunction become marks: a run may claim one of
//! those that hold at each step, which is enough to claim all again and again.

use rapidhash::RapidHashMap;

use crate::automaton::{Edge, Tgba};
use crate::bdd::{Bdd, Label};
use crate::limits::{Limits, Resource, TooLarge};
use crate::pool::{Id, Node, Pool};
use crate::tableau;

/// Formulas with more parts are not taken apart.
const MAX_PARTS: usize = 64;
/// Acceptance sets that marks have room for.
const MAX_SETS: usize = 64;
/// What each part may take at least.
const LEAST: Limits =
    Limits { max_states: 1_000, max_edges: 5_000, max_nodes: 50_000, max_steps: 100_000 };

/// The automaton of `f`, not yet reduced.
pub(crate) fn build(pool: &mut Pool, f: Id, limits: &Limits) -> Result<Tgba, TooLarge> {
    let whole = tableau::build(pool, f, limits);
    let Err(error) = whole else { return whole };
    if let Some(parts) = alternatives(pool, f) {
        let share = share(limits, parts.len());
        let parts: Result<Vec<Tgba>, _> =
            parts.iter().map(|&part| build(pool, part, &share)).collect();
        return within(union(parts.map_err(|_| error)?), limits);
    }
    let (goals, rest) = recurrences(pool, f);
    if goals.is_empty() {
        return Err(error);
    }
    let rest = build(pool, rest, limits).map_err(|_| error)?;
    if rest.sets as usize + goals.len() > MAX_SETS {
        return Err(error);
    }
    within(with_recurrences(pool, rest, &goals), limits)
}

/// Formulas one of which must hold, if `f` says nothing else.
fn alternatives(pool: &mut Pool, f: Id) -> Option<Vec<Id>> {
    let parts = match pool.node(f).clone() {
        Node::Or(parts) => parts,
        // `<>(a || b)` is `<>a || <>b`.
        Node::Until(Pool::TRUE, g) => match pool.node(g).clone() {
            Node::Or(parts) => parts.into_iter().map(|part| pool.until(Pool::TRUE, part)).collect(),
            _ => return None,
        },
        _ => return None,
    };
    (parts.len() <= MAX_PARTS).then_some(parts)
}

/// The limits of one of `n` parts.
fn share(limits: &Limits, n: usize) -> Limits {
    Limits {
        max_states: (limits.max_states / n).max(LEAST.max_states),
        max_edges: (limits.max_edges / n).max(LEAST.max_edges),
        max_nodes: (limits.max_nodes / n).max(LEAST.max_nodes),
        max_steps: (limits.max_steps / n as u64).max(LEAST.max_steps),
    }
}

fn within(automaton: Tgba, limits: &Limits) -> Result<Tgba, TooLarge> {
    limits.check(Resource::States, automaton.states.len(), limits.max_states)?;
    limits.check(Resource::Edges, automaton.size().edges, limits.max_edges)?;
    Ok(automaton)
}

/// The union: a new initial state goes on like that of any part.
fn union(parts: Vec<Tgba>) -> Tgba {
    let sets = parts.iter().map(|p| p.sets).max().unwrap_or(0);
    let atoms = parts.first().map(|p| p.atoms.clone()).unwrap_or_default();
    let mut all = Tgba { atoms, bdd: Bdd::default(), initial: 0, states: vec![Vec::new()], sets };
    for part in parts {
        // Sets that the part does not have never keep a run from accepting.
        let absent = all.all_marks() & !part.all_marks();
        let offset = all.states.len();
        let mut done = RapidHashMap::default();
        for (s, edges) in part.states.iter().enumerate() {
            let mut moved = Vec::with_capacity(edges.len());
            for e in edges {
                let label = part.bdd.copy_into(e.label, &mut all.bdd, &mut done);
                moved.push(Edge { target: e.target + offset, marks: e.marks | absent, label });
            }
            if s == part.initial {
                all.states[0].extend(&moved);
            }
            all.states.push(moved);
        }
    }
    all.normalise();
    all
}

/// The `g` of all `[]<>g` that `f` asks for, `g` without temporal operators, and the rest of `f`.
fn recurrences(pool: &mut Pool, f: Id) -> (Vec<Id>, Id) {
    let parts = match pool.node(f).clone() {
        Node::And(parts) => parts,
        _ => vec![f],
    };
    let (mut goals, mut rest) = (Vec::new(), Vec::new());
    for part in parts {
        let Node::Release(Pool::FALSE, body) = *pool.node(part) else {
            rest.push(part);
            continue;
        };
        let inner = match pool.node(body).clone() {
            Node::And(inner) => inner,
            _ => vec![body],
        };
        let goal = |g: &Id| match *pool.node(*g) {
            Node::Until(Pool::TRUE, goal) if is_boolean(pool, goal) => Some(goal),
            _ => None,
        };
        let (found, other): (Vec<Id>, Vec<Id>) = inner.iter().partition(|g| goal(g).is_some());
        goals.extend(found.iter().filter_map(goal));
        let other = pool.and(other);
        rest.push(pool.release(Pool::FALSE, other));
    }
    (goals, pool.and(rest))
}

fn is_boolean(pool: &Pool, f: Id) -> bool {
    match pool.node(f) {
        Node::True | Node::False | Node::Literal { .. } => true,
        Node::And(fs) | Node::Or(fs) => fs.iter().all(|&f| is_boolean(pool, f)),
        Node::Next(_) | Node::Until(..) | Node::Release(..) => false,
    }
}

/// A formula without temporal operators as a label.
fn label(pool: &Pool, f: Id, bdd: &mut Bdd) -> Label {
    match pool.node(f) {
        Node::Literal { atom, positive: true } => bdd.var(*atom),
        Node::Literal { atom, positive: false } => {
            let var = bdd.var(*atom);
            bdd.not(var)
        }
        Node::And(fs) => fs.iter().fold(Label::TRUE, |all, &f| {
            let one = label(pool, f, bdd);
            bdd.and(all, one)
        }),
        Node::Or(fs) => fs.iter().fold(Label::FALSE, |any, &f| {
            let one = label(pool, f, bdd);
            bdd.or(any, one)
        }),
        Node::True => Label::TRUE,
        _ => Label::FALSE,
    }
}

/// Lets each edge claim one of the goals.
fn with_recurrences(pool: &Pool, mut automaton: Tgba, goals: &[Id]) -> Tgba {
    let first = automaton.sets;
    automaton.sets += goals.len() as u32;
    let bdd = &mut automaton.bdd;
    let goals: Vec<Label> = goals.iter().map(|&g| label(pool, g, bdd)).collect();
    for edges in &mut automaton.states {
        let mut claims = Vec::with_capacity(edges.len() * goals.len());
        for e in edges.iter() {
            for (set, &goal) in (first..).zip(&goals) {
                let label = bdd.and(e.label, goal);
                claims.push(Edge { marks: e.marks | 1 << set, label, ..*e });
            }
        }
        edges.extend(claims);
    }
    automaton.normalise();
    automaton
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduce;
    use crate::word::Lasso;
    use crate::{Formula, parse};

    /// The automaton of a formula, put together from its parts.
    fn taken_apart(text: &str) -> (Formula, Tgba) {
        let formula = parse(text).expect(text);
        let mut pool = Pool::new(100_000);
        let f = pool.import(&formula, true);
        let mut tgba = match alternatives(&mut pool, f) {
            Some(parts) => {
                let build = |part| tableau::build(&mut pool, part, &Limits::default());
                union(parts.into_iter().map(build).collect::<Result<_, _>>().expect("small"))
            }
            None => {
                let (goals, rest) = recurrences(&mut pool, f);
                assert!(!goals.is_empty(), "{text}");
                let rest = tableau::build(&mut pool, rest, &Limits::default()).expect("small");
                with_recurrences(&pool, rest, &goals)
            }
        };
        reduce::reduce(&mut tgba, &mut 1_000_000);
        (formula, tgba)
    }

    #[test]
    fn parts_together_say_the_same() {
        let mut rng = fastrand::Rng::with_seed(3);
        for text in [
            "<>[]p || <>[]q || <>[]r",
            "<>([]p || (q && X r))",
            "[]p || <>(q && X r) || []<>r",
            "(p U q) || ([]<>p && []<>q)",
            "[]<>p && []<>q && []<>r",
            "[]<>p && []<>(q && !r) && <>[](r || p)",
            "[]<>p && []<>q && [](r -> <>p)",
            "[](<>p && <>q && (r || X p))",
            "[]<>p && (q U r)",
        ] {
            let (formula, tgba) = taken_apart(text);
            let atoms: Vec<&str> = tgba.atoms.iter().map(String::as_str).collect();
            for _ in 0..2_000 {
                let mut letters = |n: usize| (0..n).map(|_| rng.u64(..8)).collect();
                let word = Lasso { stem: letters(2), cycle: letters(3) };
                assert_eq!(tgba.accepts(&word), word.satisfies(&formula, &atoms), "{text}");
            }
        }
    }
}
