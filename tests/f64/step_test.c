/* Word-by-word decoding, in double. The step list computes the same as the infer list of the whole
 * sentence, also when rows are reordered or dropped (on fenced memory). Searches are checked
 * against simpler ones. */
#include "tests/support/test.h"

#include "core/config/tree_read.h"
#include "core/cpu/cpu.h"
#include "tests/support/fence.h"
#include "tests/support/test_model.h"

static const double EXACT = 1e-12;

#define MODEL(options) "model: {width: 28, heads: 4, feedforward: 30" options "}\n"
#define LAYERS(attention) "decoder.layers: 2\nencoder: {layers: 2, attention: [" attention "]}\n"
#define PRE MODEL(", source_bias: true") LAYERS("")
#define POST MODEL(", norm: post") LAYERS("")
#define SHARED_TARGET MODEL(", share: target") LAYERS("")
#define SHARED_ALL MODEL(", share: all, norm: post") LAYERS("")
#define GATE MODEL("") LAYERS("{layers: 1, branches: [global, {window: 1}], fusion: gate}")
#define BRANCHES "[{window: 2}, global, {window: 1}]"
#define CONCAT MODEL("") LAYERS("{layers: all, branches: " BRANCHES ", fusion: concat}")

/* A model without training, and its list for whole sentences. */
struct subject {
    struct arena arena;
    struct translator_options options;
    struct model *translator;
    struct graph *whole;
    struct value *logits; /* of `whole` */
};

static void model_open(struct subject *m, const struct ops *ops, const char *yaml, int target_size,
                       uint32_t seed)
{
    *m = (struct subject){0};
    struct tree *tree = tree_merge(&m->arena, NULL, tree_parse(&m->arena, "model.yaml", yaml));
    translator_options_read(&m->options, tree, &m->arena);
    const int words[SIDES] = {CHECK_WORDS, target_size};
    m->translator = translator_new(&m->arena, ops, &m->options, words, 0);
    m->whole = model_list(m->translator, m->translator->arena, GRAPH_INFER);
    m->logits = graph_keep(m->whole, "logits");
    model_place(m->translator, false, seed);
    graph_plan(m->whole, check_capacity);
    graph_place(m->whole);
    check_poison(m->whole);
}

static void model_close(struct subject *m)
{
    graph_release(m->whole);
    model_release(m->translator);
    arena_free(&m->arena);
}

/* Returns [T, V] of all target tokens in one pass: row t predicts the token after the tokens before
 * t. */
static const real *whole_logits(struct subject *m, const struct batch *batch)
{
    const struct step step = check_step(1);
    const struct value *logits = graph_find(m->whole, "logits");
    assert_true(isfinite(check_forward(m->whole, &step, batch)));
    real *rows = ARENA_ARRAY(&arena, real, batch->field[FIELD_TARGET].T * logits->columns);
    graph_read(m->whole, logits, rows);
    return rows;
}

static void step_is_whole(void **state)
{
    struct check_subject subject;
    struct finding finding = {0};
    check_open(&subject, ops_fence(cpu_ops()), "model.yaml", *state);
    check_steps(&subject, &finding);
    if (!finding.ok) fail_msg("%s", finding.where);
    check_close(&subject);
}

/* Returns the log-probabilities of the next word of sentence b after token[0..count). */
static const double *next_words(struct subject *m, const struct batch *batch, int b,
                                const int32_t *token, int count)
{
    const int V = m->logits->columns;
    struct batch one = test_batch_part(batch, b, b + 1);
    int32_t *padded = ARENA_ARRAY(&arena, int32_t, count + 1), start[2] = {0, count + 1};
    if (count) memcpy(padded, token, (size_t)count * sizeof *token);
    padded[count] = VOCABULARY_EOS; /* not visible to any row */
    one.field[FIELD_TARGET] = (struct field){count + 1, 1, count + 1, padded, start};
    const real *last = whole_logits(m, &one) + (int64_t)count * V;
    double *log_probability = ARENA_ARRAY(&arena, double, V), top = last[0], sum = 0;
    for (int v = 1; v < V; v++) top = fmax(top, last[v]);
    for (int v = 0; v < V; v++) sum += exp(last[v] - top);
    for (int v = 0; v < V; v++) log_probability[v] = last[v] - top - log(sum);
    return log_probability;
}

static double score_of(const struct beam_options *options, double log_probability, int count)
{
    return log_probability / pow((5. + count) / 6, options->length_penalty);
}

/* Greedy search in which each word comes from a run over the whole prefix. */
static struct hypothesis plain_greedy(struct subject *m, const struct batch *batch, int b,
                                      const struct beam_options *options)
{
    const struct field *source = &batch->field[FIELD_SOURCE];
    const int V = m->logits->columns;
    const int limit = source->start[b + 1] - source->start[b] + options->extra;
    int32_t *token = ARENA_ARRAY(&arena, int32_t, limit);
    int count = 0;
    double sum = 0;
    while (count < limit && !(count && token[count - 1] == VOCABULARY_EOS)) {
        const double *word = next_words(m, batch, b, token, count);
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

/* With six words <eos> is sometimes the best word, depending on the model. */
static void beam_1_is_greedy(void **state)
{
    int ends = 0, cuts = 0;
    for (uint32_t seed = 1; seed <= 6; seed++) {
        struct subject m;
        model_open(&m, cpu_ops(), *state, 6, seed);
        const struct beam_options options = {1, .6, seed % 2 ? 12 : 0};
        struct searcher *searcher =
            searcher_open(&m.arena, m.translator, &options,
                          (struct capacity){{CHECK_ROWS}, CHECK_SENTENCES, CHECK_LONGEST - 20});
        const struct batch batch = test_batch(seed, 8, 10);
        const struct translation *translation = searcher_run(searcher, &batch);
        for (int b = 0; b < 8; b++) {
            const struct hypothesis expected = plain_greedy(&m, &batch, b, &options);
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

static void enumerate(struct subject *m, const struct batch *batch, int b,
                      const struct beam_options *options, const int32_t *token, int count,
                      double sum, int limit, struct best *best)
{
    const double *word = next_words(m, batch, b, token, count);
    for (int v = 0; v < m->logits->columns; v++) {
        int32_t *longer = ARENA_ARRAY(&arena, int32_t, count + 1);
        if (count) memcpy(longer, token, (size_t)count * sizeof *token);
        longer[count] = v;
        if (v == VOCABULARY_EOS) {
            assert_true(best->count < 32);
            best->hypothesis[best->count++] =
                (struct hypothesis){score_of(options, sum + word[v], count + 1), count + 1, longer};
        } else if (count + 1 < limit) {
            enumerate(m, batch, b, options, longer, count + 1, sum + word[v], limit, best);
        }
    }
}

/* Sources of one token (<eos> alone) and of two. The beam is as wide as the tree of all reachable
 * sentences, so nothing is pruned. The vocabulary has fewer words than 2 beam. */
TEST(wide_beam_finds_all)
{
    enum { WORDS = 5, BEAM = 64 };
    struct subject m;
    model_open(&m, cpu_ops(), PRE, WORDS, 5);
    static const int32_t tokens[] = {VOCABULARY_EOS, 7, VOCABULARY_EOS}, start[] = {0, 1, 3};
    static const int32_t nothing[3];
    const struct batch batch = {.field[FIELD_SOURCE] = {3, 2, 2, tokens, start},
                                .field[FIELD_TARGET] = {0, 2, 0, nothing, nothing}};
    static const int found[2][2] = {{1, 5}, {5, 21}}; /* sums of 4^k: <eos> after k other words */
    for (int extra = 0; extra <= 1; extra++) {
        const struct beam_options options = {.beam = BEAM, .length_penalty = 1, .extra = extra};
        struct searcher *searcher =
            searcher_open(&arena, m.translator, &options, (struct capacity){{3}, 2, 2});
        const struct translation *translation = searcher_run(searcher, &batch);
        for (int b = 0; b < 2; b++) {
            struct best *best = ARENA_NEW(&arena, struct best);
            enumerate(&m, &batch, b, &options, NULL, 0, 0, b + 1 + extra, best);
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

/* If no best word is <eos> at the last step, the best unfinished hypothesis is returned. */
TEST(an_unfinished_one_is_the_best)
{
    enum { WORDS = 60 };
    struct subject m;
    model_open(&m, cpu_ops(), PRE, WORDS, 5);
    const struct beam_options options = {.beam = 3};
    struct searcher *searcher =
        searcher_open(&m.arena, m.translator, &options, (struct capacity){{3}, 1, 1});
    static const int32_t eos[] = {VOCABULARY_EOS}, start[] = {0, 1}, nothing[2];
    const struct batch batch = {.field[FIELD_SOURCE] = {1, 1, 1, eos, start},
                                .field[FIELD_TARGET] = {0, 1, 0, nothing, nothing}};
    const struct hypothesis expected = plain_greedy(&m, &batch, 0, &options);
    const struct translation *found = searcher_run(searcher, &batch);
    assert_false(ended(&expected));
    assert_int_equal(found->count, 1);
    same_hypothesis(0, found->hypothesis, &expected);
    searcher_close(searcher);
    model_close(&m);
}

/* All words are equally likely in every position, so every choice is a tie. The better parent wins,
 * then the lower id. If two hypotheses end at one step, the one of the better row wins. */
TEST(ties_are_broken)
{
    enum { WORDS = 3, BEAM = 3 };
    struct subject m;
    model_open(&m, cpu_ops(), PRE, WORDS, 5);
    struct parameters *parameters = &m.translator->parameters;
    const struct parameter *softmax = parameter_find(parameters, "target.softmax");
    for (int c = 0; c < softmax->rows * softmax->columns; c++)
        parameters->master[softmax->offset + c] = 0;
    parameters_refresh(parameters);
    const struct beam_options options = {.beam = BEAM, .extra = 2};
    struct searcher *searcher =
        searcher_open(&m.arena, m.translator, &options, (struct capacity){{3}, 1, 1});
    static const int32_t eos[] = {VOCABULARY_EOS}, start[] = {0, 1}, nothing[2];
    const struct batch batch = {.field[FIELD_SOURCE] = {1, 1, 1, eos, start},
                                .field[FIELD_TARGET] = {0, 1, 0, nothing, nothing}};
    const struct translation *found = searcher_run(searcher, &batch);
    static const int32_t token[BEAM][2] = {
        {VOCABULARY_EOS}, {0, VOCABULARY_EOS}, {2, VOCABULARY_EOS}};
    assert_int_equal(found->count, BEAM);
    for (int k = 0; k < BEAM; k++) {
        const int count = k ? 2 : 1;
        const struct hypothesis expected = {-count * log(WORDS), count, token[k]};
        same_hypothesis(0, &found->hypothesis[k], &expected);
    }
    searcher_close(searcher);
    model_close(&m);
}

/* Twelve sentences together, each one alone, and each as the last of at most three. */
static void neighbors_do_not_matter(void **state)
{
    struct subject m;
    model_open(&m, cpu_ops(), *state, 11, 5);
    static const struct beam_options options[] = {{4, .6, 8}, {8, 0, 0}};
    for (size_t o = 0; o < COUNT_OF(options); o++) {
        struct searcher *searcher =
            searcher_open(&arena, m.translator, &options[o],
                          (struct capacity){{CHECK_ROWS}, CHECK_SENTENCES, CHECK_LONGEST - 20});
        const struct batch batch = test_batch(21 + (uint32_t)o, 12, 10);
        const struct translation *together = searcher_run(searcher, &batch);
        for (int b = 0; b < 12; b++) {
            const struct batch one = test_batch_part(&batch, b, b + 1);
            const struct batch three = test_batch_part(&batch, b > 1 ? b - 2 : 0, b + 1);
            const struct translation *alone = searcher_run(searcher, &one);
            const struct translation *last = searcher_run(searcher, &three);
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
    model_close(&m);
}

#define VARIANT(test, yaml) test_add(0, test, yaml, "%s", #test " " #yaml)

int main(void)
{
    VARIANT(step_is_whole, PRE);
    VARIANT(step_is_whole, POST);
    VARIANT(step_is_whole, SHARED_TARGET);
    VARIANT(step_is_whole, SHARED_ALL);
    VARIANT(step_is_whole, GATE);
    VARIANT(step_is_whole, CONCAT);
    VARIANT(beam_1_is_greedy, PRE);
    VARIANT(beam_1_is_greedy, POST);
    VARIANT(neighbors_do_not_matter, PRE);
    VARIANT(neighbors_do_not_matter, GATE);
    omp_set_num_threads(1);
    return tests_run();
}
