//! READ, online (`[duoram, section 5]`): two sequential messages.

use zeroize::Zeroizing;

use super::items::ReadItem;
use super::masks::Masks;
use super::pir::{Pir, Table};
use super::primary::PrimaryWorld;
use super::write::{self, Write};
use super::{Compute, StringsShape, check_each};
use crate::Word;
use crate::engine::Step;
use crate::engine::endpoint::Due;
use crate::engine::items::{Kept, numbers};
use crate::engine::queries::{QueryShape, check_shifts};
use crate::engine::results::Results;
use crate::engine::step::{Begun, Next, State};
use crate::wire::codec::{Reader, Writer};
use crate::wire::{Kind, Length, Message, Misbehaviour, Role};

/// READ, online.
pub const READ: Step = Step::new("read");

/// P_b to P_c: `s_b = (i*_b - q_b) mod n` for each query.
pub struct Shifts(pub Vec<Word>);

/// P_c to P_b: the PIR's answer to each query.
pub struct Answers(pub Vec<Vec<u8>>);

impl Message for Shifts {
    const KIND: Kind = Kind::new(9, "shifts");
    type Shape = QueryShape;

    fn length(shape: QueryShape) -> Length {
        Length::words(shape.queries)
    }

    fn write(&self, out: &mut Writer) {
        out.words(&self.0);
    }

    fn read(reader: &mut Reader<'_>, shape: QueryShape) -> Result<Self, Misbehaviour> {
        let shares = reader.words(shape.queries);
        check_shifts(reader, shape, shares.iter().copied())?;
        Ok(Self(shares))
    }
}

impl Message for Answers {
    const KIND: Kind = Kind::new(10, "answers");
    type Shape = StringsShape;

    fn length(shape: StringsShape) -> Length {
        shape.length()
    }

    fn write(&self, out: &mut Writer) {
        self.0.iter().for_each(|answer| out.bytes(answer));
    }

    fn read(reader: &mut Reader<'_>, shape: StringsShape) -> Result<Self, Misbehaviour> {
        Ok(Self(shape.read(reader)))
    }
}

/// A party that has sent its shifts: the other's are due.
struct ShiftsDue {
    items: Vec<Kept<ReadItem>>,
    /// `i*_b` for each query.
    addresses: Zeroizing<Vec<Word>>,
    /// `r_b` for each query.
    blinds: Zeroizing<Vec<Word>>,
    then: Option<Box<Write>>,
}

/// One item for each address share (`[duoram, section 5]`, step 1). Reduced mod n: full words would narrow down the address.
pub(super) fn begin<C: Compute, P: Pir>(
    world: &mut PrimaryWorld<C, P>,
    addresses: &[Word],
) -> Begun<PrimaryWorld<C, P>> {
    let items = world.items.take_reads(addresses.len());
    Begun::new(READ, numbers(&items), shifts_due(world, items, addresses, None))
}

/// Draws the blinds and sends the shifts of a READ, or of the one that a WRITE begins with.
pub(super) fn shifts_due<C: Compute, P: Pir>(
    world: &mut PrimaryWorld<C, P>,
    items: Vec<Kept<ReadItem>>,
    addresses: &[Word],
    then: Option<Box<Write>>,
) -> impl State<PrimaryWorld<C, P>> + use<C, P> {
    let PrimaryWorld { core, other, .. } = world;
    let parameters = *core.parameters();
    let mut blinds = Zeroizing::new(Vec::with_capacity(items.len()));
    blinds.extend(items.iter().map(|_| core.stream().word()));
    let shift =
        |(address, kept): (&Word, &Kept<ReadItem>)| parameters.reduce(address.wrapping_sub(*kept.item.index));
    core.send(*other, 0, &Shifts(addresses.iter().zip(&items).map(shift).collect()));
    ShiftsDue { items, addresses: Zeroizing::new(addresses.to_vec()), blinds, then }
}

impl<C: Compute, P: Pir> State<PrimaryWorld<C, P>> for ShiftsDue {
    type Message = Shifts;

    fn due(&self, world: &PrimaryWorld<C, P>) -> Due<Shifts> {
        let log_size = world.core.parameters().log_size();
        Due { from: world.other, round: 0, shape: QueryShape { log_size, queries: self.items.len() } }
    }

    /// The answers to the other party, each from a table of its own (`[duoram, section 5]`, step 2).
    fn receive(self, theirs: Shifts, world: &mut PrimaryWorld<C, P>) -> Next<PrimaryWorld<C, P>> {
        let Self { items, addresses, blinds, then } = self;
        let PrimaryWorld { core, other, tools, channels: Some(channels), memory, .. } = world else {
            return Next::Done;
        };
        let parameters = *core.parameters();
        let mut answers = Vec::with_capacity(items.len());
        for (((kept, address), &blind), shift) in
            items.iter().zip(addresses.iter()).zip(blinds.iter()).zip(theirs.0)
        {
            let table = Table {
                memory: tools.compute.words(memory),
                turn: parameters.reduce(address.wrapping_add(shift)),
                blind,
                keys: &kept.item.sent,
            };
            answers.push(tools.pir.answer(&channels.server, &kept.item.query, table));
        }
        core.send(*other, 0, &Answers(answers));
        Next::state(AnswersDue { items, blinds, then })
    }
}

/// A party that has answered: the other's answers are due.
struct AnswersDue {
    items: Vec<Kept<ReadItem>>,
    blinds: Zeroizing<Vec<Word>>,
    then: Option<Box<Write>>,
}

impl<C: Compute, P: Pir> State<PrimaryWorld<C, P>> for AnswersDue {
    type Message = Answers;

    fn due(&self, world: &PrimaryWorld<C, P>) -> Due<Answers> {
        let bytes = world.tools.pir.answer_length(world.core.parameters().log_size());
        let shape = StringsShape { count: self.items.len(), bytes };
        Due { from: world.other, round: 0, shape }
    }

    fn check(&self, world: &PrimaryWorld<C, P>, from: Role, theirs: &Answers) -> Result<(), Misbehaviour> {
        let log_size = world.core.parameters().log_size();
        let check = |answer: &[u8]| world.tools.pir.check_answer(log_size, answer);
        check_each(Answers::KIND, from, &theirs.0, check)
    }

    /// `read_b = c_b - r_b` for each query, where `c_b` is the word at `q_b` without its mask
    /// (`[duoram, section 5]`, steps 3 and 4).
    fn receive(self, theirs: Answers, world: &mut PrimaryWorld<C, P>) -> Next<PrimaryWorld<C, P>> {
        let Some(channels) = &world.channels else { return Next::Done };
        let read = |((kept, blind), answer): ((&Kept<ReadItem>, &Word), &Vec<u8>)| {
            let ReadItem { index, received, .. } = &kept.item;
            let masked = world.tools.pir.decode(&channels.client, **index, answer);
            masked.wrapping_sub(Masks::of_one(received, **index)).wrapping_sub(*blind)
        };
        let mut words = Zeroizing::new(Vec::with_capacity(self.items.len()));
        words.extend(self.items.iter().zip(self.blinds.iter()).zip(&theirs.0).map(read));
        if let Some(mut write) = self.then {
            return write::go_on(&mut write, words, world);
        }
        world.results = Results::of(words);
        Next::Done
    }
}
