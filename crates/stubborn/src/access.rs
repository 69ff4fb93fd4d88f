//! What moves read and write, and when two of them are in each other's way.

use crate::bits::{Bits, Channels};

/// What some moves of a process touch, other than its own variables.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub(crate) struct Access {
    /// Objects read: bytes of globals, then one object per proctype for its locations and locals, one for the
    /// trace declaration, and the bytes of hidden variables.
    pub reads: Bits,
    /// Objects written.
    pub writes: Bits,
    /// Channels with a buffer that are sent to.
    pub sends: Channels,
    /// Channels with a buffer that are received from.
    pub receives: Channels,
    /// Channels with a buffer that must not be full for it to happen.
    pub room: Channels,
    /// Channels with a buffer that must not be empty for it to happen.
    pub content: Channels,
    /// Channels with a buffer whose content or length matters otherwise.
    pub looks: Channels,
    /// Rendezvous channels that are sent to.
    pub calls: Channels,
    /// Rendezvous channels that are received from.
    pub takes: Channels,
    /// Rendezvous channels on which a process is ready to receive afterwards.
    pub offers: Channels,
    /// Rendezvous channels where it matters that nobody is ready to receive: for `else`, for example.
    pub lacks: Channels,
    /// Starts processes.
    pub starts: bool,
    /// Channels that come or go with processes. Numbers are given in the order of creation, and somebody may have
    /// that of a channel that is gone or not there yet.
    pub renews: Channels,
    /// Ends its process.
    pub ends: bool,
    /// Depends on the number of processes.
    pub counts: bool,
    /// Depends on whether others can move.
    pub timeouts: bool,
    /// Is in everybody's way.
    pub all: bool,
}

/// Whether a process must be considered together with another one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Relation {
    Independent,
    Conflict,
    /// A conflict if a channel is in some condition.
    Depends(Vec<Condition>),
}

/// Conditions of a channel under which there is a conflict.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Condition {
    pub channel: u8,
    pub if_full: bool,
    pub if_not_full: bool,
    pub if_empty: bool,
    pub if_not_empty: bool,
}

impl Access {
    /// Takes in what another one touches.
    pub fn add(&mut self, other: &Access) {
        self.reads.add(&other.reads);
        self.writes.add(&other.writes);
        self.sends = self.sends.or(other.sends);
        self.receives = self.receives.or(other.receives);
        self.room = self.room.or(other.room);
        self.content = self.content.or(other.content);
        self.looks = self.looks.or(other.looks);
        self.calls = self.calls.or(other.calls);
        self.takes = self.takes.or(other.takes);
        self.offers = self.offers.or(other.offers);
        self.lacks = self.lacks.or(other.lacks);
        self.starts |= other.starts;
        self.renews = self.renews.or(other.renews);
        self.ends |= other.ends;
        self.counts |= other.counts;
        self.timeouts |= other.timeouts;
        self.all |= other.all;
    }

    /// Whether only the process's own variables are touched.
    pub fn is_local(&self) -> bool {
        let channels = self.used().or(self.renews).or(self.offers);
        let processes = self.starts || self.ends || self.counts || self.timeouts;
        self.reads.is_empty()
            && self.writes.is_empty()
            && channels.is_empty()
            && !processes
            && !self.all
    }

    /// Channels that have to be there.
    fn used(&self) -> Channels {
        self.buffers().or(self.looks).or(self.meets())
    }

    /// Rendezvous channels are looked at: to be safe, as if they were used.
    pub fn peek(&mut self, channels: Channels) {
        self.calls = self.calls.or(channels);
        self.takes = self.takes.or(channels);
    }

    /// Rendezvous channels used.
    pub fn meets(&self) -> Channels {
        self.calls.or(self.takes)
    }

    /// Whether one may receive what the other one sends, without a buffer.
    pub fn may_meet(&self, other: &Access) -> bool {
        !self.calls.and(other.takes).is_empty() || !self.takes.and(other.calls).is_empty()
    }

    /// Channels with a buffer that it waits for or moves messages of.
    pub fn buffers(&self) -> Channels {
        self.sends.or(self.receives).or(self.room).or(self.content)
    }

    /// The same where what becomes possible may make something else impossible: all channels
    /// are looked at.
    pub fn looking(mut self) -> Access {
        self.looks = self.looks.or(self.buffers());
        self.lacks = self.lacks.or(self.calls);
        self
    }

    /// What decides whether it can happen, if this is what its statements touch.
    pub fn gate(&self) -> Access {
        Access {
            writes: Bits::default(),
            renews: Channels::default(),
            offers: Channels::default(),
            sends: Channels::default(),
            receives: Channels::default(),
            room: self.room.or(self.sends),
            content: self.content.or(self.receives),
            ..self.clone()
        }
    }

    /// The moves of a process at a location, `self`, against all that another process may do from
    /// where it is without them. `timeout` is in nobody's way: one of the moves stays possible.
    pub fn relation(&self, future: &Access) -> Relation {
        if self.is_local() {
            return Relation::Independent;
        }
        let processes = self.starts && (future.starts || future.ends || future.counts)
            || self.ends && (future.starts || future.counts)
            || self.counts && (future.starts || future.ends);
        let data = self.writes.meets(&future.reads)
            || self.writes.meets(&future.writes)
            || self.reads.meets(&future.writes);
        let moves = future.sends.or(future.receives);
        let channels = !self.looks.and(moves).is_empty()
            || !self.sends.or(self.receives).and(future.looks).is_empty()
            || self.may_meet(future)
            || !self.offers.and(future.lacks).is_empty()
            || !self.renews.and(future.used().or(future.renews)).is_empty()
            || !self.used().and(future.renews).is_empty();
        if self.all || future.all || processes || data || channels {
            return Relation::Conflict;
        }
        let touched = self.buffers().and(future.buffers());
        let conditions: Vec<Condition> = touched
            .iter()
            .map(|channel| self.condition(future, channel))
            .filter(|c| c.if_full || c.if_not_full || c.if_empty || c.if_not_empty)
            .collect();
        if conditions.is_empty() { Relation::Independent } else { Relation::Depends(conditions) }
    }

    /// When a channel with a buffer is a conflict. While it is not full, it stays so unless somebody
    /// sends; while it is not empty, its first message stays unless somebody receives.
    fn condition(&self, future: &Access, channel: u8) -> Condition {
        let mut one = Channels::default();
        one.insert(channel);
        let has = |set: Channels| !set.and(one).is_empty();
        let (waits_for_room, waits_for_content) =
            (has(self.sends.or(self.room)), has(self.receives.or(self.content)));
        Condition {
            channel,
            // A send that waits is waiting for a receive.
            if_full: waits_for_room && has(future.receives),
            // The order of sends matters, that of a send and a receive does not.
            if_not_full: waits_for_room && has(future.sends) || has(self.sends) && has(future.room),
            if_empty: waits_for_content && has(future.sends),
            if_not_empty: waits_for_content && has(future.receives)
                || has(self.receives) && has(future.content),
        }
    }
}

impl Condition {
    /// Whether it holds for a channel with so many messages.
    pub fn holds(&self, length: u32, capacity: u32) -> bool {
        let (full, empty) = (length >= capacity, length == 0);
        self.if_full && full
            || self.if_not_full && !full
            || self.if_empty && empty
            || self.if_not_empty && !empty
    }
}
