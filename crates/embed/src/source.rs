//! The C file that a model becomes.

mod calls;
mod chunks;

pub(crate) use calls::declared_name;

use crate::layout;
use crate::marshal::{self, Piece};
use crate::names::{is_usable, locals_in_c, scalars_of};
use crate::uses;
use spinor_base::SourceMap;
use spinor_program::{Expr, Program};
use spinor_sema::hir::{BinaryOp, CodeId, Model, Storage, UnaryOp};
use std::collections::HashSet;
use std::fmt::Write as _;

/// What C finds around it: headers, what prints, what the checker calls.
pub(crate) const IO: &str = include_str!("io.h");
const RUNTIME: &str = include_str!("runtime.c");

/// Writes the file.
pub(crate) struct Writer<'a> {
    model: &'a Model,
    program: &'a Program,
    sources: &'a SourceMap,
    /// Global variables, hidden ones included.
    globals: Vec<Piece>,
    /// Locals, by proctype.
    frames: Vec<Vec<Piece>>,
    /// C names of the locals, by proctype.
    locals: Vec<Vec<String>>,
    /// Text that all pieces of code share.
    shared: Vec<&'a str>,
    /// Some code cannot be looked at.
    is_open: bool,
    /// Expressions of which only the truth matters.
    truths: HashSet<CodeId>,
    out: String,
}

/// The C file of a model. `has_files`: other files belong to it.
pub(crate) fn write(
    model: &Model,
    program: &Program,
    sources: &SourceMap,
    has_files: bool,
) -> String {
    let named = |names: &[String], vars: &[spinor_sema::hir::Variable]| {
        let sized = |(n, v): (&String, _)| (n.clone(), scalars_of(model, v));
        names.iter().zip(vars).map(sized).collect::<Vec<_>>()
    };
    let globals: Vec<String> = model.globals.iter().map(|g| g.name.to_string()).collect();
    let locals: Vec<Vec<String>> = model.proctypes.iter().map(locals_in_c).collect();
    let frame = |(i, p): (usize, &spinor_program::ProcessType)| {
        marshal::pieces(&p.frame.leaves, &named(&locals[i], &model.proctypes[i].locals))
    };
    let shared = chunks::shared(&model.embedded);
    let mut writer = Writer {
        globals: marshal::pieces(&program.globals.leaves, &named(&globals, &model.globals)),
        frames: program.proctypes.iter().enumerate().map(frame).collect(),
        is_open: has_files || chunks::all(&model.embedded).any(uses::reaches_outside),
        truths: truths(program),
        out: String::new(),
        model,
        program,
        sources,
        locals,
        shared,
    };
    writer.declarations();
    writer.codes();
    writer.initialisers();
    writer.entry();
    writer.out
}

impl Writer<'_> {
    fn line(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
    }

    /// Everything before the code of statements.
    fn declarations(&mut self) {
        let embedded = &self.model.embedded;
        self.line("#line 1 \"<io.h>\"");
        self.line(IO);
        self.line("#line 1 \"<runtime.c>\"");
        self.line(RUNTIME);
        for text in &embedded.decls {
            self.chunk(text);
        }
        self.own_lines();
        layout::structures(self.model, self.program, &mut self.out);
        self.state();
        for proctype in 0..self.model.proctypes.len() {
            self.frame(proctype);
        }
        self.line("State now;\nuchar *_this;");
        for global in self.model.globals.iter().filter(|g| g.hidden && is_usable(&g.name)) {
            let declared = layout::declaration(self.model, self.program, global, &global.name);
            // A single variable has no bits.
            let declared = declared.split(" :").next().unwrap_or_default();
            let _ = writeln!(self.out, "{declared};");
        }
        for state in embedded.states.iter().filter(|s| s.storage == Storage::Hidden) {
            self.placed(state.span);
            let _ = writeln!(self.out, "{};", state.declaration);
        }
        for text in &embedded.global_code {
            self.chunk(text);
        }
        self.own_lines();
    }

    /// `now`.
    fn state(&mut self) {
        self.line("typedef struct State {\n\tuchar _nr_pr;\n\tuchar _last;");
        for global in self.model.globals.iter().filter(|g| !g.hidden && is_usable(&g.name)) {
            let declared = layout::declaration(self.model, self.program, global, &global.name);
            let _ = writeln!(self.out, "\t{declared};");
        }
        self.c_state(Storage::Global);
        self.line("} State;");
    }

    /// The variables of a process.
    fn frame(&mut self, number: usize) {
        let proctype = &self.model.proctypes[number];
        let _ = writeln!(self.out, "#define P{} ((P{number} *) _this)", proctype.name);
        let _ = writeln!(self.out, "typedef struct P{number} {{");
        self.line(
            "\tunsigned _pid : 8;\n\tunsigned _t : 16;\n\tunsigned _p;\n\tunsigned _priority : 8;",
        );
        for (local, name) in proctype.locals.iter().zip(&self.locals[number]) {
            if is_usable(&local.name) {
                let declared = layout::declaration(self.model, self.program, local, name);
                let _ = writeln!(self.out, "\t{declared};");
            }
        }
        self.c_state(Storage::Local(spinor_sema::hir::ProctypeId(number as u32)));
        let _ = writeln!(self.out, "}} P{number};\nstatic P{number} spinor_p{number};");
    }

    /// The `c_state`s that live in a structure: by name, and as one block of bytes.
    fn c_state(&mut self, storage: Storage) {
        let states = &self.model.embedded.states;
        let states: Vec<_> = states.iter().filter(|s| s.storage == storage).collect();
        if states.is_empty() {
            return;
        }
        self.line("\tunion {");
        for (open, close) in [("\t\tstruct {", "\t\t};"), ("\t\tstruct {", "\t\t} spinor_c;")] {
            self.line(open);
            for state in &states {
                self.placed(state.span);
                let _ = writeln!(self.out, "\t\t\t{};", state.declaration);
            }
            self.line(close);
        }
        self.line("\t};");
    }

    /// Whether a structure has C state.
    fn has_c_state(&self, storage: Storage) -> bool {
        self.model.embedded.states.iter().any(|s| s.storage == storage)
    }
}

/// The expressions that stand where only the truth matters: in C that need not be a number.
fn truths(program: &Program) -> HashSet<CodeId> {
    let mut found = HashSet::new();
    let mut look = |e: &Expr| match e {
        Expr::Unary(UnaryOp::Not, a) => truth(a, &mut found),
        Expr::Binary(BinaryOp::And | BinaryOp::Or, a, b) => {
            truth(a, &mut found);
            truth(b, &mut found);
        }
        Expr::Conditional(c, ..) => truth(c, &mut found),
        _ => {}
    };
    for statement in &program.statements {
        statement.action.walk(&mut look);
    }
    let provided = program.proctypes.iter().filter_map(|p| p.provided.as_ref());
    let formulas = || program.usage.propositions.iter();
    provided.clone().chain(formulas()).for_each(|e| e.walk(&mut look));
    for statement in &program.statements {
        use spinor_program::Action;
        if let Action::Condition(e) | Action::Assert(e) = &statement.action {
            truth(e, &mut found);
        }
    }
    provided.chain(formulas()).for_each(|e| truth(e, &mut found));
    found
}

fn truth(e: &Expr, found: &mut HashSet<CodeId>) {
    if let Expr::CExpr(code) = e {
        found.insert(*code);
    }
}
