//! Declared but never mentioned: variables, proctypes, inlines, mtype sets.

use spinor_base::{Diagnostic, Span};
use spinor_syntax::ast;

use crate::analyzer::Analyzer;
use crate::codes;
use crate::hir::{GlobalId, LocalId, ProctypeId};

/// Runs the check.
pub(crate) fn check(analyzer: &mut Analyzer) {
    // What is used cannot be told from a model with errors.
    if analyzer.report.has_errors() {
        return;
    }
    let mut unused = Vec::new();
    // C may use any of them.
    if analyzer.has_c() {
        return proctypes(analyzer);
    }
    for (index, global) in analyzer.model.globals.iter().enumerate() {
        if !analyzer.used_globals.contains(&GlobalId(index as u32)) && !global.show {
            unused.push((global.span, global.name.to_string()));
        }
    }
    for (&proctype, locals) in &analyzer.known_locals {
        for (index, local) in locals.iter().enumerate() {
            let remote = analyzer.remote_uses.contains(&(proctype, LocalId(index as u32)));
            if !local.used && !remote && !local.var.show {
                unused.push((local.var.span, local.var.name.to_string()));
            }
        }
    }
    for (span, name) in unused {
        warn(analyzer, codes::UNUSED_VARIABLE, span, format!("variable `{name}` is never used"));
    }
    proctypes(analyzer);
    inlines(analyzer);
    mtypes(analyzer);
}

fn proctypes(analyzer: &mut Analyzer) {
    let idle: Vec<(Span, String)> = analyzer
        .model
        .proctypes
        .iter()
        .enumerate()
        .filter(|(i, p)| p.active == 0 && !analyzer.run_proctypes.contains(&ProctypeId(*i as u32)))
        .map(|(_, p)| (p.span, p.name.to_string()))
        .collect();
    for (span, name) in idle {
        warn(analyzer, codes::UNUSED_PROCTYPE, span, format!("proctype `{name}` is never run"));
    }
}

fn inlines(analyzer: &mut Analyzer) {
    let module = analyzer.module;
    for item in &module.items {
        if let ast::Item::Inline(inline) = item
            && inline.calls == 0
        {
            let text = format!("inline `{}` is never called", inline.name.name);
            warn(analyzer, codes::UNUSED_INLINE, inline.name.span, text);
        }
    }
}

fn mtypes(analyzer: &mut Analyzer) {
    for index in 1..analyzer.model.mtypes.len() {
        let set = &analyzer.model.mtypes[index];
        if let (true, Some(name)) = (set.names.is_empty(), &set.name) {
            let text = format!("`mtype:{name}` has no names");
            let span = analyzer.mtype_spans[index];
            warn(analyzer, codes::EMPTY_MTYPE, span, text);
        }
    }
}

/// Included files are libraries: not everything in them is needed.
fn warn(analyzer: &mut Analyzer, code: &'static str, span: Span, text: String) {
    if analyzer.in_main_file(span) {
        analyzer.report.push(Diagnostic::warning(code, span, text));
    }
}
