//! Comparing a checker with SPIN.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::classify::{ErrorKind, RuntimeKind, first_kind, kinds};
use crate::generate::{Options, generate_text};
use crate::spin::{Config, Oracle, OracleError, SpinOutcome};

/// What a checker found out about a model.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SubjectOutcome {
    /// Why the model was not accepted.
    pub refused: Option<String>,
    /// Set if a limit cut the search short.
    pub incomplete: bool,
    /// States stored.
    pub stored: u64,
    /// States matched.
    pub matched: u64,
    /// Transitions (stored + matched).
    pub transitions: u64,
    /// Kinds of the errors found, in order of discovery.
    pub errors: Vec<ErrorKind>,
}

/// A checker under test.
pub trait Subject {
    /// Checks a model the way `config` asks SPIN to.
    fn check(&self, source: &str, config: Config) -> SubjectOutcome;
}

impl<F: Fn(&str, Config) -> SubjectOutcome> Subject for F {
    fn check(&self, source: &str, config: Config) -> SubjectOutcome {
        self(source, config)
    }
}

/// How a checker differs from SPIN.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Disagreement {
    /// SPIN accepts the model, the checker does not.
    Refused(String),
    /// Different counts: name, SPIN's, the checker's.
    Count(String, u64, u64),
    /// Different classes of verdict: SPIN's kinds, the checker's.
    Verdict(Vec<ErrorKind>, Vec<ErrorKind>),
}

impl std::fmt::Display for Disagreement {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Disagreement::Refused(reason) => write!(f, "refused: {reason}"),
            Disagreement::Count(name, spin, ours) => {
                write!(f, "{name}: spin {spin}, ours {ours}")
            }
            Disagreement::Verdict(spin, ours) => {
                write!(f, "verdict: spin {spin:?}, ours {ours:?}")
            }
        }
    }
}

/// Compares two outcomes of the same configuration.
///
/// `None` also if nothing can be said: SPIN refused the model or was cut short.
pub fn compare(config: Config, spin: &SpinOutcome, ours: &SubjectOutcome) -> Option<Disagreement> {
    if spin.refused.is_some() {
        return None;
    }
    if let Some(reason) = &ours.refused {
        return Some(Disagreement::Refused(reason.clone()));
    }
    match config {
        Config::Full => compare_counts(spin, ours),
        // After the end of a run SPIN stores claim states at other turns than we do.
        Config::Claim | Config::Verdict | Config::Bfs => compare_first(spin, ours),
        Config::VerdictAll => compare_all(spin, ours),
    }
}

fn compare_counts(spin: &SpinOutcome, ours: &SubjectOutcome) -> Option<Disagreement> {
    if !spin.is_complete() || ours.incomplete || !goes_on(spin) {
        return None;
    }
    [
        ("stored", spin.stored, ours.stored),
        ("matched", spin.matched, ours.matched),
        ("transitions", spin.transitions, ours.transitions),
    ]
    .into_iter()
    .find(|(_, theirs, ours)| theirs != ours)
    .map(|(name, theirs, ours)| Disagreement::Count(name.to_owned(), theirs, ours))
}

/// Some run-time errors abort SPIN's search even under `-c0`, and after others
/// it works on undefined memory: counts then mean nothing.
fn goes_on(spin: &SpinOutcome) -> bool {
    kinds(spin).iter().all(|k| match k {
        ErrorKind::Runtime(r) => matches!(r, RuntimeKind::ExclusiveChannel),
        _ => true,
    })
}

/// The first error depends on the order of search, so only its existence and
/// membership in the checker's class are compared.
fn compare_first(spin: &SpinOutcome, ours: &SubjectOutcome) -> Option<Disagreement> {
    let theirs = first_kind(spin);
    let unfinished = spin.truncated.is_some() || ours.incomplete;
    if theirs.is_some() != ours.errors.is_empty() || unfinished {
        return None;
    }
    Some(Disagreement::Verdict(theirs.into_iter().collect(), ours.errors.clone()))
}

fn compare_all(spin: &SpinOutcome, ours: &SubjectOutcome) -> Option<Disagreement> {
    if !spin.is_complete() || ours.incomplete || !goes_on(spin) {
        return compare_first(spin, ours);
    }
    let theirs = kinds(spin);
    let mut found = ours.errors.clone();
    found.sort();
    found.dedup();
    (theirs != found).then_some(Disagreement::Verdict(theirs, found))
}

/// A model on which a checker and SPIN differ.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Finding {
    /// Seed of the model.
    pub seed: u64,
    /// Its text.
    pub text: String,
    /// The question.
    pub config: Config,
    /// The difference.
    pub disagreement: Disagreement,
    /// SPIN's outcome.
    pub spin: SpinOutcome,
    /// The checker's outcome.
    pub ours: SubjectOutcome,
}

/// A series of comparisons.
#[derive(Clone, Debug)]
pub struct Runner {
    /// The oracle.
    pub oracle: Oracle,
    /// What to generate.
    pub options: Options,
    /// The questions to ask about each model.
    pub configs: Vec<Config>,
    /// Stop after this time.
    pub time_budget: Duration,
    /// Stop after this many findings.
    pub max_findings: usize,
}

impl Default for Runner {
    fn default() -> Self {
        Runner {
            oracle: Oracle::default(),
            options: Options::default(),
            configs: vec![Config::Full, Config::Verdict],
            time_budget: Duration::from_secs(60),
            max_findings: 10,
        }
    }
}

/// The result of a series.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Series {
    /// Models compared.
    pub models: u64,
    /// Models SPIN refused.
    pub refused: u64,
    /// Models on which SPIN was cut short.
    pub truncated: u64,
    /// The differences.
    pub findings: Vec<Finding>,
}

impl Runner {
    /// Goes over a range of seeds.
    pub fn run(
        &self,
        seeds: impl IntoIterator<Item = u64>,
        subject: &dyn Subject,
    ) -> Result<Series, OracleError> {
        let deadline = Instant::now() + self.time_budget;
        let mut series = Series::default();
        for seed in seeds {
            if Instant::now() >= deadline || series.findings.len() >= self.max_findings {
                break;
            }
            let text = generate_text(seed, &self.options);
            let outcomes = self.oracle.check_all(&text, &self.configs)?;
            series.models += 1;
            series.refused += u64::from(outcomes.iter().any(|o| o.refused.is_some()));
            series.truncated += u64::from(outcomes.iter().any(|o| o.truncated.is_some()));
            for (&config, spin) in self.configs.iter().zip(outcomes) {
                if spin.refused.is_some() || spin.truncated.is_some() {
                    continue;
                }
                let ours = subject.check(&text, config);
                if let Some(disagreement) = compare(config, &spin, &ours) {
                    series.findings.push(Finding {
                        seed,
                        text: text.clone(),
                        config,
                        disagreement,
                        spin,
                        ours,
                    });
                    break;
                }
            }
        }
        Ok(series)
    }

    /// True if SPIN and the checker still differ on `text`; for shrinking.
    pub fn still_differs(&self, text: &str, config: Config, subject: &dyn Subject) -> bool {
        self.oracle.check(text, config).is_ok_and(|spin| {
            spin.refused.is_none()
                && spin.truncated.is_none()
                && compare(config, &spin, &subject.check(text, config)).is_some()
        })
    }
}

#[cfg(test)]
mod tests;
