/* Batches are sorted by length; a batch's rows go back to where their sentences stand. */
#include "probes/kept_rows.h"

static const struct pass_form form = {PASS_BY_LENGTH, .tokens = 2048, .sentences = 128};

struct split kept_rows_first(const struct split *split, int sentences)
{
    struct split first = *split;
    if (sentences && sentences < split->sentences) first.sentences = sentences;
    return first;
}

void kept_rows_measure(struct frozen *frozen, const struct split *split, struct kept_rows *rows,
                       int count, struct arena *arena)
{
    SCOPED(arena_free) struct arena scratch = {0};
    struct graph *graph = model_list(frozen->model, &scratch, GRAPH_INFER);
    struct value **value = ARENA_ARRAY(&scratch, struct value *, count);
    const int64_t *start = split->side[SIDE_SOURCE].start;
    int widest = 1;
    for (int i = 0; i < count; i++) {
        value[i] = graph_keep(graph, rows[i].path);
        rows[i].columns = value[i]->columns;
        rows[i].number =
            ARENA_ARRAY(arena, float, (size_t)start[split->sentences] * (size_t)rows[i].columns);
        if (rows[i].columns > widest) widest = rows[i].columns;
    }
    struct pass pass = pass_open(frozen, graph, split, form);
    real *host = ARENA_ARRAY(&scratch, real, (size_t)pass.tokens * (size_t)widest);
    for (const struct batch *batch; (batch = pass_next(&pass));)
        for (int i = 0; i < count; i++) {
            const struct field *field = &batch->field[FIELD_SOURCE];
            const int columns = rows[i].columns;
            graph_read(graph, value[i], host);
            for (int b = 0; b < field->B; b++) {
                float *to = rows[i].number + start[batch->sentence[b]] * columns;
                for (int t = field->start[b] * columns; t < field->start[b + 1] * columns; t++)
                    *to++ = (float)host[t];
            }
        }
    pass_close(&pass);
}
