//! Operands of expressions: constants, functions, places.

use spinor_base::Diagnostic;

use super::report::{FROM_C, NUMBER_RANGE};
use super::{Fail, Parse, Parser};
use crate::ast::{Expr, ExprKind, Ident, Place, PlacePart, Probe};
use crate::token::{Punct, TokenKind};

impl Parser {
    pub(super) fn atom(&mut self) -> Parse<(Expr, bool)> {
        let start = self.span();
        let kind = match self.kind() {
            TokenKind::Int => self.number(),
            TokenKind::Char => self.character(),
            TokenKind::Word => return self.word_atom(),
            _ => return Err(self.unexpected("an expression")),
        };
        Ok((Expr { span: start, kind: Box::new(kind) }, false))
    }

    fn number(&mut self) -> ExprKind {
        let token = self.tok();
        let text = &token.text;
        // As `(int) strtol(…)`: saturate at 64 bits, keep the low 32.
        let wide = text.parse::<i64>().unwrap_or(i64::MAX);
        let value = wide as i32;
        let negated = self.pos > 0 && self.tokens[self.pos - 1].is(Punct::Minus);
        let fits = i64::from(value) == wide || (negated && value == i32::MIN);
        // Text that is no decimal number has been reported.
        if !fits && text.bytes().all(|b| b.is_ascii_digit()) {
            let d = Diagnostic::warning(
                NUMBER_RANGE,
                token.span,
                format!("the number `{text}` does not fit in 32 bits and is read as `{value}`"),
            );
            self.warn(d);
        }
        self.bump();
        ExprKind::Int(value)
    }

    fn character(&mut self) -> ExprKind {
        let mut chars = self.tok().text.chars().skip(1);
        let value = match chars.next() {
            Some('\\') => match chars.next() {
                Some('n') => '\n',
                Some('r') => '\r',
                Some('t') => '\t',
                Some('f') => '\x0c',
                other => other.unwrap_or('\\'),
            },
            other => other.unwrap_or('\0'),
        };
        self.bump();
        ExprKind::Int(value as i32)
    }

    fn word_atom(&mut self) -> Parse<(Expr, bool)> {
        let start = self.span();
        let mut probe = false;
        let kind = match self.word().unwrap_or_default() {
            "true" | "skip" => {
                self.bump();
                ExprKind::Int(1)
            }
            "false" => {
                self.bump();
                ExprKind::Int(0)
            }
            "timeout" => {
                self.bump();
                ExprKind::Timeout
            }
            "np_" => {
                self.bump();
                ExprKind::NonProgress
            }
            "run" => self.run()?,
            "len" => ExprKind::Len(self.one_channel()?),
            word @ ("empty" | "nempty" | "full" | "nfull") => {
                let which = match word {
                    "empty" => Probe::Empty,
                    "nempty" => Probe::Nempty,
                    "full" => Probe::Full,
                    _ => Probe::Nfull,
                };
                probe = true;
                ExprKind::Probe(which, self.one_channel()?)
            }
            "enabled" => ExprKind::Enabled(self.one_argument()?),
            "pc_value" => ExprKind::PcValue(self.one_argument()?),
            "get_priority" => ExprKind::GetPriority(self.one_argument()?),
            "c_expr" => ExprKind::EmbeddedC(self.embedded_c()?),
            _ if self.at_name() => return Ok((self.named_expr()?, false)),
            _ => return Err(self.unexpected("an expression")),
        };
        Ok((Expr { span: self.since(start), kind: Box::new(kind) }, probe))
    }

    /// `keyword ( place )`.
    fn one_channel(&mut self) -> Parse<Place> {
        let keyword = self.tok().text.clone();
        self.bump();
        let open = self.expect(Punct::LParen, &format!("`{keyword}`"))?;
        let place = self.place("a channel")?;
        self.close_paren(open)?;
        Ok(place)
    }

    /// `keyword ( expr )`.
    fn one_argument(&mut self) -> Parse<Expr> {
        let keyword = self.tok().text.clone();
        self.bump();
        let open = self.expect(Punct::LParen, &format!("`{keyword}`"))?;
        let e = self.expr()?;
        self.close_paren(open)?;
        Ok(e)
    }

    fn run(&mut self) -> Parse<ExprKind> {
        self.bump();
        let proctype = self.name("a proctype")?;
        let open = self.expect(Punct::LParen, "the name of the proctype")?;
        let args = self.arguments(Punct::RParen)?;
        self.close_paren(open)?;
        let priority = self.priority()?;
        Ok(ExprKind::Run { proctype, args, priority })
    }

    /// `priority n`, if it is there.
    pub(super) fn priority(&mut self) -> Parse<Option<Expr>> {
        if !self.eat_word("priority") {
            return Ok(None);
        }
        let operand = self.primary()?;
        Ok(Some(self.value(operand)))
    }

    /// Expressions and commas up to `end`, which stays.
    pub(super) fn arguments(&mut self, end: Punct) -> Parse<Vec<Expr>> {
        let mut args = Vec::new();
        if self.tokens[self.written()].is(end) {
            return Ok(args);
        }
        loop {
            args.push(self.expr()?);
            if !self.eat(Punct::Comma) {
                return Ok(args);
            }
        }
    }

    /// `a`, `a[i]`, `a[i].b`.
    pub(super) fn place(&mut self, what: &str) -> Parse<Place> {
        let first = self.name(what)?;
        let index = self.index()?;
        self.place_after(first, index)
    }

    /// `[i]`, if it is there.
    pub(super) fn index(&mut self) -> Parse<Option<Expr>> {
        if self.at(Punct::BoxOp) {
            return Err(self.error_here(super::report::UNEXPECTED, "expected an index inside `[]`"));
        }
        if !self.at(Punct::LBracket) {
            return Ok(None);
        }
        let open = self.bump();
        let e = self.expr()?;
        self.close(Punct::RBracket, open)?;
        Ok(Some(e))
    }

    /// The fields after the first segment.
    pub(super) fn place_after(&mut self, name: Ident, index: Option<Expr>) -> Parse<Place> {
        let start = name.span;
        let mut parts = vec![PlacePart { name, index }];
        while self.eat(Punct::Dot) {
            let name = self.name("a field")?;
            let index = self.index()?;
            parts.push(PlacePart { name, index });
        }
        Ok(Place { span: self.since(start), parts })
    }

    /// `++` and `--` used as prefix operators.
    pub(super) fn prefix_step(&mut self) -> Fail {
        let op = self.tok().text.clone();
        let d = Diagnostic::error(FROM_C, self.span(), format!("`{op}` stands after its variable"))
            .help(format!("write `x{op}` as a statement of its own"));
        self.error(d)
    }
}
