/* Trainings of the preset tiny on the emulator. They differ from the CPU's only as much as products
 * of another library do. Their bytes are the same after an interruption, and in every order of
 * warps and lanes. */
#include "tests/support/test.h"

#include <float.h>

#include "core/config/tree_read.h"
#include "core/cpu/blas.h"
#include "core/cpu/cpu.h"
#include "core/simt/simt.h"
#include "core/emu/table.h"
#include "core/model/checkpoint.h"
#include "core/train/step.h"
#include "core/train/translating.h"
#include "tests/support/made_corpus.h"

enum { STEPS = 8, HALF = STEPS / 2 };

/* Result of steps from .. to-1 of a training: parameters, and the loss of the last step. */
struct trained {
    double loss;
    int64_t count;
    real *master, *m, *v; /* [count] */
};

static struct {
    struct corpus *corpus;
    struct translator_options model;
    struct train_options train;
} given;

/* Returns sentences of one to twelve words of made-up letters; the target uses other letters. */
static char *made_sentences(char first)
{
    const struct random_key key = {1, random_stream("sentences")};
    uint64_t drawn = 0;
    char *text = NULL;
    size_t bytes;
    FILE *to = open_memstream(&text, &bytes);
    for (int s = 0; s < 300; s++) {
        const int words = 1 + (int)(random_uniform(key, drawn++, 0) * 12);
        for (int w = 0; w < words; w++) {
            const int word = (int)(random_uniform(key, drawn++, 0) * 60);
            fprintf(to, "%s%c%c%c", w ? " " : "", first + word % 3, first + word % 4,
                    first + word % 5);
        }
        fputc('\n', to);
    }
    fclose(to);
    return text;
}

BEFORE(all)
{
    made_begin();
    char *source = made_sentences('a'), *target = made_sentences('k');
    made_put_all(source, target);
    free(source);
    free(target);
    given.corpus = made_prepare();
    const struct tree *over =
        tree_parse(&arena, "train_test",
                   "model: {dropout: 0.1, attention_dropout: 0.1, relu_dropout: 0.1}\n"
                   "train: {batch_tokens: 128, epochs: 0, steps: 8}\n");
    const struct tree *tree =
        tree_merge(&arena, tree_read(&arena, "experiments/models/tiny.yaml"), over);
    translator_options_read(&given.model, tree, &arena);
    section_read(&train_section, tree_find(tree, "train"), &given.train, &arena);
}

static real *copy_of(const struct ops *ops, const real *device, int64_t count)
{
    real *host = ARENA_ARRAY(&arena, real, count);
    ops->download(host, device, (size_t)count * sizeof *host);
    return host;
}

/* Trains from a checkpoint of step `from` in the folder, or from the start; saves a checkpoint of
 * step HALF. */
static struct trained train(const struct ops *ops, int from, int to, const char *folder)
{
    const struct translating translating = {.ops = ops,
                                            .corpus = given.corpus,
                                            .model = &given.model,
                                            .train = &given.train,
                                            .seed = 3};
    struct learner *learner = translating_open(&arena, &translating);
    struct parameters *parameters = &learner->model->parameters;
    struct trained trained = {.count = parameters->slab};
    model_place(learner->model, true, learner->seed);
    if (from) checkpoint_load(folder, from, parameters, true);
    graph_place(learner->list);
    for (int s = 0, epoch = 0, number = 0; s < to; s++, number++) {
        if (number == learner->epoch_steps(learner->context, epoch)) epoch++, number = 0;
        if (s < from) continue;
        const struct learner_step step = learner->step(learner->context, epoch, number, &arena);
        const struct step_result result = train_step(learner, s, &step);
        assert_true(result.finite);
        trained.loss = result.loss;
        if (s + 1 == HALF && folder) checkpoint_save(folder, HALF, parameters, NULL, "{}");
    }
    trained.master = copy_of(ops, parameters->master, trained.count);
    trained.m = copy_of(ops, parameters->m, trained.count);
    trained.v = copy_of(ops, parameters->v, trained.count);
    translating_close(learner);
    return trained;
}

static void same_bytes(const struct trained *a, const struct trained *b)
{
    const size_t bytes = (size_t)a->count * sizeof(real);
    assert_int_equal(a->count, b->count);
    assert_memory_equal(a->master, b->master, bytes);
    assert_memory_equal(a->m, b->m, bytes);
    assert_memory_equal(a->v, b->v, bytes);
    assert_true(a->loss == b->loss);
}

/* Returns all steps on the emulator, computed once, with a checkpoint in *folder. */
static const struct trained *whole(const char **folder)
{
    static struct trained trained;
    static const char *path;
    if (!path) {
        path = arena_text(&arena, test_folder("whole"));
        trained = train(&emu_fp32, 0, STEPS, path);
    }
    if (folder) *folder = path;
    return &trained;
}

TEST(as_close_to_the_cpu_as_one_in_ten_thousand)
{
    const double emu = whole(NULL)->loss, cpu = train(cpu_ops(), 0, STEPS, NULL).loss;
    print_message("losses: cpu %.9g, emulator %.9g\n", cpu, emu);
    assert_true(fabs(emu - cpu) <= 1e-4 * cpu);
}

TEST(as_close_to_the_cpu_as_openblas)
{
    const char *why;
    if (!blas_try(&why)) test_skip("OpenBLAS: %s", why);
    const double emu = whole(NULL)->loss, cpu = train(cpu_ops(), 0, STEPS, NULL).loss;
    setenv("SANLAB_PRODUCTS", "blas", 1);
    const double blas = train(cpu_ops(), 0, STEPS, NULL).loss, ulps = 4 * FLT_EPSILON * cpu;
    unsetenv("SANLAB_PRODUCTS");
    print_message("off the CPU's loss: emulator %.3g, OpenBLAS %.3g\n", emu - cpu, blas - cpu);
    assert_true(fabs(emu - cpu) <= fmax(10 * fabs(blas - cpu), ulps));
}

TEST(interrupted_and_resumed)
{
    const char *folder;
    const struct trained *undisturbed = whole(&folder);
    const struct trained resumed = train(&emu_fp32, HALF, STEPS, folder);
    same_bytes(undisturbed, &resumed);
}

TEST(in_every_order_of_warps_and_lanes)
{
    const struct trained first = train(&emu_fp32, 0, 2, NULL);
    simt_control.order = 7;
    const struct trained second = train(&emu_fp32, 0, 2, NULL);
    simt_control.order = 0;
    same_bytes(&first, &second);
}

int main(void)
{
    setenv("SANLAB_EMU_STRICT", "1", 1);
    unsetenv("SANLAB_PRODUCTS");
    omp_set_num_threads(1);
    return tests_run();
}
