//! Families of formulas that make translators explode: each has an answer, an
//! automaton or an error, after bounded work.

use spinor_ltl::{Formula, Limits, TooLarge, degeneralize, parse, translate};

/// A family by name: the formula of each size.
pub type Family = (&'static str, fn(usize) -> String);

/// All families.
pub const FAMILIES: &[Family] = &[
    ("and-gf", |n| join(" && ", n, |i| format!("[]<>p{i}"))),
    ("and-fg", |n| join(" && ", n, |i| format!("<>[]p{i}"))),
    ("or-fg", |n| join(" || ", n, |i| format!("<>[]p{i}"))),
    ("and-f", |n| join(" && ", n, |i| format!("<>p{i}"))),
    ("or-g", |n| join(" || ", n, |i| format!("[]p{i}"))),
    ("ccj-alpha", |n| format!("{} && {}", nested_eventually("p", n), nested_eventually("q", n))),
    ("ccj-beta", |n| format!("{} && {}", repeated_next("p", n), repeated_next("q", n))),
    ("gh-q", |n| join(" && ", n, |i| format!("(<>p{i} || []p{})", i + 1))),
    ("gh-r", |n| join(" && ", n, |i| format!("([]<>p{i} || <>[]p{})", i + 1))),
    ("go-theta", |n| format!("!(({}) -> [](q -> <>r))", join(" && ", n, |i| format!("[]<>p{i}")))),
    ("gf-equiv", |n| format!("({}) <-> []<>z", join(" && ", n, |i| format!("[]<>a{i}")))),
    ("gf-implies", |n| format!("({}) -> []<>z", join(" && ", n, |i| format!("[]<>a{i}")))),
    ("ms-phi-h", |n| {
        join(" || ", n + 1, |i| {
            format!("<>[]({} || {}b)", if i % 2 == 0 { "a" } else { "!a" }, "X ".repeat(i))
        })
    }),
    ("u-left", |n| chain(n, |f, i| format!("({f} U p{i})"))),
    ("u-right", |n| chain(n, |f, i| format!("(p{i} U {f})"))),
    ("r-left", |n| chain(n, |f, i| format!("({f} V p{i})"))),
    ("r-right", |n| chain(n, |f, i| format!("(p{i} V {f})"))),
    ("until-and", |n| join(" && ", n, |i| format!("(p{i} U (q{i} U r{i}))"))),
    ("next-parity", |n| format!("[](p <-> {}q)", "X ".repeat(n))),
    ("equivalences", |n| chain(n, |f, i| format!("({f} <-> <>p{i})"))),
    ("kv-psi", kv_psi),
];

fn join(with: &str, n: usize, part: impl Fn(usize) -> String) -> String {
    (0..n).map(part).collect::<Vec<_>>().join(with)
}

fn chain(n: usize, wrap: impl Fn(String, usize) -> String) -> String {
    (1..n).fold("p0".to_owned(), wrap)
}

fn nested_eventually(name: &str, n: usize) -> String {
    (1..n).rev().fold(format!("<>{name}{n}"), |f, i| format!("<>({name}{i} && {f})"))
}

fn repeated_next(name: &str, n: usize) -> String {
    format!("<>({})", join(" && ", n, |i| format!("{}{name}", "X ".repeat(i))))
}

/// Kupferman and Vardi's words that repeat a word of length `n` after `d`.
fn kv_psi(n: usize) -> String {
    let after = (0..n).fold("X []c".to_owned(), |f, _| format!("X ((a || b) && {f})"));
    let next = |i: usize| "X ".repeat(i);
    let letter = |i: usize, l: &str| format!("({x}{l} && [](d -> {x}{l}))", x = next(i));
    let letters =
        join(" && ", n, |i| format!("({} || {})", letter(i + 1, "a"), letter(i + 1, "b")));
    let pairs = ["a && b", "a && c", "a && d", "b && c", "b && d", "c && d"];
    let exclusive = join(" && ", pairs.len(), |i| format!("!({})", pairs[i]));
    format!("(!d U (d && {after})) && <>(c && {letters} && {}c) && []({exclusive})", next(n + 1))
}

/// The formula of a family, or its negation.
pub fn formula(family: &Family, n: usize, negated: bool) -> Option<Formula> {
    let formula = parse(&family.1(n)).ok()?;
    Some(if negated { formula.negated() } else { formula })
}

/// States of both kinds of automata.
pub fn states(formula: &Formula, limits: &Limits) -> Result<(usize, usize), TooLarge> {
    let tgba = translate(formula, limits)?;
    Ok((tgba.states.len(), degeneralize(&tgba).len()))
}

#[test]
fn every_size_has_an_answer() {
    let limits =
        Limits { max_states: 2_000, max_edges: 10_000, max_nodes: 50_000, max_steps: 200_000 };
    let (mut found, mut refused) = (0, 0);
    for family in FAMILIES {
        for n in [2, 5, 12, 60, 200] {
            for negated in [false, true] {
                let Some(formula) = formula(family, n, negated) else { continue };
                match states(&formula, &limits) {
                    Ok(_) => found += 1,
                    Err(_) => refused += 1,
                }
            }
        }
    }
    assert!(found > 50 && refused > 20, "{found} {refused}");
}

#[test]
fn small_members_are_translated_in_full() {
    for family in FAMILIES {
        for negated in [false, true] {
            let formula = formula(family, 3, negated).expect(family.0);
            let limits = Limits { max_steps: 8_000_000, ..Limits::default() };
            assert!(states(&formula, &limits).is_ok() || family.0 == "kv-psi", "{}", family.0);
        }
    }
}
