#include "results/report/report_facts.h"

#include <math.h>
#include <string.h>

#include "results/sheet/number.h"
#include "results/store/stage_folder.h"

/* A value and who has it: of one option the rows, of the environment the stages. */
struct fact {
    const char *key, *value;
    bool *has; /* [members] */
};

struct facts {
    int count, members;
    struct fact *fact;
};

struct maker {
    struct store *store;
    const struct summary_grid *grid;
    struct arena *arena;
    struct report_facts made;
    bool *used; /* [stages][points]: which rows and seeds a stage belongs to */
    int points; /* rows and seeds, one after the other */
};

const char *report_time(struct arena *arena, double seconds)
{
    if (!isfinite(seconds)) return NULL;
    char text[TIME_TEXT];
    return arena_text(arena, time_print(text, "%Y-%m-%d %H:%M UTC", seconds, true));
}

static const char *join(struct arena *arena, const char *list, const char *mark, const char *item)
{
    return list ? arena_print(arena, "%s%s%s", list, mark, item) : item;
}

/* Whose is what: the rows and seeds that are marked in `used` [points], in words. */
static const char *users_text(struct maker *maker, const bool *used)
{
    const struct summary_grid *grid = maker->grid;
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
                arena_print(maker->arena, "%lld", (long long)grid->row[row].seed[i].seed);
            seeds = join(maker->arena, seeds, ", ", seed);
        }
        if (!count) continue;
        const char *name = grid->row[row].name;
        if (count < grid->row[row].count || count == 1)
            name = arena_print(maker->arena, "%s (seed%s %s)", name, count > 1 ? "s" : "", seeds);
        list = join(maker->arena, list, "; ", name);
    }
    return all && list && grid->rows > 1 ? "all rows" : list;
}

/* The stages, each once. */

static struct report_stage *find_stage(struct maker *maker, const char *id)
{
    for (int i = 0; i < maker->made.stages; i++)
        if (!strcmp(maker->made.stage[i].id, id)) return &maker->made.stage[i];
    return NULL;
}

static void ask_stage(struct maker *maker, struct report_stage *stage)
{
    sqlite3_stmt *ask = store_ask(maker->store,
                                  "SELECT folder, status, started, finished, wall, attempts FROM "
                                  "stage WHERE id = ?",
                                  "s", stage->id);
    stage->folder = arena_print(maker->arena, STAGE_FOLDER, stage->kind, stage->id);
    stage->status = "missing";
    stage->started = stage->finished = stage->wall = (double)NAN;
    while (store_next(ask)) {
        stage->folder = store_text(ask, 0, maker->arena);
        stage->status = store_text(ask, 1, maker->arena);
        stage->started = store_real(ask, 2);
        stage->finished = store_real(ask, 3);
        stage->wall = store_real(ask, 4);
        stage->attempts = sqlite3_column_int64(ask, 5);
    }
    store_finish(ask);
}

static void list_stages(struct maker *maker)
{
    const struct summary_grid *grid = maker->grid;
    int room = 0;
    for (int row = 0; row < grid->rows; row++) {
        maker->points += grid->row[row].count;
        for (int i = 0; i < grid->row[row].count; i++) room += grid->row[row].seed[i].count;
    }
    maker->made.stage = ARENA_ARRAY(maker->arena, struct report_stage, room + 1);
    maker->used = ARENA_ARRAY(maker->arena, bool, (size_t)room *(size_t)maker->points + 1);
    for (int row = 0, point = 0; row < grid->rows; row++)
        for (int i = 0; i < grid->row[row].count; i++, point++)
            for (int k = 0; k < grid->row[row].seed[i].count; k++) {
                const struct summary_stage *from = &grid->row[row].seed[i].stage[k];
                struct report_stage *stage = find_stage(maker, from->id);
                if (!stage) {
                    stage = &maker->made.stage[maker->made.stages++];
                    *stage = (struct report_stage){.id = from->id,
                                                   .kind = summary_stage_title(from, maker->arena)};
                    ask_stage(maker, stage);
                }
                maker->used[(stage - maker->made.stage) * maker->points + point] = true;
            }
    for (int i = 0; i < maker->made.stages; i++)
        maker->made.stage[i].users = users_text(maker, maker->used + i * maker->points);
}

/* Facts. */

static void add_fact(struct maker *maker, struct facts *facts, const char *key, const char *value,
                     int member)
{
    for (int i = 0; i < facts->count; i++)
        if (!strcmp(facts->fact[i].key, key) && !strcmp(facts->fact[i].value, value)) {
            facts->fact[i].has[member] = true;
            return;
        }
    ARENA_MORE(maker->arena, facts->fact, facts->count);
    struct fact *fact = &facts->fact[facts->count++];
    *fact = (struct fact){key, value, ARENA_ARRAY(maker->arena, bool, facts->members + 1)};
    fact->has[member] = true;
}

static void ask_facts(struct maker *maker, struct facts *facts, const char *sql, const char *id,
                      int member)
{
    sqlite3_stmt *ask = store_ask(maker->store, sql, "s", id);
    while (store_next(ask))
        add_fact(maker, facts, store_text(ask, 0, maker->arena), store_text(ask, 1, maker->arena),
                 member);
    store_finish(ask);
}

static bool is_of_all(const struct facts *facts, const struct fact *fact, const bool *counts)
{
    for (int i = 0; i < facts->members; i++)
        if (counts[i] && !fact->has[i]) return false;
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
static const char *value_of(struct maker *maker, const struct facts *facts, const char *key,
                            int member)
{
    const char *list = NULL;
    for (int i = 0; i < facts->count; i++)
        if (!strcmp(facts->fact[i].key, key) && facts->fact[i].has[member])
            list = join(maker->arena, list, "; ", plain_json(maker->arena, facts->fact[i].value));
    return list;
}

/* The options of the rows' first seeds; `known` [rows] says which rows have any. */
static struct facts ask_options(struct maker *maker, bool *known)
{
    const struct summary_grid *grid = maker->grid;
    struct facts facts = {.members = grid->rows};
    for (int row = 0; row < grid->rows; row++) {
        if (!grid->row[row].count) continue;
        const struct summary_seed *seed = &grid->row[row].seed[0];
        for (int k = 0; k < seed->count; k++)
            ask_facts(maker, &facts,
                      "SELECT key, option.value FROM option JOIN stage ON stage = number WHERE id "
                      "= ? AND key <> 'seed' ORDER BY key",
                      seed->stage[k].id, row);
        for (int i = 0; i < facts.count; i++) known[row] |= facts.fact[i].has[row];
    }
    return facts;
}

/* The keys of those options that some row has otherwise; returns how many. */
static int different_keys(struct maker *maker, const struct facts *facts, const bool *known,
                          const char ***key)
{
    int keys = 0;
    *key = ARENA_ARRAY(maker->arena, const char *, facts->count + 1);
    for (int i = 0; i < facts->count; i++) {
        if (is_of_all(facts, &facts->fact[i], known)) continue;
        bool seen = false;
        for (int k = 0; k < keys; k++) seen |= !strcmp((*key)[k], facts->fact[i].key);
        if (!seen) (*key)[keys++] = facts->fact[i].key;
    }
    return keys;
}

static struct sheet *sheet_differences(struct maker *maker, const struct facts *facts,
                                       const char *const *key, int keys)
{
    const struct summary_grid *grid = maker->grid;
    struct sheet *sheet = sheet_new(maker->arena, grid->rows, 1 + keys);
    sheet->missing = "–";
    sheet->column[0].header = "";
    for (int k = 0; k < keys; k++) sheet->column[1 + k].header = key[k];
    for (int row = 0; row < grid->rows; row++) {
        sheet_set(sheet, row, 0, grid->row[row].name);
        for (int k = 0; k < keys; k++)
            sheet_set(sheet, row, 1 + k, value_of(maker, facts, key[k], row));
    }
    return sheet;
}

/* One line each, under their sections. */
static struct sheet *sheet_common(struct maker *maker, const struct facts *facts, const bool *known,
                                  int count)
{
    struct sheet *sheet = sheet_new(maker->arena, count, 2);
    sheet->column[0].header = "Option";
    sheet->column[1].header = "Value";
    const char *section = NULL;
    int row = 0;
    for (int i = 0; i < facts->count; i++) {
        if (!is_of_all(facts, &facts->fact[i], known)) continue;
        const char *key = facts->fact[i].key, *point = strchr(key, '.');
        const char *of = point ? arena_text_range(maker->arena, key, (size_t)(point - key)) : "";
        if (!section || strcmp(section, of)) sheet->section[row] = *of ? of : "other";
        section = of;
        sheet_set(sheet, row, 0, point ? point + 1 : key);
        sheet_set(sheet, row++, 1, plain_json(maker->arena, facts->fact[i].value));
    }
    return sheet;
}

static void sheet_options(struct maker *maker)
{
    bool *known = ARENA_ARRAY(maker->arena, bool, maker->grid->rows + 1);
    struct facts facts = ask_options(maker, known);
    const char **key;
    int keys = different_keys(maker, &facts, known, &key), common = 0;
    for (int i = 0; i < facts.count; i++) common += is_of_all(&facts, &facts.fact[i], known);
    if (keys) maker->made.differences = sheet_differences(maker, &facts, key, keys);
    if (common) maker->made.options = sheet_common(maker, &facts, known, common);
}

/* Whose stages have this fact. */
static const char *fact_users(struct maker *maker, const struct facts *facts,
                              const struct fact *fact, const bool *known)
{
    if (is_of_all(facts, fact, known)) return "all";
    bool *used = ARENA_ARRAY(maker->arena, bool, maker->points + 1);
    int count = 0, all = 0;
    for (int i = 0; i < maker->made.stages; i++) {
        all += known[i];
        if (!fact->has[i]) continue;
        count++;
        for (int point = 0; point < maker->points; point++)
            used[point] |= maker->used[i * maker->points + point];
    }
    return arena_print(maker->arena, "%d of %d: %s", count, all, users_text(maker, used));
}

static struct sheet *sheet_facts(struct maker *maker, const char *sql)
{
    struct facts facts = {.members = maker->made.stages};
    bool *known = ARENA_ARRAY(maker->arena, bool, maker->made.stages + 1);
    for (int i = 0; i < maker->made.stages; i++)
        ask_facts(maker, &facts, sql, maker->made.stage[i].id, i);
    if (!facts.count) return NULL;
    for (int i = 0; i < facts.count; i++)
        for (int k = 0; k < maker->made.stages; k++) known[k] |= facts.fact[i].has[k];
    static const char *const header[] = {"", "Value", "Stages"};
    struct sheet *sheet = sheet_headed(maker->arena, facts.count, 3, header, 3);
    bool *told = ARENA_ARRAY(maker->arena, bool, facts.count);
    int row = 0;
    for (int i = 0; i < facts.count; i++)
        for (int k = i; k < facts.count; k++) { /* values of one key below each other */
            if (told[k] || strcmp(facts.fact[i].key, facts.fact[k].key)) continue;
            told[k] = true;
            sheet_set(sheet, row, 0, k == i ? facts.fact[k].key : "");
            sheet_set(sheet, row, 1, facts.fact[k].value);
            sheet_set(sheet, row++, 2, fact_users(maker, &facts, &facts.fact[k], known));
        }
    return sheet;
}

static void sheet_stages(struct maker *maker)
{
    static const char *const header[] = {"Stage", "Of", "Status", "Finished", "Time", "Attempts"};
    struct report_facts *made = &maker->made;
    struct sheet *sheet = sheet_headed(maker->arena, made->stages, COUNT_OF(header), header, 3);
    sheet->missing = "–";
    for (int i = 0; i < made->stages; i++) {
        const struct report_stage *stage = &made->stage[i];
        bool over = isfinite(stage->finished);
        sheet_set(sheet, i, 0, stage->folder);
        sheet_set(sheet, i, 1, stage->users);
        sheet_set(sheet, i, 2, stage->status);
        sheet_set(sheet, i, 3, over ? report_time(maker->arena, stage->finished) : NULL);
        if (isfinite(stage->wall) && stage->wall > 0)
            sheet_set(sheet, i, 4, number_seconds(maker->arena, stage->wall));
        if (stage->attempts)
            sheet_set(sheet, i, 5, number_count(maker->arena, (double)stage->attempts));
    }
    if (made->stages) made->list = sheet;
}

static void list_seeds(struct maker *maker)
{
    const struct summary_grid *grid = maker->grid;
    for (int row = 0; row < grid->rows; row++)
        for (int i = 0; i < grid->row[row].count; i++) {
            bool seen = false; /* in an earlier row */
            for (int r = 0; r < row; r++)
                for (int k = 0; k < grid->row[r].count; k++)
                    seen |= grid->row[r].seed[k].seed == grid->row[row].seed[i].seed;
            if (seen) continue;
            const char *seed =
                arena_print(maker->arena, "%lld", (long long)grid->row[row].seed[i].seed);
            maker->made.seeds = join(maker->arena, maker->made.seeds, ", ", seed);
        }
}

static void list_commits(struct maker *maker)
{
    struct facts facts = {.members = maker->made.stages};
    for (int i = 0; i < maker->made.stages; i++)
        ask_facts(maker, &facts,
                  "SELECT key, environment.value FROM environment JOIN stage ON stage = number "
                  "WHERE id = ? AND key = 'commit'",
                  maker->made.stage[i].id, i);
    for (int i = 0; i < facts.count; i++)
        maker->made.commits = join(maker->arena, maker->made.commits, ", ", facts.fact[i].value);
}

struct report_facts report_facts(struct store *store, const struct summary_grid *grid,
                                 struct arena *arena)
{
    struct maker maker = {.store = store, .grid = grid, .arena = arena};
    maker.made.started = maker.made.finished = (double)NAN;
    list_stages(&maker);
    for (int i = 0; i < maker.made.stages; i++) {
        const struct report_stage *stage = &maker.made.stage[i];
        if (!isfinite(stage->finished)) continue;
        maker.made.started = fmin(maker.made.started, stage->started);
        maker.made.finished = fmax(maker.made.finished, stage->finished);
    }
    list_seeds(&maker);
    list_commits(&maker);
    sheet_options(&maker);
    maker.made.environments = sheet_facts(
        &maker, "SELECT key, environment.value FROM environment JOIN stage ON stage = number "
                "WHERE id = ? ORDER BY key");
    maker.made.signatures = sheet_facts(
        &maker, "SELECT kind, summary.text FROM summary JOIN stage ON stage = number WHERE id "
                "= ? AND name = 'signature' AND text IS NOT NULL");
    sheet_stages(&maker);
    return maker.made;
}
