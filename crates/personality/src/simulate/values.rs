//! Values of variables and channels, as `-g` and `-l` print them.

use super::queues::Queues;
use spinor_program::{Area, Leaf};
use spinor_sema::hir::Type;
use spinor_trace::View;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// A state to print values of.
#[derive(Clone, Copy)]
pub(super) struct Values<'v> {
    pub view: &'v View<'v>,
    pub queues: &'v Queues,
    pub state: &'v [u8],
}

/// A variable: all its elements and fields.
struct Symbol<'a> {
    name: &'a str,
    leaves: Vec<&'a Leaf>,
    is_struct: bool,
}

/// The name of the variable that a leaf belongs to.
pub(super) fn symbol_of(name: &str) -> &str {
    name.split(['[', '.']).next().unwrap_or(name)
}

fn symbols(area: &Area) -> Vec<Symbol<'_>> {
    let mut all: Vec<Symbol<'_>> = Vec::new();
    for leaf in &area.leaves {
        let name = symbol_of(&leaf.name);
        match all.last_mut() {
            Some(last) if last.name == name => {
                last.is_struct |= leaf.name.contains('.');
                last.leaves.push(leaf);
            }
            _ => {
                let is_struct = leaf.name.contains('.');
                all.push(Symbol { name, leaves: vec![leaf], is_struct });
            }
        }
    }
    all
}

impl Values<'_> {
    /// Global variables: all, or those among `marked`.
    pub fn globals(&self, marked: Option<&BTreeSet<String>>, out: &mut String) {
        let base = self.view.exec.shape(self.state).globals;
        for symbol in symbols(&self.view.program.globals) {
            // SPIN: a structure is never seen to change.
            let is_marked = marked.is_none_or(|m| m.contains(symbol.name) && !symbol.is_struct);
            for leaf in &symbol.leaves {
                if leaf.ty == Type::Chan && !symbol.is_struct {
                    self.queue(leaf, base, "", out);
                } else if is_marked {
                    self.line(leaf, base, "", out);
                }
            }
        }
    }

    /// Local variables of a process: all, or those among `marked`.
    pub fn locals(&self, pid: usize, marked: Option<&BTreeSet<String>>, out: &mut String) {
        let Some(process) = self.view.process(self.state, pid) else { return };
        let Some(frame) = self.view.exec.shape(self.state).frames.get(pid).copied() else { return };
        let prefix = format!("{}({pid}):", shown_name(&process.name));
        // SPIN: the last one declared comes first.
        for symbol in symbols(&process.frame).iter().rev() {
            let is_marked = marked.is_none_or(|m| m.contains(symbol.name)) || symbol.is_struct;
            for leaf in &symbol.leaves {
                if leaf.ty == Type::Chan && !symbol.is_struct {
                    self.queue(leaf, frame.offset, &prefix, out);
                } else if is_marked {
                    self.line(leaf, frame.offset, &prefix, out);
                }
            }
        }
    }

    fn load(&self, leaf: &Leaf, base: usize) -> i32 {
        let base = if leaf.hidden { self.view.exec.shape(self.state).key } else { base };
        leaf.scalar.load(self.state, base + leaf.offset as usize)
    }

    fn line(&self, leaf: &Leaf, base: usize, prefix: &str, out: &mut String) {
        let value = self.load(leaf, base);
        let _ = writeln!(out, "\t\t{prefix}{} = {}", leaf.name, self.shown(leaf.ty, value));
    }

    /// A value: names for mtypes, numbers for everything else.
    pub fn shown(&self, ty: Type, value: i32) -> String {
        match ty {
            Type::Mtype(set) => self.view.program.mtype_name(set.index(), value),
            Type::Chan => self.queues.number(value).unwrap_or(0).to_string(),
            _ => value.to_string(),
        }
    }

    fn queue(&self, leaf: &Leaf, base: usize, prefix: &str, out: &mut String) {
        let value = self.load(leaf, base);
        let Some(number) = self.queues.number(value) else { return };
        let shape = self.view.exec.shape(self.state);
        let channel = shape.channels[value as usize - 1];
        let Some(messages) = self.view.buffer(self.state, channel) else { return };
        let ty = &self.view.program.channel_types[channel.ty.0 as usize];
        let _ = write!(out, "\t\tqueue {number} ({prefix}{}): ", leaf.name);
        for message in messages {
            let fields = message.iter().zip(&ty.types).map(|(v, ty)| self.shown(*ty, *v));
            let _ = write!(out, "[{}]", fields.collect::<Vec<_>>().join(","));
        }
        out.push('\n');
    }
}

/// SPIN's name of `init`.
pub(super) fn shown_name(name: &str) -> &str {
    if name == "init" { ":init:" } else { name }
}
