/* A kernel with a mistake: growing looks at the byte before the first parent, and forgets it. */
#define duoram_kernel_grow right_grow
#include "portable.c"
#undef duoram_kernel_grow

int32_t duoram_kernel_grow(const duoram_block *session_key, uint64_t trees, uint64_t width,
                           const duoram_block *parents, duoram_block *children, duoram_block *sums)
{
    int32_t code = right_grow(session_key, trees, width, parents, children, sums);
    volatile char seen = ((const char *)parents)[-1];
    (void)seen;
    return code;
}
