//! The numbers of steps along a trail.

use spinor_exec::{Actor, ReplayedStep};
use spinor_trace::View;

/// How steps are numbered.
pub(super) enum Depths {
    /// One by one.
    Steps,
    /// So many steps for each of these numbers.
    Lines(Vec<(u64, usize)>),
    /// By the lines that they are: number, process, statement.
    Matching(Vec<(u64, Option<usize>, u32)>),
}

/// Numbers steps.
pub(super) struct Counter<'a> {
    depths: &'a Depths,
    line: usize,
    /// Steps of the line so far.
    within: usize,
    /// The last step was the first one of its line.
    is_first: bool,
    /// The number of the last step.
    pub depth: u64,
    /// Who took the last step.
    pub pid: Option<usize>,
}

impl<'a> Counter<'a> {
    pub fn new(depths: &'a Depths) -> Self {
        Counter { depths, line: 0, within: 0, is_first: true, depth: 0, pid: None }
    }

    /// Whether the last step was the first one of its line.
    pub fn begins_line(&self) -> bool {
        self.is_first
    }

    /// Whether the line at hand has more steps.
    pub fn is_within_line(&self) -> bool {
        let Depths::Lines(lines) = self.depths else { return false };
        lines.get(self.line).is_some_and(|(_, count)| (1..*count).contains(&self.within))
    }

    /// The number of the next step.
    pub fn next(&mut self, view: &View<'_>, step: &ReplayedStep) -> u64 {
        self.pid = match step.actor {
            Actor::Process(pid) => Some(pid),
            Actor::Claim => None,
        };
        match self.depths {
            Depths::Steps => self.depth += 1,
            Depths::Lines(lines) => {
                while lines.get(self.line).is_some_and(|(_, count)| self.within >= *count) {
                    (self.line, self.within) = (self.line + 1, 0);
                }
                self.within += 1;
                self.is_first = self.within == 1;
                self.depth = lines.get(self.line).map_or(self.depth, |(number, _)| *number);
            }
            Depths::Matching(lines) => {
                let actor = self.pid;
                let id = view.program.statement(step.statement).trail_id;
                self.is_first = false;
                if let Some((number, ..)) =
                    lines.get(self.line).filter(|(_, a, i)| (*a, *i) == (actor, id))
                {
                    self.depth = *number;
                    self.is_first = true;
                    self.line += 1;
                }
            }
        }
        self.depth
    }
}
