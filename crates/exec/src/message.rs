//! Sends and receives.

use crate::channel::Message;
use crate::eval::Context;
use crate::exec::Exec;
use crate::fault::Fault;
use crate::prepared::{FieldAct, ReceiveAct, SendAct};
use crate::step::{Attempt, Effect, Offer};
use smallvec::SmallVec;
use spinor_program::StmtId;

impl Exec {
    pub(crate) fn send(
        &self,
        cx: &Context<'_>,
        id: StmtId,
        send: &SendAct,
        effect: &mut Effect,
    ) -> Result<Attempt, Fault> {
        let number = send.channel.channel(cx)?;
        let at = cx.lineup.shape.channels[number];
        let buffer = cx.buffer(at);
        if buffer.capacity > 0 && buffer.len(cx.state, at.offset) >= buffer.capacity {
            return Ok(Attempt::Blocked);
        }
        let mut message = Message::new();
        for e in &send.args {
            message.push(e.value(cx)?);
        }
        if message.len() != buffer.fields.len() {
            cx.soft(if message.len() > buffer.fields.len() {
                Fault::TooManySendFields
            } else {
                Fault::TooFewSendFields
            });
            message.resize(buffer.fields.len(), 0);
        }
        effect.copy(cx);
        if buffer.capacity > 0 {
            buffer.insert(&mut effect.next, at.offset, &message, send.sorted);
            if !self.is_watched() {
                self.executed[id.index()].set(true);
                return Ok(Attempt::Done);
            }
        }
        for (value, field) in message.iter_mut().zip(&buffer.fields) {
            *value = field.scalar.truncate(*value);
        }
        if self.is_watched() {
            self.watch(cx, id, true, number, &message, effect)?;
        }
        if buffer.capacity > 0 {
            self.executed[id.index()].set(true);
            return Ok(Attempt::Done);
        }
        let Some(sender) = cx.pid else { return Ok(Attempt::Blocked) };
        effect.offer = Offer { channel: number, message, sender };
        Ok(Attempt::Offered)
    }

    /// Whether a message can be received; if so, it is.
    pub(crate) fn receive(
        &self,
        cx: &Context<'_>,
        offer: Option<&Offer>,
        id: StmtId,
        receive: &ReceiveAct,
        effect: &mut Effect,
    ) -> Result<bool, Fault> {
        let number = receive.channel.channel(cx)?;
        let at = cx.lineup.shape.channels[number];
        let buffer = cx.buffer(at);
        if buffer.capacity == 0 && receive.copy {
            return Err(Fault::PollRendezvous);
        }
        match offer {
            Some(offer) if offer.channel != number => return Ok(false),
            None if buffer.capacity == 0 => return Ok(false),
            None if buffer.len(cx.state, at.offset) == 0 => return Ok(false),
            _ => {}
        }
        if receive.fields.len() > buffer.fields.len() {
            return Err(Fault::TooManyReceiveFields);
        }
        let mut pattern = SmallVec::<[Option<i32>; 8]>::new();
        for field in &receive.fields {
            pattern.push(match field {
                FieldAct::Match(e) => Some(e.value(cx)?),
                FieldAct::Bind(_) | FieldAct::Any => None,
            });
        }
        let mut slot = 0;
        let message: Message = if let Some(offer) = offer {
            let fits = |(want, have): (&Option<i32>, &i32)| want.is_none_or(|want| want == *have);
            if !pattern.iter().zip(&offer.message).all(fits) {
                return Ok(false);
            }
            offer.message.clone()
        } else {
            let found = buffer.find(cx.state, at.offset, &pattern, receive.random);
            let Some(index) = found else { return Ok(false) };
            slot = index;
            let field = |f| buffer.field(cx.state, at.offset, index, f);
            (0..buffer.fields.len()).map(field).collect()
        };
        if receive.fields.len() < buffer.fields.len() {
            if receive.fields.iter().all(|f| matches!(f, FieldAct::Match(_))) {
                return Err(Fault::TooFewReceiveFields);
            }
            cx.soft(Fault::TooFewReceiveFields);
        }
        effect.copy(cx);
        for (field, &value) in receive.fields.iter().zip(&message) {
            if let FieldAct::Bind(spot) = field {
                spot.store(cx, &mut effect.next, value)?;
            }
        }
        if receive.copy {
            return Ok(true);
        }
        if offer.is_none() {
            buffer.remove(&mut effect.next, at.offset, slot);
        }
        if self.is_watched() {
            self.watch(cx, id, false, number, &message, effect)?;
        }
        Ok(true)
    }
}
