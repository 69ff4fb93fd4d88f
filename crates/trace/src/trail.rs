//! Counterexamples in files.
//!
//! ```text
//! spinor-trail 1
//! model peterson.pml
//! digest 9a3f00c2b7e41d55
//! property safety
//! violation assertion 4353
//! message assertion violated: ncrit == 1
//! events 0 2 1 0
//! step 1 17
//! ```
//!
//! `events` are what replays the run: numbers, `-` where the last state is repeated. A line
//! `cycle 2` says that the events from the third on are a cycle, `formula` and `fairness` what
//! the property was about. The `step` lines (process, number of the
//! statement in SPIN's trails) are for other tools.

use crate::{Move, Story};
use std::fmt::Write as _;

/// Version of the format.
const VERSION: u32 = 1;

/// One elementary step for other tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrailStep {
    /// The process; none for a claim.
    pub pid: Option<usize>,
    /// SPIN's number of the statement.
    pub trail_id: u32,
}

/// A counterexample as kept in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trail {
    /// Name of the model.
    pub model: String,
    /// Digest of the model.
    pub digest: u64,
    /// Kind and, if it has one, name of the property.
    pub property: (String, Option<String>),
    /// Kind of the violation.
    pub kind: String,
    /// Which one of that kind.
    pub site: u32,
    /// The violation in words.
    pub message: String,
    /// The formula of the property.
    pub formula: Option<String>,
    /// Fairness that the run respects.
    pub fairness: Option<String>,
    /// The moves.
    pub events: Vec<Move>,
    /// So many moves lead to the state that the last move returns to.
    pub cycle_start: Option<usize>,
    /// Elementary steps.
    pub steps: Vec<TrailStep>,
}

/// A trail that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TrailError {
    /// Not this format.
    #[error("it is not a trail of Spinor (its first line is not `spinor-trail {VERSION}`)")]
    Foreign,
    /// Another version of the format.
    #[error("it has format version {0}, this program reads version {VERSION}")]
    Version(String),
    /// A line that makes no sense.
    #[error("line {0} is damaged")]
    Line(usize),
    /// A line is missing.
    #[error("it has no line `{0}`")]
    Missing(&'static str),
    /// Written for something else.
    #[error(
        "it was written for a different model: the text or the `-D` options have changed since \
         (digest {found:016x}, the model has {expected:016x}); run `check` again"
    )]
    OtherModel {
        /// Of the trail.
        found: u64,
        /// Of the model.
        expected: u64,
    },
}

impl Trail {
    /// The elementary steps of a story.
    #[must_use]
    pub fn steps_of(story: &Story) -> Vec<TrailStep> {
        let mut steps = Vec::with_capacity(story.steps.len());
        for step in &story.steps {
            let Some(trail_id) = step.trail_id else { continue };
            steps.push(TrailStep { pid: step.who.pid, trail_id });
            if let Some(half) = &step.receiver {
                steps.push(TrailStep { pid: half.who.pid, trail_id: half.trail_id });
            }
        }
        steps
    }

    /// As text.
    #[must_use]
    pub fn write(&self) -> String {
        let one_line = |text: &str| text.replace(['\n', '\r'], " ");
        let mut out = format!("spinor-trail {VERSION}\n");
        let _ = writeln!(out, "model {}", one_line(&self.model));
        let _ = writeln!(out, "digest {:016x}", self.digest);
        let (kind, name) = &self.property;
        let name = name.as_deref().map(|n| format!(" {}", one_line(n))).unwrap_or_default();
        let _ = writeln!(out, "property {kind}{name}");
        let _ = writeln!(out, "violation {} {}", self.kind, self.site);
        let _ = writeln!(out, "message {}", one_line(&self.message));
        for (key, value) in [("formula", &self.formula), ("fairness", &self.fairness)] {
            if let Some(value) = value {
                let _ = writeln!(out, "{key} {}", one_line(value));
            }
        }
        out.push_str("events");
        for event in &self.events {
            let _ = match event {
                Move::Event(number) => write!(out, " {number}"),
                Move::Stutter => write!(out, " -"),
            };
        }
        out.push('\n');
        if let Some(start) = self.cycle_start {
            let _ = writeln!(out, "cycle {start}");
        }
        for step in &self.steps {
            let pid = step.pid.map_or_else(|| "claim".to_owned(), |p| p.to_string());
            let _ = writeln!(out, "step {pid} {}", step.trail_id);
        }
        out
    }

    /// From text.
    ///
    /// # Errors
    /// The text is no trail.
    pub fn read(text: &str) -> Result<Self, TrailError> {
        let mut lines = text.lines().enumerate();
        let first = lines.next().map_or("", |(_, line)| line);
        let version = first.strip_prefix("spinor-trail ").ok_or(TrailError::Foreign)?;
        if version.trim().parse() != Ok(VERSION) {
            return Err(TrailError::Version(version.trim().to_owned()));
        }
        let (mut model, mut digest, mut property) = (None, None, None);
        let (mut violation, mut message, mut events) = (None, None, None);
        let (mut formula, mut fairness, mut cycle_start) = (None, None, None);
        let mut steps = Vec::new();
        for (index, line) in lines {
            let damaged = || TrailError::Line(index + 1);
            let (key, value) = line.split_once(' ').unwrap_or((line, ""));
            match key {
                "model" => model = Some(value.to_owned()),
                "digest" => {
                    digest = Some(u64::from_str_radix(value, 16).map_err(|_| damaged())?);
                }
                "property" => {
                    let (kind, name) = value.split_once(' ').unwrap_or((value, ""));
                    let name = Some(name.to_owned()).filter(|n| !n.is_empty());
                    property = Some((kind.to_owned(), name));
                }
                "violation" => {
                    let (kind, site) = value.split_once(' ').ok_or_else(damaged)?;
                    violation = Some((kind.to_owned(), site.parse().map_err(|_| damaged())?));
                }
                "message" => message = Some(value.to_owned()),
                "events" => {
                    let moves = value.split_whitespace().map(read_move);
                    events = Some(moves.collect::<Option<Vec<Move>>>().ok_or_else(damaged)?);
                }
                "formula" => formula = Some(value.to_owned()),
                "fairness" => fairness = Some(value.to_owned()),
                "cycle" => cycle_start = Some(value.parse().map_err(|_| damaged())?),
                "step" => steps.push(read_step(value).ok_or_else(damaged)?),
                _ => return Err(damaged()),
            }
        }
        if let (Some(start), Some(events)) = (cycle_start, &events)
            && start >= events.len()
        {
            return Err(TrailError::Missing("events"));
        }
        let (kind, site) = violation.ok_or(TrailError::Missing("violation"))?;
        Ok(Trail {
            model: model.ok_or(TrailError::Missing("model"))?,
            digest: digest.ok_or(TrailError::Missing("digest"))?,
            property: property.ok_or(TrailError::Missing("property"))?,
            kind,
            site,
            message: message.ok_or(TrailError::Missing("message"))?,
            formula,
            fairness,
            events: events.ok_or(TrailError::Missing("events"))?,
            cycle_start,
            steps,
        })
    }

    /// Refuses a trail of another model.
    ///
    /// # Errors
    /// The digests differ.
    pub fn expect_digest(&self, expected: u64) -> Result<(), TrailError> {
        if self.digest == expected {
            Ok(())
        } else {
            Err(TrailError::OtherModel { found: self.digest, expected })
        }
    }
}

fn read_move(word: &str) -> Option<Move> {
    if word == "-" { Some(Move::Stutter) } else { word.parse().ok().map(Move::Event) }
}

fn read_step(value: &str) -> Option<TrailStep> {
    let (pid, trail_id) = value.split_once(' ')?;
    let pid = if pid == "claim" { None } else { Some(pid.parse().ok()?) };
    Some(TrailStep { pid, trail_id: trail_id.parse().ok()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_trails_can_be_read() {
        let trail = Trail {
            model: "a b.pml".into(),
            digest: 0x1234,
            property: ("never".into(), Some("p q".into())),
            kind: "assertion".into(),
            site: 513,
            message: "assertion violated:\nx".into(),
            formula: Some("[] p".into()),
            fairness: Some("weak".into()),
            events: vec![Move::Event(1), Move::Stutter, Move::Event(7)],
            cycle_start: Some(1),
            steps: vec![
                TrailStep { pid: Some(2), trail_id: 5 },
                TrailStep { pid: None, trail_id: 9 },
            ],
        };
        let read = Trail::read(&trail.write()).unwrap();
        assert_eq!(read, Trail { message: "assertion violated: x".into(), ..trail });
        assert!(read.expect_digest(0x1234).is_ok());
        assert!(read.expect_digest(1).is_err());
    }

    #[test]
    fn damage_is_named() {
        assert!(matches!(Trail::read(""), Err(TrailError::Foreign)));
        assert!(matches!(Trail::read("1:2:3\n"), Err(TrailError::Foreign)));
        assert!(matches!(Trail::read("spinor-trail 9\n"), Err(TrailError::Version(_))));
        assert!(matches!(Trail::read("spinor-trail 1\nstep x\n"), Err(TrailError::Line(2))));
        assert!(matches!(Trail::read("spinor-trail 1\n"), Err(TrailError::Missing("violation"))));
    }
}
