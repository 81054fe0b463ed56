//! A program that is itself multi-party: a half beside P0 and a half beside P1, each with shares only, over their Unix sockets.

use std::fs;

use duoram_client::{Error, Reason, Shares};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::hosts::{Hosts, set};

/// Hosts of which P0 and P1 let a local program in.
fn hosts(log_size: u32, protocol: &str) -> Hosts {
    let mut hosts = Hosts::start(log_size, protocol, "info");
    for place in [0, 1] {
        hosts.kill(place);
        let local = format!(
            "[local]\nsocket = \"p{place}.socket\"\nclient = \"program\"\nrights = [\"read\", \"update\", \"load\"]\n\n[state]"
        );
        set(&hosts, &format!("p{place}"), "[state]", &local);
        hosts.run(place);
    }
    hosts
}

async fn halves(hosts: &Hosts) -> [Shares; 2] {
    let open = async |place: usize| Shares::open(&hosts.path(&format!("p{place}.socket"))).await.unwrap();
    [open(0).await, open(1).await]
}

/// Opened, and begun where both can.
async fn begun(hosts: &Hosts) -> [Shares; 2] {
    let halves = halves(hosts).await;
    let first = halves[0].next().max(halves[1].next());
    for half in &halves {
        half.begin(first);
    }
    halves
}

/// The two shares of each word under a protocol, drawn here.
struct Sharing {
    random: ChaCha20Rng,
    lean: bool,
}

impl Sharing {
    fn share(&mut self, word: u64) -> [u64; 2] {
        let mask = self.random.next_u64();
        [mask, if self.lean { word ^ mask } else { word.wrapping_sub(mask) }]
    }

    fn open(&self, [share_0, share_1]: [u64; 2]) -> u64 {
        if self.lean { share_0 ^ share_1 } else { share_0.wrapping_add(share_1) }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_halves_get_shares_of_what_an_array_would_give() {
    for protocol in ["paper", "lean", "two-party"] {
        let mut hosts = hosts(6, protocol);
        let mut sharing = Sharing { random: ChaCha20Rng::from_seed([6; 32]), lean: protocol == "lean" };
        let [half_0, half_1] = begun(&hosts).await;
        assert_eq!((half_0.role().index(), half_1.role().index(), half_0.len()), (0, 1, 64));
        let mut array: Vec<u64> = (0..64).map(|place| (place * 5 + 1) % 64).collect();
        let shares: Vec<[u64; 2]> = array.iter().map(|word| sharing.share(*word)).collect();
        let [shares_0, shares_1] = [0, 1].map(|b| shares.iter().map(|share| share[b]).collect::<Vec<_>>());
        let short = half_0.load(shares_0[1..].to_vec()).await;
        assert!(matches!(short, Err(Error::Shares { expected: 64, got: 63 })), "{short:?}");
        let (loaded_0, loaded_1) = tokio::join!(half_0.load(shares_0), half_1.load(shares_1));
        assert_eq!((loaded_0.is_ok(), loaded_1.is_ok()), (true, true));

        let ([a_0, a_1], [v_0, v_1]) = (sharing.share(9), sharing.share(1 << 40));
        let (old_0, old_1) = tokio::join!(half_0.swap(a_0, v_0), half_1.swap(a_1, v_1));
        assert_eq!(sharing.open([old_0.unwrap(), old_1.unwrap()]), array[9]);
        array[9] = 1 << 40;
        let ([a_0, a_1], [v_0, v_1]) = (sharing.share(9), sharing.share(3));
        let (of_0, of_1) = ([(a_0, v_0)], [(a_1, v_1)]);
        let added = tokio::join!(half_0.update_all(&of_0), half_1.update_all(&of_1));
        assert!(added.0.is_ok() && added.1.is_ok());
        array[9] = if sharing.lean { array[9] ^ 3 } else { array[9] + 3 };
        let ([a_0, a_1], [v_0, v_1]) = (sharing.share(10), sharing.share(7));
        let put = tokio::join!(half_0.write(a_0, v_0), half_1.write(a_1, v_1));
        assert!(put.0.is_ok() && put.1.is_ok());
        array[10] = 7;

        let addresses: Vec<[u64; 2]> = [9, 10, 0, 9].map(|place| sharing.share(place)).to_vec();
        let [at_0, at_1] = [0, 1].map(|b| addresses.iter().map(|share| share[b]).collect::<Vec<_>>());
        let (read_0, read_1) = tokio::join!(half_0.read_all(&at_0), half_1.read_all(&at_1));
        let (read_0, read_1) = (read_0.unwrap(), read_1.unwrap());
        let opened: Vec<u64> = read_0.iter().zip(&read_1).map(|(x, y)| sharing.open([*x, *y])).collect();
        assert_eq!(opened, [array[9], 7, array[0], array[9]]);
        let [a_0, a_1] = sharing.share(0);
        let (end_0, end_1) = tokio::join!(half_0.chase(a_0, 2), half_1.chase(a_1, 2));
        assert_eq!(sharing.open([end_0.unwrap(), end_1.unwrap()]), array[1]);
        drop((half_0, half_1));
        hosts.stop();
    }
}

/// A half that asks alone waits; when both come again and agree where to go on, what it asked for was not done, and nothing is done twice.
#[tokio::test(flavor = "multi_thread")]
async fn halves_that_ended_apart_agree_where_to_go_on() {
    let mut hosts = hosts(4, "lean");
    let mut sharing = Sharing { random: ChaCha20Rng::from_seed([8; 32]), lean: true };
    let [half_0, half_1] = begun(&hosts).await;
    let loaded = tokio::join!(half_0.load(vec![0; 16]), half_1.load(vec![0; 16]));
    assert!(loaded.0.is_ok() && loaded.1.is_ok());
    let [a_0, a_1] = sharing.share(5);
    let (of_0, of_1) = ([(a_0, 6)], [(a_1, 0)]);
    let both = tokio::join!(half_0.update_all(&of_0), half_1.update_all(&of_1));
    assert!(both.0.is_ok() && both.1.is_ok());
    // P0's half asks, and both end before P1's does.
    let alone = half_0.clone();
    let asked = tokio::spawn(async move { alone.update_all(&[(a_0, 99)]).await });
    // A look takes the place of the link that asks, which is made again.
    while halves(&hosts).await[0].next() < half_0.next() + 3 {
        tokio::time::sleep(std::time::Duration::from_millis(500)).await;
    }
    asked.abort();
    drop((half_0, half_1));

    let [half_0, half_1] = halves(&hosts).await;
    assert_eq!(half_0.next(), half_1.next() + 1, "one request more");
    let first = half_0.next().max(half_1.next());
    half_0.begin(first);
    half_1.begin(first);
    let (of_0, of_1) = ([a_0], [a_1]);
    let (read_0, read_1) = tokio::join!(half_0.read_all(&of_0), half_1.read_all(&of_1));
    assert_eq!(sharing.open([read_0.unwrap()[0], read_1.unwrap()[0]]), 6);
    drop((half_0, half_1));
    hosts.stop();
}

/// What its settings do not allow a program, it is not even asked for.
#[tokio::test(flavor = "multi_thread")]
async fn a_half_has_the_rights_of_its_settings() {
    let mut hosts = hosts(4, "lean");
    hosts.kill(0);
    set(
        &hosts,
        "p0",
        "rights = [\"read\", \"update\", \"load\"]\n\n[state]",
        "rights = [\"read\"]\n\n[state]",
    );
    hosts.run(0);
    let [half_0, half_1] = begun(&hosts).await;
    let refused = half_0.write(1, 2).await;
    assert!(matches!(refused, Err(Error::NotAllowed { .. })), "{refused:?}");
    let refused = half_1.write(1, 2);
    let (read, written) = tokio::join!(half_0.read_all(&[0]), refused);
    // P1's half asks for something else than P0's.
    for refused in [read.map(drop), written] {
        assert!(
            matches!(&refused, Err(Error::Refused(refusal)) if refusal.reason != Reason::Busy),
            "{refused:?}"
        );
    }
    assert!(fs::metadata(hosts.path("p0.socket")).is_ok());
    drop((half_0, half_1));
    hosts.stop();
}
