//! Whether a statement has to do with anything but its own process.

use crate::seen::Seen;
use spinor_program::expr::{Expr, Predefined, Probe, ProctypeId};
use spinor_program::{Action, Base, Place, Program, ReceiveField};

/// Answers for the statements of one proctype.
pub(crate) struct Globality<'p> {
    pub program: &'p Program,
    pub proctype: ProctypeId,
    /// Claims or formulas that look into a channel break the promises about it.
    pub seen: &'p Seen,
}

impl Globality<'_> {
    /// Whether other processes may notice the statement or influence it.
    pub fn of(&self, action: &Action) -> bool {
        match action {
            Action::Skip | Action::Else | Action::Terminate => false,
            Action::Condition(e) | Action::Assert(e) | Action::PrintMtype(e) => self.expr(e),
            Action::Assign(pairs) => pairs.iter().any(|(p, e)| self.place(p) || self.expr(e)),
            Action::Print(_, args) => args.iter().any(|e| self.expr(e)),
            Action::Send(send) => {
                !self.promised(&send.channel, true) || send.args.iter().any(|e| self.expr(e))
            }
            Action::Receive(receive) => {
                !self.promised(&receive.channel, false)
                    || receive.args.iter().any(|field| match field {
                        ReceiveField::Bind(place) => self.place(place),
                        ReceiveField::Match(e) => self.expr(e),
                        ReceiveField::Any => false,
                    })
            }
            Action::SetPriority(Expr::Predefined(Predefined::Pid), e) => self.expr(e),
            Action::SetPriority(..) | Action::CCode(_) | Action::DStep(_) => true,
        }
    }

    /// The same for a condition that others cannot be disturbed by because what follows it in a chain is
    /// local. SPIN: what C looks at counts as local, here that is sound.
    pub fn of_guard(&self, e: &Expr) -> bool {
        let mut found = false;
        e.walk(&mut |e| found |= !matches!(e, Expr::CExpr(_)) && self.node(e));
        found
    }

    fn expr(&self, e: &Expr) -> bool {
        let mut found = false;
        e.walk(&mut |e| found |= self.node(e));
        found
    }

    /// One expression without its parts.
    fn node(&self, e: &Expr) -> bool {
        match e {
            Expr::Const(_) | Expr::Unary(..) | Expr::Binary(..) | Expr::Conditional(..) => false,
            Expr::Load(place) => self.variable(place),
            Expr::Predefined(name) => !matches!(name, Predefined::Pid | Predefined::Priority),
            Expr::Run(run) => self.starts_globally(run.proctype),
            Expr::Len(channel) => !self.promised(channel, true) || !self.promised(channel, false),
            Expr::Probe(probe, channel) => {
                let by_sender = matches!(probe, Probe::Nfull | Probe::Empty);
                !self.promised(channel, by_sender)
            }
            Expr::Poll(poll) => {
                !self.promised(&poll.channel, true) || !self.promised(&poll.channel, false)
            }
            Expr::Enabled(_)
            | Expr::PcValue(_)
            | Expr::GetPriority(_)
            | Expr::RemoteLabel { .. }
            | Expr::RemoteVar { .. }
            | Expr::CExpr(_) => true,
        }
    }

    fn place(&self, place: &Place) -> bool {
        self.variable(place) || place.indices.iter().any(|i| self.expr(&i.value))
    }

    fn variable(&self, place: &Place) -> bool {
        match place.base {
            Base::Global => !self.program.usage.owned.iter().any(|s| s.contains(place.offset)),
            Base::Hidden => true,
            Base::Frame | Base::Sink => false,
        }
    }

    /// Whether the process has the channel to itself in this direction.
    fn promised(&self, channel: &Place, send: bool) -> bool {
        let owner = match channel.base {
            Base::Global => None,
            Base::Frame => Some(self.proctype),
            Base::Hidden | Base::Sink => return false,
        };
        let usage = &self.program.usage;
        let is_it = |e: &spinor_program::Exclusive| {
            e.owner == owner && e.send == send && e.slot.contains(channel.offset)
        };
        let is_broken = |e: &spinor_program::Exclusive| {
            owner.is_none() && self.seen.channels.iter().any(|at| e.slot.contains(*at))
        };
        usage.exclusive.iter().any(|e| is_it(e) && !is_broken(e))
    }

    /// A new process whose locals start with values of globals reads these.
    fn starts_globally(&self, proctype: ProctypeId) -> bool {
        let is_local = |e: &Expr| match e {
            Expr::Const(_) => true,
            Expr::Load(place) => place.base == Base::Frame && place.indices.is_empty(),
            _ => false,
        };
        let frame = &self.program.proctypes[proctype.index()].frame;
        !frame.initials.iter().all(|initial| is_local(&initial.value))
    }
}
