//! Formulas as written: the tree that [`crate::parse`] gives and that prints in SPIN's syntax.

use std::fmt;

/// A formula of linear temporal logic.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Formula {
    /// `true`
    True,
    /// `false`
    False,
    /// A name, or the text of an embedded expression.
    Atom(String),
    /// `!f`
    Not(Box<Formula>),
    /// `f && g && …`
    And(Vec<Formula>),
    /// `f || g || …`
    Or(Vec<Formula>),
    /// `f -> g`
    Implies(Box<Formula>, Box<Formula>),
    /// `f <-> g`
    Equivalent(Box<Formula>, Box<Formula>),
    /// `X f`
    Next(Box<Formula>),
    /// `<> f`
    Eventually(Box<Formula>),
    /// `[] f`
    Always(Box<Formula>),
    /// `f U g`: `g` comes, and `f` holds until then.
    Until(Box<Formula>, Box<Formula>),
    /// `f W g`: as until, but `g` need not come.
    WeakUntil(Box<Formula>, Box<Formula>),
    /// `f V g`: `g` holds up to and including the moment `f` does, if ever.
    Release(Box<Formula>, Box<Formula>),
}

impl Formula {
    /// The negation, without simplification.
    pub fn negated(self) -> Formula {
        Formula::Not(Box::new(self))
    }

    /// The operands.
    pub fn operands(&self) -> Vec<&Formula> {
        match self {
            Formula::True | Formula::False | Formula::Atom(_) => Vec::new(),
            Formula::Not(f) | Formula::Next(f) | Formula::Eventually(f) | Formula::Always(f) => {
                vec![f]
            }
            Formula::And(fs) | Formula::Or(fs) => fs.iter().collect(),
            Formula::Implies(f, g)
            | Formula::Equivalent(f, g)
            | Formula::Until(f, g)
            | Formula::WeakUntil(f, g)
            | Formula::Release(f, g) => vec![f, g],
        }
    }

    /// The atoms in order of first appearance, each once.
    pub fn atoms(&self) -> Vec<&str> {
        fn walk<'a>(f: &'a Formula, found: &mut Vec<&'a str>) {
            if let Formula::Atom(name) = f
                && !found.contains(&name.as_str())
            {
                found.push(name);
            }
            f.operands().into_iter().for_each(|g| walk(g, found));
        }
        let mut found = Vec::new();
        walk(self, &mut found);
        found
    }

    /// Whether no `X` occurs: such a formula cannot tell stuttering.
    pub fn is_next_free(&self) -> bool {
        !matches!(self, Formula::Next(_)) && self.operands().into_iter().all(Formula::is_next_free)
    }
}

/// Whether `atom` is a plain name, which needs no parentheses in SPIN.
pub(crate) fn is_name(atom: &str) -> bool {
    atom.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && atom.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

impl fmt::Display for Formula {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Operands of anything but a prefix are put in parentheses: SPIN's two
        // parsers do not agree on precedence.
        let operand = |f: &Formula, out: &mut fmt::Formatter<'_>| match f {
            Formula::And(_)
            | Formula::Or(_)
            | Formula::Implies(..)
            | Formula::Equivalent(..)
            | Formula::Until(..)
            | Formula::WeakUntil(..)
            | Formula::Release(..) => write!(out, "({f})"),
            _ => write!(out, "{f}"),
        };
        let infix = |f: &Formula, op: &str, g: &Formula, out: &mut fmt::Formatter<'_>| {
            operand(f, out)?;
            write!(out, " {op} ")?;
            operand(g, out)
        };
        let chain = |fs: &[Formula], op: &str, out: &mut fmt::Formatter<'_>| {
            for (i, f) in fs.iter().enumerate() {
                if i > 0 {
                    write!(out, " {op} ")?;
                }
                operand(f, out)?;
            }
            Ok(())
        };
        match self {
            Formula::True => write!(out, "true"),
            Formula::False => write!(out, "false"),
            Formula::Atom(a) if is_name(a) => write!(out, "{a}"),
            Formula::Atom(a) => write!(out, "({a})"),
            Formula::Not(f) => write!(out, "!").and_then(|()| operand(f, out)),
            Formula::Next(f) => write!(out, "X ").and_then(|()| operand(f, out)),
            Formula::Eventually(f) => write!(out, "<>").and_then(|()| operand(f, out)),
            Formula::Always(f) => write!(out, "[]").and_then(|()| operand(f, out)),
            Formula::And(fs) if fs.is_empty() => write!(out, "true"),
            Formula::Or(fs) if fs.is_empty() => write!(out, "false"),
            Formula::And(fs) => chain(fs, "&&", out),
            Formula::Or(fs) => chain(fs, "||", out),
            Formula::Implies(f, g) => infix(f, "->", g, out),
            Formula::Equivalent(f, g) => infix(f, "<->", g, out),
            Formula::Until(f, g) => infix(f, "U", g, out),
            Formula::WeakUntil(f, g) => infix(f, "W", g, out),
            Formula::Release(f, g) => infix(f, "V", g, out),
        }
    }
}
