//! Asking SPIN about infinite runs: `pan -a`, `-a -f`, `-l`, `-l -f`.

use std::path::Path;
use std::process::Command;

use super::{
    LARGE_VECTOR, Oracle, OracleError, SpinOutcome, Truncation, generation_refusal, has_claim,
    parse_report, process,
};

/// What SPIN is asked to find.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// A run that the claim accepts; by name if the model has several.
    Claim(Option<String>),
    /// A cycle through an accept label of a process; claims are left out.
    Acceptance,
    /// A cycle without progress; claims are left out.
    NonProgress,
}

/// A question about infinite runs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Question {
    /// What to find.
    pub target: Target,
    /// Only among weakly fair runs.
    pub weakly_fair: bool,
    /// With partial order reduction.
    pub reduced: bool,
}

impl Question {
    /// About all runs, without reduction.
    #[must_use]
    pub fn plain(target: Target) -> Question {
        Question { target, weakly_fair: false, reduced: false }
    }

    /// What the verifier has to be compiled with.
    fn build(&self, has_claim: bool) -> Vec<&'static str> {
        let mut flags = vec!["-w", SLOTS];
        if !self.reduced {
            flags.push("-DNOREDUCE");
        }
        if self.target == Target::NonProgress {
            flags.push("-DNP");
        }
        if has_claim && !matches!(self.target, Target::Claim(_)) {
            flags.push("-DNOCLAIM");
        }
        flags
    }

    fn pan_flags(&self) -> Vec<&str> {
        let mut flags = vec![if self.target == Target::NonProgress { "-l" } else { "-a" }];
        if self.weakly_fair {
            flags.push("-f");
        }
        if let Target::Claim(Some(name)) = &self.target {
            flags.extend(["-N", name]);
        }
        flags
    }
}

/// Room for 14 processes under weak fairness; the default has room for 6.
const SLOTS: &str = "-DNFAIR=4";

/// A claim that is not in the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outside {
    /// The text of a never claim (`spin -N`).
    Never(String),
    /// A formula whose models are wanted (`spin -f`).
    Formula(String),
}

impl Oracle {
    /// Answers questions about one model, generating and compiling as rarely as possible.
    ///
    /// # Errors
    /// SPIN or a compiler is missing, or a file operation failed.
    pub fn check_cycles(
        &self,
        source: &str,
        outside: Option<&Outside>,
        questions: &[Question],
    ) -> Result<Vec<SpinOutcome>, OracleError> {
        Self::is_available().map_err(OracleError::Unavailable)?;
        let dir = tempfile::tempdir()?;
        let dir = dir.path();
        std::fs::write(dir.join("model.pml"), source)?;
        self.copy_headers(dir)?;
        let mut oracle = self.clone();
        match outside {
            Some(Outside::Never(text)) => {
                std::fs::write(dir.join("claim.never"), text)?;
                oracle.spin_flags.extend(["-N", "claim.never"].map(str::to_owned));
            }
            Some(Outside::Formula(text)) => {
                std::fs::write(dir.join("claim.formula"), text)?;
                oracle.spin_flags.extend(["-F", "claim.formula"].map(str::to_owned));
            }
            None => {}
        }
        let generated = oracle.generate(dir)?;
        if let Some(refusal) = generation_refusal(dir, &generated) {
            return Ok(vec![refusal; questions.len()]);
        }
        let has_claim = has_claim(dir)?;
        let mut outcomes: Vec<Option<SpinOutcome>> = vec![None; questions.len()];
        for first in 0..questions.len() {
            if outcomes[first].is_some() {
                continue;
            }
            let build = questions[first].build(has_claim);
            let same: Vec<usize> = (first..questions.len())
                .filter(|&i| questions[i].build(has_claim) == build)
                .collect();
            let refused = oracle.compile(dir, &build)?;
            for i in same {
                outcomes[i] = Some(match &refused {
                    Some(refused) => refused.clone(),
                    None => oracle.run_question(dir, &questions[i])?,
                });
            }
        }
        // What did not fit into a state of usual size is tried once more.
        for (question, outcome) in questions.iter().zip(&mut outcomes) {
            let is_too_small = outcome.as_ref().is_some_and(|o| {
                let said = o.messages.iter().map(|m| m.text.as_str()).chain(o.refused.as_deref());
                said.into_iter().any(|text| text.contains("VECTORSZ"))
            });
            if is_too_small {
                let mut build = question.build(has_claim);
                build.push(LARGE_VECTOR);
                if oracle.compile(dir, &build)?.is_none() {
                    *outcome = Some(oracle.run_question(dir, question)?);
                }
            }
        }
        Ok(outcomes.into_iter().flatten().collect())
    }

    fn run_question(&self, dir: &Path, question: &Question) -> Result<SpinOutcome, OracleError> {
        let mut command = Command::new(dir.join("pan"));
        command
            .args(question.pan_flags())
            .args(["-n", "-w18"])
            .arg(format!("-m{}", self.max_depth))
            .args(&self.pan_flags);
        let run = process::run(&mut command, dir, self.time_limit)?;
        let mut outcome = parse_report(&run.text);
        if run.status.is_none() {
            outcome.refused = None;
            outcome.truncated = Some(Truncation::Time);
        } else if let Some(signal) = run.signal() {
            outcome.refused = None;
            outcome.crashed = Some(signal);
        }
        Ok(outcome)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(source: &str, questions: &[Question]) -> Option<Vec<SpinOutcome>> {
        if let Err(reason) = Oracle::is_available() {
            #[expect(clippy::print_stderr, reason = "a skipped test says why")]
            {
                eprintln!("skipped: {reason}");
            }
            return None;
        }
        Some(Oracle::default().check_cycles(source, None, questions).expect("oracle ran"))
    }

    #[test]
    fn claims_by_name_acceptance_and_progress() {
        let source = "byte x; ltl p { <> (x == 2) } ltl q { [] (x < 2) }\n\
                      active proctype A() { L: do :: x = 1 - x; progress: skip od }";
        let claim = |name: &str| Question::plain(Target::Claim(Some(name.to_owned())));
        let labels = [Target::Acceptance, Target::NonProgress].map(Question::plain);
        let Some(outcomes) = ask(source, &[claim("p"), claim("q"), labels[1].clone()]) else {
            return;
        };
        let errors: Vec<u64> = outcomes.iter().map(|o| o.errors).collect();
        assert_eq!(errors, [1, 0, 0]);
        // SPIN counts accept labels of processes as the claim's, so they go elsewhere.
        let source = source.replace("L:", "accept:");
        let outcomes = ask(&source, &labels).expect("it is available");
        assert!(outcomes[0].messages[0].text.contains("acceptance cycle"));
        assert_eq!(outcomes[1].errors, 0);
    }

    #[test]
    fn weak_fairness_and_claims_from_outside() {
        let source = "bit x; active proctype A() { do :: x == 0 -> skip od }\n\
                      active proctype B() { x = 1 }";
        let never = Outside::Never("never { accept: do :: x == 0 od }".to_owned());
        let formula = Outside::Formula("[] (p)".to_owned());
        let source = format!("#define p (x == 0)\n{source}");
        let plain = Question::plain(Target::Claim(None));
        let fair = Question { weakly_fair: true, ..plain.clone() };
        if Oracle::is_available().is_err() {
            return;
        }
        for outside in [never, formula] {
            let questions = [plain.clone(), fair.clone()];
            let outcomes = Oracle::default()
                .check_cycles(&source, Some(&outside), &questions)
                .expect("oracle ran");
            assert_eq!((outcomes[0].errors, outcomes[1].errors), (1, 0), "{outcomes:?}");
        }
    }
}
