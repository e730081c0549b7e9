/* The stage `train` trains one model with one seed (core/train/train.h). */
/* sources: ..core/train -core/train/relating.* */
/* rank: 10 */
#include "core/model/checkpoint.h"
#include "experiments/stage/facts.h"
#include "experiments/stage/continue.h"
#include "experiments/stage/stage_frozen.h"
#include "experiments/stage/stage_train.h"
#include "results/store/offer.h"

static struct estimate estimate(struct stage *stage, struct arena *arena)
{
    const struct train_options *train = &stage->settings->train;
    const struct model_facts model =
        model_facts(stage->settings, stage->seed, stage->input[0], arena);
    const struct corpus_facts *text = corpus_facts(stage->input[0], arena);
    return (struct estimate){.body = model.body,
                             .parameters = model.parameters,
                             .bounded = !text->corpus,
                             .row = model.row,
                             .steps = model.steps,
                             .flops = model.cost.flops,
                             .work = model.cost.work,
                             .memory = model.memory,
                             .device = model.device,
                             .disk = stage_train_disk(train, model.parameters)};
}

static enum work_end run(struct stage_work *work)
{
    const struct stage *stage = work->stage;
    const struct corpus *corpus = corpus_open(&work->arena, stage->input[0]->folder);
    struct translating translating =
        settings_translating(stage->settings, work->ops, corpus, stage->seed);
    const struct metadata description = stage_description(stage, corpus, &work->arena);
    continue_take(work, &description);
    translating.micros = train_micros(stage->folder);
    struct learner *learner = translating_open(&work->arena, &translating);
    const enum work_end end = stage_train(work, learner, &description);
    translating_close(learner);
    return end;
}

const struct offer offer_train = {
    .kind = "train",
    VALUES(VALUE("parameters", "Parameters", NULL, .column = "parameters", .form = COLUMN_EXACT),
           VALUE("steps", "Steps", NULL, .column = "steps", .form = COLUMN_EXACT),
           VALUE("epochs", "Epochs", NULL, .column = "epochs", .form = COLUMN_SHORT),
           VALUE("dev_loss", "Dev loss",
                 "nats per target token, <eos> included, without label smoothing, at the last "
                 "validation; "
                 "above 20 (worse than guessing) the training diverged",
                 .column = "dev_loss", .decimals = 4, .counted = "tokens")),
    .numbers = "dev_smoothed dev_bleu",
    .telling = "dev_loss loss",
};

const struct stage_kind kind_train = {
    .name = "train",
    .task = "translation",
    .traits = SETTINGS_MODEL | SETTINGS_TRAIN | KIND_COMPUTES | KIND_SEEDED | KIND_RESUMES,
    .inputs = (const char *const[]){"corpus", NULL},
    .ignores = (const char *const[]){"input/corpus.test_limit=", "input/corpus.test_format=",
                                     "input/file: test.", NULL},
    .estimate = estimate,
    .run = run,
    .check = stage_train_check,
    .opened = "ckpt",
};
