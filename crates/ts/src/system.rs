//! States in, events out.

use crate::{CellsOf, Footprint, GroupMoves, Label, Padded, WordCode, WordLayout};
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

/// Something to explore.
pub trait TransitionSystem {
    /// The first state, or the violation that creating it commits.
    ///
    /// # Errors
    /// The model goes wrong before its first step.
    fn initial(&mut self) -> Result<Vec<u8>, Violation>;

    /// Number of bytes at the end of every state that belong to the run but not
    /// to the identity of the state (`hidden` variables). A visited set must be
    /// given the state without them; a frontier must keep them.
    fn hidden_bytes(&self) -> usize {
        0
    }

    /// Whether no wrong infinite run stays near this state: neither it nor any state that
    /// leads to it lies on a cycle of wanted kind.
    fn lies_outside(&self, _state: &[u8]) -> bool {
        false
    }

    /// Whether some expansions say that part of their events may be
    /// [enough](Expansion::enough). Who does not look at that takes all of them.
    fn leaves_out(&self) -> bool {
        false
    }

    /// How many states an expansion [passes](Expansion::passed) at most, where one event is all that there
    /// is or may be enough.
    fn most_passed(&self) -> u32 {
        0
    }

    /// As how many a state counts that is passed, if the move of a group led to it. So many groups
    /// came after that one in the state before.
    fn pass_cost(&mut self, _state: &[u8], _rank: usize) -> u32 {
        1
    }

    /// Everything that can happen in `state`, in the order of exploration.
    /// `out` is cleared first.
    fn expand(&mut self, state: &[u8], out: &mut Expansion);

    /// The same for a state that can be read where it lies.
    #[inline]
    fn expand_padded(&mut self, state: Padded<'_>, out: &mut Expansion) {
        self.expand(state.state(), out);
    }

    /// The same for several states, one after the other: `ends` says of each where its events
    /// end among all. Ends early if there are too many; the number of states that were
    /// expanded is that of the ends, one at least.
    fn expand_many(&mut self, states: &[Padded<'_>], out: &mut Expansion, ends: &mut Vec<u32>) {
        one_by_one(states, out, ends, |state, out| self.expand_padded(state, out));
    }

    /// Whether the moves of a state can be taken group by group. If so, fills `anchors` with a byte
    /// of the state for each group, in the order of exploration: what the group can do
    /// depends on that byte more than on others. The answer is the same for all states of a layout.
    ///
    /// The events of a state are those of its groups, one group after the other, if all groups can be
    /// told apart and there is any event. Otherwise it has to be expanded as a whole.
    fn groups(&mut self, _state: &[u8], _anchors: &mut Vec<usize>) -> bool {
        false
    }

    /// The moves of one group in a state that has groups, and what they depend on, if that is asked for: it need
    /// not be if a footprint that does not vary is known. Both `out` and `footprint` are cleared first.
    fn expand_group(
        &mut self,
        _state: &[u8],
        _group: usize,
        _out: &mut Expansion,
        _footprint: Option<&mut Footprint>,
    ) -> GroupMoves {
        GroupMoves::Inseparable
    }

    /// Whether there is nothing to say of a state in which no group has a move.
    fn ends_quietly(&self) -> bool {
        false
    }

    /// Where a group of a state stands: a number for all that [`enough_at`](Self::enough_at) has to know of it. Appends the
    /// bytes of the state that it depends on. In states of different layouts numbers are different, too.
    fn station(&mut self, _state: &[u8], _group: usize, _bytes: &mut Vec<Range<usize>>) -> u32 {
        0
    }

    /// The groups whose moves may be [enough](Expansion::enough) in a state, one bit each, given which groups have any; all bits if none
    /// are left out. The events of these come first. `peek` tells the value of some bytes of the state, the lowest one first.
    fn enough_at(&mut self, _seats: &Seats<'_>, _peek: &dyn Fn(Range<usize>) -> u32) -> u64 {
        u64::MAX
    }

    /// As how many a state counts that is [passed](Self::most_passed), if the move of a group led to it and the group stands
    /// there now.
    fn pass_cost_at(&mut self, _station: u32) -> u32 {
        1
    }

    /// The cells of states, if states like those of a sample had better be words: then there will be
    /// [moves](Self::word_moves) from word to word for most of them.
    fn cells(&mut self, _sample: &[Vec<u8>]) -> Option<CellsOf> {
        None
    }

    /// Moves from word to word, waited for at most so long. To be asked again if they are not there yet, with the same layout.
    fn word_moves(&mut self, _layout: &Arc<WordLayout>, _patience: Duration) -> WordCode {
        WordCode::Never
    }
}

/// The groups of a state.
#[derive(Clone, Copy, Debug)]
pub struct Seats<'a> {
    /// For each [where it stands](TransitionSystem::station) and how many events it has: the upper and the lower half.
    pub all: &'a [u64],
    /// A number that depends on all of these.
    pub hash: u64,
    /// The groups that have events, one bit each.
    pub active: u64,
}

/// [`TransitionSystem::expand_many`] by expanding each state with `expand`.
pub fn one_by_one(
    states: &[Padded<'_>],
    out: &mut Expansion,
    ends: &mut Vec<u32>,
    mut expand: impl FnMut(Padded<'_>, &mut Expansion),
) {
    let mut one = Expansion::new();
    out.clear();
    out.is_plain = true;
    out.only_successors = true;
    ends.clear();
    for state in states {
        expand(*state, &mut one);
        out.append(&one);
        ends.push(out.events.len() as u32);
        if out.is_long() {
            break;
        }
    }
}

/// How the states of a system are put together. A store that keeps parts of
/// states apart wants to know where one part ends and the next begins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    /// States of the same length with equal first `prefix` bytes have the same layout.
    pub prefix: usize,
    /// Where the parts after the prefix end, in ascending order; the last one is
    /// the length of the state without its hidden bytes.
    pub ends: Vec<usize>,
    /// Places inside of parts, in ascending order, where what is looked at together ends. All layouts of
    /// a system have as many, in the same order.
    pub seams: Vec<usize>,
}

/// The layout of a state, given without its hidden bytes.
pub type LayoutOf = std::sync::Arc<dyn Fn(&[u8]) -> Layout + Send + Sync>;

/// What can go wrong in a step or a state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[repr(u32)]
pub enum ViolationKind {
    /// An `assert` failed.
    Assertion,
    /// No process can move and one of them rests where it should not.
    InvalidEndState,
    /// A never claim reached its end.
    ClaimViolated,
    /// A `trace` or `notrace` declaration was not respected.
    TraceViolated,
    /// The model itself errs: index out of range, division by zero, …
    Runtime,
    /// A run goes on for ever in an accepting way.
    AcceptanceCycle,
    /// A run goes on for ever without progress.
    NonProgressCycle,
}

/// A violation; `site` tells violations of one kind apart (which assertion, …).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[repr(C)]
pub struct Violation {
    /// What.
    pub kind: ViolationKind,
    /// Which, as numbered by the system.
    pub site: u32,
}

/// One thing that can happen in a state. The layout is fixed (24 bytes): native code
/// writes events in place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C)]
pub struct Event {
    /// Successor or violation.
    pub kind: EventKind,
    /// Elementary steps from the expanded state up to this event.
    pub steps: u32,
    start: u32,
    end: u32,
}

/// Kinds of [`Event`]s.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub enum EventKind {
    /// A state to be stored or matched.
    Successor = 0,
    /// Something wrong. A violated step may still have successors: these are
    /// events of their own.
    Violation(Violation) = 1,
}

impl Event {
    /// A successor whose state lies at `start..end` in the bytes of its expansion.
    #[inline]
    #[must_use]
    pub fn successor(steps: u32, start: u32, end: u32) -> Self {
        Event { kind: EventKind::Successor, steps, start, end }
    }

    /// Where the successor's state begins in the bytes of its expansion.
    #[inline]
    #[must_use]
    pub fn start(&self) -> usize {
        self.start as usize
    }

    /// Length of the successor's state.
    #[inline]
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "states are hardly ever empty")]
    pub fn len(&self) -> usize {
        self.end.wrapping_sub(self.start) as usize
    }
}

/// Successors of one state are dropped beyond this many bytes.
const MAX_BYTES: usize = 1 << 28;

/// What is said then.
const TOO_LARGE: &str = "a state has too many large successors, some were left out";

/// Events and bytes from which on an expansion of several states is long.
const LONG_EVENTS: usize = 1024;
const LONG_BYTES: usize = 1 << 18;

/// The events of one state (or of several). Reused from state to state to save allocations.
#[derive(Clone, Default, Debug)]
pub struct Expansion {
    events: Vec<Event>,
    bytes: Vec<u8>,
    /// Steps executed that stay inside an atomic sequence, as SPIN counts them.
    pub atomic_steps: u64,
    /// Elementary steps of the longest chain that was tried, dead ends included.
    pub deepest: u32,
    /// Set if not everything that can happen is here: why.
    pub cut: Option<&'static str>,
    /// All events are known to be successors one step away.
    pub is_plain: bool,
    /// All events are known to be successors.
    pub only_successors: bool,
    /// Not 0: so many of the first events are enough for finding all violations, if one of them
    /// leads to a state that has not been expanded yet.
    pub enough: u32,
    /// So many states with nothing but one successor were passed on the way to the one whose events
    /// these are.
    pub passed: u32,
    /// What the events mean for infinite runs, one by one; empty if nobody asked.
    labels: Vec<Label>,
    /// Processes that can move, one bit each; only along with labels.
    pub enabled: u64,
}

impl Expansion {
    /// An empty one.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Forgets everything, keeps the memory.
    #[inline]
    pub fn clear(&mut self) {
        self.events.clear();
        self.bytes.clear();
        self.atomic_steps = 0;
        self.deepest = 0;
        self.cut = None;
        self.is_plain = false;
        self.only_successors = false;
        self.enough = 0;
        self.passed = 0;
        self.labels.clear();
        self.enabled = 0;
    }

    /// The labels of the events, for who gives or reads them. There is one for each
    /// event, or none at all.
    #[inline]
    pub fn labels_mut(&mut self) -> &mut Vec<Label> {
        &mut self.labels
    }

    /// The labels of the events; empty if nobody asked for them.
    #[inline]
    #[must_use]
    pub fn labels(&self) -> &[Label] {
        &self.labels
    }

    /// Events and the bytes of their states, for engines that write them in place.
    /// The states of events have to lie within the bytes.
    #[inline]
    pub fn raw_parts(&mut self) -> (&mut Vec<Event>, &mut Vec<u8>) {
        (&mut self.events, &mut self.bytes)
    }

    /// Bytes in use.
    #[must_use]
    pub fn bytes_used(&self) -> u64 {
        (self.bytes.capacity()
            + self.events.capacity() * size_of::<Event>()
            + self.labels.capacity() * size_of::<Label>()) as u64
    }

    /// Adds a successor; none that follows others and makes them too large.
    #[inline]
    pub fn push_successor(&mut self, state: &[u8], steps: u32) {
        if !self.bytes.is_empty() && self.bytes.len() + state.len() > MAX_BYTES {
            self.cut = Some(TOO_LARGE);
            return;
        }
        let start = self.bytes.len() as u32;
        self.bytes.extend_from_slice(state);
        let end = self.bytes.len() as u32;
        self.events.push(Event { kind: EventKind::Successor, steps, start, end });
    }

    /// Adds all that happens in another state, without labels.
    pub fn append(&mut self, other: &Expansion) {
        self.atomic_steps += other.atomic_steps;
        self.deepest = self.deepest.max(other.deepest);
        self.cut = self.cut.or(other.cut);
        let is_successor = |event: &Event| event.kind == EventKind::Successor;
        let is_plain = |event: &Event| is_successor(event) && event.steps == 1;
        self.is_plain &= other.is_plain || other.events.iter().all(is_plain);
        self.only_successors &= self.is_plain || other.events.iter().all(is_successor);
        let shift = self.bytes.len() as u32;
        self.bytes.extend_from_slice(&other.bytes);
        self.events.extend(other.events.iter().map(|event| Event {
            start: event.start + shift,
            end: event.end + shift,
            ..*event
        }));
    }

    /// Whether there is so much in it that no other state should be added.
    #[inline]
    #[must_use]
    pub fn is_long(&self) -> bool {
        self.events.len() > LONG_EVENTS || self.bytes.len() > LONG_BYTES
    }

    /// Adds a violation.
    pub fn push_violation(&mut self, violation: Violation, steps: u32) {
        let at = self.bytes.len() as u32;
        let kind = EventKind::Violation(violation);
        self.events.push(Event { kind, steps, start: at, end: at });
    }

    /// The events in order.
    #[inline]
    #[must_use]
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// The bytes in which the states of successors lie.
    #[inline]
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The bytes of a successor; empty for a violation.
    #[inline]
    #[must_use]
    pub fn state(&self, event: &Event) -> &[u8] {
        &self.bytes[event.start as usize..event.end as usize]
    }

    /// A successor whose bytes are followed by others, as engines that write in place
    /// see to.
    #[inline]
    #[must_use]
    pub fn padded(&self, event: &Event) -> Option<Padded<'_>> {
        Padded::new(self.bytes.get(event.start as usize..)?, event.len())
    }
}
