//! pan's list of options.

use super::directives::Directives;
use crate::VERSION;

/// Options of every verifier, in pan's order.
const COMMON: [(&str, &str); 24] = [
    ("-A", "ignore assert() violations"),
    ("-b", "consider it an error to exceed the depth-limit"),
    ("-cN", "stop at Nth error (defaults to -c1)"),
    ("-D", "print state tables in dot-format and stop"),
    ("-d", "print state tables and stop"),
    ("-e", "create trails for all errors"),
    ("-E", "ignore invalid end states"),
    ("-f", "add weak fairness (to -a or -l)"),
    ("-i", "search for shortest path to error"),
    ("-I", "the same as -i"),
    ("-J", "reverse eval order of nested unlesses"),
    ("-mN", "max depth N steps; only bounds below 10000 are bounds"),
    ("-n", "no listing of unreached states"),
    ("-QN", "set time-limit on execution of N minutes"),
    ("-r [file]", "replay a trail; -rN the Nth one; can add -v, -PN, -C, -S"),
    ("-C", "replay a trail in columns"),
    ("-S", "replay a trail, show only what the model prints"),
    ("-T", "create trail files in read-only mode"),
    ("-tsuf", "replace .trail with .suf on trailfiles"),
    ("-V", "print the version number"),
    ("-v", "verbose"),
    ("-wN", "2^N bits with -DBITSTATE; tables grow by themselves otherwise"),
    ("-x", "do not overwrite an existing trail file"),
    ("-X", "messages to standard output"),
];

/// The text; which options there are depends on the directives.
pub(crate) fn text(directives: &Directives, claims: usize) -> String {
    let mut out = format!("{VERSION}\nValid Options are:\n");
    out.push_str(match () {
        () if directives.safety() => "\t-a,-l,-f  -> are disabled by -DSAFETY\n",
        () if directives.has("NP") => "\t-a  -> is disabled by -DNP (-DNP compiles for -l only)\n\t-l  find non-progress cycles\n",
        () => "\t-a  find acceptance cycles\n\t-l  find non-progress cycles -> disabled, requires compilation with -DNP\n",
    });
    for (option, what) in COMMON {
        out.push_str(&format!("\t{option}  {what}\n"));
    }
    if claims > 1 {
        out.push_str("\t-N cn -- use the claim named cn\n\t-Nn   -- use claim number n\n");
    }
    if directives.has("BITSTATE") {
        out.push_str("\t-kN set N bits per state (defaults to 3)\n\t-MN use N Megabytes for the bitstate table\n");
    }
    out
}
