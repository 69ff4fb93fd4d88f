//! Sizes and times over benchmark formulas, which must not get worse.

use spinor_ltl::{Formula, Lasso, Limits, Resource, Size, degeneralize, parse, translate};

struct Row {
    name: &'static str,
    formula: Formula,
    spin_states: Option<usize>,
    buchi: Size,
    tgba: Size,
}

fn size(text: &str) -> Size {
    let (states, edges) = text.split_once('/').expect("states/edges");
    Size { states: states.parse().expect("number"), edges: edges.parse().expect("number") }
}

/// The formulas are checked properties: what is translated is their negation.
fn rows() -> Vec<Row> {
    let text = include_str!("../data/formulas.tsv");
    let lines = text.lines().filter(|l| !l.starts_with('#'));
    let row = |line: &'static str| {
        let cells: Vec<&str> = line.split('\t').collect();
        Row {
            name: cells[0],
            formula: parse(cells[1]).expect("a formula").negated(),
            spin_states: cells[2].parse().ok(),
            buchi: size(cells[3]),
            tgba: size(cells[4]),
        }
    };
    lines.map(row).collect()
}

#[test]
fn no_formula_gets_larger() {
    for row in rows() {
        let tgba = translate(&row.formula, &Limits::default()).expect(row.name);
        let buchi = degeneralize(&tgba);
        assert!(tgba.size() <= row.tgba, "{}: {:?}", row.name, tgba.size());
        assert!(buchi.size() <= row.buchi, "{}: {:?}", row.name, buchi.size());
        let spin = row.spin_states.unwrap_or(usize::MAX);
        assert!(buchi.len() <= spin, "{}: {} states, SPIN {spin}", row.name, buchi.len());
    }
}

/// Spot 2's totals on the classic formulas that SPIN translates too.
#[test]
fn classic_formulas_in_total() {
    let is_classic = |name: &str| ["dac-", "eh-", "sb-"].iter().any(|p| name.starts_with(p));
    let classic = |row: &Row| is_classic(row.name) && row.spin_states.is_some();
    let rows: Vec<Row> = rows().into_iter().filter(classic).collect();
    assert_eq!(rows.len(), 86);
    let total = |get: fn(&Row) -> Size| {
        rows.iter().map(get).fold((0, 0), |(s, e), size| (s + size.states, e + size.edges))
    };
    let (states, edges) = total(|r| r.buchi);
    assert!(states <= 307 && edges <= 710, "{states} {edges}");
    let (states, edges) = total(|r| r.tgba);
    assert!(states <= 293 && edges <= 664, "{states} {edges}");
}

/// A million steps take a fraction of a second.
#[test]
fn formulas_on_which_spin_does_not_end_take_little_work() {
    let limits = Limits { max_steps: 1_000_000, max_states: 2_000, ..Limits::default() };
    for row in rows().into_iter().filter(|r| r.spin_states.is_none()) {
        degeneralize(&translate(&row.formula, &limits).expect(row.name));
    }
}

#[test]
fn limits_stop_what_explodes() {
    // Each part multiplies the states.
    let text: Vec<String> = (0..30).map(|i| format!("(p{i} U (q{i} U r{i}))")).collect();
    let formula = parse(&text.join(" && ")).expect("a formula");
    let error = translate(&formula, &Limits::default()).expect_err("too large");
    assert!(error.to_string().contains("needs more than"), "{error}");
    let tight = Limits { max_states: 3, ..Limits::default() };
    let formula = parse("<>(a && X <>(b && X <>(c && X <>d)))").expect("a formula");
    let error = translate(&formula, &tight).expect_err("too large");
    assert_eq!((error.resource, error.limit), (Resource::States, 3));
}

/// Where a reduction runs out of room, it must leave the automaton as it was.
#[test]
fn what_is_too_large_to_reduce_stays_right() {
    for n in [20, 40, 60] {
        let text = (1..n).fold("p0".to_owned(), |f, i| format!("({f} V p{i})"));
        let formula = parse(&text).expect("a formula");
        let tgba = translate(&formula, &Limits::default()).expect("linear");
        let buchi = degeneralize(&tgba);
        let always = |letter| Lasso { stem: Vec::new(), cycle: vec![letter] };
        for automaton in [&tgba, buchi.as_tgba()] {
            assert!(automaton.accepts(&always(u64::MAX)), "{n}");
            assert!(!automaton.accepts(&always(0)), "{n}");
        }
    }
}

#[test]
fn wide_formulas_end() {
    for (op, n) in [("&&", 300), ("||", 300), ("&&", 5_000), ("||", 5_000)] {
        for prefix in ["", "X ", "<>", "[]", "[]<>", "<>[]", "q U "] {
            let parts: Vec<String> = (0..n).map(|i| format!("({prefix}p{i})")).collect();
            let formula = parse(&parts.join(op)).expect("a formula");
            if let Ok(tgba) = translate(&formula, &Limits::default()) {
                degeneralize(&tgba);
            }
        }
    }
}

/// Formulas of a model may be nested as deeply as its parser allows.
#[test]
fn deep_formulas_need_little_stack() {
    let atom = |i: usize| Formula::Atom(format!("p{}", i % 3));
    for depth in [500, 2_000] {
        let chain = |wrap: &dyn Fn(Formula, usize) -> Formula| (0..depth).fold(atom(0), wrap);
        let formulas = [
            chain(&|f, _| Formula::Next(Box::new(f))),
            chain(&|f, _| f.negated()),
            chain(&|f, i| Formula::Until(Box::new(f), Box::new(atom(i)))),
            chain(&|f, i| Formula::Until(Box::new(atom(i)), Box::new(f))),
            chain(&|f, i| Formula::Release(Box::new(atom(i)), Box::new(f))),
            chain(&|f, i| Formula::And(vec![atom(i), Formula::Next(Box::new(f))])),
            chain(&|f, i| Formula::Or(vec![Formula::Always(Box::new(f)), atom(i)])),
            chain(&|f, i| Formula::Equivalent(Box::new(f), Box::new(atom(i)))),
            chain(&|f, i| {
                Formula::Implies(Box::new(f), Box::new(Formula::Next(Box::new(atom(i)))))
            }),
        ];
        for formula in &formulas {
            if let Ok(tgba) = translate(formula, &Limits::default()) {
                degeneralize(&tgba);
            }
        }
    }
}
