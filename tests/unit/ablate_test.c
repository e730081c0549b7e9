/* Tests probes/ablate. The loss without a part equals the loss of the same model if the weights
 * that read the part are set to 0. Also tests overwritten values of an inference list, gates held
 * for the words of a class, and mean rises. */
#include "tests/support/test.h"

#include "core/tensor/overwrite.h"
#include "probes/ablate.h"
#include "core/base/rank.h"
#include "tests/support/seeded_model.h"
#include "tests/support/made_corpus.h"

enum { D = 8, H = 2 };
static const char hybrid[] =
    "model: {width: 8, heads: 2, feedforward: 12}\n"
    "decoder: {layers: 1}\n"
    "encoder: {stack: [{san: 2}, {lstm: 1}, {san: 1}], attention: ["
    "{layers: 1, branches: [global, {window: 1}], fusion: gate}, "
    "{layers: 2, branches: [global, {window: 1}], fusion: concat}, "
    "{layers: 4, branches: [global, {window: 2}], fusion: {gate: {source: input}}}]}\n";

static struct {
    struct translator_options options;
    struct corpus *corpus;
    struct frozen *frozen;
    const struct split *dev;
} made;

static void make(void)
{
    made.corpus = made_prepare();
    made.dev = &made.corpus->split[SPLIT_DEV];
    made.options = options_of(hybrid);
    made.frozen = frozen_start(made.corpus, &made.options, 3);
}

static double sum_of(const struct likelihood *of)
{
    double nats = 0;
    for (int s = 0; s < made.dev->sentences; s++) nats += of[s].nats;
    return nats;
}

static double loss(void)
{
    return sum_of(likelihood_split(made.frozen, made.dev, &arena));
}

/* Sets rows [row, row + rows) and columns [column, column + columns) of a parameter to 0. */
static void clear(const char *path, int row, int rows, int column, int columns)
{
    struct parameters *parameters = &made.frozen->model->parameters;
    const struct parameter *p = parameter_find(parameters, path);
    assert_non_null(p);
    for (int r = row; r < row + rows; r++)
        for (int c = column; c < column + columns; c++)
            parameters->master[p->offset + r * p->columns + c] = 0;
    parameters_refresh(parameters);
}

static double rise_of(const struct ablations *all, const char *name, int layer, int head)
{
    for (int i = 0; i < all->count; i++) {
        if (all->of[i].layer != layer || all->of[i].head != head ||
            strcmp(all->of[i].name ? all->of[i].name : "all", name) != 0)
            continue;
        double nats = 0;
        int64_t tokens = 0;
        for (int s = 0; s < made.dev->sentences; s++) {
            nats += all->rise[i * made.dev->sentences + s].nats;
            tokens += all->rise[i * made.dev->sentences + s].tokens;
        }
        assert_int_equal(tokens, made.dev->side[SIDE_TARGET].start[made.dev->sentences]);
        return nats;
    }
    fail_msg("there is no %s of layer %d", name, layer);
    return NAN;
}

/* Removes the effect of a layer's attention: sets the weights of its output projection, which has
 * `columns` inputs, and the bias to 0. */
static void silence(int layer, int columns)
{
    const char *path = arena_print(&arena, "encoder.%d.attention.output", layer);
    clear(arena_print(&arena, "%s.weight", path), 0, columns, 0, D);
    clear(arena_print(&arena, "%s.bias", path), 0, 1, 0, D);
}

/* Returns how much the loss exceeds `whole` because of the cleared weights. Then restores the
 * weights. */
static double cleared(double whole)
{
    const double now = loss();
    frozen_load(made.frozen, 0);
    assert_true(fabs(now - whole) > 1e-4);
    return now - whole;
}

TEST(parts_are_as_good_as_their_weights)
{
    make();
    const struct ablations all = ablate_parts(made.frozen, made.dev, &arena);
    /* Attention of all layers, then the parts of layers 1, 2 and 4: attention, 2 heads, 2 branches,
     * and gates held at 3 values. Layer 1 has gates of all heads together and of each head, layer 2
     * has none, layer 4 has one gate for all heads. The LSTM (layer 3) has no parts. */
    assert_int_equal(all.count, 1 + (1 + 2 + 2 + 3 + 6) + (1 + 2 + 2) + (1 + 2 + 2 + 3));
    const double whole = loss();

    clear("encoder.1.attention.output.weight", D / H, D / H, 0, D);
    assert_float_equal(rise_of(&all, "head", 1, 2), cleared(whole), 1e-4);
    clear("encoder.2.attention.output.weight", 0, D / H, 0, D); /* head 1, branches 1 and 2 */
    clear("encoder.2.attention.output.weight", D, D / H, 0, D);
    assert_float_equal(rise_of(&all, "head", 2, 1), cleared(whole), 1e-4);
    clear("encoder.2.attention.output.weight", D, D, 0, D);
    assert_float_equal(rise_of(&all, "branch 2", 2, 0), cleared(whole), 1e-4);
    clear("encoder.1.attention.gate.weight", 0, D, 0, H); /* the gate is sigmoid(0) = 0.5 */
    assert_float_equal(rise_of(&all, "gate 0.5", 1, 0), cleared(whole), 1e-4);
    clear("encoder.1.attention.gate.weight", 0, D, 1, 1);
    assert_float_equal(rise_of(&all, "gate 0.5", 1, 2), cleared(whole), 1e-4);
    clear("encoder.4.attention.gate.weight", 0, D, 0, 1);
    assert_float_equal(rise_of(&all, "gate 0.5", 4, 0), cleared(whole), 1e-4);
    silence(4, D);
    assert_float_equal(rise_of(&all, "attention", 4, 0), cleared(whole), 1e-4);
    silence(1, D), silence(2, 2 * D), silence(4, D);
    assert_float_equal(rise_of(&all, "all", 0, 0), cleared(whole), 1e-4);
    frozen_close(made.frozen);
}

/* With a gate of 0, the output is that of the first branch. Rows that are not selected are
 * unchanged. */
TEST(rows_that_are_chosen)
{
    make();
    enum { T = 64 };
    real gate[T * H], was[T * H], fused[T * D], branches[T * 2 * D];
    bool chosen[T];
    const int32_t sentence[] = {0, 1};
    struct graph *graph = model_list(made.frozen->model, &arena, GRAPH_INFER);
    struct value *gates = graph_keep(graph, "encoder.1.attention.gate");
    struct value *sum = graph_keep(graph, "encoder.1.attention.fused");
    struct value *both = graph_keep(graph, "encoder.1.attention.heads");
    const struct value *energy = graph_find(graph, "encoder.1.attention.gate.energy");
    graph_plan(graph, (struct capacity){{T, T}, 2, T});
    graph_place(graph);
    const struct batch batch = batch_pack(&arena, made.dev, sentence, 2);
    const int rows = batch.field[FIELD_SOURCE].T;
    graph_load(graph, &batch);
    graph_forward(graph);
    graph_read(graph, gates, was);
    for (int t = 0; t < rows; t++) chosen[t] = t % 3 == 1 || t == rows - 1;
    const struct overwrite shut = {energy, 1, 1, -10000};
    graph_overwrite(graph, &shut, 1, chosen);
    graph_forward(graph);
    graph_read(graph, gates, gate);
    graph_read(graph, sum, fused);
    graph_read(graph, both, branches);
    for (int t = 0; t < rows; t++) {
        assert_true(gate[t * H] == was[t * H]); /* head 1 is not overwritten */
        assert_true(chosen[t] ? gate[t * H + 1] < 1e-30 : gate[t * H + 1] == was[t * H + 1]);
        for (int c = D / H; c < D && chosen[t]; c++)
            assert_float_equal((double)fused[t * D + c], (double)branches[t * 2 * D + c], 1e-6);
    }
    graph_overwrite(graph, NULL, 0, NULL);
    graph_forward(graph);
    graph_read(graph, gates, gate);
    assert_memory_equal(gate, was, sizeof(real) * (size_t)(rows * H));
    graph_release(graph);
    frozen_close(made.frozen);
}

/* Overwrites more values than one write can hold. Every row is set, and other columns are
 * unchanged. */
TEST(many_rows)
{
    make();
    enum { S = 110, N = 20, T = S * N, COLUMNS = 2 * D, FIRST = 3, COUNT = 9 };
    int32_t token[T], sentence[S];
    int64_t start[S + 1];
    for (int t = 0; t < T; t++) token[t] = t % N == N - 1 ? VOCABULARY_EOS : VOCABULARY_FIRST;
    for (int s = 0; s <= S; s++) start[s] = s * N;
    for (int s = 0; s < S; s++) sentence[s] = s;
    const struct side side = {token, start};
    const struct split split = {S, {N, N}, {side, side}};
    struct graph *graph = model_list(made.frozen->model, &arena, GRAPH_INFER);
    struct value *heads = graph_keep(graph, "encoder.2.attention.heads");
    real *was = ARENA_ARRAY(&arena, real, T * COLUMNS),
         *got = ARENA_ARRAY(&arena, real, T * COLUMNS);
    graph_plan(graph, (struct capacity){{T, T}, S, N});
    graph_place(graph);
    const struct batch batch = batch_pack(&arena, &split, sentence, S);
    graph_load(graph, &batch);
    graph_forward(graph);
    graph_read(graph, heads, was);
    const struct overwrite some = {heads, FIRST, COUNT, 7};
    graph_overwrite(graph, &some, 1, NULL);
    graph_forward(graph);
    graph_read(graph, heads, got);
    for (int i = 0; i < T * COLUMNS; i++) {
        const bool replaced = i % COLUMNS >= FIRST && i % COLUMNS < FIRST + COUNT;
        assert_true(got[i] == (replaced ? 7 : was[i]));
    }
    graph_release(graph);
    frozen_close(made.frozen);
}

/* Returns tags of the dev text: the first word of the first sentence is A, all other words are B,
 * and no word is C. */
static const struct tagged_text *tag(void)
{
    struct tagged_text *text = ARENA_NEW(&arena, struct tagged_text);
    static const char *const names[] = {"A", "B", "C"};
    const int64_t *start = made.dev->side[SIDE_SOURCE].start;
    const int64_t pieces = start[made.dev->sentences];
    *text = (struct tagged_text){.split = *made.dev, .classes = 3, .name = names};
    text->first = ARENA_ARRAY(&arena, int32_t, made.dev->sentences + 1);
    text->word = ARENA_ARRAY(&arena, int32_t, pieces);
    text->class = ARENA_ARRAY(&arena, int32_t, pieces);
    text->pieces = ARENA_ARRAY(&arena, int32_t, pieces);
    for (int s = 0; s < made.dev->sentences; s++) {
        text->first[s] = text->words;
        for (int64_t p = start[s]; p < start[s + 1] - 1; p++) {
            text->class[text->words] = p > 0;
            text->pieces[text->words] = 1;
            text->word[p] = text->words++;
        }
        text->word[start[s + 1] - 1] = CORPUS_NO_WORD;
    }
    text->first[made.dev->sentences] = text->words;
    return text;
}

TEST(words_of_a_class)
{
    make();
    const struct tagged_text *text = tag();
    const int n = made.dev->sentences;
    const struct ablations half = ablate_classes(made.frozen, text, 0.5, &arena);
    assert_int_equal(half.count, 3 * 4);
    assert_int_equal(half.of[1 * 4].layer, 1);
    assert_int_equal(half.of[2 * 4].layer, 4);
    const struct rise *rise = half.rise; /* gates of both layers are held, for all words, A, B, C */
    const struct rise *a = rise + n, *b = a + n, *c = b + n;
    const int64_t *start = made.dev->side[SIDE_SOURCE].start;
    assert_int_equal(rise[0].tokens, start[1] - 1); /* number of source words, without <eos> */
    assert_int_equal(a[0].tokens, 1);
    assert_int_equal(b[0].tokens, start[1] - 2);
    assert_true(fabs(a[0].nats) > 1e-6 && fabs(b[0].nats) > 1e-6 && a[0].nats != b[0].nats);
    for (int s = 1; s < n; s++) {
        assert_int_equal(a[s].tokens, 0);
        assert_true(a[s].nats == 0);
        /* All words of these sentences are B. So the result for B is the result for all words. */
        assert_true(b[s].nats == rise[s].nats && b[s].tokens == rise[s].tokens);
    }
    for (int s = 0; s < n; s++) assert_true(c[s].tokens == 0 && c[s].nats == 0);
    /* Gates held at 1/2 for all words of layer 1 have another rise than gates held for all tokens,
     * because <eos> has a gate, too. */
    const struct ablations all = ablate_parts(made.frozen, made.dev, &arena);
    double words = 0;
    for (int s = 0; s < n; s++) words += rise[4 * n + s].nats;
    assert_true(fabs(words - rise_of(&all, "gate 0.5", 1, 0)) > 1e-6);
    frozen_close(made.frozen);
}

/* The mean is 12 nats / 6 words = 2 nats. A sentence without words is not counted. */
TEST(means_of_rises)
{
    const struct rise rise[] = {{1, 1}, {2, 1}, {0, 0}, {3, 2}, {6, 2}};
    const struct rise_mean mean = rise_mean(rise, 5);
    assert_float_equal(mean.mean, 2, 1e-12);
    assert_int_equal(mean.tokens, 6);
    assert_int_equal(mean.sentences, 4);
    assert_true(mean.low >= 1 && mean.low < 2 && mean.high > 2 && mean.high <= 3);
    /* The delta method gives about sqrt(sum (nats - 2 words)^2) / (sum of words) = sqrt(6) / 6 =
     * 0.41. */
    assert_float_equal(mean.error, 0.4, 0.12);
    const struct rise_mean one = rise_mean(rise, 1);
    assert_float_equal(one.mean, 1, 0);
    assert_true(isnan(one.error) && isnan(one.low));
    assert_true(isnan(rise_mean(rise + 2, 1).mean));
}

TEST(ranks)
{
    const double x[] = {0.1, 0.2, 0.3, 0.4}, up[] = {1, 10, 100, 1000}, down[] = {4, 3, 2, 1};
    const double tied[] = {1, 2, 2, 3}, mixed[] = {1, 3, 2, 4}, same[] = {5, 5, 5, 5};
    assert_float_equal(rank_correlation(x, up, 4), 1, 1e-12);
    assert_float_equal(rank_correlation(x, down, 4), -1, 1e-12);
    /* Spearman's correlation: 1 - 6 sum d^2 / (n (n^2 - 1)) = 1 - 12 / 60 */
    assert_float_equal(rank_correlation(x, mixed, 4), 0.8, 1e-12);
    /* The ranks of `tied` are 1, 2.5, 2.5, 4. The correlation is 4.5 / sqrt(5 * 4.5). */
    assert_float_equal(rank_correlation(x, tied, 4), 0.9486832980505138, 1e-12);
    assert_true(isnan(rank_correlation(x, same, 4)) && isnan(rank_correlation(x, up, 2)));
}

EACH_TEST(made_begin);
