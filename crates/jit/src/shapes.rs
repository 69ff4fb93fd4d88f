//! Where things lie in states, and whose code runs on them.
//!
//! The list of proctypes at the front of a state (its header) fixes all offsets.
//! Most states have the same header as the one before: that is one comparison.
#![allow(unsafe_code)]

use crate::abi::{ChannelAt, Cx, FrameAt, StepFn};
use crate::hash::BuildByteHasher;
use crate::routines::Routines;
use spinor_exec::Options;
use spinor_program::Program;
use std::collections::HashMap;
use std::sync::Arc;

/// Bytes of a header that are compared as one word.
const WORD: usize = 16;

/// A process and its code.
#[derive(Clone, Copy)]
pub(crate) struct Runner {
    pub step: StepFn,
    pub frame: usize,
}

/// What states with one header have in common.
pub(crate) struct Shape {
    header: Box<[u8]>,
    /// The first bytes of the header, and which of the word belong to it.
    word: u128,
    mask: u128,
    /// Bytes of the state.
    pub length: usize,
    globals: usize,
    key: usize,
    last: usize,
    /// Location of the trace declaration.
    pub event: usize,
    /// Frame of the claim.
    pub claim: usize,
    /// By pid.
    pub frames: Box<[FrameAt]>,
    channels: Box<[ChannelAt]>,
    /// By pid.
    pub runners: Box<[Runner]>,
}

impl Shape {
    fn new(program: &Program, options: Options, routines: &Routines, header: &[u8]) -> Self {
        let shape = spinor_exec::Shape::of(program, options, header);
        let frames: Box<[FrameAt]> = shape
            .frames
            .iter()
            .map(|f| FrameAt {
                offset: f.offset as u32,
                proctype: f.proctype.index() as u32,
                channels_before: f.channels_before as u32,
            })
            .collect();
        let runner = |f: &FrameAt| Runner {
            step: routines.step[f.proctype as usize],
            frame: f.offset as usize,
        };
        let runners = frames.iter().map(runner).collect();
        let channels = shape
            .channels
            .iter()
            .map(|c| ChannelAt { offset: c.offset as u32, ty: c.ty.0 })
            .collect();
        let mut word = [0; WORD];
        let mut mask = [0; WORD];
        for (i, &byte) in header.iter().take(WORD).enumerate() {
            word[i] = byte;
            mask[i] = 0xff;
        }
        Shape {
            header: header.into(),
            word: u128::from_ne_bytes(word),
            mask: u128::from_ne_bytes(mask),
            length: shape.total,
            globals: shape.globals,
            key: shape.key,
            last: shape.last,
            event: shape.event,
            claim: shape.claim,
            frames,
            channels,
            runners,
        }
    }

    /// Whether a state has this header.
    #[inline]
    pub fn begins(&self, state: &[u8]) -> bool {
        match state.first_chunk::<WORD>() {
            Some(&word) if self.header.len() <= WORD => {
                u128::from_ne_bytes(word) & self.mask == self.word
            }
            _ => state.starts_with(&self.header),
        }
    }

    /// Whether the state at `state` has this header.
    ///
    /// # Safety
    /// A state with [`SLACK`](crate::abi::SLACK) readable bytes behind it lies there.
    #[inline]
    pub unsafe fn fits(&self, state: *const u8) -> bool {
        // SAFETY: the slack alone is longer than a word.
        let word = unsafe { state.cast::<u128>().read_unaligned() };
        if word & self.mask != self.word {
            return false;
        }
        // SAFETY: the first byte of a header fixes its length: both are as long.
        self.header.len() <= WORD
            || unsafe { std::slice::from_raw_parts(state, self.header.len()) } == &*self.header
    }

    /// Tells generated code about it.
    pub fn describe(&self, cx: &mut Cx) {
        cx.length = self.length;
        cx.globals = self.globals;
        cx.key = self.key;
        cx.last = self.last;
        cx.event = self.event;
        cx.claim = self.claim;
        cx.processes = self.frames.len();
        cx.channel_count = self.channels.len();
        cx.frames = self.frames.as_ptr();
        cx.channels = self.channels.as_ptr();
    }
}

/// The shapes met so far, by number. They stay as long as the table.
pub(crate) struct Shapes {
    program: Arc<Program>,
    options: Options,
    list: Vec<Shape>,
    by_header: HashMap<Box<[u8]>, usize, BuildByteHasher>,
}

impl Shapes {
    /// The shape of states without processes is number 0.
    pub fn new(program: Arc<Program>, options: Options, routines: &Routines) -> Self {
        let mut shapes =
            Shapes { program, options, list: Vec::new(), by_header: HashMap::default() };
        shapes.with_header(routines, &[0]);
        shapes
    }

    /// Bytes of the header of a state whose first byte is `processes`.
    pub fn header_bytes(&self, processes: u8) -> usize {
        1 + usize::from(processes) * self.program.proctype_bytes as usize
    }

    /// Number of the shape of states with a header.
    pub fn with_header(&mut self, routines: &Routines, header: &[u8]) -> usize {
        if let Some(&number) = self.by_header.get(header) {
            return number;
        }
        let number = self.list.len();
        self.list.push(Shape::new(&self.program, self.options, routines, header));
        self.by_header.insert(header.into(), number);
        number
    }

    /// A shape by its number.
    #[inline]
    pub fn get(&self, number: usize) -> &Shape {
        &self.list[number]
    }
}
