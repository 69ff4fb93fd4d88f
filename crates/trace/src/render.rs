//! Stories as text for a terminal.

mod lines;

use crate::snapshot::{Change, Snapshot};
use crate::{Standing, Step, Story, Who};
use std::fmt::Write as _;

pub use lines::Lines;

/// Width of the lines that list variables.
const LINE_WIDTH: usize = 96;
/// Statements longer than this do not widen their column.
const MAX_STATEMENT: usize = 36;

/// Variables listed of a state.
const MAX_VARIABLES: usize = 400;

/// How to print.
#[derive(Clone, Copy, Debug, Default)]
pub struct Style {
    /// With colours.
    pub colour: bool,
    /// Of a longer story, show this many steps at the start and at the end.
    pub excerpt: Option<(usize, usize)>,
}

impl Style {
    /// Less important text.
    #[must_use]
    pub fn dim(self, text: &str) -> String {
        self.paint("2", text)
    }

    /// A heading.
    #[must_use]
    pub fn bold(self, text: &str) -> String {
        self.paint("1", text)
    }

    /// An error.
    #[must_use]
    pub fn red(self, text: &str) -> String {
        self.paint("1;31", text)
    }

    /// Good news.
    #[must_use]
    pub fn green(self, text: &str) -> String {
        self.paint("1;32", text)
    }

    /// A warning.
    #[must_use]
    pub fn yellow(self, text: &str) -> String {
        self.paint("1;33", text)
    }

    fn paint(self, code: &str, text: &str) -> String {
        if self.colour && !text.is_empty() {
            format!("\x1b[{code}m{text}\x1b[0m")
        } else {
            text.to_owned()
        }
    }
}

/// The steps, the error and the final state.
#[must_use]
pub fn story(story: &Story, style: Style) -> String {
    let mut out = steps(story, style);
    if let Some(error) = &story.error {
        let at = error.at.as_ref().map(|a| format!(" ({})", a.at)).unwrap_or_default();
        let _ = writeln!(out, "  {} {}{at}", style.red("error:"), error.message);
    }
    if let Some(cycle) = &story.cycle {
        let _ = writeln!(out, "\n{}", style.bold("on the cycle"));
        let names: Vec<String> =
            cycle.processes.iter().map(|p| format!("{} ({})", p.name, p.pid)).collect();
        let name_width = names.iter().map(|n| width(n)).max().unwrap_or(0);
        for (process, name) in cycle.processes.iter().zip(&names) {
            let _ = writeln!(out, "  {}  {}", pad(name, name_width), process.describe());
        }
    }
    out.push_str(&ending(story, style));
    out
}

/// The steps, one line each.
#[must_use]
pub fn steps(story: &Story, style: Style) -> String {
    let visible: Vec<&Step> = story.steps.iter().filter(|s| !is_bare_jump(s)).collect();
    let rows: Vec<Row<'_>> = visible.iter().copied().map(Row::new).collect();
    let left_out = left_out(rows.len(), style);
    let shown = || rows.iter().enumerate().filter(|(i, _)| !left_out.contains(i)).map(|(_, r)| r);
    let widths = Widths {
        number: story.steps.len().to_string().len().max(3),
        who: shown().map(|r| width(&r.who)).max().unwrap_or(0),
        place: shown().map(|r| width(&r.place)).max().unwrap_or(0),
        statement: shown()
            .map(|r| width(&r.statement))
            .filter(|&w| w <= MAX_STATEMENT)
            .max()
            .unwrap_or(0),
    };
    let mut out = watched_at_first(story, style, widths.number);
    let mut held = story.initially.clone();
    let is_first_of_cycle = |i: usize| {
        let cycle = story.cycle.as_ref().map(|c| c.start);
        let before = i.checked_sub(1).map_or(0, |b| visible[b].number);
        cycle.is_some_and(|start| before <= start && visible[i].number > start)
    };
    for (i, row) in rows.iter().enumerate() {
        if is_first_of_cycle(i) {
            let text = style.yellow("the cycle begins: what follows repeats for ever");
            let _ = writeln!(out, "{:>w$}   {text}", "", w = widths.number);
        }
        let news = news(story, &mut held, row.step);
        if i == left_out.start && !left_out.is_empty() {
            let text = format!("… {} steps left out …", left_out.len());
            let _ = writeln!(out, "{:>w$}  {}", "", style.dim(&text), w = widths.number);
        }
        if !left_out.contains(&i) {
            let mark = atomic_mark(&visible, i);
            row.print(mark, &news, &widths, style, &mut out);
        }
    }
    if story.cycle.is_some() {
        let text = style.yellow("back to the beginning of the cycle");
        let _ = writeln!(out, "{:>w$}   {text}", "", w = widths.number);
    }
    let jumps = story.steps.len() - visible.len();
    if jumps > 0 {
        let (s, are) = if jumps == 1 { ("", "is") } else { ("s", "are") };
        let text = format!(
            "({jumps} step{s} that only jump{} {are} not shown)",
            if jumps == 1 { "s" } else { "" }
        );
        let _ = writeln!(out, "{:>w$}   {}", "", style.dim(&text), w = widths.number);
    }
    out
}

/// The propositions and what they are in the initial state.
fn watched_at_first(story: &Story, style: Style, indent: usize) -> String {
    let texts = story.propositions.iter().zip(&story.initially);
    let all: Vec<String> = texts.map(|(text, &holds)| proposition(text, holds)).collect();
    if all.is_empty() {
        return String::new();
    }
    format!("{:indent$}   initially {}\n", "", style.bold(&format!("{{{}}}", all.join(", "))))
}

/// The propositions that a step has changed.
fn news(story: &Story, held: &mut Vec<bool>, step: &Step) -> String {
    let Some(holds) = &step.holds else { return String::new() };
    let before = std::mem::replace(held, holds.clone());
    let all: Vec<String> = (story.propositions.iter().zip(holds).zip(before))
        .filter(|((_, now), before)| *now != before)
        .map(|((text, now), _)| proposition(text, *now))
        .collect();
    if all.is_empty() { String::new() } else { format!("{{{}}}", all.join(", ")) }
}

fn proposition(text: &str, holds: bool) -> String {
    let is_name = text.chars().all(|c| c.is_alphanumeric() || "_[]@:.".contains(c));
    match (holds, is_name) {
        (true, _) => text.to_owned(),
        (false, true) => format!("!{text}"),
        (false, false) => format!("!({text})"),
    }
}

/// Whether a step does nothing but leave a loop or an atomic sequence.
fn is_bare_jump(step: &Step) -> bool {
    let is_jump = matches!(step.statement.as_str(), "goto" | "break" | ".(goto)");
    is_jump && step.changes.is_empty() && step.receiver.is_none() && step.who.pid.is_some()
}

fn left_out(steps: usize, style: Style) -> std::ops::Range<usize> {
    match style.excerpt {
        Some((head, tail)) if steps > head + tail + 1 => head..steps - tail,
        _ => 0..0,
    }
}

/// A bracket around the steps of an atomic sequence.
fn atomic_mark(steps: &[&Step], i: usize) -> char {
    let Some(group) = steps[i].atomic else { return ' ' };
    let same =
        |j: Option<usize>| j.and_then(|j| steps.get(j)).is_some_and(|s| s.atomic == Some(group));
    match (same(i.checked_sub(1)), same(Some(i + 1))) {
        (false, true) => '┌',
        (true, true) => '│',
        (true, false) => '└',
        (false, false) => ' ',
    }
}

#[derive(Debug)]
struct Widths {
    number: usize,
    who: usize,
    place: usize,
    statement: usize,
}

struct Row<'a> {
    step: &'a Step,
    who: String,
    place: String,
    statement: String,
}

impl<'a> Row<'a> {
    fn new(step: &'a Step) -> Self {
        let (mut who, mut statement) = (name(&step.who), step.statement.clone());
        if let Some(half) = &step.receiver {
            who = format!("{who} -> {}", name(&half.who));
            statement = format!("{statement} -> {}", half.statement);
        }
        Row { step, who, place: step.at.at.to_string(), statement }
    }

    fn print(&self, mark: char, news: &str, widths: &Widths, style: Style, out: &mut String) {
        let Widths { number, who, place, statement } = *widths;
        let changes: Vec<String> = self.step.changes.iter().map(change).collect();
        let mut line = format!(
            "{:>number$} {mark} {}  {}  {}",
            self.step.number,
            pad(&self.who, who),
            style.dim(&pad(&self.place, place)),
            pad(&self.statement, statement),
        );
        if !changes.is_empty() {
            let _ = write!(line, "  {}", changes.join(", "));
        }
        if !news.is_empty() {
            let _ = write!(line, "  {}", style.bold(news));
        }
        if let Some(inlines) = self.step.at.inlines() {
            let _ = write!(line, "  {}", style.dim(&format!("({inlines})")));
        }
        out.push_str(line.trim_end());
        out.push('\n');
        let indent = number + 5;
        if let Some(output) = &self.step.output {
            for printed in output.lines() {
                let _ = writeln!(out, "{:indent$}{} {printed}", "", style.dim("prints:"));
            }
        }
        if let Some(state) = &self.step.state {
            out.push_str(&snapshot(state, indent));
        }
    }
}

/// `P (1)`.
#[must_use]
pub fn name(who: &Who) -> String {
    match who.pid {
        Some(pid) => format!("{} ({pid})", who.name),
        None => who.name.clone(),
    }
}

/// `x: 0 -> 1`, `q = [1 2]`, `P(1) starts`.
#[must_use]
pub fn change(change: &Change) -> String {
    let Change { name, kind, old, new } = change;
    match (*kind, old, new) {
        ("start", ..) => format!("{name} starts"),
        ("end", ..) => format!("{name} ends"),
        ("channel", _, Some(new)) => format!("{name} = {new}"),
        (_, Some(old), Some(new)) => format!("{name}: {old} -> {new}"),
        (_, _, Some(new)) => format!("{name} = {new}"),
        _ => name.clone(),
    }
}

/// Variables, channels and processes at the end.
#[must_use]
pub fn ending(story: &Story, style: Style) -> String {
    if story.processes.is_empty() && story.state == Snapshot::default() {
        return String::new();
    }
    let title = if story.cycle.is_some() { "state where the cycle begins" } else { "final state" };
    let mut out = format!("\n{}\n", style.bold(title));
    out.push_str(&snapshot(&story.state, 2));
    let is_deadlock = story.error.as_ref().is_some_and(|e| e.kind == "invalid-end-state");
    out.push_str(&processes(&story.processes, is_deadlock, style));
    out
}

fn processes(standings: &[Standing], is_deadlock: bool, style: Style) -> String {
    let names: Vec<String> = standings.iter().map(|s| format!("{} ({})", s.name, s.pid)).collect();
    let place = |s: &Standing| s.at.as_ref().map(|a| a.at.to_string()).unwrap_or_default();
    let places: Vec<String> = standings.iter().map(place).collect();
    let name_width = names.iter().map(|n| width(n)).max().unwrap_or(0);
    let place_width = places.iter().map(|p| width(p)).max().unwrap_or(0);
    let mut out = String::new();
    for ((standing, name), place) in standings.iter().zip(&names).zip(&places) {
        let mut what = standing.waits_for();
        if !is_deadlock {
            what = what.replacen("waits for", "next:", 1);
        }
        if is_deadlock && standing.may_end && standing.next.as_slice() != ["-end-"] {
            what.push_str(" (a valid end)");
        }
        if let Some(inlines) = standing.at.as_ref().and_then(crate::Origin::inlines) {
            let _ = write!(what, "  {}", style.dim(&format!("({inlines})")));
        }
        let place = style.dim(&pad(place, place_width));
        let _ = writeln!(out, "  {}  {place}  {what}", pad(name, name_width));
    }
    out
}

/// Variables and channels, indented.
#[must_use]
pub fn snapshot(snapshot: &Snapshot, indent: usize) -> String {
    let mut out = String::new();
    let variables = snapshot.variables.iter().take(MAX_VARIABLES);
    let variables = variables.map(|v| format!("{} = {}", v.name, v.value));
    let mut line = String::new();
    for text in variables {
        if !line.is_empty() && indent + width(&line) + width(&text) + 2 > LINE_WIDTH {
            let _ = writeln!(out, "{:indent$}{line},", "");
            line.clear();
        }
        if !line.is_empty() {
            line.push_str(", ");
        }
        line.push_str(&text);
    }
    if !line.is_empty() {
        let _ = writeln!(out, "{:indent$}{line}", "");
    }
    if let Some(more) = snapshot.variables.len().checked_sub(MAX_VARIABLES).filter(|&n| n > 0) {
        let _ = writeln!(out, "{:indent$}… and {more} more variables", "");
    }
    for channel in &snapshot.channels {
        let _ = writeln!(out, "{:indent$}{} = {}", "", channel.name, channel.value);
    }
    out
}

fn width(text: &str) -> usize {
    text.chars().count()
}

fn pad(text: &str, to: usize) -> String {
    format!("{text}{:w$}", "", w = to.saturating_sub(width(text)))
}
