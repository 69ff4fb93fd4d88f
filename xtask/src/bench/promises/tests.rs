//! Promises are judged as they should be.

use super::super::record::Entry;
use super::super::record::tests::row;
use super::*;

fn record(times: &[(&str, f64, f64)]) -> Record {
    let figures = |cpu| Entry::Figures(Figures { stored: 1_000_000, cpu, ..Figures::default() });
    let rows = times.iter().flat_map(|(model, pan, bfs)| {
        [("pan", pan), ("bfs", bfs)]
            .map(|(subject, cpu)| row("2026-01-01", "one-core", model, subject, figures(*cpu)))
    });
    Record { rows: rows.collect() }
}

#[test]
fn the_median_and_the_worst_model_decide() {
    let kept = record(&[("a", 9.0, 1.0), ("b", 20.0, 2.0), ("c", 5.0, 1.0)]);
    let standing = ALL[0].now(&kept).expect("measured");
    assert_eq!(standing.value, 9.0);
    assert_eq!(standing.worst, ("c".to_owned(), 5.0));
    assert!(standing.kept);
    let one_is_slow = record(&[("a", 9.0, 1.0), ("b", 20.0, 2.0), ("c", 3.0, 1.0)]);
    assert!(!ALL[0].now(&one_is_slow).expect("measured").kept);
    let all_are_slow = record(&[("a", 6.0, 1.0)]);
    assert!(!ALL[0].now(&all_are_slow).expect("measured").kept);
}

#[test]
fn what_was_not_measured_is_not_judged() {
    assert_eq!(ALL[0].now(&Record::default()), None);
    assert_eq!(ALL[0].before(&record(&[("a", 9.0, 1.0)])), None);
}

#[test]
fn growth_compares_the_ends() {
    let figures = |stored, cpu| Entry::Figures(Figures { stored, cpu, ..Figures::default() });
    let rows = [("N=3", 100, 1.0), ("N=4", 200, 9.0), ("N=5", 1000, 14.0)]
        .map(|(model, n, cpu)| row("2026-01-01", "growth", model, "bfs", figures(n, cpu)));
    let standing = ALL.last().and_then(|p| p.now(&Record { rows: rows.to_vec() }));
    let standing = standing.expect("measured");
    assert!((standing.value - 1.4).abs() < 1e-9);
    assert!(standing.kept);
}
