//! A table for each section.

use super::directed;
use super::embedded;
use super::endless;
use super::figures::Figures;
use super::limits;
use super::profile;
use super::record::View;
use super::section::Section;
use super::simulation;
use super::table::{MISSING, Table, cell, count, fine_seconds, missed, seconds, times};

/// What a section measured, with a sentence on how to read it.
pub fn section(section: Section, view: &View) -> String {
    let (explanation, table) = match section {
        Section::OneCore => one_core(view),
        Section::TwoCores => two_cores(view),
        Section::Compile => compile(view),
        Section::Memory => memory(view),
        Section::Lossy => lossy(view),
        Section::Growth => growth(view),
        Section::Endless => endless::table(view),
        Section::Embedded => embedded::table(view),
        Section::Directed => directed::table(view),
        Section::Simulation => simulation::table(view),
        Section::Machine => limits::table(view),
        Section::Profile => profile(view),
    };
    let mut text = format!("{explanation}\n\n{}", table.format());
    if !matches!(section, Section::Machine | Section::Profile) {
        let notes = view.notes();
        if !notes.is_empty() {
            text.push_str("\nNot measured:\n\n");
        }
        for (model, subject, why) in notes {
            text.push_str(&format!("- {model}, {subject}: {why}\n"));
        }
    }
    text
}

/// The title of a section.
pub fn title(section: Section) -> &'static str {
    match section {
        Section::OneCore => "One core",
        Section::TwoCores => "Two cores",
        Section::Compile => "From text to verdict",
        Section::Memory => "Memory",
        Section::Lossy => "Searches that may miss states",
        Section::Growth => "Growth",
        Section::Endless => "Infinite runs",
        Section::Embedded => "Embedded C",
        Section::Directed => "Directed search",
        Section::Simulation => "Simulation",
        Section::Machine => "The machine's memory",
        Section::Profile => "Where the time goes",
    }
}

fn one_core(view: &View) -> (&'static str, Table) {
    let mut table = Table::new(&[
        "model",
        "states",
        "transitions",
        "pan, s",
        "bfs, s",
        "bfs, ns",
        "bfs",
        "dfs",
        "exact",
        "interpreter",
    ]);
    for model in view.models() {
        let of = |subject| view.figures(model, subject);
        let pan = of("pan");
        let bfs = of("bfs");
        let times = |subject| times(pan, of(subject), |f| f.cpu);
        table.rows.push(vec![
            model.to_owned(),
            cell(pan, |f| count(f.stored)),
            cell(pan, |f| count(f.transitions)),
            cell(pan, |f| seconds(f.cpu)),
            cell(bfs, |f| seconds(f.cpu)),
            cell(bfs, |f| format!("{:.0}", f.cpu * 1e9 / f.transitions.max(1) as f64)),
            times("bfs"),
            times("dfs"),
            times("bfs-exact"),
            times("interpreter"),
        ]);
    }
    let explanation = "CPU seconds of the search, without compilation on either side, and CPU \
        nanoseconds per transition. The last four columns say how many times faster than pan \
        Spinor is: breadth first and depth first with the `tree` store, breadth first with the \
        `exact` store, and breadth first with the interpreter instead of native code.";
    (explanation, table)
}

fn two_cores(view: &View) -> (&'static str, Table) {
    let mut table = Table::new(&[
        "model",
        "states",
        "1 thread, s",
        "2 threads, s",
        "speed-up",
        "`-DBFS_PAR`, s",
        "its states",
        "`-DNCORE=2`, s",
        "faster than the better one",
    ]);
    for model in view.models() {
        let of = |subject| view.figures(model, subject);
        let (one, two) = (of("bfs"), of("bfs-2"));
        let (bfs, cores) = (of("pan-bfs-par"), of("pan-ncore"));
        let better = match (bfs, cores) {
            (Some(a), Some(b)) => Some(if a.wall < b.wall { a } else { b }),
            (a, b) => a.or(b),
        };
        table.rows.push(vec![
            model.to_owned(),
            cell(one, |f| count(f.stored)),
            cell(one, |f| seconds(f.wall)),
            cell(two, |f| seconds(f.wall)),
            times(one, two, |f| f.wall),
            cell(bfs, |f| seconds(f.wall)),
            cell(bfs, |f| count(f.stored)),
            cell(cores, |f| seconds(f.wall)),
            times(better, two, |f| f.wall),
        ]);
    }
    let explanation = "Seconds of the search on the clock. pan's times are those of its own \
        clock. Its `-DBFS_PAR` stores hashes, so it may miss states, and where there are \
        rendezvous it stores more states than it needs.";
    (explanation, table)
}

fn compile(view: &View) -> (&'static str, Table) {
    let mut table = Table::new(&[
        "model",
        "states",
        "SPIN, CPU s",
        "SPIN, s",
        "Spinor, CPU s",
        "Spinor, s",
        "CPU",
        "clock",
    ]);
    for model in view.models() {
        let (spin, ours) = (view.figures(model, "pan-whole"), view.figures(model, "default"));
        table.rows.push(vec![
            model.to_owned(),
            cell(spin, |f| count(f.stored)),
            cell(spin, |f| seconds(f.whole_cpu)),
            cell(spin, |f| seconds(f.whole_wall)),
            cell(ours, |f| fine_seconds(f.whole_cpu)),
            cell(ours, |f| fine_seconds(f.whole_wall)),
            times(spin, ours, |f| f.whole_cpu),
            times(spin, ours, |f| f.whole_wall),
        ]);
    }
    let explanation = "`spin -a`, `gcc -O3` and pan against `spinor check` with its default store, \
        order and threads; CPU seconds and seconds on the clock. The last two columns say how \
        many times faster Spinor is.";
    (explanation, table)
}

fn memory(view: &View) -> (&'static str, Table) {
    let mut table = Table::new(&[
        "model",
        "states",
        "pan, B/state",
        "`-DCOLLAPSE`, B/state",
        "Spinor, B/state",
        "of pan",
        "of `-DCOLLAPSE`",
        "peak of pan, MB",
        "of `-DCOLLAPSE`, MB",
        "of Spinor, MB",
        "faster than `-DCOLLAPSE`",
    ]);
    for model in view.models() {
        let of = |subject| view.figures(model, subject);
        let (pan, collapse, ours) = (of("pan"), of("pan-collapse"), of("bfs"));
        let bytes = |f| cell(f, |f| format!("{:.1}", f.bytes_per_state()));
        let part = |theirs: Option<&Figures>| match (theirs, ours) {
            (Some(theirs), Some(ours)) => {
                format!("{:.2}", ours.store_bytes as f64 / theirs.store_bytes.max(1) as f64)
            }
            _ => MISSING.to_owned(),
        };
        let peak = |f| cell(f, |f| format!("{:.0}", f.peak_bytes as f64 / 1e6));
        table.rows.push(vec![
            model.to_owned(),
            cell(pan, |f| count(f.stored)),
            bytes(pan),
            bytes(collapse),
            bytes(ours),
            part(pan),
            part(collapse),
            peak(pan),
            peak(collapse),
            peak(ours),
            times(collapse, ours, |f| f.cpu),
        ]);
    }
    let explanation = "Storage of states alone, with tables and dictionaries, without stacks and \
        queues: of pan, what it calls actual memory usage for states and its hash table (one slot \
        or two for each state). Peaks are those of the whole process. The last column is CPU time.";
    (explanation, table)
}

fn lossy(view: &View) -> (&'static str, Table) {
    let mut table = Table::new(&[
        "model",
        "states",
        "bitstate: faster",
        "two cores",
        "pan misses",
        "Spinor misses",
        "hash-compact: faster",
        "for each state",
        "two cores",
        "pan misses",
        "Spinor misses",
        "stated",
    ]);
    for model in view.models() {
        let of = |subject| view.figures(model, subject);
        let all = of("bfs");
        table.rows.push(vec![
            model.to_owned(),
            cell(all, |f| count(f.stored)),
            times(of("pan-bitstate"), of("bitstate"), |f| f.cpu),
            times(of("pan-bitstate"), of("bitstate-2"), |f| f.wall),
            missed(all, of("pan-bitstate")),
            missed(all, of("bitstate")),
            times(of("pan-hc4"), of("hash-compact"), |f| f.cpu),
            times(of("pan-hc4"), of("hash-compact"), |f| f.cpu * 1e9 / f.stored as f64),
            times(of("pan-hc4"), of("hash-compact-2"), |f| f.wall * 1e9 / f.stored as f64),
            missed(all, of("pan-hc4")),
            missed(all, of("hash-compact")),
            cell(of("hash-compact"), |f| {
                f.omitted.map_or_else(|| MISSING.to_owned(), |n| format!("{n:.1e}"))
            }),
        ]);
    }
    let explanation = "Bitstate with 2^28 bits and three hash functions on both sides; hash-compact \
        with 64 bits against `-DHC4`. How many times less CPU time Spinor takes on one core, also for each \
        state that is stored (who misses states has less to do), how many times faster it is on the clock with both cores \
        (each tool as it comes: these modes of pan use one; hash-compact for each state that is stored), how many states each \
        misses, and how many Spinor says to expect.";
    (explanation, table)
}

fn growth(view: &View) -> (&'static str, Table) {
    let mut table = Table::new(&[
        "model",
        "states",
        "transitions",
        "Spinor, s",
        "ns per state",
        "ns per transition",
        "B/state",
        "peak, MB",
        "pan, s",
        "pan, ns per state",
    ]);
    let per = |f: &Figures, n: u64| format!("{:.0}", f.cpu * 1e9 / n.max(1) as f64);
    for model in view.models() {
        let (ours, pan) = (view.figures(model, "bfs"), view.figures(model, "pan"));
        table.rows.push(vec![
            model.to_owned(),
            cell(ours, |f| count(f.stored)),
            cell(ours, |f| count(f.transitions)),
            cell(ours, |f| seconds(f.cpu)),
            cell(ours, |f| per(f, f.stored)),
            cell(ours, |f| per(f, f.transitions)),
            cell(ours, |f| format!("{:.1}", f.bytes_per_state())),
            cell(ours, |f| format!("{:.0}", f.peak_bytes as f64 / 1e6)),
            cell(pan, |f| seconds(f.cpu)),
            cell(pan, |f| per(f, f.stored)),
        ]);
    }
    let explanation = "One algorithm with more and more processes. CPU time of the search; the \
        number of transitions per state is nearly the same in all sizes.";
    (explanation, table)
}

fn profile(view: &View) -> (&'static str, Table) {
    let mut table = Table::new(&["model"]);
    table.columns.extend(profile::PARTS);
    for model in view.models() {
        let notes: Vec<_> = view.notes().into_iter().filter(|note| note.0 == model).collect();
        let share = |part: &&str| {
            let note = notes.iter().find(|(_, subject, _)| subject == part);
            note.map_or_else(|| MISSING.to_owned(), |(_, _, share)| (*share).to_owned())
        };
        let mut row = vec![model.to_owned()];
        row.extend(profile::PARTS.iter().map(share));
        table.rows.push(row);
    }
    let explanation = "Percent of the samples of `perf record -e cpu-clock`, one core, breadth \
        first, `tree` store; front end and code generation are in the rest. What the compiler \
        inlined is counted where it was inlined.";
    (explanation, table)
}

#[cfg(test)]
mod tests {
    use super::super::record::tests::row;
    use super::super::record::{Entry, Record};
    use super::*;

    #[test]
    fn missing_figures_leave_gaps_with_a_reason() {
        let figures = Figures { stored: 10, transitions: 30, cpu: 4.0, ..Figures::default() };
        let note = Entry::Note("unexpected argument '--store'".to_owned());
        let rows = vec![
            row("2026-01-01", "one-core", "at.3", "pan", Entry::Figures(figures)),
            row("2026-01-01", "one-core", "at.3", "bfs", note),
        ];
        let record = Record { rows };
        let text = section(Section::OneCore, &record.latest("one-core"));
        assert!(text.contains("| at.3 | 10 | 30 | 4.00 | – | – | – | – | – | – |"), "{text}");
        assert!(text.contains("- at.3, bfs: unexpected argument '--store'"), "{text}");
    }

    #[test]
    fn every_section_has_a_table() {
        let record = Record::default();
        for &part in Section::ALL {
            let text = section(part, &record.latest(part.name()));
            assert!(text.contains("|---|"), "{text}");
        }
    }
}
