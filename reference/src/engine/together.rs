//! Parties with two lanes in one thread, one step after another. For tests of what computes for them.

use std::collections::VecDeque;

use super::{Command, Error, Lasting};
use crate::wire::{Frame, Role};

/// A step of all parties, to its end or until they await more of what they are commanded: all that was said, link by link, each link's frames
/// in their order.
///
/// # Errors
///
/// The first error of a party.
pub fn step(
    parties: &mut [Box<dyn Lasting>; 3],
    command: impl Fn(Role) -> Option<Command>,
) -> Result<Vec<Frame>, Error> {
    let mut links: [[VecDeque<Frame>; 3]; 3] = Default::default();
    let mut said = Vec::new();
    let mut post = |links: &mut [[VecDeque<Frame>; 3]; 3], frames: Vec<Frame>| {
        for frame in frames {
            said.push(frame.clone());
            links[frame.from.index()][frame.to.index()].push_back(frame);
        }
    };
    for role in Role::ALL {
        if let Some(command) = command(role) {
            let frames = parties[role.index()].begin(&command)?;
            post(&mut links, frames);
        }
    }
    let next = |parties: &[Box<dyn Lasting>; 3], links: &mut [[VecDeque<Frame>; 3]; 3]| {
        Role::ALL.into_iter().find_map(|to| {
            let from = parties[to.index()].awaits()?;
            links[from.index()][to.index()].pop_front()
        })
    };
    while let Some(frame) = next(parties, &mut links) {
        let frames = parties[frame.to.index()].receive(frame.from, &frame.bytes)?;
        post(&mut links, frames);
    }
    said.sort_by_key(|frame| (frame.from, frame.to));
    Ok(said)
}
