//! Trails of SPIN as runs of the program as it is written.

use crate::unfold::Unfolder;
use crate::{Loaded, Property};
use spinor_program::Program;
use spinor_reduce::{Passes, optimise};
use spinor_trace::{FollowError, Followed, Move, Run, SpinTrail, View};
use spinor_ts::Violation;
use std::sync::Arc;

/// A run that follows a trail of SPIN.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guided {
    /// The run.
    pub run: Run,
    /// The violation at its end, if there is one.
    pub violation: Option<Violation>,
    /// How many elementary steps each line of the trail stands for, if that is known.
    pub steps_per_line: Option<Vec<usize>>,
}

impl Loaded {
    /// The run that a trail of SPIN keeps.
    ///
    /// # Errors
    /// The model has no such run.
    pub fn follow(&self, trail: &SpinTrail, property: &Property) -> Result<Guided, FollowError> {
        let Some(program) = &self.program else { return Err(FollowError::Stillborn) };
        if trail.merged
            && let Some(guided) = self.follow_merged(program, trail, property)
        {
            return Ok(guided);
        }
        let Some(mut view) = self.view(property) else { return Err(FollowError::Stillborn) };
        let Followed { run, violation } = trail.follow(&mut view)?;
        let steps_per_line = (!trail.merged).then(|| vec![1; trail.steps.len()]);
        Ok(Guided { run, violation, steps_per_line })
    }

    /// Follows a trail in the program with the chains that SPIN makes, then in the one as written.
    fn follow_merged(
        &self,
        program: &Arc<Program>,
        trail: &SpinTrail,
        property: &Property,
    ) -> Option<Guided> {
        let passes = Passes { merging: true, ..Passes::NONE };
        let mut made = optimise(program, passes, &[]);
        let folded = Arc::new(std::mem::take(&mut made.program));
        let options = crate::replay::options(program, property);
        let mut view = View::new(&folded, &self.sources, options);
        let exact = SpinTrail { merged: false, ..trail.clone() };
        let Followed { run, violation } = exact.follow(&mut view).ok()?;
        let mut unfolder = Unfolder::new(program, &folded, &made, options);
        let (mut moves, mut per_line) = (Vec::new(), Vec::new());
        let mut starts = Vec::with_capacity(run.moves.len());
        let mut way = unfolder.begin()?;
        let mut found = None;
        for step in &run.moves {
            starts.push(moves.len());
            let Move::Event(event) = *step else {
                moves.push(*step);
                continue;
            };
            let taken = unfolder.advance(&mut way, event)?;
            moves.extend(taken.events.iter().map(|&event| Move::Event(event)));
            per_line.extend(taken.counts);
            found = taken.violation.or(found);
        }
        let cycle_start = run.cycle_start.and_then(|start| starts.get(start).copied());
        let run = Run { moves, cycle_start, violation: run.violation };
        let violation = found.or(violation);
        Some(Guided { run, violation, steps_per_line: Some(per_line) })
    }
}
