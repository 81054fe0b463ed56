/* A kernel with a mistake: it changes an input for a while. */
#define duoram_kernel_grow right_grow
#include "portable.c"
#undef duoram_kernel_grow

int32_t duoram_kernel_grow(const duoram_block *session_key, uint64_t trees, uint64_t width,
                           const duoram_block *parents, duoram_block *children, duoram_block *sums)
{
    int32_t code = right_grow(session_key, trees, width, parents, children, sums);
    duoram_block *borrowed = (duoram_block *)parents;
    *(volatile uint64_t *)&borrowed[0].low ^= 1;
    *(volatile uint64_t *)&borrowed[0].low ^= 1;
    return code;
}
