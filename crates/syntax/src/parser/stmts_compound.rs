//! Blocks, choices, loops and `unless`.

use spinor_base::{Diagnostic, Span};

use super::report::{FROM_C, NOT_CLOSED, NOT_OPENED, UNEXPECTED, describe};
use super::{Opener, Parse, Parser};
use crate::ast::{Block, Stmt, StmtKind};
use crate::token::Punct;

impl Opener {
    fn closer(self) -> &'static str {
        match self {
            Opener::Block => "}",
            Opener::If => "fi",
            Opener::Do => "od",
        }
    }
}

impl Parser {
    /// `{ … }`.
    pub(super) fn block(&mut self) -> Parse<Block> {
        self.enter()?;
        let result = self.braced();
        self.leave();
        result
    }

    fn braced(&mut self) -> Parse<Block> {
        let start = self.expect(Punct::LBrace, "")?;
        let failures = self.failures;
        self.open.push(Opener::Block);
        let mut block = Block { span: start, stmts: Vec::new() };
        loop {
            self.sequence(&mut block.stmts);
            if self.at(Punct::RBrace) || !self.skip_stray_closer() {
                break;
            }
        }
        self.open.pop();
        self.check_not_empty(&block, failures, start, "{");
        if self.at(Punct::RBrace) {
            self.bump();
        } else {
            self.not_closed(Opener::Block, start);
        }
        block.span = self.since(start);
        Ok(block)
    }

    /// Takes a token that closes nothing; `false` if it closes something
    /// further out or ends the body.
    fn skip_stray_closer(&mut self) -> bool {
        let (belongs, why) = if self.at(Punct::ColonColon) {
            let choice = self.open.iter().any(|o| *o != Opener::Block);
            (choice, "stands outside of `if` and `do`")
        } else if self.at_word("fi") {
            (self.open.contains(&Opener::If), "closes no `if`")
        } else if self.at_word("od") {
            (self.open.contains(&Opener::Do), "closes no `do`")
        } else {
            (true, "")
        };
        if belongs {
            return false;
        }
        let message = format!("{} {why}", describe(self.tok()));
        self.error_here(NOT_OPENED, message);
        self.bump();
        true
    }

    fn not_closed(&mut self, opener: Opener, start: Span) {
        let what = match opener {
            Opener::Block => "this block is not closed",
            Opener::If => "this `if` is not closed",
            Opener::Do => "this `do` is not closed",
        };
        let message = format!("expected `{}`, found {}", opener.closer(), describe(self.tok()));
        let d = Diagnostic::error(NOT_CLOSED, self.span(), message).label(start, what);
        self.error(d);
    }

    /// `if :: … fi`, `do :: … od`.
    pub(super) fn choice(&mut self) -> Parse<StmtKind> {
        let opener = if self.at_word("do") { Opener::Do } else { Opener::If };
        let start = self.bump();
        self.skip_separators();
        if !self.at(Punct::ColonColon) {
            self.no_option(opener, start)?;
        }
        self.open.push(opener);
        let mut options = Vec::new();
        self.options(&mut options);
        self.open.pop();
        if options.is_empty() {
            let word = if opener == Opener::Do { "do" } else { "if" };
            self.missing("an option `:: …`", &format!("`{word}`"));
        }
        if !self.eat_word(opener.closer()) {
            self.not_closed(opener, start);
            self.take_wrong_closer(opener);
        }
        Ok(match opener {
            Opener::Do => StmtKind::Do(options),
            _ => StmtKind::If(options),
        })
    }

    /// `fi` for a `do` and the reverse, when no outer choice needs it.
    fn take_wrong_closer(&mut self, opener: Opener) {
        let other = if opener == Opener::Do { Opener::If } else { Opener::Do };
        if self.at_word(other.closer()) && !self.open.contains(&other) {
            self.bump();
        }
    }

    fn options(&mut self, options: &mut Vec<Block>) {
        loop {
            if !self.at(Punct::ColonColon) && !options.is_empty() {
                return;
            }
            let start = self.span();
            if !self.eat(Punct::ColonColon) && self.at_sequence_end() {
                return;
            }
            let mut option = Block { span: start, stmts: Vec::new() };
            let failures = self.failures;
            self.sequence(&mut option.stmts);
            self.check_not_empty(&option, failures, start, "::");
            option.span = self.since(start);
            options.push(option);
        }
    }

    /// No `::` after `if` or `do`: C, or a forgotten `::`.
    fn no_option(&mut self, opener: Opener, start: Span) -> Parse<()> {
        let (word, help) = match opener {
            Opener::Do => ("do", "a loop is `do :: condition -> … :: else -> break od`"),
            _ => ("if", "a selection is `if :: condition -> … :: else -> … fi`"),
        };
        let c_style = (opener == Opener::If && self.at(Punct::LParen) && !self.choice_follows())
            || (opener == Opener::Do && self.at(Punct::LBrace));
        let message = format!("expected `::` after `{word}`, found {}", describe(self.tok()));
        let code = if c_style { FROM_C } else { UNEXPECTED };
        let d = Diagnostic::error(code, self.span(), message)
            .label(start, format!("`{word}` begins here"))
            .help(help);
        let fail = self.error(d);
        if c_style { Err(fail) } else { Ok(()) }
    }

    /// Whether `->` or a separator follows the parenthesis: then it is a guard.
    fn choice_follows(&self) -> bool {
        let mut depth = 0usize;
        for token in self.tokens[self.pos..].iter().take(2_000) {
            if token.is(Punct::LParen) {
                depth += 1;
            } else if depth == 0 {
                return token.is(Punct::Arrow);
            } else if token.is(Punct::RParen) {
                depth -= 1;
            }
        }
        false
    }

    /// `atomic { … }`, `d_step { … }`.
    pub(super) fn indivisible(&mut self) -> Parse<StmtKind> {
        let atomic = self.at_word("atomic");
        self.bump();
        if !self.tokens[self.written()].is(Punct::LBrace) {
            let word = if atomic { "`atomic`" } else { "`d_step`" };
            return Err(self.missing("`{`", word));
        }
        let block = self.block()?;
        Ok(if atomic { StmtKind::Atomic(block) } else { StmtKind::DStep(block) })
    }

    /// `main unless escape`.
    pub(super) fn unless(&mut self, main: Stmt) -> Parse<Stmt> {
        let start = main.span;
        self.skip_implicit();
        self.bump();
        let escape = self.plain_stmt()?;
        if self.tokens[self.written()].is_word("unless") {
            self.skip_implicit();
            let d = Diagnostic::error(UNEXPECTED, self.span(), "`unless` cannot be chained")
                .help("put the first part in braces: `{ a unless b } unless c`");
            return Err(self.error(d));
        }
        let kind = StmtKind::Unless(Box::new(main), Box::new(escape));
        Ok(Stmt { span: self.since(start), labels: Vec::new(), kind })
    }

    /// `for (i : a .. b) { … }`, `for (i in a) { … }`.
    #[inline(never)]
    pub(super) fn for_loop(&mut self) -> Parse<StmtKind> {
        self.bump();
        let open = self.expect(Punct::LParen, "`for`")?;
        if self.at(Punct::Semi) {
            return Err(self.c_for());
        }
        let var = self.place("a variable")?;
        if self.eat_word("in") {
            let container = self.place("an array or channel")?;
            self.close_paren(open)?;
            let body = self.loop_body()?;
            return Ok(StmtKind::ForIn { var, container, body });
        }
        if self.at(Punct::Eq) || self.at(Punct::Semi) || self.at_name() {
            return Err(self.c_for());
        }
        let (from, to) = self.range()?;
        self.close_paren(open)?;
        let body = self.loop_body()?;
        Ok(StmtKind::ForRange { var, from, to, body })
    }

    fn c_for(&mut self) -> super::Fail {
        let d = Diagnostic::error(
            FROM_C,
            self.span(),
            format!("expected `:` or `in` in `for (…)`, found {}", describe(self.tok())),
        )
        .help("a counting loop is `for (i : 0 .. n - 1) { … }`");
        let fail = self.error(d);
        self.skip_parenthesis();
        fail
    }

    /// `: a .. b`.
    fn range(&mut self) -> Parse<(crate::ast::Expr, crate::ast::Expr)> {
        self.expect(Punct::Colon, "the variable")?;
        let from = self.expr()?;
        self.expect(Punct::DotDot, "the first value of the range")?;
        let to = self.expr()?;
        Ok((from, to))
    }

    fn loop_body(&mut self) -> Parse<Block> {
        self.skip_separators();
        if !self.at(Punct::LBrace) {
            return Err(self.missing("`{`", "`for (…)`"));
        }
        self.block()
    }

    /// `select (v : a .. b)`.
    pub(super) fn select(&mut self) -> Parse<StmtKind> {
        self.bump();
        let open = self.expect(Punct::LParen, "`select`")?;
        let var = self.place("a variable")?;
        let (from, to) = self.range()?;
        self.close_paren(open)?;
        Ok(StmtKind::Select { var, from, to })
    }
}
