/* A report says once what many stages have alike, and names those that differ: so environments are
 * gathered as facts, and so is which rows and seeds have a stage. */
#include "results/report/report_facts.h"

#include <math.h>
#include <string.h>

#include "results/report/facts.h"
#include "results/report/report_options.h"
#include "results/sheet/cell.h"
#include "results/sheet/number.h"
#include "results/store/stage_folder.h"
#include "results/store/status.h"

struct facts_reader {
    struct store *store;
    const struct grid *grid;
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

/* Whose is what: the rows and seeds that are marked in `used` [points], in words. */
static const char *users_text(struct facts_reader *reader, const bool *used)
{
    const struct grid *grid = reader->grid;
    struct arena_stream list;
    bool all = true, some = false;
    arena_stream_open(&list);
    for (int row = 0, point = 0; row < grid->rows; point += grid->row[row++].count) {
        const int seeds = grid->row[row].count;
        int count = 0, said = 0;
        for (int i = 0; i < seeds; i++) count += used[point + i];
        all &= count == seeds;
        if (!count) continue;
        fprintf(list.out, "%s%s", some ? "; " : "", grid->row[row].name);
        some = true;
        if (count == seeds && count > 1) continue;
        fprintf(list.out, " (seed%s ", count > 1 ? "s" : "");
        for (int i = 0; i < seeds; i++)
            if (used[point + i])
                fprintf(list.out, "%s%lld", said++ ? ", " : "",
                        (long long)grid->row[row].seed[i].seed);
        fputc(')', list.out);
    }
    const char *text = arena_stream_close(reader->arena, &list);
    return all && some && grid->rows > 1 ? "all rows" : some ? text : NULL;
}

/* ---- the stages, each once ---- */

static void ask_stage(struct facts_reader *reader, struct report_stage *stage)
{
    sqlite3_stmt *ask = store_ask(reader->store,
                                  "SELECT folder, status, started, finished, wall, attempts FROM "
                                  "stage WHERE id = ?",
                                  "s", stage->id);
    stage->folder = arena_print(reader->arena, STAGE_FOLDER, stage->kind, stage->id);
    stage->status = STATUS_NEW;
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
    const struct grid *grid = reader->grid;
    int points = 0, point = 0;
    for (int row = 0; row < grid->rows; row++) points += grid->row[row].count;
    reader->users = facts_new(reader->arena, points);
    for (int row = 0; row < grid->rows; row++)
        for (int i = 0; i < grid->row[row].count; i++, point++)
            for (int k = 0; k < grid->row[row].seed[i].count; k++) {
                const struct grid_stage *from = &grid->row[row].seed[i].stage[k];
                facts_add(reader->arena, &reader->users, from->id,
                          grid_stage_title(from, reader->arena), point);
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

/* Whose stages have this fact. */
static const char *fact_users(struct facts_reader *reader, const struct facts *facts,
                              const struct fact *fact)
{
    if (facts_of_all(facts, fact)) return "all";
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
    struct facts facts = facts_new(reader->arena, reader->made.stages);
    for (int i = 0; i < reader->made.stages; i++)
        facts_ask(reader->arena, reader->store, &facts, sql, reader->made.stage[i].id, i);
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

static const char *list_seeds(struct facts_reader *reader)
{
    const struct grid *grid = reader->grid;
    struct facts seeds = facts_new(reader->arena, 1);
    for (int row = 0; row < grid->rows; row++)
        for (int i = 0; i < grid->row[row].count; i++)
            facts_add(reader->arena, &seeds, "seed",
                      arena_print(reader->arena, "%lld", (long long)grid->row[row].seed[i].seed),
                      0);
    return facts_list(reader->arena, &seeds);
}

struct report_facts report_facts(struct store *store, const struct grid *grid, struct arena *arena)
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
    reader.made.commits = facts_list(arena, &commits);
    const struct report_options options = report_options(store, grid, arena);
    reader.made.differences = options.differences;
    reader.made.options = options.common;
    reader.made.defaults = options.defaults;
    reader.made.environments = sheet_facts(
        &reader, "SELECT key, environment.value FROM environment JOIN stage ON stage = number "
                 "WHERE id = ? ORDER BY key");
    reader.made.signatures = sheet_facts(
        &reader, "SELECT kind, word.text FROM word JOIN stage ON stage = number WHERE id "
                 "= ? AND name = 'signature' AND text IS NOT NULL");
    sheet_stages(&reader);
    return reader.made;
}
