//! Declarations: variables, types, channels, mtype names.

use spinor_base::{Diagnostic, Span};

use super::hints::promela_type;
use super::keywords::{is_keyword, is_type, is_visibility};
use super::report::{FROM_C, UNEXPECTED};
use super::{Parse, Parser};
use crate::ast::{
    ChannelInit, Exclusive, Expr, Initializer, MtypeDecl, TypeKind, TypeRef, VarDecl, VarDecls,
    Visibility,
};
use crate::token::{Punct, TokenKind};

impl Parser {
    /// Whether a declaration begins here.
    pub(super) fn at_decl(&self) -> bool {
        let Some(word) = self.word() else { return false };
        if is_type(word) || is_visibility(word) {
            return true;
        }
        if is_keyword(word) {
            return false;
        }
        // Two names in a row: nothing else in the language looks like this.
        let known = self.names.typedefs.contains(word);
        let broken = known && self.ahead(1).kind == TokenKind::ImplicitSemi;
        let next = self.ahead(if broken { 2 } else { 1 });
        next.kind == TokenKind::Word
            && !is_keyword(&next.text)
            && (known || !next.newline_before)
            && super::hints::operator_word(&next.text).is_none()
    }

    /// Whether `mtype … {` begins here.
    pub(super) fn at_mtype_names(&self) -> bool {
        let n = usize::from(self.word().is_some_and(is_visibility));
        if !self.ahead(n).is_word("mtype") {
            return false;
        }
        let n = if self.ahead(n + 1).is(Punct::Colon) { n + 3 } else { n + 1 };
        self.ahead(n).is(Punct::Eq) || self.ahead(n).is(Punct::LBrace)
    }

    /// `mtype[:sub] [=] { A, B C }`.
    pub(super) fn mtype_names(&mut self) -> Parse<MtypeDecl> {
        let start = self.span();
        if self.visibility().is_some() {
            self.warn(Diagnostic::warning(
                UNEXPECTED,
                start,
                "a declaration of `mtype` names cannot be hidden or shown",
            ));
        }
        self.bump();
        let subtype =
            if self.eat(Punct::Colon) { Some(self.name("an mtype subset")?) } else { None };
        self.eat(Punct::Eq);
        let open = self.expect(Punct::LBrace, "`mtype`")?;
        let mut names = Vec::new();
        loop {
            self.skip_implicit();
            if self.at(Punct::RBrace) {
                break;
            }
            names.push(self.name("an mtype constant")?);
            while self.eat(Punct::Comma) {}
        }
        if names.is_empty() {
            self.unexpected("a name");
        }
        self.close(Punct::RBrace, open)?;
        Ok(MtypeDecl { span: self.since(start), subtype, names })
    }

    fn visibility(&mut self) -> Option<Visibility> {
        let found = match self.word()? {
            "hidden" => Visibility::Hidden,
            "show" => Visibility::Show,
            "local" => Visibility::Local,
            _ => return None,
        };
        self.bump();
        Some(found)
    }

    /// `[hidden] type x, y[3] = …`, without a separator.
    pub(super) fn var_decls(&mut self) -> Parse<VarDecls> {
        let start = self.span();
        let visibility = self.visibility();
        let ty = self.type_ref()?;
        let mut vars = vec![self.var_decl()?];
        while self.tokens[self.written()].is(Punct::Comma) {
            self.eat(Punct::Comma);
            if self.word().is_some_and(is_type) {
                let d = Diagnostic::error(
                    UNEXPECTED,
                    self.span(),
                    format!("expected a name, found the type `{}`", self.tok().text),
                )
                .help("separate declarations of different types by `;`");
                self.error(d);
                break;
            }
            vars.push(self.var_decl()?);
        }
        Ok(VarDecls { span: self.since(start), visibility, ty, vars })
    }

    /// A type as it stands before variables and in message fields.
    pub(super) fn type_ref(&mut self) -> Parse<TypeRef> {
        let span = self.span();
        let kind = match self.word().unwrap_or_default() {
            "bit" => TypeKind::Bit,
            "bool" => TypeKind::Bool,
            "byte" => TypeKind::Byte,
            "short" => TypeKind::Short,
            "int" => TypeKind::Int,
            "unsigned" => TypeKind::Unsigned,
            "pid" => TypeKind::Pid,
            "chan" => TypeKind::Chan,
            "mtype" => return self.mtype_type(),
            word if self.at_name() => {
                if let Some((kind, help)) = promela_type(word)
                    && !self.names.typedefs.contains(word)
                {
                    let message = format!("`{word}` is no type of Promela");
                    let d = Diagnostic::error(FROM_C, span, message).help(help);
                    self.error(d);
                    kind
                } else {
                    TypeKind::Named(self.name("a type")?)
                }
            }
            _ => return Err(self.unexpected("a type")),
        };
        if !matches!(kind, TypeKind::Named(_)) {
            self.bump();
        }
        Ok(TypeRef { span, kind })
    }

    fn mtype_type(&mut self) -> Parse<TypeRef> {
        let start = self.bump();
        let subtype =
            if self.eat(Punct::Colon) { Some(self.name("an mtype subset")?) } else { None };
        Ok(TypeRef { span: self.since(start), kind: TypeKind::Mtype(subtype) })
    }

    fn var_decl(&mut self) -> Parse<VarDecl> {
        let name = self.name("a variable")?;
        let array = self.index()?;
        let width = if self.eat(Punct::Colon) { Some(self.width()?) } else { None };
        let init = if self.eat(Punct::Eq) { Some(self.initializer()?) } else { None };
        Ok(VarDecl { name, width, array, init })
    }

    /// Only a number: `unsigned x : 3 = 1` must not read on.
    fn width(&mut self) -> Parse<Expr> {
        let operand = self.binary(super::exprs::level::SUM)?;
        Ok(self.value(operand))
    }

    fn initializer(&mut self) -> Parse<Initializer> {
        if self.at(Punct::LBracket) {
            return Ok(Initializer::Channel(self.channel_init()?));
        }
        if self.at(Punct::LBrace) {
            let open = self.bump();
            let values = self.arguments(Punct::RBrace)?;
            self.close(Punct::RBrace, open)?;
            return Ok(Initializer::List(self.since(open), values));
        }
        Ok(Initializer::Expr(self.expr()?))
    }

    fn channel_init(&mut self) -> Parse<ChannelInit> {
        let start = self.bump();
        let capacity = self.expr()?;
        self.close(Punct::RBracket, start)?;
        self.skip_implicit();
        if !self.eat_word("of") {
            return Err(self.missing("`of { … }`", "the capacity of the channel"));
        }
        let open = self.expect(Punct::LBrace, "`of`")?;
        let mut fields = Vec::new();
        loop {
            self.skip_implicit();
            fields.push(self.field_type()?);
            if !self.eat(Punct::Comma) {
                break;
            }
        }
        self.close(Punct::RBrace, open)?;
        Ok(ChannelInit { span: self.since(start), capacity, fields })
    }

    fn field_type(&mut self) -> Parse<TypeRef> {
        if self.at_word("unsigned") {
            let d = Diagnostic::error(
                UNEXPECTED,
                self.span(),
                "`unsigned` cannot be the type of a message field",
            )
            .help("use `byte`, `short` or `int`");
            self.error(d);
        }
        let ty = self.type_ref()?;
        if ty.kind == TypeKind::Unsigned && self.eat(Punct::Colon) {
            self.width()?;
        }
        Ok(ty)
    }

    /// `xr c, d` or `xs c, d`.
    pub(super) fn exclusive(&mut self) -> Parse<Exclusive> {
        let send = self.at_word("xs");
        let start = self.bump();
        let mut channels = vec![self.place("a channel")?];
        while self.eat(Punct::Comma) {
            channels.push(self.place("a channel")?);
        }
        Ok(Exclusive { span: self.since(start), send, channels })
    }

    /// Declarations and separators up to `end`, which is taken: parameters of
    /// a proctype, fields of a typedef.
    pub(super) fn decl_list(&mut self, end: Punct, open: Span) -> Parse<Vec<VarDecls>> {
        let mut list = Vec::new();
        loop {
            self.skip_separators();
            if self.eat(end) {
                return Ok(list);
            }
            if !self.at_decl() {
                self.close(end, open)?;
                return Ok(list);
            }
            list.push(self.var_decls()?);
        }
    }
}
