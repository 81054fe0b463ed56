/* A kernel with a mistake: shifts are kept in 17 bits, so that from depth 18 on READ goes wrong. */
#define duoram_kernel_read right_read
#include "portable.c"
#undef duoram_kernel_read

int32_t duoram_kernel_read(const duoram_block *session_key, uint64_t party, uint64_t depth, const uint64_t *first,
                           const uint64_t *second, uint64_t count, const duoram_read_query *queries,
                           uint64_t *results)
{
    int32_t code = DUORAM_DONE;
    for (uint64_t i = 0; i < count && code == DUORAM_DONE; i++) {
        duoram_read_query query = queries[i];
        query.shift &= 0x1ffff;
        code = right_read(session_key, party, depth, first, second, 1, &query, results + i * (1 + (party == 2)));
    }
    return code;
}
