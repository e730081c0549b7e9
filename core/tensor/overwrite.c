/* Overwrites columns of a node's outputs directly after the node, with write_act. */
#include "core/tensor/overwrite.h"

enum { CHUNK = 1 << 14 }; /* maximum number of elements per call of write_act */

void graph_overwrite(struct graph *graph, const struct overwrite *overwrite, int count,
                     const bool *rows)
{
    CHECK(graph->mode == GRAPH_INFER, "only a list that infers is overwritten");
    for (int i = 0; i < count; i++) {
        const struct overwrite *one = &overwrite[i];
        const struct value *value = one->value;
        CHECK(value->maker && !value->real && one->column >= 0 && one->columns > 0 &&
                  one->columns <= CHUNK && one->column + one->columns <= value->columns,
              "%s: columns %d to %d of %d", value->path, one->column,
              one->column + one->columns - 1, value->columns);
    }
    graph->overwrite = overwrite;
    graph->overwrites = count;
    graph->overwritten = rows;
}

static void put(const struct graph *graph, const struct overwrite *one, const real *number,
                int first, int rows)
{
    const struct value *value = one->value;
    const int most = CHUNK / one->columns;
    for (int done = 0; done < rows; done += most) {
        const int64_t at = (int64_t)(first + done) * value->ld + one->column;
        const int count = rows - done < most ? rows - done : most;
        graph->ops->write_act(act_at(graph->ops, value->data, at), count, one->columns, value->ld,
                              number);
    }
}

static void replace(const struct graph *graph, const struct overwrite *one)
{
    real number[CHUNK];
    const bool *chosen = graph->overwritten;
    const int rows = one->value->rows->count;
    for (int i = 0; i < CHUNK; i++) number[i] = one->number;
    for (int first = 0, end; first < rows; first = end) {
        for (end = first + 1; end < rows && (!chosen || chosen[end] == chosen[first]); end++) {}
        if (!chosen || chosen[first]) put(graph, one, number, first, end - first);
    }
}

void overwrite_outputs(struct graph *graph, const struct node *node)
{
    for (int i = 0; i < graph->overwrites; i++)
        if (graph->overwrite[i].value->maker == node) replace(graph, &graph->overwrite[i]);
}
