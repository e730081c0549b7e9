/* Runs trainings of stages. The training has diverged if the last validation in the journal is too
 * high. */
#include "experiments/stage/stage_train.h"

#include <string.h>

#include "core/base/journal_read.h"
#include "core/model/checkpoint.h"
#include "experiments/stage/environment.h"
#include "results/store/offer.h"
#include "results/store/stage_folder.h"

static void progress(void *context, int64_t done, int64_t total, double loss)
{
    char text[64];
    snprintf(text, sizeof text, "steps, loss %.3f", loss);
    stage_work_progress(context, done, total, text);
}

/* True if the last validation is above the limit. Then also writes an event with its value. Always
 * writes the value `steps`: the step of the last metric row that is not a training loss. */
static bool ends_lost(struct stage_work *work)
{
    struct journal_reader reader = journal_read(work->stage->folder, JOURNAL_METRICS, 0);
    int64_t steps = JOURNAL_NONE;
    double last = 0;
    for (json_t *record; (record = journal_next(&reader));) {
        const char *name = journal_text(record, "name");
        if (!strcmp(name, STAGE_TRAINING_LOSS)) continue;
        steps = json_integer_value(json_object_get(record, "step"));
        if (!strcmp(name, OFFER_VALIDATION))
            last = json_number_value(json_object_get(record, "value"));
    }
    if (steps != JOURNAL_NONE) stage_work_real(work, "steps", (double)steps);
    if (!(last > OFFER_VALIDATION_MOST)) return false;
    journal_event(work->journal, "diverged", steps,
                  arena_print(&work->arena, OFFER_VALIDATION ": %.4g, above %g", last,
                              OFFER_VALIDATION_MOST));
    return true;
}

enum work_end stage_train(struct stage_work *work, const struct learner *learner,
                          const struct metadata *description)
{
    const struct train_job job = {
        .learner = learner,
        .folder = work->stage->folder,
        .journal = work->journal,
        .description = description,
        .progress = progress,
        .progress_context = work,
    };
    const enum train_end end = train_run(&job);
    if (end == TRAIN_INTERRUPTED) return WORK_INTERRUPTED;
    journal_sync(work->journal);
    const bool lost = ends_lost(work);
    stage_work_real(work, "parameters", (double)learner->model->parameters.total);
    return end == TRAIN_DIVERGED || lost ? WORK_DIVERGED : WORK_DONE;
}

/* Only the task translation needs text for dev. In the task logic, dev pairs are held out of the
 * training pairs. */
void stage_train_check(struct kind_check *check)
{
    const struct grid_resolved *resolved = check->resolved;
    if (!strcmp(check->grid->task, "translation") &&
        !corpus_has_split(&resolved->settings->corpus, SPLIT_DEV))
        die_at(tree_location(resolved->options, "corpus"),
               "corpus.dev is missing: a training needs text "
               "for validation; expected dev or dev_every");
    capable_check(resolved, "train.precision");
}

double stage_train_disk(const struct train_options *train, int64_t parameters)
{
    const double kept =
        3 * train->keep_last + train->keep_best + train->keep_average + 2 * train->keep_at.count;
    return kept * (double)parameters * sizeof(float);
}
