//! What kind of automaton or property a formula gives.

use spinor_ltl::{
    Formula, Limits, Strength, degeneralize, is_stutter_invariant, parse, strength, translate,
};

fn formula(text: &str) -> Formula {
    parse(text).expect(text)
}

#[test]
fn strengths() {
    for (text, expected) in [
        ("<>p", Strength::Terminal),
        ("p U q", Strength::Terminal),
        ("[]p", Strength::Weak),
        ("<>[]p", Strength::Weak),
        ("p W q", Strength::Weak),
        ("[]<>p", Strength::Strong),
        ("[](p -> <>q)", Strength::Strong),
        ("false", Strength::Terminal),
    ] {
        let tgba = translate(&formula(text), &Limits::default()).expect(text);
        assert_eq!(strength(&tgba), expected, "{text}");
        assert_eq!(strength(degeneralize(&tgba).as_tgba()), expected, "{text}");
    }
}

#[test]
fn determinism() {
    for (text, expected) in
        [("[](p -> <>q)", true), ("[]<>p", true), ("p U q", true), ("<>[]p", false)]
    {
        let tgba = translate(&formula(text), &Limits::default()).expect(text);
        assert_eq!(tgba.is_deterministic(), expected, "{text}");
    }
    let always = translate(&formula("[]p"), &Limits::default()).expect("small");
    assert!(!always.is_complete());
}

#[test]
fn stuttering() {
    for (text, expected) in [
        ("p U q", true),
        ("X p", false),
        ("<>X p", false),
        ("X <>[]p", true),
        ("p && X true", true),
        ("<>(p && X !p)", true),
        ("p && X p", false),
        ("[]((a && b && c && d) -> <>(e && f && g && (h || X i)))", false),
        ("<>(a && b && c && d && e && f && g && h && X (!a && b))", true),
        ("X <>[](a && b && c && d && e && f && g && h)", true),
    ] {
        let found = is_stutter_invariant(&formula(text), &Limits::default()).expect(text);
        assert_eq!(found, Some(expected), "{text}");
    }
}

#[test]
fn equal_formulas_give_equal_automata() {
    for (f, g) in [
        ("[]<>(p || q)", "[]<>p || []<>q"),
        ("p W q", "[]p || (p U q)"),
        ("!(p U q)", "!p V !q"),
        ("<>[]p && <>[]q", "<>[](p && q)"),
        ("[](p U q)", "[](p || q) && []<>q"),
    ] {
        let size = |text| translate(&formula(text), &Limits::default()).expect(text).size();
        assert_eq!(size(f), size(g), "{f} and {g}");
    }
}
