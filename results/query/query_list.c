/* `ls` for people has short texts and numbers; for programs every value is whole. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "results/query/filter.h"
#include "results/query/query.h"
#include "results/sheet/cell.h"
#include "results/sheet/escape.h"
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
    const char *text = stage->names ? shorten(stage->name[0], arena) : "";
    if (stage->part) text = arena_print(arena, "%s %s", text, stage->part);
    if (stage->names > 1) text = arena_print(arena, "%s and %d more", text, stage->names - 1);
    if (!stage->message) return text;
    return arena_print(arena, "%s%s%s", text, *text ? ": " : "", shorten(stage->message, arena));
}

/* As a list shows it: five digits of a number with a fraction. */
static const char *tidy(const char *value, struct arena *arena)
{
    char *end;
    double number = strtod(value, &end);
    bool fraction = end != value && !*end && strchr(value, '.') && isfinite(number);
    return fraction ? number_short(arena, number) : shorten(value, arena);
}

/* The columns that were asked for, from `first` on. */
static void fill_keys(struct store *store, struct sheet *sheet, int first, const char *const *keys,
                      const struct query_stage *stage, struct arena *arena)
{
    for (int k = 0; keys[k]; k++) filter_check_key(store, keys[k]);
    struct filter *filter = filter_read(store, NULL, arena);
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
    static const struct sheet_column header[COLUMNS] = {{.header = "stage"},
                                                        {.header = "status"},
                                                        {.header = "value"},
                                                        {.header = "time", .align = SHEET_RIGHT},
                                                        {.header = "age", .align = SHEET_RIGHT},
                                                        {.header = "names"},
                                                        {.header = "tags"}};
    int tags = 0, extra = 0;
    for (int i = 0; i < count; i++) tags += stage[i].tags;
    while (keys && keys[extra]) extra++;
    int columns = tags ? COLUMNS : TAGS;
    struct sheet *sheet = sheet_new(arena, count, columns + extra);
    for (int i = 0; i < columns; i++) sheet->column[i] = header[i];
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
        if (tags) sheet_set(sheet, i, TAGS, cell_join(stage[i].tag, stage[i].tags, " ", arena));
    }
    return sheet;
}

static json_t *step_json(int64_t step)
{
    return step < 0 ? json_null() : json_integer(step);
}

/* Texts come from JSON and so are UTF-8, but for a folder's name. */
static void print_json(const struct query_stage *stage, int count, FILE *out)
{
    json_t *all = json_array();
    for (int i = 0; i < count; i++) {
        const struct query_stage *one = &stage[i];
        json_t *json = json_pack(
            "{s:s, s:s, s:s, s:s, s:o, s:o, s:s?, s:o, s:o, s:o, s:o, s:o, s:I, s:o, s:s?}", "id",
            one->id, "kind", one->kind, "folder", one->folder, "status", one->status, "names",
            cell_json_list(one->name, one->names), "tags", cell_json_list(one->tag, one->tags),
            "telling", one->key, "value", cell_json(one->value), "value_step",
            step_json(one->value_step), "started", cell_json(one->started), "finished",
            cell_json(one->finished), "wall", cell_json(one->wall), "attempts",
            (json_int_t)one->attempts, "step", step_json(one->step), "message", one->message);
        CHECK(json, "stage %s cannot be described", one->id);
        json_array_append_new(all, json);
    }
    json_dumpf(all, out, JSON_INDENT(2));
    fputc('\n', out);
    json_decref(all);
}

void query_put_texts(const struct query_stage *stage, FILE *out)
{
    struct arena arena = {0};
    escape_csv(stage->id, out);
    cell_text(stage->kind, out);
    cell_text(stage->folder, out);
    cell_text(stage->status, out);
    cell_text(cell_join(stage->name, stage->names, "; ", &arena), out);
    cell_text(cell_join(stage->tag, stage->tags, " ", &arena), out);
    arena_free(&arena);
}

static void print_csv(const struct query_stage *stage, int count, FILE *out)
{
    fputs("id,kind,folder,status,names,tags,telling,value,started,finished,wall,"
          "attempts,step,message,value_step\n",
          out);
    for (int i = 0; i < count; i++) {
        const struct query_stage *one = &stage[i];
        const double real[] = {
            one->value, one->started,          one->finished,
            one->wall,  (double)one->attempts, one->step < 0 ? NAN : (double)one->step};
        query_put_texts(one, out);
        cell_text(one->key, out);
        for (size_t k = 0; k < COUNT_OF(real); k++) cell_real(real[k], out);
        cell_text(one->message, out);
        cell_real(one->value_step < 0 ? NAN : (double)one->value_step, out);
        fputc('\n', out);
    }
}

void query_print(const struct query_stage *stage, int count, enum query_format format, FILE *out)
{
    if (format == QUERY_JSON)
        print_json(stage, count, out);
    else
        print_csv(stage, count, out);
}
