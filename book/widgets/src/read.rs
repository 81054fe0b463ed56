//! READ, message by message (Protocol 1, lines 5 to 10).

use duoram_spec::core::ideal::get;
use duoram_spec::core::ring::Ring;
use duoram_spec::core::share::additive_open;
use duoram_spec::paper::memory::opened;
use duoram_spec::paper::preprocessing::unit_vectors;
use duoram_spec::paper::read::{read_share, reconstruct_shift, shift_share, shifted, unblinding};

use crate::board::{ALL, Board, Holder, Moved, NOBODY, Step};
use crate::inputs::{BadInput, Inputs};
use crate::session::{Memory, Operation, Shown, lay_start, lay_sums, lay_triple, start};
use Holder::{P0, P1, P2, Reader};

struct Read {
    seed: u64,
    address: u64,
}

/// Validates the form and runs the READ.
pub(crate) fn show(inputs: &Inputs) -> Result<Shown, BadInput> {
    let memory = Memory::of(inputs)?;
    let address = inputs.number("address", memory.n() as u64 - 1)?;
    Ok(memory.run(&Read { seed: inputs.number("seed", u64::MAX)?, address }))
}

impl Operation for Read {
    fn steps<W: Ring>(&self, n: usize) -> Vec<Step> {
        let mut start = start::<W>(self.seed, n, self.address);
        let mask: W = start.random.ring();
        let units = unit_vectors(&start.item);
        let (i_0, i_1) = start.address_shares;
        let (ri_0, ri_1) = start.random_index_shares;
        let state = &start.state;

        let mut board = Board::default();
        lay_start(&mut board, &start, self.address);
        lay_triple(&mut board, "t", &units, ALL, None);
        board.step(
            "Before",
            "Each primary holds its share of the memory, its blind, and the other's share under the other's blind. \
             Preprocessing (lines 1 to 4) has left shares of three unit vectors, all with their 1 at `ri`.",
        );
        lay_sums(&mut board, "t", &units, None);
        board.step(
            "What nobody sees: the sums",
            "Each vector by itself is noise. Both shares of a pair add up to 0 everywhere but at `ri`, where they add up to 1. No \
             party has both.",
        );

        let shift_0 = shift_share(i_0, ri_0, n);
        board.send((P0, &[P1, P2]), "i*_0 - ri_0", shift_0, ALL);
        board.step(
            "Protocol 1, line 5: P0 sends",
            "P0 takes its share of `ri` off its share of the address, mod `n`, and sends the difference to both others.",
        );

        let shift_1 = shift_share(i_1, ri_1, n);
        board.send((P1, &[P0, P2]), "i*_1 - ri_1", shift_1, ALL);
        board.step("Protocol 1, line 5: P1 sends", "P1 does the same. Neither message waits for the other.");

        let s = reconstruct_shift(shift_0, shift_1, n);
        for party in [P0, P1, P2] {
            board.scalar(party, "S", s, ALL);
        }
        board.step(
            "Protocol 1, line 6",
            "Everybody adds up both messages: `S` = `i* - ri`. As nobody knows `ri`, it tells nothing about `i*`.",
        );

        let at_target = shifted(&units, s);
        let turned = Some(Moved::Turned(s));
        lay_triple(&mut board, "t", &at_target, ALL, turned);
        lay_sums(&mut board, "t", &at_target, turned);
        board.step(
            "Protocol 1, line 7",
            "Everybody turns its vectors by `S` places, all words at once. The sums turn with them: their 1 is now at `i*`.",
        );

        let (gamma_0, gamma_1) =
            unblinding(&state.p2.blind_0, &state.p2.blind_1, &at_target.p1.2, &at_target.p0.1, mask);
        board.scalar(P2, "rho", mask.to_u64(), &[P2]);
        board.scalar(P2, "gamma_0", gamma_0.to_u64(), &[P0, P2]);
        board.scalar(P0, "gamma_0", gamma_0.to_u64(), &[P0, P2]);
        board.send((P2, &[P0]), "gamma_0", gamma_0.to_u64(), &[P0, P2]);
        board.step(
            "Protocol 1, line 8: P2 answers P0",
            "P2 draws a random word `rho`, and sends P0 what takes the blind off: the dot product of `zeta_0` and \
             `t_1^(3)`, negated, plus `rho`.",
        );

        board.scalar(P2, "gamma_1", gamma_1.to_u64(), &[P1, P2]);
        board.scalar(P1, "gamma_1", gamma_1.to_u64(), &[P1, P2]);
        board.send((P2, &[P1]), "gamma_1", gamma_1.to_u64(), &[P1, P2]);
        board.step(
            "Protocol 1, line 8: P2 answers P1",
            "P1 gets the dot product of `zeta_1` and `t_0^(2)`, negated, minus the same `rho`.",
        );

        let read_0 = read_share(
            &state.p0.memory_share,
            &state.p0.blinded,
            &state.p0.blind,
            &at_target.p0.0,
            &at_target.p0.2,
            gamma_0,
        );
        board.scalar(P0, "read_0", read_0.to_u64(), &[P0]);
        board.step(
            "Protocol 1, line 9",
            "P0 computes its share of the word, with its vectors of DPF 1 and DPF 3, and `gamma_0`.",
        );

        let read_1 = read_share(
            &state.p1.memory_share,
            &state.p1.blinded,
            &state.p1.blind,
            &at_target.p1.0,
            &at_target.p1.1,
            gamma_1,
        );
        board.scalar(P1, "read_1", read_1.to_u64(), &[P1]);
        board.step(
            "Protocol 1, line 10",
            "P1 computes its share of the word, with its vectors of DPF 1 and DPF 2, and `gamma_1`.",
        );

        let opened_word = additive_open(read_0, read_1).to_u64();
        let ideal = get(&opened(state), self.address).to_u64();
        board.scalar(Reader, "read_0 + read_1", opened_word, NOBODY);
        board.scalar(Reader, "D[i*]", ideal, NOBODY);
        board.scalar(Reader, "equal", if opened_word == ideal { "yes" } else { "no" }, NOBODY);
        board.step(
            "After",
            "No party opens the result. The reader may: both shares add up to the word at `i*` (Lemma 1).",
        );
        board.into_steps()
    }
}
