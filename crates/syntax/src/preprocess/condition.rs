//! The expressions of `#if`: 64-bit integers with C's operators.

mod number;

use crate::token::{Punct, Token, TokenKind};
use number::{Num, parse_char, parse_int};
use spinor_base::{Diagnostic, Span};

/// Deeper expressions are refused, to keep the stack small.
const MAX_DEPTH: u32 = 200;

type Outcome<T> = Result<T, Box<Diagnostic>>;

/// Whether the expanded tokens of an `#if` line are not zero.
pub(super) fn evaluate(
    tokens: &[Token],
    directive: &Token,
    defined: &dyn Fn(&str) -> bool,
) -> Outcome<bool> {
    let items = tokens.iter().flat_map(simple).collect();
    let mut parser = Parser { items, at: 0, end: directive.span, depth: 0, defined };
    if parser.items.is_empty() {
        let message = format!("`#{}` has no expression", directive.text);
        return Err(parser.error(directive.span, message));
    }
    let value = parser.comma(true)?;
    match parser.items.get(parser.at) {
        Some(item) => {
            let message = format!("unexpected `{}` in the expression", item.token.text);
            Err(parser.error(item.token.span, message))
        }
        None => Ok(value.bits != 0),
    }
}

/// A token as C sees it: `!!` is two operators there.
#[derive(Clone, Copy)]
struct Item<'a> {
    token: &'a Token,
    kind: TokenKind,
}

fn simple(token: &Token) -> impl Iterator<Item = Item<'_>> {
    let (kind, times) = match token.kind {
        TokenKind::Punct(Punct::SendSend) => (TokenKind::Punct(Punct::Not), 2),
        TokenKind::Punct(Punct::RecvRecv) => (TokenKind::Punct(Punct::Recv), 2),
        TokenKind::Punct(Punct::ColonColon) => (TokenKind::Punct(Punct::Colon), 2),
        kind => (kind, 1),
    };
    std::iter::repeat_n(Item { token, kind }, times)
}

struct Parser<'a> {
    items: Vec<Item<'a>>,
    at: usize,
    end: Span,
    depth: u32,
    defined: &'a dyn Fn(&str) -> bool,
}

/// Binding strength of a binary operator; larger binds tighter.
fn strength(punct: Punct) -> Option<u32> {
    Some(match punct {
        Punct::OrOr => 1,
        Punct::AndAnd => 2,
        Punct::Or => 3,
        Punct::Xor => 4,
        Punct::And => 5,
        Punct::EqEq | Punct::Ne => 6,
        Punct::Lt | Punct::Gt | Punct::Le | Punct::Ge => 7,
        Punct::Shl | Punct::Shr => 8,
        Punct::Plus | Punct::Minus => 9,
        Punct::Star | Punct::Slash | Punct::Percent => 10,
        _ => return None,
    })
}

impl Parser<'_> {
    fn error(&self, at: Span, message: impl Into<String>) -> Box<Diagnostic> {
        let help = "use integers, macros, `defined` and the operators of C";
        Box::new(Diagnostic::error("P0030", at, message).help(help))
    }

    fn peek(&self) -> Option<Punct> {
        match self.items.get(self.at)?.kind {
            TokenKind::Punct(punct) => Some(punct),
            _ => None,
        }
    }

    fn eat(&mut self, punct: Punct) -> bool {
        let found = self.peek() == Some(punct);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, punct: Punct) -> Outcome<()> {
        if self.eat(punct) {
            return Ok(());
        }
        let at = self.items.get(self.at).map_or(self.end, |item| item.token.span);
        Err(self.error(at, format!("expected `{}` in the expression", punct.text())))
    }

    fn enter(&mut self) -> Outcome<()> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.error(self.end, "the expression is nested too deeply"));
        }
        Ok(())
    }

    /// `live` is false where C does not evaluate: there, nothing can go wrong.
    fn comma(&mut self, live: bool) -> Outcome<Num> {
        let mut value = self.conditional(live)?;
        while self.eat(Punct::Comma) {
            value = self.conditional(live)?;
        }
        Ok(value)
    }

    fn conditional(&mut self, live: bool) -> Outcome<Num> {
        self.enter()?;
        let condition = self.binary(1, live)?;
        let value = if self.eat(Punct::Recv) {
            let holds = condition.bits != 0;
            let yes = self.comma(live && holds)?;
            self.expect(Punct::Colon)?;
            let no = self.conditional(live && !holds)?;
            let chosen = if holds { yes } else { no };
            Num { bits: chosen.bits, unsigned: yes.unsigned || no.unsigned }
        } else {
            condition
        };
        self.depth -= 1;
        Ok(value)
    }

    fn binary(&mut self, least: u32, live: bool) -> Outcome<Num> {
        let mut left = self.unary(live)?;
        while let Some(op) = self.peek() {
            let Some(tightness) = strength(op).filter(|&s| s >= least) else { break };
            let span = self.items[self.at].token.span;
            self.at += 1;
            let needed = match op {
                Punct::AndAnd => left.bits != 0,
                Punct::OrOr => left.bits == 0,
                _ => true,
            };
            let right = self.binary(tightness + 1, live && needed)?;
            left = match left.apply(op, right) {
                Some(value) => value,
                None if live => {
                    let error = Diagnostic::error("P0031", span, "division by zero in `#if`")
                        .help("test the divisor first, as in `N != 0 && M / N > 1`");
                    return Err(Box::new(error));
                }
                None => Num::signed(0),
            };
        }
        Ok(left)
    }

    fn unary(&mut self, live: bool) -> Outcome<Num> {
        // Collected first: a long row of operators must not recurse.
        let mut operators = Vec::new();
        while let Some(op @ (Punct::Not | Punct::Tilde | Punct::Minus | Punct::Plus)) = self.peek()
        {
            operators.push(op);
            self.at += 1;
        }
        let mut value = self.primary(live)?;
        for op in operators.into_iter().rev() {
            value = match op {
                Punct::Not => Num::signed(i64::from(value.bits == 0)),
                Punct::Tilde => Num { bits: !value.bits, ..value },
                Punct::Minus => Num { bits: value.bits.wrapping_neg(), ..value },
                _ => value,
            };
        }
        Ok(value)
    }

    fn primary(&mut self, live: bool) -> Outcome<Num> {
        let Some(&Item { token, kind }) = self.items.get(self.at) else {
            return Err(self.error(self.end, "the expression is not complete"));
        };
        self.at += 1;
        match kind {
            TokenKind::Punct(Punct::LParen) => {
                let value = self.comma(live)?;
                self.expect(Punct::RParen)?;
                Ok(value)
            }
            TokenKind::Word if &*token.text == "defined" => self.defined_operator(),
            // C: a name that is no macro counts as 0.
            TokenKind::Word => Ok(Num::signed(0)),
            TokenKind::Int => parse_int(&token.text).ok_or_else(|| {
                self.error(token.span, format!("`{}` is not a 64-bit integer", token.text))
            }),
            TokenKind::Char => parse_char(&token.text).ok_or_else(|| {
                self.error(token.span, format!("{} is not one character", token.text))
            }),
            _ => {
                let message = format!("unexpected `{}` in the expression", token.text);
                Err(self.error(token.span, message))
            }
        }
    }

    fn defined_operator(&mut self) -> Outcome<Num> {
        let paren = self.eat(Punct::LParen);
        let item = self.items.get(self.at).copied();
        let Some(Item { token, kind: TokenKind::Word }) = item else {
            let at = item.map_or(self.end, |item| item.token.span);
            return Err(self.error(at, "`defined` needs the name of a macro"));
        };
        self.at += 1;
        if paren {
            self.expect(Punct::RParen)?;
        }
        Ok(Num::signed(i64::from((self.defined)(&token.text))))
    }
}
