/* Measures the speed of BPE. Learns merges from files, and applies them to the same files. These
 * are the slow parts of preparing a corpus. */
#include <stdlib.h>

#include "core/base/file.h"
#include "core/text/bpe.h"
#include "dev/bench_parts.h"

struct text_file {
    const char *text;
    size_t bytes;
};

static void apply(struct bpe *bpe, const struct text_file *text, struct buffer *out)
{
    const char *at = text->text, *stop = at + text->bytes, *line, *end;
    while (bpe_next_line(&at, stop, &line, &end))
        bpe_apply_line(bpe, line, (size_t)(end - line), out);
}

void bench_bpe(struct bench *bench)
{
    struct arena *arena = &bench->call->arena;
    const struct bpe_learning learning = {.merges = verb_number(bench->call, "--merges"),
                                          .min_frequency = 2};
    const char *const *file = bench->call->word;
    const int files = bench->call->words, rounds = bench->rounds;
    char *folder = file_temporary_folder(NULL);
    const char *codes = arena_print(arena, "%s/codes", folder);
    struct text_file *text = ARENA_ARRAY(arena, struct text_file, files);
    int64_t words = 0;
    double seconds[MEASURE_ROUNDS];
    int merges = 0;
    for (int f = 0; f < files; f++) {
        text[f].text = file_read(arena, file[f], 0, &text[f].bytes);
        words += bpe_count_words(text[f].text, text[f].bytes);
    }
    for (int round = 0; round < rounds; round++) {
        const double begin = bench->clock();
        merges = bpe_learn_files(file, files, &learning, codes, NULL);
        seconds[round] = bench->clock() - begin;
    }
    printf("learning     %.3f s for %d merges of %lld words (files to file)\n",
           measure_median(seconds, rounds), merges, (long long)words);
    struct bpe *bpe = bpe_read(codes, BPE_ALL_MERGES);
    struct buffer out = {0};
    for (int round = -1; round < rounds; round++) { /* round -1 is the warm-up */
        buffer_clear(&out);
        const double begin = bench->clock();
        for (int f = 0; f < files; f++) apply(bpe, &text[f], &out);
        if (round >= 0) seconds[round] = bench->clock() - begin;
    }
    const double median = measure_median(seconds, rounds);
    printf("applying     %.2f million words/s (no cache; %.3f s, memory to memory)\n",
           1e-6 * (double)words / median, median);
    printf("medians of %d rounds\n", rounds);
    buffer_free(&out);
    bpe_free(bpe);
    file_remove_tree(folder);
    free(folder);
}
