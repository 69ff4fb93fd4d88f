//! Random models with random formulas, labels and claims.

use std::time::Duration;

use spinor_check::{Fairness, Loaded};

use super::answer::{Answer, Way, ask, read};
use super::brute::{Truth, decide};
use super::record::{properties, target};
use crate::classify::{ErrorKind, classify_message};
use crate::generate::{Options, generate, print};
use crate::shrink::shrink_model;
use crate::spin::{Oracle, Question, SpinOutcome};

/// What came of one model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// All agree on this many questions; SPIN was proved wrong on these others.
    Agree {
        /// Questions that SPIN answered.
        questions: u64,
        /// Of these, some run violates the property.
        violated: u64,
        /// Answers that the brute-force checker confirmed.
        proved: u64,
        /// Where SPIN is wrong.
        defects: Vec<String>,
    },
    /// SPIN refuses the model or does not finish, or an error of another kind came first.
    Skipped(&'static str),
    /// Somebody is wrong, and it is not known to be SPIN.
    Differ(String),
}

/// Product states that the brute-force checker looks at in any case.
const FEW_STATES: usize = 20_000;
/// The same where there is something to decide.
const MANY_STATES: usize = 500_000;

/// Time for one check of ours; random models are small.
const LIMIT: Duration = Duration::from_secs(20);

/// Compares a random model; a difference is made small if `shrink` is set.
#[must_use]
pub fn compare_seed(seed: u64, ways: &[Way], shrink: bool) -> Comparison {
    let options = Options { liveness: true, ..Options::default() };
    let model = generate(seed, &options);
    let result = compare_text(&print(&model), ways);
    let Comparison::Differ(how) = result else { return result };
    if !shrink {
        return Comparison::Differ(how);
    }
    let differs = |text: &str| matches!(compare_text(text, ways), Comparison::Differ(_));
    let small = print(&shrink_model(&model, 300, &differs));
    match compare_text(&small, ways) {
        Comparison::Differ(now) => Comparison::Differ(format!("{now}\n{small}")),
        _ => Comparison::Differ(format!("{how}\n{small}")),
    }
}

/// Asks SPIN, Spinor in every way and the brute-force checker about a model.
#[must_use]
pub fn compare_text(text: &str, ways: &[Way]) -> Comparison {
    let loaded = match read("model.pml", text, &[]) {
        Ok(loaded) => loaded,
        Err(reason) => {
            let accepted = ask_spin(text, &["acceptance".to_owned()])
                .is_ok_and(|o| o.iter().all(|o| o.refused.is_none()));
            return if accepted {
                Comparison::Differ(format!("we refuse it: {reason}"))
            } else {
                Comparison::Skipped("refused")
            };
        }
    };
    let properties = properties(&loaded);
    if properties.is_empty() {
        return Comparison::Skipped("no property");
    }
    let outcomes = match ask_spin(text, &properties) {
        Ok(outcomes) => outcomes,
        Err(error) => return Comparison::Differ(format!("oracle: {error}")),
    };
    let judge = Judge { text, loaded: &loaded, ways };
    judge.all(&properties, &outcomes)
}

fn ask_spin(text: &str, properties: &[String]) -> Result<Vec<SpinOutcome>, String> {
    let mut questions = Vec::new();
    for property in properties {
        for weakly_fair in [false, true] {
            questions.push(Question { target: target(property), weakly_fair, reduced: false });
        }
    }
    let oracle = Oracle { time_limit: Duration::from_secs(10), ..Oracle::default() };
    oracle.check_cycles(text, None, &questions).map_err(|e| e.to_string())
}

struct Judge<'a> {
    text: &'a str,
    loaded: &'a Loaded,
    ways: &'a [Way],
}

impl Judge<'_> {
    fn all(&self, properties: &[String], outcomes: &[SpinOutcome]) -> Comparison {
        let (mut questions, mut violated, mut proved) = (0, 0, 0);
        let mut defects = Vec::new();
        let mut skipped = None;
        for (property, said) in properties.iter().zip(outcomes.chunks(2)) {
            let truth = decide(self.text, &[], property, FEW_STATES);
            for (fairness, said) in [Fairness::None, Fairness::Weak].into_iter().zip(said) {
                let spin = match spin_violated(said) {
                    Ok(violated) => violated,
                    Err(reason) => {
                        skipped = Some(reason);
                        continue;
                    }
                };
                questions += 1;
                violated += u64::from(spin);
                let mut result = self.one(property, fairness, Some(spin), &truth);
                if result.is_err() && truth.is_err() {
                    let truth = decide(self.text, &[], property, MANY_STATES);
                    result = self.one(property, fairness, Some(spin), &truth);
                }
                match result {
                    Ok(defect) => defects.extend(defect),
                    Err(difference) => return Comparison::Differ(difference),
                }
                proved += u64::from(truth.is_ok());
            }
            // SPIN has no strong fairness: the brute-force checker is the judge.
            if truth.is_ok()
                && let Err(difference) = self.one(property, Fairness::Strong, None, &truth)
            {
                return Comparison::Differ(difference);
            }
        }
        match skipped {
            Some(reason) if questions == 0 => Comparison::Skipped(reason),
            _ => Comparison::Agree { questions, violated, proved, defects },
        }
    }

    /// A defect of SPIN, or a difference that is not one.
    fn one(
        &self,
        property: &str,
        fairness: Fairness,
        spin: Option<bool>,
        truth: &Result<Truth, String>,
    ) -> Result<Option<String>, String> {
        let truth = truth.as_ref().map(|t| t.under(fairness));
        // Without a proof SPIN's word counts.
        let right = match (truth, spin) {
            (Ok(truth), _) => truth,
            (Err(_), Some(spin)) => spin,
            (Err(_), None) => return Ok(None),
        };
        let place = format!("{property}, fairness {}", fairness.name());
        for way in self.ways.iter().filter(|way| way.knows(fairness)) {
            let ours = match ask(self.loaded, property, fairness, way, LIMIT) {
                Answer::Holds => false,
                Answer::Violated => true,
                Answer::Unknown(why) | Answer::Failed(why) => {
                    return Err(format!("{place}: {}: {why}", way.name()));
                }
            };
            if ours != right {
                return Err(format!(
                    "{place}: SPIN {}, brute force {}, {} {}",
                    spin.map_or("?", word),
                    truth.map_or("?", word),
                    way.name(),
                    word(ours)
                ));
            }
        }
        let defect = spin.filter(|&spin| spin != right);
        Ok(defect.map(|spin| format!("{place}: SPIN says {}", word(spin))))
    }
}

fn word(violated: bool) -> &'static str {
    if violated { "violated" } else { "holds" }
}

/// Whether SPIN found a violation of what it was asked about.
fn spin_violated(said: &SpinOutcome) -> Result<bool, &'static str> {
    if said.refused.is_some() {
        return Err("refused");
    }
    match said.messages.first().map(|m| classify_message(&m.text)) {
        Some(
            ErrorKind::AcceptanceCycle
            | ErrorKind::NonProgressCycle
            | ErrorKind::ClaimViolated
            | ErrorKind::Assertion,
        ) => Ok(true),
        Some(_) => Err("another error"),
        None if said.crashed.is_some() => Err("crashed"),
        None if said.truncated.is_some() => Err("cut short"),
        None => Ok(false),
    }
}
