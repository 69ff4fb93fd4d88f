use super::*;
use crate::spin::{Config, Oracle};

fn all_options() -> Options {
    Options { claims: true, traces: true, runtime_errors: true, ..Options::default() }
}

#[test]
fn same_seed_same_text() {
    for seed in 0..200 {
        for options in [Options::default(), all_options()] {
            assert_eq!(generate_text(seed, &options), generate_text(seed, &options));
        }
    }
    assert_ne!(generate_text(1, &Options::default()), generate_text(2, &Options::default()));
}

#[test]
fn every_construct_occurs() {
    let mut text = String::new();
    for seed in 0..1000 {
        text.push_str(&generate_text(seed, &all_options()));
        // A trace keeps some forms of channel operations away.
        let untraced = Options { traces: false, ..all_options() };
        text.push_str(&generate_text(seed, &untraced));
    }
    for needle in [
        "bit ",
        "bool ",
        "byte ",
        "pid ",
        "short ",
        "int ",
        "unsigned ",
        "mtype ",
        "mtype:",
        "typedef ",
        "hidden ",
        "active [2]",
        "active [3]",
        "init {",
        "run P",
        "provided (",
        "priority ",
        "set_priority(",
        "get_priority(",
        "_priority = ",
        "inline ",
        "if\n",
        "do\n",
        "else",
        "break;",
        "goto ",
        "end",
        "progress",
        "accept",
        "for (",
        " in ",
        "select (",
        "atomic {",
        "d_step {",
        "unless {",
        "timeout",
        "assert(",
        "printf(",
        "%e",
        "!!",
        "??",
        "?<",
        "??<",
        "?[",
        "??[",
        "eval(",
        "_,",
        "len(",
        "empty(",
        "nempty(",
        "full(",
        "nfull(",
        "_pid",
        "_nr_pr",
        "_last",
        "enabled(",
        "pc_value(",
        "@L",
        "]:x",
        " -> ",
        "++;",
        "--;",
        "<< ",
        ">> ",
        "~",
        " ^ ",
        "never {",
        "trace {",
        "notrace {",
        "[0] of",
        "[1] of",
        "[2] of",
        "chan, byte }",
    ] {
        assert!(text.contains(needle), "{needle:?} never occurs");
    }
}

#[test]
fn infinite_runs_are_judged_by_formulas_labels_and_claims() {
    let options = Options { liveness: true, ..Options::default() };
    let texts: Vec<String> = (0..400).map(|seed| generate_text(seed, &options)).collect();
    let all = texts.concat();
    for needle in [
        "ltl p", "([] ", "(<> ", " U ", " W ", " V ", "(! ", "@L", "accept", "progress", "never {",
        "len(",
    ] {
        assert!(all.contains(needle), "{needle:?} never occurs");
    }
    for text in &texts {
        // SPIN would take the label of the process for one of the claim's.
        let claims = text.contains("ltl ") || text.contains("never {");
        let (processes, _) = text.split_once("never {").unwrap_or((text, ""));
        assert!(!claims || !processes.contains("accept"), "{text}");
        assert!(!text.contains("_nr_pr"), "SPIN counts the claim: {text}");
    }
}

#[test]
fn spin_accepts_the_models() {
    if let Err(reason) = Oracle::is_available() {
        #[expect(clippy::print_stderr, reason = "a skipped test says why")]
        {
            eprintln!("skipped: {reason}");
        }
        return;
    }
    let oracle = Oracle::default();
    let mut refusals = Vec::new();
    for seed in 0..40 {
        let text = generate_text(seed, &Options::default());
        let out = oracle.check(&text, Config::Full).expect("oracle ran");
        if let Some(reason) = out.refused {
            refusals.push((seed, reason));
        }
    }
    assert!(refusals.len() <= 2, "{refusals:?}");
}
