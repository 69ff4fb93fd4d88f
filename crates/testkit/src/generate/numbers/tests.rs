use super::generate_numbers;
use crate::spinor::compile_with;
use spinor_syntax::PreprocessOptions;

#[test]
fn same_seed_same_text() {
    for seed in 0..200 {
        assert_eq!(generate_numbers(seed), generate_numbers(seed));
    }
    assert_ne!(generate_numbers(1), generate_numbers(2));
}

#[test]
fn most_models_compile() {
    let is_model = |seed: &u64| {
        let text = generate_numbers(*seed);
        compile_with("model", &text, &PreprocessOptions::default()).is_ok()
    };
    // A constant index of a shift or a division may be refused.
    assert!((0..500).filter(is_model).count() > 450);
}

#[test]
fn every_construct_occurs() {
    let text: String = (0..500).map(generate_numbers).collect();
    for needle in [
        "unsigned v",
        "short l",
        "bit a0[16]",
        "a0[v0]",
        "a1[v1 - 1]",
        "== 511",
        "= -1",
        "< -32768",
        "d_step {",
        "atomic {",
        "assert(",
        "|| !",
        "<< 4",
        "% 7",
        " -> v",
    ] {
        assert!(text.contains(needle), "{needle:?} never occurs");
    }
}
