//! A system of which only some moves are looked at.

use crate::access::Access;
use crate::anonymous::is_anonymous;
use crate::bits::Channels;
use crate::choices::Choices;
use crate::classes::{Class, Classes};
use crate::instance::{Facts, Stop, reads_of, stops};
use crate::known::Known;
use crate::memos::Memos;
use crate::partners;
use crate::pass::MAX_PASSED;
use crate::seats::Lineups;
use crate::select::{Marks, Relations, Scene};
use crate::stations::Stations;
use crate::sticky::sticky;
use crate::walk::{each_expression, starts_any};
use crate::watch::Watch;
use spinor_exec::Options;
use spinor_product::{Explained, Origin};
use spinor_program::expr::{Predefined, ProctypeId};
use spinor_program::{Action, Expr, LocId, Program, Stable, Transition};
use spinor_ts::{
    Event, EventKind, Expansion, Footprint, GroupMoves, Label, MAX_MOVERS, Seats, TransitionSystem,
    Violation,
};
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// What of a system a property can see.
#[derive(Clone, Default, Debug)]
pub struct Visible {
    /// Propositions whose truth matters from state to state.
    pub propositions: Vec<Expr>,
    /// Being at an `accept` label matters.
    pub accept_labels: bool,
    /// Being at a `progress` label matters.
    pub progress_labels: bool,
}

impl Visible {
    fn has_labels(&self) -> bool {
        self.accept_labels || self.progress_labels
    }
}

/// Why the moves of a program cannot be reduced; `None` if they can.
#[must_use]
pub fn obstacle(program: &Program, options: Options) -> Option<&'static str> {
    if program.uses_priority {
        return Some("the model has priorities");
    }
    if program.proctypes.iter().any(|p| p.provided.is_some()) {
        return Some("the model has `provided` clauses");
    }
    if program.uses_last {
        return Some("the model uses `_last`");
    }
    if options.claim.is_some() {
        return Some("the property is a never claim");
    }
    let mut found = None;
    for process in &program.proctypes {
        each_expression(program, process, &mut |e| match e {
            Expr::Enabled(_) => found = Some("the model uses `enabled`"),
            Expr::PcValue(_) => found = Some("the model uses `pc_value`"),
            Expr::Predefined(Predefined::NonProgress) => found = Some("the model uses `np_`"),
            _ => {}
        });
    }
    found
}

/// A system of which only the moves of a sufficient set of processes are looked at. The engine
/// inside has to [label](Options::labels) its events.
pub struct Reduced<T> {
    system: T,
    pub(crate) program: Arc<Program>,
    pub(crate) options: Options,
    stable: Stable,
    is_watched: Vec<bool>,
    whole: Vec<Access>,
    is_anonymous: bool,
    minds_partners: bool,
    /// Stops for want of a partner may be put off.
    puts_off: bool,
    /// On which channels somebody minds that there is none, when channels are known.
    minded: Option<Channels>,
    /// What the trace declaration watches, when channels are known.
    watch: Option<Watch>,
    /// What the property reads.
    visible: Access,
    sight: Visible,
    pub(crate) sticky: Vec<Vec<bool>>,
    pub(crate) frames: Vec<Vec<u32>>,
    stops: Vec<Stop>,
    marks: Vec<Marks>,
    /// By position: what it is like, and how these are told apart.
    pub(crate) kinds: Vec<Class>,
    classes: Classes,
    /// By position: the process must not move alone there.
    pub(crate) is_held: Vec<bool>,
    /// The same, or it would not get anywhere.
    pub(crate) is_futile: Vec<bool>,
    instances: HashMap<(u32, u8, Vec<u8>), u32>,
    pub(crate) relations: Relations,
    choices: Choices,
    /// Conditions that the last choice depends on, and whether they held.
    pub(crate) consulted: Vec<(u16, bool)>,
    pub(crate) memos: Memos,
    pub(crate) lineups: Lineups,
    pub(crate) stations: Stations,
    pub(crate) positions: Vec<u32>,
    proviso: Proviso,
    /// The numbers of the events of the state expanded last, if they are
    pub(crate) order: Vec<u32>,
    /// arranged in another order than the system has.
    pub(crate) is_arranged: bool,
    /// The processes whose moves are enough in that state.
    pub(crate) chosen: u64,
    /// A state that is passed.
    pub(crate) passing: Vec<u8>,
    spare: (Vec<Event>, Vec<Label>),
}

/// What keeps moves from being put off for ever.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Proviso {
    /// Every cycle of states has one with all moves: processes do not move alone at locations
    /// that each of their loops passes.
    Automata,
    /// The search takes all moves where those chosen lead to nothing new.
    Search,
}

/// Processes that are told apart by the values of their parameters.
const MAX_INSTANCES: usize = 4096;

impl<T: TransitionSystem> Reduced<T> {
    /// `system` runs `program` under `options`, which ask for labels. There must be no
    /// [obstacle].
    #[must_use]
    pub fn new(system: T, program: Arc<Program>, options: Options, sight: Visible) -> Self {
        let stable = Stable::new(&program);
        let is_watched = watched_types(&program, &sight);
        // Where locations or numbers of processes are seen by the property, so are their ends.
        let sees_nothing = sight.propositions.is_empty() && !sight.has_labels();
        let is_anonymous = sees_nothing && is_anonymous(&program);
        let minds_partners = partners::are_minded(&program);
        let known = nothing_known(&stable, None);
        let watch = Watch::new(&program, &known).filter(|_| !options.no_trace);
        let mut facts = Facts {
            program: &program,
            is_watched: &is_watched,
            whole: &[],
            is_anonymous,
            minds_partners,
            minded: None,
            watch: watch.as_ref(),
        };
        let whole = whole_accesses(&facts, &stable);
        facts.whole = &whole;
        let mut visible = Access::default();
        for proposition in &sight.propositions {
            visible.add(&reads_of(&facts, &known, proposition));
        }
        let sticky = sticky_locations(&facts, &stable);
        let frames = (0..program.proctypes.len()).map(|p| stable.of_frame(p)).collect();
        Reduced {
            system,
            stable,
            is_watched,
            whole,
            is_anonymous,
            minds_partners,
            // C may look at the variables of any process.
            puts_off: sees_nothing && minds_partners && program.embedded.is_none(),
            minded: None,
            watch: None,
            visible,
            sight,
            sticky,
            frames,
            stops: Vec::new(),
            marks: Vec::new(),
            kinds: Vec::new(),
            classes: Classes::default(),
            is_held: Vec::new(),
            is_futile: Vec::new(),
            instances: HashMap::new(),
            relations: Relations::default(),
            choices: Choices::default(),
            consulted: Vec::new(),
            memos: Memos::default(),
            lineups: Lineups::default(),
            stations: Stations::default(),
            positions: Vec::new(),
            proviso: Proviso::Automata,
            order: Vec::new(),
            is_arranged: false,
            chosen: u64::MAX,
            passing: Vec::new(),
            spare: (Vec::new(), Vec::new()),
            program,
            options,
        }
    }

    /// Leaves it to the search to see that no move is put off for ever: no move is left out, but
    /// those that are [enough](Expansion::enough) come first. Not for infinite runs.
    #[must_use]
    pub fn guarded_by_search(mut self) -> Self {
        self.proviso = Proviso::Search;
        self
    }

    /// The system.
    pub fn system(&self) -> &T {
        &self.system
    }

    /// Whether the property reads something that any move may change.
    #[must_use]
    pub fn is_all_visible(&self) -> bool {
        self.visible.all || self.visible.timeouts
    }

    /// Makes all moves of a state; says whether some of them are enough.
    pub fn probe(&mut self, state: &[u8], out: &mut Expansion) -> bool {
        self.system.expand(state, out);
        self.select(state, out) != u64::MAX
    }

    /// Finds out where all processes stand; the number of their list.
    pub(crate) fn locate(&mut self, state: &[u8]) -> usize {
        let number = self.lineups.number(&self.program, self.options, &self.frames, state);
        self.positions.clear();
        if !self.lineups.get(number).positions(state, &mut self.positions) {
            self.meet(state, number);
        }
        number
    }

    /// The same where some processes are others than those met last.
    #[cold]
    fn meet(&mut self, state: &[u8], lineup: usize) {
        self.positions.clear();
        for pid in 0..self.lineups.get(lineup).seats.len() {
            let first = self.lineups.get(lineup).first(pid, state);
            let first = first.unwrap_or_else(|| self.instance(state, lineup, pid));
            self.positions.push(first + self.lineups.get(lineup).seats[pid].location(state));
        }
    }

    /// The position of location 0 of a process that was not met last.
    #[cold]
    fn instance(&mut self, state: &[u8], lineup: usize, pid: usize) -> u32 {
        let known = self.lineups.get(lineup);
        let mut key = (known.shape.frames[pid].proctype.0, pid as u8, known.values(pid, state));
        if !self.instances.contains_key(&key) && self.instances.len() >= MAX_INSTANCES {
            key.2.clear();
        }
        let first = self.instances.get(&key).copied().unwrap_or_else(|| {
            let first = self.add_instance(state, lineup, &key);
            self.instances.insert(key, first);
            first
        });
        self.lineups.remember(lineup, pid, state, first);
        first
    }

    #[cold]
    fn add_instance(&mut self, state: &[u8], lineup: usize, key: &(u32, u8, Vec<u8>)) -> u32 {
        let (proctype, pid, values) = key;
        let proctype = ProctypeId(*proctype);
        let shape = &self.lineups.get(lineup).shape;
        let frame = shape.frames[usize::from(*pid)];
        let length = self.program.proctypes[proctype.index()].frame.bytes as usize;
        let is_told = !values.is_empty() || self.frames[proctype.index()].is_empty();
        let globals = &state[shape.globals..shape.globals + self.program.globals.bytes as usize];
        let known = Known {
            stable: &self.stable,
            proctype: Some(proctype.index()),
            pid: Some(usize::from(*pid)),
            globals,
            frame: if is_told { &state[frame.offset..frame.offset + length] } else { &[] },
        };
        let program = &self.program;
        if self.watch.is_none() && !self.options.no_trace {
            let known = Known { proctype: None, pid: None, frame: &[], ..known };
            self.watch = Watch::new(program, &known);
        }
        let mut facts = Facts {
            program,
            is_watched: &self.is_watched,
            whole: &self.whole,
            is_anonymous: self.is_anonymous,
            minds_partners: self.minds_partners,
            minded: None,
            watch: self.watch.as_ref(),
        };
        let capacity = |number: u8| {
            let site = program.globals.channels.get(usize::from(number))?;
            Some(program.channel_types[site.channel.0 as usize].capacity)
        };
        if self.puts_off && self.minded.is_none() {
            self.minded = Some(partners::minded(&facts, &known, &capacity));
        }
        facts.minded = self.minded;
        let stops = stops(&facts, &known, proctype, &capacity);
        let first = self.stops.len() as u32;
        let automaton = &program.proctypes[proctype.index()].automaton;
        for (at, stop) in stops.iter().enumerate() {
            let is_seen = self.is_seen(&stop.now)
                || self.has_label(proctype, at)
                || automaton.locations[at]
                    .transitions
                    .iter()
                    .any(|t| self.leads_to_label(proctype, t.target, t.atomic));
            let is_sticky = self.proviso == Proviso::Automata && self.sticky[proctype.index()][at];
            self.is_held.push(is_seen || is_sticky);
            self.is_futile.push(is_seen || is_sticky || is_idle(program, proctype, at));
        }
        self.marks.extend(stops.iter().map(Marks::of));
        let classes = &mut self.classes;
        self.kinds.extend(stops.iter().map(|stop| classes.of(usize::from(*pid), stop)));
        self.stops.extend(stops);
        first
    }

    /// Whether moves change what the property reads.
    fn is_seen(&self, now: &Access) -> bool {
        let changed = now.sends.or(now.receives).or(now.renews);
        now.writes.meets(&self.visible.reads)
            || !changed.and(self.visible.looks).is_empty()
            || self.visible.counts && (now.starts || now.ends)
    }

    fn has_label(&self, proctype: ProctypeId, at: usize) -> bool {
        let location = &self.program.proctypes[proctype.index()].automaton.locations[at];
        self.sight.accept_labels && location.is_accepting
            || self.sight.progress_labels && location.is_progress
    }

    /// Whether a step leads to a label that matters; inside atomic sequences, to be safe, any.
    fn leads_to_label(&self, proctype: ProctypeId, to: LocId, atomic: bool) -> bool {
        let locations = &self.program.proctypes[proctype.index()].automaton.locations;
        if atomic {
            return (0..locations.len()).any(|at| self.has_label(proctype, at));
        }
        self.has_label(proctype, to.index())
    }

    /// The processes whose moves are enough.
    fn select(&mut self, state: &[u8], out: &Expansion) -> u64 {
        if out.cut.is_some() {
            return u64::MAX;
        }
        if out.enabled.count_ones() < 2 {
            return u64::MAX;
        }
        let lineup = self.locate(state);
        let peek = |bytes: Range<usize>| {
            state[bytes].iter().rev().fold(0, |value, byte| value << 8 | u32::from(*byte))
        };
        // Those who begin moves: others who take part are in every set with these.
        self.choose(lineup, &peek, true, out.enabled, out.events().len(), |chosen| {
            let mut goes_on = false;
            let (mut events, mut movers) = (0, 0);
            let all = out.events().iter().zip(out.labels());
            for (event, label) in all.filter(|(_, label)| label.movers & chosen != 0) {
                goes_on |= event.kind == EventKind::Successor;
                events += 1;
                movers |= label.movers;
            }
            // Errors alone lead nowhere: what the others do would never be seen.
            (if goes_on { events } else { usize::MAX }, movers)
        })
    }

    /// The same, given who can move, how many events there are, and how many those of some processes
    /// are (too many if they lead nowhere) and who takes part in them. Where processes stand is known.
    /// `is_remembered`: it is worth looking for sets made before.
    pub(crate) fn choose(
        &mut self,
        lineup: usize,
        peek: &dyn Fn(Range<usize>) -> u32,
        is_remembered: bool,
        enabled: u64,
        events: usize,
        of: impl Fn(u64) -> (usize, u64),
    ) -> u64 {
        // Taken out while the rest is looked at.
        let mut choices = std::mem::take(&mut self.choices);
        let mut relations = std::mem::take(&mut self.relations);
        let scene = self.scene(lineup, peek, enabled);
        let mut best = (events, u64::MAX);
        let mut sets = choices.sets(&scene, &mut relations, &self.is_futile, is_remembered);
        // Each of those that can move has an event.
        while let Some(set) = sets.next(u32::try_from(best.0).unwrap_or(u32::MAX)) {
            let (events, movers) = of(set);
            if events < best.0 && !holds_back(&self.positions, &self.is_held, movers) {
                best = (events, set);
                if events == 1 {
                    break;
                }
            }
        }
        let consulted = sets.conditions().to_vec();
        (self.choices, self.relations, self.consulted) = (choices, relations, consulted);
        best.1
    }

    /// A state as the choice sees it, with this list of processes, of whom some can move.
    pub(crate) fn scene<'a>(
        &'a self,
        lineup: usize,
        peek: &'a dyn Fn(Range<usize>) -> u32,
        enabled: u64,
    ) -> Scene<'a> {
        Scene {
            program: &self.program,
            shape: &self.lineups.get(lineup).shape,
            peek,
            positions: &self.positions,
            stops: &self.stops,
            marks: &self.marks,
            classes: &self.kinds,
            columns: self.classes.columns(),
            enabled,
        }
    }

    /// Whether states with one way on are passed.
    pub(crate) fn passes(&self) -> bool {
        self.proviso == Proviso::Search
    }

    /// Expands a state, which is not passed.
    pub(crate) fn expand_one(&mut self, state: &[u8], out: &mut Expansion) {
        self.system.expand(state, out);
        let chosen = self.select(state, out);
        self.chosen = chosen;
        self.is_arranged = chosen != u64::MAX;
        if !self.is_arranged {
            return;
        }
        debug_assert!(
            out.labels().iter().all(|l| l.movers & chosen == 0 || l.movers & !chosen == 0),
            "processes that move together are chosen together"
        );
        let enough = arrange(out.labels(), chosen, &mut self.order);
        match self.proviso {
            Proviso::Automata => {
                self.order.truncate(enough);
                reorder(out, &self.order, &mut self.spare);
            }
            Proviso::Search => {
                reorder(out, &self.order, &mut self.spare);
                out.enough = enough as u32;
            }
        }
    }
}

/// Whether one of these processes must not move without the others.
fn holds_back(positions: &[u32], is_held: &[bool], mut movers: u64) -> bool {
    while movers != 0 {
        let pid = movers.trailing_zeros() as usize;
        movers &= movers - 1;
        if is_held[positions[pid] as usize] {
            return true;
        }
    }
    false
}

impl<T: TransitionSystem> TransitionSystem for Reduced<T> {
    fn initial(&mut self) -> Result<Vec<u8>, Violation> {
        self.system.initial()
    }

    fn hidden_bytes(&self) -> usize {
        self.system.hidden_bytes()
    }

    fn expand(&mut self, state: &[u8], out: &mut Expansion) {
        self.expand_one(state, out);
        if self.passes() {
            self.pass(out, |_| ());
        }
    }

    fn leaves_out(&self) -> bool {
        self.proviso == Proviso::Search
    }

    fn most_passed(&self) -> u32 {
        if self.passes() { MAX_PASSED } else { 0 }
    }

    fn pass_cost(&mut self, state: &[u8], rank: usize) -> u32 {
        // The oldest process is the last group.
        self.cost(state, rank)
    }

    fn groups(&mut self, state: &[u8], anchors: &mut Vec<usize>) -> bool {
        // Who takes part in moves, other than who begins them, is not remembered.
        let is_blind = self.visible == Access::default() && !self.sight.has_labels();
        let is_apart = self.leaves_out() && is_blind && self.system.groups(state, anchors);
        is_apart && anchors.len() <= MAX_MOVERS
    }

    fn expand_group(
        &mut self,
        state: &[u8],
        group: usize,
        out: &mut Expansion,
        footprint: Option<&mut Footprint>,
    ) -> GroupMoves {
        self.system.expand_group(state, group, out, footprint)
    }

    fn station(&mut self, state: &[u8], group: usize, bytes: &mut Vec<Range<usize>>) -> u32 {
        self.station_of(state, group, bytes)
    }

    fn enough_at(&mut self, seats: &Seats<'_>, peek: &dyn Fn(Range<usize>) -> u32) -> u64 {
        self.choose_at(seats, peek)
    }

    fn pass_cost_at(&mut self, station: u32) -> u32 {
        self.cost_at(station)
    }
}

/// The numbers of the events, those of the chosen processes first; how many these are.
fn arrange(labels: &[Label], chosen: u64, order: &mut Vec<u32>) -> usize {
    let numbers = |is_chosen: bool| {
        let labels = (0..).zip(labels);
        labels.filter(move |(_, l)| (l.movers & chosen != 0) == is_chosen).map(|(n, _)| n)
    };
    order.clear();
    order.extend(numbers(true));
    let enough = order.len();
    order.extend(numbers(false));
    enough
}

/// Keeps the events with these numbers, in this order.
fn reorder(out: &mut Expansion, order: &[u32], spare: &mut (Vec<Event>, Vec<Label>)) {
    let (spare_events, spare_labels) = spare;
    let labels = out.labels_mut();
    spare_labels.clear();
    spare_labels.extend(order.iter().map(|&number| labels[number as usize]));
    std::mem::swap(labels, spare_labels);
    let (events, _) = out.raw_parts();
    spare_events.clear();
    spare_events.extend(order.iter().map(|&number| events[number as usize]));
    std::mem::swap(events, spare_events);
}

impl<T: Explained> Explained for Reduced<T> {
    fn origin(&mut self, state: &[u8], event: u32) -> Option<Origin> {
        // Where states are passed, more than one may belong to it.
        let way = self.way(state, event)?;
        let &[number] = way.as_slice() else { return None };
        self.system.origin(state, number)
    }

    fn system_state(&self, state: &[u8]) -> Vec<u8> {
        self.system.system_state(state)
    }
}

/// A process of which nothing is known but its type.
fn nothing_known(stable: &Stable, proctype: Option<usize>) -> Known<'_> {
    Known { stable, proctype, pid: None, globals: &[], frame: &[] }
}

/// Types of processes that others, or the property, look into.
fn watched_types(program: &Program, sight: &Visible) -> Vec<bool> {
    let mut is_watched = vec![false; program.proctypes.len()];
    let mut note = |e: &Expr| {
        if let Expr::RemoteLabel { proctype, .. } | Expr::RemoteVar { proctype, .. } = e {
            is_watched[proctype.index()] = true;
        }
    };
    for process in &program.proctypes {
        each_expression(program, process, &mut note);
    }
    sight.propositions.iter().for_each(|e| e.walk(&mut note));
    is_watched
}

/// What processes of each type, and those they start, may touch.
fn whole_accesses(facts: &Facts<'_>, stable: &Stable) -> Vec<Access> {
    let mut whole = vec![Access::default(); facts.program.proctypes.len()];
    loop {
        let mut next = whole.clone();
        let facts = Facts { whole: &whole, ..*facts };
        for (number, all) in next.iter_mut().enumerate() {
            let known = nothing_known(stable, Some(number));
            let capacity = |_: u8| None;
            for stop in stops(&facts, &known, ProctypeId(number as u32), &capacity) {
                all.add(&stop.future);
            }
        }
        if next == whole {
            return whole;
        }
        whole = next;
    }
}

fn sticky_locations(facts: &Facts<'_>, stable: &Stable) -> Vec<Vec<bool>> {
    let program = facts.program;
    let one = |number: usize| {
        let known = nothing_known(stable, Some(number));
        let stops = stops(facts, &known, ProctypeId(number as u32), &|_| None);
        let is_busy = |at: usize| !stops[at].now.is_local();
        sticky(&program.proctypes[number].automaton, is_busy)
    };
    (0..program.proctypes.len()).map(one).collect()
}

/// Whether a process does nothing at a location but stay there: its moves lead nowhere.
fn is_idle(program: &Program, proctype: ProctypeId, at: usize) -> bool {
    let transitions = &program.proctypes[proctype.index()].automaton.locations[at].transitions;
    let stays = |t: &Transition| {
        let action = &program.statement(t.statement).action;
        let does_nothing = match action {
            Action::Skip | Action::Else => true,
            Action::Condition(e) => !starts_any(e),
            _ => false,
        };
        does_nothing && t.target.index() == at
    };
    !transitions.is_empty() && transitions.iter().all(stays)
}
