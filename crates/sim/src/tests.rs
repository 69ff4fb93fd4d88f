//! Simulated runs are runs of the verifier.

use crate::{Chance, Ending, Simulation};
use spinor_base::SourceMap;
use spinor_exec::{Exec, Options};
use spinor_program::Program;
use spinor_syntax::{NoFiles, PreprocessOptions};
use spinor_trace::{Interest, Move, Step, View};
use spinor_ts::{EventKind, Expansion, TransitionSystem, ViolationKind};
use std::sync::Arc;

fn compile(text: &str) -> (Arc<Program>, SourceMap) {
    let mut parsed = spinor_syntax::parse("m.pml", text, &PreprocessOptions::default(), &NoFiles);
    let analysis = spinor_sema::analyze(&parsed);
    let lowered = spinor_program::lower(&analysis.model);
    let found: Vec<_> = (parsed.diagnostics.iter())
        .chain(&analysis.diagnostics)
        .filter(|d| d.is_error())
        .map(|d| d.message.clone())
        .collect();
    assert!(found.is_empty(), "{found:?}\n{text}");
    (Arc::new(lowered.program), std::mem::take(&mut parsed.sources))
}

struct Ran {
    moves: Vec<Move>,
    state: Vec<u8>,
    steps: Vec<Step>,
    ending: Ending,
    kind: Option<ViolationKind>,
}

fn simulate(program: &Arc<Program>, sources: &SourceMap, seed: u64, bound: u64) -> Ran {
    let view = View::new(program, sources, Options::default());
    let interest = Interest::default();
    let mut simulation = Simulation::new(view, &interest, false);
    let mut chance = Chance::new(seed);
    let mut steps = Vec::new();
    while simulation.ending().is_none() {
        if simulation.steps() >= bound {
            simulation.end(Ending::Bound);
            break;
        }
        let Some(draw) = simulation.draw(&mut chance) else { break };
        let choice = simulation.choice_of(draw).unwrap();
        let room = bound - simulation.steps();
        steps.extend(simulation.take(&choice, room).unwrap().steps);
    }
    let ending = simulation.ending().unwrap();
    let kind = simulation.story(Vec::new()).violation.map(|violation| violation.kind);
    let moves = simulation.run().unwrap().moves;
    let state = simulation.state().unwrap().to_vec();
    Ran { moves, state, steps, ending, kind }
}

const MODELS: &[(&str, &str)] = &[
    ("ends", "byte n; active [3] proctype P() { n++; n-- }"),
    ("assertion", "byte n; active [2] proctype P() { byte t; t = n; n = t + 1; assert(n < 2) }"),
    ("deadlock", "chan q = [1] of {byte}; active [2] proctype P() { q!1; q!2 }"),
    ("soft error", "byte a[2]; byte i; active [2] proctype P() { i++; a[i] = 1; i = 0 }"),
    ("division", "byte z; byte x; active proctype P() { if :: z = 1 :: skip fi; x = 3 / z }"),
    (
        "rendezvous",
        "chan c = [0] of {byte}; active proctype A() { do :: c!1 :: c!2 od }
         active [2] proctype B() { byte x; end: do :: c?x od }",
    ),
    (
        "atomic",
        "byte n; active [2] proctype P() { byte i;
         do :: atomic { select(i : 1 .. 5); n = i; if :: n > 3 -> assert(n < 5) :: else fi } od }",
    ),
    ("timeout", "byte n; active proctype P() { n == 1 } active proctype Q() { timeout -> n = 1 }"),
    (
        "d_step",
        "byte n; active [2] proctype P() { do :: d_step { n < 9; n++; n++ } :: n > 5 -> n = 0 od }",
    ),
    (
        "run",
        "proctype P(byte n) { if :: n > 0 -> run P(n - 1) :: else fi } init { run P(3); run P(2) }",
    ),
    ("unless", "byte n; active proctype P() { { do :: n++ od } unless { n == 7; n = 0 } }"),
    (
        "error inside",
        "byte n; active proctype P() { atomic { n = 1; assert(n == 2); n = 3 }; n = 4 }",
    ),
];

#[test]
fn every_step_is_one_of_the_verifier() {
    for (name, text) in MODELS {
        let (program, sources) = compile(text);
        for seed in 0..20 {
            let ran = simulate(&program, &sources, seed, 300);
            let mut exec = Exec::new(Arc::clone(&program), Options::default());
            let mut state = exec.initial().unwrap();
            let mut expansion = Expansion::new();
            for (number, step) in ran.moves.iter().enumerate() {
                exec.expand(&state, &mut expansion);
                let Move::Event(event) = step else { panic!("{name}: nothing moves") };
                let event = expansion.events()[*event as usize];
                let is_last = number + 1 == ran.moves.len();
                match event.kind {
                    EventKind::Successor => state = expansion.state(&event).to_vec(),
                    EventKind::Violation(violation) => {
                        assert!(is_last, "{name}: an error is passed over");
                        assert_eq!(Some(violation.kind), ran.kind);
                    }
                }
            }
            if ran.ending != Ending::Bound {
                exec.expand(&state, &mut expansion);
                let can_go_on = expansion.events().iter().any(|e| e.kind == EventKind::Successor);
                assert_eq!(ran.ending != Ending::Error, !can_go_on && ran.kind.is_none());
            }
        }
    }
}

#[test]
fn endings() {
    let of = |name: &str, seed| {
        let (_, text) = MODELS.iter().find(|(n, _)| *n == name).unwrap();
        let (program, sources) = compile(text);
        let ran = simulate(&program, &sources, seed, 200);
        (ran.ending, ran.kind)
    };
    assert_eq!(of("ends", 1), (Ending::AllEnded, None));
    assert_eq!(of("assertion", 1), (Ending::Error, Some(ViolationKind::Assertion)));
    assert_eq!(of("deadlock", 1), (Ending::Error, Some(ViolationKind::InvalidEndState)));
    assert_eq!(of("error inside", 1), (Ending::Error, Some(ViolationKind::Assertion)));
    assert_eq!(of("rendezvous", 1), (Ending::Bound, None));
    assert_eq!(of("timeout", 1), (Ending::AllEnded, None));
    assert!(
        (0..10).any(|seed| of("division", seed) == (Ending::Error, Some(ViolationKind::Runtime)))
    );
}

#[test]
fn errors_are_never_passed_over() {
    // The assertion fails whenever it is reached; a search could go on behind it.
    let (program, sources) =
        compile("byte n; active [3] proctype P() { do :: n = 1 :: assert(false) od }");
    for seed in 0..50 {
        let ran = simulate(&program, &sources, seed, 1000);
        assert_eq!(ran.kind, Some(ViolationKind::Assertion), "seed {seed}");
        let asserts = ran.steps.iter().filter(|s| s.statement.starts_with("assert")).count();
        assert_eq!(asserts, 1);
    }
}

#[test]
fn the_same_seed_gives_the_same_run() {
    let (program, sources) = compile(MODELS[6].1);
    let first = simulate(&program, &sources, 42, 200);
    assert_eq!(first.moves, simulate(&program, &sources, 42, 200).moves);
    let others: Vec<_> = (0..5).map(|s| simulate(&program, &sources, s, 200).moves).collect();
    assert!(others.iter().any(|moves| *moves != first.moves));
}

#[test]
fn the_bound_is_exact_even_inside_an_atomic_sequence() {
    let (program, sources) = compile(
        "byte n; active proctype P() { do :: atomic { n = 1; n = 2; n = 3; n = 4; n = 5 } od }",
    );
    for bound in [1, 7, 13, 50] {
        let ran = simulate(&program, &sources, 0, bound);
        assert_eq!(ran.ending, Ending::Bound);
        assert_eq!(ran.steps.len() as u64, bound);
    }
}

#[test]
fn processes_are_equally_likely_whatever_their_choices() {
    let (program, sources) = compile(
        "byte n; active proctype A() { do :: n = 1 :: n = 2 :: n = 3 :: n = 4 :: n = 5 od }
         active proctype B() { do :: n = 0 od }",
    );
    let ran = simulate(&program, &sources, 3, 2000);
    let of_b = ran.steps.iter().filter(|s| s.who.pid == Some(1)).count();
    assert!((850..1150).contains(&of_b), "{of_b}");
}

#[test]
fn going_back_restores_state_and_numbers() {
    let (program, sources) = compile("byte n; active proctype P() { n = 1; n = 2; n = 3 }");
    let view = View::new(&program, &sources, Options::default());
    let interest = Interest::default();
    let mut simulation = Simulation::new(view, &interest, true);
    assert!(!simulation.back());
    let first = simulation.choices();
    let told = simulation.preview(&first[0]).unwrap();
    assert_eq!(simulation.steps(), 0);
    let happened = simulation.take(&first[0], 100).unwrap();
    assert_eq!(told.steps, happened.steps);
    let second = simulation.choices();
    simulation.take(&second[0], 100).unwrap();
    assert_eq!(simulation.snapshot().variables[0].value, "2");
    assert!(simulation.back());
    assert_eq!(simulation.snapshot().variables[0].value, "1");
    assert_eq!(simulation.take(&second[0], 100).unwrap().steps[0].number, 2);
}

#[test]
fn passing_is_taking_without_words() {
    for (name, text) in MODELS {
        let (program, sources) = compile(text);
        for seed in 0..5 {
            let view = View::new(&program, &sources, Options::default());
            let interest = Interest::default();
            let mut simulation = Simulation::new(view, &interest, false);
            let mut chance = Chance::new(seed);
            while simulation.ending().is_none() && simulation.steps() < 300 {
                let Some(draw) = simulation.draw(&mut chance) else { break };
                let room = 300 - simulation.steps();
                simulation.pass(draw, room).unwrap();
            }
            simulation.end(Ending::Bound);
            let told = simulate(&program, &sources, seed, 300);
            assert_eq!(simulation.state(), Some(&*told.state), "{name}");
            assert_eq!(simulation.steps(), told.steps.len() as u64, "{name}");
            assert_eq!(simulation.ending(), Some(told.ending), "{name}");
        }
    }
}

#[test]
fn priorities_can_be_weights() {
    let text = "int a[3]; active proctype I() { run P(1) priority 9; run P(2) }
        proctype P(byte i) { do :: a[i]++ od }";
    let (mut program, sources) = compile(text);
    let weighing = Arc::make_mut(&mut program);
    (weighing.uses_priority, weighing.weighs_priority) = (false, true);
    let ran = simulate(&program, &sources, 1, 3_000);
    let steps_of = |pid: usize| ran.steps.iter().filter(|s| s.who.pid == Some(pid)).count();
    let (heavy, light) = (steps_of(1), steps_of(2));
    assert!(heavy > 7 * light && heavy < 11 * light, "9 to 1, but {heavy} to {light}");
}
