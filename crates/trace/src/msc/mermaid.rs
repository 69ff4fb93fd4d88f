//! Charts as Mermaid diagrams.

use super::{Chart, Event};
use std::fmt::Write as _;

impl Chart {
    /// A `sequenceDiagram`. Messages through a buffer are drawn where they are received.
    #[must_use]
    pub fn mermaid(&self) -> String {
        let mut out = String::from("sequenceDiagram\n");
        for (number, name) in self.lanes.iter().enumerate() {
            let _ = writeln!(out, "    participant P{number} as {}", escaped(name));
        }
        for (number, row) in self.rows.iter().enumerate() {
            if self.cycle == Some(number) {
                out.push_str("    loop repeats for ever\n");
            }
            let step = row.step;
            let _ = match &row.event {
                Event::Handshake { from, to, text } => {
                    writeln!(out, "    P{from}->>P{to}: {step}. {}", escaped(text))
                }
                Event::Send { lane, text, received } => {
                    let lost = if received.is_none() { " (not received)" } else { "" };
                    writeln!(out, "    Note over P{lane}: {step}. {}{lost}", escaped(text))
                }
                Event::Receive { lane, text, sent } => {
                    let from = self.lane_of(*sent).unwrap_or(*lane);
                    writeln!(out, "    P{from}-)P{lane}: {step}. {}", escaped(text))
                }
                Event::Note { lane, text } => {
                    writeln!(out, "    Note over P{lane}: {step}. {}", escaped(text))
                }
            };
        }
        if self.cycle.is_some_and(|cycle| cycle < self.rows.len()) {
            out.push_str("    end\n");
        }
        if let (Some(error), Some(last)) = (&self.error, self.lanes.len().checked_sub(1)) {
            let over = if last == 0 { "P0".to_owned() } else { format!("P0,P{last}") };
            let _ = writeln!(out, "    Note over {over}: {}", escaped(error));
        }
        out
    }
}

/// Characters that end or begin something in a diagram are written by number.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            ';' | '#' | '<' | '>' | ':' | '"' | '%' => {
                let _ = write!(out, "#{};", c as u32);
            }
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}
