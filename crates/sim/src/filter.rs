//! What a reader wants to see.

use spinor_trace::{Step, Who};

/// Says which steps are shown, and what of them. An empty list is no restriction.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Steps of these processes: `P`, `1`, `P(1)`.
    pub processes: Vec<String>,
    /// Steps that use these channels.
    pub channels: Vec<String>,
    /// Steps that change these variables; `a` stands for all of `a[2].f`, `n` also for `P(1):n`.
    pub variables: Vec<String>,
}

impl Filter {
    /// Whether everything is shown.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.processes.is_empty() && self.channels.is_empty() && self.variables.is_empty()
    }

    /// What is to be seen of a step.
    #[must_use]
    pub fn apply(&self, mut step: Step) -> Option<Step> {
        let half = step.receiver.as_ref().map(|half| &half.who);
        let is_wanted = |who: &Who| self.processes.iter().any(|wanted| is_process(wanted, who));
        let is_theirs = is_wanted(&step.who) || half.is_some_and(is_wanted);
        if !self.processes.is_empty() && !is_theirs {
            return None;
        }
        if self.channels.is_empty() && self.variables.is_empty() {
            return Some(step);
        }
        step.changes.retain(|change| match change.kind {
            "variable" => is_any(&self.variables, &change.name),
            "channel" => is_any(&self.channels, &change.name),
            _ => false,
        });
        let mut messages = step.messages.iter();
        let is_used = messages.any(|message| is_any(&self.channels, &message.channel));
        (is_used || !step.changes.is_empty()).then_some(step)
    }
}

fn is_process(wanted: &str, who: &Who) -> bool {
    let Some(pid) = who.pid else { return wanted == who.name };
    wanted == who.name
        || wanted.parse() == Ok(pid)
        || wanted.replace(' ', "") == format!("{}({pid})", who.name)
}

fn is_any(wanted: &[String], name: &str) -> bool {
    let own = name.rsplit_once(':').map_or(name, |(_, own)| own);
    wanted.iter().any(|w| is_of(w, name) || is_of(w, own))
}

/// Whether a name is this one, or an element or a field of it.
fn is_of(wanted: &str, name: &str) -> bool {
    name.strip_prefix(wanted).is_some_and(|rest| rest.is_empty() || rest.starts_with(['[', '.']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        let all = |text: &str| vec![text.to_owned()];
        assert!(is_any(&all("n"), "P(1):n"));
        assert!(is_any(&all("P(1):n"), "P(1):n"));
        assert!(!is_any(&all("P(0):n"), "P(1):n"));
        assert!(is_any(&all("a"), "a[2].f"));
        assert!(is_any(&all("a[2]"), "a[2].f"));
        assert!(!is_any(&all("a"), "ab"));
    }

    #[test]
    fn processes() {
        let who = Who { name: "P".into(), pid: Some(3) };
        assert!(["P", "3", "P(3)", "P (3)"].iter().all(|wanted| is_process(wanted, &who)));
        assert!(!is_process("Q", &who));
        assert!(!is_process("P(1)", &who));
    }
}
