/* Tests probes/vectors.h. Vectors of every path are compared with rows of sentences that go through
 * the encoder one by one and are pooled here. The path `bag` is compared with rows of the embedding
 * table. Paths that do not exist are refused. */
#include "tests/support/test.h"

#include "probes/vectors.h"
#include "tests/support/seeded_model.h"
#include "tests/support/made_corpus.h"

enum { WIDTH = 8 };

static const char model_text[] = "model: {width: 8, heads: 2, feedforward: 12}\n"
                                 "encoder: {stack: [{onlstm: 1}, {san: 1}]}\n"
                                 "decoder: {layers: 1}\n";
static const char *const paths[] = {"bag", "encoder.1", "encoder.group.1", "encoder.group.1.raw",
                                    "encoder.output"};

static struct translator_options options;
static struct corpus *corpus;

BEFORE(all)
{
    made_begin();
    made_put_all("the house is small\nthe houses are small\nmouse\nthe mouse is small the house is "
                 "small\n",
                 "das Haus\ndie\nMaus\ndie Maus\n");
    corpus = made_prepare();
    options = options_of(model_text);
}

AFTER(all)
{
    corpus_close(corpus);
}

/* Returns the rows of one sentence at a path, [n][WIDTH]. */
static const real *rows_of(const struct frozen *frozen, const struct split *split, int32_t sentence,
                           const char *path, int n)
{
    if (strcmp(path, "bag") != 0) return rows_alone(frozen->model, split, sentence, path);
    const struct side *side = &split->side[SIDE_SOURCE];
    const struct parameters *parameters = &frozen->model->parameters;
    const struct parameter *table = parameter_find(parameters, "source.embedding");
    if (!table) table = parameter_find(parameters, "embedding");
    const real *of = parameters->master + table->offset;
    real *row = ARENA_ARRAY(&arena, real, n * WIDTH);
    for (int t = 0; t < n; t++)
        for (int c = 0; c < WIDTH; c++)
            row[t * WIDTH + c] =
                (real)sqrt(WIDTH) * of[side->token[side->start[sentence] + t] * WIDTH + c];
    return row;
}

static double pooled(const real *row, int n, int column, struct vectors_form form)
{
    const int count = form.end ? n : n - 1;
    double sum = 0, most = -INFINITY, last = 0;
    for (int t = 0; t < count; t++) {
        last = (double)row[t * WIDTH + column];
        sum += last / count;
        if (last > most) most = last;
    }
    if (!count) return 0;
    return form.pooling == POOL_MEAN ? sum : form.pooling == POOL_MAX ? most : last;
}

static void expect_pooled(struct vectors_form form)
{
    const struct split *split = &corpus->split[SPLIT_TRAIN];
    const int64_t *start = split->side[SIDE_SOURCE].start;
    struct frozen *frozen = frozen_start(corpus, &options, 3);
    const struct kept_rows *vectors =
        vectors_measure(frozen, split, form, paths, COUNT_OF(paths), &arena);
    for (size_t p = 0; p < COUNT_OF(paths); p++) {
        assert_int_equal(vectors[p].rows, split->sentences);
        assert_int_equal(vectors[p].columns, WIDTH);
        for (int s = 0; s < split->sentences; s++) {
            const int n = (int)(start[s + 1] - start[s]);
            const real *row = rows_of(frozen, split, s, paths[p], n);
            for (int c = 0; c < WIDTH; c++)
                assert_float_equal(vectors[p].number[s * WIDTH + c], pooled(row, n, c, form), 1e-5);
        }
    }
    frozen_close(frozen);
}

TEST(vectors_are_pooled_rows)
{
    assert_true(corpus->split[SPLIT_TRAIN].sentences > 3);
    for (int end = 0; end < 2; end++) {
        expect_pooled((struct vectors_form){POOL_MEAN, end});
        expect_pooled((struct vectors_form){POOL_MAX, end});
        expect_pooled((struct vectors_form){POOL_LAST, end});
    }
}

/* The bits of a path depend neither on other kept paths nor on the number of sentences in a
 * batch. */
TEST(a_path_alone_has_the_same_bits)
{
    const struct split *split = &corpus->split[SPLIT_TRAIN];
    const struct vectors_form form = {POOL_MEAN, true};
    struct frozen *frozen = frozen_start(corpus, &options, 3);
    const struct kept_rows *all =
        vectors_measure(frozen, split, form, paths, COUNT_OF(paths), &arena);
    for (size_t p = 0; p < COUNT_OF(paths); p++) {
        const struct kept_rows *one = vectors_measure(frozen, split, form, &paths[p], 1, &arena);
        assert_memory_equal(one->number, all[p].number,
                            (size_t)split->sentences * WIDTH * sizeof(float));
    }
    frozen_close(frozen);
}

TEST(another_start_has_other_vectors)
{
    const struct split *split = &corpus->split[SPLIT_TRAIN];
    const struct vectors_form form = {POOL_MEAN, true};
    struct frozen *frozen[2] = {frozen_start(corpus, &options, 1),
                                frozen_start(corpus, &options, 2)};
    const struct kept_rows *vectors[2];
    for (int i = 0; i < 2; i++)
        vectors[i] = vectors_measure(frozen[i], split, form, paths, 1, &arena);
    assert_memory_not_equal(vectors[0]->number, vectors[1]->number, WIDTH * sizeof(float));
    for (int i = 0; i < 2; i++) frozen_close(frozen[i]);
}

TEST(paths_are_checked)
{
    const struct location location = {"g.yaml", 3, 7};
    for (size_t p = 0; p < COUNT_OF(paths); p++)
        assert_int_equal(vectors_width(&options, paths[p], location, "keep"), WIDTH);
    EXPECT_DIE("no path \"encoder.outptu\"; nearest is \"encoder.output\"",
               vectors_width(&options, "encoder.outptu", location, "keep"));
    EXPECT_DIE("g.yaml:3:7: keep: the encoder has no path \"encoder.group.3\"",
               vectors_width(&options, "encoder.group.3", location, "keep"));
    EXPECT_DIE("no path \"encoder.9\"; its layers are encoder.1 to encoder.2",
               vectors_width(&options, "encoder.9", location, "keep"));
    EXPECT_DIE("no path \"decoder.output\"",
               vectors_width(&options, "decoder.output", location, "keep"));
}
