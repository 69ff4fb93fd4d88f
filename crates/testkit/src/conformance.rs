//! Recorded results of SPIN as test cases.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use spinor_syntax::{Define, PreprocessOptions};
use spinor_ts::Outcome;

use crate::classify::{ErrorKind, RuntimeKind, classify_message};
use crate::golden::{self, Row};
use crate::spin::Config;
use crate::spinor::{Order, compile_with, kind, search_within};

/// One recorded row and the model it is about.
#[derive(Clone, Debug)]
pub struct Case {
    /// For messages.
    pub name: String,
    /// The model.
    pub path: PathBuf,
    /// What SPIN said.
    pub row: Row,
}

/// What comes of a case.
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
    let case = |row: Row| {
        let name = row.model().to_owned();
        Case { path: dir.join(format!("{name}.pml")), name, row }
    };
    Ok(golden::read(&dir.join("golden.tsv"))?.into_iter().map(case).collect())
}

/// The rows of a corpus of collected models that a safety search can be
/// compared with.
pub fn corpus_cases(dir: &Path) -> io::Result<Vec<Case>> {
    let parity = golden::read(&dir.join("parity-plain.tsv"))?.into_iter().map(|row| {
        let name = format!("parity/{}.pml", row.model());
        Case { path: dir.join(&name), name, row }
    });
    let golden = golden::read(&dir.join("golden.tsv"))?;
    let compared = ["full-plain", "verdict", "verdict-no-deadlock", "verdict-por"];
    let collected = golden.into_iter().filter(|row| compared.contains(&row.config())).map(|row| {
        let name = row.model().to_owned();
        Case { path: dir.join(&name), name, row }
    });
    Ok(parity.chain(collected).collect())
}

/// Runs a case.
#[must_use]
pub fn judge(case: &Case, limit: Duration) -> Judgement {
    let skip = |reason: &str| Judgement::Skipped(reason.to_owned());
    let Ok(bytes) = std::fs::read(&case.path) else {
        return Judgement::Differs("the model cannot be read".to_owned());
    };
    let source = String::from_utf8_lossy(&bytes).into_owned();
    let name = case.path.to_string_lossy();
    let defines = golden::defines(&source);
    let options = PreprocessOptions { defines: defines.iter().map(|d| define(d)).collect() };
    let config = case.row.config();
    let program = match compile_with(&name, &source, &options) {
        Ok(program) => program,
        Err(reason) if reason.contains("embedded C") => return skip("embedded C"),
        Err(_) if config == "refused" => return Judgement::Agrees,
        Err(reason) => return Judgement::Differs(format!("refused: {reason}")),
    };
    let said = case.row.get("verdict").or(case.row.get("message")).unwrap_or_default();
    if said == "limit" || config.ends_with(":limit") || is_limit_of_spin(said) {
        return skip("SPIN did not finish");
    }
    let kinds_of = |config, order| {
        let outcome = search_within(&program, config, order, limit);
        let kinds = sorted_kinds(&outcome);
        (outcome, kinds)
    };
    match config {
        "full" | "full-plain" => {
            if aborts_search(said) {
                return skip("a run-time error of the model stopped SPIN");
            }
            for order in [Order::DepthFirst, Order::BreadthFirst] {
                let (outcome, _) = kinds_of(Config::Full, order);
                // With hidden variables the graph depends on the order of search.
                if order == Order::BreadthFirst && program.hidden_bytes > 0 {
                    continue;
                }
                if let Some(how) = counts_differ(&case.row, &outcome) {
                    return Judgement::Differs(format!("{order:?}: {how}"));
                }
            }
            Judgement::Agrees
        }
        "verdict" | "verdict-por" | "verdict-no-deadlock" | "claim" | "bfs" => {
            let want =
                if said.is_empty() || said == "ok" { None } else { Some(classify_message(said)) };
            let question = match config {
                "claim" => Config::Claim,
                _ => Config::VerdictAll,
            };
            for order in [Order::DepthFirst, Order::BreadthFirst] {
                let (outcome, mut found) = kinds_of(question, order);
                if config == "verdict-no-deadlock" {
                    found.retain(|k| *k != ErrorKind::InvalidEndState);
                }
                let complete = outcome.incomplete.is_empty();
                let same = match want {
                    None => found.is_empty(),
                    Some(want) => found.contains(&want),
                };
                if same || is_known_difference(case, want, &found) {
                    continue;
                }
                if !complete {
                    return skip("too large for the time of this run");
                }
                return Judgement::Differs(format!("{order:?}: SPIN {want:?}, we {found:?}"));
            }
            Judgement::Agrees
        }
        "refused" => {
            if is_accepted_on_purpose(&case.name) {
                Judgement::Agrees
            } else {
                Judgement::Differs("SPIN refuses it, we do not".to_owned())
            }
        }
        _ if config.ends_with(":crash") => skip("SPIN crashed"),
        _ => skip("configuration without a counterpart"),
    }
}

fn define(text: &str) -> Define {
    let (name, value) = text.split_once('=').unwrap_or((text, "1"));
    Define::Define(name.to_owned(), value.to_owned())
}

fn sorted_kinds(outcome: &Outcome) -> Vec<ErrorKind> {
    let mut kinds: Vec<_> = outcome.errors.iter().map(|e| kind(e.violation)).collect();
    kinds.sort();
    kinds.dedup();
    kinds
}

fn counts_differ(row: &Row, outcome: &Outcome) -> Option<String> {
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
fn is_limit_of_spin(said: &str) -> bool {
    said.contains("VECTORSZ") || said.contains("aborting")
}

/// Run-time errors that end SPIN's search, so that its counts are partial.
fn aborts_search(said: &str) -> bool {
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

/// Legal models that SPIN trips over.
fn is_accepted_on_purpose(name: &str) -> bool {
    ["refused/break_before_dstep", "refused/send_too_many"].contains(&name)
}
