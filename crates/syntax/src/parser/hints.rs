//! Help for habits from other languages.

use spinor_base::{Diagnostic, ExpnId, nearest};

use super::Parser;
use crate::ast::TypeKind;
use crate::token::{Punct, Token, TokenKind};

/// The type a C programmer means, and what to tell.
pub(super) fn promela_type(word: &str) -> Option<(TypeKind, &'static str)> {
    Some(match word {
        "char" | "uint8_t" | "u8" | "unsigned_char" => (TypeKind::Byte, "use `byte` (0 to 255)"),
        "uint" | "long" | "int32_t" | "uint32_t" | "size_t" | "integer" => {
            (TypeKind::Int, "use `int` (32 bits)")
        }
        "int16_t" | "uint16_t" => (TypeKind::Short, "use `short` (16 bits)"),
        "boolean" | "_Bool" => (TypeKind::Bool, "use `bool`"),
        "float" | "double" => (TypeKind::Int, "all values are integers: scale them to `int`"),
        "void" => (TypeKind::Int, "a `proctype` or `inline` returns nothing"),
        "string" => (TypeKind::Int, "there are no strings: use `mtype` names"),
        "enum" => (TypeKind::Int, "use `mtype = { A, B }`"),
        "struct" => (TypeKind::Int, "use `typedef Name { … }`"),
        "const" | "static" | "volatile" => {
            (TypeKind::Int, "leave it out, or use `#define` for a constant")
        }
        "channel" => (TypeKind::Chan, "use `chan`"),
        _ => return None,
    })
}

/// The operator that a word of another language stands for.
pub(super) fn operator_word(word: &str) -> Option<&'static str> {
    Some(match word {
        "and" | "AND" => "&&",
        "or" | "OR" => "||",
        "not" | "NOT" => "!",
        "mod" => "%",
        "xor" => "^",
        "then" => "->",
        _ => return None,
    })
}

/// The Promela form of a statement of another language.
pub(super) fn foreign_stmt(word: &str) -> Option<&'static str> {
    Some(match word {
        "while" | "repeat" | "loop" => "a loop is `do :: condition -> … :: else -> break od`",
        "switch" | "case" | "elif" | "elsif" | "elseif" | "elseIf" => {
            "a selection is `if :: x == 1 -> … :: x == 2 -> … :: else -> … fi`"
        }
        "continue" => "put a label before the loop and use `goto`",
        "endif" | "end_if" => "a selection ends with `fi`",
        "done" | "endwhile" => "a loop ends with `od`",
        "print" | "println" | "puts" => "use `printf(\"…\\n\", …)`",
        "await" | "wait" => "a condition waits by itself: write `(condition)`",
        "exit" | "abort" => "use `assert(false)` or let the process end",
        _ => return None,
    })
}

/// The temporal operator that a letter stands for in other tools.
fn temporal_letter(word: &str) -> Option<&'static str> {
    Some(match word {
        "G" => "always` or `[]",
        "F" => "eventually` or `<>",
        "N" | "X" => "next` or `X",
        "R" => "release` or `V",
        _ => return None,
    })
}

/// The keyword that a word at the start of a block is a slip for.
pub(super) fn block_keyword(word: &str) -> Option<&'static str> {
    match word {
        "dstep" | "D_step" | "DSTEP" => Some("d_step"),
        "atomically" => Some("atomic"),
        _ => nearest(word, ["atomic", "d_step", "init", "never", "unless", "proctype"]),
    }
}

impl Parser {
    /// Adds help for an unexpected token at `at`.
    pub(super) fn with_hint(&self, d: Diagnostic, at: usize) -> Diagnostic {
        let token = &self.tokens[at];
        let next = &self.tokens[(at + 1).min(self.tokens.len() - 1)];
        let before = at.checked_sub(1).map(|i| &self.tokens[i]);
        let help: String = match token.kind {
            TokenKind::Punct(Punct::Eq) if next.is(Punct::Gt) => "write `->`".into(),
            TokenKind::Punct(Punct::Eq) if before.is_some_and(|t| t.is(Punct::Colon)) => {
                "an assignment is `x = …`".into()
            }
            TokenKind::Punct(Punct::Eq) if before.is_some_and(ends_value) => {
                "use `==` to compare".into()
            }
            TokenKind::Punct(Punct::PlusPlus | Punct::MinusMinus) => {
                let op = &token.text;
                format!("`x{op}` is a statement of its own, not part of an expression")
            }
            TokenKind::Punct(Punct::And) => {
                "there are no pointers; `&` stands between two integers".into()
            }
            TokenKind::Punct(Punct::Recv | Punct::RecvRecv) => {
                "in an expression a channel is tested with `q?[…]`; \
                 a conditional value is `(c -> a : b)`"
                    .into()
            }
            TokenKind::Punct(Punct::Conj) => "outside an ltl formula write `&&`".into(),
            TokenKind::Punct(Punct::Disj) => "outside an ltl formula write `||`".into(),
            TokenKind::Punct(Punct::Equiv | Punct::Diamond | Punct::BoxOp)
                if !self.in_formula && !before.is_some_and(|t| t.is(Punct::Recv)) =>
            {
                "temporal operators stand only in `ltl { … }`".into()
            }
            TokenKind::Punct(Punct::LParen)
                if before.is_some_and(|t| t.is_word("atomic") || t.is_word("d_step")) =>
            {
                "a block is `{ … }`".into()
            }
            TokenKind::Punct(Punct::LParen)
                if let Some(word) = before.filter(|t| t.kind == TokenKind::Word) =>
            {
                match temporal_letter(&word.text).filter(|_| self.in_formula) {
                    Some(operator) => format!("write `{operator}`"),
                    None => "there are no functions: use a `#define` with parameters".into(),
                }
            }
            TokenKind::Punct(Punct::LBrace)
                if let Some(word) = before.filter(|t| t.kind == TokenKind::Word)
                    && let Some(meant) = block_keyword(&word.text) =>
            {
                format!("did you mean `{meant}`?")
            }
            TokenKind::Punct(Punct::Dot)
                if before.is_some_and(|t| t.kind == TokenKind::Int)
                    && next.kind == TokenKind::Int =>
            {
                "all numbers are integers: scale them".into()
            }
            TokenKind::Punct(Punct::Semi)
                if token.span.expn != ExpnId::ROOT
                    && token.span.expn != self.tokens[at.saturating_sub(2)].span.expn =>
            {
                "a macro is text: it should not end with `;`".into()
            }
            TokenKind::Str => "strings are only allowed in `printf`".into(),
            TokenKind::Word if &*token.text == "else" => "an option begins with `::`".into(),
            TokenKind::Word if &*token.text == "to" => "a range is `a .. b`".into(),
            TokenKind::Word => match operator_word(&token.text) {
                Some(op) => format!("use `{op}`"),
                None => return d,
            },
            _ => return d,
        };
        d.help(help)
    }
}

/// Whether a value may end with `token`.
fn ends_value(token: &Token) -> bool {
    match token.kind {
        TokenKind::Word | TokenKind::Int | TokenKind::Char => true,
        TokenKind::Punct(p) => matches!(p, Punct::RParen | Punct::RBracket | Punct::Eq),
        _ => false,
    }
}
