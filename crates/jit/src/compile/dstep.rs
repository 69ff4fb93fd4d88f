//! Code for `d_step`: after its first statement it works on the copy until its end.

use super::emit::Emit;
use super::facts::has_run;
use super::perform::Way;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, types};
use cranelift_frontend::Variable;
use spinor_program::{Action, DStep, LocId, StmtId, Transition};

/// Inner steps after which the interpreter has to look whether there is an end.
const PATIENCE: i64 = 4096;

/// The blocks of the inner locations, made when first needed.
struct Inner<'a> {
    d_step: &'a DStep,
    blocks: Vec<Option<Block>>,
    pending: Vec<LocId>,
    exit: Block,
    /// Counts inner steps if there is a loop.
    count: Option<Variable>,
}

impl Emit<'_, '_> {
    /// Runs a `d_step` to its end; goes to `blocked` if its first statement blocks.
    pub fn d_step(&mut self, id: StmtId, d_step: &DStep, way: Way<'_>, blocked: Block) {
        let changes_shape = d_step.locations.iter().flatten().any(|t| {
            let action = self.facts.action(t.statement);
            has_run(action) || matches!(action, Action::Terminate | Action::DStep(_))
        });
        if changes_shape {
            self.bail();
            return;
        }
        let count = has_loop(d_step).then(|| self.b.declare_var(types::I64));
        if let Some(count) = count {
            let zero = self.word(0);
            self.b.def_var(count, zero);
        }
        let mut inner = Inner {
            d_step,
            blocks: vec![None; d_step.locations.len()],
            pending: Vec::new(),
            exit: self.b.create_block(),
            count,
        };
        let first = Way { inner: true, ..way };
        self.options(&mut inner, d_step.start, first, Some(id), blocked);
        let rest = Way { from: way.to, copies: false, accepting: false, ..first };
        let bail = self.bail_block();
        while let Some(location) = inner.pending.pop() {
            let Some(block) = inner.blocks[location.index()] else { continue };
            self.b.switch_to_block(block);
            self.count_step(inner.count);
            // Only the first statement may block.
            self.options(&mut inner, location, rest, None, bail);
        }
        for block in inner.blocks.into_iter().flatten() {
            self.b.seal_block(block);
        }
        self.enter(inner.exit);
    }

    /// Tries the transitions of an inner location; the first that is executable is taken.
    /// Ends with a jump to `blocked`.
    fn options(
        &mut self,
        inner: &mut Inner<'_>,
        at: LocId,
        way: Way<'_>,
        whole: Option<StmtId>,
        blocked: Block,
    ) {
        let d_step = inner.d_step;
        for transition in &d_step.locations[at.index()] {
            let next = self.b.create_block();
            self.perform(transition.statement, way, next);
            self.mark_executed(transition.statement);
            if let Some(id) = whole {
                self.mark_executed(id);
            }
            let target = self.inner_block(inner, transition);
            self.b.ins().jump(target, &[]);
            self.enter(next);
        }
        self.b.ins().jump(blocked, &[]);
    }

    fn inner_block(&mut self, inner: &mut Inner<'_>, transition: &Transition) -> Block {
        let target = transition.target;
        if target == inner.d_step.exit {
            return inner.exit;
        }
        *inner.blocks[target.index()].get_or_insert_with(|| {
            inner.pending.push(target);
            self.b.create_block()
        })
    }

    fn count_step(&mut self, count: Option<Variable>) {
        let Some(count) = count else { return };
        let steps = self.b.use_var(count);
        let steps = self.b.ins().iadd_imm_s(steps, 1);
        self.b.def_var(count, steps);
        let many = self.compare(IntCC::UnsignedGreaterThan, steps, PATIENCE);
        self.bail_if(many);
    }
}

/// Whether a `d_step` can come back to a location.
fn has_loop(d_step: &DStep) -> bool {
    // Locations leave the graph once all that lead to them have; a loop never does.
    let mut entries = vec![0usize; d_step.locations.len()];
    let inner = |t: &&Transition| t.target != d_step.exit;
    for transition in d_step.locations.iter().flatten().filter(inner) {
        entries[transition.target.index()] += 1;
    }
    let mut free: Vec<usize> = (0..entries.len()).filter(|&at| entries[at] == 0).collect();
    let mut left = entries.len();
    while let Some(at) = free.pop() {
        left -= 1;
        for transition in d_step.locations[at].iter().filter(inner) {
            let target = transition.target.index();
            entries[target] -= 1;
            if entries[target] == 0 {
                free.push(target);
            }
        }
    }
    left > 0
}
