//! What claims and traces may contain, and promises about channels.

use spinor_base::{Diagnostic, Span};
use spinor_syntax::ast;

use crate::analyzer::{Analyzer, BodyKind};
use crate::codes;
use crate::hir::{Exclusive, Place, ProctypeId, Root};

impl Analyzer<'_> {
    pub(crate) fn check_io(&mut self, span: Span) {
        if self.body.kind == BodyKind::Claim {
            self.report.push(
                Diagnostic::error(codes::CLAIM_IO, span, "a never claim cannot send or receive")
                    .note("a claim watches the processes, it takes no part")
                    .help("test channels with `len`, `empty`, `full` or `q?[…]`"),
            );
        }
    }

    /// Warns about assignments in claims.
    pub(crate) fn check_claim_effect(&mut self, span: Span) {
        if self.body.kind == BodyKind::Claim {
            self.report.push(
                Diagnostic::warning(
                    codes::CLAIM_EFFECT,
                    span,
                    "a never claim should not change variables",
                )
                .note("a claim watches the processes: with side effects it checks another system"),
            );
        }
    }

    pub(crate) fn check_event(&mut self, stmt: &ast::Stmt) {
        use ast::StmtKind as A;
        let is_event = match &stmt.kind {
            A::Send { sorted, .. } => !sorted,
            A::Receive { random, copy, .. } => !random && !copy,
            A::If(_) | A::Do(_) | A::Break | A::Goto(_) | A::LabelOnly => true,
            A::Block(_) | A::InlineCall { .. } => true,
            _ => false,
        };
        if !is_event {
            self.report.push(
                Diagnostic::error(codes::NOT_EVENT, stmt.span, "this is no event")
                    .help("a trace consists of `q!…`, `q?…`, `if`, `do`, `goto` and `break`"),
            );
        }
    }

    pub(crate) fn exclusive(&mut self, x: &ast::Exclusive) {
        let proctype = match self.body.kind {
            BodyKind::Proctype(id) => Some(id),
            _ => None,
        };
        for place in &x.channels {
            if let Some(channel) = self.channel(place) {
                self.check_promise(x, proctype, &channel);
                let send = x.send;
                self.model.exclusives.push(Exclusive { span: place.span, proctype, send, channel });
            }
        }
    }

    pub(crate) fn check_promise(
        &mut self,
        x: &ast::Exclusive,
        proctype: Option<ProctypeId>,
        channel: &Place,
    ) {
        let Root::Global(_) = channel.root else { return };
        let other = self.model.exclusives.iter().find(|e| {
            e.send == x.send
                && e.proctype != proctype
                && e.channel.root == channel.root
                && channel.projections.is_empty()
        });
        if let Some(other) = other {
            let verb = if x.send { "send to" } else { "receive from" };
            let d = Diagnostic::warning(
                codes::CONFLICTING_EXCLUSIVE,
                channel.span,
                format!("two proctypes claim to be the only one to {verb} this channel"),
            )
            .label(other.span, "the other promise");
            self.report.push(d);
        }
    }
}
