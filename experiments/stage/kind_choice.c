/* The stage `choice` chooses the best trial of a tuned row by a metric on dev. It reads the values
 * of the trials' stages, and computes nothing else. Trials that diverged are not chosen. */
/* sources: experiments/stage/kind_choice.* core/model/checkpoint_choice.* */
/* rank: 90 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/journal_read.h"
#include "core/base/mean.h"
#include "core/config/option.h"
#include "core/config/scalar.h"
#include "core/corpus/corpus_folder.h"
#include "core/model/checkpoint.h"
#include "core/model/checkpoint_choice.h"
#include "experiments/grid/tune.h"
#include "experiments/stage/stage_work.h"
#include "results/store/offer.h"

/* The options under the key `tune` (experiments/plan/plan_tune.c). Inputs are the trainings of the
 * points, then their stages of the metric if these are other stages. Points are the trials, then
 * for each finalist its points with further seeds. If the stage is `fresh`, the points are the
 * row's own seeds with the chosen options. Their mean shows how much better the choice looks than
 * it is. */
struct choosing {
    struct stage_work *work;
    struct texts trials;           /* options of each trial */
    struct texts finalists;        /* numbers of trials; none: the stage does not read finalists */
    int keep;                      /* number of finalists to choose; 0: none */
    int fresh;                     /* number of the row's own seeds; 0: the stage chooses a trial */
    const char *checkpoint, *word; /* name of the metric */
    const struct tune_metric *metric;
    int points;
};

/* ---- values of points ---- */

/* Returns the value of a stage as a whole, or at a step (JOURNAL_NONE: without one); NaN if there
 * is none. Sets *n to the number of items. */
static double value_at(const char *folder, const char *name, int64_t step, double *n)
{
    double value = (double)NAN;
    struct journal_reader reader = journal_read(folder, JOURNAL_METRICS, 0);
    for (json_t *line; (line = journal_next(&reader));) {
        const json_t *at = json_object_get(line, "step");
        if (strcmp(journal_text(line, "name"), name) != 0) continue;
        if (step != (at ? json_integer_value(at) : JOURNAL_NONE)) continue;
        if (json_object_get(line, "n")) *n = json_number_value(json_object_get(line, "n"));
        if (!json_object_get(line, "set"))
            value = json_number_value(json_object_get(line, "value"));
    }
    return value;
}

/* Returns the mean dev loss of the validations at the steps of the checkpoint. */
static double loss_at(const char *folder, const char *name, const char *checkpoint)
{
    int64_t step[CHECKPOINTS_MOST];
    const int count = checkpoint_select(folder, checkpoint, step, CHECKPOINTS_MOST);
    double sum = 0, n;
    for (int i = 0; i < count; i++) sum += value_at(folder, name, step[i], &n);
    if (isnan(sum)) die("%s: %s: no validation at its steps", folder, checkpoint);
    return sum / count;
}

/* Returns the number of characters of the first references of dev. */
static double characters(const struct choosing *choosing, const struct stage *score)
{
    struct arena *arena = &choosing->work->arena;
    const struct corpus *corpus = corpus_open(arena, score->input[0]->folder);
    int count;
    double sum = 0;
    const char **line = corpus_reference(arena, corpus, SPLIT_DEV, 0, &count);
    for (int i = 0; i < count; i++)
        for (const char *at = line[i]; *at; at++) sum += ((unsigned char)*at & 0xC0) != 0x80;
    return sum;
}

/* Returns the metric of a point; NaN if its training diverged. */
static double point_value(const struct choosing *choosing, int point)
{
    const struct stage *stage = choosing->work->stage;
    const struct tune_metric *metric = choosing->metric;
    const bool trained = stage->inputs == choosing->points;
    const struct stage *input = stage->input[trained ? point : choosing->points + point];
    if (stage_is_lost(input, &choosing->work->arena)) return (double)NAN;
    if (trained) return loss_at(input->folder, metric->value, choosing->checkpoint);
    double tokens = 0;
    const double value = value_at(input->folder, metric->value, JOURNAL_NONE, &tokens);
    return !strcmp(metric->name, TUNE_CHARACTERS) ? value * tokens / characters(choosing, input)
                                                  : value;
}

/* Returns the core hours of the attempts of a stage, from the times of its events. */
static double core_hours(const char *folder)
{
    double sum = 0, before = 0, threads = 1;
    struct journal_reader reader = journal_read(folder, JOURNAL_EVENTS, 0);
    for (json_t *event; (event = journal_next(&reader));) {
        const double now = json_number_value(json_object_get(event, "clock"));
        if (!strcmp(journal_text(event, "event"), "started")) before = now;
        if (now > before) sum += threads * (now - before);
        before = now;
        if (!strcmp(journal_text(event, "name"), "threads"))
            threads = json_number_value(json_object_get(event, "value"));
    }
    return sum / 3600;
}

/* ---- the choice ---- */

#define FIELD(member) offsetof(struct choosing, member)
static const struct option rows[] = {
    OPTION_TEXT("metric", FIELD(word), NULL, OPTION_NO_ID, "metric"),
    OPTION_TEXT("checkpoint", FIELD(checkpoint), NULL, OPTION_NO_ID, "checkpoint"),
    OPTION_INT("keep", FIELD(keep), NULL, 0, 1e6, OPTION_NO_ID, "finalists to choose"),
    OPTION_INT("fresh", FIELD(fresh), NULL, 0, 1e6, OPTION_NO_ID, "seeds of the row"),
    OPTION_TEXTS("finalists", FIELD(finalists), NULL, OPTION_NO_ID, "numbers of trials"),
    OPTION_TEXTS("trials", FIELD(trials), NULL, OPTION_NO_ID, "options of each trial"),
};
static const struct section *const section =
    SECTION("tune", "choice of a trial", rows, struct choosing);

static struct choosing choosing_read(struct stage_work *work)
{
    const struct stage *stage = work->stage;
    struct choosing choosing = {.work = work};
    section_read(section, tree_get(stage->options, "tune"), &choosing, &work->arena);
    choosing.points = choosing.fresh
                          ? choosing.fresh
                          : choosing.trials.count + choosing.finalists.count * (TUNE_SEEDS - 1);
    const bool trained = stage->inputs == choosing.points;
    choosing.metric = tune_metric(choosing.word, trained);
    if (!choosing.metric || !choosing.points || (!trained && stage->inputs != 2 * choosing.points))
        die("%s: its inputs do not belong to its trials", stage->name);
    return choosing;
}

struct ranked_trial {
    int trial;
    double value;
    bool less;
};

/* Best first; equal values by the number of the trial; NaN last. */
static int compare_ranked(const void *a, const void *b)
{
    const struct ranked_trial *one = a, *other = b;
    const bool lost[] = {isnan(one->value), isnan(other->value)};
    if (lost[0] != lost[1]) return lost[0] - lost[1];
    const int order = (one->value > other->value) - (one->value < other->value);
    if (order && !lost[0]) return one->less ? order : -order;
    return one->trial - other->trial;
}

/* True if an earlier input is the same stage. */
static bool is_repeated(const struct stage *stage, int input)
{
    int i = 0;
    while (strcmp(stage->input[i]->id, stage->input[input]->id) != 0) i++;
    return i < input;
}

/* Returns the trials, best first, and how many. Of trials that are the same training, it is the
 * first. */
static struct ranked_trial *rank_trials(const struct choosing *choosing, const double *value,
                                        int *count)
{
    const int trials = choosing->trials.count;
    struct ranked_trial *all = ARENA_ARRAY(&choosing->work->arena, struct ranked_trial, trials);
    *count = 0;
    for (int t = 0; t < trials; t++)
        if (!is_repeated(choosing->work->stage, t))
            all[(*count)++] = (struct ranked_trial){t, value[t], choosing->metric->less};
    qsort(all, (size_t)*count, sizeof *all, compare_ranked);
    return all;
}

/* Returns the finalists, best first, by the means over their seeds. */
static struct ranked_trial *rank_finalists(const struct choosing *choosing, const double *value)
{
    const int count = choosing->finalists.count, trials = choosing->trials.count;
    struct ranked_trial *all = ARENA_ARRAY(&choosing->work->arena, struct ranked_trial, count);
    const double *more = value + trials;
    for (int f = 0; f < count; f++) {
        const int trial = atoi(choosing->finalists.text[f]);
        if (trial < 0 || trial >= trials) die("tune: there is no trial %d", trial);
        all[f] = (struct ranked_trial){trial, value[trial] / TUNE_SEEDS, choosing->metric->less};
        for (int s = 0; s < TUNE_SEEDS - 1; s++) all[f].value += *more++ / TUNE_SEEDS;
    }
    qsort(all, (size_t)count, sizeof *all, compare_ranked);
    return all;
}

/* Writes the chosen trial, `best`, or the best of several finalists. `all` has the trials that
 * differ, best first. The median is of the trials that did not diverge; of an even number, it is
 * the better one of the two in the middle. */
static void write_choice(const struct choosing *choosing, const struct ranked_trial *best,
                         const struct ranked_trial *all, int count)
{
    struct stage_work *work = choosing->work;
    const int keep = choosing->keep && best == all ? choosing->keep : 1;
    json_t *list = json_array();
    double hours = 0;
    int there = 0;
    while (there < count && !isnan(all[there].value)) there++;
    for (int i = 0; i < keep && i < count && !isnan(best[i].value); i++)
        json_array_append_new(list, json_integer(best[i].trial));
    for (int i = 0; i < work->stage->inputs; i++)
        if (!is_repeated(work->stage, i)) hours += core_hours(work->stage->input[i]->folder);
    json_object_set_new(work->texts, "best", list);
    json_object_set_new(work->texts, "hours", json_real(hours));
    stage_work_text(work, "options", choosing->trials.text[best->trial]);
    stage_work_text(work, "metric", choosing->word);
    stage_work_real(work, "trial", best->trial);
    stage_work_real(work, "metric", best->value);
    stage_work_real(work, "median", all[(there - 1) / 2].value);
    stage_work_real(work, "median_trial", all[(there - 1) / 2].trial);
    stage_work_real(work, "trials", choosing->trials.count);
    stage_work_real(work, "diverged", count - there);
}

/* Writes the mean of the row's own seeds that did not diverge. */
static void write_fresh(const struct choosing *choosing, const double *value)
{
    double *there = ARENA_ARRAY(&choosing->work->arena, double, choosing->points);
    int count = 0;
    for (int i = 0; i < choosing->points; i++)
        if (!isnan(value[i])) there[count++] = value[i];
    if (count) stage_work_real(choosing->work, "fresh", mean_of(there, count));
}

static enum work_end run(struct stage_work *work)
{
    const struct choosing choosing = choosing_read(work);
    double *value = ARENA_ARRAY(&work->arena, double, choosing.points);
    for (int i = 0; i < choosing.points; i++) value[i] = point_value(&choosing, i);
    if (choosing.fresh) {
        write_fresh(&choosing, value);
        return WORK_DONE;
    }
    int count;
    const struct ranked_trial *all = rank_trials(&choosing, value, &count),
                              *best =
                                  choosing.finalists.count ? rank_finalists(&choosing, value) : all;
    if (isnan(best->value))
        die("all %d %s of this row diverged",
            best == all ? choosing.trials.count : choosing.finalists.count,
            best == all ? "trials" : "finalists");
    for (int t = 0; t < choosing.trials.count; t++)
        stage_work_value(work, "trial_metric", value[t], JOURNAL_NONE,
                         (struct value_at){.set = t + 1});
    write_choice(&choosing, best, all, count);
    return WORK_DONE;
}

const struct offer offer_choice = {
    .kind = "choice",
    .traits = OFFER_EXACT,
    VALUES(
        VALUE("trials", "Trials", "number of trials of a tuned row", .column = "trials",
              .form = COLUMN_EXACT),
        VALUE("hours", "Hours", "core hours of the trials of a tuned row", .column = "hours",
              .decimals = 2),
        VALUE("metric", "Metric on dev", "of the chosen trial", .decimals = 4),
        VALUE("trial_metric", "Metric on dev", "of each trial", .decimals = 4, .traits = BY_SET)),
    .numbers = "trial median median_trial diverged fresh",
    .telling = "metric fresh",
};

const struct stage_kind kind_choice = {
    .name = "choice",
    .traits = KIND_SINGLE | KIND_PARDONS,
    .inputs = (const char *const[]){"train", NULL},
    .other_inputs = (const char *const[]){"score", NULL},
    .run = run,
};
