//! Operands in AT&T syntax.

/// A register: all widths of one are the same.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Register {
    /// By its place in [`NAMES`], or 8 to 15.
    General(usize),
    /// `xmm`, `ymm`, `zmm`.
    Vector(usize),
    /// `k0` to `k7`.
    Mask(usize),
    /// `rip`.
    Instruction,
}

/// What an instruction works on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Operand {
    /// `$0x8`, or whatever else is neither of the others and has no value here.
    Immediate(Option<i64>),
    /// With its width in bytes, and the mask that chooses its lanes.
    Register { register: Register, bytes: i64, mask: Option<Register> },
    /// `displacement(base,index,scale)`, with a mask.
    Memory {
        displacement: i64,
        base: Option<Register>,
        index: Option<Register>,
        scale: i64,
        mask: Option<Register>,
    },
}

/// The first eight general registers without prefix and suffix.
const NAMES: [&str; 8] = ["a", "b", "c", "d", "si", "di", "bp", "sp"];

/// The stack pointer.
pub(super) const STACK: Register = Register::General(7);
/// Those that arguments come in.
pub(super) const ARGUMENTS: [Register; 6] = [
    Register::General(5),
    Register::General(4),
    Register::General(3),
    Register::General(2),
    Register::General(8),
    Register::General(9),
];

/// A register and its width in bytes.
fn register(name: &str) -> Option<(Register, i64)> {
    let name = name.strip_prefix('%')?;
    for (prefix, bytes) in [("xmm", 16), ("ymm", 32), ("zmm", 64)] {
        if let Some(number) = name.strip_prefix(prefix) {
            return Some((Register::Vector(number.parse().ok()?), bytes));
        }
    }
    if let Some(number) = name.strip_prefix('k') {
        return Some((Register::Mask(number.parse().ok()?), 8));
    }
    if name == "rip" {
        return Some((Register::Instruction, 8));
    }
    if let Some(number) = name.strip_prefix('r').filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    {
        let digits = number.trim_end_matches(['d', 'w', 'b']);
        let bytes = match &number[digits.len()..] {
            "" => 8,
            "d" => 4,
            "w" => 2,
            _ => 1,
        };
        return Some((Register::General(digits.parse().ok()?), bytes));
    }
    let (stem, bytes) = match (name.strip_prefix('r'), name.strip_prefix('e')) {
        (Some(stem), _) => (stem, 8),
        (_, Some(stem)) => (stem, 4),
        _ if name.ends_with(['l', 'h']) => (name, 1),
        _ => (name, 2),
    };
    // `ax`, `al`, `ah`, `sil`
    let place = NAMES.iter().position(|known| {
        stem == *known
            || (known.len() == 1 && stem.strip_prefix(known).is_some_and(|s| ["x", "l", "h"].contains(&s)))
            || stem.strip_suffix('l') == Some(known)
    })?;
    Some((Register::General(place), bytes))
}

/// An offset, which may be negative; none is 0.
fn offset(text: &str) -> i64 {
    let (sign, digits) = text.strip_prefix('-').map_or((1, text), |digits| (-1, digits));
    sign * i64::from_str_radix(digits.trim_start_matches("0x"), 16).unwrap_or(0)
}

fn one(text: &str) -> Operand {
    let (text, rest) = text.split_once('{').unwrap_or((text, ""));
    let mask = rest.split('}').find_map(|mask| register(mask.trim_start_matches('{'))).map(|(mask, _)| mask);
    if let Some((register, bytes)) = register(text) {
        return Operand::Register { register, bytes, mask };
    }
    let Some((displacement, inside)) = text.split_once('(') else {
        // Of negative ones, objdump prints all 64 bits.
        let value = text.strip_prefix("$0x").and_then(|digits| u64::from_str_radix(digits, 16).ok());
        return Operand::Immediate(value.map(u64::cast_signed));
    };
    let mut parts = inside.trim_end_matches(')').split(',');
    let mut next = || parts.next().and_then(register).map(|(register, _)| register);
    let (base, index) = (next(), next());
    let scale =
        inside.trim_end_matches(')').split(',').nth(2).and_then(|scale| scale.parse().ok()).unwrap_or(1);
    Operand::Memory { displacement: offset(displacement), base, index, scale, mask }
}

/// The operands of an instruction.
pub(super) fn parse(text: &str) -> Vec<Operand> {
    let mut operands = Vec::new();
    let (mut depth, mut start) = (0, 0);
    for (at, c) in text.char_indices() {
        match c {
            '(' | '{' => depth += 1,
            ')' | '}' => depth -= 1,
            ',' if depth == 0 => {
                operands.push(one(&text[start..at]));
                start = at + 1;
            }
            _ => {}
        }
    }
    if start < text.len() {
        operands.push(one(&text[start..]));
    }
    operands
}
