/* A filter asks the database for each stage and key: what a key means differs by stage. */
#include "results/query/filter.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "core/config/expression.h"
#include "core/config/word.h"
#include "results/sheet/cell.h"
#include "results/store/offer.h"
#include "results/store/status.h"

struct filter {
    struct store *store;
    const struct expression *expression;
    int64_t stage; /* the one that is looked at */
};

/* What every stage has under a key of its own, whose values values_of asks for. */
static const struct {
    const char *name;
    bool number; /* its values are numbers */
} fields[] = {{"id", false},      {"kind", false}, {"status", false}, {"folder", false},
              {"message", false}, {"name", false}, {"grid", false},   {"step", true},
              {"tag", false},     {"note", false}, {"wall", true},    {"attempts", true}};

/* What a table calls the values of a stage's summary (stage, name, value): KIND.NAME, of a part
 * also KIND.PART.NAME, and KIND.PART for the one that says most about it. "Tense@encoder.output" is
 * called so, and Tense as well. */
#define PART " JOIN option ON option.stage = number AND option.key = 'part'"
#define PART_WHOLE "kind || '.' || option.value"
#define PART_WORD "kind || '.' || substr(option.value, 1, instr(option.value || '@', '@') - 1)"
#define PART_NAMES(part)                                                                           \
    " UNION ALL SELECT number, " part " || '.' || name, coalesce(text, summary.value)"             \
    "  FROM stage JOIN (" STORE_SUMMARY ") AS summary ON summary.stage = number" PART              \
    " UNION ALL SELECT number, " part ", value.value FROM stage" PART                              \
    " LEFT JOIN value ON value.stage = number AND name = telling(kind) AND " STORE_WHOLE
#define COLUMNS                                                                                    \
    "(SELECT number AS stage, kind || '.' || name AS name, coalesce(text, value) AS value"         \
    "  FROM stage JOIN (" STORE_SUMMARY                                                            \
    ") AS summary ON summary.stage = number" PART_NAMES(PART_WORD) PART_NAMES(PART_WHOLE) ")"

/* What a stage (?1, its number) has under a key (?2), best meaning first; options come behind. */
static const char values_of[] =
    "SELECT rank, value FROM ("
    " SELECT 1 AS rank, CASE ?2 WHEN 'id' THEN id WHEN 'kind' THEN kind WHEN 'status' THEN status"
    "  WHEN 'folder' THEN folder WHEN 'message' THEN message WHEN 'step' THEN step"
    "  WHEN 'wall' THEN wall WHEN 'attempts' THEN attempts END AS value"
    "  FROM stage WHERE number = ?1"
    " UNION ALL SELECT 1, name FROM called WHERE stage = ?1 AND ?2 = 'name'"
    " UNION ALL SELECT DISTINCT 1, grid.grid FROM stage JOIN member ON member.stage = stage.id"
    "  JOIN grid ON grid.number = member.grid WHERE stage.number = ?1 AND ?2 = 'grid'"
    " UNION ALL SELECT 1, tag FROM tagged WHERE stage = ?1 AND ?2 = 'tag'"
    " UNION ALL SELECT 1, text FROM note WHERE stage = ?1 AND ?2 = 'note'"
    " UNION ALL SELECT DISTINCT 2, axis.value FROM stage JOIN member ON member.stage = stage.id"
    "  JOIN axis USING (grid, position) WHERE stage.number = ?1 AND axis.name = ?2"
    " UNION ALL SELECT 3, coalesce(text, value) FROM (" STORE_SUMMARY
    ") WHERE stage = ?1 AND name = ?2"
    " UNION ALL SELECT 3, value FROM " COLUMNS " WHERE stage = ?1 AND name = ?2"
    " UNION ALL SELECT 4, value FROM (" STORE_LATEST ") WHERE stage = ?1 AND name = ?2"
    ") WHERE value IS NOT NULL ORDER BY rank";
/* Options that may have it, by their key or somewhere in a list: its own and those of the stages
 * that it reads, for a score is that of a model. */
static const char options_of[] =
    "WITH RECURSIVE behind (number) AS (SELECT ?1 UNION SELECT stage.number FROM behind"
    " JOIN input ON input.stage = behind.number JOIN stage ON stage.id = input.input) "
    "SELECT key, value FROM behind JOIN option ON option.stage = behind.number WHERE (key = ?2 OR "
    "substr(key, -length(?2) - 1) = '.' || ?2 OR instr(value, '\"' || ?2 || '\"'))";
static const char environment_of[] =
    "SELECT 1, value FROM environment WHERE stage = ?1 AND key = ?2";

/* ---- options, whose lists the database keeps as JSON ---- */

typedef void visit_function(void *context, const char *path, const char *value);

static void visit_json(const json_t *json, const char *path, visit_function *visit, void *context)
{
    if (json_is_object(json)) {
        const char *key;
        json_t *value;
        json_object_foreach((json_t *)json, key, value) {
            char below[512];
            snprintf(below, sizeof below, "%s.%s", path, key);
            visit_json(value, below, visit, context);
        }
    } else if (json_is_array(json)) {
        for (size_t i = 0; i < json_array_size(json); i++)
            visit_json(json_array_get(json, i), path, visit, context);
    } else if (json_is_string(json)) {
        visit(context, path, json_string_value(json));
    } else {
        char *text = json_dumps(json, JSON_ENCODE_ANY);
        if (text) visit(context, path, text);
        free(text);
    }
}

/* The option itself, and when it is a list everything in it. */
static void visit_option(const char *key, const char *value, visit_function *visit, void *context)
{
    visit(context, key, value);
    json_t *list = *value == '[' ? json_loads(value, 0, NULL) : NULL;
    visit_json(list, key, visit, context);
    json_decref(list);
}

/* A term at one stage; or, with an arena, the values that its key has there. */
struct value_search {
    const struct expression_term *term;
    bool found, exactly, holds, fits;
    struct arena *arena;
    const char *values;
};

static void look_closer(struct value_search *search, const char *value)
{
    search->found = true;
    if (search->arena)
        search->values =
            cell_append(search->values, " ", arena_text(search->arena, value), search->arena);
    else
        search->holds |= expression_term_holds(search->term, value);
    search->fits |= !search->arena && expression_term_fits(search->term, value);
}

static void look_at(void *context, const char *path, const char *value)
{
    struct value_search *search = context;
    bool exactly = !strcmp(search->term->key, path);
    if (exactly && !search->exactly) { /* whatever else was found is not meant */
        search->holds = search->fits = false;
        search->values = NULL;
    }
    search->exactly |= exactly;
    if ((search->holds && search->fits) || search->exactly != exactly) return;
    if (expression_key_means(search->term->key, path)) look_closer(search, value);
}

/* The rows (rank, value) of the first rank that there is. */
static void look_at_rows(struct filter *filter, const char *sql, struct value_search *search)
{
    int best = 0;
    sqlite3_stmt *rows = store_ask(filter->store, sql, "is", filter->stage, search->term->key);
    while (store_next(rows)) {
        char digits[REAL_TEXT];
        const int rank = sqlite3_column_int(rows, 0);
        if (!best) best = rank;
        if (rank == best) look_closer(search, store_value(rows, 1, digits));
    }
}

static void look_at_options(struct filter *filter, struct value_search *search)
{
    const char *point = strrchr(search->term->key, '.');
    sqlite3_stmt *ask = store_ask(filter->store, options_of, "is", filter->stage,
                                  point ? point + 1 : search->term->key);
    while (store_next(ask))
        visit_option((const char *)sqlite3_column_text(ask, 0),
                     (const char *)sqlite3_column_text(ask, 1), look_at, search);
}

static void look_everywhere(struct filter *filter, struct value_search *search)
{
    look_at_rows(filter, values_of, search);
    if (!search->found) look_at_options(filter, search);
    if (!search->found) look_at_rows(filter, environment_of, search);
}

static bool term_holds(void *context, const struct expression_term *term)
{
    struct value_search search = {.term = term};
    look_everywhere(context, &search);
    return search.holds;
}

const char *filter_values(struct filter *filter, int64_t stage, const char *key,
                          struct arena *arena)
{
    const struct expression_term term = {.key = key};
    struct value_search search = {.term = &term, .arena = arena};
    filter->stage = stage;
    look_everywhere(filter, &search);
    return search.values;
}

bool filter_takes(struct filter *filter, int64_t stage)
{
    filter->stage = stage;
    return !filter->expression || expression_holds(filter->expression, term_holds, filter);
}

/* ---- a key that no stage has is a slip of the pen, not an empty answer ---- */

struct key_search {
    struct arena arena;
    const char *key;
    bool known;
    int count;
    const char **word; /* everything that is a key somewhere */
};

static void key_add(struct key_search *search, const char *word)
{
    ARENA_MORE(&search->arena, search->word, search->count);
    search->word[search->count++] = arena_text(&search->arena, word);
}

static void key_visit(void *context, const char *path, const char *value)
{
    struct key_search *search = context;
    (void)value;
    search->known |= expression_key_means(search->key, path);
    if (search->known) return;
    key_add(search, path);
    const char *point = strrchr(path, '.');
    if (point) key_add(search, point + 1); /* as people write it */
}

/* Those of one section ("encoder."), without what stands before their last point. */
static const char *const *keys_within(struct key_search *search, size_t section)
{
    const char **within = ARENA_ARRAY(&search->arena, const char *, search->count + 1);
    int count = 0;
    for (int i = 0; i < search->count; i++) {
        const char *point = strrchr(search->word[i], '.');
        if (point && !strncmp(search->word[i], search->key, section)) within[count++] = point + 1;
    }
    return count ? within : NULL;
}

/* By its last word, as people write it: one of the same section, if there is such a section, for a
 * word of another one is not what was meant. Or else by the whole key. */
static const char *key_nearest(struct key_search *search)
{
    ARENA_MORE(&search->arena, search->word, search->count);
    search->word[search->count] = NULL;
    const char *point = strrchr(search->key, '.'), *last = point ? point + 1 : search->key;
    const char *const *within = point ? keys_within(search, strcspn(search->key, ".") + 1) : NULL;
    const char *nearest = word_nearest(last, within ? within : search->word);
    return nearest && strcmp(nearest, last) != 0 ? nearest
                                                 : word_nearest(search->key, search->word);
}

static void check_key(struct store *store, const char *text, const char *key)
{
    struct key_search search = {.key = key};
    for (size_t i = 0; i < COUNT_OF(fields); i++) key_visit(&search, fields[i].name, "");
    sqlite3_stmt *ask = store_prepare(
        store, "SELECT DISTINCT name, '' FROM axis "
               "UNION ALL SELECT * FROM (SELECT DISTINCT name, '' FROM (" STORE_SUMMARY ")) "
               "UNION ALL SELECT * FROM (SELECT DISTINCT name, '' FROM " COLUMNS ") "
               "UNION ALL SELECT * FROM (SELECT DISTINCT key, '' FROM environment) "
               "UNION ALL SELECT * FROM (SELECT DISTINCT key, iif(value LIKE '[%', value, '') FROM "
               "option) UNION ALL SELECT name, '' FROM " STORE_NAMES);
    while (!search.known && store_next(ask))
        visit_option((const char *)sqlite3_column_text(ask, 0),
                     (const char *)sqlite3_column_text(ask, 1), key_visit, &search);
    store_finish(ask);
    const char *nearest = search.known ? NULL : key_nearest(&search);
    if (!search.known)
        die("filter \"%s\": no stage has \"%s\"%s%s%s", text, key,
            nearest ? "; did you mean \"" : "", nearest ? nearest : "", nearest ? "\"?" : "");
    arena_free(&search.arena);
}

/* Whether a term compares a number with a word, at every stage that has its key. */
static bool is_misfit(struct filter *filter, const struct expression_term *term)
{
    bool found = false, fits = false;
    for (size_t i = 0; i < COUNT_OF(fields) && !found; i++)
        found = !fields[i].number && !strcmp(fields[i].name, term->key);
    if (found) fits = expression_term_fits(term, "a word");
    sqlite3_stmt *ask = store_ask(filter->store, "SELECT number FROM stage ORDER BY number", "");
    bool look_on = !found && !expression_term_fits(term, term->is_number ? "a word" : "1");
    while (look_on && store_next(ask)) {
        struct value_search search = {.term = term};
        filter->stage = sqlite3_column_int64(ask, 0);
        look_everywhere(filter, &search);
        found |= search.found;
        fits |= search.fits;
        look_on = !fits;
    }
    store_finish(ask);
    return found && !fits;
}

/* Those that offer values, and what else the store has of other programs. */
static const char *const *kinds(struct store *store, struct arena *arena)
{
    const struct offer *const *offer = offers();
    const char **other;
    const int others =
        store_texts(store_prepare(store, "SELECT DISTINCT kind FROM stage"), &other, arena);
    int count = 0;
    while (offer[count]) count++;
    const char **kind = ARENA_ARRAY(arena, const char *, count + others + 1);
    for (int i = 0; i < count; i++) kind[i] = offer[i]->kind;
    for (int i = 0; i < others; i++)
        if (!offer_of(other[i])) kind[count++] = other[i];
    return kind;
}

/* Kinds and states are few: another word is a slip, too. */
static void check_word(struct store *store, struct place place, const struct expression_term *term)
{
    static const char *const states[] = {STATUS_NEW,    STATUS_RUNNING,  STATUS_STOPPED,
                                         STATUS_FAILED, STATUS_DIVERGED, STATUS_DONE,
                                         NULL};
    const bool kind = !strcmp(term->key, "kind");
    if (strcmp(term->sign, "=") != 0 || (!kind && strcmp(term->key, "status") != 0)) return;
    struct arena arena = {0};
    const char *const *words = kind ? kinds(store, &arena) : states;
    if (!word_known(term->value, words))
        word_refuse(place, term->key, "there is no", term->value, words);
    arena_free(&arena);
}

void filter_check_key(struct store *store, const char *key)
{
    check_key(store, key, key);
}

struct filter *filter_read(struct store *store, const char *text, struct arena *arena)
{
    struct filter *filter = ARENA_NEW(arena, struct filter);
    filter->store = store;
    struct place place = {.file = arena_print(arena, "filter \"%s\"", text ? text : "")};
    if (text) filter->expression = expression_parse(arena, place, text);
    for (int i = 0; text && i < filter->expression->terms; i++) {
        check_key(store, text, filter->expression->term[i]->key);
        check_word(store, place, filter->expression->term[i]);
    }
    for (int i = 0; text && i < filter->expression->terms; i++)
        if (is_misfit(filter, filter->expression->term[i]))
            expression_term_refuse(place, filter->expression->term[i]);
    return filter;
}
