//! The values that variables can have, as far as these can be told from what is assigned and sent.
//!
//! Each variable has one set of values, whenever and whichever element it is. Sets grow by what flows into them until nothing changes; one that is
//! large, or still grows after some rounds, is as good as unknown. Nobody relies on a set to be complete: a value that is
//! not in it is only slower.

use crate::eval::arithmetic;
use spinor_program::expr::UnaryOp;
use spinor_program::{Action, Area, Base, Expr, Place, Program, ReceiveField, Scalar};
use std::collections::{BTreeSet, HashMap, HashSet};

/// Whose variable (a proctype's, or a global one), and its name without indices.
pub(crate) type Name = (Option<usize>, String);

/// More constants than this are as good as any.
const CONSTANTS: usize = 64;
/// The same of values that are computed.
const MOST: usize = 1024;
/// Pairs of operands that are looked at.
const PAIRS: usize = 1 << 13;
/// Rounds after which sets no longer grow.
const ROUNDS: usize = 12;

/// What has a set of values.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Holder {
    Variable(Name),
    /// A field of the messages of a channel that always has this name, or of others.
    Field(Option<Name>, usize),
}

/// What can be had.
#[derive(Clone, Default, Debug)]
struct Set {
    /// Nothing if anything can.
    values: Option<BTreeSet<i32>>,
    /// Some of them are not just constants.
    is_computed: bool,
}

/// Where values come from.
enum Source<'a> {
    Expression(&'a Expr, usize),
    /// A field of messages.
    Field(Option<Name>, usize),
}

/// For each variable the values that it can have, if these are known.
pub(crate) struct Constants {
    sets: HashMap<Holder, Set>,
}

/// The same in the making.
struct Flows<'a> {
    sets: HashMap<Holder, Set>,
    /// Names by offset, of globals and of proctypes.
    names: HashMap<(Option<usize>, u32), Name>,
    /// Variables that hold the channels that they were declared with.
    channels: HashSet<Name>,
    flows: Vec<(Holder, Scalar, Source<'a>)>,
}

/// The name of a variable without indices.
pub(crate) fn without_indices(name: &str) -> String {
    let mut depth = 0;
    let is_outside = |c: &char| {
        depth += i32::from(*c == '[');
        let is_outside = depth == 0;
        depth -= i32::from(*c == ']');
        is_outside
    };
    name.chars().filter(is_outside).collect()
}

impl Constants {
    pub(crate) fn of(program: &Program) -> Self {
        let mut all = Flows {
            sets: HashMap::new(),
            names: HashMap::new(),
            channels: HashSet::new(),
            flows: Vec::new(),
        };
        all.add_area(&program.globals, None);
        for (number, process) in program.proctypes.iter().enumerate() {
            all.add_area(&process.frame, Some(number));
            for (offset, _) in &process.params {
                all.forget((Some(number), *offset));
            }
        }
        for (number, process) in program.proctypes.iter().enumerate() {
            program.each_action(process, &mut |action| {
                action.written(&mut |place| {
                    if let Some(name) = all.name_of(place, number) {
                        all.channels.remove(&name);
                    }
                });
            });
        }
        for (number, process) in program.proctypes.iter().enumerate() {
            for transition in process.automaton.locations.iter().flat_map(|l| &l.transitions) {
                let action = &program.statement(transition.statement).action;
                all.add_action(action, number);
                if let Action::DStep(inner) = action {
                    for inner in inner.locations.iter().flatten() {
                        all.add_action(&program.statement(inner.statement).action, number);
                    }
                }
            }
        }
        if program.embedded.is_some() {
            all.sets.values_mut().for_each(|set| set.values = None);
        }
        all.follow_flows();
        Self { sets: all.sets }
    }

    /// The values of a variable that is only ever given constants, in ascending order.
    pub(crate) fn values(&self, name: &Name) -> Option<Vec<u32>> {
        let set = self.sets.get(&Holder::Variable(name.clone()))?;
        let is_short = set.values.as_ref().is_some_and(|values| values.len() <= CONSTANTS);
        if set.is_computed || !is_short { None } else { self.possible(name) }
    }

    /// The values that a variable can have, in ascending order, if none is negative.
    pub(crate) fn possible(&self, name: &Name) -> Option<Vec<u32>> {
        let set = self.sets.get(&Holder::Variable(name.clone()))?.values.as_ref()?;
        set.iter().map(|value| u32::try_from(*value).ok()).collect()
    }
}

impl<'a> Flows<'a> {
    fn add_area(&mut self, area: &Area, owner: Option<usize>) {
        for leaf in area.leaves.iter().filter(|leaf| !leaf.hidden) {
            let name = (owner, without_indices(&leaf.name));
            self.names.insert((owner, leaf.offset), name.clone());
            let initial = area.initials.iter().rfind(|i| !i.hidden && i.offset == leaf.offset);
            let value = initial.map_or(Some(0), |initial| match initial.value {
                Expr::Const(value) => Some(initial.scalar.truncate(value)),
                _ => None,
            });
            let empty = || Set { values: Some(BTreeSet::new()), is_computed: false };
            let set = self.sets.entry(Holder::Variable(name)).or_insert_with(empty);
            match (&mut set.values, value) {
                (Some(values), Some(value)) => {
                    values.insert(value);
                }
                (values, _) => *values = None,
            }
        }
        for site in &area.channels {
            self.forget((owner, site.variable));
            let is_given = area.initials.iter().any(|i| !i.hidden && i.offset == site.variable);
            if let Some(name) = self.names.get(&(owner, site.variable)).filter(|_| !is_given) {
                self.channels.insert(name.clone());
            }
        }
    }

    fn forget(&mut self, place: (Option<usize>, u32)) {
        if let Some(name) = self.names.get(&place) {
            self.sets.insert(Holder::Variable(name.clone()), Set::default());
        }
    }

    fn name_of(&self, place: &Place, proctype: usize) -> Option<Name> {
        let owner = match place.base {
            Base::Global => None,
            Base::Frame => Some(proctype),
            Base::Hidden | Base::Sink => return None,
        };
        // With constant indices the offset is that of another element.
        self.names.get(&(owner, place.offset)).cloned()
    }

    /// The name of a place that always holds the same channel, or one of the same array.
    fn channel_of(&self, place: &Place, proctype: usize) -> Option<Name> {
        self.name_of(place, proctype).filter(|name| self.channels.contains(name))
    }

    fn add_action(&mut self, action: &'a Action, proctype: usize) {
        match action {
            Action::Assign(pairs) => {
                for (place, e) in pairs {
                    if let Some(name) = self.name_of(place, proctype) {
                        let source = Source::Expression(e, proctype);
                        self.flows.push((Holder::Variable(name), place.scalar, source));
                    }
                }
            }
            Action::Send(send) => {
                let channel = self.channel_of(&send.channel, proctype);
                for (field, e) in send.args.iter().enumerate() {
                    let holder = Holder::Field(channel.clone(), field);
                    let empty = || Set { values: Some(BTreeSet::new()), is_computed: true };
                    self.sets.entry(holder.clone()).or_insert_with(empty);
                    self.flows.push((holder, Scalar::I32, Source::Expression(e, proctype)));
                }
            }
            Action::Receive(receive) => {
                let channel = self.channel_of(&receive.channel, proctype);
                for (field, arg) in receive.args.iter().enumerate() {
                    let ReceiveField::Bind(place) = arg else { continue };
                    if let Some(name) = self.name_of(place, proctype) {
                        let source = Source::Field(channel.clone(), field);
                        self.flows.push((Holder::Variable(name), place.scalar, source));
                    }
                }
            }
            _ => {}
        }
    }

    /// What an expression can have.
    fn values_of(&self, e: &Expr, proctype: usize) -> Set {
        let constants = |values: &[i32]| Set {
            values: Some(values.iter().copied().collect()),
            is_computed: false,
        };
        match e {
            Expr::Const(value) => constants(&[*value]),
            Expr::Load(place) => {
                let name = self.name_of(place, proctype);
                let set = name.and_then(|name| self.sets.get(&Holder::Variable(name)));
                set.cloned().unwrap_or_default()
            }
            Expr::Conditional(_, yes, no) => {
                let mut set = self.values_of(yes, proctype);
                set.add(self.values_of(no, proctype));
                set
            }
            e if e.is_truth() => constants(&[0, 1]),
            Expr::Unary(op @ (UnaryOp::Neg | UnaryOp::BitNot), a) => {
                let of = |value: i32| match op {
                    UnaryOp::Neg => value.wrapping_neg(),
                    _ => !value,
                };
                let values = self.values_of(a, proctype).values;
                let values = values.map(|values| values.into_iter().map(of).collect());
                Set { values, is_computed: true }
            }
            Expr::Binary(op, a, b) => {
                let (a, b) = (self.values_of(a, proctype), self.values_of(b, proctype));
                let pairs = a.values.zip(b.values).filter(|(a, b)| a.len() * b.len() <= PAIRS);
                let values = pairs.map(|(a, b)| {
                    let with = |x: i32| b.iter().filter_map(move |y| arithmetic(*op, x, *y));
                    a.iter().flat_map(|x| with(*x)).collect()
                });
                Set { values, is_computed: true }
            }
            _ => Set::default(),
        }
    }

    fn source(&self, source: &Source<'_>) -> Set {
        let (name, field) = match source {
            Source::Expression(e, proctype) => return self.values_of(e, *proctype),
            Source::Field(name, field) => (name, field),
        };
        let mut set = Set { values: Some(BTreeSet::new()), is_computed: true };
        for (holder, other) in &self.sets {
            let Holder::Field(channel, number) = holder else { continue };
            // Of a channel that is not known nobody knows which it is.
            let is_same = channel.is_none() || name.is_none() || channel == name;
            if is_same && number == field {
                set.add(other.clone());
            }
        }
        set
    }

    /// Lets values flow until nothing changes.
    fn follow_flows(&mut self) {
        let flows = std::mem::take(&mut self.flows);
        let mut is_done = false;
        for round in 0.. {
            if std::mem::replace(&mut is_done, true) {
                return;
            }
            for (holder, scalar, source) in &flows {
                let mut set = self.source(source);
                set.values = set.values.map(|v| v.iter().map(|v| scalar.truncate(*v)).collect());
                let Some(own) = self.sets.get_mut(holder) else { continue };
                let before = (own.values.as_ref().map(BTreeSet::len), own.is_computed);
                own.add(set);
                let is_grown = own.values.as_ref().map(BTreeSet::len) != before.0;
                if is_grown && round > ROUNDS {
                    own.values = None;
                }
                is_done &= !is_grown && own.is_computed == before.1;
            }
        }
    }
}

impl Set {
    fn add(&mut self, other: Set) {
        self.is_computed |= other.is_computed;
        match (&mut self.values, other.values) {
            (Some(values), Some(others)) => {
                values.extend(others);
                if values.len() > MOST {
                    self.values = None;
                }
            }
            (values, _) => *values = None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_do_not_count() {
        assert_eq!(without_indices("x1[12]"), "x1");
        assert_eq!(without_indices("r.f[1].g2"), "r.f.g2");
    }
}
