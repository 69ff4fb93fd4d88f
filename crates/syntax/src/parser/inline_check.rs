//! Warning for arguments that the text around an inline parameter tears apart:
//! `x + 1` for `p` in `p * 2` gives `x + 1 * 2`.

use std::ops::Range;

use spinor_base::{Diagnostic, Span};

use super::Parser;
use super::exprs::{binary_op, level};
use super::report::INLINE_OPERATOR;
use crate::token::{Punct, Token, TokenKind};

const UNARY: u8 = level::PRODUCT + 1;

fn strength(token: &Token) -> Option<u8> {
    match token.kind {
        TokenKind::Punct(p) => binary_op(p).map(|(_, strength)| strength),
        _ => None,
    }
}

/// Whether an operand ends with `token`, so that an operator after it is infix.
fn ends_operand(token: &Token) -> bool {
    match token.kind {
        TokenKind::Word | TokenKind::Int | TokenKind::Char => true,
        TokenKind::Punct(p) => matches!(p, Punct::RParen | Punct::RBracket),
        _ => false,
    }
}

/// The weakest operator of an argument outside parentheses.
fn weakest(argument: &[Token]) -> Option<u8> {
    let mut depth = 0i32;
    let mut weakest = None;
    for (i, token) in argument.iter().enumerate() {
        match token.kind {
            TokenKind::Punct(Punct::LParen | Punct::LBracket) => depth += 1,
            TokenKind::Punct(Punct::RParen | Punct::RBracket) => depth -= 1,
            _ if depth == 0 && i > 0 && ends_operand(&argument[i - 1]) => {
                if let Some(s) = strength(token) {
                    weakest = Some(weakest.map_or(s, |w: u8| w.min(s)));
                }
            }
            _ => {}
        }
    }
    weakest
}

/// How strongly the text before and after position `at` pulls at its operand.
fn pull(body: &[Token], at: usize) -> u8 {
    let before = at.checked_sub(1).map_or(0, |i| {
        let token = &body[i];
        let infix = i > 0 && ends_operand(&body[i - 1]);
        match token.kind {
            // `a - x + 1` is `(a - x) + 1`: equal strength tears as well,
            // unless nothing changes by it.
            TokenKind::Punct(Punct::Plus | Punct::AndAnd | Punct::OrOr) if infix => {
                strength(token).unwrap_or(0)
            }
            TokenKind::Punct(_) if infix => strength(token).map_or(0, |s| s + 1),
            TokenKind::Punct(Punct::Not | Punct::Minus | Punct::Tilde) => {
                // `q ! p` is a send.
                if i > 0 && ends_operand(&body[i - 1]) { 0 } else { UNARY }
            }
            _ => 0,
        }
    });
    let after = body.get(at + 1).and_then(strength).unwrap_or(0);
    before.max(after)
}

impl Parser {
    pub(super) fn warn_torn_arguments(&mut self, index: usize, args: &[Range<usize>], call: Span) {
        let weak: Vec<Option<u8>> =
            args.iter().map(|range| weakest(&self.tokens[range.clone()])).collect();
        if weak.iter().all(Option::is_none) {
            return;
        }
        let (params, body) = self.inline_text(index);
        let mut found = None;
        for (at, token) in body.iter().enumerate() {
            if token.kind != TokenKind::Word {
                continue;
            }
            let Some(i) = params.iter().position(|p| p.name == token.text) else { continue };
            if let Some(weak) = weak[i]
                && pull(&body, at) > weak
            {
                found = Some((i, token.clone()));
                break;
            }
        }
        let Some((i, token)) = found else { return };
        let (first, last) = (args[i].start, args[i].end.saturating_sub(1));
        let argument = self.tokens[first].span.to(self.tokens[last].span);
        let text = self.sources.text(argument).to_string();
        let place = Span { expn: call.expn, ..token.span };
        let d = Diagnostic::warning(
            INLINE_OPERATOR,
            argument,
            format!("the operators around `{}` take `{text}` apart", token.text),
        )
        .label(place, "the argument is put here as text")
        .help(format!("write `({text})`, or put the parameter in parentheses"));
        self.warn(d);
    }
}
