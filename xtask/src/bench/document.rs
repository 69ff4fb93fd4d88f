//! `docs/benchmarks.md`, made from the record and the notes.

use std::fmt::Write as _;

use super::limits;
use super::promises;
use super::record::{ABOUT, Record, latest};
use super::section::Section;
use super::tables;

const INTRODUCTION: &str = "\
# Benchmarks

<!-- Written by `cargo xtask bench` from benchmarks.tsv and benchmarks-notes.md. Do not edit. -->

Spinor and SPIN explore the same state graphs on the same machine, in turns. Figures are
medians of several runs. Both use the plain semantics, without reduction, and go past
errors, so that the whole graph is seen; states and transitions of exact searches are equal,
or there is no figure. SPIN: `spin -o1 -o2 -o3 -a`, `gcc -O3 -DSAFETY -DNOREDUCE`,
`pan -n -E -A -c0` with a stack as deep and a table as large as the model needs. Spinor:
`spinor check --plain --no-claim --property safety --ignore deadlock --ignore assert
--max-errors 0`. CPU time is user and system time. Models from half a million to 20 million
states count for the medians, unless something else is said.
";

/// The text of the document. `notes` is written by hand.
pub fn document(record: &Record, notes: &str) -> String {
    let mut text = INTRODUCTION.to_owned();
    let about = record.latest(ABOUT);
    text.push_str("\n| | |\n|---|---|\n");
    for (what, _, fact) in about.notes() {
        let _ = writeln!(text, "| {what} | {fact} |");
    }
    text.push_str("\n## What is promised, and what was measured\n\n");
    text.push_str(&summary(record));
    for &section in Section::ALL {
        let view = latest(record, section);
        let Some(point) = view.point else {
            continue;
        };
        let _ = writeln!(text, "\n## {}\n", tables::title(section));
        let rounds = view.rows.iter().map(|row| row.rounds).max().unwrap_or(1);
        let times = if rounds == 1 { "once" } else { &format!("{rounds} times") };
        let _ = writeln!(text, "Measured {}, commit {}, {times}.\n", point.date, point.commit);
        text.push_str(&tables::section(section, &view));
        if section == Section::Machine
            && let Some(distance) = limits::distance(record)
        {
            let _ = writeln!(text, "\n{distance}");
        }
    }
    if !notes.trim().is_empty() {
        let _ = write!(text, "\n{}\n", notes.trim());
    }
    text
}

/// Every promise with its standing now and at the point before.
fn summary(record: &Record) -> String {
    let mut text = "Factors say how many times faster or smaller; *before* is the last recorded \
        point, *change* the ratio to it. Earlier points are in [benchmarks.tsv](benchmarks.tsv).\n\n\
        | promise | wanted | measured | worst model | models | kept | before | change |\n\
        |---|---|--:|---|--:|---|--:|--:|\n"
        .to_owned();
    for promise in promises::ALL {
        let (now, before) = (promise.now(record), promise.before(record));
        let mut cells = vec![promise.text.to_owned(), promise.wanted()];
        match &now {
            Some(standing) => {
                let (model, value) = &standing.worst;
                cells.push(number(standing.value));
                cells.push(if promise.has_worst() {
                    format!("{} ({model})", number(*value))
                } else {
                    String::new()
                });
                cells.push(standing.models.to_string());
                cells.push(if standing.kept { "yes" } else { "**no**" }.to_owned());
            }
            None => cells.extend(["not measured", "", "", ""].map(str::to_owned)),
        }
        cells.push(before.as_ref().map_or_else(String::new, |b| number(b.value)));
        cells.push(match (&now, &before) {
            (Some(now), Some(before)) if before.value.abs() > 1e-9 => {
                format!("{:.2}", now.value / before.value)
            }
            _ => String::new(),
        });
        let _ = writeln!(text, "| {} |", cells.join(" | "));
    }
    text
}

fn number(value: f64) -> String {
    if value.abs() >= 100.0 { format!("{value:.0}") } else { format!("{value:.2}") }
}

#[cfg(test)]
mod tests {
    use super::super::figures::Figures;
    use super::super::record::Entry;
    use super::super::record::tests::row;
    use super::*;

    fn record() -> Record {
        let figures =
            |cpu| Entry::Figures(Figures { stored: 1_000_000, cpu, ..Figures::default() });
        let fact = Entry::Note("a processor".to_owned());
        Record {
            rows: vec![
                row("2026-01-01", "one-core", "at.3", "pan", figures(4.0)),
                row("2026-01-01", "one-core", "at.3", "bfs", figures(4.0)),
                row("2026-01-02", "one-core", "at.3", "pan", figures(4.0)),
                row("2026-01-02", "one-core", "at.3", "bfs", figures(0.4)),
                row("2026-01-02", ABOUT, "machine", "", fact),
            ],
        }
    }

    #[test]
    fn promises_are_shown_with_the_point_before() {
        let text = document(&record(), "## Where the time goes\n\nHere.\n");
        let line = "| one core, exact: faster than pan | ≥ 8, each ≥ 4 | 10.00 | 10.00 (at.3) | 1 | \
                    yes | 1.00 | 10.00 |";
        assert!(text.contains(line), "{text}");
        assert!(text.contains("| machine | a processor |"), "{text}");
        assert!(text.contains("## Where the time goes"), "{text}");
    }

    #[test]
    fn sections_that_were_never_measured_are_left_out() {
        let text = document(&record(), "");
        assert!(text.contains("## One core"), "{text}");
        assert!(!text.contains("## Memory"), "{text}");
        assert!(text.contains("| growth: time per state"), "{text}");
    }
}
