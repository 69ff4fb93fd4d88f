//! Content of buffered channels: a counter, then the messages, oldest first.
//! Slots that are not used are zero, so equal contents are equal bytes.

use spinor_program::ChannelType;

/// Number of messages.
pub(crate) fn len(ty: &ChannelType, state: &[u8], offset: usize) -> usize {
    let bytes = &state[offset..offset + ty.len_bytes as usize];
    bytes.iter().rev().fold(0, |n, &b| n << 8 | usize::from(b))
}

fn set_len(ty: &ChannelType, state: &mut [u8], offset: usize, len: usize) {
    let bytes = &mut state[offset..offset + ty.len_bytes as usize];
    bytes.copy_from_slice(&len.to_le_bytes()[..ty.len_bytes as usize]);
}

fn slot(ty: &ChannelType, offset: usize, index: usize) -> usize {
    offset + ty.len_bytes as usize + index * ty.message_bytes as usize
}

/// Field `field` of message `index`.
pub(crate) fn field(
    ty: &ChannelType,
    state: &[u8],
    offset: usize,
    index: usize,
    field: usize,
) -> i32 {
    let before: u32 = ty.fields[..field].iter().map(|f| f.width()).sum();
    ty.fields[field].load(state, slot(ty, offset, index) + before as usize)
}

/// The first message (any, or only the oldest) that fits the pattern.
pub(crate) fn find(
    ty: &ChannelType,
    state: &[u8],
    offset: usize,
    pattern: &[Option<i32>],
    anywhere: bool,
) -> Option<usize> {
    let candidates = if anywhere { len(ty, state, offset) } else { len(ty, state, offset).min(1) };
    (0..candidates).find(|&index| {
        pattern.iter().enumerate().all(|(f, want)| {
            want.is_none_or(|want| {
                f < ty.fields.len() && field(ty, state, offset, index, f) == want
            })
        })
    })
}

/// Adds a message at the end, or where it belongs in a sorted channel: before
/// the first message that is larger, field by field.
pub(crate) fn insert(
    ty: &ChannelType,
    state: &mut [u8],
    offset: usize,
    message: &[i32],
    sorted: bool,
) {
    let len = len(ty, state, offset);
    let at = if sorted {
        // SPIN: compares the values before they are cut to the width of the fields.
        (0..len)
            .find(|&index| {
                let order = (0..ty.fields.len())
                    .map(|f| field(ty, state, offset, index, f).cmp(&message[f]))
                    .find(|o| o.is_ne());
                order.is_some_and(std::cmp::Ordering::is_gt)
            })
            .unwrap_or(len)
    } else {
        len
    };
    let (from, end) = (slot(ty, offset, at), slot(ty, offset, len));
    state.copy_within(from..end, from + ty.message_bytes as usize);
    let mut to = from;
    for (scalar, &value) in ty.fields.iter().zip(message) {
        scalar.store(state, to, value);
        to += scalar.width() as usize;
    }
    set_len(ty, state, offset, len + 1);
}

/// Takes message `index` out.
pub(crate) fn remove(ty: &ChannelType, state: &mut [u8], offset: usize, index: usize) {
    let len = len(ty, state, offset);
    let (from, end) = (slot(ty, offset, index), slot(ty, offset, len));
    let width = ty.message_bytes as usize;
    state.copy_within(from + width..end, from);
    state[end - width..end].fill(0);
    set_len(ty, state, offset, len - 1);
}
