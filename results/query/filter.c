/* A key is looked up in all stages at once (relation.h), when it is first asked for. */
#include "results/query/filter.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "core/config/expression.h"
#include "core/config/word.h"
#include "results/sheet/cell.h"
#include "results/store/offer.h"
#include "results/store/relation.h"
#include "results/store/status.h"

struct filter {
    struct store *store;
    struct arena *arena;
    struct relation *relation;
    const struct expression *expression;
    int64_t stage; /* the one that is looked at */
};

/* What every stage has under a key of its own, which no stage need have. */
static const char *const words[] = {"id",   "kind", "status", "folder", "message",
                                    "name", "grid", "tag",    "note",   NULL};
static const char *const numbers[] = {"step", "wall", "attempts", NULL};

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
static void visit_option(const struct relation_text *option, visit_function *visit, void *context)
{
    visit(context, option->key, option->text);
    json_t *list = *option->text == '[' ? json_loads(option->text, 0, NULL) : NULL;
    visit_json(list, option->key, visit, context);
    json_decref(list);
}

/* ---- what a stage has under a key ---- */

struct value_search {
    const char *key;
    const struct expression_term *term; /* NULL: its values are wanted */
    bool exactly;                       /* of options only that at this very path */
    bool found, holds, fits;
    struct arena *arena;
    const char *values;
};

static void look_at(void *context, const char *path, const char *value)
{
    struct value_search *search = context;
    if (path && (search->exactly ? strcmp(search->key, path) != 0
                                 : !expression_key_means(search->key, path)))
        return;
    search->found = true;
    search->holds |= search->term && expression_term_holds(search->term, value);
    search->fits |= search->term && expression_term_fits(search->term, value);
    if (!search->term)
        search->values =
            cell_append(search->values, " ", arena_text(search->arena, value), search->arena);
}

/* The answers to a question, of one stage or with -1 of all; returns how many there are. */
static int look_up(struct filter *filter, int64_t stage, enum relation_question question,
                   struct value_search *search)
{
    const char *point = strrchr(search->key, '.');
    int count;
    const struct relation_text *text =
        relation_texts(filter->relation, stage, question,
                       question == RELATION_OPTION && point ? point + 1 : search->key, &count);
    for (int exactly = 1; exactly >= 0 && !search->found; exactly--) {
        search->exactly = exactly;
        for (int i = 0; i < count; i++)
            if (text[i].key)
                visit_option(&text[i], look_at, search);
            else if (text[i].text && exactly)
                look_at(search, NULL, text[i].text);
    }
    return count;
}

/* The first question to which the stage has an answer says what the key means. */
static struct value_search look_everywhere(struct filter *filter, int64_t stage, const char *key,
                                           const struct expression_term *term, struct arena *arena)
{
    struct value_search search = {.key = key, .term = term, .arena = arena};
    for (int q = 0; q < RELATION_QUESTIONS && !search.found; q++)
        look_up(filter, stage, (enum relation_question)q, &search);
    return search;
}

static bool term_holds(void *context, const struct expression_term *term)
{
    struct filter *filter = context;
    return look_everywhere(filter, filter->stage, term->key, term, NULL).holds;
}

const char *filter_values(struct filter *filter, int64_t stage, const char *key,
                          struct arena *arena)
{
    return look_everywhere(filter, stage, key, NULL, arena).values;
}

bool filter_takes(struct filter *filter, int64_t stage)
{
    filter->stage = stage;
    return !filter->expression || expression_holds(filter->expression, term_holds, filter);
}

/* ---- a key that no stage has is a slip of the pen, not an empty answer ---- */

struct key_search {
    struct arena *arena;
    int count;
    const char **word; /* everything that is a key somewhere; NULL-terminated */
};

static void key_add(void *context, const char *path, const char *value)
{
    struct key_search *search = context;
    const char *point = strrchr(path, '.');
    (void)value;
    ARENA_MORE(search->arena, search->word, search->count);
    search->word[search->count++] = arena_text(search->arena, path);
    if (point) key_add(search, point + 1, NULL); /* as people write it */
}

/* By its last word, as people write it: one of the same section, if there is such a section, for a
 * word of another one is not what was meant. Or else by the whole key. */
static const char *key_nearest(const struct key_search *search, const char *key)
{
    const char *point = strrchr(key, '.'), *last = point ? point + 1 : key;
    const size_t section = point ? strcspn(key, ".") + 1 : 0;
    const char **within = ARENA_ARRAY(search->arena, const char *, search->count + 1);
    int count = 0;
    for (int i = 0; i < search->count && section; i++) {
        const char *end = strrchr(search->word[i], '.');
        if (end && !strncmp(search->word[i], key, section)) within[count++] = end + 1;
    }
    const char *nearest = word_nearest(last, count ? within : search->word);
    return nearest && strcmp(nearest, last) != 0 ? nearest : word_nearest(key, search->word);
}

static bool is_known(struct filter *filter, const char *key)
{
    bool known = word_known(key, words) || word_known(key, numbers);
    for (int q = 0; q < RELATION_QUESTIONS && !known; q++) {
        struct value_search search = {.key = key,
                                      .term = &(struct expression_term){.sign = "~", .value = ""}};
        const int count = look_up(filter, -1, (enum relation_question)q, &search);
        known = search.found || (count && q != RELATION_OPTION);
    }
    return known;
}

static void check_key(struct filter *filter, const char *text, const char *key)
{
    if (is_known(filter, key)) return;
    const int64_t *number;
    const int stages = relation_count(filter->relation, &number);
    struct key_search search = {.arena = filter->arena};
    for (int i = 0; words[i]; i++) key_add(&search, words[i], NULL);
    for (int i = 0; numbers[i]; i++) key_add(&search, numbers[i], NULL);
    sqlite3_stmt *ask = relation_rows(filter->store, RELATION_WORDS, number, stages);
    while (store_next(ask))
        visit_option(&(struct relation_text){(const char *)sqlite3_column_text(ask, 0),
                                             (const char *)sqlite3_column_text(ask, 1)},
                     key_add, &search);
    ARENA_MORE(search.arena, search.word, search.count);
    search.word[search.count] = NULL;
    const char *nearest = key_nearest(&search, key);
    die("filter \"%s\": no stage has \"%s\"%s%s%s", text, key, nearest ? "; did you mean \"" : "",
        nearest ? nearest : "", nearest ? "\"?" : "");
}

/* Whether a term compares a number with a word, at every stage that has its key. */
static bool is_misfit(struct filter *filter, const struct expression_term *term)
{
    const int64_t *number;
    const int stages = relation_count(filter->relation, &number);
    bool found = false, fits = expression_term_fits(term, term->is_number ? "a word" : "1");
    if (word_known(term->key, words)) return !expression_term_fits(term, "a word");
    for (int i = 0; i < stages && !fits; i++) {
        const struct value_search search =
            look_everywhere(filter, number[i], term->key, term, NULL);
        found |= search.found;
        fits |= search.fits;
    }
    return found && !fits;
}

/* Those that offer values, and what else the store has of other programs. */
static const char *const *kinds(struct filter *filter)
{
    const struct offer *const *offer = offers();
    const char **other;
    const int others = store_texts(store_prepare(filter->store, "SELECT DISTINCT kind FROM stage"),
                                   &other, filter->arena);
    int count = 0;
    while (offer[count]) count++;
    const char **kind = ARENA_ARRAY(filter->arena, const char *, count + others + 1);
    for (int i = 0; i < count; i++) kind[i] = offer[i]->kind;
    for (int i = 0; i < others; i++)
        if (!offer_of(other[i])) kind[count++] = other[i];
    return kind;
}

/* Kinds and states are few: another word is a slip, too. */
static void check_word(struct filter *filter, struct place place,
                       const struct expression_term *term)
{
    static const char *const states[] = {STATUS_NEW,    STATUS_RUNNING,  STATUS_STOPPED,
                                         STATUS_FAILED, STATUS_DIVERGED, STATUS_DONE,
                                         NULL};
    const bool kind = !strcmp(term->key, "kind");
    if (strcmp(term->sign, "=") != 0 || (!kind && strcmp(term->key, "status") != 0)) return;
    const char *const *known = kind ? kinds(filter) : states;
    if (!word_known(term->value, known))
        word_refuse(place, term->key, "there is no", term->value, known);
}

void filter_check_key(struct filter *filter, const char *key)
{
    check_key(filter, key, key);
}

struct filter *filter_read(struct store *store, const char *text, struct arena *arena)
{
    struct filter *filter = ARENA_NEW(arena, struct filter);
    *filter = (struct filter){.store = store, .arena = arena};
    filter->relation = relation_open(store, NULL, 0, arena);
    if (!text) return filter;
    struct place place = {.file = arena_print(arena, "filter \"%s\"", text)};
    filter->expression = expression_parse(arena, place, text);
    const struct expression_term *const *term = filter->expression->term;
    for (int i = 0; i < filter->expression->terms; i++) {
        check_key(filter, text, term[i]->key);
        check_word(filter, place, term[i]);
    }
    for (int i = 0; i < filter->expression->terms; i++)
        if (is_misfit(filter, term[i])) expression_term_refuse(place, term[i]);
    return filter;
}
