//! The page.

use crate::corpus;
use crate::model::Model;
use crate::paper::{
    ASSERTIONS, Block, DEADLOCKS, GIOP_3, GIOP_UNDER_LIMITS, HEURISTICS, INVARIANTS, LEADER,
    LIVENESS, PHILOSOPHERS_BY_NUMBER, Printed,
};
use crate::runs::{Error, Figures, Limits, Method, cycles, run};
use crate::spin;
use spinor_check::{CycleSearch, SearchOrder};
use spinor_heuristic::Heuristic;
use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

const TEXT: &str = include_str!("text.md");

/// What searches get in Table 8.
const LITTLE: Limits = Limits { memory: 24 << 20, time: Duration::from_secs(240) };

/// All tables, or the one that is named, put into the text.
pub fn page(dir: &Path, only: Option<&str>) -> Result<String, String> {
    let mut page = TEXT.to_owned();
    type Table = fn(&Path) -> Result<String, String>;
    let tables: [(&str, Table); 9] = [
        ("3", |dir| blocks(dir, &DEADLOCKS, Heuristic::Active)),
        ("4", |dir| blocks(dir, &ASSERTIONS, Heuristic::Formula)),
        ("5", |dir| blocks(dir, &INVARIANTS, Heuristic::Formula)),
        ("6", heuristics),
        ("7", philosophers),
        ("8", limits),
        ("10", leader),
        ("11", liveness),
        ("corpus", |dir| corpus::table(dir.parent().unwrap_or(dir))),
    ];
    for (number, table) in tables {
        if only.is_some_and(|only| only != number) {
            continue;
        }
        eprintln!("table {number}");
        let rows = table(dir)?;
        eprintln!("{rows}");
        page = page.replace(&format!("{{{{table {number}}}}}\n"), &rows);
    }
    Ok(page)
}

const HEAD: &str = "| | | BFS | DFS | A* | BF | SPIN |\n|---|---|---:|---:|---:|---:|---:|\n";

fn blocks(dir: &Path, blocks: &[Block], heuristic: Heuristic) -> Result<String, String> {
    let mut out = HEAD.to_owned();
    for block in blocks {
        rows(
            &mut out,
            dir,
            block.model.name,
            &block.model,
            block.error,
            heuristic,
            &block.printed,
        )?;
    }
    Ok(out)
}

fn rows(
    out: &mut String,
    dir: &Path,
    name: &str,
    model: &Model,
    error: Error,
    heuristic: Heuristic,
    printed: &[Printed; 5],
) -> Result<(), String> {
    let loaded = model.load(dir)?;
    let methods = [
        Method::BreadthFirst,
        Method::DepthFirst,
        Method::AStar(heuristic),
        Method::BestFirst(heuristic),
    ];
    let mut found: Vec<Option<Figures>> =
        methods.into_iter().map(|method| run(&loaded, error, method, Limits::default())).collect();
    found.push(spin::run(model, error, dir));
    let names = ["stored", "expanded", "transitions", "length"];
    for (at, what) in names.into_iter().enumerate() {
        let name = if at == 0 { name } else { "" };
        let _ = write!(out, "| {name} | {what} |");
        for (ours, theirs) in found.iter().zip(printed) {
            let theirs = theirs.map_or("–".to_owned(), |numbers| number(numbers[at]));
            let _ = write!(out, " {} ({theirs}) |", cell(ours.as_ref(), at));
        }
        out.push('\n');
    }
    Ok(())
}

fn cell(figures: Option<&Figures>, at: usize) -> String {
    let Some(figures) = figures else { return "–".to_owned() };
    match (at, figures.length, figures.end) {
        (3, None, Some(end)) => end.to_owned(),
        (_, None, Some(_)) => "–".to_owned(),
        (0, ..) => number(figures.stored),
        (1, ..) => number(figures.expanded),
        (2, ..) => number(figures.transitions),
        (_, Some(length), _) => number(length),
        (_, None, None) => "none".to_owned(),
    }
}

/// With commas.
pub fn number(n: u64) -> String {
    let digits = n.to_string();
    let groups: Vec<&[u8]> = digits.as_bytes().rchunks(3).rev().collect();
    let text = |group: &&[u8]| String::from_utf8_lossy(group).into_owned();
    groups.iter().map(text).collect::<Vec<_>>().join(",")
}

fn heuristics(dir: &Path) -> Result<String, String> {
    let mut out =
        "| | | none | `active` | `deadlock` | `danger` |\n|---|---|---:|---:|---:|---:|\n"
            .to_owned();
    for (model, printed) in &HEURISTICS {
        let loaded = model.load(dir)?;
        let names = [Heuristic::None, Heuristic::Active, Heuristic::Deadlock, Heuristic::Danger];
        let found = names.map(|heuristic| {
            run(&loaded, Error::Deadlock, Method::AStar(heuristic), Limits::default())
        });
        let _ = write!(out, "| {} | expanded |", model.name);
        for (ours, (theirs, _)) in found.iter().zip(printed) {
            let _ = write!(out, " {} ({}) |", cell(ours.as_ref(), 1), number(*theirs));
        }
        let _ = write!(out, "\n| | range |");
        for (ours, (_, most)) in found.iter().zip(printed) {
            let range = ours.as_ref().and_then(|figures| figures.range);
            let range = range.map_or("–".to_owned(), |(least, most)| format!("{least}..{most}"));
            let _ = write!(out, " {range} (0..{most}) |");
        }
        let _ = write!(out, "\n| | length |");
        for ours in &found {
            let _ = write!(out, " {} |", cell(ours.as_ref(), 3));
        }
        out.push('\n');
    }
    Ok(out)
}

fn philosophers(dir: &Path) -> Result<String, String> {
    let mut out = HEAD.replace("| | |", "| p | |");
    for (number, printed) in &PHILOSOPHERS_BY_NUMBER {
        let defines: &'static [(&str, &str)] = Box::leak(Box::new([("N", *number)]));
        let model = Model { name: "", file: "deadlock.philosophers", defines, written: &[] };
        rows(&mut out, dir, number, &model, Error::Deadlock, Heuristic::Active, printed)?;
    }
    let _ = writeln!(
        out,
        "\nOurs alone:\n\n| p | A* stored | expanded | length | seconds |\n|---|---:|---:|---:|---:|"
    );
    for p in ["50", "100", "200"] {
        let defines: &'static [(&str, &str)] = Box::leak(Box::new([("N", p)]));
        let model = Model { name: "", file: "deadlock.philosophers", defines, written: &[] };
        let loaded = model.load(dir)?;
        let method = Method::AStar(Heuristic::Active);
        let found = run(&loaded, Error::Deadlock, method, Limits::default()).unwrap_or_default();
        let (s, e) = (number(found.stored), number(found.expanded));
        let _ =
            writeln!(out, "| {p} | {s} | {e} | {} | {:.1} |", cell(Some(&found), 3), found.seconds);
    }
    Ok(out)
}

fn limits(dir: &Path) -> Result<String, String> {
    let loaded = GIOP_3.load(dir)?;
    let methods = [
        Method::AStar(Heuristic::Active),
        Method::Ida(Heuristic::Active),
        Method::IdaBits(Heuristic::Active),
    ];
    let found =
        methods.map(|method| run(&loaded, Error::Deadlock, method, LITTLE).unwrap_or_default());
    let mut out = "| depth | A* | IDA* | IDA* + bitstate |\n|---|---:|---:|---:|\n".to_owned();
    let depths = found.iter().flat_map(|f| f.iterations.iter().map(|i| i.limit));
    let (first, last) = (GIOP_UNDER_LIMITS[0].0, depths.max().unwrap_or(0));
    for depth in first..=last.max(first) {
        let printed = GIOP_UNDER_LIMITS.iter().find(|(at, _)| *at == depth);
        let _ = write!(out, "| {depth} |");
        for (at, figures) in found.iter().enumerate() {
            let ours = figures.iterations.iter().find(|i| i.limit == depth);
            let ours = ours.map_or("–".to_owned(), |i| number(i.expanded));
            let theirs = printed.map(|(_, numbers)| numbers[at]).filter(|n| *n > 0);
            let theirs = theirs.map_or("–".to_owned(), number);
            let _ = write!(out, " {ours} ({theirs}) |");
        }
        out.push('\n');
    }
    let _ = write!(out, "| end |");
    for figures in &found {
        let end = match figures.length {
            Some(length) => format!("goal found, length {length}"),
            None => figures.end.unwrap_or("nothing found").to_owned(),
        };
        let _ = write!(out, " {end} |");
    }
    out.push('\n');
    Ok(out)
}

fn leader(dir: &Path) -> Result<String, String> {
    let mut out = "| | | NDFS | INDFS |\n|---|---|---:|---:|\n".to_owned();
    for (formula, model, printed) in &LEADER {
        let loaded = model.load(dir)?;
        let found = [CycleSearch::Ndfs, CycleSearch::Indfs]
            .map(|algorithm| cycles(&loaded, SearchOrder::Dfs, algorithm));
        for (at, what) in ["stored", "expanded", "transitions"].into_iter().enumerate() {
            let name = if at == 0 { formula } else { "" };
            let _ = write!(out, "| {name} | {what} |");
            for (ours, theirs) in found.iter().zip(printed) {
                let _ = write!(out, " {} ({}) |", cell(ours.as_ref(), at), number(theirs[at]));
            }
            out.push('\n');
        }
    }
    Ok(out)
}

fn liveness(dir: &Path) -> Result<String, String> {
    let mut out = "| | | NDFS | INDFS | A* + INDFS |\n|---|---|---:|---:|---:|\n".to_owned();
    for (model, printed) in &LIVENESS {
        let loaded = model.load(dir)?;
        let found = [
            cycles(&loaded, SearchOrder::Dfs, CycleSearch::Ndfs),
            cycles(&loaded, SearchOrder::Dfs, CycleSearch::Indfs),
            cycles(&loaded, SearchOrder::Astar, CycleSearch::Indfs),
        ];
        let names = ["stored", "expanded", "transitions", "length"];
        for (at, what) in names.into_iter().enumerate() {
            let name = if at == 0 { model.name } else { "" };
            let _ = write!(out, "| {name} | {what} |");
            for (ours, theirs) in found.iter().zip(printed) {
                let _ = write!(out, " {} ({}) |", cell(ours.as_ref(), at), number(theirs[at]));
            }
            out.push('\n');
        }
    }
    Ok(out)
}
