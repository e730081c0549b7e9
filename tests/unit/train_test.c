/* Tests core/train with whole small trainings by train_run. Steps are equal in any number of
 * micro-batches. Also tests divergence, early stopping, interruption, and the written files. */
#include "tests/support/test.h"

#include <jansson.h>

#include "core/config/tree_read.h"
#include "core/cpu/cpu.h"
#include "core/base/digest.h"
#include "core/model/checkpoint.h"
#include "core/model/checkpoint_choice.h"
#include "core/train/translating.h"

enum { WORDS = 12 };

/* Makes a split. `length` returns the number of tokens of one side of a sentence, <eos> included.
 * Target tokens are the source tokens shifted by 3, up to the shorter length. */
static void make_split(struct split *split, int sentences, int (*length)(int side, int sentence))
{
    *split = (struct split){.sentences = sentences};
    for (int side = 0; side < SIDES; side++) {
        int64_t *start = ARENA_ARRAY(&arena, int64_t, sentences + 1);
        for (int s = 0; s < sentences; s++) {
            const int n = length(side, s);
            start[s + 1] = start[s] + n;
            if (n > split->longest[side]) split->longest[side] = n;
        }
        int32_t *token = ARENA_ARRAY(&arena, int32_t, start[sentences]);
        for (int s = 0; s < sentences; s++) {
            int64_t t = start[s];
            for (; t < start[s + 1] - 1; t++)
                token[t] =
                    VOCABULARY_FIRST + (int32_t)((s * 7 + (t - start[s]) * (s % 5 + 1) + 3 * side) %
                                                 (WORDS - VOCABULARY_FIRST));
            token[t] = VOCABULARY_EOS;
        }
        split->side[side] = (struct side){token, start};
    }
}

static struct corpus make_corpus(int train, int (*length)(int side, int sentence))
{
    static const char *const word[] = {"<pad>", "<eos>", "<unk>", "a", "b", "c",
                                       "d",     "e",     "f",     "g", "h", "i"};
    const char *folder = arena_text(&arena, test_folder("train_corpus"));
    struct corpus corpus = {.joint = true, .folder = folder, .language = {"en", "de"}};
    const char **token = ARENA_ARRAY(&arena, const char *, WORDS);
    memcpy(token, word, sizeof word);
    for (int side = 0; side < SIDES; side++)
        corpus.vocabulary[side] = (struct vocabulary){.size = WORDS, .token = token};
    make_split(&corpus.split[SPLIT_TRAIN], train, length);
    make_split(&corpus.split[SPLIT_DEV], 8, length);
    struct file_writer file = file_create(arena_print(&arena, "%s/dev.reference", corpus.folder));
    const struct side *dev = &corpus.split[SPLIT_DEV].side[SIDE_TARGET];
    for (int s = 0; s < 8; s++)
        fprintf(file.stream, "%s\n",
                corpus_text(&arena, &corpus, SIDE_TARGET, dev->token + dev->start[s],
                            (int)(dev->start[s + 1] - dev->start[s])));
    file_commit(&file);
    return corpus;
}

static int short_lengths(int side, int sentence)
{
    return 2 + sentence % 6;
}

/* All targets have equal lengths, and sources have two lengths. Sorting by length puts all long
 * sources together. */
static int uneven_lengths(int side, int sentence)
{
    return side == SIDE_TARGET ? 10 : sentence % 2 ? 60 : 2;
}

struct run {
    struct corpus corpus;
    struct translator_options model;
    struct train_options train;
    const char *folder;
    int64_t stop_at; /* a signal arrives in this step */
    int64_t last;    /* last step that was reported to progress */
};

static void run_open(struct run *run, const char *name, int sentences,
                     int (*length)(int side, int sentence), const char *train)
{
    *run = (struct run){.corpus = make_corpus(sentences, length)};
    run->folder = arena_text(&arena, test_folder(name));
    const char *text =
        arena_print(&arena,
                    "model: {width: 8, heads: 2, feedforward: 8, dropout: 0.1}\nencoder.layers: 1\n"
                    "decoder.layers: 1\ntrain: {warmup: 20, log_every: 1, %s}\n",
                    train);
    struct tree *tree = tree_merge(&arena, NULL, tree_parse(&arena, "run.yaml", text));
    translator_options_read(&run->model, tree, &arena);
    section_read(&train_section, tree_find(tree, "train"), &run->train, &arena);
}

static void progress(void *context, int64_t done, int64_t total, double loss)
{
    struct run *run = context;
    run->last = done;
    if (done == run->stop_at) raise(done % 2 ? SIGTERM : SIGINT);
}

static enum train_end run_once(struct run *run)
{
    struct journal *journal = journal_open(run->folder);
    const struct translating translating = {.ops = cpu_ops(),
                                            .corpus = &run->corpus,
                                            .model = &run->model,
                                            .train = &run->train,
                                            .seed = 3};
    struct learner *learner = translating_open(&arena, &translating);
    const struct train_job job = {.learner = learner,
                                  .folder = run->folder,
                                  .journal = journal,
                                  .progress = progress,
                                  .progress_context = run};
    const enum train_end end = train_run(&job);
    journal_close(journal);
    translating_close(learner);
    return end;
}

/* Runs a training until it is done, and returns it. */
static struct run run_done(const char *name, int sentences, int (*length)(int side, int sentence),
                           const char *train)
{
    struct run run;
    run_open(&run, name, sentences, length, train);
    assert_int_equal(run_once(&run), TRAIN_DONE);
    return run;
}

static const char *written(const struct run *run, const char *file)
{
    return file_read(&arena, arena_print(&arena, "%s/%s", run->folder, file), 0, NULL);
}

/* Reads the values of a metric in the order written. Returns their number. */
static int values(const struct run *run, const char *name, double *value, int64_t *step, int most)
{
    char *text = arena_text(&arena, written(run, "metrics.jsonl")), *save = NULL;
    int count = 0;
    for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        json_t *row = json_loads(line, 0, NULL);
        assert_non_null(row);
        if (!strcmp(json_string_value(json_object_get(row, "name")), name)) {
            assert_true(count < most);
            value[count] = json_number_value(json_object_get(row, "value"));
            step[count++] = json_integer_value(json_object_get(row, "step"));
        }
        json_decref(row);
    }
    return count;
}

TEST(micro_batches_change_nothing)
{
    static const int accumulate[] = {1, 2, 5};
    double loss[3][64];
    int64_t step[64];
    for (int i = 0; i < 3; i++) {
        struct run run = run_done(
            "train_micro", 60, short_lengths,
            arena_print(&arena, "batch_tokens: 60, epochs: 4, accumulate: %d", accumulate[i]));
        const int count = values(&run, "loss", loss[i], step, 64);
        assert_true(count >= 16);
        assert_int_equal(count, run.last);
        for (int s = 0; s < count; s++)
            if (!(fabs(loss[i][s] - loss[0][s]) <= 1e-4 * loss[0][s]))
                fail_msg("step %d in %d micro-batches: loss %.9g, expected %.9g", s + 1,
                         accumulate[i], loss[i][s], loss[0][s]);
        assert_true(loss[i][count - 1] < loss[i][0]); /* it learns */
    }
}

TEST(micro_batches_stay_within_their_plan)
{
    struct run run = run_done("train_uneven", 320, uneven_lengths,
                              "batch_tokens: 1600, epochs: 1, accumulate: 8");
    assert_true(run.last > 4);
}

TEST(divergence_is_a_result)
{
    static const char *const options[] = {
        "steps: 30, validate_every: 5", /* a training step detects divergence */
        "steps: 1",                     /* the last validation detects it */
    };
    for (int i = 0; i < 2; i++) {
        struct run run;
        run_open(&run, "train_diverged", 40, short_lengths,
                 arena_print(&arena, "batch_tokens: 60, %s", options[i]));
        run.train.rate = 1e38; /* more than the option allows */
        assert_int_equal(run_once(&run), TRAIN_DIVERGED);
        assert_int_equal(run.last, 1); /* the first update diverges */
        assert_non_null(strstr(written(&run, "events.jsonl"), "\"event\":\"diverged\""));
        int64_t step[4];
        const int steps = checkpoint_steps(run.folder, step, 4);
        assert_true(steps == 0 || step[steps - 1] < run.last); /* a diverged model is not saved */
    }
}

/* With a rate of 0, no validation is better than the first one. The second and the third validation
 * exhaust the patience. */
TEST(patience_ends)
{
    struct run run =
        run_done("train_patience", 40, short_lengths,
                 "batch_tokens: 60, epochs: 50, rate: 0, validate_every: 3, patience: 2");
    assert_int_equal(run.last, 9);
    assert_non_null(strstr(written(&run, "events.jsonl"), "\"event\":\"stopped_early\""));
    const char *rows = written(&run, "metrics.jsonl");
    run.last = 0;
    assert_int_equal(run_once(&run), TRAIN_DONE); /* a stopped training is not continued */
    assert_int_equal(run.last, 0);
    assert_string_equal(written(&run, "metrics.jsonl"), rows);
    struct run other;
    run_open(&other, "train_patience_again", 40, short_lengths,
             "batch_tokens: 60, epochs: 50, rate: 0, validate_every: 3, patience: 2");
    other.stop_at = 7;
    assert_int_equal(run_once(&other), TRAIN_INTERRUPTED);
    assert_int_equal(other.last, 7);
    assert_int_equal(run_once(&other), TRAIN_DONE);
    assert_int_equal(other.last, 9);
    assert_string_equal(written(&other, "metrics.jsonl"), rows);
}

TEST(stopped_and_continued)
{
    static const char options[] = "batch_tokens: 60, steps: 14, validate_every: 5, "
                                  "accumulate: 2, clip: 1, save_every: 2, keep_best: 1";
    struct run whole, parts;
    run_open(&whole, "train_whole", 40, short_lengths, options);
    whole.train.log_every = 4; /* so that stops come also between loss rows */
    assert_int_equal(run_once(&whole), TRAIN_DONE);
    run_open(&parts, "train_parts", 40, short_lengths, options);
    parts.train.log_every = 4;
    static const int64_t stops[] = {1, 5, 6, 13};
    for (size_t i = 0; i < COUNT_OF(stops); i++) {
        parts.stop_at = stops[i];
        assert_int_equal(run_once(&parts), TRAIN_INTERRUPTED);
        assert_int_equal(parts.last, stops[i]);
    }
    assert_int_equal(run_once(&parts), TRAIN_DONE);
    assert_string_equal(written(&parts, "metrics.jsonl"), written(&whole, "metrics.jsonl"));
    static const char *const files[] = {"ckpt/step-00000014/model.safetensors",
                                        "ckpt/step-00000014/adam-v.safetensors",
                                        "ckpt/step-00000014/state.json"};
    for (size_t f = 0; f < COUNT_OF(files); f++) {
        const char *a = arena_print(&arena, "%s/%s", whole.folder, files[f]);
        const char *b = arena_print(&arena, "%s/%s", parts.folder, files[f]);
        assert_int_equal(file_bytes(a), file_bytes(b));
        assert_memory_equal(file_read(&arena, a, 0, NULL), file_read(&arena, b, 0, NULL),
                            (size_t)file_bytes(a));
    }
}

/* Replaces `from` by `to` in the state of this step, and updates the manifest. */
static void forge_state(const struct run *run, int64_t step, const char *from, const char *to)
{
    const char *ckpt = arena_print(&arena, "%s/ckpt/step-%08lld", run->folder, (long long)step);
    const char *path = arena_print(&arena, "%s/state.json", ckpt);
    char digest[DIGEST_TEXT];
    const char *text = file_read(&arena, path, 0, NULL), *at = strstr(text, from);
    assert_non_null(at);
    digest_file(path, digest);
    const char *old = arena_print(&arena, "%s %zu ", digest, strlen(text));
    text = arena_print(&arena, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    put_text(path, text);
    digest_file(path, digest);
    const char *manifest = arena_print(&arena, "%s/MANIFEST", ckpt);
    const char *lines = file_read(&arena, manifest, 0, NULL), *line = strstr(lines, old);
    assert_non_null(line);
    lines = arena_print(&arena, "%.*s%s %zu %s", (int)(line - lines), lines, digest, strlen(text),
                        line + strlen(old));
    put_text(manifest, lines);
}

static void expect_refused(const char *from, const char *to, const char *said)
{
    struct run run;
    run_open(&run, "train_forged", 40, short_lengths, "batch_tokens: 40, steps: 14");
    run.stop_at = 6;
    assert_int_equal(run_once(&run), TRAIN_INTERRUPTED);
    forge_state(&run, 6, from, to);
    EXPECT_DIE(said, run_once(&run));
}

/* The checkpoint has correct digests, but a state that no training of this corpus can have.
 * Examples: a batch outside of the epoch, an epoch before the first, the step of another folder. */
TEST(forged_states_are_refused)
{
    static const char *const forged[][3] = {
        {"\"batch\": 1", "\"batch\": 1000000000", "state.json: batch: expected a whole number"},
        {"\"batch\": 1", "\"batch\": 5",
         "batch: expected a whole number from 0 to 4, as in epoch 1"},
        {"\"epoch\": 1", "\"epoch\": -1", "state.json: epoch: expected a whole number from 0"},
        {"\"step\": 6", "\"step\": 7",
         "state.json: step: expected 6, as in the name of the folder, found 7"},
    };
    for (size_t i = 0; i < COUNT_OF(forged); i++)
        expect_refused(forged[i][0], forged[i][1], forged[i][2]);
}

TEST(validations_come_when_asked)
{
    double loss[20];
    int64_t step[20];
    struct run run = run_done("train_validate", 40, short_lengths,
                              "batch_tokens: 60, steps: 8, validate_every: 3");
    assert_int_equal(values(&run, "dev_loss", loss, step, 20), 3);
    /* The last step is always validated. */
    assert_true(step[0] == 3 && step[1] == 6 && step[2] == 8);
    assert_int_equal(values(&run, "dev_bleu", loss, step, 20), 0);
}

static double only_value(const struct run *run, const char *name)
{
    double value;
    int64_t step;
    assert_int_equal(values(run, name, &value, &step, 1), 1);
    return value;
}

/* The model does not change, and train and dev have the same text. All losses are per target token,
 * whatever the divisor of the gradients. The training loss is smoothed. dev has a loss with
 * smoothing and one without. */
TEST(losses_are_per_target_token)
{
    static const char *const of[] = {"mean", "sum"}, *const smoothing[] = {"0", "0.3"};
    double first = 0;
    for (int i = 0; i < 4; i++) {
        struct run run;
        run_open(&run, "train_losses", 8, uneven_lengths,
                 arena_print(&arena,
                             "batch_tokens: 1000, steps: 1, rate: 0, loss: %s, "
                             "accumulate: 3, label_smoothing: %s",
                             of[i % 2], smoothing[i / 2]));
        run.model.model.dropout = 0;
        assert_int_equal(run_once(&run), TRAIN_DONE);
        const double dev = only_value(&run, "dev_loss"),
                     smoothed = only_value(&run, "dev_smoothed");
        assert_float_equal(only_value(&run, "loss"), smoothed, 1e-5 * smoothed);
        if (!i) first = dev;
        assert_float_equal(dev, first, 1e-6);
        if (i / 2)
            assert_true(fabs(smoothed - dev) > 1e-3);
        else
            assert_float_equal(smoothed, dev, 1e-6);
    }
}

/* A training has a limit of epochs and a limit of steps. The limit that is reached first ends the
 * training. Each epoch ends with a validation. */
TEST(what_comes_first_ends)
{
    double loss[20];
    int64_t step[20];
    struct run run =
        run_done("train_epochs", 40, short_lengths, "batch_tokens: 60, epochs: 2, steps: 1000");
    assert_int_equal(values(&run, "dev_loss", loss, step, 20), 2);
    assert_true(run.last > 2 && step[1] == run.last && 2 * step[0] == run.last);
    const int64_t all = run.last;
    run = run_done(
        "train_steps", 40, short_lengths,
        arena_print(&arena, "batch_tokens: 60, epochs: 2, steps: %lld", (long long)all - 1));
    assert_int_equal(run.last, all - 1);
}

/* save_every adds checkpoints between validations, so that a kill costs at most one interval. It
 * adds none at a step where a validation saves a checkpoint. */
TEST(checkpoints_come_when_asked)
{
    int64_t step[20];
    struct run run =
        run_done("train_save", 40, short_lengths,
                 "batch_tokens: 60, steps: 8, validate_every: 4, save_every: 3, keep_last: 10");
    assert_int_equal(checkpoint_steps(run.folder, step, 20), 4);
    assert_true(step[0] == 3 && step[1] == 4 && step[2] == 6 && step[3] == 8);
}

/* The end of a training writes a loss row. If log_every does not require this row, the state marks
 * it, so that a longer training can drop it. */
TEST(the_end_writes_the_loss)
{
    for (int every = 4; every <= 5; every++) {
        double loss[20];
        int64_t step[20];
        struct run run;
        run_open(&run, "train_end", 40, short_lengths,
                 "batch_tokens: 60, steps: 8, validate_every: 4");
        run.train.log_every = every;
        assert_int_equal(run_once(&run), TRAIN_DONE);
        assert_int_equal(values(&run, "loss", loss, step, 20), 2);
        assert_true(step[0] == every && step[1] == 8);
        const char *said = strstr(written(&run, "ckpt/step-00000008/state.json"), "\"unlogged\"");
        assert_true(every == 5 ? said != NULL : !said);
    }
}

/* Checkpoints are selected by BLEU. Of equal ones, the first is selected. The expected step is
 * found from the written rows. */
TEST(selected_by_bleu)
{
    double bleu[20];
    int64_t step[20], chosen[1];
    struct run run =
        run_done("train_bleu", 60, short_lengths,
                 "batch_tokens: 60, steps: 40, rate: 5, validate_every: 8, validate_sentences: 8, "
                 "select: bleu");
    const int count = values(&run, "dev_bleu", bleu, step, 20);
    assert_int_equal(count, 5);
    int best = 0;
    for (int i = 1; i < count; i++)
        if (bleu[i] > bleu[best]) best = i;
    assert_true(bleu[best] > bleu[0]);
    checkpoint_select(run.folder, "best", chosen, 1);
    assert_int_equal(chosen[0], step[best]);
    run.train.validate_sentences = 0;
    EXPECT_DIE("validate_sentences above 0", run_once(&run));
    run.corpus.split[SPLIT_DEV].sentences = 0;
    EXPECT_DIE("no dev sentences", run_once(&run));
}

/* A step of Adam hardly depends on the length of the gradient, unless epsilon is large. With a
 * large epsilon, clipped gradients give small steps. */
TEST(clipping_shortens_steps)
{
    double loss[2][20];
    int64_t step[20];
    for (int i = 0; i < 2; i++) {
        struct run run = run_done("train_clip", 40, short_lengths,
                                  arena_print(&arena,
                                              "batch_tokens: 60, steps: 10, epsilon: 1, rate: 20, "
                                              "validate_every: 4, clip: %s",
                                              i ? "1e-9" : "0"));
        assert_int_equal(values(&run, "dev_loss", loss[i], step, 20), 3);
    }
    const double moved = fabs(loss[0][0] - loss[0][2]), clipped = fabs(loss[1][0] - loss[1][2]);
    assert_true(moved > 1e-4);
    assert_true(clipped < 1e-3 * moved);
}

AT_START(omp_set_num_threads(1));
