//! Top-level units.

use spinor_base::{Diagnostic, Span};

use super::keywords::starts_item;
use super::report::{GAVE_UP, NOT_CLOSED, UNEXPECTED, describe};
use super::{Fail, Parse, Parser};
use crate::ast::{Active, Block, Expr, Init, Item, Ltl, Never, Proctype, Trace, Typedef, VarDecls};
use crate::token::{Punct, TokenKind};

/// Top-level errors without one good unit that show a text to be no model.
const HOPELESS: usize = 2;

impl Parser {
    pub(super) fn items(&mut self) -> Vec<Item> {
        let mut items = Vec::new();
        let mut failures = 0;
        loop {
            self.skip_separators();
            if self.at_end() {
                break;
            }
            let before = self.pos;
            match self.item(&mut items) {
                Ok(()) => {}
                Err(Fail) => {
                    failures += 1;
                    if failures >= HOPELESS && !items.iter().any(is_model_part) {
                        self.skip_foreign_text(before);
                    } else {
                        self.recover_item(before);
                    }
                }
            }
            items.append(&mut self.displaced);
        }
        self.count_calls(&mut items);
        items
    }

    /// Skips to the first unit that only a model has, or gives up.
    fn skip_foreign_text(&mut self, start: usize) {
        self.pos = self.pos.max(start + 1).min(self.tokens.len() - 1);
        let found = self.tokens[self.pos..].iter().position(|t| {
            t.kind == TokenKind::Word
                && matches!(&*t.text, "active" | "proctype" | "init" | "never" | "ltl")
        });
        if let Some(n) = found {
            self.pos += n;
            return;
        }
        if !self.stopped {
            let d = Diagnostic::error(GAVE_UP, self.span(), "this does not look like Promela")
                .note("no `proctype`, `init` or `never` follows");
            self.diagnostics.push(d);
            self.stopped = true;
        }
        self.pos = self.tokens.len() - 1;
    }

    fn item(&mut self, items: &mut Vec<Item>) -> Parse<()> {
        let item = match self.word().unwrap_or_default() {
            "active" | "proctype" | "D_proctype" => Item::Proctype(self.proctype()?),
            "init" => Item::Init(self.init()?),
            "never" => Item::Never(self.never()?),
            "trace" | "notrace" => Item::Trace(self.trace()?),
            "ltl" => Item::Ltl(self.ltl()?),
            "typedef" => Item::Typedef(self.typedef()?),
            "inline" => {
                let (decl, index) = self.inline_definition()?;
                self.inlines.set_item(index, items.len());
                Item::Inline(decl)
            }
            "c_code" | "c_decl" | "c_state" | "c_track" => Item::EmbeddedC(self.embedded_c()?),
            "xr" | "xs" => Item::Exclusive(self.exclusive()?),
            _ if self.at_mtype_names() => Item::Mtype(self.mtype_names()?),
            _ if self.at_decl() => {
                let failures = self.failures;
                let decls = self.var_decls()?;
                items.push(Item::Vars(decls));
                return self.after_global(self.failures > failures);
            }
            _ => return Err(self.no_item()),
        };
        items.push(item);
        Ok(())
    }

    fn no_item(&mut self) -> Fail {
        let found = describe(self.tok());
        let d = Diagnostic::error(
            UNEXPECTED,
            self.span(),
            format!("expected a declaration or `proctype`, found {found}"),
        );
        let d = if self.at(Punct::RBrace) {
            d.help("there is one `}` too many, here or further up")
        } else if let Some(meant) = self.word().and_then(item_keyword) {
            d.help(format!("did you mean `{meant}`?"))
        } else if self.at_name() && matches!(self.ahead(1).kind, TokenKind::Punct(_)) {
            d.help("statements stand inside the body of a `proctype` or `init`")
        } else {
            d
        };
        self.error(d)
    }

    /// What may follow a global declaration: anything but more of it.
    ///
    /// `wrong`: an error is reported for it already.
    fn after_global(&mut self, wrong: bool) -> Parse<()> {
        let goes_on = self.at_separator()
            || self.at_end()
            || self.at_decl()
            || self.word().is_some_and(|w| starts_item(w) || w == "c_code")
            || self.tok().newline_before;
        if goes_on && !self.at(Punct::LParen) {
            return Ok(());
        }
        if wrong {
            return Err(Fail);
        }
        let found = describe(self.tok());
        let message = format!("expected `;` after the declaration, found {found}");
        let d = Diagnostic::error(UNEXPECTED, self.span(), message);
        let d = if self.at(Punct::LParen) {
            d.help("processes are declared with `proctype`, text to insert with `inline`")
        } else if self.word() == Some("of") {
            d.help("a channel is declared with `chan c = [2] of { byte }`")
        } else {
            d
        };
        Err(self.error(d))
    }

    fn proctype(&mut self) -> Parse<Proctype> {
        let start = self.span();
        let active = if self.at_word("active") { Some(self.active()?) } else { None };
        let deterministic = self.at_word("D_proctype");
        if !deterministic && !self.at_word("proctype") {
            return Err(self.missing("`proctype`", "`active`"));
        }
        self.bump();
        let name = self.name("a proctype")?;
        self.names.declared.insert(name.name.clone());
        let params = match self.parameters() {
            Ok(params) => params,
            Err(Fail) if self.recover_body() => Vec::new(),
            Err(Fail) => return Err(Fail),
        };
        let mut priority = None;
        let mut provided = None;
        loop {
            self.skip_implicit();
            if self.at_word("priority") && priority.is_none() {
                priority = self.priority()?;
            } else if self.at_word("provided") && provided.is_none() {
                provided = Some(self.provided()?);
            } else {
                break;
            }
        }
        let body = self.body("the head of the proctype")?;
        let span = self.since(start);
        Ok(Proctype { span, name, active, deterministic, params, priority, provided, body })
    }

    fn active(&mut self) -> Parse<Active> {
        let start = self.bump();
        let mut count = None;
        if self.at(Punct::LBracket) {
            let open = self.bump();
            count = Some(self.expr()?);
            self.close(Punct::RBracket, open)?;
        }
        Ok(Active { span: self.since(start), count })
    }

    fn parameters(&mut self) -> Parse<Vec<VarDecls>> {
        let open = self.expect(Punct::LParen, "the name of the proctype")?;
        self.decl_list(Punct::RParen, open)
    }

    fn provided(&mut self) -> Parse<Expr> {
        self.bump();
        let open = self.expect(Punct::LParen, "`provided`")?;
        let e = self.full_expr()?;
        self.close_paren(open)?;
        Ok(e)
    }

    fn body(&mut self, after: &str) -> Parse<Block> {
        if !self.tokens[self.written()].is(Punct::LBrace) {
            return Err(self.missing("`{`", after));
        }
        self.block()
    }

    fn init(&mut self) -> Parse<Init> {
        let start = self.bump();
        let priority = self.priority()?;
        let body = self.body("`init`")?;
        Ok(Init { span: start, priority, body })
    }

    fn never(&mut self) -> Parse<Never> {
        let start = self.bump();
        let name = if self.at_name() { Some(self.name("a claim")?) } else { None };
        self.in_claim = true;
        let body = self.body("`never`");
        self.in_claim = false;
        Ok(Never { span: start, name, body: body? })
    }

    fn trace(&mut self) -> Parse<Trace> {
        let negated = self.at_word("notrace");
        let start = self.bump();
        let name = if self.at_name() { Some(self.name("a trace")?) } else { None };
        let body = self.body(if negated { "`notrace`" } else { "`trace`" })?;
        Ok(Trace { span: start, negated, name, body })
    }

    fn ltl(&mut self) -> Parse<Ltl> {
        let start = self.bump();
        let name = if self.at_name() { Some(self.name("a formula")?) } else { None };
        let open = self.expect(Punct::LBrace, "`ltl`")?;
        self.in_claim = true;
        let formula = self.formula();
        self.in_claim = false;
        let formula = formula?;
        self.skip_separators();
        if !self.at(Punct::RBrace) {
            return Err(self.formula_goes_on(open));
        }
        self.bump();
        Ok(Ltl { span: start, name, formula })
    }

    fn formula_goes_on(&mut self, open: Span) -> Fail {
        let found = describe(self.tok());
        let message = format!("expected an operator or `}}`, found {found}");
        let d = Diagnostic::error(NOT_CLOSED, self.span(), message)
            .label(open, "the formula begins here");
        let was_formula = std::mem::replace(&mut self.in_formula, true);
        let d = self.with_hint(d, self.pos);
        self.in_formula = was_formula;
        let fail = self.error(d);
        while !self.at(Punct::RBrace) && !self.at_end() && !self.word().is_some_and(starts_item) {
            self.bump();
        }
        self.eat(Punct::RBrace);
        fail
    }

    /// `typedef T { … }`.
    pub(super) fn typedef(&mut self) -> Parse<Typedef> {
        let start = self.bump();
        let name = self.name("a type")?;
        let open = self.expect(Punct::LBrace, "the name of the type")?;
        let fields = self.decl_list(Punct::RBrace, open)?;
        if fields.is_empty() {
            self.error(Diagnostic::error(UNEXPECTED, open, "a `typedef` needs a field"));
        }
        Ok(Typedef { span: self.since(start), name, fields })
    }
}

/// Units that only a model has; a C file has declarations too.
fn is_model_part(item: &Item) -> bool {
    !matches!(item, Item::Vars(_) | Item::EmbeddedC(_))
}

/// The keyword that a word at the start of a declaration is a slip for.
fn item_keyword(word: &str) -> Option<&'static str> {
    let keywords = ["active", "proctype", "inline", "init", "never", "typedef", "mtype", "trace"];
    spinor_base::nearest(word, keywords)
}
