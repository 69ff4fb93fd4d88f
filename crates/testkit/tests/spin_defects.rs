//! Models on which SPIN 6.5.2 is wrong, with the proof in each model's header.
//!
//! The test fails when SPIN changes its mind as well as when we do: then the
//! defect is to be taken out of the documentation.
#![allow(clippy::print_stderr, reason = "says why a comparison is skipped")]

use std::path::PathBuf;
use std::time::Duration;

use spinor_check::{CheckConfig, check};
use spinor_testkit::classify::{ErrorKind, RuntimeKind, kinds};
use spinor_testkit::differ::Subject;
use spinor_testkit::golden::DEFECTS;
use spinor_testkit::liveness::answer::read;
use spinor_testkit::matrix::compare;
use spinor_testkit::spin::{Config, Oracle};
use spinor_testkit::spinor::{Spinor, USUAL, kind};
use spinor_ts::SilentObserver;

/// Whether the error of a model is real, and which flag makes SPIN agree.
struct Defect {
    model: &'static str,
    error: ErrorKind,
    is_real: bool,
    cured_by: Option<&'static str>,
}

const fn false_alarm(model: &'static str, error: ErrorKind) -> Defect {
    Defect { model, error, is_real: false, cured_by: None }
}

const DEFECTS_OF_SPIN: &[Defect] = &[
    false_alarm("eval_of_len", ErrorKind::Assertion),
    false_alarm("receive_cuts", ErrorKind::Assertion),
    false_alarm("receive_index", ErrorKind::Assertion),
    false_alarm("self_index", ErrorKind::Assertion),
    false_alarm("hidden_dstep", ErrorKind::Assertion),
    false_alarm("trace_rendezvous", ErrorKind::Assertion),
    false_alarm("trace_sorted", ErrorKind::TraceViolated),
    false_alarm("trace_random", ErrorKind::TraceViolated),
    Defect { model: "enabled_else", error: ErrorKind::Assertion, is_real: true, cured_by: None },
    false_alarm("inline_mtype", ErrorKind::Assertion),
    false_alarm("dstep_nested_choice", ErrorKind::Runtime(RuntimeKind::BlockInDStep)),
    Defect { model: "rendezvous_len", error: ErrorKind::Assertion, is_real: true, cured_by: None },
    Defect { model: "dstep_guard", error: ErrorKind::Assertion, is_real: true, cured_by: None },
    Defect {
        model: "priority_mask",
        error: ErrorKind::Assertion,
        is_real: true,
        cured_by: Some("-DNOCOMP"),
    },
];

/// Errors that statement merging loses.
const LOST_BY_MERGING: [&str; 11] = [
    "merging_atomic",
    "merging_departure",
    "merging_else",
    "merging_inside",
    "merging_label",
    "merging_last",
    "merging_local",
    "merging_priority",
    "merging_run",
    "merging_sequence",
    "merging_unless",
];

fn source(model: &str) -> String {
    let dir = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../models").join(DEFECTS);
    std::fs::read_to_string(dir.join(format!("{model}.pml"))).expect("the model is there")
}

#[test]
fn spin_loses_errors_by_merging_and_we_do_not() {
    for model in LOST_BY_MERGING {
        let text = source(model);
        let loaded = read(model, &text, &[]).expect("a model");
        let tally = compare(&loaded, Duration::from_secs(60), 0, 1);
        assert_eq!(tally.differences, Vec::<String>::new(), "{model}");
        assert!(tally.violated > 0, "{model}: we find no error");
        if let Err(reason) = Oracle::is_available() {
            eprintln!("skipped the comparison with SPIN: {reason}");
            continue;
        }
        let says = |spin_flags: &[&str]| {
            let spin_flags = spin_flags.iter().map(ToString::to_string).collect();
            let oracle = Oracle { spin_flags, ..Oracle::default() };
            let outcome = oracle.check(&text, Config::VerdictAll).expect("SPIN runs");
            assert_eq!(outcome.refused, None, "{model}");
            (kinds(&outcome).contains(&ErrorKind::Assertion), outcome)
        };
        // SPIN once found an error here that it misses in a thousand runs since: it is asked again before it counts as right.
        let answers: Vec<_> = (0..3).map(|_| says(&[])).collect();
        assert!(answers.iter().any(|(found, _)| !found), "{model}: SPIN is right: {answers:?}");
        let (found, outcome) = says(&["-o3"]);
        assert!(found, "{model}: SPIN is wrong without merging: {outcome:?}");
    }
}

/// Partial order reduction lets processes go as soon as they are at their end. The whole graph is out of reach, so the error is
/// for those to find who go deep.
#[test]
fn spin_loses_an_error_by_reduction_and_we_do_not() {
    let text = source("reduction_ends");
    let error = ErrorKind::Runtime(RuntimeKind::TooManyProcesses);
    let loaded = read("reduction_ends", &text, &[]).expect("a model");
    let config = CheckConfig {
        max_errors: 1,
        threads: Some(2),
        time_limit: Some(Duration::from_secs(300)),
        ..CheckConfig::default()
    };
    let reports = check(&loaded, &config, &mut SilentObserver).expect("a search");
    let found: Vec<_> = reports[0].errors.iter().map(|found| kind(found.violation)).collect();
    assert_eq!(found, [error]);
    if let Err(reason) = Oracle::is_available() {
        eprintln!("skipped the comparison with SPIN: {reason}");
        return;
    }
    let says = |cc_flags: &[&str]| {
        let cc_flags = cc_flags.iter().map(ToString::to_string).collect();
        let oracle = Oracle { cc_flags, ..Oracle::default() };
        let outcome = oracle.check(&text, Config::Verdict).expect("SPIN runs");
        assert_eq!((outcome.refused.as_ref(), outcome.truncated), (None, None));
        kinds(&outcome)
    };
    assert_eq!(says(&["-UNOREDUCE"]), [], "SPIN is right");
    assert_eq!(says(&["-UNOREDUCE", "-DREVERSE"]), [error], "SPIN is wrong in either order");
}

#[test]
fn spin_is_wrong_and_we_are_not() {
    for defect in DEFECTS_OF_SPIN {
        let source = source(defect.model);
        for setup in USUAL {
            let ours = Spinor(setup).check(&source, Config::VerdictAll);
            let found = ours.errors.contains(&defect.error);
            assert_eq!(found, defect.is_real, "{}: we say {ours:?}", defect.model);
        }
        if let Err(reason) = Oracle::is_available() {
            eprintln!("skipped the comparison with SPIN: {reason}");
            continue;
        }
        let says = |cc_flags: Vec<String>| {
            let oracle = Oracle { cc_flags, ..Oracle::default() };
            let outcome = oracle.check(&source, Config::VerdictAll).expect("SPIN runs");
            kinds(&outcome).contains(&defect.error)
        };
        assert_eq!(says(Vec::new()), !defect.is_real, "{}: SPIN is right", defect.model);
        if let Some(flag) = defect.cured_by {
            assert_eq!(says(vec![flag.to_owned()]), defect.is_real, "{}", defect.model);
        }
    }
}
