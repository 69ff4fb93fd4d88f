//! What has to be equal.

use super::stage::Played;

/// How much of two outputs has to be equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// All lines but those about memory, time and the size of states; exit codes and trails.
    Text,
    /// The same without trails, whose runs may be others.
    Lines,
    /// States, transitions, depth and errors; exit codes.
    Counts,
    /// What is wrong; exit codes.
    Verdict,
}

impl Mode {
    /// From a column of the table.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "text" => Mode::Text,
            "lines" => Mode::Lines,
            "counts" => Mode::Counts,
            "verdict" => Mode::Verdict,
            _ => return None,
        })
    }
}

/// Lines that depend on the machine or on how states are kept.
const PASSED_OVER: [&str; 19] = [
    "memory us",
    "hash conflicts",
    "state-vector as stored",
    "total actual",
    "elapsed time",
    "pan: rate",
    "Stats on memory",
    "avg transition",
    "hint: ",
    "memory lost",
    "other (proc",
    "is newer than",
    "hash factor",
    "bits set per state",
    "states allocated",
    "dubious use of 'else'",
    "nr of templates",
    "collapse counts",
    "warning: ",
];

/// What is different, one sentence each.
#[must_use]
pub fn differences(mode: Mode, spin: &Played, ours: &Played) -> Vec<String> {
    let mut found = Vec::new();
    if spin.exit != ours.exit {
        found.push(format!("exit code {} became {}", spin.exit, ours.exit));
    }
    let (theirs, here) = (lines(mode, &spin.stdout), lines(mode, &ours.stdout));
    if theirs != here {
        let missing = theirs.iter().filter(|line| !here.contains(line)).take(5);
        found.extend(missing.map(|line| format!("missing: {line}")));
        let added = here.iter().filter(|line| !theirs.contains(line)).take(5);
        found.extend(added.map(|line| format!("added: {line}")));
        if found.is_empty() {
            found.push("the lines have another order".to_owned());
        }
    }
    let names = |played: &Played| played.trails.keys().cloned().collect::<Vec<_>>();
    if names(spin) != names(ours) {
        found.push(format!("trails {:?} became {:?}", names(spin), names(ours)));
    } else if mode == Mode::Text && spin.trails != ours.trails {
        found.push("a trail is another one".to_owned());
    }
    found
}

fn lines(mode: Mode, text: &str) -> Vec<String> {
    let kept = text.lines().map(str::trim_end).filter(|line| !line.is_empty());
    let kept = kept.filter(|line| !PASSED_OVER.iter().any(|what| line.contains(what)));
    match mode {
        Mode::Text | Mode::Lines => kept.map(without_size).collect(),
        Mode::Counts => kept.filter_map(counted).collect(),
        Mode::Verdict => {
            let mut verdicts: Vec<String> = kept.filter_map(verdict).collect();
            verdicts.sort();
            verdicts.dedup();
            verdicts
        }
    }
}

fn without_size(line: &str) -> String {
    match line.split_once(" byte, ") {
        Some((head, rest)) if head.starts_with("State-vector") => format!("State-vector, {rest}"),
        _ => line.to_owned(),
    }
}

fn counted(line: &str) -> Option<String> {
    let is_counted = ["states, stored", "states, matched", "transitions (=", "atomic steps"];
    let is_figure = line.starts_with("State-vector") || is_counted.iter().any(|w| line.contains(w));
    is_figure.then(|| without_size(line))
}

/// `pan:1: …` without its depth, and whether there are errors.
fn verdict(line: &str) -> Option<String> {
    if let Some((_, rest)) = line.strip_prefix("pan:").and_then(|rest| rest.split_once(": ")) {
        let message = rest.split(" (at depth").next().unwrap_or(rest);
        // A formula fails by an assertion in the claim or by a cycle, as the automaton has it.
        let is_of_claim = message.starts_with("assertion violated  !(")
            || message.starts_with("assertion violated !(")
            || message == "acceptance cycle"
            || message == "end state in claim reached";
        return Some(if is_of_claim { "claim violated".to_owned() } else { message.to_owned() });
    }
    let (_, errors) = line.split_once("errors: ")?;
    Some(if errors.trim() == "0" { "errors: 0".to_owned() } else { "errors".to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(stdout: &str) -> Played {
        Played { exit: 0, stdout: stdout.to_owned(), ..Played::default() }
    }

    #[test]
    fn machines_differ_in_time_and_memory_only() {
        let a = played(
            "State-vector 20 byte, depth reached 3, errors: 0\npan: elapsed time 0 seconds\n",
        );
        let b = played("State-vector 7 byte, depth reached 3, errors: 0\n");
        let c = played("State-vector 7 byte, depth reached 4, errors: 0\n");
        assert!(differences(Mode::Text, &a, &b).is_empty());
        assert_eq!(differences(Mode::Text, &a, &c).len(), 2);
        assert!(differences(Mode::Verdict, &a, &c).is_empty());
    }

    #[test]
    fn verdicts_do_not_depend_on_depths() {
        let a = played("pan:1: invalid end state (at depth 3)\nerrors: 2\n");
        let b = played("pan:1: invalid end state (at depth 9)\nerrors: 1\n");
        assert!(differences(Mode::Verdict, &a, &b).is_empty());
        assert!(!differences(Mode::Verdict, &a, &played("errors: 0\n")).is_empty());
    }
}
