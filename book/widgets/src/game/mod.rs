//! "You are P2": a game on the real specification. One of two scripts is run; the player sees what one party sees of the run,
//! and guesses which it was.
//!
//! A round is a function of the fault, whether it is put back, a seed, and the number of the round. What the page is given before
//! the guess ([`round`], [`tool`]) is made of the party's view and of both scripts; which one was run is told by
//! [`guess`] alone.

mod faults;
mod lean;
mod lean_tools;
mod paper;
mod prg;
mod script;
mod sections;
mod seen;
mod significance;
#[cfg(test)]
mod simulated;
mod tools;
#[cfg(test)]
mod views;

use duoram_spec::core::prg::AesPrg;
use duoram_vectors::Random;
use serde::Serialize;

use crate::board::Holder;
use crate::inputs::{BadInput, Inputs};
use faults::{About, Fault, Protocol};
use prg::GamePrg;
use script::{Script, Side, differing};
use sections::{Message, Section, drawn, messages, sections};
use seen::{Seen, see};
use tools::{Found, Line, found};

/// The last number of a round.
const LAST_ROUND: u64 = 9999;
/// As many rounds as a tool may play at a time.
const MOST_PLAYED: u64 = 200;

/// A round, dealt.
struct Round<P> {
    scripts: [Script; 2],
    was: Side,
    seen: Seen<P>,
}

/// Which rounds are played.
#[derive(Clone, Copy)]
struct Game {
    fault: Fault,
    put_back: bool,
    seed: u64,
}

impl Game {
    fn of(inputs: &Inputs) -> Result<Game, BadInput> {
        let fault = Fault::named(inputs.text("fault"))
            .ok_or_else(|| inputs.refused("fault", "the name of a fault"))?;
        let put_back = match inputs.text("protocol") {
            "as-it-is" => false,
            "with-fault" => true,
            _ => return Err(inputs.refused("protocol", "as-it-is or with-fault")),
        };
        Ok(Game { fault, put_back, seed: inputs.number("seed", u64::MAX)? })
    }

    /// Draws the scripts, which of them is run, and then all that is random in the run.
    fn deal<P: GamePrg>(self, number: u64) -> Round<P> {
        let mut random = Random(Random(self.seed.wrapping_add(number.wrapping_mul(STRIDE))).word());
        let scripts = self.fault.about().scenario.draw(&mut random);
        let was = if random.bit() { Side::B } else { Side::A };
        let run = match was {
            Side::A => &scripts[0],
            Side::B => &scripts[1],
        };
        let seen = see(self.fault, self.put_back, run, &mut random);
        Round { scripts, was, seen }
    }
}

impl<P: GamePrg> Round<P> {
    fn found(&self, fault: Fault) -> Found {
        found(fault, &self.seen, &self.scripts)
    }
}

/// From the number of a round to a state of the generator: odd, and not the generator's own stride.
const STRIDE: u64 = 0xd1b5_4a32_d192_ed03;

fn number(inputs: &Inputs) -> Result<u64, BadInput> {
    inputs.number("round", LAST_ROUND)
}

/// A fault as the page lists it.
#[derive(Serialize)]
pub(crate) struct Listed {
    name: &'static str,
    party: Holder,
    protocol: Protocol,
    title: &'static str,
    wrong: &'static str,
    hint: &'static str,
    tool: &'static str,
}

/// All faults, in the order in which they are offered.
#[expect(clippy::unnecessary_wraps, reason = "asked for as all else is, which may be refused")]
pub(crate) fn list(_: &Inputs) -> Result<Vec<Listed>, BadInput> {
    let listed = |about: &About| {
        let About { name, party, protocol, title, wrong, hint, tool, .. } = *about;
        Listed { name, party, protocol, title, wrong, hint, tool }
    };
    Ok(faults::ALL.iter().map(listed).collect())
}

/// What the player is shown of a round.
#[derive(Serialize)]
pub(crate) struct Shown {
    /// The words of the memory, as far as both scripts agree on them.
    memory: Vec<String>,
    scripts: [String; 2],
    sections: Vec<Section>,
    drawn: Vec<String>,
    messages: Vec<Message>,
}

/// The view of a round: fields `fault`, `protocol`, `seed`, `round`.
pub(crate) fn round(inputs: &Inputs) -> Result<Shown, BadInput> {
    let round = Game::of(inputs)?.deal::<AesPrg>(number(inputs)?);
    let place = differing(&round.scripts);
    let word = |(at, word): (usize, &u64)| if Some(at) == place { "?".to_owned() } else { word.to_string() };
    Ok(Shown {
        memory: round.scripts[0].memory.iter().enumerate().map(word).collect(),
        scripts: [round.scripts[0].text(place), round.scripts[1].text(place)],
        sections: sections(&round.seen),
        drawn: drawn(&round.seen),
        messages: messages(&round.seen),
    })
}

/// What the tool computes, and what it says.
#[derive(Serialize)]
pub(crate) struct Computed {
    lines: Vec<Line>,
    says: &'static str,
}

/// The tool on the view of a round: the same fields.
pub(crate) fn tool(inputs: &Inputs) -> Result<Computed, BadInput> {
    let game = Game::of(inputs)?;
    let Found { lines, verdict } = game.deal::<AesPrg>(number(inputs)?).found(game.fault);
    let says = match verdict {
        Some(Side::A) => "It fits A, and not B.",
        Some(Side::B) => "It fits B, and not A.",
        None => "It does not tell A from B: toss a coin.",
    };
    Ok(Computed { lines, says })
}

/// Which script it was.
#[derive(Serialize)]
pub(crate) struct Told {
    was: &'static str,
    right: bool,
}

/// The end of a round: the same fields, and `guess`, A or B.
pub(crate) fn guess(inputs: &Inputs) -> Result<Told, BadInput> {
    let guessed = match inputs.text("guess") {
        "A" => Side::A,
        "B" => Side::B,
        _ => return Err(inputs.refused("guess", "A or B")),
    };
    let was = Game::of(inputs)?.deal::<AesPrg>(number(inputs)?).was;
    Ok(Told { was: was.name(), right: was == guessed })
}

/// How many rounds were won.
#[derive(Serialize)]
pub(crate) struct Won {
    wins: u64,
}

/// The tool plays by itself: the same fields, and `count`, the rounds from `round` on.
pub(crate) fn play(inputs: &Inputs) -> Result<Won, BadInput> {
    let game = Game::of(inputs)?;
    let (first, count) = (number(inputs)?, inputs.number("count", MOST_PLAYED)?);
    Ok(Won { wins: (first..first + count).filter(|number| wins::<AesPrg>(game, *number)).count() as u64 })
}

/// Whether the tool wins a round. Where it tells nothing, its coin is the parity of all that it has computed: if that were not
/// as likely with the one script as with the other, the score would show it.
fn wins<P: GamePrg>(game: Game, number: u64) -> bool {
    let round = game.deal::<P>(number);
    let Found { lines, verdict } = round.found(game.fault);
    let digits = lines.iter().flat_map(|line| &line.words).flat_map(|word| word.bytes());
    let coin = if digits.map(u8::count_ones).sum::<u32>() % 2 == 0 { Side::A } else { Side::B };
    verdict.unwrap_or(coin) == round.was
}

/// How often chance does as well.
#[derive(Serialize)]
pub(crate) struct Score {
    says: String,
}

/// The significance of a score: fields `wins` and `rounds`.
pub(crate) fn score(inputs: &Inputs) -> Result<Score, BadInput> {
    let rounds = inputs.number("rounds", LAST_ROUND)?;
    let wins = inputs.number("wins", rounds)?;
    let count = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
    Ok(Score { says: significance::in_words(count(wins), count(rounds)) })
}
