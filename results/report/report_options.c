/* Options that all rows have alike are told once, those in which they differ row by row. */
#include "results/table/sample.h"
#include "results/report/report_options.h"

#include <string.h>

#include "results/report/facts.h"
#include "results/sheet/cell.h"
#include "results/store/offer.h"
#include "results/table/layout.h"

struct options_reader {
    struct store *store;
    const struct grid *grid;
    struct arena *arena;
};

/* A JSON value as a grid would have it: [{"window":1}] is [{window: 1}]. */
static const char *plain_json(struct arena *arena, const char *json)
{
    static const char bare[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-+/()";
    if (*json != '[' && *json != '{') return json;
    char *text = arena_alloc(arena, 2 * strlen(json) + 1), *to = text;
    while (*json) {
        if (*json == '"') {
            size_t length = strspn(json + 1, bare);
            bool simple = length && json[1 + length] == '"';
            size_t all = simple ? length + 2 : 1;
            while (!simple && json[all] && json[all] != '"')
                all += json[all] == '\\' && json[all + 1] ? 2 : 1;
            if (!simple && json[all]) all++;
            memcpy(to, json + simple, all - (simple ? 2 : 0));
            to += all - (simple ? 2 : 0);
            json += all;
        } else {
            *to++ = *json;
            if (*json == ':' || *json == ',') *to++ = ' ';
            json++;
        }
    }
    return text;
}

/* Every value that a row has for a key; NULL: none. */
static const char *value_of(struct options_reader *reader, const struct facts *facts,
                            const char *key, int member)
{
    const char *list = NULL;
    for (int i = 0; i < facts->count; i++)
        if (!strcmp(facts->fact[i].key, key) && facts->fact[i].has[member])
            list = arena_append(reader->arena, list, "; ",
                                plain_json(reader->arena, facts->fact[i].value));
    return list;
}

/* The options of the rows' first seeds. */
static struct facts ask_options(struct options_reader *reader)
{
    const struct grid *grid = reader->grid;
    struct facts facts = facts_new(reader->arena, grid->rows);
    for (int row = 0; row < grid->rows; row++) {
        if (!grid->row[row].count) continue;
        const struct grid_seed *seed = &grid->row[row].seed[0];
        for (int k = 0; k < seed->count; k++)
            facts_ask(reader->arena, reader->store, &facts,
                      "SELECT key, option.value FROM option JOIN stage ON stage = number WHERE id "
                      "= ? AND key <> 'seed' ORDER BY key",
                      seed->stage[k].id, row);
    }
    return facts;
}

/* The keys of those options that some row has otherwise; returns how many. */
static int different_keys(struct options_reader *reader, const struct facts *facts,
                          const char ***key)
{
    int keys = 0;
    *key = ARENA_ARRAY(reader->arena, const char *, facts->count + 1);
    for (int i = 0; i < facts->count; i++) {
        if (facts_of_all(facts, &facts->fact[i])) continue;
        bool seen = false;
        for (int k = 0; k < keys; k++) seen |= !strcmp((*key)[k], facts->fact[i].key);
        if (!seen) (*key)[keys++] = facts->fact[i].key;
    }
    return keys;
}

/* Whether an option is of a translator's training, which all rows then have. */
static bool trains(const struct options_reader *reader, const char *key)
{
    static const char *const section[] = {"model.", "encoder.", "decoder.", "train."};
    bool train = false;
    for (size_t i = 0; i < COUNT_OF(section); i++)
        train |= !strncmp(key, section[i], strlen(section[i]));
    return train && sample_trains(reader->grid) == offer_that_trains() &&
           strcmp(key, "train.batch_pairs") != 0;
}

/* What a row does not say of its training stands at its default; it may lack other stages. */
static const char *value_or_default(struct options_reader *reader, const struct facts *facts,
                                    const char *key, int row)
{
    const char *value = value_of(reader, facts, key, row);
    if (value || !facts->any[row] || !trains(reader, key)) return value;
    value = layout_option(reader->grid, &reader->grid->row[row], key, reader->arena);
    return value && *value ? arena_print(reader->arena, "%s (default)", value) : NULL;
}

static struct sheet *sheet_differences(struct options_reader *reader, const struct facts *facts,
                                       const char *const *key, int keys)
{
    const struct grid *grid = reader->grid;
    struct sheet *sheet = sheet_new(reader->arena, grid->rows, 1 + keys);
    sheet->missing = "–";
    sheet->column[0].header = "";
    for (int k = 0; k < keys; k++) sheet->column[1 + k].header = key[k];
    for (int row = 0; row < grid->rows; row++) {
        sheet_set(sheet, row, 0, grid->row[row].name);
        for (int k = 0; k < keys; k++)
            sheet_set(sheet, row, 1 + k, value_or_default(reader, facts, key[k], row));
    }
    return sheet;
}

/* One line each, under their sections. */
static struct sheet *sheet_common(struct options_reader *reader, const struct facts *facts,
                                  int count)
{
    struct sheet *sheet = sheet_new(reader->arena, count, 2);
    sheet->column[0].header = "Option";
    sheet->column[1].header = "Value";
    const char *section = NULL;
    int row = 0;
    for (int i = 0; i < facts->count; i++) {
        if (!facts_of_all(facts, &facts->fact[i])) continue;
        const char *key = facts->fact[i].key, *point = strchr(key, '.');
        const char *of = point ? arena_text_range(reader->arena, key, (size_t)(point - key)) : "";
        if (!section || strcmp(section, of)) sheet->section[row] = *of ? of : "other";
        section = of;
        sheet_set(sheet, row, 0, point ? point + 1 : key);
        sheet_set(sheet, row++, 1, plain_json(reader->arena, facts->fact[i].value));
    }
    return sheet;
}

/* The options of training that no row sets, as they are for the first row. */
static struct sheet *sheet_defaults(struct options_reader *reader, const struct facts *said)
{
    const char *const *option = reader->grid->words.option;
    struct facts rest = facts_new(reader->arena, 1);
    for (int i = 0; option && option[i] && reader->grid->rows; i++) {
        int k = 0;
        while (k < said->count && strcmp(said->fact[k].key, option[i]) != 0) k++;
        const char *value =
            k == said->count && trains(reader, option[i])
                ? layout_option(reader->grid, &reader->grid->row[0], option[i], reader->arena)
                : NULL;
        if (value && *value) facts_add(reader->arena, &rest, option[i], value, 0);
    }
    return rest.count ? sheet_common(reader, &rest, rest.count) : NULL;
}

struct report_options report_options(struct store *store, const struct grid *grid,
                                     struct arena *arena)
{
    struct options_reader reader = {store, grid, arena};
    struct report_options made = {NULL, NULL, NULL};
    struct facts facts = ask_options(&reader);
    const char **key;
    int keys = different_keys(&reader, &facts, &key), common = 0;
    for (int i = 0; i < facts.count; i++) common += facts_of_all(&facts, &facts.fact[i]);
    if (keys) made.differences = sheet_differences(&reader, &facts, key, keys);
    if (common) made.common = sheet_common(&reader, &facts, common);
    made.defaults = sheet_defaults(&reader, &facts);
    return made;
}
