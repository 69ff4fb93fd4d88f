//! Names of Promela variables in C.

use spinor_sema::hir::{Model, Proctype, Type, Variable};
use std::collections::HashMap;

/// Words that cannot be names in C or C++.
const KEYWORDS: &[&str] = &[
    "alignas",
    "alignof",
    "and",
    "and_eq",
    "asm",
    "auto",
    "bitand",
    "bitor",
    "bool",
    "break",
    "case",
    "catch",
    "char",
    "class",
    "compl",
    "concept",
    "const",
    "consteval",
    "constexpr",
    "constinit",
    "const_cast",
    "continue",
    "decltype",
    "default",
    "delete",
    "do",
    "double",
    "dynamic_cast",
    "else",
    "enum",
    "explicit",
    "export",
    "extern",
    "false",
    "float",
    "for",
    "friend",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "not",
    "not_eq",
    "nullptr",
    "operator",
    "or",
    "or_eq",
    "private",
    "protected",
    "public",
    "register",
    "reinterpret_cast",
    "requires",
    "restrict",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "static_assert",
    "static_cast",
    "struct",
    "switch",
    "template",
    "this",
    "thread_local",
    "throw",
    "true",
    "try",
    "typedef",
    "typeid",
    "typename",
    "typeof",
    "union",
    "unsigned",
    "using",
    "virtual",
    "void",
    "volatile",
    "wchar_t",
    "while",
    "xor",
    "xor_eq",
];

/// Whether a Promela name can be one in C; the others cannot be reached from there.
pub(crate) fn is_usable(name: &str) -> bool {
    !KEYWORDS.contains(&name)
}

/// The names of the locals of a proctype in C: those of inner scopes that have the name of another
/// one get a number in front.
pub(crate) fn locals_in_c(proctype: &Proctype) -> Vec<String> {
    let mut met: HashMap<&str, u32> = HashMap::new();
    let rename = |local: &Variable, count: u32| match count {
        1 => local.name.to_string(),
        n => format!("_{n}_{}", local.name),
    };
    let mut names = Vec::new();
    for local in &proctype.locals {
        let count = met.entry(&local.name).or_default();
        *count += 1;
        names.push(rename(local, *count));
    }
    names
}

/// How many scalars a variable is.
pub(crate) fn scalars_of(model: &Model, var: &Variable) -> usize {
    let one = match var.ty {
        Type::Struct(id) => {
            model.structs[id.index()].fields.iter().map(|f| scalars_of(model, f)).sum()
        }
        _ => 1,
    };
    one * var.array.unwrap_or(1) as usize
}

/// The characters of a name.
pub(crate) fn is_word(c: char) -> bool {
    c == '_' || c.is_ascii_alphanumeric()
}
