//! Lays out globals and process frames.

use super::exprs::Names;
use crate::{Area, ChannelSite, ChannelType, ChannelTypeId, Initial, Leaf, Scalar};
use spinor_sema::hir::{Init, Model, StructId, Type, Variable};

/// Sizes of types, and the channel shapes met so far.
pub(super) struct Sizes<'m> {
    model: &'m Model,
    structs: Vec<Option<StructLayout>>,
    chan: Scalar,
    mtype: Scalar,
    pub channel_types: Vec<ChannelType>,
}

/// Size of a record and offsets of its fields.
#[derive(Clone, Debug, Default)]
pub(super) struct StructLayout {
    pub bytes: u32,
    pub fields: Vec<u32>,
}

impl<'m> Sizes<'m> {
    pub fn new(model: &'m Model) -> Self {
        let names = model.mtypes.iter().map(|m| m.names.len()).max().unwrap_or(0);
        let mut sizes = Sizes {
            model,
            structs: vec![None; model.structs.len()],
            chan: Scalar::U8,
            mtype: if names > 255 { Scalar::U16 } else { Scalar::U8 },
            channel_types: Vec::new(),
        };
        if sizes.most_channels() > 255 {
            sizes.chan = Scalar::U16;
        }
        sizes
    }

    /// A bound on the number of channels at any time.
    fn most_channels(&self) -> u64 {
        let globals: u64 = self.model.globals.iter().map(|v| self.channels_in(v)).sum();
        let per_process = self
            .model
            .proctypes
            .iter()
            .map(|p| p.locals.iter().map(|v| self.channels_in(v)).sum::<u64>());
        globals.saturating_add(per_process.max().unwrap_or(0).saturating_mul(255))
    }

    fn channels_in(&self, var: &Variable) -> u64 {
        let one = match (&var.init, var.ty) {
            (Init::Channel(_), _) => 1,
            (_, Type::Struct(id)) => {
                self.model.structs[id.index()].fields.iter().map(|f| self.channels_in(f)).sum()
            }
            _ => 0,
        };
        one * u64::from(var.array.unwrap_or(1))
    }

    /// Representation of a message field or an array element.
    pub fn scalar(&self, ty: Type) -> Scalar {
        match ty {
            Type::Bit | Type::Bool => Scalar::Bit,
            Type::Byte | Type::Pid => Scalar::U8,
            Type::Short => Scalar::I16,
            Type::Int => Scalar::I32,
            Type::Unsigned(bits) => Scalar::Unsigned(bits),
            Type::Mtype(_) => self.mtype,
            Type::Chan => self.chan,
            Type::Struct(_) => Scalar::U8,
        }
    }

    /// Representation of a variable; SPIN keeps arrays of bits as bytes.
    pub fn scalar_of(&self, var: &Variable) -> Scalar {
        match self.scalar(var.ty) {
            Scalar::Bit if var.array.is_some() => Scalar::U8,
            scalar => scalar,
        }
    }

    pub fn struct_layout(&mut self, id: StructId) -> StructLayout {
        if let Some(layout) = &self.structs[id.index()] {
            return layout.clone();
        }
        let mut layout = StructLayout::default();
        let model = self.model;
        for field in &model.structs[id.index()].fields {
            layout.fields.push(layout.bytes);
            layout.bytes += self.element_bytes(field) * field.array.unwrap_or(1);
        }
        self.structs[id.index()] = Some(layout.clone());
        layout
    }

    /// Bytes of one element of a variable.
    pub fn element_bytes(&mut self, var: &Variable) -> u32 {
        match var.ty {
            Type::Struct(id) => self.struct_layout(id).bytes,
            _ => self.scalar_of(var).width(),
        }
    }

    pub fn channel_type(&mut self, var: &Variable) -> Option<ChannelTypeId> {
        let Init::Channel(def) = &var.init else { return None };
        let shape = ChannelType::new(def, |ty| self.scalar(ty));
        let at = self.channel_types.iter().position(|c| *c == shape).unwrap_or_else(|| {
            self.channel_types.push(shape);
            self.channel_types.len() - 1
        });
        Some(ChannelTypeId(at as u32))
    }
}

/// Offsets of variables, by their number; hidden ones count from the hidden area.
pub(super) struct Placed {
    pub area: Area,
    pub offsets: Vec<u32>,
}

/// Lays out variables one after the other, starting at `start`. Hidden ones go
/// to the end of `hidden_bytes`.
pub(super) fn place(
    vars: &[Variable],
    start: u32,
    hidden_bytes: &mut u32,
    sizes: &mut Sizes,
) -> Placed {
    let mut area = Area { bytes: start, ..Area::default() };
    let mut offsets = Vec::with_capacity(vars.len());
    for var in vars {
        let bytes = sizes.element_bytes(var) * var.array.unwrap_or(1);
        let end = if var.hidden { &mut *hidden_bytes } else { &mut area.bytes };
        let offset = *end;
        *end += bytes;
        offsets.push(offset);
        add_leaves(&mut area.leaves, &var.name, var, offset, var.hidden, sizes);
    }
    Placed { area, offsets }
}

fn add_leaves(
    leaves: &mut Vec<Leaf>,
    name: &str,
    var: &Variable,
    offset: u32,
    hidden: bool,
    sizes: &mut Sizes,
) {
    let bytes = sizes.element_bytes(var);
    for i in 0..var.array.unwrap_or(1) {
        let name = if var.array.is_some() { format!("{name}[{i}]") } else { name.to_string() };
        let offset = offset + i * bytes;
        match var.ty {
            Type::Struct(id) => {
                let layout = sizes.struct_layout(id);
                let model = sizes.model;
                for (field, at) in model.structs[id.index()].fields.iter().zip(layout.fields) {
                    let name = format!("{name}.{}", field.name);
                    add_leaves(leaves, &name, field, offset + at, hidden, sizes);
                }
            }
            ty => {
                let scalar = sizes.scalar_of(var);
                leaves.push(Leaf { name: name.into(), hidden, offset, scalar, ty });
            }
        }
    }
}

/// Adds initial values and channels of the variables, in the order given, to an area.
pub(super) fn initialise(
    area: &mut Area,
    vars: &[(&Variable, u32)],
    names: &Names,
    sizes: &mut Sizes,
) {
    for &(var, offset) in vars {
        add_channels(area, var, offset, sizes);
    }
    for &(var, offset) in vars {
        add_initials(area, var, offset, var.hidden, names, sizes);
    }
}

fn add_channels(area: &mut Area, var: &Variable, offset: u32, sizes: &mut Sizes) {
    let bytes = sizes.element_bytes(var);
    let channel = sizes.channel_type(var);
    for i in 0..var.array.unwrap_or(1) {
        let offset = offset + i * bytes;
        if let Some(channel) = channel {
            area.channels.push(ChannelSite { channel, variable: offset });
        } else if let Type::Struct(id) = var.ty {
            let layout = sizes.struct_layout(id);
            let model = sizes.model;
            for (field, at) in model.structs[id.index()].fields.iter().zip(layout.fields) {
                add_channels(area, field, offset + at, sizes);
            }
        }
    }
}

fn add_initials(
    area: &mut Area,
    var: &Variable,
    offset: u32,
    hidden: bool,
    names: &Names,
    sizes: &mut Sizes,
) {
    let bytes = sizes.element_bytes(var);
    let scalar = sizes.scalar_of(var);
    for i in 0..var.array.unwrap_or(1) {
        let offset = offset + i * bytes;
        let value = match (&var.init, var.ty) {
            (Init::Value(e), _) => Some(e),
            (Init::List(list), _) => list.get(i as usize),
            (Init::Zero, Type::Struct(id)) => {
                let layout = sizes.struct_layout(id);
                let model = sizes.model;
                for (field, at) in model.structs[id.index()].fields.iter().zip(layout.fields) {
                    add_initials(area, field, offset + at, hidden, names, sizes);
                }
                None
            }
            _ => None,
        };
        if let Some(value) = value {
            let value = names.expr(value, sizes);
            area.initials.push(Initial { hidden, offset, scalar, value });
        }
    }
}
