//! Work on many items at once, with results in the items' order.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

/// Stack of a worker: as large as a main thread's, which the library is tested with.
const STACK: usize = 8 << 20;

/// Does `work` on every item with up to `jobs` threads and hands each result to `done`, in the order of the items
/// and as soon as those before it are through. Stops early if `done` fails.
pub(crate) fn in_order<T: Sync, R: Send, E>(
    items: &[T],
    jobs: usize,
    work: impl Fn(&T) -> R + Sync,
    mut done: impl FnMut(&T, R) -> Result<(), E>,
) -> Result<(), E> {
    let next = AtomicUsize::new(0);
    let (sender, results) = mpsc::channel();
    thread::scope(|scope| {
        let mut workers = 0;
        for _ in 0..jobs.clamp(1, items.len().max(1)) {
            let (sender, next, work) = (sender.clone(), &next, &work);
            let worker = move || {
                loop {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(i) else { break };
                    if sender.send((i, work(item))).is_err() {
                        break;
                    }
                }
            };
            // The threads that there are do all the work.
            if thread::Builder::new().stack_size(STACK).spawn_scoped(scope, worker).is_err() {
                break;
            }
            workers += 1;
        }
        drop(sender);
        if workers == 0 {
            return items.iter().try_for_each(|item| done(item, work(item)));
        }
        let mut waiting = BTreeMap::new();
        let mut turn = 0;
        for (i, result) in results {
            waiting.insert(i, result);
            while let Some(result) = waiting.remove(&turn) {
                let Some(item) = items.get(turn) else { break };
                turn += 1;
                if let Err(e) = done(item, result) {
                    next.store(items.len(), Ordering::Relaxed);
                    return Err(e);
                }
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn results_come_in_order() {
        let items: Vec<u64> = (0..50).collect();
        for jobs in [1, 3, 100] {
            let mut seen = Vec::new();
            let work = |&i: &u64| {
                thread::sleep(Duration::from_micros((i * 7919) % 500));
                i * 2
            };
            let done = |item: &u64, result| {
                assert_eq!(result, item * 2);
                seen.push(*item);
                Ok::<_, ()>(())
            };
            assert_eq!(in_order(&items, jobs, work, done), Ok(()));
            assert_eq!(seen, items);
        }
        assert_eq!(in_order(&[], 4, |_: &u8| (), |_, ()| Err(())), Ok(()));
    }

    #[test]
    fn failure_stops_the_work() {
        let items: Vec<u32> = (0..100_000).collect();
        let worked = AtomicUsize::new(0);
        let work = |_: &u32| {
            thread::sleep(Duration::from_micros(50));
            worked.fetch_add(1, Ordering::Relaxed)
        };
        assert_eq!(in_order(&items, 2, work, |&i, _| if i == 3 { Err(i) } else { Ok(()) }), Err(3));
        assert!(worked.load(Ordering::Relaxed) < items.len());
    }
}
