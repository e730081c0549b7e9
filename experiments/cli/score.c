/* sanlab score: files of hypotheses against files of references. */
#include "core/decode/score.h"

#include <math.h>
#include <string.h>

#include "experiments/cli/score_contrast.h"
#include "experiments/cli/verbs.h"
#include "results/sheet/number.h"
#include "results/sheet/sheet.h"

/* The tests by enum score_test. */
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

/* Which test was asked for, or -1. */
static int test_asked(const struct verb_call *call)
{
    int asked = -1;
    for (int i = 0; i < (int)COUNT_OF(tests); i++) {
        if (!verb_switch(call, tests[i].option)) continue;
        if (asked >= 0)
            die("score: %s and %s are different questions; ask one", tests[asked].option,
                tests[i].option);
        asked = i;
    }
    if (asked < 0 && (verb_value(call, "--samples") || verb_switch(call, "--seed")))
        die("score: --samples and --seed belong to --confidence, --paired-bs or --paired-ar");
    return asked;
}

/* The line that sacreBLEU prints. */
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
        if (one->p <= 0.05) sheet_mark(sheet, i, 2, "*");
        if (i && score->system[i].same)
            sheet_caption(arena, sheet, "%s is identical to %s, line by line: its p says nothing.",
                          score->system[i].path, score->system[0].path);
        if (!bootstrap) continue;
        sheet_set(sheet, i, 3, isnan(one->koehn) ? "" : number_fixed(arena, one->koehn, 4));
        sheet_set(sheet, i, 4, number_fixed(arena, one->mean, 2));
        sheet_set(sheet, i, 5, number_fixed(arena, one->half, 2));
        if (!score->system[i].same && score->system[i].score == score->system[0].score)
            sheet_caption(arena, sheet, "%s scores what the first one does: its p says nothing.",
                          score->system[i].path);
    }
    metric_signature(score->metric, score->references,
                     arena_print(arena, "%s:%d|seed:%u|", tests[test].signature, samples, seed),
                     signature);
    sheet_caption(arena, sheet, "%s", tests[test].caption);
    sheet_caption(arena, sheet, "%s: %s", name, signature);
    sheet_print(sheet, sheet_form_read(verb_value(call, "--format")), stdout);
}

/* What is asked of a model says nothing of files, and the other way round. */
static void check_asked(const struct verb_call *call, bool contrast)
{
    static const char *const of_model[] = {"--checkpoint", "--verbose", NULL},
                             *const of_files[] = {"--confidence", "--paired-bs", "--paired-ar",
                                                  "--samples",    "--seed",      NULL};
    for (const char *const *name = contrast ? of_files : of_model; *name; name++)
        if (verb_switch(call, *name))
            die(contrast ? "score: %s is about files of hypotheses; expected it without --contrast"
                         : "score: %s is about a model; expected --contrast PAIRS.tsv beside it",
                *name);
}

static int run(struct verb_call *call)
{
    const char **reference;
    struct score_metric metric;
    int references = verb_values(call, "--ref", &reference);
    check_asked(call, verb_value(call, "--contrast"));
    sheet_form_read(verb_value(call, "--format")); /* refused before anything is read */
    if (verb_value(call, "--contrast")) return score_contrast(call);
    if (!references) die("score: no references (--ref FILE)");
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

static void more_help(FILE *out)
{
    fputs("A file may be a pipe, <(..) of a shell, and one of them -, standard input. A byte order "
          "mark\n"
          "is not text.\n",
          out);
}

const struct verb verb_score = {
    .name = "score",
    .usage = "--ref REF [--ref REF2] HYP [HYP2 ...] | --contrast PAIRS.tsv MODEL",
    .help = "BLEU, chrF or TER with signature, intervals, paired tests; contrastive pairs",
    .group = VERB_MODELS,
    .run = run,
    .device = true,
    .option = {VERB_VALUE("--ref", "FILE", "a file of references; may be given several times"),
               VERB_SWITCH("--confidence", "mean and 95% interval by bootstrap, as sacreBLEU's"),
               VERB_SWITCH("--paired-bs",
                           "paired bootstrap against the first system, as sacreBLEU's"),
               VERB_SWITCH("--paired-ar", "approximate randomization against the first system"),
               VERB_NUMBER("--samples", NULL, 1, 1e6, "of the bootstrap (1000), or trials (10000)"),
               VERB_NUMBER("--seed", "12345", 1, INT32_MAX, "of the samples"),
               VERB_VALUE("--format", "FORM", "of a table: text, md, latex, csv, html",
                          .fallback = "text"),
               VERB_VALUE("--contrast", "PAIRS",
                          "a model instead: TSV of source, right target, wrong target, tags"),
               VERB_VALUE("--checkpoint", "WORDS", "of the model: best, last, average(N) or start",
                          .fallback = "best"),
               VERB_SWITCH("--verbose", "contrast: a line per pair, as TSV")},
    .section = &metric_section,
    .more_help = more_help,
    .words = {1, VERB_WORDS},
};
