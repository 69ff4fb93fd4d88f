//! What there is code for.

use crate::compile::facts::{find_run, has_run};
use crate::compile::ready::receives;
use crate::compile::statics::StaticChannels;
use spinor_exec::{Frame, Options, Shape};
use spinor_program::expr::{BinaryOp, Predefined};
use spinor_program::{
    Action, Automaton, Base, ChannelType, Expr, LocId, Place, Program, Receive, ReceiveField,
    StmtId, Transition,
};

/// Transitions of all processes up to which there is one function.
const MOST: usize = 2000;
/// Elements of an array that can be told apart by a table.
const ELEMENTS: u64 = 4096;
/// So many states of a sample should have moves.
const GOOD: (usize, usize) = (9, 10);
/// Steps of an atomic sequence that are made in a row.
pub(super) const CHAIN: usize = 12;

/// Whether there is code for most of the states like those of a sample.
pub(crate) fn suits(program: &Program, options: Options, sample: &[Vec<u8>]) -> bool {
    let is_traced = program.trace.is_some() && !options.no_trace;
    let restricts = |p: &spinor_program::ProcessType| p.provided.is_some() || p.deterministic;
    if options.claim.is_some()
        || options.labels
        || is_traced
        || program.hidden_bytes > 0
        || program.uses_last
        || program.uses_priority
        || program.weighs_priority
        || program.proctypes.iter().any(restricts)
    {
        return false;
    }
    let support = Support::new(program);
    let known: Vec<Vec<bool>> = program
        .proctypes
        .iter()
        .enumerate()
        .map(|(proctype, process)| {
            let locations = process.automaton.locations.len() as u32;
            (0..locations).map(|at| support.knows(proctype, LocId(at))).collect()
        })
        .collect();
    let mut good = 0;
    for state in sample {
        let shape = Shape::of(program, options, state);
        let is_good = shape.frames.iter().all(|frame| {
            let proctype = frame.proctype.index();
            let width = program.proctypes[proctype].location_bytes as usize;
            let bytes = &state[frame.offset..frame.offset + width];
            let at = bytes.iter().rev().fold(0, |n, byte| n << 8 | usize::from(*byte));
            known[proctype].get(at).is_some_and(|is_known| *is_known)
        });
        good += usize::from(is_good);
    }
    let work = |state: &Vec<u8>| {
        let frames = Shape::of(program, options, state).frames;
        // Everybody else may take what is sent.
        let weight = |t: &Transition| match program.statement(t.statement).action {
            Action::Send(_) => frames.len(),
            _ => 1,
        };
        let of = |frame: &Frame| {
            let automaton = &program.proctypes[frame.proctype.index()].automaton;
            automaton.locations.iter().flat_map(|l| &l.transitions).map(weight).sum::<usize>()
        };
        frames.iter().map(of).sum::<usize>()
    };
    good * GOOD.1 > sample.len() * GOOD.0 && sample.last().map_or(0, work) <= MOST
}

/// A channel that a place always holds.
pub(super) struct Meeting<'a> {
    /// Its number, from that of the first of its area on.
    number: u32,
    is_global: bool,
    pub ty: &'a ChannelType,
}

impl Meeting<'_> {
    /// Its number in states that have this frame, whose place it was.
    pub(super) fn number_in(&self, frame: &Frame) -> u32 {
        let before = if self.is_global { 0 } else { frame.channels_before as u32 };
        before + self.number
    }
}

/// What there is code for in a program.
pub(super) struct Support<'a> {
    program: &'a Program,
    statics: StaticChannels,
    /// There is code for everybody who may take a message that is offered.
    takes_all: bool,
}

impl<'a> Support<'a> {
    pub(super) fn new(program: &'a Program) -> Self {
        let mut support = Self { program, statics: StaticChannels::new(program), takes_all: true };
        support.takes_all = (0..program.proctypes.len()).all(|proctype| {
            let all = &support.automaton(proctype).locations;
            all.iter().all(|location| {
                let transitions = &location.transitions;
                let is_plain = transitions.iter().all(|t| t.escape == LocId(0));
                let takes = |t: &Transition| support.may_take(proctype, t);
                transitions.iter().filter(|t| takes(t)).all(|t| {
                    is_plain
                        && support.receive(proctype, t).is_some()
                        && (!t.atomic || support.is_chain(proctype, t.target, CHAIN))
                })
            })
        });
        support
    }

    fn automaton(&self, proctype: usize) -> &'a Automaton {
        &self.program.proctypes[proctype].automaton
    }

    /// Whether there is code for the transitions of a location.
    pub(super) fn knows(&self, proctype: usize, at: LocId) -> bool {
        let transitions = &self.automaton(proctype).locations[at.index()].transitions;
        transitions.iter().all(|t| {
            // It need not hold: it is given up if it does.
            let may_block =
                matches!(self.program.statement(t.statement).action, Action::Condition(_));
            self.has_code(proctype, t) && (may_block || self.is_done(proctype, t, CHAIN))
        })
    }

    /// Whether there is code for an atomic sequence from a location on, in no more steps than this.
    pub(super) fn is_chain(&self, proctype: usize, at: LocId, left: usize) -> bool {
        let transitions = &self.automaton(proctype).locations[at.index()].transitions;
        let is_known =
            |t: &Transition| self.has_code(proctype, t) && self.is_done(proctype, t, left);
        at != LocId(0) && transitions.iter().all(is_known)
    }

    /// Whether nobody goes on after a transition, or there is code for all that follows.
    fn is_done(&self, proctype: usize, t: &Transition, left: usize) -> bool {
        let hands_over = matches!(
            self.program.statement(t.statement).action,
            Action::Send(_) | Action::Receive(_)
        );
        !t.atomic || hands_over || left > 1 && self.is_chain(proctype, t.target, left - 1)
    }

    /// The rendezvous channel that a place always is, in processes of this type.
    pub(super) fn meeting(&self, proctype: usize, place: &Place) -> Option<Meeting<'a>> {
        let found = self.statics.find(place, Some(proctype))?;
        let mut number = found.number;
        for (index, (_, stride)) in place.indices.iter().zip(&found.strides) {
            let Expr::Const(at) = index.value else { return None };
            let at = u32::try_from(at).ok().filter(|at| *at < index.bound)?;
            number += at * stride;
        }
        let ty = &self.program.channel_types[found.ty.0 as usize];
        let is_global = place.base == Base::Global;
        (ty.capacity == 0).then_some(Meeting { number, is_global, ty })
    }

    /// Whether a transition may take a message that is offered, for all that is known.
    fn may_take(&self, proctype: usize, transition: &Transition) -> bool {
        receives(self.program, transition).any(|receive| {
            let found = self.statics.find(&receive.channel, Some(proctype));
            let ty = found.map(|found| &self.program.channel_types[found.ty.0 as usize]);
            ty.is_none_or(|ty| ty.capacity == 0)
        })
    }

    /// The receive from a rendezvous channel that a transition is, if there is code for it.
    pub(super) fn receive(
        &self,
        proctype: usize,
        transition: &Transition,
    ) -> Option<(Meeting<'a>, &'a Receive)> {
        let Action::Receive(receive) = &self.program.statement(transition.statement).action else {
            return None;
        };
        let meeting = self.meeting(proctype, &receive.channel)?;
        let is_known = receive.args.iter().all(|field| match field {
            ReceiveField::Bind(place) => is_place(place),
            ReceiveField::Match(e) => is_value(e),
            ReceiveField::Any => true,
        });
        let is_known = is_known && !receive.copy && receive.args.len() == meeting.ty.fields.len();
        is_known.then_some((meeting, receive))
    }

    /// Whether there is code for the statement of a transition. An escape takes the place of others: there is none for that.
    fn has_code(&self, proctype: usize, transition: &Transition) -> bool {
        if transition.escape != LocId(0) {
            return false;
        }
        match &self.program.statement(transition.statement).action {
            Action::Send(send) => self.meeting(proctype, &send.channel).is_some_and(|meeting| {
                self.takes_all
                    && send.args.len() == meeting.ty.fields.len()
                    && send.args.iter().all(is_value)
            }),
            Action::Receive(_) => self.receive(proctype, transition).is_some(),
            _ => has_code(self.program, transition.statement),
        }
    }
}

fn has_code(program: &Program, statement: StmtId) -> bool {
    let action = &program.statement(statement).action;
    match action {
        Action::Skip | Action::Else | Action::Terminate => true,
        Action::Condition(e) | Action::Assert(e) | Action::PrintMtype(e) => is_value(e),
        Action::Assign(pairs) => {
            !has_run(action) && pairs.iter().all(|(place, e)| is_place(place) && is_value(e))
        }
        Action::Print(_, args) => args.iter().all(is_value),
        Action::DStep(inner) => inner.locations.iter().flatten().all(|t| {
            let inner = &program.statement(t.statement).action;
            !matches!(inner, Action::DStep(_) | Action::Terminate) && has_code(program, t.statement)
        }),
        Action::Send(_) | Action::Receive(_) | Action::SetPriority(..) | Action::CCode(_) => false,
    }
}

fn is_value(e: &Expr) -> bool {
    let mut is_known = find_run(e).is_none();
    e.walk(&mut |part| {
        is_known &= match part {
            Expr::Const(_) | Expr::Unary(..) | Expr::Binary(..) | Expr::Conditional(..) => true,
            Expr::Load(place) => is_place(place),
            Expr::Predefined(name) => {
                matches!(name, Predefined::Pid | Predefined::NrPr | Predefined::Timeout)
            }
            _ => false,
        };
    });
    is_known
}

/// The expressions in it are seen to by those who walk.
fn is_place(place: &Place) -> bool {
    let elements = place.indices.iter().map(|i| u64::from(i.bound)).product::<u64>();
    let bytes = place.indices.iter().map(|i| u64::from(i.bound) * u64::from(i.stride)).sum::<u64>();
    let is_local = place.indices.iter().all(|i| is_value(&i.value));
    matches!(place.base, Base::Global | Base::Frame | Base::Sink)
        && elements <= ELEMENTS
        && bytes <= ELEMENTS
        && is_local
}

/// Operations up to which something is rather made in vain than jumped over.
const FLAT: usize = 40;

/// The statements of a transition that is a condition, or nothing, and some assignments after it, if it may be made in vain.
pub(super) fn flat_steps(program: &Program, statement: StmtId) -> Option<Vec<StmtId>> {
    let mut steps = Vec::new();
    match &program.statement(statement).action {
        Action::DStep(inner) => {
            let mut at = inner.start;
            while at != inner.exit {
                let [next] = inner.locations.get(at.index())?[..] else { return None };
                if steps.len() > FLAT {
                    return None;
                }
                steps.push(next.statement);
                at = next.target;
            }
        }
        _ => steps.push(statement),
    }
    let mut weight = 0;
    for (number, step) in steps.iter().enumerate() {
        let action = &program.statement(*step).action;
        let is_flat = match action {
            Action::Skip => true,
            Action::Condition(e) => number == 0 && is_flat(e),
            Action::Assign(pairs) => pairs.iter().all(|(place, e)| {
                is_flat(e) && place.indices.iter().all(|index| is_flat(&index.value))
            }),
            _ => false,
        };
        if !is_flat {
            return None;
        }
        action.walk(&mut |part| weight += usize::from(!matches!(part, Expr::Const(_))));
        weight += 3;
    }
    (weight <= FLAT).then_some(steps)
}

/// Whether an expression has a value whatever the state is, though it may be of no use.
fn is_flat(e: &Expr) -> bool {
    let mut is_flat = true;
    e.walk(&mut |part| {
        is_flat &= match part {
            Expr::Const(_) | Expr::Load(_) | Expr::Unary(..) | Expr::Predefined(_) => true,
            Expr::Binary(op, ..) => !matches!(op, BinaryOp::Div | BinaryOp::Rem),
            _ => false,
        };
    });
    is_flat
}
