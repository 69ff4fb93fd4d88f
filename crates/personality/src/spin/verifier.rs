//! The `pan.c` that `spin -a` writes: a small C program that carries the model and calls this one. Embedded C is compiled
//! with it, and with whatever else is given to the compiler: it is looked for in the program then.

use crate::host::Host;
use crate::model::Model;
use crate::pan::directives::KNOWN;
use std::fmt::Write as _;

/// Bytes of the model in a line of the C program.
const PER_LINE: usize = 24;

/// The files that SPIN writes beside `pan.c`.
const OTHERS: [&str; 5] = ["pan.h", "pan.m", "pan.t", "pan.b", "pan.p"];

/// Writes the verifier into the current folder.
pub(super) fn write(model: &Model, host: &mut Host<'_>) -> u8 {
    let program = host.executable.as_ref().map(|path| path.display().to_string());
    let source = source(model, program.as_deref().unwrap_or("spinor"));
    let note = |name: &str| format!("/* {name}: everything is in pan.c */\n");
    let others = OTHERS.iter().map(|name| (*name, note(name)));
    for (name, text) in std::iter::once(("pan.c", source)).chain(others) {
        if let Err(error) = std::fs::write(name, text) {
            host.print(format_args!("spin: cannot create {name}: {error}\n"));
            return 1;
        }
    }
    0
}

fn source(model: &Model, program: &str) -> String {
    let mut out = String::with_capacity(1 << 16);
    let name = model.bundle.name.replace("*/", "* /").replace(['\n', '\r'], " ");
    let _ = writeln!(out, "/* The verifier of {name}: it carries the model and calls Spinor. */\n");
    out.push_str(HEAD);
    out.push_str("static const unsigned char spinor_model[] = {\n");
    for line in model.bundle.write().chunks(PER_LINE) {
        for byte in line {
            let _ = write!(out, "{byte},");
        }
        out.push('\n');
    }
    out.push_str("};\n\n");
    let _ = writeln!(out, "static const char spinor_program[] = {};\n", c_string(program));
    out.push_str("static const char *spinor_directives[] = {\n");
    for directive in KNOWN {
        let _ = writeln!(
            out,
            "#ifdef {directive}\n\t\"-D{directive}=\" SPINOR_TEXT({directive}),\n#endif"
        );
    }
    out.push_str("\t0\n};\n\n");
    let embedded = model.loaded.program.as_ref().and_then(|program| program.embedded.as_ref());
    if embedded.is_some() {
        out.push_str("#define SPINOR_INSIDE\n");
    }
    out.push_str(MAIN);
    if let Some(embedded) = embedded {
        // Behind everything else: it has macros of its own.
        let _ = write!(out, "\n/* The C of the model. */\n{}", embedded.source);
    }
    out
}

fn c_string(text: &str) -> String {
    let mut out = String::from("\"");
    for byte in text.bytes() {
        match byte {
            b'"' | b'\\' => {
                let _ = write!(out, "\\{}", char::from(byte));
            }
            0x20..=0x7e => out.push(char::from(byte)),
            _ => {
                let _ = write!(out, "\\{byte:03o}");
            }
        }
    }
    out.push('"');
    out
}

const HEAD: &str = r"#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _WIN32
#include <process.h>
#else
#include <unistd.h>
#endif

#define SPINOR_QUOTED(x) #x
#define SPINOR_TEXT(x) SPINOR_QUOTED(x)

";

const MAIN: &str = r#"static int spinor_start(const char *name, char **words)
{
	words[0] = (char *) name;
#ifdef _WIN32
	{
		int code = (int) _spawnvp(_P_WAIT, name, (const char *const *) words);
		if (code >= 0) exit(code);
		return code;
	}
#else
	return execvp(name, words);
#endif
}

int main(int argc, char **argv)
{
	const char *folder = getenv("TMPDIR");
	const char *wanted = getenv("SPINOR");
	size_t count = sizeof(spinor_directives) / sizeof(spinor_directives[0]);
	char **words = (char **) calloc((size_t) argc + count + 8, sizeof(char *));
	char *file;
	FILE *out = NULL;
	int n = 1, i;

	if (!folder || !*folder) folder = "/tmp";
	file = (char *) malloc(strlen(folder) + 32);
	if (!words || !file) { fprintf(stderr, "pan: out of memory\n"); return 1; }
	sprintf(file, "%s/spinor-pan-XXXXXX", folder);
#ifdef _WIN32
	sprintf(file, "spinor-pan-%d", (int) _getpid());
	out = fopen(file, "wb");
#else
	i = mkstemp(file);
	if (i >= 0) out = fdopen(i, "wb");
#endif
	if (!out || fwrite(spinor_model, 1, sizeof(spinor_model), out) != sizeof(spinor_model)
	|| fclose(out) != 0)
	{	fprintf(stderr, "pan: cannot write the model to %s\n", file);
		return 1;
	}
	words[n++] = (char *) "pan";
	words[n++] = file;
#if defined(SPINOR_INSIDE) && defined(__linux__)
	{
		static char inside[4200] = "--program=";
		ssize_t length = readlink("/proc/self/exe", inside + 10, 4096);
		if (length > 0) words[n++] = inside;
	}
#endif
	for (i = 0; spinor_directives[i]; i++) words[n++] = (char *) spinor_directives[i];
	words[n++] = (char *) "--";
	for (i = 1; i < argc; i++) words[n++] = argv[i];
	words[n] = NULL;
	fflush(stdout);
	if (wanted && *wanted) spinor_start(wanted, words);
	else
	{	spinor_start(spinor_program, words);
		spinor_start("spinor", words);
	}
	remove(file);
	fprintf(stderr, "pan: cannot start %s: set SPINOR to the program spinor, or put it into PATH\n",
		wanted && *wanted ? wanted : spinor_program);
	return 1;
}
"#;

#[cfg(test)]
mod tests {
    use super::c_string;

    #[test]
    fn names_are_quoted_for_c() {
        assert_eq!(c_string("a\"b\\c\n"), "\"a\\\"b\\\\c\\012\"");
    }
}
