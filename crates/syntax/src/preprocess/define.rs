//! Macro definitions: `#define`, `#undef`, and the table of what is defined.

use super::Preprocessor;
use crate::token::{Punct, Token, TokenKind};
use spinor_base::{Diagnostic, Span, Text};
use std::cell::Cell;
use std::collections::HashMap;
use std::rc::Rc;

/// A macro.
pub(super) struct Macro {
    /// Its name where it is defined.
    pub span: Span,
    pub kind: Kind,
    pub body: Vec<Piece>,
    /// Its expansion is being read.
    pub disabled: Cell<bool>,
    /// By parameter: the body uses the expanded argument.
    expands: Vec<bool>,
}

/// Kinds of macros.
#[derive(Clone, PartialEq)]
pub(super) enum Kind {
    Object,
    Function { params: Vec<Text>, variadic: bool },
    Builtin(Builtin),
}

/// Macros the preprocessor computes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Builtin {
    Line,
    File,
    Date,
    Time,
    Counter,
}

const BUILTINS: [(&str, Builtin); 5] = [
    ("__LINE__", Builtin::Line),
    ("__FILE__", Builtin::File),
    ("__DATE__", Builtin::Date),
    ("__TIME__", Builtin::Time),
    ("__COUNTER__", Builtin::Counter),
];

/// One token of a body; `##` is folded into the piece before it.
pub(super) struct Piece {
    pub token: Token,
    /// It is this parameter.
    pub param: Option<usize>,
    /// `#param`.
    pub stringify: bool,
    /// `##` follows.
    pub paste: bool,
}

impl Macro {
    fn new(span: Span, kind: Kind, body: Vec<Piece>) -> Self {
        let mut new = Macro { span, kind, body, disabled: Cell::new(false), expands: Vec::new() };
        let mut expands = vec![false; new.params().len()];
        let mut after_paste = false;
        for piece in &new.body {
            if let Some(param) = piece.param {
                expands[param] |= !piece.stringify && !piece.paste && !after_paste;
            }
            after_paste = piece.paste;
        }
        new.expands = expands;
        new
    }

    /// Names of the parameters; none for an object-like macro.
    pub fn params(&self) -> &[Text] {
        match &self.kind {
            Kind::Function { params, .. } => params,
            _ => &[],
        }
    }

    /// Whether the last parameter takes any number of arguments.
    pub fn is_variadic(&self) -> bool {
        matches!(self.kind, Kind::Function { variadic: true, .. })
    }

    /// Whether the body uses this argument in expanded form.
    pub fn expands(&self, param: usize) -> bool {
        self.expands[param]
    }

    fn means_the_same(&self, other: &Macro) -> bool {
        let piece = |(index, p): (usize, &Piece)| {
            let space = index > 0 && p.token.space_before;
            (p.token.kind, p.token.text.clone(), space, p.param, p.stringify, p.paste)
        };
        self.kind == other.kind
            && self.body.len() == other.body.len()
            && self.body.iter().enumerate().map(piece).eq(other.body.iter().enumerate().map(piece))
    }
}

/// What is defined.
pub(super) struct MacroTable {
    map: HashMap<Text, Rc<Macro>>,
}

impl MacroTable {
    /// The table at the start of a model.
    pub fn with_builtins() -> Self {
        let builtin = |(name, builtin): (&str, Builtin)| {
            let definition = Macro::new(Span::default(), Kind::Builtin(builtin), Vec::new());
            (Text::from(name), Rc::new(definition))
        };
        MacroTable { map: BUILTINS.into_iter().map(builtin).collect() }
    }

    /// The macro of that name.
    pub fn get(&self, name: &str) -> Option<Rc<Macro>> {
        self.map.get(name).cloned()
    }

    /// Whether there is a macro of that name.
    pub fn has(&self, name: &str) -> bool {
        self.map.contains_key(name)
    }
}

impl Preprocessor<'_> {
    /// `#define`.
    pub(super) fn define(&mut self, directive: &Token) {
        let line = self.line_tokens();
        let Some(name) = self.macro_name(directive, line.first()) else { return };
        let mut rest = &line[1..];
        let adjacent = rest.first().is_some_and(|t| t.is(Punct::LParen) && !t.space_before);
        let kind = if adjacent {
            match parameters(&name, &rest[1..]) {
                Ok((kind, used)) => {
                    rest = &rest[1 + used..];
                    kind
                }
                Err(error) => return self.report.push(*error),
            }
        } else {
            Kind::Object
        };
        match pieces(&kind, rest) {
            Ok(body) => self.add_macro(&name, Macro::new(name.span, kind, body)),
            Err(error) => self.report.push(*error),
        }
    }

    fn add_macro(&mut self, name: &Token, new: Macro) {
        if let Some(old) = self.macros.map.get(&name.text)
            && !old.means_the_same(&new)
        {
            let warning = Diagnostic::warning(
                "P0012",
                name.span,
                format!("macro `{}` is defined again with a different meaning", name.text),
            )
            .help("`#undef` it first");
            let known = !matches!(old.kind, Kind::Builtin(_));
            let old = old.span;
            self.report.push(if known {
                warning.label(old, "defined here before")
            } else {
                warning
            });
        }
        self.macros.map.insert(name.text.clone(), Rc::new(new));
    }

    /// `#undef`.
    pub(super) fn undefine(&mut self, directive: &Token) {
        let line = self.line_tokens();
        if let Some(name) = self.macro_name(directive, line.first()) {
            self.macros.map.remove(&name.text);
        }
    }

    /// The name that must follow `#define`, `#undef`, `#ifdef` and `#ifndef`.
    pub(super) fn macro_name(&mut self, after: &Token, found: Option<&Token>) -> Option<Token> {
        let error = match found {
            Some(t) if t.is_word("defined") => {
                Diagnostic::error("P0011", t.span, "`defined` cannot be a macro")
                    .help("choose another name")
            }
            Some(t) if t.kind == TokenKind::Word => return Some(t.clone()),
            Some(t) => Diagnostic::error(
                "P0011",
                t.span,
                format!("expected a macro name after `#{}`", after.text),
            )
            .help("a macro name starts with a letter or `_`"),
            None => {
                let message = format!("expected a macro name after `#{}`", after.text);
                Diagnostic::error("P0011", after.span, message).help("write the name of the macro")
            }
        };
        self.report.push(error);
        None
    }
}

/// Parses `a, b, c...)`; also says how many tokens that took.
fn parameters(name: &Token, tokens: &[Token]) -> Result<(Kind, usize), Box<Diagnostic>> {
    let (mut params, mut seen): (Vec<Text>, HashMap<Text, ()>) = (Vec::new(), HashMap::new());
    let bad = |at: Span, message: String| {
        Err(Box::new(
            Diagnostic::error("P0013", at, message)
                .help("write `#define name(a, b) text`, with `...` as the last parameter if any"),
        ))
    };
    let is_dots = |at: usize| {
        tokens.get(at).is_some_and(|t| t.is(Punct::DotDot))
            && tokens.get(at + 1).is_some_and(|t| t.is(Punct::Dot))
    };
    let mut at = 0;
    if tokens.first().is_some_and(|t| t.is(Punct::RParen)) {
        return Ok((Kind::Function { params, variadic: false }, 1));
    }
    loop {
        let mut variadic = false;
        match tokens.get(at) {
            Some(t) if t.kind == TokenKind::Word => {
                if seen.insert(t.text.clone(), ()).is_some() {
                    return bad(t.span, format!("macro parameter `{}` is named twice", t.text));
                }
                params.push(t.text.clone());
                at += 1;
            }
            Some(_) if is_dots(at) => params.push("__VA_ARGS__".into()),
            Some(t) => return bad(t.span, format!("`{}` is not a macro parameter", t.text)),
            None => return bad(name.span, "the parameter list is never closed".into()),
        }
        if is_dots(at) {
            variadic = true;
            at += 2;
        }
        match tokens.get(at) {
            Some(t) if t.is(Punct::RParen) => {
                return Ok((Kind::Function { params, variadic }, at + 1));
            }
            Some(t) if t.is(Punct::Comma) && !variadic => at += 1,
            Some(t) => return bad(t.span, format!("`{}` cannot follow a parameter", t.text)),
            None => return bad(name.span, "the parameter list is never closed".into()),
        }
    }
}

/// The body of a macro, with parameters and operators recognised.
fn pieces(kind: &Kind, tokens: &[Token]) -> Result<Vec<Piece>, Box<Diagnostic>> {
    let none = Vec::new();
    let params = if let Kind::Function { params, .. } = kind { params } else { &none };
    let index: HashMap<&str, usize> =
        params.iter().enumerate().map(|(index, name)| (&**name, index)).collect();
    let param = |t: &Token| (t.kind == TokenKind::Word).then(|| index.get(&*t.text).copied())?;
    let mut body: Vec<Piece> = Vec::new();
    let mut tokens = tokens.iter().peekable();
    while let Some(token) = tokens.next() {
        if token.is(Punct::HashHash) {
            let misplaced = tokens.peek().is_none();
            match body.last_mut() {
                Some(left) if !misplaced => left.paste = true,
                _ => {
                    let message = "`##` stands at an end of the macro";
                    return Err(Box::new(
                        Diagnostic::error("P0014", token.span, message)
                            .help("`##` joins the tokens on its two sides"),
                    ));
                }
            }
            continue;
        }
        let mut piece =
            Piece { token: token.clone(), param: param(token), stringify: false, paste: false };
        if token.is(Punct::Hash) && matches!(kind, Kind::Function { .. }) {
            let Some(operand) = tokens.next_if(|t| param(t).is_some()) else {
                let message = "`#` is not followed by a parameter of the macro";
                return Err(Box::new(
                    Diagnostic::error("P0014", token.span, message)
                        .help("`#` makes a string of a parameter"),
                ));
            };
            piece.param = param(operand);
            piece.stringify = true;
            piece.token.span = token.span.to(operand.span);
        }
        body.push(piece);
    }
    Ok(body)
}
