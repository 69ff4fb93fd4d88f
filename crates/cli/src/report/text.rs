//! The report for people: verdict, error, figures, what was not reached.

use crate::output;
use crate::report::figures::{bytes, count, plural, time};
use spinor_check::{ErrorReport, Fairness, Loaded, PropertyReport, Verdict};
use spinor_trace::render::{self, Style};
use spinor_trace::{Story, Unreached};
use std::fmt::Write as _;

/// Steps shown of a long counterexample, at its start and its end.
const EXCERPT: (usize, usize) = (20, 100);
/// Unreached statements shown per proctype.
const MAX_UNREACHED: usize = 20;

/// A trail that was written.
pub(crate) struct Kept<'a> {
    /// The file.
    pub(crate) path: &'a str,
    /// The command that tells it again.
    pub(crate) replay: String,
}

/// The whole report; `story` tells the first error.
pub(crate) fn report(
    loaded: &Loaded,
    reports: &[PropertyReport],
    story: Option<&Story>,
    trail: Option<&Kept<'_>>,
) -> String {
    let style = Style { colour: output::out_colour(), excerpt: Some(EXCERPT) };
    let mut out = format!("{}\n", verdict_line(reports, style));
    if let Some(story) = story {
        out.push('\n');
        out.push_str(&error_section(story, style, trail));
    }
    for report in reports {
        out.push('\n');
        out.push_str(&property_section(report, reports.len() > 1, style));
    }
    let warnings = loaded.diagnostics.iter().filter(|d| !d.is_error()).count() as u64;
    if warnings > 0 {
        let _ = writeln!(out, "\n{} in the model, see above", plural(warnings, "warning"));
    }
    out
}

fn verdict_line(reports: &[PropertyReport], style: Style) -> String {
    if let Some(error) = reports.iter().find_map(|r| r.errors.first()) {
        return format!("{} {}", style.red("violated:"), headline(error));
    }
    let states = reports.iter().map(|r| r.stats.stored.max(r.stats.expanded)).max().unwrap_or(0);
    let seen = if states > 0 {
        format!(" (no errors in {})", plural(states, "state"))
    } else {
        String::new()
    };
    if let Some(report) = reports.iter().find(|r| r.verdict == Verdict::Incomplete) {
        let reason = report.limits.join("; ");
        let whose = if reports.len() > 1 {
            format!("{}: ", report.property.describe())
        } else {
            String::new()
        };
        let label = style.yellow("incomplete:");
        return format!("{label} {whose}{reason}{seen}");
    }
    let states = plural(states, "state");
    format!("{} no errors in {states} (complete search)", style.green("holds:"))
}

fn headline(error: &ErrorReport) -> String {
    let at = error.described.at.as_ref().map(|o| format!(" ({})", o.at)).unwrap_or_default();
    format!("{}{at}", error.described.headline)
}

fn error_section(story: &Story, style: Style, trail: Option<&Kept<'_>>) -> String {
    let mut out = render::story(story, style);
    if let Some(Kept { path, replay }) = trail {
        let _ = writeln!(out, "\ntrail written to {path}; `{replay}` tells it again");
    }
    out
}

fn property_section(report: &PropertyReport, is_named: bool, style: Style) -> String {
    let mut out = String::new();
    let title = report.property.describe();
    if is_named {
        let verdict = match report.verdict {
            Verdict::Holds => style.green("holds"),
            Verdict::Violated => style.red("violated"),
            Verdict::Incomplete => style.yellow("incomplete"),
        };
        let _ = writeln!(out, "{}: {verdict}", style.bold(&title));
    } else {
        let _ = writeln!(out, "{}", style.bold(&title));
    }
    out.push_str(&error_list(report));
    for limit in &report.limits {
        let _ = writeln!(out, "  not complete: {limit}");
    }
    if report.stats.expanded > 0 || report.stats.stored > 0 {
        out.push_str(&figures(report));
    }
    for note in &report.notes {
        let _ = writeln!(out, "  note: {note}");
    }
    if let Some(unreached) = &report.unreached {
        out.push_str(&unreached_section(unreached));
    }
    out
}

/// All errors, if the story is not about the only one.
fn error_list(report: &PropertyReport) -> String {
    let mut out = String::new();
    if report.error_count > 1 || report.errors.len() > 1 {
        for error in &report.errors {
            let often = match error.occurrences {
                1 => String::new(),
                n => format!(", {} times", count(n)),
            };
            let steps = plural(error.length, "step");
            let _ = writeln!(out, "  error: {}, {steps}{often}", headline(error));
        }
    }
    out
}

fn figures(report: &PropertyReport) -> String {
    let stats = &report.stats;
    let mut out = String::new();
    let _ = writeln!(
        out,
        "  {} stored, {} matched, {}",
        plural(stats.stored, "state"),
        count(stats.matched),
        plural(stats.transitions, "transition"),
    );
    if stats.passed > 0 {
        let _ =
            writeln!(out, "  {} passed on the way and not stored", plural(stats.passed, "state"));
    }
    if stats.atomic_steps > 0 {
        let _ = writeln!(out, "  {} in atomic sequences", plural(stats.atomic_steps, "step"));
    }
    let store = report.search.store.map_or("no store".to_owned(), |s| format!("{s} store"));
    if report.search.estimate.is_some() {
        let _ = writeln!(out, "  {} expanded", plural(stats.expanded, "state"));
    }
    let _ = writeln!(
        out,
        "  depth {}, {} a state, {} memory",
        count(stats.depth_reached),
        bytes(stats.state_bytes),
        bytes(stats.peak_memory_bytes),
    );
    let seconds = stats.search_time.as_secs_f64();
    let rate = if seconds > 0.0 { (stats.transitions as f64 / seconds) as u64 } else { 0 };
    let _ = writeln!(
        out,
        "  {}, {store}, {}, {}, {} transitions/s",
        how(report),
        plural(report.search.threads as u64, "thread"),
        time(stats.search_time),
        count(rate),
    );
    out
}

/// The kind of search.
fn how(report: &PropertyReport) -> String {
    let search = &report.search;
    match (search.cycles, search.fairness) {
        (None, _) if let Some(members) = search.swarm => format!("swarm of {members}"),
        (None, _) => match &search.estimate {
            Some(estimate) => {
                let range = estimate.range.map(|(least, most)| format!(" ({least} to {most})"));
                let range = range.unwrap_or_default();
                format!("{} search by `{}`{range}", search.order.name(), estimate.name)
            }
            None => format!("{} search", search.order.name()),
        },
        (Some(cycles), Fairness::None) => {
            let by = search.estimate.map(|e| format!(", {} by `{}`", search.order.name(), e.name));
            format!("search for cycles ({}{})", cycles.name(), by.unwrap_or_default())
        }
        (Some(cycles), fairness) => {
            format!("search for cycles ({}), {} fairness", cycles.name(), fairness.name())
        }
    }
}

fn unreached_section(unreached: &[Unreached]) -> String {
    if unreached.is_empty() {
        return "  every statement was executed\n".to_owned();
    }
    let mut out = String::from("  never executed:\n");
    for process in unreached {
        let (missing, all) = (process.unreached.len(), process.statements);
        if missing == all {
            let _ = writeln!(out, "    {}: none of its {all} statements", process.name);
            continue;
        }
        let _ = writeln!(out, "    {}: {missing} of {all} statements", process.name);
        for statement in process.unreached.iter().take(MAX_UNREACHED) {
            let why = if statement.reached { "  (reached, but never executable)" } else { "" };
            let _ = writeln!(out, "      {}  {}{why}", statement.at.at, statement.statement);
        }
        if missing > MAX_UNREACHED {
            let _ = writeln!(out, "      … and {} more", missing - MAX_UNREACHED);
        }
    }
    out
}
