/* Computes values of inference lists in the order of the text. Batches are sorted by length. The
 * rows of each batch are copied back to the positions of their sentences. */
#include "probes/kept_rows.h"

static const struct pass_form form = {PASS_BY_LENGTH, .tokens = 2048, .sentences = 128};

struct keeping {
    const struct frozen *frozen;
    const struct split *split;
    const struct kept_choice *choice;
    struct kept_rows *kept; /* [count] */
    int count;
    bool sized; /* the members of `kept` are set */
    struct arena *arena;
};

static bool is_whole(const struct value *value)
{
    return value->rows->of == ROWS_SENTENCES;
}

static struct graph *keep_values(void *context, struct arena *arena)
{
    struct keeping *keeping = context;
    const struct split *split = keeping->split;
    struct graph *graph = model_list(keeping->frozen->model, arena, GRAPH_INFER);
    if (keeping->choice) keeping->choice->add(graph, keeping->choice->context);
    for (int i = 0; i < keeping->count; i++) {
        struct kept_rows *kept = &keeping->kept[i];
        const struct value *value = graph_keep(graph, kept->path);
        if (keeping->sized) continue;
        const int sentences = split->sentences;
        kept->columns = value->columns * (is_whole(value) ? value->rows->each : 1);
        kept->rows = is_whole(value) ? sentences : split->side[SIDE_SOURCE].start[sentences];
        kept->number = ARENA_ARRAY(keeping->arena, float, kept->rows * kept->columns);
    }
    keeping->sized = true;
    return graph;
}

static void copy_rows(void *context, const struct graph *graph, const struct batch *batch)
{
    const struct keeping *keeping = context;
    const int64_t *start = keeping->split->side[SIDE_SOURCE].start;
    for (int i = 0; i < keeping->count; i++) {
        const struct kept_rows *kept = &keeping->kept[i];
        const struct value *value = graph_find(graph, kept->path);
        const size_t numbers = (size_t)value->rows->count * (size_t)value->columns;
        SCOPED(heap_free) real *host = heap_alloc(numbers * sizeof *host);
        const real *from = host;
        graph_read(graph, value, host);
        for (int b = 0; b < batch->field[FIELD_SOURCE].B; b++) {
            const int s = batch->sentence[b];
            const int64_t row = is_whole(value) ? s : start[s];
            const int64_t rows = is_whole(value) ? 1 : start[s + 1] - row;
            float *to = kept->number + row * kept->columns;
            for (int64_t k = 0; k < rows * kept->columns; k++) *to++ = (float)*from++;
        }
    }
}

void kept_rows_measure(const struct frozen *frozen, const struct split *split,
                       const struct kept_choice *choice, struct kept_rows *kept, int count,
                       struct arena *arena)
{
    struct keeping keeping = {frozen, split, choice, kept, count, false, arena};
    pass_all(frozen, split, form, &(struct pass_use){keep_values, copy_rows, &keeping});
}
