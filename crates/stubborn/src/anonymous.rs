//! Programs whose processes come and go without anybody noticing.
//!
//! If nothing depends on the numbers of processes, one that has come to its end is as good as gone, and
//! which of two was started first cannot be told: two states that differ in nothing else have the
//! same errors before them. Then the start and the end of a process are in nobody's way.

use crate::walk::expressions;
use spinor_program::expr::Predefined;
use spinor_program::{Action, Expr, ProcessType, Program};

/// So many processes there may be at most.
const MAX_PROCESSES: usize = 255;

/// Whether that is so.
pub(crate) fn is_anonymous(program: &Program) -> bool {
    let started = started_types(program);
    let has_channels = |process: &ProcessType| !process.frame.channels.is_empty();
    let may_notice = program.proctypes.iter().zip(&started).any(|(process, is_started)| {
        let numbers = *is_started && (has_channels(process) || mentions_pid(program, process));
        numbers || looks_at_processes(program, process)
    });
    program.embedded.is_none() && !may_notice && is_bounded(program)
}

/// By proctype: whether some statement starts one.
fn started_types(program: &Program) -> Vec<bool> {
    let mut started = vec![false; program.proctypes.len()];
    for process in &program.proctypes {
        each_expression(program, process, &mut |e| {
            if let Expr::Run(run) = e {
                started[run.proctype.index()] = true;
            }
        });
    }
    started
}

fn mentions_pid(program: &Program, process: &ProcessType) -> bool {
    let mut found = false;
    each_expression(program, process, &mut |e| {
        found |= matches!(e, Expr::Predefined(Predefined::Pid));
    });
    found
}

/// Whether a process sees which others there are.
fn looks_at_processes(program: &Program, process: &ProcessType) -> bool {
    let mut found = false;
    program.each_action(process, &mut |action| {
        let mut runs = 0;
        expressions(action, &mut |e| {
            e.walk(&mut |e| match e {
                Expr::Const(_)
                | Expr::Load(_)
                | Expr::Unary(..)
                | Expr::Binary(..)
                | Expr::Conditional(..)
                | Expr::Len(_)
                | Expr::Probe(..)
                | Expr::Poll(_)
                | Expr::Predefined(Predefined::Pid | Predefined::Timeout) => {}
                Expr::Run(_) => runs += 1,
                _ => found = true,
            });
        });
        // The number of the new process is not kept.
        let is_plain = matches!(action, Action::Condition(Expr::Run(_))) && runs == 1;
        found |= runs > 0 && !is_plain || matches!(action, Action::SetPriority(..));
    });
    found
}

/// Whether there are never too many processes: each statement that starts one does so once.
fn is_bounded(program: &Program) -> bool {
    let count = program.proctypes.len();
    let mut first = vec![0_usize; count];
    program.active.iter().for_each(|ty| first[ty.index()] += 1);
    let mut number = first.clone();
    for _ in 0..=count {
        let mut next = first.clone();
        for (process, number) in program.proctypes.iter().zip(&number) {
            for (at, location) in process.automaton.locations.iter().enumerate() {
                for transition in &location.transitions {
                    let action = &program.statement(transition.statement).action;
                    let again = *number > 0 && comes_back(process, at);
                    program.actions_of(action, &mut |action| {
                        if let Action::Condition(Expr::Run(run)) = action {
                            let times = if again { MAX_PROCESSES } else { *number };
                            next[run.proctype.index()] += times;
                        }
                    });
                }
            }
        }
        if next.iter().sum::<usize>() > MAX_PROCESSES {
            return false;
        }
        if next == number {
            return true;
        }
        number = next;
    }
    // Processes that start each other.
    false
}

/// Whether a process can come to a location more than once.
fn comes_back(process: &ProcessType, at: usize) -> bool {
    let locations = &process.automaton.locations;
    let mut reached = vec![false; locations.len()];
    let mut left = vec![at];
    while let Some(from) = left.pop() {
        for transition in &locations[from].transitions {
            let to = transition.target.index();
            if to == at {
                return true;
            }
            if !std::mem::replace(&mut reached[to], true) {
                left.push(to);
            }
        }
    }
    false
}

fn each_expression(program: &Program, process: &ProcessType, f: &mut impl FnMut(&Expr)) {
    program.each_action(process, &mut |action| {
        expressions(action, &mut |e| e.walk(&mut *f));
    });
}
