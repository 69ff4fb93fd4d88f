//! Steps in columns, one for each process.

use spinor_trace::render::Style;
use spinor_trace::{Step, Who};
use std::fmt::Write as _;

/// Characters of a line that the columns share.
const LINE: usize = 100;
/// Widths that a column may have.
const WIDTHS: std::ops::RangeInclusive<usize> = 14..=34;

/// Prints steps as they come. The heading is repeated when processes come.
#[derive(Debug)]
pub struct Columns {
    style: Style,
    /// Names by column; claims share the last one.
    names: Vec<String>,
    width: usize,
}

impl Columns {
    /// Before the first step.
    #[must_use]
    pub fn new(style: Style) -> Self {
        Columns { style, names: Vec::new(), width: *WIDTHS.end() }
    }

    /// The lines of some steps.
    pub fn print(&mut self, steps: &[Step]) -> String {
        let mut out = String::new();
        let before = self.names.clone();
        for step in steps {
            self.admit(&step.who);
            if let Some(half) = &step.receiver {
                self.admit(&half.who);
            }
        }
        if self.names != before {
            self.heading(&mut out);
        }
        for step in steps {
            self.step(step, &mut out);
        }
        out
    }

    fn admit(&mut self, who: &Who) {
        let Some(pid) = who.pid else { return };
        if self.names.len() <= pid {
            self.names.resize(pid + 1, String::new());
        }
        self.names[pid] = format!("{} ({pid})", who.name);
    }

    fn heading(&mut self, out: &mut String) {
        let width = LINE / self.names.len().max(1);
        self.width = width.clamp(*WIDTHS.start(), *WIDTHS.end());
        let cells: Vec<String> = self.names.iter().map(|name| fit(name, self.width)).collect();
        let _ = writeln!(out, "     {}", self.style.bold(cells.join("  ").trim_end()));
    }

    fn step(&self, step: &Step, out: &mut String) {
        let mut cells = vec![String::new(); self.names.len() + 1];
        let column = |who: &Who| who.pid.unwrap_or(self.names.len());
        cells[column(&step.who)].clone_from(&step.statement);
        if let Some(half) = &step.receiver {
            cells[column(&step.who)] = format!("{} ->", step.statement);
            cells[column(&half.who)] = format!("-> {}", half.statement);
        }
        self.line(&step.number.to_string(), &cells, out);
        for printed in step.output.iter().flat_map(|text| text.lines()) {
            let mut cells = vec![String::new(); self.names.len() + 1];
            cells[column(&step.who)] = format!("prints: {printed}");
            self.line("", &cells, out);
        }
    }

    fn line(&self, number: &str, cells: &[String], out: &mut String) {
        let cells: Vec<String> = cells.iter().map(|cell| fit(cell, self.width)).collect();
        let line = format!("{number:>4} {}", cells.join("  "));
        let _ = writeln!(out, "{}", line.trim_end());
    }
}

/// A text in exactly this width.
fn fit(text: &str, width: usize) -> String {
    let count = text.chars().count();
    if count <= width {
        return format!("{text}{}", " ".repeat(width - count));
    }
    let mut cut: String = text.chars().take(width - 1).collect();
    cut.push('…');
    cut
}

#[cfg(test)]
mod tests {
    use super::fit;

    #[test]
    fn cells_have_their_width() {
        assert_eq!(fit("ab", 4), "ab  ");
        assert_eq!(fit("abcd", 4), "abcd");
        assert_eq!(fit("äbcde", 4), "äbc…");
    }
}
