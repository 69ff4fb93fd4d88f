//! A formula given as text, read as if it stood at the end of the model: so it
//! sees all that the model declares, macros included.

use super::propositions::Propositions;
use super::{FormulaError, Remarks, Specification, blocks, convert};
use crate::Loaded;
use spinor_base::{Diagnostic, FileId, SourceMap, Span};
use spinor_program::Outside;
use spinor_syntax::ast::Item;
use spinor_syntax::{Define, FileSource, NoFiles, Parsed, PreprocessOptions};
use std::path::Path;

/// How the preprocessor calls the definitions of the command line.
const COMMAND_LINE: &str = "<command line>";
/// How the text is called in diagnostics.
const NAME: &str = "formula";

/// Said of formulas about a model with errors.
pub(super) fn unusable(formula: &str) -> FormulaError {
    let mut sources = SourceMap::new();
    sources.add_file(NAME, formula);
    let error = Diagnostic::error("P0500", Span::default(), "the model has errors");
    FormulaError {
        formula: formula.to_owned(),
        remarks: Remarks { sources, diagnostics: vec![error] },
    }
}

pub(super) fn specification(loaded: &Loaded, text: &str) -> Result<Specification, FormulaError> {
    let Loaded { model: Some(model), program: Some(program), .. } = loaded else {
        return Err(unusable(text));
    };
    let mut appended = Appended::read(&loaded.sources, text);
    let Some(index) = appended.property() else {
        return Err(appended.failed(text, Vec::new()));
    };
    let Parsed { module, .. } = &mut appended.parsed;
    if let Item::Ltl(mut ltl) = module.items.swap_remove(index) {
        blocks::expand(module, &mut ltl.formula);
        module.items.push(Item::Ltl(ltl));
    }
    let analysis = spinor_sema::analyze(&appended.parsed);
    let is_usable = !analysis.diagnostics.iter().any(Diagnostic::is_error);
    let Some(ltl) = analysis.model.ltl.last().filter(|_| is_usable) else {
        return Err(appended.failed(text, analysis.diagnostics));
    };
    let sources = &appended.parsed.sources;
    let mut propositions = Propositions::new(Outside::new(model), model, program, sources);
    let formula = convert(&ltl.formula, &mut propositions);
    match propositions.finish(appended.whole()) {
        Ok(atoms) => {
            let remarks = appended.remarks(analysis.diagnostics);
            let remarks = (!remarks.diagnostics.is_empty()).then_some(remarks);
            Ok(Specification { formula, atoms, remarks })
        }
        Err(errors) => Err(appended.failed(text, errors)),
    }
}

/// A model with a formula after it.
struct Appended {
    parsed: Parsed,
    /// Where the formula lies in the main file.
    start: u32,
    end: u32,
    items: usize,
}

impl Appended {
    fn read(sources: &SourceMap, formula: &str) -> Self {
        let main = &sources.files()[0];
        let options =
            PreprocessOptions { defines: command_line(sources), ..PreprocessOptions::default() };
        let files = KnownFiles(sources);
        let items =
            spinor_syntax::parse(&main.name, &main.text, &options, &files).module.items.len();
        let mut name = "given".to_owned();
        while main.text.contains(&name) {
            name.push('_');
        }
        // The second line break is for a last line that ends in a backslash.
        let before = format!("{}\n\nltl {name} {{\n", main.text);
        let text = format!("{before}{formula}\n}}\n");
        let parsed = spinor_syntax::parse(&main.name, &text, &options, &files);
        let (start, len) = (before.len() as u32, formula.len() as u32);
        Appended { parsed, start, end: start + len, items }
    }

    /// The item of the formula, if it was read as one formula and nothing else.
    fn property(&self) -> Option<usize> {
        let items = &self.parsed.module.items;
        let is_clean = !self.parsed.diagnostics.iter().any(Diagnostic::is_error);
        let is_one = items.len() == self.items + 1 && matches!(items.last(), Some(Item::Ltl(_)));
        (is_clean && is_one).then(|| items.len() - 1)
    }

    fn whole(&self) -> Span {
        Span { file: FileId(0), lo: self.start, hi: self.end, ..Span::default() }
    }

    /// The error, told about the formula alone where possible.
    fn failed(self, formula: &str, found: Vec<Diagnostic>) -> FormulaError {
        let mut remarks = self.remarks(found);
        if !remarks.diagnostics.iter().any(Diagnostic::is_error) || is_unfinished(formula) {
            let options = PreprocessOptions::default();
            let alone = spinor_syntax::parse_formula(NAME, formula, &options, &NoFiles);
            if alone.diagnostics.iter().any(Diagnostic::is_error) {
                remarks = Remarks { sources: alone.sources, diagnostics: alone.diagnostics };
            }
        }
        if !remarks.diagnostics.iter().any(Diagnostic::is_error) {
            remarks.diagnostics = unusable(formula).remarks.diagnostics;
            remarks.diagnostics[0].message = "this is not one formula".to_owned();
        }
        FormulaError { formula: formula.to_owned(), remarks }
    }

    /// The diagnostics of the formula, as if it were a file of its own.
    fn remarks(&self, found: Vec<Diagnostic>) -> Remarks {
        let mut sources = self.parsed.sources.clone();
        let text = sources.text(self.whole()).to_owned();
        let file = sources.add_file(NAME, text);
        let is_here = |span: Span| span.file == FileId(0) && span.lo >= self.start;
        let moved = |span: Span| {
            if !is_here(span) {
                return span;
            }
            let at = |byte: u32| byte.clamp(self.start, self.end) - self.start;
            Span { file, lo: at(span.lo), hi: at(span.hi), ..span }
        };
        let all = self.parsed.diagnostics.iter().cloned().chain(found);
        let about = all.filter(|d| is_here(self.parsed.sources.outermost(d.primary)));
        let diagnostics = about.map(|mut d| {
            d.primary = moved(d.primary);
            d.labels.retain(|l| !is_here(l.span) || l.span.lo < self.end);
            d.labels.iter_mut().for_each(|l| l.span = moved(l.span));
            d
        });
        Remarks { diagnostics: diagnostics.collect(), sources }
    }
}

/// Whether a formula is wrong by itself: the brace after it would be blamed.
fn is_unfinished(formula: &str) -> bool {
    let options = PreprocessOptions::default();
    let alone = spinor_syntax::parse_formula(NAME, formula, &options, &NoFiles);
    let ends = |d: &Diagnostic| d.is_error() && d.primary.lo as usize >= formula.trim_end().len();
    alone.diagnostics.iter().any(ends)
}

/// `-D` and `-U` as they were given.
fn command_line(sources: &SourceMap) -> Vec<Define> {
    let Some(file) = sources.files().iter().find(|f| &*f.name == COMMAND_LINE) else {
        return Vec::new();
    };
    let directives = file.text.lines().filter_map(|line| {
        if let Some(rest) = line.strip_prefix("#define ") {
            Some(Define::Define(rest.to_owned(), String::new()))
        } else {
            line.strip_prefix("#undef ").map(|name| Define::Undefine(name.to_owned()))
        }
    });
    directives.collect()
}

/// The files that the model included, as they were read.
struct KnownFiles<'a>(&'a SourceMap);

impl FileSource for KnownFiles<'_> {
    fn read(&self, name: &str, from: &str) -> Result<(String, String), String> {
        let beside = Path::new(from).parent().unwrap_or(Path::new("")).join(name);
        let files = self.0.files();
        let found = files
            .iter()
            .find(|f| Path::new(&*f.name) == beside)
            .or_else(|| files.iter().find(|f| Path::new(&*f.name).ends_with(name)));
        match found {
            Some(file) => Ok((file.text.to_string(), file.name.to_string())),
            None => Err("there is no such file".to_owned()),
        }
    }
}
