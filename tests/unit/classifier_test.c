/* core/train/learner.h: the loop trains other models than translators. This one has ten lines and
 * sentences of this file; killed in any way, it ends with the same bytes. */
#include "tests/support/test.h"

#include <omp.h>
#include <signal.h>
#include <sys/wait.h>

#include "core/base/random.h"
#include "core/config/tree_read.h"
#include "core/cpu/cpu.h"
#include "core/layer/layer.h"
#include "core/model/checkpoint.h"
#include "core/train/train.h"
#include "core/train/step.h"

enum { WORDS = 12, CLASSES = 3, WIDTH = 16, LONGEST = 8, SEED = 5 };
enum { SENTENCES = 45, DEV = 12, STEP = 10, MICRO = 4 }; /* sentences: an epoch ends with five */

/* ---- text: a sentence of class c has mostly words of the c-th third ---- */

struct text {
    int sentences;
    int32_t *token, *label, *start;
};

static struct text make_text(int sentences, uint32_t seed)
{
    const struct random_key key = {seed, random_stream("classifier.text")};
    struct text text = {.sentences = sentences,
                        .token = ARENA_ARRAY(&arena, int32_t, sentences * LONGEST),
                        .label = ARENA_ARRAY(&arena, int32_t, sentences),
                        .start = ARENA_ARRAY(&arena, int32_t, sentences + 1)};
    for (int s = 0; s < sentences; s++) {
        const int length = 3 + s % (LONGEST - 2);
        text.label[s] = (int32_t)random_below(key, (uint64_t)s, 0, CLASSES);
        text.start[s + 1] = text.start[s] + length;
        for (int i = 0; i < length; i++) {
            const uint64_t at = (uint64_t)(text.start[s] + i);
            const bool other = i % 3 == 2;
            text.token[at] = other ? (int32_t)random_below(key, at, 1, WORDS)
                                   : text.label[s] * WORDS / CLASSES +
                                         (int32_t)random_below(key, at, 2, WORDS / CLASSES);
        }
    }
    return text;
}

static struct batch pack(struct arena *into, const struct text *text, const int32_t *sentence,
                         int count)
{
    struct field field = {.B = count};
    int32_t *token = ARENA_ARRAY(into, int32_t, count * LONGEST);
    int32_t *start = ARENA_ARRAY(into, int32_t, count + 1);
    int32_t *label = ARENA_ARRAY(into, int32_t, count + 1);
    for (int b = 0; b < count; b++) {
        label[b] = text->label[sentence[b]];
        const int32_t *from = text->start + sentence[b];
        for (int32_t t = from[0]; t < from[1]; t++) token[field.T++] = text->token[t];
        start[b + 1] = field.T;
        if (from[1] - from[0] > field.longest) field.longest = from[1] - from[0];
    }
    field.token = token;
    field.start = start;
    return (struct batch){.field[FIELD_SOURCE] = field, .label = label, .labels = count};
}

/* ---- the model ---- */

static void build(struct graph *graph, const void *spec)
{
    const struct embed_layer layer = {
        .rows = graph_tokens(graph, FIELD_SOURCE),
        .scale = 1,
        .dropout = 0.1,
        .table = parameter_get(graph->parameters, "embedding", WORDS, WIDTH, START_NORMAL, 1)};
    struct value *words = embed_build(graph, &layer, "embedding");
    struct value *sentence = pool_build(graph, words, POOL_MEAN, true, "sentence");
    loss_build(graph, linear_build(graph, sentence, CLASSES, true, "logits"), LABEL_GIVEN, 0,
               "loss");
    (void)spec;
}

static struct capacity capacity_of(int sentences)
{
    return (struct capacity){{sentences * LONGEST}, sentences, LONGEST};
}

/* ---- the learner ---- */

struct classifier {
    struct text train, dev;
    struct graph *judge; /* an infer list, placed when it is needed */
    struct value *logits;
    int empty_epoch, empty_step; /* that a test asks for; -1: none */
};

static int epoch_steps(void *context, int epoch)
{
    const struct classifier *c = context;
    return epoch == c->empty_epoch ? 0 : (c->train.sentences + STEP - 1) / STEP;
}

static struct learner_step step(void *context, int epoch, int number, struct arena *into)
{
    const struct classifier *c = context;
    const struct random_key key = {SEED, random_stream("classifier.epoch")};
    int32_t *order = ARENA_ARRAY(into, int32_t, c->train.sentences);
    random_permute(key, (uint32_t)epoch, order, c->train.sentences);
    const int begin = number * STEP, left = c->train.sentences - begin;
    const int count = left < STEP ? left : STEP;
    struct learner_step step = {.micros = 0};
    step.micro = ARENA_ARRAY(into, struct batch, STEP);
    for (int from = 0; from < count; from += MICRO) {
        const int some = count - from < MICRO ? count - from : MICRO;
        step.micro[step.micros++] =
            pack(into, &c->train, order + begin + from, number == c->empty_step ? 0 : some);
        step.normalizer += some;
    }
    return step;
}

static struct validation validate(void *context)
{
    struct classifier *c = context;
    struct arena own = {0};
    int32_t *order = ARENA_ARRAY(&own, int32_t, c->dev.sentences);
    for (int s = 0; s < c->dev.sentences; s++) order[s] = s;
    const struct batch batch = pack(&own, &c->dev, order, c->dev.sentences);
    const int rows = batch.labels, columns = c->logits->columns;
    if (!c->judge->memory) graph_place(c->judge);
    graph_set_step(c->judge, &(struct step){.normalizer = 1});
    graph_load(c->judge, &batch);
    graph_forward(c->judge);
    real *logits = ARENA_ARRAY(&own, real, rows * columns);
    graph_read(c->judge, c->logits, logits);
    int right = 0;
    for (int r = 0; r < rows; r++) {
        int best = 0;
        for (int k = 1; k < columns; k++)
            if (logits[r * columns + k] > logits[r * columns + best]) best = k;
        right += best == batch.label[r];
    }
    const double loss = graph_losses(c->judge).loss / rows;
    arena_free(&own);
    return (struct validation){
        .values = 2,
        .value = {{"dev_loss", loss}, {"dev_accuracy", (double)right / rows}},
        .rank = loss};
}

static size_t bytes(void *context, size_t *placed)
{
    const struct classifier *c = context;
    return *placed = c->judge->memory_bytes + c->judge->fixed_bytes;
}

struct run {
    struct classifier classifier;
    struct train_options train;
    struct learner learner;
    struct model *model;
    const char *folder;
    int64_t stop_at, leave_at; /* a signal comes in that step; the process is gone behind it */
    int64_t last;              /* step that progress was told */
};

/* In the folder of before if `name` is NULL. */
static void run_open(struct run *run, const char *name, const char *options)
{
    const char *text = arena_print(&arena, "{epochs: 6, warmup: 20, log_every: 1, %s}", options);
    run->stop_at = run->leave_at = run->last = 0;
    if (name) run->folder = arena_text(&arena, test_folder(name));
    section_read(&train_section, tree_parse(&arena, "run.yaml", text), &run->train, &arena);
    run->classifier = (struct classifier){.train = make_text(SENTENCES, 1),
                                          .dev = make_text(DEV, 2),
                                          .empty_epoch = -1,
                                          .empty_step = -1};
    run->model = model_new(&arena, cpu_ops(), WIDTH, false, build, NULL);
    struct graph *judge = run->classifier.judge = model_list(run->model, &arena, GRAPH_INFER);
    graph_keep_losses(judge);
    run->classifier.logits = graph_keep(judge, "logits");
    graph_plan(judge, capacity_of(DEV));
    run->learner = (struct learner){.model = run->model,
                                    .list = model_list(run->model, &arena, GRAPH_TRAIN),
                                    .train = &run->train,
                                    .seed = SEED,
                                    .unit = "sentences",
                                    .context = &run->classifier,
                                    .epoch_steps = epoch_steps,
                                    .step = step,
                                    .validate = validate,
                                    .bytes = bytes};
    graph_plan(run->learner.list, capacity_of(MICRO));
}

static void run_close(struct run *run)
{
    graph_release(run->classifier.judge);
    graph_release(run->learner.list);
    model_release(run->model);
}

static void progress(void *context, int64_t done, int64_t total, double loss)
{
    struct run *run = context;
    (void)total, (void)loss;
    run->last = done;
    if (done == run->stop_at) raise(SIGTERM);
    if (done == run->leave_at) _exit(9);
}

static enum train_end run_once(struct run *run)
{
    const struct train_job job = {.learner = &run->learner,
                                  .folder = run->folder,
                                  .journal = journal_open(run->folder),
                                  .progress = progress,
                                  .progress_context = run};
    const enum train_end end = train_run(&job);
    journal_close(job.journal);
    return end;
}

static const char options[] = "save_every: 4, keep_best: 2";

/* The same in the same folder, by a learner that is made anew. */
static enum train_end run_again(struct run *run, int64_t stop_at)
{
    run_close(run);
    run_open(run, NULL, options);
    run->stop_at = stop_at;
    return run_once(run);
}

/* Its exit status, in a process that may die; what it says goes to RUN/stderr. */
static int run_apart(struct run *run)
{
    fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        if (!freopen(arena_print(&arena, "%s/stderr", run->folder), "w", stderr)) _exit(1);
        setvbuf(stderr, NULL, _IONBF, 0);
        run_once(run);
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static const char *written(const struct run *run, const char *file, size_t *bytes_read)
{
    return file_read(&arena, arena_print(&arena, "%s/%s", run->folder, file), 0, bytes_read);
}

static void same_bytes(const struct run *a, const struct run *b)
{
    static const char *const files[] = {"metrics.jsonl", "ckpt/step-00000030/model.safetensors",
                                        "ckpt/step-00000030/adam-m.safetensors",
                                        "ckpt/step-00000030/adam-v.safetensors",
                                        "ckpt/step-00000030/state.json"};
    for (size_t f = 0; f < COUNT_OF(files); f++) {
        size_t first, second;
        const char *one = written(a, files[f], &first), *other = written(b, files[f], &second);
        assert_true(first > 0);
        assert_int_equal(first, second);
        assert_memory_equal(one, other, first);
    }
}

static void build_deeper(struct graph *graph, const void *spec)
{
    const struct embed_layer layer = {
        .rows = graph_tokens(graph, FIELD_SOURCE),
        .scale = 1,
        .table = parameter_get(graph->parameters, "embedding", WORDS, WIDTH, START_NORMAL, 1)};
    struct value *x =
        pool_build(graph, embed_build(graph, &layer, "embedding"), POOL_MAX, false, "sentence");
    x = feed_forward_build(graph, x, WIDTH, 0.5, "feedforward");
    loss_build(graph, linear_build(graph, x, CLASSES, true, "logits"), LABEL_GIVEN, 0, "loss");
    (void)spec;
}

/* A sentence's masks are its own, in whatever micro-batch of the step it is. */
TEST(masks_are_by_sentence)
{
    const struct train_options plain = {.rate = 1, .warmup = 10, .beta1 = .9, .beta2 = .98};
    const struct text text = make_text(STEP, 1);
    int32_t order[STEP];
    double loss[2];
    for (int s = 0; s < STEP; s++) order[s] = s;
    for (int cut = 0; cut < 2; cut++) {
        const int each = cut ? MICRO : STEP;
        struct batch micro[STEP];
        int micros = 0;
        for (int from = 0; from < STEP; from += each)
            micro[micros++] =
                pack(&arena, &text, order + from, STEP - from < each ? STEP - from : each);
        struct model *model = model_new(&arena, cpu_ops(), WIDTH, false, build_deeper, NULL);
        struct graph *list = model_list(model, &arena, GRAPH_TRAIN);
        graph_plan(list, capacity_of(STEP));
        model_place(model, true, SEED);
        graph_place(list);
        loss[cut] =
            train_step(
                &(struct learner){.model = model, .list = list, .train = &plain, .seed = SEED}, 0,
                &(struct learner_step){micro, micros, STEP})
                .loss;
        graph_release(list);
        model_release(model);
    }
    assert_float_equal(loss[0], loss[1], 1e-5);
}

static double last_value(const struct run *run, const char *name)
{
    const char *text = written(run, "metrics.jsonl", NULL), *found = NULL;
    const char *key = arena_print(&arena, "\"%s\"", name);
    for (const char *at = text; (at = strstr(at, key)); at++) found = at;
    assert_non_null(found);
    return strtod(strstr(found, "\"value\":") + strlen("\"value\":"), NULL);
}

/* Six epochs of five steps; it learns; rows and events are those of this learner. */
TEST(it_learns)
{
    struct run run;
    run_open(&run, "classifier", "rate: 4");
    size_t placed;
    const size_t memory = train_memory(&run.learner, &placed);
    assert_true(placed > run.learner.list->memory_bytes && memory > placed);
    assert_int_equal(train_steps(&run.learner), 30);
    assert_int_equal(run_once(&run), TRAIN_DONE);
    assert_int_equal(run.last, 30);
    assert_true(last_value(&run, "dev_accuracy") >= 0.9);
    assert_true(last_value(&run, "dev_loss") < 1);
    assert_true(last_value(&run, "epochs") == 6 && train_other(run.folder) == -1);
    assert_non_null(strstr(written(&run, "events.jsonl", NULL), "\"sentences_per_second\""));
    run_close(&run);
}

TEST(stopped_and_continued)
{
    static const int64_t stops[] = {1, 5, 6, 29};
    struct run whole, parts;
    run_open(&whole, "classifier_whole", options);
    assert_int_equal(run_once(&whole), TRAIN_DONE);
    run_open(&parts, "classifier_parts", options);
    for (size_t i = 0; i < COUNT_OF(stops); i++) {
        assert_int_equal(run_again(&parts, stops[i]), TRAIN_INTERRUPTED);
        assert_int_equal(parts.last, stops[i]);
    }
    assert_int_equal(run_again(&parts, 0), TRAIN_DONE);
    same_bytes(&parts, &whole);
    run_close(&whole);
    run_close(&parts);
}

/* Gone between two checkpoints, at one, and before the first. */
TEST(killed_and_continued)
{
    static const int64_t kills[] = {3, 7, 20, 27};
    struct run whole, parts;
    run_open(&whole, "classifier_whole", options);
    assert_int_equal(run_once(&whole), TRAIN_DONE);
    run_open(&parts, "classifier_killed", options);
    for (size_t i = 0; i < COUNT_OF(kills); i++) {
        parts.leave_at = kills[i];
        const int status = run_apart(&parts);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 9);
    }
    parts.leave_at = 0;
    assert_int_equal(run_once(&parts), TRAIN_DONE);
    same_bytes(&parts, &whole);
    run_close(&whole);
    run_close(&parts);
}

static void expect_abort(struct run *run, const char *text)
{
    const int status = run_apart(run);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGABRT);
    const char *said = written(run, "stderr", NULL);
    if (!strstr(said, text)) fail_msg("said: %s\n  expected in it: %s", said, text);
}

static void without_loss(struct graph *graph, const void *spec)
{
    struct parameter *table =
        parameter_get(graph->parameters, "embedding", WORDS, WIDTH, START_NORMAL, 1);
    const struct embed_layer layer = {
        .rows = graph_tokens(graph, FIELD_SOURCE), .scale = 1, .table = table};
    (void)spec;
    linear_build(graph, embed_build(graph, &layer, "embedding"), CLASSES, true, "logits");
}

/* What no user can bring about. */
TEST(broken_learners_are_refused)
{
    struct run run;
    run_open(&run, "classifier_broken", options);
    run.classifier.empty_epoch = 0;
    expect_abort(&run, "epoch 0 has no steps");
    run.classifier.empty_epoch = -1;
    run.classifier.empty_step = 2;
    expect_abort(&run, "a micro-batch without sentences");
    run.classifier.empty_step = -1;
    run.model->build = without_loss;
    run.learner.list = model_list(run.model, &arena, GRAPH_TRAIN);
    graph_plan(run.learner.list, capacity_of(MICRO));
    expect_abort(&run, "this list has no loss to be trained by");
    run_close(&run);
}

static struct validation lost(void *context)
{
    struct validation validation = validate(context);
    validation.value[1].value = NAN;
    return validation;
}

TEST(what_is_not_finite_ends_it)
{
    struct run run;
    int64_t steps[4];
    run_open(&run, "classifier_lost", "validate_every: 3");
    run.learner.validate = lost;
    assert_int_equal(run_once(&run), TRAIN_DIVERGED);
    assert_int_equal(run.last, 3);
    assert_non_null(strstr(written(&run, "events.jsonl", NULL), "dev_accuracy: nan"));
    assert_int_equal(checkpoint_steps(run.folder, steps, 4), 0);
    run_close(&run);
}

TEST(faults_are_said)
{
    struct run run;
    run_open(&run, "classifier_fault", options);
    run.learner.fault = "text: no sentences of class 2";
    EXPECT_DIE("text: no sentences of class 2", run_once(&run));
    run.learner.fault = NULL;
    run.train.epochs = run.train.steps = 0;
    EXPECT_DIE("say epochs or steps", run_once(&run));
    run_close(&run);
}

int main(void)
{
    omp_set_num_threads(1);
    return tests_run();
}
