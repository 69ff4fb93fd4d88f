//! Never claims, as SPIN prints and reads them.

use super::operand;
use crate::automaton::Buchi;
use crate::bdd::Label;
use crate::guard::Notation;

/// The claim that accepts what `automaton` does; `comment` is put beside the opening brace.
pub fn print(automaton: &Buchi, comment: Option<&str>) -> String {
    let mut bdd = automaton.bdd().clone();
    let atoms = automaton.atoms();
    let atom = |v: u32| operand(&atoms[v as usize]);
    let mut out = String::from("never {");
    if let Some(comment) = comment {
        // A comment must not end before its time.
        out.push_str(&format!("    /* {} */", comment.replace("*/", "* /").replace('\n', " ")));
    }
    out.push('\n');
    let order = std::iter::once(automaton.initial())
        .chain((0..automaton.len()).filter(|&s| s != automaton.initial()));
    for s in order {
        out.push_str(&format!("{}:\n", name(automaton, s)));
        let edges = automaton.edges(s);
        if edges.is_empty() {
            out.push_str("\tfalse;\n");
            continue;
        }
        if is_accept_all(automaton, s) {
            out.push_str("\tskip\n");
            continue;
        }
        out.push_str("\tdo\n");
        for e in edges {
            let guard = Notation::PROMELA.write(e.label, &mut bdd, atom);
            out.push_str(&format!("\t:: ({guard}) -> goto {}\n", name(automaton, e.target)));
        }
        out.push_str("\tod;\n");
    }
    out.push_str("}\n");
    out
}

/// A claim that ends has accepted, so this state needs no loop; but only one
/// state may be written so, and it must come last.
fn is_accept_all(automaton: &Buchi, s: usize) -> bool {
    let [e] = automaton.edges(s) else { return false };
    s + 1 == automaton.len()
        && s != automaton.initial()
        && automaton.is_accepting(s)
        && e.target == s
        && e.label == Label::TRUE
}

fn name(automaton: &Buchi, s: usize) -> String {
    let kind = if automaton.is_accepting(s) { "accept" } else { "T0" };
    if s == automaton.initial() {
        format!("{kind}_init")
    } else if is_accept_all(automaton, s) {
        "accept_all".to_owned()
    } else {
        format!("{kind}_S{s}")
    }
}
