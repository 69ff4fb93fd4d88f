//! Walks over the statements and expressions of a resolved body.

use spinor_sema::hir::{Block, Expr, ExprKind, Pattern, Place, Projection, Stmt, StmtKind};

/// Calls `f` on every statement, outer before inner.
pub(super) fn statements(block: &Block, f: &mut impl FnMut(&Stmt)) {
    for stmt in &block.stmts {
        statement(stmt, f);
    }
}

fn statement(stmt: &Stmt, f: &mut impl FnMut(&Stmt)) {
    f(stmt);
    match &stmt.kind {
        StmtKind::If(options) | StmtKind::Do(options) => {
            options.iter().for_each(|o| statements(o, f));
        }
        StmtKind::CountedLoop { body, .. } => statements(body, f),
        StmtKind::Atomic(b) | StmtKind::DStep(b) | StmtKind::Block(b) => statements(b, f),
        StmtKind::Unless { main, escape } => {
            statement(main, f);
            statement(escape, f);
        }
        _ => {}
    }
}

/// Calls `f` on every expression of every statement.
pub(super) fn expressions(block: &Block, f: &mut impl FnMut(&Expr)) {
    statements(block, &mut |stmt| expressions_of(stmt, f));
}

/// Calls `f` on every expression of a statement, not of those inside it.
pub(super) fn expressions_of(stmt: &Stmt, f: &mut impl FnMut(&Expr)) {
    match &stmt.kind {
        StmtKind::Expr(e) | StmtKind::Assert(e) | StmtKind::Printm(e) => expression(e, f),
        StmtKind::Assign(place, e) => {
            in_place(place, f);
            expression(e, f);
        }
        StmtKind::Step { place, .. } => in_place(place, f),
        StmtKind::DeclInit(pairs) => pairs.iter().for_each(|(place, e)| {
            in_place(place, f);
            expression(e, f);
        }),
        StmtKind::Send { channel, args, .. } => {
            in_place(channel, f);
            args.iter().for_each(|e| expression(e, f));
        }
        StmtKind::Receive { channel, args, .. } => {
            in_place(channel, f);
            args.iter().for_each(|p| in_pattern(p, f));
        }
        StmtKind::Printf(_, args) => args.iter().for_each(|e| expression(e, f)),
        StmtKind::SetPriority(a, b) => {
            expression(a, f);
            expression(b, f);
        }
        _ => {}
    }
}

/// Calls `f` on an expression and all its parts.
pub(super) fn expression(e: &Expr, f: &mut impl FnMut(&Expr)) {
    f(e);
    match &*e.kind {
        ExprKind::Int(_) | ExprKind::Mtype(..) | ExprKind::Predefined(_) | ExprKind::CExpr(_) => {}
        ExprKind::Place(place) | ExprKind::Len(place) | ExprKind::Probe(_, place) => {
            in_place(place, f);
        }
        ExprKind::Unary(_, a)
        | ExprKind::Enabled(a)
        | ExprKind::PcValue(a)
        | ExprKind::GetPriority(a) => expression(a, f),
        ExprKind::Binary(_, a, b) => {
            expression(a, f);
            expression(b, f);
        }
        ExprKind::Conditional(c, a, b) => {
            expression(c, f);
            expression(a, f);
            expression(b, f);
        }
        ExprKind::Run { args, priority, .. } => {
            args.iter().chain(priority).for_each(|e| expression(e, f));
        }
        ExprKind::Poll { channel, args, .. } => {
            in_place(channel, f);
            args.iter().for_each(|p| in_pattern(p, f));
        }
        ExprKind::RemoteLabel { pid, .. } => pid.iter().for_each(|e| expression(e, f)),
        ExprKind::RemoteVar { pid, place, .. } => {
            pid.iter().for_each(|e| expression(e, f));
            in_place(place, f);
        }
    }
}

fn in_place(place: &Place, f: &mut impl FnMut(&Expr)) {
    for projection in &place.projections {
        if let Projection::Index(e) = projection {
            expression(e, f);
        }
    }
}

fn in_pattern(pattern: &Pattern, f: &mut impl FnMut(&Expr)) {
    match pattern {
        Pattern::Bind(place) => in_place(place, f),
        Pattern::Match(e) => expression(e, f),
        Pattern::Any => {}
    }
}
