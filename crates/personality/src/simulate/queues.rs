//! Numbers of channels as SPIN's simulator gives them: in the order in which they are first used.

use super::values::symbol_of;
use spinor_exec::Actor;
use spinor_program::{Action, Base, Expr, Place, ReceiveField, StmtId};
use spinor_trace::View;

/// The numbers given so far.
#[derive(Debug, Default)]
pub(super) struct Queues {
    /// By our number of the channel, from 0.
    numbers: Vec<Option<u32>>,
    given: u32,
}

impl Queues {
    /// The number of the channel that a variable with this value holds.
    pub fn number(&self, value: i32) -> Option<u32> {
        let index = usize::try_from(value).ok()?.checked_sub(1)?;
        self.numbers.get(index).copied().flatten()
    }

    /// Whether every channel has one.
    pub fn are_complete(&self) -> bool {
        self.numbers.iter().all(Option::is_some)
    }

    /// Channels beyond those that a state has are gone; those of new processes get numbers.
    pub fn follow(&mut self, view: &View<'_>, state: &[u8]) {
        let count = view.exec.shape(state).channels.len();
        let globals = view.program.globals.channels.len();
        let known = self.numbers.len();
        self.numbers.resize(count, None);
        for index in known.max(globals)..count {
            self.touch(index);
        }
    }

    fn touch(&mut self, index: usize) {
        if let Some(number) = self.numbers.get_mut(index)
            && number.is_none()
        {
            self.given += 1;
            *number = Some(self.given);
        }
    }

    /// Gives numbers to the channels that a statement uses.
    pub fn used_by(&mut self, view: &View<'_>, state: &[u8], actor: Actor, id: StmtId) {
        let mut places: Vec<Place> = Vec::new();
        mentioned(&view.program.statement(id).action, &mut places);
        let pid = match actor {
            Actor::Process(pid) => Some(pid),
            Actor::Claim => None,
        };
        let globals = &view.program.globals;
        let symbol = |offset: u32| {
            let leaves = globals.leaves.iter().filter(|leaf| !leaf.hidden);
            leaves.rev().find(|leaf| leaf.offset <= offset).map(|leaf| symbol_of(&leaf.name))
        };
        for place in places {
            // All elements of an array come into being together.
            if place.base == Base::Global {
                let own = symbol(place.offset);
                for (index, site) in globals.channels.iter().enumerate() {
                    if symbol(site.variable) == own {
                        self.touch(index);
                    }
                }
            }
            let value = view.exec.evaluate(state, pid, &Expr::Load(place));
            if let Some(index) = usize::try_from(value).ok().and_then(|v| v.checked_sub(1)) {
                self.touch(index);
            }
        }
    }
}

/// Whether a statement speaks of channels.
pub(super) fn mentions_channels(action: &Action) -> bool {
    let mut places = Vec::new();
    mentioned(action, &mut places);
    !places.is_empty()
}

/// The channel variables that a statement speaks of.
fn mentioned(action: &Action, out: &mut Vec<Place>) {
    let mut expr = |e: &Expr| {
        e.walk(&mut |part: &Expr| match part {
            Expr::Len(place) | Expr::Probe(_, place) => out.push(place.clone()),
            Expr::Poll(poll) => out.push(poll.channel.clone()),
            Expr::Run(run) => {
                out.extend(run.args.iter().filter_map(|arg| match arg {
                    Expr::Load(place) => Some(place.clone()),
                    _ => None,
                }));
            }
            _ => {}
        });
    };
    match action {
        Action::Condition(e) | Action::Assert(e) => expr(e),
        Action::Assign(pairs) => pairs.iter().for_each(|(_, e)| expr(e)),
        Action::Send(send) => {
            send.args.iter().for_each(&mut expr);
            out.push(send.channel.clone());
        }
        Action::Receive(receive) => {
            for field in &receive.args {
                if let ReceiveField::Match(e) = field {
                    expr(e);
                }
            }
            out.push(receive.channel.clone());
        }
        _ => {}
    }
}
