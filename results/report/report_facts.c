/* A report says once what many stages or rows have alike, and names those that differ: so options
 * and environments are gathered as facts, values of a key with the members that have them. */
#include "results/report/report_facts.h"

#include <math.h>
#include <string.h>

#include "results/sheet/cell.h"
#include "results/sheet/number.h"
#include "results/store/offer.h"
#include "results/store/stage_folder.h"
#include "results/table/layout.h"

/* A value and who has it: of an option the rows, of the environment the stages, of a stage (its id
 * and title) the points. */
struct fact {
    const char *key, *value;
    bool *has; /* [members] */
};

struct facts {
    int members, count;
    struct fact *fact;
    bool *any; /* [members] which of them have a fact at all */
};

struct facts_reader {
    struct store *store;
    const struct summary_grid *grid;
    struct arena *arena;
    struct report_facts made;
    struct facts users; /* stages, and the points (rows and seeds) that have them */
};

const char *report_time(struct arena *arena, double seconds)
{
    if (!isfinite(seconds)) return NULL;
    char text[TIME_TEXT];
    return arena_text(arena, time_print(text, "%Y-%m-%d %H:%M UTC", seconds, true));
}

static struct facts facts_of(struct facts_reader *reader, int members)
{
    return (struct facts){members, .any = ARENA_ARRAY(reader->arena, bool, members + 1)};
}

static void add_fact(struct facts_reader *reader, struct facts *facts, const char *key,
                     const char *value, int member)
{
    facts->any[member] = true;
    for (int i = 0; i < facts->count; i++)
        if (!strcmp(facts->fact[i].key, key) && !strcmp(facts->fact[i].value, value)) {
            facts->fact[i].has[member] = true;
            return;
        }
    ARENA_MORE(reader->arena, facts->fact, facts->count);
    struct fact *fact = &facts->fact[facts->count++];
    *fact = (struct fact){key, value, ARENA_ARRAY(reader->arena, bool, facts->members + 1)};
    fact->has[member] = true;
}

/* Whose is what: the rows and seeds that are marked in `used` [points], in words. */
static const char *users_text(struct facts_reader *reader, const bool *used)
{
    const struct summary_grid *grid = reader->grid;
    const char *list = NULL;
    bool all = true;
    for (int row = 0, point = 0; row < grid->rows; row++) {
        const char *seeds = NULL;
        int count = 0;
        for (int i = 0; i < grid->row[row].count; i++, point++) {
            all &= used[point];
            if (!used[point]) continue;
            count++;
            const char *seed =
                arena_print(reader->arena, "%lld", (long long)grid->row[row].seed[i].seed);
            seeds = cell_append(seeds, ", ", seed, reader->arena);
        }
        if (!count) continue;
        const char *name = grid->row[row].name;
        if (count < grid->row[row].count || count == 1)
            name = arena_print(reader->arena, "%s (seed%s %s)", name, count > 1 ? "s" : "", seeds);
        list = cell_append(list, "; ", name, reader->arena);
    }
    return all && list && grid->rows > 1 ? "all rows" : list;
}

/* ---- the stages, each once ---- */

static void ask_stage(struct facts_reader *reader, struct report_stage *stage)
{
    sqlite3_stmt *ask = store_ask(reader->store,
                                  "SELECT folder, status, started, finished, wall, attempts FROM "
                                  "stage WHERE id = ?",
                                  "s", stage->id);
    stage->folder = arena_print(reader->arena, STAGE_FOLDER, stage->kind, stage->id);
    stage->status = "new";
    stage->started = stage->finished = stage->wall = (double)NAN;
    while (store_next(ask)) {
        stage->folder = store_text(ask, 0, reader->arena);
        stage->status = store_text(ask, 1, reader->arena);
        stage->started = store_real(ask, 2);
        stage->finished = store_real(ask, 3);
        stage->wall = store_real(ask, 4);
        stage->attempts = sqlite3_column_int64(ask, 5);
    }
}

static void list_stages(struct facts_reader *reader)
{
    const struct summary_grid *grid = reader->grid;
    int points = 0, point = 0;
    for (int row = 0; row < grid->rows; row++) points += grid->row[row].count;
    reader->users = facts_of(reader, points);
    for (int row = 0; row < grid->rows; row++)
        for (int i = 0; i < grid->row[row].count; i++, point++)
            for (int k = 0; k < grid->row[row].seed[i].count; k++) {
                const struct summary_stage *from = &grid->row[row].seed[i].stage[k];
                add_fact(reader, &reader->users, from->id, summary_stage_title(from, reader->arena),
                         point);
            }
    reader->made.stages = reader->users.count;
    reader->made.stage = ARENA_ARRAY(reader->arena, struct report_stage, reader->made.stages);
    for (int i = 0; i < reader->made.stages; i++) {
        const struct fact *fact = &reader->users.fact[i];
        reader->made.stage[i] = (struct report_stage){
            .id = fact->key, .kind = fact->value, .users = users_text(reader, fact->has)};
        ask_stage(reader, &reader->made.stage[i]);
    }
}

/* ---- facts ---- */

static void ask_facts(struct facts_reader *reader, struct facts *facts, const char *sql,
                      const char *id, int member)
{
    sqlite3_stmt *ask = store_ask(reader->store, sql, "s", id);
    while (store_next(ask))
        add_fact(reader, facts, store_text(ask, 0, reader->arena),
                 store_text(ask, 1, reader->arena), member);
}

/* Whether all have it that have any. */
static bool is_of_all(const struct facts *facts, const struct fact *fact)
{
    for (int i = 0; i < facts->members; i++)
        if (facts->any[i] && !fact->has[i]) return false;
    return true;
}

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
static const char *value_of(struct facts_reader *reader, const struct facts *facts, const char *key,
                            int member)
{
    const char *list = NULL;
    for (int i = 0; i < facts->count; i++)
        if (!strcmp(facts->fact[i].key, key) && facts->fact[i].has[member])
            list = cell_append(list, "; ", plain_json(reader->arena, facts->fact[i].value),
                               reader->arena);
    return list;
}

/* The options of the rows' first seeds. */
static struct facts ask_options(struct facts_reader *reader)
{
    const struct summary_grid *grid = reader->grid;
    struct facts facts = facts_of(reader, grid->rows);
    for (int row = 0; row < grid->rows; row++) {
        if (!grid->row[row].count) continue;
        const struct summary_seed *seed = &grid->row[row].seed[0];
        for (int k = 0; k < seed->count; k++)
            ask_facts(reader, &facts,
                      "SELECT key, option.value FROM option JOIN stage ON stage = number WHERE id "
                      "= ? AND key <> 'seed' ORDER BY key",
                      seed->stage[k].id, row);
    }
    return facts;
}

/* The keys of those options that some row has otherwise; returns how many. */
static int different_keys(struct facts_reader *reader, const struct facts *facts, const char ***key)
{
    int keys = 0;
    *key = ARENA_ARRAY(reader->arena, const char *, facts->count + 1);
    for (int i = 0; i < facts->count; i++) {
        if (is_of_all(facts, &facts->fact[i])) continue;
        bool seen = false;
        for (int k = 0; k < keys; k++) seen |= !strcmp((*key)[k], facts->fact[i].key);
        if (!seen) (*key)[keys++] = facts->fact[i].key;
    }
    return keys;
}

/* Whether an option is of a translator's training, which all rows then have. */
static bool trains(const struct facts_reader *reader, const char *key)
{
    static const char *const section[] = {"model.", "encoder.", "decoder.", "train."};
    bool train = false;
    for (size_t i = 0; i < COUNT_OF(section); i++)
        train |= !strncmp(key, section[i], strlen(section[i]));
    return train && summary_training(reader->grid) == offer_that_trains() &&
           strcmp(key, "train.batch_pairs") != 0;
}

/* What a row does not say of its training stands at its default; it may lack other stages. */
static const char *value_or_default(struct facts_reader *reader, const struct facts *facts,
                                    const char *key, int row)
{
    const char *value = value_of(reader, facts, key, row);
    if (value || !facts->any[row] || !trains(reader, key)) return value;
    value = layout_option(reader->grid, &reader->grid->row[row], key, reader->arena);
    return value && *value ? arena_print(reader->arena, "%s (default)", value) : NULL;
}

static struct sheet *sheet_differences(struct facts_reader *reader, const struct facts *facts,
                                       const char *const *key, int keys)
{
    const struct summary_grid *grid = reader->grid;
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
static struct sheet *sheet_common(struct facts_reader *reader, const struct facts *facts, int count)
{
    struct sheet *sheet = sheet_new(reader->arena, count, 2);
    sheet->column[0].header = "Option";
    sheet->column[1].header = "Value";
    const char *section = NULL;
    int row = 0;
    for (int i = 0; i < facts->count; i++) {
        if (!is_of_all(facts, &facts->fact[i])) continue;
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
static struct sheet *sheet_defaults(struct facts_reader *reader, const struct facts *said)
{
    const char *const *option = reader->grid->words.option;
    struct facts rest = facts_of(reader, 1);
    for (int i = 0; option && option[i] && reader->grid->rows; i++) {
        int k = 0;
        while (k < said->count && strcmp(said->fact[k].key, option[i]) != 0) k++;
        const char *value =
            k == said->count && trains(reader, option[i])
                ? layout_option(reader->grid, &reader->grid->row[0], option[i], reader->arena)
                : NULL;
        if (value && *value) add_fact(reader, &rest, option[i], value, 0);
    }
    return rest.count ? sheet_common(reader, &rest, rest.count) : NULL;
}

static void sheet_options(struct facts_reader *reader)
{
    struct facts facts = ask_options(reader);
    const char **key;
    int keys = different_keys(reader, &facts, &key), common = 0;
    for (int i = 0; i < facts.count; i++) common += is_of_all(&facts, &facts.fact[i]);
    if (keys) reader->made.differences = sheet_differences(reader, &facts, key, keys);
    if (common) reader->made.options = sheet_common(reader, &facts, common);
    reader->made.defaults = sheet_defaults(reader, &facts);
}

/* Whose stages have this fact. */
static const char *fact_users(struct facts_reader *reader, const struct facts *facts,
                              const struct fact *fact)
{
    if (is_of_all(facts, fact)) return "all";
    const int points = reader->users.members;
    bool *used = ARENA_ARRAY(reader->arena, bool, points + 1);
    int count = 0, all = 0;
    for (int i = 0; i < reader->made.stages; i++) {
        all += facts->any[i];
        if (!fact->has[i]) continue;
        count++;
        for (int point = 0; point < points; point++)
            used[point] |= reader->users.fact[i].has[point];
    }
    return arena_print(reader->arena, "%d of %d: %s", count, all, users_text(reader, used));
}

static struct facts facts_of_stages(struct facts_reader *reader, const char *sql)
{
    struct facts facts = facts_of(reader, reader->made.stages);
    for (int i = 0; i < reader->made.stages; i++)
        ask_facts(reader, &facts, sql, reader->made.stage[i].id, i);
    return facts;
}

static struct sheet *sheet_facts(struct facts_reader *reader, const char *sql)
{
    const struct facts facts = facts_of_stages(reader, sql);
    if (!facts.count) return NULL;
    static const char *const header[] = {"", "Value", "Stages"};
    struct sheet *sheet = sheet_headed(reader->arena, facts.count, 3, header, 3);
    bool *told = ARENA_ARRAY(reader->arena, bool, facts.count);
    int row = 0;
    for (int i = 0; i < facts.count; i++)
        for (int k = i; k < facts.count; k++) { /* values of one key below each other */
            if (told[k] || strcmp(facts.fact[i].key, facts.fact[k].key)) continue;
            told[k] = true;
            sheet_set(sheet, row, 0, k == i ? facts.fact[k].key : "");
            sheet_set(sheet, row, 1, facts.fact[k].value);
            sheet_set(sheet, row++, 2, fact_users(reader, &facts, &facts.fact[k]));
        }
    return sheet;
}

static void sheet_stages(struct facts_reader *reader)
{
    static const char *const header[] = {"Stage", "Of", "Status", "Finished", "Time", "Attempts"};
    struct report_facts *made = &reader->made;
    struct sheet *sheet = sheet_headed(reader->arena, made->stages, COUNT_OF(header), header, 3);
    sheet->missing = "–";
    for (int i = 0; i < made->stages; i++) {
        const struct report_stage *stage = &made->stage[i];
        bool over = isfinite(stage->finished);
        sheet_set(sheet, i, 0, stage->folder);
        sheet_set(sheet, i, 1, stage->users);
        sheet_set(sheet, i, 2, stage->status);
        sheet_set(sheet, i, 3, over ? report_time(reader->arena, stage->finished) : NULL);
        if (isfinite(stage->wall) && stage->wall > 0)
            sheet_set(sheet, i, 4, number_seconds(reader->arena, stage->wall));
        if (stage->attempts)
            sheet_set(sheet, i, 5, number_count(reader->arena, (double)stage->attempts));
    }
    if (made->stages) made->list = sheet;
}

/* "1, 2, 3"; NULL: none. */
static const char *list_values(struct facts_reader *reader, const struct facts *facts)
{
    const char *list = NULL;
    for (int i = 0; i < facts->count; i++)
        list = cell_append(list, ", ", facts->fact[i].value, reader->arena);
    return list;
}

static const char *list_seeds(struct facts_reader *reader)
{
    const struct summary_grid *grid = reader->grid;
    struct facts seeds = facts_of(reader, 1);
    for (int row = 0; row < grid->rows; row++)
        for (int i = 0; i < grid->row[row].count; i++)
            add_fact(reader, &seeds, "seed",
                     arena_print(reader->arena, "%lld", (long long)grid->row[row].seed[i].seed), 0);
    return list_values(reader, &seeds);
}

struct report_facts report_facts(struct store *store, const struct summary_grid *grid,
                                 struct arena *arena)
{
    struct facts_reader reader = {.store = store, .grid = grid, .arena = arena};
    reader.made.started = reader.made.finished = (double)NAN;
    list_stages(&reader);
    for (int i = 0; i < reader.made.stages; i++) {
        const struct report_stage *stage = &reader.made.stage[i];
        if (!isfinite(stage->finished)) continue;
        reader.made.started = fmin(reader.made.started, stage->started);
        reader.made.finished = fmax(reader.made.finished, stage->finished);
    }
    const struct facts commits = facts_of_stages(
        &reader, "SELECT key, environment.value FROM environment JOIN stage ON stage = number "
                 "WHERE id = ? AND key = 'commit'");
    reader.made.seeds = list_seeds(&reader);
    reader.made.commits = list_values(&reader, &commits);
    sheet_options(&reader);
    reader.made.environments = sheet_facts(
        &reader, "SELECT key, environment.value FROM environment JOIN stage ON stage = number "
                 "WHERE id = ? ORDER BY key");
    reader.made.signatures = sheet_facts(
        &reader, "SELECT kind, summary.text FROM summary JOIN stage ON stage = number WHERE id "
                 "= ? AND name = 'signature' AND text IS NOT NULL");
    sheet_stages(&reader);
    return reader.made;
}
