//! The analysis on a few lines of code each. In all of them `%rdi` points to the arguments, and what these point to is secret.

use std::collections::HashMap;

use super::{Instruction, Program, taint};

/// Loads a secret into `%rbx`.
const SECRET: &str = "mov (%rdi),%rax; mov (%rax),%rbx";

/// The instructions found fault with, by their number from 0. Jumps go to such numbers; the last instruction is a return.
fn found(code: &str) -> Vec<u64> {
    let code = format!("{code}; ret");
    // The loader fills two slots: with the address of a constant, and with that of something that may be written.
    let slots = HashMap::from([(0x100, 0x1008), (0x108, 0x2008)]);
    let about = Program { slots, constants: vec![0x1000..0x2000], ..Program::default() };
    let parse = |(at, text): (usize, &str)| Instruction::parse(at as u64, text.trim(), &about).expect(text);
    let code: Vec<_> = code.split(';').enumerate().map(parse).collect();
    taint::findings(&code).into_iter().map(|finding| finding.address).collect()
}

/// Whether the last line before the return, a jump to it, depends on a secret.
fn leaks(code: &str) -> bool {
    let lines = code.split(';').count() as u64;
    let found = found(&format!("{code}; jne {:x}", lines + 1));
    assert!(found.is_empty() || found == [lines], "{code}: {found:?}");
    !found.is_empty()
}

#[test]
fn fields_of_arguments_are_public_and_what_they_point_to_is_not() {
    assert!(!leaks("mov 0x8(%rdi),%rax; test %rax,%rax"));
    assert!(!leaks("mov 0x8(%rdi,%rsi,8),%rax; test %rax,%rax"));
    assert!(leaks("mov 0x8(%rdi),%rax; mov 0x10(%rax),%rax; test %rax,%rax"));
    assert!(leaks("mov (%rdi),%rax; cmpb $0x0,(%rax)"));
}

#[test]
fn a_field_that_got_a_secret_is_secret_until_it_gets_something_else() {
    assert!(leaks(&format!("{SECRET}; mov %rbx,0x8(%rdi); mov 0x8(%rdi),%rax; test %rax,%rax")));
    assert!(!leaks(&format!("{SECRET}; mov %rbx,0x8(%rdi); mov 0x10(%rdi),%rax; test %rax,%rax")));
    assert!(!leaks(&format!("{SECRET}; mov %rbx,0x8(%rdi); movq $0x1,0x8(%rdi); cmpq $0x0,0x8(%rdi)")));
    // By an index, it may have been any.
    assert!(leaks(&format!("{SECRET}; mov %rbx,(%rdi,%rax,8); mov 0x10(%rdi),%rax; test %rax,%rax")));
}

#[test]
fn a_pointer_to_the_frame_leads_to_what_was_stored_there() {
    let pointer = "lea 0x10(%rsp),%rcx; mov %rcx,0x40(%rsp); mov 0x40(%rsp),%rdx";
    assert!(!leaks(&format!("mov %r12,0x18(%rsp); {pointer}; mov 0x8(%rdx),%rax; test %rax,%rax")));
    assert!(leaks(&format!("{SECRET}; mov %rbx,0x18(%rsp); {pointer}; mov 0x8(%rdx),%rax; test %rax,%rax")));
    let stored = "mov %r12,0x18(%rsp)";
    assert!(leaks(&format!("{SECRET}; {stored}; {pointer}; mov %rbx,0x8(%rdx); cmpq $0x0,0x18(%rsp)")));
    // What the function has not stored is somebody else's.
    assert!(leaks(&format!("{pointer}; mov 0x8(%rdx),%rax; test %rax,%rax")));
    // Rounded down, the stack pointer is where places are counted from.
    let round = "mov %rsp,%rbp; and $0xffffffffffffffe0,%rsp; sub $0x80,%rsp";
    assert!(!leaks(&format!("{round}; mov %r12,0x18(%rsp); {pointer}; cmpq $0x0,0x8(%rdx)")));
}

#[test]
fn a_pointer_to_one_of_two_places_leads_to_a_secret() {
    let either = "lea 0x10(%rsp),%rcx; lea 0x20(%rsp),%rdx; cmp %rsi,%r12; cmovb %rcx,%rdx";
    let public = "mov %r12,0x10(%rsp); mov %r12,0x20(%rsp)";
    assert!(leaks(&format!("{public}; {either}; mov (%rdx),%rax; test %rax,%rax")));
    // Also if one is reached by a way of its own.
    let joined = "lea 0x10(%rsp),%rcx; test %r12,%r12; je 6; lea 0x20(%rsp),%rcx; mov (%rcx),%rax";
    assert!(leaks(&format!("mov %r12,0x10(%rsp); {joined}; test %rax,%rax")));
}

#[test]
fn what_is_stored_by_an_index_may_be_anywhere_in_arrays() {
    let array = "movq $0x0,0x10(%rsp); movq $0x0,0x18(%rsp)";
    let aside = "mov %r13,0x40(%rsp)";
    for store in [
        "mov %rbx,0x8(%rsp,%r12,8)",
        "lea 0x10(%rsp),%rcx; mov %rbx,(%rcx,%r12,8)",
        "lea 0x10(%rsp),%rcx; add %r12,%rcx; mov %rbx,(%rcx)",
        "shl $0x3,%r12; lea 0x10(%rsp),%rcx; mov %rbx,(%r12,%rcx,1)",
    ] {
        assert!(leaks(&format!("{SECRET}; {array}; {store}; cmpq $0x0,0x18(%rsp)")), "{store}");
        assert!(!leaks(&format!("{SECRET}; {array}; {aside}; {store}; cmpq $0x0,0x40(%rsp)")), "{store}");
    }
    assert!(!leaks(&format!("{SECRET}; {array}; mov %r12,0x8(%rsp,%r12,8); cmpq $0x0,0x18(%rsp)")));
    // Vectors go to arrays of vectors.
    let zeros = "vpxor %xmm0,%xmm0,%xmm0; vmovdqa %ymm0,0x20(%rsp); vmovdqu (%rax),%ymm1";
    let store = "vmovdqa %ymm1,0x20(%rsp,%r12,8)";
    assert!(leaks(&format!("{SECRET}; {zeros}; {store}; cmpq $0x0,0x38(%rsp)")));
    assert!(!leaks(&format!("{SECRET}; {zeros}; {array}; {store}; cmpq $0x0,0x18(%rsp)")));
}

#[test]
fn a_slot_of_the_loader_leads_to_constants() {
    let load = |slot: &str| {
        format!("mov 0x80(%rip),%rax # {slot} <_DYNAMIC+0x10>; mov 0x8(%rax,%r12,8),%rcx; test %rcx,%rcx")
    };
    assert!(!leaks(&load("100")));
    assert!(leaks(&load("108")));
    // A pointer that is no such slot.
    assert!(leaks(&load("110")));
}

#[test]
fn a_place_that_only_one_way_has_stored_to_is_secret() {
    assert!(leaks("test %r12,%r12; je 3; mov %r12,0x10(%rsp); cmpq $0x0,0x10(%rsp)"));
    assert!(!leaks("mov %r13,0x10(%rsp); test %r12,%r12; je 4; mov %r12,0x10(%rsp); cmpq $0x0,0x10(%rsp)"));
}

#[test]
fn bytes_are_told_apart() {
    assert!(leaks(&format!("{SECRET}; movq $0x0,0x10(%rsp); mov %bl,0x13(%rsp); cmpl $0x0,0x10(%rsp)")));
    assert!(!leaks(&format!("{SECRET}; movq $0x0,0x10(%rsp); mov %bl,0x13(%rsp); cmpl $0x0,0x14(%rsp)")));
    assert!(leaks(&format!("{SECRET}; mov %rbx,0x10(%rsp); movb $0x0,0x10(%rsp); cmpq $0x0,0x10(%rsp)")));
    assert!(leaks(&format!("{SECRET}; movq $0x0,0x10(%rsp); mov %bx,0x12(%rsp); cmpb $0x0,0x13(%rsp)")));
    // The rest of a register stays.
    assert!(leaks(&format!("{SECRET}; mov %r12b,%bl; test %rbx,%rbx")));
    assert!(leaks(&format!("{SECRET}; mov %r12w,%bx; test %rbx,%rbx")));
}

#[test]
fn what_is_popped_is_what_was_pushed() {
    assert!(leaks(&format!("{SECRET}; push %rbx; pop %rcx; test %rcx,%rcx")));
    assert!(!leaks(&format!("{SECRET}; push %r12; push %rbx; pop %rcx; pop %rcx; test %rcx,%rcx")));
    // The stack pointer moves on.
    assert!(leaks(&format!("{SECRET}; mov %rbx,(%rsp); push %r12; cmpq $0x0,0x8(%rsp)")));
}

#[test]
fn what_an_instruction_overwrites_it_does_not_take() {
    assert!(!leaks(&format!("{SECRET}; tzcnt %r12,%rbx; test %rbx,%rbx")));
    assert!(leaks(&format!("{SECRET}; tzcnt %rbx,%rcx; test %rcx,%rcx")));
    assert!(leaks(&format!("{SECRET}; tzcnt %rbx,%rcx")));
    assert!(leaks(&format!("{SECRET}; add %r12,%rbx; test %rbx,%rbx")));
    assert!(!leaks(&format!("{SECRET}; shlx %r12,%r13,%rbx; test %rbx,%rbx")));
    assert!(leaks(&format!("{SECRET}; test %rbx,%rbx; shlx %r12,%r13,%rcx")));
    // Both halves of a product.
    assert!(leaks(&format!("mov %r12,%rdx; {SECRET}; mul %rbx; test %rdx,%rdx")));
    assert!(leaks(&format!("{SECRET}; mov %rbx,%rax; mul %r12; test %rax,%rax")));
}

#[test]
fn flags_are_taken_and_kept() {
    assert!(leaks(&format!("{SECRET}; cmp %r12,%rbx; sbb %ecx,%ecx; test %rcx,%rcx")));
    assert!(leaks(&format!("{SECRET}; cmp %r12,%rbx; sete %cl; test %cl,%cl")));
    assert!(leaks(&format!("{SECRET}; cmp %r12,%rbx; sete 0x7(%rsp); cmpb $0x0,0x7(%rsp)")));
    assert!(!leaks("cmp %r12,%r13; sete 0x7(%rsp); cmpb $0x0,0x7(%rsp)"));
    // A distance of 0 leaves them.
    assert!(leaks(&format!("{SECRET}; test %rbx,%rbx; shl %cl,%r12")));
    // `dec` leaves the carry.
    assert!(!leaks(&format!("{SECRET}; cmp %r12,%rbx; dec %r13")));
    assert_eq!(found(&format!("{SECRET}; cmp %r12,%rbx; dec %r13; jb 5")), [4]);
}

#[test]
fn what_a_secret_mask_chooses_is_not_loaded_or_stored() {
    let compared = "mov (%rdi),%rax; vptestmq (%rax),%zmm1,%k1";
    assert_eq!(found(&format!("{compared}; vpxorq (%rax),%zmm0,%zmm0{{%k1}}")), [2]);
    assert_eq!(found(&format!("{compared}; vmovdqu64 (%rax),%zmm0{{%k1}}{{z}}")), [2]);
    assert_eq!(found(&format!("{compared}; vmovdqu64 %zmm0,(%rax){{%k1}}")), [2]);
    // Flags that were loaded as they are packed.
    assert_eq!(found(&format!("{SECRET}; kmovd %ebx,%k1; vpxorq (%rax),%zmm0,%zmm0{{%k1}}")), [3]);
    // Of registers alone there is no access.
    assert!(
        found(&format!("{compared}; vmovdqu64 (%rax),%zmm2; vpxorq %zmm2,%zmm0,%zmm0{{%k1}}")).is_empty()
    );
    // Constants may choose, also those that were put aside.
    let constant = "mov $0xc,%cl; kmovd %ecx,%k1";
    assert!(found(&format!("{constant}; vbroadcasti64x2 (%rdi),%zmm0{{%k1}}")).is_empty());
    let aside = "kmovq %k1,0x8(%rsp); kmovq 0x8(%rsp),%k2";
    assert_eq!(found(&format!("{compared}; {aside}; vpxorq (%rax),%zmm0,%zmm0{{%k2}}")), [4]);
}
