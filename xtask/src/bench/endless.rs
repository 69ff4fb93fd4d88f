//! The table of infinite runs.

use super::record::View;
use super::table::{Table, cell, count, seconds, times};

/// Searches for cycles beside pan's, without and with weak fairness.
pub fn table(view: &View) -> (&'static str, Table) {
    let mut table = Table::new(&[
        "model",
        "states",
        "pan `-a`, s",
        "Spinor, s",
        "faster",
        "pan `-a -f`, s",
        "weakly fair, s",
        "faster",
        "cost of fairness, time",
        "memory",
    ]);
    for model in view.models() {
        let of = |subject| view.figures(model, subject);
        let (pan, plain) = (of("pan-cycles"), of("cycles"));
        let (pan_fair, fair) = (of("pan-fair-cycles"), of("fair-cycles"));
        table.rows.push(vec![
            model.to_owned(),
            cell(plain, |f| count(f.stored)),
            cell(pan, |f| seconds(f.cpu)),
            cell(plain, |f| seconds(f.cpu)),
            times(pan, plain, |f| f.cpu),
            cell(pan_fair, |f| seconds(f.cpu)),
            cell(fair, |f| seconds(f.cpu)),
            times(pan_fair, fair, |f| f.cpu),
            times(fair, plain, |f| f.cpu),
            times(fair, plain, |f| f.peak_bytes as f64),
        ]);
    }
    let explanation = "Formulas that hold, so that the whole product of model and automaton is seen: \
        recurrence is `[] <> (P_0@CS) -> [] <> (P_0@NCS)`, where Spinor's automaton enters its \
        accepting part in fewer places than SPIN's, response is `[] (P_0@CS -> <> (P_0@NCS))`, \
        where both products are equal. CPU seconds of pan `-a` and of the search by \
        components, both without reduction, and the same under weak fairness. The last two columns \
        are what fairness costs Spinor, as a factor.";
    (explanation, table)
}
