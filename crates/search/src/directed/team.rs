//! Threads that expand states and estimate their successors for a search that keeps the order.
//!
//! Only states of equal rank and estimate are expanded together, so the order of ranks, and with it
//! what A* promises, is that of one thread. What they lead to is taken in the order of the states:
//! the same search every time.

use spinor_store::{StateId, hash};
use spinor_ts::{Depth, Estimate, EventKind, Expansion, TransitionSystem};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::Scope;

/// A state to expand.
pub(super) struct Task {
    pub(super) id: StateId,
    pub(super) depth: Depth,
    pub(super) state: Vec<u8>,
}

/// The same with what it leads to.
pub(super) struct Expanded {
    pub(super) task: Task,
    pub(super) expansion: Expansion,
    /// Of the successors; 0 for violations.
    pub(super) hashes: Vec<u64>,
    pub(super) estimates: Vec<u32>,
}

/// Expands a state and estimates its successors.
pub(super) fn expand<T: TransitionSystem, E: Estimate>(
    system: &mut T,
    estimate: &mut E,
    task: Task,
) -> Expanded {
    let hidden = system.hidden_bytes();
    let mut expansion = Expansion::new();
    system.expand(&task.state, &mut expansion);
    let (mut hashes, mut estimates) = (Vec::new(), Vec::new());
    for event in expansion.events() {
        let state = expansion.state(event);
        let is_successor = event.kind == EventKind::Successor;
        hashes.push(if is_successor { hash(&state[..state.len() - hidden]) } else { 0 });
        estimates.push(if is_successor { estimate.estimate(state) } else { 0 });
    }
    Expanded { task, expansion, hashes, estimates }
}

/// Deeply nested expressions are evaluated recursively.
const STACK_BYTES: usize = 256 << 20;

/// Where a helper gets its tasks from, and where it puts what it has done.
type Helper = (Sender<Vec<Task>>, Receiver<Vec<Expanded>>);

/// The helpers of a search.
#[derive(Default)]
pub(super) struct Team {
    helpers: Vec<Helper>,
}

impl Team {
    /// One helper for each system; they end with the team.
    pub(super) fn new<'scope, T, E>(
        scope: &'scope Scope<'scope, '_>,
        systems: &'scope mut [T],
        estimates: &'scope mut [E],
    ) -> Self
    where
        T: TransitionSystem + Send,
        E: Estimate + Send,
    {
        let helper = |(system, estimate): (&'scope mut T, &'scope mut E)| {
            let (give, tasks) = channel::<Vec<Task>>();
            let (done, take) = channel();
            let help = move || {
                for list in tasks {
                    let all = list.into_iter().map(|task| expand(system, estimate, task)).collect();
                    if done.send(all).is_err() {
                        return;
                    }
                }
            };
            // Where there is no room for a thread there are fewer.
            let thread = spinor_store::thread(STACK_BYTES).ok()?;
            thread.spawn_scoped(scope, help).ok()?;
            Some((give, take))
        };
        Team { helpers: systems.iter_mut().zip(estimates).filter_map(helper).collect() }
    }

    /// Threads, the one of the search included.
    pub(super) fn threads(&self) -> usize {
        self.helpers.len() + 1
    }

    /// Expands states, the first ones by `own`; what comes back is in the same order.
    pub(super) fn expand_all(
        &self,
        mut tasks: Vec<Task>,
        own: impl FnMut(Task) -> Expanded,
    ) -> Vec<Expanded> {
        let share = tasks.len().div_ceil(self.threads()).max(1);
        let mut shares = Vec::new();
        while tasks.len() > share {
            let rest = tasks.split_off(share);
            shares.push(std::mem::replace(&mut tasks, rest));
        }
        shares.push(tasks);
        let mut shares = shares.into_iter();
        let first = shares.next().unwrap_or_default();
        let mut busy = Vec::new();
        for ((give, take), share) in self.helpers.iter().zip(shares) {
            give.send(share).expect("a helper waits for tasks as long as the team is there");
            busy.push(take);
        }
        let mut all: Vec<Expanded> = first.into_iter().map(own).collect();
        for take in busy {
            all.extend(take.recv().expect("a helper sends what it was given"));
        }
        all
    }
}
