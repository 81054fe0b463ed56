/* A kernel with a mistake: it clears one byte more than the sums have. */
#define duoram_kernel_evaluate right_evaluate
#include "portable.c"
#undef duoram_kernel_evaluate

int32_t duoram_kernel_evaluate(const duoram_block *session_key, uint64_t depth, uint64_t count,
                               const duoram_key *keys, duoram_leaf_sums *sums)
{
    int32_t code = right_evaluate(session_key, depth, count, keys, sums);
    ((char *)(sums + count))[0] = 0;
    return code;
}
