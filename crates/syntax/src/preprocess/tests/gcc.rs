//! The same tokens on the same lines as `gcc -E`, which SPIN uses.

use crate::preprocess::preprocess;
use crate::preprocess::substitute::spelling;
use crate::token::{Punct, Token, TokenKind};
use crate::{FileSource, NoFiles, PreprocessOptions};
use spinor_base::Diagnostic;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Files beside the including file.
struct Disk;

impl FileSource for Disk {
    fn read(&self, name: &str, from: &str) -> Result<(String, String), String> {
        let path = Path::new(from).parent().unwrap_or(Path::new("")).join(name);
        let bytes = std::fs::read(&path).map_err(|e| e.to_string())?;
        Ok((String::from_utf8_lossy(&bytes).into_owned(), path.display().to_string()))
    }
}

/// What `gcc -E` prints for `text`; `Err` when it finds an error, `None` without gcc.
fn gcc(text: &str, folder: &Path) -> Option<Result<String, String>> {
    let mut child = Command::new("gcc")
        .args(["-E", "-std=gnu99", "-undef", "-nostdinc", "-x", "c", "-iquote"])
        .arg(folder)
        .arg("-")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .ok()?;
    let mut stdin = child.stdin.take()?;
    let text = text.to_owned();
    let writer = std::thread::spawn(move || stdin.write_all(text.as_bytes()));
    let output = child.wait_with_output().ok()?;
    let _ = writer.join();
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    Some(if output.status.success() { Ok(stdout) } else { Err(stderr) })
}

/// Spelling and line break of each token. Embedded C is kept raw by us.
fn facts(tokens: &[Token]) -> Vec<(String, bool)> {
    let mut facts = Vec::new();
    for token in tokens {
        let newline = token.newline_before && !facts.is_empty();
        match token.kind {
            TokenKind::CBody => facts.push(("{…}".to_owned(), newline)),
            // Printed next to each other, `[` and `]` become one token.
            TokenKind::Punct(Punct::BoxOp) => {
                facts.extend([("[".to_owned(), newline), ("]".to_owned(), false)]);
            }
            _ => facts.push((spelling(token).to_string(), newline)),
        }
    }
    facts
}

/// The first difference, if any.
fn difference(name: &str, text: &str, files: &dyn FileSource) -> Result<(), String> {
    let options = PreprocessOptions::default();
    let folder = Path::new(name).parent().unwrap_or(Path::new(""));
    let Some(result) = gcc(text, folder) else { return Ok(()) };
    let (ours, _, diagnostics) = preprocess(name, text, &options, files);
    let Ok(printed) = result else {
        let objects = diagnostics.iter().any(Diagnostic::is_error);
        return if objects {
            Ok(())
        } else {
            Err(format!("{name}: {text}: gcc objects: {result:?}"))
        };
    };
    // Literals and characters are judged by SPIN, not by gcc.
    if let Some(error) = diagnostics.iter().find(|d| d.is_error() && d.code > "P0009") {
        return Err(format!("{name}: {text}: only we object: {error:?}"));
    }
    let (theirs, _, _) = preprocess(name, &printed, &options, &NoFiles);
    let (ours, theirs) = (facts(&ours), facts(&theirs));
    let position = ours.iter().zip(&theirs).position(|(a, b)| a != b);
    if position.is_some() || ours.len() != theirs.len() {
        let at = position.unwrap_or(ours.len().min(theirs.len()));
        let shown = if name == "snippet" { text } else { "" };
        let near = |facts: &[(String, bool)]| {
            facts[at.saturating_sub(5)..facts.len().min(at + 8)].to_vec()
        };
        let (ours, theirs) = (near(&ours), near(&theirs));
        return Err(format!("{name}: {shown}: token {at}\nours   {ours:?}\ntheirs {theirs:?}"));
    }
    Ok(())
}

/// Compares all texts.
#[track_caller]
fn compare<'a>(texts: impl Iterator<Item = (&'a str, &'a str)>, files: &dyn FileSource) {
    if gcc("", Path::new("")).is_none() {
        return skip("no gcc");
    }
    let differences: Vec<String> =
        texts.filter_map(|(name, text)| difference(name, text, files).err()).collect();
    assert!(differences.is_empty(), "{}", differences.join("\n\n"));
}

#[allow(clippy::print_stderr, reason = "a skipped test should say so")]
fn skip(reason: &str) {
    eprintln!("skipped: {reason}");
}

const SNIPPETS: &[&str] = &[
    // line breaks
    "a \\\n b\nc /* \n */ d\ne/*\n*/f\ng\\\n h\n",
    "#define F(x) <x>\nF(1\n)k F(2\n) l\nF(1\n)\n k\n",
    "#define F(x) <x>\nF(a \\\n b \n c /*\n*/ d) F(3) F(4\n) e\nF(1\n) F(7) z\nF(1\n)F(7) z F(8\n)/**/F(9)\n",
    "#define F(x)\n#define E\nF(1\n)k F(2\n) l\nE\nx E\ny E z\nE w F(\n)\nv",
    "#define f(x) [x]\n#define obj f\nobj\n(5) t\nf\n(3) f\n\nx f\n#define Q 1\n(4)\n",
    "#define f(x) [x]\nf(a\n#define Q2 2\nQ2) b\n",
    "#define f(x) [x]\nf(a\n#if 0\nb\n#else\nc\n#endif\nd) e\n",
    "#define TWO a; \\\n b\nTWO\nTWO c\n",
    "a\n\n\n\n\n\n\n\n\n\n\nb\n",
    "// c \\\n still\nx // y\nz /* a // b */ w\n",
    "/* a\n b */ #define X 1\nX\n",
    "#define X /* \n */ 1\nX\n  #  define  Z(a)a\nZ(3)\n#\n# /* */\nZ(4)",
    // rescanning
    "#define f(a) a*g\n#define g(a) f(a)\nf(2)(9) f(2)(9)(3)\n",
    "#define x 3\n#define f(a) f(x * (a))\n#undef x\n#define x 2\n#define g f\n#define z z[0]\n#define h g(~\n#define m(a) a(w)\n#define w 0,1\n#define t(a) a\n#define p() int\n#define q(x) x\n#define r(x,y) x ## y\n#define str(x) # x\nf(y+1) + f(f(z)) % t(t(g)(0) + t)(1);\ng(x+(3,4)-w) | h 5) & m\n(f)^m(m);\np() i[q()] = { q(1), r(2,3), r(4,), r(,5), r(,) };\nchar c[2][6] = { str(hello), str() };\n",
    "#define str(s) # s\n#define xstr(s) str(s)\n#define debug(s, t) printf(\"x\" # s \"= %d, x\" # t \"= %s\", x ## s, x ## t)\n#define INCFILE(n) vers ## n\n#define glue(a, b) a ## b\n#define xglue(a, b) glue(a, b)\n#define HIGHLOW \"hello\"\n#define LOW LOW \", world\"\ndebug(1, 2);\nfputs(str(strncmp(\"abc\\0d\", \"abc\", '\\4') // this goes away\n== 0) str(: @\\n), s);\nxstr(INCFILE(2).h)\nglue(HIGH, LOW);\nxglue(HIGH, LOW)\n",
    "#define hash_hash # ## #\n#define mkstr(a) # a\n#define in_between(a) mkstr(a)\n#define join(c, d) in_between(c hash_hash d)\njoin(x, y)\n",
    "#define t(x,y,z) x ## y ## z\nt(1,2,3) t(,4,5) t(6,,7) t(8,9,) t(10,,) t(,11,) t(,,12) t(,,) end\n",
    "#define NIL(xxx) xxx\n#define G_0(arg) NIL(G_1)(arg)\n#define G_1(arg) NIL(arg)\nG_0(42)\n",
    "#define foo() bar\nfoo\n()\nfoo ( )\n",
    "#define A A B\n#define B B A\nA B\n#define id(x) x\nid(A) id(id(A)) id(id)(A)\n",
    "#define f(x) x f\nf(1)(2)(3)\n",
    "#define EMPTY\n#define DEFER(id) id EMPTY\n#define X() 9\nDEFER(X)() \n#define EX(...) __VA_ARGS__\nEX(DEFER(X)())\n",
    "#define CAT(a, b) a ## b\n#define AB 1\n#define XCAT(a,b) CAT(a,b)\nCAT(A, B) XCAT(A, B) XCAT(CAT(A,),CAT(,B))\n",
    "#define p(x,y) x##y\n#define N 3\np(N,1) p(a,N) p(N,N)\n#define v(x) p(v_,x)\nv(N) v(7)\n",
    // strings and spaces
    "#define s(x) #x\n#define xs(x) s(x)\n#define e\n#define m a e/**/b\nxs(m) xs(a e+b) xs( e a) s( a  \"q\\n\" '\"' ) s(a\nb) s()\n",
    "#define s(x) #x\n#define f(x) [x]\n#define g(x) x f(x) x\n#define xs(x) s(x)\nxs(g( 1 )) xs(g(a b)) xs(f( f(1)f(2) )) xs(f()f())\n",
    "#define s(x,y) #x y #y\ns(,) s(\"a\\\\\", 'b') s(@ # ## ! !!, a ? ?? )\n",
    // variadic
    "#define v(f,...) p(f,##__VA_ARGS__)\n v(1) v(1,2,3) v(1,)\n#define w(a...) [a]\nw(1,2) w()\n#define z(...) q(__VA_ARGS__)\nz(a,b) z() \n#define y(...) p(1,##__VA_ARGS__)\ny() y(2) y(,)\n#define u(f,a...) p(f, ## a)\nu(1) u(1,2) u(1,2,3)\n",
    "#define showlist(...) puts(#__VA_ARGS__)\n#define report(test, ...) ((test)?puts(#test): printf(__VA_ARGS__))\nshowlist(The first, second, and third items.);\nreport(x>y, \"x is %d but y is %d\", x, y);\n",
    // conditions
    "#if 1 + 2 * 3 == 7 && (4 >> 1) == 2 && -1 < 0 && ~0 == -1 && !!1\nyes\n#else\nno\n#endif\n",
    "#if 0 && 1 / 0\na\n#elif 1 || 1 % 0\nb\n#else\nc\n#endif\n",
    "#define X\n#if defined X && defined(X) && !defined Y\na\n#endif\n#define D defined(X)\n#if D\nb\n#endif\n",
    "#if 0\ndon't\n\"open\n#bad\n#if 1\nx\n#else\ny\n#endif\n#elif 0x10 == 16 && 010 == 8 && 'a' == 97 && 1u > 0\nz\n#elif garbage (\n#else\nw\n#endif\n",
    "#if -1 > 0u\na\n#endif\n#if (2 || 3) != 1 || (1 ? 2 : 3) != 2 || (0 ? 1 / 0 : 5) != 5\nb\n#else\nc\n#endif\n#if 3 - 2 - 1 == 0 && 2 + 3 << 1 == 10 && (5 & 3 | 4 ^ 1) == 5\nd\n#endif\n",
    "#define EMPTY\n#define f(x) x\n#if f(1) EMPTY && f(\nx\n#endif\nend\n",
    "#ifdef A\na\n#elif defined B\nb\n#else\nc\n#endif\n#ifndef A\nd\n#endif\n#if UNKNOWN\n e\n#endif\nf",
    "#if 9223372036854775807 + 1 < 0\na\n#endif\n#if 1 << 63 < 0\nb\n#endif\n#if 18446744073709551615 == -1\nc\n#endif\n#if -8 >> 1 == -4 && -7 / 2 == -3 && -7 % 2 == -1 && 1 << -1 == 0\nd\n#endif\n#if 5, 0\ne\n#endif\n",
    // positions
    "#define L __LINE__\n__LINE__ L\n#define F(x) x L __LINE__\nF(__LINE__\n) F(\n\n1) __LINE__\n#line 100\n__LINE__ L\n#line 7 \"foo.h\"\n__LINE__ __FILE__\n# 33 \"bar.h\" 1 3\n__LINE__ __FILE__\n",
    "#define N 5\n#line N\n__LINE__\n#if __LINE__ == 6\nok\n#endif\n__COUNTER__ __COUNTER__\n",
    // Promela
    "#define p (x == 1)\nltl a { [] (p -> <> q) && p U q <-> !p }\n#define snd(q,m) q!m\nsnd(c, 3); c??[p]; c!!1,2; c?<x>\nx--; y++ /\\ \\/ a->b\n",
    "#define LOOP do :: a -> skip \\\n :: else -> break od\ninit {\nLOOP\nx = 1\n}\n",
    "x = 'a'; y = '\\n'; printf(\"a\\\"b /* no */ // no\\n\", x)\n",
    "a\\\nb c+\\\n+ d-\\\n> \"s\\\nt\" 1\\\n2 /\\\n* c *\\\n/ e /\\\n/ f\n",
    "#define x y \\  \n z\nx\n",
    "a\r\n#define C 1\r\nC \\\r\n b\r\n",
    "a\rb\n#define X 1\rX\nX // foo\rc\n#define F(x) x\nF(a\rb)\n x \\\ry\n",
    "#define M(a) #a \\\n a\nM(1)\n#undef M\nM(2)\n#define M(a) a\nM(3)\n#undef UNKNOWN\n",
    "#define AND &&\n#define f(x) x\na AND b f(-)-1 f(+)f(+) -f(-)\n",
    // errors on both sides
    "#define f(x) x\nf(1,2)\n",
    "#define f(x) x\nf(1\n",
    "#if\n#endif\n",
    "#if 1\n",
    "#else\n",
    "#if 1\n#else\n#else\n#endif\n",
    "#if 1 / 0\n#endif\n",
    "#if (1\n#endif\n",
    "#if 1 1\n#endif\n",
    "#if 1 ? 2\n#endif\n",
    "#error don't\n",
    "#nonsense\n",
    "#define\n",
    "#define 1\n",
    "#define defined\n",
    "#define f(x,x) x\n",
    "#define f(x\n",
    "#define f(x) #y\n",
    "#define x ## y\n",
    "#define x y ##\n",
    "#include\n",
    "#include \"no such file\"\n",
    "#line x\n",
    "#define c(a,b) a##b\nc(-,1)\n",
    "/* open\n",
];

#[test]
fn snippets_read_as_gcc_reads_them() {
    compare(SNIPPETS.iter().map(|text| ("snippet", *text)), &NoFiles);
}

fn models(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            models(&path, found);
        } else if path.extension().and_then(|e| e.to_str()).is_some_and(|e| {
            ["pml", "pm", "spin", "prm", "prom", "promela", "pr", "sumo", "h"].contains(&e)
        }) {
            found.push(path);
        }
    }
}

#[test]
fn corpus_reads_as_gcc_reads_it() {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let corpus = std::env::var_os("SPINOR_CORPUS").map_or(beside, PathBuf::from);
    let mut found = Vec::new();
    models(&corpus, &mut found);
    if found.is_empty() {
        return skip("no corpus");
    }
    let mut texts = Vec::new();
    for path in found {
        let Ok(bytes) = std::fs::read(&path) else { continue };
        let mut text = String::from_utf8_lossy(&bytes).into_owned();
        // `1..N` is one token for gcc.
        for digit in '0'..='9' {
            text = text.replace(&format!("{digit}.."), &format!("{digit} .."));
        }
        texts.push((path.display().to_string(), text));
    }
    compare(texts.iter().map(|(name, text)| (&**name, &**text)), &Disk);
}
