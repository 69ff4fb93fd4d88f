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

/// Threads that do jobs of type `J` with workers of type `W`.
pub(crate) struct Team<'scope, 'env, W: 'scope, J: 'scope> {
    scope: &'scope Scope<'scope, 'env>,
    work: fn(&mut W, &J),
    /// Is set when the jobs at hand are to be given up.
    stop: &'env AtomicBool,
    threads: Vec<Sender<(Box<W>, Arc<J>)>>,
    done: (Sender<Return<W>>, Receiver<Return<W>>),
    /// Workers that were handed over and have not come back.
    away: usize,
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
        Self { scope, work, stop, threads: Vec::new(), done: channel(), away: 0 }
    }

    /// Hands up to `count` workers over to threads, which begin at once.
    pub(crate) fn start(&mut self, workers: &mut Vec<Box<W>>, count: usize, job: &Arc<J>) {
        while self.threads.len() < count && self.add_thread() {}
        for thread in self.threads.iter().take(count) {
            let Some(worker) = workers.pop() else { return };
            match thread.send((worker, Arc::clone(job))) {
                Ok(()) => self.away += 1,
                // Cannot be: a thread ends when its channel does.
                Err(returned) => workers.push(returned.0.0),
            }
        }
    }

    /// Whether the system gave another thread.
    fn add_thread(&mut self) -> bool {
        let (sender, jobs) = channel::<(Box<W>, Arc<J>)>();
        let done = self.done.0.clone();
        let (work, stop) = (self.work, self.stop);
        let serve = move || {
            while let Ok((mut worker, job)) = receive(&jobs) {
                let result = catch_unwind(AssertUnwindSafe(|| work(&mut worker, &job)));
                drop(job);
                if result.is_err() {
                    stop.store(true, Ordering::Relaxed);
                }
                if done.send(result.map(|()| worker)).is_err() {
                    return;
                }
            }
        };
        let thread = spinor_store::thread(STACK_BYTES);
        let thread = thread.and_then(|thread| thread.spawn_scoped(self.scope, serve));
        if thread.is_ok() {
            self.threads.push(sender);
        }
        thread.is_ok()
    }

    /// Waits until all workers have come back; `look` is called now and then.
    ///
    /// # Panics
    /// With the panic of a worker, if one panicked.
    pub(crate) fn finish(&mut self, workers: &mut Vec<Box<W>>, mut look: impl FnMut()) {
        let mut panic = None;
        while self.away > 0 {
            match receive_within(&self.done.1, LOOK) {
                Ok(result) => {
                    self.away -= 1;
                    match result {
                        Ok(worker) => workers.push(worker),
                        Err(payload) => panic = Some(payload),
                    }
                }
                Err(_) => look(),
            }
        }
        if let Some(payload) = panic {
            resume_unwind(payload);
        }
    }
}

/// If the caller panics while others work, they need not go on.
impl<W, J> Drop for Team<'_, '_, W, J> {
    fn drop(&mut self) {
        if self.away > 0 {
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
