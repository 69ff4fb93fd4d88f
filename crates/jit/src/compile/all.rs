//! One function for all processes, where it is known which there are: all places in the
//! state are constants, and there is one call per state.

use super::emit::Emit;
use super::facts::Facts;
use super::plan::weights;
use crate::abi::{CONTINUES, STOPPED_SHIFT};
use cranelift_codegen::ir::{BlockArg, InstBuilder, types};
use cranelift_frontend::FunctionBuilder;
use spinor_program::Transition;

/// Work, in transitions of all processes, beyond which there is no such function: the code
/// of a proctype is generated for each of its processes.
const MOST: usize = 400;

/// Whether a program has such a function.
pub(super) fn is_wanted(facts: &Facts<'_>) -> bool {
    let Some(shape) = &facts.fixed else { return false };
    let work = |proctype| weights(facts, super::Body::Process(proctype)).iter().sum::<usize>();
    !facts.is_large
        && !facts.restricts_moves
        && !facts.options.labels
        && facts.options.claim.is_none()
        && shape.frames.iter().map(|f| work(f.proctype)).sum::<usize>() <= MOST
}

/// Whether such a function is all that is needed to run a program.
pub(super) fn suffices(facts: &Facts<'_>) -> bool {
    let program = facts.program;
    let transitions = program.proctypes.iter().flat_map(|p| &p.automaton.locations);
    let mut transitions = transitions.flat_map(|l| &l.transitions);
    is_wanted(facts) && !program.uses_timeout && !transitions.any(|t| t.atomic)
}

/// Generates the function: the moves of all processes, the youngest first. If one stays
/// inside an atomic sequence, those after it are not tried; the result says which one.
pub(super) fn generate<'f>(mut e: Emit<'_, 'f>) -> FunctionBuilder<'f> {
    let Some(shape) = &e.facts.fixed else { unreachable!("only generated if it is known") };
    let total = e.b.declare_var(types::I32);
    let zero = e.int(0);
    e.b.def_var(total, zero);
    let end = e.b.create_block();
    let answer = e.b.append_block_param(end, types::I32);
    let mut processes: Vec<(usize, Vec<Vec<Transition>>)> = Vec::new();
    for (pid, frame) in shape.frames.iter().enumerate().rev() {
        e.body = super::Body::Process(frame.proctype);
        let locations = e.process().automaton.locations.len();
        processes.push((pid, e.tries(0..locations)));
    }
    let most = |tries: &[Vec<Transition>]| tries.iter().map(Vec::len).max().unwrap_or(0);
    let mut later: usize = processes.iter().map(|(_, tries)| most(tries)).sum();
    e.reserve(later, true);
    for (pid, tries) in &processes {
        let frame = &shape.frames[*pid];
        e.become_process(*pid, frame.proctype, frame.offset);
        later -= most(tries);
        e.out.later = later;
        let exit = e.out.exit;
        e.try_all(tries, 0, exit);
        e.enter(exit);
        let flags = e.b.use_var(e.out.flags);
        let before = e.b.use_var(total);
        let after = e.b.ins().bor(before, flags);
        e.b.def_var(total, after);
        if e.process().automaton.locations.iter().flat_map(|l| &l.transitions).any(|t| t.atomic) {
            let continues = e.b.ins().band_imm_u(flags, i64::from(CONTINUES));
            let next = e.b.create_block();
            let stop = e.b.create_block();
            e.b.ins().brif(continues, stop, &[], next, &[]);
            e.enter(stop);
            let who = (*pid as i64) << STOPPED_SHIFT;
            let stopped = e.b.ins().bor_imm_u(after, who);
            e.b.ins().jump(end, &[BlockArg::Value(stopped)]);
            e.enter(next);
        }
    }
    let all = e.b.use_var(total);
    e.b.ins().jump(end, &[BlockArg::Value(all)]);
    e.enter(end);
    e.save_cursors();
    e.b.ins().return_(&[answer]);
    e.finish()
}
