/* A row is a count; those below the bins are sums. */
#include "experiments/cli/logic_table.h"

#include "results/sheet/number.h"

enum { BIN, PAIRS, RELATION, MAJORITY = RELATION + RELATIONS, DUPLICATES, TRAIN_COLUMNS };
enum { REPEATED = TRAIN_COLUMNS, MIRRORED, FAMILIAR, COLUMNS };
enum { TRAINED, LONGER, ALL, SUMS };

static void set_count(struct arena *arena, struct sheet *sheet, int row,
                      const struct logic_count *count)
{
    const double per_cent = count->pairs ? 100. / count->pairs : 0;
    const enum logic_relation majority = logic_majority(count);
    sheet_set(sheet, row, PAIRS, number_count(arena, count->pairs));
    for (int k = 0; k < RELATIONS; k++)
        sheet_set(sheet, row, RELATION + k, number_count(arena, count->relation[k]));
    if (count->pairs)
        sheet_set(sheet, row, MAJORITY,
                  number_fixed(arena, per_cent * count->relation[majority], 1));
    sheet_set(sheet, row, DUPLICATES, number_count(arena, count->duplicates));
    if (sheet->columns == TRAIN_COLUMNS) return;
    sheet_set(sheet, row, REPEATED, number_count(arena, count->repeated));
    sheet_set(sheet, row, MIRRORED, number_count(arena, count->mirrored));
    if (count->pairs)
        sheet_set(sheet, row, FAMILIAR, number_fixed(arena, per_cent * count->familiar, 1));
}

/* A row that says what is counted there. */
static void set_row(struct arena *arena, struct sheet *sheet, int row, const char *name,
                    const struct logic_count *count)
{
    sheet_set(sheet, row, BIN, name);
    set_count(arena, sheet, row, count);
}

struct sheet *logic_table(struct arena *arena, const struct logic_audit *audit,
                          enum logic_split split, struct logic_bins trained)
{
    const char *header[COLUMNS] = {
        [BIN] = "Bin",           [PAIRS] = "Pairs",       [MAJORITY] = "Majority",
        [DUPLICATES] = "Twice",  [REPEATED] = "In train", [MIRRORED] = "Mirrored",
        [FAMILIAR] = "Familiar",
    };
    const int first = trained.first ? trained.first : 1, last = LOGIC_BINS - 1;
    const struct logic_bins sums[] = {{first, trained.last}, {trained.last + 1, last}, {0, last}};
    int bins = 0, row = 0;
    for (int k = 0; k < RELATIONS; k++) header[RELATION + k] = relation_symbols[k];
    for (int bin = 0; bin < LOGIC_BINS; bin++) bins += audit->there[split][bin];
    if (!bins) return NULL;
    struct sheet *sheet =
        sheet_headed(arena, bins + SUMS, split == LOGIC_TRAIN ? TRAIN_COLUMNS : COLUMNS, header, 1);
    sheet->title = logic_split_names[split];
    for (int bin = 0; bin < LOGIC_BINS; bin++)
        if (audit->there[split][bin])
            set_row(arena, sheet, row++, arena_print(arena, "%d", bin), &audit->count[split][bin]);
    sheet->rule[row] = true;
    for (int k = 0; k < SUMS; k++) {
        struct logic_count count = {0};
        const char *name = k == ALL ? "all"
                           : sums[k].first > sums[k].last
                               ? "none"
                               : arena_print(arena, "%d-%d", sums[k].first, sums[k].last);
        for (int bin = sums[k].first; bin <= sums[k].last; bin++)
            logic_count_add(&count, &audit->count[split][bin]);
        set_row(arena, sheet, row++, name, &count);
    }
    return sheet;
}
