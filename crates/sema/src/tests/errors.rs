//! One source per error.

use super::check_errors;

#[test]
fn places() {
    check_errors("mtype = { A }; init { A = 1 }", &["P0226@1:23"]);
    check_errors("proctype P() { skip } init { run P(); P = 1 }", &["P0204@1:39"]);
    check_errors("typedef T { byte a } T x, y; init { x = y }", &["P0207@1:37", "P0207@1:41"]);
    check_errors("typedef T { byte a } T x; init { x.b = 1 }", &["P0205@1:36"]);
    check_errors("byte x; init { x.a = 1 }", &["P0206@1:18"]);
    check_errors("byte x; init { x[1] = 1 }", &["P0208@1:18"]);
    check_errors("byte x; init { x = _ }", &["P0225@1:20"]);
    check_errors("init { _ == 1 }", &["P0225@1:8"]);
    check_errors("init { _++ }", &["P0225@1:8"]);
    check_errors("init { _pid = 1 }", &["P0226@1:8"]);
    check_errors("init { _last = 1 }", &["P0226@1:8"]);
}

#[test]
fn channels() {
    let c = "chan c = [1] of { byte, byte };\n";
    check_errors(&format!("{c}byte x; init {{ c?x, x }}"), &["P0229@2:21"]);
    check_errors(&format!("{c}byte x[2]; init {{ c?x[0], x[1] }}"), &[]);
    check_errors(&format!("{c}init {{ c?_pid, _ }}"), &["P0226@2:10"]);
    check_errors("byte c; init { c!1 }", &["P0228@1:16"]);
    check_errors("byte c; init { len(c) > 0 }", &["P0228@1:20"]);
    check_errors(&format!("{c}byte x; init {{ x = c + 1 }}"), &["P0227@2:20"]);
    check_errors(&format!("{c}init {{ c = 1 }}"), &["P0227@2:12"]);
    check_errors("chan c; init { c++ }", &["P0227@1:16"]);
    check_errors("chan c, d; init { c == d; d = c }", &[]);
}

#[test]
fn jumps() {
    check_errors("init { goto M }", &["P0231@1:13"]);
    check_errors("init { L: skip; L: skip }", &["P0232@1:17"]);
    check_errors("init { break }", &["P0234@1:8"]);
    check_errors("init { do :: skip od unless { break } }", &["P0234@1:31"]);
    check_errors("init { do :: { 0 } unless { break } od }", &[]);
    check_errors("init { do :: d_step { skip; break } od }", &["P0235@1:29"]);
    check_errors("init { d_step { do :: skip; break od; skip } }", &[]);
    check_errors("init { L: skip; d_step { skip; goto L } }", &["P0235@1:37"]);
    check_errors("init { goto L; d_step { skip; L: skip } }", &["P0235@1:13"]);
    check_errors("init { d_step { skip; L: skip; if :: goto L :: skip fi } }", &[]);
    check_errors("init { goto L; atomic { skip; L: skip } }", &[]);
}

#[test]
fn label_places() {
    check_errors("init { L: byte x; x = 1 }", &["P0110@1:8"]);
    check_errors("init { atomic { L: skip; skip } }", &["P0233@1:17"]);
    check_errors("init { d_step { L: skip; skip } }", &["P0233@1:17"]);
    check_errors("init { { L: skip; skip } }", &["P0233@1:10"]);
    check_errors("byte i; init { for (i : 1 .. 2) { L: skip } }", &[]);
    check_errors("init { L: { skip } unless { 0 } }", &[]);
    check_errors("init { { skip } unless M: skip }", &["P0233@1:24"]);
}

#[test]
fn choices_and_d_steps() {
    check_errors("init { if :: else :: else :: skip fi }", &["P0236@1:22"]);
    check_errors("init { d_step { skip; { skip } unless { skip } } }", &["P0237@1:23"]);
    check_errors(
        "active proctype P() { L: skip } active proctype Q() { d_step { P@L } }",
        &["P0237@1:64"],
    );
    check_errors("init { { chan c = [1] of { byte }; } }", &["P0238@1:8"]);
}

#[test]
fn probes_stay_positive() {
    let q = "chan q = [1] of { byte };\n";
    check_errors(&format!("{q}init {{ if :: nfull(q) && (empty(q) || len(q) > 0) fi }}"), &[]);
    check_errors(&format!("{q}init {{ if :: !full(q) fi }}"), &["P0108@2:15"]);
}

#[test]
fn monitors() {
    let g = "byte x; chan c = [1] of { byte }; init { c!x }\n";
    check_errors(&format!("{g}never {{ c!1 }}"), &["P0240@2:9"]);
    check_errors(&format!("{g}trace {{ c!1; x = 1 }}"), &["P0241@2:14"]);
    check_errors(&format!("{g}trace {{ c!!1 }}"), &["P0241@2:9"]);
    check_errors(&format!("{g}trace {{ c!1 }} notrace {{ c?1 }}"), &["P0242@2:15"]);
    check_errors(&format!("{g}never a {{ skip }} never a {{ skip }}"), &["P0242@2:24"]);
    check_errors(&format!("{g}ltl a {{ <> x }} ltl a {{ [] x }}"), &["P0242@2:20"]);
    check_errors("init { np_ }", &["P0243@1:8"]);
    check_errors("active proctype P() { L: skip } never { P@M }", &["P0231@1:43"]);
    check_errors("active proctype P() { skip } never { P:w == 0 }", &["P0244@1:40"]);
    check_errors("init { skip } never { R@L }", &["P0222@1:23"]);
}

#[test]
fn loops_need_counters() {
    check_errors("chan c; init { for (c : 1 .. 2) { skip } }", &["P0239@1:21"]);
    check_errors("byte i, j; init { for (i in j) { skip } }", &["P0239@1:29"]);
    check_errors(
        "byte m; chan c = [2] of { byte }; init { for (m in c) { skip } }",
        &["P0239@1:47"],
    );
}

#[test]
fn an_unknown_type_is_reported_once() {
    check_errors(
        "typedef T { U u } T t; V v; proctype P(W w) { w.a = 1 } init { v.x = 1; t.u.y = 2; run P(1) }",
        &["P0203@1:13", "P0203@1:24", "P0203@1:40"],
    );
}

#[test]
fn names_are_suggested() {
    for (src, meant) in [
        ("byte count; init { cuont = 1 }", "count"),
        ("byte x; init { do :: x < 3 -> x++ :: esle -> break od }", "else"),
        ("byte els; init { do :: els < 3 -> els++ :: tiemout -> break od }", "timeout"),
        ("byte else_; init { if :: els_ -> skip fi }", "else_"),
    ] {
        let analysis = crate::analyze(&super::parse(src));
        let help = analysis.diagnostics.iter().find_map(|d| d.help.clone());
        assert_eq!(help, Some(format!("did you mean `{meant}`?")), "{src}");
    }
}

/// What SPIN refuses (reference, appendix B), as far as it can be seen before
/// the model runs.
#[test]
fn appendix_b() {
    for src in [
        "int x; init { x = 0x10 }",
        "chan q = [0] of {byte}; init { if :: !full(q) -> skip fi }",
        "chan q = [1] of {byte,byte}; byte x; init { q?x,x }",
        "proctype A() { skip } init { run A() && run A() }",
        "proctype A() { skip } init { if :: run A() > 0 -> skip fi }",
        "proctype A(byte a, b) { skip } init { run A(1) }",
        "proctype A() { skip }",
        "init { byte x; { byte x; x = 1 } }",
        "byte x; init { byte x; x = 1 }",
        "byte a = b; byte b = 3; init { skip }",
        "init { if :: else -> skip :: else -> skip fi }",
        "init { L: skip; d_step { skip; goto L } }",
        "init { goto L; d_step { skip; L: skip } }",
        "init { do :: d_step { skip; break } od }",
        "proctype A() { skip } init { d_step { run A() } }",
        "hidden bit h; init { skip }",
        "typedef T { byte a }; T x, y; init { x = y }",
        "byte x; init { x = _ }",
        "byte x, y; init { x = y = 1 }",
        "byte x; init { (x++ > 0) }",
        "chan q = [1] of {byte}; init { q!1 } never { q!1 }",
    ] {
        let parsed = spinor_syntax::parse(
            "m.pml",
            src,
            &spinor_syntax::PreprocessOptions::default(),
            &spinor_syntax::NoFiles,
        );
        let analysis = crate::analyze(&parsed);
        let mut all = parsed.diagnostics.iter().chain(&analysis.diagnostics);
        assert!(all.any(|d| d.is_error()), "accepted: {src}");
    }
}

/// What SPIN refuses without need, and we do not.
#[test]
fn more_is_accepted() {
    for src in [
        "never { P@L } active proctype P() { L: skip }",
        "active proctype P() { P@L; L: skip }",
        "typedef T { byte a; byte b[2] } T t; byte i; init { for (t.a : 1 .. 2) { skip } for (i in t.b) { skip } }",
        "typedef U { byte q } typedef T { byte a; U b[2] } chan c = [1] of { T }; T t; init { c!t; c?t }",
        "init { L: skip; { skip; L: skip; goto L } }",
        "byte L; init { L: L = 1 }",
        "chan c = [1] of { byte }; init { xr c; if :: c?_ :: else fi }",
    ] {
        check_errors(src, &[]);
    }
}

#[test]
fn states_are_bounded() {
    check_errors("int a[1000000000]; init { a[0] = 1 }", &["P0211@1:5"]);
    let doubled: String =
        (1..60).map(|i| format!("typedef T{i} {{ T{0} a; T{0} b }};", i - 1)).collect();
    check_errors(
        &format!("typedef T0 {{ byte b }}; {doubled}\nT59 t; init {{ skip }}"),
        &["P0211@2:5"],
    );
    check_errors("active [100] proctype p() { int a[900000]; a[0] = 1 }", &["P0211@1:1"]);
    check_errors("chan c[200] = [60000] of { int, int }; init { c[0]!1,2 }", &["P0211@1:15"]);
    check_errors("active [100] proctype p() { int a[20000]; a[0] = 1 }", &[]);
}
