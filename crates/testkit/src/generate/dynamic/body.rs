//! Locals and statements of a process.

use std::fmt::Write;

use super::{COUNTERS, World};

/// What a process can name, and may still do.
#[derive(Clone, Debug)]
pub(super) struct Scope {
    pub numbers: Vec<String>,
    /// Its own channels.
    pub own: Vec<String>,
    /// Variables that may have the number of a channel.
    pub held: Vec<String>,
    /// Those of them that have none yet.
    unset: Vec<String>,
    /// The first type that it may start, how often, and how often it does.
    first_type: usize,
    starts: usize,
    pub started: usize,
}

impl Scope {
    pub fn new(first_type: usize, starts: usize) -> Scope {
        Scope {
            numbers: vec![],
            own: vec![],
            held: vec![],
            unset: vec![],
            first_type,
            starts,
            started: 0,
        }
    }
}

impl World {
    /// Locals, statements and the end of a process.
    pub fn process(&mut self, scope: &mut Scope) -> String {
        let mut out = self.locals(scope);
        let mut statements = Vec::new();
        if self.rng.chance(40) {
            statements.push(self.statement(scope));
        }
        if !scope.numbers.is_empty() && self.rng.chance(40) {
            let last = scope.numbers.len() - 1;
            statements.push(format!("assert({} != {})", scope.numbers[last], self.small()));
        }
        statements.extend(self.introduction(scope));
        for _ in 0..1 + self.rng.below(2) {
            statements.push(self.statement(scope));
        }
        if scope.first_type == 0
            && scope.started == 0
            && self.rng.chance(70)
            && let Some(start) = self.start(scope)
        {
            // Behind other statements it might not be reached.
            let at = if self.rng.chance(60) { 0 } else { self.rng.below(statements.len() + 1) };
            statements.insert(at, start);
        }
        if self.rng.chance(40) {
            statements.push(format!("assert({})", self.claim(scope)));
        }
        for statement in statements {
            _ = writeln!(out, "  {statement};");
        }
        let last = self.last(scope);
        if !last.is_empty() {
            _ = writeln!(out, "  {last}");
        }
        out
    }

    fn locals(&mut self, scope: &mut Scope) -> String {
        let mut out = String::new();
        if self.habits.channels && self.rng.chance(50) {
            let size = self.rng.one_of(&[0, 1, 1, 1, 2]);
            if self.rng.chance(10) {
                _ = writeln!(out, "  chan own[2] = [{size}] of {{ byte }};");
                scope.own.extend(["own[0]".to_owned(), "own[1]".to_owned()]);
            } else {
                _ = writeln!(out, "  chan own = [{size}] of {{ byte }};");
                scope.own.push("own".to_owned());
            }
        }
        if self.habits.channels && self.rng.chance(40) {
            let known = self.known_channel(scope).filter(|_| self.rng.chance(25));
            if known.is_none() {
                scope.unset.push("x".to_owned());
            }
            let first = known.map(|known| format!(" = {known}")).unwrap_or_default();
            _ = writeln!(out, "  chan x{first};");
            scope.held.push("x".to_owned());
        }
        for at in 0..self.rng.below(3) {
            let first = self.rng.chance(75).then(|| format!(" = {}", self.first_value(scope)));
            _ = writeln!(out, "  byte y{at}{};", first.unwrap_or_default());
            scope.numbers.push(format!("y{at}"));
        }
        out
    }

    fn first_value(&mut self, scope: &Scope) -> String {
        let number = if scope.numbers.is_empty() || self.rng.chance(30) {
            self.small().to_string()
        } else {
            scope.numbers[self.rng.below(scope.numbers.len())].clone()
        };
        let reads = [
            (self.habits.first_values, self.rng.one_of(&COUNTERS).to_owned()),
            (self.habits.numbers, "_pid".to_owned()),
            (self.habits.counting, "_nr_pr".to_owned()),
        ];
        let wanted: Vec<_> = reads.into_iter().filter(|(is_so, _)| *is_so).collect();
        match self.rng.pick(&wanted) {
            Some((_, read)) if self.rng.chance(25) => format!("{read} + {number}"),
            Some((_, read)) if self.rng.chance(75) => read.clone(),
            _ if self.habits.looks && self.rng.chance(30) => self.length(scope).unwrap_or(number),
            _ => number,
        }
    }

    /// Hands its channels on and gets one, most of the time: otherwise there is nothing to use.
    fn introduction(&mut self, scope: &mut Scope) -> Vec<String> {
        let mut statements = Vec::new();
        let carrier = self.rng.pick(&self.carriers).copied();
        if let (Some(carrier), Some(own)) = (carrier, scope.own.first().cloned())
            && self.rng.chance(75)
        {
            statements.push(match self.held.first() {
                Some(held) if self.rng.chance(40) => format!("{held} = {own}"),
                _ => format!("{carrier}!{own}"),
            });
        }
        if let (Some(carrier), Some(unset)) = (carrier, scope.unset.first().cloned())
            && self.rng.chance(75)
        {
            statements.push(match self.held.first() {
                Some(held) if self.rng.chance(40) => format!("{held} != 0 -> {unset} = {held}"),
                _ => format!("{carrier}?{unset}"),
            });
            scope.unset.clear();
            if self.rng.chance(70) {
                statements.push(match self.rng.below(4) {
                    0 if self.habits.looks => self.watch(&unset),
                    0..=2 => format!("{unset}!{}", self.number(scope)),
                    _ => format!("{unset}?{}", self.place(scope)),
                });
            }
        }
        statements
    }

    fn statement(&mut self, scope: &mut Scope) -> String {
        match self.rng.weighted(&[45, 25, 12, 4, 6, 4, 6]) {
            0 => self.processes_or_channels(scope),
            1 => self.assignment(scope),
            2 => format!("assert({})", self.claim(scope)),
            3 => format!("({})", self.condition(scope)),
            4 if self.habits.sequences => self.sequence(scope),
            5 if self.habits.timeouts => format!("timeout -> {}", self.simple(scope)),
            _ => self.choice(scope),
        }
    }

    fn processes_or_channels(&mut self, scope: &mut Scope) -> String {
        if self.rng.chance(if self.habits.channels { 40 } else { 90 })
            && let Some(start) = self.start(scope)
        {
            return start;
        }
        self.transfer(scope).unwrap_or_else(|| self.assignment(scope))
    }

    /// Starts a process.
    fn start(&mut self, scope: &mut Scope) -> Option<String> {
        let left = self.types.len().saturating_sub(scope.first_type);
        if left == 0 || scope.starts == 0 {
            return None;
        }
        scope.starts -= 1;
        scope.started += 1;
        let at = scope.first_type + self.rng.below(left);
        let mut arguments = Vec::new();
        if self.types[at].number {
            arguments.push(self.number(scope));
        }
        if self.types[at].channel {
            let channel = self.known_channel(scope).or_else(|| self.channel(scope));
            arguments.push(channel.unwrap_or_else(|| self.small().to_string()));
        }
        let run = format!("run T{at}({})", arguments.join(", "));
        if self.habits.loops && self.rng.chance(50) {
            return Some(format!("do :: g1 < 2 -> g1++; {run} :: else -> break od"));
        }
        let is_kept = self.habits.kept_starts && self.rng.chance(70);
        Some(if is_kept { format!("{} = {run}", self.place(scope)) } else { run })
    }

    /// Hands a channel on, or uses one.
    fn transfer(&mut self, scope: &Scope) -> Option<String> {
        let known = self.known_channel(scope);
        let places: Vec<&str> =
            scope.held.iter().map(String::as_str).chain(self.held.iter().copied()).collect();
        let place = self.rng.pick(&places).map(|place| (*place).to_owned());
        let carrier = self.rng.pick(&self.carriers).copied();
        match (self.rng.weighted(&[30, 25, 8, 8, 40]), known, place, carrier) {
            (0, Some(channel), _, Some(carrier)) => Some(format!("{carrier}!{channel}")),
            (1, _, Some(place), Some(carrier)) => Some(format!("{carrier}?{place}")),
            (2, Some(channel), Some(place), _) => Some(format!("{place} = {channel}")),
            (3, Some(channel), _, _) if self.habits.channel_numbers => {
                Some(format!("{} = {channel}", self.rng.one_of(&COUNTERS)))
            }
            _ => self.message(scope),
        }
    }

    /// Sends or receives a number.
    fn message(&mut self, scope: &Scope) -> Option<String> {
        let channel = self.channel(scope)?;
        Some(match self.rng.below(6) {
            0..=2 => format!("{channel}!{}", self.number(scope)),
            3 | 4 => format!("{channel}?{}", self.place(scope)),
            _ => format!("{channel}?{}", self.small()),
        })
    }

    fn assignment(&mut self, scope: &Scope) -> String {
        let place = self.place(scope);
        match self.rng.below(4) {
            0 => format!("{place} = ({place} + 1) % 4"),
            _ => format!("{place} = {}", self.number(scope)),
        }
    }

    /// A statement that starts nothing.
    fn simple(&mut self, scope: &Scope) -> String {
        match self.rng.below(3) {
            0 => self.transfer(scope).unwrap_or_else(|| self.assignment(scope)),
            1 => format!("assert({})", self.claim(scope)),
            _ => self.assignment(scope),
        }
    }

    fn sequence(&mut self, scope: &mut Scope) -> String {
        if self.rng.chance(25) {
            return format!("d_step {{ {}; {} }}", self.simple(scope), self.assignment(scope));
        }
        let start = self.start(scope).unwrap_or_else(|| self.assignment(scope));
        let other = self.simple(scope);
        if self.rng.chance(50) {
            format!("atomic {{ {start}; {other} }}")
        } else {
            format!("atomic {{ {other}; {start} }}")
        }
    }

    fn choice(&mut self, scope: &mut Scope) -> String {
        let first = if self.rng.chance(50) { self.condition(scope) } else { self.simple(scope) };
        let second = self.start(scope).unwrap_or_else(|| self.simple(scope));
        let other = match self.rng.below(3) {
            0 => "else".to_owned(),
            1 => "skip".to_owned(),
            _ => self.simple(scope),
        };
        format!("if :: {first} -> {second} :: {other} fi")
    }

    /// How a process ends, or stays.
    fn last(&mut self, scope: &Scope) -> String {
        if self.rng.chance(self.habits.ending) {
            return if self.rng.chance(30) { "skip".to_owned() } else { String::new() };
        }
        match self.rng.below(5) {
            0 => "(false)".to_owned(),
            1 | 2 => "do :: skip od".to_owned(),
            3 => format!("do :: {} od", self.simple(scope)),
            _ => {
                let wait = self.message(scope).unwrap_or_else(|| "skip".to_owned());
                format!("end: do :: {wait} od")
            }
        }
    }

    fn condition(&mut self, scope: &Scope) -> String {
        if self.habits.looks
            && self.rng.chance(30)
            && let Some(channel) = self.channel(scope)
        {
            return self.watch(&channel);
        }
        let left = self.compared(scope);
        let operator = self.rng.one_of(&["==", "!=", "<"]);
        format!("{left} {operator} {}", self.number(scope))
    }

    /// A condition that holds more often than not.
    fn claim(&mut self, scope: &Scope) -> String {
        if self.rng.chance(20) {
            return self.condition(scope);
        }
        let mut left = self.compared(scope);
        if self.rng.chance(20) {
            left = format!("{left} + {}", self.compared(scope));
        }
        let unwanted = if self.rng.chance(20) { 0 } else { self.small().max(1) };
        format!("{left} != {unwanted}")
    }

    fn compared(&mut self, scope: &Scope) -> String {
        match self.rng.pick(&scope.numbers) {
            Some(number) if self.rng.chance(50) => number.clone(),
            _ => self.read(scope),
        }
    }

    /// A number that something may be set to.
    fn number(&mut self, scope: &Scope) -> String {
        if self.rng.chance(50) { self.small().to_string() } else { self.read(scope) }
    }

    fn read(&mut self, scope: &Scope) -> String {
        match self.rng.below(8) {
            0 if self.habits.numbers => "_pid".to_owned(),
            1 if self.habits.counting => "_nr_pr".to_owned(),
            2 if self.habits.looks => self.length(scope).unwrap_or_else(|| "g0".to_owned()),
            3..=5 if !scope.numbers.is_empty() => {
                scope.numbers[self.rng.below(scope.numbers.len())].clone()
            }
            _ => self.rng.one_of(&COUNTERS).to_owned(),
        }
    }

    /// A condition on a channel.
    fn watch(&mut self, channel: &str) -> String {
        match self.rng.below(8) {
            0 => format!("len({channel}) == {}", self.rng.below(2)),
            1 => format!("len({channel}) != {}", self.rng.below(2)),
            2 => format!("empty({channel})"),
            3 => format!("nempty({channel})"),
            4 => format!("full({channel})"),
            5 => format!("nfull({channel})"),
            6 => format!("!({channel}?[{}])", self.small()),
            _ => format!("{channel}?[{}]", self.small()),
        }
    }

    fn length(&mut self, scope: &Scope) -> Option<String> {
        Some(format!("len({})", self.channel(scope)?))
    }

    /// A number that can be set.
    fn place(&mut self, scope: &Scope) -> String {
        match self.rng.pick(&scope.numbers) {
            Some(local) if self.rng.chance(30) => local.clone(),
            _ => self.rng.one_of(&COUNTERS).to_owned(),
        }
    }

    /// A channel for numbers, whose number is known for sure.
    fn known_channel(&mut self, scope: &Scope) -> Option<String> {
        if scope.own.is_empty() || self.rng.chance(10) {
            return self.rng.pick(&self.channels).map(|&channel| channel.to_owned());
        }
        self.rng.pick(&scope.own).cloned()
    }

    /// A channel for numbers, if there is one behind the name by then.
    fn channel(&mut self, scope: &Scope) -> Option<String> {
        // Nobody comes past a variable that was not set.
        let is_set = |held: &&String| !scope.unset.contains(held);
        let set: Vec<&String> = scope.held.iter().filter(is_set).collect();
        if !set.is_empty() && self.rng.chance(60) {
            return self.rng.pick(&set).map(|held| (*held).clone());
        }
        if self.rng.chance(3) {
            return self.rng.pick(&self.held).map(|&held| held.to_owned());
        }
        self.known_channel(scope)
    }
}
