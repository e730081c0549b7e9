/* A report says once what many stages have alike, and names those that differ: so environments are
 * gathered as facts, and so is which rows and seeds have a stage. */
#include "results/report/report_facts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
    int points;
    struct grid_place *point; /* [points] */
};

void facts_add(struct facts *facts, const char *key, const char *value, int member)
{
    const char *both = arena_print(facts->arena, "%s\n%s", key, value);
    const int at = (int)*table_at(facts->index, both, strlen(both), facts->count);
    if (at == facts->count) {
        ARENA_MORE(facts->arena, facts->fact, facts->count);
        facts->fact[facts->count++] = (struct fact){.key = key, .value = value};
    }
    struct fact *fact = &facts->fact[at];
    facts->members += member != facts->last;
    facts->last = member;
    if (fact->count && fact->member[fact->count - 1] == member) return;
    ARENA_MORE(facts->arena, fact->member, fact->count);
    fact->member[fact->count++] = member;
}

bool facts_of_all(const struct facts *facts, const struct fact *fact)
{
    return fact->count == facts->members;
}

/* The values: "1, 2, 3"; NULL: none. */
static const char *facts_list(const struct facts *facts)
{
    const char *list = NULL;
    for (int i = 0; i < facts->count; i++)
        list = arena_append(facts->arena, list, ", ", facts->fact[i].value);
    return list;
}

const char *report_time(struct arena *arena, double seconds)
{
    if (!isfinite(seconds)) return NULL;
    char text[TIME_TEXT];
    return arena_text(arena, time_print(text, "%Y-%m-%d %H:%M UTC", seconds, true));
}

/* The rows and seeds of points, which ascend, in words. */
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

/* Reads what the database has of the stages at[i] of the list, whose numbers are number[i]. */
static void ask_stages(struct facts_reader *reader, const int64_t *number, const int *at, int count)
{
    enum { FOLDER = 3, STATUS, ATTEMPTS = 7, WALL, STARTED, FINISHED };
    struct arena *arena = reader->arena;
    sqlite3_stmt *ask = relation_rows(reader->store, RELATION_HEADS, number, count, NULL);
    while (store_next(ask)) {
        struct report_stage *stage = &reader->made.stage[at[sqlite3_column_int(ask, 0)]];
        stage->folder = store_text(ask, FOLDER, arena);
        stage->status = store_text(ask, STATUS, arena);
        stage->started = store_real(ask, STARTED);
        stage->finished = store_real(ask, FINISHED);
        stage->wall = store_real(ask, WALL);
        stage->attempts = sqlite3_column_int64(ask, ATTEMPTS);
    }
    ask = relation_rows(reader->store, RELATION_FACTS, number, count, NULL);
    while (store_next(ask)) {
        struct report_stage *stage = &reader->made.stage[at[sqlite3_column_int(ask, 0)]];
        const enum relation_part part = (enum relation_part)sqlite3_column_int(ask, 1);
        const char *key = (const char *)sqlite3_column_text(ask, 2);
        if (part == RELATION_LATEST || (part == RELATION_RESULTS && strcmp(key, "signature") != 0))
            continue;
        ARENA_MORE(arena, stage->fact, stage->facts);
        stage->fact[stage->facts++] =
            (struct stage_fact){part, arena_text(arena, key), store_text(ask, 3, arena)};
    }
}

static void list_stages(struct facts_reader *reader)
{
    struct arena *arena = reader->arena;
    const struct grid *grid = reader->grid;
    for (int row = 0; row < grid->rows; row++)
        for (int i = 0; i < grid->row[row].count; i++, reader->points++) {
            ARENA_MORE(arena, reader->point, reader->points);
            reader->point[reader->points] = (struct grid_place){row, i, 0};
            for (int k = 0; k < grid->row[row].seed[i].count; k++) {
                const struct grid_stage *from = &grid->row[row].seed[i].stage[k];
                facts_add(&reader->users, from->id, grid_stage_title(from, arena), reader->points);
            }
        }
    const int stages = reader->made.stages = reader->users.count;
    const char **id = ARENA_ARRAY(arena, const char *, stages);
    int64_t *number = ARENA_ARRAY(arena, int64_t, stages);
    int *at = ARENA_ARRAY(arena, int, stages), known = 0;
    reader->made.stage = ARENA_ARRAY(arena, struct report_stage, stages);
    for (int i = 0; i < stages; i++) {
        const struct fact *fact = &reader->users.fact[i];
        id[i] = fact->key;
        reader->made.stage[i] = (struct report_stage){
            .id = fact->key,
            .kind = fact->value,
            .folder = arena_print(arena, STAGE_FOLDER, fact->value, fact->key),
            .status = STATUS_NEW,
            .users = users_text(reader, fact->member, fact->count),
            .started = (double)NAN,
            .finished = (double)NAN,
            .wall = (double)NAN};
    }
    const struct relation *relation = relation_open(reader->store, id, stages, arena);
    for (int i = 0; i < stages; i++) {
        number[known] = relation_stage(relation, id[i]).number;
        at[known] = i;
        known += number[known] >= 0;
    }
    ask_stages(reader, number, at, known);
}

/* Whose stages have this fact. */
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

/* The facts of a part of all stages; those with a key (NULL: any). Signatures go by kinds. */
static struct facts facts_of_stages(struct facts_reader *reader, enum relation_part part,
                                    const char *key)
{
    struct facts facts = FACTS_NEW(reader->arena);
    for (int i = 0; i < reader->made.stages; i++)
        for (int k = 0; k < reader->made.stage[i].facts; k++) {
            const struct report_stage *stage = &reader->made.stage[i];
            const struct stage_fact *fact = &stage->fact[k];
            if (fact->part != part || (key && strcmp(key, fact->key) != 0)) continue;
            const size_t kind = strcspn(stage->kind, ".");
            facts_add(&facts,
                      part == RELATION_RESULTS ? arena_text_range(reader->arena, stage->kind, kind)
                                               : fact->key,
                      fact->value, i);
        }
    return facts;
}

static struct sheet *sheet_facts(struct facts_reader *reader, enum relation_part part)
{
    const struct facts facts = facts_of_stages(reader, part, NULL);
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
    struct facts seeds = FACTS_NEW(reader->arena);
    for (int i = 0; i < reader->points; i++) {
        const struct grid_place *at = &reader->point[i];
        const int64_t seed = reader->grid->row[at->row].seed[at->seed].seed;
        facts_add(&seeds, "seed", arena_print(reader->arena, "%lld", (long long)seed), 0);
    }
    return facts_list(&seeds);
}

struct report_facts report_facts(struct store *store, const struct grid *grid, struct arena *arena)
{
    struct facts_reader reader = {
        .store = store, .grid = grid, .arena = arena, .users = FACTS_NEW(arena)};
    struct report_facts *made = &reader.made;
    made->started = made->finished = (double)NAN;
    list_stages(&reader);
    struct table *index = table_new(arena, (size_t)made->stages);
    for (int i = 0; i < made->stages; i++) {
        const struct report_stage *stage = &made->stage[i];
        table_put(index, stage->id, strlen(stage->id), i);
        if (!isfinite(stage->finished)) continue;
        made->started = fmin(made->started, stage->started);
        made->finished = fmax(made->finished, stage->finished);
    }
    const struct facts commits = facts_of_stages(&reader, RELATION_ENVIRONMENTS, "commit");
    made->seeds = list_seeds(&reader);
    made->commits = facts_list(&commits);
    report_options(made, index, grid, arena);
    made->environments = sheet_facts(&reader, RELATION_ENVIRONMENTS);
    made->signatures = sheet_facts(&reader, RELATION_RESULTS);
    sheet_stages(&reader);
    return *made;
}
