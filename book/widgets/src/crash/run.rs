//! The run: what is prepared, the operation step by step with its crashes, and what the client reads in the end.

use duoram_reference::durable::{Answer, Effect, Error, Place};
use duoram_reference::local::share;
use duoram_reference::{Batch, Command, Parameters, Role, SessionId};
use duoram_vectors::Random;

use super::hosts::{Cause, Event, Host, Hosts, Numbered};
use super::said::{Ledger, kind};
use super::words::{self, Input};
use super::{Asked, Disks, End, LOG_SIZE, N, PULLS, Record, SMALL, Seen, Shown, Standing, Step};

/// A run that is being shown.
pub(super) struct Run {
    pub(super) hosts: Hosts,
    /// The memory before.
    memory: Vec<u64>,
    /// P1's shares of its words, then of the address and of the value.
    masks: Vec<u64>,
    ledger: Ledger,
    /// Of which parties the client may forget the command.
    accepted: [bool; 3],
    /// What parties have said to be on their disks: the command, or the frames of a peer below a number.
    told: Vec<(Role, Input)>,
    /// A disk's lie was found out, or has done its harm: nothing that follows can be right.
    pub(super) is_over: bool,
    pub(super) steps: Vec<Step>,
}

/// All steps; none if a plug cannot be pulled: there is no such step, or the party has no power then. A run in which a disk's lie has
/// come to light, or done its harm, ends with that.
pub(super) fn run(asked: &Asked) -> Result<Option<Shown>, Error> {
    let mut run = Run::begun(asked)?;
    let mut pulls = asked.pulls.iter().peekable();
    loop {
        let event = match pulls.next_if(|pull| pull.after + 1 == run.steps.len()) {
            Some(pull) => match run.hosts.fail(pull.role)? {
                Some(event) => event,
                None => return Ok(None),
            },
            None => match run.hosts.step()? {
                Some(event) => event,
                None => break,
            },
        };
        run.happened(&event);
        if run.is_over {
            break;
        }
    }
    if pulls.peek().is_some() {
        return Ok(None);
    }
    if !run.is_over {
        run.end(asked)?;
    }
    let memory = run.memory.iter().map(u64::to_string).collect();
    Ok(Some(Shown { memory, address: asked.address, value: asked.value, steps: run.steps }))
}

const BEFORE: &str = "Each party has put away everything in a snapshot: its part of the memory, keys of items, its place in its stream of \
                      randomness. Its journal is empty. The client has made shares of its address, and keeps them (rule 5).";
const STUCK: &str = "Somebody waits for a message that nobody keeps any more, or does not know a command that the client may forget: it was \
                     said to be on a disk. Whatever is asked for next is refused.";
const AFTER_LIES: &str = "The client reads the whole memory, by READs that are not shown, to see what has become of it. As long as the power \
                          stays, disks that lie do no harm; when it fails, that depends on who needs again what they have lost.";
const AFTER: &str = "The client reads the whole memory, by READs that are not shown, to see what has become of it. However often the \
                     power failed, it is as if it had not: no message was ever said in two ways.";

impl Run {
    /// All is prepared, and the client has given its commands.
    pub(super) fn begun(asked: &Asked) -> Result<Self, Error> {
        let mut random = Random(asked.seed);
        let memory: Vec<u64> = (0..N).map(|_| random.below(SMALL)).collect();
        let masks: Vec<u64> = (0..N + 2).map(|_| random.word()).collect();
        // Those of a client that has to ask anew: for each crash.
        let anew: Vec<[u64; 2]> = (0..PULLS).map(|_| [random.word(), random.word()]).collect();
        let mut hosts = prepared(&memory, &masks)?;
        hosts.answers = [const { None }; 3];
        hosts.disks = asked.disks;
        let mut run = Self {
            hosts,
            memory,
            masks,
            ledger: Ledger::default(),
            accepted: [false; 3],
            told: Vec::new(),
            is_over: false,
            steps: Vec::new(),
        };
        run.step("Before".to_owned(), BEFORE, Vec::new());
        let shares: Vec<Vec<[u64; 2]>> = std::iter::once([run.masks[N], run.masks[N + 1]])
            .chain(anew)
            .map(|[mask, other]| {
                let value = asked.value.map(|value| share(value, other));
                std::iter::once(share(asked.address as u64, mask)).chain(value).collect()
            })
            .collect();
        for role in Role::ALL {
            run.hosts.command(role, command(role, asked.value.is_none(), &shares))?;
        }
        Ok(run)
    }

    fn step(&mut self, line: String, text: &'static str, does: Vec<String>) {
        let parties = Role::ALL.map(|role| self.seen(role)).into();
        let (messages, two_ways) = (self.ledger.shown(), self.ledger.two_ways());
        let (lost, told, broken) = (Vec::new(), self.told.len(), self.broken());
        self.steps.push(Step {
            line,
            text,
            does,
            lost,
            parties,
            messages,
            two_ways,
            told,
            broken,
            end: None,
        });
    }

    /// A party has said that an input is on its disk.
    fn tell(&mut self, role: Role, input: Input) {
        if !self.told.contains(&(role, input)) {
            self.told.push((role, input));
        }
    }

    /// How many inputs are lost of which it was said that they are on a disk.
    fn broken(&self) -> usize {
        let kept = |role: Role, input: Input| {
            let Host { disk, cached, .. } = &self.hosts.each[role.index()];
            disk.iter().chain(cached).any(|(_, record)| words::input(record) == Some(input))
        };
        self.told.iter().filter(|(role, input)| !kept(*role, *input)).count()
    }

    /// An event is a step.
    pub(super) fn happened(&mut self, Event { cause, effects }: &Event) {
        let mut does = Vec::new();
        match cause {
            Cause::Restarted(role, again, is_anew) => {
                does.push(format!("Records that {role} does again: {again}."));
                if *is_anew {
                    self.accepted[role.index()] = false;
                    does.push(words::anew(*role));
                }
            }
            Cause::FoundOut(role, error) => {
                self.is_over = true;
                does.extend(words::found_out(*role, error));
            }
            _ => {}
        }
        for (role, effect) in effects {
            let mut again = false;
            match effect {
                Effect::Send { peer, lane, number, frame } => {
                    again = self.ledger.say((*role, *peer, *lane, *number), frame);
                }
                Effect::Accepted(_) => {
                    self.accepted[role.index()] = true;
                    self.tell(*role, Input::Command);
                }
                Effect::Acknowledge { peer, lane, number } => {
                    self.tell(*role, Input::Frame(*peer, *lane, number.saturating_sub(1)));
                }
                _ => {}
            }
            does.extend(words::effect(*role, effect, again, &self.ledger));
        }
        if does.is_empty() {
            does.push("Nothing follows from it now.".to_owned());
        }
        if self.ledger.two_ways() > 0 {
            self.is_over = true;
            does.push("One item hides two different shares now. Here the run is stopped.".to_owned());
        }
        let (line, text) = words::cause(cause, &self.ledger);
        let before = self.steps.last().map(|step| step.parties.clone()).unwrap_or_default();
        self.step(line, text, does);
        let Some(step) = self.steps.last_mut() else { return };
        match cause {
            Cause::Failed(role, unwritten, lost) => {
                step.does =
                    vec![format!("{role} loses what it knew, and of its records {}.", unwritten.len())];
                step.lost = lost
                    .iter()
                    .map(|(from, to, frame)| format!("“{}” of {from} to {to}", kind(*from, frame)))
                    .collect();
                // They are shown once more, as lost.
                let (now, before) = (&mut step.parties[role.index()].records, &before[role.index()].records);
                now.extend(
                    before
                        .iter()
                        .skip(now.len())
                        .map(|record| Record { state: Standing::Lost, ..record.clone() }),
                );
            }
            Cause::Restarted(role, ..) => {
                let records = step.parties[role.index()].records.iter_mut();
                records
                    .filter(|record| record.state == Standing::Disk)
                    .for_each(|record| record.state = Standing::Again);
            }
            _ => {}
        }
    }

    fn seen(&self, role: Role) -> Seen {
        let host = &self.hosts.each[role.index()];
        let Host { disk, cached, unwritten, .. } = host;
        let all = |records: &[Numbered], state: Standing| {
            let what = |bytes: &[u8]| words::record_name(bytes, role, &self.ledger);
            records.iter().map(|(_, bytes)| Record { what: what(bytes), state }).collect::<Vec<_>>()
        };
        let answer = match &self.hosts.answers[role.index()] {
            None => "none yet".to_owned(),
            Some(Answer::Done(shares)) => shares.first().map_or("done".to_owned(), u64::to_string),
            Some(Answer::Refused(reason)) => format!("refused: {reason}"),
        };
        Seen {
            party: role.to_string(),
            up: host.left().is_some(),
            left: host.left().map(|Batch { reads, updates }| [reads, updates]),
            records: [
                all(disk, Standing::Disk),
                all(cached, Standing::Cached),
                all(unwritten, Standing::Waiting),
            ]
            .concat(),
            command: if self.accepted[role.index()] { "may be forgotten" } else { "kept" },
            answer,
        }
    }

    /// The last step: what the client has in the end.
    fn end(&mut self, asked: &Asked) -> Result<(), Error> {
        let opened = |answers: &[Option<Answer>; 3]| -> Vec<u64> {
            match answers {
                [Some(Answer::Done(shares_0)), Some(Answer::Done(shares_1)), _] => {
                    shares_0.iter().zip(shares_1.iter()).map(|(a, b)| a.wrapping_add(*b)).collect()
                }
                _ => Vec::new(),
            }
        };
        if self.hosts.answers.iter().any(Option::is_none) || !self.hosts.know_as_many() {
            self.step("Nothing happens any more".to_owned(), STUCK, Vec::new());
            return Ok(());
        }
        let text = if asked.disks == Disks::Keep { AFTER } else { AFTER_LIES };
        self.step("After".to_owned(), text, Vec::new());
        let result = opened(&self.hosts.answers).first().map(|word| (*word, self.memory[asked.address]));
        let mut ideal = self.memory.clone();
        if let Some(value) = asked.value {
            ideal[asked.address] = ideal[asked.address].wrapping_add(value);
        }
        let addresses: Vec<[u64; 2]> =
            (0..).zip(&self.masks).take(N).map(|(place, mask)| share(place, *mask)).collect();
        for role in Role::ALL {
            let addresses = of_primary(role, &addresses);
            self.hosts
                .command(role, move |_| Command::Read { count: N, addresses: addresses.clone().into() })?;
        }
        self.hosts.finish()?;
        let read = opened(&self.hosts.answers);
        let equal = read == ideal && result.is_none_or(|(got, expected)| got == expected);
        let texts = |words: &[u64]| words.iter().map(u64::to_string).collect();
        if let Some(step) = self.steps.last_mut() {
            step.end = Some(End {
                memory: texts(&read),
                ideal: texts(&ideal),
                result: result.map(|(got, expected)| (got.to_string(), expected.to_string())),
                equal: if equal { "yes" } else { "no" },
            });
        }
        Ok(())
    }
}

/// One party's command for the operation, from all shares that the client will ever make: one list of them each time that it asks.
fn command(role: Role, is_read: bool, shares: &[Vec<[u64; 2]>]) -> impl Fn(usize) -> Command + 'static {
    let operands: Vec<_> = shares.iter().map(|shares| of_primary(role, shares)).collect();
    move |anew| {
        let operands = operands.get(anew).cloned().unwrap_or_default().into();
        if is_read {
            Command::Read { count: 1, addresses: operands }
        } else {
            Command::Update { count: 1, pairs: operands }
        }
    }
}

/// Three parties with a memory, items for one operation and for READs of all words, and a snapshot of it.
fn prepared(memory: &[u64], masks: &[u64]) -> Result<Hosts, Error> {
    let parameters = Parameters::new(SessionId(*b"chapter seventee"), LOG_SIZE);
    let mut hosts =
        Hosts::new(parameters.map_err(|error| Error::Replay { place: Place::Snapshot(0), error })?)?;
    let shares: Vec<[u64; 2]> = memory.iter().zip(masks).map(|(word, mask)| share(*word, *mask)).collect();
    for role in Role::ALL {
        hosts.command(role, |_| Command::Connect)?;
    }
    hosts.finish()?;
    for role in Role::ALL {
        hosts.command(role, |_| Command::Preprocess(Batch { reads: N + 1, updates: 1 }))?;
    }
    hosts.finish()?;
    for role in Role::ALL {
        let own = of_primary(role, &shares);
        hosts.command(role, move |_| Command::Load(own.clone().into()))?;
    }
    hosts.finish()?;
    hosts.snapshot()?;
    Ok(hosts)
}

/// A primary's share of each word; the helper has none.
fn of_primary(role: Role, shares: &[[u64; 2]]) -> Vec<u64> {
    if role == Role::P2 { vec![] } else { shares.iter().map(|pair| pair[role.index()]).collect() }
}
