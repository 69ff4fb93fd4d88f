//! Recorded results of SPIN as test cases.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use spinor_program::Program;
use spinor_syntax::PreprocessOptions;
use spinor_ts::Outcome;

use crate::classify::{ErrorKind, RuntimeKind, classify_message};
use crate::golden::{self, Row};
use crate::spin::Config;
use crate::spinor::{
    REFERENCE, SearchOrder, Setup, admits_all_setups, compile_with, kind, name, search_within,
};
use crate::subjects::define;

/// A model and all that SPIN said about it.
#[derive(Clone, Debug)]
pub struct Case {
    /// For messages.
    pub name: String,
    /// The model.
    pub path: PathBuf,
    /// What SPIN said.
    pub rows: Vec<Row>,
}

/// What comes of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// Same counts, same class of verdict.
    Agrees,
    /// Nothing to compare, for this reason.
    Skipped(String),
    /// Not the same.
    Differs(String),
}

/// The rows of `golden.tsv` in a folder of our own models.
pub fn model_cases(dir: &Path) -> io::Result<Vec<Case>> {
    let rows = golden::read(&dir.join("golden.tsv"))?;
    Ok(by_model(rows, dir, |model| format!("{model}.pml")))
}

/// The rows of a corpus of collected models that a safety search can be
/// compared with.
pub fn corpus_cases(dir: &Path) -> io::Result<Vec<Case>> {
    let parity = golden::read(&dir.join("parity-plain.tsv"))?;
    let mut collected = golden::read(&dir.join("golden.tsv"))?;
    let compared = ["full-plain", "verdict", "verdict-no-deadlock", "verdict-por"];
    collected.retain(|row| compared.contains(&row.config()));
    let mut cases = by_model(parity, dir, |model| format!("parity/{model}.pml"));
    cases.extend(by_model(collected, dir, str::to_owned));
    Ok(cases)
}

pub(crate) fn by_model(rows: Vec<Row>, dir: &Path, file: impl Fn(&str) -> String) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for row in rows {
        let name = file(row.model());
        match cases.iter_mut().find(|c| c.name == name) {
            Some(case) => case.rows.push(row),
            None => cases.push(Case { path: dir.join(&name), name, rows: vec![row] }),
        }
    }
    cases
}

/// Runs a case with every set-up; `limit` is for each search that SPIN finished, a
/// fraction of it for the others.
#[must_use]
pub fn judge(case: &Case, setups: &[Setup], limit: Duration) -> Vec<Judgement> {
    let all = |j: Judgement| vec![j; case.rows.len()];
    let Ok(bytes) = std::fs::read(&case.path) else {
        return all(Judgement::Differs("the model cannot be read".to_owned()));
    };
    let source = String::from_utf8_lossy(&bytes).into_owned();
    let defines = golden::defines(&source);
    let defines = defines.iter().map(|d| define(d)).collect();
    let options = PreprocessOptions { defines, ..PreprocessOptions::default() };
    let program = match compile_with(&case.path.to_string_lossy(), &source, &options) {
        Ok(program) => program,
        Err(_) if case.rows.iter().any(|r| r.config() == "refused") => {
            return all(Judgement::Agrees);
        }
        Err(reason) => return all(Judgement::Differs(format!("refused: {reason}"))),
    };
    let is_small = case
        .rows
        .iter()
        .any(|r| matches!(r.config(), "full" | "full-plain") && r.get("verdict") != Some("limit"));
    let limit = if is_small { limit } else { limit / 30 };
    let setups = if admits_all_setups(&program) { setups } else { &[REFERENCE] };
    let mut judge = Judge { case, setups, program, limit, searches: Vec::new() };
    case.rows.iter().map(|row| judge.row(row)).collect()
}

fn skipped(reason: &str) -> Judgement {
    Judgement::Skipped(reason.to_owned())
}

struct Judge<'a> {
    case: &'a Case,
    setups: &'a [Setup],
    program: Arc<Program>,
    limit: Duration,
    /// Searches done: several rows ask the same question.
    searches: Vec<((Config, Setup), Outcome)>,
}

impl Judge<'_> {
    fn search(&mut self, config: Config, setup: &Setup) -> &Outcome {
        let key = (config, *setup);
        let done = self.searches.iter().position(|(k, _)| *k == key);
        let at = done.unwrap_or_else(|| {
            let outcome = search_within(&self.program, config, setup, self.limit);
            self.searches.push((key, outcome));
            self.searches.len() - 1
        });
        &self.searches[at].1
    }

    fn row(&mut self, row: &Row) -> Judgement {
        let config = row.config();
        let said = row.get("verdict").or(row.get("message")).unwrap_or_default();
        if said == "limit" || config.ends_with(":limit") || is_limit_of_spin(said) {
            return skipped("SPIN did not finish");
        }
        match config {
            "full" | "full-plain" => self.counts(row, said),
            "verdict" | "verdict-por" | "verdict-no-deadlock" | "claim" => {
                self.verdict(config, said)
            }
            "refused" if is_accepted_on_purpose(&self.case.name) => Judgement::Agrees,
            "refused" => Judgement::Differs("SPIN refuses it, we do not".to_owned()),
            _ if config.ends_with(":crash") => skipped("SPIN crashed"),
            _ => skipped("configuration without a counterpart"),
        }
    }

    fn counts(&mut self, row: &Row, said: &str) -> Judgement {
        if aborts_search(said) {
            return skipped("a run-time error of the model stopped SPIN");
        }
        for setup in self.setups {
            // With hidden variables the graph depends on the order of search.
            if setup.order == SearchOrder::Bfs && self.program.hidden_bytes > 0 {
                continue;
            }
            if let Some(how) = counts_differ(row, self.search(Config::Full, setup)) {
                return Judgement::Differs(format!("{}: {how}", name(setup)));
            }
        }
        Judgement::Agrees
    }

    fn verdict(&mut self, config: &str, said: &str) -> Judgement {
        let want = (!said.is_empty() && said != "ok").then(|| classify_message(said));
        let question = if config == "claim" { Config::Claim } else { Config::VerdictAll };
        for setup in self.setups {
            let outcome = self.search(question, setup);
            let mut found = sorted_kinds(outcome);
            let complete = outcome.incomplete.is_empty();
            if config == "verdict-no-deadlock" {
                found.retain(|k| *k != ErrorKind::InvalidEndState);
            }
            let same = match want {
                None => found.is_empty(),
                Some(want) => found.contains(&want),
            };
            if is_known_difference(self.case, want, &found) {
                continue;
            }
            match (same, complete) {
                // An error found is an error, whatever was left out.
                (true, true) => {}
                (true, false) if want.is_some() => {}
                (false, false) if found.is_empty() => {
                    return skipped("too large for the time of this run");
                }
                (true, false) => return skipped("too large for the time of this run"),
                (false, _) => {
                    return Judgement::Differs(format!(
                        "{}: SPIN {want:?}, we {found:?}",
                        name(setup)
                    ));
                }
            }
        }
        Judgement::Agrees
    }
}

pub(crate) fn sorted_kinds(outcome: &Outcome) -> Vec<ErrorKind> {
    let mut kinds: Vec<_> = outcome.errors.iter().map(|e| kind(e.violation)).collect();
    kinds.sort();
    kinds.dedup();
    kinds
}

pub(crate) fn counts_differ(row: &Row, outcome: &Outcome) -> Option<String> {
    if !outcome.incomplete.is_empty() {
        return Some(format!("not finished: {:?}", outcome.incomplete));
    }
    let stats = &outcome.stats;
    [
        ("stored", stats.stored),
        ("matched", stats.matched),
        ("transitions", stats.transitions),
        ("atomic", stats.atomic_steps),
    ]
    .into_iter()
    .filter_map(|(name, ours)| Some((name, row.number(name)?, ours)))
    .find(|(_, theirs, ours)| theirs != ours)
    .map(|(name, theirs, ours)| format!("{name}: SPIN {theirs}, we {ours}"))
}

/// SPIN's own limits: the number of bytes in a state.
pub(crate) fn is_limit_of_spin(said: &str) -> bool {
    said.contains("VECTORSZ") || said.contains("aborting")
}

/// Run-time errors that end SPIN's search, so that its counts are partial.
pub(crate) fn aborts_search(said: &str) -> bool {
    let said = said.strip_prefix("other: ").unwrap_or(said);
    match classify_message(said) {
        _ if said.is_empty() || said == "ok" => false,
        ErrorKind::Runtime(runtime) => {
            !matches!(runtime, RuntimeKind::MessageArity | RuntimeKind::PollOfRendezvous)
                || said.contains("wrong nr of msg fields")
        }
        _ => false,
    }
}

/// Where SPIN is wrong; `docs/semantics.md` tells why.
fn is_known_difference(case: &Case, want: Option<ErrorKind>, found: &[ErrorKind]) -> bool {
    let after_sorted_send = ["parity/tr_sorted.pml", "parity/tr_sorted2.pml"];
    let trace_only = want.is_none_or(|w| w == ErrorKind::TraceViolated)
        && found.iter().all(|k| *k == ErrorKind::TraceViolated);
    after_sorted_send.contains(&case.name.as_str()) && trace_only
}

/// Legal models that SPIN trips over, and errors that we report at run time.
fn is_accepted_on_purpose(name: &str) -> bool {
    [
        "refused/break_before_dstep.pml",
        "refused/send_too_many.pml",
        // Locals of a claim and late channels: SPIN complains, yet makes a verifier.
        "parity/claim_local.pml",
        "parity/decl_chan.pml",
    ]
    .contains(&name)
}
