//! `cargo xtask reduction`: partial order reduction beside SPIN's, and what it costs.
//!
//! SPIN's counts are those recorded with the corpus; Spinor runs with and without reduction.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::spinor::{REDUCED, Spinor};
use super::table::{MISSING, Table, count};
use crate::{measure, shell};

/// Where everything goes.
const DOCUMENT: &str = "docs/reduction.md";
/// Results of SPIN for the collected models.
const CORPUS: &str = "../shared/corpus";
/// With its own reduction, to the end.
const RECORDED: &str = "full-por";
/// Runs that store fewer states are over before their time means anything.
const TIMED: u64 = 20_000;
/// The least time of so many runs of each counts.
const ROUNDS: usize = 3;
/// A run that takes longer is left out.
const LIMIT: Duration = Duration::from_secs(60);

/// Models of which SPIN's reduction leaves out too much: see `models/spin_defects/reduction_ends.pml`.
const MISSED: &[(&str, &str)] = &[(
    "Examples/Book_1991/p108.pml",
    "more than 255 processes, if those at their end stay; to be reduced soundly it is too large",
)];

const HEAD: &str = "# Partial order reduction

Written by `cargo xtask reduction`.

States: those that SPIN 6.5.2 stores with its own reduction (and statement merging), as recorded with the corpus, against those that
Spinor stores, all models that SPIN completes. Time: CPU time of Spinor's search, one thread, the least of three runs, with reduction against `--plain`, the whole
graph; models of which fewer than 20,000 states are stored are not timed. A state that has one way on is passed and not stored, so a stored state may stand for several:
*per stored* divides the time by the stored states, *per visited* by these and the passed ones, each as often as it was passed. *Total* is the time of the
whole search: below 1, reduction pays. All that against `--plain`, which merges no statements either; *alone* is against `--no-reduction`, which does, so it is what
partial order reduction itself costs.

";

/// A model and what SPIN stores of it.
struct Subject {
    name: String,
    spin: u64,
    defines: Vec<String>,
}

/// What a run of ours stored and took.
#[derive(Clone, Copy)]
struct Run {
    stored: u64,
    passed: u64,
    seconds: f64,
}

/// What came of a model.
struct Line {
    name: String,
    spin: u64,
    ours: u64,
    /// Against the bare semantics, and against all other reductions.
    times: Option<[Times; 2]>,
}

/// Searches that reduction is compared with.
const UNREDUCED: [&str; 2] = ["--plain", "--no-reduction"];

/// Reduced over unreduced.
struct Times {
    per_stored: f64,
    per_visited: f64,
    total: f64,
}

impl Line {
    fn states(&self) -> f64 {
        self.ours as f64 / self.spin as f64
    }
}

/// Measures and writes the document.
pub fn run(spinor: &Spinor, cache: &Path) -> Result<bool> {
    let folder = cache.join("spinor");
    std::fs::create_dir_all(&folder)?;
    let corpus = shell::root().join(CORPUS);
    let golden = std::fs::read_to_string(corpus.join("golden.tsv"))
        .context("the corpus is not there: its results of SPIN are needed")?;
    let (mut lines, mut missing, mut missed) = (Vec::new(), Vec::new(), Vec::new());
    for subject in subjects(&golden) {
        if let Some((_, why)) = MISSED.iter().find(|(name, _)| *name == subject.name) {
            missed.push(format!("{} ({why})", subject.name));
            continue;
        }
        match measured(spinor, &folder, &corpus, &subject) {
            Ok(line) => lines.push(line),
            Err(error) => missing.push(format!("{} ({error})", subject.name)),
        }
    }
    ensure!(!lines.is_empty(), "no model could be measured");
    std::fs::write(shell::root().join(DOCUMENT), document(&mut lines, &missing, &missed))?;
    println!("wrote {DOCUMENT}");
    Ok(true)
}

/// The models of a record.
fn subjects(golden: &str) -> Vec<Subject> {
    let subject = |line: &str| {
        let cells: Vec<&str> = line.split('\t').collect();
        let &[name, RECORDED, "ok", stored, _, _, _, _, _, _, _, _, flags, ..] = cells.as_slice()
        else {
            return None;
        };
        let defines = flags.split_whitespace().filter(|flag| flag.starts_with("-D"));
        Some(Subject {
            name: name.to_owned(),
            spin: stored.parse().ok().filter(|stored| *stored > 0)?,
            defines: defines.map(str::to_owned).collect(),
        })
    };
    golden.lines().filter_map(subject).collect()
}

fn measured(spinor: &Spinor, folder: &Path, corpus: &Path, subject: &Subject) -> Result<Line> {
    let path = corpus.join(&subject.name).canonicalize()?;
    let once = |option: Option<&str>| one_run(spinor, folder, &path, subject, option);
    let mut reduced = once(None)?;
    let mut times = None;
    if reduced.stored >= TIMED {
        let mut others = [once(Some(UNREDUCED[0]))?, once(Some(UNREDUCED[1]))?];
        for _ in 1..ROUNDS {
            // By turns: a disturbance meets all.
            reduced.seconds = reduced.seconds.min(once(None)?.seconds);
            for (other, option) in others.iter_mut().zip(UNREDUCED) {
                other.seconds = other.seconds.min(once(Some(option))?.seconds);
            }
        }
        times = Some(others.map(|other| compared(reduced, other)));
    }
    Ok(Line { name: subject.name.clone(), spin: subject.spin, ours: reduced.stored, times })
}

fn compared(reduced: Run, plain: Run) -> Times {
    let total = reduced.seconds / plain.seconds;
    let per = |states: u64| total * plain.stored as f64 / states as f64;
    Times {
        per_stored: per(reduced.stored),
        per_visited: per(reduced.stored + reduced.passed),
        total,
    }
}

fn one_run(
    spinor: &Spinor,
    folder: &Path,
    path: &Path,
    subject: &Subject,
    option: Option<&str>,
) -> Result<Run> {
    let options = ["check", "--threads", "1"].iter().chain(REDUCED);
    let mut arguments: Vec<String> = options.map(|option| (*option).to_owned()).collect();
    arguments.extend(option.map(str::to_owned));
    arguments.extend(subject.defines.iter().cloned());
    arguments.push(path.to_string_lossy().into_owned());
    let (output, _) = measure::run(folder, &spinor.program, &arguments, LIMIT)?;
    let json: Value = serde_json::from_slice(&output.stdout).context("no report")?;
    let result = &json["results"][0];
    ensure!(result["complete"].as_bool() == Some(true), "the search was not complete");
    let stats = &result["stats"];
    Ok(Run {
        stored: stats["stored"].as_u64().context("no count of states")?,
        passed: stats["passed"].as_u64().unwrap_or(0),
        seconds: stats["cpu_seconds"].as_f64().context("no CPU time")?,
    })
}

fn document(lines: &mut [Line], missing: &[String], missed: &[String]) -> String {
    let mut text = HEAD.to_owned();
    summary(lines, &mut text);
    if !missing.is_empty() {
        let _ = writeln!(
            text,
            "\nNot completed, though SPIN does, so over every bar: {}.",
            missing.join("; ")
        );
    }
    if !missed.is_empty() {
        let _ = writeln!(
            text,
            "\nLeft out, because SPIN's reduction misses an error there: {}.",
            missed.join("; ")
        );
    }
    lines.sort_by(|a, b| b.states().total_cmp(&a.states()));
    let mut table = Table::new(&[
        "model",
        "SPIN's states",
        "ours",
        "ratio",
        "per stored",
        "per visited",
        "total",
        "per stored, alone",
        "total, alone",
    ]);
    for line in lines.iter() {
        let time = |of: fn(&[Times; 2]) -> f64| {
            line.times.as_ref().map_or_else(|| MISSING.to_owned(), |t| format!("{:.2}", of(t)))
        };
        table.rows.push(vec![
            line.name.clone(),
            count(line.spin),
            count(line.ours),
            format!("{:.2}", line.states()),
            time(|[t, _]| t.per_stored),
            time(|[t, _]| t.per_visited),
            time(|[t, _]| t.total),
            time(|[_, t]| t.per_stored),
            time(|[_, t]| t.total),
        ]);
    }
    text.push('\n');
    text.push_str(&table.format());
    text
}

/// The figures of all models together.
fn summary(lines: &[Line], text: &mut String) {
    let states: Vec<f64> = lines.iter().map(Line::states).collect();
    let mut table =
        Table::new(&["figure", "models", "geometric mean", "median", "worst", "bar", "over it"]);
    let mut row = |name: &str, values: Vec<f64>, bar: Option<f64>| {
        let over = |bar: f64| values.iter().filter(|value| **value > bar).count().to_string();
        let worst = values.iter().copied().fold(0.0, f64::max);
        let cells = [mean(&values), median(values.clone()), worst].map(|v| format!("{v:.2}"));
        let mut row = vec![name.to_owned(), values.len().to_string()];
        row.extend(cells);
        row.push(bar.map_or_else(|| MISSING.to_owned(), |bar| bar.to_string()));
        row.push(bar.map_or_else(|| MISSING.to_owned(), over));
        table.rows.push(row);
    };
    let times = |of: fn(&[Times; 2]) -> f64| {
        lines.iter().filter_map(|l| l.times.as_ref()).map(of).collect()
    };
    row("states, ours / SPIN's", states, Some(1.1));
    row("time per stored state", times(|[t, _]| t.per_stored), Some(1.5));
    row("time per visited state", times(|[t, _]| t.per_visited), None);
    row("total time", times(|[t, _]| t.total), None);
    row("time per stored state, alone", times(|[_, t]| t.per_stored), Some(1.5));
    row("total time, alone", times(|[_, t]| t.total), None);
    text.push_str(&table.format());
}

/// Geometric.
fn mean(values: &[f64]) -> f64 {
    let sum: f64 = values.iter().map(|value| value.ln()).sum();
    (sum / values.len().max(1) as f64).exp()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_spin_completed_is_compared() {
        let rest = "1\t1\t0\t1\t1\t\t0.1\t1\t-DN=3 -O\tcc\tpan";
        let golden = format!(
            "a\tfull-por\tok\t7\t{rest}\nb\tfull-por\tlimit\t7\t{rest}\nc\tfull\tok\t7\t{rest}\n"
        );
        let found = subjects(&golden);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].name.as_str(), found[0].spin), ("a", 7));
        assert_eq!(found[0].defines, ["-DN=3"]);
    }

    #[test]
    fn passed_states_count_as_visited_only() {
        let reduced = Run { stored: 10, passed: 30, seconds: 2.0 };
        let plain = Run { stored: 100, passed: 0, seconds: 4.0 };
        let times = compared(reduced, plain);
        assert_eq!((times.per_stored, times.per_visited, times.total), (5.0, 1.25, 0.5));
    }

    #[test]
    fn middle_and_mean() {
        assert!((mean(&[1.0, 4.0]) - 2.0).abs() < 1e-9);
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
    }
}
