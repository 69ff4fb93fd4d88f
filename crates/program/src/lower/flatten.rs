//! Third phase: choices take over the first steps of their options, and
//! escapes are put in front of what they guard.
//!
//! After this every control point has transitions only. Marks of labels move
//! along, in the places where SPIN moves them.

use super::links::{Edge, Links};

/// `end`, `accept` and `progress` by element number.
#[derive(Clone, Debug, Default)]
pub(super) struct Marks {
    pub end: Vec<bool>,
    pub accept: Vec<bool>,
    pub progress: Vec<bool>,
}

impl Marks {
    pub fn new(len: usize) -> Self {
        Marks { end: vec![false; len], accept: vec![false; len], progress: vec![false; len] }
    }

    /// `to` also has what `from` has.
    fn inherit(&mut self, to: u32, from: u32) {
        let (to, from) = (to as usize, from as usize);
        self.end[to] |= self.end[from];
        self.accept[to] |= self.accept[from];
        self.progress[to] |= self.progress[from];
    }
}

/// Flattens in place; afterwards there are only [`Links::Edges`] and [`Links::None`].
pub(super) fn flatten(links: &mut [Links], marks: &mut Marks) {
    merge_nested_choices(links, marks);
    pull_first_steps(links, marks);
    prepend_escapes(links);
}

/// An option that starts with a choice contributes the options of that choice.
fn merge_nested_choices(links: &mut [Links], marks: &mut Marks) {
    let is_choice =
        |links: &[Links], n: u32| matches!(&links[n as usize], Links::Options(o) if !o.is_empty());
    loop {
        let mut changed = false;
        for i in 1..links.len() {
            let Links::Options(options) = &links[i] else { continue };
            if !options.iter().any(|&o| is_choice(links, o) && o as usize != i) {
                continue;
            }
            let mut merged = Vec::new();
            for &option in options {
                match &links[option as usize] {
                    Links::Options(inner) if !inner.is_empty() && option as usize != i => {
                        for &start in inner {
                            marks.inherit(start, option);
                            merged.push(start);
                        }
                        changed = true;
                    }
                    _ => merged.push(option),
                }
            }
            links[i] = Links::Options(merged);
        }
        if !changed {
            return;
        }
    }
}

fn pull_first_steps(links: &mut [Links], marks: &mut Marks) {
    for i in 1..links.len() {
        let Links::Options(options) = &links[i] else { continue };
        let mut edges: Vec<Edge> = Vec::new();
        for &option in options {
            if let Links::Edges(first) = &links[option as usize]
                && let Some(edge) = first.first()
            {
                marks.inherit(edge.target, option);
                edges.push(edge.clone());
            }
        }
        links[i] = Links::Edges(edges);
    }
}

/// Escapes come first, the outermost before the inner ones.
fn prepend_escapes(links: &mut [Links]) {
    for i in 1..links.len() {
        let Links::Edges(own) = links[i].clone() else { continue };
        let mut all = own.clone();
        for edge in &own {
            for &start in edge.escapes.iter().rev() {
                // An element escaped to itself would copy what is being built.
                let Links::Edges(escape) = links[start as usize].clone() else { continue };
                for first in escape {
                    if !all.iter().any(|e| e.element == first.element) {
                        all.insert(0, Edge { escape: start, ..first });
                    }
                }
            }
        }
        links[i] = Links::Edges(all);
    }
}
