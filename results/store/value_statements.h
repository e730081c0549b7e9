/* The SQL statements of value_cache.c, the only file that includes this header. The parameter ?1 is
 * a JSON list of the numbers of stages.
 *
 * SQLite runs a CROSS JOIN as nested loops in the written order. So the rows of a stage come from
 * an index in order. They are not sorted in memory, even if there are many. */
#pragma once

#include "results/store/store.h"

/* clang-format off */
/* The stages of ?1. `at` is the index in the list, from 0. `own` is the number of the stage. */
#define CHOSEN "(SELECT key AS at, value AS own FROM json_each(?1)) AS chosen "
#define CHOSEN_STAGE CHOSEN "CROSS JOIN stage ON stage.number = chosen.own "
/* needed (stage, number): for each stage, the numbers of itself and of its direct and indirect
 * inputs. */
#define NEEDED \
    "needed (stage, number) AS (SELECT own, own FROM " CHOSEN "UNION SELECT needed.stage, " \
    "stage.number FROM needed JOIN input ON input.stage = needed.number JOIN stage ON stage.id " \
    "= input.input) "
#define LAST_ROW(stage, name) \
    "(SELECT rowid FROM value AS one WHERE one.stage = " stage " AND one.name = " name " AND " \
    STORE_LINES " AND " STORE_PLAIN " ORDER BY one.step DESC, rowid DESC LIMIT 1) "
/* Prefixes of the names of values in a table. Values of all stages have the name KIND.NAME. Values
 * of a stage with a part also have the name KIND.PART.NAME; KIND.PART is its first measure. For the
 * part "Tense@encoder.output", PART is also "Tense". */
#define PREFIX \
    "part AS (SELECT number, kind, option.value AS part FROM " CHOSEN_STAGE "CROSS JOIN option " \
    "ON option.stage = number AND option.key = 'part'), prefix (stage, kind, prefix) AS (SELECT " \
    "number, kind, kind FROM " CHOSEN_STAGE "UNION SELECT number, kind, kind || '.' || part " \
    "FROM part " \
    "UNION SELECT number, kind, kind || '.' || substr(part, 1, instr(part || '@', '@') - 1) " \
    "FROM part) "
/* leaf: options, and scalars within options that are lists. In {encoder.attention: [{window: 1}]},
 * the 1 has the path encoder.attention$[0].window. */
#define LEAF(which) \
    "named AS (SELECT stage, key, value, iif(value LIKE '[%' AND json_valid(value), value, " \
    "'[]') AS list FROM option " which "), leaf (stage, key, path, place, value) AS " \
    "MATERIALIZED (SELECT stage, key, key, -1, value FROM named " \
    "UNION ALL SELECT stage, named.key, named.key || fullkey, inner.id, iif(type IN ('true', " \
    "'false'), type, atom) FROM named JOIN json_tree(list) AS inner WHERE atom IS NOT NULL) "

/* ---- series for a name ?2: (stage, step, value, text, key of an option), by stage ---- */

#define OF_STAGES " WHERE stage IN (SELECT value FROM json_each(?1)) AND "
static const char value_series[] =
    "SELECT stage, NULL, value, NULL FROM value" OF_STAGES "name = ?2 AND " STORE_WHOLE " ORDER "
    "BY stage, rowid";
/* ?3 to ?6 are layer, head, set and class. */
static const char line_series[] =
    "SELECT stage, step, value, NULL FROM value" OF_STAGES "name = ?2 AND layer IS ?3 AND head IS "
    "?4 AND \"set\" IS ?5 AND class IS ?6 AND " STORE_LINES " ORDER BY stage, step, rowid";
/* Lines with all dimensions. Column 3 is the class, column 4 is null, then follow layer, head, set
 * and n. */
static const char point_series[] =
    "SELECT stage, step, value, class, NULL, layer, head, \"set\", n FROM value" OF_STAGES
    "name = ?2 AND " STORE_LINES " ORDER BY stage, step, rowid";
static const char *const text_series[] = {
    [VALUE_CACHE_FIELD] =
        "SELECT stage.number, NULL, NULL, CASE ?2 WHEN 'id' THEN id WHEN 'kind' THEN kind WHEN "
        "'status' THEN status WHEN 'folder' THEN folder WHEN 'message' THEN message WHEN 'step' "
        "THEN step WHEN 'wall' THEN wall ELSE attempts END FROM " CHOSEN_STAGE "WHERE ?2 IN "
        "('id', 'kind', 'status', 'folder', 'message', 'step', 'wall', 'attempts') "
        "UNION ALL SELECT stage, NULL, NULL, name FROM called" OF_STAGES "?2 = 'name' "
        "UNION ALL SELECT DISTINCT stage.number, NULL, NULL, grid.grid FROM " CHOSEN_STAGE "JOIN "
        "member ON member.stage = id JOIN grid ON grid.number = member.grid WHERE ?2 = 'grid' "
        "UNION ALL SELECT stage, NULL, NULL, tag FROM tagged" OF_STAGES "?2 = 'tag' "
        "UNION ALL SELECT stage, NULL, NULL, text FROM note" OF_STAGES "?2 = 'note' ORDER BY 1, 4",
    [VALUE_CACHE_AXIS] =
        "SELECT DISTINCT stage.number, NULL, NULL, axis.value FROM " CHOSEN_STAGE "JOIN member ON "
        "member.stage = id JOIN axis USING (grid, position) WHERE axis.name = ?2 ORDER BY 1",
    [VALUE_CACHE_RESULT] =
        "WITH " PREFIX ", wanted (stage, name) AS (SELECT own, ?2 FROM " CHOSEN "UNION SELECT "
        "stage, substr(?2, length(prefix) + 2) FROM prefix WHERE substr(?2, 1, length(prefix) + "
        "1) = prefix || '.') SELECT wanted.stage, NULL, NULL, value.value FROM wanted CROSS JOIN "
        "value ON value.stage = wanted.stage AND value.name = wanted.name AND " STORE_WHOLE " "
        "UNION ALL SELECT wanted.stage, NULL, NULL, word.text FROM wanted CROSS JOIN word ON "
        "word.stage = wanted.stage AND word.name = wanted.name "
        "UNION ALL SELECT prefix.stage, NULL, NULL, value.value FROM prefix LEFT JOIN value ON "
        "value.stage = prefix.stage AND name = substr(telling(kind), 1, instr(telling(kind) || ' "
        "', ' ') - 1) AND " STORE_WHOLE " WHERE prefix = ?2 AND prefix <> kind ORDER BY 1",
    [VALUE_CACHE_LAST] =
        "SELECT own, NULL, NULL, value.value FROM " CHOSEN "CROSS JOIN value ON value.rowid = "
        LAST_ROW("own", "?2") "ORDER BY 1",
    [VALUE_CACHE_OPTION] =
        "WITH RECURSIVE "
        LEAF("WHERE key = ?2 OR substr(key, -length(?2) - 1) = '.' || ?2 OR instr(value, '\"' || "
            "?2 || '\"')")
        ", " NEEDED "SELECT needed.stage, NULL, NULL, leaf.value, path FROM needed JOIN leaf ON "
        "leaf.stage = needed.number ORDER BY needed.stage, key, place",
    [VALUE_CACHE_ENVIRONMENT] =
        "SELECT stage, NULL, NULL, value FROM environment" OF_STAGES "key = ?2 ORDER BY stage",
    [VALUE_CACHE_WORD] =
        "SELECT stage, NULL, NULL, text FROM word" OF_STAGES "name = ?2 ORDER BY stage",
    [VALUE_CACHE_INPUT] =
        "SELECT stage, NULL, NULL, input FROM input" OF_STAGES "?2 = '' ORDER BY stage, position",
    [VALUE_CACHE_OWN_OPTIONS] =
        "SELECT stage, NULL, NULL, value, key FROM option" OF_STAGES "?2 = '' AND key NOT IN "
        "('seed', 'part') ORDER BY stage, key",
    [VALUE_CACHE_SUMMARY] =
        "SELECT stage, NULL, value, text, name FROM (" STORE_SUMMARY ")" OF_STAGES "?2 = '' AND "
        "name NOT IN ('status', 'format') ORDER BY stage, name",
};
/* ---- rows for value_cache_rows ---- */

/* Adds `telling`, the name of the value that describes a stage in lists. It is the first name in
 * the list of its kind (offer.telling) for which the stage has a value. */
#define LISTED(names, tags) \
    "WITH words AS MATERIALIZED (SELECT kind, word.key AS rank, word.value AS name FROM (SELECT " \
    "DISTINCT kind FROM stage) JOIN json_each('[\"' || replace(telling(kind), ' ', '\",\"') || " \
    "'\"]') AS word), known AS MATERIALIZED (SELECT chosen.at, number, id, kind, folder, status, " \
    "started, finished, wall, attempts, step, message, (SELECT iif(min(rank) >= 0, name, NULL) " \
    "FROM words WHERE words.kind = stage.kind AND EXISTS (SELECT 1 FROM value AS one WHERE " \
    "one.stage = number AND one.name = words.name AND " STORE_PLAIN ")) AS telling, (SELECT " \
    "option.value FROM option WHERE option.stage = number AND option.key = 'part') AS part FROM " \
    CHOSEN_STAGE "), listed AS (SELECT at, id, kind, folder, status, " \
    names " AS names, " tags " AS tags, telling, iif(whole.rowid, whole.value, last.value) AS " \
    "value, started, finished, wall, attempts, known.step AS step, message, last.step AS " \
    "value_step, part FROM known LEFT JOIN value AS whole ON whole.rowid = (SELECT rowid FROM " \
    "value AS one WHERE one.stage = number AND one.name = telling AND " STORE_WHOLE ") LEFT " \
    "JOIN value AS last ON last.rowid = " LAST_ROW("number", "telling") ") "
#define JSON_LISTED \
    LISTED("(SELECT json_group_array(name) FROM (SELECT name FROM called WHERE stage = number " \
        "ORDER BY " NAME_ORDER "))", \
        "(SELECT json_group_array(tag) FROM (SELECT tag FROM tagged WHERE stage = number ORDER " \
        "BY tag))")
#define NAME_ORDER "substr(name, 1, instr(name, '/') - 1), name"
/* In this order, min() finds the first name without sorting. */
#define FIRST_NAME "substr(name, 1, instr(name, '/') - 1) || char(1) || name"
#define SHORT(text) "iif(length(" text ") > 120, substr(" text ", 1, 120) || '..', " text ")"

/* Each name of a stage's values is found by a seek in an index, not by a scan of the values. */
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
/* ?2: the defaults; ?3: the folder RUNS. */
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
    "UNION ALL SELECT chosen.at, 4, 8, 'note', text, clock(time) || '  ' || text, 0 FROM " \
    CHOSEN "JOIN note ON stage = own " \
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
    [VALUE_CACHE_LIST] =
        LISTED("(SELECT " SHORT("name") " || iif(part IS NULL, '', ' ' || part) || iif(count(*) > "
            "1, ' and ' || (count(*) - 1) || ' more', '') FROM called WHERE stage = number HAVING "
            "min(" FIRST_NAME ") > '')",
            "(SELECT group_concat(tag, ' ') FROM (SELECT tag FROM tagged WHERE stage = number "
            "ORDER BY tag))")
        "SELECT at, folder AS stage, status AS status, coalesce(iif(status <> 'done' AND "
        "value_step IS NOT NULL, 'step ' || counted(value_step) || ': ', '') || telling || ' ' || "
        "short(value), '') AS value, iif(attempts, seconds(wall), NULL) AS time, age(unixepoch() "
        "- coalesce(finished, started)) AS age, iif(message IS NULL, coalesce(names, ' ' || part, "
        "''), coalesce(names || ': ', ' ' || part || ': ', '') || " SHORT("message") ") || "
        "coalesce(' [' || tags || ']', '') AS names FROM listed ORDER BY at",
    [VALUE_CACHE_STAGES] =
        JSON_LISTED "SELECT at, id, kind, folder, status, names, tags, telling, value, started, "
        "finished, wall, attempts, step, message, value_step FROM listed ORDER BY at",
    [VALUE_CACHE_HEADS] =
        JSON_LISTED "SELECT at, id, kind, folder, status, names, tags, attempts, wall, started, "
        "finished, message FROM listed ORDER BY at",
    [VALUE_CACHE_LINES] =
        "WITH RECURSIVE " NEEDED ", seeded (stage, seed) AS MATERIALIZED (SELECT needed.stage, "
        "CAST(min(value) AS INTEGER) FROM needed JOIN option ON option.stage = needed.number "
        "WHERE key = 'seed' GROUP BY needed.stage HAVING count(DISTINCT value) = 1), top AS "
        "MATERIALIZED (SELECT chosen.at, number, id, kind, (SELECT name FROM called WHERE stage = "
        "number ORDER BY " NAME_ORDER " LIMIT 1) AS first, seed FROM " CHOSEN_STAGE "LEFT JOIN "
        "seeded ON seeded.stage = number) SELECT at, id, kind, first AS name, seed, name AS "
        "metric, step, layer, head, \"set\", class, n, value FROM top CROSS JOIN value INDEXED BY "
        "value_of_stage ON value.stage = top.number WHERE " STORE_LINES,
    [VALUE_CACHE_FACTS] =
        FACTS "SELECT at, part, key, value FROM fact ORDER BY at, part, key",
    [VALUE_CACHE_KEYS] =
        FACTS "SELECT DISTINCT part, key FROM fact ORDER BY part, key",
    [VALUE_CACHE_CELLS] =
        FACTS ", cell AS MATERIALIZED (SELECT at, part, key, value FROM fact) SELECT chosen.at, "
        "every.part, every.key, (SELECT value FROM cell WHERE cell.at = chosen.at AND cell.part = "
        "every.part AND cell.key = every.key) FROM " CHOSEN "CROSS JOIN (SELECT DISTINCT part, "
        "key FROM cell) AS every ORDER BY 1, 2, 3",
    [VALUE_CACHE_DETAILS] =
        DETAILS "SELECT at, part, key, value, shown, flag, place FROM detail WHERE place <= 20 OR "
        "part <> 9 ORDER BY part, iif(part IN (4, 7), place, 0), key, place, at",
    [VALUE_CACHE_COUNTED] =
        "WITH fact (part, key, value, stage) AS (SELECT 0, key, value, own FROM " CHOSEN "CROSS "
        "JOIN environment ON stage = own UNION ALL SELECT 1, 'signature of ' || kind, text, own "
        "FROM " CHOSEN_STAGE "CROSS JOIN word ON word.stage = own AND name = 'signature') SELECT "
        "key AS '', value AS Value, iif(count(*) = total, 'all', count(*) || ' of ' || total) AS "
        "Stages FROM fact JOIN (SELECT part, count(DISTINCT stage) AS total FROM fact GROUP BY "
        "part) USING (part) GROUP BY part, key, value ORDER BY part, key, min(stage)",
    [VALUE_CACHE_WORDS] =
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
