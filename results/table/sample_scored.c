/* Finds the checkpoints that a score stage scored: their steps, and the validations at these steps.
 * The score stage records the steps. For stages of older programs, they are derived from the
 * validations of the training. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "results/store/offer.h"
#include "results/table/observations.h"
#include "results/table/sample.h"

enum { MOST = 1000 }; /* maximum number of checkpoints of one score */

/* Returns the recorded value of an option of a stage, or `fallback`. */
static const char *stage_option(struct sampler *sampler, int64_t stage, const char *key,
                                const char *fallback)
{
    int count;
    const struct value_cache_line *text =
        value_cache_texts(sampler->cache, stage, VALUE_CACHE_OWN_OPTION, key, &count);
    return count ? text->text : fallback;
}

/* Reads a list of steps, "[500,300]". Returns their number. */
static int read_list(const char *text, int64_t step[MOST])
{
    int count = 0;
    char *end;
    for (const char *at = text + 1; count < MOST && *at && *at != ']'; at = end + (*end == ',')) {
        step[count] = strtoll(at, &end, 10);
        if (end == at) break;
        count++;
    }
    return count;
}

/* A validated step and its rank. Smaller ranks come first; ties are broken in favor of the earlier
 * step. */
struct ranked {
    double rank;
    int64_t step;
};

static int compare_ranked(const void *a, const void *b)
{
    const struct ranked *one = a, *other = b;
    if (one->rank != other->rank) return one->rank < other->rank ? -1 : 1;
    return (one->step > other->step) - (one->step < other->step);
}

/* Writes the first `most` validated steps in the order in which training ranks checkpoints: newest
 * first, or best first. Returns their number. */
static int read_ranked(struct sampler *sampler, int64_t train, const char *by, int most,
                       int64_t step[MOST])
{
    const bool bleu = !strcmp(by, "bleu"), newest = !strcmp(by, "newest");
    const struct sample_curve curve = sample_curve(sampler, train, bleu ? "dev_bleu" : "dev_loss");
    const int count = curve.count < most ? curve.count : most;
    struct ranked *ranked = ARENA_ARRAY(sampler->arena, struct ranked, curve.count);
    for (int i = 0; i < curve.count; i++) {
        const double value = curve.at[i].value;
        const int64_t at = curve.at[i].step;
        ranked[i] = (struct ranked){newest ? -(double)at : bleu ? -value : value, at};
    }
    qsort(ranked, (size_t)curve.count, sizeof *ranked, compare_ranked);
    for (int i = 0; i < count && i < MOST; i++) step[i] = ranked[i].step;
    return count < MOST ? count : MOST;
}

/* Returns the option evaluate.bleu.checkpoint of a score stage: "best", "average(5)". */
static const char *scored_words(struct sampler *sampler, int64_t score)
{
    return stage_option(sampler, score, "evaluate.bleu.checkpoint", "best");
}

/* True if the model is the average of several checkpoints, which training never validated. */
static bool is_average(const char *words)
{
    return !strncmp(words, "average(", 8);
}

static int derive(struct sampler *sampler, int64_t score, int64_t train, int64_t step[MOST])
{
    const char *words = scored_words(sampler, score), *number = strchr(words, '(');
    const int most = number ? atoi(number + 1) : 1;
    const bool newest = !strcmp(words, "last") || is_average(words);
    return read_ranked(sampler, train,
                       newest ? "newest" : stage_option(sampler, train, "train.select", "loss"),
                       most, step);
}

int sample_scored(struct sampler *sampler, int64_t score, int64_t train, const int64_t **step)
{
    int64_t found[MOST];
    const char *recorded = NULL;
    recorded = value_cache_word(sampler->cache, score, "scored_steps");
    const bool is_list = recorded && *recorded == '['; /* somebody may have edited done.json */
    const int count = is_list ? read_list(recorded, found) : derive(sampler, score, train, found);
    int64_t *copy = ARENA_ARRAY(sampler->arena, int64_t, count + 1);
    if (count) memcpy(copy, found, (size_t)count * sizeof *copy);
    qsort(copy, (size_t)count, sizeof *copy, compare_int64s);
    *step = copy;
    return count;
}

/* Writes the kind that trains and the kind that scores; returns false if there are none. */
static bool scored_kinds(const struct offer **train, const char **score)
{
    *train = offer_that_trains();
    return *train && offer_read_by(observations_bleu, score);
}

bool sample_scored_pair(const struct grid_seed *seed, const struct value_cache_stage *stage,
                        int64_t *train, int64_t *score)
{
    const struct offer *trains;
    const char *scores;
    *train = *score = -1;
    for (int k = 0; scored_kinds(&trains, &scores) && k < seed->count; k++) {
        if (!sample_stage_done(&stage[k])) continue;
        if (!strcmp(seed->stage[k].kind, trains->kind)) *train = stage[k].number;
        if (!strcmp(seed->stage[k].kind, scores)) *score = stage[k].number;
    }
    return *train >= 0 && *score >= 0;
}

static bool has_value(const struct value_cache_line *line)
{
    return line->step >= 0 && isfinite(line->value);
}

struct sample_curve sample_curve(struct sampler *sampler, int64_t stage, const char *metric)
{
    int lines, count = 0;
    const struct value_cache_line *line =
        value_cache_lines(sampler->cache, stage, metric, &(struct dimensions){0}, &lines);
    for (int i = 0; i < lines; i++) count += has_value(&line[i]);
    if (count == lines) return (struct sample_curve){count, line};
    struct value_cache_line *at = ARENA_ARRAY(sampler->arena, struct value_cache_line, count);
    for (int i = lines - 1, k = count; i >= 0; i--)
        if (has_value(&line[i])) at[--k] = line[i];
    return (struct sample_curve){count, at};
}

double sample_scored_metric(struct sampler *sampler, const char *metric, int64_t train,
                            int64_t score)
{
    const int64_t *step;
    const int count = sample_scored(sampler, score, train, &step);
    double sum = 0;
    if (count > 1 && is_average(scored_words(sampler, score))) return (double)NAN;
    int lines;
    const struct value_cache_line *line =
        value_cache_lines(sampler->cache, train, metric, &(struct dimensions){0}, &lines);
    for (int i = 0; i < count; i++) {
        double value = (double)NAN;
        for (int k = 0; k < lines; k++)
            if (line[k].step == step[i]) value = line[k].value;
        sum += value;
    }
    return count ? sum / count : (double)NAN;
}
