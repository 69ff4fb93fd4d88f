//! Where processes stand, as numbers: a search that does not put states together makes the choice from these.

use crate::classes::Class;
use crate::reduced::Reduced;
use crate::select::members;
use spinor_ts::{Seats, TransitionSystem};
use std::collections::HashMap;
use std::ops::Range;

/// All stations met so far. Processes at different positions are at the same station if the choice cannot tell these apart.
#[derive(Debug, Default)]
pub(crate) struct Stations {
    all: Vec<Station>,
    numbers: HashMap<(usize, Likeness), u32>,
}

/// All that a position means to the choice, and to passing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Likeness {
    class: Class,
    is_held: bool,
    is_futile: bool,
    cost: u32,
}

/// Where a process stands, in states with the same list of processes.
#[derive(Clone, Copy, Debug)]
struct Station {
    lineup: u32,
    /// One of its positions.
    position: u32,
    /// As how many a state counts that is passed when the process arrives here.
    cost: u32,
}

impl<T: TransitionSystem> Reduced<T> {
    /// As [`TransitionSystem::station`].
    pub(crate) fn station_of(
        &mut self,
        state: &[u8],
        group: usize,
        bytes: &mut Vec<Range<usize>>,
    ) -> u32 {
        let number = self.locate(state);
        let lineup = self.lineups.get(number);
        // The youngest process is the first group.
        let pid = lineup.seats.len() - 1 - group;
        lineup.bytes_of(pid, bytes);
        let position = self.positions[pid];
        let cost = self.cost(state, pid);
        let at = position as usize;
        let class = self.kinds[at];
        let (is_held, is_futile) = (self.is_held[at], self.is_futile[at]);
        let likeness = Likeness { class, is_held, is_futile, cost };
        let Stations { all, numbers } = &mut self.stations;
        *numbers.entry((number, likeness)).or_insert_with(|| {
            all.push(Station { lineup: number as u32, position, cost });
            all.len() as u32 - 1
        })
    }

    /// As [`TransitionSystem::pass_cost_at`].
    pub(crate) fn cost_at(&self, station: u32) -> u32 {
        self.stations.all[station as usize].cost
    }

    /// As [`TransitionSystem::enough_at`].
    #[inline]
    pub(crate) fn choose_at(
        &mut self,
        seats: &Seats<'_>,
        peek: &dyn Fn(Range<usize>) -> u32,
    ) -> u64 {
        let known = self.memos.get(seats).filter(|(_, conditions)| {
            let lineup = self.stations.lineup(seats);
            conditions.is_empty() || self.do_hold(lineup, conditions, peek)
        });
        if let Some((chosen, _)) = known {
            return chosen;
        }
        self.choose_anew(seats, peek)
    }

    /// Whether lists of conditions hold or not, as said.
    fn do_hold(
        &self,
        lineup: usize,
        conditions: &[(u16, bool)],
        peek: &dyn Fn(Range<usize>) -> u32,
    ) -> bool {
        let scene = self.scene(lineup, peek, 0);
        conditions.iter().all(|(list, held)| self.relations.holds(&scene, *list) == *held)
    }

    /// The same for seats of which no choice is remembered.
    #[inline(never)]
    fn choose_anew(&mut self, seats: &Seats<'_>, peek: &dyn Fn(Range<usize>) -> u32) -> u64 {
        let all = &self.stations.all;
        let lineup = self.stations.lineup(seats);
        let station = |seat: &u64| all[(seat >> 32) as usize];
        debug_assert!(seats.all.iter().all(|seat| station(seat).lineup as usize == lineup));
        self.positions.clear();
        self.positions.extend(seats.all.iter().rev().map(|seat| station(seat).position));
        // The youngest process is the first group.
        let youngest = seats.all.len() - 1;
        let turned = |set: u64| set.reverse_bits() >> (63 - youngest);
        let enabled = turned(seats.active);
        let events = |group: usize| seats.all[group] as u32;
        let number_of = |set: u64| members(turned(set)).map(events).sum::<u32>() as usize;
        // What is the same is found in another way.
        let chosen = self.choose(lineup, peek, false, enabled, number_of(enabled), |chosen| {
            let movers = chosen & enabled;
            (number_of(movers), movers)
        });
        let chosen = if chosen == u64::MAX { chosen } else { turned(chosen) };
        self.memos.put(seats, chosen, &self.consulted);
        chosen
    }
}

impl Stations {
    /// The list of processes of a state.
    fn lineup(&self, seats: &Seats<'_>) -> usize {
        let first = seats.all.first().map(|seat| self.all[(seat >> 32) as usize]);
        first.map_or(0, |station| station.lineup as usize)
    }
}
