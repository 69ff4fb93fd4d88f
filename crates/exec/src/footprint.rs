//! Which bytes of a state the moves of a process depend on, and which they change.
//!
//! A footprint is that of one state. It holds for all states with the same bytes in it: what a
//! statement looks at is found by evaluating it, index by index and channel by channel, so
//! whatever decides where it looks is in the footprint as well. Statements that are not
//! executed in the state itself, but after others in an atomic sequence or a `d_step`, are looked at where
//! the others lead if there is no choice ([`rehearsal`]); else they are taken
//! with all that they may look at, whatever variables are by then.

mod rehearsal;
mod scan;

use crate::exec::Exec;
use crate::frame::Buffers;
use crate::lineup::Lineup;
use crate::movers::Movers;
use crate::replay::{Recorder, Silent};
use crate::walk::Walk;
use scan::{Notes, Scan};
use spinor_program::{Action, Place, Program, Stable};
use spinor_ts::{EventKind, Expansion, Footprint, GroupMoves, MAX_MOVERS};
use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::Range;

/// Steps inside atomic sequences beyond which moves are not taken apart: long walks are cut by
/// rules that count those of all processes.
const MANY_STEPS: u64 = 1 << 12;

/// Bytes that are not taken apart.
const SMALL: usize = 8;
/// The same of an array: its elements may be parts of their own.
const SMALL_ARRAY: usize = 1;

/// What the analysis knows of a program before it sees a state.
#[derive(Debug)]
pub(crate) struct Footprints {
    stable: Stable,
    /// Of each proctype: the channels that it receives from.
    receives: Vec<Vec<Place>>,
    /// Whether moves can be taken apart by processes at all.
    pub has_groups: bool,
    known: RefCell<Known>,
}

impl Footprints {
    pub fn new(program: &Program) -> Self {
        let receives = |process| {
            let mut found: Vec<Place> = Vec::new();
            program.each_action(process, &mut |action| {
                if let Action::Receive(receive) = action
                    && !found.contains(&receive.channel)
                {
                    found.push(receive.channel.clone());
                }
            });
            found
        };
        // C that remembers something may do something else the next time.
        let library = program.embedded.as_ref().map(|c| c.library.as_ref());
        let remembers = library.is_some_and(|l| l.is_none_or(|l| l.own_memory().is_some()));
        Footprints {
            stable: Stable::new(program),
            receives: program.proctypes.iter().map(receives).collect(),
            has_groups: !program.uses_last
                && !program.uses_priority
                && program.hidden_bytes == 0
                && !remembers
                && program.proctypes.iter().all(|p| p.provided.is_none()),
            known: RefCell::default(),
        }
    }
}

/// The footprint depends on more than can be said.
#[derive(Clone, Copy, Debug)]
struct Everything;

type Found = Result<(), Everything>;

/// A footprint that was found before, and what it depended on.
#[derive(Debug)]
struct Earlier {
    footprint: Footprint,
    found: Found,
    /// Bytes of the state that were looked at to find it.
    deciders: Vec<(Range<usize>, Vec<u8>)>,
}

impl Earlier {
    fn is_of(&self, state: &[u8]) -> bool {
        self.deciders.iter().all(|(range, bytes)| state[range.clone()] == **bytes)
    }
}

/// Where footprints are kept: by the address of a lineup, which stays, pid and location.
type Known = HashMap<(usize, usize, usize), Earlier>;

impl Exec {
    /// As [`TransitionSystem::groups`](spinor_ts::TransitionSystem::groups): the processes, the
    /// youngest first.
    pub(crate) fn processes_apart(&self, state: &[u8], anchors: &mut Vec<usize>) -> bool {
        let options = &self.options;
        let is_alone = options.claim.is_none() && !self.is_watched();
        anchors.clear();
        if !is_alone || !self.footprints().has_groups {
            return false;
        }
        let seats = &self.lineup(state).seats;
        anchors.extend(seats.iter().rev().map(|seat| seat.offset));
        !options.labels || seats.len() <= MAX_MOVERS
    }

    /// As [`TransitionSystem::expand_group`](spinor_ts::TransitionSystem::expand_group).
    pub(crate) fn expand_process(
        &self,
        state: &[u8],
        group: usize,
        out: &mut Expansion,
        footprint: Option<&mut Footprint>,
    ) -> GroupMoves {
        out.clear();
        let Some(pid) = self.pid_of_group(state, group) else { return GroupMoves::Inseparable };
        if self.options.labels {
            let mut movers = Movers::of(self, out);
            let mut buffers = self.labelled_buffers.take();
            self.walk_process(state, pid, out, &mut movers, &mut buffers);
            self.labelled_buffers.replace(buffers);
            movers.finish(out);
        } else {
            let mut buffers = self.buffers.take();
            self.walk_process(state, pid, out, &mut Silent, &mut buffers);
            self.buffers.replace(buffers);
        }
        self.judge(state, pid, out, footprint)
    }

    /// Makes the moves of one process while a recorder looks on.
    pub(crate) fn walk_process<R: Recorder>(
        &self,
        state: &[u8],
        pid: usize,
        out: &mut Expansion,
        recorder: &mut R,
        buffers: &mut Buffers<R::Trail>,
    ) {
        let mut walk = Walk::new(self, out, recorder, buffers);
        walk.of_process(state, pid);
        walk.finish();
        out.cut = out.cut.or(self.given_up.take());
    }

    /// The process of a group.
    #[must_use]
    pub fn pid_of_group(&self, state: &[u8], group: usize) -> Option<usize> {
        self.lineup(state).seats.len().checked_sub(group + 1)
    }

    /// What the moves of a process in a state, which `out` has, depend on.
    pub fn judge(
        &self,
        state: &[u8],
        pid: usize,
        out: &Expansion,
        footprint: Option<&mut Footprint>,
    ) -> GroupMoves {
        let is_successor = |kind| kind == EventKind::Successor;
        let is_plain = out.events().iter().all(|event| is_successor(event.kind));
        if !is_plain || out.cut.is_some() || out.atomic_steps > MANY_STEPS {
            return GroupMoves::Inseparable;
        }
        let Some(footprint) = footprint else { return GroupMoves::Local };
        let lineup = self.lineup(state);
        let known = self.footprints();
        let key = (std::ptr::from_ref(lineup).addr(), pid, lineup.seats[pid].location(state));
        let mut earlier = known.known.borrow_mut();
        let found = match earlier.get(&key).filter(|earlier| earlier.is_of(state)) {
            Some(earlier) => {
                footprint.clone_from(&earlier.footprint);
                earlier.found
            }
            None => {
                let (found, deciders) = self.scan(lineup, state, pid, footprint);
                if let Some(deciders) = deciders {
                    let decider = |range: Range<usize>| (range.clone(), state[range].to_vec());
                    let deciders = deciders.into_iter().map(decider).collect();
                    let footprint = footprint.clone();
                    earlier.insert(key, Earlier { footprint, found, deciders });
                }
                found
            }
        };
        if found.is_ok() { GroupMoves::Local } else { GroupMoves::Global }
    }

    /// Finds a footprint, and what decides where it is.
    fn scan(
        &self,
        lineup: &Lineup,
        state: &[u8],
        pid: usize,
        out: &mut Footprint,
    ) -> (Found, Option<Vec<Range<usize>>>) {
        let mut result = (Err(Everything), None);
        // To look at receivers where they are is only worth it if nothing else helps.
        for looks_at_receivers in [false, true] {
            out.clear();
            let mut scan = Scan {
                exec: self,
                known: self.footprints(),
                lineup,
                state,
                out: &mut *out,
                mover: pid,
                looks_at_receivers,
                notes: Notes { moved: vec![pid], deciders: Some(Vec::new()), written: Vec::new() },
            };
            let found = scan.process(pid);
            result = (found, scan.notes.deciders);
            if found.is_ok() {
                break;
            }
        }
        // Expressions were evaluated that the program itself does not look at.
        self.faults.borrow_mut().clear();
        result
    }
}
