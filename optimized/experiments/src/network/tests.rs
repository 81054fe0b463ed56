use super::*;

/// A byte takes a millisecond to leave.
const SLOW: Link = Link { delay: Duration::from_millis(30), bits_per_second: 8000.0, headers: false };

fn milliseconds(network: &Network, party: usize) -> u128 {
    network.clock(party).as_millis()
}

#[test]
fn a_message_arrives_a_delay_after_its_last_byte_left() {
    let mut network = Network::new(2, SLOW);
    network.send(0, 1, 5);
    assert_eq!(milliseconds(&network, 0), 0, "the sender goes on at once");
    network.receive(1, 0).unwrap();
    assert_eq!(milliseconds(&network, 1), 35);
}

#[test]
fn the_peers_of_a_party_share_its_egress() {
    let mut network = Network::new(3, SLOW);
    network.send(0, 1, 10);
    network.send(0, 2, 10);
    network.send(1, 2, 1);
    network.receive(1, 0).unwrap();
    network.receive(2, 1).unwrap();
    assert_eq!(milliseconds(&network, 2), 31, "another's egress is its own");
    network.receive(2, 0).unwrap();
    assert_eq!([milliseconds(&network, 1), milliseconds(&network, 2)], [40, 50]);
}

#[test]
fn an_egress_is_free_again_and_computing_overlaps_with_it() {
    let mut network = Network::new(2, SLOW);
    network.send(0, 1, 10);
    network.compute_for(0, Duration::from_millis(4));
    network.send(0, 1, 1);
    network.compute_for(0, Duration::from_millis(96));
    network.send(0, 1, 1);
    let arrivals = [(); 3].map(|()| {
        network.receive(1, 0).unwrap();
        milliseconds(&network, 1)
    });
    assert_eq!(arrivals, [40, 41, 131]);
}

#[test]
fn who_is_late_receives_at_once() {
    let mut network = Network::new(2, SLOW);
    network.send(0, 1, 1);
    network.compute_for(1, Duration::from_millis(500));
    network.receive(1, 0).unwrap();
    assert_eq!(milliseconds(&network, 1), 500);
}

#[test]
fn nothing_sent_is_an_error_and_moves_no_clock() {
    let mut network = Network::new(2, SLOW);
    network.send(0, 1, 1);
    assert_eq!(network.receive(0, 1), Err(NothingSent { to: 0, from: 1 }));
    assert_eq!(network.arrival(1, 0), Some(Duration::from_millis(31)));
    assert_eq!(milliseconds(&network, 0), 0);
}

#[test]
fn a_mark_counts_since_the_mark_before_and_sets_the_clocks() {
    let mut network = Network::new(2, SLOW);
    for (from, to) in [(0, 1), (1, 0), (0, 1)] {
        network.send(from, to, 2);
        network.receive(to, from).unwrap();
    }
    network.compute_for(0, Duration::from_millis(1));
    let spent = network.mark();
    assert_eq!((spent.seconds, spent.sequential), (0.096, 3));
    assert_eq!((&*spent.cpu, &*spent.bytes, &*spent.messages), (&[0.001, 0.0][..], &[4, 2][..], &[2, 1][..]));
    assert_eq!([milliseconds(&network, 0), milliseconds(&network, 1)], [96, 96]);
    network.send(1, 0, 1);
    let spent = network.mark();
    assert_eq!((spent.seconds, spent.sequential, spent.all_bytes()), (0.0, 1, 1), "nobody waited for it yet");
    network.receive(0, 1).unwrap();
    network.send(0, 1, 1);
    assert_eq!(network.mark().sequential, 1, "what was sent before the mark belongs to the phase before");
}

#[test]
fn messages_side_by_side_are_one_after_the_other_only_once() {
    let mut network = Network::new(3, Link::none());
    for (from, to) in [(0, 1), (1, 0), (0, 2), (1, 2)] {
        network.send(from, to, 8);
    }
    for (to, from) in [(0, 1), (1, 0), (2, 0), (2, 1)] {
        network.receive(to, from).unwrap();
    }
    network.send(2, 0, 8);
    let spent = network.mark();
    assert_eq!((spent.sequential, spent.seconds), (2, 0.0));
}

#[test]
fn headers_are_those_of_the_frame_and_of_each_packet() {
    let link = Link { headers: true, ..SLOW };
    let full = PACKET_BYTES - FRAME_HEADER;
    assert_eq!([0, full, full + 1].map(|bytes| link.bytes_on_wire(bytes)), [106, 1514, 1581]);
    let mut network = Network::new(2, link);
    network.send(0, 1, 0);
    network.receive(1, 0).unwrap();
    assert_eq!((milliseconds(&network, 1), network.mark().bytes), (136, vec![106, 0]));
}

#[test]
fn work_moves_the_clock_of_whoever_does_it() {
    let mut network = Network::new(2, Link::none());
    let sum = network.compute(1, || (0..200_000_u64).map(std::hint::black_box).sum::<u64>());
    assert_eq!(sum, 19_999_900_000);
    assert!(network.clock(1) > Duration::ZERO && network.clock(0) == Duration::ZERO);
    let spent = network.mark();
    assert!(spent.cpu[0] == 0.0 && (spent.cpu[1] - spent.seconds).abs() < 1e-9);
}

/// Two messages each way, and computing in between.
fn exchange(link: Link) -> Spent {
    let mut network = Network::new(2, link);
    for round in 0..2 {
        for (from, to) in [(0, 1), (1, 0)] {
            network.compute_for(from, Duration::from_millis(7 + round));
            network.send(from, to, 3 + round);
        }
        network.receive(0, 1).unwrap();
        network.receive(1, 0).unwrap();
    }
    network.mark()
}

#[test]
fn what_was_done_once_is_timed_over_any_link() {
    let links = [Link::none(), SLOW, Link::wide_area(), Link { headers: true, ..SLOW }];
    for (recorded, timed) in links.iter().flat_map(|one| links.iter().map(move |other| (*one, *other))) {
        assert_eq!(exchange(recorded).over(timed, 1.0), exchange(timed));
    }
    let slower = exchange(SLOW).over(Link::none(), 2.0);
    assert_eq!((slower.seconds, slower.cpu), (0.030, vec![0.030, 0.030]));
    assert_eq!(Spent::nothing(2).then(&exchange(SLOW)).over(SLOW, 1.0), exchange(SLOW));
}

#[test]
fn a_link_that_lets_nothing_through_is_no_panic() {
    let mut network = Network::new(2, Link { bits_per_second: 0.0, ..SLOW });
    network.send(0, 1, 1);
    network.send(0, 1, 1);
    network.receive(1, 0).unwrap();
    network.compute_for(1, Duration::from_secs(1));
    assert_eq!(network.clock(1), Duration::MAX);
}
