//! A client: it asks, keeps its shares until they are accepted, and asks again; it may crash and forget all of it.

use std::collections::BTreeMap;

use duoram_link::{
    Answer, ClientName, MAX_QUERIES, Outcome, Reason, Request, Rights, ToClient, ToParty, Welcome, WorkKind,
};
use duoram_reference::{Operands, Word};
use duoram_vectors::Random;

use super::ideal::Wish;
use super::protocol::Protocol;

/// A request that has not both answers.
struct Open {
    /// For each of the two.
    requests: [Request; 2],
    accepted: [bool; 2],
    answers: [Option<Outcome>; 2],
    /// It was left out at the one or the other, or refused for now: to be sent again.
    again: [bool; 2],
    /// The two get different requests.
    odd: bool,
}

/// What came of a request.
#[derive(Debug)]
pub(crate) struct Came {
    pub(crate) number: u64,
    /// The results, or why not.
    pub(crate) outcome: Result<Vec<Word>, Reason>,
    pub(crate) has_deadline: bool,
}

/// A client, from one crash to the next, and what it remembers of its name.
pub(crate) struct Customer {
    pub(crate) name: ClientName,
    pub(crate) rights: Rights,
    protocol: Protocol,
    log_size: u32,
    /// Once both have said which number they expect: the first of this life.
    first: Option<u64>,
    /// What each has said.
    expected: [Option<u64>; 2],
    next: u64,
    open: BTreeMap<u64, Open>,
    /// Whether each link is up, and the party welcomed it.
    welcomed: [bool; 2],
    /// Whether each is to be told where this life begins.
    begin_due: [bool; 2],
    pub(crate) busy: u64,
}

impl Customer {
    pub(crate) fn new(name: ClientName, rights: Rights, protocol: Protocol, log_size: u32) -> Self {
        Self {
            name,
            rights,
            protocol,
            log_size,
            first: None,
            expected: [None; 2],
            next: 0,
            open: BTreeMap::new(),
            welcomed: [false; 2],
            begin_due: [false; 2],
            busy: 0,
        }
    }

    /// Forgets everything; what had not both answers is given up.
    pub(crate) fn crash(&mut self) -> Vec<u64> {
        let busy = self.busy;
        let lost =
            std::mem::replace(self, Self::new(self.name.clone(), self.rights, self.protocol, self.log_size));
        self.busy = busy;
        lost.open.into_keys().collect()
    }

    pub(crate) fn is_done(&self) -> bool {
        self.open.is_empty()
    }

    pub(crate) fn open(&self) -> usize {
        self.open.len()
    }

    pub(crate) fn describe(&self) -> String {
        let of = |(number, open): (&u64, &Open)| {
            format!(
                "{number}: {:?} accepted {:?} answers {:?}",
                open.requests[0], open.accepted, open.answers
            )
        };
        let open: Vec<_> = self.open.iter().map(of).collect();
        format!("{}, welcomed {:?}, first {:?}: {open:#?}", self.name, self.welcomed, self.first)
    }

    pub(crate) fn link_down(&mut self, party: usize) {
        self.welcomed[party] = false;
    }

    /// Whether it may ask for something.
    pub(crate) fn is_ready(&self) -> bool {
        self.first.is_some()
    }

    /// A request: its number, and what it is.
    pub(crate) fn ask(&mut self, wish: &Wish, odd: bool, deadline_ms: u32, random: &mut Random) -> u64 {
        let number = self.next;
        self.next += 1;
        let mut shares = [Vec::new(), Vec::new()];
        for word in &wish.words {
            let of_word = (self.protocol.share)(*word, random.word());
            shares.iter_mut().zip(of_word).for_each(|(shares, share)| shares.push(share));
        }
        let requests = shares.map(|shares| Request {
            number,
            kind: wish.kind,
            count: wish.count,
            deadline_ms,
            piece: 0,
            shares: Operands::new(shares),
        });
        let [zero, mut one] = requests;
        if odd {
            one = Request { kind: WorkKind::Swap, count: 1, shares: Operands::new(vec![1, 2]), ..one };
        }
        let (accepted, answers, again) = ([false; 2], [None, None], [true; 2]);
        self.open.insert(number, Open { requests: [zero, one], accepted, answers, again, odd });
        number
    }

    /// What it has to say to a party now.
    pub(crate) fn speak(&mut self, party: usize) -> Vec<ToParty> {
        let (true, Some(first)) = (self.welcomed[party], self.first) else { return Vec::new() };
        let mut said = Vec::new();
        // On every link: the one before may have lost it.
        if std::mem::take(&mut self.begin_due[party]) {
            said.push(ToParty::Begin { first });
        }
        for open in self.open.values_mut().filter(|open| open.again[party]) {
            open.again[party] = false;
            said.push(ToParty::Request(open.requests[party].clone()));
        }
        said
    }

    /// Whatever was refused for now is tried again, with all that came after it.
    pub(crate) fn try_again(&mut self, party: usize) {
        for open in self.open.values_mut() {
            open.again[party] |= !open.accepted[party] && open.answers[party].is_none();
        }
    }

    /// What a party says; what it is told in turn, and what came of requests.
    pub(crate) fn hear(
        &mut self,
        party: usize,
        message: ToClient,
    ) -> Result<(Vec<ToParty>, Vec<Came>), String> {
        match message {
            ToClient::Welcome(welcome) => self.welcomed(party, &welcome)?,
            _ if !self.welcomed[party] => return Err(format!("{message:?} before a welcome")),
            ToClient::Accepted { number } => {
                if let Some(open) = self.open.get_mut(&number) {
                    open.accepted[party] = true;
                }
            }
            ToClient::Answer(Answer { number, outcome }) => return self.answered(party, number, outcome),
            other => return Err(format!("{other:?} was not asked for")),
        }
        Ok((Vec::new(), Vec::new()))
    }

    fn welcomed(&mut self, party: usize, welcome: &Welcome) -> Result<(), String> {
        self.welcomed[party] = true;
        self.expected[party] = Some(welcome.next);
        for (number, open) in &self.open {
            if open.accepted[party] && *number >= welcome.next {
                return Err(format!("P{party} accepted request {number}, and expects {}", welcome.next));
            }
        }
        self.begin_due[party] = true;
        if let ([Some(zero), Some(one)], None) = (self.expected, self.first) {
            self.first = Some(zero.max(one));
            self.next = zero.max(one);
        }
        for open in self.open.values_mut() {
            open.again[party] = open.answers[party].is_none();
        }
        Ok(())
    }

    fn answered(
        &mut self,
        party: usize,
        number: u64,
        outcome: Outcome,
    ) -> Result<(Vec<ToParty>, Vec<Came>), String> {
        let acknowledge = vec![ToParty::Acknowledge { number }];
        let Some(open) = self.open.get_mut(&number) else {
            // Of an earlier life, or its acknowledgement was lost.
            return Ok((acknowledge, Vec::new()));
        };
        if let Outcome::Refused(refusal) = &outcome {
            match refusal.reason {
                Reason::Busy | Reason::Gap => {
                    self.busy += u64::from(refusal.reason == Reason::Busy);
                    return Ok((Vec::new(), Vec::new()));
                }
                Reason::Acknowledged | Reason::Changed => {
                    return Err(format!("P{party}, request {number}: {refusal}"));
                }
                _ => {}
            }
        }
        if let Some(before) = &open.answers[party] {
            if *before != outcome {
                return Err(format!("P{party} has two answers to request {number}: {before:?}, {outcome:?}"));
            }
            return Ok((acknowledge, Vec::new()));
        }
        open.answers[party] = Some(outcome);
        let [Some(zero), Some(one)] = &open.answers else { return Ok((acknowledge, Vec::new())) };
        let outcome = match (zero, one) {
            (Outcome::Done(zero), Outcome::Done(one)) if zero.len() == one.len() => {
                Ok(zero.iter().zip(&**one).map(|(zero, one)| (self.protocol.open)([*zero, *one])).collect())
            }
            (Outcome::Refused(refusal), Outcome::Refused(_)) => Err(refusal.reason),
            (zero, one) => return Err(format!("request {number}: {zero:?} and {one:?}")),
        };
        let has_deadline = open.requests[0].deadline_ms > 0;
        if let (Err(Reason::Different), false) = (&outcome, open.odd) {
            return Err(format!("request {number} is no different at P0 and P1"));
        }
        self.open.remove(&number);
        Ok((acknowledge, vec![Came { number, outcome, has_deadline }]))
    }

    /// Anything that it may ask for.
    pub(crate) fn wish(&self, random: &mut Random) -> Wish {
        let size = 1 << self.log_size;
        let kinds = [
            WorkKind::Read,
            WorkKind::Read,
            WorkKind::Read,
            WorkKind::Update,
            WorkKind::Update,
            WorkKind::Write,
            WorkKind::Swap,
            WorkKind::Chase,
        ];
        let kind = kinds[usize::try_from(random.below(kinds.len() as u64)).unwrap()];
        let most = if random.below(40) == 0 { MAX_QUERIES } else { 3 };
        let count = match kind {
            WorkKind::Read | WorkKind::Update | WorkKind::Chase => 1 + random.below(most),
            _ => 1,
        };
        let words = match kind {
            WorkKind::Read => (0..count).map(|_| random.below(size)).collect(),
            WorkKind::Chase => vec![random.below(size)],
            _ => (0..count).flat_map(|_| [random.below(size), random.word()]).collect(),
        };
        Wish { kind, count, words }
    }
}
