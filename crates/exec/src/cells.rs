//! The numbers that a state is made of, one by one.

use crate::constants::{Constants, without_indices};
use crate::{Options, Shape};
use spinor_program::{Area, ChannelType, ProcessType, Program, Scalar};
use spinor_ts::{Cell, CellsOf};
use std::collections::HashMap;
use std::sync::Arc;

/// Which cells the states of a program have: locations, variables, lengths of channels and fields of their messages.
#[must_use]
pub fn cells_of(program: &Arc<Program>, options: Options) -> CellsOf {
    let program = Arc::clone(program);
    let constants = Constants::of(&program);
    Arc::new(move |state| {
        let shape = Shape::of(&program, options, state);
        let mut list = List::default();
        list.area(&program.globals, shape.globals, None, &constants);
        for frame in &shape.frames {
            let process = &program.proctypes[frame.proctype.index()];
            list.location(process, frame.offset);
            let proctype = Some(frame.proctype.index());
            list.area(&process.frame, frame.offset, proctype, &constants);
        }
        for (number, channel) in shape.channels.iter().enumerate() {
            let ty = &program.channel_types[channel.ty.0 as usize];
            list.channel(ty, channel.offset, number);
        }
        list.cells.sort_unstable_by_key(|cell| cell.start);
        list.cells
    })
}

/// What tells families apart: whose, and which.
type Name = (Option<usize>, String, usize);

#[derive(Default)]
struct List {
    cells: Vec<Cell>,
    families: HashMap<Name, u32>,
}

impl List {
    fn family(&mut self, name: Name) -> u32 {
        let next = self.families.len() as u32;
        *self.families.entry(name).or_insert(next)
    }

    fn add(&mut self, start: usize, scalar: Scalar, family: u32) {
        let (least, most) = match scalar {
            Scalar::Bit => (0, 1),
            Scalar::U8 => (0, i64::from(u8::MAX)),
            Scalar::U16 => (0, i64::from(u16::MAX)),
            Scalar::I16 => (i64::from(i16::MIN), i64::from(i16::MAX)),
            Scalar::I32 => (i64::from(i32::MIN), i64::from(i32::MAX)),
            Scalar::Unsigned(bits) => (0, (1 << bits) - 1),
        };
        let bytes = scalar.width() as u8;
        let values = (most == 1).then(|| [0, 1].into());
        self.cells.push(Cell { start, bytes, least, most, family, values, possible: None });
    }

    fn location(&mut self, process: &ProcessType, start: usize) {
        let family = self.family((None, String::new(), start));
        let automaton = &process.automaton;
        let mut values = vec![automaton.start.0];
        let all = automaton.locations.iter().flat_map(|location| &location.transitions);
        values.extend(all.map(|transition| transition.target.0));
        values.sort_unstable();
        values.dedup();
        let (bytes, most) = (process.location_bytes as u8, automaton.locations.len() as i64);
        let values = Some(values.into());
        self.cells.push(Cell { start, bytes, least: 0, most, family, values, possible: None });
    }

    /// The variables of an area that begins at `start`. Processes of one type do much the same.
    fn area(&mut self, area: &Area, start: usize, proctype: Option<usize>, constants: &Constants) {
        for leaf in area.leaves.iter().filter(|leaf| !leaf.hidden) {
            let name = (proctype, without_indices(&leaf.name));
            let (values, possible) = (constants.values(&name), constants.possible(&name));
            let family = self.family((name.0, name.1, usize::MAX));
            self.add(start + leaf.offset as usize, leaf.scalar, family);
            if let Some(cell) = self.cells.last_mut() {
                cell.values = values.map(Into::into).or(cell.values.take());
                cell.possible = possible.map(Into::into);
            }
        }
    }

    fn channel(&mut self, ty: &ChannelType, start: usize, number: usize) {
        if ty.capacity == 0 {
            return;
        }
        let family = self.family((None, String::from("len"), number));
        let (bytes, most) = (ty.len_bytes as u8, i64::from(ty.capacity));
        let values = Some((0..=ty.capacity).collect());
        self.cells.push(Cell { start, bytes, least: 0, most, family, values, possible: None });
        let mut at = start + ty.len_bytes as usize;
        for _ in 0..ty.capacity {
            for (field, scalar) in ty.fields.iter().enumerate() {
                let family = self.family((Some(number), String::from("?"), field));
                self.add(at, *scalar, family);
                at += scalar.width() as usize;
            }
        }
    }
}
