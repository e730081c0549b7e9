/* The stage `train`: one model with one seed (core/train/train.h). */
/* sources: ..core/train */
#include <stdlib.h>
#include <string.h>

#include "code.h"
#include "core/base/file.h"
#include "core/model/checkpoint.h"
#include "experiments/stage/facts_model.h"
#include "experiments/stage/capable.h"
#include "experiments/stage/stage_frozen.h"
#include "experiments/stage/stage_work.h"
#include "results/store/offer.h"

static struct estimate estimate(struct stage *stage, struct arena *arena)
{
    const struct train_options *train = &stage->settings->train;
    const struct model_facts model =
        model_facts(stage->settings, stage->seed, stage->input[0], arena);
    const struct corpus_facts *text = corpus_facts(stage->input[0], arena);
    /* Resuming needs Adam's two moments beside the parameters. */
    const double kept = 3 * train->keep_last + train->keep_best + train->keep_average;
    return (struct estimate){.body = model.body,
                             .parameters = model.parameters,
                             .bounded = !text->corpus,
                             .row = model.row,
                             .steps = model.steps,
                             .flops = model.cost.flops,
                             .work = model.cost.work,
                             .memory = model.memory,
                             .device = model.device,
                             .disk = kept * (double)model.parameters * sizeof(float)};
}

static enum precision precision(const struct stage *stage)
{
    return (enum precision)stage->settings->train.precision;
}

static void check_grid(const struct grid *grid)
{
    capable_check_precision(grid, "train.precision");
    capable_check_model(grid);
}

static void progress(void *context, int64_t done, int64_t total, double loss)
{
    char text[64];
    snprintf(text, sizeof text, "steps, loss %.3f", loss);
    stage_work_progress(context, done, total, text);
}

static bool has_dimension(const json_t *record)
{
    static const char *const key[] = {"layer", "head", "set", "class"};
    for (size_t i = 0; i < COUNT_OF(key); i++)
        if (json_object_get(record, key[i])) return true;
    return false;
}

/* The last value of every metric of the run is its result, but of those of a layer or the like. */
static void summarize_metrics(struct stage_work *work)
{
    char *path = arena_print(&work->arena, "%s/" JOURNAL_METRICS, work->stage->folder),
         *line = NULL;
    size_t size = 0;
    FILE *file = file_lines(path);
    while (file && file_line(file, path, &line, &size) > 0) {
        json_t *record = json_loads(line, 0, NULL);
        const char *name = json_string_value(json_object_get(record, "name"));
        /* The training loss is a mean since the last row, so it depends on train.log_every. */
        if (name && strcmp(name, "loss") && !has_dimension(record)) {
            json_object_set(work->summary, name, json_object_get(record, "value"));
            json_object_set(work->summary, "steps", json_object_get(record, "step"));
        }
        json_decref(record);
    }
    free(line);
    file_close(file, path);
}

/* Whether the last validation says so; then an event says what it was. */
static bool is_lost(struct stage_work *work)
{
    const struct offer *offer = offer_of(work->stage->kind->name);
    const double last = json_number_value(json_object_get(work->summary, offer->validation));
    if (!offer_diverged(offer, last)) return false;
    journal_event(work->journal, "diverged",
                  json_integer_value(json_object_get(work->summary, "steps")),
                  arena_print(&work->arena, "%s: %.4g, above %g", offer->validation, last,
                              offer->validation_most));
    return true;
}

static enum work_end run(struct stage_work *work)
{
    const struct stage *stage = work->stage;
    const struct corpus *corpus = corpus_open(&work->arena, stage->input[0]->folder);
    struct translating translating =
        settings_translating(stage->settings, work->ops, corpus, stage->seed);
    translating.micros = train_micros(stage->folder);
    struct learner *learner = translating_open(&work->arena, &translating);
    const struct metadata description = stage_description(stage, corpus, &work->arena);
    const struct train_job job = {
        .learner = learner,
        .folder = stage->folder,
        .journal = work->journal,
        .description = &description,
        .progress = progress,
        .progress_context = work,
    };
    const enum train_end end = train_run(&job);
    const int64_t parameters = learner->model->parameters.total;
    translating_close(learner);
    if (end == TRAIN_INTERRUPTED) return WORK_INTERRUPTED;
    journal_sync(work->journal);
    summarize_metrics(work);
    json_object_set_new(work->summary, "parameters", json_integer(parameters));
    return end == TRAIN_DIVERGED || is_lost(work) ? WORK_DIVERGED : WORK_DONE;
}

/* Optimizers serve to go on, and there is nothing to go on with. */
static void remove_optimizers(const char *folder)
{
    int64_t step[CHECKPOINTS_MOST];
    const int count = checkpoint_steps(folder, step, CHECKPOINTS_MOST);
    checkpoint_thin(folder, step, count, 0);
}

static const struct measure measures[] = {
    {.name = "parameters",
     .column = "parameters",
     .header = "Parameters",
     .form = COLUMN_EXACT,
     .always = true},
    {.name = "steps", .column = "steps", .header = "Steps", .form = COLUMN_EXACT},
    {.name = "epochs", .column = "epochs", .header = "Epochs", .form = COLUMN_SHORT},
    {.name = "dev_loss",
     .column = "dev_loss",
     .header = "Dev loss",
     .help =
         "nats per target token with <eos>, without label smoothing; of the last validation; above "
         "20, which is worse than guessing, the training diverged",
     .decimals = 4},
};
const struct offer offer_train = {
    .kind = "train",
    .measures = COUNT_OF(measures),
    .measure = measures,
    .telling = "dev_loss loss",
    .numeric = true,
    .validation = "dev_loss",
    .validation_most = 20,
};

const struct stage_kind kind_train = {
    .name = "train",
    .help = "a model, trained with one seed",
    .version = 1,
    .code = CODE_train,
    .task = "translation",
    .settings = SETTINGS_MODEL | SETTINGS_TRAIN,
    .computes = true,
    .rank = 10,
    .seeded = true,
    .resumes = true,
    .inputs = (const char *const[]){"corpus", NULL},
    .input_ignores = {"corpus.test_limit=", "corpus.test_format=", "file: test."},
    .estimate = estimate,
    .precision = precision,
    .run = run,
    .check_grid = check_grid,
    .spare = {"its training is over", checkpoint_optimizer_bytes, remove_optimizers},
};
