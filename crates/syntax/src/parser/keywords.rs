//! Words with a fixed meaning.

/// Whether `word` can never be a name. `in` is one only inside `for (…)`.
pub(super) fn is_keyword(word: &str) -> bool {
    is_type(word) || is_visibility(word) || starts_item(word) || OTHER.contains(&word)
}

/// Words that begin a type.
pub(super) fn is_type(word: &str) -> bool {
    matches!(
        word,
        "bit" | "bool" | "byte" | "short" | "int" | "unsigned" | "pid" | "chan" | "mtype"
    )
}

/// Prefixes of a declaration.
pub(super) fn is_visibility(word: &str) -> bool {
    matches!(word, "hidden" | "show" | "local")
}

/// Words that stand only outside bodies and end one that is not closed.
pub(super) fn ends_body(word: &str) -> bool {
    matches!(
        word,
        "active" | "proctype" | "D_proctype" | "init" | "never" | "trace" | "notrace" | "ltl"
    )
}

/// Words that begin a top-level unit, declarations apart.
pub(super) fn starts_item(word: &str) -> bool {
    ends_body(word) || matches!(word, "typedef" | "inline" | "c_decl" | "c_state" | "c_track")
}

/// Words that begin a statement and nothing else.
pub(super) fn starts_stmt(word: &str) -> bool {
    matches!(
        word,
        "if" | "do"
            | "for"
            | "select"
            | "atomic"
            | "d_step"
            | "goto"
            | "break"
            | "else"
            | "assert"
            | "printf"
            | "printm"
            | "set_priority"
            | "c_code"
            | "xr"
            | "xs"
            | "return"
    )
}

const OTHER: &[&str] = &[
    "assert",
    "atomic",
    "break",
    "c_code",
    "c_expr",
    "d_step",
    "do",
    "else",
    "empty",
    "enabled",
    "eval",
    "false",
    "fi",
    "for",
    "full",
    "get_priority",
    "goto",
    "if",
    "len",
    "nempty",
    "nfull",
    "np_",
    "od",
    "of",
    "pc_value",
    "printf",
    "printm",
    "priority",
    "provided",
    "return",
    "run",
    "select",
    "set_priority",
    "skip",
    "timeout",
    "true",
    "unless",
    "xr",
    "xs",
];
