use super::generate_stretches;
use crate::spinor::compile_with;
use spinor_syntax::PreprocessOptions;

#[test]
fn same_seed_same_text() {
    for seed in 0..200 {
        assert_eq!(generate_stretches(seed), generate_stretches(seed));
    }
    assert_ne!(generate_stretches(1), generate_stretches(2));
}

#[test]
fn every_model_compiles() {
    for seed in 0..500 {
        let text = generate_stretches(seed);
        let program = compile_with("model", &text, &PreprocessOptions::default());
        assert!(program.is_ok(), "{:?}\n{text}", program.err());
    }
}

#[test]
fn every_construct_occurs() {
    let text: String = (0..1000).map(generate_stretches).collect();
    for needle in [
        "= [0] of",
        "= [1] of",
        " priority 3 {",
        "_priority = 2",
        "x = run T()",
        "y = run T()",
        "goto L1; L1: y",
        "_last == 1",
        "_nr_pr != 3",
        "atomic { c?x; ",
        "if :: c!1 -> ",
        "else -> assert(",
        "} unless { c!1",
        "timeout",
        "y = _pid",
        "do ::",
    ] {
        assert!(text.contains(needle), "{needle:?} never occurs");
    }
}
