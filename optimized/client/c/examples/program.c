/* Every function of duoram_client.h once, on a memory of 256 words with the lean protocol: `program client.toml` prints nothing and returns 0
 * if all is as it should be. */
#include "duoram_client.h"

#include <stdio.h>
#include <string.h>

#define EXPECT(condition)                                                                     \
    do {                                                                                      \
        if (!(condition)) {                                                                   \
            fprintf(stderr, "line %d: %s; %s\n", __LINE__, #condition, duoram_error());       \
            return 1;                                                                         \
        }                                                                                     \
    } while (0)

int main(int count, char **arguments) {
    EXPECT(count == 2);
    EXPECT(duoram_open(NULL) == NULL && strstr(duoram_error(), "config: expected a pointer"));
    EXPECT(duoram_open("/there/is/no/file") == NULL && strstr(duoram_error(), "/there/is/no/file: "));

    duoram_memory *memory = duoram_open(arguments[1]);
    EXPECT(memory != NULL);
    EXPECT(duoram_len(memory) == 256 && duoram_len(NULL) == 0);

    uint64_t words[256], addresses[] = {1, 2, 1}, deltas[] = {7, 7, 8}, read[3], word;
    for (uint64_t address = 0; address < 256; address++)
        words[address] = (address + 3) % 256;
    EXPECT(duoram_load(memory, words, 256) == DUORAM_DONE);
    EXPECT(duoram_read(memory, addresses, 3, read) == DUORAM_DONE);
    EXPECT(read[0] == 4 && read[1] == 5 && read[2] == 4);
    EXPECT(duoram_chase(memory, 0, 5, &word) == DUORAM_DONE && word == 15);
    EXPECT(duoram_update(memory, addresses, deltas, 3) == DUORAM_DONE);
    EXPECT(duoram_read(memory, addresses, 3, read) == DUORAM_DONE);
    EXPECT(read[0] == (4 ^ 7 ^ 8) && read[1] == (5 ^ 7) && read[2] == read[0]);
    EXPECT(duoram_write(memory, 200, UINT64_MAX) == DUORAM_DONE);
    EXPECT(duoram_swap(memory, 200, 1, &word) == DUORAM_DONE && word == UINT64_MAX);

    /* What is wrong, and changes nothing. */
    EXPECT(duoram_write(memory, 256, 1) == DUORAM_INVALID && strstr(duoram_error(), "below 256"));
    EXPECT(duoram_write(NULL, 0, 1) == DUORAM_INVALID && strstr(duoram_error(), "memory: "));
    EXPECT(duoram_swap(memory, 0, 1, NULL) == DUORAM_INVALID && strstr(duoram_error(), "old: "));
    EXPECT(duoram_read(memory, NULL, 3, read) == DUORAM_INVALID);
    EXPECT(duoram_read(memory, addresses, 3, NULL) == DUORAM_INVALID);
    EXPECT(duoram_read(memory, NULL, 0, NULL) == DUORAM_DONE);
    EXPECT(duoram_update(memory, addresses, NULL, 3) == DUORAM_INVALID);
    EXPECT(duoram_chase(memory, 0, 0, &word) == DUORAM_INVALID);
    EXPECT(duoram_retry_after_ms() == 0);
    EXPECT(duoram_read(memory, addresses, 1, read) == DUORAM_DONE && read[0] == (4 ^ 7 ^ 8));
    duoram_close(memory);
    duoram_close(NULL);
    return 0;
}
