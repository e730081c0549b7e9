/* The stage `choice` chooses the best trial of a tuned row by a metric on dev. At a rung
 * (halving.h), it chooses the trials that go on. It reads values of the trials' stages, and
 * computes nothing else. */
/* sources: experiments/stage/kind_choice.* core/model/checkpoint_choice.* */
/* rank: 90 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/journal_read.h"
#include "core/base/mean.h"
#include "core/base/rank.h"
#include "core/config/option.h"
#include "core/config/scalar.h"
#include "core/corpus/corpus_folder.h"
#include "core/model/checkpoint.h"
#include "core/model/checkpoint_choice.h"
#include "experiments/grid/tune.h"
#include "experiments/stage/stage_work.h"
#include "results/store/offer.h"
#include "results/store/stage_folder.h"

/* The options under the key `tune` (experiments/plan/plan_tune.c). Inputs are the trainings of the
 * points, then their stages of the metric if these are other stages. Points are the trials, then
 * for each finalist its points with further seeds. If the stage is `fresh`, the points are the
 * row's own seeds with the chosen options. Their mean shows how much better the choice looks than
 * it is. With halving, points are the trials at a rung, or those that ran to the end. After the
 * first rung, the last input is the choice of the rung before. */
struct choosing {
    struct stage_work *work;
    struct texts trials;           /* options of each trial */
    struct texts finalists;        /* numbers of trials; none: the stage does not read finalists */
    struct texts numbers;          /* numbers of the trials; none: they are 0, 1, .. */
    struct texts whole;            /* numbers of trials that always run to the end */
    int rung;                      /* length of the trials at a rung; 0: they run to the end */
    int keep;                      /* number of trials to choose, if not one; 0: one */
    int fresh;                     /* number of the row's own seeds; 0: the stage chooses a trial */
    const char *checkpoint, *word; /* name of the metric */
    const struct tune_metric *metric;
    int points;
    int ranked;                 /* number of points that are trials, without further seeds */
    const struct stage *before; /* choice of the rung before; NULL: none */
};

/* Returns the number of the trial of a point. */
static int trial_of(const struct choosing *choosing, int point)
{
    return choosing->numbers.count ? atoi(choosing->numbers.text[point]) : point;
}

/* True if a trial runs to the end, whatever its metric is. */
static bool is_whole(const struct choosing *choosing, int trial)
{
    for (int i = 0; i < choosing->whole.count; i++)
        if (atoi(choosing->whole.text[i]) == trial) return true;
    return false;
}

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
    const bool trained = stage->inputs - !!choosing->before == choosing->points;
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
    OPTION_TEXTS("points", FIELD(numbers), "[]", OPTION_NO_ID, "numbers of the trials"),
    OPTION_TEXTS("whole", FIELD(whole), "[]", OPTION_NO_ID, "trials that run to the end"),
    OPTION_INT("rung", FIELD(rung), "0", 0, 1e9, OPTION_NO_ID, "length of the trials"),
};
static const struct section *const section =
    SECTION("tune", "choice of a trial", rows, struct choosing);

static struct choosing choosing_read(struct stage_work *work)
{
    const struct stage *stage = work->stage;
    struct choosing choosing = {.work = work};
    section_read(section, tree_get(stage->options, "tune"), &choosing, &work->arena);
    const struct stage *last = stage->inputs ? stage->input[stage->inputs - 1] : NULL;
    choosing.before = last && last->kind == stage->kind ? last : NULL;
    choosing.ranked = choosing.numbers.count ? choosing.numbers.count : choosing.trials.count;
    choosing.points = choosing.fresh
                          ? choosing.fresh
                          : choosing.ranked + choosing.finalists.count * (TUNE_SEEDS - 1);
    const int inputs = stage->inputs - !!choosing.before;
    const bool trained = inputs == choosing.points;
    choosing.metric = tune_metric(choosing.word, trained);
    if (!choosing.metric || !choosing.points || (!trained && inputs != 2 * choosing.points))
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
    const int points = choosing->ranked;
    struct ranked_trial *all = ARENA_ARRAY(&choosing->work->arena, struct ranked_trial, points);
    *count = 0;
    for (int i = 0; i < points; i++)
        if (!is_repeated(choosing->work->stage, i))
            all[(*count)++] =
                (struct ranked_trial){trial_of(choosing, i), value[i], choosing->metric->less};
    qsort(all, (size_t)*count, sizeof *all, compare_ranked);
    return all;
}

/* Returns the finalists, best first, by the means over their seeds. */
static struct ranked_trial *rank_finalists(const struct choosing *choosing, const double *value)
{
    const int count = choosing->finalists.count;
    struct ranked_trial *all = ARENA_ARRAY(&choosing->work->arena, struct ranked_trial, count);
    const double *more = value + choosing->ranked;
    for (int f = 0; f < count; f++) {
        const int trial = atoi(choosing->finalists.text[f]);
        int at = 0;
        while (at < choosing->ranked && trial_of(choosing, at) != trial) at++;
        if (at == choosing->ranked) die("tune: there is no trial %d", trial);
        all[f] = (struct ranked_trial){trial, value[at] / TUNE_SEEDS, choosing->metric->less};
        for (int s = 0; s < TUNE_SEEDS - 1; s++) all[f].value += *more++ / TUNE_SEEDS;
    }
    qsort(all, (size_t)count, sizeof *all, compare_ranked);
    return all;
}

/* Returns a number that the choice of the rung before has; 0 if there is none. */
static double before_number(const struct choosing *choosing, const char *name)
{
    double n;
    return choosing->before ? value_at(choosing->before->folder, name, JOURNAL_NONE, &n) : 0;
}

/* Writes the numbers of the chosen trials, and the core hours of the inputs. Hours of earlier rungs
 * are in the choice before. */
static void write_chosen(const struct choosing *choosing, json_t *list)
{
    const struct stage *stage = choosing->work->stage;
    double hours = 0;
    for (int i = 0; i < stage->inputs - !!choosing->before; i++)
        if (!is_repeated(stage, i)) hours += core_hours(stage->input[i]->folder);
    if (choosing->before) {
        json_auto_t *done = stage_done(choosing->before);
        hours += json_number_value(json_object_get(stage_folder_texts(done), "hours"));
    }
    json_object_set_new(choosing->work->texts, "best", list);
    json_object_set_new(choosing->work->texts, "hours", json_real(hours));
}

/* Returns how many of the ranked trials did not diverge. */
static int count_there(const struct ranked_trial *all, int count)
{
    int there = 0;
    while (there < count && !isnan(all[there].value)) there++;
    return there;
}

/* Writes the trials that go on after a rung, ascending: the best ones, and those that always run to
 * the end. Returns how many. */
static int write_rung(const struct choosing *choosing, const struct ranked_trial *all, int there)
{
    json_t *list = json_array();
    for (int t = 0; t < choosing->trials.count; t++)
        for (int i = 0; i < there; i++)
            if (all[i].trial == t && (i < choosing->keep || is_whole(choosing, t)))
                json_array_append_new(list, json_integer(t));
    write_chosen(choosing, list);
    return (int)json_array_size(list);
}

/* Returns the median of the trials that did not diverge; of an even number, the better one of the
 * two in the middle. With halving, it is of the trials that always run to the end. */
static const struct ranked_trial *median_of(const struct choosing *choosing,
                                            const struct ranked_trial *all, int there)
{
    const struct ranked_trial *of = all;
    int count = 0, at = 0;
    for (int i = 0; i < there; i++)
        count += !choosing->whole.count || is_whole(choosing, all[i].trial);
    for (int i = 0; i < there && at <= (count - 1) / 2; i++)
        if (!choosing->whole.count || is_whole(choosing, all[i].trial)) {
            of = &all[i];
            at++;
        }
    return of;
}

/* Writes the chosen trial, `best`, or the best of several finalists. `all` has the trials that
 * differ, best first. */
static void write_choice(const struct choosing *choosing, const struct ranked_trial *best,
                         const struct ranked_trial *all, int there)
{
    struct stage_work *work = choosing->work;
    const int keep = choosing->keep && best == all ? choosing->keep : 1;
    const struct ranked_trial *median = median_of(choosing, all, there);
    json_t *list = json_array();
    for (int i = 0; i < keep && i < there && !isnan(best[i].value); i++)
        json_array_append_new(list, json_integer(best[i].trial));
    write_chosen(choosing, list);
    stage_work_text(work, "options", choosing->trials.text[best->trial]);
    stage_work_real(work, "trial", best->trial);
    stage_work_real(work, "metric", best->value);
    stage_work_real(work, "median", median->value);
    stage_work_real(work, "median_trial", median->trial);
}

/* ---- rungs ---- */

/* Reads the metric of the trials at a rung, [trials]; a trial that diverged is worse than all
 * others. */
static void read_rung(const struct choosing *choosing, const char *folder, double *value)
{
    for (int t = 0; t < choosing->trials.count; t++)
        value[t] = choosing->metric->less ? INFINITY : -INFINITY;
    struct journal_reader reader = journal_read(folder, JOURNAL_METRICS, 0);
    for (json_t *line; (line = journal_next(&reader));) {
        const json_t *set = json_object_get(line, "set");
        const json_int_t trial = json_integer_value(set) - 1;
        if (!strcmp(journal_text(line, "name"), "trial_metric") && trial >= 0 &&
            trial < choosing->trials.count)
            value[trial] = json_number_value(json_object_get(line, "value"));
    }
}

/* Writes the rank correlation of each rung with the end, over the trials that always run to the
 * end. */
static void write_correlations(const struct choosing *choosing, const double *point)
{
    struct arena *arena = &choosing->work->arena;
    const int trials = choosing->trials.count, whole = choosing->whole.count;
    double *rung = ARENA_ARRAY(arena, double, trials), *end = ARENA_ARRAY(arena, double, trials),
           *x = ARENA_ARRAY(arena, double, whole), *y = ARENA_ARRAY(arena, double, whole);
    int rungs = 0;
    for (int t = 0; t < trials; t++) end[t] = choosing->metric->less ? INFINITY : -INFINITY;
    for (int i = 0; i < choosing->ranked; i++)
        if (!isnan(point[i])) end[trial_of(choosing, i)] = point[i];
    const struct stage *at = choosing->before;
    for (; at && at->kind == choosing->work->stage->kind; at = at->input[at->inputs - 1]) rungs++;
    for (at = choosing->before; rungs > 0; at = at->input[at->inputs - 1], rungs--) {
        read_rung(choosing, at->folder, rung);
        for (int i = 0; i < whole; i++) {
            x[i] = rung[atoi(choosing->whole.text[i])];
            y[i] = end[atoi(choosing->whole.text[i])];
        }
        stage_work_value(choosing->work, "rung_correlation", rank_correlation(x, y, whole),
                         JOURNAL_NONE, (struct value_at){.set = rungs});
    }
    stage_work_real(choosing->work, "whole", whole);
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
            best == all ? choosing.ranked : choosing.finalists.count,
            best == all ? "trials" : "finalists");
    for (int i = 0; i < choosing.ranked; i++)
        stage_work_value(work, "trial_metric", value[i], JOURNAL_NONE,
                         (struct value_at){.set = trial_of(&choosing, i) + 1});
    const int there = count_there(all, count);
    double stopped = before_number(&choosing, "stopped");
    if (choosing.rung)
        stopped += there - write_rung(&choosing, all, there);
    else
        write_choice(&choosing, best, all, there);
    if (choosing.before && !choosing.rung) write_correlations(&choosing, value);
    if (choosing.rung || choosing.before) stage_work_real(work, "stopped", stopped);
    stage_work_text(work, "metric", choosing.word);
    stage_work_real(work, "trials", choosing.trials.count);
    stage_work_real(work, "diverged", count - there + before_number(&choosing, "diverged"));
    return WORK_DONE;
}

const struct offer offer_choice = {
    .kind = "choice",
    .traits = OFFER_EXACT,
    VALUES(VALUE("trials", "Trials", "number of trials of a tuned row", .column = "trials",
                 .form = COLUMN_EXACT),
           VALUE("hours", "Hours", "core hours of the trials of a tuned row", .column = "hours",
                 .decimals = 2),
           VALUE("metric", "Metric on dev", "of the chosen trial", .decimals = 4),
           VALUE("trial_metric", "Metric on dev", "of each trial", .decimals = 4, .traits = BY_SET),
           VALUE("rung_correlation", "Rank correlation",
                 "of the metrics at a rung and at the end, over trials that always run to the end",
                 .decimals = 2, .traits = BY_SET)),
    .numbers = "trial median median_trial diverged fresh stopped whole",
    .telling = "metric fresh",
};

const struct stage_kind kind_choice = {
    .name = "choice",
    .traits = KIND_SINGLE | KIND_PARDONS,
    .inputs = (const char *const[]){"train", NULL},
    .other_inputs = (const char *const[]){"score", "choice", NULL},
    .run = run,
};
