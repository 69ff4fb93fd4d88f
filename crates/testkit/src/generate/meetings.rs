//! Small random models of processes that meet.
//!
//! Processes with a few local steps before each rendezvous, sends and receives in the middle of atomic
//! sequences, beside each other, beside `else`, `timeout` and `unless`: whether somebody was ready in
//! time shows in where others stop, and what others see of that shows in assertions and deadlocks. Each
//! seed uses some of the [habits](Habits) only.

use std::fmt::Write;

use super::rng::Rng;

const CHANNELS: [&str; 3] = ["c0", "c1", "c2"];
const GLOBALS: [&str; 2] = ["g0", "g1"];

/// What the processes of a model do.
#[derive(Clone, Copy, Debug)]
struct Habits {
    /// Percentage of the steps before a meeting that touch globals.
    open: usize,
    /// Percentage of the messages that are exchanged in the middle of sequences.
    sequences: usize,
    elses: bool,
    escapes: bool,
    timeouts: bool,
    /// Places that others look at.
    remote: bool,
    /// Sends and receives with a buffer, too.
    buffers: bool,
    /// Processes that are started.
    starts: bool,
    /// Percentage of the places where it is right to end, before meetings and in the middle of sequences.
    ends: usize,
    steps: bool,
    loops: bool,
}

impl Habits {
    fn new(rng: &mut Rng) -> Habits {
        Habits {
            open: rng.one_of(&[0, 10, 30, 50]),
            sequences: rng.one_of(&[30, 60, 80]),
            elses: rng.chance(25),
            escapes: rng.chance(20),
            timeouts: rng.chance(25),
            remote: rng.chance(15),
            buffers: rng.chance(25),
            starts: rng.chance(15),
            ends: rng.one_of(&[0, 30, 85, 95]),
            steps: rng.chance(20),
            loops: rng.chance(30),
        }
    }
}

/// A model in the making.
struct Scene {
    rng: Rng,
    habits: Habits,
    channels: usize,
    labels: usize,
}

/// The text of the model of a seed.
pub fn generate_meetings(seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let habits = Habits::new(&mut rng);
    let channels = 1 + rng.below(CHANNELS.len());
    let mut scene = Scene { rng, habits, channels, labels: 0 };
    let mut out = format!("byte {};\n", GLOBALS.join(", "));
    for name in &CHANNELS[..channels] {
        let size = usize::from(habits.buffers && scene.rng.chance(30));
        _ = writeln!(out, "chan {name} = [{size}] of {{ byte }};");
    }
    let count = 2 + scene.rng.below(3);
    for number in 0..count {
        let body = scene.body();
        let times = if scene.rng.chance(15) { "[2] " } else { "" };
        let label = if habits.remote && number == 0 { "" } else { times };
        _ = write!(out, "active {label}proctype P{number}() {{\n  byte x, y;\n{body}}}\n");
    }
    if habits.starts {
        let body = scene.body();
        _ = write!(out, "proctype T() {{\n  byte x, y;\n{body}}}\n");
    }
    if habits.timeouts && scene.rng.chance(50) {
        _ = writeln!(out, "active proctype W() {{ timeout; assert(g0 != 1) }}");
    }
    if habits.remote {
        let seen = scene.rng.below(scene.labels.max(1));
        if out[..out.find("proctype P1").unwrap_or(0)].contains(&format!("L{seen}:")) {
            _ = writeln!(out, "active proctype R() {{ P0@L{seen} -> assert(g0 == 2) }}");
        }
    }
    out
}

impl Scene {
    fn body(&mut self) -> String {
        let mut out = String::new();
        let is_loop = self.habits.loops && self.rng.chance(40);
        for _ in 0..1 + self.rng.below(3) {
            for _ in 0..self.rng.below(3) {
                let step = self.step();
                _ = writeln!(out, "  {step};");
            }
            let meeting = self.meeting();
            _ = writeln!(out, "  {meeting};");
        }
        for _ in 0..self.rng.below(3) {
            let check = self.check();
            _ = writeln!(out, "  {check};");
        }
        if is_loop { format!("  do ::\n{out}  od\n") } else { out }
    }

    /// Something that is done alone.
    fn step(&mut self) -> String {
        let value = self.rng.below(3);
        if self.rng.chance(self.habits.open) {
            let g = self.rng.one_of(&GLOBALS);
            return match self.rng.below(4) {
                0 => format!("{g} == {value}"),
                1 => format!("x = {g}"),
                2 if self.habits.starts && self.rng.chance(40) => "run T()".to_owned(),
                _ => format!("{g} = {value}"),
            };
        }
        match self.rng.below(6) {
            0 => format!("x != {value}"),
            1 if self.habits.steps => format!("d_step {{ x = {value}; y = x }}"),
            2 => "y = x".to_owned(),
            3 => format!("x = (x + {value}) % 3"),
            _ => format!("x = {value}"),
        }
    }

    fn check(&mut self) -> String {
        let (g, value) = (self.rng.one_of(&GLOBALS), self.rng.below(3));
        let other = self.rng.below(3);
        match self.rng.below(6) {
            0 => format!("assert({g} == {value})"),
            1 => format!("assert(x != {value})"),
            2 => format!("assert({g} != {value} || x != {other})"),
            3 => format!("assert(g0 != {value} || g1 != {other})"),
            _ => format!("assert({g} != {value})"),
        }
    }

    /// A send or a receive.
    fn message(&mut self) -> String {
        let c = CHANNELS[self.rng.below(self.channels)];
        let value = self.rng.below(3);
        match self.rng.below(8) {
            0..4 => format!("{c}!{value}"),
            4 => format!("{c}?{value}"),
            5 => format!("{c}?eval(y)"),
            6 if self.rng.chance(self.habits.open) => format!("{c}?g0"),
            _ => format!("{c}?x"),
        }
    }

    fn label(&mut self) -> String {
        if self.rng.chance(self.habits.ends) {
            self.labels += 1;
            return format!("end{}: ", self.labels);
        }
        if self.habits.remote && self.rng.chance(40) {
            self.labels += 1;
            return format!("L{}: ", self.labels);
        }
        String::new()
    }

    /// A message, most likely in an atomic sequence.
    fn exchange(&mut self) -> String {
        let message = self.message();
        if !self.rng.chance(self.habits.sequences) {
            return message;
        }
        let mut parts: Vec<String> = Vec::new();
        for _ in 0..self.rng.weighted(&[15, 60, 25]) {
            parts.push(self.step());
        }
        let there = match self.rng.below(12) {
            0 => format!("if :: {message} :: {} fi", self.message()),
            // At the beginning of an option it could compete with another `else`.
            1 if self.habits.elses && !parts.is_empty() => {
                format!("if :: {message} :: else -> {} fi", self.check())
            }
            2 if self.habits.timeouts => format!("if :: {message} :: timeout fi"),
            3 if self.habits.escapes => format!("{{ {message} }} unless {{ g1 == 1 }}"),
            4 => format!("if :: {message} :: {} fi", self.step()),
            _ => message,
        };
        let label = if parts.is_empty() { String::new() } else { self.label() };
        parts.push(label + &there);
        for _ in 0..self.rng.below(4) {
            let part = match self.rng.below(6) {
                0 => self.message(),
                1 | 2 => self.check(),
                3 => format!("{} = {}", self.rng.one_of(&GLOBALS), self.rng.below(3)),
                _ => self.step(),
            };
            parts.push(part);
        }
        format!("atomic {{ {} }}", parts.join("; "))
    }

    /// A message, or a choice of some.
    fn meeting(&mut self) -> String {
        let label = self.label();
        let first = self.exchange();
        let text = match self.rng.below(10) {
            0..3 => first,
            3 if self.habits.elses => format!("if :: {first} :: else -> {} fi", self.step()),
            4 if self.habits.timeouts => format!("if :: {first} :: timeout -> skip fi"),
            5 if self.habits.escapes => {
                let (escape, check) = (self.exchange(), self.check());
                format!("{{ {first} }} unless {{ {escape}; {check} }}")
            }
            6 => format!("if :: {first} :: {} fi", self.step()),
            _ => {
                let (second, check) = (self.exchange(), self.check());
                format!("if :: {first} :: {second} -> {check} fi")
            }
        };
        label + &text
    }
}

#[cfg(test)]
mod tests;
