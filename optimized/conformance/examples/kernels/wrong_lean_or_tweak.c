/* A kernel with a mistake: the tweak of the flag layer is put into the label by OR, in place of XOR. */
#define duoram_kernel_lean_sums right_lean_sums
#include "portable.c"
#undef duoram_kernel_lean_sums

int32_t duoram_kernel_lean_sums(const duoram_block *session_key, uint64_t trees, uint64_t width,
                                const duoram_block *nodes, duoram_block *flag_sums, duoram_block *word_sums)
{
    const aes cipher = expand(session_key);
    int32_t code = right_lean_sums(session_key, trees, width, nodes, flag_sums, word_sums);
    memset(flag_sums, 0, trees * sizeof *flag_sums);
    for (uint64_t i = 0; i < trees * width; i++)
        add_block(&flag_sums[i / width], hash(&cipher, nodes[i], 2 & ~nodes[i].low));
    return code;
}
