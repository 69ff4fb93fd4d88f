//! The table of models with embedded C.

use super::record::View;
use super::table::{Table, cell, count, seconds, times};

/// Searches beside pan's, in which both call the same C.
pub fn table(view: &View) -> (&'static str, Table) {
    let mut table = Table::new(&[
        "model",
        "states",
        "transitions",
        "pan, s",
        "Spinor, s",
        "Spinor, ns",
        "faster",
    ]);
    for model in view.models() {
        let (pan, bfs) = (view.figures(model, "pan"), view.figures(model, "bfs"));
        table.rows.push(vec![
            model.to_owned(),
            cell(pan, |f| count(f.stored)),
            cell(pan, |f| count(f.transitions)),
            cell(pan, |f| seconds(f.cpu)),
            cell(bfs, |f| seconds(f.cpu)),
            cell(bfs, |f| format!("{:.0}", f.cpu * 1e9 / f.transitions.max(1) as f64)),
            times(pan, bfs, |f| f.cpu),
        ]);
    }
    let explanation = "Our own models whose steps and guards are C code, with `c_state` in globals and in \
        processes and with tracked memory: CPU seconds of the search, without the C compiler in both.";
    (explanation, table)
}
