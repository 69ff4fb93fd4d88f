//! The parts of a state, for stores that keep them apart.

use crate::{Options, Shape};
use spinor_program::Program;
use spinor_ts::{Layout, LayoutOf};
use std::sync::Arc;

/// Which parts the states of a program have: the global variables, each channel,
/// each frame. What one step changes lies in few of them. There are seams between global variables.
#[must_use]
pub fn layout_of(program: &Arc<Program>, options: Options) -> LayoutOf {
    let program = Arc::clone(program);
    Arc::new(move |state| {
        let shape = Shape::of(&program, options, state);
        let mut ends = vec![shape.globals, shape.globals + program.globals.bytes as usize];
        for channel in &shape.channels {
            let bytes = program.channel_types[channel.ty.0 as usize].bytes() as usize;
            ends.push(channel.offset + bytes);
        }
        for frame in &shape.frames {
            let bytes = program.proctypes[frame.proctype.index()].frame.bytes as usize;
            ends.push(frame.offset);
            ends.push(frame.offset + bytes);
        }
        ends.push(shape.key);
        ends.retain(|end| *end > shape.header);
        ends.sort_unstable();
        ends.dedup();
        let leaves = program.globals.leaves.iter().filter(|leaf| !leaf.hidden);
        let mut seams: Vec<usize> =
            leaves.map(|leaf| shape.globals + leaf.offset as usize).collect();
        seams.sort_unstable();
        seams.dedup();
        Layout { prefix: shape.header, ends, seams }
    })
}
