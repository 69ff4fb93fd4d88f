//! Whole reports, times aside.

use crate::support::check;

/// Replaces what differs from run to run.
fn normalised(report: &str) -> String {
    let mut out = String::new();
    for line in report.lines() {
        match line.split_once(" store, ") {
            Some((start, _)) => out.push_str(&format!("{start} store, TIME\n")),
            None => match line.split_once(" a state, ") {
                Some((start, _)) => out.push_str(&format!("{start} a state, MEMORY\n")),
                None => out.push_str(&format!("{line}\n")),
            },
        }
    }
    out
}

#[track_caller]
fn report(model: &str, code: i32, expected: &str) {
    let ran = check(model, &[]);
    assert_eq!(ran.code, code);
    assert_eq!(normalised(&ran.out), expected, "{}", ran.out);
}

const LOST_UPDATE: &str = "byte n, done;
active [2] proctype P() {
  byte t;
  t = n;
  n = t + 1;
  done++;
  assert(done < 2 || n == 2)
}
";

#[test]
fn violated() {
    report(LOST_UPDATE, 10, VIOLATED);
}

const VIOLATED: &str = "\
violated: assertion `done < 2 || n == 2` (m.pml:7)

  1   P (1)  m.pml:4  t = n
  2   P (0)  m.pml:4  t = n
  3   P (1)  m.pml:5  n = t + 1                   n: 0 -> 1
  4   P (1)  m.pml:6  done++                      done: 0 -> 1
  5   P (0)  m.pml:5  n = t + 1
  6   P (0)  m.pml:6  done++                      done: 1 -> 2
  7   P (0)  m.pml:7  assert(done < 2 || n == 2)
  error: assertion violated: done < 2 || n == 2 (m.pml:7)

final state
  n = 1, done = 2, P(0):t = 0, P(1):t = 0
  P (0)  m.pml:8  is at its end
  P (1)  m.pml:7  next: `assert(done < 2 || n == 2)`

safety
  35 states stored, 9 matched, 44 transitions
  44 states passed on the way and not stored
  depth 10, 9 B a state, MEMORY
  bfs search, tree store, TIME
";

const DEADLOCKING: &str = "chan a = [1] of { byte }, b = [1] of { byte };
active proctype P() { a!1; b?_ }
active proctype Q() { byte x; a?x; b?x }
";

#[test]
fn deadlock() {
    report(DEADLOCKING, 11, DEADLOCK);
}

const DEADLOCK: &str = "\
violated: invalid end state (deadlock) (m.pml:2)

  1   P (0)  m.pml:2  a!1  a = [1]
  2   Q (1)  m.pml:3  a?x  a = empty, Q(1):x: 0 -> 1
  error: invalid end state (m.pml:2)

final state
  Q(1):x = 1
  a = empty
  b = empty
  P (0)  m.pml:2  waits for `b?_`
  Q (1)  m.pml:3  waits for `b?x`

safety
  3 states stored, 0 matched, 3 transitions
  depth 2, 12 B a state, MEMORY
  bfs search, tree store, TIME
";

const LOOP: &str = "byte n;
active proctype P() {
  do
  :: n < 3 -> n++
  :: n > 7 -> n = 0
  :: else -> break
  od
}
";

#[test]
fn holds() {
    report(LOOP, 0, HOLDS);
}

const HOLDS: &str = "\
holds: no errors in 9 states (complete search)

safety
  9 states stored, 0 matched, 9 transitions
  depth 8, 4 B a state, MEMORY
  bfs search, tree store, TIME
  never executed:
    P: 2 of 6 statements
      m.pml:5  n > 7  (reached, but never executable)
      m.pml:5  n = 0
";
