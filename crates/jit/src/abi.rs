//! The border between generated code and the rest.
//!
//! A *step function* is generated for each proctype (and for the claim). It tries all
//! transitions of one process in one state, in order, and writes every state that a
//! transition leads to as an event behind the cursors of [`Cx`]. It knows neither
//! atomic sequences nor `timeout` nor other processes (but for the other half of a
//! rendezvous): that is the driver's part.
//!
//! Whatever is an error of the model (an index out of range, a failed assertion, a
//! dead channel, …) is not generated: the function returns [`BAIL`], what it has
//! written is dropped, and the interpreter expands the state. So there is one
//! description of what happens then, and generated code never traps.

#![allow(unsafe_code)]

use spinor_program::{CAround, CEntry, CFunction};
use spinor_ts::Event;

/// `step(cx, state, frame, pid)`: `state` is readable [`SLACK`] bytes beyond its end,
/// `frame` is the offset of the process's frame in it. Returns flags.
pub type StepFn =
    unsafe extern "C" fn(cx: *mut Cx, state: *const u8, frame: usize, pid: usize) -> u32;

/// Flag of a step function: some transition was executed.
pub const MOVED: u32 = 1;
/// Flag of a step function: let the interpreter expand the state.
pub const BAIL: u32 = 2;
/// Flag of a step function: some event carries [`ATOMIC`].
pub const CONTINUES: u32 = 4;

/// Flag of a step function, alone: there is not enough room, nothing was written. Make
/// room for `Cx::wanted_events` and `Cx::wanted_bytes`, then call again ([`call`] does so).
pub const ROOM: u32 = 8;

/// Where the function for all processes puts the pid of the one that [`CONTINUES`], after
/// which it tries no others.
pub const STOPPED_SHIFT: u32 = 16;

/// In `Event::steps` as written by a step function: the process whose pid is in the
/// bits from [`PID_SHIFT`] on stays inside an atomic sequence.
pub const ATOMIC: u32 = 1 << 31;
/// Where the pid stands in `Event::steps` of an [`ATOMIC`] event, and of every event if
/// events are labelled.
pub const PID_SHIFT: u32 = 8;

/// Bytes behind states and behind the output that may be read and written, so that
/// states can be copied in words of 16 bytes.
pub const SLACK: usize = spinor_ts::PADDING;

/// A process in the state at hand.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct FrameAt {
    /// Start of its frame.
    pub offset: u32,
    /// Its proctype.
    pub proctype: u32,
    /// Number of channels that were there before its own.
    pub channels_before: u32,
}

/// A channel in the state at hand.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ChannelAt {
    /// Start of its content; meaningless for rendezvous.
    pub offset: u32,
    /// Its channel type.
    pub ty: u32,
}

/// What generated code reads and writes beside states. The first part belongs to the
/// shape of the state at hand and is set whenever that changes.
#[repr(C)]
#[derive(Debug)]
pub struct Cx {
    /// Bytes of the state, hidden variables included.
    pub length: usize,
    /// Offset of the globals.
    pub globals: usize,
    /// Offset of the hidden variables.
    pub key: usize,
    /// Offset of `_last`.
    pub last: usize,
    /// Offset of the location of the trace declaration.
    pub event: usize,
    /// Offset of the claim's frame.
    pub claim: usize,
    /// Number of processes.
    pub processes: usize,
    /// Number of channels.
    pub channel_count: usize,
    /// Processes by pid.
    pub frames: *const FrameAt,
    /// Channels by number, from 0.
    pub channels: *const ChannelAt,

    /// Start of the output bytes; events count from here.
    pub bytes_start: *mut u8,
    /// Where the next state goes.
    pub bytes: *mut u8,
    /// End of the room for states ([`SLACK`] bytes more may be written).
    pub bytes_end: *mut u8,
    /// Where the next event goes.
    pub events: *mut Event,
    /// End of the room for events.
    pub events_end: *mut Event,

    /// Statements executed, a byte each.
    pub executed: *mut u8,
    /// 1 while `timeout` holds.
    pub timeout: u32,
    /// Longest chain of elementary steps in this call beyond the state itself: 1 if a
    /// rendezvous send was offered, taken or not, more if an atomic sequence went on.
    pub offered: u32,
    /// Steps of atomic sequences that were tried inside of calls.
    pub chained: u64,
    /// The state after a rendezvous send, while receivers are tried.
    pub scratch: *mut u8,
    /// Bytes of `scratch`, [`SLACK`] not counted.
    pub scratch_size: usize,
    /// Number of the channel of the rendezvous, from 0.
    pub offer_channel: usize,
    /// The message offered, a value per field.
    pub message: *mut i32,
    /// Room of `message`, in values: at least as many as any channel has fields.
    pub message_size: usize,
    /// For the helpers: the driver's own data.
    pub driver: *mut std::ffi::c_void,

    /// What generated code calls embedded C by.
    pub c_call: usize,
    /// What calls generated code, if it calls embedded C.
    pub c_around: Option<CAround>,
    /// The first argument of that.
    pub c_handle: usize,

    /// Room for so many events is missing, after [`ROOM`].
    pub wanted_events: usize,
    /// Room for so many bytes is missing, after [`ROOM`].
    pub wanted_bytes: usize,
}

impl Cx {
    /// One that describes nothing yet; generated code calls C by `entry`.
    pub(crate) fn with_c(entry: Option<CEntry>) -> Self {
        let mut cx = Cx::none();
        let call = entry.map_or(no_c as CFunction, |entry| entry.function);
        cx.c_call = call as usize;
        cx.c_around = entry.map(|entry| entry.around);
        cx.c_handle = entry.map_or(0, |entry| entry.handle);
        cx
    }

    /// One that describes nothing yet.
    pub(crate) fn none() -> Self {
        use std::ptr::{null, null_mut};
        Cx {
            length: 0,
            globals: 0,
            key: 0,
            last: 0,
            event: 0,
            claim: 0,
            processes: 0,
            channel_count: 0,
            frames: null(),
            channels: null(),
            bytes_start: null_mut(),
            bytes: null_mut(),
            bytes_end: null_mut(),
            events: null_mut(),
            events_end: null_mut(),
            executed: null_mut(),
            timeout: 0,
            offered: 0,
            chained: 0,
            scratch: null_mut(),
            scratch_size: 0,
            offer_channel: 0,
            message: null_mut(),
            message_size: 0,
            driver: null_mut(),
            c_call: 0,
            c_around: None,
            c_handle: 0,
            wanted_events: 0,
            wanted_bytes: 0,
        }
    }
}

/// Stands in where there is no embedded C.
unsafe extern "C" fn no_c(_: u32, _: usize, _: usize, _: usize, _: u32) -> u64 {
    u64::MAX
}

/// Functions of the driver that generated code calls.
#[derive(Clone, Copy, Debug)]
pub struct Helpers {
    /// Makes room for `events` more events and `bytes` more bytes of states (a step
    /// function asks once for all that it may write): the cursors may all change.
    /// Returns 0, or 1 if there is too much already (then: [`BAIL`]).
    pub grow: unsafe extern "C" fn(cx: *mut Cx, events: usize, bytes: usize) -> u32,
    /// Starts a process of type `proctype` in the state of `length` bytes at `state`,
    /// with argument values `args` (as many as the type has flattened parameters) and
    /// writes the new state at `out` (room for `length` plus the growth that
    /// `Code::frame_growth` gives for the proctype). Returns the new pid, or -1 for
    /// [`BAIL`].
    pub start: unsafe extern "C" fn(
        cx: *mut Cx,
        state: *const u8,
        length: usize,
        proctype: u32,
        args: *const i32,
        priority: i32,
        out: *mut u8,
    ) -> i64,
}

/// Calls a generated function.
///
/// # Safety
/// As for the function.
#[inline]
pub unsafe fn run(f: StepFn, cx: *mut Cx, state: *const u8, frame: usize, pid: usize) -> u32 {
    // SAFETY: as promised by the caller.
    unsafe {
        let Some(around) = (*cx).c_around else { return f(cx, state, frame, pid) };
        let handle = (*cx).c_handle;
        match around(handle, f as usize, cx as usize, state as usize, frame, pid) {
            CEntry::FAILED => BAIL,
            flags => flags,
        }
    }
}

/// Calls a step function; if it lacks room, makes room and calls it again.
///
/// # Safety
/// As for the step function; the helpers are those of the driver of `cx`.
#[inline]
pub unsafe fn call(
    step: StepFn,
    cx: *mut Cx,
    state: *const u8,
    frame: usize,
    pid: usize,
    helpers: &Helpers,
) -> u32 {
    // SAFETY: as promised by the caller.
    unsafe {
        let flags = run(step, cx, state, frame, pid);
        if flags & ROOM == 0 {
            return flags;
        }
        if (helpers.grow)(cx, (*cx).wanted_events, (*cx).wanted_bytes) != 0 {
            return BAIL;
        }
        run(step, cx, state, frame, pid)
    }
}
