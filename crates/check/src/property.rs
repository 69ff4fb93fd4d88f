//! Which properties a check is about.

use crate::check::CheckError;
use crate::formula::{self, Specification};
use crate::{CheckConfig, Loaded};
use spinor_base::{SourceMap, Span};
use spinor_program::{Automaton, Program};
use spinor_sema::hir;
use spinor_trace::{Described, Origin};

/// Kinds of properties.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PropertyKind {
    /// Assertions, invalid end states, run-time errors, trace declarations.
    Safety,
    /// An LTL formula, of the model or given beside it.
    Ltl,
    /// A never claim of the model.
    Never,
    /// No accepting cycles in the processes.
    Acceptance,
    /// No cycles without progress.
    NonProgress,
}

impl PropertyKind {
    /// As on the command line and in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            PropertyKind::Safety => "safety",
            PropertyKind::Ltl => "ltl",
            PropertyKind::Never => "never",
            PropertyKind::Acceptance => "acceptance",
            PropertyKind::NonProgress => "non-progress",
        }
    }
}

/// A property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Property {
    /// What kind.
    pub kind: PropertyKind,
    /// Name of the `ltl` block or claim.
    pub name: Option<String>,
    /// Text of the formula.
    pub formula: Option<String>,
}

impl Property {
    pub(crate) fn of(kind: PropertyKind) -> Self {
        Property { kind, name: None, formula: None }
    }

    /// For people: `safety`, `ltl p`, `never claim`.
    #[must_use]
    pub fn describe(&self) -> String {
        match (self.kind, &self.name, &self.formula) {
            (PropertyKind::Never, Some(name), _) => format!("never claim `{name}`"),
            (PropertyKind::Ltl, Some(name), _) => format!("ltl `{name}`"),
            (PropertyKind::Ltl, None, Some(formula)) => format!("ltl `{formula}`"),
            _ => self.kind.name().to_owned(),
        }
    }
}

impl Property {
    /// A violation of this property, in words.
    pub(crate) fn describe_violation(&self, loaded: &Loaded, described: Described) -> Described {
        let is_of_formula = matches!(described.kind, "acceptance-cycle" | "claim-violated");
        if self.kind != PropertyKind::Ltl || !is_of_formula {
            return described;
        }
        let formula = self.formula.as_deref().unwrap_or_default();
        let words = match &self.name {
            Some(name) => format!("ltl `{name}` is violated: {formula}"),
            None => format!("formula is violated: {formula}"),
        };
        let blocks = loaded.model.iter().flat_map(|model| &model.ltl);
        let block = blocks.into_iter().find(|l| self.name.as_deref() == Some(&*l.name));
        let at = block.map(|ltl| Origin::of(&loaded.sources, ltl.span));
        Described { message: words.clone(), headline: words, at, ..described }
    }
}

/// The properties to check, in order.
pub(crate) fn select(
    loaded: &Loaded,
    model: &hir::Model,
    program: &Program,
    config: &CheckConfig,
) -> Result<Vec<Property>, CheckError> {
    for text in &config.formulas {
        formula::of_text(loaded, text)?;
    }
    let declared = declared(loaded, model, program, config);
    let formulas = config.formulas.iter().map(|text| Property {
        kind: PropertyKind::Ltl,
        name: None,
        formula: Some(text.clone()),
    });
    if config.properties.is_empty() {
        // Formulas given on the command line are what the user asks.
        return Ok(if config.formulas.is_empty() { declared } else { formulas.collect() });
    }
    let mut selected: Vec<Property> = Vec::new();
    for name in &config.properties {
        for property in named(name, &declared, config)? {
            if !selected.contains(&property) {
                selected.push(property);
            }
        }
    }
    selected.extend(formulas);
    Ok(selected)
}

fn declared(
    loaded: &Loaded,
    model: &hir::Model,
    program: &Program,
    config: &CheckConfig,
) -> Vec<Property> {
    let mut properties = vec![Property::of(PropertyKind::Safety)];
    if !config.no_claim {
        properties.extend(model.ltl.iter().map(|ltl| Property {
            kind: PropertyKind::Ltl,
            name: Some(ltl.name.to_string()),
            formula: written_formula(&loaded.sources, ltl.span),
        }));
        properties.extend(program.claims.iter().map(|claim| Property {
            kind: PropertyKind::Never,
            name: Some(claim.name.to_string()),
            formula: None,
        }));
    }
    let used = program.proctypes.iter().filter(|p| p.is_instantiated);
    if used.into_iter().any(|p| accepts(&p.automaton)) {
        properties.push(Property::of(PropertyKind::Acceptance));
    }
    properties
}

/// The text between the braces of an `ltl` block that starts at `span`.
fn written_formula(sources: &SourceMap, span: Span) -> Option<String> {
    let block = sources.file(span.file).text.get(span.lo as usize..)?;
    let inside = &block[block.find('{')? + 1..];
    let mut depth = 1;
    let end = inside.find(|c| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        depth == 0
    })?;
    Some(inside[..end].split_whitespace().collect::<Vec<_>>().join(" "))
}

/// What an LTL property says.
pub(crate) fn specification(
    loaded: &Loaded,
    property: &Property,
) -> Result<Specification, CheckError> {
    let blocks = loaded.model.iter().flat_map(|model| &model.ltl);
    let named = |ltl: &&hir::LtlProperty| property.name.as_deref() == Some(&*ltl.name);
    match (blocks.into_iter().find(named), &property.formula) {
        (Some(block), _) => Ok(formula::of_block(loaded, block)?),
        (None, Some(text)) => formula::of_text(loaded, text),
        (None, None) => Err(CheckError::Internal("a formula without text".to_owned())),
    }
}

/// Whether some location has an `accept` label.
pub(crate) fn accepts(automaton: &Automaton) -> bool {
    automaton.locations.iter().any(|l| l.is_accepting)
}

fn named(
    name: &str,
    declared: &[Property],
    config: &CheckConfig,
) -> Result<Vec<Property>, CheckError> {
    match name {
        "safety" => return Ok(vec![Property::of(PropertyKind::Safety)]),
        "acceptance" => return Ok(vec![Property::of(PropertyKind::Acceptance)]),
        "non-progress" => return Ok(vec![Property::of(PropertyKind::NonProgress)]),
        _ => {}
    }
    let is_meant = |p: &&Property| {
        p.name.as_deref() == Some(name) || (name == "never" && p.kind == PropertyKind::Never)
    };
    let found: Vec<Property> = declared.iter().filter(is_meant).cloned().collect();
    if !found.is_empty() {
        return Ok(found);
    }
    let mut known = vec!["safety", "acceptance", "non-progress"];
    known.extend(declared.iter().filter_map(|p| p.name.as_deref()));
    Err(CheckError::UnknownProperty {
        name: name.to_owned(),
        known: known.iter().map(|k| format!("`{k}`")).collect::<Vec<_>>().join(", "),
        hint: if config.no_claim { " (`--no-claim` leaves out claims and ltl blocks)" } else { "" },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use spinor_base::ExpnId;

    #[test]
    fn formulas_are_quoted_without_their_braces() {
        let mut sources = SourceMap::new();
        let text = "byte x; ltl p { [] (x\n  < 3) } byte y;";
        let file = sources.add_file("m.pml", text);
        let span = Span { file, lo: 8, hi: 11, expn: ExpnId::ROOT };
        assert_eq!(written_formula(&sources, span).as_deref(), Some("[] (x < 3)"));
    }
}
