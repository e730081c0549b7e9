#include "results/summary.h"

#include <string.h>

#include "results/sample.h"

struct maker {
    struct store *store;
    const struct summary_grid *grid;
    struct arena *arena;
    struct sampler sampler;
    struct sheet *sheet;
};

/* The captions: everything that a reader must know to use the numbers. */

static const char *join(struct arena *arena, const char *list, const char *item)
{
    return list ? arena_print(arena, "%s, %s", list, item) : item;
}

static void caption_seeds(struct maker *maker)
{
    const struct summary_grid *grid = maker->grid;
    const char *list = NULL;
    int most = 0;
    for (int row = 0; row < grid->rows; row++) {
        if (grid->row[row].count <= most) continue;
        most = grid->row[row].count;
        list = NULL;
        for (int i = 0; i < most; i++)
            list = join(maker->arena, list,
                        arena_print(maker->arena, "%lld", (long long)grid->row[row].seed[i].seed));
    }
    if (most == 1)
        sheet_caption(maker->arena, maker->sheet, "One seed (%s).", list);
    else if (most > 1)
        sheet_caption(maker->arena, maker->sheet,
                      "Mean ± sample standard deviation (number of seeds); seeds %s.", list);
    if (maker->sampler.partial)
        sheet_caption(maker->arena, maker->sheet,
                      "(k/n): only k of n seeds have a value yet; the others say why.");
}

static void caption_signatures(struct maker *maker, const struct column *column)
{
    const struct summary_grid *grid = maker->grid;
    const char *seen = NULL;
    bool several = false;
    for (int turn = 0; turn < 2; turn++)
        for (int i = 0; i < grid->rows; i++) {
            struct sample sample = sample_row(&maker->sampler, column, &grid->row[i]);
            if (!sample.signature) continue;
            several |= sample.mixed || (seen && strcmp(seen, sample.signature) != 0);
            seen = sample.signature;
            if (turn == 1 && several)
                sheet_caption(maker->arena, maker->sheet, "%s of %s: %s%s", column->header,
                              grid->row[i].name, sample.signature,
                              sample.mixed ? ", and others" : "");
        }
    if (seen && !several) sheet_caption(maker->arena, maker->sheet, "%s: %s", column->header, seen);
}

/* Rows of which some train stage had its best validation at the very end. */
static void caption_undertrained(struct maker *maker)
{
    const struct summary_grid *grid = maker->grid;
    sqlite3_stmt *ask = store_prepare(
        maker->store,
        "SELECT 1 FROM stage WHERE id = ?1 AND kind = 'train' AND status = 'done' AND"
        " (SELECT count(*) FROM metric WHERE stage = number AND name = 'dev_loss') > 1 AND"
        " (SELECT step FROM metric WHERE stage = number AND name = 'dev_loss' AND value IS NOT "
        "  NULL ORDER BY value, step LIMIT 1) ="
        " (SELECT max(step) FROM metric WHERE stage = number AND name = 'dev_loss')");
    const char *list = NULL;
    for (int row = 0; row < grid->rows; row++) {
        bool rising = false;
        for (int i = 0; i < grid->row[row].count; i++)
            for (int k = 0; k < grid->row[row].seed[i].count; k++) {
                store_bind(ask, "s", grid->row[row].seed[i].stage[k].id);
                while (store_next(ask)) rising = true;
            }
        if (rising) list = join(maker->arena, list, grid->row[row].name);
    }
    store_finish(ask);
    if (list)
        sheet_caption(maker->arena, maker->sheet,
                      "Undertrained (lowest dev loss at the last validation): %s.", list);
}

/* Rows computed on different devices must not look alike. */
static void caption_environment(struct maker *maker, const char *key)
{
    const struct summary_grid *grid = maker->grid;
    sqlite3_stmt *ask = store_prepare(
        maker->store, "SELECT environment.value FROM environment JOIN stage ON stage = number "
                      "WHERE id = ? AND key = ? AND kind IN ('train', 'score')");
    const char *first = NULL, *list = NULL;
    bool differ = false;
    for (int row = 0; row < grid->rows; row++) {
        const char *last = NULL; /* of this row: said once */
        for (int i = 0; i < grid->row[row].count; i++)
            for (int k = 0; k < grid->row[row].seed[i].count; k++) {
                store_bind(ask, "ss", grid->row[row].seed[i].stage[k].id, key);
                while (store_next(ask)) {
                    const char *value = store_text(ask, 0, maker->arena);
                    if (!first) first = value;
                    differ |= strcmp(first, value) != 0;
                    if (last && strcmp(last, value) == 0) continue;
                    last = value;
                    list = join(maker->arena, list,
                                arena_print(maker->arena, "%s (%s)", value, grid->row[row].name));
                }
            }
    }
    store_finish(ask);
    if (differ)
        sheet_caption(maker->arena, maker->sheet, "The rows mix values of \"%s\": %s.", key, list);
}

/* The table itself. */

static const char *claim_text(const struct summary_grid *grid, const char *column, const char *row)
{
    for (int i = 0; i < grid->claims; i++)
        if (!strcmp(grid->claim[i].column, column) && !strcmp(grid->claim[i].row, row))
            return grid->claim[i].value;
    return NULL;
}

/* Whether claim i is the first of its column. */
static bool claim_is_first(const struct summary_grid *grid, int claim)
{
    for (int i = 0; i < claim; i++)
        if (!strcmp(grid->claim[i].column, grid->claim[claim].column)) return false;
    return true;
}

static struct column find(const char *name, struct arena *arena)
{
    struct column column;
    const char *nearest;
    CHECK(column_find(name, &column, &nearest, arena), "summary_read let the column %s pass", name);
    return column;
}

static const struct summary_row *find_row(const struct summary_grid *grid, const char *name)
{
    for (int i = 0; i < grid->rows; i++)
        if (!strcmp(grid->row[i].name, name)) return &grid->row[i];
    CHECK(false, "summary_read let the row %s pass", name);
    return NULL;
}

static void fill_column(struct maker *maker, int at, const char *name)
{
    const struct summary_grid *grid = maker->grid;
    struct column column = find(name, maker->arena);
    maker->sheet->column[at] = (struct sheet_column){column.header, SHEET_NUMBER, column.decimals};
    for (int row = 0; row < grid->rows; row++) {
        const char *text;
        if (column.delta) {
            text = sample_delta(&maker->sampler, &column, &grid->row[row],
                                find_row(grid, grid->baseline));
        } else {
            struct sample sample = sample_row(&maker->sampler, &column, &grid->row[row]);
            text = sample_text(&maker->sampler, &column, &sample);
        }
        sheet_set(maker->sheet, row, at, text);
    }
}

static void fill_claims(struct maker *maker, int at)
{
    const struct summary_grid *grid = maker->grid;
    for (int i = 0; i < grid->claims; i++) {
        if (!claim_is_first(grid, i)) continue;
        struct column column = find(grid->claim[i].column, maker->arena);
        maker->sheet->column[at] = (struct sheet_column){
            arena_print(maker->arena, "%s, paper", column.header), SHEET_NUMBER, column.decimals};
        for (int row = 0; row < grid->rows; row++)
            sheet_set(maker->sheet, row, at,
                      claim_text(grid, grid->claim[i].column, grid->row[row].name));
        at++;
    }
}

static void fill_captions(struct maker *maker)
{
    const struct summary_grid *grid = maker->grid;
    caption_seeds(maker);
    for (int i = 0; i < grid->columns; i++) {
        struct column column = find(grid->column[i], maker->arena);
        if (!column.delta) caption_signatures(maker, &column);
    }
    if (maker->sampler.incomparable)
        sheet_caption(maker->arena, maker->sheet,
                      "n/c: not comparable, computed with another signature than the baseline.");
    caption_undertrained(maker);
    static const char *const keys[] = {"device", "blas_core"};
    for (size_t i = 0; i < COUNT_OF(keys); i++) caption_environment(maker, keys[i]);
    if (grid->claims)
        sheet_caption(maker->arena, maker->sheet,
                      "Paper%s%s: %s. Its data and metric are its own: no difference is taken.",
                      grid->source ? ", " : "", grid->source ? grid->source : "", grid->metric);
}

struct sheet *summary_table(struct store *store, const struct summary_grid *grid,
                            struct arena *arena)
{
    struct maker maker = {
        .store = store, .grid = grid, .arena = arena, .sampler = sampler_open(store, arena)};
    int papers = 0;
    for (int i = 0; i < grid->claims; i++) papers += claim_is_first(grid, i);
    maker.sheet = sheet_new(arena, grid->rows, 1 + grid->columns + papers);
    maker.sheet->title =
        grid->title ? arena_print(arena, "%s (%s)", grid->title, grid->grid) : grid->grid;
    maker.sheet->column[0] = (struct sheet_column){"", SHEET_LEFT, 0};
    for (int row = 0; row < grid->rows; row++) sheet_set(maker.sheet, row, 0, grid->row[row].name);
    for (int i = 0; i < grid->columns; i++) fill_column(&maker, 1 + i, grid->column[i]);
    fill_claims(&maker, 1 + grid->columns);
    fill_captions(&maker);
    sampler_close(&maker.sampler);
    return maker.sheet;
}
