//! Runs at random, or as a person chooses.

use super::ears::Ears;
use super::guided::{moment, taken};
use super::narrator::{Moment, Narrator, Style};
use crate::host::Host;
use crate::model::Model;
use crate::numbers::atoi;
use crate::spin::options::SpinOptions;
use smallvec::SmallVec;
use spinor_check::{Property, PropertyKind};
use spinor_exec::{Actor, Exec, MoveStep, StepKind};
use spinor_program::{Action, StmtId};
use spinor_sim::{Chance, Choice, Draw, Simulation};
use spinor_trace::{Interest, View};
use spinor_ts::ViolationKind;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

/// A run that is no trail's.
pub(crate) fn free(options: &SpinOptions, model: &Model, host: &mut Host<'_>) -> u8 {
    let program = model.loaded.program.as_ref().expect("the model was read");
    if !program.claims.is_empty() && !model.bundle.has_claims {
        host.print("warning: never claim not used in random simulation\n");
    }
    if program.trace.is_some() {
        host.print("warning: trace assertion not used in random simulation\n");
    }
    // Neither claims nor traces take part.
    let property = Property { kind: PropertyKind::Acceptance, name: None, formula: None };
    let (Some(view), Some(shown)) = (model.loaded.view(&property), model.loaded.view(&property))
    else {
        return 1;
    };
    let seed = options.seed.unwrap_or_else(seconds);
    let interest = Interest::default();
    let mut simulation = Simulation::new(view, &interest, false);
    let Some(initial) = simulation.state().map(<[u8]>::to_vec) else {
        host.print("spin: the initial state cannot be built\n");
        return 1;
    };
    let mut narrator = Narrator::new(&shown, Style::of(options, false), &initial);
    narrator.opening(&initial, host);
    let run = Run {
        chance: Chance::new(seed.unsigned_abs()),
        cutoff: u64::try_from(options.cutoff).ok().filter(|n| *n > 0),
        options,
        depth: 0,
        ears: Ears::new(program, &narrator.style),
        judge: Exec::new(Arc::clone(program), shown.options),
    };
    let (end, depth) = run.go(&mut simulation, &mut narrator, host);
    if end != End::Quit && !options.no_final_state {
        if options.columns {
            host.print("-------------\nfinal state:\n-------------\n");
        }
        let state = match &end {
            End::Failed(state) | End::Cut(state) => state.clone(),
            _ => simulation.state().map(<[u8]>::to_vec).unwrap_or(initial),
        };
        narrator.final_state(&state, i64::try_from(depth).unwrap_or(i64::MAX), host);
    }
    if options.show_seed {
        host.print(format_args!("seed used: {seed}\n"));
    }
    match end {
        End::Failed(_) => 1,
        // SPIN: each value that did not fit is an error.
        _ => u8::try_from(narrator.truncated % 256).unwrap_or(0),
    }
}

fn seconds() -> i64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(1, |time| i64::try_from(time.as_secs()).unwrap_or(1))
}

/// How a run ended.
#[derive(PartialEq, Eq)]
enum End {
    /// Nothing can move.
    Over,
    /// At the bound on its steps.
    Cut(Vec<u8>),
    /// An assertion failed, or the model erred.
    Failed(Vec<u8>),
    /// The user left.
    Quit,
}

struct Run<'o> {
    chance: Chance,
    cutoff: Option<u64>,
    options: &'o SpinOptions,
    depth: u64,
    ears: Ears,
    judge: Exec,
}

fn is_deadlock(choice: &Choice) -> bool {
    choice.violation.is_some_and(|v| v.kind == ViolationKind::InvalidEndState)
}

/// What a step adds to the depth: both halves of a rendezvous are one, the end of a process is none.
fn weight(view: &View<'_>, statement: StmtId, kind: StepKind) -> u64 {
    let ends = matches!(view.program.statement(statement).action, Action::Terminate);
    u64::from(kind != StepKind::Accept && !ends)
}

impl Run<'_> {
    fn go(
        mut self,
        simulation: &mut Simulation<'_, '_>,
        narrator: &mut Narrator<'_>,
        host: &mut Host<'_>,
    ) -> (End, u64) {
        loop {
            if (host.is_interrupted)() {
                return (End::Quit, self.depth);
            }
            let choice = if self.options.interactive {
                match self.asked(simulation, narrator, host) {
                    Ok(choice) => choice,
                    Err(end) => return (end, self.depth),
                }
            } else {
                match simulation.draw(&mut self.chance) {
                    Some(Draw::Way { way, .. }) => {
                        if let Some(end) = self.glide(simulation, way, narrator, host) {
                            return (end, self.depth);
                        }
                        simulation.follow(way);
                        continue;
                    }
                    Some(Draw::Choice(choice)) if !is_deadlock(&choice) => choice,
                    _ => {
                        let state = simulation.state();
                        if state.is_some_and(|s| narrator.view.exec.process_count(s) > 0) {
                            host.print("      timeout\n");
                        }
                        return (End::Over, self.depth);
                    }
                }
            };
            let Some(state) = simulation.state().map(<[u8]>::to_vec) else {
                return (End::Over, self.depth);
            };
            if let Some(end) = self.take(narrator, &state, &choice, host) {
                return (end, self.depth);
            }
            if simulation.take(&choice, u64::MAX).is_none() {
                return (End::Over, self.depth);
            }
        }
    }

    /// What the user chooses, or how the run ends.
    fn asked(
        &self,
        simulation: &mut Simulation<'_, '_>,
        narrator: &Narrator<'_>,
        host: &mut Host<'_>,
    ) -> Result<Choice, End> {
        let choices = simulation.choices();
        let Some(state) = simulation.state() else { return Err(End::Over) };
        if choices.iter().all(is_deadlock) {
            if narrator.view.exec.process_count(state) > 0 {
                host.print("no executable choices\n");
            }
            return Err(End::Over);
        }
        self.ask(narrator, state, &choices, host).ok_or(End::Quit)
    }

    /// Tells a move in which nothing goes wrong; how the run ends, if it does.
    fn glide(
        &mut self,
        simulation: &Simulation<'_, '_>,
        way: usize,
        narrator: &mut Narrator<'_>,
        host: &mut Host<'_>,
    ) -> Option<End> {
        let mut before = simulation.state()?;
        let steps: SmallVec<[MoveStep<'_>; 4]> = simulation.steps_back(way).collect();
        for &MoveStep { actor, statement, kind, state } in steps.iter().rev() {
            if let Some(cutoff) = self.cutoff.filter(|cutoff| self.depth >= *cutoff) {
                host.print(format_args!("-------------\ndepth-limit (-u{cutoff} steps) reached\n"));
                return Some(End::Cut(before.to_vec()));
            }
            self.depth += weight(narrator.view, statement, kind);
            if !self.ears.pass_over(narrator, before, actor, statement) {
                let (depth, before, after) = (self.depth, before.to_vec(), state.to_vec());
                let moment = Moment { depth, actor, statement, kind, before, after, fails: false };
                narrator.step(&moment, host);
            }
            before = state;
        }
        None
    }

    /// Tells a move; how the run ends, if it does.
    fn take(
        &mut self,
        narrator: &mut Narrator<'_>,
        state: &[u8],
        choice: &Choice,
        host: &mut Host<'_>,
    ) -> Option<End> {
        let (steps, _) = taken(narrator.view, state, choice.event)?;
        let mut before = state.to_vec();
        // SPIN: who fails does not move.
        let mut last = before.clone();
        for step in steps {
            if self.cutoff.is_some_and(|cutoff| self.depth >= cutoff) {
                let cutoff = self.cutoff.unwrap_or_default();
                host.print(format_args!("-------------\ndepth-limit (-u{cutoff} steps) reached\n"));
                return Some(End::Cut(before));
            }
            self.depth += weight(narrator.view, step.statement, step.kind);
            let moment = moment(narrator.view, self.depth, &before, step);
            narrator.step(&moment, host);
            last = std::mem::replace(&mut before, moment.after);
        }
        let violation = choice.violation?;
        if violation.kind != ViolationKind::Assertion {
            let text = crate::pan::message(&narrator.view.program, violation);
            host.print(format_args!("spin: Error: {text}\n"));
        }
        Some(End::Failed(last))
    }

    /// The menu of `-i`.
    fn ask(
        &self,
        narrator: &Narrator<'_>,
        state: &[u8],
        choices: &[Choice],
        host: &mut Host<'_>,
    ) -> Option<Choice> {
        // SPIN does not ask where there is nothing to choose.
        if let [only] = choices {
            return Some(*only);
        }
        loop {
            host.print("Select a statement\n");
            for (number, choice) in (1..).zip(choices) {
                host.print(self.line(narrator.view, narrator, state, number, choice));
            }
            host.print(format_args!("Select [1-{}]: ", choices.len()));
            let _ = host.out.flush();
            let mut line = String::new();
            match host.input.read_line(&mut line) {
                Ok(0) | Err(_) => return None,
                Ok(_) if line.trim_start().starts_with('q') => return None,
                Ok(_) => {}
            }
            let number = usize::try_from(atoi(&line)).ok().and_then(|n| n.checked_sub(1));
            match number.and_then(|n| choices.get(n)) {
                Some(choice) => return Some(*choice),
                None => host.print("\tchoice is outside range\n"),
            }
        }
    }

    fn line(
        &self,
        view: &View<'_>,
        narrator: &Narrator<'_>,
        state: &[u8],
        number: usize,
        choice: &Choice,
    ) -> String {
        let steps =
            self.judge.replay(state, choice.event).map(|(steps, _)| steps).unwrap_or_default();
        let Some(step) = steps.first() else { return format!("\tchoice {number}: (error)\n") };
        let Actor::Process(pid) = step.actor else { return String::new() };
        let statement = view.program.statement(step.statement);
        let at = narrator.at(step.statement);
        let place = view.location(state, pid);
        let text = match &statement.action {
            Action::Terminate => "<valid end state> [-end-]".to_owned(),
            _ => format!("[{}]", statement.text),
        };
        format!(
            "\tchoice {number}: {}{}:{} (state {}) {text}\n",
            narrator.process(state, pid),
            at.file,
            at.line,
            place.0
        )
    }
}
