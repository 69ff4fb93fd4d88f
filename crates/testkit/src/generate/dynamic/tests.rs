use super::generate_dynamic;
use crate::spinor::compile_with;
use spinor_syntax::PreprocessOptions;

#[test]
fn same_seed_same_text() {
    for seed in 0..200 {
        assert_eq!(generate_dynamic(seed), generate_dynamic(seed));
    }
    assert_ne!(generate_dynamic(1), generate_dynamic(2));
}

#[test]
fn every_model_compiles() {
    for seed in 0..500 {
        let text = generate_dynamic(seed);
        let program = compile_with("model", &text, &PreprocessOptions::default());
        assert!(program.is_ok(), "{:?}\n{text}", program.err());
    }
}

#[test]
fn every_construct_occurs() {
    let text: String = (0..1000).map(generate_dynamic).collect();
    for needle in [
        "init {",
        "active proctype",
        "run T2(",
        "g0 = run T",
        "y0 = run T",
        "byte n; chan c",
        "chan own = [0]",
        "chan own = [1]",
        "chan own[2]",
        "chan x = own",
        "byte y0 = g0;",
        "byte y1 = y0;",
        "byte y0 = n;",
        "byte y0 = _pid;",
        "byte y0 = _nr_pr;",
        "byte y0 = len(",
        "h0!own",
        "h0?x",
        "h1?x",
        "k0 = own",
        "g0 = own",
        "x!",
        "c?",
        "len(x)",
        "full(x)",
        "empty(c)",
        "nempty(x)",
        "nfull(x)",
        "x?[",
        "timeout ->",
        "atomic { run T",
        "d_step {",
        "g1++; run T",
        "assert(",
        "end: do",
        "do :: skip od",
    ] {
        assert!(text.contains(needle), "{needle:?} never occurs");
    }
}
