//! A system whose events come in another order.

use crate::sample::Random;
use spinor_ts::{EventKind, Expansion, Path, TransitionSystem, Violation};

/// Orders of the events of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Order {
    /// That of the system.
    Given,
    /// The last one first.
    Reversed,
    /// By chance, but always the same for the same state.
    Random(u64),
}

/// The same system, with the events of each state in some order.
pub(crate) struct Shuffled<'a, T> {
    system: &'a mut T,
    order: Order,
    hidden: usize,
    events: Expansion,
    /// By new number: the number in the system's order.
    numbers: Vec<u32>,
}

impl<'a, T: TransitionSystem> Shuffled<'a, T> {
    pub(crate) fn new(system: &'a mut T, order: Order) -> Self {
        let hidden = system.hidden_bytes();
        Self { system, order, hidden, events: Expansion::new(), numbers: Vec::new() }
    }

    fn shuffle(&mut self, state: &[u8]) {
        let count = self.events.events().len() as u32;
        self.numbers.clear();
        match self.order {
            Order::Given => self.numbers.extend(0..count),
            Order::Reversed => self.numbers.extend((0..count).rev()),
            Order::Random(seed) => {
                self.numbers.extend(0..count);
                let visible = &state[..state.len() - self.hidden];
                let mut random = Random::new(spinor_store::hash(visible) ^ seed);
                for end in (2..=self.numbers.len()).rev() {
                    self.numbers.swap(end - 1, random.below(end));
                }
            }
        }
    }

    /// A path in numbers of the system.
    pub(crate) fn path_of_system(&mut self, path: &[u32]) -> Option<Path> {
        let Ok(mut state) = self.system.initial() else { return Some(path.to_vec()) };
        let mut original = Path::with_capacity(path.len());
        for number in path {
            self.system.expand(&state, &mut self.events);
            self.shuffle(&state);
            let number = *self.numbers.get(*number as usize)?;
            original.push(number);
            let event = self.events.events().get(number as usize)?;
            state = self.events.state(event).to_vec();
        }
        Some(original)
    }
}

impl<T: TransitionSystem> TransitionSystem for Shuffled<'_, T> {
    fn initial(&mut self) -> Result<Vec<u8>, Violation> {
        self.system.initial()
    }

    fn hidden_bytes(&self) -> usize {
        self.hidden
    }

    fn expand(&mut self, state: &[u8], out: &mut Expansion) {
        if self.order == Order::Given {
            self.system.expand(state, out);
            return;
        }
        self.system.expand(state, &mut self.events);
        self.shuffle(state);
        out.clear();
        out.atomic_steps = self.events.atomic_steps;
        out.deepest = self.events.deepest;
        out.cut = self.events.cut;
        for number in &self.numbers {
            let event = &self.events.events()[*number as usize];
            match event.kind {
                EventKind::Violation(violation) => out.push_violation(violation, event.steps),
                EventKind::Successor => out.push_successor(self.events.state(event), event.steps),
            }
        }
    }
}
