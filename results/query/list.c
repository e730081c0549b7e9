/* `ls` for people: short texts and numbers. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "results/query/filter.h"
#include "results/query/query.h"
#include "results/sheet/cell.h"
#include "results/sheet/number.h"
#include "results/store/status.h"

enum { WIDEST = 120 }; /* bytes of a text that a list shows; `show` shows all of it */

/* "bleu 36.12", "step 1,200: loss 3.21" */
static const char *say_value(const struct query_stage *stage, struct arena *arena)
{
    if (!stage->key || !isfinite(stage->value)) return "";
    const char *text = arena_print(arena, "%s %s", stage->key, number_short(arena, stage->value));
    bool over = !strcmp(stage->status, STATUS_DONE) || stage->value_step < 0;
    return over ? text
                : arena_print(arena, "step %s: %s", number_count(arena, (double)stage->value_step),
                              text);
}

/* The beginning of a text that is too long, cut between two characters. */
static const char *shorten(const char *text, struct arena *arena)
{
    if (strlen(text) <= WIDEST) return text;
    size_t end = WIDEST;
    while (end && ((unsigned char)text[end] & 0xC0) == 0x80) end--;
    return arena_print(arena, "%.*s..", (int)end, text);
}

/* "grid/row/1", "grid/row/1 PART", "grid/row/1 and 4 more", "grid/row/1: no such split" */
static const char *say_names(const struct query_stage *stage, struct arena *arena)
{
    const int names = stage->names.count;
    const char *text = names ? shorten(stage->names.word[0], arena) : "";
    if (stage->part) text = arena_print(arena, "%s %s", text, stage->part);
    if (names > 1) text = arena_print(arena, "%s and %d more", text, names - 1);
    if (!stage->message) return text;
    return arena_print(arena, "%s%s%s", text, *text ? ": " : "", shorten(stage->message, arena));
}

/* As a list shows it: five digits of a number with a fraction. */
static const char *tidy(const char *value, struct arena *arena)
{
    double number;
    const bool fraction = real_parse(value, &number) && strchr(value, '.');
    return fraction ? number_short(arena, number) : shorten(value, arena);
}

/* The columns that were asked for, from `first` on. */
static void fill_keys(struct store *store, struct sheet *sheet, int first, const char *const *keys,
                      const struct query_stage *stage, struct arena *arena)
{
    struct filter *filter = filter_read(store, NULL, arena);
    for (int k = 0; keys[k]; k++) filter_check_key(filter, keys[k]);
    for (int k = 0; keys[k]; k++) {
        sheet->column[first + k] = (struct sheet_column){.header = keys[k], .align = SHEET_NUMBER};
        for (int i = 0; i < sheet->rows; i++) {
            const char *value = filter_values(filter, stage[i].number, keys[k], arena);
            sheet_set(sheet, i, first + k, value ? tidy(value, arena) : NULL);
        }
    }
}

struct sheet *query_list(struct store *store, const struct query_stage *stage, int count,
                         const char *const *keys, struct arena *arena)
{
    enum { STAGE, STATUS, VALUE, TIME, AGE, NAMES, TAGS, COLUMNS };
    static const char *const header[COLUMNS] = {"stage", "status", "value", "time",
                                                "age",   "names",  "tags"};
    int columns = TAGS, extra = 0;
    for (int i = 0; i < count; i++)
        if (stage[i].tags.count) columns = COLUMNS;
    while (keys && keys[extra]) extra++;
    struct sheet *sheet = sheet_new(arena, count, columns + extra);
    for (int i = 0; i < columns; i++)
        sheet->column[i] = (struct sheet_column){
            .header = header[i], .align = i == TIME || i == AGE ? SHEET_RIGHT : SHEET_LEFT};
    if (extra) fill_keys(store, sheet, columns, keys, stage, arena);
    double now = (double)time(NULL);
    for (int i = 0; i < count; i++) {
        double since = isfinite(stage[i].finished) ? stage[i].finished : stage[i].started;
        sheet_set(sheet, i, STAGE, stage[i].folder);
        sheet_set(sheet, i, STATUS, stage[i].status);
        sheet_set(sheet, i, VALUE, say_value(&stage[i], arena));
        if (stage[i].attempts) sheet_set(sheet, i, TIME, number_seconds(arena, stage[i].wall));
        if (isfinite(since)) sheet_set(sheet, i, AGE, number_age(arena, now - since));
        sheet_set(sheet, i, NAMES, say_names(&stage[i], arena));
        if (columns > TAGS)
            sheet_set(sheet, i, TAGS,
                      cell_join(stage[i].tags.word, stage[i].tags.count, " ", arena));
    }
    return sheet;
}
