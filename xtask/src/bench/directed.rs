//! The table of searches that are led by estimates.

use super::figures::Figures;
use super::record::View;
use super::table::{Table, cell, count, seconds};

/// How many states a search led by estimates expands in a second.
pub fn rate(figures: &Figures) -> f64 {
    figures.stored as f64 / figures.cpu.max(1e-6)
}

/// A* and best-first search.
pub fn table(view: &View) -> (&'static str, Table) {
    let mut table = Table::new(&[
        "model",
        "states",
        "transitions",
        "B/state",
        "A*, s",
        "expansions/s",
        "best first, s",
        "expansions/s",
    ]);
    for model in view.models() {
        let (a_star, best) = (view.figures(model, "astar"), view.figures(model, "best-first"));
        let mut row = vec![
            model.to_owned(),
            cell(a_star, |f| count(f.stored)),
            cell(a_star, |f| count(f.transitions)),
            cell(a_star, |f| format!("{:.0}", f.bytes_per_state())),
        ];
        for figures in [a_star, best] {
            row.extend([
                cell(figures, |f| seconds(f.cpu)),
                cell(figures, |f| count(rate(f) as u64)),
            ]);
        }
        table.rows.push(row);
    }
    let explanation = "Searches led towards errors by estimates, on past those they find, until every state has \
        been expanded: CPU seconds of the search on one core, with the estimate of every new state. \
        Each state is expanded at least once; states that A* reopens count once. B/state is what \
        the `exact` store takes for a state, whole vector and table.";
    (explanation, table)
}
