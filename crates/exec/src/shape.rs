//! Where frames and channels lie in a given state.
//!
//! The list of proctypes at the front of a state fixes all offsets; states
//! with the same list have the same [`Shape`].

use crate::Options;
use spinor_program::expr::ProctypeId;
use spinor_program::{ChannelTypeId, LocId, ProcessType, Program};

/// A process in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Its type.
    pub proctype: ProctypeId,
    /// Start of its frame.
    pub offset: usize,
    /// Number of channels that were there before its own.
    pub channels_before: usize,
}

/// A channel in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Channel {
    /// Its shape.
    pub ty: ChannelTypeId,
    /// Start of its content; meaningless for rendezvous.
    pub offset: usize,
}

/// Offsets in states with the same processes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Processes by pid.
    pub frames: Vec<Frame>,
    /// Channels by number, from 0 (variables hold the number plus one).
    pub channels: Vec<Channel>,
    /// Bytes of the list of proctypes.
    pub header: usize,
    /// `_last`.
    pub last: usize,
    /// Location of the trace declaration.
    pub event: usize,
    /// Frame of the claim.
    pub claim: usize,
    /// Global variables.
    pub globals: usize,
    /// End of what identifies the state; the hidden variables follow.
    pub key: usize,
    /// Bytes of the whole state.
    pub total: usize,
}

/// Which optional parts states have.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Parts {
    pub event_bytes: usize,
    pub claim_bytes: usize,
}

impl Parts {
    pub fn new(program: &Program, options: Options) -> Self {
        let event = program.trace.as_ref().filter(|_| !options.no_trace);
        let claim = options.claim.map(|c| &program.claims[c]);
        Parts {
            event_bytes: event.map_or(0, |t| t.body.location_bytes as usize),
            claim_bytes: claim.map_or(0, |c| c.frame.bytes as usize),
        }
    }
}

impl Shape {
    /// Where things lie in a state, from its list of proctypes.
    #[must_use]
    pub fn of(program: &Program, options: Options, state: &[u8]) -> Self {
        let proctypes: Vec<_> = proctypes(program, state).collect();
        Shape::new(program, Parts::new(program, options), &proctypes)
    }

    pub(crate) fn new(program: &Program, parts: Parts, proctypes: &[ProctypeId]) -> Self {
        let header = 1 + proctypes.len() * program.proctype_bytes as usize;
        let last = header;
        let event = last + usize::from(program.uses_last);
        let claim = event + parts.event_bytes;
        let globals = claim + parts.claim_bytes;
        let mut end = globals + program.globals.bytes as usize;
        let mut channels = Vec::new();
        add_channels(program, &program.globals.channels, &mut channels, &mut end);
        let mut frames = Vec::with_capacity(proctypes.len());
        for &proctype in proctypes {
            let frame = &program.proctypes[proctype.index()].frame;
            frames.push(Frame { proctype, offset: end, channels_before: channels.len() });
            end += frame.bytes as usize;
            add_channels(program, &frame.channels, &mut channels, &mut end);
        }
        let total = end + program.hidden_bytes as usize;
        Shape { frames, channels, header, last, event, claim, globals, key: end, total }
    }
}

/// The proctypes of the processes of a state, by pid.
pub(crate) fn proctypes(program: &Program, state: &[u8]) -> impl Iterator<Item = ProctypeId> {
    let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |n, &b| n << 8 | u32::from(b));
    let width = program.proctype_bytes as usize;
    let list = &state[1..1 + usize::from(state[0]) * width];
    list.chunks_exact(width).map(move |bytes| ProctypeId(number(bytes)))
}

fn add_channels(
    program: &Program,
    sites: &[spinor_program::ChannelSite],
    channels: &mut Vec<Channel>,
    end: &mut usize,
) {
    for site in sites {
        channels.push(Channel { ty: site.channel, offset: *end });
        *end += program.channel_types[site.channel.0 as usize].bytes() as usize;
    }
}

/// Reads the location at the start of a frame.
pub(crate) fn location(process: &ProcessType, state: &[u8], offset: usize) -> LocId {
    let at = |i: usize| u32::from(state[offset + i]);
    LocId(match process.location_bytes {
        1 => at(0),
        2 => at(0) | at(1) << 8,
        _ => at(0) | at(1) << 8 | at(2) << 16 | at(3) << 24,
    })
}

/// Writes the location at the start of a frame.
pub(crate) fn set_location(process: &ProcessType, state: &mut [u8], offset: usize, to: LocId) {
    let bytes = process.location_bytes as usize;
    state[offset..offset + bytes].copy_from_slice(&to.0.to_le_bytes()[..bytes]);
}
