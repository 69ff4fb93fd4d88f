//! Recording what SPIN says about our own liveness models.

use std::path::Path;

use spinor_check::Loaded;

use super::answer::read;
use crate::classify::{ErrorKind, classify_message};
use crate::golden::{defines, models_under};
use crate::spin::{Oracle, OracleError, Question, SpinOutcome, Target};

/// Columns of `golden.tsv`; `reduced` is SPIN's word under partial order reduction.
const COLUMNS: &str = "model\tproperty\tfairness\tverdict\tstored\treduced";

/// The properties of a model that infinite runs decide, as on the command line.
#[must_use]
pub fn properties(loaded: &Loaded) -> Vec<String> {
    let (Some(model), Some(program)) = (&loaded.model, &loaded.program) else {
        return Vec::new();
    };
    let mut names: Vec<String> = model.ltl.iter().map(|l| l.name.to_string()).collect();
    if !program.claims.is_empty() {
        names.push("never".to_owned());
    }
    let locations = || program.proctypes.iter().flat_map(|p| &p.automaton.locations);
    if locations().any(|l| l.is_accepting) {
        names.push("acceptance".to_owned());
    }
    if locations().any(|l| l.is_progress) {
        names.push("non-progress".to_owned());
    }
    names
}

/// What SPIN has to find for a property to be violated.
#[must_use]
pub fn target(property: &str) -> Target {
    match property {
        "acceptance" => Target::Acceptance,
        "non-progress" => Target::NonProgress,
        "never" => Target::Claim(None),
        name => Target::Claim(Some(name.to_owned())),
    }
}

/// SPIN's answer in a word or two.
#[must_use]
pub fn word(outcome: &SpinOutcome) -> String {
    if outcome.refused.is_some() {
        return "refused".to_owned();
    }
    if let Some(message) = outcome.messages.first() {
        return match classify_message(&message.text) {
            ErrorKind::AcceptanceCycle => "acceptance cycle".to_owned(),
            ErrorKind::NonProgressCycle => "non-progress cycle".to_owned(),
            ErrorKind::ClaimViolated => "claim violated".to_owned(),
            ErrorKind::Assertion => "assertion violated".to_owned(),
            _ => message.text.clone(),
        };
    }
    let is_cut = outcome.truncated.is_some() || outcome.crashed.is_some();
    if is_cut { "limit" } else { "ok" }.to_owned()
}

/// Asks SPIN about every model under `dir` and writes `golden.tsv` there.
///
/// # Errors
/// SPIN is missing or a file cannot be read or written.
pub fn record(dir: &Path) -> Result<usize, OracleError> {
    let mut text = format!("{COLUMNS}\n");
    let mut count = 0;
    for path in models_under(dir)? {
        let name = path.strip_prefix(dir).unwrap_or(&path).with_extension("");
        let source = std::fs::read_to_string(&path)?;
        for line in record_model(&name.to_string_lossy().replace('\\', "/"), &source)? {
            text.push_str(&line);
            text.push('\n');
            count += 1;
        }
    }
    std::fs::write(dir.join("golden.tsv"), text)?;
    Ok(count)
}

fn record_model(name: &str, source: &str) -> Result<Vec<String>, OracleError> {
    let defines = defines(source);
    let loaded = read(name, source, &defines).map_err(std::io::Error::other)?;
    let properties = properties(&loaded);
    let mut questions = Vec::new();
    for property in &properties {
        for reduced in [false, true] {
            for weakly_fair in [false, true] {
                questions.push(Question { target: target(property), weakly_fair, reduced });
            }
        }
    }
    let oracle = Oracle { defines, ..Oracle::default() };
    let outcomes = oracle.check_cycles(source, None, &questions)?;
    let mut lines = Vec::new();
    for (property, said) in properties.iter().zip(outcomes.chunks(4)) {
        for (i, fairness) in ["none", "weak"].into_iter().enumerate() {
            let (plain, reduced) = (word(&said[i]), word(&said[i + 2]));
            let stored = said[i].stored;
            lines.push(format!("{name}\t{property}\t{fairness}\t{plain}\t{stored}\t{reduced}"));
        }
    }
    Ok(lines)
}
