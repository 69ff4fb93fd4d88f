//! What goes in: files, options, the preprocessor.

use crate::support::Folder;
use std::io::Write;
use std::process::Stdio;

#[track_caller]
fn refused(folder: &Folder, args: &[&str], code: i32, message: &str) {
    let ran = folder.run(args);
    assert_eq!(ran.code, code, "{}{}", ran.out, ran.err);
    assert!(ran.err.contains(message), "{}", ran.err);
    assert_eq!(ran.out, "");
}

#[test]
fn unreadable_models() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("d")).unwrap();
    refused(&folder, &["check", "none.pml"], 66, "cannot read `none.pml`: there is no such file");
    refused(&folder, &["check", "d"], 66, "cannot read `d`: it is a directory");
    folder.write("latin.pml", b"active proctype A() { skip } /* caf\xe9 */");
    let ran = folder.run(&["check", "latin.pml"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains("it is read as Latin-1"), "{}", ran.err);
    let noise: Vec<u8> =
        (0..4000_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    folder.write("noise.pml", &noise);
    refused(&folder, &["check", "noise.pml"], 65, "is not UTF-8 text");
    folder.write("empty.pml", b"");
    refused(&folder, &["check", "empty.pml"], 65, "no process runs in this model");
    assert_eq!(folder.files(), ["d", "empty.pml", "latin.pml", "noise.pml"]);
}

#[test]
fn wrong_models_have_diagnostics() {
    let folder = Folder::with(
        "#define BAD y = 1\ninline f() { BAD }\nactive proctype A() { byte x; x = 2; f() }",
    );
    let ran = folder.run(&["check", "m.pml"]);
    assert_eq!(ran.code, 65);
    for part in ["`y`", "in expansion of macro `BAD`", "in inline call of `f`", "has 1 error"] {
        assert!(ran.err.contains(part), "{part} is missing in\n{}", ran.err);
    }
    let json = folder.run(&["check", "--json", "m.pml"]);
    assert_eq!(json.code, 65);
    assert_eq!(json.json()["results"].as_array().unwrap().len(), 0);
    assert_eq!(json.json()["diagnostics"][0]["severity"], "error");
}

#[test]
fn wrong_usage() {
    let folder = Folder::with("active proctype A() { skip }");
    refused(&folder, &["check", "--frob", "m.pml"], 2, "--frob");
    refused(&folder, &["check"], 2, "<MODEL>");
    refused(&folder, &["check", "--bits", "30", "m.pml"], 2, "is for `--store bitstate`");
    refused(&folder, &["check", "--threads", "0", "m.pml"], 2, "needs at least 1");
    refused(&folder, &["check", "--memory", "lots", "m.pml"], 2, "a size such as");
    refused(&folder, &["check", "--timeout", "soon", "m.pml"], 2, "a time such as");
    refused(&folder, &["check", "-D", "1x", "m.pml"], 2, "not the name of a macro");
    for command in ["ui", "lsp"] {
        refused(&folder, &[command, "-p", "m.pml"], 2, "is not available yet");
    }
    let help = folder.run(&["--help"]);
    assert_eq!(help.code, 0);
    assert!(help.out.contains("check") && !help.out.contains("lsp"), "{}", help.out);
}

#[test]
fn macros_in_order() {
    let folder = Folder::with("active proctype A() { assert(N == 3) }");
    assert_eq!(folder.run(&["check", "-DN=3", "m.pml"]).code, 0);
    assert_eq!(folder.run(&["check", "-D", "N=3", "m.pml"]).code, 0);
    assert_eq!(folder.run(&["check", "-D", "N", "m.pml"]).code, 10);
    assert_eq!(folder.run(&["check", "-DN=1", "-UN", "-DN=3", "m.pml"]).code, 0);
    assert_eq!(folder.run(&["check", "-DN=3", "-UN", "m.pml"]).code, 65);
}

#[test]
fn included_files() {
    let folder = Folder::with("#include \"sub/a.h\"\nactive proctype A() { assert(N == 3) }");
    for name in ["sub", "far"] {
        std::fs::create_dir(folder.path(name)).unwrap();
    }
    folder.write("sub/a.h", b"#include \"b.h\"\n");
    refused(&folder, &["check", "m.pml"], 65, "cannot include `b.h`: there is no such file");
    folder.write("far/b.h", b"#define N 2\n");
    assert_eq!(folder.run(&["check", "-I", "far", "m.pml"]).code, 10);
    folder.write("sub/b.h", b"#define N 3\n");
    assert_eq!(folder.run(&["check", "-I", "far", "m.pml"]).code, 0);
}

#[test]
fn standard_input() {
    let folder = Folder::new();
    let mut child = folder
        .command(&["check", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"active proctype A() { assert(false) }").unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(10));
    assert!(output.stdout.starts_with(b"violated: assertion `false` (-:1)"));
    assert!(folder.files().is_empty());
}

#[test]
fn deep_nesting_is_no_crash() {
    let nested =
        format!("active proctype A() {{ byte x; x = {}1{} }}", "(".repeat(1500), ")".repeat(1500));
    assert_eq!(Folder::with(&nested).run(&["check", "m.pml"]).code, 0);
    let too_deep = format!("active proctype A() {{ byte x; x = {}1 }}", "(".repeat(100_000));
    assert_eq!(Folder::with(&too_deep).run(&["check", "m.pml"]).code, 65);
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let folder = Folder::with("active proctype A() { assert(false) }");
    let mut child = folder.command(&["check", "m.pml"]).stdout(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(10));
}
