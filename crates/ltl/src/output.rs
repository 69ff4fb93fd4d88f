//! Automata as text.

pub mod dot;
pub mod hoa;
pub mod json;
pub mod never;

use crate::formula::is_name;

/// An atom as an operand: an embedded expression is put in parentheses.
fn operand(atom: &str) -> String {
    if is_name(atom) { atom.to_owned() } else { format!("({atom})") }
}

/// `text` as the inside of a quoted string of HOA, DOT or JSON.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out
}
