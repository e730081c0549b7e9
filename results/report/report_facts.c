/* Collects the facts of a report: options, environments and stages. A fact that several stages or
 * rows share is listed once. If the rows differ in a fact, their names are listed with it. */
#include "results/report/report_facts.h"

#include <math.h>
#include <string.h>

#include "core/config/word.h"
#include "results/query/query.h"
#include "results/sheet/cell.h"
#include "results/sheet/number_format.h"
#include "results/store/offer.h"
#include "results/store/stage_folder.h"
#include "results/store/status.h"
#include "results/table/sample.h"

/* A fact is a value of a key, with the members that have this value. The members of an option are
 * rows. The members of an environment or signature are stages. A stage is also a fact: its key is
 * the id, its value is the title, and its members are points. */
struct fact {
    const char *key, *value;
    int count, *member; /* [count] ascending */
};
struct facts {
    struct arena *arena;
    struct hash_table *index; /* from key and value to the index of the fact */
    int count, members;
    struct fact *fact; /* [count] each pair of key and value once */
    int last;          /* last: the member that was added last. members: number of members with at
                          least one fact */
};
#define FACTS_NEW(arena_)                                                                          \
    ((struct facts){.arena = (arena_), .index = hash_table_new((arena_), 0), .last = -1})

struct facts_reader {
    struct store *store;
    const struct grid *grid;
    struct arena *arena;
    struct report_facts made;
    struct hash_table *index; /* from the id to the index of a stage */
    struct facts users;       /* stages as facts, with the points that use them */
    struct facts seeds, environments, signatures; /* members of the last two: stages */
    int points;
    struct grid_cursor *point; /* [points] */
    bool *has_options;         /* [rows] */
};

/* Adds a member to a fact. Members must be added in ascending order. */
static void facts_add(struct facts *facts, const char *key, const char *value, int member)
{
    const char *both = arena_print(facts->arena, "%s\n%s", key, value);
    const int at = (int)*hash_table_at(facts->index, both, strlen(both), facts->count);
    if (at == facts->count) {
        ARENA_ADD(facts->arena, facts->fact, facts->count,
                  (struct fact){.key = key, .value = value});
    }
    struct fact *fact = &facts->fact[at];
    facts->members += member != facts->last;
    facts->last = member;
    if (fact->count && fact->member[fact->count - 1] == member) return;
    ARENA_ADD(facts->arena, fact->member, fact->count, member);
}

/* True if all members with any fact have this fact. */
static bool facts_of_all(const struct facts *facts, const struct fact *fact)
{
    return fact->count == facts->members;
}

/* Returns the values of a key, "1, 2, 3"; NULL: none. */
static const char *facts_list(const struct facts *facts, const char *key)
{
    const char *list = NULL;
    for (int i = 0; i < facts->count; i++)
        if (!strcmp(facts->fact[i].key, key))
            list = arena_append(facts->arena, list, ", ", facts->fact[i].value);
    return list;
}

const char *report_time(struct arena *arena, double seconds)
{
    if (!isfinite(seconds)) return NULL;
    char text[TIME_TEXT];
    return arena_text(arena, time_print(text, "%Y-%m-%d %H:%M UTC", seconds, true));
}

/* Returns a text with the rows and seeds of the given points, which must be in ascending order. */
static const char *users_text(struct facts_reader *reader, const int *point, int count)
{
    const struct grid *grid = reader->grid;
    struct arena_stream list;
    if (count == reader->points && count && grid->rows > 1) return "all rows";
    if (!count) return NULL;
    arena_stream_open(&list);
    for (int i = 0, end; i < count; i = end) {
        const struct grid_row *row = &grid->row[reader->point[point[i]].row];
        for (end = i + 1; end < count; end++)
            if (reader->point[point[end]].row != reader->point[point[i]].row) break;
        fprintf(list.out, "%s%s", i ? "; " : "", row->name);
        if (end - i == row->count && row->count > 1) continue;
        fprintf(list.out, " (seed%s ", end - i > 1 ? "s" : "");
        for (int k = i; k < end; k++)
            fprintf(list.out, "%s%lld", k > i ? ", " : "",
                    (long long)row->seed[reader->point[point[k]].seed].seed);
        fputc(')', list.out);
    }
    return arena_stream_close(reader->arena, &list);
}

/* ---- the stages, each once ---- */

/* Reads folder, status, times and attempts of stages into the list. number[i] is the number of a
 * stage in the database, and at[i] is its line in the list. */
static void read_heads(struct facts_reader *reader, const int64_t *number, const int *at, int count)
{
    enum { FOLDER = 3, STATUS, ATTEMPTS = 7, WALL, STARTED, FINISHED };
    struct arena *arena = reader->arena;
    struct report_facts *made = &reader->made;
    sqlite3_stmt *ask = value_cache_rows(reader->store, VALUE_CACHE_HEADS, number, count, NULL);
    while (store_next(ask)) {
        const int row = at[sqlite3_column_int(ask, 0)];
        const double wall = store_real(ask, WALL), finished = store_real(ask, FINISHED);
        const int64_t attempts = sqlite3_column_int64(ask, ATTEMPTS);
        sheet_set(made->list, row, 0, store_text(ask, FOLDER, arena));
        sheet_set(made->list, row, 2, store_text(ask, STATUS, arena));
        sheet_set(made->list, row, 3, report_time(arena, finished));
        if (isfinite(wall) && wall > 0) sheet_set(made->list, row, 4, number_seconds(arena, wall));
        if (attempts) sheet_set(made->list, row, 5, number_count(arena, (double)attempts));
        if (!isfinite(finished)) continue;
        made->started = fmin(made->started, store_real(ask, STARTED));
        made->finished = fmax(made->finished, finished);
    }
}

/* Reads options, environments and signatures of stages (`number` and `at` as in read_heads). The
 * key of a signature is the kind of its stage. */
static void read_facts(struct facts_reader *reader, const int64_t *number, const int *at, int count)
{
    struct arena *arena = reader->arena;
    sqlite3_stmt *ask = value_cache_rows(reader->store, VALUE_CACHE_FACTS, number, count, NULL);
    while (store_next(ask)) {
        const int i = at[sqlite3_column_int(ask, 0)];
        struct report_stage *stage = &reader->made.stage[i];
        const enum value_cache_part part = (enum value_cache_part)sqlite3_column_int(ask, 1);
        const bool signature = !strcmp((const char *)sqlite3_column_text(ask, 2), "signature");
        if (part == VALUE_CACHE_LATEST || (part == VALUE_CACHE_RESULTS && !signature)) continue;
        const char *key = store_text(ask, 2, arena), *value = store_text(ask, 3, arena);
        if (part == VALUE_CACHE_ENVIRONMENTS) facts_add(&reader->environments, key, value, i);
        if (part == VALUE_CACHE_RESULTS)
            facts_add(&reader->signatures,
                      arena_text_range(arena, stage->kind, strcspn(stage->kind, ".")), value, i);
        if (part != VALUE_CACHE_OPTIONS) continue;
        ARENA_ADD(arena, stage->option, stage->options, (struct stage_option){key, value});
    }
}

static void list_stages(struct facts_reader *reader)
{
    static const char *const header[] = {"Stage", "Of", "Status", "Finished", "Time", "Attempts"};
    struct arena *arena = reader->arena;
    const struct grid *grid = reader->grid;
    struct report_facts *made = &reader->made;
    for (int row = 0; row < grid->rows; row++)
        for (int i = 0; i < grid->row[row].count; i++, reader->points++) {
            ARENA_MORE(arena, reader->point, reader->points);
            const long long seed = (long long)grid->row[row].seed[i].seed;
            facts_add(&reader->seeds, "seed", arena_print(arena, "%lld", seed), 0);
            reader->point[reader->points] = (struct grid_cursor){row, i, 0};
            for (int k = 0; k < grid->row[row].seed[i].count; k++) {
                const struct grid_stage *from = &grid->row[row].seed[i].stage[k];
                facts_add(&reader->users, from->id, grid_stage_title(from, arena), reader->points);
            }
        }
    const int stages = made->stages = reader->users.count;
    const char **id = ARENA_ARRAY(arena, const char *, stages);
    int64_t *number = ARENA_ARRAY(arena, int64_t, stages);
    int *at = ARENA_ARRAY(arena, int, stages), known = 0;
    made->stage = ARENA_ARRAY(arena, struct report_stage, stages);
    reader->index = hash_table_new(arena, (size_t)stages);
    made->list = sheet_headed(arena, stages, COUNT_OF(header), header, 3);
    made->list->missing = "–";
    for (int i = 0; i < stages; i++) {
        const struct fact *fact = &reader->users.fact[i];
        id[i] = fact->key;
        hash_table_put(reader->index, fact->key, strlen(fact->key), i);
        made->stage[i] = (struct report_stage){.id = fact->key, .kind = fact->value};
        sheet_set(made->list, i, 0, arena_print(arena, STAGE_FOLDER, fact->value, fact->key));
        sheet_set(made->list, i, 1, users_text(reader, fact->member, fact->count));
        sheet_set(made->list, i, 2, STATUS_NEW);
    }
    const struct value_cache *cache = value_cache_open(reader->store, id, stages, arena);
    for (int i = 0; i < stages; i++) {
        number[known] = value_cache_stage(cache, id[i]).number;
        at[known] = i;
        known += number[known] >= 0;
    }
    read_heads(reader, number, at, known);
    read_facts(reader, number, at, known);
}

/* Returns the rows and seeds whose stages have this fact. */
static const char *fact_users(struct facts_reader *reader, const struct facts *facts,
                              const struct fact *fact)
{
    if (facts_of_all(facts, fact)) return "all";
    bool *used = ARENA_ARRAY(reader->arena, bool, reader->points + 1);
    int *point = ARENA_ARRAY(reader->arena, int, reader->points + 1), count = 0;
    for (int i = 0; i < fact->count; i++) {
        const struct fact *users = &reader->users.fact[fact->member[i]];
        for (int k = 0; k < users->count; k++) used[users->member[k]] = true;
    }
    for (int i = 0; i < reader->points; i++)
        if (used[i]) point[count++] = i;
    return arena_print(reader->arena, "%d of %d: %s", fact->count, facts->members,
                       users_text(reader, point, count));
}

static struct sheet *sheet_facts(struct facts_reader *reader, const struct facts *facts)
{
    if (!facts->count) return NULL;
    static const char *const header[] = {"", "Value", "Stages"};
    struct sheet *sheet = sheet_headed(reader->arena, facts->count, 3, header, 3);
    bool *told = ARENA_ARRAY(reader->arena, bool, facts->count);
    int row = 0;
    for (int i = 0; i < facts->count; i++)
        for (int k = i; k < facts->count; k++) { /* lists the values of a key on adjacent lines */
            if (told[k] || strcmp(facts->fact[i].key, facts->fact[k].key)) continue;
            told[k] = true;
            sheet_set(sheet, row, 0, k == i ? facts->fact[k].key : "");
            sheet_set(sheet, row, 1, facts->fact[k].value);
            sheet_set(sheet, row++, 2, fact_users(reader, facts, &facts->fact[k]));
        }
    return sheet;
}

/* ---- options ---- */

static const struct report_stage *stage_of(const struct facts_reader *reader, int row, int index)
{
    const char *id = reader->grid->row[row].seed[0].stage[index].id;
    return &reader->made.stage[hash_table_get(reader->index, id, strlen(id))];
}

/* False if the training of the row's first seed has not begun, so that its options are unknown. */
static bool has_begun(const struct facts_reader *reader, int row)
{
    const struct grid_row *of = &reader->grid->row[row];
    for (int k = 0; of->count && k < of->seed[0].count; k++) {
        const struct report_stage *stage = stage_of(reader, row, k);
        if (!stage->options && offer_trains(offer_of(stage->kind))) return false;
    }
    return true;
}

/* Collects the options of the rows that have begun, from the stages of each row's first seed. */
static struct facts take_options(struct facts_reader *reader)
{
    const struct grid *grid = reader->grid;
    struct facts facts = FACTS_NEW(reader->arena);
    for (int row = 0; row < grid->rows; row++)
        for (int k = 0; grid->row[row].count && k < grid->row[row].seed[0].count; k++) {
            const struct report_stage *stage = stage_of(reader, row, k);
            if (!has_begun(reader, row)) break;
            for (int i = 0; i < stage->options; i++) {
                if (!strcmp(stage->option[i].key, "seed")) continue;
                facts_add(&facts, stage->option[i].key, stage->option[i].value, row);
                reader->has_options[row] = true;
            }
        }
    return facts;
}

/* True if a key is an option of the training and the grid trains translators. Then the option
 * applies to all rows. */
static bool trains(const struct facts_reader *reader, const char *key)
{
    static const char *const section[] = {"model.", "encoder.", "decoder.", "train."};
    bool train = false;
    for (size_t i = 0; i < COUNT_OF(section); i++)
        train |= !strncmp(key, section[i], strlen(section[i]));
    return train && sample_trains(reader->grid) == offer_that_trains() &&
           strcmp(key, "train.batch_pairs") != 0;
}

/* Returns the table of options that differ between rows, with the value of every row. If a row does
 * not set an option of its training, its cell has the default. Cells of other options may be
 * missing, because a row may lack the stage. Returns NULL if there are no differences. */
static struct sheet *sheet_differences(struct facts_reader *reader, const struct facts *facts)
{
    struct arena *arena = reader->arena;
    const struct grid *grid = reader->grid;
    const char **key = ARENA_ARRAY(arena, const char *, facts->count + 1);
    int keys = 0;
    for (int i = 0; i < facts->count; i++)
        if (!facts_of_all(facts, &facts->fact[i]) && !word_known(facts->fact[i].key, key))
            key[keys++] = facts->fact[i].key;
    if (!keys) return NULL;
    struct sheet *sheet = sheet_new(arena, grid->rows, 1 + keys);
    sheet->missing = "–";
    sheet->column[0].header = "";
    for (int row = 0; row < grid->rows; row++) sheet_set(sheet, row, 0, grid->row[row].name);
    for (int k = 0; k < keys; k++) {
        sheet->column[1 + k].header = key[k];
        for (int i = 0; i < facts->count; i++) {
            const struct fact *fact = &facts->fact[i];
            for (int m = 0; m < fact->count && !strcmp(fact->key, key[k]); m++) {
                struct sheet_cell *cell = sheet_at(sheet, fact->member[m], 1 + k);
                cell->text = arena_append(arena, cell->text, "; ", query_plain(fact->value, arena));
            }
        }
        for (int row = 0; row < grid->rows && trains(reader, key[k]); row++) {
            struct sheet_cell *cell = sheet_at(sheet, row, 1 + k);
            if (cell->text || !reader->has_options[row]) continue;
            const char *value = layout_option(grid, &grid->row[row], key[k], arena);
            if (value && *value) cell->text = arena_print(arena, "%s (default)", value);
        }
    }
    return sheet;
}

/* Returns the table of options that all rows share, one line each, under their sections; NULL if
 * there are none. */
static struct sheet *sheet_common(struct facts_reader *reader, const struct facts *facts)
{
    int count = 0;
    for (int i = 0; i < facts->count; i++) count += facts_of_all(facts, &facts->fact[i]);
    if (!count) return NULL;
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

/* Returns the table of training options that no row sets, with the defaults of the first row. */
static struct sheet *sheet_defaults(struct facts_reader *reader, const struct facts *said)
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
    return sheet_common(reader, &rest);
}

struct report_facts report_facts(struct store *store, const struct grid *grid, struct arena *arena)
{
    struct facts_reader reader = {.store = store,
                                  .grid = grid,
                                  .arena = arena,
                                  .has_options = ARENA_ARRAY(arena, bool, grid->rows),
                                  .users = FACTS_NEW(arena),
                                  .seeds = FACTS_NEW(arena),
                                  .environments = FACTS_NEW(arena),
                                  .signatures = FACTS_NEW(arena)};
    struct report_facts *made = &reader.made;
    made->started = made->finished = (double)NAN;
    list_stages(&reader);
    made->seeds = facts_list(&reader.seeds, "seed");
    made->commits = facts_list(&reader.environments, "commit");
    const struct facts options = take_options(&reader);
    made->differences = sheet_differences(&reader, &options);
    made->options = sheet_common(&reader, &options);
    made->defaults = sheet_defaults(&reader, &options);
    made->environments = sheet_facts(&reader, &reader.environments);
    made->signatures = sheet_facts(&reader, &reader.signatures);
    return *made;
}
