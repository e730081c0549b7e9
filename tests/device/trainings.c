/* sanlab-trainings DEVICE FIRST COUNT: trains COUNT models in one process, step by step in turns.
 * Model number i, from FIRST, has i as its seed. It trains 3 to 5 steps and then frees its memory,
 * while the others continue. Every second model needs more scratch memory than the models before
 * it. Prints a line for each model: its number and the digest of its parameters. */

#include "core/base/digest.h"
#include "core/config/tree_read.h"
#include "core/model/device_choice.h"
#include "core/tensor/graph.h"
#include "core/train/step.h"
#include "core/train/translating.h"
#include "tests/support/made_corpus.h"
#include "tests/support/test.h"

enum { MOST = 16, STEPS_MOST = 5 };

/* A training, with the options that must live as long as its learner. */
struct training {
    struct translator_options model;
    struct train_options options;
    struct translating translating;
    struct learner *learner;
};

/* Begins model number i. Its fusion squeeze needs scratch memory in proportion to its batches. */
static void begin(struct training *training, int i, const struct ops *ops,
                  const struct corpus *corpus)
{
    const struct tree *tree = tree_parse(
        &arena, "trainings",
        arena_print(&arena,
                    "model: {width: 64, heads: 2, feedforward: 64, dropout: 0.1}\n"
                    "encoder: {layers: 1, attention: [{layers: 1, branches: [global, forward], "
                    "fusion: {squeeze: 4}}]}\ndecoder.layers: 1\n"
                    "train: {batch_tokens: %d, accumulate: 1, epochs: 0, steps: %d}\n",
                    i % 2 ? 2048 * (i + 2) : 64, STEPS_MOST));
    translator_options_read(&training->model, tree, &arena);
    section_read(&train_section, tree_find(tree, "train"), &training->options, &arena);
    training->translating = (struct translating){.ops = ops,
                                                 .corpus = corpus,
                                                 .model = &training->model,
                                                 .train = &training->options,
                                                 .seed = (uint32_t)i};
    training->learner = translating_open(&arena, &training->translating);
}

static void place(const struct learner *learner)
{
    model_place(learner->model, true, learner->seed);
    graph_place(learner->list);
}

/* Prints the digest of the parameters, and frees all memory of the training. */
static void end(struct training *training, const struct ops *ops, int i)
{
    const struct parameters *parameters = &training->learner->model->parameters;
    const size_t bytes = (size_t)parameters->slab * sizeof(real);
    real *master = arena_alloc(&arena, bytes);
    struct digest digest;
    char text[DIGEST_TEXT];
    ops->download(master, parameters->master, bytes);
    digest_open(&digest);
    digest_add(&digest, master, bytes);
    digest_close(&digest, text);
    printf("%d %s\n", i, text);
    translating_close(training->learner);
}

int main(int count, char **word)
{
    static struct training training[MOST];
    if (count != 4) die("usage: sanlab-trainings DEVICE FIRST COUNT");
    const int first = atoi(word[2]), trainings = atoi(word[3]);
    if (trainings < 1 || trainings > MOST) die("expected 1 to %d trainings", MOST);
    made_begin();
    made_put_all("ab cd ef gh\nij kl mn\nop qr\nst uv wx yz ab\n",
                 "kl mn op\nqr st\nuv wx\nyz ab\n");
    const struct corpus *corpus = made_prepare();
    device_use(word[1], true);
    const struct ops *ops = device_table(device_used(), PRECISION_FP32);
    for (int s = 0; s < STEPS_MOST + trainings; s++) /* training i begins at round i */
        for (int i = 0; i < trainings; i++) {
            const int own = s - i, last = 2 + (first + i) % 3;
            if (own < 0 || own > last) continue;
            if (own == 0) begin(&training[i], first + i, ops, corpus);
            struct learner *learner = training[i].learner;
            if (own == 0) place(learner);
            const struct learner_step step = learner->step(learner->context, own, 0, &arena);
            if (!train_step(learner, own, &step).finite) die("model %d diverges", first + i);
            if (own == last) end(&training[i], ops, first + i);
        }
    return 0;
}
