#include "results/summary.h"

#include <math.h>
#include <string.h>

#include "results/column.h"
#include "results/number.h"

/* What a stage that is not done is said to be, in the order in which it is said. */
static const struct {
    const char *status, *word;
} words[] = {{"running", "running"}, {"failed", "failed"},       {"diverged", "div."},
             {"stopped", "stopped"}, {"interrupted", "stopped"}, {"waiting", "waiting"},
             {"missing", "missing"}};

/* One column's values of one row. */
struct sample {
    int total, count;      /* seeds; those that have a value */
    double *value;         /* [total] NaN: none, and then why not */
    const char **why;      /* [total] a status */
    const char *signature; /* of the values; NULL: none */
    bool mixed;            /* several signatures */
};

struct maker {
    struct store *store;
    const struct summary_grid *grid;
    struct arena *arena;
    sqlite3_stmt *status, *value, *text;
    struct sheet *sheet;
    bool partial, incomparable; /* something in the table needs a caption */
};

/* Status and wall time of a stage; "missing" when there is no such stage yet. */
static const char *stage_status(struct maker *maker, const char *id, double *wall)
{
    const char *status = "missing";
    store_bind(maker->status, "s", id);
    while (store_next(maker->status)) {
        status = store_text(maker->status, 0, maker->arena);
        *wall += store_real(maker->status, 1);
    }
    return status;
}

static double stage_value(struct maker *maker, const char *id, const char *name)
{
    double value = (double)NAN;
    store_bind(maker->value, "ss", id, name);
    while (store_next(maker->value)) value = store_real(maker->value, 0);
    return value;
}

static const char *stage_signature(struct maker *maker, const char *id)
{
    const char *text = NULL;
    store_bind(maker->text, "ss", id, "signature");
    while (store_next(maker->text)) text = store_text(maker->text, 0, maker->arena);
    return text;
}

static void add_signature(struct sample *sample, const char *signature)
{
    if (!signature) return;
    if (sample->signature && strcmp(sample->signature, signature) != 0) sample->mixed = true;
    sample->signature = signature;
}

/* The value of one seed, or NaN and in *why the status of the first stage that is not done. */
static double sample_seed(struct maker *maker, const struct column *column,
                          const struct summary_seed *seed, struct sample *sample, const char **why)
{
    double wall = 0, value = (double)NAN;
    *why = NULL;
    for (int i = 0; i < seed->count; i++) {
        const struct summary_stage *stage = &seed->stage[i];
        const char *status = stage_status(maker, stage->id, &wall);
        bool done = strcmp(status, "done") == 0;
        if (!done && !*why) *why = status;
        if (!column->kind || strcmp(column->kind, stage->kind) != 0) continue;
        if (!done && !(column->always && strcmp(status, "diverged") == 0)) continue;
        double found = stage_value(maker, stage->id, column->value);
        if (!isfinite(found) || isfinite(value)) continue;
        value = found;
        add_signature(sample, stage_signature(maker, stage->id));
    }
    if (!column->kind && !*why && seed->count) value = wall;
    return value;
}

static struct sample sample_row(struct maker *maker, const struct column *column,
                                const struct summary_row *row)
{
    struct sample sample = {.total = row->count,
                            .value = ARENA_ARRAY(maker->arena, double, row->count),
                            .why = ARENA_ARRAY(maker->arena, const char *, row->count)};
    for (int i = 0; i < row->count; i++) {
        sample.value[i] = sample_seed(maker, column, &row->seed[i], &sample, &sample.why[i]);
        sample.count += isfinite(sample.value[i]);
    }
    return sample;
}

/* "2 failed, 1 running" of the seeds without a value; only the word when all seeds say the same and
 * none has a value; NULL when there is nothing to say. */
static const char *say_why(struct maker *maker, const struct sample *sample)
{
    const char *text = NULL;
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        int count = 0;
        for (int k = 0; k < sample->total; k++)
            count += !isfinite(sample->value[k]) && sample->why[k] &&
                     strcmp(sample->why[k], words[i].status) == 0;
        if (!count) continue;
        if (count == sample->total) return words[i].word;
        const char *part = arena_print(maker->arena, "%d %s", count, words[i].word);
        text = text ? arena_print(maker->arena, "%s, %s", text, part) : part;
    }
    return text;
}

static const char *say_sample(struct maker *maker, const struct column *column,
                              const struct sample *sample)
{
    struct arena *arena = maker->arena;
    const char *why = say_why(maker, sample);
    if (!sample->count) return why;
    double *value = ARENA_ARRAY(arena, double, sample->count);
    int n = 0;
    bool same = true;
    for (int i = 0; i < sample->total; i++) {
        if (!isfinite(sample->value[i])) continue;
        value[n++] = sample->value[i];
        same &= value[n - 1] == value[0];
    }
    const char *text = column_text(column, number_mean(value, n), arena);
    bool exact = column->form == COLUMN_COUNT && same; /* as the size of a model: no statistic */
    if (n > 1 && !exact && column->form != COLUMN_SECONDS)
        text = arena_print(arena, "%s ± %s", text,
                           column_text(column, number_deviation(value, n), arena));
    if (n < sample->total && !exact) {
        maker->partial = true;
        return arena_print(arena, "%s (%d/%d%s%s)", text, n, sample->total, why ? ", " : "",
                           why ? why : "");
    }
    return n > 1 && !exact ? arena_print(arena, "%s (%d)", text, n) : text;
}

static bool same_signature(const struct sample *a, const struct sample *b)
{
    if (a->mixed || b->mixed) return false;
    if (!a->signature || !b->signature) return a->signature == b->signature;
    return strcmp(a->signature, b->signature) == 0;
}

/* Mean difference over the seeds that both rows have. */
static const char *say_delta(struct maker *maker, const struct column *column,
                             const struct summary_row *row, const struct summary_row *baseline)
{
    if (row == baseline) return "";
    struct sample ours = sample_row(maker, column, row),
                  theirs = sample_row(maker, column, baseline);
    double sum = 0;
    int n = 0;
    for (int i = 0; i < ours.total; i++)
        for (int k = 0; k < theirs.total; k++) {
            if (row->seed[i].seed != baseline->seed[k].seed) continue;
            double difference = ours.value[i] - theirs.value[k];
            if (!isfinite(difference)) continue;
            sum += difference;
            n++;
        }
    if (!n) return NULL;
    if (!same_signature(&ours, &theirs)) {
        maker->incomparable = true;
        return "n/c";
    }
    const char *text = column_text(column, sum / n, maker->arena);
    if (n == ours.total) return text;
    maker->partial = true;
    return arena_print(maker->arena, "%s (%d/%d)", text, n, ours.total);
}

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
    if (maker->partial)
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
            struct sample sample = sample_row(maker, column, &grid->row[i]);
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
            text = say_delta(maker, &column, &grid->row[row], find_row(grid, grid->baseline));
        } else {
            struct sample sample = sample_row(maker, &column, &grid->row[row]);
            text = say_sample(maker, &column, &sample);
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
    if (maker->incomparable)
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
        .store = store,
        .grid = grid,
        .arena = arena,
        .status = store_prepare(store, "SELECT status, wall FROM stage WHERE id = ?"),
        .value = store_prepare(store, "SELECT value FROM summary JOIN stage ON stage = number "
                                      "WHERE id = ? AND name = ?"),
        .text = store_prepare(store, "SELECT text FROM summary JOIN stage ON stage = number "
                                     "WHERE id = ? AND name = ?")};
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
    store_finish(maker.status);
    store_finish(maker.value);
    store_finish(maker.text);
    return maker.sheet;
}
