//! Small random models whose processes have long stretches of steps of their own.
//!
//! Such steps may be taken as one if nobody can tell. So these models are full of those who might:
//! processes with priorities, `else` and escapes that depend on who is ready to receive, `_nr_pr`,
//! `_pid`, `_last`, and atomic sequences that go over into local steps. Some processes are actors,
//! who set a global and go on by themselves, others watch for that. Each seed uses some of the
//! [habits](Habits) only.

use std::fmt::Write;

use super::rng::Rng;

const GLOBALS: [&str; 2] = ["g0", "g1"];

/// What the processes of a model do.
#[derive(Clone, Copy, Debug)]
struct Habits {
    /// Processes have priorities and change them.
    priorities: bool,
    /// Processes meet, and may do something else if they cannot.
    meetings: bool,
    elses: bool,
    escapes: bool,
    /// Messages with a buffer.
    buffers: bool,
    /// Processes start others and keep their numbers.
    starts: bool,
    /// The number of processes is looked at.
    counting: bool,
    /// Who moved last is looked at.
    movers: bool,
    timeouts: bool,
    jumps: bool,
    loops: bool,
}

impl Habits {
    fn new(rng: &mut Rng) -> Habits {
        Habits {
            priorities: rng.chance(30),
            meetings: rng.chance(50),
            elses: rng.chance(50),
            escapes: rng.chance(40),
            buffers: rng.chance(30),
            starts: rng.chance(30),
            counting: rng.chance(50),
            movers: rng.chance(15),
            timeouts: rng.chance(20),
            jumps: rng.chance(20),
            loops: rng.chance(20),
        }
    }
}

/// A model in the making.
struct Script {
    rng: Rng,
    habits: Habits,
    /// Processes that may still be started.
    starts: usize,
    labels: usize,
}

/// The text of the model of a seed.
pub fn generate_stretches(seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let habits = Habits::new(&mut rng);
    let starts = if habits.starts { 2 } else { 0 };
    let mut script = Script { rng, habits, starts, labels: 0 };
    let mut out = format!("byte {};\n", GLOBALS.join(", "));
    if habits.meetings {
        out.push_str("chan c = [0] of { byte };\n");
    }
    if habits.buffers {
        out.push_str("chan b = [1] of { byte };\n");
    }
    for number in 0..2 + script.rng.below(2) {
        let priority = match habits.priorities && script.rng.chance(50) {
            true => format!(" priority {}", script.rng.range(1, 4)),
            false => String::new(),
        };
        let body = script.body();
        _ = write!(out, "active proctype P{number}(){priority} {{\n  byte x, y;\n{body}}}\n");
    }
    if habits.starts {
        script.starts = 0;
        let body = script.body();
        _ = write!(out, "proctype T() {{\n  byte x, y;\n{body}}}\n");
    }
    out
}

impl Script {
    fn body(&mut self) -> String {
        let mut parts = Vec::new();
        if self.rng.chance(50) {
            self.act(&mut parts);
        } else {
            self.watch(&mut parts);
        }
        for _ in 0..self.rng.below(3) {
            let part = match self.rng.below(8) {
                0..3 => self.sequence(),
                3..5 => self.wait(),
                5..7 => self.choice(),
                _ => self.check(),
            };
            parts.push(part);
            self.go_on(&mut parts);
        }
        let out: String = parts.iter().map(|part| format!("  {part};\n")).collect();
        // Processes that start others do so once.
        let is_loop = self.habits.loops && self.starts == 0 && self.rng.chance(40);
        if is_loop { format!("  do ::\n{out}  od\n") } else { out }
    }

    /// Sets a global, goes on alone, and is ready for others.
    fn act(&mut self, parts: &mut Vec<String>) {
        let g = self.rng.one_of(&GLOBALS);
        let then = if self.rng.chance(50) { self.own() } else { self.open() };
        parts.push(format!("atomic {{ {g} = 1; {then} }}"));
        self.go_on(parts);
        parts.push(match self.habits.meetings && self.rng.chance(40) {
            true => format!("atomic {{ c?_; {} = 0 }}", self.rng.one_of(&GLOBALS)),
            false => self.wait(),
        });
    }

    /// Waits for an actor and looks around.
    fn watch(&mut self, parts: &mut Vec<String>) {
        let g = self.rng.one_of(&GLOBALS);
        let who = self.rng.below(3);
        // Nobody is to see what is set and taken back.
        if self.habits.meetings && self.rng.chance(25) {
            parts.push(format!("atomic {{ {g} == 1; {}; c!0 }}", self.open()));
            return;
        }
        parts.push(match self.habits.movers && self.rng.chance(50) {
            true => format!("{g} == 1 && _last == {who}"),
            false => format!("{g} == 1"),
        });
        if self.rng.chance(30) {
            parts.push(self.open());
        }
        parts.push(if self.rng.chance(60) { self.choice() } else { self.check() });
    }

    fn go_on(&mut self, parts: &mut Vec<String>) {
        for _ in 0..self.rng.below(4) {
            parts.push(self.own());
        }
    }

    fn value(&mut self) -> usize {
        self.rng.weighted(&[40, 50, 10])
    }

    /// A step on the process's own variables, or one that looks like it.
    fn own(&mut self) -> String {
        let value = self.value();
        match self.rng.below(12) {
            0 | 1 if self.starts > 0 => {
                self.starts -= 1;
                "x = run T()".to_owned()
            }
            2 if self.habits.priorities => format!("_priority = {}", 1 + value),
            3 if self.habits.jumps => {
                self.labels += 1;
                format!("goto L{0}; L{0}: y = {value}", self.labels)
            }
            4 => "y = x".to_owned(),
            5 => format!("x = (x + {value}) % 3"),
            6 => format!("assert(x != {value} || y != {})", self.value()),
            7 => "y = _pid".to_owned(),
            8 => "skip".to_owned(),
            _ => format!("x = {value}"),
        }
    }

    /// A step that others can see.
    fn open(&mut self) -> String {
        let (g, value) = (self.rng.one_of(&GLOBALS), self.value());
        match self.rng.below(6) {
            0 => format!("x = {g}"),
            1 => format!("{g} = x"),
            2 if self.starts > 0 => {
                self.starts -= 1;
                "y = run T()".to_owned()
            }
            _ => format!("{g} = {value}"),
        }
    }

    fn sequence(&mut self) -> String {
        let mut parts = Vec::new();
        if self.rng.chance(40) {
            parts.push(self.wait());
        }
        for _ in 0..1 + self.rng.below(3) {
            parts.push(if self.rng.chance(50) { self.open() } else { self.own() });
        }
        if self.habits.meetings && self.rng.chance(30) {
            parts.push(self.message("c"));
            parts.push(self.open());
        }
        if self.rng.chance(20) {
            parts.push(self.check());
        }
        format!("atomic {{ {} }}", parts.join("; "))
    }

    /// Something that may have to wait for others.
    fn wait(&mut self) -> String {
        let (g, value) = (self.rng.one_of(&GLOBALS), self.value());
        let condition = format!("{g} == {value}");
        match self.rng.below(10) {
            0..4 if self.habits.meetings => self.message("c"),
            8 if self.habits.buffers => self.message("b"),
            4 if self.habits.movers => format!("{condition} && _last == {value}"),
            5 if self.habits.counting => format!("{condition} && _nr_pr != {}", 2 + value),
            6 if self.habits.timeouts => "timeout".to_owned(),
            7 => format!("x != {value}"),
            _ => condition,
        }
    }

    fn message(&mut self, channel: &str) -> String {
        let value = self.value();
        match self.rng.below(4) {
            0 => format!("{channel}?x"),
            1 => format!("{channel}?_"),
            _ => format!("{channel}!{value}"),
        }
    }

    fn choice(&mut self) -> String {
        let (first, own, check) = (self.wait(), self.own(), self.check());
        match self.rng.below(4) {
            0 | 1 if self.habits.elses && first != "timeout" => {
                format!("if :: {first} -> {own} :: else -> {check} fi")
            }
            2 if self.habits.escapes => format!("{{ {own}; {check} }} unless {{ {first} }}"),
            3 if self.habits.escapes => {
                let second = self.wait();
                format!("{{ {second}; {check} }} unless {{ {first}; {own} }}")
            }
            _ => format!("if :: {first} -> {own} :: {} -> {check} fi", self.open()),
        }
    }

    fn check(&mut self) -> String {
        let (g, value, other) = (self.rng.one_of(&GLOBALS), self.value(), self.value());
        match self.rng.below(8) {
            // Whether one comes here at all.
            6 | 7 => "assert(false)".to_owned(),
            0 if self.habits.counting => format!("assert(_nr_pr != {})", 3 + value),
            1 => format!("assert(g0 != {value} || g1 != {other})"),
            2 => format!("assert({g} != {value} || x != {other})"),
            3 => format!("assert(_pid != {} || {g} != {other})", 2 + value),
            _ => format!("assert({g} != {value})"),
        }
    }
}

#[cfg(test)]
mod tests;
