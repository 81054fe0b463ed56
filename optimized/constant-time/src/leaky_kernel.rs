//! Kernels that leak, for the check of disassembly: never run, only compiled as the VAES kernels are.

use core::arch::x86_64::*;
use std::hint::black_box;

/// What a kernel is called with: secrets behind pointers.
pub(crate) struct Work<'a> {
    labels: &'a [__m512i],
    blocks: &'a [u128],
    memory: &'a mut [u64],
}

/// Does something only where some flag is set.
#[inline(never)]
#[target_feature(enable = "avx512f")]
pub(crate) fn branch_on_a_mask(work: Work<'_>) {
    for label in work.labels {
        if _mm512_test_epi64_mask(*label, _mm512_set1_epi64(1)) != 0 {
            black_box(&work.memory);
        }
    }
}

/// Looks a word up by what a register holds.
#[inline(never)]
#[target_feature(enable = "avx512f")]
pub(crate) fn lookup_by_a_lane(work: Work<'_>) {
    for label in work.labels {
        let secret = _mm_cvtsi128_si64(_mm512_castsi512_si128(_mm512_add_epi64(*label, *label)));
        let place = (secret.cast_unsigned() as usize) & (work.memory.len() - 1);
        work.memory[place] = work.memory[place].wrapping_add(1);
    }
}

/// Looks words up by all lanes at once.
#[inline(never)]
#[target_feature(enable = "avx512f")]
pub(crate) fn gather_by_labels(work: Work<'_>) {
    let mut sum = _mm512_setzero_si512();
    for label in work.labels {
        // SAFETY: never run.
        let words = unsafe { _mm512_i64gather_epi64::<8>(*label, work.memory.as_ptr().cast()) };
        sum = _mm512_add_epi64(sum, words);
    }
    black_box(sum);
}

/// Stops at a label, without any vector at all.
#[inline(never)]
#[target_feature(enable = "avx512f")]
pub(crate) fn early_exit(work: Work<'_>) {
    for (place, block) in work.blocks.iter().enumerate() {
        if *block == 0 {
            work.memory[place] = 1;
            return;
        }
    }
}

/// All of them: taking their addresses keeps them in the program.
#[must_use]
pub(crate) fn all() -> [(&'static str, *const ()); 4] {
    [
        ("branch_on_a_mask", branch_on_a_mask as *const ()),
        ("lookup_by_a_lane", lookup_by_a_lane as *const ()),
        ("gather_by_labels", gather_by_labels as *const ()),
        ("early_exit", early_exit as *const ()),
    ]
}
