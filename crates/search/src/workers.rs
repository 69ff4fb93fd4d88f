//! Threads that work on the pieces of a job together.
//!
//! Each piece of work belongs to whoever is at it: the caller hands workers (the
//! state of a thread, not the thread) over to threads and gets them back. So
//! between two jobs everything belongs to the caller, and nothing has to be locked.
//!
//! Threads are started when they are needed first. One that waits looks for work for
//! a moment and then sleeps.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::Scope;
use std::time::{Duration, Instant};

/// A thread that waits keeps its core for so long.
const SPIN: Duration = Duration::from_micros(50);
/// The caller looks up so often while it waits.
const LOOK: Duration = Duration::from_millis(10);
/// Expressions of a model may be nested deeply.
const STACK_BYTES: usize = 256 << 20;

/// The chunks of a job, which threads take one after the other.
pub(crate) struct Queue<C> {
    slots: Vec<Mutex<Option<C>>>,
    next: AtomicUsize,
}

impl<C> Queue<C> {
    pub(crate) fn new(chunks: impl Iterator<Item = C>) -> Self {
        let slots = chunks.map(|chunk| Mutex::new(Some(chunk))).collect();
        Self { slots, next: AtomicUsize::new(0) }
    }

    pub(crate) fn take(&self) -> Option<C> {
        let slot = self.slots.get(self.next.fetch_add(1, Ordering::Relaxed))?;
        slot.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// A worker that comes back, or why it does not.
type Return<W> = Result<Box<W>, Box<dyn Any + Send>>;

/// What a thread is to do. No type of a worker is in it, so that threads and channels are compiled once.
type Task<'scope> = Box<dyn FnOnce() + Send + 'scope>;

/// Threads that do jobs of type `J` with workers of type `W`.
pub(crate) struct Team<'scope, 'env, W: 'scope, J: 'scope> {
    threads: Threads<'scope, 'env>,
    work: fn(&mut W, &J),
    /// Is set when the jobs at hand are to be given up.
    stop: &'env AtomicBool,
    /// Workers that have come back.
    back: Arc<Mutex<Vec<Return<W>>>>,
}

impl<'scope, 'env, W, J> Team<'scope, 'env, W, J>
where
    W: Send + 'scope,
    J: Send + Sync + 'scope,
{
    pub(crate) fn new(
        scope: &'scope Scope<'scope, 'env>,
        stop: &'env AtomicBool,
        work: fn(&mut W, &J),
    ) -> Self {
        Self { threads: Threads::new(scope), work, stop, back: Arc::default() }
    }

    /// Hands up to `count` workers over to threads, which begin at once.
    pub(crate) fn start(&mut self, workers: &mut Vec<Box<W>>, count: usize, job: &Arc<J>) {
        for thread in 0..self.threads.provide(count) {
            let Some(worker) = workers.pop() else { return };
            self.threads.hand_over(thread, self.task(worker, Arc::clone(job)));
        }
    }

    fn task(&self, mut worker: Box<W>, job: Arc<J>) -> Task<'scope> {
        let (work, stop, back) = (self.work, self.stop, Arc::clone(&self.back));
        Box::new(move || {
            let result = catch_unwind(AssertUnwindSafe(|| work(&mut worker, &job)));
            drop(job);
            if result.is_err() {
                stop.store(true, Ordering::Relaxed);
            }
            back.lock().unwrap_or_else(PoisonError::into_inner).push(result.map(|()| worker));
        })
    }

    /// Waits until all workers have come back; `look` is called now and then.
    ///
    /// # Panics
    /// With the panic of a worker, if one panicked.
    pub(crate) fn finish(&mut self, workers: &mut Vec<Box<W>>, mut look: impl FnMut()) {
        self.threads.wait(&mut look);
        let mut panic = None;
        for result in self.back.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
            match result {
                Ok(worker) => workers.push(worker),
                Err(payload) => panic = Some(payload),
            }
        }
        if let Some(payload) = panic {
            resume_unwind(payload);
        }
    }
}

/// Threads that do one task after the other, and say each time that they have.
struct Threads<'scope, 'env> {
    scope: &'scope Scope<'scope, 'env>,
    tasks: Vec<Sender<Task<'scope>>>,
    done: (Sender<()>, Receiver<()>),
    /// Tasks that were handed over and are not done.
    away: usize,
}

impl<'scope, 'env> Threads<'scope, 'env> {
    fn new(scope: &'scope Scope<'scope, 'env>) -> Self {
        Self { scope, tasks: Vec::new(), done: channel(), away: 0 }
    }

    /// How many threads there are, up to `count`; they are started if the system has more.
    fn provide(&mut self, count: usize) -> usize {
        while self.tasks.len() < count && self.add() {}
        self.tasks.len().min(count)
    }

    fn add(&mut self) -> bool {
        let (sender, tasks) = channel::<Task<'scope>>();
        let done = self.done.0.clone();
        let serve = move || {
            while let Ok(task) = receive(&tasks) {
                task();
                if done.send(()).is_err() {
                    return;
                }
            }
        };
        let thread = spinor_store::thread(STACK_BYTES);
        let thread = thread.and_then(|thread| thread.spawn_scoped(self.scope, serve));
        if thread.is_ok() {
            self.tasks.push(sender);
        }
        thread.is_ok()
    }

    fn hand_over(&mut self, thread: usize, task: Task<'scope>) {
        match self.tasks[thread].send(task) {
            Ok(()) => self.away += 1,
            // Cannot be: a thread ends when its channel does.
            Err(returned) => returned.0(),
        }
    }

    /// Waits until all tasks are done; `look` is called now and then.
    fn wait(&mut self, look: &mut dyn FnMut()) {
        while self.away > 0 {
            match receive_within(&self.done.1, LOOK) {
                Ok(()) => self.away -= 1,
                Err(_) => look(),
            }
        }
    }
}

/// If the caller panics while others work, they need not go on.
impl<W, J> Drop for Team<'_, '_, W, J> {
    fn drop(&mut self) {
        if self.threads.away > 0 {
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}

/// Looks for a message for a moment.
fn spin<M>(receiver: &Receiver<M>) -> Option<M> {
    let start = Instant::now();
    loop {
        for _ in 0..64 {
            match receiver.try_recv() {
                Ok(message) => return Some(message),
                Err(TryRecvError::Empty) => std::hint::spin_loop(),
                Err(TryRecvError::Disconnected) => return None,
            }
        }
        if start.elapsed() >= SPIN {
            return None;
        }
    }
}

fn receive<M>(receiver: &Receiver<M>) -> Result<M, std::sync::mpsc::RecvError> {
    spin(receiver).map_or_else(|| receiver.recv(), Ok)
}

fn receive_within<M>(receiver: &Receiver<M>, time: Duration) -> Result<M, RecvTimeoutError> {
    spin(receiver).map_or_else(|| receiver.recv_timeout(time), Ok)
}
