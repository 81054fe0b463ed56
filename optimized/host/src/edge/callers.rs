//! Callers who have not said who they are: there are never more than a few, so that those who never say it cost little, and keep nobody out.

use std::collections::VecDeque;
use std::io;
use std::net::{IpAddr, Ipv6Addr};
use std::time::Duration;

use tokio::time::sleep;

/// After an error of the machine, such as that it has no file descriptors left.
const PAUSE: Duration = Duration::from_millis(50);

/// The next caller. An error of the machine is logged, and waited out.
pub(crate) async fn next_caller<T, F: Future<Output = io::Result<T>>>(accept: impl Fn() -> F) -> T {
    loop {
        match accept().await {
            Ok(called) => return called,
            Err(error) => {
                tracing::warn!(%error, "a caller could not be answered");
                sleep(PAUSE).await;
            }
        }
    }
}

/// The callers, each with a handle `T` by which it can be dropped, the oldest first.
pub(crate) struct Callers<T> {
    most: usize,
    most_each: usize,
    waiting: VecDeque<(u64, IpAddr, T)>,
    next: u64,
}

impl<T> Callers<T> {
    pub(crate) const fn new(most: usize, most_each: usize) -> Self {
        Self { most, most_each, waiting: VecDeque::new(), next: 0 }
    }

    /// Somebody calls, and gets the number returned. If there are too many, one is to be dropped: the oldest from the same place if those are too many, else the
    /// oldest of all. Whoever is right says so at once, and so is hardly ever the oldest.
    pub(crate) fn enter(&mut self, address: IpAddr, handle: T) -> (u64, Option<T>) {
        self.next += 1;
        let from = place(address);
        let each = self.waiting.iter().filter(|(_, place, _)| *place == from).count();
        let dropped = if each >= self.most_each {
            self.waiting.iter().position(|(_, place, _)| *place == from)
        } else {
            (self.waiting.len() >= self.most).then_some(0)
        };
        let dropped = dropped.and_then(|place| self.waiting.remove(place));
        self.waiting.push_back((self.next, from, handle));
        (self.next, dropped.map(|(_, _, handle)| handle))
    }

    /// It has said who it is, or is gone.
    pub(crate) fn leave(&mut self, number: u64) {
        self.waiting.retain(|(other, _, _)| *other != number);
    }
}

/// Where a caller is. Of IPv6 everybody has at least 2^64 addresses.
fn place(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(v6) => IpAddr::V6(Ipv6Addr::from_bits(v6.to_bits() >> 64 << 64)),
        v4 @ IpAddr::V4(_) => v4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn callers(most: usize, most_each: usize, from: &[&str]) -> (Callers<usize>, Vec<Option<usize>>) {
        let mut callers = Callers::new(most, most_each);
        let enter = |(index, from): (usize, &&str)| {
            let (_, dropped) = callers.enter(from.parse().unwrap(), index);
            dropped
        };
        let dropped = from.iter().enumerate().map(enter).collect();
        (callers, dropped)
    }

    #[test]
    fn the_oldest_makes_room() {
        let (_, dropped) = callers(3, 3, &["10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.4", "10.0.0.1"]);
        assert_eq!(dropped, [None, None, None, Some(0), Some(1)]);
    }

    #[test]
    fn who_calls_often_drops_its_own() {
        let (mut callers, dropped) =
            callers(5, 2, &["10.0.0.1", "10.0.0.2", "10.0.0.2", "10.0.0.2", "10.0.0.2"]);
        assert_eq!(dropped, [None, None, None, Some(1), Some(2)]);
        // One leaves, and there is room again.
        callers.leave(4);
        assert_eq!(callers.enter("10.0.0.2".parse().unwrap(), 9), (6, None));
    }

    /// Half of an IPv6 address is one place, and IPv4 in IPv6 is IPv4.
    #[test]
    fn many_addresses_of_one_place_are_one() {
        let (_, dropped) =
            callers(9, 1, &["2001:db8::1", "2001:db8::2", "2001:db8:0:1::1", "::ffff:10.0.0.1", "10.0.0.1"]);
        assert_eq!(dropped, [None, Some(0), None, None, Some(3)]);
    }
}
