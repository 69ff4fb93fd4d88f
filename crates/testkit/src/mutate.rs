//! Damaged model text, for fuzzing the front end.
//!
//! Mutations work on bytes, tokens and lines of real models; the same seed
//! gives the same result.

use crate::generate::rng::Rng;

/// Words that make parsers stumble when they stand in odd places.
const WORDS: &[&str] = &[
    "if",
    "fi",
    "do",
    "od",
    "::",
    "->",
    ";",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "atomic",
    "d_step",
    "unless",
    "else",
    "break",
    "goto",
    "skip",
    "init",
    "proctype",
    "active",
    "never",
    "trace",
    "inline",
    "typedef",
    "mtype",
    "chan",
    "byte",
    "unsigned",
    ":",
    "..",
    "for",
    "select",
    "in",
    "run",
    "len",
    "full",
    "timeout",
    "eval",
    "_",
    "_pid",
    "@",
    "!",
    "!!",
    "?",
    "??",
    "?<",
    ">",
    "?[",
    "=",
    "==",
    "++",
    "--",
    "priority",
    "provided",
    "hidden",
    "ltl",
    "[]",
    "<>",
    "U",
    "0",
    "255",
    "2147483648",
    "99999999999999999999",
    "-1",
    "'a'",
    "\"",
    "\"s\"",
    "/*",
    "*/",
    "//",
    "#define X",
    "#if 1",
    "#endif",
    "\\",
    "\n",
    "c_code",
    "c_expr",
    "c_decl",
    ",",
    ".",
    "of",
];

/// Pieces that are not text a user would write.
const GARBAGE: &[&str] = &[
    "\0",
    "\u{feff}",
    "é",
    "😀",
    "\r",
    "\t\u{b}",
    "`",
    "$",
    "\u{202e}",
    "((((((((((((((((",
    "{{{{{{{{",
    "!!!!!!!!",
    "________",
    "::::",
];

/// Applies one to five random mutations to `text`; `other` is a source for splices.
pub fn mutate(text: &str, other: &str, seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..1 + rng.below(5) {
        bytes = if rng.chance(60) {
            mutate_tokens(&bytes, other, &mut rng)
        } else {
            mutate_bytes(bytes, other.as_bytes(), &mut rng)
        };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn mutate_tokens(bytes: &[u8], other: &str, rng: &mut Rng) -> Vec<u8> {
    let text = String::from_utf8_lossy(bytes);
    let mut tokens: Vec<&str> = split_tokens(&text);
    let at = rng.below(tokens.len());
    let span = (1 + rng.below(6)).min(tokens.len() - at.min(tokens.len()));
    match rng.below(7) {
        0 => drop(tokens.drain(at..at + span)),
        1 => {
            let copy: Vec<&str> = tokens[at..at + span].to_vec();
            tokens.splice(at..at, copy);
        }
        2 if !tokens.is_empty() => {
            let b = rng.below(tokens.len());
            tokens.swap(at, b);
        }
        3 => tokens.insert(at, rng.one_of(WORDS)),
        4 => tokens.insert(at, rng.one_of(GARBAGE)),
        5 if !tokens.is_empty() => tokens[at] = rng.one_of(WORDS),
        _ => {
            let foreign = split_tokens(other);
            let from = rng.below(foreign.len());
            let n = rng.below(30).min(foreign.len() - from);
            tokens.splice(at..at, foreign[from..from + n].iter().copied());
            return tokens.concat().into_bytes();
        }
    }
    tokens.concat().into_bytes()
}

fn mutate_bytes(mut bytes: Vec<u8>, other: &[u8], rng: &mut Rng) -> Vec<u8> {
    let at = rng.below(bytes.len());
    let span = rng.below(20).min(bytes.len() - at);
    match rng.below(6) {
        0 => drop(bytes.drain(at..at + span)),
        1 => {
            let copy = bytes[at..at + span].to_vec();
            bytes.splice(at..at, copy);
        }
        2 if !bytes.is_empty() => bytes[at] = rng.below(256) as u8,
        3 if !bytes.is_empty() => bytes[at] ^= 1 << rng.below(8),
        4 => bytes.truncate(at),
        _ => {
            // The head of one model and the tail of the other.
            let from = rng.below(other.len());
            bytes.truncate(at);
            bytes.extend_from_slice(&other[from..]);
        }
    }
    bytes
}

/// Splits text into words, blanks and single other characters; nothing is lost.
pub fn split_tokens(text: &str) -> Vec<&str> {
    let class = |c: char| {
        if c.is_alphanumeric() || c == '_' {
            1
        } else if c.is_whitespace() {
            2
        } else {
            0
        }
    };
    let mut tokens = Vec::new();
    let mut start = 0;
    let mut last = None;
    for (i, c) in text.char_indices() {
        let this = class(c);
        if let Some(previous) = last
            && (previous != this || this == 0)
        {
            tokens.push(&text[start..i]);
            start = i;
        }
        last = Some(this);
    }
    if start < text.len() {
        tokens.push(&text[start..]);
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{Options, generate_text};

    #[test]
    fn tokens_lose_nothing() {
        let text = "a1 += b[2];\n\t x->y é";
        assert_eq!(split_tokens(text).concat(), text);
        assert_eq!(split_tokens("ab(c)").len(), 4);
    }

    #[test]
    fn never_panics_and_is_repeatable() {
        let a = generate_text(1, &Options::default());
        let b = generate_text(2, &Options::default());
        for seed in 0..3000 {
            for (x, y) in [(a.as_str(), b.as_str()), ("", ""), ("x", ""), ("", "é")] {
                assert_eq!(mutate(x, y, seed), mutate(x, y, seed));
            }
        }
    }
}
