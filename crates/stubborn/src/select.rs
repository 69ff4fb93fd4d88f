//! The choice of the processes that move.

use crate::access::{Condition, Relation};
use crate::instance::Stop;
use crate::outlook::{Class, Outlook, Row};
use spinor_exec::Shape;
use spinor_program::Program;
use std::ops::Range;

/// Relations between locations of processes, computed when they are first asked for.
#[derive(Debug, Default)]
pub(crate) struct Relations {
    /// By class of a process that can move, then by class of the other one.
    moves: Table,
    /// The same for one that cannot.
    gates: Table,
    conditions: Vec<Vec<Condition>>,
    /// What processes may do in the state at hand, and who counts as if it could move.
    outlook: Outlook,
    can_move: u64,
    /// By pid, for those asked.
    rows: Vec<Now>,
    asked: u64,
    /// By list of conditions: whether one of them holds, if it counted.
    held: Vec<Option<bool>>,
    /// The lists that counted, and whether they held.
    consulted: Vec<(u16, bool)>,
}

/// Who is in the way of a process in the state at hand, conditions included.
#[derive(Clone, Copy, Debug, Default)]
struct Now {
    in_the_way: u64,
    /// Those with whom it may move together.
    partners: u64,
}

#[derive(Debug, Default)]
struct Table(Vec<Vec<u16>>);

const UNKNOWN: u16 = 0;
const INDEPENDENT: u16 = 1;
const CONFLICT: u16 = 2;
/// Both, and they may move together.
const PARTNERS: u16 = 3;
/// From here on: a list of conditions.
const FIRST_CONDITIONS: u16 = 4;

/// What is asked of positions all the time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Marks {
    /// It is in everybody's way there.
    is_all: bool,
    /// It waits for a timeout.
    timeouts: bool,
    /// It may move together with others.
    meets: bool,
    /// It waits for the end of those that are younger.
    ends: bool,
}

impl Marks {
    pub fn of(stop: &Stop) -> Self {
        Marks {
            is_all: stop.now.all,
            timeouts: stop.now.timeouts,
            meets: !stop.now.meets().is_empty(),
            ends: stop.gate.ends,
        }
    }
}

/// A state as the choice sees it.
pub(crate) struct Scene<'a> {
    pub program: &'a Program,
    pub shape: &'a Shape,
    /// Tells the value of some bytes of it.
    pub peek: &'a dyn Fn(Range<usize>) -> u32,
    /// By pid.
    pub positions: &'a [u32],
    /// By position.
    pub stops: &'a [Stop],
    /// By position, too.
    pub marks: &'a [Marks],
    pub classes: &'a [Class],
    /// Processes that can move; those that only take part in moves of these need not be here.
    pub enabled: u64,
}

impl Scene<'_> {
    fn marks(&self, pid: usize) -> Marks {
        self.marks[self.positions[pid] as usize]
    }

    fn all(&self) -> u64 {
        let count = self.positions.len();
        if count >= 64 { u64::MAX } else { (1 << count) - 1 }
    }
}

/// The numbers in a set.
pub(crate) fn members(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let first = set.trailing_zeros() as usize;
        (set != 0).then(|| set &= set - 1)?;
        Some(first)
    })
}

impl Relations {
    /// Another state is at hand.
    pub fn begin(&mut self, scene: &Scene<'_>) {
        self.asked = 0;
        for (list, _) in self.consulted.drain(..) {
            self.held[usize::from(list)] = None;
        }
        let classes = scene.classes;
        self.outlook.set(scene.positions.iter().map(|at| classes[*at as usize].column));
        self.rows.resize(scene.positions.len(), Now::default());
        self.can_move = scene.enabled;
        for (pid, position) in scene.positions.iter().enumerate() {
            // Who may take part in a move of another one counts as if it could move.
            self.can_move |= u64::from(scene.marks[*position as usize].meets) << pid;
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
        // While one of the chosen can move there is no `timeout`.
        if scene.marks(first).timeouts {
            return all;
        }
        let (mut chosen, mut seen, mut in_the_way) = (1_u64 << first, 0, 0);
        loop {
            let new = chosen & !seen;
            seen = chosen;
            for pid in members(new) {
                if scene.marks(pid).is_all {
                    return all;
                }
                let row = self.row(scene, pid);
                in_the_way |= row.in_the_way;
                chosen |= row.partners;
            }
            chosen |= in_the_way & scene.enabled;
            // Who cannot move is looked at last: it may be waiting for those chosen by then.
            if chosen == seen && in_the_way & !chosen != 0 {
                chosen |= in_the_way & self.active(scene, chosen);
            }
            if scene.enabled & !chosen == 0 {
                return all;
            }
            if chosen == seen {
                return chosen;
            }
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
                if self.row(scene, pid).in_the_way & active != 0 {
                    active |= 1 << pid;
                }
            }
            left &= !active;
            if active == before {
                return active;
            }
        }
    }

    /// The processes that are in the way of what one does next or waits for, and its partners.
    #[inline]
    fn row(&mut self, scene: &Scene<'_>, pid: usize) -> Now {
        if self.asked >> pid & 1 == 0 {
            self.complete(scene, pid);
        }
        self.rows[pid]
    }

    fn complete(&mut self, scene: &Scene<'_>, pid: usize) {
        let class = scene.classes[scene.positions[pid] as usize].row;
        let can_move = self.can_move >> pid & 1 != 0;
        let Self { moves, gates, conditions, outlook, held, consulted, .. } = self;
        let table = if can_move { moves } else { gates };
        let row =
            outlook.row(class, can_move, || make_row(scene, pid, can_move, table, conditions));
        let mut in_the_way = row.in_the_way;
        for other in members(row.depends & !row.in_the_way) {
            let column = scene.classes[scene.positions[other] as usize].column;
            let list = table.0[class as usize][column as usize] - FIRST_CONDITIONS;
            let at = usize::from(list);
            if held.len() <= at {
                held.resize(at + 1, None);
            }
            let is_held = held[at].unwrap_or_else(|| {
                let is_held = conditions[at].iter().any(|c| holds(scene, c));
                consulted.push((list, is_held));
                is_held
            });
            held[at] = Some(is_held);
            in_the_way |= u64::from(is_held) << other;
        }
        self.rows[pid] = Now { in_the_way, partners: row.partners };
        self.asked |= 1 << pid;
    }
}

/// Who is in the way of a process in states with the outlook of the one at hand.
#[cold]
fn make_row(
    scene: &Scene<'_>,
    pid: usize,
    can_move: bool,
    table: &mut Table,
    conditions: &mut Vec<Vec<Condition>>,
) -> Row {
    let mut row = Row::default();
    let position = scene.positions[pid] as usize;
    let others = scene.all() & !(1 << pid);
    for other in members(others) {
        let (bit, at) = (1 << other, scene.positions[other] as usize);
        let known = table.get(scene.classes[position].row, scene.classes[at].column);
        if *known == UNKNOWN {
            *known = relation(scene, can_move, position, at, conditions);
        }
        match *known {
            INDEPENDENT => {}
            CONFLICT => row.in_the_way |= bit,
            PARTNERS => (row.in_the_way, row.partners) = (row.in_the_way | bit, row.partners | bit),
            _ => row.depends |= bit,
        }
    }
    if !can_move && scene.marks[position].ends {
        // It waits until it is the youngest.
        for other in members(others & (u64::MAX << pid)) {
            let will_end = scene.stops[scene.positions[other] as usize].future.ends;
            row.in_the_way |= u64::from(will_end) << other;
        }
    }
    row
}

/// How a process at one position is related to another one, as in the tables.
#[cold]
fn relation(
    scene: &Scene<'_>,
    can_move: bool,
    position: usize,
    other: usize,
    conditions: &mut Vec<Vec<Condition>>,
) -> u16 {
    let (stop, other) = (&scene.stops[position], &scene.stops[other]);
    let own = if can_move { &stop.now } else { &stop.gate };
    match own.relation(&other.future) {
        // Who may move together is in each other's way, as all that happens now happens in the future, too.
        Relation::Conflict if stop.now.may_meet(&other.now) => PARTNERS,
        Relation::Conflict => CONFLICT,
        Relation::Independent => INDEPENDENT,
        Relation::Depends(list) => number(conditions, list),
    }
}

impl Table {
    /// The relation of two classes.
    fn get(&mut self, row: u32, column: u32) -> &mut u16 {
        let (row, column) = (row as usize, column as usize);
        if self.0.len() <= row {
            self.0.resize(row + 1, Vec::new());
        }
        let line = &mut self.0[row];
        if line.len() <= column {
            line.resize(column + 1, UNKNOWN);
        }
        &mut line[column]
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
    let length = (scene.peek)(channel.offset..channel.offset + ty.len_bytes as usize);
    condition.holds(length, ty.capacity)
}
