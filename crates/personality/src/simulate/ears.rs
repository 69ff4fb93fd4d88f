//! Steps that nobody has to be told of.

use super::narrator::{Narrator, Style};
use super::queues::mentions_channels;
use crate::spin::options::Views;
use spinor_exec::{Actor, Value};
use spinor_program::{Action, Expr, Program, Scalar, StmtId};

/// What is worth telling, by statement.
pub(super) struct Ears {
    by_statement: Vec<Option<Dull>>,
}

/// A statement that says something only if a value does not fit.
struct Dull {
    /// What it stores, and where that has to fit.
    values: Vec<(Scalar, Value)>,
    /// Channels may get numbers.
    names_channels: bool,
}

impl Ears {
    /// For a way of telling.
    pub fn new(program: &Program, style: &Style) -> Self {
        let is_quiet = style.views == Views::default() && !style.columns;
        let of = |action: &Action| {
            let values = stored(program, action).filter(|_| is_quiet)?;
            Some(Dull { values, names_channels: mentions_channels(action) })
        };
        Ears { by_statement: program.statements.iter().map(|s| of(&s.action)).collect() }
    }

    /// Whether a step in a state need not be told.
    pub fn pass_over(&self, narrator: &Narrator<'_>, state: &[u8], by: Actor, id: StmtId) -> bool {
        let Some(dull) = &self.by_statement[id.index()] else { return false };
        if dull.names_channels && !narrator.has_numbered_all() {
            return false;
        }
        if dull.values.is_empty() {
            return true;
        }
        let pid = match by {
            Actor::Process(pid) => Some(pid),
            Actor::Claim => None,
        };
        let look = narrator.view.exec.look(state);
        dull.values.iter().all(|(scalar, value)| {
            look.value(pid, value).is_some_and(|value| scalar.truncate(value) == value)
        })
    }
}

/// What a statement stores, unless it has to be told anyway.
fn stored(program: &Program, action: &Action) -> Option<Vec<(Scalar, Value)>> {
    let checked = |scalar: Scalar, e: &Expr| {
        let fits = scalar == Scalar::I32 || is_within(scalar, e);
        (!fits).then(|| (scalar, Value::new(e)))
    };
    match action {
        Action::Skip | Action::Else | Action::Receive(_) => Some(Vec::new()),
        Action::Condition(e) | Action::Assert(e) => (!starts(e)).then(Vec::new),
        Action::Assign(pairs) if pairs.iter().any(|(_, e)| starts(e)) => None,
        Action::Assign(pairs) => {
            Some(pairs.iter().filter_map(|(place, e)| checked(place.scalar, e)).collect())
        }
        Action::Send(send) => {
            // Any channel may be meant.
            let fields =
                program.channel_types.iter().flat_map(|ty| ty.fields.iter().zip(&send.args));
            Some(fields.filter_map(|(scalar, e)| checked(*scalar, e)).collect())
        }
        _ => None,
    }
}

/// Whether processes are started.
fn starts(e: &Expr) -> bool {
    let mut found = false;
    e.walk(&mut |part: &Expr| found |= matches!(part, Expr::Run(_)));
    found
}

/// Whether the value of an expression certainly fits.
fn is_within(scalar: Scalar, e: &Expr) -> bool {
    match e {
        Expr::Const(value) => scalar.truncate(*value) == *value,
        Expr::Load(place) => place.scalar == scalar,
        _ => false,
    }
}
