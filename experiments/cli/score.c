/* sanlab score: files of hypotheses against files of references. */
#include "core/decode/score.h"

#include <math.h>

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

static void print_lines(const struct score *score, const struct bleu_interval *interval)
{
    for (int i = 0; i < score->systems; i++) {
        if (score->systems > 1) printf("%s\t", score->system[i].path);
        bleu_print(&score->system[i].bleu, score->options, score->references,
                   interval ? &interval[i] : NULL, stdout);
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
    struct arena *arena = &call->arena;
    struct score_result *result = ARENA_ARRAY(arena, struct score_result, score->systems);
    score_judge(score, test, samples, seed, result);
    const bool bootstrap = test == SCORE_BOOTSTRAP;
    struct sheet *sheet = sheet_new(arena, score->systems, bootstrap ? 6 : 3);
    sheet->column[0] = (struct sheet_column){"System", SHEET_LEFT, 0};
    sheet->column[1] = (struct sheet_column){"BLEU", SHEET_NUMBER, 2};
    sheet->column[2] = (struct sheet_column){"p", SHEET_NUMBER, 4};
    if (bootstrap) {
        sheet->column[3] = (struct sheet_column){"Koehn", SHEET_NUMBER, 4};
        sheet->column[4] = (struct sheet_column){"Mean", SHEET_NUMBER, 2};
        sheet->column[5] = (struct sheet_column){"± 95%", SHEET_NUMBER, 2};
    }
    for (int i = 0; i < score->systems; i++) {
        const struct score_result *one = &result[i];
        sheet_set(sheet, i, 0, score->system[i].path);
        sheet_set(sheet, i, 1, number_fixed(arena, score->system[i].bleu.score, 2));
        sheet_set(sheet, i, 2, isnan(one->p) ? "" : number_fixed(arena, one->p, 4));
        if (one->p <= 0.05) sheet_mark(sheet, i, 2, "*");
        if (!bootstrap) continue;
        sheet_set(sheet, i, 3, isnan(one->koehn) ? "" : number_fixed(arena, one->koehn, 4));
        sheet_set(sheet, i, 4, number_fixed(arena, one->mean, 2));
        sheet_set(sheet, i, 5, number_fixed(arena, one->half, 2));
        if (i && score->system[i].bleu.score == score->system[0].bleu.score)
            sheet_caption(arena, sheet, "%s scores what the first one does: its p says nothing.",
                          score->system[i].path);
    }
    char signature[BLEU_SIGNATURE_TEXT];
    bleu_signature_resampled(
        score->options, score->references,
        arena_print(arena, "%s:%d|seed:%u|", tests[test].signature, samples, seed), signature);
    sheet_caption(arena, sheet, "%s", tests[test].caption);
    sheet_caption(arena, sheet, "BLEU: %s", signature);
    sheet_print(sheet, sheet_form_read(verb_value(call, "--format")), stdout);
}

static int run(struct verb_call *call)
{
    const char **reference;
    struct bleu_options options;
    int references = verb_values(call, "--ref", &reference);
    if (verb_value(call, "--contrast")) return score_contrast(call);
    if (!references) die("score: no references (--ref FILE)");
    verb_section(call, &options);
    const int test = test_asked(call);
    if (test >= SCORE_BOOTSTRAP && call->words < 2)
        die("score: %s compares systems: expected two files of hypotheses at least",
            tests[test].option);
    const struct score score =
        score_files(&call->arena, &options, reference, references, call->word, call->words);
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

static const struct verb_option options[] = {
    {.name = "--ref", .value = "FILE", .help = "a file of references; may be given several times"},
    {.name = "--confidence", .help = "mean and 95% interval by bootstrap, as sacreBLEU's"},
    {.name = "--paired-bs", .help = "paired bootstrap against the first system, as sacreBLEU's"},
    {.name = "--paired-ar", .help = "approximate randomization against the first system"},
    {.name = "--samples",
     .value = "NUMBER",
     .low = 1,
     .high = 1e6,
     .help = "of the bootstrap (1000), or trials (10000)"},
    {.name = "--seed",
     .value = "NUMBER",
     .fallback = "12345",
     .low = 1,
     .high = INT32_MAX,
     .help = "of the samples"},
    {.name = "--format",
     .value = "FORM",
     .fallback = "text",
     .help = "of a table: text, md, latex, csv, html"},
    {.name = "--contrast",
     .value = "PAIRS",
     .help = "a model instead: TSV of source, right target, wrong target, tags"},
    {.name = "--checkpoint",
     .value = "WORDS",
     .fallback = "best",
     .help = "of the model: best, last, average(N) or start"},
    {.name = "--verbose", .help = "contrast: a line per pair, as TSV"},
};

const struct verb verb_score = {
    .name = "score",
    .usage = "--ref REF [--ref REF2] HYP [HYP2 ...] | --contrast PAIRS.tsv MODEL",
    .help = "BLEU with its signature, intervals, paired tests; contrastive pairs",
    .run = run,
    .device = true,
    .option = options,
    .options = COUNT_OF(options),
    .section = &bleu_section,
    .words_least = 1,
    .words_most = VERB_WORDS,
};
