//! What somebody may have meant who writes another notation.

use super::lex::{Token, TokenKind};

/// What to write instead of `token`, which cannot stand where it does; `before`
/// is the name before it, if there is one.
pub(super) fn hint(before: Option<&str>, text: &str, token: Token) -> Option<String> {
    let other = match &text[token.start..token.end] {
        "&" => Some("&&"),
        "|" => Some("||"),
        "=>" => Some("->"),
        "<=>" => Some("<->"),
        "~" | "¬" => Some("!"),
        "=" => Some("(a == b)"),
        "∧" => Some("&&"),
        "∨" => Some("||"),
        "→" => Some("->"),
        "□" => Some("[]"),
        "◇" | "⋄" => Some("<>"),
        _ => None,
    };
    if let Some(other) = other {
        return Some(format!("write `{other}`"));
    }
    use TokenKind::{Always, Eventually, Name, Next, Not, Number, Open};
    let begins_operand =
        matches!(token.kind, Name | Number | Not | Open | Always | Eventually | Next);
    match before {
        Some("G") if begins_operand => return Some("`G` is a name here: write `[]`".into()),
        Some("F") if begins_operand => return Some("`F` is a name here: write `<>`".into()),
        _ => {}
    }
    match token.kind {
        TokenKind::Foreign => Some("put an expression in parentheses, as in `[] (x > 3)`".into()),
        TokenKind::Close => Some("a parenthesis too many, or one missing before".into()),
        _ => None,
    }
}
