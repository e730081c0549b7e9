/* Pairs are counted by the values of their tags, each tag for itself. */
#include "experiments/cli/score_contrast.h"

#include <stdlib.h>
#include <string.h>

#include "core/decode/contrast.h"
#include "experiments/cli/stage_argument.h"
#include "results/sheet/number.h"
#include "results/sheet/sheet.h"

enum { TAG, PAIRS, WHOLE, PIECE, SHARE, COLUMNS };

/* Pairs that have a tag, or all of them. */
struct tag_group {
    const char *tag, *value; /* tag NULL: all */
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

/* The values of one column of tags, the largest group first; returns how many. */
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
    static const struct sheet_column columns[COLUMNS] = {
        [TAG] = {"Pairs", SHEET_LEFT, 0},        [PAIRS] = {"Number", SHEET_RIGHT, 0},
        [WHOLE] = {"Right, %", SHEET_NUMBER, 1}, [PIECE] = {"Per piece, %", SHEET_NUMBER, 1},
        [SHARE] = {"p(right)", SHEET_NUMBER, 3},
    };
    struct tag_group *group = ARENA_ARRAY(arena, struct tag_group, 1 + pairs->tags * pairs->count);
    int groups = 1;
    for (int i = 0; i < pairs->count; i++) group_add(&group[0], &contrast[i]);
    for (int t = 0; t < pairs->tags; t++) groups += group_tag(pairs, t, contrast, group + groups);
    struct sheet *sheet = sheet_new(arena, groups, COLUMNS);
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

int score_contrast(struct verb_call *call)
{
    const char **reference;
    if (verb_values(call, "--ref", &reference))
        die("score: --contrast asks a model about its pairs; expected no --ref");
    if (call->words != 1)
        die("score: --contrast PAIRS.tsv MODEL: expected one model, a train stage");
    const enum sheet_form form = sheet_form_read(verb_value(call, "--format"));
    const struct contrast_pairs pairs = contrast_read(&call->arena, verb_value(call, "--contrast"));
    struct frozen *frozen = stage_argument_frozen(call, call->word[0], "train", NULL);
    const struct contrast *contrast = contrast_judge(frozen, &pairs, &call->arena);
    frozen_close(frozen);
    if (verb_switch(call, "--verbose"))
        print_pairs(&pairs, contrast);
    else
        sheet_print(make_sheet(&pairs, contrast, &call->arena), form, stdout);
    return 0;
}
