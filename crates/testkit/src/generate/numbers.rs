//! Small random models that are about numbers.
//!
//! Variables of all types, most with a few constants of their own, among them those at the edges of
//! types; arrays, indices that may be out of range, arithmetic that wraps, comparisons with what a
//! variable can never be. Each process counts, so that there are enough states for generated code to
//! take part, and much happens only when it has counted far: samples of states do not show it.

use std::fmt::Write;

use super::rng::Rng;

/// Constants at and around the edges of types.
const EDGES: [i64; 33] = [
    0,
    1,
    2,
    3,
    4,
    5,
    7,
    8,
    15,
    16,
    63,
    64,
    100,
    127,
    128,
    200,
    254,
    255,
    256,
    257,
    300,
    511,
    1000,
    32_767,
    32_768,
    65_535,
    -1,
    -2,
    -128,
    -300,
    -32_768,
    70_000,
    2_147_483_647,
];

/// A variable.
struct Variable {
    name: String,
    /// Elements, if it is an array.
    elements: Option<usize>,
    /// What is mostly assigned to it and compared with it.
    constants: Vec<i64>,
}

/// A model in the making.
struct Script {
    rng: Rng,
    variables: Vec<Variable>,
    /// The variable that only the process at hand has, if it has one, is the last one.
    scalars: Vec<usize>,
}

/// The text of the model of a seed.
pub fn generate_numbers(seed: u64) -> String {
    let mut script = Script { rng: Rng::new(seed), variables: Vec::new(), scalars: Vec::new() };
    let mut out = String::new();
    for number in 0..2 + script.rng.below(3) {
        let declaration = script.scalar(format!("v{number}"));
        _ = writeln!(out, "{declaration};");
    }
    for number in 0..script.rng.below(3) {
        let ty = script.rng.one_of(&["byte", "bit", "short", "int"]);
        let elements = script.rng.one_of(&[2, 3, 4, 5, 8, 16]);
        script.variable(format!("a{number}"), Some(elements));
        _ = writeln!(out, "{ty} a{number}[{elements}];");
    }
    let processes = 1 + script.rng.below(2);
    for number in 0..processes {
        _ = writeln!(out, "byte n{number};");
    }
    for number in 0..processes {
        out.push_str(&script.process(number));
    }
    out
}

impl Script {
    fn variable(&mut self, name: String, elements: Option<usize>) {
        let count = 1 + self.rng.below(4);
        let constants = (0..count).map(|_| self.rng.one_of(&EDGES)).collect();
        self.variables.push(Variable { name, elements, constants });
    }

    /// A variable that is no array, and its declaration.
    fn scalar(&mut self, name: String) -> String {
        let first = self.rng.one_of(&[0, 0, 0, 1, 2, 3, 100, 255]);
        let declaration = match self.rng.below(5) {
            0 => format!("bit {name} = {}", first & 1),
            1 => format!("short {name} = {first}"),
            2 => format!("int {name} = {first}"),
            3 => {
                let bits = 1 + self.rng.below(8);
                format!("unsigned {name} : {bits} = {}", first & ((1 << bits) - 1))
            }
            _ => format!("byte {name} = {first}"),
        };
        self.scalars.push(self.variables.len());
        self.variable(name, None);
        declaration
    }

    fn process(&mut self, number: usize) -> String {
        let (variables, scalars) = (self.variables.len(), self.scalars.len());
        let mut out = format!("active proctype P{number}() {{\n");
        if self.rng.chance(50) {
            let declaration = self.scalar(format!("l{number}"));
            _ = writeln!(out, "  {declaration};");
        }
        let last = self.rng.one_of(&[15, 30, 60]);
        _ = writeln!(out, "  do\n  :: n{number} < {last} -> n{number}++");
        if self.rng.chance(70) {
            _ = writeln!(out, "  :: n{number} == {last} -> n{number} = 0");
        }
        for _ in 0..2 + self.rng.below(4) {
            let option = self.option(number, last);
            _ = writeln!(out, "  :: {option}");
        }
        out.push_str("  od\n}\n");
        self.variables.truncate(variables);
        self.scalars.truncate(scalars);
        out
    }

    fn option(&mut self, number: usize, last: i64) -> String {
        let when = if self.rng.chance(60) {
            let sign = self.rng.one_of(&["<", ">", "=="]);
            let bound = self.rng.one_of(&[0, last - 1, last, last / 2]);
            format!("n{number} {sign} {bound} && ")
        } else {
            String::new()
        };
        let condition = self.condition();
        let assignments = |script: &mut Script, most: usize| {
            let count = 1 + script.rng.below(most);
            let all: Vec<String> = (0..count).map(|_| script.assignment()).collect();
            all.join("; ")
        };
        match self.rng.below(20) {
            0..9 => format!("{when}{condition} -> {}", self.assignment()),
            9..16 => format!("d_step {{ {when}{condition}; {} }}", assignments(self, 3)),
            16..18 => format!("atomic {{ {when}{condition} -> {} }}", assignments(self, 2)),
            18 => self.assignment(),
            _ => format!("{when}{condition} -> assert({})", self.condition()),
        }
    }

    /// A place, and which variable's it is.
    fn place(&mut self) -> (usize, String) {
        let at = if self.rng.chance(65) {
            self.rng.one_of(&self.scalars)
        } else {
            self.rng.below(self.variables.len())
        };
        let name = self.variables[at].name.clone();
        let place = match self.variables[at].elements {
            Some(elements) => format!("{name}[{}]", self.index(elements)),
            None => name,
        };
        (at, place)
    }

    fn index(&mut self, elements: usize) -> String {
        let which = self.rng.one_of(&self.scalars);
        let variable = self.variables[which].name.clone();
        match self.rng.below(20) {
            0..7 => self.rng.below(elements).to_string(),
            7..14 => variable,
            14..16 => format!("{variable} % {elements}"),
            16..18 => format!("({variable} & {})", self.rng.one_of(&[1, 3, 7])),
            _ => format!("{variable} {} 1", self.rng.one_of(&["+", "-"])),
        }
    }

    fn constant(&mut self, of: usize) -> i64 {
        match self.rng.chance(85) {
            true => {
                let at = self.rng.below(self.variables[of].constants.len());
                self.variables[of].constants[at]
            }
            false => self.rng.one_of(&EDGES),
        }
    }

    fn expression(&mut self, depth: usize) -> String {
        match self.rng.below(20) {
            0..3 => self.rng.one_of(&EDGES).to_string(),
            3..6 => self.rng.below(4).to_string(),
            6..13 => self.place().1,
            _ if depth > 1 => self.place().1,
            13..17 => {
                let sign = self.rng.one_of(&["+", "-", "*", "&", "|", "^"]);
                format!("({} {sign} {})", self.expression(depth + 1), self.expression(depth + 1))
            }
            17 => {
                let (sign, by) = (self.rng.one_of(&["/", "%"]), self.rng.one_of(&[2, 3, 7, 16]));
                format!("({} {sign} {by})", self.expression(depth + 1))
            }
            18 => {
                let (sign, by) = (self.rng.one_of(&["<<", ">>"]), self.rng.one_of(&[1, 2, 4]));
                format!("({} {sign} {by})", self.expression(depth + 1))
            }
            _ => {
                let (yes, no) = (self.expression(depth + 1), self.expression(depth + 1));
                format!("({} -> {yes} : {no})", self.comparison(depth + 1))
            }
        }
    }

    fn comparison(&mut self, depth: usize) -> String {
        let (variable, place) = self.place();
        match self.rng.below(20) {
            0..12 => {
                let sign = self.rng.one_of(&["==", "==", "!=", "<", ">", "<=", ">="]);
                format!("{place} {sign} {}", self.constant(variable))
            }
            12..15 => {
                let sign = self.rng.one_of(&["==", "!=", "<", ">"]);
                format!("{place} {sign} {}", self.place().1)
            }
            15 => place,
            16 => format!("!{place}"),
            _ => {
                let sign = self.rng.one_of(&["==", "!=", "<", ">"]);
                format!("{} {sign} {}", self.expression(depth + 1), self.expression(depth + 1))
            }
        }
    }

    fn condition(&mut self) -> String {
        let mut out = self.comparison(0);
        for _ in 0..self.rng.below(3) {
            let sign = if self.rng.chance(75) { "&&" } else { "||" };
            out = format!("{out} {sign} {}", self.comparison(0));
        }
        format!("({out})")
    }

    fn assignment(&mut self) -> String {
        let (variable, place) = self.place();
        match self.rng.below(20) {
            0..11 => format!("{place} = {}", self.constant(variable)),
            11..15 => format!("{place} = {}", self.place().1),
            15 => format!("{place}++"),
            16 => format!("{place}--"),
            _ => format!("{place} = {}", self.expression(0)),
        }
    }
}

#[cfg(test)]
mod tests;
