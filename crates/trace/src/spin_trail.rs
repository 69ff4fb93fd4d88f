//! SPIN's trail files.
//!
//! ```text
//! -2:3:-2      a claim runs along: the proctype of this number
//! -4:-4:-4     steps may stand for merged statements
//! 1:0:7        step 1: process 0 executes statement 7
//! -1:-1:-1     the cycle begins
//! 2:1:12
//! ```
//!
//! With a claim, process 0 is the claim and all pids are one higher. A rendezvous is two lines,
//! an atomic sequence one for each step. Numbers of statements are those of
//! [`Statement::trail_id`](spinor_program::Statement).

mod follow;
mod write;

use spinor_program::Program;
use std::fmt::Write as _;

pub use follow::{FollowError, Followed};

/// Statements of the claim that SPIN adds for non-progress cycles.
const NON_PROGRESS: std::ops::RangeInclusive<u32> = 9997..=9999;

/// One line: who executes what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpinStep {
    /// The process; with a claim 0 is the claim and pids are one higher.
    pub slot: usize,
    /// Number of the statement.
    pub id: u32,
}

/// A trail of SPIN.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SpinTrail {
    /// The claim that runs along, as a number of a proctype.
    pub claim: Option<usize>,
    /// Whether a step may stand for several merged statements.
    pub merged: bool,
    /// The steps.
    pub steps: Vec<SpinStep>,
    /// So many steps lead to the cycle.
    pub cycle_start: Option<usize>,
    /// The cycle need not return to where it begins: SPIN leaves out what nobody reads when it
    /// compares states.
    pub may_be_open: bool,
}

/// The claim of a trail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SpinClaim {
    /// None.
    None,
    /// A never claim of the program, by index.
    Never(usize),
    /// The one of an `ltl` block, by number: SPIN's automaton, which only SPIN knows.
    Ltl(usize),
    /// The one that looks for cycles without progress.
    NonProgress,
}

/// A text that is no trail of SPIN.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum SpinTrailError {
    /// A line that makes no sense.
    #[error("line {0} is not `number:number:number`")]
    Line(usize),
    /// Written by a search in another order.
    #[error(
        "line {0} says that it was written by a search in permuted order, which only `pan -r` can \
         replay"
    )]
    Permuted(usize),
}

impl SpinTrail {
    /// Whether a text looks like one. An error in the initial state has an empty trail.
    #[must_use]
    pub fn is_one(text: &str) -> bool {
        text.lines().find(|line| !line.trim().is_empty()).is_none_or(|line| fields(line).is_some())
    }

    /// Reads one.
    ///
    /// # Errors
    /// It is none, or one that cannot be followed.
    pub fn read(text: &str) -> Result<Self, SpinTrailError> {
        let mut trail = SpinTrail::default();
        for (index, line) in text.lines().enumerate() {
            if line.trim().is_empty() {
                continue;
            }
            let number = index + 1;
            let damaged = SpinTrailError::Line(number);
            let [step, process, statement] = fields(line).ok_or(SpinTrailError::Line(number))?;
            match step {
                -1 => trail.cycle_start = Some(trail.steps.len()),
                -2 => trail.claim = Some(usize::try_from(process).map_err(|_| damaged)?),
                -4 => trail.merged = true,
                -8..=-5 => return Err(SpinTrailError::Permuted(number)),
                0.. => trail.steps.push(SpinStep {
                    slot: usize::try_from(process).map_err(|_| SpinTrailError::Line(number))?,
                    id: u32::try_from(statement).map_err(|_| damaged)?,
                }),
                _ => return Err(damaged),
            }
        }
        Ok(trail)
    }

    /// As SPIN writes it.
    #[must_use]
    pub fn text(&self) -> String {
        let mut out = String::new();
        if let Some(claim) = self.claim {
            let _ = writeln!(out, "-2:{claim}:-2");
        }
        if self.merged {
            out.push_str("-4:-4:-4\n");
        }
        for (number, step) in self.steps.iter().enumerate() {
            if self.cycle_start == Some(number) {
                out.push_str("-1:-1:-1\n");
            }
            let _ = writeln!(out, "{}:{}:{}", number + 1, step.slot, step.id);
        }
        if self.cycle_start == Some(self.steps.len()) {
            out.push_str("-1:-1:-1\n");
        }
        out
    }

    /// The same without the steps of the claim.
    #[must_use]
    pub fn without_claim(&self) -> Self {
        if self.claim.is_none() {
            return self.clone();
        }
        let of_processes = |steps: &[SpinStep]| -> Vec<SpinStep> {
            let steps = steps.iter().filter(|step| step.slot > 0);
            steps.map(|step| SpinStep { slot: step.slot - 1, id: step.id }).collect()
        };
        let cycle_start = self.cycle_start.map(|start| of_processes(&self.steps[..start]).len());
        SpinTrail { claim: None, cycle_start, steps: of_processes(&self.steps), ..*self }
    }

    /// Which claim it is about.
    #[must_use]
    pub fn claim_in(&self, program: &Program) -> SpinClaim {
        let Some(number) = self.claim else { return SpinClaim::None };
        let is_added = |step: &SpinStep| step.slot == 0 && NON_PROGRESS.contains(&step.id);
        if self.steps.iter().any(is_added) {
            return SpinClaim::NonProgress;
        }
        let bodies = bodies(program);
        match bodies.get(number) {
            Some(Body::Claim(claim)) => SpinClaim::Never(*claim),
            Some(Body::Process) | None => SpinClaim::Ltl(number.saturating_sub(bodies.len())),
        }
    }
}

/// What SPIN gives a number of a proctype.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Body {
    Process,
    Claim(usize),
}

/// In the order of the file; claims of `ltl` blocks follow them.
fn bodies(program: &Program) -> Vec<Body> {
    let processes = program.proctypes.iter().map(|p| (p.span, Body::Process));
    let claims = program.claims.iter().enumerate().map(|(i, c)| (c.span, Body::Claim(i)));
    let mut all: Vec<_> = processes.chain(claims).collect();
    all.sort_by_key(|(span, _)| (span.file.0, span.lo));
    all.into_iter().map(|(_, body)| body).collect()
}

fn fields(line: &str) -> Option<[i64; 3]> {
    let mut numbers = line.trim().split(':').map(|field| field.trim().parse().ok());
    let found = [numbers.next()??, numbers.next()??, numbers.next()??];
    numbers.next().is_none().then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_can_be_read() {
        let step = |slot, id| SpinStep { slot, id };
        let trail = SpinTrail {
            claim: Some(2),
            merged: true,
            steps: vec![step(0, 9), step(1, 0), step(0, 9), step(2, 4)],
            cycle_start: Some(2),
            may_be_open: false,
        };
        let text = trail.text();
        assert_eq!(text, "-2:2:-2\n-4:-4:-4\n1:0:9\n2:1:0\n-1:-1:-1\n3:0:9\n4:2:4\n");
        assert_eq!(SpinTrail::read(&text), Ok(trail));
        assert!(SpinTrail::is_one(&text));
    }

    #[test]
    fn damage_is_named() {
        assert!(!SpinTrail::is_one("spinor-trail 1\n"));
        assert!(SpinTrail::is_one("\n"));
        assert_eq!(SpinTrail::read("1:0:0\nx\n"), Err(SpinTrailError::Line(2)));
        assert_eq!(SpinTrail::read("1:-1:0\n"), Err(SpinTrailError::Line(1)));
        assert_eq!(SpinTrail::read("1:0:0:0\n"), Err(SpinTrailError::Line(1)));
        assert_eq!(SpinTrail::read("-6:1:0\n"), Err(SpinTrailError::Permuted(1)));
    }
}
