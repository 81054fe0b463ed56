//! Marks on memory: memcheck follows what is secret bit by bit through every instruction, and reports each conditional jump
//! and each address that depends on it.
//!
//! To memcheck a secret is a value that was never initialized. Values themselves are not changed.

mod shim {
    unsafe extern "C" {
        pub(super) safe fn ct_under_valgrind() -> core::ffi::c_ulong;
        pub(super) safe fn ct_errors() -> core::ffi::c_ulong;
        pub(super) fn ct_secret(at: *const u8, length: usize);
        pub(super) fn ct_public(at: *const u8, length: usize);
        pub(super) fn ct_public_bits(at: *const u8, bits: u8);
    }
}

/// Whether anybody looks at the marks.
pub(crate) fn under_valgrind() -> bool {
    shim::ct_under_valgrind() != 0
}

/// How many errors memcheck has found so far.
pub(crate) fn errors() -> u64 {
    shim::ct_errors()
}

/// Marks values as secret. Mutable, so that the compiler does not go on with a copy in a register, whose marks differ.
pub(crate) fn secret<T: Copy>(values: &mut [T]) {
    // SAFETY: the range is that of the slice, and its bytes are not changed.
    unsafe { shim::ct_secret(values.as_mut_ptr().cast(), size_of_val(values)) }
}

/// Marks values as public. The caller must read them from memory afterwards, not go on with a copy in a register.
pub(crate) fn public<T: Copy>(values: &[T]) {
    // SAFETY: the range is that of the slice, and its bytes are not changed.
    unsafe { shim::ct_public(values.as_ptr().cast(), size_of_val(values)) }
}

/// Marks some bits of a byte as public.
pub(crate) fn public_bits(byte: &u8, bits: u8) {
    // SAFETY: the address is that of a byte, which is not changed.
    unsafe { shim::ct_public_bits(byte, bits) }
}
