//! Two at a time: for what takes one core, on two.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

use crate::error::Result;

/// What `work` makes of each item, in their order.
///
/// # Errors
/// The first that is met. What has not begun by then does not begin.
pub(crate) fn two_at_a_time<T: Sync, R: Send>(
    items: &[T],
    work: impl Fn(&T) -> Result<R> + Sync,
) -> Result<Vec<R>> {
    let next = AtomicUsize::new(0);
    let some = || -> Result<Vec<(usize, R)>> {
        let mut made = Vec::new();
        loop {
            let number = next.fetch_add(1, Relaxed);
            let Some(item) = items.get(number) else { return Ok(made) };
            let result = work(item).inspect_err(|_| next.store(items.len(), Relaxed))?;
            made.push((number, result));
        }
    };
    let mut made = thread::scope(|scope| -> Result<_> {
        let other = scope.spawn(some);
        let mut made = some()?;
        made.extend(other.join().expect("no panic")?);
        Ok(made)
    })?;
    made.sort_by_key(|(number, _)| *number);
    Ok(made.into_iter().map(|(_, result)| result).collect())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::error::found;

    #[test]
    fn results_come_in_the_order_of_the_items() {
        let later = |number: &u64| {
            thread::sleep(Duration::from_millis(20 - number));
            Ok(10 * number)
        };
        let numbers: Vec<u64> = (0..20).collect();
        let expected: Vec<u64> = numbers.iter().map(|number| 10 * number).collect();
        assert_eq!(two_at_a_time(&numbers, later).unwrap(), expected);
        assert!(two_at_a_time(&[], later).unwrap().is_empty());
    }

    #[test]
    fn two_are_made_at_the_same_time_and_never_three() {
        let (running, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let counted = |(): &()| {
            most.fetch_max(running.fetch_add(1, Relaxed) + 1, Relaxed);
            thread::sleep(Duration::from_millis(5));
            running.fetch_sub(1, Relaxed);
            Ok(())
        };
        two_at_a_time(&[(); 20], counted).unwrap();
        assert_eq!(most.into_inner(), 2);
    }

    #[test]
    fn an_error_ends_it() {
        let begun = AtomicUsize::new(0);
        let fails_at_3 = |number: &usize| {
            begun.fetch_add(1, Relaxed);
            thread::sleep(Duration::from_millis(1));
            if *number == 3 { found("three") } else { Ok(()) }
        };
        let error = two_at_a_time(&(0..1000).collect::<Vec<_>>(), fails_at_3).unwrap_err();
        assert_eq!(error.to_string(), "three");
        assert!(begun.into_inner() < 100, "the others do not begin");
    }
}
