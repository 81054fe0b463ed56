/* A kernel with a mistake: READ answers from the memory of the last call if its first words agree. */
#define duoram_kernel_read right_read
#include "portable.c"
#undef duoram_kernel_read

#include <stdlib.h>

int32_t duoram_kernel_read(const duoram_block *session_key, uint64_t party, uint64_t depth, const uint64_t *first,
                           const uint64_t *second, uint64_t count, const duoram_read_query *queries,
                           uint64_t *results)
{
    static uint64_t *kept, kept_depth;
    const size_t bytes = sizeof *first << depth;
    if (!kept || kept_depth != depth || kept[0] != first[0]) {
        free(kept);
        kept = malloc(bytes);
        if (!kept)
            return -1;
        memcpy(kept, first, bytes);
        kept_depth = depth;
    }
    return right_read(session_key, party, depth, kept, second, count, queries, results);
}
