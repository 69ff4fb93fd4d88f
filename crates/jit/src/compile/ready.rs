//! Which processes wait for a rendezvous, on which channel, by location: a table that
//! spares senders to ask those who do not.

use super::range;
use super::statics::StaticChannels;
use super::step::reachable;
use spinor_program::expr::ProctypeId;
use spinor_program::{Action, Base, ProcessType, Program, Receive, Transition};

/// Rows of bits by proctype and location: a bit per global channel, then a word that is
/// not zero if there is a receive at all.
pub(crate) struct Ready {
    /// Words of a row.
    pub words: usize,
    rows: Vec<Box<[u64]>>,
    /// By proctype: where its rows begin; 0 if it never takes a message.
    pub starts: Box<[usize]>,
}

impl Ready {
    pub fn new(program: &Program) -> Self {
        let statics = StaticChannels::new(program);
        let words = program.globals.channels.len().div_ceil(64) + 1;
        let rows: Vec<Box<[u64]>> = (0..)
            .zip(&program.proctypes)
            .map(|(id, process)| rows(program, &statics, ProctypeId(id), process, words))
            .collect();
        let start = |rows: &[u64]| {
            let takes = rows.iter().any(|word| *word != 0);
            if takes { rows.as_ptr() as usize } else { 0 }
        };
        Ready { words, starts: rows.iter().map(|rows| start(rows)).collect(), rows }
    }

    /// Whether such a process can take a message on a global channel somewhere.
    pub fn takes(&self, proctype: ProctypeId, channel: u32) -> bool {
        let (word, bit) = (channel as usize / 64, channel % 64);
        self.rows[proctype.index()].chunks(self.words).any(|row| row[word] >> bit & 1 == 1)
    }
}

/// Receives that a transition begins with.
pub(crate) fn receives<'a>(
    program: &'a Program,
    transition: &Transition,
) -> impl Iterator<Item = &'a Receive> {
    let first = match &program.statement(transition.statement).action {
        Action::DStep(inner) => &inner.locations[inner.start.index()][..],
        _ => &[],
    };
    let inner = first.iter().map(|t| t.statement).chain([transition.statement]);
    inner.filter_map(|id| match &program.statement(id).action {
        Action::Receive(receive) => Some(receive),
        _ => None,
    })
}

fn rows(
    program: &Program,
    statics: &StaticChannels,
    id: ProctypeId,
    process: &ProcessType,
    words: usize,
) -> Box<[u64]> {
    let mut rows = vec![0; words * process.automaton.locations.len()];
    let reached = reachable(&process.automaton);
    let locations = process.automaton.locations.iter().zip(rows.chunks_mut(words)).zip(reached);
    for ((location, row), _) in locations.filter(|(_, r)| *r) {
        for receive in location.transitions.iter().flat_map(|t| receives(program, t)) {
            mark(program, statics, id, receive, row);
        }
    }
    rows.into()
}

fn mark(
    program: &Program,
    statics: &StaticChannels,
    id: ProctypeId,
    receive: &Receive,
    row: &mut [u64],
) {
    let Some((any, globals)) = row.split_last_mut() else { return };
    let place = &receive.channel;
    let known = statics.find(place, Some(id.index()));
    // Copying from a rendezvous is an error, and so is a bad index: whoever offers
    // anything finds out.
    let is_sure = place.indices.iter().all(|i| range::of(&i.value).is_below(i.bound));
    let Some(known) = known.filter(|_| is_sure) else {
        *any = 1;
        globals.fill(u64::MAX);
        return;
    };
    let ty = &program.channel_types[known.ty.0 as usize];
    if ty.capacity > 0 {
        return;
    }
    *any = 1;
    if receive.copy {
        globals.fill(u64::MAX);
    } else if place.base == Base::Global {
        let mut numbers = vec![known.number];
        for (index, (_, stride)) in place.indices.iter().zip(&known.strides) {
            let before = std::mem::take(&mut numbers);
            let steps = 0..index.bound;
            numbers = steps.flat_map(|i| before.iter().map(move |n| n + i * stride)).collect();
        }
        for number in numbers {
            globals[number as usize / 64] |= 1 << (number % 64);
        }
    }
}
