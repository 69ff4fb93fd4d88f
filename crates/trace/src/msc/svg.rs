//! Charts as pictures.

use super::{Chart, Event, Row, shortened};
use std::fmt::Write as _;

const LANE: usize = 190;
const ROW: usize = 30;
const TOP: usize = 58;
const LEFT: usize = 60;
/// Longer texts are cut in the picture; the tooltip has them in full.
const MAX_TEXT: usize = 26;
/// Width of a character, a little too wide for most fonts.
const CHARACTER: usize = 7;

const STYLE: &str = "text{font:12px monospace;text-anchor:middle;paint-order:stroke;stroke:#fff;stroke-width:3px}.name{font:bold 13px sans-serif;stroke:none}\
.step{fill:#889;text-anchor:end}.life{stroke:#aab;stroke-dasharray:4 3}\
.head{fill:#eef3fb;stroke:#557}.message{stroke:#225;stroke-width:1.4;fill:none}\
.lost{stroke:#b33}.note{fill:#fffbe6;stroke:#cb9}.cycle{stroke:#c80;stroke-width:2;fill:none}\
.cycle-text{fill:#a60;text-anchor:start}.error{fill:#b00;text-anchor:start;font-weight:bold}\
.start{text-anchor:start}.end{text-anchor:end}";

impl Chart {
    /// A picture; arrows of messages through buffers lead from send to receive.
    #[must_use]
    pub fn svg(&self) -> String {
        let (width, end) = (LEFT + LANE * self.lanes.len().max(1), TOP + ROW * self.rows.len());
        let error = self.error.as_deref().unwrap_or_default();
        let width = width.max(LEFT + CHARACTER * (error.chars().count() + 8));
        let height = end + 50;
        let mut body = String::new();
        for (lane, name) in self.lanes.iter().enumerate() {
            let (x, text) = (middle(lane), escaped(&shortened(name, MAX_TEXT)));
            let _ = writeln!(
                body,
                "<line class=\"life\" x1=\"{x}\" y1=\"40\" x2=\"{x}\" y2=\"{}\"/>\
                 <rect class=\"head\" x=\"{}\" y=\"12\" width=\"150\" height=\"28\" rx=\"4\"/>\
                 <text class=\"name\" x=\"{x}\" y=\"31\">{text}</text>",
                end + 10,
                x - 75,
            );
        }
        for (number, row) in self.rows.iter().enumerate() {
            self.row(number, row, &mut body);
        }
        if let Some(cycle) = self.cycle.filter(|cycle| *cycle < self.rows.len()) {
            let (top, bottom) = (TOP + ROW * cycle - 10, end);
            let _ = writeln!(
                body,
                "<path class=\"cycle\" d=\"M 14 {top} h -8 V {bottom} h 8\"/>\
                 <text class=\"cycle-text\" x=\"8\" y=\"{}\">repeats for ever</text>",
                end + 16
            );
        }
        if !error.is_empty() {
            let text = escaped(error);
            let y = end + 36;
            let _ = writeln!(body, "<text class=\"error\" x=\"8\" y=\"{y}\">error: {text}</text>");
        }
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\">\n<style>{STYLE}</style>\n\
             <defs><marker id=\"arrow\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" \
             markerHeight=\"8\" markerUnits=\"userSpaceOnUse\" orient=\"auto\">\
             <path d=\"M0,0L8,4L0,8z\" fill=\"#225\"/></marker></defs>\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n{body}</svg>\n"
        )
    }

    fn row(&self, number: usize, row: &Row, out: &mut String) {
        let y = height(number);
        let _ = writeln!(out, "<text class=\"step\" x=\"46\" y=\"{}\">{}</text>", y + 4, row.step);
        match &row.event {
            Event::Handshake { from, to, text } => {
                arrow((middle(*from), y), (middle(*to), y), text, out);
            }
            Event::Send { lane, text, received: Some(at) } => {
                let to = self.lane_of(Some(*at)).unwrap_or(*lane);
                arrow((middle(*lane), y), (middle(to), height(*at)), text, out);
            }
            Event::Send { lane, text, received: None } => {
                let x = middle(*lane);
                let (full, text) = (escaped(text), escaped(&shortened(text, MAX_TEXT)));
                let _ = writeln!(
                    out,
                    "<g><title>{full}, not received</title><path class=\"message lost\" d=\"M {x} \
                     {y} h 24 m -4 -4 l 8 8 m 0 -8 l -8 8\"/>\
                     <text class=\"start\" x=\"{}\" y=\"{}\">{text}</text></g>",
                    x + 34,
                    y + 4
                );
            }
            // The arrow ends here.
            Event::Receive { sent: Some(_), .. } => {}
            Event::Receive { lane, text, sent: None } | Event::Note { lane, text } => {
                note(middle(*lane), y, text, out);
            }
        }
    }
}

fn middle(lane: usize) -> usize {
    LEFT + LANE * lane + LANE / 2
}

fn height(row: usize) -> usize {
    TOP + ROW * row
}

fn arrow(from: (usize, usize), to: (usize, usize), text: &str, out: &mut String) {
    let (full, short) = (escaped(text), escaped(&shortened(text, MAX_TEXT)));
    let path = if from.0 == to.0 {
        let (x, y) = from;
        format!("M {x} {y} h 30 V {} h -29", to.1.max(y + 10))
    } else {
        format!("M {} {} L {} {}", from.0, from.1, to.0, to.1)
    };
    // Slanted arrows have their text beside the sender: in the middle they cross others.
    let (class, x, y) = if from.0 == to.0 {
        ("start", from.0 + 36, from.1 + 9)
    } else if from.1 == to.1 {
        ("middle", (from.0 + to.0) / 2, from.1 - 5)
    } else if from.0 < to.0 {
        ("start", from.0 + 8, from.1 - 4)
    } else {
        ("end", from.0 - 8, from.1 - 4)
    };
    let _ = writeln!(
        out,
        "<g><title>{full}</title><path class=\"message\" d=\"{path}\" marker-end=\"url(#arrow)\"/>\
         <text class=\"{class}\" x=\"{x}\" y=\"{y}\">{short}</text></g>"
    );
}

fn note(x: usize, y: usize, text: &str, out: &mut String) {
    let short = shortened(text, MAX_TEXT);
    let width = CHARACTER * short.chars().count() + 14;
    let (full, short) = (escaped(text), escaped(&short));
    let _ = writeln!(
        out,
        "<g><title>{full}</title><rect class=\"note\" x=\"{}\" y=\"{}\" width=\"{width}\" \
         height=\"20\" rx=\"3\"/><text x=\"{x}\" y=\"{}\">{short}</text></g>",
        x.saturating_sub(width / 2),
        y - 10,
        y + 4,
    );
}

/// Text as it stands in XML.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}
