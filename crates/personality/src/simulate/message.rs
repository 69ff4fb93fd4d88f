//! Messages on their way.

use super::narrator::Moment;
use super::queues::Queues;
use super::values::Values;
use spinor_exec::Actor;
use spinor_program::{Action, Expr, Place, Receive, ReceiveField, Scalar};
use spinor_trace::View;

/// A message and its channel as text.
pub(super) struct Shown {
    pub queue: u32,
    /// Of the channel, as the statement calls it.
    pub name: String,
    pub values: String,
}

impl Shown {
    pub fn new(
        view: &View<'_>,
        queues: &Queues,
        moment: &Moment,
        channel: &Place,
        values: &[i32],
    ) -> Self {
        let number = number(view, moment, channel);
        let shape = view.exec.shape(&moment.before);
        let index = usize::try_from(number).ok().and_then(|n| n.checked_sub(1));
        let channel_type = index
            .and_then(|index| shape.channels.get(index))
            .map(|channel| &view.program.channel_types[channel.ty.0 as usize]);
        let printer = Values { view, queues, state: &moment.before };
        let types = channel_type.map_or(&[][..], |ty| &ty.types);
        let shown = values.iter().enumerate().map(|(i, v)| match types.get(i) {
            Some(ty) => printer.shown(*ty, *v),
            None => v.to_string(),
        });
        Shown {
            queue: queues.number(number).unwrap_or(0),
            values: shown.collect::<Vec<_>>().join(","),
            name: name(view, moment, channel),
        }
    }
}

fn pid(moment: &Moment) -> Option<usize> {
    match moment.actor {
        Actor::Process(pid) => Some(pid),
        Actor::Claim => None,
    }
}

fn number(view: &View<'_>, moment: &Moment, channel: &Place) -> i32 {
    view.exec.evaluate(&moment.before, pid(moment), &Expr::Load(channel.clone()))
}

/// The channel as written, with the value of its index.
fn name(view: &View<'_>, moment: &Moment, channel: &Place) -> String {
    let text = &view.program.statement(moment.statement).text;
    let end = text.find(['!', '?']).unwrap_or(text.len());
    let written = &text[..end];
    match (written.split_once('['), channel.indices.as_slice()) {
        (Some((base, _)), [index]) => {
            let value = view.exec.evaluate(&moment.before, pid(moment), &index.value);
            format!("{base}[{value}]")
        }
        _ => written.to_owned(),
    }
}

/// The values that a step stores, before they are cut to the size of where they go.
pub(super) fn stored(view: &View<'_>, moment: &Moment) -> Vec<(Scalar, i32)> {
    let value = |e: &Expr| view.exec.evaluate(&moment.before, pid(moment), e);
    match &view.program.statement(moment.statement).action {
        Action::Assign(pairs) => {
            let plain = pairs.iter().filter(|(_, e)| !matches!(e, Expr::Run(_)));
            plain.map(|(place, e)| (place.scalar, value(e))).collect()
        }
        Action::Send(send) => {
            let number = number(view, moment, &send.channel);
            let index = usize::try_from(number).ok().and_then(|n| n.checked_sub(1));
            let shape = view.exec.shape(&moment.before);
            let Some(channel) = index.and_then(|index| shape.channels.get(index)) else {
                return Vec::new();
            };
            let fields = &view.program.channel_types[channel.ty.0 as usize].fields;
            fields.iter().copied().zip(send.args.iter().map(value)).collect()
        }
        _ => Vec::new(),
    }
}

/// The message that a receive takes out of a buffer, or looks at.
pub(super) fn taken(view: &View<'_>, moment: &Moment, receive: &Receive) -> Option<Vec<i32>> {
    let index = usize::try_from(number(view, moment, &receive.channel)).ok()?.checked_sub(1)?;
    let channel = *view.exec.shape(&moment.before).channels.get(index)?;
    let buffer = view.buffer(&moment.before, channel)?;
    if !receive.random {
        return buffer.into_iter().next();
    }
    let fits = |message: &Vec<i32>| {
        message.iter().zip(&receive.args).all(|(value, field)| match field {
            ReceiveField::Match(e) => view.exec.evaluate(&moment.before, pid(moment), e) == *value,
            _ => true,
        })
    };
    buffer.into_iter().find(fits)
}

/// A message in pan's words: number of the channel, `!` or `?`, values. What is not looked at counts as 0.
pub(super) fn values(view: &View<'_>, moment: &Moment) -> Option<String> {
    let own = pid(moment);
    let value = |e: &Expr| view.exec.evaluate(&moment.before, own, e);
    let (channel, sign, values): (_, _, Vec<i32>) =
        match &view.program.statement(moment.statement).action {
            Action::Send(send) => (&send.channel, '!', send.args.iter().map(value).collect()),
            Action::Receive(receive) => {
                let field = |field: &ReceiveField| match field {
                    ReceiveField::Bind(place) => {
                        view.exec.evaluate(&moment.after, own, &Expr::Load(place.clone()))
                    }
                    ReceiveField::Match(e) => value(e),
                    ReceiveField::Any => 0,
                };
                (&receive.channel, '?', receive.args.iter().map(field).collect())
            }
            _ => return None,
        };
    let values: Vec<String> = values.iter().map(ToString::to_string).collect();
    Some(format!("{}{sign}{}", number(view, moment, channel), values.join(",")))
}
