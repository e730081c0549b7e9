/* The stage `train`: one translator with one seed (core/train/train.h). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "code.h"
#include "experiments/plan/facts.h"
#include "experiments/plan/work.h"

/* Whether a step can hold the longest sentence; the stage itself refuses when it cannot. */
static bool fits(const struct train_options *train, const struct split *split)
{
    return split->longest[SIDE_SOURCE] <= train->batch_tokens &&
           split->longest[SIDE_TARGET] <= train->batch_tokens;
}

/* Before the vocabulary exists: the tokens of an epoch over those of a step. */
static int64_t estimate_steps(const struct train_options *train, const struct corpus_facts *facts,
                              uint32_t seed)
{
    if (facts->corpus) return train_steps(train, &facts->corpus->split[SPLIT_TRAIN], seed);
    int64_t tokens = facts->tokens[SPLIT_TRAIN][SIDE_SOURCE];
    if (facts->tokens[SPLIT_TRAIN][SIDE_TARGET] > tokens)
        tokens = facts->tokens[SPLIT_TRAIN][SIDE_TARGET];
    int64_t steps = train->epochs * (tokens / train->batch_tokens + (tokens > 0));
    return train->steps && (!steps || train->steps < steps) ? train->steps : steps;
}

static struct estimate estimate(struct stage *stage, struct arena *arena)
{
    const struct translator_options *model = &stage->settings->translator;
    const struct train_options *train = &stage->settings->train;
    const struct corpus_facts *facts = corpus_facts(stage->input[0], arena);
    if (facts->corpus && !fits(train, &facts->corpus->split[SPLIT_TRAIN]))
        return (struct estimate){0};
    int64_t source = facts->vocabulary[SIDE_SOURCE], target = facts->vocabulary[SIDE_TARGET];
    struct estimate estimate = {
        .body = translator_count_body(model),
        .parameters = translator_count(model, source, target),
        .bounded = !facts->corpus,
        .steps = estimate_steps(train, facts, stage->seed),
    };
    double tokens[SIDES], longer = 1;
    for (int side = 0; side < SIDES; side++) {
        tokens[side] = (double)facts->tokens[SPLIT_TRAIN][side];
        longer = fmax(longer, tokens[side]);
    }
    /* A step's larger side has batch_tokens, nearly. */
    double epochs = (double)estimate.steps * train->batch_tokens / longer;
    if (train->epochs && epochs > train->epochs) epochs = train->epochs;
    estimate.flops = translator_train_flops(model, target, epochs * tokens[SIDE_SOURCE],
                                            epochs * tokens[SIDE_TARGET]);
    double bytes = 4 * (double)estimate.parameters;
    estimate.disk = bytes * (3 * train->keep_last + train->keep_best);
    if (facts->corpus) estimate.memory = (double)train_memory(model, train, facts->corpus);
    return estimate;
}

static void progress(void *context, int64_t done, int64_t total, double loss)
{
    char text[64];
    (void)context;
    snprintf(text, sizeof text, "steps, loss %.3f", loss);
    work_progress(done, total, text);
}

/* The last value of every metric of the run is its result. */
static void summarize_metrics(struct work *work)
{
    char *path = arena_print(&work->arena, "%s/metrics.jsonl", work->stage->folder), *line = NULL;
    size_t size = 0;
    FILE *file = fopen(path, "r");
    if (!file) die("%s: cannot be read", path);
    while (getline(&line, &size, file) > 0) {
        json_t *record = json_loads(line, 0, NULL);
        const char *name = json_string_value(json_object_get(record, "name"));
        /* The training loss is a mean since the last row, so it depends on train.log_every. */
        if (name && strcmp(name, "loss") && !json_object_get(record, "layer") &&
            !json_object_get(record, "tag")) {
            json_object_set(work->summary, name, json_object_get(record, "value"));
            json_object_set(work->summary, "steps", json_object_get(record, "step"));
        }
        json_decref(record);
    }
    free(line);
    fclose(file);
}

static enum work_end run(struct work *work)
{
    const struct stage *stage = work->stage;
    const struct settings *settings = stage->settings;
    const struct corpus *corpus = corpus_open(&work->arena, stage->input[0]->folder);
    const struct train_job job = {
        .corpus = corpus,
        .model = &settings->translator,
        .train = &settings->train,
        .seed = stage->seed,
        .folder = stage->folder,
        .journal = work->journal,
        .progress = progress,
    };
    enum train_end end = train_run(&job);
    if (end == TRAIN_INTERRUPTED) return WORK_INTERRUPTED;
    journal_sync(work->journal);
    summarize_metrics(work);
    json_object_set_new(
        work->summary, "parameters",
        json_integer(translator_count(&settings->translator, corpus->vocabulary[SIDE_SOURCE].size,
                                      corpus->vocabulary[SIDE_TARGET].size)));
    return end == TRAIN_DIVERGED ? WORK_DIVERGED : WORK_DONE;
}

const struct stage_kind kind_train = {
    .name = "train",
    .help = "a translator, trained with one seed",
    .version = 1,
    .code = CODE_MODEL,
    .parts = PART_MODEL | PART_TRAIN,
    .seeded = true,
    .resumes = true,
    .inputs = {"corpus"},
    .input_ignores = {"corpus.test_limit=", "file: test."},
    .estimate = estimate,
    .run = run,
};
