//! Charts as text.

use super::{Chart, Event, Row, shortened};
use std::fmt::Write as _;

/// Narrowest and widest column.
const WIDTHS: (usize, usize) = (12, 30);
/// Where the first column begins.
const LEFT: usize = 6;

impl Chart {
    /// One column for each process, time goes down.
    #[must_use]
    pub fn text(&self) -> String {
        let widest = self.rows.iter().map(|row| cell(row, self).chars().count()).max().unwrap_or(0);
        let names = self.lanes.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        let column = (widest.max(names) + 3).clamp(WIDTHS.0, WIDTHS.1);
        let mut out = String::new();
        let mut heading = Line::new();
        for (lane, name) in self.lanes.iter().enumerate() {
            heading.put(LEFT + lane * column, &shortened(name, column - 2));
        }
        let _ = writeln!(out, "{}", heading.text());
        for (number, row) in self.rows.iter().enumerate() {
            if self.cycle == Some(number) {
                let _ =
                    writeln!(out, "{:LEFT$}the cycle begins: what follows repeats for ever", "");
            }
            let mut line = Line::new();
            line.put(0, &format!("{:>4}", row.step));
            let start = |lane: usize| LEFT + lane * column;
            match &row.event {
                Event::Handshake { from, to, text } if from != to => {
                    let text = shortened(text, column - 4);
                    let len = text.chars().count();
                    line.put(start(*from), &text);
                    if from < to {
                        line.fill(start(*from) + len + 1, start(*to) - 2, '─');
                        line.put(start(*to) - 2, "▶");
                        line.put(start(*to), &shortened(&taken(row), column - 2));
                    } else {
                        let got = shortened(&taken(row), column - 4);
                        line.put(start(*to), &got);
                        line.put(start(*to) + got.chars().count() + 1, "◀");
                        line.fill(start(*to) + got.chars().count() + 2, start(*from) - 1, '─');
                    }
                }
                event => line.put(start(event.lane()), &shortened(&cell(row, self), column - 2)),
            }
            let _ = writeln!(out, "{}", line.text());
        }
        if let Some(error) = &self.error {
            let _ = writeln!(out, "{:LEFT$}error: {error}", "");
        }
        out
    }
}

/// What the receiver of a handshake sees.
fn taken(row: &Row) -> String {
    match &row.event {
        Event::Handshake { text, .. } => text.replacen('!', "?", 1),
        _ => String::new(),
    }
}

fn cell(row: &Row, chart: &Chart) -> String {
    match &row.event {
        Event::Handshake { text, .. } | Event::Note { text, .. } => text.clone(),
        Event::Send { text, received: Some(_), .. } => text.clone(),
        Event::Send { text, received: None, .. } => format!("{text} (not received)"),
        Event::Receive { text, sent, .. } => match sent.and_then(|sent| chart.rows.get(sent)) {
            Some(sent) => format!("{text} (of step {})", sent.step),
            None => text.clone(),
        },
    }
}

/// A line to be written at any place.
struct Line {
    characters: Vec<char>,
}

impl Line {
    fn new() -> Self {
        Line { characters: Vec::new() }
    }

    fn put(&mut self, at: usize, text: &str) {
        for (i, c) in text.chars().enumerate() {
            if self.characters.len() <= at + i {
                self.characters.resize(at + i + 1, ' ');
            }
            self.characters[at + i] = c;
        }
    }

    fn fill(&mut self, from: usize, to: usize, with: char) {
        let text: String = std::iter::repeat_n(with, to.saturating_sub(from)).collect();
        self.put(from, &text);
    }

    fn text(&self) -> String {
        self.characters.iter().collect::<String>().trim_end().to_owned()
    }
}
