//! Small random models in which processes, and their channels, come and go.
//!
//! Processes with short bodies start each other, hand their channels on and end, in orders that
//! assertions can tell apart: an order that a search leaves out takes an error with it. Each seed
//! uses some of the [habits](Habits) only, as one of them may be what keeps all orders in.

mod body;

use std::fmt::Write;

use self::body::Scope;
use super::rng::Rng;

/// Globals that count.
const COUNTERS: [&str; 2] = ["g0", "g1"];
/// Proctypes of processes that are started.
const MAX_TYPES: usize = 3;
/// Statements by which the first processes start others.
const MAX_STARTS: usize = 3;

/// What the processes of a model do.
#[derive(Clone, Copy, Debug)]
struct Habits {
    /// First values of locals read globals.
    first_values: bool,
    /// Numbers of processes are read.
    numbers: bool,
    /// Values of `run` are kept.
    kept_starts: bool,
    /// The number of processes is read.
    counting: bool,
    /// Processes have channels.
    channels: bool,
    /// Channels are looked at: `len`, `empty`, polls.
    looks: bool,
    /// Numbers of channels are kept as numbers.
    channel_numbers: bool,
    /// Statements in `atomic` and `d_step`.
    sequences: bool,
    timeouts: bool,
    /// Processes are started in loops.
    loops: bool,
    /// Percentage of the processes that end.
    ending: usize,
}

impl Habits {
    fn new(rng: &mut Rng) -> Habits {
        Habits {
            first_values: rng.chance(50),
            numbers: rng.chance(20),
            kept_starts: rng.chance(20),
            counting: rng.chance(12),
            channels: rng.chance(75),
            looks: rng.chance(40),
            channel_numbers: rng.chance(25),
            sequences: rng.chance(30),
            timeouts: rng.chance(15),
            loops: rng.chance(10),
            ending: rng.one_of(&[0, 30, 60, 60, 90, 100]),
        }
    }
}

/// Parameters of a proctype.
#[derive(Clone, Copy, Debug)]
struct Signature {
    number: bool,
    channel: bool,
}

/// What all processes share.
#[derive(Debug)]
struct World {
    rng: Rng,
    habits: Habits,
    /// Channels for channels.
    carriers: Vec<&'static str>,
    /// Channels for numbers.
    channels: Vec<&'static str>,
    /// Variables for channels.
    held: Vec<&'static str>,
    /// `T0`, `T1`, …; each starts only later ones.
    types: Vec<Signature>,
}

/// The text of the model of a seed.
pub fn generate_dynamic(seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let habits = Habits::new(&mut rng);
    let mut world =
        World { rng, habits, carriers: vec![], channels: vec![], held: vec![], types: vec![] };
    let mut out = format!("byte {};\n", COUNTERS.join(", "));
    world.globals(&mut out);
    let started = 1 + world.rng.below(MAX_TYPES);
    for _ in 0..started {
        let signature = Signature {
            number: world.rng.chance(50),
            channel: habits.channels && world.rng.chance(40),
        };
        world.types.push(signature);
    }
    let mut processes = world.active();
    for at in 0..started {
        processes.push(world.started(at));
    }
    // The numbers of processes and channels follow the order in the text.
    while !processes.is_empty() {
        let at = world.rng.below(processes.len());
        out.push_str(&processes.swap_remove(at));
    }
    out
}

impl World {
    fn globals(&mut self, out: &mut String) {
        let rng = &mut self.rng;
        let mut declare = |name: &'static str, of: &str, list: &mut Vec<&'static str>, size| {
            _ = writeln!(out, "chan {name} = [{size}] of {{ {of} }};");
            list.push(name);
        };
        if self.habits.channels {
            declare("h0", "chan", &mut self.carriers, rng.one_of(&[0, 1, 1, 2]));
            if rng.chance(25) {
                declare("h1", "chan", &mut self.carriers, rng.one_of(&[0, 1]));
            }
        }
        if rng.chance(30) {
            declare("b0", "byte", &mut self.channels, rng.one_of(&[0, 1, 1, 2]));
        }
        if self.habits.channels && rng.chance(35) {
            self.held.push("k0");
            out.push_str("chan k0;\n");
        }
    }

    /// Processes that are there from the start.
    fn active(&mut self) -> Vec<String> {
        let mut processes = Vec::new();
        let with_init = self.rng.chance(40);
        let count = self.rng.one_of(&[1, 2, 2, 3]);
        let mut starts = MAX_STARTS;
        for at in 0..count {
            let mut scope = Scope::new(0, starts.min(2));
            let body = self.process(&mut scope);
            starts -= scope.started;
            let kind = if at == 0 && with_init {
                "init".to_owned()
            } else {
                format!("active proctype A{at}()")
            };
            processes.push(format!("{kind} {{\n{body}}}\n"));
        }
        if self.rng.chance(35) {
            let (left, right) = (self.small().max(1), self.small());
            processes.push(format!(
                "active proctype W() {{\n  (g0 == {left} && g1 == {right}) -> assert(false)\n}}\n"
            ));
        }
        processes
    }

    /// The proctype of a number.
    fn started(&mut self, at: usize) -> String {
        let starts = usize::from(self.rng.chance(40));
        let mut scope = Scope::new(at + 1, starts);
        let mut parameters = Vec::new();
        if self.types[at].number {
            parameters.push("byte n");
            scope.numbers.push("n".to_owned());
        }
        if self.types[at].channel {
            parameters.push("chan c");
            scope.held.push("c".to_owned());
        }
        let body = self.process(&mut scope);
        format!("proctype T{at}({}) {{\n{body}}}\n", parameters.join("; "))
    }

    /// A number that a counter, a length, or the number of a process or channel may well be.
    fn small(&mut self) -> i64 {
        let habits = self.habits;
        let numbers = habits.numbers || habits.kept_starts || habits.channel_numbers;
        let most = if numbers && self.rng.chance(40) { 5 } else { 2 };
        self.rng.range(0, most)
    }
}

#[cfg(test)]
mod tests;
