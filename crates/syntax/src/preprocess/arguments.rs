//! The arguments of a use of a function-like macro.

use super::define::Macro;
use super::input::Want;
use super::{Preprocessor, Tok};
use crate::token::{Punct, Token, TokenKind};
use spinor_base::{Diagnostic, ExpnId};
use std::rc::Rc;

/// A use of a function-like macro with its arguments.
pub(super) struct Invocation {
    pub definition: Rc<Macro>,
    pub name: Token,
    pub expn: ExpnId,
    pub args: Vec<Arg>,
    /// The variadic argument was left out altogether.
    pub rest_missing: bool,
    /// The argument to expand next.
    pub next_arg: usize,
}

/// One argument.
#[derive(Default)]
pub(super) struct Arg {
    /// As written.
    pub raw: Vec<Tok>,
    /// Fully expanded, if the body needs it and it differs.
    pub expanded: Option<Vec<Tok>>,
}

impl Invocation {
    /// A use without missing arguments.
    pub fn new(definition: Rc<Macro>, name: Token, expn: ExpnId, args: Vec<Arg>) -> Self {
        Invocation { definition, name, expn, args, rest_missing: false, next_arg: 0 }
    }
}

impl Preprocessor<'_> {
    /// Reads the arguments up to the closing parenthesis.
    pub(super) fn collect(&mut self, definition: Rc<Macro>, name: &Token) -> Option<Invocation> {
        let slots = definition.params().len();
        let (mut args, mut current) = (Vec::new(), Vec::new());
        let (mut depth, mut newline) = (0usize, std::mem::take(&mut self.break_pending));
        let close = loop {
            let Some(mut tok) = self.fetch(Want::Argument) else {
                if self.is_exhausted() {
                    return None;
                }
                let message = format!("the use of macro `{}` is never closed", name.text);
                self.report.push(
                    Diagnostic::error("P0016", name.span, message)
                        .label(definition.span, "defined here")
                        .help("add the missing `)`"),
                );
                return None;
            };
            newline |= tok.token.newline_before;
            match tok.token.kind {
                TokenKind::Punct(Punct::LParen) => depth += 1,
                TokenKind::Punct(Punct::RParen) if depth == 0 => break tok.token,
                TokenKind::Punct(Punct::RParen) => depth -= 1,
                TokenKind::Punct(Punct::Comma)
                    if depth == 0 && !(definition.is_variadic() && args.len() + 1 == slots) =>
                {
                    args.push(Arg { raw: std::mem::take(&mut current), expanded: None });
                    continue;
                }
                TokenKind::Word if !tok.finished => {
                    let known = self.macros.get(&tok.token.text);
                    tok.finished = known.is_some_and(|m| m.disabled.get());
                }
                _ => {}
            }
            current.push(tok);
            if !self.spend(1) {
                return None;
            }
        };
        args.push(Arg { raw: current, expanded: None });
        // All of a use stands on the line of its name.
        self.break_pending |= newline && self.machine.reads_files();
        let given = args.len();
        let empty = given == 1 && args[0].raw.is_empty();
        let rest_missing = definition.is_variadic() && (given + 1 == slots || slots == 1 && empty);
        if rest_missing {
            args.resize_with(slots, Arg::default);
        }
        if slots == 0 && empty {
            args.clear();
        }
        if args.len() != slots {
            self.wrong_count(&definition, name, given);
            return None;
        }
        let expn = self.add_expansion(name, name.span.to(close.span));
        for tok in args.iter_mut().flat_map(|arg| &mut arg.raw) {
            let span = &mut tok.token.span;
            if span.expn == name.span.expn || span.expn == ExpnId::ROOT {
                span.expn = expn;
            }
        }
        let invocation = Invocation::new(definition, name.clone(), expn, args);
        Some(Invocation { rest_missing, ..invocation })
    }

    fn wrong_count(&mut self, definition: &Macro, name: &Token, given: usize) {
        let (slots, least) = (definition.params().len(), definition.is_variadic());
        let plural = if slots == 1 { "" } else { "s" };
        let at_least = if least { "at least " } else { "" };
        let slots = if least { slots - 1 } else { slots };
        let message =
            format!("macro `{}` takes {at_least}{slots} argument{plural}, not {given}", name.text);
        self.report.push(
            Diagnostic::error("P0015", name.span, message)
                .label(definition.span, "defined here")
                .help("give one argument for each parameter; a comma inside an argument needs parentheses around it"),
        );
    }
}
