//! `for` and `select`, taken apart as SPIN does it.

use spinor_base::{Diagnostic, Span};
use spinor_syntax::ast;

use crate::analyzer::Analyzer;
use crate::codes;
use crate::declare::{Declared, int};
use crate::hir::{
    BinaryOp, Block, Expr, ExprKind, Init, LocalId, Pattern, Place, Root, Stmt, StmtKind, Type,
    Variable,
};
use crate::places::Named;
use crate::runs::RunRule;
use crate::stmts::made;
use crate::types::type_name;

/// `select` over at most this distance becomes an `if`.
const EXPANDED_SELECT: i32 = 32;

/// How an index variable compares and counts.
struct Counter {
    place: Place,
    span: Span,
}

impl Counter {
    fn value(&self) -> Expr {
        Expr { span: self.span, kind: Box::new(ExprKind::Place(self.place.clone())) }
    }

    fn compare(&self, op: BinaryOp, bound: Expr) -> Stmt {
        let kind = Box::new(ExprKind::Binary(op, self.value(), bound));
        made(self.span, Vec::new(), StmtKind::Expr(Expr { span: self.span, kind }))
    }

    fn set(&self, value: Expr) -> Stmt {
        made(self.span, Vec::new(), StmtKind::Assign(self.place.clone(), value))
    }

    fn increment(&self) -> Stmt {
        let kind = Box::new(ExprKind::Binary(BinaryOp::Add, self.value(), int(self.span, 1)));
        self.set(Expr { span: self.span, kind })
    }
}

impl Analyzer<'_> {
    /// `for (var : from .. to) body`.
    pub(crate) fn for_range(
        &mut self,
        span: Span,
        var: &ast::Place,
        from: &ast::Expr,
        to: &ast::Expr,
        body: &ast::Block,
        out: &mut Vec<Stmt>,
    ) -> Option<StmtKind> {
        let place = self.index_variable(var);
        let from_value = self.bound(from);
        let to_value = self.bound(to);
        self.check_range(from, to);
        // The body is resolved in any case: scopes and labels are counted.
        let inner = self.loop_body(body);
        let counter = Counter { place: place?, span: var.span };
        self.check_truncation(&counter.place, &from_value);
        out.push(counter.set(from_value));
        Some(counted(span, vec![counter.compare(BinaryOp::Le, to_value)], inner, &counter, true))
    }

    /// `for (var in container) body`.
    pub(crate) fn for_in(
        &mut self,
        span: Span,
        var: &ast::Place,
        container: &ast::Place,
        body: &ast::Block,
        out: &mut Vec<Stmt>,
    ) -> Option<StmtKind> {
        let over = self.named_place(container);
        let Some(Named::Place { place: over, array }) = over else {
            self.loop_body(body);
            return None;
        };
        if array.is_none() && over.ty == Type::Chan {
            return self.for_in_channel(span, var, over, body, out);
        }
        let place = self.index_variable(var);
        let inner = self.loop_body(body);
        let Some(size) = array else {
            self.report.push(
                Diagnostic::error(
                    codes::BAD_LOOP,
                    container.span,
                    "`for … in` runs over an array or a channel of records",
                )
                .help("for a range of numbers write `for (i : a .. b)`"),
            );
            return None;
        };
        let counter = Counter { place: place?, span: var.span };
        out.push(counter.set(int(var.span, 0)));
        let last = int(container.span, size as i32 - 1);
        Some(counted(span, vec![counter.compare(BinaryOp::Le, last)], inner, &counter, true))
    }

    /// Rotates the channel once, with a counter that the user does not see.
    fn for_in_channel(
        &mut self,
        span: Span,
        var: &ast::Place,
        channel: Place,
        body: &ast::Block,
        out: &mut Vec<Stmt>,
    ) -> Option<StmtKind> {
        let message = match self.named_place(var) {
            Some(Named::Place { place, array }) => Some(self.close_index(place, array)),
            _ => None,
        };
        let def = self.channel_def_of(&channel);
        let slots = def.as_ref().map_or(0, |d| d.capacity);
        let temp = self.rotation_counter(span, slots);
        let inner = self.loop_body(body);
        let message = message?;
        let fields = self.flatten_place(message.clone());
        let types: Vec<Type> = fields.iter().map(|f| f.ty).collect();
        let suits = def.as_ref().is_some_and(|d| d.capacity > 0 && d.fields == types);
        if !matches!(message.ty, Type::Struct(_)) || !suits {
            let ty = type_name(&self.model, message.ty);
            self.report.push(
                Diagnostic::error(
                    codes::BAD_LOOP,
                    var.span,
                    format!("a `{ty}` cannot run through the messages of this channel"),
                )
                .help("the variable is a record, the channel is declared with that record as its only field and at least one slot"),
            );
            return None;
        }
        let ty = if slots > 255 { Type::Short } else { Type::Byte };
        let place = Place { span: var.span, root: Root::Local(temp), projections: Vec::new(), ty };
        let counter = Counter { place, span: var.span };
        out.push(counter.set(int(var.span, 0)));
        let len = Expr { span: channel.span, kind: Box::new(ExprKind::Len(channel.clone())) };
        let value = |p: &Place| Expr { span: p.span, kind: Box::new(ExprKind::Place(p.clone())) };
        let args = fields.iter().map(value).collect();
        let receive = StmtKind::Receive {
            channel: channel.clone(),
            random: false,
            copy: false,
            args: fields.into_iter().map(Pattern::Bind).collect(),
        };
        let head = vec![
            counter.compare(BinaryOp::Lt, len),
            made(var.span, Vec::new(), receive),
            made(var.span, Vec::new(), StmtKind::Send { channel, sorted: false, args }),
        ];
        Some(counted(span, head, inner, &counter, true))
    }

    /// The counter of the block at hand; it starts at 0 and has no declaration step.
    fn rotation_counter(&mut self, span: Span, slots: u32) -> LocalId {
        let ty = if slots > 255 { Type::Short } else { Type::Byte };
        if let Some(id) = self.declaring_scope().and_then(|s| s.rotation) {
            let var = &mut self.body.locals[id.index()].var;
            if ty == Type::Short {
                var.ty = ty;
            }
            return id;
        }
        let var = Variable {
            name: "_for".into(),
            span,
            ty,
            array: None,
            init: Init::Zero,
            hidden: false,
            show: false,
            local_promise: false,
        };
        let id = self.add_local(Declared { var, const_init: None }, false);
        self.body.locals[id.index()].used = true;
        if let Some(scope) = self.declaring_scope() {
            scope.names.pop();
            scope.rotation = Some(id);
        }
        id
    }

    /// `select (var : from .. to)`.
    pub(crate) fn select(
        &mut self,
        span: Span,
        var: &ast::Place,
        from: &ast::Expr,
        to: &ast::Expr,
        out: &mut Vec<Stmt>,
    ) -> Option<StmtKind> {
        let place = self.index_variable(var);
        let from_value = self.bound(from);
        let to_value = self.bound(to);
        self.check_range(from, to);
        let counter = Counter { place: place?, span: var.span };
        self.check_truncation(&counter.place, &from_value);
        self.check_truncation(&counter.place, &to_value);
        let Some((low, high)) = self.literal_range(var, from, to) else {
            out.push(counter.set(from_value));
            let head = vec![counter.compare(BinaryOp::Lt, to_value)];
            return Some(counted(span, head, Vec::new(), &counter, false));
        };
        if i64::from(high) - i64::from(low) <= i64::from(EXPANDED_SELECT) {
            let option = |v| Block { span, stmts: vec![counter.set(int(span, v))] };
            return Some(StmtKind::If((low..=high).map(option).collect()));
        }
        // SPIN writes this one as text, with the exit as second option.
        out.push(counter.set(from_value));
        let step = StmtKind::Step { place: counter.place.clone(), by: 1 };
        let more = vec![counter.compare(BinaryOp::Lt, to_value), made(span, Vec::new(), step)];
        let leave = vec![made(span, Vec::new(), StmtKind::Break)];
        Some(StmtKind::Do(vec![Block { span, stmts: more }, Block { span, stmts: leave }]))
    }

    /// The bounds if SPIN's lexer would see them: digits, outside inlines, for
    /// a variable whose name has letters and digits only.
    fn literal_range(
        &self,
        var: &ast::Place,
        from: &ast::Expr,
        to: &ast::Expr,
    ) -> Option<(i32, i32)> {
        let digits = |e: &ast::Expr| match *e.kind {
            ast::ExprKind::Int(v) => {
                let text = self.sources.text(e.span);
                (!text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())).then_some(v)
            }
            _ => None,
        };
        let [part] = &var.parts[..] else { return None };
        let plain =
            part.index.is_none() && part.name.name.bytes().all(|b| b.is_ascii_alphanumeric());
        if !plain || self.body.inlines > 0 {
            return None;
        }
        let (low, high) = (digits(from)?, digits(to)?);
        (low <= high).then_some((low, high))
    }

    fn index_variable(&mut self, var: &ast::Place) -> Option<Place> {
        let place = self.target(var)?;
        if place.ty == Type::Chan || place.root == Root::Sink {
            self.report.push(
                Diagnostic::error(codes::BAD_LOOP, var.span, "this cannot count")
                    .help("use a variable of a numeric type"),
            );
            return None;
        }
        self.check_claim_effect(var.span);
        Some(place)
    }

    fn bound(&mut self, e: &ast::Expr) -> Expr {
        self.check_runs(e, RunRule::Never("the range of a loop"));
        self.expr(e)
    }

    fn check_range(&mut self, from: &ast::Expr, to: &ast::Expr) {
        if let (Some(a), Some(b)) = (self.try_constant(from), self.try_constant(to))
            && a > b
        {
            self.report.push(Diagnostic::warning(
                codes::EMPTY_RANGE,
                from.span.to(to.span),
                format!("the range starts at {a}, above its end {b}"),
            ));
        }
    }

    fn loop_body(&mut self, body: &ast::Block) -> Vec<Stmt> {
        self.body.loops.push(self.body.d_step);
        self.body.at_start = false;
        self.open_scope();
        let stmts = self.stmts(&body.stmts);
        self.body.scopes.pop();
        self.body.loops.pop();
        stmts
    }
}

fn counted(
    span: Span,
    head: Vec<Stmt>,
    inner: Vec<Stmt>,
    counter: &Counter,
    exit_by_else: bool,
) -> StmtKind {
    let mut stmts = head;
    stmts.extend(inner);
    stmts.push(counter.increment());
    StmtKind::CountedLoop { body: Block { span, stmts }, exit_by_else }
}
