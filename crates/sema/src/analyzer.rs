//! The state of an analysis, shared by the modules that each resolve one kind
//! of thing.

use std::collections::{HashMap, HashSet};

use spinor_base::{Diagnostic, SourceMap, Span, Text};
use spinor_syntax::Parsed;
use spinor_syntax::ast::Module;

use crate::codes;
use crate::hir::{GlobalId, LocalId, Model, MtypeId, MtypeSet, ProctypeId, StructId, Variable};
use crate::labels::LabelTable;
use crate::report::Report;
use crate::{Analysis, Scoping};

/// What a global name stands for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SymbolKind {
    Var(GlobalId),
    Mtype(MtypeId, i32),
    Proctype(ProctypeId),
    Struct(StructId),
}

/// A global name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Symbol {
    pub(crate) span: Span,
    /// Position of the declaring item: names are visible from there on.
    pub(crate) item: usize,
    pub(crate) kind: SymbolKind,
}

/// Where expressions and statements stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum BodyKind {
    /// Initialiser of a global, `provided` clause.
    #[default]
    Global,
    Proctype(ProctypeId),
    Claim,
    Trace,
    Ltl,
}

/// What is known of a local while its body is analysed.
#[derive(Clone, Debug)]
pub(crate) struct Local {
    pub(crate) var: Variable,
    pub(crate) used: bool,
    pub(crate) const_init: Option<i32>,
    /// Declared in the outermost block of the body, or a parameter.
    pub(crate) outermost: bool,
}

/// Names of one brace block.
#[derive(Default, Debug)]
pub(crate) struct Scope {
    pub(crate) names: Vec<(Text, LocalId)>,
    /// Number in the [`LabelTable`].
    pub(crate) id: usize,
    /// Counter of `for (m in chan)`; loops of one block share it, as in SPIN.
    pub(crate) rotation: Option<LocalId>,
}

/// The body under analysis.
#[derive(Default)]
pub(crate) struct Body {
    pub(crate) kind: BodyKind,
    pub(crate) locals: Vec<Local>,
    pub(crate) scopes: Vec<Scope>,
    /// Names that some scope has or had: most questions are about others.
    pub(crate) local_names: HashSet<Text>,
    pub(crate) labels: LabelTable,
    pub(crate) next_scope: usize,
    /// Number of the `d_step` around, and the next free one.
    pub(crate) d_step: Option<usize>,
    pub(crate) next_d_step: usize,
    pub(crate) in_atomic: bool,
    pub(crate) inlines: u32,
    /// `d_step` of each loop around, innermost last.
    pub(crate) loops: Vec<Option<usize>>,
    /// Declarations are still initialised at process creation.
    pub(crate) at_start: bool,
    /// On the right side of an assignment, where channels are not numbers.
    pub(crate) in_assignment: bool,
}

pub(crate) struct Analyzer<'a> {
    pub(crate) module: &'a Module,
    pub(crate) sources: &'a SourceMap,
    pub(crate) scoping: Scoping,
    pub(crate) model: Model,
    pub(crate) report: Report,
    pub(crate) names: HashMap<Text, Symbol>,
    pub(crate) mtype_sets: HashMap<Text, MtypeId>,
    /// First mention of each mtype subtype.
    pub(crate) mtype_spans: Vec<Span>,
    /// Item under analysis.
    pub(crate) item: usize,
    /// Values of globals whose initialiser is constant.
    pub(crate) global_consts: Vec<Option<i32>>,
    /// Globals mentioned anywhere but in their declaration.
    pub(crate) used_globals: HashSet<GlobalId>,
    pub(crate) run_proctypes: HashSet<ProctypeId>,
    /// Labels of each proctype, with the marks of remote references.
    pub(crate) label_tables: Vec<LabelTable>,
    /// Locals of each proctype, known after its body was analysed once.
    pub(crate) known_locals: HashMap<ProctypeId, Vec<Local>>,
    /// Locals that remote references mention, by proctype.
    pub(crate) remote_uses: HashSet<(ProctypeId, LocalId)>,
    /// A remote variable was met before its proctype: analyse once more.
    pub(crate) needs_second_pass: bool,
    /// Variables of an unknown type (by their declaration): enough was said.
    pub(crate) poisoned: HashSet<Span>,
    /// Values that each record holds.
    pub(crate) struct_values: Vec<u64>,
    /// Values that the variables and channels declared so far hold.
    pub(crate) values: u64,
    /// Pieces of C in initialisers of globals.
    pub(crate) declared_codes: usize,
    pub(crate) body: Body,
}

impl<'a> Analyzer<'a> {
    pub(crate) fn new(parsed: &'a Parsed, scoping: Scoping) -> Self {
        let mut model = Model::default();
        model.mtypes.push(MtypeSet::default());
        Analyzer {
            module: &parsed.module,
            sources: &parsed.sources,
            scoping,
            model,
            report: Report::new(&parsed.diagnostics),
            names: HashMap::new(),
            mtype_sets: HashMap::new(),
            mtype_spans: vec![Span::default()],
            item: 0,
            global_consts: Vec::new(),
            used_globals: HashSet::new(),
            run_proctypes: HashSet::new(),
            label_tables: Vec::new(),
            known_locals: HashMap::new(),
            remote_uses: HashSet::new(),
            needs_second_pass: false,
            poisoned: HashSet::new(),
            struct_values: Vec::new(),
            values: 0,
            declared_codes: 0,
            body: Body::default(),
        }
    }

    pub(crate) fn run(mut self) -> Analysis {
        self.declare_items();
        self.declared_codes = self.model.embedded.codes.len();
        let (declared, values) = (self.report.len(), self.values);
        self.resolve_bodies();
        if self.needs_second_pass {
            self.report.truncate(declared);
            self.values = values;
            self.resolve_bodies();
        }
        self.check_processes();
        crate::lints::run(&mut self);
        Analysis { model: self.model, diagnostics: self.report.finish() }
    }

    fn check_processes(&mut self) {
        if self.model.proctypes.iter().any(|p| p.active > 0) || self.report.has_errors() {
            return;
        }
        let span = self.model.proctypes.first().map(|p| p.span).unwrap_or_default();
        self.report.push(
            Diagnostic::error(codes::NO_PROCESS, span, "no process runs in this model")
                .help("write `active` before a `proctype`, or add an `init { … }` that runs one"),
        );
    }

    /// The visible meaning of a global name.
    pub(crate) fn global(&self, name: &str) -> Option<Symbol> {
        self.names.get(name).copied().filter(|s| s.item <= self.item)
    }

    /// The local of that name in the scopes around.
    pub(crate) fn local(&self, name: &str) -> Option<LocalId> {
        if !self.body.local_names.contains(name) {
            return None;
        }
        self.body
            .scopes
            .iter()
            .rev()
            .flat_map(|s| s.names.iter().rev())
            .find(|(n, _)| n.as_ref() == name)
            .map(|&(_, id)| id)
    }

    /// The scope that declarations go to.
    pub(crate) fn declaring_scope(&mut self) -> Option<&mut Scope> {
        match self.scoping {
            Scoping::Block => self.body.scopes.last_mut(),
            Scoping::Body => self.body.scopes.first_mut(),
        }
    }

    /// Whether the characters stand in the file that the user named.
    pub(crate) fn in_main_file(&self, span: Span) -> bool {
        self.sources.file(span.file).name == self.sources.files()[0].name
    }
}
