//! Bytes that never change once they are there, and what actions write.

use crate::{Action, Base, Place, ProcessType, Program, ReceiveField};

/// Which bytes never change.
#[derive(Debug)]
pub struct Stable {
    /// Of the globals.
    globals: Vec<bool>,
    /// Of the frames, by proctype.
    frames: Vec<Vec<bool>>,
}

impl Stable {
    /// Looks at all statements of a program.
    #[must_use]
    pub fn new(program: &Program) -> Self {
        let mut stable = Stable {
            globals: vec![true; program.globals.bytes as usize],
            frames: program.proctypes.iter().map(frame).collect(),
        };
        if program.embedded.is_some() {
            // C may write everything.
            stable.globals.fill(false);
            stable.frames.iter_mut().for_each(|frame| frame.fill(false));
        }
        for (number, process) in program.proctypes.iter().enumerate() {
            program.each_action(process, &mut |action| {
                action.written(&mut |place| stable.drop(place, Some(number)));
            });
        }
        for claim in &program.claims {
            program.each_action(claim, &mut |action| {
                action.written(&mut |place| stable.drop(place, None));
            });
        }
        stable
    }

    fn drop(&mut self, place: &Place, proctype: Option<usize>) {
        let bytes = match (place.base, proctype) {
            (Base::Global, _) => &mut self.globals,
            (Base::Frame, Some(proctype)) => &mut self.frames[proctype],
            _ => return,
        };
        let range = place.extent();
        let end = (range.end as usize).min(bytes.len());
        bytes[(range.start as usize).min(end)..end].fill(false);
    }

    /// Offsets in the frame of a proctype whose bytes never change.
    #[must_use]
    pub fn of_frame(&self, proctype: usize) -> Vec<u32> {
        let bytes = self.frames[proctype].iter().enumerate();
        bytes.filter(|(_, stable)| **stable).map(|(at, _)| at as u32).collect()
    }

    /// Whether these bytes of the globals, or of the frames of a proctype, never change.
    #[must_use]
    pub fn holds(&self, base: Base, proctype: Option<usize>, bytes: std::ops::Range<u32>) -> bool {
        let area = match (base, proctype) {
            (Base::Global, _) => &self.globals,
            (Base::Frame, Some(proctype)) => &self.frames[proctype],
            _ => return false,
        };
        let bytes = area.get(bytes.start as usize..bytes.end as usize);
        bytes.is_some_and(|bytes| bytes.iter().all(|stable| *stable))
    }
}

/// The location at the start of a frame changes.
fn frame(process: &ProcessType) -> Vec<bool> {
    let mut bytes = vec![true; process.frame.bytes as usize];
    let location = process.location_bytes as usize;
    bytes[..location.min(process.frame.bytes as usize)].fill(false);
    bytes
}

impl Program {
    /// Calls `f` on all actions of a process, those inside `d_step` included.
    pub fn each_action(&self, process: &ProcessType, f: &mut impl FnMut(&Action)) {
        let transitions = process.automaton.locations.iter().flat_map(|l| &l.transitions);
        for transition in transitions {
            self.actions_of(&self.statement(transition.statement).action, f);
        }
    }

    /// Calls `f` on an action, and on those inside it.
    pub fn actions_of(&self, action: &Action, f: &mut impl FnMut(&Action)) {
        f(action);
        if let Action::DStep(inner) = action {
            for transition in inner.locations.iter().flatten() {
                f(&self.statement(transition.statement).action);
            }
        }
    }
}

impl Action {
    /// Calls `f` on all places that the action may write; not on those inside a `d_step`, nor on what
    /// C writes.
    pub fn written(&self, f: &mut impl FnMut(&Place)) {
        match self {
            Action::Assign(pairs) => pairs.iter().for_each(|(place, _)| f(place)),
            Action::Receive(receive) => {
                for field in &receive.args {
                    if let ReceiveField::Bind(place) = field {
                        f(place);
                    }
                }
            }
            _ => {}
        }
    }
}

impl Place {
    /// All bytes that the place may be at, whatever its indices are.
    #[must_use]
    pub fn extent(&self) -> std::ops::Range<u32> {
        let spread = |i: &crate::Index| i.bound.saturating_sub(1) * i.stride;
        let last = self.offset + self.indices.iter().map(spread).sum::<u32>();
        self.offset..last + self.scalar.width()
    }
}
