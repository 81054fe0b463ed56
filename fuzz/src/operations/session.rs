//! The parties of a session in one thread, of any protocol.

use duoram_conformance::audit::Audited;
use duoram_conformance::{lean, paper};
use duoram_reference::lean::Lean;
use duoram_reference::local::Delivery;
use duoram_reference::two_party::{self, Compute, Pir, PlainPir, TwoParty};
use duoram_reference::{self as reference, Batch, Error, Paper, Parameters, Party, Role, Word};
use duoram_runtime::fast::Fast;
use duoram_runtime::two_party::Retrieving as _;
use duoram_spec::core::ring::XorWord;
use duoram_spec::lean::memory::{State, State0, State1, State2};

use crate::party::two_party::Held;

/// Shares of results.
type Shares = [Vec<Word>; 2];

/// A session. Errors are those of the protocol's party.
#[allow(clippy::missing_errors_doc, missing_docs, reason = "as in the reference, and in one place")]
pub trait Session {
    /// What the parties hold.
    type View;

    fn connect(&mut self) -> Result<(), Error>;
    fn load(&mut self, shares: Shares) -> Result<(), Error>;
    fn preprocess(&mut self, batch: Batch) -> Result<(), Error>;
    fn read(&mut self, addresses: [&[Word]; 2]) -> Result<Shares, Error>;
    fn update(&mut self, updates: [&[(Word, Word)]; 2]) -> Result<(), Error>;
    /// With the results that there are: a WRITE of the paper's protocol has one.
    fn write(&mut self, addresses: [Word; 2], values: [Word; 2]) -> Result<Shares, Error>;
    fn swap(&mut self, addresses: [Word; 2], values: [Word; 2]) -> Result<Shares, Error>;
    fn record(&mut self);
    fn take_log(&mut self) -> Vec<Delivery>;
    fn party(&self, role: Role) -> &dyn Party;
    /// What they hold.
    fn view(&self) -> Self::View;
}

/// A protocol whose sessions are compared.
pub trait Operated: Audited {
    /// Just enough for every backend's registers to be filled at the last levels, and for every output layer to have several
    /// nodes.
    const MAX_LOG_SIZE: u8;

    /// A session with a backend's computation, or the reference's. `seeds` has one for each role, of which there may be fewer.
    fn session(
        parameters: Parameters,
        seeds: [[u8; 32]; 3],
        computation: Option<&Fast>,
    ) -> Box<dyn Session<View = Self::View>>;

    /// Another session with a backend's computation, with which the reference's agrees in all that is told and held but for
    /// the messages of some kinds.
    fn other(
        _parameters: Parameters,
        _seeds: [[u8; 32]; 3],
        _computation: &Fast,
    ) -> Option<Box<dyn Session<View = Self::View>>> {
        None
    }

    /// Whether messages of a kind are the same in [`Operated::other`] as well.
    fn agreed(_kind: u8) -> bool {
        true
    }
}

/// What all types of sessions have by the same names.
macro_rules! common {
    () => {
        fn connect(&mut self) -> Result<(), Error> {
            Self::connect(self)
        }

        fn load(&mut self, shares: Shares) -> Result<(), Error> {
            Self::load(self, shares)
        }

        fn preprocess(&mut self, batch: Batch) -> Result<(), Error> {
            Self::preprocess(self, batch)
        }

        fn read(&mut self, addresses: [&[Word]; 2]) -> Result<Shares, Error> {
            Self::read(self, addresses)
        }

        fn update(&mut self, updates: [&[(Word, Word)]; 2]) -> Result<(), Error> {
            Self::update(self, updates)
        }

        fn record(&mut self) {
            Self::record(self);
        }

        fn take_log(&mut self) -> Vec<Delivery> {
            Self::take_log(self)
        }

        fn party(&self, role: Role) -> &dyn Party {
            Self::party(self, role)
        }
    };
}

impl<C: paper::view::Inspect> Session for reference::local::LocalSession<C> {
    type View = paper::view::View;

    common!();

    fn write(&mut self, addresses: [Word; 2], values: [Word; 2]) -> Result<Shares, Error> {
        Self::write(self, addresses, values)?;
        Ok(self.primaries_mut().each_mut().map(reference::Primary::take_results))
    }

    fn swap(&mut self, addresses: [Word; 2], values: [Word; 2]) -> Result<Shares, Error> {
        Session::write(self, addresses, values)
    }

    fn view(&self) -> Self::View {
        let [p0, p1] = self.primaries();
        paper::view::View {
            p0: C::primary_view(p0.memory()),
            p1: C::primary_view(p1.memory()),
            p2: C::helper_view(self.helper().memory()),
        }
    }
}

impl<C: lean::view::Inspect> Session for reference::lean::local::LocalSession<C> {
    type View = State<XorWord>;

    common!();

    fn write(&mut self, addresses: [Word; 2], values: [Word; 2]) -> Result<Shares, Error> {
        Self::write(self, addresses, values)?;
        Ok(self.take_results())
    }

    fn swap(&mut self, addresses: [Word; 2], values: [Word; 2]) -> Result<Shares, Error> {
        Self::swap(self, addresses, values)
    }

    fn view(&self) -> Self::View {
        let ring = |words: &[Word]| words.iter().map(|&bits| XorWord { bits }).collect::<Vec<_>>();
        let (p0, p1, p2) = self.parties();
        let ([a_0, h], e, [a_2, b]) =
            (C::both_view(p0.memory()), C::alpha_view(p1.memory()), C::both_view(p2.memory()));
        State {
            p0: State0 { alpha: ring(a_0), beta: ring(h) },
            p1: State1 { alpha: ring(e) },
            p2: State2 { alpha: ring(a_2), beta: ring(b) },
        }
    }
}

impl<C: Compute, P: Pir> Session for two_party::local::LocalSession<C, P>
where
    C::Memory: Held,
{
    type View = Shares;

    common!();

    fn write(&mut self, addresses: [Word; 2], values: [Word; 2]) -> Result<Shares, Error> {
        Self::write(self, addresses, values)?;
        Ok(self.primaries_mut().each_mut().map(two_party::Primary::take_results))
    }

    fn swap(&mut self, addresses: [Word; 2], values: [Word; 2]) -> Result<Shares, Error> {
        Self::swap(self, addresses, values)
    }

    fn view(&self) -> Shares {
        self.primaries().each_ref().map(|party| party.memory().held().to_vec())
    }
}

impl Operated for Paper {
    const MAX_LOG_SIZE: u8 = 6;

    fn session(
        parameters: Parameters,
        seeds: [[u8; 32]; 3],
        computation: Option<&Fast>,
    ) -> Box<dyn Session<View = Self::View>> {
        use reference::local::LocalSession;
        match computation {
            Some(fast) => {
                Box::new(LocalSession::new(parameters, seeds, fast.clone()).expect("valid parameters"))
            }
            None => {
                Box::new(LocalSession::new(parameters, seeds, reference::Plain).expect("valid parameters"))
            }
        }
    }
}

impl Operated for Lean {
    const MAX_LOG_SIZE: u8 = 9;

    fn session(
        parameters: Parameters,
        seeds: [[u8; 32]; 3],
        computation: Option<&Fast>,
    ) -> Box<dyn Session<View = Self::View>> {
        use reference::lean::local::LocalSession;
        match computation {
            Some(fast) => Box::new(LocalSession::new(parameters, seeds, fast.clone())),
            None => Box::new(LocalSession::new(parameters, seeds, reference::lean::Plain)),
        }
    }
}

impl Operated for TwoParty {
    const MAX_LOG_SIZE: u8 = 6;

    fn session(
        parameters: Parameters,
        [seed_0, seed_1, _]: [[u8; 32]; 3],
        computation: Option<&Fast>,
    ) -> Box<dyn Session<View = Shares>> {
        let seeds = [seed_0, seed_1];
        match computation {
            Some(fast) => Box::new(two(parameters, seeds, fast.clone(), PlainPir)),
            None => Box::new(two(parameters, seeds, two_party::Plain, PlainPir)),
        }
    }

    /// With SPIRAL.
    fn other(
        parameters: Parameters,
        [seed_0, seed_1, _]: [[u8; 32]; 3],
        computation: &Fast,
    ) -> Option<Box<dyn Session<View = Shares>>> {
        Some(Box::new(two(parameters, [seed_0, seed_1], computation.clone(), computation.pir())))
    }

    /// All but the PIR's: its keys, queries and answers.
    fn agreed(kind: u8) -> bool {
        !matches!(kind, 3 | 5 | 10)
    }
}

fn two<C: Compute + Clone, P: Pir>(
    parameters: Parameters,
    seeds: [[u8; 32]; 2],
    computation: C,
    pir: P,
) -> two_party::local::LocalSession<C, P> {
    two_party::local::LocalSession::new(parameters, seeds, computation, pir).expect("answers that fit")
}
