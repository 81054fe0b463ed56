/* A kernel with a mistake: READ moves flags as the paper's protocol does, by adding the shift mod n, in place of j xor S. */
#define duoram_kernel_lean_read right_lean_read
#include "portable.c"
#undef duoram_kernel_lean_read

int32_t duoram_kernel_lean_read(uint64_t depth, const uint64_t *memory, uint64_t count, const uint64_t *flags,
                                const uint64_t *shifts, uint64_t *results)
{
    const uint64_t mask = ((uint64_t)1 << depth) - 1;
    for (uint64_t i = 0; i < count; i++) {
        results[i] = 0;
        for (uint64_t j = 0; j <= mask; j++)
            results[i] ^= -flag_at(flags + i * flag_words(depth), j) & memory[(j + shifts[i]) & mask];
    }
    return DUORAM_DONE;
}
