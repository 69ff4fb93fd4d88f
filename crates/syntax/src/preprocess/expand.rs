//! Macro expansion as a machine with an explicit stack.
//!
//! A [`Context`] is a run of tokens to read before anything below it; the
//! macro that produced it is disabled until the run is used up, which is how
//! gcc avoids endless expansion. A [`Job`] expands one argument on its own
//! before it is put into the body; it reads only contexts above its base.

use super::arguments::Invocation;
use super::define::{Builtin, Kind, Macro};
use super::input::Want;
use super::{Preprocessor, Tok};
use crate::token::{Punct, Token, TokenKind};
use spinor_base::{ExpansionKind, ExpnId, Span};
use std::rc::Rc;
use std::vec::IntoIter;

/// Expansion in progress, of the files or of one directive.
pub(super) struct Machine {
    contexts: Vec<Context>,
    jobs: Vec<Job>,
    from_files: bool,
    /// The last token read below all contexts: the outermost macro use.
    pub root: Span,
    /// Space and line break before a macro that expanded to nothing.
    carry_space: bool,
    carry_newline: bool,
    /// Inside `#if`: keep the operand of `defined`.
    condition: bool,
    defined: Defined,
}

/// How far the machine is into `defined ( X )`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Defined {
    No,
    Keyword,
    Paren,
}

struct Context {
    tokens: IntoIter<Tok>,
    owner: Option<Rc<Macro>>,
}

struct Job {
    /// Number of contexts that are not its own.
    base: usize,
    out: Vec<Tok>,
    invocation: Invocation,
}

impl Machine {
    /// Expands what the open files say.
    pub fn for_files() -> Self {
        Machine {
            contexts: Vec::new(),
            jobs: Vec::new(),
            from_files: true,
            root: Span::default(),
            carry_space: false,
            carry_newline: false,
            condition: false,
            defined: Defined::No,
        }
    }

    fn for_line(tokens: Vec<Token>, root: Span, condition: bool) -> Self {
        let tokens: Vec<Tok> = tokens.into_iter().map(Tok::new).collect();
        let contexts = vec![Context { tokens: tokens.into_iter(), owner: None }];
        Machine { contexts, from_files: false, root, condition, ..Machine::for_files() }
    }

    /// Whether the next token after all contexts comes from a file.
    pub fn reads_files(&self) -> bool {
        self.from_files && self.jobs.is_empty()
    }

    fn base(&self) -> usize {
        self.jobs.last().map_or(0, |job| job.base)
    }

    fn push(&mut self, tokens: Vec<Tok>, owner: Option<Rc<Macro>>) {
        if let Some(owner) = &owner {
            owner.disabled.set(true);
        }
        self.contexts.push(Context { tokens: tokens.into_iter(), owner });
    }

    fn pop(&mut self) {
        if let Some(Context { owner: Some(owner), .. }) = self.contexts.pop() {
            owner.disabled.set(false);
        }
    }

    /// Whether a word is the operand of `defined`, or `defined` itself.
    fn is_defined_operand(&mut self, token: &Token) -> bool {
        if !self.condition || !self.jobs.is_empty() {
            return false;
        }
        let (next, keep) = match self.defined {
            Defined::No if token.is_word("defined") => (Defined::Keyword, true),
            Defined::No => (Defined::No, false),
            Defined::Keyword if token.is(Punct::LParen) => (Defined::Paren, true),
            Defined::Keyword | Defined::Paren => (Defined::No, token.kind == TokenKind::Word),
        };
        self.defined = next;
        keep
    }
}

impl Preprocessor<'_> {
    /// The next token after expansion.
    pub(super) fn next_expanded(&mut self) -> Option<Tok> {
        loop {
            let Some(tok) = self.fetch(Want::Token) else {
                let job = self.machine.jobs.pop()?;
                self.finish(job);
                continue;
            };
            let Some(tok) = self.expand(tok) else { continue };
            match self.machine.jobs.last_mut() {
                Some(job) => job.out.push(tok),
                None => return Some(tok),
            }
        }
    }

    /// Expands the tokens of a directive.
    pub(super) fn expand_line(
        &mut self,
        tokens: Vec<Token>,
        at: Span,
        condition: bool,
    ) -> Vec<Token> {
        let machine = Machine::for_line(tokens, at, condition);
        let outer = std::mem::replace(&mut self.machine, machine);
        let mut out = Vec::new();
        while let Some(tok) = self.next_expanded() {
            out.push(tok.token);
        }
        self.machine = outer;
        out
    }

    /// The next token before expansion, `None` at the end of a job's tokens.
    pub(super) fn fetch(&mut self, want: Want) -> Option<Tok> {
        let machine = &mut self.machine;
        let base = machine.base();
        let mut tok = loop {
            if machine.contexts.len() > base {
                match machine.contexts.last_mut().and_then(|c| c.tokens.next()) {
                    Some(tok) => break tok,
                    None => machine.pop(),
                }
            } else if machine.reads_files() {
                let tok = self.read(want)?;
                if want == Want::Token {
                    self.machine.root = tok.token.span;
                    self.out_before_use = self.out.len();
                }
                break tok;
            } else {
                return None;
            }
        };
        tok.token.space_before |= std::mem::take(&mut self.machine.carry_space);
        tok.token.newline_before |= std::mem::take(&mut self.machine.carry_newline);
        Some(tok)
    }

    /// The token if it stays; otherwise its expansion waits in a context.
    fn expand(&mut self, mut tok: Tok) -> Option<Tok> {
        if self.machine.is_defined_operand(&tok.token)
            || tok.token.kind != TokenKind::Word
            || tok.finished
        {
            return Some(tok);
        }
        let Some(definition) = self.macros.get(&tok.token.text) else { return Some(tok) };
        if definition.disabled.get() {
            tok.finished = true;
            return Some(tok);
        }
        match definition.kind {
            Kind::Builtin(builtin) => return Some(self.builtin(builtin, tok)),
            Kind::Object => {
                if self.spend(1) {
                    let expn = self.add_expansion(&tok.token, tok.token.span);
                    let invocation = Invocation::new(definition, tok.token, expn, Vec::new());
                    self.push_body(&invocation);
                }
            }
            Kind::Function { .. } => {
                if !self.take_paren() {
                    return Some(tok);
                }
                match self.collect(definition, &tok.token) {
                    Some(invocation) => self.advance(invocation),
                    None => return Some(tok),
                }
            }
        }
        None
    }

    pub(super) fn add_expansion(&mut self, name: &Token, call: Span) -> ExpnId {
        self.sources.add_expansion(ExpansionKind::Macro, name.text.clone(), call)
    }

    fn builtin(&mut self, builtin: Builtin, mut tok: Tok) -> Tok {
        let (kind, text) = match builtin {
            Builtin::Line => (TokenKind::Int, self.presumed_line(self.machine.root).to_string()),
            Builtin::File => {
                let name = self.readers.last().map_or("", |r| &*r.presumed_name);
                (TokenKind::Str, name.replace('\\', "\\\\").replace('"', "\\\""))
            }
            // Fixed, so that the same model always means the same.
            Builtin::Date => (TokenKind::Str, "Jan  1 1970".into()),
            Builtin::Time => (TokenKind::Str, "00:00:00".into()),
            Builtin::Counter => {
                self.counter += 1;
                (TokenKind::Int, (self.counter - 1).to_string())
            }
        };
        tok.token.kind = kind;
        tok.token.text = self.symbols.intern(&text);
        tok
    }

    /// Passes the `(` that must follow the name of a function-like macro.
    fn take_paren(&mut self) -> bool {
        let base = self.machine.base();
        while self.machine.contexts.len() > base {
            let context = self.machine.contexts.last_mut();
            match context.and_then(|c| c.tokens.as_slice().first()) {
                Some(tok) if tok.token.is(Punct::LParen) => {
                    return self.fetch(Want::Token).is_some();
                }
                Some(_) => return false,
                None => self.machine.pop(),
            }
        }
        if !self.machine.reads_files() {
            return false;
        }
        match self.read(Want::Paren) {
            Some(paren) => {
                self.break_pending |= paren.token.newline_before;
                true
            }
            None => false,
        }
    }

    /// Expands the next argument that needs it, or puts the body in place.
    fn advance(&mut self, mut invocation: Invocation) {
        while let Some(arg) = invocation.args.get(invocation.next_arg) {
            let index = invocation.next_arg;
            invocation.next_arg += 1;
            if invocation.definition.expands(index) && self.mentions_macro(&arg.raw) {
                let raw = arg.raw.clone();
                if !self.spend(raw.len()) {
                    return;
                }
                let base = self.machine.contexts.len();
                self.machine.jobs.push(Job { base, out: Vec::new(), invocation });
                self.machine.push(raw, None);
                return;
            }
        }
        self.push_body(&invocation);
    }

    fn mentions_macro(&self, tokens: &[Tok]) -> bool {
        tokens.iter().any(|t| t.token.kind == TokenKind::Word && self.macros.has(&t.token.text))
    }

    /// An argument is expanded.
    fn finish(&mut self, job: Job) {
        self.machine.carry_space = false;
        self.machine.carry_newline = false;
        let mut invocation = job.invocation;
        let index = invocation.next_arg - 1;
        invocation.args[index].expanded = Some(job.out);
        self.advance(invocation);
    }

    /// Puts the body of a macro before the rest of the input.
    fn push_body(&mut self, invocation: &Invocation) {
        let mut tokens = self.substitute(invocation);
        if !self.spend(tokens.len()) {
            return;
        }
        match tokens.first_mut() {
            Some(first) => {
                first.token.newline_before = invocation.name.newline_before;
                first.token.space_before = invocation.name.space_before;
                self.machine.push(tokens, Some(invocation.definition.clone()));
            }
            None => {
                self.machine.carry_newline |= invocation.name.newline_before;
                self.machine.carry_space |= invocation.name.space_before;
            }
        }
    }
}
