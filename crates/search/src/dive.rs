//! Depth-first search on a shared store.
//!
//! A state's successors are all looked up when it is entered, in one batch: memory is
//! waited for once. The first new one is added and entered at once. Of the others,
//! those known are known for good and are not kept; the rest waits on the stack and is
//! looked up again when its turn comes, as most of it was found by then on the way
//! through an elder sibling.
//!
//! Arrivals count when their turn comes, whether kept or not: the numbers of the
//! events tell how many were passed over. So the figures are those of a plain
//! depth-first search, wherever it ends.
//!
//! Where the store recalls successors (`recall`), states are put together only if it does not know them.

mod recall;

use crate::SearchConfig;
use crate::dive_stack::{Entry, Kind, Stack};
use crate::limits::Memory;
use crate::run::{Run, Stop, note_loss};
use recall::Recaller;
use spinor_store::{Insertion, Store};
use spinor_ts::{
    Depth, Event, EventKind, Expansion, Incomplete, Observer, Outcome, TransitionSystem, Violation,
};

/// Searches depth first, events in the order given, without a depth bound.
///
/// `store` has to be empty. Same order, same figures as [`depth_first`], which is for
/// searches with a [bound](SearchConfig::is_bounded).
///
/// [`depth_first`]: crate::depth_first
pub fn dive<T: TransitionSystem, S: Store>(
    system: &mut T,
    store: &S,
    config: &SearchConfig,
    observer: &mut dyn Observer,
) -> Outcome {
    debug_assert!(!config.is_bounded(), "a search without a bound");
    let mut run = Run::new(config, observer);
    let first = match run.initial(system) {
        Ok(state) => state,
        Err(stop) => return run.finish(stop.into_iter().collect(), Memory::default()),
    };
    let hidden_length = system.hidden_bytes();
    let mut local = store.local();
    let visible = &first[..first.len() - hidden_length];
    store.set_origin(&mut local, visible);
    let key = store.key(&mut local, visible);
    let mut dive = Dive {
        recaller: Recaller::new(system, store),
        system,
        store,
        local,
        run,
        stack: Stack::new(config.stack_buffer_bytes),
        depth: 0,
        next: 0,
        hidden_length,
        keeps_bytes: !S::KEY_IS_STATE || hidden_length > 0,
        state: first,
        is_at_hand: true,
        expansion: Expansion::new(),
        keys: Vec::new(),
        returning: Vec::new(),
        filler: key,
    };
    store.set_alone(true);
    let stop = dive.start(key).err();
    store.set_alone(false);
    dive.finish(stop)
}

/// So many entries are on their way when one is taken from the stack.
const AHEAD: usize = 3;

struct Dive<'a, T, S: Store> {
    system: &'a mut T,
    store: &'a S,
    local: S::Local,
    run: Run<'a>,
    stack: Stack<S::Key>,
    depth: Depth,
    /// Number of the event to be tried next in the state on top.
    next: u32,
    hidden_length: usize,
    /// Whether a key does not tell everything about its state.
    keeps_bytes: bool,
    /// The state at hand, with its hidden bytes, and its events. If keys are states it may be that only the key is at hand.
    state: Vec<u8>,
    is_at_hand: bool,
    expansion: Expansion,
    /// Keys of the successors, by event.
    keys: Vec<S::Key>,
    /// Entries that come back from the deep stack.
    returning: Vec<Entry<S::Key>>,
    /// For entries that are no states.
    filler: S::Key,
    recaller: Recaller<S>,
}

impl<T: TransitionSystem, S: Store> Dive<'_, T, S> {
    fn start(&mut self, key: S::Key) -> Result<(), Stop> {
        let visible = self.state.len() - self.hidden_length;
        match self.store.insert(&mut self.local, key, &self.state[..visible]) {
            Insertion::New(_) => self.enter(Entry::new(Kind::Open, key, 0, 0))?,
            Insertion::Known => return Ok(()),
        }
        self.search()
    }

    fn search(&mut self) -> Result<(), Stop> {
        loop {
            let Some(entry) = self.stack.pop() else {
                if self.surface() {
                    continue;
                }
                return Ok(());
            };
            // Most of what comes next was known by then: it will be looked up soon.
            if let Some(next) = self.stack.below(AHEAD) {
                self.store.prefetch(next.key);
            }
            match entry.kind() {
                Kind::Untried => self.try_again(entry)?,
                Kind::Open => {
                    self.stack.drop_bytes(&entry);
                    self.leave(&entry);
                }
                Kind::Shed => self.recover(entry),
                Kind::Violation => {
                    if let Some(violation) = self.stack.pop_violation() {
                        self.report(violation, entry.number, entry.steps)?;
                    }
                }
            }
        }
    }

    /// The turn of event `number` has come: those passed over led to known states.
    #[inline]
    fn pass(&mut self, number: u32) {
        let known = u64::from(number - self.next);
        self.run.stats.matched += known;
        self.run.stats.transitions += known;
        self.next = number + 1;
    }

    #[inline]
    fn leave(&mut self, entry: &Entry<S::Key>) {
        self.pass(entry.events);
        self.depth -= Depth::from(entry.steps);
        self.next = entry.number + 1;
    }

    #[cold]
    fn report(&mut self, violation: Violation, number: u32, steps: u32) -> Result<(), Stop> {
        self.pass(number);
        let path = || {
            let mut path = self.stack.path();
            path.push(number);
            path
        };
        self.run.violation(violation, self.depth + Depth::from(steps), path)
    }

    /// A successor that was unknown when its origin was entered.
    #[inline]
    fn try_again(&mut self, mut entry: Entry<S::Key>) -> Result<(), Stop> {
        self.pass(entry.number);
        let bytes = self.stack.bytes(&entry);
        let visible = if S::KEY_IS_STATE { 0 } else { bytes.len() - self.hidden_length };
        match self.store.insert(&mut self.local, entry.key, &bytes[..visible]) {
            Insertion::Known => {
                self.stack.drop_bytes(&entry);
                self.run.count_matched();
                Ok(())
            }
            Insertion::New(_) => {
                if self.recaller.is_on() {
                    self.is_at_hand = false;
                } else {
                    self.load(&entry);
                }
                self.stack.drop_bytes(&entry);
                entry.set_kind(Kind::Open);
                self.depth += Depth::from(entry.steps);
                self.enter(entry)
            }
        }
    }

    /// Makes the state of the entry taken last the one at hand.
    #[inline]
    fn load(&mut self, entry: &Entry<S::Key>) {
        let bytes = self.stack.bytes(entry);
        self.is_at_hand = true;
        if S::KEY_IS_STATE {
            self.store.load_key(&mut self.local, entry.key, &mut self.state);
            self.state.extend_from_slice(bytes);
        } else {
            self.state.clear();
            self.state.extend_from_slice(bytes);
            let visible = &self.state[..self.state.len() - self.hidden_length];
            self.store.set_origin(&mut self.local, visible);
        }
    }

    /// Searches the state of an entry, which is new, and on from there, always by the first
    /// new successor, down to a state that has none.
    fn enter(&mut self, mut entry: Entry<S::Key>) -> Result<(), Stop> {
        loop {
            self.run.count_stored();
            if self.run.is_due() {
                self.check()?;
            }
            let is_recalled = self.recall(entry.key);
            self.push_late();
            let next =
                if is_recalled { self.enter_recalled(entry) } else { self.enter_expanded(entry)? };
            let Some(next) = next else { return Ok(()) };
            entry = next;
        }
    }

    /// Goes on from a state that is to be expanded: to the first successor that is new.
    #[inline]
    fn enter_expanded(&mut self, mut entry: Entry<S::Key>) -> Result<Option<Entry<S::Key>>, Stop> {
        if !self.is_at_hand {
            self.store.load_key(&mut self.local, entry.key, &mut self.state);
            self.is_at_hand = true;
        }
        self.run.expand(self.system, &self.state, self.depth, &mut self.expansion);
        self.make_keys(0);
        entry.events = self.expansion.events().len() as u32;
        self.push(entry);
        let Some(first) = self.first_new()? else {
            if let Some(entry) = self.stack.pop() {
                self.stack.drop_bytes(&entry);
                self.leave(&entry);
            }
            return Ok(None);
        };
        self.push_unknown(first + 1);
        self.stack.trim();
        let event = self.expansion.events()[first];
        self.take_successor(&event, self.keys[first]);
        self.depth += Depth::from(event.steps);
        Ok(Some(Entry::new(Kind::Open, self.keys[first], first as u32, event.steps)))
    }

    /// Makes a successor of the state at hand the one at hand.
    #[inline]
    fn take_successor(&mut self, event: &Event, key: S::Key) {
        self.is_at_hand = true;
        self.state.clear();
        self.state.extend_from_slice(self.expansion.state(event));
        let visible = &self.state[..self.state.len() - self.hidden_length];
        self.store.set_origin_keyed(&mut self.local, key, visible);
    }

    /// Pushes the state at hand.
    #[inline]
    fn push(&mut self, entry: Entry<S::Key>) {
        if self.keeps_bytes {
            let told = if S::KEY_IS_STATE { self.state.len() - self.hidden_length } else { 0 };
            self.stack.push_with(entry, &self.state[told..]);
        } else {
            self.stack.push(entry);
        }
    }

    /// Makes the keys of the events from number `first` on.
    #[inline]
    fn make_keys(&mut self, first: usize) {
        let Self { keys, expansion, store, local, filler, hidden_length, .. } = self;
        keys.clear();
        keys.resize(first, *filler);
        keys.extend(expansion.events()[first..].iter().map(|event| {
            if event.kind != EventKind::Successor {
                return *filler;
            }
            let state = expansion.state(event);
            store.key(local, &state[..state.len() - *hidden_length])
        }));
        store.prefetch_fresh(&keys[first..]);
    }

    /// Adds the first successor that is new, and tells which one it is.
    #[inline]
    fn first_new(&mut self) -> Result<Option<usize>, Stop> {
        self.next = 0;
        for number in 0..self.keys.len() {
            let event = self.expansion.events()[number];
            if let EventKind::Violation(violation) = event.kind {
                self.report(violation, number as u32, event.steps)?;
                continue;
            }
            let state = if S::KEY_IS_STATE { &[] } else { self.expansion.state(&event) };
            let visible = &state[..state.len().saturating_sub(self.hidden_length)];
            let insertion = self.store.insert(&mut self.local, self.keys[number], visible);
            if let Insertion::New(_) = insertion {
                self.pass(number as u32);
                return Ok(Some(number));
            }
        }
        Ok(None)
    }

    /// Pushes the events from number `first` on, but not those to known states.
    #[inline]
    fn push_unknown(&mut self, first: usize) {
        for number in (first..self.keys.len()).rev() {
            let event = self.expansion.events()[number];
            let (key, number) = (self.keys[number], number as u32);
            if let EventKind::Violation(violation) = event.kind {
                let entry = Entry::new(Kind::Violation, key, number, event.steps);
                self.stack.push_violation(entry, violation);
                continue;
            }
            let state = if self.keeps_bytes { self.expansion.state(&event) } else { &[] };
            let visible = state.len().saturating_sub(self.hidden_length);
            if self.store.contains(&mut self.local, key, &state[..visible]) {
                continue;
            }
            let entry = Entry::new(Kind::Untried, key, number, event.steps);
            if self.keeps_bytes {
                let told = if S::KEY_IS_STATE { visible } else { 0 };
                self.stack.push_with(entry, &state[told..]);
            } else {
                self.stack.push(entry);
            }
        }
    }

    /// Generates the untried events of a state once more.
    #[cold]
    fn recover(&mut self, mut entry: Entry<S::Key>) {
        self.load(&entry);
        self.run.expand_again(self.system, &self.state, &mut self.expansion);
        self.make_keys(self.next as usize);
        entry.set_kind(Kind::Open);
        // Its bytes are still there.
        self.stack.push(entry);
        self.push_unknown(self.next as usize);
    }

    /// Brings back entries from the deep stack, if there are any.
    #[cold]
    fn surface(&mut self) -> bool {
        let mut entries = std::mem::take(&mut self.returning);
        self.stack.take_deep(&mut entries);
        for (index, entry) in entries.iter().enumerate() {
            if !self.keeps_bytes {
                self.stack.push(*entry);
                continue;
            }
            if index == 0 {
                let bytes = self.stack.take_deep_bytes(entry);
                self.state.clear();
                if S::KEY_IS_STATE {
                    self.store.load_key(&mut self.local, entry.key, &mut self.state);
                }
                self.state.extend_from_slice(&bytes);
            } else {
                self.run.expand_again(self.system, &self.state, &mut self.expansion);
                let event = self.expansion.events()[entry.number as usize];
                self.state.clear();
                self.state.extend_from_slice(self.expansion.state(&event));
            }
            self.push(*entry);
        }
        self.returning = entries;
        !self.returning.is_empty()
    }

    fn memory(&self) -> Memory {
        let rest = self.stack.bytes_used()
            + self.expansion.bytes_used()
            + self.store.local_bytes(&self.local);
        Memory { store: self.store.bytes_used(), rest }
    }

    #[cold]
    fn check(&mut self) -> Result<(), Stop> {
        self.store.quiesce();
        if self.store.is_nearly_full() {
            let why = "the visited set cannot take more states";
            return Err(Incomplete::Method(why.to_owned()));
        }
        let memory = self.memory();
        self.run.check(memory)
    }

    fn finish(mut self, stop: Option<Stop>) -> Outcome {
        let memory = self.memory();
        let loss = note_loss(self.store, &mut self.run.stats);
        self.run.finish(stop.into_iter().chain(loss).collect(), memory)
    }
}
