/* Decoding word by word, in double: the step list computes what the infer list computes of the
 * whole sentence, whatever becomes of its rows on the way (on fenced memory); and searches that can
 * be checked by a plainer one. */
#include "tests/support/test.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>

#include "core/cpu/cpu.h"
#include "core/decode/beam.h"
#include "tests/support/model.h"

static const double EXACT = 1e-12;

#define MODEL(options) "model: {width: 28, heads: 4, feedforward: 30" options "}\n"
#define LAYERS(attention) "decoder.layers: 2\nencoder: {layers: 2, attention: [" attention "]}\n"
#define PRE MODEL(", source_bias: true") LAYERS("")
#define POST MODEL(", norm: post") LAYERS("")
#define SHARED_TARGET MODEL(", share: target") LAYERS("")
#define SHARED_ALL MODEL(", share: all, norm: post") LAYERS("")
#define GATE MODEL("") LAYERS("{layers: 1, branches: [global, {window: 1}], fusion: gate}")
#define CONCAT                                                                                     \
    MODEL("") LAYERS("{layers: all, branches: [{window: 2}, global, {window: 1}], fusion: concat}")

/* A model that only infers, its list for whole sentences, and what a step list reads of that. */
struct model {
    struct arena arena;
    struct translator_options options;
    struct translator *translator;
    struct graph *whole;
};

static void model_open(struct model *m, const struct ops *ops, const char *yaml, int target_size,
                       uint32_t seed)
{
    *m = (struct model){0};
    struct tree *tree = tree_merge(&m->arena, NULL, tree_parse(&m->arena, "model.yaml", yaml));
    translator_options_read(&m->options, tree, &m->arena);
    const struct translator_build build = {.options = &m->options,
                                           .source_size = TEST_SOURCE,
                                           .target_size = target_size,
                                           .ops = ops};
    m->translator = translator_new(&m->arena, &build);
    m->whole = translator_list(m->translator, GRAPH_INFER);
    graph_keep(m->whole, "logits");
    for (int l = 1; l <= m->options.decoder.layers; l++)
        graph_keep(m->whole, arena_print(&m->arena, "decoder.%d.cross.keyvalue", l));
    translator_place(m->translator, false, seed);
    graph_plan(m->whole, test_capacity, translator_sinusoids(m->translator));
    graph_place(m->whole);
    test_poison(m->whole);
}

static void model_close(struct model *m)
{
    graph_release(m->whole);
    parameters_release(&m->translator->parameters);
    arena_free(&m->arena);
}

/* [T, V] of all target tokens at once: row t is what follows the tokens before t. */
static const real *whole_logits(struct model *m, struct arena *arena, const struct batch *batch)
{
    const struct step step = test_step(1);
    const struct value *logits = graph_find(m->whole, "logits");
    assert_true(isfinite(test_loss(m->whole, &step, batch)));
    real *rows = ARENA_ARRAY(arena, real, batch->field[FIELD_TARGET].T * logits->columns);
    graph_read(m->whole, logits, rows);
    return rows;
}

/* The step list with memory of our own for caches and indices. */
enum { ROWS = TEST_SENTENCES, STEPS = TEST_LONGEST, SLOTS = ROWS * STEPS };

struct stepper {
    struct graph *graph;
    struct attention_search search;
    int32_t *begin, *index, *cross_begin, *cross_index;
    void *cache[8];
    size_t cache_bytes[8];
    int caches;
};

static int32_t *ints(const struct ops *ops, int count)
{
    return ops->alloc((size_t)count * sizeof(int32_t));
}

static void stepper_open(struct stepper *s, struct model *m)
{
    const struct ops *ops = m->translator->build.ops;
    *s = (struct stepper){.graph = translator_list(m->translator, GRAPH_STEP)};
    graph_keep(s->graph, "logits");
    graph_plan(s->graph, (struct capacity){{1, ROWS}, ROWS, STEPS},
               translator_sinusoids(m->translator));
    graph_place(s->graph);
    test_poison(s->graph);
    for (int v = 0; v < s->graph->values; v++) {
        struct value *value = s->graph->value[v];
        if (!value->external) continue;
        const struct value *known = graph_find(m->whole, value->path);
        if (known) {
            value->data = known->data;
            continue;
        }
        assert_non_null(strstr(value->path, ".attention.cache"));
        s->cache_bytes[s->caches] = (size_t)SLOTS * (size_t)value->columns * ops->act_bytes;
        value->data = s->cache[s->caches] = ops->alloc(s->cache_bytes[s->caches]);
        /* NaN: only what was stored is read. */
        void *poison = heap_alloc(s->cache_bytes[s->caches]);
        memset(poison, 0xff, s->cache_bytes[s->caches]);
        ops->upload(value->data, poison, s->cache_bytes[s->caches++]);
        free(poison);
    }
    assert_int_equal(s->caches, m->options.decoder.layers);
    s->begin = ints(ops, ROWS + 1), s->cross_begin = ints(ops, ROWS + 1);
    s->index = ints(ops, SLOTS), s->cross_index = ints(ops, ROWS * TEST_LONGEST);
    s->search = (struct attention_search){.begin = s->begin, .index = s->index,
                                          .cross_begin = s->cross_begin,
                                          .cross_index = s->cross_index};
    s->graph->step_state = &s->search;
}

static void stepper_close(struct stepper *s)
{
    const struct ops *ops = s->graph->ops;
    for (int i = 0; i < s->caches; i++) ops->release(s->cache[i], s->cache_bytes[i]);
    ops->release(s->begin, (ROWS + 1) * sizeof(int32_t));
    ops->release(s->cross_begin, (ROWS + 1) * sizeof(int32_t));
    ops->release(s->index, SLOTS * sizeof(int32_t));
    ops->release(s->cross_index, ROWS * TEST_LONGEST * sizeof(int32_t));
    graph_release(s->graph);
}

/* A live row: which sentence of the batch it spells, and where its keys lie. */
struct live {
    int sentence;
    int32_t slot[STEPS];
};

static void put(const struct ops *ops, int32_t *to, const int32_t *from, int count)
{
    ops->upload(to, from, (size_t)count * sizeof *from);
}

/* Step t of rows live[0..rows), tokens forced to those of the batch. */
static void step_rows(struct stepper *s, const struct batch *batch, struct live *live, int rows,
                      int t)
{
    const struct field *source = &batch->field[FIELD_SOURCE];
    const struct field *target = &batch->field[FIELD_TARGET];
    const struct ops *ops = s->graph->ops;
    int32_t previous[ROWS], position[ROWS], begin[ROWS + 1] = {0}, cross_begin[ROWS + 1] = {0};
    static int32_t index[SLOTS], cross_index[ROWS * TEST_LONGEST];
    for (int r = 0; r < rows; r++) {
        const int b = live[r].sentence;
        previous[r] = t ? target->token[target->start[b] + t - 1] : -1;
        position[r] = t;
        live[r].slot[t] = t * ROWS + r;
        memcpy(index + begin[r], live[r].slot, (size_t)(t + 1) * sizeof *index);
        begin[r + 1] = begin[r] + t + 1;
        cross_begin[r + 1] = cross_begin[r];
        for (int32_t j = source->start[b]; j < source->start[b + 1]; j++)
            cross_index[cross_begin[r + 1]++] = j;
    }
    put(ops, s->graph->field[FIELD_TARGET].previous, previous, rows);
    put(ops, s->graph->field[FIELD_TARGET].position, position, rows);
    put(ops, s->begin, begin, rows + 1);
    put(ops, s->index, index, begin[rows]);
    put(ops, s->cross_begin, cross_begin, rows + 1);
    put(ops, s->cross_index, cross_index, cross_begin[rows]);
    s->graph->field[FIELD_TARGET].T = s->graph->count[ROWS_TARGET] = rows;
    s->search.position = t;
    s->search.slot = t * ROWS;
    graph_forward(s->graph);
}

/* Every sentence twice; the second spells other words from its middle on. */
static struct batch doubled(struct arena *arena, const struct batch *batch)
{
    struct batch twice = {0};
    for (int f = 0; f < FIELDS; f++) {
        const struct field *from = &batch->field[f];
        int32_t *token = ARENA_ARRAY(arena, int32_t, 2 * from->T);
        int32_t *start = ARENA_ARRAY(arena, int32_t, 2 * from->B + 1);
        for (int b = 0; b < 2 * from->B; b++) {
            const int n = from->start[b / 2 + 1] - from->start[b / 2];
            start[b + 1] = start[b] + n;
            for (int t = 0; t < n; t++) {
                int32_t word = from->token[from->start[b / 2] + t];
                if (f == FIELD_TARGET && b % 2 && t >= n / 2) word = (word + 7) % TEST_TARGET;
                token[start[b] + t] = word;
            }
        }
        twice.field[f] = (struct field){.T = start[2 * from->B], .B = 2 * from->B,
                                        .longest = from->longest, .token = token, .start = start};
    }
    return twice;
}

static void swap_rows(struct live *a, struct live *b)
{
    const struct live c = *a;
    *a = *b;
    *b = c;
}

/* Rows of one sentence share one row until they differ; then the second takes over the slots of the
 * first. From step 3 on the order of rows changes at every step, rows of ended sentences go. */
static void step_is_whole(void **state)
{
    struct model m;
    struct stepper s;
    model_open(&m, ops_fence(cpu_ops()), *state, TEST_TARGET, 5);
    stepper_open(&s, &m);
    for (uint32_t seed = 0; seed < 3; seed++) {
        struct arena arena = {0};
        struct batch single = test_batch(&arena, seed, 6, 10);
        struct batch batch = doubled(&arena, &single);
        const struct field *target = &batch.field[FIELD_TARGET];
        const real *expected = whole_logits(&m, &arena, &batch);
        struct live live[ROWS];
        int rows = 0, compared = 0;
        for (int b = 0; b < target->B; b += 2) live[rows++] = (struct live){.sentence = b};
        for (int t = 0; t < target->longest; t++) {
            for (int r = 0; r < rows;) /* sentences that have ended leave */
                if (target->start[live[r].sentence + 1] - target->start[live[r].sentence] <= t)
                    live[r] = live[--rows];
                else
                    r++;
            for (int r = 0, before = rows; r < before; r++) {
                const int b = live[r].sentence;
                /* Token t-1 differs for the first time: two rows, one past. */
                const int n = target->start[b + 1] - target->start[b];
                if (b % 2 == 0 && t == n / 2 + 1) {
                    live[rows] = live[r];
                    live[rows++].sentence = b + 1;
                }
            }
            if (t >= 3)
                for (int r = 0; r < rows; r++) swap_rows(&live[r], &live[(r * 5 + t) % rows]);
            step_rows(&s, &batch, live, rows, t);
            real *got = ARENA_ARRAY(&arena, real, rows * TEST_TARGET + 1);
            graph_read(s.graph, graph_find(s.graph, "logits"), got);
            for (int r = 0; r < rows; r++)
                for (int v = 0; v < TEST_TARGET; v++, compared++) {
                    const double want =
                        expected[(target->start[live[r].sentence] + t) * TEST_TARGET + v];
                    if (!(fabs(got[r * TEST_TARGET + v] - want) <= EXACT * (1 + fabs(want))))
                        fail_msg("sentence %d, step %d, word %d: %.17g, expected %.17g",
                                 live[r].sentence, t, v, got[r * TEST_TARGET + v], want);
                }
        }
        assert_true(compared > single.field[FIELD_TARGET].T * TEST_TARGET);
        arena_free(&arena);
    }
    stepper_close(&s);
    model_close(&m);
}

/* Of one sentence: log-probabilities of the word after token[0..count). */
static const double *next_words(struct model *m, struct arena *arena, const struct batch *batch,
                                int b, const int32_t *token, int count)
{
    const int V = m->translator->build.target_size;
    struct batch one = test_batch_part(arena, batch, b, b + 1);
    int32_t *padded = ARENA_ARRAY(arena, int32_t, count + 1), start[2] = {0, count + 1};
    if (count) memcpy(padded, token, (size_t)count * sizeof *token);
    padded[count] = VOCABULARY_EOS; /* no row sees it */
    one.field[FIELD_TARGET] = (struct field){count + 1, 1, count + 1, padded, start};
    const real *last = whole_logits(m, arena, &one) + (int64_t)count * V;
    double *log_probability = ARENA_ARRAY(arena, double, V), top = last[0], sum = 0;
    for (int v = 1; v < V; v++) top = fmax(top, last[v]);
    for (int v = 0; v < V; v++) sum += exp(last[v] - top);
    for (int v = 0; v < V; v++) log_probability[v] = last[v] - top - log(sum);
    return log_probability;
}

static double score_of(const struct beam_options *options, double log_probability, int count)
{
    return log_probability / pow((5. + count) / 6, options->length_penalty);
}

/* The best word after the best word, each from a run over the whole sentence so far. */
static struct hypothesis plain_greedy(struct model *m, struct arena *arena,
                                      const struct batch *batch, int b,
                                      const struct beam_options *options)
{
    const struct field *source = &batch->field[FIELD_SOURCE];
    const int V = m->translator->build.target_size;
    const int limit = source->start[b + 1] - source->start[b] + options->extra;
    int32_t *token = ARENA_ARRAY(arena, int32_t, limit);
    int count = 0;
    double sum = 0;
    while (count < limit && !(count && token[count - 1] == VOCABULARY_EOS)) {
        const double *word = next_words(m, arena, batch, b, token, count);
        int best = 0;
        for (int v = 1; v < V; v++)
            if (word[v] > word[best]) best = v;
        token[count++] = best;
        sum += word[best];
    }
    return (struct hypothesis){score_of(options, sum, count), count, token};
}

static void same_hypothesis(int b, const struct hypothesis *got, const struct hypothesis *expected)
{
    if (!(fabs(got->score - expected->score) <= EXACT * (1 + fabs(expected->score))))
        fail_msg("sentence %d: score %.17g, expected %.17g", b, got->score, expected->score);
    assert_int_equal(got->count, expected->count);
    assert_memory_equal(got->token, expected->token, (size_t)got->count * sizeof *got->token);
}

static bool ended(const struct hypothesis *hypothesis)
{
    return hypothesis->token[hypothesis->count - 1] == VOCABULARY_EOS;
}

/* Of six words <eos> is the best one now and then, which depends on the model. */
static void beam_1_is_greedy(void **state)
{
    int ends = 0, cuts = 0;
    for (uint32_t seed = 1; seed <= 6; seed++) {
        struct model m;
        model_open(&m, cpu_ops(), *state, 6, seed);
        const struct beam_options options = {1, .6, seed % 2 ? 12 : 0};
        struct searcher *searcher = searcher_open(&m.arena, m.translator, &options, TEST_ROWS,
                                                  TEST_SENTENCES, TEST_LONGEST - 20);
        const struct batch batch = test_batch(&m.arena, seed, 8, 10);
        const struct translation *translation = searcher_run(searcher, &batch, &m.arena);
        for (int b = 0; b < 8; b++) {
            const struct hypothesis expected = plain_greedy(&m, &m.arena, &batch, b, &options);
            assert_int_equal(translation[b].count, 1);
            same_hypothesis(b, &translation[b].hypothesis[0], &expected);
            *(ended(&expected) && expected.count > 1 ? &ends : &cuts) += 1;
        }
        searcher_close(searcher);
        model_close(&m);
    }
    assert_true(ends && cuts); /* both ways to stop were met */
}

struct best { /* of all sentences that end in time */
    int count;
    struct hypothesis hypothesis[32];
};

static int by_score(const void *a, const void *b)
{
    const double x = ((const struct hypothesis *)a)->score;
    const double y = ((const struct hypothesis *)b)->score;
    return x > y ? -1 : x < y;
}

static void enumerate(struct model *m, struct arena *arena, const struct batch *batch, int b,
                      const struct beam_options *options, const int32_t *token, int count,
                      double sum, int limit, struct best *best)
{
    const double *word = next_words(m, arena, batch, b, token, count);
    for (int v = 0; v < m->translator->build.target_size; v++) {
        int32_t *longer = ARENA_ARRAY(arena, int32_t, count + 1);
        if (count) memcpy(longer, token, (size_t)count * sizeof *token);
        longer[count] = v;
        if (v == VOCABULARY_EOS) {
            assert_true(best->count < 32);
            best->hypothesis[best->count++] = (struct hypothesis){
                score_of(options, sum + word[v], count + 1), count + 1, longer};
        } else if (count + 1 < limit) {
            enumerate(m, arena, batch, b, options, longer, count + 1, sum + word[v], limit, best);
        }
    }
}

/* Sources of one token (<eos> alone) and of two: with a beam as wide as the tree of all sentences
 * in reach is, nothing is lost. The vocabulary has fewer words than 2 beam. */
static void wide_beam_finds_all(void **state)
{
    (void)state;
    enum { WORDS = 5, BEAM = 64 };
    struct model m;
    model_open(&m, cpu_ops(), PRE, WORDS, 5);
    static const int32_t tokens[] = {VOCABULARY_EOS, 7, VOCABULARY_EOS}, start[] = {0, 1, 3};
    static const int32_t nothing[3];
    const struct batch batch = {.field[FIELD_SOURCE] = {3, 2, 2, tokens, start},
                                .field[FIELD_TARGET] = {0, 2, 0, nothing, nothing}};
    static const int found[2][2] = {{1, 5}, {5, 21}}; /* sums of 4^k: <eos> after k other words */
    for (int extra = 0; extra <= 1; extra++) {
        struct arena arena = {0};
        const struct beam_options options = {.beam = BEAM, .length_penalty = 1, .extra = extra};
        struct searcher *searcher = searcher_open(&arena, m.translator, &options, 3, 2, 2);
        const struct translation *translation = searcher_run(searcher, &batch, &arena);
        for (int b = 0; b < 2; b++) {
            struct best *best = ARENA_NEW(&arena, struct best);
            enumerate(&m, &arena, &batch, b, &options, NULL, 0, 0, b + 1 + extra, best);
            qsort(best->hypothesis, (size_t)best->count, sizeof *best->hypothesis, by_score);
            assert_int_equal(best->count, found[extra][b]);
            assert_int_equal(translation[b].count, best->count);
            for (int k = 0; k < best->count; k++)
                same_hypothesis(b, &translation[b].hypothesis[k], &best->hypothesis[k]);
        }
        searcher_close(searcher);
        arena_free(&arena);
    }
    model_close(&m);
}

/* Twelve sentences at once, in the other order, and one by one. */
static void neighbors_do_not_matter(void **state)
{
    struct model m;
    model_open(&m, cpu_ops(), *state, 11, 5);
    struct arena arena = {0};
    static const struct beam_options options[] = {{4, .6, 8}, {8, 0, 0}};
    for (size_t o = 0; o < COUNT_OF(options); o++) {
        struct searcher *searcher = searcher_open(&arena, m.translator, &options[o], TEST_ROWS,
                                                  TEST_SENTENCES, TEST_LONGEST - 20);
        const struct batch batch = test_batch(&arena, 21 + (uint32_t)o, 12, 10);
        const struct translation *together = searcher_run(searcher, &batch, &arena);
        for (int b = 0; b < 12; b++) {
            const struct batch one = test_batch_part(&arena, &batch, b, b + 1);
            const struct batch three = test_batch_part(&arena, &batch, b > 1 ? b - 2 : 0, b + 1);
            const struct translation *alone = searcher_run(searcher, &one, &arena);
            const struct translation *last = searcher_run(searcher, &three, &arena);
            last += three.field[FIELD_SOURCE].B - 1;
            assert_true(together[b].count >= 1 && together[b].count <= options[o].beam);
            assert_int_equal(alone->count, together[b].count);
            assert_int_equal(last->count, together[b].count);
            const int limit = one.field[FIELD_SOURCE].T + options[o].extra;
            for (int k = 0; k < alone->count; k++) {
                same_hypothesis(b, &alone->hypothesis[k], &together[b].hypothesis[k]);
                same_hypothesis(b, &last->hypothesis[k], &together[b].hypothesis[k]);
                assert_in_range(alone->hypothesis[k].count, 1, limit);
                if (k) assert_true(alone->hypothesis[k].score <= alone->hypothesis[k - 1].score);
                assert_true(alone->count == 1 || ended(&alone->hypothesis[k]));
            }
        }
        searcher_close(searcher);
    }
    arena_free(&arena);
    model_close(&m);
}

#define VARIANT(test, yaml) {#test " " #yaml, test, NULL, NULL, (void *)(uintptr_t)yaml}

int main(void)
{
    const struct CMUnitTest tests[] = {
        VARIANT(step_is_whole, PRE),
        VARIANT(step_is_whole, POST),
        VARIANT(step_is_whole, SHARED_TARGET),
        VARIANT(step_is_whole, SHARED_ALL),
        VARIANT(step_is_whole, GATE),
        VARIANT(step_is_whole, CONCAT),
        VARIANT(beam_1_is_greedy, PRE),
        VARIANT(beam_1_is_greedy, POST),
        VARIANT(neighbors_do_not_matter, PRE),
        VARIANT(neighbors_do_not_matter, GATE),
        cmocka_unit_test(wide_beam_finds_all),
    };
    omp_set_num_threads(1);
    return cmocka_run_group_tests_name("step", tests, NULL, NULL);
}
