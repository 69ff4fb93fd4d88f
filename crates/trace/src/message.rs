//! Messages that a step puts into channels or takes out of them.

use crate::View;
use serde::Serialize;
use spinor_exec::{Actor, Channel, ReplayedStep, Shape};
use spinor_program::{Action, Expr, Place, Receive, ReceiveField, Send};

/// Messages in a channel, the oldest first.
pub(crate) type Buffer = Vec<Vec<i32>>;

/// How a message moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Transfer {
    /// Into a buffer.
    Send,
    /// Out of a buffer.
    Receive,
    /// It is read and stays in the buffer.
    Copy,
    /// From sender to receiver at once.
    Rendezvous,
}

/// A message on its way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Message {
    /// How it moves.
    pub transfer: Transfer,
    /// Name of the channel.
    pub channel: String,
    /// Its fields.
    pub fields: Vec<String>,
    /// Where in the buffer, from 0; absent for a rendezvous.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<usize>,
}

/// The messages of a step from state `old` to state `new`.
pub(crate) fn messages(
    view: &View<'_>,
    (old, new): (&[u8], &[u8]),
    step: &ReplayedStep,
    is_rendezvous: bool,
) -> Vec<Message> {
    let pid = match step.actor {
        Actor::Process(pid) => Some(pid),
        Actor::Claim => None,
    };
    let at = Moment { view, old, new, pid };
    match &view.program.statement(step.statement).action {
        Action::Send(send) if is_rendezvous => at.handshake(send).into_iter().collect(),
        Action::Send(send) => at.sent(send).into_iter().collect(),
        Action::Receive(receive) => at.received(receive).into_iter().collect(),
        Action::DStep(_) => at.all_changes(),
        _ => Vec::new(),
    }
}

/// Before and after a step of a process.
struct Moment<'m, 'a> {
    view: &'m View<'a>,
    old: &'m [u8],
    new: &'m [u8],
    pid: Option<usize>,
}

impl Moment<'_, '_> {
    /// The number of the channel, from 0.
    fn channel(&self, shape: &Shape, place: &Place) -> Option<usize> {
        let number = self.view.exec.evaluate(self.old, self.pid, &Expr::Load(place.clone()));
        let index = usize::try_from(number).ok()?.checked_sub(1)?;
        (index < shape.channels.len()).then_some(index)
    }

    fn message(
        &self,
        transfer: Transfer,
        shape: &Shape,
        index: usize,
        values: &[i32],
        position: Option<usize>,
    ) -> Message {
        let ty = &self.view.program.channel_types[shape.channels[index].ty.0 as usize];
        let shown = values.iter().zip(&ty.types).map(|(&v, &ty)| self.view.shown(shape, ty, v));
        Message {
            transfer,
            channel: self.view.channel_name(shape, index as i32 + 1),
            fields: shown.collect(),
            position,
        }
    }

    fn handshake(&self, send: &Send) -> Option<Message> {
        let shape = self.view.exec.shape(self.old);
        let index = self.channel(&shape, &send.channel)?;
        let value = |e: &Expr| self.view.exec.evaluate(self.old, self.pid, e);
        let values: Vec<i32> = send.args.iter().map(value).collect();
        Some(self.message(Transfer::Rendezvous, &shape, index, &values, None))
    }

    fn sent(&self, send: &Send) -> Option<Message> {
        let shape = self.view.exec.shape(self.old);
        let index = self.channel(&shape, &send.channel)?;
        let (before, after) = self.buffers(&shape, index)?;
        let at = (0..after.len()).find(|&i| before.get(i) != after.get(i))?;
        Some(self.message(Transfer::Send, &shape, index, &after[at], Some(at)))
    }

    fn received(&self, receive: &Receive) -> Option<Message> {
        let shape = self.view.exec.shape(self.old);
        let index = self.channel(&shape, &receive.channel)?;
        let (before, _) = self.buffers(&shape, index)?;
        let fits = |message: &Vec<i32>| {
            receive.args.iter().zip(message).all(|(field, value)| match field {
                ReceiveField::Match(e) => self.view.exec.evaluate(self.old, self.pid, e) == *value,
                ReceiveField::Bind(_) | ReceiveField::Any => true,
            })
        };
        let at = if receive.random { before.iter().position(fits)? } else { 0 };
        let transfer = if receive.copy { Transfer::Copy } else { Transfer::Receive };
        Some(self.message(transfer, &shape, index, before.get(at)?, Some(at)))
    }

    /// What became of all buffers: what is gone from the front was received, what is
    /// new at the end was sent. Inside a `d_step` nobody could see more.
    fn all_changes(&self) -> Vec<Message> {
        let shape = self.view.exec.shape(self.old);
        let mut found = Vec::new();
        for index in 0..shape.channels.len() {
            let Some((before, after)) = self.buffers(&shape, index) else { continue };
            let gone = (0..=before.len())
                .find(|&n| after.starts_with(&before[n..]))
                .unwrap_or(before.len());
            for values in &before[..gone] {
                found.push(self.message(Transfer::Receive, &shape, index, values, Some(0)));
            }
            let kept = before.len() - gone;
            for (i, values) in after.iter().enumerate().skip(kept) {
                found.push(self.message(Transfer::Send, &shape, index, values, Some(i)));
            }
        }
        found
    }

    /// The buffer of a channel before and after; none of a rendezvous channel, or if
    /// the channel is gone.
    fn buffers(&self, shape: &Shape, index: usize) -> Option<(Buffer, Buffer)> {
        let new_shape = self.view.exec.shape(self.new);
        let before = self.view.buffer(self.old, shape.channels[index])?;
        let after = self.view.buffer(self.new, *new_shape.channels.get(index)?)?;
        Some((before, after))
    }
}

impl View<'_> {
    /// The messages in a channel; none if it has no buffer.
    #[must_use]
    pub fn buffer(&self, state: &[u8], channel: Channel) -> Option<Buffer> {
        let ty = &self.program.channel_types[channel.ty.0 as usize];
        if ty.capacity == 0 {
            return None;
        }
        let counter = &state[channel.offset..channel.offset + ty.len_bytes as usize];
        let len = counter.iter().rev().fold(0, |n, &b| n << 8 | usize::from(b));
        let mut at = channel.offset + ty.len_bytes as usize;
        let mut load = || {
            let mut fields = Vec::with_capacity(ty.fields.len());
            for scalar in &ty.fields {
                fields.push(scalar.load(state, at));
                at += scalar.width() as usize;
            }
            fields
        };
        Some((0..len).map(|_| load()).collect())
    }
}
