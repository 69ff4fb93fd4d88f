use super::generate_meetings;
use crate::spinor::compile_with;
use spinor_syntax::PreprocessOptions;

#[test]
fn same_seed_same_text() {
    for seed in 0..200 {
        assert_eq!(generate_meetings(seed), generate_meetings(seed));
    }
    assert_ne!(generate_meetings(1), generate_meetings(2));
}

#[test]
fn every_model_compiles() {
    for seed in 0..500 {
        let text = generate_meetings(seed);
        let program = compile_with("model", &text, &PreprocessOptions::default());
        assert!(program.is_ok(), "{:?}\n{text}", program.err());
    }
}

#[test]
fn every_construct_occurs() {
    let text: String = (0..1000).map(generate_meetings).collect();
    for needle in [
        "= [0] of",
        "= [1] of",
        "active [2] proctype",
        "atomic { x = 1; c0!1",
        "atomic { x = 1; end",
        "atomic { g0 = 1; c",
        "atomic { run T(); ",
        "atomic { c0?x; ",
        "atomic { d_step { x = ",
        "?eval(y)",
        "?g0",
        "else -> assert(",
        ":: timeout",
        "unless { g1 == 1 }",
        "unless { atomic {",
        "timeout; assert(",
        "P0@L",
        "do ::",
    ] {
        assert!(text.contains(needle), "{needle:?} never occurs");
    }
}
