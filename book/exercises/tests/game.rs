//! Exercises 15b: what a score says, and the best that any player could do.
#![allow(missing_docs)]

use duoram_spec::core::ring::{Ring, Z4, z4};
use duoram_spec::core::vector::{sub, unit_vector};
use duoram_spec::paper::memory::shared;
use duoram_spec::paper::read::{UnitVectors, read};

/// In how many of the 2^rounds ways that coins can fall there are just so many heads: row `rounds` of Pascal's triangle.
fn ways(rounds: usize) -> Vec<u128> {
    let mut row = vec![1];
    for _ in 0..rounds {
        let left = row.iter().copied().chain([0]);
        let right = [0].into_iter().chain(row.iter().copied());
        row = left.zip(right).map(|(a, b)| a + b).collect();
    }
    row
}

/// Would mere chance give so many wins or more in at most one of `once_in` games?
fn looks_good(wins: usize, rounds: usize, once_in: u128) -> bool {
    ways(rounds)[wins..].iter().sum::<u128>() * once_in <= 1 << rounds
}

/// Exercise 15b.1.
#[test]
fn the_score_that_says_something() {
    assert_eq!(ways(20)[14..].iter().sum::<u128>(), 60_460);
    assert!(!looks_good(14, 20, 20) && looks_good(15, 20, 20));
    assert!(!looks_good(15, 20, 100) && looks_good(16, 20, 100));
    // Four rounds show nothing, not even if all of them are won.
    assert!(!looks_good(4, 4, 20) && looks_good(75, 100, 1_000_000));
}

/// Of all ways that up to `most` coins can fall: in how many (of 2^most) does the score look good at any time?
fn games_that_look_good_once(most: usize, once_in: u128) -> u128 {
    let mut still_playing = vec![1_u128]; // by wins
    let mut stopped = 0;
    for rounds in 1..=most {
        let mut next = vec![0; rounds + 1];
        for (wins, ways) in still_playing.iter().enumerate() {
            next[wins] += ways;
            next[wins + 1] += ways;
        }
        stopped *= 2;
        for (wins, ways) in next.iter_mut().enumerate() {
            if looks_good(wins, rounds, once_in) {
                stopped += std::mem::take(ways);
            }
        }
        still_playing = next;
    }
    stopped
}

/// Exercise 15b.2.
#[test]
fn who_stops_in_time_wins_too_often() {
    let percent = |most: usize| games_that_look_good_once(most, 20) * 100 / (1 << most);
    assert_eq!([5, 20, 50, 100].map(percent), [3, 9, 15, 20]);
    // With the number of rounds said beforehand it is what it promises to be: at most 5 of 100.
    assert!([5, 20, 50, 100].iter().all(|rounds| {
        let good = (0..=*rounds).filter(|wins| looks_good(*wins, *rounds, 20));
        good.map(|wins| ways(*rounds)[wins]).sum::<u128>() * 20 <= 1 << rounds
    }));
}

/// All that P0 sees of a READ at address `i` of two words mod 4, whose share is P1's, in all cases that are one to P0: P1's share
/// of ri, and rho from `masks`. P0's own things are in `own`: its half of a unit vector, and its blind.
fn seen_by_p0(i: u64, own: ([Z4; 2], [Z4; 2]), masks: &[Z4]) -> Vec<(u64, u64)> {
    let (half, blind) = own;
    let memory = shared(&[z4(1), z4(2)], &[z4(3), z4(3)], &blind, &[z4(0), z4(1)]);
    let mut views = vec![];
    for (at, ri_1) in (0..2).zip(0..) {
        let other = sub(&unit_vector(2, at), &half);
        let units = UnitVectors {
            p0: (half.to_vec(), half.to_vec(), half.to_vec()),
            p1: (other.clone(), other.clone(), other),
        };
        for mask in masks {
            let outcome = read(&memory, &units, (0, ri_1), (0, i), *mask);
            views.push((outcome.shift_1, outcome.gamma_0.to_u64()));
        }
    }
    views
}

/// Of how many rounds the best player wins how many: at each view it names the script that shows it more often.
fn won_by_the_best_player(masks: &[Z4]) -> (usize, usize) {
    let (mut won, mut rounds) = (0, 0);
    for case in 0..256 {
        let own = ([z4(case), z4(case >> 2)], [z4(case >> 4), z4(case >> 6)]);
        let (a, b) = (seen_by_p0(0, own, masks), seen_by_p0(1, own, masks));
        let often = |views: &[(u64, u64)], view| views.iter().filter(|seen| **seen == view).count();
        let all = (0..2).flat_map(|shift| (0..4).map(move |gamma| (shift, gamma)));
        won += all.map(|view| often(&a, view).max(often(&b, view))).sum::<usize>();
        rounds += a.len() + b.len();
    }
    (won, rounds)
}

/// Exercise 15b.3.
#[test]
fn the_best_player_of_all() {
    let is = |masks: &[Z4], part: usize, of: usize| {
        let (won, rounds) = won_by_the_best_player(masks);
        assert_eq!(won * of, rounds * part, "{won} of {rounds}");
    };
    is(&[z4(0)], 7, 8);
    is(&[z4(0), z4(1)], 3, 4);
    is(&[z4(0), z4(1), z4(2), z4(3)], 1, 2);
}
