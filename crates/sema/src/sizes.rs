//! How much a model may hold: states are kept as a whole, and in great number.

use crate::analyzer::{Analyzer, BodyKind};
use crate::codes;
use crate::declare::DeclSite;
use crate::hir::Type;
use spinor_base::{Diagnostic, Span};
use spinor_syntax::ast::VarDecl;

/// Values that the variables and channels of a model can hold together.
const MAX_VALUES: u64 = 1 << 24;
/// Values that one variable or channel of a process can hold: there may be many
/// such processes.
const MAX_LOCAL: u64 = 1 << 20;

impl Analyzer<'_> {
    /// Values that a variable of this type holds.
    pub(crate) fn values_of(&self, ty: Type, array: Option<u32>) -> u64 {
        let one = match ty {
            Type::Struct(id) => self.struct_values[id.index()],
            _ => 1,
        };
        one.saturating_mul(u64::from(array.unwrap_or(1)))
    }

    /// Type and size of a variable if there is room for it; else those of a
    /// small one, left alone from then on.
    pub(crate) fn bounded(
        &mut self,
        decl: &VarDecl,
        ty: Type,
        array: Option<u32>,
        site: DeclSite,
    ) -> (Type, Option<u32>) {
        let values = self.values_of(ty, array);
        // A record holds nothing before it is the type of a variable.
        let is_field = site == DeclSite::Field;
        if is_field || self.has_room(values, decl.name.span, &format!("`{}`", decl.name.name)) {
            return (ty, array);
        }
        self.poisoned.insert(decl.name.span);
        (Type::Int, array.map(|_| 1))
    }

    /// Counts the values of a declaration; says whether there is room for them.
    pub(crate) fn has_room(&mut self, values: u64, span: Span, what: &str) -> bool {
        let is_local = matches!(self.body.kind, BodyKind::Proctype(_));
        let most = if is_local { MAX_LOCAL } else { MAX_VALUES };
        self.reserve(values, most, span, what)
    }

    /// Counts the values of all further processes of an active proctype.
    pub(crate) fn reserve_copies(&mut self, values: u64, copies: u32, span: Span) {
        let values = values.saturating_mul(u64::from(copies));
        self.reserve(values, MAX_VALUES, span, "the other processes");
    }

    fn reserve(&mut self, values: u64, most: u64, span: Span, what: &str) -> bool {
        if values <= most && self.values.saturating_add(values) <= MAX_VALUES {
            self.values += values;
            return true;
        }
        let text = format!("there is no room for the {values} values of {what}");
        self.report.push(
            Diagnostic::error(codes::BAD_SIZE, span, text)
                .note(format!(
                    "one variable or channel of a process holds at most {MAX_LOCAL}, all of the \
                     model together {MAX_VALUES}"
                ))
                .help("every state holds them all: choose a smaller instance"),
        );
        false
    }
}
