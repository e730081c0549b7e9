/* A key is looked up in all stages at once (relation.h), when it is first asked for. */
#include <string.h>

#include "core/config/expression.h"
#include "core/config/word.h"
#include "results/query/query.h"
#include "results/sheet/cell.h"
#include "results/store/offer.h"
#include "results/store/status.h"

struct filter {
    struct store *store;
    struct arena *arena;
    struct relation *relation;
    const struct expression *expression;
    int64_t stage; /* the one that is looked at */
};

/* What a stage may have under a key of its own. */
static const char *const fields[] = {"id",  "kind", "status", "folder", "message",  "name", "grid",
                                     "tag", "note", "step",   "wall",   "attempts", NULL};
/* ---- what a stage has under a key ---- */

struct value_search {
    const char *key;
    const struct expression_term *term; /* NULL: its values are wanted */
    bool found, holds, fits;
    struct arena *arena;
    const char *values;
};

/* The keys of maps on the path of an option (relation.h), without the places in lists. */
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

static bool is_meant(const struct value_search *search, const struct relation_text *text,
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

/* The answers to a question, of one stage or with -1 of all; returns how many there are. Of options
 * that at the very path of the key, if there is one, is meant alone. */
static int look_up(struct filter *filter, int64_t stage, enum relation_question question,
                   struct value_search *search)
{
    const char *point = question == RELATION_OPTION ? strrchr(search->key, '.') : NULL;
    int count;
    const struct relation_text *text =
        relation_texts(filter->relation, stage, question, point ? point + 1 : search->key, &count);
    for (int exactly = 1; exactly >= 0 && !search->found; exactly--)
        for (int i = 0; i < count; i++)
            if (is_meant(search, &text[i], exactly)) look_at(search, text[i].text);
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

/* By its last word, as people write it: one of the same section, if there is such a section, for a
 * word of another one is not what was meant. Or else by the whole key. */
static const char *key_nearest(const char *const *word, int words, const char *key,
                               struct arena *arena)
{
    const char *point = strrchr(key, '.'), *last = point ? point + 1 : key;
    const size_t section = point ? strcspn(key, ".") + 1 : 0;
    const char **within = ARENA_ARRAY(arena, const char *, words + 1);
    int count = 0;
    for (int i = 0; i < words && section; i++) {
        const char *end = strrchr(word[i], '.');
        if (end && !strncmp(word[i], key, section)) within[count++] = end + 1;
    }
    const char *nearest = word_nearest(last, count ? within : word);
    return nearest && strcmp(nearest, last) != 0 ? nearest : word_nearest(key, word);
}

static bool is_known(struct filter *filter, const char *key)
{
    bool known = word_known(key, fields);
    for (int q = 0; q < RELATION_QUESTIONS && !known; q++) {
        struct value_search search = {.key = key,
                                      .term = &(struct expression_term){.sign = "~", .value = ""}};
        const int count = look_up(filter, -1, (enum relation_question)q, &search);
        known = search.found || (count && q != RELATION_OPTION);
    }
    return known;
}

void filter_check_key(struct filter *filter, const char *text, const char *key)
{
    if (is_known(filter, key)) return;
    const int64_t *number;
    const int stages = relation_count(filter->relation, &number);
    struct arena *arena = filter->arena;
    const char **word = NULL, *point;
    int count = 0;
    sqlite3_stmt *ask = relation_rows(filter->store, RELATION_WORDS, number, stages, NULL);
    for (const char *const *own = fields; *own || store_next(ask);) {
        const char *path = *own ? *own++ : (const char *)sqlite3_column_text(ask, 0);
        const char *keys = without_places(path, arena_alloc(arena, strlen(path) + 1));
        ARENA_MORE(arena, word, count);
        word[count++] = keys;
        if (!(point = strrchr(keys, '.'))) continue;
        ARENA_MORE(arena, word, count);
        word[count++] = point + 1; /* as people write it */
    }
    ARENA_MORE(arena, word, count);
    word[count] = NULL;
    const char *nearest = key_nearest(word, count, key, arena);
    die("filter \"%s\": no stage has \"%s\"%s%s%s", text, key, nearest ? "; did you mean \"" : "",
        nearest ? nearest : "", nearest ? "\"?" : "");
}

/* Whether a term compares a number with a word, at every stage that has its key. */
static bool is_misfit(struct filter *filter, const struct expression_term *term)
{
    const int64_t *number;
    const int stages = relation_count(filter->relation, &number);
    bool found = false, fits = expression_term_fits(term, term->is_number ? "a word" : "1");
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
        filter_check_key(filter, text, term[i]->key);
        check_word(filter, place, term[i]);
    }
    for (int i = 0; i < filter->expression->terms; i++)
        if (is_misfit(filter, term[i])) expression_term_refuse(place, term[i]);
    return filter;
}
