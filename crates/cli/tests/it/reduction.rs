//! Partial order reduction: few states, the same answers.

use crate::support::check;

/// Each process works on channels of its own; `MOST` is what the last assertion allows.
const SESSIONS: &str = "chan ask = [3] of { chan };
byte done;
proctype Session(chan reply) {
  chan work = [1] of { byte };
  byte x;
  work!7; work?x;
  reply!x
}
active proctype Server() {
  chan who;
  end: do :: ask?who -> run Session(who) od
}
active [3] proctype Client() {
  chan me = [1] of { byte };
  byte got;
  ask!me; me?got;
  d_step { done++; assert(got == 7 && done <= MOST) }
}
";

/// A ring in which messages go round; processes loop.
const RING: &str = "chan q[4] = [4] of { byte };
byte passed;
proctype Node(chan from, to) {
  byte n, left = MOST;
  to!1;
  do
  :: left > 0 -> from?n; left--; to!n
  :: else -> break
  od;
  passed++;
  assert(passed < 4)
}
init { atomic { run Node(q[0], q[1]); run Node(q[1], q[2]); run Node(q[2], q[3]); run Node(q[3], q[0]) } }
";

/// Exit code and stored states.
fn answer(model: &str, most: &str, options: &[&str]) -> (i32, u64) {
    let ran = check(&model.replace("MOST", most), &[&["--json"], options].concat());
    (ran.code, ran.json()["results"][0]["stats"]["stored"].as_u64().unwrap())
}

#[test]
fn channels_of_processes_are_their_own() {
    let (code, few) = answer(SESSIONS, "3", &["--threads", "1"]);
    let (_, all) = answer(SESSIONS, "3", &["--no-reduction"]);
    assert_eq!(code, 0);
    assert!(3 * few < all, "{few} of {all}");
    assert_eq!(answer(SESSIONS, "2", &[]).0, answer(SESSIONS, "2", &["--plain"]).0);
    assert_ne!(answer(SESSIONS, "2", &[]).0, 0);
}

#[test]
fn loops_do_not_keep_moves_from_being_left_out() {
    let goes_on = ["--ignore", "assert", "--max-errors", "0", "--ignore", "deadlock"];
    let few = answer(RING, "3", &[&goes_on[..], &["--threads", "1"]].concat()).1;
    let all = answer(RING, "3", &[&goes_on[..], &["--no-reduction"]].concat()).1;
    assert!(10 * few < all, "{few} of {all}");
    for options in [&["--threads", "1"][..], &["--threads", "2"], &["--search", "dfs"]] {
        assert_eq!(answer(RING, "3", options).0, answer(RING, "3", &["--plain"]).0, "{options:?}");
    }
    assert_ne!(answer(RING, "3", &[]).0, 0);
}

#[test]
fn a_process_that_only_errs_does_not_hide_the_others() {
    let model = "active proctype Stuck() { byte own[2]; byte at = 2; (own[at] > 0) -> skip }
        active proctype Wrong() { byte steps; steps = 1; steps = 2; assert(steps == 1) }";
    for options in [&["--search", "dfs"][..], &["--search", "bfs"], &["--store", "exact"]] {
        let ran = check(model, &[&["--max-errors", "0", "--disable", "merging"], options].concat());
        assert!(ran.out.contains("array index out of range"), "{}", ran.out);
        assert!(ran.out.contains("assertion `steps == 1`"), "{options:?}: {}", ran.out);
    }
}
