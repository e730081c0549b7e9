/* Tests the planner of a list's memory with random models and capacities. Buffers that are live at
 * the same time do not overlap. Nodes access a buffer only within its lifetime, and only the rows
 * of the batch. A layout in which buffers share no memory gives the same bits. A running list uses
 * no more memory than planned. */
#include "tests/support/test.h"

#include "core/config/tree_read.h"
#include "core/cpu/cpu.h"
#include "tests/support/test_model.h"

enum { GAP = 64 };

struct draw {
    struct random_key key;
    uint64_t drawn;
};

static int below(struct draw *draw, int bound)
{
    return (int)random_below(draw->key, draw->drawn++, 0, (uint32_t)bound);
}

static const char *pick(struct draw *draw, const char *const *words, int count)
{
    return words[below(draw, count)];
}

static const char *random_model(struct draw *draw)
{
    static const char *const norms[] = {"pre", "post"}, *const shares[] = {"none", "target", "all"};
    static const char *const drops[] = {"0", "0.1", "0.4"}, *const bools[] = {"true", "false"};
    static const char *const blocks[] = {
        "branches: [global]",
        "branches: [{window: 1}]",
        "branches: [global, {window: 2}], fusion: gate",
        "branches: [global, {window: 2}], fusion: {gate: {source: input}}",
        "branches: [global, {window: 1}, {window: 0}], fusion: concat",
        "branches: [forward, backward, global], fusion: sum",
        "branches: [global, {window: 2}, backward], fusion: {squeeze: 2}",
        "branches: [global, forward], fusion: {squeeze: {r: 1, share: branch}}"};
    static const char *const recurrent[] = {"onlstm: 1", "lstm: 1", "onlstm: {chunk: 2}",
                                            "lstm: {direction: forward}",
                                            "onlstm: {direction: backward, projection: true}"};
    const int heads = 1 + below(draw, 3), layers = 1 + below(draw, 3);
    const char *attention = "", *stack = "";
    /* Layer 1 has attention, because values of its attention are kept below. */
    for (int l = 1; l <= layers; l++) {
        const bool attends = l == 1 || below(draw, 2);
        stack = arena_print(&arena, "%s%s{%s}", stack, l > 1 ? ", " : "",
                            attends ? "san: 1" : pick(draw, recurrent, COUNT_OF(recurrent)));
        if (attends)
            attention = arena_print(&arena, "%s%s{layers: %d, %s}", attention, l > 1 ? ", " : "", l,
                                    pick(draw, blocks, COUNT_OF(blocks)));
    }
    return arena_print(&arena,
                       "model: {width: %d, heads: %d, feedforward: %d, norm: %s, share: %s, "
                       "dropout: %s, attention_dropout: %s, relu_dropout: %s, source_bias: %s}\n"
                       "encoder: {stack: [%s], shortcut: %s, attention: [%s]}\n"
                       "decoder.layers: %d\n",
                       2 * heads * (1 + below(draw, 9)), heads, 1 + below(draw, 50),
                       pick(draw, norms, 2), pick(draw, shares, 3), pick(draw, drops, 3),
                       pick(draw, drops, 3), pick(draw, drops, 3), pick(draw, bools, 2), stack,
                       layers > 1 ? pick(draw, bools, 2) : "false", attention, 1 + below(draw, 2));
}

/* A buffer of the plan, and the value that it stores. */
struct piece {
    const struct value *value;
    struct region *buffer;
    size_t row, padding; /* bytes of one row; bytes of its padding, which nothing writes */
};

static int pieces_of(const struct graph *graph, struct piece **piece)
{
    int count = 0;
    *piece = ARENA_ARRAY(&arena, struct piece, 2 * graph->values + 1);
    for (int v = 0; v < graph->values; v++) {
        struct value *value = graph->value[v];
        const size_t bytes = value->real ? sizeof(real) : graph->ops->act_bytes;
        const size_t row = (size_t)value->ld * bytes;
        const size_t padding = row - (size_t)value->columns * bytes;
        if (value->parent || value->external || value->data_region.first < 0) continue;
        (*piece)[count++] = (struct piece){value, &value->data_region, row, padding};
        if (value->gradient_region.first >= 0 && !value->in_place)
            (*piece)[count++] = (struct piece){value, &value->gradient_region, row, padding};
    }
    return count;
}

/* Checks that buffers are large enough and that live buffers do not overlap. Returns the maximum
 * number of bytes that are live at the same time. */
static size_t check_layout(const struct graph *graph, const struct piece *piece, int count)
{
    size_t peak = 0;
    for (int i = 0; i < count; i++) {
        const struct region *a = piece[i].buffer;
        assert_true(a->first <= a->last && a->offset >= 0);
        assert_true((size_t)a->offset + a->bytes <= graph->memory_bytes);
        assert_true(a->bytes >= piece[i].row * (size_t)piece[i].value->rows->capacity);
        size_t live = 0;
        for (int j = 0; j < count; j++) {
            const struct region *b = piece[j].buffer;
            if (b->first <= a->first && a->first <= b->last) live += b->bytes;
            if (i == j || a->last < b->first || b->last < a->first) continue;
            if (a->offset < b->offset + (int64_t)b->bytes &&
                b->offset < a->offset + (int64_t)a->bytes)
                fail_msg("%s and %s overlap", piece[i].value->path, piece[j].value->path);
        }
        if (live > peak) peak = live;
    }
    return peak;
}

/* Gives every buffer its own memory, with a gap after it. */
static void spread(struct graph *graph, const struct piece *piece, int count)
{
    int64_t at = GAP;
    for (int i = 0; i < count; i++) {
        piece[i].buffer->offset = at;
        at += (int64_t)piece[i].buffer->bytes + GAP;
    }
    graph->memory_bytes = (size_t)at;
}

static bool is_poison(const unsigned char *from, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if (from[i] != 0xff) return false;
    return true;
}

/* Checks that the gaps, the buffers that are not live after `tick`, and the rows after the batch
 * still contain poison. Poison is the byte 0xff, which gives NaN. */
static void check_memory(const struct graph *graph, const struct piece *piece, int count, int tick,
                         const struct node *node, unsigned char *host)
{
    graph->ops->download(host, graph->memory, graph->memory_bytes);
    for (int i = 0; i < count; i++) {
        const struct region *buffer = piece[i].buffer;
        const size_t used =
            buffer->first <= tick && tick < buffer->last
                ? piece[i].row * (size_t)graph_rows(piece[i].value) - piece[i].padding
                : 0;
        if (!is_poison(host + (size_t)buffer->offset + used, buffer->bytes - used + GAP))
            fail_msg("%s of %s, at tick %d: written %s of %s [%d, %d]", node->type->name,
                     node->path, tick, used ? "after the rows" : "outside of the life",
                     piece[i].value->path, buffer->first, buffer->last);
    }
}

/* Runs one node after another. Fills a buffer with poison when its lifetime ends. Kept values stay
 * live. */
static void run_with_poison(struct graph *graph, const struct piece *piece, int count)
{
    const int ticks = graph->mode == GRAPH_TRAIN ? 2 * graph->nodes : graph->nodes;
    unsigned char *host = heap_alloc(graph->memory_bytes);
    void *poison = heap_alloc(graph->memory_bytes);
    memset(poison, 0xff, graph->memory_bytes);
    graph->ops->upload(graph->memory, poison, graph->memory_bytes);
    graph->accumulate = false;
    for (int tick = 0; tick < ticks; tick++) {
        const bool forward = tick < graph->nodes;
        struct node *node = graph->node[forward ? tick : 2 * graph->nodes - 1 - tick];
        (forward ? node->type->forward : node->type->backward)(graph, node);
        for (int i = 0; i < count; i++)
            if (piece[i].buffer->last == tick)
                graph->ops->upload(graph->memory + piece[i].buffer->offset, poison,
                                   piece[i].buffer->bytes);
        check_memory(graph, piece, count, tick, node, host);
    }
    free(host);
    free(poison);
}

/* Allocated bytes of device memory, and the number of allocations since the start. */
static size_t bytes_held;
static int allocations;

static void *counting_alloc(size_t bytes)
{
    bytes_held += bytes;
    allocations++;
    return cpu_ops()->alloc(bytes);
}

static void counting_release(void *memory, size_t bytes)
{
    bytes_held -= bytes;
    cpu_ops()->release(memory, bytes);
}

static const struct ops *counting_ops(void)
{
    static struct ops ops;
    ops = *cpu_ops();
    ops.alloc = counting_alloc;
    ops.release = counting_release;
    return &ops;
}

/* Makes a list of the model with this capacity. If `reuse` is true, the list has the planned
 * layout. Otherwise buffers share no memory. */
static struct graph *list_new(struct test_model *m, enum graph_mode mode, const char *keep,
                              struct capacity capacity, bool reuse, struct piece **piece,
                              int *count)
{
    struct graph *graph = model_list(m->model, m->model->arena, mode);
    if (keep) graph_keep(graph, keep);
    graph_plan(graph, capacity);
    *count = pieces_of(graph, piece);
    check_layout(graph, *piece, *count);
    if (!reuse) spread(graph, *piece, *count);
    graph_place(graph);
    return graph;
}

static void check_train(struct test_model *m, struct capacity capacity, const struct batch *batch)
{
    const struct step step = check_step(3);
    const size_t slab = (size_t)m->model->parameters.slab * sizeof(real);
    struct piece *piece;
    int count;
    const size_t held = bytes_held;
    struct graph *planned = list_new(m, GRAPH_TRAIN, NULL, capacity, true, &piece, &count);
    assert_true(bytes_held - held <= planned->memory_bytes + planned->fixed_bytes);
    const int before = allocations;
    check_poison(planned);
    const double loss = test_backward(planned, &step, batch, false);
    assert_int_equal(allocations, before);
    const real *expected = test_slab(m, m->model->parameters.gradient);
    graph_release(planned);
    assert_int_equal(bytes_held, held);

    struct graph *alone = list_new(m, GRAPH_TRAIN, NULL, capacity, false, &piece, &count);
    m->model->parameters.ops->clear(m->model->parameters.gradient, slab);
    graph_set_step(alone, &step);
    graph_load(alone, batch);
    run_with_poison(alone, piece, count);
    const double again = graph_losses(alone).loss;
    assert_memory_equal(&loss, &again, sizeof loss);
    assert_memory_equal(expected, test_slab(m, m->model->parameters.gradient), slab);
    graph_release(alone);
}

static void check_infer(struct test_model *m, const char *keep, struct capacity capacity,
                        const struct batch *batch)
{
    const struct step step = check_step(3);
    struct piece *piece;
    int count;
    struct graph *planned = list_new(m, GRAPH_INFER, keep, capacity, true, &piece, &count);
    check_poison(planned);
    check_forward(planned, &step, batch);
    const real *expected = test_read(m, planned, keep);
    struct graph *alone = list_new(m, GRAPH_INFER, keep, capacity, false, &piece, &count);
    graph_set_step(alone, &step);
    graph_load(alone, batch);
    run_with_poison(alone, piece, count);
    const struct value *value = graph_find(alone, keep);
    assert_memory_equal(expected, test_read(m, alone, keep),
                        (size_t)graph_rows(value) * (size_t)value->columns * sizeof(real));
    graph_release(planned);
    graph_release(alone);
}

TEST(reuse_changes_nothing)
{
    static const char *const kept[] = {"encoder.output",
                                       "logits",
                                       "encoder.1.attention.query",
                                       "encoder.1.attention.branches",
                                       "decoder.1.cross.value",
                                       "decoder.1.feedforward.hidden"};
    for (uint32_t trial = 0; trial < 24; trial++) {
        struct draw draw = {{trial, 1}, 0};
        struct test_model m;
        test_model_open(&m, counting_ops(), random_model(&draw));
        const struct batch batch = test_batch(trial, 1 + below(&draw, 5), 9);
        const struct capacity capacity = {
            {batch.field[0].T + below(&draw, 20), batch.field[1].T + below(&draw, 20)},
            batch.field[0].B + below(&draw, 3),
            9 + below(&draw, 9)};
        check_train(&m, capacity, &batch);
        check_infer(&m, pick(&draw, kept, COUNT_OF(kept)), capacity, &batch);
        check_close(&m);
        arena_free(&arena);
        assert_int_equal(bytes_held, 0);
    }
}

/* For the shipped presets, planned memory is at most 2 percent above the peak of live memory (10
 * percent in inference mode). In inference mode, it is also far below the memory of a layout in
 * which buffers share nothing. */
TEST(presets_are_planned_tightly)
{
    static const char *const presets[] = {"tiny", "tiny-big", "small6", "small", "base", "big"};
    for (uint32_t trial = 0; trial < 2 * COUNT_OF(presets); trial++) {
        struct draw draw = {{trial, 2}, 0};
        const char *path = arena_print(&arena, "experiments/models/%s.yaml", presets[trial / 2]);
        struct translator_options options;
        translator_options_read(&options, tree_merge(&arena, NULL, tree_read(&arena, path)),
                                &arena);
        const int words[SIDES] = {8000, 8000};
        struct model *model = translator_new(&arena, cpu_ops(), &options, words, 0);
        const struct capacity capacity = {{1 + below(&draw, 4096), 1 + below(&draw, 4096)},
                                          1 + below(&draw, 300),
                                          1 + below(&draw, 200)};
        for (enum graph_mode mode = GRAPH_TRAIN; mode <= GRAPH_INFER; mode++) {
            struct graph *graph = model_list(model, model->arena, mode);
            graph_keep_losses(graph);
            graph_plan(graph, capacity);
            struct piece *piece;
            size_t sum = 0, largest = 0;
            const int count = pieces_of(graph, &piece);
            const size_t peak = check_layout(graph, piece, count);
            for (int i = 0; i < count; i++) {
                sum += piece[i].buffer->bytes;
                if (piece[i].buffer->bytes > largest) largest = piece[i].buffer->bytes;
            }
            assert_true(graph->memory_bytes >= peak);
            if (graph->memory_bytes > peak + peak / (mode == GRAPH_TRAIN ? 50 : 10))
                fail_msg("%s: %zu bytes planned, %zu live at one time", presets[trial / 2],
                         graph->memory_bytes, peak);
            /* Apart from the largest buffer, the logits, layers reuse memory. */
            if (mode == GRAPH_INFER)
                assert_true(graph->memory_bytes - largest < (sum - largest) / 2);
        }
        arena_free(&arena);
    }
}

AT_START(omp_set_num_threads(1));
