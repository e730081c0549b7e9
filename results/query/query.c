/* Evaluates filters of stages, and makes sheets of stages. When a key of a filter is first used,
 * its values are read for all stages at once (value_cache.h). */
#include "results/query/query.h"

#include <string.h>

#include "core/config/expression.h"
#include "core/config/word.h"
#include "results/sheet/cell.h"
#include "results/sheet/number_format.h"
#include "results/store/offer.h"
#include "results/store/status.h"

struct filter {
    struct store *store;
    struct arena *arena;
    struct value_cache *cache;
    const struct expression *expression;
    int64_t stage; /* the stage that is being tested */
};

/* The fields of every stage. */
static const char *const fields[] = {"id",  "kind", "status", "folder", "message",  "name", "grid",
                                     "tag", "note", "step",   "wall",   "attempts", NULL};
static const char *const status_words[] = {
    STATUS_NEW, STATUS_RUNNING, STATUS_STOPPED, STATUS_FAILED, STATUS_DIVERGED, STATUS_DONE, NULL};
/* ---- values of a stage under a key ---- */

struct value_search {
    const char *key;
    const struct expression_term *term; /* condition that values are tested with; NULL: values are
                                           collected */
    bool found, answered, holds, fits;
    struct arena *arena;
    const char *values;
};

/* Writes the path of an option (value_cache.h) to `keys`, without the indices of lists, and returns
 * `keys`. Example: "encoder.attention$[0].window" becomes "encoder.attention.window". */
static const char *without_places(const char *path, char keys[])
{
    char *to = keys;
    for (; *path; path++)
        if (*path == '[')
            path += strcspn(path, "]");
        else if (*path != '$')
            *to++ = *path;
    *to = 0;
    return keys;
}

static bool is_meant(const struct value_search *search, const struct value_cache_line *text,
                     bool exactly)
{
    char keys[1024];
    if (!text->key || !text->text || strlen(text->key) >= sizeof keys) return exactly && text->text;
    without_places(text->key, keys);
    return exactly ? !strcmp(search->key, keys) : expression_key_means(search->key, keys);
}

static void look_at(struct value_search *search, const char *value)
{
    search->found = true;
    search->holds |= search->term && expression_term_holds(search->term, value);
    search->fits |= search->term && expression_term_fits(search->term, value);
    if (!search->term)
        search->values =
            arena_append(search->arena, search->values, " ", arena_text(search->arena, value));
}

/* Tests or collects the answers to a question: the answers for one stage, or for all stages if
 * `stage` is -1. Returns the number of answers. If the path of an option is equal to the key,
 * options whose path only ends in the key are ignored. */
static int look_up(struct filter *filter, int64_t stage, enum value_cache_question question,
                   struct value_search *search)
{
    const char *point = question == VALUE_CACHE_OPTION ? strrchr(search->key, '.') : NULL;
    int count;
    const struct value_cache_line *text =
        value_cache_texts(filter->cache, stage, question, point ? point + 1 : search->key, &count);
    for (int exactly = 1; exactly >= 0 && !search->found; exactly--)
        for (int i = 0; i < count; i++)
            if (is_meant(search, &text[i], exactly)) look_at(search, text[i].text);
    return count;
}

/* Looks up a key. The key means the first question to which the stage has an answer. */
static struct value_search look_everywhere(struct filter *filter, int64_t stage, const char *key,
                                           const struct expression_term *term, struct arena *arena)
{
    struct value_search search = {.key = key, .term = term, .arena = arena};
    for (int q = 0; q < VALUE_CACHE_QUESTIONS && !search.found; q++)
        look_up(filter, stage, (enum value_cache_question)q, &search);
    return search;
}

static bool term_holds(void *context, const struct expression_term *term)
{
    struct filter *filter = context;
    return look_everywhere(filter, filter->stage, term->key, term, NULL).holds;
}

/* ---- a key that no stage has is an error, not an empty result ---- */

/* Looks up a key in all stages and at all questions. The result says if stages have the key, and if
 * the term (NULL: none) holds for one of their values, or fits one (expression_term_fits). */
static struct value_search look_at_all(struct filter *filter, const char *key,
                                       const struct expression_term *term)
{
    static const struct expression_term any = {.sign = "~", .value = ""};
    struct value_search all = {.found = word_known(key, fields)};
    for (int q = 0; q < VALUE_CACHE_QUESTIONS; q++) {
        struct value_search search = {.key = key, .term = term ? term : &any};
        const int count = look_up(filter, -1, (enum value_cache_question)q, &search);
        all.found |= search.found || (count && q != VALUE_CACHE_OPTION);
        all.answered |= search.found;
        all.holds |= search.holds;
        all.fits |= search.fits;
    }
    return all;
}

/* Exits with an error that suggests the nearest key. First compares the last words of keys with a
 * section, then whole keys. */
NORETURN static void refuse_key(struct filter *filter, const char *text, const char *key)
{
    const int64_t *number;
    const int stages = value_cache_count(filter->cache, &number);
    struct arena *arena = filter->arena;
    const char **word = NULL, **last = NULL, *point;
    int words = 0, lasts = 0;
    sqlite3_stmt *ask = value_cache_rows(filter->store, VALUE_CACHE_WORDS, number, stages, NULL);
    for (const char *const *own = fields; *own || store_next(ask);) {
        const char *path = *own ? *own++ : (const char *)sqlite3_column_text(ask, 0);
        const char *keys = without_places(path, arena_alloc(arena, strlen(path) + 1));
        ARENA_ADD(arena, word, words, keys);
        if ((point = strrchr(keys, '.'))) ARENA_ADD(arena, last, lasts, point + 1);
    }
    ARENA_ADD(arena, word, words, NULL);
    ARENA_ADD(arena, last, lasts, NULL);
    point = strrchr(key, '.');
    const char *nearest = word_nearest(point ? point + 1 : key, last);
    if (!nearest) nearest = word_nearest(key, word);
    die("filter \"%s\": no stage has the key \"%s\"%s%s%s", text, key,
        nearest ? "; did you mean \"" : "", nearest ? nearest : "", nearest ? "\"?" : "");
}

/* Exits with an error if no stage has the key of a term, or if the term fits none of its values.
 * Example: all values are numbers, and the term has a word. Also if there is no such kind or
 * status. */
static void check_term(struct filter *filter, struct location location, const char *text,
                       const struct expression_term *term)
{
    const struct value_search all = look_at_all(filter, term->key, term);
    const bool fits = all.fits || expression_term_fits(term, term->is_number ? "a word" : "1"),
               kind = !strcmp(term->key, "kind");
    const char **known = NULL;
    int count = 0;
    if (!all.found) refuse_key(filter, text, term->key);
    if (all.answered && !fits) expression_term_refuse(location, term);
    if (all.holds || strcmp(term->sign, "=") != 0 || (!kind && strcmp(term->key, "status") != 0))
        return;
    for (const struct offer *const *offer = offers(); kind && *offer; offer++)
        ARENA_ADD(filter->arena, known, count, (*offer)->kind);
    ARENA_ADD(filter->arena, known, count, NULL);
    if (!word_known(term->value, kind ? known : status_words))
        word_refuse(location, term->key, "there is no", term->value, kind ? known : status_words);
}

/* Returns the filter of a text. If `text` is NULL, the filter is true for every stage. */
static struct filter *filter_read(struct store *store, const char *text, struct arena *arena)
{
    struct filter *filter = ARENA_NEW(arena, struct filter);
    *filter = (struct filter){.store = store, .arena = arena};
    filter->cache = value_cache_open(store, NULL, 0, arena);
    if (!text) return filter;
    struct location location = {.file = arena_print(arena, "filter \"%s\"", text)};
    filter->expression = expression_parse(arena, location, text);
    const struct expression_term *const *term = filter->expression->term;
    for (int i = 0; i < filter->expression->terms; i++) check_term(filter, location, text, term[i]);
    return filter;
}

/* ---- stages and their rows ---- */

int query_stages_of(struct store *store, const char *const *id, int ids, struct found_stage **stage,
                    struct arena *arena)
{
    SCOPED(heap_free) char *list = id ? cell_json_texts(id, ids) : NULL;
    return find_read(store,
                     store_ask(store,
                               "SELECT " FOUND_COLUMNS " FROM stage WHERE ?1 IS NULL OR id IN "
                               "(SELECT value FROM json_each(?1)) ORDER BY started IS NOT NULL, "
                               "started DESC, folder",
                               "s", list),
                     stage, arena);
}

int query_stages(struct store *store, const char *text, struct found_stage **stage,
                 struct arena *arena)
{
    struct filter *filter = text ? filter_read(store, text, arena) : NULL;
    int n = 0;
    const int all = query_stages_of(store, NULL, 0, stage, arena);
    for (int i = 0; i < all; i++) {
        if (filter) filter->stage = (*stage)[i].number;
        if (!filter || expression_holds(filter->expression, term_holds, filter))
            (*stage)[n++] = (*stage)[i];
    }
    return n;
}

sqlite3_stmt *query_rows(struct store *store, enum value_cache_rows rows,
                         const struct found_stage *stage, int count)
{
    SCOPED(arena_free) struct arena arena = {0};
    int64_t *number = ARENA_ARRAY(&arena, int64_t, count);
    for (int i = 0; i < count; i++) number[i] = stage[i].number;
    return value_cache_rows(store, rows, number, count, NULL);
}

int query_details(struct store *store, const int64_t *number, int count,
                  const char *const *defaults, struct query_detail **detail, struct arena *arena)
{
    const char *list = NULL;
    int n = 0;
    for (int i = 0; i < count; i++)
        list = arena_append(arena, list, ",", defaults[i] ? defaults[i] : "null");
    sqlite3_stmt *ask = value_cache_rows(store, VALUE_CACHE_DETAILS, number, count,
                                         arena_print(arena, "[%s]", list));
    for (*detail = NULL; store_next(ask); n++) {
        char digits[REAL_TEXT];
        const char *value = store_value(ask, 3, digits);
        ARENA_MORE(arena, *detail, n);
        (*detail)[n] = (struct query_detail){.at = sqlite3_column_int(ask, 0),
                                             .part = sqlite3_column_int(ask, 1),
                                             .key = store_text(ask, 2, arena),
                                             .value = value ? arena_text(arena, value) : NULL,
                                             .shown = store_text(ask, 4, arena),
                                             .flag = sqlite3_column_int(ask, 5)};
    }
    return n;
}

struct sheet *query_sheet(sqlite3_stmt *ask, int first, int columns, int rows, int more,
                          struct arena *arena)
{
    struct sheet *sheet = sheet_new(arena, rows, columns + more);
    for (int i = 0; i < columns; i++)
        sheet->column[i].header = arena_text(arena, sqlite3_column_name(ask, first + i));
    int row = 0;
    for (; row < rows && store_next(ask); row++)
        for (int i = 0; i < columns; i++)
            sheet_set(sheet, row, i, store_text(ask, first + i, arena));
    store_finish(ask);
    sheet->rows = row;
    return sheet;
}

/* ---- `ls` for people ---- */

/* Returns a value as `ls` prints it: five digits of a number with a fraction. */
static const char *tidy(const char *value, struct arena *arena)
{
    double number;
    const bool shorten = real_parse(value, &number) && strchr(value, '.');
    return shorten ? number_short(arena, number) : value;
}

struct sheet *query_list(struct store *store, const struct found_stage *stage, int count,
                         const char *const *keys, struct arena *arena)
{
    enum { TIME = 3, AGE, COLUMNS = 6 };
    int extra = 0;
    while (keys && keys[extra]) extra++;
    struct sheet *sheet = query_sheet(query_rows(store, VALUE_CACHE_LIST, stage, count), 1, COLUMNS,
                                      count, extra, arena);
    sheet->column[TIME].align = sheet->column[AGE].align = SHEET_RIGHT;
    struct filter *filter = extra ? filter_read(store, NULL, arena) : NULL;
    for (int k = 0; k < extra; k++)
        if (!look_at_all(filter, keys[k], NULL).found) refuse_key(filter, keys[k], keys[k]);
    for (int k = 0; k < extra; k++) {
        const int column = COLUMNS + k;
        sheet->column[column] = (struct sheet_column){.header = keys[k], .align = SHEET_NUMBER};
        for (int i = 0; i < sheet->rows; i++) {
            const char *value =
                look_everywhere(filter, stage[i].number, keys[k], NULL, arena).values;
            sheet_set(sheet, i, column, value ? tidy(value, arena) : NULL);
        }
    }
    return sheet;
}
