//! Searches of runs with few preemptions.

use crate::boxed::{Boxed, boxed};
use crate::check::{CheckError, Checker};
use crate::engine::{Driven, Searched, Setup, measured, reachable, tiers};
use crate::question::product_layout;
use crate::stores::StoreMaker;
use spinor_exec::{Exec, Options};
use spinor_jit::Tiered;
use spinor_program::Program;
use spinor_search::{ContextBounded, SearchConfig};
use spinor_ts::{Expansion, FoundError, Observer, TransitionSystem};
use std::sync::Arc;

impl Driven for ContextBounded<Tiered> {
    fn engine(&self) -> &Tiered {
        self.system()
    }
}

impl Checker<'_> {
    /// Searches runs with at most `bound` preemptions; errors are in events of `program`.
    pub(crate) fn search_contexts(
        &self,
        program: &Arc<Program>,
        options: Options,
        bound: u8,
        setup: &Setup,
        config: &SearchConfig,
        observer: &mut dyn Observer,
    ) -> Result<Searched, CheckError> {
        let labelled = Options { labels: true, ..options };
        let mut systems: Vec<Boxed> = tiers(program, labelled, setup)
            .into_iter()
            .map(|tier| boxed(ContextBounded::new(tier, bound)))
            .collect();
        let interpreter = || ContextBounded::new(Exec::new(Arc::clone(program), labelled), bound);
        // Two bytes more, as the states of a product have.
        let stores = StoreMaker::new(product_layout(program, labelled), interpreter);
        let mut searched = measured(&mut systems, program, |systems| {
            reachable(systems, &stores, setup, config, observer)
        });
        for error in &mut searched.outcome.errors {
            let path = path_of_all(interpreter(), error);
            let flaw = || format!("the trail of {:?} cannot be replayed", error.violation);
            error.path = path.ok_or_else(|| CheckError::Internal(flaw()))?;
        }
        Ok(searched)
    }
}

/// The path of an error in numbers of all events.
fn path_of_all(mut judge: ContextBounded<Exec>, error: &FoundError) -> Option<Vec<u32>> {
    let Ok(mut state) = judge.initial() else { return Some(error.path.clone()) };
    let mut expansion = Expansion::new();
    let mut path = Vec::with_capacity(error.path.len());
    for &number in &error.path {
        path.push(judge.origin(&state, number)?);
        judge.expand(&state, &mut expansion);
        let event = expansion.events().get(number as usize)?;
        state = expansion.state(event).to_vec();
    }
    Some(path)
}
