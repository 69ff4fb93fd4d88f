//! Reading the report that `pan` prints.

use super::{Message, SpinOutcome, Truncation};

/// Reads pan's output into an outcome; crashes and time limits are the caller's part.
pub fn parse_report(text: &str) -> SpinOutcome {
    let mut out = SpinOutcome::default();
    let mut has_counts = false;
    for line in text.lines() {
        let line = line.trim();
        if let Some(message) = parse_message(line) {
            out.messages.push(message);
        } else if line.contains("max search depth too small") {
            out.truncated = Some(Truncation::Depth);
        } else if line.contains("reached -DMEMLIM bound") || line.contains("out of memory") {
            out.truncated = Some(Truncation::Memory);
        } else if let Some(rest) = line.strip_prefix("State-vector ") {
            has_counts = true;
            parse_vector_line(rest, &mut out);
        } else if let Some((value, approximate)) = counted(line, "states, stored") {
            out.stored = value;
            out.approximate |= approximate;
        } else if let Some((value, approximate)) = counted(line, "states, matched") {
            out.matched = value;
            out.approximate |= approximate;
        } else if let Some((value, approximate)) = counted(line, "transitions (=") {
            out.transitions = value;
            out.approximate |= approximate;
        } else if let Some((value, approximate)) = counted(line, "atomic steps") {
            out.atomic_steps = value;
            out.approximate |= approximate;
        } else if !has_counts && out.refused.is_none() && is_start_up_refusal(line) {
            out.refused = Some(line.to_owned());
        }
    }
    if has_counts {
        out.refused = None;
    } else if out.refused.is_none() && out.messages.is_empty() && out.truncated.is_none() {
        let last = text.lines().rev().find(|l| !l.trim().is_empty());
        out.refused = Some(last.unwrap_or("no report").trim().to_owned());
    }
    out
}

fn is_start_up_refusal(line: &str) -> bool {
    let lower = line.to_ascii_lowercase();
    lower.starts_with("error:") || lower.starts_with("pan: error") || lower.contains("cannot ")
}

/// Reads `pan:3: TEXT (at depth 17)`.
fn parse_message(line: &str) -> Option<Message> {
    let rest = line.strip_prefix("pan:")?;
    let colon = rest.find(':')?;
    rest[..colon].parse::<u64>().ok()?;
    let body = rest[colon + 1..].trim();
    let at = body.rfind("(at depth ")?;
    let depth = body[at + "(at depth ".len()..].trim_end_matches(')');
    Some(Message { text: body[..at].trim().to_owned(), depth: depth.trim().parse().ok()? })
}

/// Reads `28 byte, depth reached 5, errors: 4`.
fn parse_vector_line(rest: &str, out: &mut SpinOutcome) {
    for part in rest.split(',') {
        let part = part.trim();
        if let Some(bytes) = part.strip_suffix(" byte") {
            out.state_bytes = number(bytes).map_or(0, |n| n.0);
        } else if let Some(depth) = part.strip_prefix("depth reached ") {
            out.depth = number(depth).map_or(0, |n| n.0);
        } else if let Some(errors) = part.strip_prefix("errors: ") {
            out.errors = number(errors).map_or(0, |n| n.0);
        }
    }
}

fn counted(line: &str, what: &str) -> Option<(u64, bool)> {
    let at = line.find(what)?;
    number(line[..at].trim())
}

/// A count, and whether it was printed rounded (`1.2e+07`).
fn number(text: &str) -> Option<(u64, bool)> {
    if let Ok(exact) = text.parse::<u64>() {
        return Some((exact, false));
    }
    let value = text.parse::<f64>().ok()?;
    (value >= 0.0).then_some((value as u64, true))
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPORT: &str = "\
pan:1: assertion violated (x==(2)) (at depth 4)
pan:2: invalid end state (at depth -1)
error: max search depth too small
State-vector 28 byte, depth reached 5, errors: 4
       13 states, stored
  1.2e+07 states, matched
       16 transitions (= stored+matched)
        3 atomic steps
hash conflicts:         0 (resolved)
    0.001\tequivalent memory usage for states (stored*(State-vector + overhead))
";

    #[test]
    fn reads_counts_and_messages() {
        let out = parse_report(REPORT);
        assert_eq!(out.refused, None);
        assert_eq!((out.stored, out.matched, out.transitions), (13, 12_000_000, 16));
        assert_eq!((out.atomic_steps, out.depth, out.errors), (3, 5, 4));
        assert_eq!(out.state_bytes, 28);
        assert!(out.approximate);
        assert_eq!(out.truncated, Some(Truncation::Depth));
        assert_eq!(out.messages[0].text, "assertion violated (x==(2))");
        assert_eq!(out.messages[0].depth, 4);
        assert_eq!(out.messages[1].depth, -1);
    }

    #[test]
    fn start_up_errors_are_refusals() {
        let text = "error: proctype 'A' line 1, state 2: has unconditional self-loop\n\n\
                    pan: elapsed time 1.72e+07 seconds\n";
        let out = parse_report(text);
        assert!(out.refused.expect("refused").contains("unconditional self-loop"));
        assert!(parse_report("").refused.is_some());
    }

    #[test]
    fn memory_bound_is_a_truncation() {
        let out = parse_report(
            "pan: reached -DMEMLIM bound\nState-vector 20 byte, depth reached 7, errors: 0\n       8 states, stored\n",
        );
        assert_eq!(out.truncated, Some(Truncation::Memory));
        assert_eq!(out.stored, 8);
    }
}
