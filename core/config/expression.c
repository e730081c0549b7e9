/* Parses and evaluates expressions by recursive descent: one function per rule of the grammar. */
#include "core/config/expression.h"

#include <ctype.h>
#include <string.h>

#include "core/base/number.h"

enum node_kind {
    NODE_OR,
    NODE_AND,
    NODE_NOT, /* has only `left` */
    NODE_TERM
};

struct expression_node {
    enum node_kind kind;
    const struct expression_node *left, *right;
    struct expression_term term;
};

struct parser {
    struct arena *arena;
    struct location location;
    struct expression *expression;
    const char *text, *at; /* `at` is the next character */
    int depth;
};

enum { DEEPEST = 64 }; /* nested parentheses and nots */

NORETURN static void refuse(const struct parser *parser, const char *expected)
{
    if (!*parser->at && *parser->text)
        die_at(parser->location, "\"%.80s\" ends too early: expected %s", parser->text, expected);
    die_at(parser->location, "at character %d (\"%.20s\"): expected %s",
           (int)(parser->at - parser->text) + 1, parser->at, expected);
}

/* ---- words and signs ---- */

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || (c && strchr("_.-+/@", c)) || (unsigned char)c >= 128;
}

static void skip_blanks(struct parser *parser)
{
    parser->at += strspn(parser->at, " \t\n");
}

/* Consumes a word or a sign if it is next. A word must end there. */
static bool take(struct parser *parser, const char *what)
{
    skip_blanks(parser);
    size_t length = strlen(what);
    if (strncmp(parser->at, what, length) != 0) return false;
    if (is_word(what[0]) && is_word(parser->at[length])) return false;
    parser->at += length;
    return true;
}

static const char *take_word(struct parser *parser, const char *what)
{
    skip_blanks(parser);
    const char *start = parser->at;
    while (is_word(*parser->at)) parser->at++;
    if (parser->at == start) refuse(parser, what);
    return arena_text_range(parser->arena, start, (size_t)(parser->at - start));
}

static const char *take_value(struct parser *parser)
{
    skip_blanks(parser);
    const char *start = parser->at;
    if (*start != '"' && *start != '\'') return take_word(parser, "a value");
    const char *end = strchr(start + 1, *start);
    if (!end) refuse(parser, "a closing quote");
    parser->at = end + 1;
    return arena_text_range(parser->arena, start + 1, (size_t)(end - start - 1));
}

static const char *take_sign(struct parser *parser)
{
    static const char *const signs[] = {"!=", "<=", ">=", "=", "<", ">", "~"};
    if (take(parser, "==")) return "=";
    for (size_t i = 0; i < COUNT_OF(signs); i++)
        if (take(parser, signs[i])) return signs[i];
    refuse(parser, "= != < <= > >= or ~");
}

static bool is_order(const char *sign)
{
    return *sign == '<' || *sign == '>';
}

/* ---- the grammar ---- */

static struct expression_node *node_new(struct parser *parser, enum node_kind kind,
                                        const struct expression_node *left,
                                        const struct expression_node *right)
{
    struct expression_node *node = ARENA_NEW(parser->arena, struct expression_node);
    *node = (struct expression_node){.kind = kind, .left = left, .right = right};
    return node;
}

struct expression_term expression_equals(const char *key, const char *value)
{
    struct expression_term term = {.key = key, .value = value, .sign = "="};
    term.is_number = real_parse(value, &term.number);
    return term;
}

static struct expression_node *parse_term(struct parser *parser)
{
    struct expression_node *node = node_new(parser, NODE_TERM, NULL, NULL);
    struct expression_term *term = &node->term;
    term->key = take_word(parser, "a key");
    term->sign = take_sign(parser);
    skip_blanks(parser);
    const char *value = parser->at;
    term->value = take_value(parser);
    term->is_number = real_parse(term->value, &term->number);
    if (!term->is_number && is_order(term->sign)) {
        parser->at = value;
        refuse(parser, arena_print(parser->arena, "a number after %s", term->sign));
    }
    struct expression *expression = parser->expression;
    ARENA_ADD(parser->arena, expression->term, expression->terms, term);
    return node;
}

static struct expression_node *parse_or(struct parser *parser);

static struct expression_node *parse_one(struct parser *parser)
{
    struct expression_node *node;
    if (++parser->depth > DEEPEST) refuse(parser, "fewer parentheses");
    if (take(parser, "not") || take(parser, "!")) {
        node = node_new(parser, NODE_NOT, parse_one(parser), NULL);
    } else if (take(parser, "(")) {
        node = parse_or(parser);
        if (!take(parser, ")")) refuse(parser, "\")\", and, or");
    } else {
        node = parse_term(parser);
    }
    parser->depth--;
    return node;
}

static struct expression_node *parse_and(struct parser *parser)
{
    struct expression_node *left = parse_one(parser);
    while (take(parser, "and") || take(parser, "&&"))
        left = node_new(parser, NODE_AND, left, parse_one(parser));
    return left;
}

static struct expression_node *parse_or(struct parser *parser)
{
    struct expression_node *left = parse_and(parser);
    while (take(parser, "or") || take(parser, "||"))
        left = node_new(parser, NODE_OR, left, parse_and(parser));
    return left;
}

struct expression *expression_parse(struct arena *arena, struct location location, const char *text)
{
    struct expression *expression = ARENA_NEW(arena, struct expression);
    struct parser parser = {arena, location, expression, .text = text, .at = text};
    expression->root = parse_or(&parser);
    skip_blanks(&parser);
    if (*parser.at) refuse(&parser, "and, or, or the end");
    return expression;
}

/* ---- evaluation ---- */

static bool node_holds(const struct expression_node *node, expression_answer *answer, void *context)
{
    switch (node->kind) {
    case NODE_OR:
        return node_holds(node->left, answer, context) || node_holds(node->right, answer, context);
    case NODE_AND:
        return node_holds(node->left, answer, context) && node_holds(node->right, answer, context);
    case NODE_NOT:
        return !node_holds(node->left, answer, context);
    case NODE_TERM:
        break;
    }
    return answer(context, &node->term);
}

bool expression_holds(const struct expression *expression, expression_answer *answer, void *context)
{
    return node_holds(expression->root, answer, context);
}

bool expression_term_holds(const struct expression_term *term, const char *value)
{
    double number;
    if (*term->sign == '~') return strstr(value, term->value) != NULL;
    bool numbers = term->is_number && real_parse(value, &number);
    int order =
        numbers ? (number > term->number) - (number < term->number) : strcmp(value, term->value);
    bool or_equal = term->sign[1];
    switch (*term->sign) {
    case '=':
        return order == 0;
    case '!':
        return order != 0;
    case '<':
        return numbers && (order < 0 || (or_equal && order == 0));
    default:
        return numbers && (order > 0 || (or_equal && order == 0));
    }
}

bool expression_term_fits(const struct expression_term *term, const char *value)
{
    double number;
    if (*term->sign == '~') return true;
    const bool is_number = real_parse(value, &number);
    return is_order(term->sign) ? is_number : term->is_number || !is_number;
}

void expression_term_refuse(struct location location, const struct expression_term *term)
{
    if (is_order(term->sign))
        die_at(location, "\"%s\" has words only, and %s compares numbers; expected =, != or ~",
               term->key, term->sign);
    die_at(location, "\"%s\" has numbers only; expected a number after %s, got \"%s\"", term->key,
           term->sign, term->value);
}

/* ---- keys and paths ---- */

/* Returns the rest of a dotted path after its first `length` bytes and a dot; NULL if there is
 * none. */
static const char *rest_after(const char *path, size_t length)
{
    return path[length] ? path + length + 1 : NULL;
}

bool expression_key_means(const char *key, const char *path)
{
    for (;;) {
        size_t word = strcspn(key, "."), step = strcspn(path, ".");
        const char *next_key = rest_after(key, word), *next_path = rest_after(path, step);
        bool same = word == step && strncmp(key, path, word) == 0;
        if (!next_path) return same && !next_key;
        if (same && next_key) key = next_key;
        path = next_path;
    }
}

struct lookup {
    const struct expression_term *term;
    tree_visitor *visit; /* NULL: none */
    void *context;
    bool holds;
};

static void look_at(void *context, const char *path, const struct tree *scalar)
{
    struct lookup *lookup = context;
    if (!expression_key_means(lookup->term->key, path)) return;
    lookup->holds = lookup->holds || expression_term_holds(lookup->term, scalar->text);
    if (lookup->visit) lookup->visit(lookup->context, path, scalar);
}

/* Looks at the scalars of the tree that the term's key selects. */
static void look_in(struct lookup *lookup, const struct tree *tree)
{
    const struct tree *exactly = tree_find(tree, lookup->term->key);
    if (exactly && exactly->kind == TREE_SCALAR)
        look_at(lookup, lookup->term->key, exactly);
    else
        tree_visit(tree, "", look_at, lookup);
}

bool expression_term_holds_in(const struct expression_term *term, const struct tree *tree)
{
    struct lookup lookup = {.term = term};
    look_in(&lookup, tree);
    return lookup.holds;
}

void expression_term_visit(const struct expression_term *term, const struct tree *tree,
                           tree_visitor *visit, void *context)
{
    look_in(&(struct lookup){.term = term, .visit = visit, .context = context}, tree);
}
