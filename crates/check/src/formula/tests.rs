use super::*;
use crate::{Define, Input, LoadOptions, load};
use spinor_exec::{Exec, Options};
use spinor_ts::TransitionSystem as _;
use std::sync::Arc;

const MODEL: &str = "
#define busy (x > 2)
#define both (x > 2 && b)
#define IS(v, n) (v == n)
mtype = { red, green };
byte x = 3; bool b; byte a[4]; mtype m = green; chan q = [2] of { byte };
active proctype P() { byte y = 7; here: x = 4; away: goto there; there: y = 1 }
ltl safe { [] (x < 5) }
ltl live { <> b }
ltl { [] b }
";

fn loaded(model: &str) -> Loaded {
    let input = Input::Text { name: "m.pml".into(), bytes: model.into() };
    let loaded = load(&input, &LoadOptions::default()).expect("a text can be read");
    assert!(loaded.is_usable(), "{:?}", loaded.diagnostics);
    loaded
}

/// The formula over atoms, and the atoms as written.
fn read(text: &str) -> (String, Vec<String>) {
    let spec = of_text(&loaded(MODEL), text).unwrap_or_else(|e| panic!("{text}: {e}"));
    (spec.formula.to_string(), spec.atoms.into_iter().map(|a| a.text).collect())
}

#[track_caller]
fn check(text: &str, formula: &str, atoms: &[&str]) {
    let (found, texts) = read(text);
    assert_eq!((found.as_str(), texts), (formula, atoms.iter().map(|&a| a.to_owned()).collect()));
}

#[track_caller]
fn refused(text: &str, reason: &str) {
    let error = read_text(&loaded(MODEL), text).expect_err("it is wrong");
    assert_eq!(error.reason(), reason);
}

fn initial_values(model: &str, text: &str) -> Vec<i32> {
    let loaded = loaded(model);
    let program = loaded.program.clone().expect("it is usable");
    let mut exec = Exec::new(Arc::clone(&program), Options::default());
    let state = exec.initial().expect("no error yet");
    let spec = of_text(&loaded, text).unwrap_or_else(|e| panic!("{text}: {e}"));
    spec.atoms.iter().map(|a| exec.evaluate(&state, None, &a.expr)).collect()
}

#[test]
fn predicates_are_taken_apart_and_equal_ones_are_one() {
    check("[] (x > 3 && b)", "[](p0 && p1)", &["x > 3", "b"]);
    check("[] (b -> <> !b)", "[](p0 -> <>!p0)", &["b"]);
    check("<> (x == 2) && [] (x != 2)", "<>p0 && []!p0", &["x == 2"]);
    check("[] (x >= 2) || <> (x < 2)", "[]p0 || <>!p0", &["x >= 2"]);
    check("[] (b <-> x > 1)", "[](p0 <-> p1)", &["b", "x > 1"]);
    check("[] true", "[]true", &[]);
}

#[test]
fn a_part_that_may_err_stays_with_its_guard() {
    check("[] (x < 4 && a[x] == 0)", "[]p0", &["x < 4 && a[x] == 0"]);
    check("[] (x == 0 || 8 / x > 1)", "[]p0", &["x == 0 || 8 / x > 1"]);
    check("[] (b && len(q) == 0)", "[](p0 && p1)", &["b", "len(q) == 0"]);
    check("[] (b && a[1] == 0)", "[](p0 && p1)", &["b", "a[1] == 0"]);
}

#[test]
fn macros_of_the_model_are_known() {
    check("[] busy", "[]p0", &["busy"]);
    check("[] both", "[](p0 && p1)", &["x > 2", "b"]);
    check("<> IS(m, red)", "<>p0", &["IS(m, red)"]);
}

#[test]
fn definitions_of_the_command_line_are_known() {
    let input = Input::Text {
        name: "m.pml".into(),
        bytes: b"byte x = N; active proctype P() { x = SQ(2) }".to_vec(),
    };
    let define = |name: &str, value: &str| Define::Define(name.into(), value.into());
    let defines = vec![define("N", "3"), define("SQ(v)", "(v * v)")];
    let options = LoadOptions { defines, ..LoadOptions::default() };
    let loaded = load(&input, &options).expect("a text can be read");
    let spec = of_text(&loaded, "[] (x <= SQ(N))").expect("it is a formula");
    assert_eq!(spec.atoms[0].text, "x <= SQ(N)");
}

#[test]
fn names_of_blocks_stand_for_their_formulas() {
    check("safe && <> live", "[]p0 && <><>p1", &["x < 5", "b"]);
    check("!(safe || b) -> ltl_2", "!!([]p0 || p1) || []p1", &["x < 5", "b"]);
}

#[test]
fn atoms_have_values_in_states() {
    let values = |text| initial_values(MODEL, text);
    assert_eq!(values("[] (x == 3)"), [1]);
    assert_eq!(values("[] (m == green && m == red)"), [1, 0]);
    assert_eq!(values("[] (P@here && P:y == 7 && P[0]:y == 7 && P@there)"), [1, 1, 1, 0]);
    assert_eq!(values("[] (empty(q) && _nr_pr == 1)"), [1, 1]);
}

#[test]
fn blocks_and_text_agree() {
    let loaded = loaded(MODEL);
    let model = loaded.model.as_ref().expect("it is usable");
    let block = of_block(&loaded, &model.ltl[0]).expect("it is a formula");
    let text = of_text(&loaded, "[] (x < 5)").expect("it is a formula");
    assert_eq!((block.formula, block.atoms), (text.formula, text.atoms));
}

#[test]
fn the_last_process_is_kept_for_blocks() {
    let model = "bit b; active [2] proctype P() { b = 1 } ltl { [] (_last == 0) }";
    assert_eq!(initial_values(model, "[] (_last == 0)"), [1]);
    assert!(loaded(model).program.is_some_and(|p| p.uses_last));
}

#[test]
fn wrong_formulas_are_refused_with_their_place() {
    refused("[] (grean > 3)", "`grean` is not declared (column 5); did you mean `green`?");
    refused("[] (P@her)", "proctype `P` has no label `her` (column 7); did you mean `here`?");
    refused("[] (x > 3", "expected `)`, found the end of the text (column 10)");
    refused("\n[] (x > 3", "expected `)`, found the end of the text (line 2, column 10)");
    refused(
        "p } byte z; ltl w { [] b",
        "expected an operator or the end of the formula, found `}` (column 3)",
    );
    refused("", "expected an expression, found the end of the text (column 1)");
    refused(
        "[] P@away",
        "this label marks a jump, where no process ever stops (column 4); put `skip;` between \
         the label and the jump, or write the formula in an `ltl` block",
    );
    refused(
        "[] (_last == 0)",
        "the states of this model do not keep `_last` (column 5); write the formula in an `ltl` \
         block of the model",
    );
}

#[test]
fn a_doubtful_formula_gets_a_warning() {
    let spec = read_text(&loaded(MODEL), "[] x != 3").expect("it is a formula");
    let remarks = spec.remarks.expect("there is a warning");
    assert_eq!(remarks.diagnostics.len(), 1);
    assert_eq!(remarks.sources.text(remarks.diagnostics[0].primary), "[]");
    assert!(read_text(&loaded(MODEL), "[] (x != 3)").expect("fine").remarks.is_none());
}

#[test]
fn there_are_at_most_as_many_atoms_as_bits() {
    let sum = |n: usize| (0..n).map(|i| format!("<> (x == {i})")).collect::<Vec<_>>().join(" && ");
    assert_eq!(of_text(&loaded(MODEL), &sum(64)).expect("just so").atoms.len(), 64);
    let error = of_text(&loaded(MODEL), &sum(65)).expect_err("one too many");
    assert!(error.to_string().contains("at most 64 propositions"), "{error}");
}

#[test]
fn deep_formulas_are_read_or_refused() {
    for depth in [500, 1_500, 100_000] {
        let text = format!("{}b{}", "[] (".repeat(depth), ")".repeat(depth));
        let result = of_text(&loaded(MODEL), &text);
        assert_eq!(result.is_ok(), depth < 1_000, "{depth}");
    }
}

#[test]
fn garbage_never_panics() {
    const PIECES: [&str; 40] = [
        "x",
        "b",
        "a",
        "[",
        "]",
        "(",
        ")",
        "{",
        "}",
        "[]",
        "<>",
        "!",
        "U",
        "V",
        "W",
        "X",
        "&&",
        "||",
        "->",
        "<->",
        "==",
        "<",
        "1",
        "9999999999",
        "é",
        "\u{0}",
        "P",
        "@",
        "here",
        ":",
        "busy",
        "both",
        "IS",
        ",",
        "#define b",
        "\n",
        "/*",
        "//",
        "\\",
        "safe",
    ];
    let loaded = loaded(MODEL);
    let (mut state, mut good) = (1_u64, 0);
    let mut next = |n: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % n
    };
    for _ in 0..1_000 {
        let text: Vec<&str> = (0..next(12)).map(|_| PIECES[next(PIECES.len())]).collect();
        let text = text.join(if next(2) == 0 { " " } else { "" });
        match read_text(&loaded, &text) {
            Ok(_) => good += 1,
            Err(error) => assert!(!error.reason().is_empty(), "{text}"),
        }
    }
    assert!(good > 5, "{good}");
}
