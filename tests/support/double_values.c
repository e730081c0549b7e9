/* Compares the output of each attention block with the dense oracle. The oracle shares options and
 * parameters with the block, but no arithmetic. */
#include <string.h>

#include "tests/support/dense_block.h"
#include "tests/support/double_checks.h"

/* An attention block in the inference list. x: its input. memory: rows from which keys and values
 * are computed. y: its output. */
struct block {
    struct dense dense; /* only the members that are equal for all sentences */
    struct value *x, *memory, *y;
};

static struct value *input_of(const struct graph *list, const char *path)
{
    for (int i = 0; i < list->nodes; i++)
        if (!strcmp(list->node[i]->out[0]->path, path)) return list->node[i]->in[0];
    CHECK(false, "no node makes %s", path);
    return NULL;
}

static void keep_block(struct graph *list, struct block *block, bool cross)
{
    struct arena *arena = block->dense.arena;
    const char *path = block->dense.path;
    block->x = input_of(list, arena_print(arena, "%s.%s", path, cross ? "query" : "qkv"));
    block->memory = cross ? input_of(list, arena_print(arena, "%s.keyvalue", path)) : block->x;
    block->y = graph_find(list, arena_print(arena, "%s.output", path));
    CHECK(block->y, "%s has no output", path);
    block->dense.d = block->x->columns / block->dense.H;
    graph_keep(list, block->x->path);
    graph_keep(list, block->memory->path);
    graph_keep(list, block->y->path);
}

/* Returns all attention blocks of a translator, [*count]. Keeps their values in the list. */
static struct block *find_blocks(struct graph *list, const struct translator_options *options,
                                 const struct dense *like, int *count)
{
    const int layers = options->encoder.layers + 2 * options->decoder.layers;
    struct block *block = ARENA_ARRAY(like->arena, struct block, layers + 1);
    *count = 0;
    for (int k = 0; k < layers; k++) {
        /* index among the blocks of the decoder; negative in the encoder */
        const int decoder_block = k - options->encoder.layers,
                  l = 1 + (decoder_block < 0 ? k : decoder_block / 2);
        const bool cross = decoder_block >= 0 && decoder_block % 2;
        struct block *one = &block[*count];
        one->dense = *like;
        one->dense.causal = decoder_block >= 0 && !cross;
        one->dense.path =
            arena_print(like->arena, "%s.%d.%s", decoder_block < 0 ? "encoder" : "decoder", l,
                        cross ? "cross" : "attention");
        one->dense.spec = decoder_block < 0 ? &options->encoder.attention.of_layer[l - 1]
                          : cross           ? &options->decoder.cross.of_layer[l - 1]
                                            : &options->decoder.attention.of_layer[l - 1];
        if (!graph_find(list, arena_print(like->arena, "%s.output", one->dense.path)))
            continue; /* a recurrent layer has no attention */
        keep_block(list, one, cross);
        ++*count;
    }
    return block;
}

static double *doubles(struct arena *arena, const real *from, int64_t count)
{
    double *to = ARENA_ARRAY(arena, double, count + 1);
    for (int64_t i = 0; i < count; i++) to[i] = (double)from[i];
    return to;
}

static double *read_rows(struct arena *arena, const struct graph *list, const struct value *value)
{
    return doubles(arena, check_read(arena, list, value->path), graph_rows(value) * value->columns);
}

static void compare(const struct graph *list, const struct block *block, const struct batch *batch,
                    struct finding *finding)
{
    struct arena arena = {0};
    const int D = block->x->columns;
    const struct field *queries = &batch->field[block->x->rows->field],
                       *keys = &batch->field[block->memory->rows->field];
    const double *x = read_rows(&arena, list, block->x),
                 *memory = read_rows(&arena, list, block->memory);
    const real *got = check_read(&arena, list, block->y->path);
    for (int b = 0; b < queries->B; b++) {
        struct dense of = block->dense;
        of.arena = &arena;
        of.n = queries->start[b + 1] - queries->start[b];
        of.nk = keys->start[b + 1] - keys->start[b];
        of.input = x + (int64_t)queries->start[b] * D;
        of.memory = block->memory == block->x ? NULL : memory + (int64_t)keys->start[b] * D;
        const double *expected = dense_block(&of);
        real *rounded = ARENA_ARRAY(&arena, real, (int64_t)of.n * D);
        for (int64_t i = 0; i < (int64_t)of.n * D; i++) rounded[i] = (real)expected[i];
        finding_rows(finding, got + (int64_t)queries->start[b] * D, rounded, (int64_t)of.n * D,
                     arena_print(&arena, "%s of sentence %d", of.path, b));
    }
    arena_free(&arena);
}

void check_values(struct check_subject *subject, struct finding *finding)
{
    enum { B = 5, LONGEST_HERE = 20 };
    struct arena arena = {0};
    const struct parameters *parameters = &subject->model->parameters;
    real *master = ARENA_ARRAY(&arena, real, parameters->slab);
    const struct step step = check_step(1);
    const struct batch batch = check_batch(&arena, 7, B, LONGEST_HERE);
    parameters->ops->download(master, parameters->master,
                              (size_t)parameters->slab * sizeof *master);
    const struct dense like = {.H = subject->options.model.heads,
                               .parameters = parameters,
                               .master = doubles(&arena, master, parameters->slab),
                               .arena = &arena};
    int count;
    struct graph *list = model_list(subject->model, &arena, GRAPH_INFER);
    const struct block *block = find_blocks(list, &subject->options, &like, &count);
    graph_plan(list, check_capacity);
    graph_place(list);
    check_poison(list);
    check_forward(list, &step, &batch);
    finding->limit = check_rounding;
    for (int i = 0; i < count; i++) compare(list, &block[i], &batch, finding);
    graph_release(list);
    arena_free(&arena);
}
