//! Beam search: level by level, but of each level only the best states.
//!
//! A level is what one move of the level before leads to. What does not fit into the beam is
//! forgotten, so the search may miss errors; it says so.

use super::table::{Met, Origin, Table};
use super::{Directed, DirectedFigures};
use crate::SearchConfig;
use crate::run::{Run, Stop};
use spinor_store::StateId;
use spinor_ts::{
    Depth, Estimate, EventKind, Expansion, Incomplete, Observer, TransitionSystem, Violation,
};

/// Searches the best `width` states of each level.
pub fn beam<T: TransitionSystem, E: Estimate>(
    system: &mut T,
    estimate: &mut E,
    width: usize,
    config: &SearchConfig,
    observer: &mut dyn Observer,
) -> Directed {
    let mut search = Beam {
        table: Table::new(system.hidden_bytes()),
        system,
        estimate,
        run: Run::new(config, observer),
        figures: DirectedFigures::default(),
        next: Vec::new(),
        found: Vec::new(),
        dropped: 0,
        is_cut: false,
    };
    let stop = match search.run.initial(search.system) {
        Ok(state) => search.search(&state, width).err(),
        Err(stop) => stop,
    };
    search.finish(stop, width)
}

struct Beam<'a, T, E> {
    system: &'a mut T,
    estimate: &'a mut E,
    run: Run<'a>,
    figures: DirectedFigures,
    table: Table,
    /// Estimates and states of the next level.
    next: Vec<(u32, StateId)>,
    /// Violations of this level: length, state, event.
    found: Vec<(Depth, StateId, u32, Violation)>,
    dropped: u64,
    is_cut: bool,
}

impl<T: TransitionSystem, E: Estimate> Beam<'_, T, E> {
    fn search(&mut self, initial: &[u8], width: usize) -> Result<(), Stop> {
        self.arrive(initial, 0, Origin { parent: StateId(0), event: 0 });
        let mut level = Vec::new();
        let mut state = Vec::new();
        let mut expansion = Expansion::new();
        while !self.next.is_empty() {
            std::mem::swap(&mut level, &mut self.next);
            self.next.clear();
            // Ties go to the state found first.
            level.sort_unstable();
            self.dropped += level.len().saturating_sub(width) as u64;
            level.truncate(width);
            for (_, id) in &level {
                if self.run.is_due() {
                    let rest = level.capacity() + self.next.capacity();
                    let memory = self.table.memory((rest * size_of::<(u32, StateId)>()) as u64);
                    self.run.check(memory)?;
                }
                self.table.load(*id, &mut state);
                let depth = self.table.depths.get(*id);
                self.run.expand(self.system, &state, depth, &mut expansion);
                self.take_all(*id, depth, &expansion);
            }
            self.report()?;
        }
        Ok(())
    }

    fn take_all(&mut self, id: StateId, depth: Depth, expansion: &Expansion) {
        for (number, event) in (0..).zip(expansion.events()) {
            let depth = depth + Depth::from(event.steps);
            match event.kind {
                EventKind::Violation(violation) if self.run.ignores(violation) => {}
                _ if self.run.is_cut(depth) => self.is_cut = true,
                EventKind::Successor => {
                    let origin = Origin { parent: id, event: number };
                    self.arrive(expansion.state(event), depth, origin);
                }
                EventKind::Violation(violation) => {
                    self.found.push((depth, id, number, violation));
                }
            }
        }
    }

    fn arrive(&mut self, state: &[u8], depth: Depth, origin: Origin) {
        let hash = self.table.hash(state);
        match self.table.arrive(state, hash, depth, origin, false) {
            Met::New(id) => {
                self.run.count_stored();
                let estimate = self.estimate.estimate(state);
                self.figures.note(estimate);
                self.next.push((estimate, id));
            }
            _ => self.run.count_matched(),
        }
    }

    /// The violations of a level, the shortest first.
    fn report(&mut self) -> Result<(), Stop> {
        let mut found = std::mem::take(&mut self.found);
        found.sort_unstable();
        for (_, id, event, violation) in found {
            let (path, length) = self.table.run_to(self.system, id, event);
            if !self.run.is_cut(length) {
                self.run.violation(violation, length, || path)?;
            }
        }
        Ok(())
    }

    fn finish(self, stop: Option<Stop>, width: usize) -> Directed {
        let memory = self.table.memory(0);
        let mut incomplete: Vec<Incomplete> = stop.into_iter().collect();
        if self.is_cut {
            incomplete.push(Incomplete::Depth(self.run.bound));
        }
        if self.dropped > 0 {
            incomplete.push(Incomplete::Method(format!(
                "the beam keeps the best {width} states of a level: {} were left out",
                self.dropped
            )));
        }
        let outcome = self.run.finish(incomplete, memory);
        Directed { outcome, figures: self.figures }
    }
}
