//! A program as text, for tests and for people.

use crate::{Action, Automaton, Program};
use std::fmt::Write as _;

/// Every automaton, one transition a line: `location -> target  statement`.
#[must_use]
pub fn dump(program: &Program) -> String {
    let mut out = String::new();
    for process in program.proctypes.iter().chain(&program.claims) {
        let _ = writeln!(out, "{} start {}", process.name, process.automaton.start.0);
        dump_automaton(program, &process.automaton, &mut out);
    }
    out
}

fn dump_automaton(program: &Program, automaton: &Automaton, out: &mut String) {
    for (number, location) in automaton.locations.iter().enumerate() {
        for t in &location.transitions {
            let statement = program.statement(t.statement);
            let _ = write!(out, "  {number} -> {}", t.target.0);
            if t.atomic {
                out.push_str(" atomic");
            }
            if t.escape.0 != 0 {
                let _ = write!(out, " escape {}", t.escape.0);
            }
            let _ = writeln!(out, "  {}", statement.text);
            if let Action::DStep(inner) = &statement.action {
                for (at, transitions) in inner.locations.iter().enumerate() {
                    for t in transitions {
                        let text = &program.statement(t.statement).text;
                        let _ = writeln!(out, "    {at} -> {}  {text}", t.target.0);
                    }
                }
            }
        }
    }
}
