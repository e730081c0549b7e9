/* Measures the time of one recurrent layer (both directions and their projection), forward and
 * backward, over sentences of a corpus. scripts/compare/bench_cpu compares the result with
 * PyTorch. */
#include <stdlib.h>

#include "dev/bench_block.h"
#include "core/layer/layer.h"
#include "dev/bench_parts.h"

static struct value *build_recurrent(struct graph *graph, struct value *x, const void *of)
{
    const int *chunk = of;
    const struct recurrence both = {.chunk = *chunk,
                                    .forward = true,
                                    .backward = true,
                                    .path = "layer.recurrence",
                                    .owner = "layer"};
    return linear_build(graph, recurrence_build(graph, x, &both), x->columns, true, "layer.output");
}

/* Chooses training sentences from a list that is sorted by length. By default they are neighbors
 * around the median, as in the batch of a training step. If `mixed` is true, they are equally
 * spaced from the shortest to the longest. */
static void take_lengths(const struct bench *bench, bool mixed, int sentences, int *length)
{
    const struct split *train = &bench->translating.corpus->split[SPLIT_TRAIN];
    const int64_t *start = train->side[SIDE_SOURCE].start;
    int *all = ARENA_ARRAY(&bench->call->arena, int, train->sentences);
    if (train->sentences < sentences)
        die("bench: recurrent needs %d training sentences, got %d", sentences, train->sentences);
    for (int s = 0; s < train->sentences; s++) all[s] = (int)(start[s + 1] - start[s]);
    qsort(all, (size_t)train->sentences, sizeof *all, compare_ints);
    for (int b = 0; b < sentences; b++)
        length[b] = mixed ? all[(2 * (int64_t)b + 1) * train->sentences / (2 * sentences)]
                          : all[(train->sentences - sentences) / 2 + b];
}

void bench_recurrent(struct bench *bench)
{
    enum { COLUMNS = 5, MOST = 64 };
    static const char *const header[COLUMNS] = {"layer", "sentences", "lengths", "tokens", "ms"};
    static const char *const kind[] = {"lstm", "onlstm"};
    static const int count[] = {32, MOST};
    struct arena *arena = &bench->call->arena;
    struct bench_block block = {.ops = bench_open_device(bench),
                                .build = build_recurrent,
                                .width = bench->translating.model->model.width,
                                .rounds = bench->rounds,
                                .clock = bench->clock};
    printf("one recurrent layer of width %d, both directions and their projection, forward and "
           "backward\n",
           block.width);
    bench_print_machine(bench, block.ops);
    putchar('\n');
    struct sheet *sheet =
        sheet_headed(arena, 2 * COUNT_OF(kind) * COUNT_OF(count), COLUMNS, header, 1);
    int row = 0;
    for (int chunk = 0; chunk < (int)COUNT_OF(kind); chunk++)
        for (int i = 0; i < (int)COUNT_OF(count); i++)
            for (int mixed = 0; mixed < 2; mixed++) {
                int length[MOST], tokens = 0;
                take_lengths(bench, mixed, count[i], length);
                for (int b = 0; b < count[i]; b++) tokens += length[b];
                block.of = &chunk, block.sentences = count[i], block.length = length;
                bench_cells(arena, sheet, row++, 0, "%s|%d|%s|%d|%.2f", kind[chunk], count[i],
                            mixed ? "mixed" : "alike", tokens, 1e3 * bench_block_seconds(&block));
            }
    sheet_text(sheet, stdout);
    printf("\nmedians of %d rounds; sentences by length: alike: around the median; mixed: equally "
           "spaced from the shortest to the longest\n",
           bench->rounds);
}
