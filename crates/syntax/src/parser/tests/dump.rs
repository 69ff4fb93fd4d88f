//! The tree as a compact S-expression.

use crate::ast::*;

pub(super) fn module(m: &Module) -> String {
    join(m.items.iter().map(item))
}

fn join(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(" ")
}

fn opt(prefix: &str, e: Option<&Expr>) -> String {
    e.map_or_else(String::new, |e| format!(" {prefix}{}", expr(e)))
}

fn name(n: Option<&Ident>) -> String {
    n.map_or_else(String::new, |n| format!(" {}", n.name))
}

fn item(i: &Item) -> String {
    match i {
        Item::Proctype(p) => {
            let active = match &p.active {
                None => String::new(),
                Some(Active { count: None, .. }) => " active".into(),
                Some(Active { count: Some(n), .. }) => format!(" active={}", expr(n)),
            };
            let params = p.params.iter().map(|p| format!(" {}", vars(p)));
            format!(
                "({}proctype {}{active}{}{}{} {})",
                if p.deterministic { "D_" } else { "" },
                p.name.name,
                params.collect::<String>(),
                opt("priority=", p.priority.as_ref()),
                opt("provided=", p.provided.as_ref()),
                block(&p.body)
            )
        }
        Item::Init(i) => {
            format!("(init{} {})", opt("priority=", i.priority.as_ref()), block(&i.body))
        }
        Item::Never(n) => format!("(never{} {})", name(n.name.as_ref()), block(&n.body)),
        Item::Trace(t) => {
            let word = if t.negated { "notrace" } else { "trace" };
            format!("({word}{} {})", name(t.name.as_ref()), block(&t.body))
        }
        Item::Ltl(l) => format!("(ltl{} {})", name(l.name.as_ref()), formula(&l.formula)),
        Item::Typedef(t) => {
            format!("(typedef {} {})", t.name.name, join(t.fields.iter().map(vars)))
        }
        Item::Mtype(m) => {
            let sub = m.subtype.as_ref().map_or_else(String::new, |s| format!(":{}", s.name));
            format!("(mtype{sub} = {})", join(m.names.iter().map(|n| n.name.to_string())))
        }
        Item::Vars(v) => vars(v),
        Item::Exclusive(x) => exclusive(x),
        Item::Inline(i) => {
            let params = i.params.iter().map(|p| format!(" {}", p.name)).collect::<String>();
            format!("(inline {}{params} calls={})", i.name.name, i.calls)
        }
        Item::EmbeddedC(c) => embedded(c),
    }
}

fn embedded(c: &EmbeddedC) -> String {
    format!(
        "({} {})",
        c.keyword,
        join(c.precondition.iter().chain(&c.parts).map(|p| format!("{:?}", p.trim())))
    )
}

fn exclusive(x: &Exclusive) -> String {
    let word = if x.send { "xs" } else { "xr" };
    format!("({word} {})", join(x.channels.iter().map(place)))
}

fn type_ref(t: &TypeRef) -> String {
    match &t.kind {
        TypeKind::Mtype(Some(sub)) => format!("mtype:{}", sub.name),
        TypeKind::Mtype(None) => "mtype".into(),
        TypeKind::Named(n) => n.name.to_string(),
        other => format!("{other:?}").to_lowercase(),
    }
}

fn vars(v: &VarDecls) -> String {
    let visibility = v.visibility.map_or_else(String::new, |v| format!("{v:?} ").to_lowercase());
    format!("({visibility}{} {})", type_ref(&v.ty), join(v.vars.iter().map(var)))
}

fn var(v: &VarDecl) -> String {
    let array = v.array.as_ref().map_or_else(String::new, |e| format!("[{}]", expr(e)));
    let width = v.width.as_ref().map_or_else(String::new, |e| format!(":{}", expr(e)));
    let init = match &v.init {
        None => String::new(),
        Some(Initializer::Expr(e)) => format!("={}", expr(e)),
        Some(Initializer::List(_, list)) => format!("={{{}}}", join(list.iter().map(expr))),
        Some(Initializer::Channel(c)) => {
            format!("=[{}]{{{}}}", expr(&c.capacity), join(c.fields.iter().map(type_ref)))
        }
    };
    format!("{}{array}{width}{init}", v.name.name)
}

fn block(b: &Block) -> String {
    format!("[{}]", join(b.stmts.iter().map(stmt)))
}

fn blocks(word: &str, options: &[Block]) -> String {
    format!("({word} {})", join(options.iter().map(block)))
}

fn exprs(list: &[Expr]) -> String {
    list.iter().map(|e| format!(" {}", expr(e))).collect()
}

fn stmt(s: &Stmt) -> String {
    let labels: String = s.labels.iter().map(|l| format!("{}: ", l.name)).collect();
    format!("{labels}{}", stmt_kind(&s.kind)).trim_end().to_string()
}

fn stmt_kind(kind: &StmtKind) -> String {
    match kind {
        StmtKind::LabelOnly => String::new(),
        StmtKind::Vars(v) => vars(v),
        StmtKind::Exclusive(x) => exclusive(x),
        StmtKind::Expr(e) => expr(e),
        StmtKind::Assign(p, e) => format!("(= {} {})", place(p), expr(e)),
        StmtKind::Increment(p) => format!("(++ {})", place(p)),
        StmtKind::Decrement(p) => format!("(-- {})", place(p)),
        StmtKind::Send { channel, sorted, args } => {
            let op = if *sorted { "!!" } else { "!" };
            format!("({op} {}{})", place(channel), exprs(args))
        }
        StmtKind::Receive { channel, random, copy, args } => {
            let op = if *random { "??" } else { "?" };
            let copy = if *copy { "<>" } else { "" };
            format!("({op}{copy} {}{})", place(channel), patterns(args))
        }
        StmtKind::If(options) => blocks("if", options),
        StmtKind::Do(options) => blocks("do", options),
        StmtKind::ForRange { var, from, to, body } => {
            format!("(for {} {} {} {})", place(var), expr(from), expr(to), block(body))
        }
        StmtKind::ForIn { var, container, body } => {
            format!("(for-in {} {} {})", place(var), place(container), block(body))
        }
        StmtKind::Select { var, from, to } => {
            format!("(select {} {} {})", place(var), expr(from), expr(to))
        }
        StmtKind::Break => "break".into(),
        StmtKind::Goto(l) => format!("(goto {})", l.name),
        StmtKind::Else => "else".into(),
        StmtKind::Assert(e) => format!("(assert {})", expr(e)),
        StmtKind::Printf(text, args) => format!("(printf {text:?}{})", exprs(args)),
        StmtKind::Printm(e) => format!("(printm {})", expr(e)),
        StmtKind::SetPriority(p, n) => format!("(set_priority {} {})", expr(p), expr(n)),
        StmtKind::Atomic(b) => format!("(atomic {})", block(b)),
        StmtKind::DStep(b) => format!("(d_step {})", block(b)),
        StmtKind::Block(b) => block(b),
        StmtKind::Unless(a, b) => format!("(unless {} {})", stmt(a), stmt(b)),
        StmtKind::InlineCall { name, body } => format!("(call {} {})", name.name, block(body)),
        StmtKind::EmbeddedC(c) => embedded(c),
    }
}

fn patterns(args: &[ReceiveArg]) -> String {
    let one = |a: &ReceiveArg| match &a.kind {
        ReceiveArgKind::Place(p) => format!(" {}", place(p)),
        ReceiveArgKind::Const(e) => format!(" #{}", expr(e)),
        ReceiveArgKind::Eval(e) => format!(" (eval {})", expr(e)),
    };
    args.iter().map(one).collect()
}

fn pid(pid: Option<&Expr>) -> String {
    pid.map_or_else(String::new, |e| format!("[{}]", expr(e)))
}

fn expr(e: &Expr) -> String {
    match &*e.kind {
        ExprKind::Int(n) => n.to_string(),
        ExprKind::Place(p) => place(p),
        ExprKind::Unary(op, e) => {
            let op = match op {
                UnaryOp::Neg => "neg",
                UnaryOp::Not => "!",
                UnaryOp::BitNot => "~",
            };
            format!("({op} {})", expr(e))
        }
        ExprKind::Binary(op, a, b) => format!("({} {} {})", symbol(*op), expr(a), expr(b)),
        ExprKind::Conditional(c, a, b) => format!("(?: {} {} {})", expr(c), expr(a), expr(b)),
        ExprKind::Run { proctype, args, priority } => {
            let priority = opt("priority=", priority.as_ref());
            format!("(run {}{}{priority})", proctype.name, exprs(args))
        }
        ExprKind::Len(p) => format!("(len {})", place(p)),
        ExprKind::Probe(probe, p) => {
            format!("({} {})", format!("{probe:?}").to_lowercase(), place(p))
        }
        ExprKind::Poll { channel, random, args } => {
            let op = if *random { "??" } else { "?" };
            format!("({op}[] {}{})", place(channel), patterns(args))
        }
        ExprKind::Enabled(e) => format!("(enabled {})", expr(e)),
        ExprKind::PcValue(e) => format!("(pc_value {})", expr(e)),
        ExprKind::GetPriority(e) => format!("(get_priority {})", expr(e)),
        ExprKind::Timeout => "timeout".into(),
        ExprKind::NonProgress => "np_".into(),
        ExprKind::RemoteLabel { proctype, pid: p, label } => {
            format!("{}{}@{}", proctype.name, pid(p.as_ref()), label.name)
        }
        ExprKind::RemoteVar { proctype, pid: p, var } => {
            format!("{}{}:{}", proctype.name, pid(p.as_ref()), place(var))
        }
        ExprKind::EmbeddedC(c) => embedded(c),
    }
}

fn symbol(op: BinaryOp) -> &'static str {
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

fn place(p: &Place) -> String {
    let part = |part: &PlacePart| {
        let index = part.index.as_ref().map_or_else(String::new, |e| format!("[{}]", expr(e)));
        format!("{}{index}", part.name.name)
    };
    p.parts.iter().map(part).collect::<Vec<_>>().join(".")
}

pub(super) fn formula(f: &Formula) -> String {
    match &f.kind {
        FormulaKind::Atom(e) => format!("{{{}}}", expr(e)),
        FormulaKind::Not(f) => format!("(! {})", formula(f)),
        FormulaKind::Next(f) => format!("(X {})", formula(f)),
        FormulaKind::Always(f) => format!("([] {})", formula(f)),
        FormulaKind::Eventually(f) => format!("(<> {})", formula(f)),
        FormulaKind::Binary(op, a, b) => {
            let op = match op {
                TemporalOp::And => "&&",
                TemporalOp::Or => "||",
                TemporalOp::Implies => "->",
                TemporalOp::Equiv => "<->",
                TemporalOp::Until => "U",
                TemporalOp::WeakUntil => "W",
                TemporalOp::Release => "V",
            };
            format!("({op} {} {})", formula(a), formula(b))
        }
    }
}
