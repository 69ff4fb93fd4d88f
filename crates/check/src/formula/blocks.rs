//! Names of `ltl` blocks inside a formula: each stands for its formula.

use spinor_syntax::ast::{
    BinaryOp, Expr, ExprKind, Formula, FormulaKind, Ident, Item, Module, Place, TemporalOp, UnaryOp,
};
use std::collections::HashMap;

/// Puts formulas in place of the names of the module's blocks.
pub(super) fn expand(module: &Module, formula: &mut Formula) {
    let formulas = module.items.iter().filter_map(|item| match item {
        Item::Ltl(ltl) => Some(ltl),
        _ => None,
    });
    let named = formulas.enumerate().map(|(number, ltl)| {
        let default = || format!("ltl_{number}");
        (ltl.name.as_ref().map_or_else(default, |n| n.name.to_string()), &ltl.formula)
    });
    let mut blocks: Blocks<'_> = named.collect();
    // Other declarations hide a block: its name could not be used so far.
    for item in &module.items {
        match item {
            Item::Vars(decls) => decls.vars.iter().for_each(|v| {
                blocks.remove(&*v.name.name);
            }),
            Item::Mtype(decl) => decl.names.iter().for_each(|n| {
                blocks.remove(&*n.name);
            }),
            _ => {}
        }
    }
    if !blocks.is_empty() {
        in_formula(formula, &blocks);
    }
}

type Blocks<'a> = HashMap<String, &'a Formula>;

fn in_formula(formula: &mut Formula, blocks: &Blocks<'_>) {
    match &mut formula.kind {
        FormulaKind::Atom(e) => {
            if mentions(e, blocks) {
                formula.kind = lift(e, blocks).kind;
            }
        }
        FormulaKind::Not(f)
        | FormulaKind::Next(f)
        | FormulaKind::Always(f)
        | FormulaKind::Eventually(f) => in_formula(f, blocks),
        FormulaKind::Binary(_, f, g) => {
            in_formula(f, blocks);
            in_formula(g, blocks);
        }
    }
}

/// The block that an expression names.
fn block<'a>(e: &Expr, blocks: &Blocks<'a>) -> Option<&'a Formula> {
    match &*e.kind {
        ExprKind::Place(Place { parts, .. }) => match &parts[..] {
            [part] if part.index.is_none() => {
                let Ident { name, .. } = &part.name;
                blocks.get(&**name).copied()
            }
            _ => None,
        },
        _ => None,
    }
}

/// Whether a block is named where a formula could stand.
fn mentions(e: &Expr, blocks: &Blocks<'_>) -> bool {
    match &*e.kind {
        ExprKind::Unary(UnaryOp::Not, a) => mentions(a, blocks),
        ExprKind::Binary(BinaryOp::And | BinaryOp::Or | BinaryOp::Eq, a, b) => {
            mentions(a, blocks) || mentions(b, blocks)
        }
        _ => block(e, blocks).is_some(),
    }
}

/// The expression as a formula.
fn lift(e: &Expr, blocks: &Blocks<'_>) -> Formula {
    let sub = |e: &Expr| Box::new(lift(e, blocks));
    let kind = match &*e.kind {
        _ if !mentions(e, blocks) => FormulaKind::Atom(e.clone()),
        ExprKind::Unary(UnaryOp::Not, a) => FormulaKind::Not(sub(a)),
        ExprKind::Binary(BinaryOp::And, a, b) => {
            FormulaKind::Binary(TemporalOp::And, sub(a), sub(b))
        }
        ExprKind::Binary(BinaryOp::Or, a, b) => FormulaKind::Binary(TemporalOp::Or, sub(a), sub(b)),
        ExprKind::Binary(BinaryOp::Eq, a, b) => {
            FormulaKind::Binary(TemporalOp::Equiv, sub(a), sub(b))
        }
        _ => match block(e, blocks) {
            Some(formula) => formula.kind.clone(),
            None => FormulaKind::Atom(e.clone()),
        },
    };
    Formula { span: e.span, kind }
}
