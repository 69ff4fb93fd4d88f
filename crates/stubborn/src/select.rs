//! The choice of the processes that move.

use crate::access::{Condition, Relation};
use crate::classes::Class;
use crate::instance::Stop;
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
    /// The classes of the processes of the state at hand, and those that count as if they could move.
    classes: Vec<Class>,
    can_move: u64,
    /// By pid; what still holds is kept from state to state.
    rows: Vec<Row>,
    /// Processes whose row is complete, conditions included.
    asked: u64,
    /// By list of conditions: whether one of them holds, if it counted.
    held: Vec<Option<bool>>,
    /// The lists that counted, and whether they held.
    consulted: Vec<(u16, bool)>,
}

/// Who is in the way of a process.
#[derive(Clone, Copy, Debug, Default)]
struct Row {
    /// Those of whom it is known.
    known: u64,
    in_the_way: u64,
    /// Those with whom it may move together.
    partners: u64,
    /// Those who may be in the way, which depends on conditions,
    depends: u64,
    /// and who are in the state at hand.
    now: u64,
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
    /// Columns that there are.
    pub columns: usize,
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
    /// Another state is at hand. Mostly it differs from the one before in few classes.
    pub fn begin(&mut self, scene: &Scene<'_>) {
        self.asked = 0;
        for (list, _) in self.consulted.drain(..) {
            self.held[usize::from(list)] = None;
        }
        let count = scene.positions.len();
        // Those who do something else next, and those who may do something else later.
        let (mut others, mut moved) =
            if self.classes.len() == count { (0, 0) } else { (0, u64::MAX) };
        self.classes.resize(count, Class::default());
        self.rows.resize(count, Row::default());
        let mut can_move = scene.enabled;
        for (pid, (old, new)) in self.classes.iter_mut().zip(scene.positions).enumerate() {
            let class = scene.classes[*new as usize];
            others |= u64::from(old.row != class.row) << pid;
            moved |= u64::from(old.column != class.column) << pid;
            *old = class;
            // Who may take part in a move of another one counts as if it could move.
            can_move |= u64::from(scene.marks[*new as usize].meets) << pid;
        }
        let changed = others | (can_move ^ std::mem::replace(&mut self.can_move, can_move));
        for (pid, row) in self.rows.iter_mut().enumerate() {
            row.known &= if changed >> pid & 1 != 0 { 0 } else { !moved };
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

    /// A small set of processes with process `first`, which can move, that may move alone, or all. No set is wanted of which so many as
    /// `limit` can move.
    pub fn closure(&mut self, scene: &Scene<'_>, first: usize, limit: u32) -> u64 {
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
                let (now, partners) = self.row(scene, pid);
                in_the_way |= now;
                chosen |= partners;
            }
            chosen |= in_the_way & scene.enabled;
            // Who cannot move is looked at last: it may be waiting for those chosen by then.
            if chosen == seen && in_the_way & !chosen != 0 {
                chosen |= self.active(scene, in_the_way, chosen);
            }
            if scene.enabled & !chosen == 0 || (scene.enabled & chosen).count_ones() >= limit {
                return all;
            }
            if chosen == seen {
                return chosen;
            }
        }
    }

    /// Those of some processes that may move before any of the chosen ones does: those that can, and those
    /// that are waiting for something that such processes may do.
    fn active(&mut self, scene: &Scene<'_>, wanted: u64, chosen: u64) -> u64 {
        let mut active = scene.enabled & !chosen;
        // Only who is waited for matters, from those that are wanted on.
        let (mut waited, mut asked) = (wanted & !chosen & !active, 0);
        while waited & !asked != 0 {
            for pid in members(waited & !asked) {
                let (now, _) = self.row(scene, pid);
                asked |= 1 << pid;
                if now & active != 0 {
                    active |= 1 << pid;
                } else {
                    waited |= now & !chosen & !active;
                }
            }
        }
        loop {
            let before = active;
            for pid in members(asked & !active) {
                if self.row(scene, pid).0 & active != 0 {
                    active |= 1 << pid;
                }
            }
            if active == before {
                return wanted & active;
            }
        }
    }

    /// The processes that are in the way of what one does next or waits for, and its partners.
    #[inline(always)]
    fn row(&mut self, scene: &Scene<'_>, pid: usize) -> (u64, u64) {
        if self.asked >> pid & 1 == 0 {
            self.complete(scene, pid);
        }
        let Row { now, partners, .. } = &self.rows[pid];
        (*now, *partners)
    }

    #[inline(never)]
    fn complete(&mut self, scene: &Scene<'_>, pid: usize) {
        let Self { moves, gates, conditions, classes, held, consulted, .. } = self;
        let mut row = self.rows[pid];
        let others = scene.all() & !(1 << pid);
        let can_move = self.can_move >> pid & 1 != 0;
        let table = if can_move { moves } else { gates };
        let line = table.line(classes[pid].row, scene);
        if row.known != others {
            row.in_the_way &= row.known;
            row.partners &= row.known;
            row.depends &= row.known;
            let position = scene.positions[pid] as usize;
            for other in members(others & !row.known) {
                let known = &mut line[classes[other].column as usize];
                if *known == UNKNOWN {
                    let at = scene.positions[other] as usize;
                    *known = relation(scene, can_move, position, at, conditions);
                }
                let known = *known;
                row.in_the_way |= u64::from(known == CONFLICT || known == PARTNERS) << other;
                row.partners |= u64::from(known == PARTNERS) << other;
                row.depends |= u64::from(known >= FIRST_CONDITIONS) << other;
            }
            if !can_move && scene.marks[position].ends {
                // It waits until it is the youngest.
                for other in members(others & !row.known & (u64::MAX << pid)) {
                    let will_end = scene.stops[scene.positions[other] as usize].future.ends;
                    row.in_the_way |= u64::from(will_end) << other;
                }
            }
            row.known = others;
        }
        row.now = row.in_the_way;
        for other in members(row.depends & !row.now) {
            let list = line[classes[other].column as usize] - FIRST_CONDITIONS;
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
            row.now |= u64::from(is_held) << other;
        }
        self.rows[pid] = row;
        self.asked |= 1 << pid;
    }
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
    /// The relations of a class of rows with all columns that a state has.
    #[inline]
    fn line(&mut self, row: u32, scene: &Scene<'_>) -> &mut [u16] {
        let (row, count) = (row as usize, scene.columns);
        if self.0.get(row).is_none_or(|line| line.len() < count) {
            self.grow(row, count);
        }
        &mut self.0[row]
    }

    #[cold]
    fn grow(&mut self, row: usize, count: usize) {
        if self.0.len() <= row {
            self.0.resize(row + 1, Vec::new());
        }
        self.0[row].resize(count, UNKNOWN);
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
