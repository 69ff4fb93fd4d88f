//! What the machine's memory can do, and how far a search is from it.

use anyhow::{Context, Result};
use serde_json::Value;

use super::figures::median;
use super::record::{Record, View};
use super::section::Section;
use super::table::{MISSING, Table};
use crate::shell;

/// Ways of accessing memory: the name in the record and the head of the column.
const WAYS: &[(&str, &str)] = &[
    ("chase", "one after the other, ns"),
    ("batch", "sixteen at a time, ns"),
    ("update", "read and written, ns"),
];

/// The way that a search takes.
const BATCH: &str = "batch";

/// A measured access: bytes of memory, way, nanoseconds.
#[derive(Clone, Debug, PartialEq)]
pub struct Access {
    /// Size of the memory that is accessed at random.
    pub bytes: u64,
    /// One of [`WAYS`].
    pub way: &'static str,
    /// How long one takes.
    pub nanoseconds: f64,
}

/// Runs the program that measures it.
pub fn measure() -> Result<Vec<Access>> {
    let mut command = shell::cargo();
    command.args(["run", "--release", "--quiet", "-p", "spinor-store"]);
    command.args(["--example", "memory_limit", "--", "--json"]);
    read(&shell::stdout(&mut command)?)
}

fn read(text: &str) -> Result<Vec<Access>> {
    let json: Value = serde_json::from_str(text).context("memory_limit gives no JSON")?;
    let mut accesses = Vec::new();
    for size in json.as_array().context("memory_limit gives no list")? {
        let bytes = size["bytes"].as_u64().context("no `bytes`")?;
        for (way, _) in WAYS {
            if let Some(nanoseconds) = size[format!("{way}_ns")].as_f64() {
                accesses.push(Access { bytes, way, nanoseconds });
            }
        }
    }
    Ok(accesses)
}

/// The accesses of a point, and how to read them.
pub fn table(view: &View) -> (&'static str, Table) {
    let mut table = Table::new(&["bytes"]);
    table.columns.extend(WAYS.iter().map(|(_, head)| *head));
    table.columns.push("sixteen at a time, millions a second");
    for size in view.models() {
        let nanoseconds = |way| time(view, size, way);
        let mut row = vec![size.to_owned()];
        let shown = |time: Option<f64>| time.map_or(MISSING.to_owned(), |t| format!("{t:.1}"));
        row.extend(WAYS.iter().map(|(way, _)| shown(nanoseconds(way))));
        row.push(shown(nanoseconds(BATCH).map(|t| 1000.0 / t)));
        table.rows.push(row);
    }
    let explanation = "Random accesses to memory in large pages: each waiting for the one before, \
        and sixteen announced ahead, as a search does it (`cargo run --release -p spinor-store \
        --example memory_limit`).";
    (explanation, table)
}

fn time(view: &View, size: &str, way: &str) -> Option<f64> {
    let notes = view.notes();
    let (_, _, time) =
        notes.iter().find(|(model, subject, _)| *model == size && *subject == way)?;
    time.parse().ok()
}

/// How the time of a transition compares with one access to memory of the size of the
/// states: an exact search needs at least that one.
pub fn distance(record: &Record) -> Option<String> {
    let machine = record.latest(Section::Machine.name());
    let mut steps: Vec<(u64, f64)> = machine
        .models()
        .iter()
        .filter_map(|size| Some((size.parse().ok()?, time(&machine, size, BATCH)?)))
        .collect();
    steps.sort_by_key(|(bytes, _)| *bytes);
    let runs = record.latest(Section::OneCore.name());
    let (mut transitions, mut ratios) = (Vec::new(), Vec::new());
    for model in runs.models() {
        let Some(run) = runs.figures(model, "bfs").filter(|run| run.store_bytes > 0) else {
            continue;
        };
        let transition = run.cpu * 1e9 / run.transitions.max(1) as f64;
        let fits = steps.iter().find(|(bytes, _)| *bytes >= run.store_bytes);
        let (_, access) = fits.or(steps.last())?;
        transitions.push(transition);
        ratios.push(transition / access);
    }
    let (transition, ratio) = (median(&transitions)?, median(&ratios)?);
    Some(format!(
        "On one core a transition takes {transition:.0} ns ({:.0} million a second) in the median \
         model: as long as {ratio:.1} random accesses, sixteen at a time, to memory of the size \
         of its states. One access is the least that a set of states needs.",
        1000.0 / transition
    ))
}

#[cfg(test)]
mod tests {
    use super::super::figures::Figures;
    use super::super::record::Entry;
    use super::super::record::tests::row;
    use super::*;

    #[test]
    fn reports_are_read() {
        let text = "[{\"bytes\": 1024, \"chase_ns\": 87.0, \"batch_ns\": 18.5}]";
        let access = |way, nanoseconds| Access { bytes: 1024, way, nanoseconds };
        let accesses = read(text).expect("fine");
        assert_eq!(accesses, [access("chase", 87.0), access("batch", 18.5)]);
        assert!(read("[{}]").is_err());
    }

    #[test]
    fn transitions_are_held_against_memory_of_their_size() {
        let fact = |size: &str, ns: &str| {
            row("2026-01-01", "machine", size, BATCH, Entry::Note(ns.to_owned()))
        };
        let figures =
            Figures { store_bytes: 2000, cpu: 1.0, transitions: 10_000_000, ..Figures::default() };
        let rows = vec![
            fact("1000", "5.0"),
            fact("4000", "20.0"),
            row("2026-01-01", "one-core", "a", "bfs", Entry::Figures(figures)),
        ];
        let text = distance(&Record { rows }).expect("measured");
        assert!(text.contains("takes 100 ns (10 million a second)"), "{text}");
        assert!(text.contains("as long as 5.0 random accesses"), "{text}");
        assert_eq!(distance(&Record::default()), None);
    }
}
