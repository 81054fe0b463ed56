//! Kernels that leak, for the check of disassembly: never run, only compiled as the VAES kernels are.

use core::arch::x86_64::*;
use std::hint::black_box;
use std::ptr::{null_mut, read_volatile, write_volatile};
use std::sync::atomic::{AtomicPtr, Ordering};

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

/// Adds words up where a flag is set, by an instruction that loads no others.
#[inline(never)]
#[target_feature(enable = "avx512f")]
pub(crate) fn load_under_a_mask(work: Work<'_>) {
    let mut sum = _mm512_setzero_si512();
    for (block, words) in work.blocks.iter().zip(work.memory.as_chunks::<8>().0) {
        // SAFETY: never run.
        let words = unsafe { _mm512_loadu_si512(words.as_ptr().cast()) };
        sum = _mm512_mask_add_epi64(sum, *block as u8, sum, words);
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

/// Looks up by what it has computed of a secret alone, where something public was before.
#[inline(never)]
#[target_feature(enable = "avx512f,bmi1")]
pub(crate) fn lookup_by_a_count(work: Work<'_>) {
    for block in work.blocks {
        let place = (*block as u64).trailing_zeros() as usize;
        work.memory[place] = work.memory[place].wrapping_add(1);
    }
}

/// What kernels have on the stack, and find by a pointer that they keep there, too.
struct Part {
    rows: u64,
    secret: u64,
}

/// Puts a secret into the frame through one pointer, and finds it by the other.
#[inline(never)]
#[target_feature(enable = "avx512f")]
pub(crate) fn branch_on_the_frame(work: Work<'_>) {
    let mut part = Part { rows: work.memory.len() as u64, secret: 0 };
    let part = black_box(&mut part);
    for block in work.blocks {
        // SAFETY: never run; both are places of the frame. A compiler has to store and to load.
        unsafe {
            write_volatile(&raw mut part.secret, *block as u64);
            if read_volatile(&raw const part.rows) == 7 || read_volatile(&raw const part.secret) == 7 {
                black_box(&work.memory);
            }
        }
    }
}

/// Puts secrets into an array of the frame, and looks at one of its places that was 0 once.
#[inline(never)]
#[target_feature(enable = "avx512f")]
pub(crate) fn branch_on_an_array(work: Work<'_>) {
    let mut words = [0_u64; 8];
    let words = black_box(&mut words);
    for (number, block) in work.blocks.iter().enumerate() {
        // SAFETY: never run; there are eight places.
        unsafe {
            write_volatile(&raw mut words[number % 8], *block as u64);
            if read_volatile(&raw const words[3]) == 7 {
                black_box(&work.memory);
            }
        }
    }
}

/// Puts a secret into its argument, whose fields are public otherwise.
#[inline(never)]
#[target_feature(enable = "avx512f")]
pub(crate) fn branch_on_an_argument(work: &mut Work<'_>, sum: &mut u64) {
    for block in work.blocks {
        // SAFETY: never run; it is a place.
        unsafe {
            write_volatile(sum, *block as u64);
            if read_volatile(sum) == 7 {
                black_box(&work.memory);
            }
        }
    }
}

/// Where a secret is: no constant, though as easy to find.
static LABELS: AtomicPtr<u64> = AtomicPtr::new(null_mut());

/// Branches on what a pointer leads to that is in a fixed place, as pointers to constants are.
#[inline(never)]
#[target_feature(enable = "avx512f")]
pub(crate) fn branch_on_a_static(work: Work<'_>) {
    // SAFETY: never run.
    while unsafe { *LABELS.load(Ordering::Relaxed) } & 7 == 3 {
        black_box(&work.memory);
    }
}

/// All of them: taking their addresses keeps them in the program.
#[must_use]
pub(crate) fn all() -> [(&'static str, *const ()); 10] {
    // No compiler shall know what is there.
    black_box(&LABELS);
    [
        ("branch_on_a_mask", branch_on_a_mask as *const ()),
        ("lookup_by_a_lane", lookup_by_a_lane as *const ()),
        ("gather_by_labels", gather_by_labels as *const ()),
        ("load_under_a_mask", load_under_a_mask as *const ()),
        ("early_exit", early_exit as *const ()),
        ("lookup_by_a_count", lookup_by_a_count as *const ()),
        ("branch_on_the_frame", branch_on_the_frame as *const ()),
        ("branch_on_an_array", branch_on_an_array as *const ()),
        ("branch_on_an_argument", branch_on_an_argument as *const ()),
        ("branch_on_a_static", branch_on_a_static as *const ()),
    ]
}
