//! Instructions by what they do.

/// What an instruction does to its destination and to the flags.
pub(super) enum Class {
    /// The destination is a copy of the source.
    Move,
    /// The destination is computed from all operands, itself included, and so are the flags.
    Arithmetic,
    /// The same without flags.
    Silent,
    /// The destination is computed from the other operands alone, and so are the flags.
    Fresh,
    /// The destination, or the accumulator and its extension, are computed from all operands.
    Product,
    /// The destination is computed from all operands and the flags, and so are the flags.
    Carry,
    /// The flags are computed from the operands.
    Compare,
    /// The destination is the address, not what is there.
    Address,
    /// The destination is computed from the flags and all operands.
    Conditional,
    /// A vector instruction that computes.
    Vector,
    /// A vector instruction that sets the flags.
    VectorCompare,
    /// Nothing that can be told.
    Nothing,
    /// The operands change places.
    Exchange,
    /// The source is put on the stack.
    Push,
    /// The destination comes from the stack.
    Pop,
    /// Its time depends on its operands.
    Division,
    /// Addresses, or which accesses there are, depend on vectors.
    Scattered,
    /// Whatever is not known.
    Unknown,
}

/// The class of a mnemonic.
pub(super) fn class(mnemonic: &str) -> Class {
    let bare = mnemonic.strip_suffix(['b', 'w', 'l', 'q']).unwrap_or(mnemonic);
    let is = |names: &[&str]| names.contains(&mnemonic) || names.contains(&bare);
    let begins = |stems: &[&str]| stems.iter().any(|stem| mnemonic.starts_with(stem));
    let has = |parts: &[&str]| parts.iter().any(|part| mnemonic.contains(part));
    if has(&["gather", "scatter", "compress", "expand", "maskmov"]) {
        Class::Scattered
    } else if is(&["xchg"]) {
        Class::Exchange
    } else if is(&["pop"]) {
        Class::Pop
    } else if is(&["push"]) {
        Class::Push
    } else if begins(&["nop", "prefetch", "vzero"]) {
        Class::Nothing
    } else if begins(&["vmova", "vmovu", "vmovdq", "mova", "movu", "movdq"]) {
        // Of whole vectors; `movabs` moves a constant.
        Class::Move
    } else if begins(&["vptestm", "vptestnm"]) {
        Class::Vector
    } else if begins(&["vptest", "vtest", "ktest", "kortest", "vcomis", "vucomis", "ptest"]) {
        Class::VectorCompare
    } else if begins(&["v", "k"]) {
        Class::Vector
    } else if is(&["mov", "movd"]) || begins(&["movz", "movs"]) {
        Class::Move
    } else if is(&["lea"]) {
        Class::Address
    } else if is(&["cmp", "test", "bt"]) {
        Class::Compare
    } else if begins(&["cmov", "set"]) {
        Class::Conditional
    } else if is(&["add", "sub", "inc", "dec", "neg", "and", "or", "xor"])
        || is(&["shl", "shr", "sar", "rol", "ror", "shld", "shrd"])
    {
        Class::Arithmetic
    } else if is(&["adc", "sbb", "rcl", "rcr"]) {
        Class::Carry
    } else if is(&["mul", "imul"]) {
        Class::Product
    } else if is(&["not", "bswap", "rorx", "shlx", "shrx", "sarx"]) {
        Class::Silent
    } else if is(&["tzcnt", "lzcnt", "popcnt", "andn", "bzhi", "bextr", "blsr"]) {
        Class::Fresh
    } else if is(&["div", "idiv"]) {
        Class::Division
    } else {
        Class::Unknown
    }
}
