/* Learning merges from files and applying them to the same files. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/file.h"
#include "core/text/bpe.h"
#include "experiments/cli/bench.h"

struct text {
    const char *line;
    size_t bytes;
    int64_t words;
};

static int64_t count_words(const char *text, size_t bytes)
{
    int64_t words = 0;
    for (size_t i = 0; i < bytes; i++) {
        const bool blank = text[i] == ' ' || text[i] == '\n';
        words += !blank && (i + 1 == bytes || text[i + 1] == ' ' || text[i + 1] == '\n');
    }
    return words;
}

static void apply(struct bpe *bpe, const struct text *text, struct buffer *out)
{
    const char *end = text->line + text->bytes;
    for (const char *line = text->line; line < end;) {
        const char *next = memchr(line, '\n', (size_t)(end - line));
        next = next ? next + 1 : end;
        bpe_apply_line(bpe, line, (size_t)(next - line), out);
        line = next;
    }
}

void bench_print_bpe(struct verb_call *call, double (*clock)(void))
{
    struct arena *arena = &call->arena;
    const struct bpe_learning learning = {.merges = verb_number(call, "--merges"),
                                          .min_frequency = 2};
    const char **file;
    const int files = verb_values(call, "--bpe", &file), rounds = verb_number(call, "--rounds");
    const char *folder = getenv("TMPDIR");
    char *codes = heap_print("%s/sanlab-bench-%d.bpe", folder ? folder : "/tmp", (int)getpid());
    struct text *text = ARENA_ARRAY(arena, struct text, files);
    int64_t words = 0;
    double seconds[BENCH_ROUNDS];
    int merges = 0;
    for (int f = 0; f < files; f++) {
        text[f].line = file_read(arena, file[f], 0, &text[f].bytes);
        words += text[f].words = count_words(text[f].line, text[f].bytes);
    }
    for (int round = 0; round < rounds; round++) {
        const double begin = clock();
        merges = bpe_learn_files(file, files, &learning, codes, NULL);
        seconds[round] = clock() - begin;
    }
    printf("learning     %.3f s for %d merges of %lld words (files to file)\n",
           bench_median(seconds, rounds), merges, (long long)words);
    struct bpe *bpe = bpe_read(codes, BPE_ALL_MERGES);
    struct buffer out = {0};
    for (int round = -1; round < rounds; round++) { /* -1 warms up */
        buffer_clear(&out);
        const double begin = clock();
        for (int f = 0; f < files; f++) apply(bpe, &text[f], &out);
        if (round >= 0) seconds[round] = clock() - begin;
    }
    const double median = bench_median(seconds, rounds);
    printf("applying     %.2f million words/s (no cache; %.3f s, memory to memory)\n",
           1e-6 * (double)words / median, median);
    printf("medians of %d rounds\n", rounds);
    buffer_free(&out);
    bpe_free(bpe);
    unlink(codes);
    free(codes);
}
