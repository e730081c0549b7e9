/* `sanlab score`. Computes the items of the metric, such as n-gram counts, once for each sentence
 * of each file of hypotheses. Significance tests resample these items. */
#include "core/decode/score_files.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/file.h"
#include "core/decode/resample.h"
#include "core/text/utf8.h"

struct score_lines score_lines_read(struct arena *arena, const char *path)
{
    size_t bytes;
    struct score_lines lines = {.path = path};
    char *file = file_read_given(arena, path, &bytes), *text = utf8_text(path, file, &bytes);
    if (!bytes) die("%s: is empty; expected one sentence per line", path);
    lines.marked = text > file;
    lines.line = file_cut_lines(arena, text, bytes, &lines.count);
    return lines;
}

static struct score_lines read_counted(struct arena *arena, const char *path)
{
    const struct score_lines lines = score_lines_read(arena, path);
    if (lines.marked)
        warn("%s: skipped the byte order mark at the beginning; sacreBLEU counts the mark as text",
             path);
    return lines;
}

static bool same_lines(const struct score_lines *a, const struct score_lines *b)
{
    int i = 0;
    while (i < a->count && !strcmp(a->line[i], b->line[i])) i++;
    return i == a->count;
}

struct score score_files(struct arena *arena, const struct score_metric *metric,
                         const char *const *reference, int references,
                         const char *const *hypothesis, int hypotheses)
{
    const struct statistic statistic = metric_statistic(metric);
    const char *const **line = ARENA_ARRAY(arena, const char *const *, references);
    struct score_lines first = {0};
    for (int r = 0; r < references; r++) {
        const struct score_lines lines = read_counted(arena, reference[r]);
        if (!r) first = lines;
        if (lines.count != first.count)
            die("%s has %d lines, but %s has %d; expected line i of all references to belong to "
                "sentence i",
                lines.path, lines.count, first.path, first.count);
        line[r] = lines.line;
    }
    struct score score = {metric, references, first.count, hypotheses,
                          ARENA_ARRAY(arena, struct score_system, hypotheses)};
    struct score_lines one = {0};
    for (int h = 0; h < hypotheses; h++) {
        const struct score_lines lines = read_counted(arena, hypothesis[h]);
        if (lines.count != first.count)
            die("%s has %d lines, but its reference %s has %d; expected the same number",
                lines.path, lines.count, first.path, first.count);
        const void *item = metric_count(metric, lines.line, line, references, lines.count, arena);
        const struct strata all = {1, &score.sentences};
        if (!h) one = lines;
        score.system[h] = (struct score_system){
            lines.path, item, statistic_of(&statistic, all, item, NULL), same_lines(&lines, &one)};
    }
    return score;
}

/* Sorts sample [count] and computes its mean and interval. */
static void judge_alone(double *sample, int count, struct score_result *result)
{
    double low, high;
    for (int i = 0; i < count; i++) result->mean += sample[i] / count;
    resample_sort(sample, count);
    resample_middle(sample, count, &low, &high);
    result->half = (high - low) / 2;
}

static void judge_bootstrap(const struct score *score, const struct resample_runs *runs,
                            bool paired, int samples, uint32_t seed, struct score_result *result)
{
    double *sample = heap_alloc(sizeof *sample * (size_t)score->systems * (size_t)samples);
    struct pcg64 random = pcg64_seed(seed);
    resample_bootstrap(runs, &random, samples, sample);
    SCOPED(heap_free) double *difference = heap_alloc(sizeof *difference * (size_t)samples);
    /* Before sorting, sample b of each system is its score on resample b. judge_alone sorts the
     * samples, so they can no longer be subtracted from those of another system. All other systems
     * are compared with the first system, so its samples are sorted last. */
    for (int i = score->systems - 1; i >= 0; i--) {
        double *own = sample + (size_t)i * (size_t)samples;
        if (paired && i > 0) {
            const double real = score->system[i].score - score->system[0].score;
            for (int b = 0; b < samples; b++) difference[b] = own[b] - sample[b];
            resample_judge(difference, samples, real, &result[i].koehn, &result[i].p);
        }
        judge_alone(own, samples, &result[i]);
    }
    free(sample);
}

static void judge_randomization(const struct score *score, const struct resample_runs *runs,
                                int trials, uint32_t seed, struct score_result *result)
{
    SCOPED(heap_free) double *difference = heap_alloc(sizeof *difference * (size_t)trials);
    for (int i = 1; i < score->systems; i++) {
        const double real = score->system[0].score - score->system[i].score;
        struct resample_runs pair = *runs;
        pair.runs = 2;
        pair.item = (const void *const[]){runs->item[0], runs->item[i]};
        struct pcg64 random = pcg64_seed(seed);
        resample_swap(&pair, &random, trials, difference);
        for (int t = 0; t < trials; t++) difference[t] = fabs(difference[t]);
        result[i].p = resample_p(difference, trials, fabs(real));
    }
}

void score_judge(const struct score *score, enum score_test test, int samples, uint32_t seed,
                 struct score_result *result)
{
    const double none = (double)NAN;
    const bool alone = test != SCORE_RANDOMIZATION;
    const struct statistic statistic = metric_statistic(score->metric);
    SCOPED(heap_free) const void **item = heap_alloc(sizeof *item * (size_t)score->systems);
    for (int i = 0; i < score->systems; i++) {
        item[i] = score->system[i].item;
        result[i] = (struct score_result){alone ? 0 : none, none, none, none};
    }
    const struct resample_runs runs = {&statistic, {1, &score->sentences}, score->systems, item};
    if (alone)
        judge_bootstrap(score, &runs, test == SCORE_BOOTSTRAP, samples, seed, result);
    else
        judge_randomization(score, &runs, samples, seed, result);
}
