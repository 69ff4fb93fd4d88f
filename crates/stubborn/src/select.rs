//! The choice of the processes that move.

use crate::access::{Condition, Relation};
use crate::instance::Stop;
use spinor_exec::Shape;
use spinor_program::Program;

/// Relations between locations of processes, computed when they are first asked for.
#[derive(Debug, Default)]
pub(crate) struct Relations {
    /// By position of a process that can move, then by position of the other one.
    moves: Table,
    /// The same for one that cannot.
    gates: Table,
    conditions: Vec<Vec<Condition>>,
    /// Who is in the way of each process of the state at hand, as far as it was asked for.
    rows: Vec<u64>,
    asked: u64,
    /// Lists of conditions that counted for them, and whether they held.
    consulted: Vec<(u16, bool)>,
}

#[derive(Debug, Default)]
struct Table(Vec<Vec<u16>>);

const UNKNOWN: u16 = 0;
const INDEPENDENT: u16 = 1;
const CONFLICT: u16 = 2;
/// From here on: a list of conditions.
const FIRST_CONDITIONS: u16 = 3;

/// A state as the choice sees it.
pub(crate) struct Scene<'a> {
    pub program: &'a Program,
    pub shape: &'a Shape,
    pub state: &'a [u8],
    /// By pid.
    pub positions: &'a [u32],
    /// By position.
    pub stops: &'a [Stop],
    /// Processes that can move, or take part in moves.
    pub enabled: u64,
}

impl Scene<'_> {
    fn stop(&self, pid: usize) -> &Stop {
        &self.stops[self.positions[pid] as usize]
    }

    fn all(&self) -> u64 {
        let count = self.positions.len();
        if count >= 64 { u64::MAX } else { (1 << count) - 1 }
    }
}

/// The numbers in a set.
fn members(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let first = set.trailing_zeros() as usize;
        (set != 0).then(|| set &= set - 1)?;
        Some(first)
    })
}

impl Relations {
    /// Another state is at hand.
    pub fn begin(&mut self) {
        self.asked = 0;
        self.consulted.clear();
    }

    /// The lists of conditions that were looked at in the state at hand, and whether one of each held.
    pub fn consulted(&self) -> &[(u16, bool)] {
        &self.consulted
    }

    /// Whether one of a list of conditions holds.
    pub fn holds(&self, scene: &Scene<'_>, list: u16) -> bool {
        self.conditions[usize::from(list)].iter().any(|condition| holds(scene, condition))
    }

    /// A small set of processes with process `first`, which can move, that may move alone, or all.
    pub fn closure(&mut self, scene: &Scene<'_>, first: usize) -> u64 {
        let all = scene.all();
        let mut chosen = 1_u64 << first;
        // While one of the chosen can move there is no `timeout`.
        if scene.stop(first).now.timeouts {
            return all;
        }
        loop {
            let active = self.active(scene, chosen);
            let mut next = chosen;
            for pid in members(chosen) {
                let stop = scene.stop(pid);
                if stop.now.all {
                    return all;
                }
                next |= self.row(scene, pid) & active;
                next |= self.partners(scene, pid);
            }
            if scene.enabled & !next == 0 {
                return all;
            }
            if next == chosen {
                return chosen;
            }
            chosen = next;
        }
    }

    /// Processes that may move before any of the chosen ones does: those that can, and those
    /// that are waiting for something that these may do.
    fn active(&mut self, scene: &Scene<'_>, chosen: u64) -> u64 {
        let mut active = scene.enabled & !chosen;
        let mut left = scene.all() & !chosen & !active;
        loop {
            let before = active;
            for pid in members(left) {
                if self.row(scene, pid) & active != 0 {
                    active |= 1 << pid;
                }
            }
            left &= !active;
            if active == before {
                return active;
            }
        }
    }

    /// The processes that are in the way of what one does next or waits for.
    fn row(&mut self, scene: &Scene<'_>, pid: usize) -> u64 {
        if self.asked >> pid & 1 != 0 {
            return self.rows[pid];
        }
        if self.rows.len() <= pid {
            self.rows.resize(pid + 1, 0);
        }
        let others = members(scene.all() & !(1 << pid));
        let row = others
            .fold(0, |row, other| row | u64::from(self.is_conflict(scene, pid, other)) << other);
        self.rows[pid] = row;
        self.asked |= 1 << pid;
        row
    }

    /// Those with whom it may move together.
    fn partners(&mut self, scene: &Scene<'_>, pid: usize) -> u64 {
        let meets = scene.stop(pid).now.meets;
        if meets.is_empty() {
            return 0;
        }
        let others = members(scene.all() & !(1 << pid));
        let are_partners = |other: usize| !scene.stop(other).now.meets.and(meets).is_empty();
        others.fold(0, |set, other| set | u64::from(are_partners(other)) << other)
    }

    fn is_conflict(&mut self, scene: &Scene<'_>, pid: usize, other: usize) -> bool {
        let (row, column) = (scene.positions[pid] as usize, scene.positions[other] as usize);
        let stop = &scene.stops[row];
        // Who may take part in a move of another one counts as if it could move.
        let can_move = scene.enabled >> pid & 1 != 0 || !stop.now.meets.is_empty();
        if !can_move && stop.gate.ends && other > pid && scene.stops[column].future.ends {
            // It waits until it is the youngest.
            return true;
        }
        let table = if can_move { &mut self.moves } else { &mut self.gates };
        let entry = table.entry(row, column, scene.stops.len());
        if *entry == UNKNOWN {
            let own = if can_move { &stop.now } else { &stop.gate };
            *entry = match own.relation(&scene.stops[column].future) {
                Relation::Independent => INDEPENDENT,
                Relation::Conflict => CONFLICT,
                Relation::Depends(conditions) => number(&mut self.conditions, conditions),
            };
        }
        match *entry {
            INDEPENDENT => false,
            CONFLICT => true,
            entry => {
                let list = entry - FIRST_CONDITIONS;
                let known = self.consulted.iter().find(|(other, _)| *other == list);
                known.map(|(_, held)| *held).unwrap_or_else(|| {
                    let held = self.holds(scene, list);
                    self.consulted.push((list, held));
                    held
                })
            }
        }
    }
}

impl Table {
    fn entry(&mut self, row: usize, column: usize, count: usize) -> &mut u16 {
        if self.0.len() <= row {
            self.0.resize(row + 1, Vec::new());
        }
        let row = &mut self.0[row];
        if row.len() <= column {
            row.resize(count.max(column + 1), UNKNOWN);
        }
        &mut row[column]
    }
}

/// The number of a list of conditions.
fn number(lists: &mut Vec<Vec<Condition>>, conditions: Vec<Condition>) -> u16 {
    let known = lists.iter().position(|c| *c == conditions);
    let number = known.unwrap_or_else(|| {
        lists.push(conditions);
        lists.len() - 1
    });
    // More lists than numbers: the safe side.
    u16::try_from(number + usize::from(FIRST_CONDITIONS)).unwrap_or(CONFLICT)
}

/// Whether a condition of a channel holds; a channel that is gone is in everybody's way.
fn holds(scene: &Scene<'_>, condition: &Condition) -> bool {
    let Some(channel) = scene.shape.channels.get(usize::from(condition.channel)) else {
        return true;
    };
    let ty = &scene.program.channel_types[channel.ty.0 as usize];
    let bytes = &scene.state[channel.offset..channel.offset + ty.len_bytes as usize];
    let length = bytes.iter().rev().fold(0, |n, &b| n << 8 | u32::from(b));
    condition.holds(length, ty.capacity)
}
