//! UPDATE, message by message (Protocol 2, lines 5 to 10, with the misprints mended: `spec/ERRATA.md`, 8).

use duoram_spec::core::ideal;
use duoram_spec::core::lemmas::same_vector;
use duoram_spec::core::ring::Ring;
use duoram_spec::core::share::additive_shares;
use duoram_spec::paper::lemmas::lemma_3;
use duoram_spec::paper::memory::{State, blinding_defect, opened};
use duoram_spec::paper::preprocessing::update_material;
use duoram_spec::paper::read::{UnitVectors, reconstruct_shift, shift_share};
use duoram_spec::paper::update::{
    UpdateMaterial, UpdateMessage, message, reconstruct_corrections, update_vectors, updated_p0, updated_p1,
    updated_p2,
};

use crate::board::{ALL, Board, Holder, Moved, NOBODY, PRIMARIES, Step};
use crate::inputs::{BadInput, Inputs};
use crate::session::{
    Memory, Operation, Shown, Start, lay_start, lay_sums, lay_triple, remove_sums, remove_triple, start,
};
use Holder::{P0, P1, P2, Reader};

struct Update {
    seed: u64,
    address: u64,
    value: u64,
}

/// Validates the form and runs the UPDATE.
pub(crate) fn show(inputs: &Inputs) -> Result<Shown, BadInput> {
    let memory = Memory::of(inputs)?;
    let address = inputs.number("address", memory.n() as u64 - 1)?;
    let value = inputs.number("value", memory.modulus() - 1)?;
    Ok(memory.run(&Update { seed: inputs.number("seed", u64::MAX)?, address, value }))
}

impl Operation for Update {
    fn steps<W: Ring>(&self, n: usize) -> Vec<Step> {
        let mut start = start::<W>(self.seed, n, self.address);
        let (delta_2, delta_3) = (start.random.ring(), start.random.ring());
        let material = update_material(&start.item, delta_2, delta_3);
        let m = W::from_u64(self.value);
        let (m_0, m_1) = additive_shares(m, start.random.ring());
        let (i_0, i_1) = start.address_shares;
        let (ri_0, ri_1) = start.random_index_shares;

        let mut board = Board::default();
        lay_before(&mut board, &start, self.address, &material, (m_0, m_1));

        let message_0 = message(shift_share(i_0, ri_0, n), m_0, material.corrections.p0);
        send(&mut board, (P0, P1), '0', &message_0);
        board.step(
            "Protocol 2, line 5: P0 sends",
            "P0 sends its shift share, and its share of `M` under its three shares of `F`. P2 gets all but the first \
             masked word.",
        );
        let message_1 = message(shift_share(i_1, ri_1, n), m_1, material.corrections.p1);
        send(&mut board, (P1, P0), '1', &message_1);
        board.step("Protocol 2, line 5: P1 sends", "P1 does the same. Neither message waits for the other.");

        let f = reconstruct_corrections(&message_0, &message_1);
        for party in [P0, P1] {
            board.scalar(party, "F^(1)", f.0.to_u64(), PRIMARIES);
        }
        for party in [P0, P1, P2] {
            board.scalar(party, "F^(2)", f.1.to_u64(), ALL);
            board.scalar(party, "F^(3)", f.2.to_u64(), ALL);
        }
        board.step(
            "Protocol 2, line 6",
            "The primaries add up three final correction words, P2 two of them. `M` is hidden in each by a word that \
             nobody knows.",
        );

        let s = reconstruct_shift(message_0.shift, message_1.shift, n);
        for party in [P0, P1, P2] {
            board.scalar(party, "S", s, ALL);
        }
        board.step("Protocol 2, line 7", "Everybody adds up the shift: `S` = `i* - ri`.");

        let after = lay_new_states(&mut board, &start.state, &material, s, f);
        lay_outcome(&mut board, &start.state, &after, self.address, m);
        board.into_steps()
    }
}

/// Before line 5: states, material, and the shares of the address and of M.
fn lay_before<W: Ring>(
    board: &mut Board,
    start: &Start<W>,
    address: u64,
    material: &UpdateMaterial<W>,
    (m_0, m_1): (W, W),
) {
    lay_start(board, start, address);
    lay_triple(board, "t", &material.units, ALL, None);
    let values = UnitVectors { p0: material.values.p0.clone(), p1: material.values.p1.clone() };
    lay_triple(board, "v", &values, ALL, None);
    for (holder, party, (f_1, f_2, f_3)) in
        [(P0, '0', material.corrections.p0), (P1, '1', material.corrections.p1)]
    {
        board.scalar(holder, &format!("F_{party}^(1)"), f_1.to_u64(), &[holder]);
        board.scalar(holder, &format!("F_{party}^(2)"), f_2.to_u64(), &[holder]);
        board.scalar(holder, &format!("F_{party}^(3)"), f_3.to_u64(), &[holder]);
    }
    board.scalar(P0, "M_0", m_0.to_u64(), &[P0]);
    board.scalar(P1, "M_1", m_1.to_u64(), &[P1]);
    board.scalar(Reader, "M", m_0.plus(m_1).to_u64(), NOBODY);
    board.step(
        "Before",
        "States, shares of three unit vectors `t` and of three value vectors `v` that are not 0 only at `ri`, and shares \
         of the words `F` that would turn the values there into 0. The shares of `F^(2)` and `F^(3)` are fresh: P2 \
         cannot compute them from its vectors.",
    );
    lay_sums(board, "t", &material.units, None);
    lay_sums(board, "v", &values, None);
    board.step(
        "What nobody sees: the sums",
        "Each vector by itself is noise. Both shares of a pair add up to 0 everywhere but at `ri`: there is the 1 of `t`, and a word \
         of `v` that `F` is to cancel.",
    );
}

/// One primary's message of line 5, to the other primary and to P2.
fn send<W: Ring>(board: &mut Board, (from, to): (Holder, Holder), b: char, message: &UpdateMessage<W>) {
    let masked = |k: u8| format!("M_{b} + F_{b}^({k})");
    board.send((from, &[to, P2]), &format!("i*_{b} - ri_{b}"), message.shift, ALL);
    board.send((from, &[to]), &masked(1), message.masked_dpf_1.to_u64(), PRIMARIES);
    board.send((from, &[to, P2]), &masked(2), message.masked_dpf_2.to_u64(), ALL);
    board.send((from, &[to, P2]), &masked(3), message.masked_dpf_3.to_u64(), ALL);
}

/// Lines 8 to 10, party by party.
fn lay_new_states<W: Ring>(
    board: &mut Board,
    state: &State<W>,
    material: &UpdateMaterial<W>,
    s: u64,
    f: (W, W, W),
) -> State<W> {
    let w = update_vectors(material, s, f);
    let p0 = updated_p0(&state.p0, &w.p0.0, &w.p0.1, &w.p0.2);
    let vectors = UnitVectors { p0: w.p0.clone(), p1: w.p1.clone() };
    let lay_w = |board: &mut Board, holder: Holder| {
        remove_triple(board, "t", holder);
        remove_triple(board, "v", holder);
        lay_triple(board, "w", &vectors, &[holder], Some(Moved::Turned(s)));
    };
    lay_w(board, P0);
    board.vector(P0, "D_0", &p0.memory_share, &[P0]);
    board.vector(P0, "zeta_0", &p0.blind, &[P0, P2]);
    board.vector(P0, "D~_1", &p0.blinded, &[P0, P1]);
    board.step(
        "Protocol 2, line 8",
        "P0 makes `w_0^(k)[i]` = `v_0^(k)[i - S] + F^(k) t_0^(k)[i - S]`: it adds, and turns. Its `t` and \
         `v` are used up. It adds `w_0^(1)` to its memory, takes \
         `w_0^(2)` off its blind, and adds `w_0^(3) - w_0^(1)` to the blinded share.",
    );

    let p1 = updated_p1(&state.p1, &w.p1.0, &w.p1.1, &w.p1.2);
    lay_w(board, P1);
    board.vector(P1, "D_1", &p1.memory_share, &[P1]);
    board.vector(P1, "zeta_1", &p1.blind, &[P1, P2]);
    board.vector(P1, "D~_0", &p1.blinded, &[P0, P1]);
    remove_sums(board, "t");
    remove_sums(board, "v");
    lay_sums(board, "w", &vectors, Some(Moved::Turned(s)));
    board.step(
        "Protocol 2, line 9",
        "P1 does the same with DPF 2 and DPF 3 exchanged: `w_1^(3)` comes off its blind, and `w_1^(2) - w_1^(1)` is \
         added to the blinded share. The sums are now `M` at `i*`, and 0 everywhere else.",
    );

    let p2 = updated_p2(&state.p2, &w.p0.1, &w.p1.2);
    lay_w(board, P2);
    board.vector(P2, "zeta_0", &p2.blind_0, &[P0, P2]);
    board.vector(P2, "zeta_1", &p2.blind_1, &[P1, P2]);
    board.step(
        "Protocol 2, line 10",
        "P2 follows with both blinds: it has P0's vectors of DPF 2 and P1's of DPF 3.",
    );
    State { p0, p1, p2 }
}

/// What nobody but the reader sees: the memory before and after, and that the blinds still fit.
fn lay_outcome<W: Ring>(board: &mut Board, before: &State<W>, after: &State<W>, address: u64, m: W) {
    let (ideal, _) = ideal::step(&opened(before), &ideal::Operation::Update { address, delta: m });
    let memory = opened(after);
    let (defect_0, defect_1) = blinding_defect(after);
    let word = |holds: bool| if holds { "yes" } else { "no" };
    board.vector(Reader, "D_0 + D_1", &memory, NOBODY);
    board.vector(Reader, "ideal", &ideal, NOBODY);
    board.scalar(Reader, "equal", word(same_vector(&memory, &ideal)), NOBODY);
    board.vector(Reader, "D~_0 - (D_0 + zeta_0)", &defect_0, NOBODY);
    board.vector(Reader, "D~_1 - (D_1 + zeta_1)", &defect_1, NOBODY);
    board.scalar(Reader, "blinds fit", word(lemma_3(after)), NOBODY);
    board.step(
        "After",
        "Both new shares add up to the memory with `M` added at `i*` (Lemma 2), and blinds and blinded shares still \
         belong together (Lemma 3): the next operation can begin.",
    );
}
