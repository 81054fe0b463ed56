//! A party that survives, from the rules of `proofs/tla/README.md` alone: a function of its journal, computed anew for each input.

/// The two others of a party.
pub(super) const fn others(party: usize) -> [usize; 2] {
    [[1, 2], [0, 2], [0, 1]][party]
}

/// What a party does in an operation, in order.
#[derive(Clone, Copy)]
pub(super) enum Move {
    Say(usize, &'static str),
    Await(usize),
}

/// Protocols 1 and 2 online, as who says what to whom after what.
pub(super) fn script(is_read: bool, party: usize) -> Vec<Move> {
    use Move::{Await, Say};
    match (is_read, party) {
        (true, 2) => vec![Await(0), Await(1), Say(0, "unblinding"), Say(1, "unblinding")],
        (true, b) => vec![Say(1 - b, "shift"), Say(2, "shift"), Await(1 - b), Await(2)],
        (false, 2) => vec![Await(0), Await(1)],
        (false, b) => vec![Say(1 - b, "update"), Say(2, "helper update"), Await(1 - b)],
    }
}

/// A record: an input that was taken.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Taken {
    Command,
    Frame(usize),
    Has(usize, usize),
    Fetched,
}

/// What follows from a journal.
pub(super) struct Follows {
    /// The messages to each other, by name.
    pub(super) made: [Vec<&'static str>; 3],
    /// From whom the next message is due.
    pub(super) due: Option<usize>,
    pub(super) done: bool,
}

pub(super) fn follows(script: &[Move], journal: &[Taken]) -> Follows {
    let mut all = Follows { made: Default::default(), due: None, done: false };
    if !journal.contains(&Taken::Command) {
        return all;
    }
    let mut came = [0, 1, 2].map(|peer| journal.iter().filter(|taken| **taken == Taken::Frame(peer)).count());
    for step in script {
        match *step {
            Move::Say(to, what) => all.made[to].push(what),
            Move::Await(from) if came[from] > 0 => came[from] -= 1,
            Move::Await(from) => {
                all.due = Some(from);
                return all;
            }
        }
    }
    all.done = true;
    all
}

/// What a party does.
#[derive(Clone, Copy)]
pub(super) enum Does {
    Append(Taken),
    Say(usize, usize, &'static str),
    Acknowledge(usize, usize),
    Accept,
    Answer,
}

/// What a party gets.
#[derive(Clone, Copy)]
pub(super) enum Gets {
    Command,
    /// From whom, and which of its messages.
    Frame(usize, usize),
    Has(usize, usize),
    Sync,
    Fetched,
    Link(usize),
}

/// Who must have forgotten something that was on its disk.
#[derive(Clone, Copy)]
pub(super) enum Doubt {
    Itself,
    Peer,
}

/// A party: its journal, so much of it on disk as far as it knows, and what it only knows until a crash.
#[derive(Default)]
pub(super) struct Party {
    pub(super) script: Vec<Move>,
    pub(super) journal: Vec<Taken>,
    pub(super) on_disk: usize,
    pub(super) up: bool,
    /// By peer: is there a link, how many messages have left on it, wait for their turn, and were acknowledged.
    pub(super) linked: [bool; 3],
    pub(super) left: [usize; 3],
    pub(super) waiting: [usize; 3],
    pub(super) told: [usize; 3],
    pub(super) accepted: bool,
    pub(super) answered: bool,
}

impl Party {
    pub(super) fn count(&self, until: usize, what: Taken) -> usize {
        self.journal[..until].iter().filter(|taken| **taken == what).count()
    }

    /// Whether it has nothing to do, and knows of nothing that it will have to do.
    fn is_quiet(&self) -> bool {
        !self.journal.contains(&Taken::Command) || follows(&self.script, &self.journal).done
    }

    /// What it must find wrong with a link to a peer that has so many of its messages on disk: rules 3 and 4, from the other end.
    pub(super) fn doubts(&self, peer: usize, theirs: usize) -> Option<Doubt> {
        if theirs < self.heard(peer) {
            return Some(Doubt::Peer);
        }
        let made = follows(&self.script, &self.journal).made[peer].len();
        (theirs > made && self.is_quiet()).then_some(Doubt::Itself)
    }

    /// How many of its messages a peer has on disk, as far as it has heard.
    fn heard(&self, peer: usize) -> usize {
        let of_peer = |taken: &Taken| matches!(taken, Taken::Has(who, _) if *who == peer);
        self.journal.iter().rev().find(|taken| of_peer(taken)).map_or(0, |taken| match taken {
            Taken::Has(_, number) => *number,
            _ => 0,
        })
    }

    fn append(&mut self, taken: Taken, does: &mut Vec<Does>) {
        self.journal.push(taken);
        does.push(Does::Append(taken));
    }

    fn hear(&mut self, peer: usize, number: usize, does: &mut Vec<Does>) {
        if number > self.heard(peer) {
            self.append(Taken::Has(peer, number), does);
        }
    }

    /// What follows now: messages are taken in their turn, and whatever the disk allows is said.
    pub(super) fn settle(&mut self, me: usize, mut does: Vec<Does>) -> Vec<Does> {
        while let Some(peer) = follows(&self.script, &self.journal).due.filter(|peer| self.waiting[*peer] > 0)
        {
            self.waiting[peer] -= 1;
            self.append(Taken::Frame(peer), &mut does);
        }
        let commanded = self.count(self.on_disk, Taken::Command) > 0;
        let Follows { made, done, .. } = follows(&self.script, &self.journal);
        for peer in others(me).into_iter().filter(|peer| self.linked[*peer]) {
            let durable = self.count(self.on_disk, Taken::Frame(peer));
            if durable > self.told[peer] {
                self.told[peer] = durable;
                does.push(Does::Acknowledge(peer, durable));
            }
            self.left[peer] = self.left[peer].max(self.heard(peer).min(made[peer].len()));
            while commanded && self.left[peer] < made[peer].len() {
                does.push(Does::Say(peer, self.left[peer], made[peer][self.left[peer]]));
                self.left[peer] += 1;
            }
        }
        if commanded && !self.accepted {
            self.accepted = true;
            does.push(Does::Accept);
        }
        if commanded && done && !self.answered && self.count(self.journal.len(), Taken::Fetched) == 0 {
            self.answered = true;
            does.push(Does::Answer);
        }
        does
    }

    pub(super) fn get(&mut self, me: usize, gets: Gets) -> Vec<Does> {
        let mut does = Vec::new();
        match gets {
            Gets::Command => self.append(Taken::Command, &mut does),
            Gets::Frame(from, which) => {
                let here = self.count(self.journal.len(), Taken::Frame(from)) + self.waiting[from];
                self.waiting[from] += usize::from(which == here);
            }
            Gets::Has(from, number) => self.hear(from, number, &mut does),
            Gets::Sync => self.on_disk = self.journal.len(),
            Gets::Fetched => self.append(Taken::Fetched, &mut does),
            Gets::Link(_) => unreachable!("a link has two ends"),
        }
        self.settle(me, does)
    }

    pub(super) fn link(&mut self, me: usize, peer: usize, theirs: usize) -> Vec<Does> {
        let mut does = Vec::new();
        self.linked[peer] = true;
        self.left[peer] = theirs;
        self.hear(peer, theirs, &mut does);
        self.settle(me, does)
    }

    /// Everything but the disk is gone, and all that its disk only had in a cache.
    pub(super) fn crash(&mut self, disks_lie: bool) {
        if disks_lie {
            self.on_disk = 0;
        }
        let (script, mut journal) = (std::mem::take(&mut self.script), std::mem::take(&mut self.journal));
        journal.truncate(self.on_disk);
        *self = Self { script, journal, on_disk: self.on_disk, ..Self::default() };
    }
}
