//! Models with C code.

#![allow(clippy::print_stderr, reason = "a test that is left out says why")]

use crate::support::{Folder, check};

/// Counts in C.
const COUNTER: &str = "c_state \"int count\" \"Global\" \"1\"
active [2] proctype A() {
  do
  :: c_expr { now.count < 5 } -> c_code { now.count++; }
  :: c_expr { now.count >= 5 } -> break
  od;
  assert(c_expr { now.count <= 5 })
}
";

#[test]
fn c_code_runs_only_if_that_is_allowed() {
    let ran = check(COUNTER, &[]);
    assert_eq!((ran.code, &*ran.out), (65, ""));
    assert!(ran.err.contains("error[P0600]") && ran.err.contains("--allow-c"), "{}", ran.err);
    let json = check(COUNTER, &["--json"]);
    assert_eq!(json.code, 65);
    assert_eq!(json.json()["results"].as_array().map(Vec::len), Some(0));
    for command in
        [&["simulate", "m.pml"][..], &["replay", "m.pml"], &["trail", "eval", "m.pml", "1"]]
    {
        assert_eq!(Folder::with(COUNTER).run(command).code, 65, "{command:?}");
    }
    // To look at a model is harmless.
    assert_eq!(Folder::with(COUNTER).run(&["graph", "m.pml"]).code, 0);
}

#[test]
fn the_same_errors_with_every_engine_store_and_number_of_threads() {
    for engine in ["interpreter", "native"] {
        for store in ["exact", "tree"] {
            for threads in ["1", "2"] {
                let how = ["--engine", engine, "--store", store, "--threads", threads];
                let ran = check(COUNTER, &[&how[..], &["--allow-c", "--json"]].concat());
                assert_eq!(ran.code, 10, "{how:?} {}", ran.err);
                let json = ran.json();
                assert_eq!(json["results"][0]["errors"][0]["kind"], "assertion");
                assert_eq!(json["results"][0]["errors"][0]["length"], 12, "{how:?}");
            }
        }
    }
}

#[test]
fn what_c_prints_is_told_and_nothing_else_is_printed() {
    let model = "byte x;
active proctype A() {
  do
  :: x < 2 -> c_code { now.x++; printf(\"x is %d\\n\", now.x); puts(\"so\"); }
  :: x == 2 -> break
  od;
  assert(x != 2)
}
";
    let folder = Folder::with(model);
    let ran = folder.run(&["check", "--allow-c", "--json", "m.pml"]);
    assert_eq!(ran.code, 10);
    assert_eq!(ran.json()["results"][0]["verdict"], "violated");
    for command in [&["replay", "--allow-c", "m.pml"][..], &["simulate", "--allow-c", "m.pml"]] {
        let ran = folder.run(command);
        assert!(ran.out.contains("prints: x is 1\n"), "{}", ran.out);
        assert!(ran.out.contains("x is 2") && ran.out.contains("so"), "{}", ran.out);
    }
}

#[test]
fn crashes_are_errors_of_the_model_with_a_run_to_them() {
    for (code, words, exit) in [
        ("int *p = 0; *p = now.x;", "used memory that it does not have", 14),
        ("now.x = 100 / (now.x - 3);", "divided by zero", 14),
        ("abort();", "called abort", 14),
        ("__builtin_trap();", "called abort", 14),
        ("exit(0);", "called exit", 14),
        ("now.x = deep(now.x);", "used memory that it does not have", 14),
        ("assert(now.x < 3);", "assertion", 10),
    ] {
        let model = format!(
            "c_code {{ int deep(int n) {{ volatile char a[999]; a[1] = n; return n ? deep(n + 1) + a[1] : 0; }} }}
byte x;
active proctype A() {{ do :: x < 3 -> x++ :: x == 3 -> c_code {{ {code} }} od }}
"
        );
        for engine in ["native", "interpreter"] {
            let folder = Folder::with(&model);
            let ran = folder.run(&["check", "--allow-c", "--engine", engine, "m.pml"]);
            assert_eq!(ran.code, exit, "{code}: {}{}", ran.out, ran.err);
            assert!(ran.verdict().contains(words), "{code}: {}", ran.out);
            assert!(ran.verdict().ends_with("(m.pml:3)"), "{code}: {}", ran.out);
            assert!(ran.out.contains("x = 3"), "{}", ran.out);
            assert_eq!(folder.run(&["replay", "--allow-c", "m.pml"]).code, 0);
        }
    }
}

#[test]
fn an_endless_loop_ends_with_the_time_limit() {
    let model = "byte x;
active proctype A() { x = 2; c_code { volatile int i = 0; while (now.x == 2) i++; } }
";
    for limit in [&["--timeout", "300ms"][..], &["--c-limit", "300ms"]] {
        let ran = check(model, &[limit, &["--allow-c"]].concat());
        assert_eq!(ran.code, 14, "{}{}", ran.out, ran.err);
        assert!(
            ran.verdict().contains("did not come back") && ran.out.contains("x = 2"),
            "{}",
            ran.out
        );
    }
}

#[test]
fn complaints_of_the_compiler_are_about_the_model() {
    let ran = check(
        "byte x;\nactive proctype A() {\n  x = 2;\n  c_code { now.y = 3; }\n}\n",
        &["--allow-c"],
    );
    assert_eq!(ran.code, 65);
    assert!(ran.err.contains("error[P0601]") && ran.err.contains("m.pml:4:15"), "{}", ran.err);
    let ran = check("c_decl { int f(void); }\ninit { c_code { f(); } }\n", &["--allow-c"]);
    assert_eq!(ran.code, 65);
    assert!(ran.err.contains("P0601") && ran.err.contains("reference to `f'"), "{}", ran.err);
}

#[test]
fn without_a_compiler_it_says_what_to_install() {
    let ran = check(COUNTER, &["--allow-c", "--c-compiler", "no-such-compiler"]);
    assert_eq!(ran.code, 65);
    assert!(ran.err.contains("no-such-compiler") && ran.err.contains("install"), "{}", ran.err);
}

#[test]
fn other_files_belong_to_the_model() {
    let folder = Folder::with(
        "c_decl {\n\\#include \"twice.h\"\n}\nbyte x = FIRST;
active proctype A() { c_code { now.x = twice(now.x) + EXTRA; }; assert(x == 9) }
",
    );
    folder.write("twice.h", b"int twice(int n);\n");
    folder.write(
        "twice.c",
        b"#include <stdio.h>\nint twice(int n) { printf(\"twice\"); return 2 * n; }\n",
    );
    let args = ["--allow-c", "--c-file", "twice.c", "--c-flag=-DEXTRA=3", "-DFIRST=3", "--json"];
    let ran = folder.run(&[&["check", "--no-trail"], &args[..], &["m.pml"]].concat());
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    assert_eq!(ran.json()["results"][0]["verdict"], "holds");
}

#[test]
fn code_with_memory_of_its_own_gets_one_thread_and_a_warning() {
    let model = "c_code { int calls; }
byte x;
active proctype A() { do :: x < 3 -> c_code { calls++; now.x++; } :: else -> break od }
";
    let ran = check(model, &["--allow-c", "--threads", "2", "--engine", "native"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains("warning[P0603]") && ran.err.contains("`calls`"), "{}", ran.err);
    assert!(
        ran.out.contains("C code keeps variables `calls` outside of the states"),
        "{}",
        ran.out
    );
    assert!(ran.out.contains("1 thread was used of the 2 asked for"), "{}", ran.out);
    // What is tracked is part of the state.
    let tracked = format!("c_track \"&calls\" \"sizeof(int)\"\n{model}");
    let ran = check(&tracked, &["--allow-c", "--threads", "2"]);
    assert!(ran.code == 0 && ran.err.is_empty(), "{}", ran.err);
}

#[test]
fn locals_of_inner_blocks_are_known_by_their_names() {
    let model = "byte x;
active proctype A() {
  byte k = 1;
  { byte n = 3; c_code { now.x += PA->n; } };
  { byte n = 4; c_code { now.x += PA->n + PA->k; PA->n = 9; }; assert(n == 9) };
  assert(x == 8)
}
";
    assert_eq!(check(model, &["--allow-c"]).code, 0);
}

#[test]
fn formulas_with_c() {
    let model = format!(
        "{COUNTER}ltl low {{ [] (c_expr {{ now.count <= 5 }}) }}\nltl up {{ <> (c_expr {{ now.count == 5 }}) }}\n"
    );
    let ran = check(&model, &["--allow-c", "--property", "low"]);
    assert_eq!(ran.code, 12, "{}{}", ran.out, ran.err);
    assert_eq!(check(&model, &["--allow-c", "--property", "up"]).code, 0);
    let ran = check(&model, &["--allow-c", "--ltl", "[] (c_expr { now.count < 9 })"]);
    assert_eq!(ran.code, 2, "{}{}", ran.out, ran.err);
    assert!(ran.err.contains("cannot contain C"), "{}", ran.err);
}

#[test]
fn forms_that_are_wrong_are_refused() {
    for (model, code) in [
        ("c_state \"int x\" \"Nowhere\"\ninit { skip }", "P0246"),
        ("c_state \"int x\" \"Local B\"\ninit { skip }", "P0246"),
        ("c_state \"int x\"\ninit { skip }", "P0246"),
        ("c_track \"&x\" \"4\" \"Hidden\"\ninit { skip }", "P0246"),
        ("init { c_state \"int x\" \"Global\" }", "P0246"),
        ("byte x; init { c_expr { now.x = 1 } }", "P0248"),
        ("byte x; init { c_expr { now.x++ } }", "P0248"),
    ] {
        let ran = check(model, &["--allow-c"]);
        assert_eq!(ran.code, 65, "{model}");
        assert!(ran.err.contains(code), "{model}: {}", ran.err);
    }
}

/// Whether a program is there.
fn is_installed(program: &str) -> bool {
    std::process::Command::new(program).arg("--version").output().is_ok_and(|o| o.status.success())
}

#[test]
fn code_may_be_c_plus_plus() {
    if !is_installed("c++") {
        eprintln!("skipped: there is no c++");
        return;
    }
    let model = "c_decl {
  struct Counter { int n; void step() { ++n; } };
  template <typename T> T twice(T x) { return x + x; }
}
c_state \"Counter counter\" \"Global\"
active proctype A() {
  do
  :: c_expr { now.counter.n < 3 } -> c_code { now.counter.step(); }
  :: c_expr { twice(now.counter.n) == 6 } -> break
  od;
  assert(c_expr { now.counter.n != LAST })
}
";
    for engine in ["interpreter", "native"] {
        let how = ["--allow-c", "--c-compiler", "c++", "--engine", engine];
        for (last, code) in [("-DLAST=4", 0), ("-DLAST=3", 10)] {
            let ran = check(model, &[&how[..], &[last]].concat());
            assert_eq!(ran.code, code, "{}{}", ran.out, ran.err);
        }
    }
    // It is not C.
    assert_eq!(check(model, &["--allow-c", "--c-compiler", "cc"]).code, 65);
}

#[test]
fn pan_c_is_compiled_with_other_files() {
    if !cfg!(target_os = "linux") || !is_installed("gcc") {
        eprintln!("skipped: there is no gcc");
        return;
    }
    let folder = Folder::with(
        "c_decl { int add(int, int); }
byte x;
active [2] proctype A() {
  do
  :: x < 6 -> c_code { now.x = add(now.x, 2); }
  :: else -> break
  od;
  assert(x == 6)
}
",
    );
    folder.write("add.c", b"int add(int a, int b) { return a + b; }\n");
    let ran = folder.run(&["spin", "-a", "m.pml"]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    let words = ["-DSAFETY", "-DNOREDUCE", "-o", "pan", "pan.c", "add.c"];
    let compiled =
        std::process::Command::new("gcc").args(words).current_dir(folder.path("")).output();
    let compiled = compiled.unwrap();
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    // What was compiled is all that counts.
    std::fs::remove_file(folder.path("add.c")).unwrap();
    let ran = std::process::Command::new(folder.path("pan")).current_dir(folder.path("")).output();
    let ran = ran.unwrap();
    let out = String::from_utf8_lossy(&ran.stdout);
    assert!(out.contains("pan:1: assertion violated (x==6)"), "{out}{:?}", ran.stderr);
    assert!(out.contains("errors: 1\n") && folder.path("m.pml.trail").exists(), "{out}");
}
