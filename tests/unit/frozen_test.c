/* Tests core/model/frozen: the masters that each value of `checkpoint` selects. A pass computes
 * every sentence of a split once, in the documented order. The values equal those of each sentence
 * alone. */
#include "tests/support/test.h"

#include <omp.h>

#include "core/cpu/cpu.h"
#include "core/decode/likelihood.h"
#include "core/decode/translate_text.h"
#include "core/model/checkpoint.h"
#include "core/model/checkpoint_choice.h"
#include "core/train/validate.h"
#include "tests/support/seeded_model.h"
#include "tests/support/made_corpus.h"

enum { CHECKPOINTS = 3, FIRST_SEED = 11 }; /* step s has the parameters of seed FIRST_SEED + s */

static const char dev_source[] = "the house is small\n"
                                 "mouse\n"
                                 "the mouse is small the mouse is small the house is small\n"
                                 "the houses are small\n"
                                 "is\n"
                                 "the house\n"
                                 "the mouse is small\n";
static const char dev_target[] = "das Haus ist klein\n"
                                 "die Maus ist klein die Maus ist klein\n"
                                 "Maus\n"
                                 "die Häuser sind klein\n"
                                 "ist\n"
                                 "das Haus ist klein das Haus ist klein das Haus ist klein\n"
                                 "die\n";

static struct trained {
    struct translator_options options;
    struct corpus *corpus;
    const char *folder;
    const real *master[CHECKPOINTS + 1]; /* [step] */
    int64_t slab;                        /* number of elements of each */
    struct frozen_job job;
} trained;

BEFORE(each)
{
    made_begin();
    made_put("dev.xx", dev_source);
    made_put("dev.yy", dev_target);
    trained = (struct trained){.corpus = made_prepare(),
                               .folder = arena_text(&arena, test_folder("frozen_train"))};
    trained.options = options_of("model: {width: 8, heads: 2, feedforward: 12}\n"
                                 "encoder: {layers: 1}\ndecoder: {layers: 1}\n");
    static const char *const states[CHECKPOINTS + 1] = {
        NULL, "{\"best\": [[1, 3]], \"recent\": [1]}",
        "{\"best\": [[2, 2], [1, 3]], \"recent\": [1, 2]}",
        "{\"best\": [[2, 2], [1, 3]], \"recent\": [1, 2, 3]}"};
    for (int step = 1; step <= CHECKPOINTS; step++) {
        struct model *model = translator_of(&arena, cpu_ops(), &trained.options, trained.corpus, 0);
        model_place(model, true, (uint32_t)(FIRST_SEED + step));
        checkpoint_save(trained.folder, step, &model->parameters, NULL, states[step]);
        trained.slab = model->parameters.slab;
        real *copy = ARENA_ARRAY(&arena, real, trained.slab);
        model->parameters.ops->download(copy, model->parameters.master,
                                        (size_t)trained.slab * sizeof(real));
        trained.master[step] = copy;
        model_release(model);
    }
    trained.job = (struct frozen_job){.ops = cpu_ops(),
                                      .corpus = trained.corpus,
                                      .options = &trained.options,
                                      .train_folder = trained.folder,
                                      .checkpoint = "best"};
}

AFTER(each)
{
    corpus_close(trained.corpus);
}

static struct frozen *open_words(const char *words)
{
    trained.job.checkpoint = words;
    return frozen_open(&arena, &trained.job);
}

/* Checks that the loaded masters are the mean of the masters of these steps. The list ends with 0.
 * The masters of a single step must be equal bit for bit. */
static void expect_masters(const struct frozen *frozen, const int64_t step[])
{
    const struct parameters *parameters = &frozen->model->parameters;
    const size_t bytes = (size_t)trained.slab * sizeof(real);
    assert_int_equal(parameters->slab, trained.slab);
    real *got = ARENA_ARRAY(&arena, real, trained.slab);
    parameters->ops->download(got, parameters->master, bytes);
    if (!step[1]) {
        assert_memory_equal(got, trained.master[step[0]], bytes);
        return;
    }
    for (int64_t i = 0; i < trained.slab; i++) {
        double sum = 0;
        int count = 0;
        for (; step[count]; count++) sum += (double)trained.master[step[count]][i];
        assert_float_equal(got[i], sum / count, 1e-6);
    }
}

TEST(words_mean_models)
{
    static const struct {
        const char *words;
        int sets, steps;
        int64_t step[CHECKPOINTS];           /* in the order of selection */
        int64_t made_of[2][CHECKPOINTS + 1]; /* steps of each set; 0: end */
    } cases[] = {{"best", 1, 1, {2}, {{2}}},
                 {"last", 1, 1, {3}, {{3}}},
                 {"average(1)", 1, 1, {3}, {{3}}},
                 {"average(2)", 1, 2, {2, 3}, {{2, 3}}},
                 {"average(3)", 1, 3, {1, 2, 3}, {{1, 2, 3}}},
                 {"mean_of_best(1)", 1, 1, {2}, {{2}}},
                 {"mean_of_best(2)", 2, 2, {2, 1}, {{2}, {1}}}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct frozen *frozen = open_words(cases[i].words);
        assert_int_equal(frozen->sets, cases[i].sets);
        assert_int_equal(frozen->steps, cases[i].steps);
        for (int k = 0; k < frozen->steps; k++) assert_int_equal(frozen->step[k], cases[i].step[k]);
        assert_null(frozen->model->parameters.gradient);
        assert_null(frozen->model->parameters.m);
        for (int turn = 0; turn < 2; turn++) /* the second turn replaces masters */
            for (int set = 0; set < frozen->sets; set++) {
                frozen_load(frozen, set);
                assert_int_equal(frozen->set, set);
                expect_masters(frozen, cases[i].made_of[set]);
            }
        frozen_close(frozen);
    }
}

TEST(start_is_what_the_seed_gives)
{
    trained.job.train_folder = "build/tmp/there_is_no_checkpoint";
    trained.job.seed = FIRST_SEED + 2;
    struct frozen *frozen = open_words("start");
    assert_int_equal(frozen->sets, 1);
    assert_int_equal(frozen->steps, 0);
    frozen_load(frozen, 0);
    expect_masters(frozen, (const int64_t[]){2, 0});
    frozen_close(frozen);
}

static int length_of(const struct split *split, enum side_name side, int sentence)
{
    const int64_t *start = split->side[side].start;
    return (int)(start[sentence + 1] - start[sentence]);
}

/* Computes the negative log-likelihood of every target token of the split, with the model of a
 * step. Each batch has one sentence, and weights are not packed. */
static real *likelihood_by_hand(const struct split *split, int64_t step)
{
    const int64_t *start = split->side[SIDE_TARGET].start;
    struct model *model = translator_of(&arena, cpu_ops(), &trained.options, trained.corpus, 0);
    model_place(model, false, (uint32_t)(FIRST_SEED + step));
    real *nll = ARENA_ARRAY(&arena, real, start[split->sentences]);
    for (int32_t s = 0; s < split->sentences; s++)
        memcpy(nll + start[s], rows_alone(model, split, s, "loss.likelihood"),
               (size_t)length_of(split, SIDE_TARGET, s) * sizeof *nll);
    model_release(model);
    return nll;
}

/* Results of a pass: likelihoods in the order of the split, and sentences in the order of the
 * pass. */
struct seen {
    real *nll;
    int32_t *sentence;
    int count, batches;
};

static struct seen run_pass(struct pass *pass, int most)
{
    const struct split *split = pass->split;
    const int64_t *start = split->side[SIDE_TARGET].start;
    struct seen seen = {.nll = ARENA_ARRAY(&arena, real, start[split->sentences]),
                        .sentence = ARENA_ARRAY(&arena, int32_t, split->sentences)};
    real *nll = ARENA_ARRAY(&arena, real, pass->tokens);
    for (const struct batch *batch; (batch = pass_next(pass)); seen.batches++) {
        const struct field *field = &batch->field[FIELD_TARGET];
        assert_in_range(field->B, 1, most);
        assert_in_range(field->T, 1, pass->tokens);
        assert_in_range(batch->field[FIELD_SOURCE].T, 1, pass->tokens);
        graph_read(pass->graph, graph_find(pass->graph, "loss.likelihood"), nll);
        for (int b = 0; b < field->B; b++) {
            const int32_t s = batch->sentence[b];
            assert_true(seen.count < split->sentences);
            assert_int_equal(field->start[b + 1] - field->start[b],
                             length_of(split, SIDE_TARGET, s));
            memcpy(seen.nll + start[s], nll + field->start[b],
                   (size_t)(field->start[b + 1] - field->start[b]) * sizeof *nll);
            seen.sentence[seen.count++] = s;
        }
    }
    return seen;
}

/* Checks that every sentence occurs once. With PASS_IN_ORDER, the order is that of the file.
 * Otherwise the longest source is first, and ties are in file order. */
static void expect_order(const struct seen *seen, const struct split *split, enum pass_order order)
{
    assert_int_equal(seen->count, split->sentences);
    for (int i = 1; i < seen->count; i++) {
        const int before = seen->sentence[i - 1], now = seen->sentence[i];
        const int longer = length_of(split, SIDE_SOURCE, before),
                  length = length_of(split, SIDE_SOURCE, now);
        if (order == PASS_IN_ORDER)
            assert_int_equal(now, before + 1);
        else
            assert_true(length < longer || (length == longer && before < now));
    }
}

TEST(a_pass_is_each_sentence_alone)
{
    const struct split *split = &trained.corpus->split[SPLIT_DEV];
    const size_t bytes = (size_t)split->side[SIDE_TARGET].start[split->sentences] * sizeof(real);
    const real *expected[] = {likelihood_by_hand(split, 2), likelihood_by_hand(split, 1)};
    assert_int_equal(split->sentences, 7);
    assert_memory_not_equal(expected[0], expected[1], bytes);
    int longest = split->longest[SIDE_SOURCE];
    if (split->longest[SIDE_TARGET] > longest) longest = split->longest[SIDE_TARGET];
    static const struct pass_form forms[] = {
        {PASS_IN_ORDER, 12, 2}, {PASS_BY_LENGTH, 12, 3}, {PASS_BY_LENGTH, 2048, 128}};
    for (size_t f = 0; f < COUNT_OF(forms); f++) {
        struct frozen *frozen = open_words("mean_of_best(2)");
        struct graph *graph = model_list(frozen->model, &arena, GRAPH_INFER);
        graph_keep_losses(graph);
        struct pass pass = pass_open(frozen, graph, split, forms[f]);
        assert_null(graph->memory); /* the list is planned, but has no memory */
        assert_int_equal(pass.tokens, forms[f].tokens > longest ? forms[f].tokens : longest);
        for (int set = 0; set < frozen->sets; set++) {
            frozen_load(frozen, set);
            const struct seen seen = run_pass(&pass, forms[f].sentences);
            expect_order(&seen, split, forms[f].order);
            assert_true(f == 2 ? seen.batches == 1 : seen.batches > 2);
            assert_memory_equal(seen.nll, expected[set], bytes);
        }
        pass_close(&pass);
        frozen_close(frozen);
    }
}

/* Returns the negative log-likelihood of a target sentence, computed from its logits in double. */
static double nats_of_logits(const struct frozen *frozen, const struct split *split, int32_t s)
{
    const int V = frozen->job.corpus->vocabulary[SIDE_TARGET].size;
    const int32_t *label = split->side[SIDE_TARGET].token + split->side[SIDE_TARGET].start[s];
    const real *x = rows_alone(frozen->model, split, s, "logits");
    double nats = 0;
    for (int t = 0; t < length_of(split, SIDE_TARGET, s); t++) {
        double z = 0;
        for (int v = 0; v < V; v++) z += exp((double)x[t * V + v]);
        nats += log(z) - (double)x[t * V + label[t]];
    }
    return nats;
}

/* The likelihood of a sentence is the sum over its tokens, bit for bit. The mean over all tokens
 * equals the dev_loss of validation. */
TEST(likelihoods_are_of_sentences)
{
    const struct split *split = &trained.corpus->split[SPLIT_DEV];
    const real *nll = likelihood_by_hand(split, 2);
    struct frozen *frozen = open_words("best");
    frozen_load(frozen, 0);
    const struct likelihood *of = likelihood_split(frozen, split, &arena);
    double all = 0;
    for (int s = 0; s < split->sentences; s++) {
        double nats = 0;
        for (int t = 0; t < length_of(split, SIDE_TARGET, s); t++) nats += (double)*nll++;
        assert_true(of[s].nats == nats);
        assert_int_equal(of[s].tokens, length_of(split, SIDE_TARGET, s));
        assert_float_equal(nats, nats_of_logits(frozen, split, s), 1e-5 * nats);
        all += nats;
    }
    struct validator *validator = validator_open(&arena, frozen->model, trained.corpus,
                                                 &(struct train_options){.validate_sentences = 0});
    const struct validation validation = validator_run(validator);
    assert_string_equal(validation.value[0].name, "dev_loss");
    assert_float_equal(all / (double)split->side[SIDE_TARGET].start[split->sentences],
                       validation.value[0].value, 1e-6);
    validator_close(validator);
    frozen_close(frozen);
}

struct told {
    int calls;
    int64_t done, total;
};

static void tell(void *context, int64_t done, int64_t total)
{
    struct told *told = context;
    assert_true(done > told->done);
    *told = (struct told){told->calls + 1, done, total};
}

/* Returns the index in dev of sentence s of a split of many sentences. */
static int origin_of(int s)
{
    return s * s % trained.corpus->split[SPLIT_DEV].sentences;
}

/* Returns a split of several batches, which one list or several lists compute. */
static struct split many_sentences(int sentences)
{
    const struct split *dev = &trained.corpus->split[SPLIT_DEV];
    struct split many = {.sentences = sentences};
    for (int side = 0; side < SIDES; side++) {
        int64_t *start = ARENA_ARRAY(&arena, int64_t, sentences + 1);
        int32_t *token = ARENA_ARRAY(&arena, int32_t, sentences * dev->longest[side]);
        for (int s = 0; s < sentences; s++) {
            const int from = origin_of(s), length = length_of(dev, side, from);
            memcpy(token + start[s], dev->side[side].token + dev->side[side].start[from],
                   (size_t)length * sizeof *token);
            start[s + 1] = start[s] + length;
        }
        many.side[side] = (struct side){token, start};
        many.longest[side] = dev->longest[side];
    }
    return many;
}

/* Each result must belong to its own sentence. */
static void assert_own(const struct likelihood *all, int sentences, const struct likelihood *of)
{
    for (int s = 0; s < sentences; s++) {
        assert_true(all[s].nats == of[origin_of(s)].nats);
        assert_int_equal(all[s].tokens, of[origin_of(s)].tokens);
    }
}

TEST(likelihoods_are_of_many_sentences)
{
    enum { MANY = 900, BATCHES = 8, THREADS = 3 };
    const struct split *dev = &trained.corpus->split[SPLIT_DEV];
    const struct split many = many_sentences(MANY);
    struct told told = {0};
    trained.job.progress = tell;
    trained.job.progress_context = &told;
    struct frozen *frozen = open_words("best");
    frozen_load(frozen, 0);
    const int before = omp_get_max_threads();
    for (int threads = 1; threads <= THREADS; threads++) {
        omp_set_num_threads(threads);
        told = (struct told){0};
        const struct likelihood *of = likelihood_split(frozen, dev, &arena);
        assert_int_equal(told.calls, 1);
        told = (struct told){0};
        const struct likelihood *all = likelihood_split(frozen, &many, &arena);
        assert_int_equal(told.calls, BATCHES);
        assert_int_equal(told.done, MANY);
        assert_int_equal(omp_get_max_threads(), threads);
        assert_own(all, MANY, of);
    }
    omp_set_num_threads(before);
    trained.job.progress = NULL;
    frozen_close(frozen);
}

struct team_changes {
    const int *threads; /* after each report that may change the number */
    int changes;
};

static void change_team(void *context, int64_t done, int64_t total)
{
    struct team_changes *team = context;
    if (omp_in_parallel()) return;
    omp_set_num_threads(team->threads[team->changes++]);
    assert_int_equal(done == total, team->changes == 2);
}

/* Between rounds of 16 batches for each thread, a runner may lend threads and ask them back. */
TEST(the_number_of_threads_may_change_between_batches)
{
    enum { THREADS = 2, MANY = 128 * (16 * THREADS + 4) };
    static const int threads[] = {3, 1};
    const struct split many = many_sentences(MANY);
    struct team_changes team = {.threads = threads};
    trained.job.progress = change_team;
    trained.job.progress_context = &team;
    struct frozen *frozen = open_words("best");
    frozen_load(frozen, 0);
    const int before = omp_get_max_threads();
    omp_set_num_threads(THREADS);
    const struct likelihood *all = likelihood_split(frozen, &many, &arena);
    assert_int_equal(team.changes, 2);
    assert_int_equal(omp_get_max_threads(), 1);
    frozen->job.progress = trained.job.progress = NULL;
    assert_own(all, MANY, likelihood_split(frozen, &trained.corpus->split[SPLIT_DEV], &arena));
    omp_set_num_threads(before);
    frozen_close(frozen);
}

TEST(progress_is_of_all_models)
{
    const struct split *split = &trained.corpus->split[SPLIT_DEV];
    struct told told = {0};
    trained.job.progress = tell;
    trained.job.progress_context = &told;
    struct frozen *frozen = open_words("mean_of_best(2)");
    struct graph *graph = model_list(frozen->model, &arena, GRAPH_INFER);
    graph_keep_losses(graph);
    struct pass pass = pass_open(frozen, graph, split, (struct pass_form){PASS_IN_ORDER, 2048, 3});
    for (int set = 0; set < 2; set++) {
        frozen_load(frozen, set);
        while (pass_next(&pass)) {}
        assert_int_equal(told.calls, 3 * (set + 1));
        assert_int_equal(told.done, 7 * (set + 1));
        assert_int_equal(told.total, 14);
    }
    pass_close(&pass);
    told = (struct told){0};
    int blank;
    translate_split(frozen, &(struct beam_options){.beam = 1, .extra = 5}, SPLIT_DEV, &blank,
                    &arena);
    assert_int_equal(told.done, 14);
    frozen_close(frozen);
}

/* Lines are translated like the sentences of a split. Blank lines stay blank. */
TEST(lines_are_a_split)
{
    const struct beam_options beam = {.beam = 2, .length_penalty = 0.6, .extra = 5};
    static const char *const line[] = {"the house is small", " \t", "mouse", ""};
    struct frozen *frozen = open_words("best");
    int blank;
    const char **split = translate_split(frozen, &beam, SPLIT_DEV, &blank, &arena)[0];
    frozen_load(frozen, 0);
    const struct nbest *lines = translate_lines_nbest(frozen, &beam, line, 4, 1, &arena);
    assert_int_equal(blank, 0);
    assert_string_equal(lines[0].text[0], split[0]);
    assert_string_equal(lines[1].text[0], "");
    assert_string_equal(lines[2].text[0], split[1]);
    assert_string_equal(lines[3].text[0], "");
    frozen_close(frozen);
}

/* A line has the requested number of hypotheses, best first. A blank line has one hypothesis, which
 * is empty. The beam is so wide that some hypotheses end, although the model is untrained. */
TEST(the_best_of_lines)
{
    const struct beam_options beam = {.beam = 16, .length_penalty = 0.6, .extra = 5};
    static const char *const line[] = {"the house is small", " "};
    struct frozen *frozen = open_words("best");
    frozen_load(frozen, 0);
    const struct nbest *best = translate_lines_nbest(frozen, &beam, line, 2, 1, &arena);
    const struct nbest *three = translate_lines_nbest(frozen, &beam, line, 2, 3, &arena);
    assert_int_equal(three[0].count, 3);
    assert_string_equal(three[0].text[0], best[0].text[0]);
    assert_true(three[0].score[0] > three[0].score[1] && three[0].score[1] > three[0].score[2]);
    assert_int_equal(three[1].count, 1);
    assert_string_equal(three[1].text[0], "");
    frozen_close(frozen);
}

TEST(refusals)
{
    int count;
    EXPECT_DIE("checkpoint: mean_of_best(2) selects several models; expected one model: best, last",
               checkpoint_parse("mean_of_best(2)", "checkpoint", true, &count));
    EXPECT_DIE("average(N) or start, got \"begin\"",
               checkpoint_parse("begin", "checkpoint", true, &count));
    EXPECT_DIE("average(4) needs 4 checkpoints", open_words("average(4)"));
    EXPECT_DIE("mean_of_best(3) needs 3 checkpoints", open_words("mean_of_best(3)"));
    EXPECT_DIE("average(N), mean_of_best(N) or start, got \"begin\"", open_words("begin"));
    trained.job.train_folder = made_text;
    EXPECT_DIE("has no checkpoint", open_words("best"));
}
