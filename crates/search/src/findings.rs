//! The errors found so far.

use crate::SearchConfig;
use crate::omega::Lasso;
use spinor_ts::{Depth, FoundError, Incomplete, Path, Violation, ViolationKind};
use std::collections::{BTreeSet, HashMap};

/// Collects one error per violation (kind and site), or every one.
pub(crate) struct Findings {
    errors: Vec<FoundError>,
    by_violation: HashMap<Violation, usize>,
    count: u64,
    max_errors: u64,
    shorten: bool,
    every_error: bool,
    ignore: BTreeSet<ViolationKind>,
}

impl Findings {
    pub(crate) fn new(config: &SearchConfig) -> Self {
        Self {
            errors: Vec::new(),
            by_violation: HashMap::new(),
            count: 0,
            max_errors: config.max_errors,
            shorten: config.shorten,
            every_error: config.every_error && !config.shorten,
            ignore: config.ignore.clone(),
        }
    }

    pub(crate) fn ignores(&self, violation: Violation) -> bool {
        self.ignore.contains(&violation.kind)
    }

    /// Records a violation that is not ignored. `bound` becomes shorter than
    /// `length` if errors are to be shortened.
    pub(crate) fn add(
        &mut self,
        violation: Violation,
        length: Depth,
        bound: &mut Depth,
        path: impl FnOnce() -> Path,
    ) -> Result<(), Incomplete> {
        self.add_all(violation, length, 1, bound, path)
    }

    /// The same for several occurrences of equal length; `path` leads to one of them.
    /// Those beyond the wanted number of errors are left out.
    pub(crate) fn add_all(
        &mut self,
        violation: Violation,
        length: Depth,
        occurrences: u64,
        bound: &mut Depth,
        path: impl FnOnce() -> Path,
    ) -> Result<(), Incomplete> {
        let mut path = Some(path);
        let mut path = || path.take().map(|path| path()).unwrap_or_default();
        self.add_by(violation, length, occurrences, bound, &mut path)
    }

    /// The same; compiled once, whoever calls it.
    fn add_by(
        &mut self,
        violation: Violation,
        length: Depth,
        occurrences: u64,
        bound: &mut Depth,
        path: &mut dyn FnMut() -> Path,
    ) -> Result<(), Incomplete> {
        let wanted = match self.max_errors {
            _ if self.shorten => 1,
            0 => occurrences,
            max => occurrences.min(max.saturating_sub(self.count)),
        };
        let number = self.count + 1;
        self.count += wanted;
        if let Some(index) = self.known(violation) {
            let error = &mut self.errors[index];
            error.occurrences += wanted;
            if self.shorten && length < error.length {
                error.length = length;
                error.path = path();
            }
        } else {
            self.by_violation.insert(violation, self.errors.len());
            let path = path();
            self.errors.push(FoundError {
                violation,
                path,
                length,
                cycle_start: None,
                occurrences: wanted,
                number,
            });
        }
        if self.shorten {
            // An error in the initial state cannot be shortened.
            let shorter = length.checked_sub(1).ok_or(Incomplete::ErrorLimit(self.count))?;
            *bound = shorter.min(*bound);
        } else if self.count == self.max_errors {
            return Err(Incomplete::ErrorLimit(self.max_errors));
        }
        Ok(())
    }

    /// The error that stands for a violation, unless each is kept.
    fn known(&self, violation: Violation) -> Option<usize> {
        let known = self.by_violation.get(&violation).copied();
        known.filter(|_| !self.every_error)
    }

    /// Records a violation that is an infinite run. `build` is asked for the first one
    /// only, unless each is kept; false if it gave none.
    pub(crate) fn add_lasso(
        &mut self,
        violation: Violation,
        bound: &mut Depth,
        build: impl FnOnce() -> Option<Lasso>,
    ) -> Result<bool, Incomplete> {
        if let Some(index) = self.known(violation) {
            let length = self.errors[index].length;
            return self.add(violation, length, bound, Path::new).map(|()| true);
        }
        let Some(lasso) = build() else { return Ok(false) };
        let result = self.add(violation, lasso.length, bound, || lasso.path);
        if let Some(error) = self.errors.last_mut() {
            error.cycle_start = Some(lasso.cycle_start);
        }
        result.map(|()| true)
    }

    /// The errors and the number of their occurrences.
    pub(crate) fn finish(mut self) -> (Vec<FoundError>, u64) {
        if self.shorten {
            self.errors.sort_by_key(|error| error.length);
        }
        (self.errors, self.count)
    }
}
