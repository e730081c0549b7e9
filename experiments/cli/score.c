/* sanlab score: scores files of hypotheses against references, or a model on contrastive pairs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/decode/contrast.h"
#include "core/decode/score_files.h"
#include "experiments/cli/stage_argument.h"
#include "experiments/cli/verb.h"
#include "experiments/cli/verbs.h"
#include "results/sheet/number_format.h"
#include "results/sheet/sheet.h"

/* Prints a line for each pair: log p of both targets, their pieces, p(right), and the tags. */
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
    print_pairs(&pairs, contrast);
    return 0;
}

/* The significance tests, indexed by enum score_test. */
static const struct {
    const char *option, *signature, *caption;
    int samples;
} tests[] = {
    {"--confidence", "bs",
     "Mean: of the bootstrap samples; ± 95%: half the width of their middle 95%.", 1000},
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

/* A request to score files. */
struct score_request {
    int test; /* index into tests; -1: none */
    int samples, digits;
    uint32_t seed;
};

/* Prints a score in the format of sacreBLEU. `result` is the result of --confidence; NULL: none. */
static void print_score(const struct score *score, const struct score_request *request,
                        const struct score_result *result)
{
    const struct score_metric *metric = score->metric;
    const struct score_system *system = &score->system[0];
    const int digits = request->digits;
    char name[METRIC_TEXT], signature[METRIC_TEXT], resampled[48] = "", range[96] = "";
    if (result) {
        snprintf(resampled, sizeof resampled, "bs:%d|seed:%u|", request->samples, request->seed);
        snprintf(range, sizeof range, " (μ = %.*f ± %.*f)", digits, result->mean, digits,
                 result->half);
    }
    metric_name(metric, name);
    metric_signature(metric, score->references, resampled, signature);
    if (metric_is_bleu(metric)) {
        const struct bleu_stats sum = statistic_bleu_sum(system->item, score->sentences);
        const struct bleu bleu = bleu_score(&sum, &metric->bleu);
        bleu_print(&bleu, &metric->bleu, signature, digits, range, stdout);
    } else {
        printf("%s|%s = %.*f%s\n", name, signature, digits, system->score, range);
    }
}

/* Sets a number and the header of its column. */
static void set_number(struct verb_call *call, struct sheet *sheet, int row, int column,
                       const char *header, double value, int digits)
{
    sheet->column[column] = (struct sheet_column){header, SHEET_NUMBER, digits};
    sheet_set(sheet, row, column, isnan(value) ? "" : number_fixed(&call->arena, value, digits));
}

/* Adds a caption for each system whose p has no meaning, because it is equal to the first
 * system. */
static void caption_equal(struct verb_call *call, struct sheet *sheet, const struct score *score,
                          bool scores)
{
    const struct score_system *first = &score->system[0];
    for (int i = 1; i < score->systems; i++) {
        const struct score_system *one = &score->system[i];
        if (one->same || (scores && one->score == first->score))
            sheet_caption(&call->arena, sheet, "%s %s %s: its p has no meaning.", one->path,
                          one->same ? "is identical to" : "has the same score as", first->path);
    }
}

/* Makes a table with a row for each system. `result` is NULL if no test is requested. */
static struct sheet *make_table(struct verb_call *call, const struct score *score,
                                const struct score_request *request,
                                const struct score_result *result)
{
    const bool paired = request->test >= SCORE_BOOTSTRAP, both = request->test == SCORE_BOOTSTRAP;
    const bool sampled = both || request->test == SCORE_CONFIDENCE;
    const int columns = 2 + paired + both + 2 * sampled;
    struct arena *arena = &call->arena;
    struct sheet *sheet = sheet_new(arena, score->systems, columns);
    char name[METRIC_TEXT], signature[METRIC_TEXT];
    metric_name(score->metric, name);
    const char *header = arena_text(arena, name), *resampled = "";
    sheet->column[0] = (struct sheet_column){"System", SHEET_LEFT, 0};
    for (int i = 0; i < score->systems; i++) {
        const struct score_system *system = &score->system[i];
        int column = 1;
        sheet_set(sheet, i, 0, system->path);
        set_number(call, sheet, i, column++, header, system->score, request->digits);
        if (paired) {
            if (result[i].p <= 0.05) sheet_at(sheet, i, column)->mark = "*";
            set_number(call, sheet, i, column++, "p", result[i].p, 4);
        }
        if (both) set_number(call, sheet, i, column++, "Koehn", result[i].koehn, 4);
        if (sampled) {
            set_number(call, sheet, i, column++, "Mean", result[i].mean, request->digits);
            set_number(call, sheet, i, column++, "± 95%", result[i].half, request->digits);
        }
    }
    if (paired) caption_equal(call, sheet, score, both);
    if (result) {
        resampled = arena_print(arena, "%s:%d|seed:%u|", tests[request->test].signature,
                                request->samples, request->seed);
        sheet_caption(arena, sheet, "%s", tests[request->test].caption);
    }
    metric_signature(score->metric, score->references, resampled, signature);
    sheet_caption(arena, sheet, "%s: %s", name, signature);
    return sheet;
}

/* Makes a table with a row for each sentence and a column for each system. */
static struct sheet *make_sentences(struct verb_call *call, const struct score *score, int digits)
{
    struct sheet *sheet = sheet_new(&call->arena, score->sentences, 1 + score->systems);
    char name[METRIC_TEXT], signature[METRIC_TEXT];
    sheet->column[0] = (struct sheet_column){"Sentence", SHEET_RIGHT, 0};
    for (int s = 0; s < score->sentences; s++) {
        sheet_set(sheet, s, 0, arena_print(&call->arena, "%d", s + 1));
        for (int i = 0; i < score->systems; i++)
            set_number(call, sheet, s, 1 + i, score->system[i].path,
                       metric_sentence(score->metric, score->system[i].item, s), digits);
    }
    metric_name(score->metric, name);
    metric_signature(score->metric, score->references, "", signature);
    sheet_caption(&call->arena, sheet, "%s of each sentence: %s", name, signature);
    return sheet;
}

/* Dies if options of models are given for files, or options of files for a model. */
static void check_asked(const struct verb_call *call, bool contrast)
{
    static const char *const of_model[] = {"--checkpoint", "--verbose", NULL};
    static const char *const of_files[] = {
        "--confidence", "--paired-bs", "--paired-ar", "--samples", "--seed", "--format", NULL};
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
    struct score_metric metric = {0};
    int references = verb_values(call, "--ref", &reference);
    check_asked(call, verb_value(call, "--contrast"));
    verb_check_sheet(call);
    if (verb_value(call, "--contrast")) return score_contrast(call);
    if (!references) die("score: references are missing; expected --ref FILE");
    verb_section(call, &metric);
    metric_check(&metric);
    struct score_request request = {.test = test_asked(call),
                                    .digits = verb_number(call, "-w"),
                                    .seed = (uint32_t)verb_number(call, "--seed")};
    const bool sentences = verb_switch(call, "--sentences");
    if (request.test >= SCORE_BOOTSTRAP && call->words < 2)
        die("score: %s compares systems: expected two files of hypotheses at least",
            tests[request.test].option);
    if (sentences && request.test >= 0)
        die("score: expected one of --sentences and %s, got both", tests[request.test].option);
    if (sentences) metric_check_sentences(&metric);
    const struct score score =
        score_files(&call->arena, &metric, reference, references, call->word, call->words);
    struct score_result *result = NULL;
    if (request.test >= 0) {
        request.samples = verb_value(call, "--samples") ? verb_number(call, "--samples")
                                                        : tests[request.test].samples;
        result = ARENA_ARRAY(&call->arena, struct score_result, score.systems);
        score_judge(&score, (enum score_test)request.test, request.samples, request.seed, result);
    }
    if (sentences)
        verb_print_sheet(call, make_sentences(call, &score, request.digits));
    else if (score.systems > 1 || verb_switch(call, "--format"))
        verb_print_sheet(call, make_table(call, &score, &request, result));
    else
        print_score(&score, &request, result);
    return 0;
}

const struct verb verb_score = {.name = "score", .run = run, .section = &metric_section};
