use super::*;
use crate::spin::Message;

fn spin(stored: u64, messages: &[&str]) -> SpinOutcome {
    SpinOutcome {
        stored,
        transitions: stored,
        errors: messages.len() as u64,
        messages: messages.iter().map(|t| Message { text: (*t).to_owned(), depth: 1 }).collect(),
        ..SpinOutcome::default()
    }
}

fn ours(stored: u64, errors: &[ErrorKind]) -> SubjectOutcome {
    SubjectOutcome {
        stored,
        transitions: stored,
        errors: errors.to_vec(),
        ..SubjectOutcome::default()
    }
}

#[test]
fn counts_and_verdicts_are_compared() {
    use ErrorKind::*;
    assert_eq!(compare(Config::Full, &spin(5, &[]), &ours(5, &[])), None);
    assert_eq!(
        compare(Config::Full, &spin(5, &[]), &ours(6, &[])),
        Some(Disagreement::Count("stored".into(), 5, 6))
    );
    let dead = spin(5, &["invalid end state"]);
    assert_eq!(compare(Config::Verdict, &dead, &ours(1, &[Assertion])), None);
    assert!(compare(Config::Verdict, &dead, &ours(1, &[])).is_some());
    assert!(compare(Config::VerdictAll, &dead, &ours(1, &[Assertion])).is_some());
    assert_eq!(compare(Config::VerdictAll, &dead, &ours(1, &[InvalidEndState; 2])), None);
}

#[test]
fn nothing_is_said_after_fatal_errors_or_refusals() {
    let fatal = spin(5, &["block in d_step seq"]);
    assert_eq!(compare(Config::Full, &fatal, &ours(9, &[])), None);
    let refused = SpinOutcome { refused: Some("x".into()), ..SpinOutcome::default() };
    assert_eq!(compare(Config::Full, &refused, &ours(9, &[])), None);
    let picky = SubjectOutcome { refused: Some("no".into()), ..SubjectOutcome::default() };
    assert!(compare(Config::Full, &spin(1, &[]), &picky).is_some());
}

#[test]
fn runner_reports_seed_and_text() {
    if let Err(reason) = Oracle::is_available() {
        #[expect(clippy::print_stderr, reason = "a skipped test says why")]
        {
            eprintln!("skipped: {reason}");
        }
        return;
    }
    let runner = Runner { max_findings: 1, configs: vec![Config::Full], ..Runner::default() };
    let wrong = |_: &str, _: Config| SubjectOutcome::default();
    let series = runner.run(0..20, &wrong).expect("oracle ran");
    let finding = &series.findings[0];
    assert_eq!(finding.text, generate_text(finding.seed, &runner.options));
    assert!(runner.still_differs(&finding.text, Config::Full, &wrong));
}
