/* Tests that parallel searches give the same hypotheses and scores as one search, bit for bit,
 * greedy and with a beam. Each sentence is translated once. The best hypotheses do not depend on
 * the number of wanted hypotheses. */
#include "tests/support/test.h"

#include "core/cpu/cpu.h"
#include "core/decode/crew.h"
#include "tests/support/test_model.h"

enum { SENTENCES = 530, LONGEST = 12, BATCHES = 5, FRUGAL = 9, TURNS = 2 }; /* numbers of batches */

static struct test_model model;
static struct split sources;

BEFORE(all)
{
    test_model_open(&model, cpu_ops(),
                    "model: {width: 32, heads: 2, feedforward: 48}\n"
                    "encoder: {layers: 1}\ndecoder: {layers: 2}\n");
    check_shake(&model.model->parameters);
    parameters_freeze(&model.model->parameters);
    for (int64_t c = 32 * VOCABULARY_EOS; c < 32 * (VOCABULARY_EOS + 1); c++) /* frequent <eos> */
        test_set(&model, "target.softmax", c, 4 * test_get(&model, "target.softmax", c));
    int32_t *token = ARENA_ARRAY(&model.arena, int32_t, SENTENCES * LONGEST);
    int64_t *start = ARENA_ARRAY(&model.arena, int64_t, SENTENCES + 1);
    for (int s = 0; s < SENTENCES; s++) {
        const int length = 1 + (s * 7 + s / LONGEST) % LONGEST;
        start[s + 1] = start[s] + length;
        for (int i = 0; i < length; i++)
            token[start[s] + i] =
                i == length - 1 ? VOCABULARY_EOS : 3 + (s * s + 5 * i) % (CHECK_WORDS - 3);
    }
    sources = (struct split){SENTENCES, {LONGEST, 0}, {{token, start}, {NULL, NULL}}};
}

AFTER(all)
{
    check_close(&model);
}

struct found {
    struct arena *arena;
    struct hypothesis best[SENTENCES];
    int times[SENTENCES];
};

static void keep(void *context, const int32_t *sentence, const struct translation *translation,
                 int count)
{
    struct found *found = context;
    for (int i = 0; i < count; i++) {
        struct hypothesis *best = &found->best[sentence[i]];
        *best = translation[i].hypothesis[0];
        int32_t *token = ARENA_ARRAY(found->arena, int32_t, best->count);
        memcpy(token, best->token, (size_t)best->count * sizeof *token);
        best->token = token;
        found->times[sentence[i]]++;
    }
}

static struct found search(int beam, int threads, enum crew_kind kind, int searchers, int batches)
{
    const struct beam_options options = {.beam = beam, .length_penalty = .6, .extra = 6};
    struct found found = {.arena = &model.arena};
    omp_set_num_threads(threads);
    struct crew crew = crew_open(&model.arena, model.model, &options, &sources, kind, 0);
    assert_int_equal(crew.searchers, searchers);
    assert_int_equal(crew.epoch.batches, batches);
    crew_search(&crew, 0, crew.epoch.batches, keep, &found);
    crew_close(&crew);
    assert_int_equal(omp_get_max_threads(), threads); /* the caller's number is restored */
    omp_set_num_threads(1);
    for (int s = 0; s < SENTENCES; s++) assert_int_equal(found.times[s], 1);
    return found;
}

/* A table of ops whose downloads arrive only on request. */
static struct {
    void *bytes;
    size_t count;
} sent[OPS_SENT];
static int most_sent;

static int send(const void *from, size_t bytes)
{
    int i = 0, count = 1;
    while (sent[i].bytes) i++;
    assert_true(i < OPS_SENT);
    sent[i].bytes = memcpy(test_malloc(bytes), from, bytes);
    sent[i].count = bytes;
    for (int k = 0; k < OPS_SENT; k++) count += k != i && sent[k].bytes;
    most_sent = count > most_sent ? count : most_sent;
    return i;
}

static void receive(int number, void *to)
{
    assert_non_null(sent[number].bytes);
    memcpy(to, sent[number].bytes, sent[number].count);
    test_free(sent[number].bytes);
    sent[number].bytes = NULL;
}

static size_t device_memory;

static size_t memory(void)
{
    return device_memory;
}

static struct found search_of_device(size_t bytes, int beam, int searchers, int batches)
{
    const struct ops *own = model.model->ops;
    struct ops ops = *own;
    ops.send = send, ops.receive = receive, ops.memory = memory;
    device_memory = bytes;
    model.model->ops = &ops;
    most_sent = 0;
    const struct found found = search(beam, 1, CREW, searchers, batches);
    assert_int_equal(most_sent, searchers); /* each search has one step in flight */
    model.model->ops = own;
    return found;
}

TEST(all_find_the_same)
{
    for (int beam = 1; beam <= 4; beam += 3) {
        const struct found expected = search(beam, 1, CREW, 1, BATCHES);
        const struct found beside = search(beam, 2, CREW, 2, BATCHES);
        const struct found sharing = search(beam, 2, CREW_FRUGAL, 1, FRUGAL);
        const struct found turns = search_of_device((size_t)1 << 40, beam, TURNS, TURNS);
        const struct found small = search_of_device(1, beam, 1, BATCHES);
        const struct found *others[] = {&beside, &sharing, &turns, &small};
        int lengths = 0;
        for (int s = 0; s < SENTENCES; s++) {
            const struct hypothesis *best = &expected.best[s];
            for (size_t k = 0; k < COUNT_OF(others); k++) {
                const struct hypothesis *other = &others[k]->best[s];
                if (other->count != best->count || other->score != best->score ||
                    memcmp(other->token, best->token, (size_t)best->count * sizeof *best->token))
                    fail_msg("beam %d, sentence %d: another hypothesis", beam, s);
            }
            lengths |= 1 << (best->count < 30 ? best->count : 30);
        }
        assert_true(lengths & (lengths - 1)); /* the hypotheses differ in length */
    }
}

TEST(few_batches_are_shared)
{
    search(1, 3, CREW, 1, BATCHES); /* 5 batches are fewer than two per thread */
}

static void expect_best(const struct translation *some, const struct translation *all, int wanted)
{
    assert_int_equal(some->count, all->count < wanted ? all->count : wanted);
    for (int i = 0; i < some->count; i++) {
        const struct hypothesis *got = &some->hypothesis[i], *best = &all->hypothesis[i];
        assert_int_equal(got->count, best->count);
        assert_memory_equal(&got->score, &best->score, sizeof got->score);
        assert_memory_equal(got->token, best->token, (size_t)got->count * sizeof *got->token);
    }
}

/* If fewer hypotheses are wanted, they equal the first hypotheses of the beam, and the search
 * computes fewer rows. */
TEST(wanted_are_the_best)
{
    enum { BEAM = 6, SOME = 64 };
    int32_t sentence[SOME];
    for (int i = 0; i < SOME; i++) sentence[i] = 3 * i;
    const struct batch batch = batch_pack(&model.arena, &sources, sentence, SOME);
    for (int penalty = 0; penalty < 3; penalty++) {
        const struct beam_options options = {BEAM, penalty * .8, 12};
        struct searcher *searcher =
            searcher_open(&model.arena, model.model, &options, searcher_capacity(LONGEST));
        const struct translation *all = searcher_run(searcher, &batch);
        int64_t before, rows = searcher_work(searcher).rows;
        for (int wanted = BEAM; wanted >= 1; wanted--) {
            const struct search_work work = searcher_work(searcher);
            searcher_want(searcher, wanted);
            const struct translation *some = searcher_run(searcher, &batch);
            before = rows, rows = searcher_work(searcher).rows - work.rows;
            assert_true(wanted < BEAM ? rows < before : rows == before);
            for (int s = 0; s < SOME; s++) expect_best(&some[s], &all[s], wanted);
        }
        searcher_close(searcher);
    }
}

AT_START(unsetenv("SANLAB_PRODUCTS")); /* with OpenBLAS, one search has all threads */
