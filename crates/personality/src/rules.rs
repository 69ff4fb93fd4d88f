//! Rules of the model that options of `spin` change: `-m`, `-J`, `-O`, `-o1`, `-o2`, `-o3`, `-o6`, `-o7`.

use crate::spin::options::SpinOptions;
use spinor_check::{Loaded, Pass};
use spinor_program::expr::{BinaryOp, Probe};
use spinor_program::{Action, Expr, LocId, Program, Statement, StmtId, Transition, Written};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Which rules hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Rules {
    /// `-m`: a message sent to a full channel is lost.
    pub lossy: bool,
    /// `-J`: of nested escapes the inner one comes first.
    pub inner_unless_first: bool,
    /// `-o1`.
    pub no_dead_variables: bool,
    /// `-o2`.
    pub keep_write_only: bool,
    /// `-o3`.
    pub no_merging: bool,
    /// `-o6`: priorities are weights in simulations, nothing in searches.
    pub old_priorities: bool,
    /// `-o7`: the end of a line ends no statement.
    pub explicit_semicolons: bool,
    /// `-O`: names of inner blocks belong to the body.
    pub old_scopes: bool,
}

impl Rules {
    /// The rules that options ask for.
    pub fn of(options: &SpinOptions) -> Self {
        Rules {
            lossy: options.lossy,
            inner_unless_first: options.inner_unless_first,
            no_dead_variables: options.no_dead_variables,
            keep_write_only: options.keep_write_only,
            no_merging: options.no_merging,
            old_priorities: options.old_priorities,
            explicit_semicolons: options.no_implied_semicolons,
            old_scopes: options.old_scopes,
        }
    }

    /// As one letter each.
    pub fn letters(self) -> String {
        let all = self.flags();
        all.iter().filter(|(_, is_on)| *is_on).map(|(letter, _)| letter).collect()
    }

    /// From letters.
    pub fn of_letters(letters: &str) -> Self {
        Rules {
            lossy: letters.contains('m'),
            inner_unless_first: letters.contains('J'),
            no_dead_variables: letters.contains('1'),
            keep_write_only: letters.contains('2'),
            no_merging: letters.contains('3'),
            old_priorities: letters.contains('6'),
            explicit_semicolons: letters.contains('7'),
            old_scopes: letters.contains('O'),
        }
    }

    fn flags(self) -> [(char, bool); 8] {
        [
            ('m', self.lossy),
            ('J', self.inner_unless_first),
            ('1', self.no_dead_variables),
            ('2', self.keep_write_only),
            ('3', self.no_merging),
            ('6', self.old_priorities),
            ('7', self.explicit_semicolons),
            ('O', self.old_scopes),
        ]
    }

    /// The passes that are switched off.
    pub fn disabled(self) -> BTreeSet<Pass> {
        let mut passes = BTreeSet::new();
        if self.no_merging {
            passes.insert(Pass::Merging);
        }
        // SPIN: `-o2` switches off the resets of dead variables, too.
        if self.no_dead_variables || self.keep_write_only {
            passes.insert(Pass::DeadVariables);
        }
        if self.keep_write_only {
            passes.insert(Pass::WriteOnly);
        }
        passes
    }

    /// What a model may not do under these rules.
    pub fn objection(self, loaded: &Loaded) -> Option<String> {
        let program = loaded.program.as_ref().filter(|_| self.old_priorities)?;
        let sets = |s: &&Statement| matches!(s.action, Action::SetPriority(..));
        let mut set = program.statements.iter().filter(sets);
        let assigned = set.find(|s| s.written == Written::Assignment)?;
        let at = loaded.sources.location(loaded.sources.outermost(assigned.span));
        Some(format!("{}:{}, Error: cannot refer to _priority with -o6", at.file, at.line))
    }

    /// The program under these rules.
    pub fn apply(self, program: Arc<Program>) -> Arc<Program> {
        if !self.lossy && !self.inner_unless_first && !self.old_priorities {
            return program;
        }
        let mut program = Arc::unwrap_or_clone(program);
        if self.lossy {
            lose_messages(&mut program);
        }
        if self.inner_unless_first {
            turn_escapes(&mut program);
        }
        if self.old_priorities {
            ignore_priorities(&mut program);
        }
        Arc::new(program)
    }
}

/// Beside each send there is a step that drops the message if the channel is full.
fn lose_messages(program: &mut Program) {
    let mut losses: Vec<Option<StmtId>> = vec![None; program.statements.len()];
    for (number, own) in losses.iter_mut().enumerate() {
        let statement = &program.statements[number];
        let Action::Send(send) = &statement.action else { continue };
        let channel = &send.channel;
        // A rendezvous channel is never full in this sense.
        let holds = Expr::Binary(
            BinaryOp::Gt,
            Box::new(Expr::Len(channel.clone())),
            Box::new(Expr::Const(0)),
        );
        let full = Expr::Probe(Probe::Full, channel.clone());
        let both = Expr::Binary(BinaryOp::And, Box::new(holds), Box::new(full));
        let loss = Statement { action: Action::Condition(both), ..statement.clone() };
        *own = Some(StmtId(program.statements.len() as u32));
        program.statements.push(loss);
    }
    let with_losses = |transitions: &mut Vec<Transition>| {
        *transitions = transitions
            .iter()
            .flat_map(|t| {
                let loss = losses.get(t.statement.index()).copied().flatten();
                [Some(*t), loss.map(|statement| Transition { statement, ..*t })]
            })
            .flatten()
            .collect();
    };
    for statement in &mut program.statements {
        if let Action::DStep(inner) = &mut statement.action {
            inner.locations.iter_mut().for_each(with_losses);
        }
    }
    for process in &mut program.proctypes {
        process.automaton.locations.iter_mut().for_each(|l| with_losses(&mut l.transitions));
    }
}

/// Escapes in the opposite order; the transitions of one stay as they are.
fn turn_escapes(program: &mut Program) {
    for process in &mut program.proctypes {
        for location in &mut process.automaton.locations {
            let (escapes, others): (Vec<_>, Vec<_>) =
                location.transitions.drain(..).partition(|t| t.escape != LocId(0));
            let mut groups: Vec<Vec<Transition>> = Vec::new();
            for transition in escapes {
                match groups.last_mut() {
                    Some(group) if group[0].escape == transition.escape => group.push(transition),
                    _ => groups.push(vec![transition]),
                }
            }
            location.transitions = groups.into_iter().rev().flatten().chain(others).collect();
        }
    }
}

/// Processes keep the priorities that they start with, but these restrict nothing.
fn ignore_priorities(program: &mut Program) {
    program.uses_priority = false;
    for statement in &mut program.statements {
        if matches!(statement.action, Action::SetPriority(..)) {
            statement.action = Action::Skip;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Rules;

    #[test]
    fn letters_say_all() {
        let rules = Rules { lossy: true, no_merging: true, old_scopes: true, ..Rules::default() };
        assert_eq!(rules.letters(), "m3O");
        assert_eq!(Rules::of_letters("m3O"), rules);
        assert_eq!(Rules::of_letters(""), Rules::default());
    }
}
