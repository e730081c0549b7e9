/* Tests probes/localness and probes/kept_rows. Centers and windows of every position equal the
 * equations of Yang et al. 2018, which are computed here from queries and weights. Also tests
 * models that predict no center and no window. */
#include "tests/support/test.h"

#include "probes/kept_rows.h"
#include "probes/localness.h"
#include "tests/support/seeded_model.h"
#include "tests/support/made_corpus.h"

enum { D = 8, H = 2 };

/* Layer 1 predicts center and window. Layer 2 has a window per head, and its center is the query
 * itself. Layer 3 has a fixed window of 10, and only one head has the term. Layer 4 has no term.
 * Layer 5 has one window for all queries. */
static const char local[] =
    "model: {width: 8, heads: 2, feedforward: 12}\n"
    "decoder: {layers: 1}\n"
    "encoder: {layers: 5, attention: [{layers: 1, terms: [localness]}, {layers: 2, terms: [{gauss: "
    "{center: self, window: head}}]}, {layers: 3, terms: [{gauss: {window: {fixed: 10}, heads: "
    "1}}]}, {layers: 5, terms: [{gauss: {center: self, window: layer}}]}]}\n";

static struct translator_options options;
static struct frozen *frozen;

static const real *weight(const char *path)
{
    const struct parameter *parameter = parameter_find(&frozen->model->parameters, path);
    assert_non_null(parameter);
    return frozen->model->parameters.master + parameter->offset;
}

static double sigmoid(double x)
{
    return 1 / (1 + exp(-x));
}

/* Computes column c of tanh(q W + b) U + e. The hidden layer has `width` units, and U has `columns`
 * columns. `of` is "" for a query, and "key_" for the mean key. */
static double predicted(const char *path, const char *of, const real *q, int width, int columns,
                        int c)
{
    const char *at = arena_print(&arena, "%s.gauss.%s", path, of);
    const real *W = weight(arena_print(&arena, "%shidden.weight", at)),
               *b = weight(arena_print(&arena, "%shidden.bias", at)),
               *U = weight(arena_print(&arena, "%srows.weight", at)),
               *e = weight(arena_print(&arena, "%srows.bias", at));
    double z = (double)e[c];
    for (int k = 0; k < width; k++) {
        double u = (double)b[k];
        for (int i = 0; i < D; i++) u += (double)q[i] * (double)W[i * width + k];
        z += tanh(u) * (double)U[k * columns + c];
    }
    return z;
}

/* Returns the queries or keys of a layer for one sentence. */
static const real *queries(const struct split *split, int32_t sentence, const char *path,
                           const char *what)
{
    return rows_alone(frozen->model, split, sentence, arena_print(&arena, "%s.%s", path, what));
}

/* Checks center and window of one row of the result against the equations. */
static void expect_row(const float *row, const struct split *split)
{
    const int layer = (int)row[LOCALNESS_LAYER], h = (int)row[LOCALNESS_HEAD] - 1;
    const int s = (int)row[LOCALNESS_SENTENCE] - 1, t = (int)row[LOCALNESS_POSITION];
    const int64_t *start = split->side[SIDE_SOURCE].start;
    const double I = (double)(start[s + 1] - start[s]);
    const char *path = arena_print(&arena, "encoder.%d.attention", layer);
    const real *q = queries(split, s, path, "query") + t * D;
    double P = t, window = 10;
    if (layer == 1) {
        P = (I - 1) * sigmoid(predicted(path, "", q, D, 2 * H, h));
        window = I * sigmoid(predicted(path, "", q, D, 2 * H, H + h)) + 0.1;
    } else if (layer == 2) {
        window = 50 * sigmoid((double)weight("encoder.2.attention.gauss.head.weight")[h]) + 0.1;
    } else if (layer == 3) {
        P = (I - 1) * sigmoid(predicted(path, "", q, D / H, 1, 0));
    } else {
        const real *key = queries(split, s, path, "key");
        real mean[D] = {0};
        for (int j = 0; j < (int)I; j++)
            for (int i = 0; i < D; i++) mean[i] += key[j * D + i] / (real)I;
        window = I * sigmoid(predicted(path, "key_", mean, D, H, h)) + 0.1;
    }
    assert_float_equal(row[LOCALNESS_KEYS], I, 0);
    assert_float_equal(row[LOCALNESS_CENTER], P, 1e-4);
    assert_float_equal(row[LOCALNESS_WINDOW], window, 1e-4);
}

TEST(as_the_equations_say)
{
    made_put_all("abc b\na b abc c\n\n", "x\ny\nz\n");
    made_put("train.xx", "abc b\na b abc c\n");
    made_put("train.yy", "x\ny\n");
    made_options.merges = 0; /* pieces are letters, so abc has three */
    struct corpus *corpus = made_prepare();
    options = options_of(local);
    frozen = frozen_start(corpus, &options, 3);
    const struct split all = corpus->split[SPLIT_DEV];
    assert_int_equal(all.sentences, 3);
    const struct localness got = localness_measure(frozen, &all, &arena);
    const int positions = 5 + 7 + 1;
    assert_int_equal(got.rows, (2 + 2 + 1 + 2) * positions);
    for (int64_t r = 0; r < got.rows; r++) {
        const float *row = got.number + r * LOCALNESS_COLUMNS;
        const int64_t block = r / positions;
        static const int layer[] = {1, 1, 2, 2, 3, 5, 5}, head[] = {1, 2, 1, 2, 1, 1, 2};
        assert_float_equal(row[LOCALNESS_LAYER], layer[block], 0);
        assert_float_equal(row[LOCALNESS_HEAD], head[block], 0);
        expect_row(row, &all);
    }
    struct split first = all;
    first.sentences = 1;
    assert_int_equal(localness_measure(frozen, &first, &arena).rows, 7 * 5);
    struct kept_rows none = {.path = "encoder.4.attention.gauss.center"};
    EXPECT_DIE("encoder.4.attention.gauss.center",
               kept_rows_measure(frozen, &first, NULL, &none, 1, &arena));
    frozen_close(frozen);
}

TEST(an_encoder_without_terms)
{
    struct corpus *corpus = made_prepare();
    options = options_of("model: {width: 8, heads: 2, feedforward: 12}\n"
                         "decoder: {layers: 1}\nencoder: {stack: [{onlstm: {layers: 1, chunk: 4}}, "
                         "{san: 1}]}\n");
    frozen = frozen_start(corpus, &options, 3);
    assert_false(localness_any(&options.encoder));
    const struct split all = corpus->split[SPLIT_DEV];
    EXPECT_DIE("no layer of the encoder has a gauss term", localness_measure(frozen, &all, &arena));
    /* A batch of all sentences gives the same rows as single sentences, for each of two paths. */
    struct kept_rows kept[] = {{.path = "encoder.1.master_forget"},
                               {.path = "encoder.1.master_input"}};
    kept_rows_measure(frozen, &all, NULL, kept, 2, &arena);
    assert_true(kept[0].columns >= 2);
    const int64_t *start = all.side[SIDE_SOURCE].start;
    const int columns = kept[0].columns;
    for (int32_t s = 0; s < all.sentences; s++)
        for (int k = 0; k < 2; k++) {
            const real *alone = rows_alone(frozen->model, &all, s, kept[k].path);
            for (int64_t i = 0; i < (start[s + 1] - start[s]) * columns; i++)
                assert_float_equal(kept[k].number[start[s] * columns + i], alone[i], 1e-5);
        }
    frozen_close(frozen);
}

EACH_TEST(made_begin);
