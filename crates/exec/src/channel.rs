//! Content of buffered channels: a counter, then the messages, oldest first.
//! Slots that are not used are zero, so equal contents are equal bytes.

use smallvec::SmallVec;
use spinor_program::{ChannelType, Scalar};

/// The fields of a message.
pub(crate) type Message = SmallVec<[i32; 8]>;

/// Channels of one type.
#[derive(Debug)]
pub(crate) struct Buffer {
    /// Slots; 0 is rendezvous.
    pub capacity: usize,
    /// Representation of each message field.
    pub fields: Box<[Field]>,
    message_bytes: usize,
    len_bytes: usize,
}

/// A field of the messages of a channel.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field {
    pub scalar: Scalar,
    /// Where it lies in the message.
    offset: usize,
}

impl Buffer {
    pub fn new(ty: &ChannelType) -> Self {
        let mut end = 0;
        let field = |&scalar: &Scalar| {
            let offset = end;
            end += scalar.width() as usize;
            Field { scalar, offset }
        };
        Buffer {
            capacity: ty.capacity as usize,
            fields: ty.fields.iter().map(field).collect(),
            message_bytes: ty.message_bytes as usize,
            len_bytes: ty.len_bytes as usize,
        }
    }

    /// Number of messages.
    #[inline]
    pub fn len(&self, state: &[u8], offset: usize) -> usize {
        if self.len_bytes == 1 {
            return usize::from(state[offset]);
        }
        let bytes = &state[offset..offset + self.len_bytes];
        bytes.iter().rev().fold(0, |n, &b| n << 8 | usize::from(b))
    }

    fn set_len(&self, state: &mut [u8], offset: usize, len: usize) {
        let bytes = &mut state[offset..offset + self.len_bytes];
        bytes.copy_from_slice(&len.to_le_bytes()[..self.len_bytes]);
    }

    fn slot(&self, offset: usize, index: usize) -> usize {
        offset + self.len_bytes + index * self.message_bytes
    }

    /// Field `field` of message `index`.
    #[inline]
    pub fn field(&self, state: &[u8], offset: usize, index: usize, field: usize) -> i32 {
        let field = self.fields[field];
        field.scalar.load(state, self.slot(offset, index) + field.offset)
    }

    /// The first message (any, or only the oldest) that fits the pattern.
    pub fn find(
        &self,
        state: &[u8],
        offset: usize,
        pattern: &[Option<i32>],
        anywhere: bool,
    ) -> Option<usize> {
        let len = self.len(state, offset);
        let candidates = if anywhere { len } else { len.min(1) };
        (0..candidates).find(|&index| {
            pattern.iter().enumerate().all(|(f, want)| {
                want.is_none_or(|want| {
                    f < self.fields.len() && self.field(state, offset, index, f) == want
                })
            })
        })
    }

    /// Adds a message at the end, or where it belongs in a sorted channel: before
    /// the first message that is larger, field by field.
    pub fn insert(&self, state: &mut [u8], offset: usize, message: &[i32], sorted: bool) {
        let len = self.len(state, offset);
        let at = if sorted {
            // SPIN: compares the values before they are cut to the width of the fields.
            (0..len)
                .find(|&index| {
                    let order = (0..self.fields.len())
                        .map(|f| self.field(state, offset, index, f).cmp(&message[f]))
                        .find(|o| o.is_ne());
                    order.is_some_and(std::cmp::Ordering::is_gt)
                })
                .unwrap_or(len)
        } else {
            len
        };
        let (from, end) = (self.slot(offset, at), self.slot(offset, len));
        if at < len {
            state.copy_within(from..end, from + self.message_bytes);
        }
        for (field, &value) in self.fields.iter().zip(message) {
            field.scalar.store(state, from + field.offset, value);
        }
        self.set_len(state, offset, len + 1);
    }

    /// Takes message `index` out.
    pub fn remove(&self, state: &mut [u8], offset: usize, index: usize) {
        let len = self.len(state, offset);
        let (from, end) = (self.slot(offset, index), self.slot(offset, len));
        state.copy_within(from + self.message_bytes..end, from);
        state[end - self.message_bytes..end].fill(0);
        self.set_len(state, offset, len - 1);
    }
}
