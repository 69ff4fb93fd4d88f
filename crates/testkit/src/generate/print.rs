//! Generated models as Promela text, one statement per line.

use std::fmt::Write;

use super::tree::*;

/// The text of a model.
pub fn print(model: &Model) -> String {
    let mut out = Printer { text: String::new(), indent: 0 };
    for m in &model.mtypes {
        let sub = m.subtype.as_ref().map_or(String::new(), |s| format!(":{s}"));
        out.line(&format!("mtype{sub} = {{ {} }};", m.names.join(", ")));
    }
    for t in &model.typedefs {
        out.line(&format!("typedef {} {{", t.name));
        out.indented(|o| {
            for f in &t.fields {
                o.line(&format!("{};", decl(f)));
            }
        });
        out.line("}");
    }
    for g in &model.globals {
        out.line(&format!("{};", decl(g)));
    }
    for i in &model.inlines {
        out.line(&format!("inline {}({}) {{", i.name, i.params.join(", ")));
        out.body(&i.body);
        out.line("}");
    }
    if let Some((negated, body)) = &model.trace {
        out.line(if *negated { "notrace {" } else { "trace {" });
        out.body(body);
        out.line("}");
    }
    for p in &model.procs {
        out.proc(p);
    }
    if let Some(body) = &model.never {
        out.line("never {");
        out.body(body);
        out.line("}");
    }
    for (name, formula) in &model.ltl {
        out.line(&format!("ltl {name} {{ {} }}", temporal(formula)));
    }
    out.text
}

/// Everything in parentheses: parsers of formulas differ in precedence.
fn temporal(formula: &Formula) -> String {
    match formula {
        Formula::Atom(e) => format!("({})", expr(e)),
        Formula::Unary(op, a) => format!("({op} {})", temporal(a)),
        Formula::Binary(op, a, b) => format!("({} {op} {})", temporal(a), temporal(b)),
    }
}

struct Printer {
    text: String,
    indent: usize,
}

impl Printer {
    fn line(&mut self, text: &str) {
        for _ in 0..self.indent {
            self.text.push_str("  ");
        }
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn indented(&mut self, write: impl FnOnce(&mut Self)) {
        self.indent += 1;
        write(self);
        self.indent -= 1;
    }

    fn body(&mut self, body: &[Stmt]) {
        self.indented(|o| o.stmts(body));
    }

    fn stmts(&mut self, body: &[Stmt]) {
        if body.is_empty() {
            self.line("skip;");
        }
        for s in body {
            self.stmt(s);
        }
    }

    fn proc(&mut self, p: &Proc) {
        let mut head = String::new();
        if p.is_init {
            head.push_str("init");
        } else {
            match p.active {
                0 => {}
                1 => head.push_str("active "),
                n => write!(head, "active [{n}] ").expect("string"),
            }
            let params: Vec<_> = p.params.iter().map(decl).collect();
            write!(head, "proctype {}({})", p.name, params.join("; ")).expect("string");
        }
        if let Some(n) = p.priority {
            write!(head, " priority {n}").expect("string");
        }
        if let Some(e) = &p.provided {
            write!(head, " provided ({})", expr(e)).expect("string");
        }
        self.line(&format!("{head} {{"));
        self.body(&p.body);
        self.line("}");
    }

    fn options(&mut self, open: &str, close: &str, label: &str, options: &[Vec<Stmt>]) {
        self.line(&format!("{label}{open}"));
        for option in options {
            match option.split_first() {
                Some((first, rest)) if is_simple(&first.kind) && first.labels.is_empty() => {
                    let arrow = match first.kind {
                        Kind::Expr(_) | Kind::Else | Kind::Recv(..) if !rest.is_empty() => " ->",
                        _ => ";",
                    };
                    self.line(&format!(":: {}{arrow}", simple(&first.kind)));
                    self.indented(|o| rest.iter().for_each(|s| o.stmt(s)));
                }
                _ => {
                    self.line("::");
                    self.body(option);
                }
            }
        }
        self.line(&format!("{close};"));
    }

    fn block(&mut self, open: &str, body: &[Stmt], close: &str) {
        self.line(open);
        self.body(body);
        self.line(close);
    }

    fn stmt(&mut self, s: &Stmt) {
        let mut label = String::new();
        for l in &s.labels {
            write!(label, "{l}: ").expect("string");
        }
        match &s.kind {
            Kind::If(options) => self.options("if", "fi", &label, options),
            Kind::Do(options) => self.options("do", "od", &label, options),
            Kind::For(x, lo, hi, body) => self.block(
                &format!("{label}for ({x} : {} .. {}) {{", expr(lo), expr(hi)),
                body,
                "};",
            ),
            Kind::ForIn(x, array, body) => {
                self.block(&format!("{label}for ({x} in {array}) {{"), body, "};");
            }
            Kind::Atomic(body) => self.block(&format!("{label}atomic {{"), body, "};"),
            Kind::DStep(body) => self.block(&format!("{label}d_step {{"), body, "};"),
            Kind::Block(body) => self.block(&format!("{label}{{"), body, "};"),
            Kind::Unless(body, escape) => {
                self.line(&format!("{label}{{"));
                self.body(body);
                self.block("} unless {", escape, "};");
            }
            kind => self.line(&format!("{label}{};", simple(kind))),
        }
    }
}

fn is_simple(kind: &Kind) -> bool {
    !matches!(
        kind,
        Kind::If(_)
            | Kind::Do(_)
            | Kind::For(..)
            | Kind::ForIn(..)
            | Kind::Atomic(_)
            | Kind::DStep(_)
            | Kind::Block(_)
            | Kind::Unless(..)
    )
}

fn simple(kind: &Kind) -> String {
    match kind {
        Kind::Decl(d) => decl(d),
        Kind::Assign(p, e) => format!("{} = {}", place(p), expr(e)),
        Kind::Inc(p) => format!("{}++", place(p)),
        Kind::Dec(p) => format!("{}--", place(p)),
        Kind::Expr(e @ Expr::Run(..)) => expr(e),
        Kind::Expr(e) => format!("({})", expr(e)),
        Kind::Skip => "skip".to_owned(),
        Kind::Else => "else".to_owned(),
        Kind::Send(q, sorted, args) => {
            let op = if *sorted { "!!" } else { "!" };
            format!("{}{op}{}", place(q), exprs(args))
        }
        Kind::Recv(q, random, copy, arguments) => {
            let op = if *random { "??" } else { "?" };
            let list = args(arguments);
            if *copy {
                format!("{}{op}<{list}>", place(q))
            } else {
                format!("{}{op}{list}", place(q))
            }
        }
        Kind::Select(x, lo, hi) => format!("select ({x} : {} .. {})", expr(lo), expr(hi)),
        Kind::Goto(l) => format!("goto {l}"),
        Kind::Break => "break".to_owned(),
        Kind::Assert(e) => format!("assert({})", expr(e)),
        Kind::Print(format, list) if list.is_empty() => format!("printf(\"{format}\")"),
        Kind::Print(format, list) => format!("printf(\"{format}\", {})", exprs(list)),
        Kind::Call(name, list) => format!("{name}({})", exprs(list)),
        Kind::SetPriority(p, n) => format!("set_priority({}, {})", expr(p), expr(n)),
        _ => unreachable!("compound statements are printed line by line"),
    }
}

fn type_name(ty: &Ty) -> String {
    match ty {
        Ty::Bit => "bit",
        Ty::Bool => "bool",
        Ty::Byte => "byte",
        Ty::Pid => "pid",
        Ty::Short => "short",
        Ty::Int => "int",
        Ty::Unsigned(_) => "unsigned",
        Ty::Mtype(None) => "mtype",
        Ty::Mtype(Some(s)) => return format!("mtype:{s}"),
        Ty::Chan => "chan",
        Ty::Record(name) => return name.clone(),
    }
    .to_owned()
}

fn decl(d: &Decl) -> String {
    let mut s = String::new();
    if d.hidden {
        s.push_str("hidden ");
    }
    write!(s, "{} {}", type_name(&d.ty), d.name).expect("string");
    if let Some(n) = d.len {
        write!(s, "[{n}]").expect("string");
    }
    if let Ty::Unsigned(bits) = d.ty {
        write!(s, " : {bits}").expect("string");
    }
    match &d.init {
        None => {}
        Some(Init::Expr(e)) => write!(s, " = {}", expr(e)).expect("string"),
        Some(Init::List(list)) => {
            let list: Vec<_> = list.iter().map(i64::to_string).collect();
            write!(s, " = {{ {} }}", list.join(", ")).expect("string");
        }
        Some(Init::Chan(capacity, fields)) => {
            let fields: Vec<_> = fields.iter().map(type_name).collect();
            write!(s, " = [{capacity}] of {{ {} }}", fields.join(", ")).expect("string");
        }
    }
    s
}

fn place(p: &Place) -> String {
    let mut s = String::new();
    for (i, (name, index)) in p.0.iter().enumerate() {
        if i > 0 {
            s.push('.');
        }
        s.push_str(name);
        if let Some(e) = index {
            write!(s, "[{}]", expr(e)).expect("string");
        }
    }
    s
}

fn exprs(list: &[Expr]) -> String {
    list.iter().map(expr).collect::<Vec<_>>().join(", ")
}

fn args(list: &[Arg]) -> String {
    let list: Vec<_> = list
        .iter()
        .map(|a| match a {
            Arg::Store(p) => place(p),
            Arg::Match(e) => expr(e),
            Arg::Eval(e) => format!("eval({})", expr(e)),
            Arg::Any => "_".to_owned(),
        })
        .collect();
    list.join(", ")
}

/// An operand: everything that is not a single token in parentheses.
fn operand(e: &Expr) -> String {
    match e {
        Expr::Unary(..) | Expr::Binary(..) | Expr::Poll(..) | Expr::Run(..) => {
            format!("({})", expr(e))
        }
        Expr::Const(n) if *n < 0 => format!("({n})"),
        _ => expr(e),
    }
}

fn expr(e: &Expr) -> String {
    match e {
        Expr::Const(n) => n.to_string(),
        Expr::Word(w) => w.clone(),
        Expr::Place(p) => place(p),
        Expr::Unary(op, a) => format!("{op}{}", operand(a)),
        Expr::Binary(op, a, b) => format!("{} {op} {}", operand(a), operand(b)),
        Expr::Cond(c, a, b) => format!("({} -> {} : {})", expr(c), operand(a), operand(b)),
        Expr::Call(name, a) => format!("{name}({})", expr(a)),
        Expr::Poll(q, random, list) => {
            let op = if *random { "??" } else { "?" };
            format!("{}{op}[{}]", place(q), args(list))
        }
        Expr::Run(name, list, priority) => {
            let tail = priority.map_or(String::new(), |n| format!(" priority {n}"));
            format!("run {name}({}){tail}", exprs(list))
        }
        Expr::RemoteLabel(name, pid, label) => format!("{name}[{}]@{label}", expr(pid)),
        Expr::RemoteVar(name, pid, var) => format!("{name}[{}]:{var}", expr(pid)),
    }
}
