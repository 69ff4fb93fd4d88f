//! The words of a formula.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    True,
    False,
    Name,
    Number,
    Not,
    Always,
    Eventually,
    Next,
    And,
    Or,
    Implies,
    Equivalent,
    Until,
    WeakUntil,
    Release,
    Open,
    Close,
    /// Anything that only expressions have.
    Foreign,
    End,
}

impl TokenKind {
    pub(super) fn is_temporal(self) -> bool {
        use TokenKind::{Always, Eventually, Next, Release, Until, WeakUntil};
        matches!(self, Always | Eventually | Next | Until | WeakUntil | Release)
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// Symbols, longest first; those of expressions are here so as not to be taken apart.
const SYMBOLS: [(&str, TokenKind); 24] = [
    ("<->", TokenKind::Equivalent),
    ("<=>", TokenKind::Foreign),
    ("=>", TokenKind::Foreign),
    ("[]", TokenKind::Always),
    ("<>", TokenKind::Eventually),
    ("&&", TokenKind::And),
    ("/\\", TokenKind::And),
    ("||", TokenKind::Or),
    ("\\/", TokenKind::Or),
    ("->", TokenKind::Implies),
    ("!=", TokenKind::Foreign),
    ("==", TokenKind::Foreign),
    ("<=", TokenKind::Foreign),
    (">=", TokenKind::Foreign),
    ("<<", TokenKind::Foreign),
    (">>", TokenKind::Foreign),
    ("::", TokenKind::Foreign),
    ("(", TokenKind::Open),
    (")", TokenKind::Close),
    ("{", TokenKind::Open),
    ("}", TokenKind::Close),
    ("!", TokenKind::Not),
    ("<", TokenKind::Foreign),
    (">", TokenKind::Foreign),
];

fn word(text: &str) -> TokenKind {
    match text {
        "true" => TokenKind::True,
        "false" => TokenKind::False,
        "not" => TokenKind::Not,
        "always" => TokenKind::Always,
        "eventually" => TokenKind::Eventually,
        "X" | "next" => TokenKind::Next,
        "implies" => TokenKind::Implies,
        "equivalent" => TokenKind::Equivalent,
        "U" | "until" | "stronguntil" => TokenKind::Until,
        "W" | "weakuntil" => TokenKind::WeakUntil,
        "V" | "R" | "release" => TokenKind::Release,
        _ => TokenKind::Name,
    }
}

/// The tokens of `text`, with an end; nothing is refused here.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        if c.is_whitespace() {
            at += c.len_utf8();
            continue;
        }
        let (kind, len) = if c.is_ascii_alphabetic() || c == '_' {
            let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let len = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
            (word(&rest[..len]), len)
        } else if c.is_ascii_digit() {
            (TokenKind::Number, rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len()))
        } else {
            let symbol = SYMBOLS.iter().find(|(s, _)| rest.starts_with(s));
            symbol.map_or((TokenKind::Foreign, c.len_utf8()), |(s, kind)| (*kind, s.len()))
        };
        found.push(Token { kind, start: at, end: at + len });
        at += len;
    }
    found.push(Token { kind: TokenKind::End, start: text.len(), end: text.len() });
    found
}

/// The token that closes the group opened at `open`.
pub(super) fn closing(tokens: &[Token], open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token.kind {
            TokenKind::Open => depth += 1,
            TokenKind::Close => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}
