//! Moves by chance, without a look at what the others could do.

use crate::{Chance, Choice, Simulation};
use spinor_exec::MoveStep;
use spinor_program::{Action, Statement};

/// A move that was drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Draw {
    /// One of the moves of a process, none of which goes wrong.
    Way {
        /// The process that begins.
        pid: usize,
        /// Which of its moves.
        way: usize,
    },
    /// One of all choices: something goes wrong, or nobody can move but by `timeout`.
    Choice(Choice),
}

impl Simulation<'_, '_> {
    /// A move by chance: every process that can move is as likely as the others, however many ways
    /// it has, or as its priority weighs. None if the run has ended.
    pub fn draw(&mut self, chance: &mut Chance) -> Option<Draw> {
        let (None, Some(state)) = (self.ending, &self.state) else { return None };
        self.waiting.clear();
        self.waiting.extend(0..self.view.exec.process_count(state));
        // Who cannot move is left out and another one is drawn.
        while let Some(last) = self.waiting.len().checked_sub(1) {
            let at = match last {
                0 => 0,
                _ if self.view.program.weighs_priority => self.weighed(chance),
                _ => chance.below(last + 1),
            };
            let pid = self.waiting.swap_remove(at);
            let state = self.state.as_ref()?;
            self.scout.moves_of(state, pid, &mut self.ways);
            if self.ways.has_errors() {
                let own: Vec<Choice> = self.choices_of(pid).collect();
                if !own.is_empty() {
                    return Some(Draw::Choice(own[chance.below(own.len())]));
                }
            } else if !self.ways.is_empty() {
                let count = self.ways.len();
                let way = if count > 1 { chance.below(count) } else { 0 };
                return Some(Draw::Way { pid, way });
            }
        }
        let choices = self.choices();
        self.pick(&choices, chance).map(Draw::Choice)
    }

    /// One of those that wait, as likely as its priority says.
    fn weighed(&self, chance: &mut Chance) -> usize {
        let Some(state) = &self.state else { return 0 };
        let weight = |pid: usize| self.view.exec.priority(state, pid).map_or(1, usize::from);
        let sum = self.waiting.iter().map(|&pid| weight(pid)).sum();
        let mut rest = chance.below(sum);
        let is_it = |&pid: &usize| match rest.checked_sub(weight(pid)) {
            Some(left) => {
                rest = left;
                false
            }
            None => true,
        };
        self.waiting.iter().position(is_it).unwrap_or(0)
    }

    /// The drawn move as one of all choices.
    pub fn choice_of(&mut self, draw: Draw) -> Option<Choice> {
        match draw {
            Draw::Choice(choice) => Some(choice),
            Draw::Way { pid, way } => self.choices_of(pid).nth(way),
        }
    }

    fn choices_of(&mut self, pid: usize) -> impl Iterator<Item = Choice> {
        self.choices().into_iter().filter(move |choice| choice.pid == Some(pid))
    }

    /// The steps of way `way` of the process that was drawn last, the last one first.
    pub fn steps_back(&self, way: usize) -> impl Iterator<Item = MoveStep<'_>> {
        self.ways.steps_back(way)
    }

    /// Takes a drawn move without telling its steps, which is faster, but at most `bound` of them; returns what
    /// they print.
    pub fn pass(&mut self, draw: Draw, bound: u64) -> Option<String> {
        if let Draw::Way { way, .. } = draw
            && self.past.is_none()
            && self.ways.length(way) <= bound
            && !(self.prints && self.ways.steps_back(way).any(|step| self.may_print(step)))
        {
            self.follow(way);
            return Some(String::new());
        }
        let choice = self.choice_of(draw)?;
        let happened = self.take(&choice, bound)?;
        Some(happened.steps.into_iter().filter_map(|step| step.output).collect())
    }

    /// What is inside a `d_step` is not looked at.
    fn may_print(&self, step: MoveStep<'_>) -> bool {
        let statement = self.view.program.statement(step.statement);
        prints(statement) || matches!(statement.action, Action::DStep(_))
    }

    /// Takes way `way` of the process that was drawn last.
    pub fn follow(&mut self, way: usize) {
        let Some(state) = &mut self.state else { return };
        state.clear();
        state.extend_from_slice(self.ways.state(way));
        self.passed += 1;
        let steps = self.teller.steps() + self.ways.length(way) as usize;
        self.teller.rewind(steps, self.moves.len() + self.passed);
    }
}

/// Whether a statement prints something by itself.
pub(crate) fn prints(statement: &Statement) -> bool {
    matches!(statement.action, Action::Print(..) | Action::PrintMtype(_) | Action::CCode(_))
}
