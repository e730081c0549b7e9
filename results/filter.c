#include "results/filter.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/config/option.h"

enum node_kind {
    NODE_OR,
    NODE_AND,
    NODE_NOT, /* only left */
    NODE_COMPARE
};

struct node {
    enum node_kind kind;
    struct node *left, *right;
    const char *key, *compare, *value;
};

struct filter {
    struct store *store;
    struct arena *arena;
    const char *text, *at; /* at: what the parser reads next */
    int depth;
    struct node *root;
    sqlite3_stmt *values;
};

/* What a stage (?1, its number) has under a key (?2), best meaning first. */
static const char values_of[] =
    "SELECT rank, value FROM ("
    " SELECT 1 AS rank, CASE ?2 WHEN 'id' THEN id WHEN 'kind' THEN kind WHEN 'status' THEN status"
    "  WHEN 'folder' THEN folder WHEN 'message' THEN message WHEN 'step' THEN step"
    "  WHEN 'wall' THEN wall WHEN 'attempts' THEN attempts END AS value"
    "  FROM stage WHERE number = ?1"
    " UNION ALL SELECT 1, name FROM name WHERE stage = ?1 AND ?2 = 'name'"
    " UNION ALL SELECT 2, coalesce(text, value) FROM summary WHERE stage = ?1 AND name = ?2"
    " UNION ALL SELECT 3, (SELECT value FROM metric WHERE stage = ?1 AND name = ?2 AND layer IS"
    "  NULL ORDER BY step DESC LIMIT 1)"
    " UNION ALL SELECT 4, value FROM option"
    "  WHERE stage = ?1 AND (key = ?2 OR substr(key, -length(?2) - 1) = '.' || ?2)"
    " UNION ALL SELECT 5, value FROM environment WHERE stage = ?1 AND key = ?2"
    ") WHERE value IS NOT NULL ORDER BY rank";

enum { DEEPEST = 64 }; /* parentheses and nots within each other */

NORETURN static void refuse(const struct filter *filter, const char *expected)
{
    die("filter \"%s\": at character %d (\"%.20s\"): expected %s", filter->text,
        (int)(filter->at - filter->text) + 1, filter->at, expected);
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || (c && strchr("_.-+/", c)) || (unsigned char)c >= 128;
}

static void skip_blanks(struct filter *filter)
{
    filter->at += strspn(filter->at, " \t\n");
}

/* Takes a word or a sign when it comes next; a word must end there. */
static bool take(struct filter *filter, const char *what)
{
    skip_blanks(filter);
    size_t length = strlen(what);
    if (strncmp(filter->at, what, length) != 0) return false;
    if (is_word(what[0]) && is_word(filter->at[length])) return false;
    filter->at += length;
    return true;
}

static const char *take_word(struct filter *filter, const char *what, bool quotes)
{
    skip_blanks(filter);
    const char *start = filter->at, *end;
    if (quotes && (*start == '"' || *start == '\'')) {
        end = strchr(start + 1, *start);
        if (!end) refuse(filter, "a closing quote");
        filter->at = end + 1;
        return arena_text_range(filter->arena, start + 1, (size_t)(end - start - 1));
    }
    for (end = start; is_word(*end); end++) continue;
    if (end == start) refuse(filter, what);
    filter->at = end;
    return arena_text_range(filter->arena, start, (size_t)(end - start));
}

static struct node *node_new(struct filter *filter, enum node_kind kind, struct node *left,
                             struct node *right)
{
    struct node *node = ARENA_NEW(filter->arena, struct node);
    *node = (struct node){.kind = kind, .left = left, .right = right};
    return node;
}

static struct node *parse_comparison(struct filter *filter)
{
    static const char *const compare[] = {"!=", "<=", ">=", "==", "=", "<", ">", "~"};
    struct node *node = node_new(filter, NODE_COMPARE, NULL, NULL);
    node->key = take_word(filter, "a key", false);
    for (size_t i = 0; i < COUNT_OF(compare) && !node->compare; i++)
        if (take(filter, compare[i])) node->compare = compare[i];
    if (!node->compare) refuse(filter, "= != < <= > >= or ~");
    node->value = take_word(filter, "a value", true);
    return node;
}

static struct node *parse_or(struct filter *filter);

static struct node *parse_one(struct filter *filter)
{
    struct node *node;
    if (++filter->depth > DEEPEST) refuse(filter, "fewer parentheses");
    if (take(filter, "not")) {
        node = node_new(filter, NODE_NOT, parse_one(filter), NULL);
    } else if (take(filter, "(")) {
        node = parse_or(filter);
        if (!take(filter, ")")) refuse(filter, "\")\", and, or");
    } else {
        node = parse_comparison(filter);
    }
    filter->depth--;
    return node;
}
static struct node *parse_and(struct filter *filter)
{
    struct node *left = parse_one(filter);
    while (take(filter, "and")) left = node_new(filter, NODE_AND, left, parse_one(filter));
    return left;
}

static struct node *parse_or(struct filter *filter)
{
    struct node *left = parse_and(filter);
    while (take(filter, "or")) left = node_new(filter, NODE_OR, left, parse_and(filter));
    return left;
}

/* A key that no stage has is a slip of the pen, not an empty answer. */
static void check_keys(struct filter *filter, const struct node *node)
{
    if (node->left) check_keys(filter, node->left);
    if (node->right) check_keys(filter, node->right);
    if (node->kind != NODE_COMPARE) return;
    sqlite3_stmt *ask = store_prepare(
        filter->store,
        "SELECT key FROM (SELECT DISTINCT key FROM option UNION SELECT DISTINCT name FROM summary "
        "UNION SELECT DISTINCT name FROM metric UNION SELECT DISTINCT key FROM environment UNION "
        "VALUES ('id'), ('kind'), ('status'), ('folder'), ('message'), ('name'), ('step'), "
        "('wall'), ('attempts'))");
    int count = 0, room = 64;
    const char **word = heap_alloc((size_t)room * sizeof *word);
    bool known = false;
    while (store_next(ask)) {
        const char *key = store_text(ask, 0, filter->arena);
        size_t length = strlen(key), tail = strlen(node->key);
        known |= length >= tail && !strcmp(key + length - tail, node->key) &&
                 (length == tail || key[length - tail - 1] == '.');
        if (count + 2 >= room) word = heap_resize(word, (size_t)(room *= 2) * sizeof *word);
        word[count++] = key;
        const char *point = strrchr(key, '.');
        if (point) word[count++] = point + 1; /* as people write it */
    }
    word[count] = NULL;
    store_finish(ask);
    const char *nearest = known ? NULL : word_nearest(node->key, word);
    free(word);
    if (!known)
        die("filter \"%s\": no stage has \"%s\"%s%s%s", filter->text, node->key,
            nearest ? "; did you mean \"" : "", nearest ? nearest : "", nearest ? "\"?" : "");
}

struct filter *filter_read(struct store *store, const char *text, struct arena *arena)
{
    struct filter *filter = ARENA_NEW(arena, struct filter);
    *filter = (struct filter){.store = store, .arena = arena, .text = text, .at = text};
    filter->root = parse_or(filter);
    skip_blanks(filter);
    if (*filter->at) refuse(filter, "and, or, or the end");
    check_keys(filter, filter->root);
    filter->values = store_prepare(store, values_of);
    return filter;
}

void filter_close(struct filter *filter)
{
    store_finish(filter->values);
}

static bool as_number(const char *text, double *number)
{
    char *end;
    *number = strtod(text, &end);
    return end != text && !*end && isfinite(*number);
}

static bool compare(const char *left, const char *sign, const char *right)
{
    if (*sign == '~') return strstr(left, right) != NULL;
    double a, b;
    bool numbers = as_number(left, &a) && as_number(right, &b);
    int order = numbers ? (a > b) - (a < b) : strcmp(left, right);
    switch (*sign) {
    case '=':
        return order == 0;
    case '!':
        return order != 0;
    case '<':
        return numbers && (sign[1] ? order <= 0 : order < 0);
    default:
        return numbers && (sign[1] ? order >= 0 : order > 0);
    }
}

static bool node_takes(struct filter *filter, const struct node *node, int64_t stage)
{
    switch (node->kind) {
    case NODE_OR:
        return node_takes(filter, node->left, stage) || node_takes(filter, node->right, stage);
    case NODE_AND:
        return node_takes(filter, node->left, stage) && node_takes(filter, node->right, stage);
    case NODE_NOT:
        return !node_takes(filter, node->left, stage);
    case NODE_COMPARE:
        break;
    }
    bool takes = false;
    int best = 0;
    store_bind(filter->values, "is", stage, node->key);
    while (store_next(filter->values)) {
        int rank = sqlite3_column_int(filter->values, 0);
        const char *value = (const char *)sqlite3_column_text(filter->values, 1);
        if (!best) best = rank;
        if (rank == best) takes |= compare(value, node->compare, node->value);
    }
    return takes;
}

bool filter_takes(struct filter *filter, int64_t stage)
{
    return node_takes(filter, filter->root, stage);
}
