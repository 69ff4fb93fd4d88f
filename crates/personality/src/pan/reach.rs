//! What was never reached, as pan lists it.

use crate::model::Model;
use spinor_program::{Action, LocId, ProcessType, Program, Statement, StmtId, Transition, Written};
use spinor_trace::{At, Origin};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// Which claims are listed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Claims {
    /// All, though none took part.
    Idle,
    Only(usize),
    All,
}

/// The lists of all proctypes and of claims: of all, or of the one that was asked for by name.
pub(crate) fn lists(model: &Model, executed: &[bool], claims: Claims) -> String {
    let program = model.loaded.program.as_ref().expect("the model was read");
    let was_executed = |id: StmtId| executed.get(id.index()).copied().unwrap_or(false);
    let mut out = String::new();
    let mut bodies: Vec<(&ProcessType, bool, bool)> = Vec::new();
    for (number, process) in program.proctypes.iter().enumerate() {
        let starts = program.active.iter().any(|id| id.index() == number)
            || is_run(program, number, executed);
        bodies.push((process, false, starts));
    }
    for (number, claim) in program.claims.iter().enumerate() {
        let (is_listed, starts) = match claims {
            Claims::Idle => (true, false),
            Claims::Only(only) => (only == number, true),
            Claims::All => (true, true),
        };
        if is_listed {
            bodies.push((claim, true, starts));
        }
    }
    bodies.sort_by_key(|(process, ..)| (process.span.file.0, process.span.lo));
    for (process, is_claim, starts) in bodies {
        let heading = match (&*process.name, is_claim) {
            (name, true) => format!("claim {name}"),
            ("init" | ":init:", false) => "init".to_owned(),
            (name, false) => format!("proctype {name}"),
        };
        let _ = writeln!(out, "unreached in {heading}");
        Body::new(program, process, starts, &was_executed).list(model, &mut out);
    }
    out
}

/// Whether some executed statement starts a proctype.
fn is_run(program: &Program, number: usize, executed: &[bool]) -> bool {
    let runs = |action: &Action| {
        let mut found = false;
        let mut look = |e: &spinor_program::Expr| {
            if let spinor_program::Expr::Run(run) = e {
                found |= run.proctype.index() == number;
            }
        };
        match action {
            Action::Condition(e) => e.walk(&mut look),
            Action::Assign(pairs) => pairs.iter().for_each(|(_, e)| e.walk(&mut look)),
            _ => {}
        }
        found
    };
    let statements = program.statements.iter().zip(executed);
    statements.into_iter().any(|(s, was)| *was && runs(&s.action))
}

/// The states of one body.
struct Body<'a> {
    program: &'a Program,
    process: &'a ProcessType,
    /// States that were reached, and those that need not be.
    reached: BTreeSet<LocId>,
    /// What leads out of states: of those that are no control points, their own statement.
    ways: BTreeMap<LocId, Vec<StmtId>>,
}

impl<'a> Body<'a> {
    fn new(
        program: &'a Program,
        process: &'a ProcessType,
        starts: bool,
        was_executed: &impl Fn(StmtId) -> bool,
    ) -> Self {
        let mut body = Body { program, process, reached: BTreeSet::new(), ways: BTreeMap::new() };
        if starts {
            body.reached.insert(process.automaton.start);
        }
        let locations = &process.automaton.locations;
        let mut targets: BTreeSet<LocId> =
            locations.iter().flat_map(|l| &l.transitions).map(|t| t.target).collect();
        targets.insert(process.automaton.start);
        for (number, location) in (0..).map(LocId).zip(locations) {
            body.visit(number, &location.transitions, was_executed);
            if !targets.contains(&number) && body.stands_for_others(number, &location.transitions) {
                body.reached.insert(number);
            }
        }
        body
    }

    /// Whether a place that nothing leads to is a block around other statements, or an option
    /// that can never be taken.
    fn stands_for_others(&self, number: LocId, transitions: &[Transition]) -> bool {
        transitions.iter().all(|t| {
            let statement = self.program.statement(t.statement);
            statement.location != number || &*statement.text == "(0)"
        })
    }

    fn visit(
        &mut self,
        from: LocId,
        transitions: &[Transition],
        was_executed: &impl Fn(StmtId) -> bool,
    ) {
        for transition in transitions {
            let id = transition.statement;
            let statement = self.program.statement(id);
            self.ways.entry(from).or_default().push(id);
            if statement.location != from {
                // The first statement of an option: the choice stands for it.
                self.reached.insert(statement.location);
            } else if transitions.len() == 1 && is_silent(statement) {
                self.reached.insert(from);
            }
            if was_executed(id) {
                self.reached.extend([from, transition.target, statement.location]);
            }
            if let Action::DStep(inner) = &statement.action {
                for (number, ways) in (0..).map(LocId).zip(&inner.locations) {
                    if number != inner.start || ways.len() != 1 {
                        self.visit(number, ways, was_executed);
                    }
                }
            }
        }
    }

    /// SPIN: the line of a state is that of the first statement there.
    fn line_of(&self, model: &Model, number: LocId, id: StmtId) -> At {
        let location = self.process.automaton.locations.get(number.index());
        let first = location.and_then(|l| l.transitions.first()).map_or(id, |t| t.statement);
        Origin::of_statement(self.program, &model.loaded.sources, first).at
    }

    fn list(&self, model: &Model, out: &mut String) {
        let last = self.process.automaton.end.0;
        let mut missing = 0;
        for number in (1..=last).map(LocId) {
            if self.reached.contains(&number) {
                continue;
            }
            let ways = self.ways.get(&number).map_or(&[][..], Vec::as_slice);
            let is_jump = |id: &StmtId| {
                let text = &self.program.statement(*id).text;
                &**text == ".(goto)" || text.starts_with("goto :")
            };
            let listed = ways.iter().take_while(|id| !is_jump(id));
            let mut is_listed = false;
            for id in listed {
                let at = self.line_of(model, number, *id);
                let text = shown(&self.program.statement(*id).text);
                let _ = writeln!(out, "\t{}:{}, state {}, \"{text}\"", at.file, at.line, number.0);
                is_listed = true;
            }
            missing += u32::from(is_listed && !ways.iter().any(is_jump));
        }
        let _ = writeln!(out, "\t({missing} of {last} states)");
    }
}

/// Steps that SPIN does not miss: jumps, `else`, `skip`.
fn is_silent(statement: &Statement) -> bool {
    matches!(statement.action, Action::Else | Action::Skip)
        || matches!(statement.written, Written::Jump | Written::LoopExit)
        || &*statement.text == "(1)"
}

/// Quotes inside a text are printed as they are; line ends are not.
fn shown(text: &str) -> String {
    text.replace('\n', "\\n")
}
