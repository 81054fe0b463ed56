//! What the CPU says of itself beyond what `cpufeatures` asks.
#![allow(unused_unsafe)] // CPUID is a safe function from Rust 1.94 on.

use core::arch::x86_64::{__cpuid, __cpuid_count};

/// Whether this CPU has VAES. `cpufeatures` says so only where the system saves registers of 512 bits, but there are CPUs that have VAES on
/// 256 bits and no AVX-512 (AMD Zen 3, Intel Alder Lake). For those it is enough that AVX2 was found, whose registers the system then saves.
/// Miri has no CPUID; there it is what the program was compiled for.
pub(crate) fn has_vaes(has_avx2: bool) -> bool {
    if cfg!(miri) {
        return cfg!(target_feature = "vaes");
    }
    // SAFETY: all CPUs of this architecture have the instruction, and a CPU with AVX2 has leaf 7.
    has_avx2 && unsafe { __cpuid_count(7, 0) }.ecx >> 9 & 1 == 1
}

/// Whether this is an AMD Zen 4, of which family 25 has those CPUs that have AVX-512.
pub(crate) fn is_zen_4(has_avx512: bool) -> bool {
    if cfg!(miri) || !has_avx512 {
        return false;
    }
    // SAFETY: all CPUs of this architecture have the instruction and both leaves.
    let (vendor, signature) = unsafe { (__cpuid(0), __cpuid(1).eax) };
    let vendor = [vendor.ebx, vendor.edx, vendor.ecx].map(u32::to_le_bytes);
    vendor.as_flattened() == b"AuthenticAMD" && family(signature) == 25
}

/// The family in a CPU's signature: of those beyond 15 the rest is in a field of its own.
const fn family(signature: u32) -> u32 {
    (signature >> 8 & 15) + if signature >> 8 & 15 == 15 { signature >> 20 & 255 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Signatures of an Intel Xeon (Sapphire Rapids), and of AMD EPYCs: Naples, Genoa, Turin.
    #[test]
    fn families_are_those_of_the_makers_tables() {
        assert_eq!([0x0008_06f8, 0x0080_0f12, 0x00a1_0f11, 0x00b0_0f21].map(family), [6, 23, 25, 26]);
    }
}
