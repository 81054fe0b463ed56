//! A view as it is shown: what the party holds, what preparing left it, and each operation; and every message in bytes.

use duoram_spec::core::block::flag;
use duoram_spec::core::bytes::words_of_bytes;
use duoram_spec::core::dpf::address_bits;
use duoram_spec::core::ring::{Ring, XorWord};
use duoram_spec::core::share::Primary;
use duoram_spec::core::vector::mod_size;
use duoram_spec::lean::layers::{unit_flags, values};
use duoram_spec::paper::party::{HELPER, received};
use duoram_spec::paper::party_preprocessing::{batch_draws, batch_triples};
use duoram_spec::paper::payload;
use serde::Serialize;

use crate::game::lean_tools::{dealt, received_answer, received_masked, received_shift};
use crate::game::prg::GamePrg;
use crate::game::script::{LOG_SIZE, N};
use crate::game::seen::{LeanParty0, LeanParty2, PaperHelper, PaperPrimary, Seen};
use crate::game::tools::{Line, line, own_leaf_flags};

/// Some lines under a title.
#[derive(Serialize)]
pub(crate) struct Section {
    pub(crate) title: String,
    pub(crate) lines: Vec<Line>,
}

/// A message as it came.
#[derive(Serialize)]
pub(crate) struct Message {
    step: &'static str,
    from: String,
    kind: u8,
    round: u32,
    bytes: String,
}

fn section(title: &str, lines: Vec<Line>) -> Section {
    Section { title: title.to_owned(), lines }
}

/// The sections of a view.
pub(crate) fn sections<P: GamePrg>(seen: &Seen<P>) -> Vec<Section> {
    match seen {
        Seen::Primary(view) => primary(view),
        Seen::Helper(view) => helper(view),
        Seen::Lean0(view) => lean_0(view),
        Seen::Lean2(view) => lean_2(view),
    }
}

/// A party's random words, from its first on.
pub(crate) fn drawn<P>(seen: &Seen<P>) -> Vec<String> {
    let words = match seen {
        Seen::Primary(view) => &view.loaded.tape.words,
        Seen::Helper(view) => &view.loaded.tape.words,
        Seen::Lean0(view) => &view.loaded.tape,
        Seen::Lean2(view) => &view.loaded.tape,
    };
    words.iter().map(|word| format!("{word:016x}")).collect()
}

/// All messages of a view, in the order in which they came.
pub(crate) fn messages<P>(seen: &Seen<P>) -> Vec<Message> {
    /// One protocol's messages and the other's have the same fields, and are of two types.
    macro_rules! all {
        ($view:expr) => {{
            let told = ["connect", "load", "prepare"].into_iter().zip(&$view.told);
            let asked = $view.operations.iter().map(|asked| ("operation", &asked.inbox));
            told.chain(asked)
                .flat_map(|(step, inbox)| {
                    inbox.iter().map(move |message| Message {
                        step,
                        from: format!("P{}", message.from),
                        kind: message.kind,
                        round: message.round,
                        bytes: message.payload.iter().map(|byte| format!("{byte:02x}")).collect(),
                    })
                })
                .collect()
        }};
    }
    match seen {
        Seen::Primary(view) => all!(view),
        Seen::Helper(view) => all!(view),
        Seen::Lean0(view) => all!(view),
        Seen::Lean2(view) => all!(view),
    }
}

fn bits(bits: impl IntoIterator<Item = bool>) -> Vec<u64> {
    bits.into_iter().map(u64::from).collect()
}

fn title_of_item(j: usize, items: usize) -> String {
    if items == 1 { "Prepared".to_owned() } else { format!("Prepared, item {}", j + 1) }
}

fn title_of_operation(kind: &str, j: usize, count: usize) -> String {
    if count == 1 { kind.to_owned() } else { format!("{kind} {}", j + 1) }
}

// ---------------------------------------------------------------- the paper's protocol

fn helper<P: GamePrg>(view: &PaperHelper<P>) -> Vec<Section> {
    let state = &view.prepared.state;
    let mut sections =
        vec![section("Held", vec![line("`zeta_0`", &state.blind_0), line("`zeta_1`", &state.blind_1)])];
    let preparing = &view.told[2];
    let items = view.prepared.reads.len() + view.prepared.updates.len();
    let keys = [0, 1].map(|from| payload::keys_of(&received(preparing, 9, from, 0), LOG_SIZE, items));
    let triples = batch_triples(&view.loaded, items);
    for j in 0..items {
        let mut lines = vec![];
        if let Some(item) = view.prepared.reads.get(j) {
            lines.push(line("`t_0^(2)`", &item.unit_0_dpf_2));
            lines.push(line("`t_1^(3)`", &item.unit_1_dpf_3));
        }
        // A round has READs or UPDATEs, not both.
        if let Some(item) = view.prepared.updates.get(j) {
            lines.push(line("`t_0^(2)`", &item.unit_0_dpf_2));
            lines.push(line("`t_1^(3)`", &item.unit_1_dpf_3));
            lines.push(line("`v_0^(2)`", &item.values_0_dpf_2));
            lines.push(line("`v_1^(3)`", &item.values_1_dpf_3));
        }
        for (keys, name) in keys.iter().zip(["key of DPF 2", "key of DPF 3"]) {
            let corrections = &keys[j].key.corrections;
            let words = corrections.iter().map(|correction| format!("{:032x}", correction.word)).collect();
            lines.push(Line { name: format!("{name}: `cw`"), words });
            let flags = |name_of: &str, left: bool| {
                let of_side = corrections.iter().map(|c| if left { c.left_flag } else { c.right_flag });
                line(&format!("{name}: {name_of}"), &bits(of_side))
            };
            lines.push(flags("`cwt_L`", true));
            lines.push(flags("`cwt_R`", false));
        }
        let of_dpf_1 = &triples[j * 3];
        let dealt = |triples: &[duoram_spec::core::du_atallah::AndTriple]| {
            bits(triples.iter().map(|triple| flag(triple.x)))
        };
        lines.push(line("`X_0` dealt for DPF 1", &dealt(&of_dpf_1.and_0)));
        lines.push(line("`X_1` dealt for DPF 1", &dealt(&of_dpf_1.and_1)));
        sections.push(section(&title_of_item(j, items), lines));
    }
    if preparing.iter().any(|message| message.kind == 5) {
        let heard = |from: u8| {
            bits((0..LOG_SIZE).map(|level| {
                let operands = payload::operands_of_bytes(&received(preparing, 5, from, level), items * 3);
                operands.first().is_some_and(|operands| operands.masked_bit)
            }))
        };
        sections.push(section(
            "Heard between P0 and P1",
            vec![line("P0’s masked bits of DPF 1", &heard(0)), line("P1’s masked bits of DPF 1", &heard(1))],
        ));
    }
    let count = view.operations.len();
    for (j, asked) in view.operations.iter().enumerate() {
        let words = |kind, from| words_of_bytes(&received(&asked.inbox, kind, from, 0));
        let (shifts_0, shifts_1) = (words(10, 0), words(10, 1));
        if shifts_0.is_empty() {
            let (sent_0, sent_1) = (words(13, 0), words(13, 1));
            let lines = vec![
                line("`i*_0 - ri_0`", &sent_0[..1]),
                line("`i*_1 - ri_1`", &sent_1[..1]),
                line("`M_0 + F_0^(2)`", &sent_0[1..2]),
                line("`M_0 + F_0^(3)`", &sent_0[2..]),
                line("`M_1 + F_1^(2)`", &sent_1[1..2]),
                line("`M_1 + F_1^(3)`", &sent_1[2..]),
            ];
            sections.push(section(&title_of_operation("UPDATE", j, count), lines));
        } else {
            let rho = duoram_spec::paper::tape::peek(&view.prepared.tape, j);
            let lines = vec![
                line("`i*_0 - ri_0`", &shifts_0),
                line("`i*_1 - ri_1`", &shifts_1),
                line("`rho`", &[rho]),
            ];
            sections.push(section(&title_of_operation("READ", j, count), lines));
        }
    }
    sections
}

fn primary<P: GamePrg>(view: &PaperPrimary<P>) -> Vec<Section> {
    let role = view.loaded.role;
    let (own, other) = if role == Primary::P0 { (0, 1) } else { (1, 0) };
    let state = &view.prepared.state;
    let mut sections = vec![section(
        "Held",
        vec![
            line(&format!("`D_{own}`"), &state.memory_share),
            line(&format!("`zeta_{own}`"), &state.blind),
            line(&format!("`D~_{other}`"), &state.blinded),
        ],
    )];
    let preparing = &view.told[2];
    let (reads, updates) = (view.prepared.reads.len(), view.prepared.updates.len());
    let items = reads + updates;
    let draws = batch_draws(&view.loaded, reads, updates);
    let own_flags = own_leaf_flags(view);
    let (signs, _) = payload::conversions_of(&received(preparing, 7, other, 0), items * 3);
    for j in 0..items {
        let mut lines = vec![];
        let mut units = |units: &(Vec<u64>, Vec<u64>, Vec<u64>), index: u64| {
            lines.push(line(&format!("`t_{own}^(1)`"), &units.0));
            lines.push(line(&format!("`t_{own}^(2)`"), &units.1));
            lines.push(line(&format!("`t_{own}^(3)`"), &units.2));
            lines.push(line(&format!("`ri_{own}`"), &[index]));
        };
        if let Some(item) = view.prepared.reads.get(j) {
            units(&item.units, item.random_index_share);
        }
        if let Some(item) = view.prepared.updates.get(j) {
            units(&item.units, item.random_index_share);
            lines.push(line(&format!("`v_{own}^(1)`"), &item.values.0));
            lines.push(line(&format!("`v_{own}^(2)`"), &item.values.1));
            lines.push(line(&format!("`v_{own}^(3)`"), &item.values.2));
            let (f_1, f_2, f_3) = item.corrections;
            lines.push(line(&format!("`F_{own}^(1)`"), &[f_1]));
            lines.push(line(&format!("`F_{own}^(2)`"), &[f_2]));
            lines.push(line(&format!("`F_{own}^(3)`"), &[f_3]));
        }
        for (dpf, flags) in (1..=3).zip(&own_flags[j * 3..]) {
            lines.push(line(&format!("own flags of DPF {dpf}"), &bits(flags.clone())));
        }
        let masked = (0..LOG_SIZE).map(|level| {
            let operands = payload::operands_of_bytes(&received(preparing, 5, other, level), items * 3);
            operands.get(j * 3).is_some_and(|operands| operands.masked_bit)
        });
        lines.push(line("own bits of `ri`", &bits(draws[j * 3].target_bits.clone())));
        lines.push(line(&format!("P{other}’s masked bits of DPF 1"), &bits(masked)));
        let blinded: Vec<u64> = signs.iter().skip(j * 3).take(3).map(|sent| sent.blinded_sign).collect();
        lines.push(line(&format!("P{other}’s `pm_{other} + r_{other}` of three DPFs"), &blinded));
        sections.push(section(&title_of_item(j, items), lines));
    }
    let count = view.operations.len();
    for (j, asked) in view.operations.iter().enumerate() {
        let words = |kind, from| words_of_bytes(&received(&asked.inbox, kind, from, 0));
        let mut lines = vec![line(&format!("`i*_{own}`"), &[mod_size(asked.query.address, N)])];
        let sent = words(12, other);
        let kind = if sent.is_empty() {
            lines.push(line(&format!("`i*_{other} - ri_{other}`"), &words(10, other)));
            lines.push(line(&format!("`gamma_{own}`"), &words(11, HELPER)));
            lines.extend(asked.result.map(|share| line(&format!("`read_{own}`"), &[share])));
            "READ"
        } else {
            lines.push(line(&format!("`M_{own}`"), &[asked.query.value]));
            lines.push(line(&format!("`i*_{other} - ri_{other}`"), &sent[..1]));
            lines.push(line(&format!("`M_{other} + F_{other}^(1)`"), &sent[1..2]));
            lines.push(line(&format!("`M_{other} + F_{other}^(2)`"), &sent[2..3]));
            lines.push(line(&format!("`M_{other} + F_{other}^(3)`"), &sent[3..]));
            "UPDATE"
        };
        sections.push(section(&title_of_operation(kind, j, count), lines));
    }
    sections
}

// ---------------------------------------------------------------- the lean protocol

fn words_of(words: &[XorWord]) -> Vec<u64> {
    words.iter().map(|word| word.to_u64()).collect()
}

/// Flags are words of all ones or none.
fn flags_of<P: GamePrg>(prg: &P, key: &duoram_spec::lean::layers::LayeredKey<XorWord>) -> Vec<u64> {
    bits(unit_flags::<XorWord, P>(prg, key, LOG_SIZE).iter().map(|word| word.to_u64() != 0))
}

fn lean_0<P: GamePrg>(view: &LeanParty0<P>) -> Vec<Section> {
    let p0 = &view.prepared;
    let mut sections = vec![section(
        "Held",
        vec![line("`A`", &words_of(&p0.state.alpha)), line("`H`", &words_of(&p0.state.beta))],
    )];
    for (j, item) in p0.reads.iter().enumerate() {
        let lines = vec![
            line("`t_0^(a)`", &flags_of(&p0.prg, &item.key_a)),
            line("`t_0^(b)`", &flags_of(&p0.prg, &item.key_b)),
            line("`ri_0`", &[item.random_index]),
            line("own bits of `ri`", &bits(address_bits(item.random_index, LOG_SIZE))),
        ];
        sections.push(section(&title_of_item(j, p0.reads.len()), lines));
    }
    for (j, asked) in view.operations.iter().enumerate() {
        let mut lines = vec![
            line("`i*_0`", &[mod_size(asked.query.address, N)]),
            line("`i*_1 xor ri_1`", &[received_shift(&asked.inbox, 1)]),
            line("`g`", &[received_answer(&asked.inbox)]),
        ];
        lines.extend(asked.result.map(|share| line("`read_0`", &[share])));
        sections.push(section(&title_of_operation("READ", j, view.operations.len()), lines));
    }
    sections
}

fn lean_2<P: GamePrg>(view: &LeanParty2<P>) -> Vec<Section> {
    let p2 = &view.prepared;
    let item = &p2.updates[0];
    let [dealt_0, dealt_1] = dealt(view);
    let inbox = &view.operations[0].inbox;
    let shift = |from| {
        let sent = inbox.iter().find(|message| message.kind == 14 && message.from == from);
        sent.and_then(|message| message.payload.first().copied()).map_or(0, u64::from)
    };
    vec![
        section(
            "Held",
            vec![line("`A`", &words_of(&p2.state.alpha)), line("`B`", &words_of(&p2.state.beta))],
        ),
        section(
            "Prepared",
            vec![
                line("`t_0^(a)`", &flags_of(&p2.prg, &item.key_a)),
                line("`t_1^(b)`", &flags_of(&p2.prg, &item.key_b)),
                line("`v_0^(a)`", &words_of(&values(&p2.prg, &item.key_a, LOG_SIZE))),
                line("`v_1^(b)`", &words_of(&values(&p2.prg, &item.key_b, LOG_SIZE))),
                line("`delta`", &[item.delta.to_u64()]),
                line("`R’_0`, dealt", &[dealt_0]),
                line("`R’_1`, dealt", &[dealt_1]),
            ],
        ),
        section(
            "UPDATE",
            vec![
                line("`i*_0 xor ri_0`", &[shift(0)]),
                line("`i*_1 xor ri_1`", &[shift(1)]),
                line("`m_0`", &[received_masked(inbox, 0)]),
                line("`m_1`", &[received_masked(inbox, 1)]),
            ],
        ),
    ]
}
