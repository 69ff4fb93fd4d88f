//! Where processes stand, as numbers: a search that does not put states together makes the choice from these.

use crate::reduced::Reduced;
use crate::select::members;
use spinor_ts::TransitionSystem;
use std::collections::HashMap;
use std::ops::Range;

/// All stations met so far.
#[derive(Debug, Default)]
pub(crate) struct Stations {
    all: Vec<Station>,
    numbers: HashMap<(usize, u32), u32>,
}

/// Where a process stands, in states with the same list of processes.
#[derive(Clone, Copy, Debug)]
struct Station {
    lineup: u32,
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
        let Stations { all, numbers } = &mut self.stations;
        *numbers.entry((number, position)).or_insert_with(|| {
            all.push(Station { lineup: number as u32, position, cost });
            all.len() as u32 - 1
        })
    }

    /// As [`TransitionSystem::pass_cost_at`].
    pub(crate) fn cost_at(&self, station: u32) -> u32 {
        self.stations.all[station as usize].cost
    }

    /// As [`TransitionSystem::enough_at`].
    pub(crate) fn choose_at(
        &mut self,
        stations: &[u32],
        events: &[u32],
        active: u64,
        peek: &dyn Fn(Range<usize>) -> u32,
    ) -> u64 {
        self.expanded += 1;
        if active & active.wrapping_sub(1) == 0 {
            return u64::MAX;
        }
        let all = &self.stations.all;
        let lineup = stations.first().map_or(0, |first| all[*first as usize].lineup);
        debug_assert!(stations.iter().all(|at| all[*at as usize].lineup == lineup));
        self.positions.clear();
        self.positions.extend(stations.iter().rev().map(|at| all[*at as usize].position));
        // The youngest process is the first group.
        let youngest = events.len() - 1;
        let turned = |set: u64| set.reverse_bits() >> (63 - youngest);
        let enabled = turned(active);
        let number_of = |set: u64| members(turned(set)).map(|group| events[group]).sum::<u32>();
        let total = number_of(enabled) as usize;
        let chosen = self.choose(lineup as usize, peek, enabled, total, |chosen| {
            let movers = chosen & enabled;
            (number_of(movers) as usize, movers)
        });
        if chosen == u64::MAX {
            return chosen;
        }
        self.reduced += 1;
        turned(chosen)
    }
}
