/* A kernel with a mistake: the flag layer is computed of the label with its flag, which is to be cleared. */
#define duoram_kernel_lean_flags right_lean_flags
#include "portable.c"
#undef duoram_kernel_lean_flags

static void put_wrong_flags(void *context, uint64_t index, duoram_block node)
{
    flag_layer layer = *(const flag_layer *)context;
    duoram_block right = hash(layer.cipher, node, 2), wrong = hash(layer.cipher, node, 2 ^ (node.low & 1));
    if (node.low & 1) {
        layer.correction.low ^= right.low ^ wrong.low;
        layer.correction.high ^= right.high ^ wrong.high;
    }
    put_flags(&layer, index, node);
}

int32_t duoram_kernel_lean_flags(const duoram_block *session_key, uint64_t depth, uint64_t count,
                                 const duoram_lean_flag_key *keys, uint64_t *flags)
{
    const aes cipher = expand(session_key);
    for (uint64_t i = 0; i < count; i++) {
        flag_layer layer = {&cipher, keys[i].flag_correction, depth, flags + i * flag_words(depth)};
        visit(&cipher, keys[i].key.root, keys[i].key.corrections, levels_above(depth, 7), 0, put_wrong_flags, &layer);
    }
    return DUORAM_DONE;
}
