//! Chapter 13: what the lean protocol costs beside the paper's, counted in runs of both references and of the specification.

use std::cell::Cell;

use duoram_reference::lean;
use duoram_reference::local::{Delivery, LocalSession, share};
use duoram_reference::{Batch, HEADER_LENGTH, Parameters, Plain, SessionId};
use duoram_spec::core::block::Block;
use duoram_spec::core::dpf::{Correction, Key, eval_full};
use duoram_spec::core::prg::Prg;
use duoram_spec::core::ring::{Ring, XorWord};
use duoram_spec::core::vector::zeros;
use duoram_spec::lean::layers::{
    LayeredKey, Layers, NODE_WORDS, Purpose, flag_depth, labels_at, tree_depth, unit_flags, values,
};
use duoram_spec::lean::online::UpdateMessage;
use duoram_spec::lean::payload::{addresses_bytes, updates as update_bytes};

use crate::error::Error;
use crate::files::Page;
use crate::table::Table;

/// The tables.
pub(crate) fn pages() -> Result<Vec<Page>, Error> {
    Ok(vec![
        Page::new("lean-cost.md", online()?),
        Page::new("lean-preparing.md", preparing()?),
        Page::new("lean-aes.md", aes()),
    ])
}

const SEEDS: [[u8; 32]; 3] = [[1; 32], [2; 32], [3; 32]];
const ONE_READ: Batch = Batch { reads: 1, updates: 0 };
const ONE_UPDATE: Batch = Batch { reads: 0, updates: 1 };

fn parameters(log_size: u32) -> Result<Parameters, Error> {
    Ok(Parameters::new(SessionId(*b"words of a book."), log_size)?)
}

/// Payload bytes over all links, and sequential messages.
type Cost = (usize, u32);

fn cost(log: &[Delivery]) -> Cost {
    let bytes = log.iter().map(|sent| sent.frame.bytes.len() - HEADER_LENGTH).sum();
    (bytes, log.iter().map(|sent| sent.depth).max().unwrap_or_default())
}

/// READ, UPDATE and WRITE of the paper's protocol.
fn of_paper(log_size: u32) -> Result<[Cost; 3], Error> {
    let mut session = LocalSession::new(parameters(log_size)?, SEEDS, Plain)?;
    session.connect()?;
    session.preprocess(Batch { reads: 2, updates: 2 })?;
    session.record();
    let ([i_0, i_1], [m_0, m_1]) = (share(1, 77), share(5, 78));
    session.read([&[i_0], &[i_1]])?;
    let read = cost(&session.take_log());
    session.update([&[(i_0, m_0)], &[(i_1, m_1)]])?;
    let update = cost(&session.take_log());
    session.write([i_0, i_1], [m_0, m_1])?;
    Ok([read, update, cost(&session.take_log())])
}

/// READ, UPDATE, WRITE and SWAP of the lean protocol.
fn of_lean(log_size: u32) -> Result<[Cost; 4], Error> {
    let mut session = lean::local::LocalSession::new(parameters(log_size)?, SEEDS, lean::Plain);
    session.connect()?;
    session.preprocess(Batch { reads: 1, updates: 3 })?;
    session.record();
    let ([i_0, i_1], [m_0, m_1]) = (lean::local::share(1, 77), lean::local::share(5, 78));
    session.read([&[i_0], &[i_1]])?;
    let read = cost(&session.take_log());
    session.update([&[(i_0, m_0)], &[(i_1, m_1)]])?;
    let update = cost(&session.take_log());
    session.write([i_0, i_1], [m_0, m_1])?;
    let write = cost(&session.take_log());
    session.swap([i_0, i_1], [m_0, m_1])?;
    Ok([read, update, write, cost(&session.take_log())])
}

/// The lengths of the lean messages at a size that is too large to be run here.
fn lengths(log_size: usize) -> [usize; 4] {
    let shifts = 4 * addresses_bytes(log_size, &[0]).len();
    let update = 4 * update_bytes(log_size, &[UpdateMessage { shift: 0, masked: XorWord::zero() }]).len();
    [shifts + 8, update, shifts + 6 * 8, shifts + 7 * 8]
}

fn online() -> Result<String, Error> {
    let mut table = Table::new([
        "operation",
        "paper's: bytes",
        "messages",
        "lean: bytes, h = 8",
        "h = 16",
        "h = 24",
        "messages",
    ]);
    let (paper, small, middle) = (of_paper(8)?, of_lean(8)?, of_lean(16)?);
    assert_eq!([8, 16].map(lengths), [small, middle].map(|costs| costs.map(|(bytes, _)| bytes)));
    let large = lengths(24);
    for (k, name) in ["READ", "UPDATE", "WRITE", "SWAP"].iter().enumerate() {
        assert_eq!(small[k].1, middle[k].1);
        let (bytes, messages) = paper
            .get(k)
            .map_or(("none".to_owned(), "none".to_owned()), |(b, m)| (b.to_string(), m.to_string()));
        table.row([name, &bytes, &messages, &small[k].0, &middle[k].0, &large[k], &middle[k].1]);
    }
    Ok(table.above(
        "Payload bytes over all links, and messages that wait for each other. An address takes $a = \\lceil h/8 \\rceil$ bytes: READ \
         $4a + 8$, UPDATE $4a + 32$, WRITE $4a + 48$, SWAP 8 more. The paper's protocol has no SWAP.",
    ))
}

fn preparing() -> Result<String, Error> {
    let mut table = Table::new([
        "h",
        "paper's: bytes of a READ item",
        "of an UPDATE item",
        "messages",
        "lean: bytes of a READ item",
        "of an UPDATE item",
        "messages: READ",
        "UPDATE",
    ]);
    for log_size in [4, 8, 12, 16] {
        let mut paper = LocalSession::new(parameters(log_size)?, SEEDS, Plain)?;
        let mut lean = lean::local::LocalSession::new(parameters(log_size)?, SEEDS, lean::Plain);
        paper.connect()?;
        lean.connect()?;
        paper.record();
        lean.record();
        let mut costs = [(0, 0); 4];
        for (k, batch) in [ONE_READ, ONE_UPDATE].into_iter().enumerate() {
            paper.preprocess(batch)?;
            lean.preprocess(batch)?;
            (costs[k], costs[k + 2]) = (cost(&paper.take_log()), cost(&lean.take_log()));
        }
        let [(p_r, m_r), (p_u, m_u), (l_r, d_r), (l_u, d_u)] = costs;
        assert_eq!(m_r, m_u);
        for (purpose, messages) in [(Purpose::Read, d_r), (Purpose::Update, d_u)] {
            let depth = tree_depth(usize::try_from(log_size).unwrap_or_default(), purpose);
            assert_eq!(usize::try_from(messages), Ok(2 * depth + 3));
        }
        table.row([&log_size, &p_r, &p_u, &m_r, &l_r, &l_u, &d_r, &d_u]);
    }
    Ok(table.above(
        "Items prepared alone. Bits are packed a message at a time, so that in larger batches an item takes a few bytes less. \
         Messages: $2h + 4$ beside $2d + 3$, with $d$ the depth of the tree.",
    ))
}

/// Counts its calls, and yields something.
#[derive(Default)]
struct Counting(Cell<u32>);

impl Counting {
    fn called(&self, label: Block) -> Block {
        self.0.set(self.0.get() + 1);
        label
    }
    fn take(&self) -> u32 {
        self.0.take()
    }
}

impl Prg for Counting {
    fn left(&self, label: Block) -> Block {
        self.called(label)
    }
    fn right(&self, label: Block) -> Block {
        self.called(label)
    }
}

impl Layers for Counting {
    fn output(&self, label: Block, _tweak: Block) -> Block {
        self.called(label)
    }
}

/// The calls that one side of a DPF costs: all leaves of the paper's, the flags of a lean one, its flags and values.
fn calls(log_size: usize) -> [u32; 3] {
    let prg = Counting::default();
    let key = |depth| Key {
        root: 1,
        corrections: vec![Correction { word: 0, left_flag: false, right_flag: false }; depth],
    };
    let layered = |purpose| LayeredKey {
        tree: key(tree_depth(log_size, purpose)),
        flag_correction: 0,
        word_correction: zeros::<XorWord>(NODE_WORDS),
    };
    let leaves = eval_full(&prg, &key(log_size)).len();
    assert_eq!(leaves, 1 << log_size);
    let paper = prg.take();
    let (read, update) = (layered(Purpose::Read), layered(Purpose::Update));
    assert_eq!(unit_flags(&prg, &read, log_size).len(), leaves);
    let flags = prg.take();
    // The levels above the flag layer are grown once for both layers.
    labels_at(&prg, &update.tree, flag_depth(log_size));
    let common = prg.take();
    assert_eq!(values(&prg, &update, log_size).len(), leaves);
    [paper, flags, prg.take() + flags - common]
}

fn aes() -> String {
    let log_size = 14;
    let [paper, flags, both] = calls(log_size);
    let n = f64::from(1_u32 << log_size);
    let of = |sides: u32, calls: u32| format!("{:.3}", f64::from(sides * calls) / n);
    let mut table = Table::new(["AES calls for each word of the memory", "P0", "P1", "P2"]);
    let row = |table: &mut Table<4>, name: &str, calls: u32, sides: [u32; 3]| {
        let [p0, p1, p2] = sides.map(|sides| of(sides, calls));
        table.row([&name, &p0, &p1, &p2]);
    };
    row(&mut table, "READ, the paper's on the compressed state", paper, [2, 2, 2]);
    row(&mut table, "UPDATE, the paper's on the compressed state", paper, [2, 2, 2]);
    row(&mut table, "READ, lean", flags, [2, 1, 2]);
    row(&mut table, "UPDATE, WRITE, SWAP, lean", both, [2, 1, 2]);
    table.above(format!(
        "Calls of the PRG in evaluations of whole keys at $h = {log_size}$, times the sides that a party holds."
    ))
}
