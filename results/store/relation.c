/* A series has what all stages of the set have under one name, stage by stage. It is found by the
 * statement that fills it, the name and the dimensions. */
#include "results/store/relation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/journal.h"
#include "core/base/table.h"
#include "results/store/status.h"

struct relation_series {
    int *end; /* [stages] where each one's lines end */
    int count;
    struct relation_line *line;   /* [count] */
    struct relation_text *text;   /* [count] */
    struct relation_point *point; /* [count] where the statement gives dimensions */
};

struct relation {
    struct store *store;
    struct arena *arena;
    int stages;
    int64_t *number;              /* [stages] ascending */
    struct relation_stage *stage; /* [stages] in their order */
    struct table *of_id, *of_name;
    const char *numbers; /* as a list in JSON: what a statement is about */
    int count;
    struct relation_series **series; /* [count] */
};

/* ---- statements. ?1 is a list of JSON, the numbers of stages ----
 *
 * A CROSS JOIN is a loop within a loop: where a stage's rows are read by an index, and in its
 * order, they need no sorting, and no memory, however many there are. */
/* clang-format off */
/* The stages of ?1, counted from 0; */
#define CHOSEN "(SELECT key AS at, value AS own FROM json_each(?1)) AS chosen "
#define CHOSEN_STAGE CHOSEN "CROSS JOIN stage ON stage.number = chosen.own "
/* and each with what it reads, as it is in behind (stage, number). */
#define BEHIND \
    "behind (stage, number) AS (SELECT own, own FROM " CHOSEN "UNION SELECT behind.stage, " \
    "stage.number FROM behind JOIN input ON input.stage = behind.number JOIN stage ON stage.id " \
    "= input.input) "
#define LAST_ROW(stage, name) \
    "(SELECT rowid FROM value AS one WHERE one.stage = " stage " AND one.name = " name " AND " \
    STORE_LINES " AND " STORE_PLAIN " ORDER BY one.step DESC, rowid DESC LIMIT 1) "
/* What a table calls the values of a stage as a whole: KIND.NAME, of a part also KIND.PART.NAME,
 * and KIND.PART for the one that says most about it. "Tense@encoder.output" is called so, and Tense
 * as well. */
#define PREFIX \
    "part AS (SELECT number, kind, option.value AS part FROM " CHOSEN_STAGE "CROSS JOIN option " \
    "ON option.stage = number AND option.key = 'part'), prefix (stage, kind, prefix) AS (SELECT " \
    "number, kind, kind FROM " CHOSEN_STAGE "UNION SELECT number, kind, kind || '.' || part " \
    "FROM part " \
    "UNION SELECT number, kind, kind || '.' || substr(part, 1, instr(part || '@', '@') - 1) " \
    "FROM part) "
/* Options, and of those that are lists also what is in them: {encoder.attention: [{window: 1}]} has
 * the path encoder.attention$[0].window. */
#define LEAF(which) \
    "named AS (SELECT stage, key, value, iif(value LIKE '[%' AND json_valid(value), value, " \
    "'[]') AS list FROM option " which "), leaf (stage, key, path, place, value) AS " \
    "MATERIALIZED (SELECT stage, key, key, -1, value FROM named " \
    "UNION ALL SELECT stage, named.key, named.key || fullkey, inner.id, iif(type IN ('true', " \
    "'false'), type, atom) FROM named JOIN json_tree(list) AS inner WHERE atom IS NOT NULL) "

/* ---- answers by a name, ?2: (stage, step, value, text, key of an option), stage by stage ---- */

#define OF_STAGES " WHERE stage IN (SELECT value FROM json_each(?1)) AND "
static const char value_series[] =
    "SELECT stage, NULL, value, NULL FROM value" OF_STAGES "name = ?2 AND " STORE_WHOLE " ORDER "
    "BY stage, rowid";
/* ?3 to ?6 are layer, head, set and class. */
static const char line_series[] =
    "SELECT stage, step, value, NULL FROM value" OF_STAGES "name = ?2 AND layer IS ?3 AND head IS "
    "?4 AND \"set\" IS ?5 AND class IS ?6 AND " STORE_LINES " ORDER BY stage, step, rowid";
/* and with dimensions: (.., class, none, layer, head, set, n) */
static const char point_series[] =
    "SELECT stage, step, value, class, NULL, layer, head, \"set\", n FROM value" OF_STAGES
    "name = ?2 AND " STORE_LINES " ORDER BY stage, step, rowid";
static const char *const text_series[] = {
    [RELATION_FIELD] =
        "SELECT stage.number, NULL, NULL, CASE ?2 WHEN 'id' THEN id WHEN 'kind' THEN kind WHEN "
        "'status' THEN status WHEN 'folder' THEN folder WHEN 'message' THEN message WHEN 'step' "
        "THEN step WHEN 'wall' THEN wall ELSE attempts END FROM " CHOSEN_STAGE "WHERE ?2 IN "
        "('id', 'kind', 'status', 'folder', 'message', 'step', 'wall', 'attempts') "
        "UNION ALL SELECT stage, NULL, NULL, name FROM called" OF_STAGES "?2 = 'name' "
        "UNION ALL SELECT DISTINCT stage.number, NULL, NULL, grid.grid FROM " CHOSEN_STAGE "JOIN "
        "member ON member.stage = id JOIN grid ON grid.number = member.grid WHERE ?2 = 'grid' "
        "UNION ALL SELECT stage, NULL, NULL, tag FROM tagged" OF_STAGES "?2 = 'tag' "
        "UNION ALL SELECT stage, NULL, NULL, text FROM note" OF_STAGES "?2 = 'note' ORDER BY 1",
    [RELATION_AXIS] =
        "SELECT DISTINCT stage.number, NULL, NULL, axis.value FROM " CHOSEN_STAGE "JOIN member ON "
        "member.stage = id JOIN axis USING (grid, position) WHERE axis.name = ?2 ORDER BY 1",
    [RELATION_RESULT] =
        "WITH " PREFIX ", wanted (stage, name) AS (SELECT own, ?2 FROM " CHOSEN "UNION SELECT "
        "stage, substr(?2, length(prefix) + 2) FROM prefix WHERE substr(?2, 1, length(prefix) + "
        "1) = prefix || '.') SELECT wanted.stage, NULL, NULL, value.value FROM wanted CROSS JOIN "
        "value ON value.stage = wanted.stage AND value.name = wanted.name AND " STORE_WHOLE " "
        "UNION ALL SELECT wanted.stage, NULL, NULL, word.text FROM wanted CROSS JOIN word ON "
        "word.stage = wanted.stage AND word.name = wanted.name "
        "UNION ALL SELECT prefix.stage, NULL, NULL, value.value FROM prefix LEFT JOIN value ON "
        "value.stage = prefix.stage AND name = substr(telling(kind), 1, instr(telling(kind) || ' "
        "', ' ') - 1) AND " STORE_WHOLE " WHERE prefix = ?2 AND prefix <> kind ORDER BY 1",
    [RELATION_LAST] =
        "SELECT own, NULL, NULL, value.value FROM " CHOSEN "CROSS JOIN value ON value.rowid = "
        LAST_ROW("own", "?2") "ORDER BY 1",
    [RELATION_OPTION] =
        "WITH RECURSIVE "
        LEAF("WHERE key = ?2 OR substr(key, -length(?2) - 1) = '.' || ?2 OR instr(value, '\"' || "
            "?2 || '\"')")
        ", " BEHIND "SELECT behind.stage, NULL, NULL, leaf.value, path FROM behind JOIN leaf ON "
        "leaf.stage = behind.number ORDER BY behind.stage, key, place",
    [RELATION_ENVIRONMENT] =
        "SELECT stage, NULL, NULL, value FROM environment" OF_STAGES "key = ?2 ORDER BY stage",
    [RELATION_WORD] =
        "SELECT stage, NULL, NULL, text FROM word" OF_STAGES "name = ?2 ORDER BY stage",
};

/* ---- rows of stages in their order ---- */

/* The value by which one knows a stage is that of the first name of its kind that it has. */
#define TOLD "FROM value AS one WHERE one.stage = number AND one.name = telling AND "
#define TOLD_LAST(column) \
    "(SELECT " column " " TOLD STORE_LINES " AND " STORE_PLAIN " ORDER BY one.step DESC, rowid " \
    "DESC LIMIT 1) "
#define LISTED(names, tags) \
    "WITH words AS MATERIALIZED (SELECT kind, word.key AS rank, word.value AS name FROM (SELECT " \
    "DISTINCT kind FROM stage) JOIN json_each('[\"' || replace(telling(kind), ' ', '\",\"') || " \
    "'\"]') AS word), known AS MATERIALIZED (SELECT chosen.at, stage.*, (SELECT name FROM words " \
    "WHERE words.kind = stage.kind AND EXISTS (SELECT 1 FROM value AS one WHERE one.stage = " \
    "number AND one.name = words.name AND " STORE_PLAIN ") ORDER BY rank LIMIT 1) AS telling, " \
    "(SELECT option.value FROM option WHERE option.stage = number AND option.key = 'part') AS " \
    "part FROM " CHOSEN_STAGE "), listed AS MATERIALIZED (SELECT at, id, kind, folder, status, " \
    names " AS names, " tags " AS tags, telling, iif(EXISTS (SELECT 1 " TOLD STORE_WHOLE "), " \
    "(SELECT value " TOLD STORE_WHOLE "), " TOLD_LAST("value") ") AS value, started, finished, " \
    "wall, attempts, step, message, " TOLD_LAST("step") "AS value_step, part FROM known) "
#define JSON_LISTED \
    LISTED("(SELECT json_group_array(name) FROM (SELECT name FROM called WHERE stage = number " \
        "ORDER BY " NAME_ORDER "))", \
        "(SELECT json_group_array(tag) FROM (SELECT tag FROM tagged WHERE stage = number ORDER " \
        "BY tag))")
#define NAME_ORDER "substr(name, 1, instr(name, '/') - 1), name"
#define SHORT(text) "iif(length(" text ") > 120, substr(" text ", 1, 120) || '..', " text ")"

/* Every name of a stage's values is found by a jump in an index, not by a look at each value. */
#define FACTS \
    "WITH RECURSIVE named (at, stage, name) AS (SELECT at, own, (SELECT min(name) FROM value AS " \
    "one WHERE one.stage = own) FROM " CHOSEN "UNION ALL SELECT at, stage, (SELECT min(name) " \
    "FROM value AS one WHERE one.stage = named.stage AND one.name > named.name) FROM named " \
    "WHERE name IS NOT NULL), fact (at, part, place, key, value, shown, flag) AS (SELECT " \
    "chosen.at, 0, 0, option.key, +option.value, +option.value, 0 FROM " CHOSEN "CROSS JOIN " \
    "option ON option.stage = own " \
    "UNION ALL SELECT chosen.at, 1, 0, name, value.value, iif(value.value IS NULL, NULL, " \
    "printf('%.10g', value.value)), 0 FROM " CHOSEN "CROSS JOIN value ON value.stage = own AND " \
    STORE_WHOLE " " \
    "UNION ALL SELECT chosen.at, 1, 0, name, text, text, name LIKE 'outputs.%' FROM " CHOSEN \
    "CROSS JOIN word ON word.stage = own WHERE name NOT IN ('status', 'format') " \
    "UNION ALL SELECT named.at, 2, 0, named.name, value.value, iif(value.value IS NULL, 'not " \
    "finite', printf('%.6g', value.value)) || iif(step IS NULL, '', printf(' at step %,d', " \
    "step)), EXISTS (SELECT 1 FROM value AS one WHERE one.stage = named.stage AND one.name = " \
    "named.name AND " STORE_WHOLE ") FROM named CROSS JOIN value ON value.rowid = " \
    LAST_ROW("named.stage", "named.name") "UNION ALL SELECT chosen.at, 3, 0, environment.key, " \
    "environment.value, environment.value, 0 FROM " CHOSEN "CROSS JOIN environment ON " \
    "environment.stage = own) "
#define LAST_EVENT(what, which) \
    "(SELECT " what " FROM event WHERE event.stage = number AND " which " ORDER BY event.rowid " \
    "DESC LIMIT 1)"
#define READ CHOSEN "CROSS JOIN input ON input.stage = own LEFT JOIN stage ON id = input.input "
/* ?2 are the defaults; ?3 is the folder RUNS. */
#define DETAILS \
    FACTS ", line (at, text, rest) AS (SELECT chosen.at, '', canonical FROM " CHOSEN_STAGE \
    "UNION ALL SELECT at, substr(rest, 1, instr(rest, char(10)) - 1), substr(rest, instr(rest, " \
    "char(10)) + 1) FROM line WHERE instr(rest, char(10))), detail (at, part, place, key, " \
    "value, shown, flag) AS (SELECT * FROM fact " \
    "UNION ALL SELECT chosen.at, 0, 0, json_extract(one.value, '$[0]'), json_extract(one.value, " \
    "iif(EXISTS (SELECT 1 FROM option WHERE option.stage = own AND option.key = " \
    "json_extract(one.value, '$[2]')), '$[3]', '$[1]')) AS text, NULL, 1 FROM " CHOSEN "JOIN " \
    "json_each(?2) AS given ON given.key = chosen.at JOIN json_each(given.value) AS one WHERE " \
    "NOT EXISTS (SELECT 1 FROM option WHERE option.stage = own AND option.key = " \
    "json_extract(one.value, '$[0]')) " \
    "UNION ALL SELECT chosen.at, 4, word.key, word.value, NULL, CASE word.value WHEN 'id' THEN " \
    "stage.id WHEN 'folder' THEN ?3 || '/stages/' || folder WHEN 'names' THEN (SELECT " \
    "group_concat(name, ', ') FROM called WHERE stage = number) WHEN 'tags' THEN (SELECT " \
    "group_concat(tag, ' ') FROM tagged WHERE stage = number) WHEN 'from' THEN " \
    LAST_EVENT("iif(event = 'continued', text || ', step ' || step, NULL)", \
        "event IN ('begun', 'continued')") \
    " WHEN 'copied' THEN " LAST_EVENT("'from ' || text", "event = 'copied'") " WHEN 'started' " \
    "THEN clock(started) || ', ' || seconds(wall) || ' in ' || attempts || iif(attempts = 1, ' " \
    "attempt', ' attempts') ELSE message END, 0 FROM " CHOSEN_STAGE "CROSS JOIN " \
    "json_each('[\"id\", \"folder\", \"names\", \"tags\", \"from\", \"copied\", \"started\", " \
    "\"message\"]') AS word " \
    "UNION ALL SELECT chosen.at, 5, 0, 'kind', kind, NULL, 0 FROM " CHOSEN_STAGE "UNION ALL " \
    "SELECT chosen.at, 5, 0, 'names', group_concat(name, ', '), NULL, 0 FROM " CHOSEN "JOIN " \
    "called ON stage = own GROUP BY chosen.at " \
    "UNION ALL SELECT chosen.at, 5, 0, 'status', status, NULL, 0 FROM " CHOSEN_STAGE "UNION ALL " \
    "SELECT chosen.at, 6, row_number() OVER (PARTITION BY chosen.at, kind ORDER BY position), " \
    "coalesce(kind, 'input'), input, NULL, 0 FROM " READ "UNION ALL SELECT chosen.at, 7, " \
    "position, coalesce(folder, substr(input, 1, 12)), NULL, coalesce(status, 'new'), 0 FROM " \
    READ "UNION ALL SELECT at, 8, 0, substr(text, 7, length(text) - 71), substr(text, -64), " \
    "substr(text, -64), 0 FROM line WHERE text LIKE 'file: %' " \
    "UNION ALL SELECT chosen.at, 9, row_number() OVER (PARTITION BY chosen.at ORDER BY " \
    "reader.folder), reader.folder, NULL, reader.status, 0 FROM " CHOSEN_STAGE "JOIN input ON " \
    "input.input = stage.id JOIN stage AS reader ON reader.number = input.stage " \
    "UNION ALL SELECT chosen.at, 10, 0, name || iif(layer IS NULL, '', ' layer ' || layer) || " \
    "iif(head IS NULL, '', ' head ' || head) || iif(class IS NULL, '', ': ' || class), " \
    "value.value, NULL, max(value.rowid) < 0 FROM " CHOSEN "CROSS JOIN value ON stage = own " \
    "WHERE NOT (" STORE_PLAIN ") AND \"set\" IS NULL GROUP BY chosen.at, name, layer, head, " \
    "class) "

static const char *const row_texts[] = {
    [RELATION_LIST] =
        LISTED("(SELECT " SHORT("name") " FROM called WHERE stage = number ORDER BY " NAME_ORDER
            " LIMIT 1) || iif(part IS NULL, '', ' ' || part) || coalesce((SELECT ' and ' || "
            "(count(*) - 1) || ' more' FROM called WHERE stage = number HAVING count(*) > 1), '')",
            "(SELECT group_concat(tag, ' ') FROM (SELECT tag FROM tagged WHERE stage = number "
            "ORDER BY tag))")
        "SELECT at, folder AS stage, status AS status, coalesce(iif(status <> 'done' AND "
        "value_step IS NOT NULL, 'step ' || counted(value_step) || ': ', '') || telling || ' ' || "
        "short(value), '') AS value, iif(attempts, seconds(wall), NULL) AS time, age(unixepoch() "
        "- coalesce(finished, started)) AS age, iif(message IS NULL, coalesce(names, ' ' || part, "
        "''), coalesce(names || ': ', ' ' || part || ': ', '') || " SHORT("message") ") AS names, "
        "tags AS tags FROM listed ORDER BY at",
    [RELATION_STAGES] =
        JSON_LISTED "SELECT at, id, kind, folder, status, names, tags, telling, value, started, "
        "finished, wall, attempts, step, message, value_step FROM listed ORDER BY at",
    [RELATION_HEADS] =
        JSON_LISTED "SELECT at, id, kind, folder, status, names, tags, attempts, wall, started, "
        "finished, message FROM listed ORDER BY at",
    [RELATION_LINES] =
        "WITH RECURSIVE " BEHIND ", seeded (stage, seed) AS MATERIALIZED (SELECT behind.stage, "
        "CAST(min(value) AS INTEGER) FROM behind JOIN option ON option.stage = behind.number "
        "WHERE key = 'seed' GROUP BY behind.stage HAVING count(DISTINCT value) = 1), top AS "
        "MATERIALIZED (SELECT chosen.at, number, id, kind, (SELECT name FROM called WHERE stage = "
        "number ORDER BY " NAME_ORDER " LIMIT 1) AS first, seed FROM " CHOSEN_STAGE "LEFT JOIN "
        "seeded ON seeded.stage = number) SELECT at, id, kind, first AS name, seed, name AS "
        "metric, step, layer, head, \"set\", class, n, value FROM top CROSS JOIN value INDEXED BY "
        "value_of_stage ON value.stage = top.number WHERE " STORE_LINES,
    [RELATION_FACTS] =
        FACTS "SELECT at, part, key, value FROM fact ORDER BY at, part, key",
    [RELATION_KEYS] =
        FACTS "SELECT DISTINCT part, key FROM fact ORDER BY part, key",
    [RELATION_CELLS] =
        FACTS ", cell AS MATERIALIZED (SELECT at, part, key, value FROM fact) SELECT chosen.at, "
        "every.part, every.key, (SELECT value FROM cell WHERE cell.at = chosen.at AND cell.part = "
        "every.part AND cell.key = every.key) FROM " CHOSEN "CROSS JOIN (SELECT DISTINCT part, "
        "key FROM cell) AS every ORDER BY 1, 2, 3",
    [RELATION_DETAILS] =
        DETAILS "SELECT at, part, key, value, shown, flag, place FROM detail WHERE place <= 20 OR "
        "part <> 9 ORDER BY part, iif(part IN (4, 7), place, 0), key, place, at",
    [RELATION_BEHIND] =
        "WITH RECURSIVE " BEHIND "SELECT DISTINCT input FROM behind JOIN input ON input.stage = "
        "behind.number",
    [RELATION_WORDS] =
        "WITH " PREFIX ", " LEAF("") "SELECT name FROM axis "
        "UNION SELECT name FROM word "
        "UNION SELECT key FROM environment "
        "UNION SELECT name FROM " STORE_NAMES " "
        "UNION SELECT path FROM leaf "
        "UNION SELECT prefix FROM prefix WHERE prefix <> kind "
        "UNION SELECT prefix || '.' || name FROM prefix CROSS JOIN value ON value.stage = "
        "prefix.stage AND " STORE_WHOLE " "
        "UNION SELECT prefix || '.' || name FROM prefix JOIN word USING (stage)",
};
/* clang-format on */

static const char *list_json(struct arena *arena, const void *item, int count,
                             void put(FILE *out, const void *item, int i))
{
    struct arena_stream text;
    arena_stream_open(&text);
    for (int i = 0; i < count; i++) {
        fputs(i ? "," : "[", text.out);
        put(text.out, item, i);
    }
    fputs(count ? "]" : "[]", text.out);
    return arena_stream_close(arena, &text);
}

static void put_id(FILE *out, const void *item, int i)
{
    fprintf(out, "\"%s\"", ((const char *const *)item)[i]);
}

static void put_number(FILE *out, const void *item, int i)
{
    fprintf(out, "%lld", (long long)((const int64_t *)item)[i]);
}

struct relation *relation_open(struct store *store, const char *const *id, int count,
                               struct arena *arena)
{
    struct relation *relation = ARENA_NEW(arena, struct relation);
    *relation = (struct relation){.store = store,
                                  .arena = arena,
                                  .of_id = table_new(arena, (size_t)count),
                                  .of_name = table_new(arena, 0)};
    sqlite3_stmt *ask =
        id ? store_ask(store,
                       "SELECT number, id, status, wall FROM stage WHERE id IN (SELECT "
                       "value FROM json_each(?)) ORDER BY number",
                       "s", list_json(arena, id, count, put_id))
           : store_ask(store, "SELECT number, id, status, wall FROM stage ORDER BY number", "");
    while (store_next(ask)) {
        ARENA_MORE(arena, relation->number, relation->stages);
        ARENA_MORE(arena, relation->stage, relation->stages);
        const int at = relation->stages++;
        const char *own = store_text(ask, 1, arena);
        relation->number[at] = sqlite3_column_int64(ask, 0);
        relation->stage[at] = (struct relation_stage){
            relation->number[at], store_text(ask, 2, arena), store_real(ask, 3)};
        table_put(relation->of_id, own, strlen(own), at);
    }
    relation->numbers = list_json(arena, relation->number, relation->stages, put_number);
    return relation;
}

struct relation_stage relation_stage(const struct relation *relation, const char *id)
{
    const int64_t at = table_get(relation->of_id, id, strlen(id));
    return at < 0 ? (struct relation_stage){-1, STATUS_NEW, 0} : relation->stage[at];
}

/* Its place in the set; -1: it is not there. */
static int place_of(const struct relation *relation, int64_t number)
{
    const int64_t *at =
        bsearch(&number, relation->number, (size_t)relation->stages, sizeof number, compare_int64s);
    return at ? (int)(at - relation->number) : -1;
}

/* The line that was added last with its dimensions. */
static void add_point(struct relation *relation, struct relation_series *series, sqlite3_stmt *ask)
{
    int points = series->count - 1;
    ARENA_MORE(relation->arena, series->point, points);
    struct relation_point *point = &series->point[points];
    *point = (struct relation_point){.step = series->line[points].step,
                                     .n = sqlite3_column_int64(ask, 8),
                                     .value = series->line[points].value};
    point->of.class = series->text[points].text;
    for (int d = 0; d < DIMENSION_CLASS; d++) point->of.number[d] = sqlite3_column_int(ask, 5 + d);
}

static struct relation_series *read_series(struct relation *relation, sqlite3_stmt *ask)
{
    struct relation_series *series = ARENA_NEW(relation->arena, struct relation_series);
    series->end = ARENA_ARRAY(relation->arena, int, relation->stages + 1);
    const bool keyed = sqlite3_column_count(ask) > 4;
    int stage = 0;
    while (store_next(ask)) {
        char digits[REAL_TEXT];
        int texts = series->count;
        for (const int64_t number = sqlite3_column_int64(ask, 0); relation->number[stage] < number;)
            series->end[stage++] = series->count;
        ARENA_MORE(relation->arena, series->text, texts);
        ARENA_MORE(relation->arena, series->line, series->count);
        const char *text = store_value(ask, 3, digits);
        series->text[series->count] =
            (struct relation_text){keyed ? store_text(ask, 4, relation->arena) : NULL,
                                   text ? arena_text(relation->arena, text) : NULL};
        series->line[series->count++] = (struct relation_line){
            sqlite3_column_type(ask, 1) == SQLITE_NULL ? JOURNAL_NONE
                                                       : sqlite3_column_int64(ask, 1),
            store_real(ask, 2)};
        if (sqlite3_column_count(ask) > 5) add_point(relation, series, ask);
    }
    while (stage < relation->stages) series->end[stage++] = series->count;
    return series;
}

/* Of a statement, a name, and dimensions (NULL: the statement has none). */
static const struct relation_series *find_series(struct relation *relation, char form,
                                                 const char *sql, const char *name,
                                                 const struct dimensions *of)
{
    const char *key = arena_print(relation->arena, "%c%s\n%s", form, name,
                                  of ? dimensions_text(of, relation->arena) : "");
    int64_t *at = table_at(relation->of_name, key, strlen(key), relation->count);
    if (*at < relation->count) return relation->series[*at];
    sqlite3_stmt *ask = store_prepare(relation->store, sql);
    if (!of) {
        store_bind(ask, "ss", relation->numbers, name);
    } else {
        int64_t number[DIMENSION_CLASS];
        for (int d = 0; d < DIMENSION_CLASS; d++)
            number[d] = of->number[d] ? of->number[d] : JOURNAL_NONE;
        store_bind(ask, "ssnnns", relation->numbers, name, number[DIMENSION_LAYER],
                   number[DIMENSION_HEAD], number[DIMENSION_SET], of->class);
    }
    ARENA_MORE(relation->arena, relation->series, relation->count);
    return relation->series[relation->count++] = read_series(relation, ask);
}

/* How many lines a stage has in a series, from *begin on. */
static int count_lines(const struct relation *relation, const struct relation_series *series,
                       int64_t number, int *begin)
{
    const int stage = place_of(relation, number);
    *begin = stage > 0 ? series->end[stage - 1] : 0;
    return stage < 0 ? 0 : series->end[stage] - *begin;
}

double relation_value(struct relation *relation, int64_t number, const char *name)
{
    const struct relation_series *series = find_series(relation, 'v', value_series, name, NULL);
    int begin;
    const int count = count_lines(relation, series, number, &begin);
    return count ? series->line[begin + count - 1].value : (double)NAN;
}

static const char *last_text(struct relation *relation, int64_t number,
                             enum relation_question question, const char *name)
{
    int count;
    const struct relation_text *text = relation_texts(relation, number, question, name, &count);
    return count ? text[count - 1].text : NULL;
}

const char *relation_word(struct relation *relation, int64_t number, const char *name)
{
    return last_text(relation, number, RELATION_WORD, name);
}

const char *relation_environment(struct relation *relation, int64_t number, const char *key)
{
    return last_text(relation, number, RELATION_ENVIRONMENT, key);
}

const struct relation_line *relation_lines(struct relation *relation, int64_t number,
                                           const char *name, const struct dimensions *of,
                                           int *count)
{
    const struct relation_series *series = find_series(relation, 'l', line_series, name, of);
    int begin;
    *count = count_lines(relation, series, number, &begin);
    return series->line + begin;
}

int relation_count(const struct relation *relation, const int64_t **number)
{
    *number = relation->number;
    return relation->stages;
}

const struct relation_text *relation_texts(struct relation *relation, int64_t number,
                                           enum relation_question question, const char *name,
                                           int *count)
{
    const struct relation_series *series =
        find_series(relation, (char)('0' + question), text_series[question], name, NULL);
    int begin = 0;
    *count = number < 0 ? series->count : count_lines(relation, series, number, &begin);
    return series->text + begin;
}

sqlite3_stmt *relation_rows(struct store *store, enum relation_rows rows, const int64_t *number,
                            int count, const char *defaults)
{
    struct arena arena = {0};
    const char *list = list_json(&arena, number, count, put_number);
    sqlite3_stmt *ask =
        store_ask(store, row_texts[rows], defaults ? "sss" : "s", list, defaults, store->runs);
    arena_free(&arena);
    return ask;
}

const struct relation_point *relation_points(struct relation *relation, int64_t number,
                                             const char *name, int *count)
{
    const struct relation_series *series = find_series(relation, 'r', point_series, name, NULL);
    int begin;
    *count = count_lines(relation, series, number, &begin);
    return series->point + begin;
}
