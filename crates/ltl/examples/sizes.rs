//! Sizes and times of the automata of many formulas, beside those of other tools.
//!
//! Reads a table with a header line: `name`, `family`, `formula`, then columns
//! such as `spin_states`; an empty cell or `TO` means that a tool did not end.
//! The formulas are properties: what is translated is their negation.

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a program to look at numbers")]

use std::time::{Duration, Instant};

use spinor_ltl::{Limits, Size, degeneralize, parse, translate};

/// Families whose formulas were collected, not generated.
const CLASSIC: [&str; 3] = ["dac", "eh", "sb"];

struct Row {
    name: String,
    family: String,
    formula: String,
    spin: Option<usize>,
    spot: Option<Size>,
    spot_generalised: Option<Size>,
}

struct Found {
    buchi: Size,
    generalised: Size,
    elapsed: Duration,
}

fn main() {
    let path = std::env::args().nth(1).expect("usage: sizes TABLE");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
    let rows = read(&text);
    let mut results = Vec::new();
    for row in &rows {
        let found = measure(&row.formula);
        print_row(row, found.as_ref());
        results.extend(found.map(|f| (row, f)));
    }
    summary(&rows, &results);
}

fn read(text: &str) -> Vec<Row> {
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().unwrap_or_default().split('\t').collect();
    let at = |name: &str| header.iter().position(|h| *h == name).expect(name);
    let size = |cells: &[&str], tool: &str| {
        let cell = |what: &str| cells.get(at(&format!("{tool}_{what}")))?.parse().ok();
        Some(Size { states: cell("states")?, edges: cell("edges")? })
    };
    lines
        .map(|line| {
            let cells: Vec<&str> = line.split('\t').collect();
            Row {
                name: cells[at("name")].to_owned(),
                family: cells[at("family")].to_owned(),
                formula: cells[at("formula")].to_owned(),
                spin: size(&cells, "spin").map(|s| s.states),
                spot: size(&cells, "spot-ba"),
                spot_generalised: size(&cells, "spot-tgba"),
            }
        })
        .collect()
}

fn measure(formula: &str) -> Option<Found> {
    let formula = parse(formula).expect("a formula").negated();
    let start = Instant::now();
    let tgba = translate(&formula, &Limits::default());
    let buchi = tgba.as_ref().ok().map(degeneralize);
    let elapsed = start.elapsed();
    match (tgba, buchi) {
        (Ok(tgba), Some(buchi)) => {
            Some(Found { buchi: buchi.size(), generalised: tgba.size(), elapsed })
        }
        (Err(error), _) => {
            println!("# {error} ({elapsed:?})");
            None
        }
        _ => None,
    }
}

fn print_row(row: &Row, found: Option<&Found>) {
    let show =
        |size: Option<Size>| size.map_or("-".to_owned(), |s| format!("{}/{}", s.states, s.edges));
    println!(
        "{:<14} {:>9} spot {:>9}   generalised {:>9} spot {:>9}   spin {:>4} {:?}",
        row.name,
        show(found.map(|f| f.buchi)),
        show(row.spot),
        show(found.map(|f| f.generalised)),
        show(row.spot_generalised),
        row.spin.map_or("-".to_owned(), |s| s.to_string()),
        found.map(|f| f.elapsed).unwrap_or_default(),
    );
}

fn total(sizes: impl Iterator<Item = Size>) -> (usize, usize) {
    sizes.fold((0, 0), |(s, e), size| (s + size.states, e + size.edges))
}

fn summary(rows: &[Row], results: &[(&Row, Found)]) {
    let is_classic = |row: &Row| CLASSIC.contains(&row.family.as_str());
    let with_spin: Vec<_> =
        results.iter().filter(|(r, _)| is_classic(r) && r.spin.is_some()).collect();
    println!("\nclassic formulas that SPIN translates: {}", with_spin.len());
    println!("  states, edges          {:?}", total(with_spin.iter().map(|(_, f)| f.buchi)));
    println!("  generalised            {:?}", total(with_spin.iter().map(|(_, f)| f.generalised)));
    let slow = results.iter().filter(|(r, _)| is_classic(r) && r.spin.is_none());
    let worst = slow.clone().map(|(_, f)| f.elapsed).max().unwrap_or_default();
    println!("those that it does not:  {}, slowest {worst:?}", slow.count());
    let more = |(r, f): &&(&Row, Found)| r.spin.is_some_and(|spin| f.buchi.states > spin);
    let worse: Vec<&str> = results.iter().filter(more).map(|(r, _)| r.name.as_str()).collect();
    println!("more states than SPIN:   {worse:?}");
    let mut times: Vec<Duration> = results.iter().map(|(_, f)| f.elapsed).collect();
    times.sort();
    let median = times.get(times.len() / 2).copied().unwrap_or_default();
    println!("median time, all {}:    {median:?}, slowest {:?}", times.len(), times.last());
    println!("given up:                {}", rows.len() - results.len());
}
