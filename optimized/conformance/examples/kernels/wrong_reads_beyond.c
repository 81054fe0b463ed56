/* A kernel with a mistake: READ looks at the word after the last one of the memory, and forgets it. */
#define duoram_kernel_read right_read
#include "portable.c"
#undef duoram_kernel_read

int32_t duoram_kernel_read(const duoram_block *session_key, uint64_t party, uint64_t depth, const uint64_t *first,
                           const uint64_t *second, uint64_t count, const duoram_read_query *queries,
                           uint64_t *results)
{
    int32_t code = right_read(session_key, party, depth, first, second, count, queries, results);
    volatile uint64_t seen = second[(uint64_t)1 << depth];
    (void)seen;
    return code;
}
