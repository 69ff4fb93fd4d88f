//! Formulas in the form in which their distance is estimated.

use crate::distance::{FAR, Table};
use spinor_exec::{ChannelVar, Look, Value};
use spinor_program::expr::ProctypeId;

/// Steps until a formula holds (the paper's H_f), about.
#[derive(Debug)]
pub(crate) enum Cost {
    /// Always the same.
    Const(u32),
    /// 0 if the truth of the value is the wanted one, else 1.
    Test(Value, bool),
    /// All of them have to hold, and they have nothing to do with each other.
    Sum(Vec<Cost>),
    /// All of them have to hold.
    Max(Vec<Cost>),
    /// One of them has to hold.
    Min(Vec<Cost>),
    /// A channel has to be full.
    Full(ChannelVar),
    /// A channel has to be empty.
    Empty(ChannelVar),
    /// The first message (or any) has to fit, or must not.
    Message(Box<Message>),
    /// A process has to come to a location.
    At(Box<Control>),
    /// A process has to leave a location.
    Leave(Box<Control>),
    /// A variable that changes by steps has to get into a range.
    Reach(Box<Reach>),
}

/// A pattern that a message has to fit, or must not.
#[derive(Debug)]
pub(crate) struct Message {
    pub channel: ChannelVar,
    pub pattern: Vec<Option<Value>>,
    /// Any message will do.
    pub anywhere: bool,
    pub wanted: bool,
}

/// A process and a location.
#[derive(Debug)]
pub(crate) struct Control {
    pub who: Who,
    pub proctype: ProctypeId,
    pub location: usize,
    pub table: Table,
}

/// Which process.
#[derive(Debug)]
pub(crate) enum Who {
    /// The first of the type.
    First,
    Pid(Value),
}

/// A variable that changes by constant amounts only.
#[derive(Debug)]
pub(crate) struct Reach {
    pub variable: Value,
    /// Where it has to be: from, to.
    pub range: (i64, i64),
    /// Largest change of one step upwards and downwards; 0: none.
    pub up: u32,
    pub down: u32,
    /// Number of values, as it wraps around.
    pub values: i64,
}

impl Cost {
    /// Steps from a state; places in frames are those of process `pid`.
    pub fn of(&self, look: &Look<'_>, pid: Option<usize>) -> u32 {
        match self {
            Cost::Const(cost) => *cost,
            Cost::Test(value, wanted) => {
                u32::from((look.value(pid, value).unwrap_or(0) != 0) != *wanted)
            }
            Cost::Sum(parts) => {
                let sum = |sum: u32, part: &Cost| sum.saturating_add(part.of(look, pid));
                parts.iter().fold(0, sum).min(FAR)
            }
            Cost::Max(parts) => parts.iter().map(|part| part.of(look, pid)).max().unwrap_or(0),
            Cost::Min(parts) => {
                let mut least = FAR;
                for part in parts {
                    least = least.min(part.of(look, pid));
                    if least == 0 {
                        break;
                    }
                }
                least
            }
            Cost::Full(channel) => match look.channel(pid, channel) {
                Some(queue) => queue.capacity.max(1).saturating_sub(queue.len),
                None => 1,
            },
            Cost::Empty(channel) => look.channel(pid, channel).map_or(1, |queue| queue.len),
            Cost::Message(message) => message.cost(look, pid),
            Cost::At(control) => match control.found(look, pid) {
                Found::At(at) => control.table.get(at).copied().unwrap_or(FAR),
                // It has to be started.
                Found::Nobody => 1,
                Found::Other => 0,
            },
            Cost::Leave(control) => u32::from(
                matches!(control.found(look, pid), Found::At(at) if at == control.location),
            ),
            Cost::Reach(reach) => {
                look.value(pid, &reach.variable).map_or(1, |value| reach.cost(value))
            }
        }
    }
}

impl Control {
    fn found(&self, look: &Look<'_>, pid: Option<usize>) -> Found {
        let who = match &self.who {
            Who::First => look.first_of(self.proctype),
            Who::Pid(value) => {
                let who = look.value(pid, value).and_then(|who| usize::try_from(who).ok());
                who.filter(|who| *who < look.processes())
            }
        };
        match who {
            None => Found::Nobody,
            Some(who) if look.proctype(who) == self.proctype => Found::At(look.location(who)),
            Some(_) => Found::Other,
        }
    }
}

/// Where a process is.
enum Found {
    At(usize),
    Nobody,
    /// A process of another type; nothing is known of its distances.
    Other,
}

impl Message {
    fn cost(&self, look: &Look<'_>, pid: Option<usize>) -> u32 {
        let Some(queue) = look.channel(pid, &self.channel) else { return 1 };
        let value = |field: &Option<Value>| field.as_ref().and_then(|v| look.value(pid, v));
        let pattern: Vec<Option<i32>> = self.pattern.iter().map(value).collect();
        let fits = |index: &u32| look.fits(queue, *index, &pattern);
        let indices = 0..queue.len;
        match (self.wanted, self.anywhere) {
            // The messages before the first that fits have to go, or all and one has to come.
            (true, false) => indices.clone().find(fits).unwrap_or(queue.len + 1),
            (true, true) => u32::from(!indices.clone().any(|i| fits(&i))),
            (false, false) => indices.take_while(|index| fits(index)).count() as u32,
            (false, true) => indices.filter(fits).count() as u32,
        }
    }
}

impl Reach {
    /// Fewest steps from a value into the range, the way around included.
    fn cost(&self, value: i32) -> u32 {
        let value = i64::from(value);
        let (from, to) = self.range;
        if (from..=to).contains(&value) {
            return 0;
        }
        let steps = |way: i64, speed: u32| match speed {
            0 => i64::from(FAR),
            // Large strides may jump over the range, so this is a lower bound.
            speed => {
                let (way, speed) = (way.rem_euclid(self.values), i64::from(speed));
                ((way + speed - 1) / speed).max(1)
            }
        };
        let least = steps(from - value, self.up).min(steps(value - to, self.down));
        u32::try_from(least).unwrap_or(FAR).min(FAR)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use spinor_program::Expr;

    fn cost(range: (i64, i64), up: u32, down: u32, value: i32) -> u32 {
        let variable = Value::new(&Expr::Const(0));
        Reach { variable, range, up, down, values: 256 }.cost(value)
    }

    #[test]
    fn counters_have_a_way_to_go() {
        assert_eq!(cost((10, 10), 1, 0, 3), 7);
        assert_eq!(cost((10, 10), 2, 0, 3), 4);
        assert_eq!(cost((10, 10), 1, 0, 12), 254);
        assert_eq!(cost((10, 10), 1, 1, 12), 2);
        assert_eq!(cost((0, 5), 0, 3, 12), 3);
        assert_eq!(cost((0, 5), 0, 0, 12), FAR);
        assert_eq!(cost((0, 5), 0, 0, 4), 0);
    }
}
