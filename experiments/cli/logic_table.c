/* One row is one count; those below the bins are sums. */
#include "experiments/cli/logic_table.h"

#include "results/sheet/number.h"

enum { BIN, PAIRS, RELATION, MAJORITY = RELATION + RELATIONS, DUPLICATES, TRAIN_COLUMNS };
enum { REPEATED = TRAIN_COLUMNS, MIRRORED, FAMILIAR, COLUMNS };
enum { TRAINED = LOGIC_BINS, LONGER, ALL, ROWS };

static void set_count(struct arena *arena, struct sheet *sheet, int row,
                      const struct logic_count *count)
{
    const double per_cent = count->pairs ? 100. / count->pairs : 0;
    const enum relation majority = logic_majority(count);
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

static struct logic_count sum(const struct logic_count *count, int first, int last)
{
    struct logic_count all = {0};
    for (int bin = first; bin <= last; bin++) logic_count_add(&all, &count[bin]);
    return all;
}

struct sheet *logic_table(struct arena *arena, const struct logic_audit *audit,
                          enum logic_split split, struct logic_bins trained)
{
    const char *header[COLUMNS] = {
        [BIN] = "Bin",           [PAIRS] = "Pairs",       [MAJORITY] = "Majority",
        [DUPLICATES] = "Twice",  [REPEATED] = "In train", [MIRRORED] = "Mirrored",
        [FAMILIAR] = "Familiar",
    };
    const int last = LOGIC_BINS - 1;
    const struct {
        int first, last;
    } sums[] = {
        {trained.first ? trained.first : 1, trained.last}, {trained.last + 1, last}, {0, last}};
    for (int k = 0; k < RELATIONS; k++) header[RELATION + k] = relation_symbols[k];
    struct sheet *sheet =
        sheet_headed(arena, ROWS, split == LOGIC_TRAIN ? TRAIN_COLUMNS : COLUMNS, header, 1);
    sheet->title = logic_split_names[split];
    for (int bin = 0; bin < LOGIC_BINS; bin++) {
        sheet_set(sheet, bin, BIN, arena_print(arena, "%d", bin));
        set_count(arena, sheet, bin, &audit->count[split][bin]);
    }
    for (int row = TRAINED; row < ROWS; row++) {
        const int from = sums[row - TRAINED].first, to = sums[row - TRAINED].last;
        const struct logic_count count = sum(audit->count[split], from, to);
        sheet_set(sheet, row, BIN,
                  row == ALL  ? "all"
                  : from > to ? "none"
                              : arena_print(arena, "%d-%d", from, to));
        set_count(arena, sheet, row, &count);
    }
    sheet->rule[TRAINED] = true;
    return sheet;
}
