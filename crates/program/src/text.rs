//! Statements as text, the way SPIN prints them.

use crate::lower::NodeText;
use spinor_sema::hir::{
    BinaryOp, CodeId, Expr, ExprKind, Model, Pattern, Place, Predefined, Probe, Projection, Root,
    Stmt, StmtKind, UnaryOp, Variable,
};
use std::fmt::Write as _;

/// The text of an element.
pub(crate) fn of_element(model: &Model, locals: &[Variable], node: &NodeText<'_>) -> String {
    let mut printer = Printer { model, locals, out: String::new() };
    match node {
        NodeText::Basic(stmt) => printer.statement(stmt),
        NodeText::Fixed(text) => printer.out.push_str(text),
    }
    printer.out
}

/// An expression over globals, the way SPIN prints it.
#[must_use]
pub fn of_expr(model: &Model, expr: &Expr) -> String {
    let mut printer = Printer { model, locals: &[], out: String::new() };
    printer.expr(expr);
    printer.out
}

struct Printer<'a> {
    model: &'a Model,
    locals: &'a [Variable],
    out: String,
}

impl Printer<'_> {
    fn statement(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Expr(e) => match &*e.kind {
                ExprKind::Run { .. } => {
                    self.out.push('(');
                    self.expr(e);
                    self.out.push(')');
                }
                _ => {
                    self.out.push('(');
                    self.expr(e);
                    self.out.push(')');
                }
            },
            StmtKind::Assign(place, e) => {
                self.place(place);
                self.out.push_str(" = ");
                self.expr(e);
            }
            StmtKind::Step { place, by } => {
                self.place(place);
                self.out.push_str(" = (");
                self.place(place);
                self.out.push_str(if *by < 0 { "-1)" } else { "+1)" });
            }
            StmtKind::DeclInit(pairs) => {
                for (i, (place, e)) in pairs.iter().enumerate() {
                    if i > 0 {
                        self.out.push_str(", ");
                    }
                    self.place(place);
                    self.out.push_str(" = ");
                    self.expr(e);
                }
                if pairs.is_empty() {
                    self.out.push_str("(1)");
                }
            }
            StmtKind::Send { channel, sorted, args } => {
                self.place(channel);
                self.out.push_str(if *sorted { "!!" } else { "!" });
                self.list(args);
            }
            StmtKind::Receive { channel, random, copy, args } => {
                self.place(channel);
                self.out.push_str(if *random { "??" } else { "?" });
                if *copy {
                    self.out.push('<');
                }
                self.patterns(args);
                if *copy {
                    self.out.push('>');
                }
            }
            StmtKind::Assert(e) => {
                self.out.push_str("assert(");
                self.expr(e);
                self.out.push(')');
            }
            StmtKind::Printf(format, args) => {
                let _ = write!(self.out, "printf('{format}'");
                for e in args {
                    self.out.push(',');
                    self.expr(e);
                }
                self.out.push(')');
            }
            StmtKind::Printm(e) => {
                self.out.push_str("printm(");
                self.expr(e);
                self.out.push(')');
            }
            StmtKind::CCode(id) => self.c_code("c_code", *id),
            StmtKind::SetPriority(a, b) => {
                self.out.push_str("set_priority(");
                self.expr(a);
                self.out.push_str(", ");
                self.expr(b);
                self.out.push(')');
            }
            _ => self.out.push_str("(1)"),
        }
    }

    fn list(&mut self, exprs: &[Expr]) {
        for (i, e) in exprs.iter().enumerate() {
            if i > 0 {
                self.out.push(',');
            }
            self.expr(e);
        }
    }

    fn patterns(&mut self, patterns: &[Pattern]) {
        for (i, p) in patterns.iter().enumerate() {
            if i > 0 {
                self.out.push(',');
            }
            match p {
                Pattern::Bind(place) => self.place(place),
                Pattern::Match(e) if matches!(*e.kind, ExprKind::Int(_) | ExprKind::Mtype(..)) => {
                    self.expr(e);
                }
                Pattern::Match(e) => {
                    self.out.push_str("eval(");
                    self.expr(e);
                    self.out.push(')');
                }
                Pattern::Any => self.out.push('_'),
            }
        }
    }

    fn call(&mut self, name: &str, e: &Expr) {
        self.out.push_str(name);
        self.out.push('(');
        self.expr(e);
        self.out.push(')');
    }

    fn probe(&mut self, name: &str, channel: &Place) {
        self.out.push_str(name);
        self.out.push('(');
        self.place(channel);
        self.out.push(')');
    }

    fn expr(&mut self, e: &Expr) {
        match &*e.kind {
            ExprKind::Int(value) => {
                let _ = write!(self.out, "{value}");
            }
            ExprKind::Mtype(set, value) => {
                let name = self.model.mtypes[set.index()].names.iter().find(|(_, v)| v == value);
                match name {
                    Some((name, _)) => self.out.push_str(name),
                    None => {
                        let _ = write!(self.out, "{value}");
                    }
                }
            }
            ExprKind::Place(place) => self.place(place),
            ExprKind::Predefined(name) => self.out.push_str(match name {
                Predefined::Pid => "_pid",
                Predefined::NrPr => "_nr_pr",
                Predefined::Last => "_last",
                Predefined::Priority => "_priority",
                Predefined::Timeout => "timeout",
                Predefined::NonProgress => "np_",
            }),
            ExprKind::Unary(op, a) => {
                self.out.push_str(match op {
                    UnaryOp::Neg => "-",
                    UnaryOp::Not => "!",
                    UnaryOp::BitNot => "~",
                });
                self.out.push('(');
                self.expr(a);
                self.out.push(')');
            }
            ExprKind::Binary(op, a, b) => {
                self.out.push('(');
                self.expr(a);
                self.out.push_str(operator(*op));
                self.expr(b);
                self.out.push(')');
            }
            ExprKind::Conditional(c, a, b) => {
                self.out.push('(');
                self.expr(c);
                self.out.push_str(" -> ");
                self.expr(a);
                self.out.push_str(" : ");
                self.expr(b);
                self.out.push(')');
            }
            ExprKind::Run { proctype, args, .. } => {
                let _ = write!(self.out, "run {}(", self.model.proctypes[proctype.index()].name);
                self.list(args);
                self.out.push(')');
            }
            ExprKind::Len(channel) => self.probe("len", channel),
            ExprKind::Probe(probe, channel) => {
                let name = match probe {
                    Probe::Empty => "empty",
                    Probe::Nempty => "nempty",
                    Probe::Full => "full",
                    Probe::Nfull => "nfull",
                };
                self.probe(name, channel);
            }
            ExprKind::Poll { channel, random, args } => {
                self.place(channel);
                self.out.push_str(if *random { "??[" } else { "?[" });
                self.patterns(args);
                self.out.push(']');
            }
            ExprKind::Enabled(p) => self.call("enabled", p),
            ExprKind::PcValue(p) => self.call("pc_value", p),
            ExprKind::GetPriority(p) => self.call("get_priority", p),
            ExprKind::RemoteLabel { proctype, pid, label } => {
                let proctype = &self.model.proctypes[proctype.index()];
                self.remote(&proctype.name, pid.as_ref());
                let _ = write!(self.out, "@{}", proctype.labels[label.index()].name);
            }
            ExprKind::RemoteVar { proctype, pid, place } => {
                let proctype = &self.model.proctypes[proctype.index()];
                self.remote(&proctype.name, pid.as_ref());
                self.out.push(':');
                let locals = std::mem::replace(&mut self.locals, &proctype.locals);
                self.place(place);
                self.locals = locals;
            }
            ExprKind::CExpr(id) => self.c_code("c_expr", *id),
        }
    }

    /// C as it is written, in one line.
    fn c_code(&mut self, keyword: &str, id: CodeId) {
        let code = &self.model.embedded.codes[id.index()];
        self.out.push_str(keyword);
        if let Some(condition) = &code.precondition {
            let _ = write!(self.out, " [{condition}]");
        }
        let words: Vec<&str> = code.text.text.split_whitespace().collect();
        let _ = write!(self.out, " {{ {} }}", words.join(" "));
    }

    fn remote(&mut self, name: &str, pid: Option<&Expr>) {
        self.out.push_str(name);
        if let Some(pid) = pid {
            self.out.push('[');
            self.expr(pid);
            self.out.push(']');
        }
    }

    fn place(&mut self, place: &Place) {
        let mut var = match place.root {
            Root::Global(id) => &self.model.globals[id.index()],
            Root::Local(id) => &self.locals[id.index()],
            Root::Priority => return self.out.push_str("_priority"),
            Root::Sink => return self.out.push('_'),
        };
        self.out.push_str(&var.name);
        for projection in &place.projections {
            match projection {
                Projection::Index(e) => {
                    self.out.push('[');
                    self.expr(e);
                    self.out.push(']');
                }
                Projection::Field(field) => {
                    if let spinor_sema::hir::Type::Struct(id) = var.ty {
                        var = &self.model.structs[id.index()].fields[*field as usize];
                        let _ = write!(self.out, ".{}", var.name);
                    }
                }
            }
        }
    }
}

fn operator(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitOr => "|",
        BinaryOp::BitXor => "^",
        BinaryOp::Shl => "<<",
        BinaryOp::Shr => ">>",
        BinaryOp::Lt => "<",
        BinaryOp::Le => "<=",
        BinaryOp::Gt => ">",
        BinaryOp::Ge => ">=",
        BinaryOp::Eq => "==",
        BinaryOp::Ne => "!=",
        BinaryOp::And => "&&",
        BinaryOp::Or => "||",
    }
}
