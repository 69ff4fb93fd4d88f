//! Where things lie in the state vector.
//!
//! ```text
//! [number of processes] [proctype of each] [_last] [trace location] [claim frame]
//! [globals] [global channels]
//! [frame 0: location, priority, locals] [its channels] [frame 1 …] …
//! [hidden variables]
//! ```
//!
//! Everything is whole bytes, least significant first, no padding, only what
//! the model uses. Processes come and go at the top only, and so do the
//! channels they own: the list of proctypes at the front fixes every offset.
//! The hidden variables at the end are no part of the identity of a state.

use crate::{Expr, Scalar};
use spinor_base::Text;
use spinor_sema::hir::{ChannelDef, Type};

/// Index of a [`ChannelType`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct ChannelTypeId(pub u32);

/// Shape of a channel.
#[derive(Clone, Debug, PartialEq)]
pub struct ChannelType {
    /// Slots; 0 is rendezvous, which takes no room in a state.
    pub capacity: u32,
    /// Representation of each message field.
    pub fields: Vec<Scalar>,
    /// Types of the fields, for printing.
    pub types: Vec<Type>,
    /// Bytes of one message.
    pub message_bytes: u32,
    /// Bytes of the counter in front of the messages.
    pub len_bytes: u32,
}

impl ChannelType {
    /// The shape of a declared channel.
    #[must_use]
    pub fn new(def: &ChannelDef, scalar_of: impl Fn(Type) -> Scalar) -> Self {
        let single = def.fields.len() == 1;
        let fields: Vec<Scalar> = def
            .fields
            .iter()
            .map(|&ty| match scalar_of(ty) {
                // SPIN: a message that is one bit alone is kept in a byte.
                Scalar::Bit if single => Scalar::U8,
                scalar => scalar,
            })
            .collect();
        let message_bytes = fields.iter().map(|f| f.width()).sum();
        let len_bytes = match def.capacity {
            0 => 0,
            1..=255 => 1,
            256..=65535 => 2,
            _ => 4,
        };
        ChannelType {
            capacity: def.capacity,
            fields,
            types: def.fields.clone(),
            message_bytes,
            len_bytes,
        }
    }

    /// Bytes of such a channel in a state.
    #[must_use]
    pub fn bytes(&self) -> u32 {
        self.len_bytes + self.capacity * self.message_bytes
    }
}

/// A channel that comes into being together with the globals or a process.
#[derive(Clone, Debug)]
pub struct ChannelSite {
    /// Its shape.
    pub channel: ChannelTypeId,
    /// Offset of the variable that gets its number.
    pub variable: u32,
}

/// A value to be stored when the globals or a frame come into being.
#[derive(Clone, Debug)]
pub struct Initial {
    /// Whether `offset` counts in the hidden area.
    pub hidden: bool,
    /// Where.
    pub offset: u32,
    /// Representation.
    pub scalar: Scalar,
    /// The value.
    pub value: Expr,
}

/// A scalar variable as a person names it: `x`, `a[2]`, `r.f[1].g`.
#[derive(Clone, Debug)]
pub struct Leaf {
    /// Its full name.
    pub name: Text,
    /// Whether `offset` counts in the hidden area.
    pub hidden: bool,
    /// Where.
    pub offset: u32,
    /// Representation.
    pub scalar: Scalar,
    /// Declared type.
    pub ty: Type,
}

/// The globals or the frame of a proctype.
#[derive(Clone, Debug, Default)]
pub struct Area {
    /// Bytes, channels not included.
    pub bytes: u32,
    /// Channels that lie behind it, in the order of their numbers.
    pub channels: Vec<ChannelSite>,
    /// Initial values other than zero, in the order of evaluation.
    pub initials: Vec<Initial>,
    /// All scalars, for printing.
    pub leaves: Vec<Leaf>,
}
