//! Leaving a state: the second search, and what it finds.

use super::{Nested, Note};
use crate::omega::judge::follow;
use crate::omega::marking::Marking;
use crate::omega::shorten::{Hint, visits_for};
use crate::omega::trail::Entry;
use crate::run::Stop;
use spinor_ts::{ComponentClass, Depth, Expansion, OmegaSystem, Path};

impl<T: OmegaSystem, K: Marking> Nested<'_, T, K> {
    /// All moves of the state on top were tried.
    pub(super) fn leave(&mut self, entry: &Entry<K::Key, Note>) -> Result<(), Stop> {
        let Note { is_accepting, component } = entry.marks;
        let is_settled = self.is_improved && component.class != ComponentClass::PartlyAccepting;
        if is_accepting && !is_settled {
            self.load(entry);
            self.search_again(entry)?;
        }
        let bytes = self.trail.bytes();
        let visible = if K::KEY_IS_STATE { 0 } else { bytes.len() - self.hidden_length };
        self.states.leave(entry.key, &bytes[..visible]);
        self.trail.drop_bytes();
        self.depth -= Depth::from(entry.steps);
        Ok(())
    }

    /// The second search, from the state at hand, which is not on the trail any more.
    fn search_again(&mut self, entry: &Entry<K::Key, Note>) -> Result<(), Stop> {
        let within = self.is_improved.then_some(entry.marks.component.number);
        let visible = &self.state[..self.state.len() - self.hidden_length];
        self.states.meet_again(entry.key, visible);
        self.second.begin(entry.key, &self.state, self.depth, within);
        loop {
            if self.run.is_due() {
                self.check()?;
            }
            if !self.second.step(self.system, self.states, &mut self.run) {
                return Ok(());
            }
            if let Some((closing, way)) = self.second.take_closing() {
                let mut path = self.trail.path();
                path.extend((self.trail.open() > 0).then_some(entry.event()));
                path.extend(way);
                self.second.clear();
                return self.report(path, &closing);
            }
        }
    }

    /// The path leads to `closing`, a state that it has passed before.
    #[cold]
    pub(super) fn report(&mut self, path: Path, closing: &[u8]) -> Result<(), Stop> {
        let Self { system, run, lasso, hidden_length, .. } = self;
        let visits = visits_for(run.stats.expanded);
        run.lasso(system.cycle_violation(), || {
            let cycle_start = Some(first_visit(*system, &path, closing, *hidden_length)?);
            lasso(system, &Hint { path, cycle_start }, visits)
        })
    }
}

/// After how many events a path is in a state for the first time.
pub(crate) fn first_visit<T: OmegaSystem>(
    system: &mut T,
    path: &[u32],
    state: &[u8],
    hidden_length: usize,
) -> Option<usize> {
    let mut expansion = Expansion::new();
    let mut current = system.initial().ok()?;
    for (at, event) in path.iter().enumerate() {
        if current[..current.len() - hidden_length] == *state {
            return Some(at);
        }
        follow(system, &mut current, *event as usize, &mut expansion)?;
    }
    None
}
