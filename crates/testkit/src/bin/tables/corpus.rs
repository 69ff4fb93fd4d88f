//! Errors of collected models: how long the runs to them are, and what finding them costs.

use crate::page::number;
use crate::spin;
use spinor_check::{
    CheckConfig, Input, LoadOptions, Loaded, PropertyReport, SearchOrder, check, load,
};
use spinor_testkit::golden::{self, Row};
use spinor_testkit::subjects::define;
use spinor_ts::SilentObserver;
use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

/// For each search of ours.
const TIME: Duration = Duration::from_secs(4);
const MEMORY: u64 = 2 << 30;
/// Models whose first trail by SPIN is at least so long are shown one by one.
const LONG: u64 = 50;
/// Seconds for SPIN's search for shorter trails.
const SPIN_SECONDS: &str = "4";

/// A model with an error of safety and what was found in it.
struct Case {
    name: String,
    /// States and length of SPIN's first trail.
    spin: (u64, u64),
    /// Length after `pan -i`.
    iterated: Option<u64>,
    default: Option<Found>,
    breadth_first: Option<Found>,
    a_star: Option<Found>,
}

#[derive(Clone, Copy)]
struct Found {
    stored: u64,
    expanded: u64,
    length: u64,
    seconds: f64,
}

/// The table, and the sums over all models.
pub fn table(corpus: &Path) -> Result<String, String> {
    let rows = golden::read(&corpus.join("golden.tsv")).map_err(|error| error.to_string())?;
    let errors = ["invalid end state", "assertion violated"];
    let is_error = |row: &&Row| {
        row.config() == "verdict-por" && row.get("verdict").is_some_and(|v| errors.contains(&v))
    };
    let mut cases = Vec::new();
    for row in rows.iter().filter(is_error) {
        cases.extend(case(corpus, row));
    }
    let mut out = "| model | SPIN: states | length | `-i`: length | Spinor: states | length | \
                   A\\*: expanded | BFS: expanded |\n\
                   |---|---:|---:|---:|---:|---:|---:|---:|\n"
        .to_owned();
    cases.sort_by_key(|case| std::cmp::Reverse(case.spin.1));
    for case in cases.iter().filter(|case| case.spin.1 >= LONG) {
        let show = |value: Option<u64>| value.map_or("–".to_owned(), number);
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} | {} | {} | {} | {} |",
            case.name,
            number(case.spin.0),
            number(case.spin.1),
            show(case.iterated),
            show(case.default.map(|found| found.stored)),
            show(case.default.map(|found| found.length)),
            show(case.a_star.map(|found| found.expanded)),
            show(case.breadth_first.map(|found| found.expanded)),
        );
    }
    out.push('\n');
    out.push_str(&sums(&cases));
    Ok(out)
}

fn sums(cases: &[Case]) -> String {
    let found: Vec<_> = cases.iter().filter_map(|case| Some((case, case.default?))).collect();
    let lengths = |of: fn(&(&Case, Found)) -> u64| number(found.iter().map(of).sum());
    let mut out = format!(
        "Over all {} models with an error ({} more: not within {} seconds): SPIN's first trails have {} steps, ours {}.",
        found.len(),
        cases.len() - found.len(),
        TIME.as_secs(),
        lengths(|(case, _)| case.spin.1),
        lengths(|(_, found)| found.length),
    );
    let both: Vec<_> =
        cases.iter().filter_map(|case| Some((case.a_star?, case.breadth_first?))).collect();
    let different = both.iter().filter(|(a, b)| a.length != b.length).count();
    let expanded = |of: fn(&(Found, Found)) -> u64| number(both.iter().map(of).sum());
    let seconds = |of: fn(&(Found, Found)) -> f64| both.iter().map(of).sum::<f64>();
    let _ = write!(
        out,
        " With `--shortest`, on the {} models where both end: A\\* expands {} states in {:.1} s, \
         breadth first {} in {:.1} s; lengths differ on {different}.",
        both.len(),
        expanded(|(a, _)| a.expanded),
        seconds(|(a, _)| a.seconds),
        expanded(|(_, b)| b.expanded),
        seconds(|(_, b)| b.seconds),
    );
    out.push('\n');
    out
}

fn case(corpus: &Path, row: &Row) -> Option<Case> {
    let path = corpus.join(row.model());
    let bytes = std::fs::read(&path).ok()?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let defines = golden::defines(&text).iter().map(|d| define(d)).collect();
    let options = LoadOptions { defines, ..LoadOptions::default() };
    let input = Input::Text { name: path.display().to_string(), bytes };
    let loaded = load(&input, &options).ok().filter(Loaded::is_usable)?;
    // SPIN's depth counts from 0.
    let spin = (row.number("stored")?, row.number("error_depth")? + 1);
    eprintln!("{}", row.model());
    Some(Case {
        name: row.model().to_owned(),
        spin,
        iterated: (spin.1 >= LONG).then(|| iterate(&text)).flatten(),
        default: run(&loaded, None, false),
        breadth_first: run(&loaded, Some(SearchOrder::Bfs), true),
        a_star: run(&loaded, Some(SearchOrder::Astar), true),
    })
}

fn run(loaded: &Loaded, order: Option<SearchOrder>, shortest: bool) -> Option<Found> {
    let config = CheckConfig {
        properties: vec!["safety".to_owned()],
        no_claim: true,
        max_errors: 1,
        order,
        shortest,
        threads: Some(1),
        time_limit: Some(TIME),
        memory_limit_bytes: Some(MEMORY),
        ..CheckConfig::default()
    };
    let reports = check(loaded, &config, &mut SilentObserver).ok()?;
    let report: &PropertyReport = reports.first()?;
    let error = report.errors.first()?;
    Some(Found {
        stored: report.stats.stored,
        expanded: report.stats.expanded,
        length: error.length,
        seconds: report.stats.search_time.as_secs_f64(),
    })
}

/// The length of the trail that SPIN is left with when it looks for shorter ones.
fn iterate(text: &str) -> Option<u64> {
    let defines: Vec<String> = golden::defines(text).iter().map(|d| format!("-D{d}")).collect();
    let directives = ["-DREACH", "-DNOCLAIM", "-DMEMLIM=4096"];
    let report = spin::pan(text, &defines, &directives, &[SPIN_SECONDS, "-i", "-m1000000"])?;
    spin::depths(&report).min().map(|depth| depth + 1)
}
