/* Computes values of an inference list in the order of the text. Batches are sorted by length. The
 * rows of each batch are copied back to the positions of their sentences. */
#include "probes/kept_rows.h"

static const struct pass_form form = {PASS_BY_LENGTH, .tokens = 2048, .sentences = 128};

void kept_rows_measure(const struct frozen *frozen, struct graph *graph, const struct split *split,
                       struct kept_rows *kept, int count, struct arena *arena)
{
    struct value **value = ARENA_ARRAY(graph->arena, struct value *, count);
    const int64_t *start = split->side[SIDE_SOURCE].start;
    int widest = 1;
    for (int i = 0; i < count; i++) {
        value[i] = graph_keep(graph, kept[i].path);
        const bool whole = value[i]->rows->of == ROWS_SENTENCES;
        kept[i].columns = value[i]->columns * (whole ? value[i]->rows->each : 1);
        kept[i].rows = whole ? split->sentences : start[split->sentences];
        kept[i].number = ARENA_ARRAY(arena, float, kept[i].rows *kept[i].columns);
        if (kept[i].columns > widest) widest = kept[i].columns;
    }
    struct pass pass = pass_open(frozen, graph, split, form);
    real *host = ARENA_ARRAY(graph->arena, real, (size_t)pass.tokens * (size_t)widest);
    for (const struct batch *batch; (batch = pass_next(&pass));)
        for (int i = 0; i < count; i++) {
            const bool whole = value[i]->rows->of == ROWS_SENTENCES;
            const real *from = host;
            graph_read(graph, value[i], host);
            for (int b = 0; b < batch->field[FIELD_SOURCE].B; b++) {
                const int s = batch->sentence[b];
                const int64_t row = whole ? s : start[s], rows = whole ? 1 : start[s + 1] - row;
                float *to = kept[i].number + row * kept[i].columns;
                for (int64_t k = 0; k < rows * kept[i].columns; k++) *to++ = (float)*from++;
            }
        }
    pass_close(&pass);
}
