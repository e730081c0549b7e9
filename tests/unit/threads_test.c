/* Trainings in two threads of one process: each writes the bytes that it writes alone, signals stop
 * all of them, and the one that ends first takes nothing from the other. */
#include "tests/support/test.h"

#include <omp.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

#include "core/config/tree_read.h"
#include "core/cpu/cpu.h"
#include "core/train/translating.h"
#include "tests/support/corpus.h"

enum { STEPS = 12, REPEATS = 4 };

static const struct corpus *corpus; /* read by both threads */

struct training {
    const char *folder, *options;
    uint32_t seed;
    /* In the progress of that step; NULL: nothing. */
    void (*call)(struct training *training);
    int64_t call_at;
    int64_t last; /* step that progress was told */
    enum train_end end;
};

static void make_texts(const char *split, int sentences, uint32_t seed)
{
    char *text[SIDES];
    size_t bytes[SIDES];
    FILE *out[SIDES];
    for (int side = 0; side < SIDES; side++) out[side] = open_memstream(&text[side], &bytes[side]);
    for (int s = 0; s < sentences; s++) {
        for (int word = 0; word <= s % 6; word++) {
            seed = seed * 1664525u + 1013904223u;
            for (int side = 0; side < SIDES; side++)
                fprintf(out[side], "%s%c%c", word ? " " : "", side ? 'a' : 'n',
                        'a' + (int)(seed >> 16) % 13);
        }
        for (int side = 0; side < SIDES; side++) fputc('\n', out[side]);
    }
    for (int side = 0; side < SIDES; side++) {
        fclose(out[side]);
        made_put(arena_print(&arena, "%s.%s", split, side ? "yy" : "xx"), text[side]);
        free(text[side]);
    }
}

static int begin(void **state)
{
    made_begin(state);
    make_texts("train", 60, 1);
    make_texts("dev", 9, 2);
    make_texts("test", 3, 3);
    const struct corpus_options options = made_options();
    corpus = made_prepare(&options);
    return 0;
}

static void progress(void *context, int64_t done, int64_t total, double loss)
{
    struct training *training = context;
    (void)total, (void)loss;
    training->last = done;
    if (training->call && done == training->call_at) training->call(training);
}

/* Everything that is not shared is made in the thread. */
static void *train(void *context)
{
    struct training *training = context;
    struct arena own = {0};
    struct translator_options model;
    struct train_options options;
    omp_set_num_threads(1);
    const char *text = arena_print(
        &own,
        "model: {width: 8, heads: 2, feedforward: 8, dropout: 0.1}\nencoder.layers: 1\n"
        "decoder.layers: 1\ntrain: {warmup: 20, log_every: 1, batch_tokens: 40, epochs: 0, "
        "steps: %d, validate_every: 5, validate_sentences: 9, save_every: 2}\n",
        STEPS);
    const struct tree *tree = tree_merge(&own, tree_parse(&own, "model.yaml", text),
                                         tree_parse(&own, "more.yaml", training->options));
    translator_options_read(&model, tree, &own);
    section_read(&train_section, tree_find(tree, "train"), &options, &own);
    const struct translating translating = {.ops = cpu_ops(),
                                            .corpus = corpus,
                                            .model = &model,
                                            .train = &options,
                                            .seed = training->seed};
    struct learner *learner = translating_open(&own, &translating);
    const struct train_job job = {.learner = learner,
                                  .folder = training->folder,
                                  .journal = journal_open(training->folder),
                                  .progress = progress,
                                  .progress_context = training};
    training->end = train_run(&job);
    journal_close(job.journal);
    translating_close(learner);
    arena_free(&own);
    return NULL;
}

static pthread_t start(struct training *training)
{
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, train, training), 0);
    return thread;
}

static void join(pthread_t thread)
{
    assert_int_equal(pthread_join(thread, NULL), 0);
}

/* Of two kinds; folders NAME0 and NAME1. */
static void make_two(struct training two[2], const char *name)
{
    static const char *const options[2] = {
        "train.accumulate: 2",
        "train.clip: 1\nencoder.attention: [{layers: 1, branches: [global, {window: 1}], "
        "fusion: gate}]\nmodel.attention_dropout: 0.2"};
    for (int i = 0; i < 2; i++) {
        const char *folder = test_folder(arena_print(&arena, "%s%d", name, i));
        two[i] = (struct training){
            .folder = arena_text(&arena, folder), .options = options[i], .seed = 3 + (uint32_t)i};
    }
}

static void same_bytes(const struct training *a, const struct training *b)
{
    static const char *const files[] = {"metrics.jsonl", "ckpt/step-00000012/model.safetensors",
                                        "ckpt/step-00000012/adam-m.safetensors",
                                        "ckpt/step-00000012/adam-v.safetensors",
                                        "ckpt/step-00000012/state.json"};
    for (size_t f = 0; f < COUNT_OF(files); f++) {
        size_t first, second;
        const char *one =
            file_read(&arena, arena_print(&arena, "%s/%s", a->folder, files[f]), 0, &first);
        const char *other =
            file_read(&arena, arena_print(&arena, "%s/%s", b->folder, files[f]), 0, &second);
        assert_true(first > 0);
        assert_int_equal(first, second);
        assert_memory_equal(one, other, first);
    }
}

static void one_after_the_other(struct training two[2])
{
    make_two(two, "threads_alone");
    for (int i = 0; i < 2; i++) {
        join(start(&two[i]));
        assert_int_equal(two[i].end, TRAIN_DONE);
    }
}

TEST(at_once_is_one_after_the_other)
{
    struct training alone[2], both[2];
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        make_two(both, "threads_both");
        const pthread_t first = start(&both[0]), second = start(&both[1]);
        join(first);
        join(second);
        if (!repeat) one_after_the_other(alone); /* what is made once was made by both at once */
        for (int i = 0; i < 2; i++) {
            assert_int_equal(both[i].end, TRAIN_DONE);
            same_bytes(&both[i], &alone[i]);
        }
    }
}

static struct training other; /* is begun, and ends, in a step of the first */
static sem_t other_is_on;

static void is_on(struct training *training)
{
    (void)training;
    sem_post(&other_is_on);
}

/* The other one begins and ends. Then a signal is still taken for what it is. */
static void outlive(struct training *training)
{
    (void)training;
    join(start(&other));
    raise(SIGTERM);
}

TEST(who_ends_first_leaves_the_handlers)
{
    struct training alone[2], two[2];
    one_after_the_other(alone);
    make_two(two, "threads_handlers");
    other = two[1];
    two[0].call_at = 5;
    two[0].call = outlive;
    join(start(&two[0]));
    assert_int_equal(other.end, TRAIN_DONE);
    assert_int_equal(two[0].end, TRAIN_INTERRUPTED);
    assert_int_equal(two[0].last, 5);
    struct sigaction action;
    sigaction(SIGTERM, NULL, &action);
    assert_true(action.sa_handler == SIG_DFL); /* nobody trains any more */
    two[0].call = NULL;
    join(start(&two[0]));
    assert_int_equal(two[0].end, TRAIN_DONE);
    same_bytes(&two[0], &alone[0]);
    same_bytes(&two[1], &alone[1]);
}

static pthread_t other_thread;

/* A signal, and behind it another training that begins. */
static void stop_and_begin(struct training *training)
{
    (void)training;
    raise(SIGINT);
    other_thread = start(&other);
    sem_wait(&other_is_on);
}

TEST(who_begins_takes_no_signal_from_others)
{
    struct training alone[2], two[2];
    one_after_the_other(alone);
    make_two(two, "threads_signal");
    sem_init(&other_is_on, 0, 0);
    other = two[1];
    other.call_at = 1;
    other.call = is_on;
    two[0].call_at = 3;
    two[0].call = stop_and_begin;
    join(start(&two[0]));
    join(other_thread);
    sem_destroy(&other_is_on);
    assert_int_equal(two[0].end, TRAIN_INTERRUPTED);
    assert_int_equal(two[0].last, 3);
    assert_int_equal(other.end, TRAIN_DONE); /* the signal came before its time */
    same_bytes(&two[1], &alone[1]);
}

EACH_TEST(begin, NULL);
