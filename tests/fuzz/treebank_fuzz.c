/* Treebanks in CoNLL-U, by syntactic words and in the original spelling. Every token belongs to a
 * word; every word has a tag and a line. */
#include "core/corpus/treebank.h"

#include <string.h>

#include "core/corpus/corpus_line.h"
#include "tests/fuzz/support/fuzz.h"

struct input {
    const char *bytes;
    size_t size;
    bool written;
};

static void run(void *context)
{
    const struct input *input = context;
    const char *path = fuzz_put("a.conllu", input->bytes, input->size);
    const struct treebank bank = treebank_read(&arena, path, input->written);
    for (int i = 0; i < bank.sentences; i++) {
        const struct treebank_sentence *one = &bank.sentence[i];
        CHECK(one->tokens == (int)line_count_words(false, one->text, strlen(one->text)),
              "%d tokens", one->tokens);
        for (int t = 0; t < one->tokens; t++)
            CHECK(one->word[t] >= 0 && one->word[t] < one->words, "token %d", t);
        for (int w = 0; w < one->words; w++)
            CHECK(one->tag[w] && one->rest[w].relation && treebank_place(&bank, i, w).line > 0,
                  "word %d", w);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_try(run, &(struct input){(const char *)data, size, false});
    fuzz_try(run, &(struct input){(const char *)data, size, true});
    return 0;
}
