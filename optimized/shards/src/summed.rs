//! A worker's part of the paper's READ and UPDATE: sums over a range, of an arbitrary window of leaves.

use duoram_kernel::{self as kernel, Party, UnitKey};
use duoram_reference::DpfShare;
use duoram_runtime::fast::Fast;
use zeroize::Zeroizing;

use crate::Failure;
use crate::bytes::{Reader, Request};
use crate::memory::{Memory, two_vectors};

/// What a key takes at the least.
const KEY_BYTES: usize = 16 + 8 + 8;

/// Root, conversion factor, corrections.
pub(crate) fn write_key(request: &mut Request, key: &DpfShare) {
    request.block(*key.root()).word(key.conversion_factor()).corrections(key.corrections());
}

fn read_key(reader: &mut Reader<'_>, memory: &Memory) -> Result<UnitKey, Failure> {
    let root = Zeroizing::new(reader.block()?);
    let factor = reader.word()?;
    let mut corrections = reader.kernel_corrections()?;
    if corrections.len() != memory.log_size as usize {
        return Err(reader.nonsense("a key of the memory's height", corrections.len()));
    }
    Ok(UnitKey::new(kernel::Key::new(*root, std::mem::take(&mut *corrections)), factor))
}

/// A query of the paper: two keys, something beside them, and the shift.
struct Query<const N: usize> {
    keys: [UnitKey; 2],
    beside: [u64; N],
    shift: usize,
}

fn read_queries<const N: usize>(reader: &mut Reader<'_>, memory: &Memory) -> Result<Vec<Query<N>>, Failure> {
    if memory.vectors() != 2 {
        return Err(two_vectors(memory.vectors()));
    }
    let count = reader.count(2 * KEY_BYTES + 8 * N + 8)?;
    let mut queries = Vec::with_capacity(count);
    for _ in 0..count {
        let keys = [read_key(reader, memory)?, read_key(reader, memory)?];
        let mut beside = [0; N];
        for word in &mut beside {
            *word = reader.word()?;
        }
        let shift = usize::try_from(reader.below(1 << memory.log_size, "a shift")?).unwrap_or_default();
        queries.push(Query { keys, beside, shift });
    }
    Ok(queries)
}

/// Whose shares: a primary's number.
fn party(reader: &mut Reader<'_>) -> Result<Party, Failure> {
    match reader.byte()? {
        0 => Ok(Party::P0),
        1 => Ok(Party::P1),
        other => Err(reader.nonsense("a primary", other)),
    }
}

/// A primary's part of the sums of READs: C and the blind are the vectors.
pub(crate) fn read(
    fast: &Fast,
    memory: &Memory,
    reader: &mut Reader<'_>,
) -> Result<Zeroizing<Vec<u64>>, Failure> {
    let (key, party) = (reader.key()?, party(reader)?);
    let queries = read_queries::<0>(reader, memory)?;
    let queries: Vec<_> = queries
        .iter()
        .map(|Query { keys: [key, refresh_key], shift, .. }| kernel::ReadQuery {
            key,
            refresh_key,
            shift: *shift,
        })
        .collect();
    let start = memory.range().start;
    Ok(Zeroizing::new(fast.kernels(&key).read_part(party, start, memory.part(0), memory.part(1), &queries)))
}

/// The helper's part of the sums of READs, two for each: the blinds are the vectors.
pub(crate) fn unblinding(
    fast: &Fast,
    memory: &Memory,
    reader: &mut Reader<'_>,
) -> Result<Zeroizing<Vec<u64>>, Failure> {
    let key = reader.key()?;
    let queries = read_queries::<0>(reader, memory)?;
    let queries: Vec<_> = queries
        .iter()
        .map(|Query { keys: [key_p0, key_p1], shift, .. }| kernel::UnblindingQuery {
            key_p0,
            key_p1,
            shift: *shift,
        })
        .collect();
    let start = memory.range().start;
    let sums = fast.kernels(&key).unblinding_part(start, memory.part(0), memory.part(1), &queries);
    let sums = Zeroizing::new(sums);
    Ok(Zeroizing::new(sums.iter().flat_map(|&(first, second)| [first, second]).collect()))
}

/// A primary's UPDATEs.
pub(crate) fn update(fast: &Fast, memory: &mut Memory, reader: &mut Reader<'_>) -> Result<(), Failure> {
    let (key, party) = (reader.key()?, party(reader)?);
    let queries = read_queries::<2>(reader, memory)?;
    let updates: Vec<_> = queries
        .iter()
        .map(|Query { keys: [second, third], beside: [correction_2, correction_3], shift }| kernel::Update {
            second: kernel::UpdateTree { key: second, final_correction: *correction_2 },
            third: kernel::UpdateTree { key: third, final_correction: *correction_3 },
            shift: *shift,
        })
        .collect();
    let start = memory.range().start;
    let [combined, blind] = memory.both_mut()?;
    fast.kernels(&key).update_part(party, start, combined, blind, &updates);
    Ok(())
}

/// The helper's UPDATEs.
pub(crate) fn update_blinds(
    fast: &Fast,
    memory: &mut Memory,
    reader: &mut Reader<'_>,
) -> Result<(), Failure> {
    let key = reader.key()?;
    let queries = read_queries::<2>(reader, memory)?;
    let updates: Vec<_> = queries
        .iter()
        .map(|Query { keys: [second, third], beside: [correction_2, correction_3], shift }| {
            kernel::HelperUpdate {
                second: kernel::UpdateTree { key: second, final_correction: *correction_2 },
                third: kernel::UpdateTree { key: third, final_correction: *correction_3 },
                shift: *shift,
            }
        })
        .collect();
    let start = memory.range().start;
    let [blind_0, blind_1] = memory.both_mut()?;
    fast.kernels(&key).helper_update_part(start, blind_0, blind_1, &updates);
    Ok(())
}
