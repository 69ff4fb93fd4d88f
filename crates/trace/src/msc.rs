//! Message sequence charts: who sends what to whom.
//!
//! A rendezvous is an arrow. A message through a buffer is sent at one step and received at a
//! later one; the chart follows each message through the buffer, also through sorted sends and
//! receives out of order.

mod mermaid;
mod svg;
mod text;

use crate::{Message, Step, Story, Transfer, Who};
use std::collections::HashMap;

/// A chart of a run.
#[derive(Clone, Debug, Default)]
pub struct Chart {
    /// Names of the processes that take part, by pid.
    lanes: Vec<String>,
    rows: Vec<Row>,
    /// The run repeats from this row on.
    cycle: Option<usize>,
    error: Option<String>,
}

/// Something that happens.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Row {
    /// Number of the step.
    step: usize,
    event: Event,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Event {
    /// From one process to another at once.
    Handshake { from: usize, to: usize, text: String },
    /// Into a buffer; `received` is the row where it comes out.
    Send { lane: usize, text: String, received: Option<usize> },
    /// Out of a buffer; `sent` is the row where it went in.
    Receive { lane: usize, text: String, sent: Option<usize> },
    /// What a process prints, or does.
    Note { lane: usize, text: String },
}

impl Event {
    /// The process that does it.
    fn lane(&self) -> usize {
        match self {
            Event::Handshake { from: lane, .. }
            | Event::Send { lane, .. }
            | Event::Receive { lane, .. }
            | Event::Note { lane, .. } => *lane,
        }
    }
}

impl Chart {
    /// The chart of a run. If no messages are sent, it has all steps.
    #[must_use]
    pub fn of(story: &Story) -> Self {
        let has_messages = story.steps.iter().any(|step| !step.messages.is_empty());
        let mut lanes = Lanes::default();
        for step in &story.steps {
            lanes.admit(&step.who);
            if let Some(half) = &step.receiver {
                lanes.admit(&half.who);
            }
        }
        lanes.known.sort_by_key(|(pid, _)| *pid);
        let mut maker = Maker { lanes, ..Maker::default() };
        let mut cycle = None;
        for step in &story.steps {
            if story.cycle.as_ref().is_some_and(|c| cycle.is_none() && step.number > c.start) {
                cycle = Some(maker.rows.len());
            }
            maker.step(step, has_messages);
        }
        Chart {
            lanes: maker.lanes.known.iter().map(|(pid, name)| format!("{name} ({pid})")).collect(),
            rows: maker.rows,
            cycle,
            error: story.error.as_ref().map(|error| error.message.clone()),
        }
    }

    /// The lane of a row.
    fn lane_of(&self, row: Option<usize>) -> Option<usize> {
        row.and_then(|row| self.rows.get(row)).map(|row| row.event.lane())
    }
}

/// Processes by pid; a pid that is used again by another proctype is another lane.
#[derive(Default)]
struct Lanes {
    known: Vec<(usize, String)>,
}

impl Lanes {
    fn find(&self, who: &Who) -> Option<usize> {
        let pid = who.pid?;
        self.known.iter().position(|(p, name)| *p == pid && *name == who.name)
    }

    fn admit(&mut self, who: &Who) {
        if let (Some(pid), None) = (who.pid, self.find(who)) {
            self.known.push((pid, who.name.clone()));
        }
    }
}

#[derive(Default)]
struct Maker {
    lanes: Lanes,
    rows: Vec<Row>,
    /// Rows of the sends whose messages are in each buffer.
    buffers: HashMap<String, Vec<Option<usize>>>,
}

impl Maker {
    fn step(&mut self, step: &Step, has_messages: bool) {
        let Some(lane) = self.lanes.find(&step.who) else { return };
        for message in &step.messages {
            self.message(step, lane, message);
        }
        if !has_messages {
            self.push(step, Event::Note { lane, text: step.statement.clone() });
        }
        for line in step.output.iter().flat_map(|output| output.lines()) {
            self.push(step, Event::Note { lane, text: format!("prints {line}") });
        }
        for ended in step.changes.iter().filter(|change| change.kind == "end") {
            // The channels of a process end with it.
            self.buffers.retain(|channel, _| !channel.starts_with(&format!("{}:", ended.name)));
        }
    }

    fn push(&mut self, step: &Step, event: Event) {
        self.rows.push(Row { step: step.number, event });
    }

    fn message(&mut self, step: &Step, lane: usize, message: &Message) {
        let Message { transfer, channel, fields, position } = message;
        let fields = fields.join(",");
        let row = self.rows.len();
        let at = position.unwrap_or(0);
        match transfer {
            Transfer::Rendezvous => {
                let receiver = step.receiver.as_ref().and_then(|half| self.lanes.find(&half.who));
                let text = format!("{channel}!{fields}");
                let to = receiver.unwrap_or(lane);
                self.push(step, Event::Handshake { from: lane, to, text });
            }
            Transfer::Send => {
                let buffer = self.buffers.entry(channel.clone()).or_default();
                buffer.insert(at.min(buffer.len()), Some(row));
                let text = format!("{channel}!{fields}");
                self.push(step, Event::Send { lane, text, received: None });
            }
            Transfer::Receive => {
                let buffer = self.buffers.entry(channel.clone()).or_default();
                let sent = if at < buffer.len() { buffer.remove(at) } else { None };
                if let Some(Event::Send { received, .. }) =
                    sent.and_then(|sent| self.rows.get_mut(sent)).map(|row| &mut row.event)
                {
                    *received = Some(row);
                }
                self.push(step, Event::Receive { lane, text: format!("{channel}?{fields}"), sent });
            }
            Transfer::Copy => {
                self.push(step, Event::Note { lane, text: format!("{channel}?<{fields}>") });
            }
        }
    }
}

/// At most this many characters of a text.
fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let mut cut: String = text.chars().take(most.saturating_sub(1)).collect();
    cut.push('…');
    cut
}
