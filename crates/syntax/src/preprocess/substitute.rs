//! The body of a macro with its arguments put in: `#`, `##`, parameters.

use super::arguments::{Arg, Invocation};
use super::{Preprocessor, Tok};
use crate::token::{Punct, Token, TokenKind};
use spinor_base::Text;
use std::fmt::Write;

impl Preprocessor<'_> {
    /// The tokens that replace a macro use.
    pub(super) fn substitute(&mut self, invocation: &Invocation) -> Vec<Tok> {
        let mut out: Vec<Tok> = Vec::with_capacity(invocation.definition.body.len());
        // Whether `##` stands before the current piece, and the start of its left operand.
        let (mut pasting, mut left) = (false, 0);
        // Space before a piece that turned out empty.
        let mut space = false;
        for piece in &invocation.definition.body {
            let mut token = piece.token.clone();
            token.span.expn = invocation.expn;
            token.newline_before = false;
            let start = out.len();
            let joins = pasting && start > left;
            match piece.param.map(|index| (index, &invocation.args[index])) {
                None => self.put(&mut out, Tok::new(token), joins),
                Some((_, arg)) if piece.stringify => {
                    let string = self.stringify(token, arg);
                    self.put(&mut out, Tok::new(string), joins);
                }
                Some((index, arg)) => {
                    let rest =
                        invocation.definition.is_variadic() && index + 1 == invocation.args.len();
                    let comma = joins && out.last().is_some_and(|t| t.token.is(Punct::Comma));
                    if comma && rest && invocation.rest_missing {
                        // GNU: `, ## __VA_ARGS__` drops the comma with the arguments.
                        out.pop();
                    }
                    let raw = piece.paste || pasting;
                    let tokens = arg.expanded.as_ref().filter(|_| !raw).unwrap_or(&arg.raw);
                    if !self.spend(tokens.len()) {
                        return Vec::new();
                    }
                    for (position, tok) in tokens.iter().enumerate() {
                        let mut tok = tok.clone();
                        tok.token.newline_before = false;
                        if position == 0 {
                            tok.token.space_before = token.space_before;
                        }
                        let joins = joins && position == 0 && !(comma && rest);
                        self.put(&mut out, tok, joins);
                    }
                }
            }
            match out.get_mut(start) {
                Some(first) => first.token.space_before |= std::mem::take(&mut space),
                None if !joins => space |= piece.token.space_before,
                None => {}
            }
            if !pasting {
                left = start;
            }
            pasting = piece.paste;
        }
        self.close_paste(&mut out);
        out
    }

    /// `#parameter`.
    fn stringify(&mut self, mut token: Token, arg: &Arg) -> Token {
        let mut text = String::new();
        for (index, tok) in arg.raw.iter().enumerate() {
            if index > 0 && tok.token.space_before {
                text.push(' ');
            }
            match tok.token.kind {
                TokenKind::Str | TokenKind::Char => {
                    let spelling = spelling(&tok.token);
                    text.extend(spelling.chars().flat_map(|c| {
                        let escape = matches!(c, '"' | '\\').then_some('\\');
                        escape.into_iter().chain([c])
                    }));
                }
                _ => text.push_str(&spelling(&tok.token)),
            }
        }
        // An odd final backslash would escape the closing quote; gcc drops it too.
        if text.bytes().rev().take_while(|&b| b == b'\\').count() % 2 == 1 {
            text.pop();
        }
        self.spend(text.len() / 8);
        token.kind = TokenKind::Str;
        token.text = self.symbols.intern(&text);
        token
    }
}

/// The characters of a token, quotes and braces included.
pub(super) fn spelling(token: &Token) -> Text {
    let (open, close) = match token.kind {
        TokenKind::Str => ('"', '"'),
        TokenKind::CBody => ('{', '}'),
        _ => return token.text.clone(),
    };
    let mut text = String::with_capacity(token.text.len() + 2);
    let _ = write!(text, "{open}{}{close}", token.text);
    text.into()
}
