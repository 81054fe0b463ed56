//! Chapter 5: App. C, its messages, its leak as printed, and what it makes of other shares.

use duoram_spec::core::block::{Block, clear_flag, flag, replicate};
use duoram_spec::core::dealer::level_correction;
use duoram_spec::core::distributed_gen::{
    Generation, Input, child_sums, correction_of, distributed_generation,
};
use duoram_spec::core::dpf::{Correction, address_bits, next_level};
use duoram_spec::core::lemmas::leaves_point_at;
use duoram_spec::core::prg::AesPrg;
use duoram_spec::paper::preprocessing::DpfTriples;
use duoram_spec::paper::session::{connect, preprocess};

use crate::files::Page;
use crate::notation::{SPACE, agreement, bit, label};
use crate::table::Table;
use duoram_vectors::Random;

/// The tables of the chapter.
pub(crate) fn pages() -> Vec<Page> {
    vec![
        Page::new("level-messages.md", level_messages()),
        Page::new("level-distributed.md", level_distributed()),
        Page::new("leak-cw.md", leak_cw()),
        Page::new("appc-wrong-shares.md", wrong_shares()),
    ]
}

fn level_messages() -> String {
    let mut r = Random(1);
    let mut table =
        Table::new(["depth h", "READ items in the batch", "DPFs", "messages of App. C", "bytes in them"]);
    for log_size in [1, 3, 5] {
        for items in [1, 4] {
            let session = connect(log_size, &r.words(100), &r.words(100), &r.words(1000)).session;
            let sent = preprocess(session, items, 0).sent;
            // Kinds 5 and 6: operands and opening of a level.
            let of_app_c = sent.iter().filter(|message| matches!(message.kind, 5 | 6) && message.from == 0);
            let lengths: Vec<usize> = of_app_c.map(|message| message.payload.len()).collect();
            assert_eq!(lengths.len(), 2 * log_size, "two messages a level, whatever the batch");
            table.row([&log_size, &items, &(3 * items), &lengths.len(), &lengths.iter().sum::<usize>()]);
        }
    }
    table.under("From $P_0$ to $P_1$; $P_1$ sends as many:")
}

/// App. C for the target whose bits are the XOR of these.
fn generate(r: &mut Random, prg: &AesPrg, bits: [Vec<bool>; 2]) -> (Generation, DpfTriples<u64>) {
    let triples = r.dpf_triples::<u64>(bits[0].len());
    let [bits_0, bits_1] = bits;
    let input_0 = Input { target_bits: bits_0, root: r.block(), triples: triples.and_0.clone() };
    let input_1 = Input { target_bits: bits_1, root: r.block(), triples: triples.and_1.clone() };
    (distributed_generation(prg, &input_0, &input_1), triples)
}

fn shown(correction: &Correction) -> String {
    format!(
        "{},{SPACE}{},{SPACE}{}",
        label(correction.word),
        bit(correction.left_flag),
        bit(correction.right_flag)
    )
}

fn level_distributed() -> String {
    let (log_size, target, share) = (2, 3, 2);
    let path = [address_bits(share, log_size), address_bits(target ^ share, log_size)];
    let level_bits = [path[0][1], path[1][1]];
    let mut r = Random(2);
    let prg = r.prg();
    let (generation, triples) = generate(&mut r, &prg, path);
    let first = generation.key_0.corrections[0];
    let nodes = [&generation.key_0, &generation.key_1].map(|key| next_level(&prg, &[key.root], &first));
    let messages = &generation.messages[1];
    let operands = [messages.operands_0, messages.operands_1];
    let triples = [triples.and_0[1], triples.and_1[1]];
    let sums = nodes.each_ref().map(|nodes| child_sums(&prg, nodes));

    let mut table = Table::new(["what", "party", "value"]);
    let on_the_path = usize::from(address_bits(target, log_size)[0]);
    for (node, (label_0, label_1)) in nodes[0].iter().zip(&nodes[1]).enumerate() {
        assert_eq!(label_0 == label_1, node != on_the_path, "only one pair differs");
        let agreement = agreement(label_0, label_1);
        blocks(&mut table, &format!("label of node {node} ({agreement})"), [*label_0, *label_1]);
    }
    blocks(&mut table, "$L_b$, the XOR of its left children", sums.map(|sums| sums.left));
    blocks(&mut table, "$R_b$, the XOR of its right children", sums.map(|sums| sums.right));
    bits(&mut table, "share of the address bit, $i_b$", level_bits);
    bits(&mut table, "triple: $X_b$, one bit", triples.map(|triple| flag(triple.x)));
    blocks(&mut table, "triple: $Y_b$", triples.map(|triple| triple.y));
    blocks(&mut table, "triple: $Z_b$", triples.map(|triple| triple.z));
    bits(&mut table, "first message: $i_b \\oplus X_b$", operands.map(|operands| operands.masked_bit));
    let masked = "first message: $L_b \\oplus R_b \\oplus Y_b$, the lowest bits of $L_b$ and $R_b$ cleared";
    blocks(&mut table, masked, operands.map(|operands| operands.masked_word));
    let (left, right) = ("share of $\\text{cwt}_L$", "share of $\\text{cwt}_R$");
    bits(&mut table, &format!("first message: {left}"), operands.map(|operands| operands.left_flag));
    bits(&mut table, &format!("first message: {right}"), operands.map(|operands| operands.right_flag));
    let openings = [messages.opening_0, messages.opening_1];
    blocks(&mut table, "second message: share of $\\text{cw}$", openings);
    let opened = correction_of(messages);
    let [node_0, node_1] = nodes.map(|nodes| nodes[on_the_path]);
    let dealt = level_correction(&prg, node_0, node_1, level_bits[0] ^ level_bits[1]);
    assert_eq!(opened, dealt);
    table.row([&"opened: $\\text{cw}$, $\\text{cwt}_L$, $\\text{cwt}_R$", &BOTH, &shown(&opened)]);
    let what = format!("the dealer's, from the two nodes on the path ({})", agreement(opened, dealt));
    table.row([&what, &"the dealer", &shown(&dealt)]);
    table.under(format!(
        "Depth {log_size}, $ri = {target}$, of which $P_0$ has the share {share} and $P_1$ the share {}:",
        target ^ share
    ))
}

const BOTH: &str = "$P_0$, $P_1$";

/// What each party has: a row a party.
fn blocks(table: &mut Table<3>, what: &str, of: [Block; 2]) {
    for (party, block) in of.into_iter().enumerate() {
        table.row([&what, &format!("$P_{party}$"), &label(block)]);
    }
}

/// What each party has: both in one row.
fn bits(table: &mut Table<3>, what: &str, [of_0, of_1]: [bool; 2]) {
    table.row([&what, &BOTH, &format!("{}, {}", bit(of_0), bit(of_1))]);
}

fn leak_cw() -> String {
    let cases = 400;
    let mut r = Random(3);
    let (mut told, mut cleared_is_0) = (0, 0);
    for _ in 0..cases {
        let bit = r.bit();
        let (left, right) = (r.block(), r.block());
        let (cwt_l, cwt_r) = (flag(left) ^ bit ^ true, flag(right) ^ bit);
        let printed = (replicate(bit) & (left ^ right)) ^ right;
        if cwt_l != cwt_r {
            told += 1;
            assert_eq!(flag(printed) == cwt_l, bit, "the opened bits tell the address bit");
        }
        let cleared = (replicate(bit) & (clear_flag(left) ^ clear_flag(right))) ^ clear_flag(right);
        cleared_is_0 += u32::from(!flag(cleared));
    }
    assert!((cases / 3..2 * cases / 3).contains(&told), "half of the time, about");
    assert_eq!(cleared_is_0, cases);
    let mut table = Table::new(["of random levels", "how many"]);
    table.row([&"tried", &cases]);
    table.row([&"$\\text{cwt}_L$ and $\\text{cwt}_R$ differ", &told]);
    table.row([
        &"of these, the lowest bit of the printed $\\text{cw}$ gives the address bit",
        &format!("{told}, all"),
    ]);
    let what = "the lowest bit of $\\text{cw}$ is 0 if it is cleared before the AND";
    table.row([&what, &format!("{cleared_is_0}, all")]);
    table.to_string()
}

fn wrong_shares() -> String {
    let (log_size, cases) = (6, 100);
    let mut r = Random(4);
    let mut right = [0; 3];
    for _ in 0..cases {
        let (ri, share) = (r.below(64), r.below(64));
        let xor = [address_bits(share, log_size), address_bits(ri ^ share, log_size)];
        let additive = [address_bits(share, log_size), address_bits(ri.wrapping_sub(share), log_size)];
        let reversed = xor.clone().map(|bits| bits.into_iter().rev().collect());
        for (bits, right) in [xor, additive, reversed].into_iter().zip(&mut right) {
            let target = bits[0]
                .iter()
                .zip(&bits[1])
                .fold(0, |sum, (bit_0, bit_1)| 2 * sum + u64::from(bit_0 ^ bit_1));
            let prg = r.prg();
            let (generation, _) = generate(&mut r, &prg, bits);
            let points_at = |target| leaves_point_at(&generation.labels_0, &generation.labels_1, target);
            assert!(points_at(target), "a fine DPF, for some target");
            *right += u32::from(points_at(ri));
        }
    }
    assert_eq!(right[0], cases);
    assert!(right[1] < cases / 2 && right[2] < cases / 2, "wrong most of the time");
    let mut table = Table::new(["what goes in", "target is $ri$", "target is another"]);
    for (what, right) in [
        "XOR shares, most significant bit first",
        "additive shares, most significant bit first",
        "XOR shares, least significant bit first",
    ]
    .iter()
    .zip(right)
    {
        table.row([what, &right, &(cases - right)]);
    }
    table.under(format!("Depth {log_size}, {cases} random targets and shares:"))
}
