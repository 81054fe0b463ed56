//! The lines of a trace: the plan, and then one event a line.
//!
//! What is read here is what `duoram_conformance::trace` writes, field for field; a field more or less is an error.

use std::path::Path;

use duoram_reference::lean::Lean;
use duoram_reference::two_party::TwoParty;
use duoram_reference::{CHUNK_WORDS, Kind, MAX_LOG_SIZE, Paper, Protocol as _};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::Error;

/// The version of the format that is understood.
const VERSION: u32 = 3;

/// TLC's integers end here.
const MAX_INTEGER: u32 = (1 << 31) - 1;

/// Who.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Party {
    /// A primary.
    P0,
    /// The other primary.
    P1,
    /// The helper.
    P2,
}

impl Party {
    /// 0, 1 or 2.
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// What a party did.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    /// A message left for the peer.
    Send,
    /// A message of the peer was accepted.
    Receive,
    /// A step is done.
    Apply,
    /// A step was begun: the party has the client's command.
    Begin,
    /// The oldest inputs that the disk had not are on it.
    Write,
    /// A peer was told how many of its messages are on disk or, without a peer, the client how many commands.
    Acknowledge,
    /// The party stopped.
    Crash,
    /// It goes on from its disk.
    Restart,
    /// The link with a peer was lost, and is there again.
    Link,
}

impl Action {
    /// As in the events.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Send => "send",
            Self::Receive => "receive",
            Self::Apply => "apply",
            Self::Begin => "begin",
            Self::Write => "write",
            Self::Acknowledge => "acknowledge",
            Self::Crash => "crash",
            Self::Restart => "restart",
            Self::Link => "link",
        }
    }

    /// Whether only parties with a disk do it.
    pub const fn of_disks(self) -> bool {
        !matches!(self, Self::Send | Self::Receive | Self::Apply)
    }
}

/// What a party's disk must have before a message leaves that follows from it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SpeaksAfter {
    /// There is no disk.
    Nothing,
    /// All inputs, which is more than there must be.
    Inputs,
    /// The commands: rule 1 of `proofs/tla/README.md`.
    Commands,
}

impl SpeaksAfter {
    /// As the model calls it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Inputs => "inputs",
            Self::Commands => "commands",
        }
    }
}

/// Which protocol the parties speak.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Protocol {
    /// The paper's.
    Paper,
    /// The lean one.
    Lean,
    /// That of two parties.
    #[serde(rename = "two-party")]
    TwoParty,
}

impl Protocol {
    /// The parties that take part.
    pub const fn parties(self) -> &'static [Party] {
        match self {
            Self::Paper | Self::Lean => &[Party::P0, Party::P1, Party::P2],
            Self::TwoParty => &[Party::P0, Party::P1],
        }
    }

    /// As the model calls it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Paper => "paper",
            Self::Lean => "lean",
            Self::TwoParty => "two-party",
        }
    }

    /// The kinds of its messages.
    const fn kinds(self) -> &'static [Kind] {
        match self {
            Self::Paper => Paper::KINDS,
            Self::Lean => Lean::KINDS,
            Self::TwoParty => TwoParty::KINDS,
        }
    }

    /// The names of its steps.
    const fn steps(self) -> &'static [&'static str] {
        match self {
            Self::Paper => &["connect", "load", "preprocess", "read", "update"],
            Self::Lean | Self::TwoParty => {
                &["connect", "load", "preprocess", "read", "update", "write", "swap"]
            }
        }
    }
}

/// A step of the plan, which all parties take.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "step", rename_all = "lowercase", deny_unknown_fields)]
pub enum Step {
    /// Agreeing on a key.
    Connect,
    /// Blinding a memory.
    Load,
    /// Making items.
    Preprocess {
        /// For so many READs.
        reads: u32,
        /// For so many UPDATEs.
        updates: u32,
    },
    /// Independent READs.
    Read {
        /// How many.
        count: u32,
        /// Whether the address is the result of the step before.
        after: bool,
    },
    /// UPDATEs.
    Update {
        /// How many.
        count: u32,
        /// Whether the result of the step before goes into what is added.
        after: bool,
    },
    /// A WRITE, where that is one step.
    Write,
    /// A WRITE with the old word as its result.
    Swap,
}

impl Step {
    /// As in the events.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Connect => "connect",
            Self::Load => "load",
            Self::Preprocess { .. } => "preprocess",
            Self::Read { .. } => "read",
            Self::Update { .. } => "update",
            Self::Write => "write",
            Self::Swap => "swap",
        }
    }

    fn numbers(&self) -> [u32; 2] {
        match *self {
            Self::Connect | Self::Load | Self::Write | Self::Swap => [0, 0],
            Self::Preprocess { reads, updates } => [reads, updates],
            Self::Read { count, .. } | Self::Update { count, .. } => [count, 0],
        }
    }
}

/// What the run was going to do: the first line.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// The format's version.
    pub trace: u32,
    /// What the parties speak.
    pub protocol: Protocol,
    /// What must be on disk before they do.
    pub speaks_after: SpeaksAfter,
    /// 1; or 2, if items are made in a lane of their own, while others are used.
    pub lanes: u32,
    /// h
    pub log_size: u32,
    /// The messages on each link of a load.
    pub chunks: u32,
    /// The steps, in order: that with number `operation` in the events is `steps[operation]`.
    pub steps: Vec<Step>,
}

impl Plan {
    /// The lane of a step: 0 that of the memory, and 1, if there are two, that of making items.
    pub fn lane(&self, operation: u32) -> u32 {
        let makes =
            matches!(self.steps.get(operation as usize), Some(Step::Connect | Step::Preprocess { .. }));
        u32::from(makes && self.lanes == 2)
    }

    fn check(self, line: usize) -> Result<Self, Error> {
        let Self { trace, protocol, speaks_after, lanes, log_size, chunks, steps } = &self;
        if *trace != VERSION {
            return Err(Error::line(line, format!("version {VERSION} of the format"), trace));
        }
        let most = if *speaks_after == SpeaksAfter::Nothing { 1 } else { 2 };
        if !(1..=most).contains(lanes) {
            return Err(Error::line(line, format!("'lanes' from 1 to {most}"), lanes));
        }
        if !(1..=MAX_LOG_SIZE).contains(log_size) {
            return Err(Error::line(line, format!("'log_size' from 1 to {MAX_LOG_SIZE}"), log_size));
        }
        let expected = (1_u64 << log_size).div_ceil(CHUNK_WORDS as u64);
        if u64::from(*chunks) != expected {
            return Err(Error::line(line, format!("{expected} 'chunks' of 2^{log_size} words"), chunks));
        }
        if let Some(step) = steps.iter().find(|step| !protocol.steps().contains(&step.name())) {
            return Err(Error::line(line, format!("steps of the {} protocol", protocol.name()), step.name()));
        }
        steps.iter().flat_map(Step::numbers).try_for_each(|number| fits(line, number))?;
        Ok(self)
    }
}

/// A line but the first.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Event {
    /// Who.
    pub party: Party,
    /// What.
    pub event: Action,
    /// With whom; nobody for what a party does alone.
    #[serde(deserialize_with = "Option::deserialize")] // not to be left out
    pub peer: Option<Party>,
    /// The message's kind; the step's name; of a disk, what is counted.
    pub kind: String,
    /// The number of the step, from 0.
    pub operation: u32,
    /// The level or the chunk; of an acknowledgement the lane, that of the memory being 0; else 0.
    pub round: u32,
    /// The numbers of the items that the step makes or uses.
    pub items: Vec<u32>,
    /// The bytes of the message's payload; of a disk, how many are written or acknowledged.
    pub size: u32,
}

impl Event {
    /// Only what no line of a trace can be, whatever the parties did; the rest is for the model to judge.
    fn check(self, plan: &Plan, line: usize) -> Result<Self, Error> {
        let Self { party, event, peer, kind, operation, round, items, size } = &self;
        if event.of_disks() && plan.speaks_after == SpeaksAfter::Nothing {
            return Err(Error::line(line, "no such event of parties without disks", event.name()));
        }
        let has_peer = match event {
            Action::Send | Action::Receive | Action::Link => Some(true),
            Action::Acknowledge => None,
            _ => Some(false),
        };
        match (has_peer, peer) {
            (Some(false), Some(peer)) => {
                return Err(Error::line(
                    line,
                    format!("no 'peer' of '{}'", event.name()),
                    format!("{peer:?}"),
                ));
            }
            (Some(true), None) => {
                return Err(Error::line(line, format!("a 'peer' of '{}'", event.name()), "none"));
            }
            (_, Some(peer)) if peer == party => {
                return Err(Error::line(line, "a 'peer' other than the party", format!("{peer:?}")));
            }
            _ => {}
        }
        let (known, what) = match event {
            Action::Apply | Action::Begin => {
                (plan.protocol.steps().contains(&kind.as_str()), "the name of a step")
            }
            Action::Send | Action::Receive => {
                (plan.protocol.kinds().iter().any(|known| known.name() == kind), "a kind of message")
            }
            Action::Write => (kind == "inputs", "'inputs'"),
            Action::Acknowledge if peer.is_none() => (kind == "commands", "'commands'"),
            Action::Acknowledge => (kind == "messages", "'messages'"),
            Action::Crash | Action::Restart | Action::Link => (kind == "party", "'party'"),
        };
        if !known {
            return Err(Error::line(line, format!("{what} as 'kind'"), format!("'{}'", kind.escape_debug())));
        }
        [*operation, *round, *size].iter().chain(items).try_for_each(|&number| fits(line, number))?;
        Ok(self)
    }
}

/// A whole trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    /// Line 1.
    pub plan: Plan,
    /// Lines 2 and on.
    pub events: Vec<Event>,
}

impl Trace {
    /// Reads a trace from a file.
    ///
    /// # Errors
    ///
    /// [`Error::File`], and those of [`Self::parse`].
    pub fn open(path: &Path) -> Result<Self, Error> {
        let text = std::fs::read_to_string(path);
        Self::parse(&text.map_err(|source| Error::File { path: path.to_owned(), source })?)
    }

    /// Reads a trace.
    ///
    /// # Errors
    ///
    /// [`Error::Empty`], [`Error::Line`].
    pub fn parse(text: &str) -> Result<Self, Error> {
        let mut lines = (1..).zip(text.lines());
        let (line, first) = lines.next().ok_or(Error::Empty)?;
        let plan = parse::<Plan>(line, "the run's plan", first)?.check(line)?;
        let events = lines.map(|(line, text)| parse::<Event>(line, "an event", text)?.check(&plan, line));
        Ok(Self { events: events.collect::<Result<_, _>>()?, plan })
    }

    /// The trace as text, as `duoram` writes it.
    ///
    /// # Errors
    ///
    /// None that can happen: there is nothing in a trace that JSON has not.
    pub fn to_text(&self) -> Result<String, Error> {
        let mut text = serde_json::to_string(&self.plan).map_err(std::io::Error::from)?;
        for event in &self.events {
            text.push('\n');
            text.push_str(&serde_json::to_string(event).map_err(std::io::Error::from)?);
        }
        text.push('\n');
        Ok(text)
    }

    /// The number of the line of an event, from 1.
    pub const fn line_of(event: usize) -> usize {
        event + 2
    }
}

fn parse<T: DeserializeOwned>(line: usize, expected: &str, text: &str) -> Result<T, Error> {
    serde_json::from_str(text).map_err(|error| {
        // serde_json counts lines too, but within the text that it is given: here always one.
        let got = error.to_string().replace(" at line 1 column ", " at column ");
        Error::line(line, expected, got)
    })
}

fn fits(line: usize, number: u32) -> Result<(), Error> {
    if number > MAX_INTEGER {
        return Err(Error::line(line, format!("numbers up to {MAX_INTEGER}, as TLC has them"), number));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAN: &str = concat!(
        r#"{"trace":3,"protocol":"paper","speaks_after":"nothing","lanes":1,"log_size":2,"chunks":1,"#,
        r#""steps":[{"step":"connect"},{"step":"read","count":1,"after":false}]}"#
    );
    const SEND: &str = concat!(
        r#"{"party":"P0","event":"send","peer":"P1","kind":"level operands","#,
        r#""operation":2,"round":1,"items":[0,1],"size":99}"#
    );
    const APPLY: &str = r#"{"party":"P2","event":"apply","peer":null,"kind":"read","operation":3,"round":0,"items":[7],"size":0}"#;
    const WRITE: &str = concat!(
        r#"{"party":"P2","event":"write","peer":null,"kind":"inputs","#,
        r#""operation":0,"round":0,"items":[],"size":2}"#
    );

    fn error(text: &str) -> String {
        Trace::parse(text).unwrap_err().to_string()
    }

    #[test]
    fn what_is_read_is_written_again() {
        let text = format!("{PLAN}\n{SEND}\n{APPLY}\n");
        let trace = Trace::parse(&text).unwrap();
        assert_eq!((trace.plan.log_size, trace.plan.steps.len(), trace.events.len()), (2, 2, 2));
        assert_eq!((trace.events[0].peer, trace.events[1].peer), (Some(Party::P1), None));
        assert_eq!(trace.to_text().unwrap(), text);
    }

    #[test]
    fn a_plan_that_cannot_be_is_refused() {
        assert_eq!(error(""), "line 1: expected the run's plan, got the end of the file");
        assert!(error(SEND).starts_with("line 1: expected the run's plan, got unknown field `party`"));
        for (from, to, expected) in [
            ("\"trace\":3", "\"trace\":2", "expected version 3 of the format, got 2"),
            ("\"lanes\":1", "\"lanes\":2", "expected 'lanes' from 1 to 1, got 2"),
            ("\"nothing\"", "\"luck\"", "unknown variant `luck`"),
            ("\"log_size\":2", "\"log_size\":41", "expected 'log_size' from 1 to 40, got 41"),
            ("\"log_size\":2", "\"log_size\":17", "expected 2 'chunks' of 2^17 words, got 1"),
            ("\"count\":1", "\"count\":2147483648", "expected numbers up to 2147483647"),
            ("\"count\":1,", "", "missing field `count`"),
            ("\"protocol\":\"paper\",", "", "missing field `protocol`"),
            ("\"paper\"", "\"leaner\"", "unknown variant `leaner`"),
            (
                "{\"step\":\"connect\"}",
                "{\"step\":\"swap\"}",
                "expected steps of the paper protocol, got swap",
            ),
            ("connect", "disconnect", "unknown variant `disconnect`"),
            ("\"after\"", "\"seed\":5,\"after\"", "unknown field `seed`"),
        ] {
            assert!(PLAN.contains(from));
            let error = error(&PLAN.replace(from, to));
            assert!(error.starts_with("line 1: expected ") && error.contains(expected), "{error}");
        }
    }

    #[test]
    fn events_are_refused_with_their_line() {
        for (line, from, to, expected) in [
            (SEND, "\"P1\"", "null", "expected a 'peer' of 'send', got none"),
            (SEND, "\"P1\"", "\"P0\"", "expected a 'peer' other than the party, got P0"),
            (SEND, "\"P1\"", "\"P3\"", "unknown variant `P3`"),
            (
                SEND,
                "level operands",
                "memory share",
                "expected a kind of message as 'kind', got 'memory share'",
            ),
            (SEND, "level operands", "preprocess", "expected a kind of message as 'kind', got 'preprocess'"),
            (APPLY, "\"read\"", "\"shift\"", "expected the name of a step as 'kind', got 'shift'"),
            (APPLY, "null", "\"P0\"", "expected no 'peer' of 'apply', got P0"),
            (APPLY, "\"peer\":null,", "", "missing field `peer`"),
            (SEND, "\"round\":1", "\"round\":-1", "invalid value: integer `-1`"),
            (
                SEND,
                "[0,1]",
                "[0,2147483648]",
                "expected numbers up to 2147483647, as TLC has them, got 2147483648",
            ),
            (SEND, ",\"items\":[0,1]", "", "missing field `items`"),
            (SEND, ",\"size\":99", "", "missing field `size`"),
            (WRITE, "", "", "expected no such event of parties without disks, got write"),
            (SEND, "\"round\"", "\"payload\":[1],\"round\"", "unknown field `payload`"),
            (SEND, "}", "", "EOF while parsing"),
        ] {
            assert!(line.contains(from));
            let error = error(&format!("{PLAN}\n{APPLY}\n{}\n", line.replace(from, to)));
            assert!(error.starts_with("line 3: expected ") && error.contains(expected), "{error}");
        }
        let disks = PLAN.replace("nothing", "commands");
        for (from, to, expected) in [
            ("null", "\"P0\"", "expected no 'peer' of 'write', got P0"),
            ("inputs", "commands", "expected 'inputs' as 'kind', got 'commands'"),
            ("\"write\"", "\"crash\"", "expected 'party' as 'kind', got 'inputs'"),
            ("\"write\"", "\"acknowledge\"", "expected 'commands' as 'kind', got 'inputs'"),
            ("\"write\"", "\"link\"", "expected a 'peer' of 'link', got none"),
            (":2}", ":2147483648}", "expected numbers up to 2147483647"),
        ] {
            let error = error(&format!("{disks}\n{}\n", WRITE.replace(from, to)));
            assert!(error.starts_with("line 2: ") && error.contains(expected), "{error}");
        }
        assert!(Trace::parse(&format!("{disks}\n{WRITE}\n")).is_ok());
        // What there is depends on the protocol.
        let lean = PLAN.replace("paper", "lean");
        let offset = SEND.replace("level operands", "index offset");
        assert!(Trace::parse(&format!("{lean}\n{offset}\n{}\n", APPLY.replace("read", "write"))).is_ok());
        assert!(error(&format!("{PLAN}\n{offset}\n")).starts_with("line 2: expected a kind of message"));
        assert!(error(&format!("{PLAN}\n\n{APPLY}")).starts_with("line 2: expected an event, got EOF"));
    }
}
