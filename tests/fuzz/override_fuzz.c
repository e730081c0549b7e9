/* Arguments of a command line over a grid: a.b=c, lists, ranges, ~a.b, seeds=+3. */
#include <string.h>

#include "experiments/grid/grid.h"
#include "tests/fuzz/support/fuzz.h"

enum { WORDS = 8 };

static char path[600];

void fuzz_prepare(void)
{
    static const char grid[] =
        "grid: g\ncorpus: {source: a, target: b, train: t, dev: d, merges: 10}\n"
        "model: {width: 16, heads: 2, feedforward: 32, share: all}\n"
        "rows: [{name: A}, {name: B, model.dropout: 0.1}]\nsweep: {train.rate: [1, 2]}\n"
        "zip: {train.warmup: [5, 6], decoder.layers: [1, 2]}\n";
    snprintf(path, sizeof path, "%s", fuzz_put("grid.yaml", grid, strlen(grid)));
}

static void run(void *context)
{
    const char *word[WORDS];
    char *text = context;
    int words = 0;
    while (*text && words < WORDS) word[words++] = fuzz_part(&text, '\n');
    grid_read(&arena, path, word, words, NULL);
}

FUZZ_TEXT(run);
