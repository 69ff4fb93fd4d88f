//! Steps printed as they come.

use super::{MAX_STATEMENT, Row, Style, Widths, atomic_mark, is_bare_jump, width};
use crate::Step;

/// Prints steps one line each, in columns that only grow.
#[derive(Debug)]
pub struct Lines {
    style: Style,
    widths: Widths,
}

impl Lines {
    /// Before the first step.
    #[must_use]
    pub fn new(style: Style) -> Self {
        Lines { style, widths: Widths { number: 3, who: 0, place: 0, statement: 0 } }
    }

    /// The lines of some steps; those that only jump are left out.
    pub fn print(&mut self, steps: &[Step]) -> String {
        let visible: Vec<&Step> = steps.iter().filter(|s| !is_bare_jump(s)).collect();
        let rows: Vec<Row<'_>> = visible.iter().copied().map(Row::new).collect();
        for row in &rows {
            let Widths { number, who, place, statement } = &mut self.widths;
            *number = row.step.number.to_string().len().max(*number);
            *who = width(&row.who).max(*who);
            *place = width(&row.place).max(*place);
            if width(&row.statement) <= MAX_STATEMENT {
                *statement = width(&row.statement).max(*statement);
            }
        }
        let mut out = String::new();
        for (i, row) in rows.iter().enumerate() {
            row.print(atomic_mark(&visible, i), "", &self.widths, self.style, &mut out);
        }
        out
    }
}
