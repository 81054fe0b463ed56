//! All that one party has of a run, and nothing else: its own states, what it was asked, and what it was sent.

use duoram_spec::core::ring::XorWord;
use duoram_spec::lean;
use duoram_spec::paper::party::{HelperParty, PrimaryParty};
use duoram_spec::paper::party_online::Query;
use duoram_spec::paper::session;
use duoram_vectors::Random;

use crate::board::Holder;
use crate::game::faults::{Fault, Protocol};
use crate::game::prg::GamePrg;
use crate::game::script::Script;

/// What was sent to each of the three parties.
pub(crate) type Inboxes<S> = [Vec<S>; 3];

/// A run of three parties, `T`, between which messages of type `S` go; the primaries are asked queries of type `Q`.
pub(crate) struct Run<T, S, Q> {
    pub(crate) loaded: T,
    pub(crate) prepared: T,
    /// After the last operation.
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "no party's view of a round: tests see that results are right")
    )]
    pub(crate) ended: T,
    /// While connecting, loading, preparing.
    pub(crate) told: [Inboxes<S>; 3],
    pub(crate) turns: Vec<Turn<S, Q>>,
}

/// An operation of a run.
pub(crate) struct Turn<S, Q> {
    /// The number of the item that it used.
    pub(crate) item: usize,
    /// The primaries' shares of the address, and of the value of an UPDATE.
    pub(crate) queries: [Q; 2],
    pub(crate) inboxes: Inboxes<S>,
    /// The primaries' shares of the result, if there is one.
    pub(crate) results: [Option<u64>; 2],
}

/// What a party of type `A` sees of a run.
pub(crate) struct View<A, S, Q> {
    /// The party before preparing: its random words are in it.
    pub(crate) loaded: A,
    /// The party after preparing.
    pub(crate) prepared: A,
    /// What it was sent while connecting, loading, preparing.
    pub(crate) told: [Vec<S>; 3],
    pub(crate) operations: Vec<Asked<S, Q>>,
}

/// An operation, as a party sees it.
pub(crate) struct Asked<S, Q> {
    /// The number of the item that it used.
    pub(crate) item: usize,
    /// The party's own shares; P2 has none.
    pub(crate) query: Q,
    pub(crate) inbox: Vec<S>,
    /// The party's share of the result.
    pub(crate) result: Option<u64>,
}

pub(crate) type PaperPrimary<P> = View<PrimaryParty<P>, session::Sent, Query>;
pub(crate) type PaperHelper<P> = View<HelperParty<P>, session::Sent, ()>;
pub(crate) type LeanQuery = lean::online::Query<XorWord>;
pub(crate) type LeanParty0<P> = View<lean::party::Party0<XorWord, P>, lean::session::Sent, LeanQuery>;
pub(crate) type LeanParty2<P> = View<lean::party::Party2<XorWord, P>, lean::session::Sent, ()>;

/// The view of the party that a fault is for.
pub(crate) enum Seen<P> {
    Primary(PaperPrimary<P>),
    Helper(PaperHelper<P>),
    Lean0(LeanParty0<P>),
    Lean2(LeanParty2<P>),
}

/// Runs a script, and keeps what the fault's party sees of it. With `put_back` the fault is in the protocol.
pub(crate) fn see<P: GamePrg>(fault: Fault, put_back: bool, script: &Script, random: &mut Random) -> Seen<P> {
    let about = fault.about();
    let present = put_back.then_some(fault);
    let paper = |random: &mut Random| super::paper::run(script, present, random);
    let lean = |random: &mut Random| super::lean::run(script, present, random);
    match (about.protocol, about.party) {
        (Protocol::Paper, Holder::P0) => Seen::Primary(paper(random).of_primary(0, |parties| parties.p0)),
        (Protocol::Paper, Holder::P1) => Seen::Primary(paper(random).of_primary(1, |parties| parties.p1)),
        (Protocol::Paper, _) => Seen::Helper(paper(random).of_helper(|parties| parties.p2)),
        (Protocol::Lean, Holder::P0) => Seen::Lean0(lean(random).of_primary(0, |parties| parties.p0)),
        (Protocol::Lean, _) => Seen::Lean2(lean(random).of_helper(|parties| parties.p2)),
    }
}

impl<T, S, Q: Copy> Run<T, S, Q> {
    /// The view of P_b.
    fn of_primary<A>(self, b: usize, party: fn(T) -> A) -> View<A, S, Q> {
        self.of(b, party, |turn| (turn.queries[b], turn.results[b]))
    }

    /// The view of P2, who is asked nothing and has no result.
    fn of_helper<A>(self, party: fn(T) -> A) -> View<A, S, ()> {
        self.of(2, party, |_| ((), None))
    }

    fn of<A, R>(
        self,
        number: usize,
        party: fn(T) -> A,
        own: impl Fn(&Turn<S, Q>) -> (R, Option<u64>),
    ) -> View<A, S, R> {
        let inbox = |mut inboxes: Inboxes<S>| std::mem::take(&mut inboxes[number]);
        let asked = |turn: Turn<S, Q>| {
            let (query, result) = own(&turn);
            Asked { item: turn.item, query, result, inbox: inbox(turn.inboxes) }
        };
        View {
            loaded: party(self.loaded),
            prepared: party(self.prepared),
            told: self.told.map(inbox),
            operations: self.turns.into_iter().map(asked).collect(),
        }
    }
}
