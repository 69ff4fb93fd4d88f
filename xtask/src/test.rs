//! `cargo xtask test`: all that the project promises, in one command.
//!
//! First what is built and looked at as a whole, step by step; then programs that test
//! one thing each, as many at a time as there are cores: what these write is shown when they
//! have ended. A failure ends the run. A step that cannot run says why; it never passes
//! silently.

mod steps;

use std::fs::File;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::setup::{self, Tools};
use crate::shell;
use steps::STEPS;

/// What was asked for.
#[derive(Clone, Copy)]
pub struct Wanted {
    /// Leave out the long steps.
    pub quick: bool,
    /// Go on after a failed step.
    pub keep_going: bool,
}

/// How a step ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Fine; the text may say what was seen.
    Passed(String),
    /// Could not run, and why.
    Skipped(String),
    /// Something is wrong.
    Failed(String),
}

impl Outcome {
    fn word(&self) -> &'static str {
        match self {
            Outcome::Passed(_) => "passed",
            Outcome::Skipped(_) => "skipped",
            Outcome::Failed(_) => "FAILED",
        }
    }

    fn text(&self) -> &str {
        match self {
            Outcome::Passed(text) | Outcome::Skipped(text) | Outcome::Failed(text) => text,
        }
    }
}

/// What a step gets to know.
pub struct Cx<'a> {
    tools: &'a Tools,
    wanted: Wanted,
    /// Where output goes, if not to the terminal.
    pub log: Option<File>,
}

struct Step {
    name: &'static str,
    /// Takes minutes whatever happens.
    is_long: bool,
    /// Minds nobody beside it.
    is_beside: bool,
    run: fn(&Cx<'_>) -> Outcome,
}

impl Step {
    const fn first(name: &'static str, run: fn(&Cx<'_>) -> Outcome) -> Self {
        Self { name, is_long: false, is_beside: false, run }
    }

    const fn beside(name: &'static str, run: fn(&Cx<'_>) -> Outcome) -> Self {
        Self { name, is_long: false, is_beside: true, run }
    }

    const fn long(name: &'static str, run: fn(&Cx<'_>) -> Outcome) -> Self {
        Self { name, is_long: true, is_beside: true, run }
    }
}

type Row = (&'static str, Outcome, Duration);

/// Runs all steps; `false` if one failed.
pub fn run(wanted: Wanted) -> bool {
    let start = Instant::now();
    heading("set-up");
    let tools = setup::run();
    let summary = tools.summary();
    println!("{summary}");
    let mut rows = vec![("set-up", Outcome::Passed(summary), start.elapsed())];
    let failed = AtomicBool::new(false);
    let (beside, first): (Vec<&Step>, Vec<&Step>) = STEPS.iter().partition(|s| s.is_beside);
    for step in first {
        heading(step.name);
        let row = take(step, &failed, Cx { tools: &tools, wanted, log: None });
        close(&row);
        rows.push(row);
    }
    rows.extend(run_beside(&beside, &failed, &tools, wanted));
    print!("\n{}", table(&rows));
    println!("\n{} in {}", verdict(&rows), shell::human(start.elapsed()));
    !failed.into_inner()
}

/// Runs steps on all cores, each with a log of its own.
fn run_beside(steps: &[&Step], failed: &AtomicBool, tools: &Tools, wanted: Wanted) -> Vec<Row> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let next = AtomicUsize::new(0);
    let rows = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..cores.min(steps.len()) {
            scope.spawn(|| {
                while let Some(&step) = steps.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let (row, log) = with_log(step, failed, tools, wanted);
                    let mut rows = rows.lock().expect("no step panics while it is shown");
                    heading(step.name);
                    print!("{log}");
                    close(&row);
                    rows.push(row);
                }
            });
        }
    });
    let mut rows = rows.into_inner().expect("all threads have ended");
    rows.sort_by_key(|(name, ..)| steps.iter().position(|step| step.name == *name));
    rows
}

fn with_log(step: &Step, failed: &AtomicBool, tools: &Tools, wanted: Wanted) -> (Row, String) {
    let opened = tempfile::NamedTempFile::new().and_then(|file| Ok((file.reopen()?, file)));
    let (log, file) = match opened {
        Ok(opened) => opened,
        Err(error) => {
            failed.store(true, Ordering::Relaxed);
            let why = format!("there is no place for its output: {error}");
            return ((step.name, Outcome::Failed(why), Duration::ZERO), String::new());
        }
    };
    let row = take(step, failed, Cx { tools, wanted, log: Some(log) });
    let text = std::fs::read(file.path()).unwrap_or_default();
    (row, String::from_utf8_lossy(&text).into_owned())
}

/// Runs a step unless it is left out.
fn take(step: &Step, failed: &AtomicBool, cx: Cx<'_>) -> Row {
    let begin = Instant::now();
    let outcome = if failed.load(Ordering::Relaxed) && !cx.wanted.keep_going {
        Outcome::Skipped("an earlier step failed".to_owned())
    } else if step.is_long && cx.wanted.quick {
        Outcome::Skipped("left out by --quick".to_owned())
    } else {
        (step.run)(&cx)
    };
    if matches!(outcome, Outcome::Failed(_)) {
        failed.store(true, Ordering::Relaxed);
    }
    (step.name, outcome, begin.elapsed())
}

fn heading(name: &str) {
    println!("\n== {name}");
}

fn close((_, outcome, time): &Row) {
    println!("{}: {} ({})", outcome.word(), outcome.text(), shell::human(*time));
}

fn table(rows: &[(&str, Outcome, Duration)]) -> String {
    let width = rows.iter().map(|(name, ..)| name.len()).max().unwrap_or_default();
    let mut text = String::new();
    for (name, outcome, time) in rows {
        let time = shell::human(*time);
        let line = format!("{name:width$}  {:7}  {time:>12}  {}", outcome.word(), outcome.text());
        text.push_str(line.lines().next().unwrap_or_default().trim_end());
        text.push('\n');
    }
    text
}

fn verdict(rows: &[(&str, Outcome, Duration)]) -> String {
    let count = |word| rows.iter().filter(|(_, outcome, _)| outcome.word() == word).count();
    let (passed, skipped, failed) = (count("passed"), count("skipped"), count("FAILED"));
    format!("{passed} passed, {skipped} skipped, {failed} failed")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_shows_every_step_on_one_line() {
        let second = Duration::from_secs(1);
        let rows = [
            ("format", Outcome::Passed(String::new()), second),
            ("fuzzing", Outcome::Skipped("no spin".to_owned()), second),
            ("tests", Outcome::Failed("exit code 1\nmore".to_owned()), second),
        ];
        let expected = "\
format   passed          1.0 s
fuzzing  skipped         1.0 s  no spin
tests    FAILED          1.0 s  exit code 1
";
        assert_eq!(table(&rows), expected);
        assert_eq!(verdict(&rows), "1 passed, 1 skipped, 1 failed");
    }
}
