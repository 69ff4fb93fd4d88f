//! Tables of the document, and what stands in their cells.

use super::figures::{Figures, factor};

/// A table in the making.
pub struct Table {
    /// Heads.
    pub columns: Vec<&'static str>,
    /// Cells, as many as there are heads.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// Without rows.
    pub fn new(columns: &[&'static str]) -> Self {
        Table { columns: columns.to_vec(), rows: Vec::new() }
    }

    /// The first column is text, the others are numbers.
    pub fn format(&self) -> String {
        let mut text = format!("| {} |\n|---|", self.columns.join(" | "));
        text.push_str(&"--:|".repeat(self.columns.len() - 1));
        text.push('\n');
        for row in &self.rows {
            text.push_str(&format!("| {} |\n", row.join(" | ")));
        }
        text
    }
}

/// For a figure that is not there.
pub const MISSING: &str = "–";

/// A figure, if it is there.
pub fn cell(figures: Option<&Figures>, show: impl Fn(&Figures) -> String) -> String {
    figures.map_or_else(|| MISSING.to_owned(), show)
}

/// How many times faster we are.
pub fn times(
    theirs: Option<&Figures>,
    ours: Option<&Figures>,
    time: impl Fn(&Figures) -> f64,
) -> String {
    match (theirs, ours) {
        (Some(theirs), Some(ours)) => format!("{:.1}", factor(time(theirs), time(ours))),
        _ => MISSING.to_owned(),
    }
}

/// How many states of `all` are not in `some`.
pub fn missed(all: Option<&Figures>, some: Option<&Figures>) -> String {
    match (all, some) {
        (Some(all), Some(some)) => (all.stored as i64 - some.stored as i64).to_string(),
        _ => MISSING.to_owned(),
    }
}

/// `1.50`
pub fn seconds(time: f64) -> String {
    format!("{time:.2}")
}

/// `0.015`
pub fn fine_seconds(time: f64) -> String {
    format!("{time:.3}")
}

/// `1,234,567`
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_readable() {
        assert_eq!(count(7), "7");
        assert_eq!(count(123_456), "123,456");
        assert_eq!(count(1_234_567), "1,234,567");
    }

    #[test]
    fn tables_have_a_head() {
        let mut table = Table::new(&["model", "s"]);
        table.rows.push(vec!["at.3".to_owned(), seconds(1.5)]);
        assert_eq!(table.format(), "| model | s |\n|---|--:|\n| at.3 | 1.50 |\n");
    }
}
