//! Tries to refute what directed searches and their estimates promise.
//!
//! `directed [PATH…] [--random FROM..TO] [--states N] [--verbose]`
//!
//! On models of at most N states: the bound is never larger than the true distance to an error, in
//! no state, and falls by no more than a step takes; A* and IDA* with it find a shortest error; A*
//! expands no state that is farther than the error; every order finds an error if there is one, by
//! a run that is really one. Exit code 1 otherwise.
#![allow(clippy::print_stdout, reason = "a tool that prints its findings")]

use std::collections::{BTreeSet, HashMap};
use std::process::ExitCode;
use std::sync::{Arc, Mutex};

use spinor_exec::{Exec, Options};
use spinor_heuristic::{Estimator, Goal, Heuristic, Wishes};
use spinor_program::Program;
use spinor_search::{
    Directed, IdaTable, Ranking, SearchConfig, beam, best_first, breadth_first, iterative_deepening,
};
use spinor_store::ExactStore;
use spinor_testkit::generate::Options as GenerateOptions;
use spinor_testkit::spinor::compile_with;
use spinor_testkit::subjects::{Subjects, preprocess_options};
use spinor_ts::{
    Depth, Estimate, EventKind, Expansion, FoundError, SilentObserver, TransitionSystem,
    ViolationKind,
};

struct Job {
    subjects: Subjects,
    states: usize,
    verbose: bool,
}

#[derive(Default)]
struct Tally {
    models: u64,
    left_out: u64,
    with_errors: u64,
    wrong: u64,
    breadth_first: u64,
    bound: u64,
    chosen: u64,
    greedy: u64,
}

fn main() -> ExitCode {
    let Some(job) = parse() else {
        println!("usage: directed [PATH…] [--random FROM..TO] [--states N] [--verbose]");
        return ExitCode::from(2);
    };
    let tally = Mutex::new(Tally::default());
    let taste = |seed| GenerateOptions {
        size: 2 + (seed % 3) as usize,
        runtime_errors: seed % 4 == 0,
        claims: seed % 5 == 0,
        ..GenerateOptions::default()
    };
    job.subjects.for_each(taste, |_, name, text| model(name, text, &job, &tally));
    let tally = tally.into_inner().expect("no thread panics while counting");
    println!(
        "{} questions ({} models left out), {} with errors, {} wrong",
        tally.models, tally.left_out, tally.with_errors, tally.wrong
    );
    println!(
        "expanded up to the first error: breadth first {}, A* by `bound` {}, A* by the paper's \
         estimates {}, best first {}",
        tally.breadth_first, tally.bound, tally.chosen, tally.greedy
    );
    ExitCode::from(u8::from(tally.wrong > 0))
}

fn parse() -> Option<Job> {
    let mut job = Job { subjects: Subjects::default(), states: 20_000, verbose: false };
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--verbose" => job.verbose = true,
            "--states" => job.states = args.next()?.parse().ok()?,
            other => job.subjects.take(other, &mut args)?,
        }
    }
    Some(job)
}

fn model(name: &str, text: &str, job: &Job, tally: &Mutex<Tally>) {
    let program = match compile_with(name, text, &preprocess_options(text)) {
        // C code may change everything: no estimate is called admissible there.
        Ok(program) if program.hidden_bytes == 0 && program.embedded.is_none() => program,
        _ => {
            lock(tally).left_out += 1;
            return;
        }
    };
    for question in questions(&program) {
        let graph = Graph::build(&program, &question, job.states);
        let Some(graph) = graph else {
            lock(tally).left_out += 1;
            continue;
        };
        if let Err(flaw) = ask(&program, &question, &graph, tally) {
            println!("{name}: {:?}: {flaw}", question.goal_name());
            lock(tally).wrong += 1;
        } else if job.verbose {
            println!("{name}: {}: {} states, fine", question.goal_name(), graph.states.len());
        }
        lock(tally).models += 1;
    }
}

fn lock(tally: &Mutex<Tally>) -> std::sync::MutexGuard<'_, Tally> {
    tally.lock().expect("no thread panics while counting")
}

/// What is looked for.
struct Question {
    goal: Goal,
    options: Options,
    ignore: BTreeSet<ViolationKind>,
}

impl Question {
    fn goal_name(&self) -> &'static str {
        match &self.goal {
            Goal::Safety { deadlocks: true, assertions: true } => "safety",
            Goal::Safety { deadlocks: true, .. } => "deadlocks",
            Goal::Safety { .. } => "assertions",
            _ => "claim",
        }
    }

    fn config(&self) -> SearchConfig {
        SearchConfig { ignore: self.ignore.clone(), ..SearchConfig::default() }
    }
}

fn questions(program: &Program) -> Vec<Question> {
    use ViolationKind::{Assertion, InvalidEndState};
    let safety = |deadlocks, assertions, ignore: &[ViolationKind]| Question {
        goal: Goal::Safety { deadlocks, assertions },
        options: Options::default(),
        ignore: ignore.iter().copied().collect(),
    };
    let mut questions = vec![
        safety(true, true, &[]),
        safety(true, false, &[Assertion]),
        safety(false, true, &[InvalidEndState]),
    ];
    if !program.claims.is_empty() {
        questions.push(Question {
            goal: Goal::Never { claim: 0, accepting: false },
            options: Options { claim: Some(0), ..Options::default() },
            ignore: BTreeSet::from([Assertion, InvalidEndState, ViolationKind::TraceViolated]),
        });
    }
    questions
}

/// All states, and the true distances to errors.
struct Graph {
    states: Vec<Vec<u8>>,
    /// Of each state: steps and number of each successor.
    successors: Vec<Vec<(Depth, usize)>>,
    distances: Vec<Option<Depth>>,
}

impl Graph {
    fn build(program: &Arc<Program>, question: &Question, most: usize) -> Option<Self> {
        let mut exec = Exec::new(Arc::clone(program), question.options);
        let initial = exec.initial().ok()?;
        let mut numbers = HashMap::from([(initial.clone(), 0)]);
        let mut states = vec![initial];
        let (mut successors, mut distances) = (Vec::new(), Vec::new());
        let mut expansion = Expansion::new();
        while let Some(state) = states.get(successors.len()).cloned() {
            if states.len() > most {
                return None;
            }
            exec.expand(&state, &mut expansion);
            if expansion.cut.is_some() {
                return None;
            }
            let (mut next, mut distance) = (Vec::new(), None);
            for event in expansion.events() {
                let steps = Depth::from(event.steps);
                match event.kind {
                    EventKind::Violation(v) if question.ignore.contains(&v.kind) => {}
                    EventKind::Violation(_) => {
                        distance = Some(distance.map_or(steps, |d: Depth| d.min(steps)));
                    }
                    EventKind::Successor => {
                        let bytes = expansion.state(event).to_vec();
                        let number = *numbers.entry(bytes.clone()).or_insert_with(|| {
                            states.push(bytes);
                            states.len() - 1
                        });
                        next.push((steps, number));
                    }
                }
            }
            successors.push(next);
            distances.push(distance);
        }
        let mut graph = Graph { states, successors, distances };
        while graph.relax() {}
        Some(graph)
    }

    /// How many states are at most so many steps from the initial one.
    fn states_within(&self, bound: Depth) -> u64 {
        let mut distances = vec![Depth::MAX; self.states.len()];
        distances[0] = 0;
        let mut is_changed = true;
        while std::mem::replace(&mut is_changed, false) {
            for at in 0..self.states.len() {
                for (steps, to) in &self.successors[at] {
                    let further = distances[at].saturating_add(*steps);
                    if further < distances[*to] {
                        distances[*to] = further;
                        is_changed = true;
                    }
                }
            }
        }
        distances.iter().filter(|distance| **distance <= bound).count() as u64
    }

    fn relax(&mut self) -> bool {
        let mut is_changed = false;
        for at in (0..self.states.len()).rev() {
            for (steps, to) in &self.successors[at] {
                if let Some(further) = self.distances[*to].map(|d| d + steps)
                    && self.distances[at].is_none_or(|known| further < known)
                {
                    self.distances[at] = Some(further);
                    is_changed = true;
                }
            }
        }
        is_changed
    }
}

fn ask(
    program: &Arc<Program>,
    question: &Question,
    graph: &Graph,
    tally: &Mutex<Tally>,
) -> Result<(), String> {
    let estimator = |heuristic| {
        Estimator::new(program, question.options, heuristic, &question.goal, &Wishes::default())
    };
    let mut bound = estimator(Heuristic::Bound)?;
    admissible(&mut bound, graph)?;
    let config = question.config();
    let exec = || Exec::new(Arc::clone(program), question.options);
    let shortest = graph.distances[0];
    let judge = |what: &str, result: &Directed, is_optimal: bool| {
        let first = result.outcome.errors.first();
        if first.is_some() != shortest.is_some() {
            return Err(format!("{what} found {first:?}, the distance is {shortest:?}"));
        }
        if is_optimal && first.map(|e| e.length) != shortest {
            return Err(format!("{what} found {first:?}, the distance is {shortest:?}"));
        }
        result.outcome.errors.iter().try_for_each(|error| replay(&mut exec(), error))
    };
    let by = |ranking, estimate: &mut Estimator| {
        best_first(&mut exec(), estimate, ranking, &config, &mut SilentObserver)
    };
    let first = by(Ranking::A_STAR, &mut bound);
    judge("A*", &first, true)?;
    let deepening =
        iterative_deepening(&mut exec(), &mut bound, IdaTable::Exact, &config, &mut SilentObserver);
    judge("IDA*", &deepening, true)?;
    let wide = beam(&mut exec(), &mut bound, usize::MAX, &config, &mut SilentObserver);
    judge("beam", &wide, false)?;
    let blind = breadth_first(&mut exec(), &mut ExactStore::new(), &config, &mut SilentObserver);
    let (few, all) = (first.outcome.stats.expanded, blind.stats.expanded);
    let near = graph.states_within(shortest.unwrap_or(Depth::MAX));
    if few > near {
        return Err(format!("A* expands {few} states, but {near} are no farther than the error"));
    }
    let mut chosen = few;
    let mut greedy = by(Ranking::Estimate, &mut bound).outcome.stats.expanded;
    for heuristic in [Heuristic::Deadlock, Heuristic::Active, Heuristic::Formula] {
        let Ok(mut estimate) = estimator(heuristic) else { continue };
        let mut expanded = [0; 2];
        for (at, ranking) in [Ranking::A_STAR, Ranking::Estimate].into_iter().enumerate() {
            let result = by(ranking, &mut estimate);
            judge(heuristic.name(), &result, false)?;
            expanded[at] = result.outcome.stats.expanded;
        }
        [chosen, greedy] = expanded;
    }
    if shortest.is_some() {
        let mut tally = lock(tally);
        tally.with_errors += 1;
        tally.breadth_first += all;
        tally.bound += few;
        tally.chosen += chosen;
        tally.greedy += greedy;
    }
    Ok(())
}

/// No estimate is larger than the distance, and none falls faster than steps are made.
fn admissible(bound: &mut Estimator, graph: &Graph) -> Result<(), String> {
    let estimates: Vec<Depth> =
        graph.states.iter().map(|state| Depth::from(bound.estimate(state))).collect();
    for (at, estimate) in estimates.iter().enumerate() {
        if let Some(distance) = graph.distances[at].filter(|distance| estimate > distance) {
            return Err(format!("state {at} is {distance} steps from an error, not {estimate}"));
        }
        for (steps, to) in &graph.successors[at] {
            if *estimate > steps + estimates[*to] {
                let next = estimates[*to];
                return Err(format!("{estimate} becomes {next} after {steps} steps, state {at}"));
            }
        }
    }
    Ok(())
}

fn replay(exec: &mut Exec, error: &FoundError) -> Result<(), String> {
    let mut state = exec.initial().map_err(|v| format!("{v:?} at once"))?;
    let mut expansion = Expansion::new();
    let mut length = 0;
    for (at, number) in error.path.iter().enumerate() {
        exec.expand(&state, &mut expansion);
        let Some(event) = expansion.events().get(*number as usize) else {
            return Err(format!("{error:?} has no event {number}"));
        };
        length += Depth::from(event.steps);
        let is_last = at + 1 == error.path.len();
        if is_last != (event.kind == EventKind::Violation(error.violation)) {
            return Err(format!("{error:?} does not end in its violation"));
        }
        state = expansion.state(event).to_vec();
    }
    if length != error.length {
        return Err(format!("{error:?} has {length} steps"));
    }
    Ok(())
}
