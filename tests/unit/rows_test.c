/* Tests kinds of rows, and the numbers that a list reads from a batch. Expected values were found
 * by hand. */
#include "tests/support/test.h"

#include "core/cpu/cpu.h"
#include "core/layer/layer.h"
#include "core/tensor/graph_run.h"

enum { V = 9, D = 3, CLASSES = 4 };

/* Four sentence pairs with 2, 1, 3 and 1 source tokens, and with 1, 2, 1 and 4 target tokens. */
static const int32_t source[] = {5, 2, 2, 7, 8, 2, 2}, source_start[] = {0, 2, 3, 6, 7};
static const int32_t target[] = {2, 4, 2, 2, 6, 3, 8, 2}, target_start[] = {0, 1, 3, 4, 8};
static const struct batch pairs = {
    .field = {{7, 4, 3, source, source_start}, {8, 4, 4, target, target_start}},
    .first_token = {100, 1000},
    .first_sentence = 40};

struct subject {
    struct arena arena;
    struct parameters parameters;
    struct graph *graph;
};

static void open(struct subject *s, enum graph_mode mode)
{
    *s = (struct subject){0};
    s->parameters.arena = &s->arena;
    s->graph = graph_new(&s->arena, cpu_ops(), mode, &s->parameters);
}

static void place(struct subject *s)
{
    graph_plan(s->graph, (struct capacity){{8, 9}, 4, 4});
    parameters_place(&s->parameters, cpu_ops(), s->graph->mode == GRAPH_TRAIN);
    parameters_start(&s->parameters, 1);
    graph_place(s->graph);
    graph_set_step(s->graph, &(struct step){.normalizer = 1});
}

static void done(struct subject *s)
{
    graph_release(s->graph);
    parameters_release(&s->parameters);
    arena_free(&s->arena);
}

static void expect_rows(const struct graph *graph, const struct rows *rows, int groups,
                        const int32_t *start, int64_t first)
{
    assert_int_equal(rows->groups, groups);
    assert_int_equal(rows->count, start[groups]);
    assert_memory_equal(rows->start, start, (size_t)(groups + 1) * sizeof *start);
    assert_int_equal(graph->step->first_row[rows->index], first);
}

TEST(kinds_count_and_begin)
{
    struct subject s;
    open(&s, GRAPH_INFER);
    struct rows *a = graph_tokens(s.graph, FIELD_SOURCE), *b = graph_tokens(s.graph, FIELD_TARGET);
    struct rows *c = graph_sentences(s.graph, FIELD_SOURCE, 3);
    struct rows *d = graph_sentences(s.graph, FIELD_SOURCE, 1);
    struct rows *e = graph_pairs(s.graph, FIELD_SOURCE);
    assert_ptr_equal(graph_tokens(s.graph, FIELD_TARGET), b);
    assert_ptr_equal(graph_sentences(s.graph, FIELD_SOURCE, 3), c);
    place(&s);
    assert_int_equal(a->capacity, 8);
    assert_int_equal(b->capacity, 9);
    assert_int_equal(c->capacity, 12);
    assert_int_equal(d->capacity, 4);
    assert_int_equal(e->capacity, 2);
    graph_load(s.graph, &pairs);
    expect_rows(s.graph, a, 4, source_start, 100);
    expect_rows(s.graph, b, 4, target_start, 1000);
    expect_rows(s.graph, c, 4, (const int32_t[]){0, 3, 6, 9, 12}, 120);
    expect_rows(s.graph, d, 4, (const int32_t[]){0, 1, 2, 3, 4}, 40);
    expect_rows(s.graph, e, 2, (const int32_t[]){0, 1, 2}, 20);
    /* A step takes effect with the next batch. The first rows of this batch replace first_row of
     * the step. */
    graph_set_step(s.graph, &(struct step){.number = 7, .first_row = {1, 2, 3, 4, 5}});
    assert_int_equal(s.graph->step->number, 0);
    graph_load(s.graph, &pairs);
    assert_int_equal(s.graph->step->number, 7);
    assert_int_equal(s.graph->step->first_row[c->index], 120);
    /* A field that the batch does not have has no rows. */
    graph_load(s.graph, &(struct batch){.field = {pairs.field[FIELD_SOURCE]}});
    assert_int_equal(b->count, 0);
    assert_int_equal(a->count, 7);
    done(&s);
}

static struct value *embed(struct subject *s, enum field_name field, bool shifted)
{
    const struct embed_layer layer = {
        .rows = graph_tokens(s->graph, field),
        .shifted = shifted,
        .scale = 1,
        .table = parameter_get(&s->parameters, "table", V, D, START_NORMAL, 1)};
    return embed_build(s->graph, &layer, shifted ? "shifted" : "plain");
}

/* The token at a position selects a row of the table. If the embedding is shifted, the preceding
 * token selects it. The first position has no preceding token and gets zeros. */
TEST(numbers_reach_their_nodes)
{
    static const int32_t before[] = {-1, -1, 4, -1, -1, 6, 3, 8};
    struct subject s;
    open(&s, GRAPH_INFER);
    struct value *plain = embed(&s, FIELD_SOURCE, false), *shifted = embed(&s, FIELD_TARGET, true);
    plain->kept = shifted->kept = true;
    place(&s);
    graph_load(s.graph, &pairs);
    graph_forward(s.graph);
    real row[9 * D];
    graph_read(s.graph, plain, row);
    for (int t = 0; t < 7; t++)
        assert_memory_equal(row + t * D, s.parameters.master + source[t] * D, D * sizeof *row);
    static const real nothing[D];
    graph_read(s.graph, shifted, row);
    for (int t = 0; t < 8; t++)
        assert_memory_equal(row + t * D,
                            before[t] < 0 ? nothing : s.parameters.master + before[t] * D,
                            D * sizeof *row);
    done(&s);
}

static void load_with(struct subject *s, const int32_t *token, const int32_t *label, int labels)
{
    struct batch batch = pairs;
    if (token) batch.field[FIELD_SOURCE].token = token;
    batch.label = label;
    batch.labels = labels;
    graph_load(s->graph, &batch);
}

/* If the label of one sentence changes, only the loss of this sentence changes. */
TEST(labels_are_by_sentence)
{
    static const int32_t label[] = {0, 3, 1, 3};
    struct subject s;
    open(&s, GRAPH_TRAIN);
    struct value *x = pool_build(s.graph, embed(&s, FIELD_SOURCE, false), POOL_MAX, true, "pool");
    struct value *logits = linear_build(s.graph, x, CLASSES, true, "output");
    loss_build(s.graph, logits, LABEL_GIVEN, 0, "loss");
    place(&s);
    for (int wrong = -1; wrong < 4; wrong++) {
        int32_t given[4];
        real loss[4];
        static real right[4];
        for (int b = 0; b < 4; b++) given[b] = b == wrong ? (label[b] + 1) % CLASSES : label[b];
        load_with(&s, NULL, given, 4);
        graph_forward(s.graph);
        graph_read(s.graph, s.graph->loss, loss);
        for (int b = 0; b < 4; b++)
            if (wrong < 0)
                right[b] = loss[b];
            else
                assert_int_equal(loss[b] != right[b], b == wrong);
    }
    static const int32_t five[] = {0, 3, 1, 3, 0}, high[] = {0, CLASSES, 1, 3};
    EXPECT_CHECK("a batch of 0 labels for a loss over 4 rows", load_with(&s, NULL, NULL, 0));
    EXPECT_CHECK("a batch of 5 labels for a loss over 4 rows", load_with(&s, NULL, five, 5));
    EXPECT_CHECK("a label is 4, expected 0 to 3: row 1, sentence 1 of the batch",
                 load_with(&s, NULL, high, 4));
    static const int32_t far[] = {5, 2, 2, 7, V, 2, 2}, below[] = {5, -1, 2, 7, 8, 2, 2};
    EXPECT_CHECK("a token is 9, expected 0 to 8: row 4, sentence 2 of the batch",
                 load_with(&s, far, label, 4));
    EXPECT_CHECK("a token is -1, expected 0 to 8: row 1, sentence 0 of the batch",
                 load_with(&s, below, label, 4));
    done(&s);
}

TEST(what_was_not_planned_is_refused)
{
    struct subject s;
    open(&s, GRAPH_INFER);
    embed(&s, FIELD_SOURCE, false)->kept = true;
    graph_pairs(s.graph, FIELD_SOURCE);
    place(&s);
    static const int32_t token[9] = {0}, many[] = {0, 3, 6, 8, 9}, once[] = {0, 1, 2, 3},
                         five[] = {0, 5, 5};
    EXPECT_CHECK("9 rows of 4 sentences, planned for 8 of 4",
                 graph_load(s.graph, &(struct batch){.field = {{9, 4, 4, token, many}}}));
    EXPECT_CHECK("3 sentences: expected an even number, for pairs",
                 graph_load(s.graph, &(struct batch){.field = {{3, 3, 1, token, once}}}));
    EXPECT_CHECK("a sentence is longer than planned (4)",
                 graph_load(s.graph, &(struct batch){.field = {{5, 2, 5, token, five}}}));
    EXPECT_DIE("this model has no output \"plan\"; nearest is \"plain\"",
               graph_keep(s.graph, "plan"));
    EXPECT_DIE("this model has no output \"decoder.cross\"", graph_keep(s.graph, "decoder.cross"));
    EXPECT_CHECK("this list has no loss", graph_keep_losses(s.graph));
    done(&s);
}

/* If a list keeps only the vectors of a classifier, its batches need no labels and may have an odd
 * number of sentences. */
TEST(a_dropped_node_asks_for_nothing)
{
    struct subject s;
    open(&s, GRAPH_INFER);
    struct value *x = pool_build(s.graph, embed(&s, FIELD_SOURCE, false), POOL_MEAN, true, "pool");
    struct value *pair = pair_build(s.graph, x, false, "pair");
    struct value *logits = linear_build(s.graph, pair, CLASSES, true, "output");
    loss_build(s.graph, logits, LABEL_GIVEN, 0, "loss");
    graph_keep(s.graph, "pool");
    place(&s);
    load_with(&s, NULL, NULL, 0);
    graph_forward(s.graph);
    assert_int_equal(graph_rows(x), 4);
    static const int32_t token[3] = {0}, once[] = {0, 1, 2, 3};
    graph_load(s.graph, &(struct batch){.field = {{3, 3, 1, token, once}}});
    graph_forward(s.graph);
    assert_int_equal(graph_rows(x), 3);
    done(&s);
}
