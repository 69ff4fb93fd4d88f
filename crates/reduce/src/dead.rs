//! Locals whose value nobody will use.
//!
//! A variable is live at a location if some path from there reads it before writing it.
//! The step after which it is dead sets it to 0, so that states that differ only in such
//! values become one. As in SPIN this is done by conditions and receives that read
//! the variable and by assignments and receives that write it, outside `d_step`; the
//! statements inside one are followed all the same.

use crate::access::Locals;
use crate::bits::Bits;
use spinor_program::{Action, DStep, Expr, Place, ProcessType, Program, StmtId, Transition};
use std::collections::BTreeMap;

/// Per statement: what it has to reset.
pub(crate) type Resets = BTreeMap<StmtId, Vec<Place>>;

/// The resets of all proctypes.
pub(crate) fn resets(program: &Program) -> Resets {
    let mut resets = Resets::new();
    for process in &program.proctypes {
        let locals = Locals::new(process);
        if locals.len() > 0 {
            Flow::new(program, locals).of_process(process, &mut resets);
        }
    }
    resets
}

/// What a statement does to the set of live variables.
struct Effect {
    reads: Bits,
    writes: Bits,
}

struct Flow<'p> {
    program: &'p Program,
    locals: Locals<'p>,
    effects: BTreeMap<StmtId, Effect>,
}

impl<'p> Flow<'p> {
    fn new(program: &'p Program, locals: Locals<'p>) -> Self {
        Flow { program, locals, effects: BTreeMap::new() }
    }

    fn of_process(&mut self, process: &ProcessType, resets: &mut Resets) {
        let transitions: Vec<&[Transition]> =
            process.automaton.locations.iter().map(|l| l.transitions.as_slice()).collect();
        let mut live = vec![Bits::new(self.locals.len()); transitions.len()];
        self.settle(&transitions, &mut live);
        for transition in transitions.into_iter().flatten() {
            let dead = self.dead_after(transition.statement, &live[transition.target.index()]);
            if !dead.is_empty() {
                resets.insert(transition.statement, dead);
            }
        }
    }

    /// The least fixed point of `live`, from the values given. Bodies run mostly
    /// downward, so locations are visited from the last to the first.
    fn settle(&mut self, locations: &[&[Transition]], live: &mut [Bits]) {
        let mut changed = true;
        while changed {
            changed = false;
            for at in (0..locations.len()).rev() {
                for transition in locations[at] {
                    let after = live[transition.target.index()].clone();
                    let before = self.before(transition.statement, after);
                    changed |= live[at].absorb(&before);
                }
            }
        }
    }

    /// What is live before a statement, given what is live after it.
    fn before(&mut self, id: StmtId, mut live: Bits) -> Bits {
        if let Action::DStep(inner) = &self.program.statement(id).action {
            return self.before_dstep(inner, live);
        }
        let (program, locals) = (self.program, &self.locals);
        let effect = self.effects.entry(id).or_insert_with(|| {
            let action = &program.statement(id).action;
            Effect { reads: locals.reads(action), writes: locals.writes(action) }
        });
        live.remove_all(&effect.writes);
        live.absorb(&effect.reads);
        live
    }

    fn before_dstep(&mut self, inner: &DStep, after: Bits) -> Bits {
        let transitions: Vec<&[Transition]> = inner.locations.iter().map(Vec::as_slice).collect();
        let mut live = vec![Bits::new(self.locals.len()); transitions.len()];
        live[inner.exit.index()] = after;
        self.settle(&transitions, &mut live);
        live.swap_remove(inner.start.index())
    }

    fn dead_after(&self, id: StmtId, live: &Bits) -> Vec<Place> {
        let action = &self.program.statement(id).action;
        let (reads, writes) = (self.locals.reads(action), self.locals.writes(action));
        let used = |number: usize| match action {
            Action::Condition(_) => reads.contains(number),
            Action::Receive(_) => reads.contains(number) || writes.contains(number),
            Action::Assign(pairs) => {
                let is_zeroing = matches!(pairs.as_slice(), [(_, Expr::Const(0))]);
                writes.contains(number) && !is_zeroing
            }
            _ => false,
        };
        (0..self.locals.len())
            .filter(|&number| used(number) && !live.contains(number))
            .map(|number| self.locals.place(number))
            .collect()
    }
}
