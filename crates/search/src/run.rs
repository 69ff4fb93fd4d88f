//! What every search does at every state: count, watch the limits, record.

use crate::SearchConfig;
use crate::findings::Findings;
use crate::limits::{Limits, Memory, note_memory};
use crate::omega::Lasso;
use spinor_store::{StateId, Store, Visited};
use spinor_ts::{
    Depth, Expansion, Incomplete, Observer, Outcome, Path, Stats, TransitionSystem, Violation,
};

/// The reason to end a search early.
pub(crate) type Stop = Incomplete;

/// The part of a search's state that is the same in all of them.
pub(crate) struct Run<'o> {
    pub(crate) stats: Stats,
    /// No run goes beyond this depth.
    pub(crate) bound: Depth,
    /// How far beyond the bound violations count.
    beyond: Depth,
    findings: Findings,
    limits: Limits<'o>,
    /// Why some expansion was not whole.
    cut: Option<&'static str>,
}

impl<'o> Run<'o> {
    pub(crate) fn new(config: &SearchConfig, observer: &'o mut dyn Observer) -> Self {
        Self {
            stats: Stats::default(),
            bound: config.max_depth.unwrap_or(Depth::MAX),
            // Who wants shorter runs must not find one as long again.
            beyond: Depth::from(config.errors_beyond && !config.shorten),
            findings: Findings::new(config),
            limits: Limits::new(config, observer),
            cut: None,
        }
    }

    /// The first state, or why nothing was seen if there is none.
    pub(crate) fn initial<T: TransitionSystem>(
        &mut self,
        system: &mut T,
    ) -> Result<Vec<u8>, Option<Stop>> {
        system.initial().map_err(|violation| {
            if self.findings.ignores(violation) {
                let why = "the initial state cannot be built: its violation is ignored";
                return Some(Incomplete::Method(why.to_owned()));
            }
            // Nothing follows, so nothing is missed.
            let _ = self.findings.add(violation, 0, &mut self.bound, Path::new);
            None
        })
    }

    /// Counts a state that is stored.
    #[inline]
    pub(crate) fn count_stored(&mut self) {
        self.stats.stored += 1;
        self.stats.transitions += 1;
    }

    /// Counts a visit to a state that is not stored.
    #[inline]
    pub(crate) fn count_visit(&mut self) {
        self.stats.transitions += 1;
    }

    /// Counts an arrival that leads no further.
    // SPIN: a run cut at the depth bound counts as matched, too.
    #[inline]
    pub(crate) fn count_matched(&mut self) {
        self.stats.matched += 1;
        self.stats.transitions += 1;
    }

    /// Expands a state that was reached.
    #[inline]
    pub(crate) fn expand<T: TransitionSystem>(
        &mut self,
        system: &mut T,
        state: &[u8],
        depth: Depth,
        out: &mut Expansion,
    ) {
        system.expand(state, out);
        self.count_expansion(state.len(), depth, out);
    }

    /// Counts the expansion of a state of so many bytes.
    #[inline]
    pub(crate) fn count_expansion(&mut self, bytes: usize, depth: Depth, out: &Expansion) {
        self.stats.state_bytes = self.stats.state_bytes.max(bytes as u64);
        self.count_recalled(depth, out.atomic_steps, out.deepest);
        self.cut = self.cut.or(out.cut);
    }

    /// Counts a state whose successors are known without an expansion.
    #[inline]
    pub(crate) fn count_recalled(&mut self, depth: Depth, atomic_steps: u64, deepest: u32) {
        let stats = &mut self.stats;
        stats.expanded += 1;
        stats.atomic_steps += atomic_steps;
        let deepest = (depth + Depth::from(deepest)).min(self.bound.max(depth));
        stats.depth_reached = stats.depth_reached.max(deepest);
    }

    /// Expands a state once more, to recover what was given up.
    pub(crate) fn expand_again<T: TransitionSystem>(
        &mut self,
        system: &mut T,
        state: &[u8],
        out: &mut Expansion,
    ) {
        system.expand(state, out);
        self.stats.expanded += 1;
    }

    /// To be asked before each expansion: is [`Self::check`] due?
    #[inline]
    pub(crate) fn is_due(&mut self) -> bool {
        self.limits.is_due()
    }

    /// Stops the search at a limit.
    #[cold]
    pub(crate) fn check(&mut self, memory: Memory) -> Result<(), Stop> {
        self.limits.check(&mut self.stats, memory)
    }

    /// Changes the limit while the search runs.
    pub(crate) fn set_memory_limit(&mut self, bytes: u64) {
        self.limits.set_memory_limit(bytes);
    }

    /// Whether an event that ends at `depth` is beyond the bound.
    #[inline]
    pub(crate) fn is_cut(&self, depth: Depth) -> bool {
        depth > self.bound
    }

    /// Whether runs that were cut are reported even if nothing is hidden by that, as SPIN does.
    pub(crate) fn tells_all_cuts(&self) -> bool {
        self.beyond > 0
    }

    /// Whether a violation at `depth` is.
    #[inline]
    pub(crate) fn hides_violation(&self, depth: Depth) -> bool {
        depth > self.bound.saturating_add(self.beyond)
    }

    /// Records a violation, unless it is ignored.
    #[cold]
    pub(crate) fn violation(
        &mut self,
        violation: Violation,
        length: Depth,
        path: impl FnOnce() -> Path,
    ) -> Result<(), Stop> {
        if self.ignores(violation) {
            return Ok(());
        }
        self.findings.add(violation, length, &mut self.bound, path)
    }

    /// Records several occurrences of a violation that is not ignored; `path` leads to
    /// one of them.
    #[cold]
    pub(crate) fn violations(
        &mut self,
        violation: Violation,
        length: Depth,
        occurrences: u64,
        path: impl FnOnce() -> Path,
    ) -> Result<(), Stop> {
        self.findings.add_all(violation, length, occurrences, &mut self.bound, path)
    }

    /// Records an infinite run, unless it is ignored.
    #[cold]
    pub(crate) fn lasso(
        &mut self,
        violation: Violation,
        build: impl FnOnce() -> Option<Lasso>,
    ) -> Result<(), Stop> {
        if self.ignores(violation) {
            return Ok(());
        }
        if !self.findings.add_lasso(violation, &mut self.bound, build)? {
            self.note_cut(Some("a cycle depends on hidden variables and cannot be repeated"));
        }
        Ok(())
    }

    /// Some expansion may not have been whole: why.
    pub(crate) fn note_cut(&mut self, why: Option<&'static str>) {
        self.cut = self.cut.or(why);
    }

    pub(crate) fn ignores(&self, violation: Violation) -> bool {
        self.findings.ignores(violation)
    }

    /// The outcome.
    pub(crate) fn finish(mut self, mut incomplete: Vec<Incomplete>, memory: Memory) -> Outcome {
        incomplete.extend(self.cut.map(|why| Incomplete::Method(why.to_owned())));
        note_memory(&mut self.stats, memory);
        self.stats.search_time = self.limits.elapsed();
        let (errors, error_count) = self.findings.finish();
        Outcome { stats: self.stats, incomplete, errors, error_count }
    }
}

/// Enters what a lossy store may have missed, and says that the search has not seen
/// everything for sure.
pub(crate) fn note_loss<S: Store>(store: &S, stats: &mut Stats) -> Option<Incomplete> {
    let loss = store.loss(stats.stored)?;
    let omitted = loss.expected_omitted * loss.hidden_factor;
    stats.expected_omitted = Some(omitted);
    stats.hash_factor = loss.hash_factor;
    let omitted = match omitted {
        few if few < 0.01 => "fewer than 0.01".to_owned(),
        some if some < 100.0 => format!("{some:.2}"),
        many => format!("{many:.0}"),
    };
    let factor = loss.hash_factor.map(|factor| format!(", hash factor {factor:.1}"));
    Some(Incomplete::Method(format!(
        "the {} store can take a new state for an old one (expected to be missed: {omitted} states{})",
        store.name(),
        factor.unwrap_or_default()
    )))
}

/// Whether the ids of a visited set may run out before the next check.
pub(crate) fn is_nearly_full<V: Visited>(visited: &V) -> bool {
    const SUCCESSORS_BETWEEN_CHECKS: u64 = 1 << 24;
    visited.len() + SUCCESSORS_BETWEEN_CHECKS > StateId::MAX_STATES
}
