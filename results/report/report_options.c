/* Options that all rows have alike are told once, those in which they differ row by row. */
#include <stdlib.h>
#include <string.h>

#include "results/query/query.h"
#include "results/report/report_facts.h"
#include "results/sheet/cell.h"
#include "results/store/offer.h"
#include "results/table/layout.h"
#include "results/table/sample.h"

struct options_reader {
    const struct grid *grid;
    struct arena *arena;
    bool *any; /* [rows] which have options at all */
};

/* Every value that a row has for a key; NULL: none. */
static const char *value_of(struct options_reader *reader, const struct facts *facts,
                            const char *key, int row)
{
    const char *list = NULL;
    for (int i = 0; i < facts->count; i++) {
        const struct fact *fact = &facts->fact[i];
        if (!strcmp(fact->key, key) &&
            bsearch(&row, fact->member, (size_t)fact->count, sizeof row, compare_ints))
            list = arena_append(reader->arena, list, "; ", query_plain(fact->value, reader->arena));
    }
    return list;
}

/* The options of the rows' first seeds. */
static struct facts take_options(struct options_reader *reader, const struct report_facts *made,
                                 const struct table *index)
{
    const struct grid *grid = reader->grid;
    struct facts facts = FACTS_NEW(reader->arena);
    for (int row = 0; row < grid->rows; row++)
        for (int k = 0; grid->row[row].count && k < grid->row[row].seed[0].count; k++) {
            const char *id = grid->row[row].seed[0].stage[k].id;
            const struct report_stage *stage = &made->stage[table_get(index, id, strlen(id))];
            for (int i = 0; i < stage->facts; i++) {
                const struct stage_fact *fact = &stage->fact[i];
                if (fact->part != RELATION_OPTIONS || !strcmp(fact->key, "seed")) continue;
                facts_add(&facts, fact->key, fact->value, row);
                reader->any[row] = true;
            }
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
    if (value || !reader->any[row] || !trains(reader, key)) return value;
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
        sheet_set(sheet, row++, 1, query_plain(facts->fact[i].value, reader->arena));
    }
    return sheet;
}

/* The options of training that no row sets, as they are for the first row. */
static struct sheet *sheet_defaults(struct options_reader *reader, const struct facts *said)
{
    const char *const *option = reader->grid->words.option;
    struct facts rest = FACTS_NEW(reader->arena);
    for (int i = 0; option && option[i] && reader->grid->rows; i++) {
        int k = 0;
        while (k < said->count && strcmp(said->fact[k].key, option[i]) != 0) k++;
        const char *value =
            k == said->count && trains(reader, option[i])
                ? layout_option(reader->grid, &reader->grid->row[0], option[i], reader->arena)
                : NULL;
        if (value && *value) facts_add(&rest, option[i], value, 0);
    }
    return rest.count ? sheet_common(reader, &rest, rest.count) : NULL;
}

void report_options(struct report_facts *made, const struct table *index, const struct grid *grid,
                    struct arena *arena)
{
    struct options_reader reader = {grid, arena, ARENA_ARRAY(arena, bool, grid->rows)};
    const struct facts facts = take_options(&reader, made, index);
    const char **key;
    const int keys = different_keys(&reader, &facts, &key);
    int common = 0;
    for (int i = 0; i < facts.count; i++) common += facts_of_all(&facts, &facts.fact[i]);
    if (keys) made->differences = sheet_differences(&reader, &facts, key, keys);
    if (common) made->options = sheet_common(&reader, &facts, common);
    made->defaults = sheet_defaults(&reader, &facts);
}
