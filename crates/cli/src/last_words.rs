//! What is said of a check that the memory does not suffice for, not even to report it.

use serde_json::json;
use spinor_check::LastWords;
use std::path::Path;

const REASON: &str = "the system gave no more memory";

/// Lays it down, while there is memory to do so.
pub(crate) fn prepare(model: &Path, is_json: bool) {
    let report = if is_json {
        let result = json!({
            "property": null,
            "verdict": "incomplete",
            "complete": false,
            "limits": [REASON],
            "search": null,
            "stats": null,
            "errors": [],
            "error_count": 0,
            "unreached": null,
            "notes": [],
        });
        let document = json!({
            "spinor": env!("CARGO_PKG_VERSION"),
            "model": model.to_string_lossy(),
            "results": [result],
            "diagnostics": [],
        });
        format!("{document:#}\n")
    } else {
        format!("incomplete: {REASON}, and the search was lost\n")
    };
    let message = b"error: too little memory to go on\n".to_vec();
    let code = crate::exit::INCOMPLETE;
    spinor_check::set_last_words(LastWords { report: report.into_bytes(), message, code });
}
