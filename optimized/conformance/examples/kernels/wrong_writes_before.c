/* A kernel with a mistake: it writes to the word before the memory, and puts back what was there. */
#define duoram_kernel_update right_update
#include "portable.c"
#undef duoram_kernel_update

int32_t duoram_kernel_update(const duoram_block *session_key, uint64_t party, uint64_t depth, uint64_t *first,
                             uint64_t *second, uint64_t count, const duoram_update_query *queries)
{
    int32_t code = right_update(session_key, party, depth, first, second, count, queries);
    volatile uint64_t *before = first - 1;
    uint64_t old = *before;
    *before = 1;
    *before = old;
    return code;
}
