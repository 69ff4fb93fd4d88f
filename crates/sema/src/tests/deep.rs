//! Trees as high as the parser allows do not exhaust the stack.

/// Analyses on a stack of 8 MB, as the parser does in its tests.
fn analyse(src: String) {
    let run = move || {
        let parsed = spinor_syntax::parse(
            "m.pml",
            &src,
            &spinor_syntax::PreprocessOptions::default(),
            &spinor_syntax::NoFiles,
        );
        crate::analyze(&parsed).diagnostics.len()
    };
    let thread = std::thread::Builder::new().stack_size(8 << 20).spawn(run);
    thread.expect("a thread").join().expect("no overflow");
}

#[test]
fn deep_expressions() {
    let deep = |n: usize| format!("byte x; init {{ x = {}x{} }}", "1 + (".repeat(n), ")".repeat(n));
    analyse(deep(500));
    analyse(deep(1900));
    analyse(format!("byte x; init {{ x = {}x }}", "-".repeat(1900)));
    analyse(format!("byte x; init {{ x = x{} }}", " + x".repeat(5000)));
}

#[test]
fn deep_blocks() {
    for n in [500, 1900] {
        analyse(format!("init {{ {} skip {} }}", "{".repeat(n), "}".repeat(n)));
        analyse(format!("init {{ {} skip {} }}", "if :: ".repeat(n), " fi".repeat(n)));
        analyse(format!("init {{ {} skip {} }}", "do :: atomic { ".repeat(n), " } od".repeat(n)));
    }
}

#[test]
fn deep_indices() {
    analyse(format!("byte a[2]; init {{ a[0] = {}0{} }}", "a[".repeat(900), "]".repeat(900)));
}
