/* sanlab score: scores files of hypotheses against references, or a model on contrastive pairs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/decode/contrast.h"
#include "core/decode/score.h"
#include "experiments/cli/stage_argument.h"
#include "experiments/cli/verb.h"
#include "experiments/cli/verbs.h"
#include "results/sheet/number.h"
#include "results/sheet/sheet.h"

enum { TAG, PAIRS, WHOLE, PIECE, SHARE, CONTRAST_COLUMNS };

/* Pairs with the same tag, or all pairs. */
struct tag_group {
    const char *tag, *value; /* tag NULL: all pairs */
    int pairs, whole, piece;
    double share;
};

static void group_add(struct tag_group *group, const struct contrast *contrast)
{
    group->pairs++;
    group->whole += contrast_prefers(contrast, false);
    group->piece += contrast_prefers(contrast, true);
    group->share += contrast_share(contrast);
}

static int compare_groups(const void *a, const void *b)
{
    const struct tag_group *x = a, *y = b;
    if (x->pairs != y->pairs) return y->pairs - x->pairs;
    return strcmp(x->value, y->value);
}

/* Groups the pairs by one column of tags, the largest group first. Returns the number of groups. */
static int group_tag(const struct contrast_pairs *pairs, int tag, const struct contrast *contrast,
                     struct tag_group *group)
{
    int groups = 0;
    for (int i = 0; i < pairs->count; i++) {
        int g = 0;
        while (g < groups && strcmp(group[g].value, pairs->tag[tag][i]) != 0) g++;
        if (g == groups)
            group[groups++] =
                (struct tag_group){.tag = pairs->tag_name[tag], .value = pairs->tag[tag][i]};
        group_add(&group[g], &contrast[i]);
    }
    qsort(group, (size_t)groups, sizeof *group, compare_groups);
    return groups;
}

static void set_group(struct sheet *sheet, int row, const struct tag_group *group,
                      struct arena *arena)
{
    sheet_set(sheet, row, TAG,
              group->tag ? arena_print(arena, "%s: %s", group->tag, group->value) : "all");
    sheet_set(sheet, row, PAIRS, number_count(arena, group->pairs));
    sheet_set(sheet, row, WHOLE, number_fixed(arena, 100. * group->whole / group->pairs, 1));
    sheet_set(sheet, row, PIECE, number_fixed(arena, 100. * group->piece / group->pairs, 1));
    sheet_set(sheet, row, SHARE, number_fixed(arena, group->share / group->pairs, 3));
}

static struct sheet *make_sheet(const struct contrast_pairs *pairs, const struct contrast *contrast,
                                struct arena *arena)
{
    static const struct sheet_column columns[CONTRAST_COLUMNS] = {
        [TAG] = {"Pairs", SHEET_LEFT, 0},        [PAIRS] = {"Number", SHEET_RIGHT, 0},
        [WHOLE] = {"Right, %", SHEET_NUMBER, 1}, [PIECE] = {"Per piece, %", SHEET_NUMBER, 1},
        [SHARE] = {"p(right)", SHEET_NUMBER, 3},
    };
    struct tag_group *group = ARENA_ARRAY(arena, struct tag_group, 1 + pairs->tags * pairs->count);
    int groups = 1;
    for (int i = 0; i < pairs->count; i++) group_add(&group[0], &contrast[i]);
    for (int t = 0; t < pairs->tags; t++) groups += group_tag(pairs, t, contrast, group + groups);
    struct sheet *sheet = sheet_new(arena, groups, CONTRAST_COLUMNS);
    memcpy(sheet->column, columns, sizeof columns);
    for (int g = 0; g < groups; g++) {
        set_group(sheet, g, &group[g], arena);
        sheet->rule[g] = g > 0 && (!group[g - 1].tag || group[g].tag != group[g - 1].tag);
    }
    sheet_caption(arena, sheet,
                  "Right: the right target has the larger probability; per piece: the larger mean "
                  "log probability of its pieces. p(right): its share of the two probabilities, "
                  "mean.");
    return sheet;
}

static void print_pairs(const struct contrast_pairs *pairs, const struct contrast *contrast)
{
    fputs("line\tright\twrong\tright_pieces\twrong_pieces\tp_right", stdout);
    for (int t = 0; t < pairs->tags; t++) printf("\t%s", pairs->tag_name[t]);
    putchar('\n');
    for (int i = 0; i < pairs->count; i++) {
        const struct contrast *one = &contrast[i];
        printf("%d\t%.6f\t%.6f\t%d\t%d\t%.6f", pairs->line[i], one->log_p[CONTRAST_RIGHT],
               one->log_p[CONTRAST_WRONG], one->pieces[CONTRAST_RIGHT], one->pieces[CONTRAST_WRONG],
               contrast_share(one));
        for (int t = 0; t < pairs->tags; t++) printf("\t%s", pairs->tag[t][i]);
        putchar('\n');
    }
}

static int score_contrast(struct verb_call *call)
{
    const char **reference;
    if (verb_values(call, "--ref", &reference))
        die("score: --contrast has the targets in its pairs; expected no --ref");
    if (call->words != 1)
        die("score: --contrast PAIRS.tsv MODEL: expected one model, a train stage");
    const struct contrast_pairs pairs = contrast_read(&call->arena, verb_value(call, "--contrast"));
    struct frozen *frozen = stage_argument_frozen(call, call->word[0], STAGE_ARGUMENT_TRAIN, NULL);
    const struct contrast *contrast = contrast_judge(frozen, &pairs, &call->arena);
    frozen_close(frozen);
    if (verb_switch(call, "--verbose"))
        print_pairs(&pairs, contrast);
    else
        verb_print_sheet(call, make_sheet(&pairs, contrast, &call->arena));
    return 0;
}

/* The tests, indexed by enum score_test. */
static const struct {
    const char *option, *signature, *caption;
    int samples;
} tests[] = {
    {"--confidence", "bs", NULL, 1000},
    {"--paired-bs", "bs",
     "Paired bootstrap: p of each system against the first one, * at most 0.05, as sacreBLEU and "
     "Moses count it; Koehn: the share of samples in which the better one is not better "
     "(one-sided).",
     1000},
    {"--paired-ar", "ar",
     "Approximate randomization: p of each system against the first one, * at most 0.05.", 10000},
};

/* Returns the requested test; -1 if none. */
static int test_asked(const struct verb_call *call)
{
    int asked = -1;
    for (int i = 0; i < (int)COUNT_OF(tests); i++) {
        if (!verb_switch(call, tests[i].option)) continue;
        if (asked >= 0)
            die("score: expected one of %s and %s, got both", tests[asked].option, tests[i].option);
        asked = i;
    }
    if (asked < 0 && (verb_value(call, "--samples") || verb_switch(call, "--seed")))
        die("score: --samples and --seed need --confidence, --paired-bs or --paired-ar");
    return asked;
}

/* Prints a score in the format of sacreBLEU. */
static void print_score(const struct score *score, const struct score_system *system,
                        const struct bleu_interval *interval)
{
    const struct score_metric *metric = score->metric;
    char name[METRIC_TEXT], signature[METRIC_TEXT], resampled[48] = "", range[64] = "";
    if (metric_is_bleu(metric)) {
        const struct bleu_stats sum = statistic_bleu_sum(system->item, score->sentences);
        const struct bleu bleu = bleu_score(&sum, &metric->bleu);
        bleu_print(&bleu, &metric->bleu, score->references, interval, stdout);
        return;
    }
    if (interval) {
        snprintf(resampled, sizeof resampled, "bs:%d|seed:%u|", interval->samples, interval->seed);
        snprintf(range, sizeof range, " (μ = %.2f ± %.2f)", interval->mean, interval->half);
    }
    metric_name(metric, name);
    metric_signature(metric, score->references, resampled, signature);
    printf("%s|%s = %.2f%s\n", name, signature, system->score, range);
}

static void print_lines(const struct score *score, const struct bleu_interval *interval)
{
    for (int i = 0; i < score->systems; i++) {
        if (score->systems > 1) printf("%s\t", score->system[i].path);
        print_score(score, &score->system[i], interval ? &interval[i] : NULL);
    }
}

static void print_intervals(struct verb_call *call, const struct score *score, int samples,
                            uint32_t seed)
{
    struct score_result *result = ARENA_ARRAY(&call->arena, struct score_result, score->systems);
    struct bleu_interval *interval =
        ARENA_ARRAY(&call->arena, struct bleu_interval, score->systems);
    score_judge(score, SCORE_CONFIDENCE, samples, seed, result);
    for (int i = 0; i < score->systems; i++)
        interval[i] = (struct bleu_interval){samples, seed, result[i].mean, result[i].half};
    print_lines(score, interval);
}

static void print_paired(struct verb_call *call, const struct score *score, enum score_test test,
                         int samples, uint32_t seed)
{
    enum { COLUMNS = 6 };
    static const struct sheet_column column[COLUMNS] = {
        {"System", SHEET_LEFT, 0},  {"BLEU", SHEET_NUMBER, 2}, {"p", SHEET_NUMBER, 4},
        {"Koehn", SHEET_NUMBER, 4}, {"Mean", SHEET_NUMBER, 2}, {"± 95%", SHEET_NUMBER, 2}};
    struct arena *arena = &call->arena;
    struct score_result *result = ARENA_ARRAY(arena, struct score_result, score->systems);
    score_judge(score, test, samples, seed, result);
    const bool bootstrap = test == SCORE_BOOTSTRAP;
    struct sheet *sheet = sheet_new(arena, score->systems, bootstrap ? COLUMNS : 3);
    char name[METRIC_TEXT], signature[METRIC_TEXT];
    memcpy(sheet->column, column, (size_t)sheet->columns * sizeof *column);
    metric_name(score->metric, name);
    sheet->column[1].header = arena_text(arena, name);
    for (int i = 0; i < score->systems; i++) {
        const struct score_result *one = &result[i];
        sheet_set(sheet, i, 0, score->system[i].path);
        sheet_set(sheet, i, 1, number_fixed(arena, score->system[i].score, 2));
        sheet_set(sheet, i, 2, isnan(one->p) ? "" : number_fixed(arena, one->p, 4));
        if (one->p <= 0.05) sheet_at(sheet, i, 2)->mark = "*";
        if (i && score->system[i].same)
            sheet_caption(arena, sheet,
                          "%s is identical to %s, line by line: its p has no meaning.",
                          score->system[i].path, score->system[0].path);
        if (!bootstrap) continue;
        sheet_set(sheet, i, 3, isnan(one->koehn) ? "" : number_fixed(arena, one->koehn, 4));
        sheet_set(sheet, i, 4, number_fixed(arena, one->mean, 2));
        sheet_set(sheet, i, 5, number_fixed(arena, one->half, 2));
        if (!score->system[i].same && score->system[i].score == score->system[0].score)
            sheet_caption(arena, sheet,
                          "%s has the same score as the first system: its p has no meaning.",
                          score->system[i].path);
    }
    metric_signature(score->metric, score->references,
                     arena_print(arena, "%s:%d|seed:%u|", tests[test].signature, samples, seed),
                     signature);
    sheet_caption(arena, sheet, "%s", tests[test].caption);
    sheet_caption(arena, sheet, "%s: %s", name, signature);
    verb_print_sheet(call, sheet);
}

/* Dies if options of models are given for files, or options of files for a model. */
static void check_asked(const struct verb_call *call, bool contrast)
{
    static const char *const of_model[] = {"--checkpoint", "--verbose", NULL},
                             *const of_files[] = {"--confidence", "--paired-bs", "--paired-ar",
                                                  "--samples",    "--seed",      NULL};
    for (const char *const *name = contrast ? of_files : of_model; *name; name++)
        if (verb_switch(call, *name))
            die(contrast
                    ? "score: %s applies to files of hypotheses; expected it without --contrast"
                    : "score: %s applies to a model; expected --contrast PAIRS.tsv with it",
                *name);
}

static int run(struct verb_call *call)
{
    const char **reference;
    struct score_metric metric;
    int references = verb_values(call, "--ref", &reference);
    check_asked(call, verb_value(call, "--contrast"));
    verb_check_sheet(call);
    if (verb_value(call, "--contrast")) return score_contrast(call);
    if (!references) die("score: references are missing; expected --ref FILE");
    verb_section(call, &metric);
    metric_check(&metric);
    const int test = test_asked(call);
    if (test >= SCORE_BOOTSTRAP && call->words < 2)
        die("score: %s compares systems: expected two files of hypotheses at least",
            tests[test].option);
    const struct score score =
        score_files(&call->arena, &metric, reference, references, call->word, call->words);
    const int samples = verb_value(call, "--samples") ? verb_number(call, "--samples")
                        : test < 0                    ? 0
                                                      : tests[test].samples;
    const uint32_t seed = (uint32_t)verb_number(call, "--seed");
    if (test < 0)
        print_lines(&score, NULL);
    else if (test == SCORE_CONFIDENCE)
        print_intervals(call, &score, samples, seed);
    else
        print_paired(call, &score, (enum score_test)test, samples, seed);
    return 0;
}

const struct verb verb_score = {.name = "score", .run = run, .section = &metric_section};
