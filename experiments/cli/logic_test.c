/* Accuracy of a trained classifier of pairs by number of operators, on the pairs of any files. */
#include "experiments/cli/logic_test.h"

#include "core/model/classify.h"
#include "experiments/cli/stage_argument.h"
#include "experiments/stage/logic_options.h"
#include "logic/ids.h"
#include "results/sheet/number.h"
#include "results/sheet/sheet.h"

enum { OPERATORS, PAIRS, ACCURACY, MAJORITY, COLUMNS };

struct tested {
    int pairs, right;
    int majority; /* pairs of the most frequent relation of each bin */
};

/* By bin. */
static void count(const struct labeled *labeled, const int32_t *told, struct tested *bin)
{
    int relation[LOGIC_BINS][RELATIONS] = {{0}};
    for (int i = 0; i < labeled->pairs; i++) {
        const struct labeled_pair *pair = &labeled->pair[i];
        struct tested *to = &bin[pair->group];
        const int same = ++relation[pair->group][pair->label];
        to->pairs++;
        to->right += told[i] == pair->label;
        if (same > to->majority) to->majority = same;
    }
}

/* A line of the bins from `first` to `last`, if these have pairs. */
static void add_line(struct arena *arena, struct sheet *sheet, int *line, const struct tested *bin,
                     int first, int last, const char *name)
{
    struct tested sum = {0};
    for (int b = first; b <= last; b++) {
        sum.pairs += bin[b].pairs;
        sum.right += bin[b].right;
        sum.majority += bin[b].majority;
    }
    if (!sum.pairs) return;
    const double each = 100. / sum.pairs;
    sheet_set(sheet, *line, OPERATORS, name);
    sheet_set(sheet, *line, PAIRS, number_count(arena, sum.pairs));
    sheet_set(sheet, *line, ACCURACY, number_fixed(arena, each * sum.right, 1));
    sheet_set(sheet, (*line)++, MAJORITY, number_fixed(arena, each * sum.majority, 1));
}

static struct sheet *by_operators(struct arena *arena, const struct tested *bin)
{
    enum { SUMS = 3 };
    static const char *const header[COLUMNS] = {"Operators", "Pairs", "Accuracy", "Majority"};
    static const int first[SUMS] = {1, 7, 0}, last[SUMS] = {6, 12, 12};
    static const char *const name[SUMS] = {"1-6", "7-12", "all"};
    int lines = 0, line = 0;
    for (int b = 0; b < LOGIC_BINS; b++) lines += bin[b].pairs > 0;
    for (int k = 0; k < SUMS; k++)
        for (int b = first[k], any = 0; b <= last[k] && !any; b++) lines += any = bin[b].pairs > 0;
    struct sheet *sheet = sheet_headed(arena, lines, COLUMNS, header, 1);
    for (int b = 0; b < LOGIC_BINS; b++)
        add_line(arena, sheet, &line, bin, b, b, arena_print(arena, "%d", b));
    sheet->rule[line] = true;
    for (int k = 0; k < SUMS; k++) add_line(arena, sheet, &line, bin, first[k], last[k], name[k]);
    return sheet;
}

int logic_test(struct verb_call *call, const struct formula_names *names)
{
    enum { STAGE = 1, FILES };
    struct arena *arena = &call->arena;
    const enum sheet_form form = sheet_form_read(verb_value(call, "--format"));
    const char *path = verb_value(call, "--out");
    if (call->words <= FILES) die("usage: sanlab logic test RELATE-STAGE FILE..");
    if (path) verb_check_file(call, "--out", path);
    const struct stage *relate;
    struct frozen *frozen = stage_argument_frozen(call, call->word[STAGE], "relate", &relate);
    const struct logic_section *logic = logic_section_at(relate->settings);
    const struct formula_names own = logic_files_names(logic);
    if (names && names->symbols > own.symbols)
        die("logic test: --names: %d names; %s was trained with %d variables",
            names->symbols - FORMULA_VARIABLE, relate->name, own.symbols - FORMULA_VARIABLE);
    struct logic_pairs pairs = {.names = names ? names : &own, .any_name = true};
    for (int i = FILES; i < call->words; i++) logic_pairs_read(&pairs, call->word[i]);
    if (!pairs.pairs) die("logic test: %s: no pairs", call->word[FILES]);
    const struct labeled labeled = logic_labeled_tested(arena, &pairs);
    int32_t *pair = ARENA_ARRAY(arena, int32_t, labeled.pairs),
            *told = ARENA_ARRAY(arena, int32_t, labeled.pairs);
    for (int i = 0; i < labeled.pairs; i++) pair[i] = i;
    struct classify *classify = classify_open(arena, frozen->model, &labeled);
    classify_pairs(classify, pair, labeled.pairs, told, NULL, NULL);
    classify_close(classify);
    frozen_close(frozen);
    logic_pairs_free(&pairs);
    struct tested bin[LOGIC_BINS] = {{0}};
    count(&labeled, told, bin);
    struct sheet *sheet = by_operators(arena, bin);
    sheet->title = sheet->name =
        arena_print(arena, "%s on %d file%s", relate->name, call->words - FILES,
                    call->words > FILES + 1 ? "s" : "");
    sheet_caption(arena, sheet,
                  "Trained on operators %d-%d, checkpoint %s. Majority: a guess of the most "
                  "frequent relation of each number of operators.",
                  logic->bins.first, logic->bins.last, verb_value(call, "--checkpoint"));
    struct file_writer writer = verb_out(call);
    sheet_print(sheet, form, writer.stream);
    verb_out_end(&writer);
    return 0;
}
