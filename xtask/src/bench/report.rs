//! The document and the recorded points.

use std::fmt::Write as _;
use std::time::Duration;

use anyhow::Result;

use super::machine::Machine;
use super::runs::Counts;
use super::{Cost, Row};
use crate::shell;

const DOCUMENT: &str = "docs/benchmarks.md";
const RECORD: &str = "docs/benchmarks.tsv";

const COLUMNS: &str = "date\tcommit\tmodel\tstored\ttransitions\
    \tcompile_cpu\tcompile_wall\tcompile_bytes\
    \tspin_cpu\tspin_wall\tspin_bytes\
    \tdfs_cpu\tdfs_wall\tdfs_bytes\
    \tbfs_cpu\tbfs_wall\tbfs_bytes";

/// All that was measured in one run.
pub struct Point {
    pub machine: Machine,
    pub rows: Vec<Row>,
}

/// A row that was recorded earlier.
struct Recorded {
    date: String,
    commit: String,
    row: Row,
}

/// Shows the point beside the last recorded one, and records it.
pub fn finish(point: &Point, show_only: bool) -> Result<()> {
    let record = shell::root().join(RECORD);
    let earlier = std::fs::read_to_string(&record).unwrap_or_default();
    let document = document(point, &parse(&earlier));
    if show_only {
        println!("\n{document}");
        return Ok(());
    }
    let mut text = if earlier.is_empty() { format!("{COLUMNS}\n") } else { earlier };
    for row in &point.rows {
        text.push_str(&format_row(&point.machine, row));
        text.push('\n');
    }
    std::fs::write(record, text)?;
    std::fs::write(shell::root().join(DOCUMENT), document)?;
    println!("\nwrote {DOCUMENT} and {RECORD}");
    Ok(())
}

/// One model in one line, for the terminal.
pub fn line(row: &Row) -> String {
    format!(
        "{}: {} states; SPIN {} s (+ {} s to compile), dfs {} s, bfs {} s",
        row.model,
        row.counts.stored,
        seconds(row.spin.cpu),
        seconds(row.compile.cpu),
        seconds(row.dfs.cpu),
        seconds(row.bfs.cpu)
    )
}

const INTRODUCTION: &str = "\
# Benchmarks

<!-- Written by `cargo xtask bench`. Do not edit. -->

Spinor and SPIN explore the same state graphs on the same machine, in turns; every
figure is the median of three runs. Both use the plain semantics, without reduction,
and go past errors, so that the whole graph is seen: states and transitions are equal
in every row, or nothing is written. SPIN: `spin -o1 -o2 -o3 -a`,
`gcc -O3 -DSAFETY -DNOREDUCE`, `pan -n -E -A -c0`. Spinor: `spinor check --plain
--no-claim --property safety --ignore deadlock --ignore assert --max-errors 0`, with
`--search dfs` and `--search bfs`, from the model's text to the report.
";

fn document(point: &Point, earlier: &[Recorded]) -> String {
    let Machine { date, commit, hardware, spinor, spin } = &point.machine;
    let mut text = INTRODUCTION.to_owned();
    let _ = write!(
        text,
        "\n| | |\n|---|---|\n| measured | {date}, commit {commit} |\n| machine | {hardware} |\n\
         | Spinor | {spinor} |\n| SPIN | {spin} |\n"
    );
    text.push_str(
        "\n## CPU time\n\nUser and system seconds. The factors say how many times the CPU time of \
         Spinor fits into that of pan; *all* counts SPIN's generation and compilation too.\n\n\
         | model | states | transitions | pan | with compilation | dfs | bfs | dfs factor | \
         bfs factor | dfs factor, all |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
    );
    for row in &point.rows {
        let all = row.spin.cpu + row.compile.cpu;
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} | {:.2} | {:.2} | {:.2} |",
            row.model,
            row.counts.stored,
            row.counts.transitions,
            seconds(row.spin.cpu),
            seconds(all),
            seconds(row.dfs.cpu),
            seconds(row.bfs.cpu),
            factor(row.spin.cpu, row.dfs.cpu),
            factor(row.spin.cpu, row.bfs.cpu),
            factor(all, row.dfs.cpu)
        );
    }
    text.push_str(
        "\n## Time on the clock and memory\n\nSeconds, and the largest resident size in MB. pan begins \
         with a table of 134 MB (`-w24`, its default).\n\n\
         | model | pan | dfs | bfs | pan, MB | dfs, MB | bfs, MB |\n\
         |---|--:|--:|--:|--:|--:|--:|\n",
    );
    for row in &point.rows {
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} |",
            row.model,
            seconds(row.spin.wall),
            seconds(row.dfs.wall),
            seconds(row.bfs.wall),
            megabytes(row.spin),
            megabytes(row.dfs),
            megabytes(row.bfs)
        );
    }
    text.push_str(&changes(point, earlier));
    text
}

/// How the factors moved since each model was last recorded. Factors, because
/// they depend less on the machine than seconds do.
fn changes(point: &Point, earlier: &[Recorded]) -> String {
    let mut lines = String::new();
    for row in &point.rows {
        let Some(last) = earlier.iter().rfind(|r| r.row.model == row.model) else {
            continue;
        };
        let pair = |now: Duration, then: Duration| {
            let (now, then) = (factor(row.spin.cpu, now), factor(last.row.spin.cpu, then));
            format!("{then:.2} → {now:.2} ({:+.0} %)", (now / then - 1.0) * 100.0)
        };
        let _ = writeln!(
            lines,
            "| {} | {}, {} | {} | {} |",
            row.model,
            last.date,
            last.commit,
            pair(row.dfs.cpu, last.row.dfs.cpu),
            pair(row.bfs.cpu, last.row.bfs.cpu)
        );
    }
    if lines.is_empty() {
        return String::new();
    }
    format!(
        "\n## Since the last point\n\nEarlier points are in [benchmarks.tsv](benchmarks.tsv).\n\n\
         | model | last measured | dfs factor | bfs factor |\n|---|---|--:|--:|\n{lines}"
    )
}

fn seconds(time: Duration) -> String {
    format!("{:.2}", time.as_secs_f64())
}

fn megabytes(cost: Cost) -> String {
    format!("{:.0}", cost.peak_bytes as f64 / 1e6)
}

fn factor(spin: Duration, ours: Duration) -> f64 {
    spin.as_secs_f64() / ours.as_secs_f64().max(1e-6)
}

fn format_row(machine: &Machine, row: &Row) -> String {
    let mut text = format!(
        "{}\t{}\t{}\t{}\t{}",
        machine.date, machine.commit, row.model, row.counts.stored, row.counts.transitions
    );
    for cost in [row.compile, row.spin, row.dfs, row.bfs] {
        let (cpu, wall) = (cost.cpu.as_secs_f64(), cost.wall.as_secs_f64());
        let _ = write!(text, "\t{cpu:.3}\t{wall:.3}\t{}", cost.peak_bytes);
    }
    text
}

fn parse(text: &str) -> Vec<Recorded> {
    text.lines().skip(1).filter_map(parse_row).collect()
}

fn parse_row(line: &str) -> Option<Recorded> {
    let cells: Vec<&str> = line.split('\t').collect();
    let [date, commit, model, stored, transitions, costs @ ..] = &cells[..] else {
        return None;
    };
    let mut costs = costs.chunks(3).map(parse_cost);
    let mut next = || costs.next().flatten();
    let row = Row {
        model: (*model).to_owned(),
        counts: Counts { stored: stored.parse().ok()?, transitions: transitions.parse().ok()? },
        compile: next()?,
        spin: next()?,
        dfs: next()?,
        bfs: next()?,
    };
    Some(Recorded { date: (*date).to_owned(), commit: (*commit).to_owned(), row })
}

fn parse_cost(cells: &[&str]) -> Option<Cost> {
    let [cpu, wall, bytes] = cells else {
        return None;
    };
    Some(Cost {
        cpu: Duration::try_from_secs_f64(cpu.parse().ok()?).ok()?,
        wall: Duration::try_from_secs_f64(wall.parse().ok()?).ok()?,
        peak_bytes: bytes.parse().ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cost(seconds: u64) -> Cost {
        let time = Duration::from_secs(seconds);
        Cost { cpu: time, wall: time, peak_bytes: 7_000_000 }
    }

    fn point() -> Point {
        let machine = Machine {
            date: "2026-01-31".to_owned(),
            commit: "abc1234".to_owned(),
            hardware: "a processor, 2 cores".to_owned(),
            spinor: "spinor 0.1.0".to_owned(),
            spin: "Spin Version 6.5.2".to_owned(),
        };
        let row = Row {
            model: "beem/at.3".to_owned(),
            counts: Counts { stored: 10, transitions: 30 },
            compile: cost(1),
            spin: cost(4),
            dfs: cost(2),
            bfs: cost(1),
        };
        Point { machine, rows: vec![row] }
    }

    #[test]
    fn points_are_recorded_and_read_back() {
        let point = point();
        let text = format!("{COLUMNS}\n{}\n", format_row(&point.machine, &point.rows[0]));
        let recorded = parse(&text);
        assert_eq!(recorded.len(), 1);
        assert_eq!(recorded[0].row, point.rows[0]);
        let columns = COLUMNS.split('\t').count();
        assert!(text.lines().all(|line| line.split('\t').count() == columns));
    }

    #[test]
    fn the_document_compares_with_the_last_point() {
        let now = point();
        let mut slower = point();
        slower.rows[0].dfs = cost(4);
        let text = format!("{COLUMNS}\n{}\n", format_row(&slower.machine, &slower.rows[0]));
        let document = document(&now, &parse(&text));
        let figures = "| beem/at.3 | 10 | 30 | 4.00 | 5.00 | 2.00 | 1.00 | 2.00 | 4.00 | 2.50 |";
        assert!(document.contains(figures), "{document}");
        assert!(document.contains("1.00 → 2.00 (+100 %)"), "{document}");
    }
}
