//! SPIN's syntax of formulas.
//!
//! Precedence is that of `ltl` blocks (`spin.y`): prefixes bind most, then
//! `U W V`, then `&&`, `||`, and last `->` and `<->`; all infixes group to the
//! left. A parenthesised text that is no formula but has no temporal operator
//! either is an embedded expression: one atom, kept as it is written.

mod hints;
mod lex;

use crate::Formula;
use lex::{Token, TokenKind, closing};

/// Deeper formulas are refused, so that no later walk runs out of stack.
const MAX_DEPTH: usize = 256;

/// Why a text is not a formula.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("at byte {position}: {message}")]
pub struct ParseError {
    /// The byte where reading stopped.
    pub position: usize,
    /// The byte after what is wrong.
    pub end: usize,
    /// What is wrong.
    pub message: String,
    /// What to write instead.
    pub help: Option<String>,
}

/// Reads a formula in SPIN's syntax.
///
/// # Errors
///
/// [`ParseError`] with the place and reason if `text` is not a formula.
pub fn parse(text: &str) -> Result<Formula, ParseError> {
    let tokens = lex::tokens(text);
    let mut parser = Parser { text, tokens, at: 0, depth: 0 };
    let (formula, _) = parser.infix(0)?;
    match parser.peek() {
        TokenKind::End => Ok(formula),
        _ => Err(parser.unexpected("an operator or the end")),
    }
}

struct Parser<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
}

/// A formula and its height.
type Tall = (Formula, usize);

impl Parser<'_> {
    fn peek(&self) -> TokenKind {
        self.tokens[self.at].kind
    }

    fn fail<T>(&self, message: impl Into<String>) -> Result<T, ParseError> {
        let token = self.tokens[self.at];
        let (position, end) = (token.start, token.end);
        Err(ParseError { position, end, message: message.into(), help: None })
    }

    fn unexpected(&self, wanted: &str) -> ParseError {
        let token = self.tokens[self.at];
        let found = &self.text[token.start..token.end];
        let message = match token.kind {
            TokenKind::End => format!("expected {wanted}, found the end"),
            _ => format!("expected {wanted}, found `{found}`"),
        };
        let before = self.at.checked_sub(1).map(|at| self.tokens[at]);
        let before = before.filter(|t| t.kind == TokenKind::Name);
        let help = hints::hint(before.map(|t| &self.text[t.start..t.end]), self.text, token);
        ParseError { position: token.start, end: token.end, message, help }
    }

    fn too_deep<T>(&self) -> Result<T, ParseError> {
        self.fail(format!("the formula is nested more than {MAX_DEPTH} levels deep"))
    }

    /// Operators of `level` or more: 0 implications, 1 or, 2 and, 3 until.
    fn infix(&mut self, level: u8) -> Result<Tall, ParseError> {
        if level == 4 {
            return self.prefix();
        }
        let mut left = self.infix(level + 1)?;
        loop {
            let op = self.peek();
            let here = match op {
                TokenKind::Implies | TokenKind::Equivalent => 0,
                TokenKind::Or => 1,
                TokenKind::And => 2,
                TokenKind::Until | TokenKind::WeakUntil | TokenKind::Release => 3,
                _ => return Ok(left),
            };
            if here != level {
                return Ok(left);
            }
            self.at += 1;
            let right = self.infix(level + 1)?;
            left = join(op, left, right);
            if self.depth + left.1 > MAX_DEPTH {
                return self.too_deep();
            }
        }
    }

    fn prefix(&mut self) -> Result<Tall, ParseError> {
        let wrap = match self.peek() {
            TokenKind::Not => Formula::Not,
            TokenKind::Always => Formula::Always,
            TokenKind::Eventually => Formula::Eventually,
            TokenKind::Next => Formula::Next,
            _ => return self.operand(),
        };
        self.at += 1;
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return self.too_deep();
        }
        let (inner, height) = self.prefix()?;
        self.depth -= 1;
        Ok((wrap(Box::new(inner)), height + 1))
    }

    fn operand(&mut self) -> Result<Tall, ParseError> {
        let token = self.tokens[self.at];
        let formula = match token.kind {
            TokenKind::True => Formula::True,
            TokenKind::False => Formula::False,
            TokenKind::Name => Formula::Atom(self.text[token.start..token.end].to_owned()),
            TokenKind::Number => truth(&self.text[token.start..token.end]),
            TokenKind::Open => return self.group(),
            _ => return Err(self.unexpected("a formula")),
        };
        self.at += 1;
        Ok((formula, 1))
    }

    /// A formula in parentheses, or an embedded expression.
    fn group(&mut self) -> Result<Tall, ParseError> {
        let Some(close) = closing(&self.tokens, self.at) else {
            return self.fail("this parenthesis is never closed");
        };
        let is_brace = |at: usize| matches!(&self.text[self.tokens[at].start..][..1], "{" | "}");
        if is_brace(self.at) != is_brace(close) {
            return self.fail("this is closed by another kind of parenthesis");
        }
        let open = self.at;
        if self.is_expression(open, close) {
            if let Some(t) = (open..close).find(|&t| self.tokens[t].kind.is_temporal()) {
                self.at = t;
                let mut error = self.fail("a temporal operator inside an expression");
                if let Err(e) = &mut error {
                    e.help = Some("put the expression in parentheses of its own".to_owned());
                }
                return error;
            }
            let inside = &self.text[self.tokens[open].end..self.tokens[close].start];
            self.at = close + 1;
            return Ok((Formula::Atom(inside.split_whitespace().collect::<Vec<_>>().join(" ")), 1));
        }
        self.at += 1;
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return self.too_deep();
        }
        let inner = self.infix(0)?;
        self.depth -= 1;
        if self.at != close {
            return Err(self.unexpected("`)`"));
        }
        self.at += 1;
        Ok(inner)
    }

    /// Whether something directly within the group belongs to no formula.
    fn is_expression(&self, open: usize, close: usize) -> bool {
        let mut at = open + 1;
        while at < close {
            match self.tokens[at].kind {
                TokenKind::Foreign => return true,
                // A call, `len(q)`.
                TokenKind::Open
                    if at > open + 1
                        && self.tokens[at - 1].kind == TokenKind::Name
                        && self.tokens[at - 1].end == self.tokens[at].start =>
                {
                    return true;
                }
                TokenKind::Open => at = closing(&self.tokens, at).unwrap_or(close),
                _ => {}
            }
            at += 1;
        }
        false
    }
}

/// What a number means as a condition.
fn truth(number: &str) -> Formula {
    if number.bytes().all(|b| b == b'0') { Formula::False } else { Formula::True }
}

fn join(op: TokenKind, left: Tall, right: Tall) -> Tall {
    let height = left.1.max(right.1) + 1;
    let (f, g) = (left.0, right.0);
    let formula = match (op, f) {
        // Long chains stay flat.
        (TokenKind::And, Formula::And(mut fs)) => {
            fs.push(g);
            return (Formula::And(fs), left.1.max(right.1 + 1));
        }
        (TokenKind::Or, Formula::Or(mut fs)) => {
            fs.push(g);
            return (Formula::Or(fs), left.1.max(right.1 + 1));
        }
        (TokenKind::And, f) => Formula::And(vec![f, g]),
        (TokenKind::Or, f) => Formula::Or(vec![f, g]),
        (TokenKind::Implies, f) => Formula::Implies(Box::new(f), Box::new(g)),
        (TokenKind::Equivalent, f) => Formula::Equivalent(Box::new(f), Box::new(g)),
        (TokenKind::WeakUntil, f) => Formula::WeakUntil(Box::new(f), Box::new(g)),
        (TokenKind::Release, f) => Formula::Release(Box::new(f), Box::new(g)),
        (_, f) => Formula::Until(Box::new(f), Box::new(g)),
    };
    (formula, height)
}
