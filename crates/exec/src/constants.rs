//! Variables that are only ever given constants, and which.

use spinor_program::{Action, Area, Base, Expr, Place, Program};
use std::collections::{BTreeSet, HashMap};

/// Whose variable (a proctype's, or a global one), and its name without indices.
pub(crate) type Name = (Option<usize>, String);

/// More values than this are as good as any.
const MOST: usize = 64;

/// For each variable the values that it can have, if these are known.
pub(crate) struct Constants {
    sets: HashMap<Name, Option<BTreeSet<u32>>>,
    /// Names by offset, of globals and of proctypes.
    names: HashMap<(Option<usize>, u32), Name>,
    /// What is copied from one to another.
    copies: Vec<(Name, Name)>,
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
        let mut all = Self { sets: HashMap::new(), names: HashMap::new(), copies: Vec::new() };
        all.add_area(&program.globals, None);
        for (number, process) in program.proctypes.iter().enumerate() {
            all.add_area(&process.frame, Some(number));
            for (offset, _) in &process.params {
                all.forget((Some(number), *offset));
            }
        }
        for (number, process) in program.proctypes.iter().enumerate() {
            program.each_action(process, &mut |action| all.add_action(action, number));
        }
        if program.embedded.is_some() {
            all.sets.values_mut().for_each(|set| *set = None);
        }
        all.follow_copies();
        all
    }

    /// The values of a variable, in ascending order.
    pub(crate) fn values(&self, name: &Name) -> Option<Vec<u32>> {
        let set = self.sets.get(name)?.as_ref()?;
        Some(set.iter().copied().collect())
    }

    fn add_area(&mut self, area: &Area, owner: Option<usize>) {
        for leaf in area.leaves.iter().filter(|leaf| !leaf.hidden) {
            let name = (owner, without_indices(&leaf.name));
            self.names.insert((owner, leaf.offset), name.clone());
            let initial = area.initials.iter().rfind(|i| !i.hidden && i.offset == leaf.offset);
            let value = initial.map_or(Some(0), |initial| match initial.value {
                Expr::Const(value) => Some(initial.scalar.truncate(value)),
                _ => None,
            });
            self.sets.entry(name.clone()).or_insert_with(|| Some(BTreeSet::new()));
            self.add_value(&name, value);
        }
        for site in &area.channels {
            self.forget((owner, site.variable));
        }
    }

    fn forget(&mut self, place: (Option<usize>, u32)) {
        if let Some(name) = self.names.get(&place) {
            self.sets.insert(name.clone(), None);
        }
    }

    fn add_value(&mut self, name: &Name, value: Option<i32>) {
        let Some(set) = self.sets.get_mut(name) else { return };
        match value.and_then(|value| u32::try_from(value).ok()) {
            Some(value) => {
                if let Some(values) = set {
                    values.insert(value);
                    if values.len() > MOST {
                        *set = None;
                    }
                }
            }
            None => *set = None,
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

    fn add_action(&mut self, action: &Action, proctype: usize) {
        if let Action::Assign(pairs) = action {
            for (place, e) in pairs {
                if let Some(name) = self.name_of(place, proctype) {
                    self.add_expression(&name, place, e, proctype);
                }
            }
            return;
        }
        let mut written = Vec::new();
        action.written(&mut |place| written.extend(self.name_of(place, proctype)));
        for name in written {
            self.sets.insert(name, None);
        }
    }

    fn add_expression(&mut self, name: &Name, place: &Place, e: &Expr, proctype: usize) {
        match e {
            Expr::Const(value) => self.add_value(name, Some(place.scalar.truncate(*value))),
            Expr::Conditional(_, yes, no) => {
                self.add_expression(name, place, yes, proctype);
                self.add_expression(name, place, no, proctype);
            }
            e if e.is_truth() => {
                [0, 1].into_iter().for_each(|value| self.add_value(name, Some(value)));
            }
            // What is narrower may be cut off.
            Expr::Load(from) if from.scalar == place.scalar => match self.name_of(from, proctype) {
                Some(from) => self.copies.push((name.clone(), from)),
                None => self.add_value(name, None),
            },
            _ => self.add_value(name, None),
        }
    }

    /// What is copied can be had by those that it is copied to as well.
    fn follow_copies(&mut self) {
        let copies = std::mem::take(&mut self.copies);
        let mut is_done = false;
        while !is_done {
            is_done = true;
            for (to, from) in &copies {
                let source = self.sets.get(from).cloned().flatten();
                let Some(Some(target)) = self.sets.get_mut(to) else { continue };
                let before = target.len();
                let is_known = source.is_some();
                target.extend(source.into_iter().flatten());
                is_done &= is_known && target.len() == before;
                if !is_known || target.len() > MOST {
                    self.sets.insert(to.clone(), None);
                }
            }
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
