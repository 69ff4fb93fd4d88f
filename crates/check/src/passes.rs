//! The program that is searched in place of the model's.

use crate::check::{CheckError, Checker};
use crate::engine::Searched;
use crate::unfold::Unfolder;
use crate::{AsFound, CheckConfig, Pass};
use spinor_exec::Options;
use spinor_program::Program;
use spinor_reduce::{Optimised, Passes, optimise};
use spinor_ts::FoundError;
use std::sync::Arc;

/// A program to search and how to understand what is found in it.
pub(crate) struct Folded {
    /// What to search.
    pub program: Arc<Program>,
    /// Whether chains of steps were merged.
    pub merges: bool,
    /// Without its program.
    made: Optimised,
}

impl Checker<'_> {
    /// The program for a search of reachable states.
    pub(crate) fn optimised(&self, options: Options) -> Folded {
        let passes = passes(self.config, options);
        let mut made = optimise(self.program, passes, &[]);
        let program = Arc::new(std::mem::take(&mut made.program));
        Folded { program, merges: passes.merging, made }
    }

    /// The program as it is.
    pub(crate) fn as_written(&self) -> Folded {
        let passes = Passes { merging: false, dead_variables: false, write_only: false };
        let mut made = optimise(self.program, passes, &[]);
        let program = Arc::new(std::mem::take(&mut made.program));
        Folded { program, merges: false, made }
    }
}

fn passes(config: &CheckConfig, options: Options) -> Passes {
    let is_optimal = config.order.is_some_and(crate::SearchOrder::is_optimal);
    let wants_shortest = config.shortest || is_optimal;
    let is_on = |pass: Pass| !config.disabled.contains(&pass);
    Passes {
        // A claim counts steps unless somebody proves that it does not, and the shortest
        // run is the one with the fewest statements.
        merging: is_on(Pass::Merging)
            && options.claim.is_none()
            && (!wants_shortest || config.customs.as_found),
        dead_variables: is_on(Pass::DeadVariables),
        write_only: is_on(Pass::WriteOnly),
    }
}

impl Folded {
    /// By number of the statements of the model: whether they were executed.
    pub fn executed(&self, searched: &Searched) -> Vec<bool> {
        self.made.executed(|id| searched.was_executed(id))
    }

    /// The errors as errors of `plain`, the program of the model, and as they were found. Unless
    /// `every` one counts, there is one for each violation.
    pub fn unfolded(
        &self,
        plain: &Arc<Program>,
        options: Options,
        errors: &[FoundError],
        every: bool,
    ) -> Result<(Vec<FoundError>, Vec<AsFound>), CheckError> {
        let mut unfolder = Unfolder::new(plain, &self.program, &self.made, options);
        let mut unfolded: Vec<FoundError> = Vec::new();
        let mut found = Vec::new();
        for error in errors {
            let Some((error, as_found)) = unfolder.error(error) else {
                let violation = error.violation;
                let flaw = format!("{violation:?} is no error of the model as it is written");
                return Err(CheckError::Internal(flaw));
            };
            // A statement may belong to several chains.
            match unfolded.iter_mut().find(|e| e.violation == error.violation && !every) {
                Some(same) => same.occurrences += error.occurrences,
                None => {
                    unfolded.push(error);
                    found.push(as_found);
                }
            }
        }
        Ok((unfolded, found))
    }
}
