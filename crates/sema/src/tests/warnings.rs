//! Warnings, and silence on good models.

use super::check_warnings;

#[test]
fn unused() {
    check_warnings("byte x; init { skip }", &["P0300@1:6"]);
    check_warnings("init { byte x; skip }", &["P0300@1:13"]);
    check_warnings("inline f() { byte x; skip } init { f(); f() }", &["P0300@1:19"]);
    check_warnings("proctype P() { skip } init { skip }", &["P0301@1:1"]);
    check_warnings("inline f() { skip } init { skip }", &["P0302@1:8"]);
    check_warnings("byte x; init { skip } ltl { [] (x == 0) }", &[]);
}

#[test]
fn unreachable() {
    check_warnings("init { L: skip; goto L; skip; skip }", &["P0303@1:25"]);
    check_warnings("init { do :: skip; skip od; skip }", &["P0303@1:29"]);
    check_warnings("init { do :: break; skip od; skip }", &["P0303@1:21"]);
    check_warnings("init { do :: skip :: goto L od; L: skip }", &[]);
    check_warnings("init { if :: goto L :: break_it: skip fi; skip; L: skip }", &["P0313@1:24"]);
    check_warnings("byte i; init { for (i : 1 .. 2) { break } skip }", &[]);
    check_warnings("init { { do :: skip od } unless { skip }; skip }", &[]);
}

#[test]
fn truncation() {
    check_warnings(
        "byte x; bit y; unsigned u : 3; short s; init { x = 256; y = 2; u = 8; s = -32769 }",
        &["P0304@1:52", "P0304@1:61", "P0304@1:68", "P0304@1:75"],
    );
    check_warnings("byte x = -1; init { x = 255; x = x + 1000 }", &["P0304@1:10"]);
    check_warnings("bit y[2]; init { y[0] = 2 }", &[]);
}

#[test]
fn channels() {
    let c = "chan c = [1] of { byte };\n";
    check_warnings(&format!("{c}byte x; init {{ c!1, 2; c?x }}"), &["P0310@2:16"]);
    check_warnings(&format!("{c}init {{ if :: c?_ :: else fi }}"), &["P0305@2:21"]);
    check_warnings(&format!("{c}init {{ if :: c?[_] :: else fi }}"), &[]);
    check_warnings("init { { chan c = [1] of { byte }; c!1 } }", &["P0311@1:15"]);
    check_warnings(
        &format!("{c}active proctype A() {{ xr c; c?_ }} active proctype B() {{ xr c; c?_ }}"),
        &["P0321@2:60"],
    );
}

#[test]
fn arrays() {
    check_warnings(
        "byte a[2], b; init { a = 1; b = a; b[0] = 1 }",
        &["P0307@1:22", "P0307@1:33", "P0308@1:38"],
    );
    check_warnings("init { skip; int a[2] = 5; a[1] = 1 }", &["P0312@1:18"]);
}

#[test]
fn obvious_run_time_errors() {
    check_warnings("byte a[2]; init { a[2] = 1; a[1] = 5 / 0 }", &["P0324@1:21", "P0325@1:40"]);
    check_warnings(
        "init { printf(\"%d %%\\n\"); printf(\"%d\", 1); printf(\"%q\", 1) }",
        &["P0323@1:8", "P0323@1:44"],
    );
}

#[test]
fn mtypes() {
    let m = "mtype:a = { A } mtype:b = { B } mtype = { C }\n";
    check_warnings(
        &format!("{m}mtype:a x; init {{ x = B; x == B; x == A; x = C }}"),
        &["P0306@2:23", "P0306@2:31", "P0306@2:46"],
    );
    check_warnings(&format!("{m}mtype x; byte y; init {{ x = B; x == A; y = B }}"), &[]);
    check_warnings("mtype:a x; init { x = 0 }", &["P0317@1:7"]);
}

#[test]
fn lone_else() {
    check_warnings("init { skip; else }", &["P0314@1:14"]);
    check_warnings("init { if :: skip; else fi }", &["P0314@1:20"]);
    check_warnings("init { if :: { else -> skip } :: 0 fi; { 0 } unless { else -> skip } }", &[]);
}

#[test]
fn claims() {
    check_warnings(
        "byte x; init { x = 1 } never { byte y; y == 0; x = 2 }",
        &["P0315@1:32", "P0315@1:48"],
    );
}

#[test]
fn ranges() {
    check_warnings("byte i; init { for (i : 3 .. 1) { skip } }", &["P0316@1:25"]);
}
