//! Runs along a trail: `-t`, `-k`, `-replay`, and `pan -r`.

use super::depths::{Counter, Depths};
use super::narrator::{Moment, Narrator, Style};
use super::verifier::Replay;
use crate::host::Host;
use crate::model::Model;
use crate::pan::ReplayWish;
use crate::spin::options::{SpinOptions, TrailChoice, Views};
use spinor_check::{Guided, Property, PropertyKind, run_of_trail};
use spinor_exec::{Actor, Moves, ReplayedStep};
use spinor_program::Action;
use spinor_trace::{Chart, Move, Run, SpinClaim, SpinTrail, Trail, View};
use spinor_ts::{EventKind, TransitionSystem};
use std::path::{Path, PathBuf};

/// Follows the trail that the options name.
pub(crate) fn guided(options: &SpinOptions, model: &Model, host: &mut Host<'_>) -> u8 {
    let choice = options.trail.clone().unwrap_or(TrailChoice::Number(0));
    let tour = Tour {
        style: Style::of(options, true),
        cutoff: u64::try_from(options.cutoff).ok().filter(|n| *n > 0),
        no_final_state: options.no_final_state,
        chart: options.chart,
    };
    tour.start(model, &choice, host)
}

/// Follows a trail the way the verifier does.
pub(crate) fn replay_of_pan(
    model: &Model,
    wish: &ReplayWish,
    verbose: bool,
    host: &mut Host<'_>,
) -> u8 {
    let choice = match &wish.file {
        Some(file) => TrailChoice::File(file.clone()),
        None => TrailChoice::Number(wish.number),
    };
    let missing = match &wish.file {
        Some(file) => format!("pan: cannot find {file}\n"),
        None => format!("pan: cannot find {}.trail\n", model.base_name()),
    };
    let found = match found(model, &choice, &missing, host) {
        Ok(found) => found,
        Err(code) => return code,
    };
    let Some(mut view) = model.loaded.view(&found.property) else { return 1 };
    let Ok(initial) = view.exec.initial() else {
        host.print("spin: the initial state cannot be built\n");
        return 1;
    };
    let shift = usize::from(found.claim.is_some() || view.claim.is_some());
    Replay { model, view: &view, wish, verbose, shift }.tell(&found, initial, host)
}

/// The trail that is meant; what is wrong is printed.
fn found(
    model: &Model,
    choice: &TrailChoice,
    missing: &str,
    host: &mut Host<'_>,
) -> Result<Found, u8> {
    let Some(path) = find(model, choice) else {
        host.print(missing);
        return Err(1);
    };
    warn_if_older(model, &path, host);
    read(model, &path).map_err(|reason| {
        host.print(format_args!("spin: {}: {reason}\n", path.display()));
        1
    })
}

/// A replay that is going to be told.
struct Tour {
    style: Style,
    cutoff: Option<u64>,
    no_final_state: bool,
    chart: bool,
}

/// A trail and the depth of each of its lines.
pub(super) struct Found {
    pub run: Run,
    property: Property,
    depths: Depths,
    /// SPIN's number of the claim, if there is one.
    claim: Option<usize>,
    /// Lines may stand for several statements.
    is_merged: bool,
    /// The number at the end, if it is that of a mark and not of a step: SPIN takes it for one.
    mark: Option<i64>,
}

impl Found {
    /// For the numbers of its steps.
    pub fn counter(&self) -> Counter<'_> {
        Counter::new(&self.depths)
    }
}

impl Tour {
    fn start(&self, model: &Model, choice: &TrailChoice, host: &mut Host<'_>) -> u8 {
        let missing = "spin: cannot find trail file\n";
        let found = match found(model, choice, missing, host) {
            Ok(found) => found,
            Err(code) => return code,
        };
        let Some(mut view) = model.loaded.view(&found.property) else { return 1 };
        if self.chart {
            return chart(model, &found, host);
        }
        let Ok(initial) = view.exec.initial() else {
            host.print("spin: the initial state cannot be built\n");
            return 1;
        };
        self.tell(&view, initial, &found, host)
    }

    fn tell(&self, view: &View<'_>, initial: Vec<u8>, found: &Found, host: &mut Host<'_>) -> u8 {
        let mut narrator = Narrator::new(view, self.style.clone(), &initial);
        let mut counter = found.counter();
        let views = self.style.views;
        let is_talkative = views != Views::default();
        narrator.opening(&initial, host);
        if let Some(number) = found.claim.or_else(|| claim_number(view)) {
            narrator.shift = 1;
            if is_talkative {
                host.print(format_args!("starting claim {number}\n"));
            }
            if view.claim.is_none() {
                host.print(format_args!("spin: couldn't find claim {number} (ignored)\n"));
            }
        }
        if found.is_merged && views.verbose {
            host.print("using statement merging\n");
        }
        let mut state = initial;
        let mut is_cut = false;
        'moves: for (number, step) in found.run.moves.iter().enumerate() {
            if found.run.cycle_start == Some(number) {
                let indent = if self.style.no_indent { "" } else { "  " };
                host.print(format_args!("{indent}<<<<<START OF CYCLE>>>>>\n"));
            }
            let Move::Event(event) = *step else { continue };
            let Some((steps, after)) = taken(view, &state, event) else { break };
            for step in steps {
                let depth = counter.next(view, &step);
                if self.cutoff.is_some_and(|cutoff| depth >= cutoff) {
                    let cutoff = self.cutoff.unwrap_or_default();
                    host.print(format_args!(
                        "-------------\ndepth-limit (-u{cutoff} steps) reached\n"
                    ));
                    // The line at the bound may be one of a claim that is not told.
                    counter.depth = cutoff;
                    is_cut = true;
                    break 'moves;
                }
                let moment = moment(view, depth, &state, step);
                narrator.step(&moment, host);
                state = moment.after;
            }
            state = after;
        }
        if let (Some(pid), false) = (counter.pid, is_cut) {
            state = finish_line(view, pid, state, &mut counter, &mut narrator, host);
        }
        let depth = found.mark.unwrap_or(i64::try_from(counter.depth).unwrap_or(i64::MAX));
        host.print(format_args!("spin: trail ends after {depth} steps\n"));
        if !self.no_final_state {
            if self.style.columns {
                host.print("-------------\nfinal state:\n-------------\n");
            }
            narrator.final_state(&state, depth, host);
        }
        0
    }
}

/// The number that SPIN has for the claim in use.
fn claim_number(view: &View<'_>) -> Option<usize> {
    let claim = view.claim?;
    let mut again = View::new(&view.program, view.sources, view.options);
    let trail = SpinTrail::of_run(&mut again, &Run::default()).ok();
    Some(trail.and_then(|trail| trail.claim).unwrap_or(claim))
}

/// SPIN: after an assertion that fails the statements merged with it are executed all the same.
fn finish_line(
    view: &View<'_>,
    pid: usize,
    mut state: Vec<u8>,
    counter: &mut Counter<'_>,
    narrator: &mut Narrator<'_>,
    host: &mut Host<'_>,
) -> Vec<u8> {
    let mut moves = Moves::default();
    while counter.is_within_line() {
        view.exec.moves_of(&state, pid, &mut moves);
        let way = (0..moves.len()).find(|way| !moves.state(*way).is_empty());
        let Some(first) = way.and_then(|way| moves.steps_back(way).last()) else { break };
        let step = ReplayedStep {
            actor: first.actor,
            statement: first.statement,
            kind: first.kind,
            state: first.state.to_vec(),
        };
        let depth = counter.next(view, &step);
        let moment = moment(view, depth, &state, step);
        narrator.step(&moment, host);
        state = moment.after;
    }
    state
}

/// A step between two states.
pub(super) fn moment(view: &View<'_>, depth: u64, before: &[u8], step: ReplayedStep) -> Moment {
    let pid = match step.actor {
        Actor::Process(pid) => Some(pid),
        Actor::Claim => None,
    };
    let fails = match &view.program.statement(step.statement).action {
        Action::Assert(e) => view.exec.evaluate(before, pid, e) == 0,
        _ => false,
    };
    Moment {
        depth,
        actor: step.actor,
        statement: step.statement,
        kind: step.kind,
        before: before.to_vec(),
        after: step.state,
        fails,
    }
}

/// The steps of an event and the state after it. After an assertion that fails, as after other
/// errors that pan passes over, the process has moved.
pub(super) fn taken(
    view: &View<'_>,
    state: &[u8],
    event: u32,
) -> Option<(Vec<ReplayedStep>, Vec<u8>)> {
    let (mut steps, expansion) = view.exec.replay(state, event)?;
    let happened = expansion.events()[event as usize];
    if happened.kind == EventKind::Successor {
        return Some((steps, expansion.state(&happened).to_vec()));
    }
    let is_same =
        |(a, b): (&ReplayedStep, &ReplayedStep)| (a.actor, a.statement) == (b.actor, b.statement);
    for (number, other) in expansion.events().iter().enumerate() {
        if other.kind != EventKind::Successor || steps.is_empty() {
            continue;
        }
        let Some((longer, _)) = view.exec.replay(state, number as u32) else { continue };
        if longer.len() >= steps.len() && steps.iter().zip(&longer).all(is_same) {
            let last = longer[steps.len() - 1].state.clone();
            if let Some(step) = steps.last_mut() {
                step.state.clone_from(&last);
            }
            return Some((steps, last));
        }
    }
    let last = steps.last().map_or_else(|| state.to_vec(), |step| step.state.clone());
    Some((steps, last))
}

/// The file of a trail, under the names that SPIN tries; also beside us if the model is elsewhere.
fn find(model: &Model, choice: &TrailChoice) -> Option<PathBuf> {
    let number = match choice {
        TrailChoice::File(file) => return Some(PathBuf::from(file)).filter(|f| f.exists()),
        TrailChoice::Number(0) => String::new(),
        TrailChoice::Number(number) => number.to_string(),
    };
    let mut names = Vec::new();
    for name in [&*model.bundle.name, model.base_name()] {
        let stem = name.split_once('.').map_or(name, |(stem, _)| stem);
        for name in [name, stem] {
            names.extend([format!("{name}{number}.trail"), format!("{name}{number}.tra")]);
        }
    }
    names.into_iter().map(PathBuf::from).find(|path| path.is_file())
}

/// A trail of SPIN does not know its model: its age is all there is to judge by.
fn warn_if_older(model: &Model, path: &Path, host: &mut Host<'_>) {
    let time = |path: &Path| std::fs::metadata(path).and_then(|m| m.modified()).ok();
    let (source, trail) = (time(Path::new(&model.bundle.name)), time(path));
    if source.zip(trail).is_some_and(|(source, trail)| source > trail) {
        let (name, path) = (&model.bundle.name, path.display());
        host.print(format_args!("spin: warning, \"{name}\" is newer than {path}\n"));
    }
}

fn read(model: &Model, path: &Path) -> Result<Found, String> {
    let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&bytes);
    if !SpinTrail::is_one(&text) {
        let trail = Trail::read(&text).map_err(|error| error.to_string())?;
        trail.expect_digest(model.loaded.digest).map_err(|error| error.to_string())?;
        let (run, property) = (run_of_trail(&trail), Property::of_trail(&trail));
        let depths = Depths::Steps;
        return Ok(Found { run, property, depths, claim: None, is_merged: false, mark: None });
    }
    let mut trail = SpinTrail::read(&text).map_err(|error| error.to_string())?;
    trail.may_be_open = true;
    let last = text.lines().rev().find_map(|line| line.split(':').next()?.trim().parse().ok());
    let numbers = numbers(&text);
    follow_any(model, &trail, numbers).map(|found| Found { mark: last.filter(|n| *n < 0), ..found })
}

fn follow_any(model: &Model, trail: &SpinTrail, numbers: Vec<u64>) -> Result<Found, String> {
    let with_claim = follow(model, trail, &numbers);
    if with_claim.is_ok() || trail.claim.is_none() {
        return with_claim;
    }
    // The automaton of a formula is not SPIN's: the processes say what happened.
    let slots = trail.steps.iter().zip(&numbers).filter(|(step, _)| step.slot > 0);
    let numbers: Vec<u64> = slots.map(|(_, number)| *number).collect();
    follow(model, &trail.without_claim(), &numbers)
}

fn follow(model: &Model, trail: &SpinTrail, numbers: &[u64]) -> Result<Found, String> {
    let program = model.loaded.program.as_ref().expect("the model was read");
    let named = |kind, name| Property { kind, name, formula: None };
    let property = match trail.claim_in(program) {
        SpinClaim::Never(claim) => {
            named(PropertyKind::Never, Some(program.claims[claim].name.to_string()))
        }
        SpinClaim::NonProgress => named(PropertyKind::NonProgress, None),
        _ if trail.cycle_start.is_some() => named(PropertyKind::Acceptance, None),
        _ => named(PropertyKind::Safety, None),
    };
    let Guided { run, steps_per_line, .. } =
        model.loaded.follow(trail, &property).map_err(|error| error.to_string())?;
    let is_added = matches!(trail.claim_in(program), SpinClaim::NonProgress);
    let first = usize::from(trail.claim.is_some());
    let lines = || trail.steps.iter().zip(numbers).filter(|(s, _)| !is_added || s.slot > 0);
    let depths = match steps_per_line {
        Some(counts) if counts.len() == lines().count() => {
            Depths::Lines(lines().map(|(_, number)| *number).zip(counts).collect())
        }
        Some(_) if is_added => Depths::Lines(lines().map(|(_, number)| (*number, 1)).collect()),
        _ => Depths::Matching(
            lines().map(|(s, number)| (*number, s.slot.checked_sub(first), s.id)).collect(),
        ),
    };
    let (claim, is_merged) = (trail.claim, trail.merged);
    Ok(Found { run, property, depths, claim, is_merged, mark: None })
}

/// The numbers in front of the steps.
fn numbers(text: &str) -> Vec<u64> {
    text.lines().filter_map(|line| line.split(':').next()?.trim().parse().ok()).collect()
}

/// `-M`: the message sequence chart, as a drawing that a browser shows.
fn chart(model: &Model, found: &Found, host: &mut Host<'_>) -> u8 {
    let story = model.loaded.story(&found.property, &found.run, false);
    let Ok(Some(story)) = story else {
        host.print("spin: the trail cannot be followed\n");
        return 1;
    };
    let path = format!("{}.svg", model.base_name());
    match std::fs::write(&path, Chart::of(&story).svg()) {
        Ok(()) => {
            host.print(format_args!("spin: wrote {path}\n"));
            0
        }
        Err(error) => {
            host.print(format_args!("spin: cannot create {path}: {error}\n"));
            1
        }
    }
}
