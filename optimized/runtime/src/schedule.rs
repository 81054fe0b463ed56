//! What is done in which order: items are prepared for a window of operations, and used up by it, and so on.
//!
//! A session of few operations has one window: everything is prepared before the first of them. With many, no more items are
//! kept than the budget's stock. A long chase is cut into pieces, between which its address stays where it is: in shares.

use duoram_reference::Batch;

use crate::budget::Budget;
use crate::operation::{Operation, demand};
use crate::protocol::Rules;

/// An operation, or some consecutive READs of a chase.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Piece {
    /// Of a chase, the number of steps is that of this piece.
    pub operation: Operation,
    /// Whether the operation begins here: its address is the owner's, and not where a chase got to.
    pub begins: bool,
    /// Whether it ends here: its result is opened.
    pub ends: bool,
}

impl From<Operation> for Piece {
    /// The whole of it.
    fn from(operation: Operation) -> Self {
        Self { operation, begins: true, ends: true }
    }
}

/// Items, and what uses all of them up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Window {
    /// To be prepared first.
    pub demand: Batch,
    /// To be performed then.
    pub pieces: Vec<Piece>,
}

/// The windows of some operations, one after the other.
pub fn windows<'a, P: Rules>(
    budget: &Budget,
    operations: impl IntoIterator<Item = &'a Operation>,
) -> impl Iterator<Item = Window> {
    let stock = budget.stock.max(P::WRITE.reads + P::WRITE.updates);
    let mut pieces = pieces(budget.queries.min(stock), operations).peekable();
    std::iter::from_fn(move || {
        let (mut window, mut items) = (Vec::new(), 0);
        while let Some(piece) = pieces.next_if(|piece| items + piece.operation.items::<P>() <= stock) {
            items += piece.operation.items::<P>();
            window.push(piece);
        }
        let demand = demand::<P>(window.iter().map(|piece| &piece.operation));
        (!window.is_empty()).then_some(Window { demand, pieces: window })
    })
}

fn pieces<'a>(
    most: usize,
    operations: impl IntoIterator<Item = &'a Operation>,
) -> impl Iterator<Item = Piece> {
    operations.into_iter().flat_map(move |operation| {
        let mut left = if let Operation::Chase { steps, .. } = operation { *steps } else { 0 };
        let mut begins = true;
        std::iter::from_fn(move || {
            let piece = match *operation {
                Operation::Chase { address, .. } if left > 0 => {
                    let steps = left.min(most);
                    left -= steps;
                    Piece { operation: Operation::Chase { address, steps }, begins, ends: left == 0 }
                }
                Operation::Chase { .. } => return None,
                _ if begins => operation.clone().into(),
                _ => return None,
            };
            begins = false;
            Some(piece)
        })
    })
}

#[cfg(test)]
mod tests {
    use duoram_reference::Paper;

    use super::*;

    fn operations() -> [Operation; 4] {
        [
            Operation::Read { address: 1 },
            Operation::Write { address: 3, value: vec![9] },
            Operation::Chase { address: 7, steps: 5 },
            Operation::Update { address: 2, delta: vec![5] },
        ]
    }

    fn sizes(stock: usize, queries: usize) -> Vec<(usize, usize, usize)> {
        windows::<Paper>(&Budget { batch: 1, stock, queries }, &operations())
            .map(|Window { demand, pieces }| (demand.reads, demand.updates, pieces.len()))
            .collect()
    }

    #[test]
    fn few_operations_are_one_window() {
        assert_eq!(sizes(9, 5), [(7, 2, 4)]);
        assert_eq!(sizes(100, 5), [(7, 2, 4)]);
    }

    #[test]
    fn no_window_takes_more_than_the_stock() {
        assert_eq!(sizes(8, 5), [(7, 1, 3), (0, 1, 1)]);
        // read, write | chase 2 of 5, 2 | 1, update
        assert_eq!(sizes(4, 2), [(2, 1, 2), (4, 0, 2), (1, 1, 2)]);
        assert!(sizes(1, 1).iter().all(|(reads, updates, _)| reads + updates <= 2), "a WRITE at least");
    }

    #[test]
    fn the_pieces_of_a_chase_begin_and_end_once() {
        let chase = Operation::Chase { address: 7, steps: 5 };
        let windows: Vec<_> =
            windows::<Paper>(&Budget { batch: 1, stock: 4, queries: 2 }, [&chase]).collect();
        let pieces = windows.iter().flat_map(|window| &window.pieces);
        let piece =
            |steps, begins, ends| Piece { operation: Operation::Chase { address: 7, steps }, begins, ends };
        let expected = [piece(2, true, false), piece(2, false, false), piece(1, false, true)];
        assert!(pieces.eq(&expected), "{windows:?}");
    }
}
