/* Which steps of its training a score is of, and what was validated there: the score stage recorded
 * them, or the rows of the training tell, of a stage that was done before such records. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/config/word.h"
#include "results/store/offer.h"
#include "results/table/observations.h"
#include "results/table/sample.h"

enum { MOST = 1000 }; /* checkpoints of one score */

/* The option that a stage was given, or `fallback`. */
static const char *stage_option(struct sampler *sampler, int64_t stage, const char *key,
                                const char *fallback)
{
    sqlite3_stmt *ask = store_ask(
        sampler->store, "SELECT value FROM option WHERE stage = ? AND key = ?", "is", stage, key);
    const char *value = store_next(ask) ? store_text(ask, 0, sampler->arena) : fallback;
    store_finish(ask);
    return value;
}

/* "[500,300]" */
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

/* The `most` validated steps that stand first when they are ranked as training ranks them: the
 * newest, or the best ones, of equals the earlier. */
static int read_ranked(struct sampler *sampler, int64_t train, const char *rank, int most,
                       int64_t step[MOST])
{
    static const char sql[] =
        "SELECT step FROM value WHERE stage = ?1 AND " STORE_PLAIN
        " AND step IS NOT NULL AND value IS NOT NULL AND name = iif(?2 = 'bleu', 'dev_bleu', "
        "'dev_loss') ORDER BY CASE ?2 WHEN 'newest' THEN -step WHEN 'bleu' THEN -value ELSE value "
        "END, step LIMIT ?3";
    int count = 0;
    sqlite3_stmt *ask = store_ask(sampler->store, sql, "isi", train, rank, (int64_t)most);
    while (count < MOST && store_next(ask)) step[count++] = sqlite3_column_int64(ask, 0);
    store_finish(ask);
    return count;
}

const char *sample_scored_words(struct sampler *sampler, int64_t score)
{
    return stage_option(sampler, score, "evaluate.bleu.checkpoint", "best");
}

/* Of several checkpoints, a model that training never had. */
static bool is_average(const char *words)
{
    return !strncmp(words, "average(", 8);
}

static int derive(struct sampler *sampler, int64_t score, int64_t train, int64_t step[MOST])
{
    const char *words = sample_scored_words(sampler, score), *number = strchr(words, '(');
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
    recorded = relation_word(sampler->relation, score, "scored_steps");
    const bool is_list = recorded && *recorded == '['; /* somebody may have edited done.json */
    const int count = is_list ? read_list(recorded, found) : derive(sampler, score, train, found);
    int64_t *copy = ARENA_ARRAY(sampler->arena, int64_t, count + 1);
    if (count) memcpy(copy, found, (size_t)count * sizeof *copy);
    qsort(copy, (size_t)count, sizeof *copy, compare_int64s);
    *step = copy;
    return count;
}

bool sample_scored_kinds(const struct offer **train, const char **score)
{
    *train = offer_that_trains();
    return *train && offer_read_by(observations_bleu, score);
}

bool sample_scored_pair(const struct grid_seed *seed, const struct relation_stage *stage,
                        int64_t *train, int64_t *score)
{
    const struct offer *trains;
    const char *scores;
    *train = *score = -1;
    for (int k = 0; sample_scored_kinds(&trains, &scores) && k < seed->count; k++) {
        if (!sample_stage_done(&stage[k])) continue;
        if (!strcmp(seed->stage[k].kind, trains->kind)) *train = stage[k].number;
        if (!strcmp(seed->stage[k].kind, scores)) *score = stage[k].number;
    }
    return *train >= 0 && *score >= 0;
}

double sample_scored_metric(struct sampler *sampler, const char *metric, int64_t train,
                            int64_t score)
{
    const int64_t *step;
    const int count = sample_scored(sampler, score, train, &step);
    double sum = 0;
    if (count > 1 && is_average(sample_scored_words(sampler, score))) return (double)NAN;
    int lines;
    const struct relation_line *line =
        relation_lines(sampler->relation, train, metric, &(struct dimensions){0}, &lines);
    for (int i = 0; i < count; i++) {
        double value = (double)NAN;
        for (int k = 0; k < lines; k++)
            if (line[k].step == step[i]) value = line[k].value;
        sum += value;
    }
    return count ? sum / count : (double)NAN;
}

void sample_check_scored(struct sampler *sampler, const struct column *column)
{
    enum { LIMIT = 100 };
    const char *names[LIMIT + 1] = {NULL}, *score;
    const struct offer *train;
    int count = 0;
    bool found = !sample_scored_kinds(&train, &score);
    sqlite3_stmt *ask = store_ask(
        sampler->store,
        "SELECT DISTINCT name FROM value WHERE step IS NOT NULL AND " STORE_PLAIN " AND stage IN "
        "(SELECT number FROM stage WHERE kind = ? AND status = 'done') ORDER BY name LIMIT 100",
        "s", found ? "" : train->kind);
    while (store_next(ask)) {
        names[count] = store_text(ask, 0, sampler->arena);
        found |= !strcmp(names[count++], column->value);
    }
    store_finish(ask);
    if (count && !found)
        word_refuse(column->place, column->name, "no training has journaled", column->value, names);
}

int64_t sample_last_step(struct sampler *sampler, int64_t train, const char *metric)
{
    int count;
    const struct relation_line *line =
        relation_lines(sampler->relation, train, metric, &(struct dimensions){0}, &count);
    return count ? line[count - 1].step : -1;
}
