//! Faults that tests plant: each breaks one rule at one place, and must be found. Without `test-util` there are none.

/// What is done wrong.
#[cfg_attr(not(feature = "test-util"), allow(dead_code))]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// An order is told before it is on disk.
    ToldFirst,
    /// A request is accepted, and P0 told of it, before it is on disk.
    AcceptedFirst,
    /// A snapshot leaves out the requests that wait.
    ForgetsHeld,
    /// When a client begins anew, P1 forgets what it holds of it, which P0 may have ordered.
    BeginDropsHeld,
    /// Orders are acknowledged before they are on disk.
    OrderedFirst,
    /// The results of a step are given to its requests in another order.
    CutWrongly,
    /// A request that comes again is done again.
    NumberTwice,
    /// What is not acknowledged is not told again when a link comes up.
    NotToldAgain,
}

impl Fault {
    /// All of them.
    #[cfg(feature = "test-util")]
    pub const ALL: [Self; 8] = [
        Self::ToldFirst,
        Self::AcceptedFirst,
        Self::ForgetsHeld,
        Self::BeginDropsHeld,
        Self::OrderedFirst,
        Self::CutWrongly,
        Self::NumberTwice,
        Self::NotToldAgain,
    ];
}
