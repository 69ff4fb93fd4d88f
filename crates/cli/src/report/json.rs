//! The JSON document of `check --json`. Names are part of the contract.

use serde::Serialize;
use spinor_base::{Diagnostic, Severity};
use spinor_check::{CycleSearch, ErrorReport, Loaded, PropertyReport, Verdict};
use spinor_trace::{At, Unreached};

#[derive(Serialize)]
pub(crate) struct Document<'a> {
    spinor: &'static str,
    model: &'a str,
    results: Vec<Outcome<'a>>,
    diagnostics: Vec<Message<'a>>,
}

#[derive(Serialize)]
struct Outcome<'a> {
    property: PropertyJson<'a>,
    verdict: &'static str,
    complete: bool,
    limits: &'a [String],
    search: Search,
    stats: StatsJson,
    errors: Vec<Error<'a>>,
    error_count: u64,
    unreached: Option<&'a [Unreached]>,
    notes: &'a [String],
}

#[derive(Serialize)]
struct PropertyJson<'a> {
    kind: &'static str,
    name: Option<&'a str>,
    formula: Option<&'a str>,
}

#[derive(Serialize)]
struct Search {
    order: &'static str,
    cycles: Option<&'static str>,
    store: Option<&'static str>,
    reduction: bool,
    merging: bool,
    fairness: &'static str,
    threads: usize,
    engine: &'static str,
    swarm: Option<u32>,
    context_bound: Option<u8>,
    heuristic: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    admissible: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    estimates: Option<(u32, u32)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    proved_shortest: Option<bool>,
}

#[derive(Serialize)]
struct StatsJson {
    stored: u64,
    matched: u64,
    transitions: u64,
    expanded: u64,
    passed: u64,
    atomic_steps: u64,
    depth_reached: u64,
    state_bytes: u64,
    store_bytes: u64,
    peak_memory_bytes: u64,
    compile_seconds: f64,
    codegen_seconds: f64,
    search_seconds: f64,
    cpu_seconds: Option<f64>,
    expected_omitted: Option<f64>,
    hash_factor: Option<f64>,
}

#[derive(Serialize)]
struct Error<'a> {
    kind: &'static str,
    message: &'a str,
    at: Option<&'a At>,
    length: u64,
    cycle_start: Option<u64>,
    trail: Option<String>,
    occurrences: u64,
}

/// A diagnostic.
#[derive(Serialize)]
struct Message<'a> {
    severity: &'static str,
    code: &'static str,
    message: &'a str,
    at: At,
}

/// Diagnostics given: more help nobody.
const MAX_DIAGNOSTICS: usize = 1000;

/// The document; `trail` names the file with the first error.
pub(crate) fn document<'a>(
    loaded: &'a Loaded,
    reports: &'a [PropertyReport],
    trail: Option<&str>,
) -> Document<'a> {
    let first = reports.iter().position(|r| !r.errors.is_empty());
    let results = reports
        .iter()
        .enumerate()
        .map(|(i, report)| outcome(loaded, report, trail.filter(|_| Some(i) == first)))
        .collect();
    Document {
        spinor: env!("CARGO_PKG_VERSION"),
        model: &loaded.name,
        results,
        diagnostics: diagnostics(loaded),
    }
}

fn outcome<'a>(loaded: &Loaded, report: &'a PropertyReport, trail: Option<&str>) -> Outcome<'a> {
    let stats = &report.stats;
    let estimate = report.search.estimate;
    Outcome {
        property: PropertyJson {
            kind: report.property.kind.name(),
            name: report.property.name.as_deref(),
            formula: report.property.formula.as_deref(),
        },
        verdict: verdict(report.verdict),
        complete: report.complete,
        limits: &report.limits,
        search: Search {
            order: report.search.order.name(),
            cycles: report.search.cycles.map(CycleSearch::name),
            store: report.search.store,
            reduction: report.search.reduction,
            merging: report.search.merging,
            fairness: report.search.fairness.name(),
            threads: report.search.threads,
            engine: report.search.engine,
            swarm: report.search.swarm,
            context_bound: report.search.context_bound,
            heuristic: estimate.map(|e| e.name),
            admissible: estimate.map(|e| e.is_admissible),
            estimates: estimate.and_then(|e| e.range),
            proved_shortest: estimate.map(|e| e.is_shortest),
        },
        stats: StatsJson {
            stored: stats.stored,
            matched: stats.matched,
            transitions: stats.transitions,
            expanded: stats.expanded,
            passed: stats.passed,
            atomic_steps: stats.atomic_steps,
            depth_reached: stats.depth_reached,
            state_bytes: stats.state_bytes,
            store_bytes: stats.store_bytes,
            peak_memory_bytes: stats.peak_memory_bytes,
            compile_seconds: loaded.compile_time.as_secs_f64(),
            codegen_seconds: report.search.compile_time.as_secs_f64(),
            search_seconds: stats.search_time.as_secs_f64(),
            cpu_seconds: report.search.cpu_time.map(|time| time.as_secs_f64()),
            expected_omitted: stats.expected_omitted,
            hash_factor: stats.hash_factor,
        },
        errors: report
            .errors
            .iter()
            .enumerate()
            .map(|(i, e)| error(e, trail.filter(|_| i == 0)))
            .collect(),
        error_count: report.error_count,
        unreached: report.unreached.as_deref(),
        notes: &report.notes,
    }
}

/// The name of a verdict.
pub(crate) fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Holds => "holds",
        Verdict::Violated => "violated",
        Verdict::Incomplete => "incomplete",
    }
}

fn error<'a>(error: &'a ErrorReport, trail: Option<&str>) -> Error<'a> {
    Error {
        kind: error.described.kind,
        message: &error.described.message,
        at: error.described.at.as_ref().map(|origin| &origin.at),
        length: error.length,
        cycle_start: error.cycle_start,
        trail: trail.map(str::to_owned),
        occurrences: error.occurrences,
    }
}

/// The first diagnostics, no error left out for a warning.
fn diagnostics(loaded: &Loaded) -> Vec<Message<'_>> {
    let errors = loaded.diagnostics.iter().filter(|d| d.is_error()).count().min(MAX_DIAGNOSTICS);
    let mut left = [MAX_DIAGNOSTICS - errors, errors];
    let chosen = loaded.diagnostics.iter().filter(|d| {
        let left = &mut left[usize::from(d.is_error())];
        let is_chosen = *left > 0;
        *left -= usize::from(is_chosen);
        is_chosen
    });
    chosen.map(|d| message(loaded, d)).collect()
}

fn message<'a>(loaded: &Loaded, diagnostic: &'a Diagnostic) -> Message<'a> {
    Message {
        severity: match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        },
        code: diagnostic.code,
        message: &diagnostic.message,
        at: At::of(&loaded.sources, diagnostic.primary),
    }
}
