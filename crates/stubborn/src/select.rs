//! The choice of the processes that move.

use crate::access::{Condition, Relation};
use crate::instance::Stop;
use spinor_exec::Shape;
use spinor_program::Program;

/// Relations between locations of processes, computed when they are first asked for.
#[derive(Debug, Default)]
pub(crate) struct Relations {
    /// By position of the one that moves, then by position of the other one.
    rows: Vec<Vec<u16>>,
    conditions: Vec<Vec<Condition>>,
}

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
    /// Processes that can move.
    pub enabled: u64,
}

impl Relations {
    /// The smallest set of processes with process `first` that may move alone, or all.
    pub fn closure(&mut self, scene: &Scene<'_>, first: usize) -> u64 {
        let count = scene.positions.len();
        let all = if count >= 64 { u64::MAX } else { (1 << count) - 1 };
        let mut chosen = 1_u64 << first;
        let mut done = 0_u64;
        while chosen & !done != 0 {
            let pid = (chosen & !done).trailing_zeros() as usize;
            done |= 1 << pid;
            let now = &scene.stops[scene.positions[pid] as usize].now;
            if now.all || now.timeouts {
                return all;
            }
            if now.ends && pid + 1 < count {
                // It waits until it is the youngest.
                chosen |= 1 << (count - 1);
            }
            let mut others = all & !chosen;
            while others != 0 {
                let other = others.trailing_zeros() as usize;
                others &= others - 1;
                if self.is_conflict(scene, pid, other) {
                    chosen |= 1 << other;
                }
            }
            if scene.enabled & !chosen == 0 {
                return all;
            }
        }
        chosen
    }

    fn is_conflict(&mut self, scene: &Scene<'_>, pid: usize, other: usize) -> bool {
        let (row, column) = (scene.positions[pid] as usize, scene.positions[other] as usize);
        if self.rows.len() <= row {
            self.rows.resize(row + 1, Vec::new());
        }
        if self.rows[row].len() <= column {
            self.rows[row].resize(scene.stops.len().max(column + 1), UNKNOWN);
        }
        if self.rows[row][column] == UNKNOWN {
            self.rows[row][column] = self.relate(&scene.stops[row], &scene.stops[column]);
        }
        match self.rows[row][column] {
            INDEPENDENT => false,
            CONFLICT => true,
            list => {
                let conditions = &self.conditions[usize::from(list - FIRST_CONDITIONS)];
                conditions.iter().any(|condition| holds(scene, condition))
            }
        }
    }

    fn relate(&mut self, now: &Stop, other: &Stop) -> u16 {
        match now.now.relation(&other.future) {
            Relation::Independent => INDEPENDENT,
            Relation::Conflict => CONFLICT,
            Relation::Depends(conditions) => {
                let known = self.conditions.iter().position(|c| *c == conditions);
                let number = known.unwrap_or_else(|| {
                    self.conditions.push(conditions);
                    self.conditions.len() - 1
                });
                // More lists than numbers: the safe side.
                u16::try_from(number + usize::from(FIRST_CONDITIONS)).unwrap_or(CONFLICT)
            }
        }
    }
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
