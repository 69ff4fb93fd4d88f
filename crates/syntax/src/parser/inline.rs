//! `inline`: text with parameters, put in place of every call.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use spinor_base::{Diagnostic, ExpansionKind, ExpnId, SourceMap, Span, Text};

use super::keywords::{ends_body, is_type};
use super::report::{
    BAD_CALL, INLINE_ARITY, INLINE_RECURSION, INLINE_REDEFINED, INLINE_SIZE, NOT_CLOSED, UNEXPECTED,
};
use super::{Fail, MAX_INLINE_TOKENS, Parse, Parser};
use crate::ast::{Ident, InlineDecl, Item, Place, StmtKind};
use crate::token::{Punct, Token, TokenKind};

/// The inlines defined so far.
#[derive(Default)]
pub(super) struct Inlines {
    definitions: Vec<Definition>,
    by_name: HashMap<Text, usize>,
    /// Calls whose bodies are being read, innermost last.
    active: Vec<usize>,
    produced: usize,
    /// Definitions with errors: calls of these are not reported.
    failed: HashSet<Text>,
}

struct Definition {
    name: Ident,
    params: Vec<Ident>,
    /// From `{` to `}`.
    body: Arc<[Token]>,
    calls: u32,
    item: Option<usize>,
}

impl Inlines {
    pub(super) fn set_item(&mut self, index: usize, item: usize) {
        self.definitions[index].item = Some(item);
    }
}

impl Parser {
    /// `inline f(a, b) { … }`.
    pub(super) fn inline_definition(&mut self) -> Parse<(InlineDecl, usize)> {
        let start = self.bump();
        let name = self.name("an inline")?;
        self.inlines.failed.insert(name.name.clone());
        let open = self.expect(Punct::LParen, "the name of the inline")?;
        let mut params = Vec::new();
        while !self.at(Punct::RParen) {
            self.skip_param_type();
            params.push(self.name("a parameter")?);
            if !self.eat(Punct::Comma) {
                break;
            }
        }
        self.close_paren(open)?;
        let body = self.inline_body()?;
        self.check_redefinition(&name);
        self.inlines.failed.remove(&name.name);
        let span = self.since(start);
        let index = self.inlines.definitions.len();
        self.inlines.by_name.insert(name.name.clone(), index);
        self.inlines.definitions.push(Definition {
            name: name.clone(),
            params: params.clone(),
            body: body.into(),
            calls: 0,
            item: None,
        });
        Ok((InlineDecl { span, name, params, calls: 0 }, index))
    }

    fn skip_param_type(&mut self) {
        if self.word().is_some_and(is_type) {
            let message = "parameters of an inline have no type";
            let d = Diagnostic::error(UNEXPECTED, self.span(), message).help("write only the name");
            self.error(d);
            self.bump();
        }
    }

    fn check_redefinition(&mut self, name: &Ident) {
        if let Some(&old) = self.inlines.by_name.get(&name.name) {
            let first = self.inlines.definitions[old].name.span;
            let message = format!("the inline `{}` is defined twice", name.name);
            let d = Diagnostic::error(INLINE_REDEFINED, name.span, message)
                .label(first, "first defined here");
            self.error(d);
        }
    }

    /// The tokens from `{` to its `}`.
    fn inline_body(&mut self) -> Parse<Vec<Token>> {
        let open = self.expect(Punct::LBrace, "the head of the inline")?;
        let start = self.pos - 1;
        let mut depth = 1usize;
        while depth > 0 {
            match self.kind() {
                TokenKind::Punct(Punct::LBrace) => depth += 1,
                TokenKind::Punct(Punct::RBrace) => depth -= 1,
                TokenKind::Eof => return Err(self.inline_not_closed(start, open)),
                _ => {}
            }
            self.bump();
        }
        Ok(self.tokens[start..self.pos].to_vec())
    }

    fn inline_not_closed(&mut self, start: usize, open: Span) -> Fail {
        let next = self.tokens[start..]
            .iter()
            .position(|t| t.kind == TokenKind::Word && ends_body(&t.text));
        if let Some(n) = next {
            self.pos = start + n;
        }
        let d = Diagnostic::error(NOT_CLOSED, open, "the body of this inline is not closed")
            .help("every `{` in it needs its `}`");
        self.error(d)
    }

    /// `f(x, y)` at the current name; its value goes to `target`.
    pub(super) fn call(&mut self, target: Option<Place>) -> Parse<StmtKind> {
        let token = self.tok();
        let name = Ident { name: token.text.clone(), span: token.span };
        let Some(&index) = self.inlines.by_name.get(&name.name) else {
            return Err(self.not_callable(&name));
        };
        self.bump();
        let open = self.bump();
        let args = self.call_arguments(open)?;
        let call = self.since(name.span);
        self.check_call(index, &name, call, args.len())?;
        self.inlines.definitions[index].calls += 1;
        self.warn_torn_arguments(index, &args, call);
        let Some(tokens) = self.expand(index, &args, call) else { return Err(Fail) };
        self.enter()?;
        let body = self.read_body(index, tokens, target);
        self.leave();
        Ok(StmtKind::InlineCall { name, body: body? })
    }

    fn read_body(
        &mut self,
        index: usize,
        tokens: Vec<Token>,
        target: Option<Place>,
    ) -> Parse<crate::ast::Block> {
        let outer_tokens = std::mem::replace(&mut self.tokens, tokens);
        let outer_pos = std::mem::take(&mut self.pos);
        let outer_open = std::mem::take(&mut self.open);
        self.inlines.active.push(index);
        self.returns.push(target);
        let body = self.block();
        self.returns.pop();
        self.inlines.active.pop();
        self.open = outer_open;
        self.tokens = outer_tokens;
        self.pos = if self.stopped { self.tokens.len() - 1 } else { outer_pos };
        body
    }

    /// Token ranges between the commas; the `)` is taken.
    fn call_arguments(&mut self, open: Span) -> Parse<Vec<Range<usize>>> {
        let mut args = Vec::new();
        let mut start = self.pos;
        let mut depth = 0usize;
        loop {
            match self.kind() {
                TokenKind::Punct(Punct::LParen | Punct::LBracket | Punct::LBrace) => depth += 1,
                TokenKind::Punct(Punct::RParen) if depth == 0 => break,
                TokenKind::Punct(Punct::RParen | Punct::RBracket | Punct::RBrace) => {
                    if depth == 0 {
                        self.close_paren(open)?;
                    }
                    depth -= 1;
                }
                TokenKind::Punct(Punct::Comma) if depth == 0 => {
                    args.push(start..self.pos);
                    start = self.pos + 1;
                }
                TokenKind::Eof => self.close_paren(open)?,
                TokenKind::Word if ends_body(&self.tok().text) => self.close_paren(open)?,
                _ => {}
            }
            self.bump();
        }
        if !args.is_empty() || self.pos > start {
            args.push(start..self.pos);
        }
        self.bump();
        Ok(args)
    }

    fn not_callable(&mut self, name: &Ident) -> Fail {
        let n = &name.name;
        if self.inlines.failed.contains(n) {
            self.bump();
            self.bump();
            self.skip_parenthesis();
            self.failures += 1;
            return Fail;
        }
        let (message, help) = if self.names.inlines.contains(n) {
            (
                format!("the inline `{n}` is called before its definition"),
                "move the definition before the first call".to_string(),
            )
        } else if self.names.proctypes.contains(n) {
            (format!("`{n}` is a proctype"), format!("start it with `run {n}(…)`"))
        } else if let Some(help) = super::hints::foreign_stmt(n) {
            (format!("`{n}` is no statement of Promela"), help.to_string())
        } else {
            let help = match self.nearest_callable(n) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("define `inline {n}(…) {{ … }}`"),
            };
            (format!("there is no inline `{n}`"), help)
        };
        let d = Diagnostic::error(BAD_CALL, name.span, message).help(help);
        let fail = self.error(d);
        self.bump();
        self.bump();
        self.skip_parenthesis();
        fail
    }

    /// What a misspelt call may have meant.
    fn nearest_callable(&self, name: &str) -> Option<String> {
        const BUILT_IN: [&str; 9] = [
            "assert",
            "printf",
            "printm",
            "select",
            "eval",
            "len",
            "full",
            "empty",
            "set_priority",
        ];
        let defined = self.inlines.definitions.iter().map(|d| d.name.name.to_string());
        spinor_base::nearest(name, defined.chain(BUILT_IN.map(str::to_owned)))
    }

    fn check_call(&mut self, index: usize, name: &Ident, call: Span, given: usize) -> Parse<()> {
        let definition = &self.inlines.definitions[index];
        let wanted = definition.params.len();
        let place = definition.name.span;
        if given != wanted {
            let message = format!(
                "the inline `{}` takes {wanted} argument{}, not {given}",
                name.name,
                if wanted == 1 { "" } else { "s" }
            );
            let d = Diagnostic::error(INLINE_ARITY, call, message).label(place, "defined here");
            return Err(self.error(d));
        }
        if self.inlines.active.contains(&index) {
            let message = format!("the inline `{}` calls itself", name.name);
            let d = Diagnostic::error(INLINE_RECURSION, call, message)
                .label(place, "defined here")
                .note("an inline is text that is put in place of the call")
                .help("use a loop, or a `proctype` started with `run`");
            return Err(self.error(d));
        }
        Ok(())
    }

    /// The body with the arguments in place of the parameters.
    fn expand(&mut self, index: usize, args: &[Range<usize>], call: Span) -> Option<Vec<Token>> {
        let Definition { name, params, body, .. } = &self.inlines.definitions[index];
        let mut out = Vec::with_capacity(body.len() + 1);
        let inline = self.sources.add_expansion(ExpansionKind::Inline, name.name.clone(), call);
        let mut history = History::new(&mut self.sources, call.expn, inline);
        let mut room = MAX_INLINE_TOKENS.saturating_sub(self.inlines.produced);
        for token in body.iter() {
            let param = (token.kind == TokenKind::Word)
                .then(|| params.iter().position(|p| p.name == token.text))
                .flatten();
            let source = match param {
                Some(i) => &self.tokens[args[i].clone()],
                None => std::slice::from_ref(token),
            };
            if source.len() > room {
                self.inlines.produced = MAX_INLINE_TOKENS;
                self.too_much_text(call);
                return None;
            }
            room -= source.len();
            for (i, token) in source.iter().enumerate() {
                let mut copy = token.clone();
                copy.span.expn = history.place(copy.span.expn);
                if i == 0 && param.is_some() {
                    copy.space_before = true;
                }
                out.push(copy);
            }
        }
        self.inlines.produced = MAX_INLINE_TOKENS - room;
        let mut end = out.last()?.clone();
        end.kind = TokenKind::Eof;
        end.span = end.span.end();
        out.push(end);
        Some(out)
    }

    fn too_much_text(&mut self, call: Span) {
        let message = format!("inline calls produce more than {MAX_INLINE_TOKENS} tokens");
        self.error(Diagnostic::error(INLINE_SIZE, call, message));
        self.give_up(call, "the model is too large");
    }

    /// Writes the numbers of calls into the definitions.
    pub(super) fn count_calls(&mut self, items: &mut [Item]) {
        for definition in &self.inlines.definitions {
            if let Some(Item::Inline(decl)) = definition.item.and_then(|i| items.get_mut(i)) {
                decl.calls = definition.calls;
            }
        }
    }

    /// The parameters and body of an inline, for checks.
    pub(super) fn inline_text(&self, index: usize) -> (&[Ident], Arc<[Token]>) {
        let definition = &self.inlines.definitions[index];
        (&definition.params, Arc::clone(&definition.body))
    }
}

/// Puts the macro history of tokens under an inline call.
struct History<'a> {
    sources: &'a mut SourceMap,
    inline: ExpnId,
    /// Where a chain of expansions meets the call.
    roots: Vec<ExpnId>,
    moved: HashMap<ExpnId, ExpnId>,
}

impl<'a> History<'a> {
    fn new(sources: &'a mut SourceMap, around_call: ExpnId, inline: ExpnId) -> Self {
        let mut roots = vec![ExpnId::ROOT];
        let mut next = around_call;
        while let Some(expansion) = sources.expansion(next) {
            roots.push(next);
            next = expansion.call.expn;
        }
        History { sources, inline, roots, moved: HashMap::new() }
    }

    fn place(&mut self, old: ExpnId) -> ExpnId {
        let mut chain = Vec::new();
        let mut at = old;
        let mut new = loop {
            if self.roots.contains(&at) {
                break self.inline;
            }
            if let Some(&moved) = self.moved.get(&at) {
                break moved;
            }
            chain.push(at);
            at = self.sources.expansion(at).map_or(ExpnId::ROOT, |e| e.call.expn);
        };
        while let Some(id) = chain.pop() {
            if let Some(expansion) = self.sources.expansion(id).cloned() {
                let call = Span { expn: new, ..expansion.call };
                new = self.sources.add_expansion(expansion.kind, expansion.name, call);
                self.moved.insert(id, new);
            }
        }
        new
    }
}
