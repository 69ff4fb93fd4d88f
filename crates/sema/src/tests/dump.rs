//! A compact text of a resolved model.

use std::fmt::Write;

use crate::hir::*;

/// The whole model, one declaration or statement per line.
pub(super) fn model(m: &Model) -> String {
    let mut out = String::new();
    for (i, g) in m.globals.iter().enumerate() {
        let _ = writeln!(out, "g{i} {}", variable(m, g));
    }
    for p in &m.proctypes {
        let active = if p.active > 0 { format!(" active {}", p.active) } else { String::new() };
        let _ = writeln!(out, "{}{active}", p.name);
        body(m, p, &mut out);
    }
    for c in &m.claims {
        let _ = writeln!(out, "never {}", c.name);
        body(m, &c.body, &mut out);
    }
    if let Some(t) = &m.trace {
        let _ = writeln!(out, "trace");
        body(m, &t.body, &mut out);
    }
    for l in &m.ltl {
        let _ = writeln!(out, "ltl {} {}", l.name, formula(&l.formula));
    }
    out
}

fn body(m: &Model, p: &Proctype, out: &mut String) {
    for (i, l) in p.locals.iter().enumerate() {
        let kind = if (i as u32) < p.params { "p" } else { "l" };
        let _ = writeln!(out, "{kind}{i} {}", variable(m, l));
    }
    stmts(&p.body, p, out);
}

fn variable(m: &Model, v: &Variable) -> String {
    let mut text = format!("{} {}", ty(m, v.ty), v.name);
    if let Some(n) = v.array {
        let _ = write!(text, "[{n}]");
    }
    match &v.init {
        Init::Zero => {}
        Init::Value(e) => {
            let _ = write!(text, " = {}", expr(e));
        }
        Init::List(list) => {
            let _ = write!(text, " = {{{}}}", exprs(list));
        }
        Init::Channel(c) => {
            let fields: Vec<_> = c.fields.iter().map(|&t| ty(m, t)).collect();
            let _ = write!(text, " = [{}] of {{{}}}", c.capacity, fields.join(","));
        }
    }
    text
}

fn ty(m: &Model, t: Type) -> String {
    crate::types::type_name(m, t)
}

fn stmts(block: &Block, p: &Proctype, out: &mut String) {
    for s in &block.stmts {
        stmt(s, p, out);
    }
}

fn group(head: &str, block: &Block, p: &Proctype, out: &mut String) {
    let _ = writeln!(out, "{head} {{");
    stmts(block, p, out);
    let _ = writeln!(out, "}}");
}

fn stmt(s: &Stmt, p: &Proctype, out: &mut String) {
    for l in &s.labels {
        let _ = write!(out, "{}.{}: ", p.labels[l.index()].name, l.0);
    }
    match &s.kind {
        StmtKind::If(options) | StmtKind::Do(options) => {
            let head = if matches!(s.kind, StmtKind::If(_)) { "if" } else { "do" };
            let _ = writeln!(out, "{head}");
            for o in options {
                let _ = writeln!(out, "::");
                stmts(o, p, out);
            }
            let _ = writeln!(out, "end");
        }
        StmtKind::CountedLoop { body, exit_by_else } => {
            group(if *exit_by_else { "loop" } else { "loop?" }, body, p, out);
        }
        StmtKind::Atomic(b) => group("atomic", b, p, out),
        StmtKind::DStep(b) => group("d_step", b, p, out),
        StmtKind::Block(b) => group("", b, p, out),
        StmtKind::Unless { main, escape } => {
            stmt(main, p, out);
            let _ = writeln!(out, "unless");
            stmt(escape, p, out);
        }
        kind => {
            let _ = writeln!(out, "{}", basic(kind, p));
        }
    }
}

fn basic(kind: &StmtKind, p: &Proctype) -> String {
    match kind {
        StmtKind::Expr(e) => expr(e),
        StmtKind::Assign(to, e) => format!("{} = {}", place(to), expr(e)),
        StmtKind::Step { place: to, by } => format!("{} {by:+}", place(to)),
        StmtKind::DeclInit(pairs) => {
            let pairs: Vec<_> =
                pairs.iter().map(|(to, e)| format!("{} = {}", place(to), expr(e))).collect();
            format!("decl({})", pairs.join(", "))
        }
        StmtKind::Send { channel, sorted, args } => {
            format!("{}{}{}", place(channel), if *sorted { "!!" } else { "!" }, exprs(args))
        }
        StmtKind::Receive { channel, random, copy, args } => {
            let op = if *random { "??" } else { "?" };
            let args = patterns(args);
            let args = if *copy { format!("<{args}>") } else { args };
            format!("{}{op}{args}", place(channel))
        }
        StmtKind::Break => "break".into(),
        StmtKind::Goto(l) => format!("goto {}.{}", p.labels[l.index()].name, l.0),
        StmtKind::Else => "else".into(),
        StmtKind::Assert(e) => format!("assert {}", expr(e)),
        StmtKind::Printf(text, args) => format!("printf {text:?} {}", exprs(args)),
        StmtKind::Printm(e) => format!("printm {}", expr(e)),
        StmtKind::CCode(code) => format!("c_code {}", code.0),
        StmtKind::SetPriority(a, b) => format!("set_priority {} {}", expr(a), expr(b)),
        _ => unreachable!("compound"),
    }
}

fn exprs(list: &[Expr]) -> String {
    list.iter().map(expr).collect::<Vec<_>>().join(",")
}

fn patterns(list: &[Pattern]) -> String {
    let one = |p: &Pattern| match p {
        Pattern::Bind(to) => place(to),
        Pattern::Match(e) => format!("={}", expr(e)),
        Pattern::Any => "_".into(),
    };
    list.iter().map(one).collect::<Vec<_>>().join(",")
}

fn expr(e: &Expr) -> String {
    let pid = |p: &Option<Expr>| p.as_ref().map_or(String::new(), |p| format!("[{}]", expr(p)));
    match &*e.kind {
        ExprKind::Int(v) => v.to_string(),
        ExprKind::Mtype(set, v) => format!("m{}.{v}", set.0),
        ExprKind::Place(p) => place(p),
        ExprKind::Predefined(p) => format!("{p:?}"),
        ExprKind::Unary(op, a) => format!("{op:?}({})", expr(a)),
        ExprKind::Binary(op, a, b) => format!("({} {op:?} {})", expr(a), expr(b)),
        ExprKind::Conditional(c, a, b) => format!("({} -> {} : {})", expr(c), expr(a), expr(b)),
        ExprKind::Run { proctype, args, priority } => {
            let priority =
                priority.as_ref().map_or(String::new(), |p| format!(" priority {}", expr(p)));
            format!("run P{}({}){priority}", proctype.0, exprs(args))
        }
        ExprKind::Len(q) => format!("len({})", place(q)),
        ExprKind::Probe(probe, q) => format!("{probe:?}({})", place(q)),
        ExprKind::Poll { channel, random, args } => {
            format!("{}{}[{}]", place(channel), if *random { "??" } else { "?" }, patterns(args))
        }
        ExprKind::Enabled(a) => format!("enabled({})", expr(a)),
        ExprKind::PcValue(a) => format!("pc_value({})", expr(a)),
        ExprKind::GetPriority(a) => format!("get_priority({})", expr(a)),
        ExprKind::RemoteLabel { proctype, pid: p, label } => {
            format!("P{}{}@{}", proctype.0, pid(p), label.0)
        }
        ExprKind::RemoteVar { proctype, pid: p, place: to } => {
            format!("P{}{}:{}", proctype.0, pid(p), place(to))
        }
        ExprKind::CExpr(code) => format!("c{}", code.0),
    }
}

fn place(p: &Place) -> String {
    let mut text = match p.root {
        Root::Global(g) => format!("g{}", g.0),
        Root::Local(l) => format!("l{}", l.0),
        Root::Priority => "_priority".into(),
        Root::Sink => "_".into(),
    };
    for projection in &p.projections {
        let _ = match projection {
            Projection::Index(e) => write!(text, "[{}]", expr(e)),
            Projection::Field(f) => write!(text, ".{f}"),
        };
    }
    text
}

fn formula(f: &Formula) -> String {
    match f {
        Formula::Atom(e) => expr(e),
        Formula::Not(f) => format!("!{}", formula(f)),
        Formula::Next(f) => format!("X {}", formula(f)),
        Formula::Always(f) => format!("[] {}", formula(f)),
        Formula::Eventually(f) => format!("<> {}", formula(f)),
        Formula::Binary(op, a, b) => format!("({} {op:?} {})", formula(a), formula(b)),
    }
}
