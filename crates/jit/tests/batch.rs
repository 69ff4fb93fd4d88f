//! Several states expanded at once give what each of them gives alone.

mod common;

use common::{program, states};
use spinor_exec::{Exec, Options};
use spinor_jit::{Engine, Native, TierConfig, Tiered};
use spinor_ts::{EventKind, Expansion, PADDING, Padded, TransitionSystem};
use std::sync::Arc;

const MODELS: [(&str, &str); 5] = [
    ("plain", "byte x; active [3] proctype p() { do :: x < 9 -> x++ :: x > 0 -> x-- od }"),
    ("errors", "byte x; active [2] proctype p() { do :: x < 5 -> x++ :: x = x / (3 - x) od }"),
    (
        "atomic",
        "byte x, y; active [2] proctype p() { do :: atomic { x < 3 -> x++; y = x } :: y > 0 -> y-- od }",
    ),
    (
        "rendezvous",
        "chan c = [0] of { byte }; chan d = [2] of { byte };
         active proctype p() { byte i; do :: c!i; i = (i + 1) % 4 :: d?i od }
         active proctype q() { byte i; do :: c?i; d!i od }",
    ),
    (
        "dynamic",
        "byte n; proctype w(byte k) { byte i; do :: i < k -> i++ :: else -> break od; n-- }
         init { do :: n < 2 -> n++; run w(n) :: n == 0 -> skip od }",
    ),
];

type Event = (EventKind, u32, Vec<u8>);

fn events(expansion: &Expansion) -> Vec<Event> {
    let state = |e: &spinor_ts::Event| expansion.state(e).to_vec();
    expansion.events().iter().map(|e| (e.kind, e.steps, state(e))).collect()
}

fn compare(name: &str, system: &mut impl TransitionSystem, exec: &mut Exec) {
    let all: Vec<(Vec<u8>, usize)> = states(exec, 2000)
        .into_iter()
        .map(|mut state| {
            let len = state.len();
            state.resize(len + PADDING, 0xa5);
            (state, len)
        })
        .collect();
    let padded: Vec<Padded<'_>> =
        all.iter().map(|(bytes, len)| Padded::new(bytes, *len).expect("padded")).collect();
    let (mut one, mut many) = (Expansion::new(), Expansion::new());
    let mut ends = Vec::new();
    let mut done = 0;
    let mut size = 1;
    while done < padded.len() {
        let batch = &padded[done..padded.len().min(done + size)];
        system.expand_many(batch, &mut many, &mut ends);
        assert!(!ends.is_empty() && ends.len() <= batch.len(), "{name}");
        let (mut expected, mut atomic_steps, mut deepest) = (Vec::new(), 0, 0);
        for (state, end) in batch.iter().zip(&ends) {
            exec.expand(state.state(), &mut one);
            expected.extend(events(&one));
            assert_eq!(expected.len(), *end as usize, "{name}: {:?}", state.state());
            atomic_steps += one.atomic_steps;
            deepest = deepest.max(one.deepest);
        }
        assert_eq!(events(&many), expected, "{name}");
        assert_eq!((many.atomic_steps, many.deepest), (atomic_steps, deepest), "{name}");
        let is_plain = |e: &Event| e.0 == EventKind::Successor && e.1 == 1;
        assert!(!many.is_plain || expected.iter().all(is_plain), "{name}");
        done += ends.len();
        size = size % 17 + 1;
    }
}

#[test]
fn batches_are_sums() {
    for (name, text) in MODELS {
        let program = program(name, text).unwrap_or_else(|e| panic!("{name}: {e}"));
        let options = Options::default();
        let mut exec = Exec::new(Arc::clone(&program), options);
        let mut native = Native::compile(Arc::clone(&program), options).expect("code");
        compare(name, &mut native, &mut exec);
        let config =
            TierConfig { engine: Engine::Interpreter, patience: 0, ..TierConfig::default() };
        compare(name, &mut Tiered::new(program, options, config), &mut exec);
    }
}
