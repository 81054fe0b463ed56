//! The masks of a table: of which words one key of each pair takes the mask off.

use duoram_spec::core::block::Block;
use duoram_spec::core::dpf::address_bits;
use duoram_spec::core::ring::Ring;
use duoram_spec::two_party::masks::{aes_prf, mask, masked_table, unmasked, word_keys};
use serde::Serialize;

use crate::board::Holder;
use crate::inputs::{BadInput, Inputs};
use crate::z16::Z16;
use Holder::{P0, P1};
use duoram_vectors::Random;

/// A value, and which party has it.
#[derive(Serialize)]
struct Cell {
    name: &'static str,
    value: String,
    known: Vec<Holder>,
}

/// P0's index; the keys level by level; the table word by word.
#[derive(Serialize)]
pub(crate) struct Shown {
    index: Cell,
    levels: Vec<Vec<Cell>>,
    words: Vec<Vec<Cell>>,
}

/// Validates the form and masks a table. Drawn from the seed: both keys of each level, then the words of the table.
pub(crate) fn show(inputs: &Inputs) -> Result<Shown, BadInput> {
    let n = inputs.one_of("memory", &[4, 8])?;
    let index = inputs.number("index", n as u64 - 1)?;
    let mut random = Random(inputs.number("seed", u64::MAX)?);
    let levels = n.ilog2();
    let pairs: Vec<(Block, Block)> = (0..levels).map(|_| (random.block(), random.block())).collect();
    let table: Vec<Z16> = random.vector(n);

    let prf = aes_prf();
    let own = word_keys(&pairs, index);
    let masked = masked_table(&prf, &pairs, &table);
    Ok(Shown {
        index: cell("q", index.to_string(), &[P0]),
        levels: pairs
            .iter()
            .zip(address_bits(index, pairs.len()))
            .map(|(pair, bit)| level(*pair, bit))
            .collect(),
        words: (0..n as u64)
            .zip(&masked)
            .map(|(x, masked)| {
                let keys = word_keys(&pairs, x);
                let lacking = keys.iter().zip(&own).filter(|(key, own)| key != own).count();
                // What P0 lacks no key of, it has.
                let known: &[Holder] = if lacking == 0 { &[P0, P1] } else { &[P1] };
                vec![
                    cell("word", unmasked(&prf, &keys, x, *masked).to_u64().to_string(), known),
                    cell("mask", mask::<Z16, _>(&prf, &keys, x).to_u64().to_string(), known),
                    cell("masked", masked.to_u64().to_string(), &[P0, P1]),
                    cell("lacking", lacking.to_string(), &[P0]),
                ]
            })
            .collect(),
    })
}

fn cell(name: &'static str, value: String, known: &[Holder]) -> Cell {
    Cell { name, value, known: known.to_vec() }
}

/// A pair of keys, of which P0 has the one that it chose.
fn level((key_0, key_1): (Block, Block), bit: bool) -> Vec<Cell> {
    let key = |name, key: Block, chosen: bool| {
        cell(name, format!("{key:032x}"), if chosen { &[P0, P1] } else { &[P1] })
    };
    vec![cell("bit", u8::from(bit).to_string(), &[P0]), key("key_0", key_0, !bit), key("key_1", key_1, bit)]
}
