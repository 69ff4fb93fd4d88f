//! Messages: sends, receive patterns, flattening of records.

use spinor_base::{Diagnostic, Span};
use spinor_syntax::ast::{self, ReceiveArg, ReceiveArgKind};

use crate::analyzer::{Analyzer, BodyKind};
use crate::codes;
use crate::declare::int;
use crate::hir::{
    ChannelDef, Expr, ExprKind, Init, Pattern, Place, Predefined, Projection, Root, StmtKind, Type,
};
use crate::lints::truncation;
use crate::places::{Named, same_variable};
use crate::runs::{RunRule, count};

impl Analyzer<'_> {
    /// Resolves `q!args`.
    pub(crate) fn send(
        &mut self,
        span: Span,
        channel: &ast::Place,
        sorted: bool,
        args: &[ast::Expr],
    ) -> Option<StmtKind> {
        let channel = self.channel(channel);
        let mut values = Vec::new();
        for arg in args {
            self.message_arg(arg, "a message", &mut values);
        }
        let channel = channel?;
        if let Some(def) = self.channel_def_of(&channel) {
            for (&ty, value) in def.fields.iter().zip(&values) {
                // SPIN keeps a lone bit field as a byte.
                if !matches!(ty, Type::Bit | Type::Bool) {
                    truncation::check(self, ty, false, value);
                }
                self.check_mtypes(ty, value);
            }
        }
        self.check_arity(span, &channel, values.len(), "send");
        Some(StmtKind::Send { channel, sorted, args: values })
    }

    /// Resolves `q?args`.
    pub(crate) fn receive(
        &mut self,
        span: Span,
        channel: &ast::Place,
        random: bool,
        copy: bool,
        args: &[ReceiveArg],
    ) -> Option<StmtKind> {
        let channel = self.channel(channel);
        let args = self.patterns(args, true);
        let channel = channel?;
        self.check_arity(span, &channel, args.len(), "receive");
        Some(StmtKind::Receive { channel, random, copy, args })
    }

    /// One value of a message or of `run`: a record gives several.
    pub(crate) fn message_arg(
        &mut self,
        arg: &ast::Expr,
        place: &'static str,
        out: &mut Vec<Expr>,
    ) {
        self.check_runs(arg, RunRule::Never(place));
        if let ast::ExprKind::Place(name) = &*arg.kind {
            let Some(named) = self.named_place(name) else { return };
            let value = |p: Place| Expr { span: p.span, kind: Box::new(ExprKind::Place(p)) };
            if matches!(named, Named::Sink) && self.body.kind == BodyKind::Trace {
                // In a trace `_` matches any value.
                let (root, projections) = (Root::Sink, Vec::new());
                out.push(value(Place { span: name.span, root, projections, ty: Type::Int }));
                return;
            }
            if let Named::Place { place, array } = named {
                let place = self.close_index(place, array);
                out.extend(self.flatten_place(place).into_iter().map(value));
                return;
            }
        }
        let value = self.expr(arg);
        out.push(value);
    }

    /// Receive patterns; `stores` for receives, not for polls.
    pub(crate) fn patterns(&mut self, args: &[ReceiveArg], stores: bool) -> Vec<Pattern> {
        let mut out = Vec::new();
        for arg in args {
            match &arg.kind {
                ReceiveArgKind::Const(e) => {
                    let value = self.constant(e, "a value to match").unwrap_or(0);
                    out.push(Pattern::Match(int(e.span, value)));
                }
                ReceiveArgKind::Eval(e) => {
                    self.check_runs(e, RunRule::Never("a receive"));
                    let value = self.expr(e);
                    out.push(Pattern::Match(value));
                }
                ReceiveArgKind::Place(place) => self.place_pattern(place, &mut out),
            }
        }
        if stores {
            self.check_stored_twice(&out);
        }
        out
    }

    fn place_pattern(&mut self, name: &ast::Place, out: &mut Vec<Pattern>) {
        match self.named_place(name) {
            Some(Named::Place { place, array }) => {
                let place = self.close_index(place, array);
                out.extend(self.flatten_place(place).into_iter().map(Pattern::Bind));
            }
            Some(Named::Mtype(set, value)) => {
                let kind = Box::new(ExprKind::Mtype(set, value));
                out.push(Pattern::Match(Expr { span: name.span, kind }));
            }
            Some(Named::Sink) => out.push(Pattern::Any),
            Some(Named::Predefined(p)) => {
                let text = self.sources.text(name.span).to_owned();
                self.report.push(
                    Diagnostic::error(
                        codes::BAD_TARGET,
                        name.span,
                        format!("nothing can be received into `{text}`"),
                    )
                    .help(format!("to compare with it write `eval({text})`")),
                );
                debug_assert!(p != Predefined::Timeout);
            }
            None => {}
        }
    }

    fn check_stored_twice(&mut self, patterns: &[Pattern]) {
        let bound = |p: &Pattern| match p {
            Pattern::Bind(place) => Some(place.clone()),
            _ => None,
        };
        let places: Vec<Place> = patterns.iter().filter_map(bound).collect();
        for (i, place) in places.iter().enumerate() {
            let Some(first) = places[..i].iter().find(|p| same_variable(p, place)) else {
                continue;
            };
            let name = self.sources.text(place.span).to_owned();
            self.report.push(
                Diagnostic::error(
                    codes::RECEIVE_TWICE,
                    place.span,
                    format!("`{name}` receives two fields of one message"),
                )
                .label(first.span, "first used here")
                .help("use `_` for a field that is not needed, `eval(…)` to compare"),
            );
        }
    }

    /// The scalars of a place, in order.
    pub(crate) fn flatten_place(&self, place: Place) -> Vec<Place> {
        let mut out = Vec::new();
        self.flatten_into(place, &mut out);
        out
    }

    fn flatten_into(&self, place: Place, out: &mut Vec<Place>) {
        let Type::Struct(id) = place.ty else { return out.push(place) };
        for (number, field) in self.model.structs[id.index()].fields.iter().enumerate() {
            for element in 0..field.array.unwrap_or(1) {
                let mut inner = Place { ty: field.ty, ..place.clone() };
                inner.projections.push(Projection::Field(number as u32));
                if field.array.is_some() {
                    inner.projections.push(Projection::Index(int(place.span, element as i32)));
                }
                self.flatten_into(inner, out);
            }
        }
    }

    /// The definition of a channel that is declared with one.
    pub(crate) fn channel_def_of(&self, place: &Place) -> Option<ChannelDef> {
        let mut var = match place.root {
            Root::Global(id) => &self.model.globals[id.index()],
            Root::Local(id) => &self.body.locals.get(id.index())?.var,
            _ => return None,
        };
        for projection in &place.projections {
            if let (Projection::Field(f), Type::Struct(id)) = (projection, var.ty) {
                var = &self.model.structs[id.index()].fields[*f as usize];
            }
        }
        match &var.init {
            Init::Channel(def) => Some(def.clone()),
            _ => None,
        }
    }

    /// Warns if a message has another number of fields than its channel. A poll
    /// may name the first fields only.
    pub(crate) fn check_arity(&mut self, span: Span, channel: &Place, given: usize, verb: &str) {
        let Some(def) = self.channel_def_of(channel) else { return };
        let (poll, wanted) = (verb == "poll", def.fields.len());
        if given == wanted || poll && given < wanted {
            return;
        }
        let name = self.sources.text(channel.span).to_owned();
        let fields = count(given, "field");
        let mut d = Diagnostic::warning(
            codes::ARITY,
            span,
            format!("this {verb} has {fields}, messages of `{name}` have {wanted}"),
        );
        if !poll {
            d = d.note("executing it is an error of the model");
        }
        self.report.push(d);
    }
}
