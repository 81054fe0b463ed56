//! What all that was ordered comes to on an array.

use std::collections::BTreeMap;

use duoram_link::{ClientName, Entry, Order, Reason, WorkKind};
use duoram_reference::Word;

use super::protocol::Protocol;

/// What a client asked for, in the clear.
#[derive(Clone, Debug)]
pub(crate) struct Wish {
    pub(crate) kind: WorkKind,
    pub(crate) count: u64,
    /// Addresses; pairs; words.
    pub(crate) words: Vec<Word>,
}

/// What is known of orders and wishes from outside.
pub(crate) struct Ideal {
    protocol: Protocol,
    size: u64,
    /// As they were told, by number.
    pub(crate) orders: BTreeMap<u64, Order>,
    pub(crate) wishes: BTreeMap<(ClientName, u64), Wish>,
}

impl Ideal {
    pub(crate) fn new(protocol: Protocol, size: u64) -> Self {
        Self { protocol, size, orders: BTreeMap::new(), wishes: BTreeMap::new() }
    }

    /// An order is told; whoever hears it hears the same.
    pub(crate) fn hear(&mut self, order: &Order) -> Result<(), String> {
        let known = self.orders.entry(order.number).or_insert_with(|| order.clone());
        if known == order {
            Ok(())
        } else {
            Err(format!("two orders {}: {known:?}, {order:?}", order.number))
        }
    }

    /// Whether a memory was loaded.
    pub(crate) fn is_loaded(&self) -> bool {
        self.orders.values().any(|order| matches!(&order.entry, Entry::Step { kind: WorkKind::Load, .. }))
    }

    /// What P1 held when its client began anew; nobody hears of it.
    pub(crate) fn withdrawn(&self) -> u64 {
        let is_withdrawn = |order: &&Order| matches!(&order.entry, Entry::Refuse { refusal, .. } if refusal.reason == Reason::Withdrawn);
        self.orders.values().filter(is_withdrawn).count() as u64
    }

    /// The steps that hold several requests.
    pub(crate) fn joined(&self) -> u64 {
        let several = |order: &&Order| matches!(&order.entry, Entry::Step { parts, .. } if parts.len() > 1);
        self.orders.values().filter(several).count() as u64
    }

    /// The results of everything that was ordered, in the order of orders.
    pub(crate) fn results(&self) -> Result<BTreeMap<(ClientName, u64), Vec<Word>>, String> {
        let place = |address: Word| usize::try_from(address % self.size).unwrap();
        let mut memory = vec![0; place(self.size - 1) + 1];
        let mut results = BTreeMap::new();
        for (expected, (number, order)) in (0..).zip(&self.orders) {
            if *number != expected {
                return Err(format!("order {expected} was never told"));
            }
            let Entry::Step { kind, parts } = &order.entry else { continue };
            for part in parts {
                let of = (part.client.clone(), part.number);
                let wish = self.wishes.get(&of).ok_or_else(|| format!("nobody asked for {part:?}"))?;
                if (wish.kind, wish.count) != (*kind, part.count) {
                    return Err(format!("{wish:?} was ordered as {kind} of {}", part.count));
                }
                let pairs = wish.words.as_chunks().0.iter().map(|&[address, word]| (place(address), word));
                let result = match kind {
                    WorkKind::Read => wish.words.iter().map(|address| memory[place(*address)]).collect(),
                    WorkKind::Update => {
                        pairs
                            .for_each(|(at, change)| memory[at] = (self.protocol.open)([memory[at], change]));
                        Vec::new()
                    }
                    WorkKind::Write | WorkKind::Swap => {
                        let mut old = Vec::new();
                        pairs.for_each(|(at, word)| old.push(std::mem::replace(&mut memory[at], word)));
                        if *kind == WorkKind::Swap { old } else { Vec::new() }
                    }
                    WorkKind::Chase => {
                        vec![(0..part.count).fold(wish.words[0], |address, _| memory[place(address)])]
                    }
                    WorkKind::Load => {
                        memory.clone_from(&wish.words);
                        Vec::new()
                    }
                };
                if results.insert(of, result).is_some() {
                    return Err(format!("{part:?} was ordered twice"));
                }
            }
        }
        Ok(results)
    }
}
