//! A number per model for all that the interpreter says about its first states:
//! equal numbers before and after a change mean that it changed nothing.
//!
//! `digest [--states N] FILE…` (names of files are read from standard input if there are none)
#![allow(clippy::print_stdout, reason = "a tool that prints its results")]

mod common;

use spinor_exec::{Actor, Exec, Options, StepKind};
use spinor_program::{Program, StmtId};
use spinor_ts::{EventKind, Expansion};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

/// States whose moves are also taken apart.
const REPLAYED: usize = 100;

/// Events and atomic steps after which a model is left.
const ENOUGH: u64 = 1 << 20;

fn main() {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let mut states = 20_000;
    if args.first().is_some_and(|a| a == "--states") {
        states = args.get(1).and_then(|n| n.parse().ok()).unwrap_or(states);
        args.drain(..2);
    }
    if args.is_empty() {
        args = std::io::stdin().lines().map_while(Result::ok).collect();
    }
    for path in args {
        let Some(program) = common::compile(&path) else {
            println!("- {path}");
            continue;
        };
        let mut all = vec![Options::default()];
        all.extend(
            (0..program.claims.len().min(2))
                .map(|c| Options { claim: Some(c), ..Options::default() }),
        );
        if program.trace.is_some() {
            all.push(Options { claim: None, no_trace: true, ..Options::default() });
        }
        for options in all {
            let (digest, states, events) = digest(&program, options, states);
            println!("{digest:016x} {states} {events} {:?} {path}", options.claim);
        }
    }
}

/// The digest, and how many states and events are in it.
fn digest(program: &Arc<Program>, options: Options, most: usize) -> (u64, usize, u64) {
    let mut exec = Exec::new(Arc::clone(program), options);
    let mut hasher = DefaultHasher::new();
    let (mut states, mut events, mut work) = (0, 0, 0);
    common::breadth_first(&mut exec, |exec, state, out| {
        states += 1;
        events += out.events().len() as u64;
        work += out.events().len() as u64 + out.atomic_steps;
        hash_expansion(out, &mut hasher);
        if states <= REPLAYED && work < ENOUGH / 16 {
            for event in 0..=out.events().len() as u32 {
                hash_replay(exec, state, event, &mut hasher);
            }
        }
        states < most && work < ENOUGH
    });
    for statement in 0..program.statements.len() as u32 {
        exec.was_executed(StmtId(statement)).hash(&mut hasher);
    }
    (hasher.finish(), states, events)
}

fn hash_expansion(out: &Expansion, hasher: &mut DefaultHasher) {
    for event in out.events() {
        match event.kind {
            EventKind::Successor => out.state(event).hash(hasher),
            EventKind::Violation(violation) => violation.hash(hasher),
        }
        event.steps.hash(hasher);
    }
    (out.atomic_steps, out.deepest, out.cut).hash(hasher);
}

fn hash_replay(exec: &Exec, state: &[u8], event: u32, hasher: &mut DefaultHasher) {
    let Some((steps, out)) = exec.replay(state, event) else {
        0u8.hash(hasher);
        return;
    };
    for step in &steps {
        let actor = match step.actor {
            Actor::Process(pid) => pid + 1,
            Actor::Claim => 0,
        };
        let kind = match step.kind {
            StepKind::Step => 0u8,
            StepKind::Offer => 1,
            StepKind::Accept => 2,
        };
        (actor, step.statement, kind, &step.state).hash(hasher);
    }
    hash_expansion(&out, hasher);
}
