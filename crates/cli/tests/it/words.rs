//! Moves from word to word: the same states, runs and errors as without. In debug builds every batch of successors is compared
//! with what the state leads to when it is expanded as a whole.

use crate::support::Folder;
use serde_json::Value;

/// Indices into cells that vary and into some that never do, out of range where nobody looks.
const BOARD: &str = "byte a[24]; byte x = 9; bool done;
init {
  d_step { a[0] = 7; a[1] = 7; a[2] = 7; a[3] = 7; a[20] = 7; a[21] = 7; a[22] = 7; a[23] = 7; a[10] = 2; a[13] = 2 }
  do
  :: d_step { !done && a[x-1] == 0; x = x - 1 }
  :: d_step { !done && a[x+1] == 0; x = x + 1 }
  :: d_step { !done && x > 5 && a[x-4] == 0; x = x - 4 }
  :: d_step { !done && a[x+4] == 0; x = x + 4 }
  :: d_step { !done && a[x+1] == 2 && a[x+2] == 0; a[x+2] = 2; a[x+1] = 0; x = x + 1 }
  :: d_step { !done && x > 5 && a[x-1] == 2 && a[x-2] == 0; a[x-2] = 2; a[x-1] = 0; x = x - 1 }
  :: d_step { a[18] == 2 && a[6] == 2; done = 1 }
  od
}";

/// All kinds of numbers, arithmetic that wraps, and branches inside of `d_step`.
const NUMBERS: &str = "int i = -3; int few; short s = -7; byte b = 250; unsigned u : 3 = 6; mtype = { red, green, blue }; mtype m = red; byte q = 255;
active proctype P() {
  do
  :: i < 2 -> i = i + (b > 252 -> 2 : 1)
  :: i >= 2 -> i = -3
  :: few == -1 || few == 70000 -> assert(false)
  :: few == 4 -> few = 0
  :: few == 0 -> few = 9
  :: few == 9 -> few = (s > 0 -> 4 : 9)
  :: d_step { s = s - 1; if :: s < -9 -> s = -s / 3 :: else -> skip fi }
  od
}
active proctype Q() {
  do
  :: b != 3 -> b++
  :: d_step { b == 3; u = u + 3; b = b - 9 }
  :: m == red -> m = green; q = 3
  :: m == green && q != 255 -> m = blue
  :: d_step { m == blue; m = red; q = 255; do :: q > 250 -> q-- :: else -> break od }
  :: else -> assert(m != blue || u < 9)
  od
}";

/// What a word cannot say: a counter that outgrows all samples, an end, an error.
const OUTGROWN: &str = "int n; byte k[3]; byte j;
active proctype P() {
  do
  :: n < 700 -> d_step { n = n + 1; k[j] = n % 2 }
  :: n > 0 -> n = 0
  :: d_step { j = (j + 1) % 3; k[j] = k[(j + 1) % 3] }
  :: n == 700 -> break
  od
}";
const BAD_INDEX: &str = "byte a[3]; byte i; byte n;
active proctype P() { do :: n < 60 -> d_step { n++; i = (n % 5) / 2 } :: n == 60 -> i = 9; a[i] = 1; n++ :: else -> a[i % 3] = 2; n = 0 od }
active proctype Q() { do :: d_step { a[i] < 3; a[i]++ } :: d_step { a[i] >= 3; a[i] = 0 } od }";
const DEEP_ASSERTION: &str = "byte x, y, z;
active proctype P() { do :: z < 4 -> z++ :: y < 20 -> y++; z = 0 :: x < 9 -> x++; y = 0 :: x == 9 && y == 19 -> assert(z < 4); x = 0 od }";
const DEADLOCK: &str = "byte x, y; bool lock[2];
active proctype P() { do :: x < 20 -> x++ :: lock[0] == 0 -> lock[0] = 1; lock[1] == 0 -> lock[1] = 1; x = 0; d_step { lock[0] = 0; lock[1] = 0 } od }
active proctype Q() { do :: y < 20 -> y++ :: lock[1] == 0 -> lock[1] = 1; lock[0] == 0 -> lock[0] = 1; y = 0; d_step { lock[0] = 0; lock[1] = 0 } od }";

/// What is left to others: processes that come and go, atomic sequences, `unless`, channels, `timeout`.
const OTHERS: &str = "byte x, y, c; chan q = [1] of { byte };
proctype Child() { x = x / 2; y = 0 }
active proctype P() { do :: x < 8 -> x++ :: atomic { c < 1 && x > 6 -> c = 1; run Child() } :: atomic { y < 5 -> y++; x = 0 } :: q!x :: timeout -> y = 0 od }
active proctype Q() { byte v; do :: q?v -> y = v % 3 :: { y = y - (y > 0 -> 1 : 0) } unless { x == 7 } od }";

/// Both halves of a rendezvous: several who can take a message, what it must have, what is cut off, atomic sequences before, after and
/// around it, which block or not.
const MEETINGS: &str = "mtype = { req, ack, nak }; chan c = [0] of { mtype, byte }; chan d[2] = [0] of { short, bit };
byte n, turns; byte got[2]; short last = -1;
active proctype Server() { byte x;
  do
  :: c?req,x -> got[x % 2] = x % 2; if :: x > 1 -> c!ack,x; x = 0 :: else -> c!nak,x+254; x = 0 fi
  :: atomic { n > 1 -> c?eval(ack),n; n = 0; last = turns - 1 }
  :: atomic { d[0]?last,_ -> if :: last < 0 -> last = -last :: last > 1 -> skip; last = 1 :: else -> n = 1; c!nak,last fi }
  :: d[1]?1,_ -> n = n + (n < 2 -> 1 : 0)
  od }
active [2] proctype Client() { byte v;
  do
  :: v < 2 -> v++
  :: atomic { v > 0 -> c!req,v; v = 0 }
  :: c?ack,v
  :: atomic { c?nak,got[n % 2]; got[n % 2] = got[n % 2] % 2; if :: v == 1 -> v = 0 :: v == 2 :: else fi }
  :: d[0]!(v - 1), v
  :: d[1]!v,300 -> turns = (turns + 1) % 3
  :: atomic { turns > 1 -> turns = 0; c!ack,v; turns = 1 }
  :: v == 2 -> if :: c!nak,v :: else -> v = 1 fi
  od }";

/// The same where it ends in an error, or everybody waits.
const MET: &str = "chan c = [0] of { byte }; byte sum, n; bool stop;
active [2] proctype S() { byte i; do :: n < 90 -> n++ :: d_step { n == 90; n = 0; i = (i + 1) % 3 } :: atomic { n % 7 == i -> c!i; i = 0 } od }
active proctype R() { byte x; do :: atomic { c?x -> sum = (sum + x) % 5; assert(sum != 4 || n < 80) } :: sum == 3 && n == 80 -> break od; stop = 1 }";

/// What is left to others: a sequence that is too long, somebody who takes a message in a `d_step`.
const LEFT: &str = "chan c = [0] of { byte }; byte n, k, s;
active proctype P() { byte i; do :: n < 120 -> n++ :: atomic { n == 120 -> i = 0; do :: i < 20 -> i++ :: else -> break od; n = 0; k = (k + 1) % 6 } :: c!k od }
active proctype Q() { byte x; do :: d_step { c?x; s = (s + x) % 9; x = 0 } :: s > 7 -> s = 0 od }";

/// One looks, by an index, at what the other changes, which then is the only way on. It is late enough for code to be there.
const LOOKED_AT: &str = "byte a[6]; byte i = 1; byte n, k, s;
active proctype P() { do :: n < 250 -> n++ :: k < 60 -> k++ :: d_step { n == 250 && a[2] == 0; a[2] = 1 } :: d_step { n == 250 && i == 1 && k == 60; i = 2 } od }
active proctype Q() { do :: d_step { a[i] == 1 && s < 30; s++ } :: d_step { s == 30 && k == 60; a[i + 2] = 7; s++ } od }
active proctype R() { do :: d_step { a[4] == 7; a[4] = 8; s++ } :: d_step { s > 31 && s < 50; a[s % 6] = a[(s + 1) % 6]; s++ } od }";

/// The same where what is looked at is what a receiver wants, where it puts what it gets, and what an atomic sequence asks for later on.
const LOOKED_AT_LATER: &str = "chan c = [0] of { byte }; byte a[4]; byte n, k, w, x, y, z;
active proctype P() { do :: n < 60 -> n++ :: k < 20 -> k++ :: d_step { n == 60 && k == 20 && x < 3; x++ } :: d_step { n == 60 && k == 20 && y < 3; y++ } :: d_step { n == 60 && k == 20 && w < 2; w++ } od }
active proctype R() { do :: c?eval(x) :: c?a[w] od }
active proctype S() { byte i = 1; do :: c!i -> i = (i + 1) % 4 :: c!3 :: atomic { i > 0 -> if :: y == 2 -> i = 0; z = 2 :: else -> z = 1 fi } od }
active proctype T() { do :: d_step { a[1] == 3 && z == 2; z = 3; a[1] = 0 } :: d_step { a[2] == 2; a[2] = 4 } od }";

/// Numbers that stand for greater values: as an index that is out of range, and where a result needs more room than a sample shows.
const LISTED_INDEX: &str = "byte a[4]; byte v, n;
active proctype P() { do :: n < 200 -> n++ :: else -> n = 0 :: v = 255 :: v = 0 :: v = 1 od }
active proctype Q() { do :: n > 150 -> a[v] = 1 :: n > 190 -> a[v] = 0 od }";
const LISTED_VALUES: &str = "byte v, n, k, x; short s = 3; bit b;
active proctype P() { do :: n < 120 -> n++ :: else -> n = 0 :: v = 255 :: v = 0 :: v = 1 :: s = 3 :: s = 1000 :: s = 1 od }
active proctype Q() { do :: n > 110 -> k = v / 2 :: n < 110 -> k = k % 4 :: n > 100 -> b = v / 3 :: n > 115 -> x = s + v :: x > 2 -> x = 0 od }";

/// More cells than 64 bits hold.
const WIDE: &str = "byte a[40]; byte at;
active proctype P() { do :: at < 39 -> d_step { a[at] = (a[at] + 5) % 6; at++ } :: d_step { at == 39; at = 0 } od }
active proctype Q() { do :: a[3] > 2 && at == 5 -> a[3] = 1 :: a[39] < 3 && at == 7 -> a[39]++ od }";

const ALL: [&str; 14] = [
    BOARD,
    NUMBERS,
    OUTGROWN,
    BAD_INDEX,
    DEEP_ASSERTION,
    DEADLOCK,
    OTHERS,
    LOOKED_AT,
    LOOKED_AT_LATER,
    MEETINGS,
    MET,
    LEFT,
    LISTED_INDEX,
    LISTED_VALUES,
];

/// No walk comes so far that it sees how large the last variable becomes, and there is no room for it in short words.
const LATE: &str = "
int k, y, z, last;
active proctype count() {
    do
    :: k < 6000 -> d_step { k++; y = (k * 7777777) % 1048573; z = (k * 5555555) % 1048573 }
    :: k > 5970 && k < 6000 && last == 0 -> last = k * 100003
    :: k >= 6000 -> break
    od
}
";

/// A number that becomes negative at last, as no sample shows: its bits must not be taken for a large one.
const TURNS_NEGATIVE: &str = "byte n; byte far;
active proctype P() {
  short l = 100;
  do
  :: n = (n + 1) % 4
  :: d_step { l != far; l = l + 24 }
  :: d_step { l <= 257; l = 200 }
  :: d_step { l < 0 && n == 2; far = 1 }
  od
}";

/// So large that it shows how few moves sleep, which some do: the search changes over to moves that do not tell what they look at.
const RESTLESS: &str = "byte x, a, b; bool c;
active proctype P() { do :: d_step { a < 15; a++; x = (x + a) % 97 } :: d_step { a == 15; a = 0; x = (x + 1) % 97 } od }
active proctype Q() { do :: d_step { b < 15; b++; x = (3 * x + b) % 97 } :: d_step { b == 15; b = 0; x = (x + 2) % 97 } od }
active proctype R() { do :: d_step { !c && b == 3; c = 1 } od }";

/// The report of a search with words of some least length, or without.
fn report(model: &str, options: &[&str], words: Option<&str>) -> Value {
    let folder = Folder::with(model);
    let common = ["check", "--no-trail", "--json", "--plain", "--memory", "1G"];
    let mut command = folder.command(&common);
    command
        .args(options)
        .args(["--engine", if words.is_some() { "native" } else { "interpreter" }]);
    if let Some(bits) = words {
        command.env("SPINOR_WORDS", bits);
    }
    let output = command.arg("m.pml").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let err = String::from_utf8_lossy(&output.stderr);
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{options:?} {e}:\n{text}{err}"))
}

/// What must not depend on how moves are made.
fn essence(report: &Value, is_ordered: bool) -> Value {
    let result = &report["results"][0];
    let stats = &result["stats"];
    let mut parts = vec![result["verdict"].clone(), result["unreached"].clone()];
    if result["verdict"] != "violated" || is_ordered {
        let figures = ["stored", "transitions", "atomic_steps", "depth_reached"];
        parts.extend(figures.map(|name| stats[name].clone()));
        let error = &result["errors"][0];
        parts.extend(["kind", "length"].map(|name| error[name].clone()));
    }
    parts.into()
}

fn compare(model: &str, options: &[&str]) {
    compare_all(model, options, &["64"]);
}

/// Compares a search without words with one of each length.
fn compare_all(model: &str, options: &[&str], lengths: &[&str]) {
    let is_ordered = options.contains(&"1") || options.contains(&"dfs");
    let without = essence(&report(model, options, None), is_ordered);
    for length in lengths {
        let with = report(model, options, Some(length));
        assert_eq!(essence(&with, is_ordered), without, "{length} bits {options:?}\n{model}");
        let stored = with["results"][0]["stats"]["stored"].as_u64();
        assert!(stored > Some(400) || !options.contains(&"0"), "{stored:?} states\n{model}");
    }
}

#[test]
fn searches_level_by_level_are_the_same() {
    for model in ALL {
        for threads in ["1", "2"] {
            compare(model, &["--threads", threads]);
            compare(model, &["--threads", threads, "--ignore", "deadlock", "--max-errors", "0"]);
        }
    }
}

#[test]
fn searches_depth_first_are_the_same() {
    for model in ALL {
        compare(model, &["--search", "dfs"]);
        compare(model, &["--search", "dfs", "--ignore", "deadlock", "--max-errors", "0"]);
    }
}

#[test]
fn longer_words_are_the_same() {
    let all = ["--ignore", "deadlock", "--max-errors", "0"];
    for model in ALL {
        for how in [["--threads", "1"], ["--threads", "2"], ["--search", "dfs"]] {
            compare_all(model, &[&how[..], &all].concat(), &["128", "256"]);
        }
    }
    // Far apart from the first steps on, so that nothing is outgrown.
    let wider = "k < 60 -> d_step { k++; z[0] = (k * 7777777) % 1048573; z[1] = (k * 5555555) % 1048573; z[2] = (k * 3333333) % 1048573 }";
    let wide = LOOKED_AT.replace("k < 60 -> k++", wider).replace("a[6];", "a[6]; int z[3];");
    let widest = wide
        .replace("z[3];", "z[3], y[3];")
        .replace("s < 30; s++", "s < 30; s++; y[s % 3] = z[s % 3] + 200000 * s");
    for model in [WIDE, &wide, &widest] {
        compare_all(model, &[&["--threads", "1"], &all[..]].concat(), &["64"]);
        compare_all(model, &[&["--search", "dfs"], &all[..]].concat(), &["64"]);
    }
}

#[test]
fn negative_numbers_are_no_large_ones() {
    let wide = TURNS_NEGATIVE.replace("short", "int").replace("l + 24", "l + 1048576");
    for model in [TURNS_NEGATIVE, &wide] {
        for how in [["--threads", "1"], ["--search", "dfs"], ["--store", "bitstate"]] {
            let options = [&["--property", "safety", "--max-errors", "0"][..], &how].concat();
            compare_all(model, &options, &["64", "128"]);
        }
    }
}

#[test]
fn nobody_sleeps_any_more_and_all_is_found() {
    for how in [["--threads", "1"], ["--threads", "2"], ["--store", "hash-compact"]] {
        let options = [&["--property", "safety", "--max-errors", "0"][..], &how].concat();
        compare_all(RESTLESS, &options, &["64", "128"]);
    }
    let stats = &report(RESTLESS, &["--threads", "1"], Some("64"))["results"][0]["stats"];
    assert!(stats["stored"].as_u64() > Some(40_000), "it is too small to show anything");
}

#[test]
fn lossy_stores_lose_nothing_where_there_is_room() {
    for model in [BOARD, NUMBERS, DEADLOCK, LOOKED_AT, MEETINGS, WIDE, LATE] {
        for store in [&["hash-compact"][..], &["bitstate", "--bits", "26"]] {
            for threads in ["1", "2"] {
                let all = [&["--threads", threads, "--max-errors", "0", "--store"], store].concat();
                compare_all(model, &all, &["64", "128"]);
                compare(model, &[&all[..], &["--ignore", "deadlock"]].concat());
            }
        }
    }
}
