//! All values of a state, as the verifier prints them.

use super::values::{shown_name, symbol_of};
use crate::model::Model;
use spinor_program::{Area, Leaf};
use spinor_sema::hir::Type;
use spinor_trace::View;
use std::fmt::Write as _;

/// Globals, then the locals of each process; `shift` processes are numbered before the first one.
pub(super) fn state(model: &Model, view: &View<'_>, state: &[u8], shift: usize) -> String {
    let mut out = String::from("global vars:\n");
    for set in model.loaded.model.iter().flat_map(|model| &model.mtypes) {
        for (name, value) in &set.names {
            let _ = writeln!(out, "\tmtype  {name}:\t{value}");
        }
    }
    let shape = view.exec.shape(state);
    let program = &view.program;
    let keeps_all = model.bundle.options.keep_write_only || program.embedded.is_some();
    // What nobody reads is no part of the verifier's states.
    let is_kept = |leaf: &Leaf| {
        let unread = &program.usage.unread;
        !leaf.hidden && (keeps_all || !unread.iter().any(|slot| slot.contains(leaf.offset)))
    };
    let values = Values { view, state };
    values.area(&program.globals, shape.globals, is_kept, &mut out);
    for (pid, frame) in shape.frames.iter().enumerate() {
        let Some(process) = view.process(state, pid) else { continue };
        if !process.frame.leaves.is_empty() {
            let name = shown_name(&process.name);
            let _ = writeln!(out, "local vars proc {} ({name}):", pid + shift);
            values.area(&process.frame, frame.offset, |_| true, &mut out);
        }
    }
    out
}

struct Values<'a> {
    view: &'a View<'a>,
    state: &'a [u8],
}

impl Values<'_> {
    fn area(&self, area: &Area, base: usize, is_kept: impl Fn(&Leaf) -> bool, out: &mut String) {
        let mut record = "";
        for leaf in area.leaves.iter().filter(|leaf| is_kept(leaf)) {
            let value = leaf.scalar.load(self.state, base + leaf.offset as usize);
            let field = leaf.name.rsplit('.').next().unwrap_or(&leaf.name);
            if field.len() < leaf.name.len() && symbol_of(&leaf.name) != record {
                record = symbol_of(&leaf.name);
                let _ = writeln!(out, "\t(struct {record})");
            }
            if leaf.ty == Type::Chan {
                self.channel(field, value, out);
            } else {
                let _ = writeln!(out, "\t{} {field}:\t{value}", type_name(leaf.ty));
            }
        }
    }

    fn channel(&self, name: &str, value: i32, out: &mut String) {
        let shape = self.view.exec.shape(self.state);
        let index = usize::try_from(value).ok().and_then(|n| n.checked_sub(1));
        let channel = index.and_then(|index| shape.channels.get(index).copied());
        let messages = channel.and_then(|channel| self.view.buffer(self.state, channel));
        let messages = messages.unwrap_or_default();
        let _ = write!(out, "\tchan {name} (={value}):\tlen {}:\t", messages.len());
        for message in messages {
            let fields: String = message.iter().map(|field| format!("{field},")).collect();
            let _ = write!(out, " [{fields}],");
        }
        out.push('\n');
    }
}

/// Names of types, in columns.
fn type_name(ty: Type) -> &'static str {
    match ty {
        Type::Bit | Type::Bool => "bit   ",
        Type::Byte | Type::Pid => "byte  ",
        Type::Mtype(_) => "mtype ",
        Type::Short => "short ",
        Type::Int => "int   ",
        Type::Unsigned(_) => "unsigned",
        Type::Chan => "chan  ",
        Type::Struct(_) => "struct",
    }
}
