//! A* towards accepting components of the claim, cycles searched inside: A*+INDFS.
//!
//! Section 7.3 of the paper. Outside of such components states are expanded in the order of A*. A state
//! inside one starts an improved nested search that does not leave the component (`Confined`); what
//! lies beyond its border goes back to the open list. A component's states are searched once: if
//! no accepting cycle was found from one of them, none goes through it.

use super::open::{Open, Waiting};
use super::table::{Met, Origin, Table};
use super::{Directed, DirectedFigures, Ranking};
use crate::SearchConfig;
use crate::omega::{ExactStates, Lasso, NumberedMarks, improved_nested};
use crate::run::{Run, Stop};
use spinor_store::{BitSet, StateId, Visited};
use spinor_ts::{
    Component, ComponentClass, Control, Depth, Estimate, EventKind, Expansion, Fairness,
    FoundError, Incomplete, Label, Observer, OmegaSystem, Outcome, Stats, TransitionSystem,
    Violation, ViolationKind,
};
use std::cell::RefCell;

/// Searches for accepting cycles, directed to where they can be.
///
/// For systems without hidden bytes, with one acceptance set of states, and without fairness.
pub fn directed_nested<T: OmegaSystem, E: Estimate>(
    system: &mut T,
    estimate: &mut E,
    config: &SearchConfig,
    observer: &mut dyn Observer,
) -> Directed {
    let shared = RefCell::new(observer);
    let mut own = Shared(&shared);
    let mut search = Cycles {
        table: Table::new(system.hidden_bytes()),
        system,
        estimate,
        config,
        observer: &shared,
        run: Run::new(config, &mut own),
        figures: DirectedFigures::default(),
        open: Open::default(),
        explored: BitSet::new(),
        inside: Stats::default(),
    };
    let stop = match search.run.initial(search.system) {
        Ok(state) => search.search(&state).err(),
        Err(stop) => stop,
    };
    search.finish(stop)
}

/// One observer for a search and the searches inside it.
struct Shared<'a, 'o>(&'a RefCell<&'o mut dyn Observer>);

impl Observer for Shared<'_, '_> {
    fn progress(&mut self, stats: &Stats) -> Control {
        self.0.borrow_mut().progress(stats)
    }
}

struct Cycles<'a, 'o, T, E> {
    system: &'a mut T,
    estimate: &'a mut E,
    config: &'a SearchConfig,
    observer: &'a RefCell<&'o mut dyn Observer>,
    run: Run<'a>,
    figures: DirectedFigures,
    table: Table,
    open: Open,
    /// States of accepting components from which no cycle was found.
    explored: BitSet,
    /// Figures of the searches inside components.
    inside: Stats,
}

impl<T: OmegaSystem, E: Estimate> Cycles<'_, '_, T, E> {
    fn search(&mut self, initial: &[u8]) -> Result<(), Stop> {
        self.arrive(initial, 0, Origin { parent: StateId(0), event: 0 });
        let (mut state, mut expansion) = (Vec::new(), Expansion::new());
        while let Some(Waiting { id, depth, .. }) = self.open.pop() {
            if self.table.depths.get(id) != depth || self.explored.contains(id) {
                continue;
            }
            if self.run.is_due() {
                let memory = self.table.memory(self.open.bytes_used());
                self.run.check(memory)?;
            }
            self.table.load(id, &mut state);
            if self.system.component(&state).class != ComponentClass::NonAccepting {
                self.look_inside(id, &state)?;
                continue;
            }
            self.run.expand(self.system, &state, depth, &mut expansion);
            for (number, event) in (0..).zip(expansion.events()) {
                let depth = depth + Depth::from(event.steps);
                match event.kind {
                    EventKind::Successor => {
                        let origin = Origin { parent: id, event: number };
                        self.arrive(expansion.state(event), depth, origin);
                    }
                    EventKind::Violation(violation) if self.run.ignores(violation) => {}
                    EventKind::Violation(violation) => {
                        let (path, length) = self.table.run_to(self.system, id, number);
                        self.run.violation(violation, length, || path)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn arrive(&mut self, state: &[u8], depth: Depth, origin: Origin) {
        let hash = self.table.hash(state);
        match self.table.arrive(state, hash, depth, origin, true) {
            Met::New(id) => {
                self.run.count_stored();
                self.wait(id, state, depth);
            }
            Met::Shorter(id) => {
                self.run.count_matched();
                self.wait(id, state, depth);
            }
            Met::Known => self.run.count_matched(),
        }
    }

    fn wait(&mut self, id: StateId, state: &[u8], depth: Depth) {
        let estimate = self.estimate.estimate(state);
        self.figures.note(estimate);
        self.open.push(Ranking::A_STAR.of(depth, estimate), Waiting { id, depth, estimate });
    }

    /// Searches for a cycle in the component of a state.
    fn look_inside(&mut self, id: StateId, start: &[u8]) -> Result<(), Stop> {
        let kind = match self.system.cycle_violation().kind {
            ViolationKind::NonProgressCycle => ViolationKind::AcceptanceCycle,
            _ => ViolationKind::NonProgressCycle,
        };
        let mut ignore = self.config.ignore.clone();
        ignore.insert(kind);
        let spent = self.run.stats.search_time;
        let time_limit = self.config.time_limit.map(|limit| limit.saturating_sub(spent));
        let config = SearchConfig { ignore, time_limit, ..self.config.clone() };
        let mut confined = Confined {
            component: self.system.component(start).number,
            start: start.to_vec(),
            system: self.system,
            table: &mut self.table,
            explored: &self.explored,
            border: Violation { kind, site: u32::MAX },
            entered: Vec::new(),
            beyond: Vec::new(),
            stored: 0,
            moves: Expansion::new(),
        };
        let mut marks = NumberedMarks::new(ExactStates::new());
        let mut observer = Shared(self.observer);
        let found =
            improved_nested(&mut confined, &mut marks, Fairness::None, &config, &mut observer);
        let Confined { entered, beyond, stored, .. } = confined;
        self.add_figures(&found, stored);
        for error in &found.errors {
            self.adopt(id, error)?;
        }
        if let Some(why) = found.incomplete.into_iter().find(ends_all) {
            return Err(why);
        }
        entered.into_iter().for_each(|id| self.explored.set(id));
        let mut state = Vec::new();
        for id in beyond {
            self.table.load(id, &mut state);
            self.wait(id, &state, self.table.depths.get(id));
        }
        Ok(())
    }

    /// Makes a run of the whole system of one that begins in a component.
    fn adopt(&mut self, id: StateId, error: &FoundError) -> Result<(), Stop> {
        let mut path = self.table.run_to_state(id);
        let before = path.len();
        let length = self.table.length(self.system, &path) + error.length;
        path.extend_from_slice(&error.path);
        match error.cycle_start {
            Some(start) => {
                let cycle_start = before + start;
                self.run.lasso(error.violation, || Some(Lasso { path, cycle_start, length }))
            }
            None => self.run.violation(error.violation, length, || path),
        }
    }

    fn add_figures(&mut self, found: &Outcome, stored: u64) {
        let (all, part) = (&mut self.inside, &found.stats);
        all.stored += stored;
        all.expanded += part.expanded;
        all.transitions += part.transitions;
        all.matched += part.matched;
        all.atomic_steps += part.atomic_steps;
        all.depth_reached = all.depth_reached.max(part.depth_reached);
        self.run.stats.search_time += part.search_time;
        let cut = found.incomplete.iter().find(|reason| !ends_all(reason));
        if cut.is_some() {
            self.run.note_cut(Some("a search inside a component was not complete"));
        }
    }

    fn finish(mut self, stop: Option<Stop>) -> Directed {
        let memory = self.table.memory(self.open.bytes_used());
        let (all, part) = (&mut self.run.stats, &self.inside);
        all.stored += part.stored;
        all.expanded += part.expanded;
        all.transitions += part.transitions;
        all.matched += part.matched;
        all.atomic_steps += part.atomic_steps;
        all.depth_reached = all.depth_reached.max(part.depth_reached);
        let outcome = self.run.finish(stop.into_iter().collect(), memory);
        Directed { outcome, figures: self.figures }
    }
}

/// Whether a search inside a component was ended by what ends all searches.
fn ends_all(reason: &Incomplete) -> bool {
    !matches!(reason, Incomplete::Depth(_) | Incomplete::Method(_))
}

/// The part of a system that lies in one component. Events that lead out of it, or to states that
/// were searched before, are there as violations that nobody looks for: so events keep their numbers.
struct Confined<'a, T> {
    system: &'a mut T,
    table: &'a mut Table,
    start: Vec<u8>,
    component: u32,
    explored: &'a BitSet,
    border: Violation,
    /// States that were expanded.
    entered: Vec<StateId>,
    /// New states beyond the border.
    beyond: Vec<StateId>,
    /// New states.
    stored: u64,
    moves: Expansion,
}

impl<T: OmegaSystem> TransitionSystem for Confined<'_, T> {
    fn initial(&mut self) -> Result<Vec<u8>, Violation> {
        Ok(self.start.clone())
    }

    fn expand(&mut self, state: &[u8], out: &mut Expansion) {
        let mut moves = std::mem::take(&mut self.moves);
        self.system.expand(state, &mut moves);
        out.clear();
        out.atomic_steps = moves.atomic_steps;
        out.deepest = moves.deepest;
        out.cut = moves.cut;
        out.enabled = moves.enabled;
        let id = self.table.visited.find(state).expect("it was met before it is expanded");
        self.entered.push(id);
        let depth = self.table.depths.get(id);
        for (number, event) in (0..).zip(moves.events()) {
            let label = moves.labels().get(number as usize).copied();
            match event.kind {
                EventKind::Violation(violation) => out.push_violation(violation, event.steps),
                EventKind::Successor => {
                    let next = moves.state(event);
                    let origin = Origin { parent: id, event: number };
                    let is_inside = self.system.component(next).number == self.component;
                    let hash = self.table.hash(next);
                    let depth = depth + Depth::from(event.steps);
                    let is_old = match self.table.arrive(next, hash, depth, origin, false) {
                        Met::New(id) => {
                            self.stored += 1;
                            if !is_inside {
                                self.beyond.push(id);
                            }
                            false
                        }
                        _ => {
                            let known = self.table.visited.find(next);
                            known.is_some_and(|id| self.explored.contains(id))
                        }
                    };
                    if is_inside && !is_old {
                        out.push_successor(next, event.steps);
                    } else {
                        out.push_violation(self.border, event.steps);
                    }
                }
            }
            out.labels_mut().extend(label.or(Some(Label::default())));
        }
        self.moves = moves;
    }
}

impl<T: OmegaSystem> OmegaSystem for Confined<'_, T> {
    fn acceptance_sets(&self) -> u32 {
        self.system.acceptance_sets()
    }

    fn is_state_based(&self) -> bool {
        self.system.is_state_based()
    }

    fn cycle_violation(&self) -> Violation {
        self.system.cycle_violation()
    }

    fn component(&self, state: &[u8]) -> Component {
        self.system.component(state)
    }
}
