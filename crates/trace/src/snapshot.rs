//! Variables and channels of a state by name, and how two states differ.

use crate::View;
use serde::Serialize;
use spinor_exec::{Channel, Shape};
use spinor_program::{Area, Leaf, ProcessType};
use spinor_sema::hir::Type;

/// A variable or channel and what it holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Variable {
    /// Full name: `x`, `a[2].f`, `P(1):n`.
    pub name: String,
    /// The value; of a channel, its messages.
    pub value: String,
}

/// All variables and channels of a state.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Snapshot {
    /// Variables, globals first.
    pub variables: Vec<Variable>,
    /// Buffered channels.
    pub channels: Vec<Variable>,
}

/// What a step changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Change {
    /// Full name of the variable or channel, or of a process that starts or ends.
    pub name: String,
    /// `variable`, `channel`, `start` or `end`.
    pub kind: &'static str,
    /// Before; absent if it was not there.
    pub old: Option<String>,
    /// After; absent if it is gone.
    pub new: Option<String>,
}

/// A part of a state that holds variables.
pub(crate) struct Part<'a> {
    /// What comes before the names: ``, `P(1):`.
    pub prefix: String,
    pub area: &'a Area,
    /// Where it starts.
    pub offset: usize,
    /// Number of channels before its own.
    pub channels_before: usize,
}

impl View<'_> {
    /// Everything that a state holds.
    #[must_use]
    pub fn snapshot(&self, state: &[u8]) -> Snapshot {
        let shape = self.exec.shape(state);
        let mut snapshot = Snapshot::default();
        for part in self.parts(&shape) {
            for leaf in &part.area.leaves {
                if !is_own_channel(&part, leaf) {
                    let name = format!("{}{}", part.prefix, leaf.name);
                    let value = self.value(&shape, state, &part, leaf);
                    snapshot.variables.push(Variable { name, value });
                }
            }
            for (i, name) in channel_names(&part).into_iter().enumerate() {
                let channel = shape.channels[part.channels_before + i];
                if let Some(value) = self.content(&shape, state, channel) {
                    snapshot.channels.push(Variable { name, value });
                }
            }
        }
        snapshot
    }

    /// What changed from state `old` to state `new`.
    #[must_use]
    pub fn changes(&self, old: &[u8], new: &[u8]) -> Vec<Change> {
        let (old_shape, new_shape) = (self.exec.shape(old), self.exec.shape(new));
        let (old_parts, new_parts) = (self.parts(&old_shape), self.parts(&new_shape));
        let mut changes = Vec::new();
        for (a, b) in old_parts.iter().zip(&new_parts) {
            self.changed_variables((&old_shape, old, a), (&new_shape, new, b), &mut changes);
            self.changed_channels((&old_shape, old, a), (&new_shape, new, b), &mut changes);
        }
        for gone in old_parts.iter().skip(new_parts.len()) {
            let name = gone.prefix.trim_end_matches(':').to_owned();
            changes.push(Change { name, kind: "end", old: None, new: None });
        }
        for part in new_parts.iter().skip(old_parts.len()) {
            let name = part.prefix.trim_end_matches(':').to_owned();
            changes.push(Change { name, kind: "start", old: None, new: None });
            // Zeros go without saying.
            for leaf in part.area.leaves.iter().filter(|l| !is_own_channel(part, l)) {
                if load(&new_shape, new, part, leaf) != 0 {
                    let name = format!("{}{}", part.prefix, leaf.name);
                    let value = self.value(&new_shape, new, part, leaf);
                    changes.push(Change { name, kind: "variable", old: None, new: Some(value) });
                }
            }
        }
        changes
    }

    fn changed_variables(
        &self,
        (old_shape, old, a): (&Shape, &[u8], &Part<'_>),
        (new_shape, new, b): (&Shape, &[u8], &Part<'_>),
        changes: &mut Vec<Change>,
    ) {
        let bytes = a.area.bytes as usize;
        let is_same = old[a.offset..a.offset + bytes] == new[b.offset..b.offset + bytes];
        let has_hidden = self.program.hidden_bytes > 0;
        if is_same && !has_hidden {
            return;
        }
        for leaf in &a.area.leaves {
            if load(old_shape, old, a, leaf) != load(new_shape, new, b, leaf) {
                changes.push(Change {
                    name: format!("{}{}", a.prefix, leaf.name),
                    kind: "variable",
                    old: Some(self.value(old_shape, old, a, leaf)),
                    new: Some(self.value(new_shape, new, b, leaf)),
                });
            }
        }
    }

    fn changed_channels(
        &self,
        (old_shape, old, a): (&Shape, &[u8], &Part<'_>),
        (new_shape, new, b): (&Shape, &[u8], &Part<'_>),
        changes: &mut Vec<Change>,
    ) {
        for i in 0..a.area.channels.len() {
            let before = old_shape.channels[a.channels_before + i];
            let after = new_shape.channels[b.channels_before + i];
            let bytes = self.program.channel_types[before.ty.0 as usize].bytes() as usize;
            if old[before.offset..before.offset + bytes] != new[after.offset..after.offset + bytes]
            {
                changes.push(Change {
                    name: channel_names(a).swap_remove(i),
                    kind: "channel",
                    old: self.content(old_shape, old, before),
                    new: self.content(new_shape, new, after),
                });
            }
        }
    }

    /// Globals, then the claim, then the processes by pid.
    pub(crate) fn parts(&self, shape: &Shape) -> Vec<Part<'_>> {
        let global_channels = self.program.globals.channels.len();
        let mut parts = vec![Part {
            prefix: String::new(),
            area: &self.program.globals,
            offset: shape.globals,
            channels_before: 0,
        }];
        if let Some(claim) = self.claim.map(|c| &self.program.claims[c]) {
            let prefix = format!("{}:", claim.name);
            let area = &claim.frame;
            let offset = shape.claim;
            parts.push(Part { prefix, area, offset, channels_before: global_channels });
        }
        for (pid, frame) in shape.frames.iter().enumerate() {
            let process: &ProcessType = &self.program.proctypes[frame.proctype.index()];
            parts.push(Part {
                prefix: format!("{}({pid}):", process.name),
                area: &process.frame,
                offset: frame.offset,
                channels_before: frame.channels_before,
            });
        }
        parts
    }

    fn value(&self, shape: &Shape, state: &[u8], part: &Part<'_>, leaf: &Leaf) -> String {
        let value = load(shape, state, part, leaf);
        self.shown(shape, leaf.ty, value)
    }

    pub(crate) fn shown(&self, shape: &Shape, ty: Type, value: i32) -> String {
        match ty {
            Type::Chan => self.channel_name(shape, value),
            ty => self.program.show_value(ty, value),
        }
    }

    /// The name of the variable that a channel was made with.
    pub(crate) fn channel_name(&self, shape: &Shape, number: i32) -> String {
        let Some(index) = usize::try_from(number).ok().and_then(|n| n.checked_sub(1)) else {
            return "no channel".to_owned();
        };
        let parts = self.parts(shape);
        let owner = parts.iter().find(|p| {
            (p.channels_before..p.channels_before + p.area.channels.len()).contains(&index)
        });
        owner.map_or_else(
            || format!("dead channel {number}"),
            |part| channel_names(part).swap_remove(index - part.channels_before),
        )
    }

    /// The messages of a buffered channel: `[ACK 1] [MSG 2]`.
    fn content(&self, shape: &Shape, state: &[u8], channel: Channel) -> Option<String> {
        let ty = &self.program.channel_types[channel.ty.0 as usize];
        let messages = self.buffer(state, channel)?.into_iter().map(|fields| {
            let shown = fields.into_iter().zip(&ty.types).map(|(v, &t)| self.shown(shape, t, v));
            format!("[{}]", shown.collect::<Vec<_>>().join(" "))
        });
        let messages: Vec<String> = messages.collect();
        Some(if messages.is_empty() { "empty".to_owned() } else { messages.join(" ") })
    }
}

pub(crate) fn load(shape: &Shape, state: &[u8], part: &Part<'_>, leaf: &Leaf) -> i32 {
    let base = if leaf.hidden { shape.key } else { part.offset };
    leaf.scalar.load(state, base + leaf.offset as usize)
}

/// Whether a variable only holds the channel it was declared with: then the
/// content is shown instead.
pub(crate) fn is_own_channel(part: &Part<'_>, leaf: &Leaf) -> bool {
    leaf.ty == Type::Chan
        && !leaf.hidden
        && part.area.channels.iter().any(|site| site.variable == leaf.offset)
}

/// Names of the channels that lie behind an area.
pub(crate) fn channel_names(part: &Part<'_>) -> Vec<String> {
    let name = |offset: u32| {
        let leaf = part.area.leaves.iter().find(|l| l.offset == offset && !l.hidden);
        format!("{}{}", part.prefix, leaf.map_or("?", |l| &l.name))
    };
    part.area.channels.iter().map(|site| name(site.variable)).collect()
}
