//! From the formulas of a model, and those given beside it, to temporal
//! formulas over named propositions.

mod blocks;
mod propositions;
#[cfg(test)]
mod tests;
mod text;

use crate::Loaded;
use crate::check::CheckError;
use propositions::Propositions;
use spinor_base::{Diagnostic, SourceMap};
use spinor_program::{Expr, Outside};
use spinor_sema::hir::{self, TemporalOp};

/// Propositions of one formula: their truth is kept as the bits of a word.
pub const MAX_ATOMS: usize = 64;

/// A temporal formula and what its propositions mean in the program.
#[derive(Clone, Debug)]
pub struct Specification {
    /// What must hold, over the names of the atoms.
    pub formula: spinor_ltl::Formula,
    /// In order of first appearance; no two have the same meaning.
    pub atoms: Vec<Atom>,
    /// Warnings about a formula given as text; those of an `ltl` block are
    /// among the diagnostics of the model.
    pub remarks: Option<Remarks>,
}

/// A proposition.
#[derive(Clone, Debug, PartialEq)]
pub struct Atom {
    /// As in the formula: `p0`, `p1`, …
    pub name: String,
    /// As the user wrote it.
    pub text: String,
    /// As an expression of Promela, which has no `->` between predicates.
    pub promela: String,
    /// True where this is not 0. Has a value in every state, without a process.
    pub expr: Expr,
}

/// Diagnostics about a formula, with the text that they are about.
#[derive(Clone, Debug)]
pub struct Remarks {
    /// What the spans refer to.
    pub sources: SourceMap,
    /// In source order.
    pub diagnostics: Vec<Diagnostic>,
}

/// A formula that cannot be used.
#[derive(Clone, Debug)]
pub struct FormulaError {
    /// As given, or the name of the block.
    pub formula: String,
    /// At least one of them is an error.
    pub remarks: Remarks,
}

impl FormulaError {
    /// The first error in one line: what, where, and what to do.
    #[must_use]
    pub fn reason(&self) -> String {
        let Some(error) = self.remarks.diagnostics.iter().find(|d| d.is_error()) else {
            return "it cannot be used".to_owned();
        };
        let at = self.remarks.sources.location(self.remarks.sources.outermost(error.primary));
        let place = match at.line {
            1 => format!("column {}", at.column),
            line => format!("line {line}, column {}", at.column),
        };
        let help = error.help.as_ref().map(|h| format!("; {h}")).unwrap_or_default();
        format!("{} ({place}){help}", error.message)
    }
}

impl From<FormulaError> for CheckError {
    fn from(error: FormulaError) -> Self {
        let reason = error.reason();
        CheckError::BadFormula { formula: error.formula, reason }
    }
}

/// The specification of an `ltl` block of the model.
///
/// # Errors
/// It has too many propositions.
pub fn of_block(loaded: &Loaded, ltl: &hir::LtlProperty) -> Result<Specification, FormulaError> {
    let Loaded { model: Some(model), program: Some(program), .. } = loaded else {
        return Err(text::unusable(&ltl.name));
    };
    let mut propositions = Propositions::new(Outside::new(model), model, program, &loaded.sources);
    let formula = convert(&ltl.formula, &mut propositions);
    match propositions.finish(ltl.span) {
        Ok(atoms) => Ok(Specification { formula, atoms, remarks: None }),
        Err(diagnostics) => Err(FormulaError {
            formula: ltl.name.to_string(),
            remarks: Remarks { sources: loaded.sources.clone(), diagnostics },
        }),
    }
}

/// The specification of a formula given as text. Its names are those of the
/// model: variables, mtypes, labels, macros, and the model's `ltl` blocks.
///
/// # Errors
/// It is no formula, a name is unknown, or the states of the program do not
/// tell its truth.
pub fn of_text(loaded: &Loaded, text: &str) -> Result<Specification, CheckError> {
    Ok(read_text(loaded, text)?)
}

/// As [`of_text`], with errors that can be shown in the text of the formula.
///
/// # Errors
/// Those of [`of_text`].
pub fn read_text(loaded: &Loaded, text: &str) -> Result<Specification, FormulaError> {
    crate::load::on_large_stack(|| text::specification(loaded, text))
}

fn convert(formula: &hir::Formula, propositions: &mut Propositions<'_>) -> spinor_ltl::Formula {
    use spinor_ltl::Formula as F;
    let mut go = |f: &hir::Formula| Box::new(convert(f, propositions));
    match formula {
        hir::Formula::Atom(e) => propositions.predicate(e),
        hir::Formula::Not(f) => F::Not(go(f)),
        hir::Formula::Next(f) => F::Next(go(f)),
        hir::Formula::Always(f) => F::Always(go(f)),
        hir::Formula::Eventually(f) => F::Eventually(go(f)),
        hir::Formula::Binary(op, f, g) => {
            let (f, g) = (go(f), go(g));
            match op {
                TemporalOp::And => F::And(vec![*f, *g]),
                TemporalOp::Or => F::Or(vec![*f, *g]),
                TemporalOp::Implies => F::Implies(f, g),
                TemporalOp::Equiv => F::Equivalent(f, g),
                TemporalOp::Until => F::Until(f, g),
                TemporalOp::WeakUntil => F::WeakUntil(f, g),
                TemporalOp::Release => F::Release(f, g),
            }
        }
    }
}
