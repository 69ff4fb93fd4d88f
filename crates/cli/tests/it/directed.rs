//! Directed searches from the command line.

use crate::support::Folder;

const PHILOSOPHERS: &str = "
chan forks[N] = [1] of { bit };
proctype philosopher(byte id) {
end: do
  :: forks[id]?1 -> forks[(id + 1) % N]?1; forks[id]!1; forks[(id + 1) % N]!1
  od
}
init {
  byte i = N;
  atomic { do :: i > 0 -> i--; forks[i]!1; run philosopher(i) :: else -> break od }
}";

const COUNTER: &str = "
byte x; bool up = true;
active proctype A() { do :: x < 40 && up -> x++ :: x > 0 -> x-- :: up = !up od }
active proctype B() { end: do :: assert(x != 30); x == 200 od }";

const ORDERS: [&str; 5] = ["best-first", "astar", "wastar", "ida", "beam"];

#[test]
fn every_order_finds_the_deadlock() {
    let folder = Folder::with(PHILOSOPHERS);
    let shortest = &folder.run(&["check", "--json", "-DN=4", "--shortest", "m.pml"]);
    let shortest = shortest.json()["results"][0]["errors"][0]["length"].as_u64().unwrap();
    for order in ORDERS {
        let result = folder.run(&["check", "--json", "-DN=4", "--search", order, "m.pml"]);
        assert_eq!(result.code, 11, "{order}");
        let json = result.json();
        let search = &json["results"][0]["search"];
        assert_eq!((&search["order"], &search["heuristic"]), (&order.into(), &"active".into()));
        assert_eq!(search["admissible"], false);
        let length = json["results"][0]["errors"][0]["length"].as_u64().unwrap();
        assert!(length >= shortest, "{order}");
        if order == "astar" || order == "ida" {
            assert_eq!((length, &search["proved_shortest"]), (shortest, &true.into()), "{order}");
        }
        assert_eq!(folder.run(&["replay", "-DN=4", "m.pml"]).code, 0, "{order}");
    }
}

#[test]
fn many_philosophers_are_no_problem_for_a_star() {
    let folder = Folder::with(PHILOSOPHERS);
    let result = folder.run(&[
        "check",
        "--json",
        "-DN=40",
        "--search",
        "astar",
        "--timeout",
        "60s",
        "m.pml",
    ]);
    let json = result.json();
    let expanded = json["results"][0]["stats"]["expanded"].as_u64().unwrap();
    assert_eq!(result.code, 11);
    assert!(expanded < 200, "{expanded}");
}

#[test]
fn assertions_are_hunted_by_their_formula() {
    let folder = Folder::with(COUNTER);
    let run = |options: &[&str]| {
        let result = folder.run(&[&["check", "--json"], options, &["m.pml"]].concat());
        assert_eq!(result.code, 10, "{options:?}");
        let json = result.json();
        let length = json["results"][0]["errors"][0]["length"].as_u64().unwrap();
        (length, json["results"][0]["stats"]["expanded"].as_u64().unwrap())
    };
    let (shortest, blind) = run(&["--search", "astar", "--heuristic", "none"]);
    for heuristic in ["formula", "bound"] {
        let (length, expanded) = run(&["--search", "astar", "--heuristic", heuristic]);
        assert_eq!(length, shortest, "{heuristic}");
        assert!(expanded < blind, "{heuristic}: {expanded} of {blind}");
    }
    assert!(run(&["--search", "best-first"]).1 < blind);
}

#[test]
fn a_search_that_ends_has_seen_everything() {
    let folder = Folder::with("byte x; active proctype A() { x = 1; x = 2 }");
    for order in ORDERS {
        let result = folder.run(&["check", "--json", "--search", order, "m.pml"]);
        assert_eq!(result.code, 0, "{order}");
        assert_eq!(result.json()["results"][0]["complete"], true);
    }
    let bits = ["check", "--json", "--search", "ida", "--store", "bitstate", "m.pml"];
    assert_eq!(folder.run(&bits).code, 20);
    assert_eq!(folder.run(&["check", "--search", "random-walk", "m.pml"]).code, 20);
}

#[test]
fn formulas_and_claims_direct_too() {
    let model = "
byte x; bool done;
active proctype A() { do :: x < 50 -> x++ :: x > 0 -> x-- :: x == 50 -> break od; done = true }
ltl p { [] !(done && x == 50) }";
    let folder = Folder::with(model);
    let length = |options: &[&str]| {
        let result =
            folder.run(&[&["check", "--json", "--property", "p"], options, &["m.pml"]].concat());
        assert_eq!(result.code, 12, "{options:?}");
        result.json()["results"][0]["errors"][0]["length"].as_u64().unwrap()
    };
    let shortest = length(&["--search", "bfs"]);
    assert_eq!(length(&["--search", "astar"]), shortest);
    assert_eq!(length(&["--search", "ida"]), shortest);
    assert!(length(&["--search", "best-first"]) >= shortest);
}

#[test]
fn bad_use_is_refused() {
    let folder = Folder::with(PHILOSOPHERS);
    let refused = |options: &[&str], code: u8, what: &str| {
        let result = folder.run(&[&["check", "-DN=2"], options, &["m.pml"]].concat());
        assert_eq!(result.code, i32::from(code), "{options:?} {}", result.err);
        assert!(result.err.contains(what), "{options:?}: {}", result.err);
    };
    refused(&["--search", "astar", "--heuristic", "magic"], 2, "there is no estimate `magic`");
    refused(&["--heuristic", "active"], 2, "is for a directed search");
    refused(&["--search", "astar", "--weight", "2"], 2, "is for `--search wastar`");
    refused(&["--search", "astar", "--heuristic", "fsm"], 2, "name a trail");
    refused(&["--search", "astar", "--heuristic", "formula"], 2, "the model asserts nothing");
    refused(&["--search", "astar", "--danger", "nowhere"], 2, "no statement has the label");
    refused(&["--search", "astar", "--target", "no.trail"], 66, "cannot read the trail");
    let active = ["--search", "astar", "--heuristic", "active", "--ignore", "deadlock"];
    refused(&active, 2, "about deadlocks");
}

#[test]
fn a_trail_is_a_target() {
    let folder = Folder::with(PHILOSOPHERS);
    assert_eq!(folder.run(&["check", "-DN=3", "--search", "dfs", "m.pml"]).code, 11);
    std::fs::copy(folder.path("m.pml.trail"), folder.path("long.trail")).unwrap();
    for heuristic in ["fsm", "hamming"] {
        let options =
            ["--search", "best-first", "--target", "long.trail", "--heuristic", heuristic];
        let result = folder.run(&[&["check", "-DN=3"], &options[..], &["m.pml"]].concat());
        assert_eq!(result.code, 11, "{}", result.err);
    }
}

#[test]
fn cycles_are_found_where_the_claim_accepts() {
    let model = "
byte x; bool asked, answered;
active proctype A() {
  do
  :: x < 20 -> x++
  :: x == 20 -> asked = true; x = 0; if :: answered = true :: skip fi; asked = false
  od
}
ltl p { [] (asked -> <> answered) }";
    let folder = Folder::with(model);
    for order in ["dfs", "astar", "best-first"] {
        let run = ["check", "--json", "--property", "p", "--search", order, "m.pml"];
        let result = folder.run(&run);
        assert_eq!(result.code, 12, "{order}: {}", result.err);
        let json = result.json();
        let search = &json["results"][0]["search"];
        assert_eq!(search["heuristic"].is_null(), order == "dfs");
        assert_eq!(search["order"], order);
        assert_eq!(folder.run(&["replay", "m.pml"]).code, 0);
    }
    let holds = folder.run(&["check", "--ltl", "[] (x < 21)", "--search", "astar", "m.pml"]);
    assert_eq!(holds.code, 0, "{}", holds.err);
}

#[test]
fn claims_may_assert_what_processes_do_not() {
    let model = "byte x; active proctype A() { x = 1; x = 2 }
never { do :: atomic { x > 5 -> assert(!(x > 5)) } :: else od }";
    let folder = Folder::with(model);
    let result = folder.run(&["check", "--search", "astar", "m.pml"]);
    assert_eq!(result.code, 0, "{}", result.err);
}
