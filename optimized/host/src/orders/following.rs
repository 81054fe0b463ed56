//! P1 and, where it takes part, P2: orders are taken, and acknowledged when they are on disk.

use duoram_link::{Entry, Order, PeerMessage};
use duoram_reference::Role;

use super::{Error, Fault, Orders, Record, Said, Side};

/// Orders whose commands have not all been given to the party: P0 gives far fewer ahead.
const MAX_DUE: usize = 1 << 10;

/// The link to P0.
#[derive(Default)]
pub(super) struct Following {
    /// Its link is up; the orders that it was told to be on disk.
    pub(super) told: Option<u64>,
}

impl Orders {
    /// Looks at an order before it is taken: P0 is believed nothing that could stop this party.
    pub(super) fn check_order(&self, order: &Order) -> Result<(), Error> {
        let Order { number, entry } = order;
        let Entry::Step { kind, parts } = entry else { return Ok(()) };
        if self.settings.role == Role::P2 {
            return Ok(());
        }
        for (place, part) in parts.iter().enumerate() {
            let held = self.clients.get(&part.client).and_then(|ledger| ledger.held(part.number));
            let is_so = held.is_some_and(|held| (held.kind, held.count) == (*kind, part.count));
            let is_twice = parts[..place]
                .iter()
                .any(|other| (other.number, &other.client) == (part.number, &part.client));
            if !is_so || is_twice {
                let (client, number, order) = (part.client.clone(), part.number, *number);
                return Err(Error::NotHeld { order, client, number });
            }
        }
        Ok(())
    }

    /// An order of P0. One that is here is passed over.
    pub(crate) fn order(&mut self, from: Role, order: Order) -> Result<(), Error> {
        if from != Role::P0 {
            return Err(Error::NotFrom { expected: "P0", from });
        }
        if self.stopping || order.number < self.taken {
            return Ok(());
        }
        if order.number > self.taken {
            return Err(Error::OrderGap { expected: self.taken, got: order.number });
        }
        if self.due.len() >= MAX_DUE {
            return Err(Error::TooManyOrders { max: MAX_DUE });
        }
        self.check_order(&order)?;
        self.out.records.push(Record::Ordered(order.clone()).encode());
        self.apply_order(order);
        Ok(())
    }

    /// The link to a peer is up; the peer has said how many orders it has.
    pub(crate) fn peer_up(&mut self, peer: Role, orders: u64) -> Result<(), Error> {
        let (role, taken) = (self.settings.role, self.taken);
        match &mut self.side {
            Side::Giving(giving) => giving.peer_up(peer, orders, self.on_disk),
            Side::Following(_) if peer != Role::P0 => Ok(()),
            // P0 has on disk what it tells.
            Side::Following(_) if orders < taken => {
                Err(Error::PeerForgot { peer, expected: taken, got: orders })
            }
            Side::Following(following) => {
                following.told = Some(taken);
                if role == Role::P1 && !self.plants(Fault::NotToldAgain) {
                    self.tell_held();
                }
                Ok(())
            }
        }
    }

    /// The link to a peer is down.
    pub(crate) fn peer_down(&mut self, peer: Role) {
        match &mut self.side {
            Side::Giving(giving) => giving.peer_down(peer),
            Side::Following(following) if peer == Role::P0 => following.told = None,
            Side::Following(_) => {}
        }
    }

    /// P1: everything that waits for its order.
    fn tell_held(&mut self) {
        for (client, ledger) in &self.clients {
            for number in ledger.asked.keys() {
                self.out.later.extend(ledger.holds(client, *number));
            }
        }
    }

    /// What is on disk is told: orders by P0, and that they are by the others.
    pub(super) fn tell_of_orders(&mut self) {
        let on_disk = self.on_disk;
        match &mut self.side {
            Side::Giving(giving) => giving.tell(on_disk, self.taken, &mut self.out.later),
            Side::Following(Following { told: Some(told) }) if *told < on_disk => {
                *told = on_disk;
                self.out.later.push(Said::Peer(Role::P0, PeerMessage::Ordered { taken: on_disk }));
            }
            Side::Following(_) => {}
        }
    }
}
