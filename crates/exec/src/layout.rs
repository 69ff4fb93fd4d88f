//! The parts of a state, for stores that keep them apart.

use crate::{Options, Shape};
use spinor_program::{Base, Expr, Place, Program};
use spinor_ts::{Layout, LayoutOf};
use std::sync::Arc;

/// Which parts the states of a program have: the global variables, each channel,
/// each frame. What one step changes lies in few of them. There are seams between global variables. Those that
/// say which element of an array is meant are parts of their own: what else counts depends on them.
#[must_use]
pub fn layout_of(program: &Arc<Program>, options: Options) -> LayoutOf {
    let program = Arc::clone(program);
    let indices = indices(&program);
    Arc::new(move |state| {
        let shape = Shape::of(&program, options, state);
        let mut ends = vec![shape.globals, shape.globals + program.globals.bytes as usize];
        ends.extend(indices.iter().map(|at| shape.globals + *at as usize));
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

/// Where global variables that stand in an index begin and end.
fn indices(program: &Program) -> Vec<u32> {
    let mut ends = Vec::new();
    let mut look = |place: &Place| {
        for index in &place.indices {
            index.value.walk(&mut |e| match e {
                Expr::Load(Place { base: Base::Global, offset, scalar, indices })
                    if indices.is_empty() =>
                {
                    ends.extend([*offset, offset + scalar.width()]);
                }
                _ => {}
            });
        }
    };
    for process in &program.proctypes {
        program.each_action(process, &mut |action| {
            action.written(&mut look);
            action.walk(&mut |e| {
                if let Expr::Load(place) = e {
                    look(place);
                }
            });
        });
    }
    ends.sort_unstable();
    ends.dedup();
    ends
}
