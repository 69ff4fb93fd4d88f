//! Random formulas against their definition: on every sampled word exactly one
//! of the automata of `f` and `!f` accepts, and it is the right one.

use spinor_ltl::{
    Formula, Lasso, Limits, Tgba, degeneralize, is_stutter_invariant, parse, translate,
};

const ATOMS: [&str; 3] = ["p", "q", "r"];

/// A formula of about `size` operators.
pub fn formula(rng: &mut fastrand::Rng, size: usize) -> Formula {
    if size == 0 {
        return match rng.usize(..12) {
            0 => Formula::True,
            1 => Formula::False,
            i => Formula::Atom(ATOMS[i % 3].to_owned()),
        };
    }
    let one = |rng: &mut fastrand::Rng| Box::new(formula(rng, size - 1));
    let kind = rng.usize(..13);
    match kind {
        0 | 1 => return Formula::Not(one(rng)),
        2 => return Formula::Next(one(rng)),
        3 | 4 => return Formula::Eventually(one(rng)),
        5 | 6 => return Formula::Always(one(rng)),
        _ => {}
    }
    let left = rng.usize(..size);
    let (f, g) = (formula(rng, left), formula(rng, size - 1 - left));
    match kind {
        7 => Formula::And(vec![f, g]),
        8 => Formula::Or(vec![f, g]),
        9 => Formula::Implies(Box::new(f), Box::new(g)),
        10 if rng.bool() => Formula::Equivalent(Box::new(f), Box::new(g)),
        10 => Formula::WeakUntil(Box::new(f), Box::new(g)),
        11 => Formula::Until(Box::new(f), Box::new(g)),
        _ => Formula::Release(Box::new(f), Box::new(g)),
    }
}

fn word(rng: &mut fastrand::Rng) -> Lasso {
    let letters = |rng: &mut fastrand::Rng, n: usize| (0..n).map(|_| rng.u64(..8)).collect();
    let (stem, cycle) = (rng.usize(..4), rng.usize(1..5));
    Lasso { stem: letters(rng, stem), cycle: letters(rng, cycle) }
}

/// `word`, whose letters number `ATOMS`, in the numbering of `automaton`.
fn renumbered(word: &Lasso, automaton: &Tgba) -> Lasso {
    let bits: Vec<usize> = automaton
        .atoms
        .iter()
        .map(|a| ATOMS.iter().position(|b| a == b).expect("a known atom"))
        .collect();
    let letter = |&l: &u64| bits.iter().enumerate().fold(0, |m, (i, b)| m | (l >> b & 1) << i);
    Lasso {
        stem: word.stem.iter().map(letter).collect(),
        cycle: word.cycle.iter().map(letter).collect(),
    }
}

fn check(rng: &mut fastrand::Rng, f: &Formula, words: usize) {
    let limits = Limits::default();
    let yes = translate(f, &limits).expect("small formula");
    let no = translate(&f.clone().negated(), &limits).expect("small formula");
    let (yes_buchi, no_buchi) = (degeneralize(&yes), degeneralize(&no));
    let all =
        [(&yes, true), (&no, false), (yes_buchi.as_tgba(), true), (no_buchi.as_tgba(), false)];
    for _ in 0..words {
        let word = word(rng);
        let holds = word.satisfies(f, &ATOMS);
        for (i, (automaton, positive)) in all.iter().enumerate() {
            let accepts = automaton.accepts(&renumbered(&word, automaton));
            assert_eq!(accepts, holds == *positive, "automaton {i} of {f} on {word:?}");
        }
    }
}

/// The environment variable asks for more: 100,000 take half a minute.
#[test]
fn automata_agree_with_the_definition() {
    let mut rng = fastrand::Rng::with_seed(7);
    let rounds = std::env::var("SPINOR_LTL_ROUNDS").ok().and_then(|n| n.parse().ok());
    for round in 0..rounds.unwrap_or(10_000) {
        let f = formula(&mut rng, 2 + round % 9);
        check(&mut rng, &f, 6);
    }
}

/// Larger ones: most translate within tight limits, and then they are right.
#[test]
fn large_formulas_are_right_or_refused() {
    let mut rng = fastrand::Rng::with_seed(10);
    let limits =
        Limits { max_states: 2_000, max_edges: 10_000, max_nodes: 50_000, max_steps: 300_000 };
    let rounds = std::env::var("SPINOR_LTL_ROUNDS").ok().and_then(|n| n.parse::<usize>().ok());
    let (mut right, mut refused) = (0, 0);
    for round in 0..rounds.unwrap_or(5_000) / 10 {
        let f = formula(&mut rng, 15 + round % 26);
        let Ok(tgba) = translate(&f, &limits) else {
            refused += 1;
            continue;
        };
        right += 1;
        let buchi = degeneralize(&tgba);
        for _ in 0..10 {
            let word = word(&mut rng);
            let holds = word.satisfies(&f, &ATOMS);
            for automaton in [&tgba, buchi.as_tgba()] {
                assert_eq!(automaton.accepts(&renumbered(&word, automaton)), holds, "{f}");
            }
        }
    }
    assert!(right > refused, "{right} {refused}");
}

#[test]
fn printing_and_reading_again_keeps_the_formula() {
    let mut rng = fastrand::Rng::with_seed(8);
    for round in 0..5_000 {
        let f = formula(&mut rng, round % 12);
        let again = parse(&f.to_string()).expect("printed formulas parse");
        let word = word(&mut rng);
        assert_eq!(word.satisfies(&f, &ATOMS), word.satisfies(&again, &ATOMS), "{f}");
    }
}

/// A word with some letters repeated.
fn stuttered(rng: &mut fastrand::Rng, word: &Lasso) -> Lasso {
    let mut repeat = |letters: &[u64]| {
        letters.iter().flat_map(|&l| std::iter::repeat_n(l, rng.usize(1..4))).collect()
    };
    Lasso { stem: repeat(&word.stem), cycle: repeat(&word.cycle) }
}

#[test]
fn stutter_invariant_formulas_do_not_see_stuttering() {
    let mut rng = fastrand::Rng::with_seed(9);
    let (mut with_next, mut variant) = (0, 0);
    for round in 0..1_500 {
        let f = formula(&mut rng, 1 + round % 6);
        match is_stutter_invariant(&f, &Limits::default()).expect("small formula") {
            Some(true) => {}
            Some(false) => {
                variant += 1;
                continue;
            }
            None => continue,
        }
        with_next += usize::from(!f.is_next_free());
        for _ in 0..10 {
            let word = word(&mut rng);
            let slower = stuttered(&mut rng, &word);
            assert_eq!(word.satisfies(&f, &ATOMS), slower.satisfies(&f, &ATOMS), "{f}");
        }
    }
    assert!(with_next > 50 && variant > 50, "{with_next} {variant}");
}
