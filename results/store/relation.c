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
    struct relation_line *line; /* [count] */
    struct relation_text *text; /* [count] */
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

/* All give (stage, step, value, text, key of an option), stage by stage. ?1 are numbers of stages,
 * ?2 is the name. */
#define OF_STAGES " WHERE stage IN (SELECT value FROM json_each(?1)) AND "
/* The stages `number` that `stage` reads, and itself: the rest of behind (stage, number). */
#define BEHIND                                                                                     \
    " UNION SELECT behind.stage, stage.number FROM behind JOIN input ON input.stage = "            \
    "behind.number JOIN stage ON stage.id = input.input)"
static const char value_series[] = "SELECT stage, NULL, value, NULL FROM value" OF_STAGES
                                   "name = ?2 AND " STORE_WHOLE " ORDER BY stage, rowid";
static const char word_series[] =
    "SELECT stage, NULL, NULL, text FROM word" OF_STAGES "name = ?2 ORDER BY stage";
static const char environment_series[] =
    "SELECT stage, NULL, NULL, value FROM environment" OF_STAGES "key = ?2 ORDER BY stage";
static const char line_series[] =
    "SELECT stage, step, value, NULL FROM value" OF_STAGES
    "name = ?2 AND layer IS ?3 AND head IS ?4 AND \"set\" IS ?5 AND class IS ?6 AND " STORE_LINES
    " ORDER BY stage, step, rowid";

/* The stages of ?1 in their order. A CROSS JOIN is a loop within a loop, so rows that need no sorting
 * come as they are read. */
#define CHOSEN "(SELECT key AS at, value AS own FROM json_each(?1)) AS chosen"
#define CHOSEN_STAGE CHOSEN " CROSS JOIN stage ON stage.number = chosen.own"
#define NAME_ORDER "substr(name, 1, instr(name, '/') - 1), name"
#define LAST_ROW(stage, name)                                                                      \
    "(SELECT rowid FROM value AS one WHERE one.stage = " stage " AND one.name = " name             \
    " AND " STORE_LINES " AND " STORE_PLAIN " ORDER BY one.step DESC, rowid DESC LIMIT 1)"
/* What a table calls the values of a stage as a whole: KIND.NAME, of a part also KIND.PART.NAME,
 * and KIND.PART for the one that says most about it. "Tense@encoder.output" is called so, and Tense
 * as well. */
#define CHOSEN_PART                                                                                \
    CHOSEN_STAGE " CROSS JOIN option ON option.stage = number AND option.key = 'part'"
#define PREFIX                                                                                     \
    "prefix (stage, kind, prefix) AS (SELECT number, kind, kind FROM " CHOSEN_STAGE                \
    " UNION SELECT number, kind, kind || '.' || option.value FROM " CHOSEN_PART                    \
    " UNION SELECT number, kind, kind || '.' || substr(option.value, 1,"                           \
    " instr(option.value || '@', '@') - 1) FROM " CHOSEN_PART ")"
#define PREFIX_WHOLE "prefix CROSS JOIN value ON value.stage = prefix.stage AND " STORE_WHOLE
static const char *const text_series[RELATION_QUESTIONS] = {
    [RELATION_FIELD] =
        "SELECT stage.number, NULL, NULL, CASE ?2 WHEN 'id' THEN id WHEN 'kind' THEN kind WHEN "
        "'status' "
        "THEN status WHEN 'folder' THEN folder WHEN 'message' THEN message WHEN 'step' THEN step "
        "WHEN 'wall' THEN wall ELSE attempts END FROM " CHOSEN_STAGE " WHERE ?2 IN ('id', 'kind', "
        "'status', 'folder', 'message', 'step', 'wall', 'attempts') "
        "UNION ALL SELECT stage, NULL, NULL, name FROM called" OF_STAGES "?2 = 'name' "
        "UNION ALL SELECT DISTINCT stage.number, NULL, NULL, grid.grid FROM " CHOSEN_STAGE
        " JOIN member ON member.stage = id JOIN grid ON grid.number = member.grid WHERE ?2 = 'grid'"
        " UNION ALL SELECT stage, NULL, NULL, tag FROM tagged" OF_STAGES "?2 = 'tag' "
        "UNION ALL SELECT stage, NULL, NULL, text FROM note" OF_STAGES "?2 = 'note' ORDER BY 1",
    [RELATION_AXIS] =
        "SELECT DISTINCT stage.number, NULL, NULL, axis.value FROM " CHOSEN_STAGE
        " JOIN member ON member.stage = id JOIN axis USING (grid, position) WHERE axis.name = ?2 "
        "ORDER BY 1",
    [RELATION_RESULT] =
        "WITH " PREFIX ", wanted (stage, name) AS (SELECT chosen.own, ?2 FROM " CHOSEN
        " UNION SELECT stage, substr(?2, length(prefix) + 2) FROM prefix"
        "  WHERE substr(?2, 1, length(prefix) + 1) = prefix || '.') "
        "SELECT wanted.stage, NULL, NULL, value.value FROM wanted CROSS JOIN value"
        " ON value.stage = wanted.stage AND value.name = wanted.name AND " STORE_WHOLE
        " UNION ALL SELECT wanted.stage, NULL, NULL, word.text FROM wanted CROSS JOIN word"
        " ON word.stage = wanted.stage AND word.name = wanted.name "
        "UNION ALL SELECT prefix.stage, NULL, NULL, value.value FROM prefix LEFT JOIN value ON "
        "value.stage = prefix.stage AND name = json_extract(telling(kind), '$[0]') AND " STORE_WHOLE
        " WHERE prefix = ?2 AND prefix <> kind ORDER BY 1",
    [RELATION_LAST] = "SELECT chosen.own, NULL, NULL, value.value FROM " CHOSEN " CROSS JOIN "
                      "value ON value.rowid = " LAST_ROW("chosen.own", "?2") " ORDER BY 1",
    [RELATION_OPTION] =
        "WITH RECURSIVE named (stage, key, value) AS MATERIALIZED (SELECT * FROM option WHERE "
        "key = ?2 OR substr(key, -length(?2) - 1) = '.' || ?2 OR instr(value, '\"' || ?2 || '\"')),"
        " behind (stage, number) AS (SELECT chosen.own, chosen.own FROM " CHOSEN BEHIND
        "SELECT behind.stage, NULL, NULL, named.value, key FROM behind JOIN named"
        " ON named.stage = behind.number ORDER BY 1",
    [RELATION_ENVIRONMENT] = environment_series,
};

/* Every name of a stage's values is found by a jump in an index, not by a look at each value. */
#define FACTS                                                                                      \
    "WITH RECURSIVE named (at, stage, name) AS (SELECT chosen.at, chosen.own, (SELECT "            \
    "min(name) FROM value AS one WHERE one.stage = chosen.own) FROM " CHOSEN " UNION ALL "         \
    "SELECT at, stage, (SELECT min(name) FROM value AS one WHERE one.stage = named.stage AND "     \
    "one.name > named.name) FROM named WHERE name IS NOT NULL), fact (at, part, key, value, step)" \
    " AS (SELECT chosen.at, 0, option.key, option.value, NULL FROM " CHOSEN                        \
    " CROSS JOIN option ON option.stage = chosen.own UNION ALL "                                   \
    "SELECT chosen.at, 1, name, value.value, NULL FROM " CHOSEN                                    \
    " CROSS JOIN value ON value.stage = chosen.own AND " STORE_WHOLE " UNION ALL "                 \
    "SELECT chosen.at, 1, name, text, NULL FROM " CHOSEN                                           \
    " CROSS JOIN word ON word.stage = chosen.own WHERE name <> 'status' UNION ALL "                \
    "SELECT named.at, 2, named.name, value.value, value.step FROM named CROSS JOIN value"          \
    " ON value.rowid = " LAST_ROW(                                                                 \
        "named.stage",                                                                             \
        "named.name") " UNION ALL "                                                                \
                      "SELECT chosen.at, 3, environment.key, environment.value, NULL FROM " CHOSEN \
                      " CROSS JOIN environment ON environment.stage = chosen.own) "
/* `told` is the first of the names by which one knows a stage of the kind that the stage has. */
#define TOLD "FROM value AS one WHERE one.stage = number AND one.name = told AND "
#define TOLD_LAST(column)                                                                          \
    "(SELECT " column " " TOLD STORE_LINES " AND " STORE_PLAIN                                     \
    " ORDER BY one.step DESC, rowid DESC LIMIT 1)"
#define LISTED                                                                                     \
    "WITH known AS MATERIALIZED (SELECT chosen.at, stage.*, (SELECT word.value FROM "              \
    "json_each(telling(kind)) AS word WHERE EXISTS (SELECT 1 FROM value AS one WHERE one.stage = " \
    "number AND one.name = word.value AND " STORE_PLAIN ") ORDER BY word.key LIMIT 1) AS told, "   \
    "(SELECT json_group_array(name) FROM (SELECT name FROM called WHERE stage = number ORDER "     \
    "BY " NAME_ORDER                                                                               \
    ")) AS names, (SELECT json_group_array(tag) FROM (SELECT tag FROM tagged WHERE "               \
    "stage = number ORDER BY tag)) AS tags FROM " CHOSEN_STAGE ") "
static const char *const row_texts[] = {
    [RELATION_STAGES] = LISTED
    "SELECT at, id, kind, folder, status, names, tags, told AS telling, iif(EXISTS "
    "(SELECT 1 " TOLD STORE_WHOLE "), (SELECT value " TOLD STORE_WHOLE
    "), " TOLD_LAST("value") ") AS value, started, finished, wall, attempts, step, "
                             "message, " TOLD_LAST("step") " AS value_step, number, (SELECT "
                                                           "option.value FROM option WHERE "
                                                           "option.stage = number AND option.key = "
                                                           "'part') AS part FROM known ORDER BY at",
    [RELATION_HEADS] = LISTED "SELECT at, id, kind, folder, status, names, tags, attempts, wall, "
                              "started, finished, message FROM known ORDER BY at",
    [RELATION_FACTS] = FACTS "SELECT * FROM fact ORDER BY at, part, key",
    [RELATION_KEYS] = FACTS "SELECT DISTINCT part, key FROM fact ORDER BY part, key",
    [RELATION_LINES] =
        "WITH RECURSIVE behind (stage, number) AS (SELECT chosen.own, chosen.own FROM " CHOSEN
            BEHIND
        ", seeded (stage, seed) AS MATERIALIZED (SELECT behind.stage, CAST(min(value) AS "
        "INTEGER) FROM behind JOIN option ON option.stage = behind.number WHERE key = 'seed' GROUP "
        "BY behind.stage HAVING count(DISTINCT value) = 1), head AS MATERIALIZED (SELECT "
        "chosen.at, number, id, kind, (SELECT name FROM called WHERE stage = number ORDER "
        "BY " NAME_ORDER " LIMIT 1) AS name, seed FROM " CHOSEN_STAGE
        " LEFT JOIN seeded ON seeded.stage = number) "
        "SELECT at, id, kind, head.name AS name, seed, value.name AS metric, step, layer, "
        "value.head, "
        "\"set\", class, n, value FROM head CROSS JOIN value INDEXED BY value_of_stage"
        " ON value.stage = head.number WHERE " STORE_LINES,
    [RELATION_WORDS] =
        "WITH " PREFIX " SELECT name, '' FROM axis UNION SELECT name, '' FROM word"
        " UNION SELECT key, '' FROM environment UNION SELECT name, '' FROM " STORE_NAMES
        " UNION SELECT prefix, '' FROM prefix WHERE prefix <> kind"
        " UNION SELECT prefix || '.' || name, '' FROM " PREFIX_WHOLE
        " UNION SELECT prefix || '.' || name, '' FROM prefix JOIN word USING (stage)"
        " UNION SELECT key, iif(value LIKE '[%', value, '') FROM option",
};

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

static const char *text_of(struct relation *relation, char form, const char *sql, int64_t number,
                           const char *name)
{
    const struct relation_series *series = find_series(relation, form, sql, name, NULL);
    int begin;
    const int count = count_lines(relation, series, number, &begin);
    return count ? series->text[begin + count - 1].text : NULL;
}

const char *relation_word(struct relation *relation, int64_t number, const char *name)
{
    return text_of(relation, 'w', word_series, number, name);
}

const char *relation_environment(struct relation *relation, int64_t number, const char *key)
{
    return text_of(relation, 'e', environment_series, number, key);
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
                            int count)
{
    struct arena arena = {0};
    sqlite3_stmt *ask =
        store_ask(store, row_texts[rows], "s", list_json(&arena, number, count, put_number));
    arena_free(&arena);
    return ask;
}
