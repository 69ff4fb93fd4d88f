//! All runs on one model, in turns.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::figures::Figures;
use super::models::Model;
use super::pan::{Reference, Verifiers};
use super::record::Entry;
use super::spinor::Spinor;
use super::subject::{Mode, Subject};

/// Who measures, and how often.
pub struct Bench {
    /// The build that is measured.
    pub spinor: Spinor,
    /// Where verifiers of SPIN are kept.
    pub cache: PathBuf,
    /// How many times everything runs.
    pub rounds: usize,
    /// Fetches pages for the next run.
    pub pages: PathBuf,
}

/// Memory that is fetched before a run of which it is not known how much it needs.
const PAGES: u64 = 256 << 20;

/// Starts the note of a run whose counts are not SPIN's.
const DISAGREEMENT: &str = "counts differ";

/// Whether an entry says that counts differ.
pub fn is_disagreement(entry: &Entry) -> bool {
    matches!(entry, Entry::Note(note) if note.starts_with(DISAGREEMENT))
}

impl Bench {
    /// The medians of each subject, or why there are none.
    pub fn measure(&self, model: &Model, subjects: &[Subject]) -> Vec<(Subject, Entry)> {
        let all_fail = |error: &anyhow::Error| {
            println!("  {error:#}");
            let note = Entry::Note(format!("{error:#}"));
            subjects.iter().map(|s| (*s, note.clone())).collect()
        };
        if let Err(error) = std::fs::create_dir_all(&self.cache).context("no place to build in") {
            return all_fail(&error);
        }
        let searches = subjects.iter().any(|s| !matches!(s, Subject::Simulation(_)));
        let verifiers = match self.verifiers(model, searches) {
            Ok(verifiers) => verifiers,
            Err(error) => return all_fail(&error),
        };
        let mut runs: Vec<Result<Vec<Figures>>> = subjects
            .iter()
            .map(|subject| match (subject, &verifiers) {
                (Subject::Pan(mode), Some(verifiers)) => {
                    verifiers.prepare(*mode).map(|()| Vec::new())
                }
                _ => Ok(Vec::new()),
            })
            .collect();
        let seed =
            model.name.bytes().fold(0, |seed: u64, byte| 31 * (seed % 1_000_003) + u64::from(byte));
        let mut chance = fastrand::Rng::with_seed(seed);
        let mut order: Vec<usize> = (0..subjects.len()).collect();
        for _ in 0..self.rounds {
            // What a run leaves behind, pages above all, is not to meet the same one every time.
            chance.shuffle(&mut order);
            for at in &order {
                if let Ok(done) = &mut runs[*at] {
                    let last = done.last().map_or(PAGES, |figures| figures.peak_bytes);
                    self.fetch_pages(last + last / 4);
                    match self.run(model, verifiers.as_ref(), subjects[*at]) {
                        Ok(figures) => done.push(figures),
                        Err(error) => runs[*at] = Err(error),
                    }
                }
            }
        }
        let results = subjects.iter().zip(runs).map(|(subject, runs)| (*subject, entry(runs)));
        results.inspect(|(subject, entry)| println!("  {}", line(*subject, entry))).collect()
    }

    /// Sees to it that the system has so much memory at hand: on a virtual machine it may have to wait for its host, and
    /// that is a matter of chance.
    fn fetch_pages(&self, bytes: u64) {
        let megabytes = (bytes >> 20) + 1;
        // Without it times are less steady, nothing else.
        let _ = Command::new(&self.pages).arg(megabytes.to_string()).status();
    }

    fn verifiers(&self, model: &Model, searches: bool) -> Result<Option<Verifiers>> {
        (searches && model.with_spin).then(|| Verifiers::of(model, &self.cache)).transpose()
    }

    /// One run, whose counts are right.
    fn run(
        &self,
        model: &Model,
        verifiers: Option<&Verifiers>,
        subject: Subject,
    ) -> Result<Figures> {
        let needed = || verifiers.context("SPIN is not used on this model");
        let figures = match subject {
            Subject::Pan(mode) => needed()?.run(mode)?,
            Subject::PanWhole => needed()?.run_whole(model)?,
            Subject::Spinor(setting) => self.spinor.run(model, &self.cache, setting)?,
            Subject::Simulation(simulator) => simulator.run(model, &self.cache, &self.spinor)?,
        };
        if let Some(verifiers) = verifiers {
            compare(&figures, &verifiers.reference, subject)?;
        }
        Ok(figures)
    }
}

/// Exact searches find what SPIN finds; lossy ones no more. SPIN's own breadth-first mode
/// for two cores stores states of its own beside.
fn compare(figures: &Figures, reference: &Reference, subject: Subject) -> Result<()> {
    let Figures { stored, transitions, .. } = *figures;
    let right = if subject == Subject::Pan(Mode::BfsPar) || subject.is_endless() {
        true
    } else if subject.is_lossy() {
        stored <= reference.stored
    } else {
        (stored, transitions) == (reference.stored, reference.transitions)
    };
    ensure!(
        right,
        "{DISAGREEMENT}: {stored} states and {transitions} transitions, SPIN has {} and {}",
        reference.stored,
        reference.transitions,
    );
    Ok(())
}

fn entry(runs: Result<Vec<Figures>>) -> Entry {
    let figures = runs.and_then(|runs| Figures::median(&runs).context("no run"));
    figures.map_or_else(|error| Entry::Note(format!("{error:#}")), Entry::Figures)
}

/// A result for the terminal.
fn line(subject: Subject, entry: &Entry) -> String {
    let name = subject.name();
    match entry {
        Entry::Figures(f) => format!(
            "{name:<13} {:>10} states {:>8.2} s CPU {:>8.2} s {:>6.1} B/state",
            f.stored,
            f.cpu,
            f.wall,
            f.bytes_per_state()
        ),
        Entry::Note(why) => format!("{name:<13} {why}"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::subject::Setting;
    use super::*;

    #[test]
    fn counts_must_agree_where_the_search_is_exact() {
        let report = "State-vector 4 byte, depth reached 1, errors: 0\n\
            5 states, stored\n9 transitions (= stored+matched)\n";
        let reference = Reference::read(report).expect("complete");
        let check = |stored, subject| {
            let figures = Figures { stored, transitions: 9, ..Figures::default() };
            compare(&figures, &reference, subject)
        };
        assert!(check(5, Subject::Spinor(Setting::Bfs)).is_ok());
        let error = check(4, Subject::Spinor(Setting::Bfs)).expect_err("too few");
        assert!(is_disagreement(&Entry::Note(format!("{error:#}"))));
        assert!(check(4, Subject::Pan(Mode::Bitstate)).is_ok());
        assert!(check(6, Subject::Spinor(Setting::HashCompact)).is_err());
    }
}
