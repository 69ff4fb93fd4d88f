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
    /// The positions of the processes of the state at hand, and those that count as if they could move.
    positions: Vec<u32>,
    can_move: u64,
    /// By pid; what still holds is kept from state to state.
    rows: Vec<Row>,
    /// Processes whose row is complete, conditions included.
    asked: u64,
    /// Lists of conditions that counted for them, and whether they held.
    consulted: Vec<(u16, bool)>,
}

/// Who is in the way of a process.
#[derive(Clone, Copy, Debug, Default)]
struct Row {
    /// Those of whom it is known.
    known: u64,
    in_the_way: u64,
    /// Those who may be, which depends on conditions,
    depends: u64,
    /// and who are in the state at hand.
    now: u64,
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
    /// Processes that can move; those that only take part in moves of these need not be here.
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
    /// Another state is at hand. Mostly it differs from the one before in few positions.
    pub fn begin(&mut self, scene: &Scene<'_>) {
        self.asked = 0;
        self.consulted.clear();
        let count = scene.positions.len();
        let mut moved = if self.positions.len() == count { 0 } else { u64::MAX };
        self.positions.resize(count, 0);
        self.rows.resize(count, Row::default());
        let mut can_move = scene.enabled;
        for (pid, (old, new)) in self.positions.iter_mut().zip(scene.positions).enumerate() {
            moved |= u64::from(*old != *new) << pid;
            *old = *new;
            // Who may take part in a move of another one counts as if it could move.
            can_move |= u64::from(!scene.stop(pid).now.meets.is_empty()) << pid;
        }
        let changed = moved | (can_move ^ std::mem::replace(&mut self.can_move, can_move));
        for (pid, row) in self.rows.iter_mut().enumerate() {
            row.known &= if changed >> pid & 1 != 0 { 0 } else { !moved };
            row.in_the_way &= row.known;
            row.depends &= row.known;
        }
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
            let (mut in_the_way, mut next) = (0, chosen);
            for pid in members(chosen) {
                let stop = scene.stop(pid);
                if stop.now.all {
                    return all;
                }
                in_the_way |= self.row(scene, pid);
                next |= self.partners(scene, pid);
            }
            next |= in_the_way & scene.enabled;
            // Who cannot move is looked at last: it may be waiting for those chosen by then.
            if next == chosen && in_the_way & !chosen != 0 {
                next |= in_the_way & self.active(scene, chosen);
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
            return self.rows[pid].now;
        }
        let mut row = self.rows[pid];
        let others = scene.all() & !(1 << pid);
        for other in members(others & !row.known) {
            let bit = 1 << other;
            match self.relation(scene, pid, other) {
                INDEPENDENT => {}
                CONFLICT => row.in_the_way |= bit,
                _ => row.depends |= bit,
            }
        }
        row.known = others;
        row.now = row.in_the_way;
        for other in members(row.depends) {
            let list = self.relation(scene, pid, other) - FIRST_CONDITIONS;
            row.now |= u64::from(self.consult(scene, list)) << other;
        }
        self.rows[pid] = row;
        self.asked |= 1 << pid;
        row.now
    }

    /// Whether one of a list of conditions holds, which is noted.
    fn consult(&mut self, scene: &Scene<'_>, list: u16) -> bool {
        let known = self.consulted.iter().find(|(other, _)| *other == list);
        known.map(|(_, held)| *held).unwrap_or_else(|| {
            let held = self.holds(scene, list);
            self.consulted.push((list, held));
            held
        })
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

    /// How a process is related to another one, as in the tables.
    fn relation(&mut self, scene: &Scene<'_>, pid: usize, other: usize) -> u16 {
        let (row, column) = (scene.positions[pid] as usize, scene.positions[other] as usize);
        let stop = &scene.stops[row];
        let can_move = self.can_move >> pid & 1 != 0;
        if !can_move && stop.gate.ends && other > pid && scene.stops[column].future.ends {
            // It waits until it is the youngest.
            return CONFLICT;
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
        *entry
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
