//! The macros that embedded C uses.
//!
//! `gcc -E` expands the macros of the model inside `c_code` too. Here the C text stays
//! as it is, so that the C compiler's messages fit it, and the definitions it needs go
//! with it: behind a NUL, as `#define` lines.

use super::Preprocessor;
use super::define::{Kind, Macro};
use super::substitute::spelling;
use crate::token::Token;
use spinor_base::Text;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Stands between C text and the definitions that it needs.
pub(crate) const SEPARATOR: char = '\0';

impl Preprocessor<'_> {
    /// The token of a C body together with the macros it mentions.
    pub(super) fn with_macros(&self, token: Token) -> Token {
        let mut found = BTreeMap::new();
        self.collect_macros(&token.text, &mut found);
        if found.is_empty() {
            return token;
        }
        let mut text = token.text.to_string();
        text.push(SEPARATOR);
        for line in found.into_values() {
            text.push_str(&line);
            text.push('\n');
        }
        Token { text: text.into(), ..token }
    }

    fn collect_macros(&self, text: &str, found: &mut BTreeMap<Text, String>) {
        let mut open = vec![text.to_owned()];
        while let Some(text) = open.pop() {
            for word in words(&text) {
                let Some(definition) = self.macros.get(word) else { continue };
                let name = Text::from(word);
                if matches!(definition.kind, Kind::Builtin(_)) || found.contains_key(&name) {
                    continue;
                }
                let line = definition_line(word, &definition);
                open.push(line.clone());
                found.insert(name, line);
            }
        }
    }
}

/// The identifiers of a text.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_word = |c: char| c == '_' || c.is_ascii_alphanumeric();
    text.split(move |c| !is_word(c))
        .filter(|w| w.starts_with(|c: char| c == '_' || c.is_ascii_alphabetic()))
}

fn definition_line(name: &str, definition: &Macro) -> String {
    let mut line = format!("#define {name}");
    if let Kind::Function { params, variadic } = &definition.kind {
        let mut params: Vec<String> = params.iter().map(ToString::to_string).collect();
        if *variadic && let Some(last) = params.last_mut() {
            *last = if last == "__VA_ARGS__" { "...".into() } else { format!("{last}...") };
        }
        let _ = write!(line, "({})", params.join(","));
    }
    for (index, piece) in definition.body.iter().enumerate() {
        let space = index == 0 || piece.token.space_before;
        if space {
            line.push(' ');
        }
        match piece.param {
            Some(param) if piece.stringify => {
                let _ = write!(line, "#{}", definition.params()[param]);
            }
            _ => line.push_str(&spelling(&piece.token).replace('\n', " ")),
        }
        if piece.paste {
            line.push_str(" ##");
        }
    }
    line
}
