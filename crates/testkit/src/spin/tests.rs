use super::*;

/// False, with a printed reason, if SPIN cannot be run here.
fn oracle_missing() -> bool {
    match Oracle::is_available() {
        Ok(()) => false,
        Err(reason) => {
            #[expect(clippy::print_stderr, reason = "a skipped test says why")]
            {
                eprintln!("skipped: {reason}");
            }
            true
        }
    }
}

fn check(source: &str, config: Config) -> SpinOutcome {
    Oracle::default().check(source, config).expect("oracle ran")
}

#[test]
fn counts_two_processes() {
    if oracle_missing() {
        return;
    }
    let out = check(
        "active proctype A() { skip; skip }\nactive proctype B() { skip; skip }\n",
        Config::Full,
    );
    assert_eq!((out.stored, out.matched, out.errors), (13, 6, 0));
    assert!(out.is_complete());
}

#[test]
fn reports_a_failed_assertion() {
    if oracle_missing() {
        return;
    }
    let out = check("byte x; init { x = 1; assert(x == 2) }", Config::Verdict);
    assert_eq!(out.errors, 1);
    assert_eq!(out.messages[0].text, "assertion violated (x==2)");
}

#[test]
fn tells_refusals_crashes_and_large_vectors_apart() {
    if oracle_missing() {
        return;
    }
    let syntax = check("init { x = 0x10 }", Config::Full);
    assert!(syntax.refused.is_some());
    let self_loop = check("init { do :: skip od }", Config::Full);
    assert!(self_loop.refused.expect("refused").contains("unconditional self-loop"));
    let division = check("int x; init { x = 5 / x }", Config::Full);
    assert_eq!((division.crashed, division.refused), (Some(8), None));
    let vector = check("byte a[3000]; init { a[2] = 1; a[1] = a[2] }", Config::Full);
    assert_eq!((vector.refused.clone(), vector.errors), (None, 0));
    assert!(vector.state_bytes > 3000 && vector.stored == 4);
}

#[test]
fn leaves_the_claim_out_unless_asked() {
    if oracle_missing() {
        return;
    }
    let source = "byte x; never { do :: x == 1 -> break :: else od }\ninit { x = 1; x = 2 }";
    let outcomes =
        Oracle::default().check_all(source, &[Config::Full, Config::Claim]).expect("oracle ran");
    assert_eq!(outcomes[0].errors, 0);
    assert!(outcomes[1].errors > 0);
    assert_eq!(outcomes[1].messages[0].text, "end state in claim reached");
}

#[test]
fn outcome_survives_json() {
    let out = SpinOutcome {
        truncated: Some(Truncation::Memory),
        messages: vec![Message { text: "x".into(), depth: -1 }],
        ..SpinOutcome::default()
    };
    let text = serde_json::to_string(&out).expect("serialises");
    let back: SpinOutcome = serde_json::from_str(&text).expect("parses");
    assert_eq!(out, back);
}
