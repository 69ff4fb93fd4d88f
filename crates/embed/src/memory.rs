//! What C code remembers outside of the states.

use crate::elf;
use crate::names::is_word;
use spinor_sema::hir::{EmbeddedC, Model, Storage};

/// Functions of the C library that remember nothing.
const HARMLESS: &[&str] = &[
    "_setjmp",
    "longjmp",
    "__longjmp_chk",
    "__stack_chk_fail",
    "__cxa_finalize",
    "__gmon_start__",
    "_ITM_deregisterTMCloneTable",
    "_ITM_registerTMCloneTable",
    "__assert_fail",
    "vsnprintf",
    "snprintf",
    "sprintf",
    "vsprintf",
    "__sprintf_chk",
    "__snprintf_chk",
    "__vsnprintf_chk",
    "sscanf",
    "__isoc99_sscanf",
    "__isoc23_sscanf",
    "qsort",
    "bsearch",
    "abs",
    "labs",
    "llabs",
    "div",
    "ldiv",
    "atoi",
    "atol",
    "atof",
    "strtol",
    "strtoul",
    "strtoll",
    "strtoull",
    "__isoc23_strtol",
    "__isoc23_strtoul",
    "strtod",
    "toupper",
    "tolower",
    "__ctype_b_loc",
    "__ctype_toupper_loc",
    "__ctype_tolower_loc",
    "__errno_location",
    "abort",
    "__gxx_personality_v0",
    "_Unwind_Resume",
];

/// Beginnings of names of functions that work on the memory they are given, or on nothing but numbers.
const HARMLESS_FAMILIES: &[&str] = &[
    "mem", "__mem", "str", "__str", "is", "sin", "cos", "tan", "asin", "acos", "atan", "exp",
    "log", "pow", "sqrt", "floor", "ceil", "round", "fabs", "fmod", "fmin", "fmax", "hypot",
    "cbrt", "trunc", "lround", "rint",
];

/// Variables that the compiler and the linker add, and our own.
const ADDED: &[&str] =
    &["now", "_this", "__dso_handle", "_DYNAMIC", "_GLOBAL_OFFSET_TABLE_", "__TMC_END__", "DW"];

/// What a shared object keeps in memory that no state knows of, for the user.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct OwnMemory {
    /// All of it.
    pub all: Option<String>,
    /// Variables that nobody declared to be outside of the states.
    pub undeclared: Vec<String>,
}

/// Looks for memory in the shared object of a model.
pub(crate) fn own_memory(bytes: &[u8], model: &Model) -> OwnMemory {
    let Some(symbols) = elf::symbols(bytes) else {
        return OwnMemory {
            all: Some("memory that cannot be looked at".into()),
            ..OwnMemory::default()
        };
    };
    let embedded = &model.embedded;
    let known: Vec<&str> = known_variables(model, embedded);
    let mut variables: Vec<String> = symbols
        .variables
        .into_iter()
        // `stdout@…` and its like belong to others.
        .filter(|name| !name.contains('@'))
        // A number behind a dot tells variables inside of functions apart.
        .map(|name| plain(name.split('.').next().unwrap_or_default()).to_owned())
        .filter(|name| {
            !ADDED.contains(&&**name) && !name.starts_with("spinor_") && name != "completed"
        })
        .filter(|name| !known.contains(&&**name))
        .collect();
    variables.sort();
    variables.dedup();
    let mut imports: Vec<String> =
        symbols.imports.into_iter().filter(|name| !is_harmless(name)).collect();
    imports.sort();
    imports.dedup();
    let hidden = |name: &&String| {
        !embedded
            .states
            .iter()
            .any(|s| s.storage == Storage::Hidden && mentions(&s.declaration, name))
    };
    let undeclared = variables.iter().filter(hidden).cloned().collect();
    let quoted = |names: &[String]| {
        let shown: Vec<String> = names.iter().take(5).map(|n| format!("`{n}`")).collect();
        let more = if names.len() > 5 { ", …" } else { "" };
        format!("{}{more}", shown.join(", "))
    };
    let all = match (&variables[..], &imports[..]) {
        ([], []) => None,
        (vars, []) => Some(format!("variables {}", quoted(vars))),
        ([], funs) => Some(format!("functions {}", quoted(funs))),
        (vars, funs) => Some(format!("variables {}, functions {}", quoted(vars), quoted(funs))),
    };
    OwnMemory { all, undeclared }
}

/// Variables whose values are in the states: tracked ones, and hidden ones of the model.
fn known_variables<'a>(model: &'a Model, embedded: &'a EmbeddedC) -> Vec<&'a str> {
    let tracked = embedded.tracks.iter().flat_map(|t| words(&t.address));
    let hidden = model.globals.iter().filter(|g| g.hidden).map(|g| &*g.name);
    tracked.chain(hidden).collect()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c| !is_word(c)).filter(|w| !w.is_empty())
}

/// The name of a variable as it is written: C++ puts `_ZL` and a number in front of those of one file.
fn plain(name: &str) -> &str {
    let rest = name.strip_prefix("_ZL").or_else(|| name.strip_prefix("_Z"));
    match rest.map(|rest| (rest, rest.trim_start_matches(|c: char| c.is_ascii_digit()))) {
        Some((numbered, name)) if numbered.len() > name.len() => name,
        _ => name,
    }
}

fn mentions(text: &str, name: &str) -> bool {
    words(text).any(|w| w == name)
}

fn is_harmless(name: &str) -> bool {
    let stateful = ["strtok", "strerror", "strsignal", "isatty", "memfd_create", "logout", "login"];
    let name = name.split('@').next().unwrap_or_default();
    HARMLESS.contains(&name)
        || (HARMLESS_FAMILIES.iter().any(|f| name.starts_with(f)) && !stateful.contains(&name))
}

/// The number of the user who runs this.
#[cfg(unix)]
#[allow(unsafe_code)]
pub(crate) fn user() -> u32 {
    // SAFETY: it only looks at the process and cannot fail.
    unsafe { libc::geteuid() }
}
