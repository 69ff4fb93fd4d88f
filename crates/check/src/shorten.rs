//! Shorter runs to errors that were found.

use crate::check::Checker;
use crate::engine::{Searched, Setup, search};
use crate::scout::BITS;
use crate::{SearchOrder, StoreKind};
use spinor_exec::Options;
use spinor_search::SearchConfig;
use spinor_ts::{FoundError, Observer};
use std::time::{Duration, Instant};

/// Time for a look for a shorter run, at least.
const SHORTENING: Duration = Duration::from_secs(2);

/// Time for it after a search.
fn time_after(searched: &Searched, config: &SearchConfig) -> Duration {
    let spent = searched.outcome.stats.search_time;
    let left = config.time_limit.map_or(Duration::MAX, |limit| limit.saturating_sub(spent));
    (2 * spent).max(SHORTENING).min(left)
}

impl Checker<'_> {
    /// Looks for a shortest run in the program as it is written, in about the time that the first
    /// one took. Says so if there is none.
    pub(crate) fn shorten(
        &self,
        errors: &mut Vec<FoundError>,
        searched: &Searched,
        options: Options,
        setup: &Setup,
        config: &SearchConfig,
        observer: &mut dyn Observer,
    ) -> Option<String> {
        let is_only = errors.len() == 1 && self.config.max_errors == 1;
        let found = errors.first().filter(|_| setup.order == SearchOrder::Bfs && is_only)?;
        if found.length <= 1 {
            return None;
        }
        let time = time_after(searched, config);
        let config = SearchConfig { time_limit: Some(time), ..config.clone() };
        let again = search(self.program, options, setup, &config, observer);
        match again.outcome.errors.into_iter().next() {
            Some(error) => {
                if error.length < found.length || error.violation != found.violation {
                    *errors = vec![error];
                }
                None
            }
            None => Some("there may be a shorter run: `--shortest` looks for it".to_owned()),
        }
    }

    /// Looks for a shorter run to the only error of a search that goes deep: breadth first, and if
    /// that takes too long by small searches that must not go as deep.
    pub(crate) fn shorten_deep(
        &self,
        errors: &mut Vec<FoundError>,
        searched: &Searched,
        options: Options,
        setup: &Setup,
        config: &SearchConfig,
        observer: &mut dyn Observer,
    ) {
        let is_only = errors.len() == 1 && self.config.max_errors == 1;
        let Some(found) = errors.first().filter(|found| is_only && found.length > 1) else {
            return;
        };
        let length = found.length;
        let time = time_after(searched, config);
        let broad = Setup {
            order: SearchOrder::Bfs,
            store: StoreKind::Tree,
            swarm: None,
            cache_bytes: None,
            ..*setup
        };
        let max_depth = Some(length - 1);
        let half = SearchConfig { max_depth, time_limit: Some(time / 2), ..config.clone() };
        let again = search(self.program, options, &broad, &half, observer).outcome;
        // A shorter run to another error is a shorter run to an error, too.
        if let Some(error) = again.errors.into_iter().next() {
            *errors = vec![error];
            return;
        }
        if again.incomplete.is_empty() {
            return;
        }
        self.dive(errors, time / 2, options, setup, config, observer);
    }

    /// The same for an error that is out of reach breadth first.
    pub(crate) fn shorten_by_dives(
        &self,
        errors: &mut Vec<FoundError>,
        searched: &Searched,
        options: Options,
        setup: &Setup,
        config: &SearchConfig,
        observer: &mut dyn Observer,
    ) {
        let time = time_after(searched, config) / 2;
        let setup = Setup { bits: setup.bits.min(BITS), ..*setup };
        self.dive(errors, time, options, &setup, config, observer);
    }

    /// Looks for shorter runs to an error by small searches that must not go as deep.
    fn dive(
        &self,
        errors: &mut Vec<FoundError>,
        time: Duration,
        options: Options,
        setup: &Setup,
        config: &SearchConfig,
        observer: &mut dyn Observer,
    ) {
        let Some(FoundError { violation, mut length, .. }) = errors.first().cloned() else {
            return;
        };
        let begin = Instant::now();
        for seed in 1..=8 {
            let Some(left) = time.checked_sub(begin.elapsed()) else { return };
            if length <= 1 {
                return;
            }
            let small = Setup {
                order: SearchOrder::Dfs,
                store: StoreKind::Bitstate,
                swarm: Some(2),
                hash_seed: seed,
                cache_bytes: None,
                ..*setup
            };
            let max_depth = Some(length - 1);
            let config = SearchConfig { max_depth, time_limit: Some(left), ..config.clone() };
            let again = search(self.program, options, &small, &config, observer).outcome;
            let shorter = again.errors.into_iter().find(|e| e.violation == violation);
            if let Some(error) = shorter {
                length = error.length;
                *errors = vec![error];
            }
        }
    }
}
