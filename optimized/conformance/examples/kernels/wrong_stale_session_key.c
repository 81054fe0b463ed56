/* A kernel with a mistake: the round keys of the last call are used again if the lower half of the session key agrees. */
#define duoram_kernel_grow right_grow
#include "portable.c"
#undef duoram_kernel_grow

int32_t duoram_kernel_grow(const duoram_block *session_key, uint64_t trees, uint64_t width,
                           const duoram_block *parents, duoram_block *children, duoram_block *sums)
{
    static duoram_block last;
    if (last.low != session_key->low)
        last = *session_key;
    return right_grow(&last, trees, width, parents, children, sums);
}
