//! Programs whose processes come and go without anybody noticing.
//!
//! If nothing depends on the numbers of processes, one that has come to its end is as good as gone, and
//! which of two was started first cannot be told: two states that differ in nothing else have the
//! same errors before them. Then the start and the end of a process are in nobody's way.
//!
//! Channels of a process would show that it is gone, and numbers of channels who was started first. So a
//! process with channels must never go: it is [undying](View::undying). And starts of such processes keep their
//! order (`Access::renews`); channels are numbered by the processes that have some, so a start of one without
//! does not change numbers.

use crate::walk::{each_expression, expressions};
use spinor_program::expr::{Predefined, ProctypeId};
use spinor_program::{Action, Base, Expr, Place, ProcessType, Program};

/// So many processes there may be at most.
const MAX_PROCESSES: usize = 255;

/// Whether that is so, if nobody looks at the program from outside.
pub(crate) fn is_anonymous(program: &Program) -> bool {
    let view = View { program, read: read_globals(program) };
    let mut types = program.proctypes.iter().zip(view.started().into_iter().zip(view.undying()));
    let may_notice = types.any(|(process, (is_started, is_undying))| {
        let numbers = is_started && mentions_pid(program, process);
        let channels = !process.frame.channels.is_empty() && !is_undying;
        numbers || channels || view.looks_at_processes(process)
    });
    program.embedded.is_none() && !may_notice && view.is_bounded()
}

/// A program, and by byte which of its globals may be read.
struct View<'a> {
    program: &'a Program,
    read: Vec<bool>,
}

impl View<'_> {
    /// By proctype: whether some statement starts one.
    fn started(&self) -> Vec<bool> {
        let mut started = vec![false; self.program.proctypes.len()];
        for process in &self.program.proctypes {
            each_expression(self.program, process, &mut |e| {
                if let Expr::Run(run) = e {
                    started[run.proctype.index()] = true;
                }
            });
        }
        started
    }

    /// By proctype: whether its processes, once started, never go. Either they do not come to their end, or not
    /// without having started one that never goes: that is younger, and the youngest goes first.
    fn undying(&self) -> Vec<bool> {
        let mut undying = vec![false; self.program.proctypes.len()];
        loop {
            let stays = |process: &ProcessType| !self.may_go(process, &undying);
            let next: Vec<bool> = self.program.proctypes.iter().map(stays).collect();
            if next == undying {
                return undying;
            }
            undying = next;
        }
    }

    /// Whether a process may end without having started one of these types.
    fn may_go(&self, process: &ProcessType, undying: &[bool]) -> bool {
        let locations = &process.automaton.locations;
        let mut reached = vec![false; locations.len()];
        let mut left = vec![process.automaton.start];
        while let Some(at) = left.pop() {
            if std::mem::replace(&mut reached[at.index()], true) {
                continue;
            }
            for transition in &locations[at.index()].transitions {
                let action = &self.program.statement(transition.statement).action;
                let mut ends = false;
                self.program.actions_of(action, &mut |a| ends |= matches!(a, Action::Terminate));
                if ends {
                    return true;
                }
                if !self.plain_start(action).is_some_and(|started| undying[started.index()]) {
                    left.push(transition.target);
                }
            }
        }
        false
    }

    /// What an action starts that does this and nothing else: the number of the new process is not kept, or
    /// where nobody looks.
    fn plain_start(&self, action: &Action) -> Option<ProctypeId> {
        let value = match action {
            Action::Condition(value) => value,
            Action::Assign(pairs) => match pairs.as_slice() {
                [(place, value)] if self.is_unread(place) => value,
                _ => return None,
            },
            _ => return None,
        };
        if let Expr::Run(run) = value { Some(run.proctype) } else { None }
    }

    fn is_unread(&self, place: &Place) -> bool {
        match place.base {
            Base::Global => place.extent().all(|at| !self.read[at as usize]),
            Base::Sink => true,
            Base::Frame | Base::Hidden => false,
        }
    }

    /// Whether a process sees which others there are.
    fn looks_at_processes(&self, process: &ProcessType) -> bool {
        let mut found = false;
        each_expression(self.program, process, &mut |e| match e {
            Expr::Const(_)
            | Expr::Load(_)
            | Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::Conditional(..)
            | Expr::Len(_)
            | Expr::Probe(..)
            | Expr::Poll(_)
            | Expr::Run(_)
            | Expr::Predefined(Predefined::Pid | Predefined::Timeout) => {}
            _ => found = true,
        });
        self.program.each_action(process, &mut |action| {
            let mut runs = 0;
            expressions(action, &mut |e| {
                e.walk(&mut |e| runs += usize::from(matches!(e, Expr::Run(_))));
            });
            let is_plain = self.plain_start(action).is_some() && runs == 1;
            found |= runs > 0 && !is_plain || matches!(action, Action::SetPriority(..));
        });
        found
    }

    /// Whether there are never too many processes: each statement that starts one does so once.
    fn is_bounded(&self) -> bool {
        let program = self.program;
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
                        // There may be loops inside a `d_step`, too.
                        let is_step = matches!(action, Action::DStep(_));
                        let again = *number > 0 && (is_step || comes_back(process, at));
                        program.actions_of(action, &mut |action| {
                            if let Some(started) = self.plain_start(action) {
                                let times = if again { MAX_PROCESSES } else { *number };
                                next[started.index()] += times;
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
}

fn mentions_pid(program: &Program, process: &ProcessType) -> bool {
    let mut found = false;
    each_expression(program, process, &mut |e| {
        found |= matches!(e, Expr::Predefined(Predefined::Pid));
    });
    found
}

/// By byte of the globals: whether a process or the trace declaration may read it.
fn read_globals(program: &Program) -> Vec<bool> {
    let mut read = vec![false; program.globals.bytes as usize];
    let mut note = |place: &Place| {
        if place.base == Base::Global {
            read[place.extent().start as usize..place.extent().end as usize].fill(true);
        }
    };
    let trace = program.trace.iter().map(|trace| &trace.body);
    for process in program.proctypes.iter().chain(trace) {
        each_expression(program, process, &mut |e| match e {
            Expr::Load(place) | Expr::Len(place) | Expr::Probe(_, place) => note(place),
            Expr::Poll(poll) => note(&poll.channel),
            _ => {}
        });
        program.each_action(process, &mut |action| match action {
            Action::Send(send) => note(&send.channel),
            Action::Receive(receive) => note(&receive.channel),
            _ => {}
        });
    }
    if let Some(trace) = &program.trace {
        trace.sends.iter().chain(&trace.receives).for_each(note);
    }
    read
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
