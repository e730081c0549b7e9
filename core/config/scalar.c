/* Reads strict scalars: numbers and booleans of YAML 1.2's core schema. Refuses everything else
 * in one line. */
#include "core/config/scalar.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/number.h"
#include "core/config/word.h"

#define DIGITS "0123456789"

enum { SAY = 200 }; /* size of a part of a message in bytes */

/* ---- refusals: "what: expected ..., got ...; hint" ---- */

NORETURN static void refuse(const struct tree *tree, const char *what, const char *expected,
                            const char *hint)
{
    if (tree->kind != TREE_SCALAR || tree_is_nothing(tree))
        die_at(tree->location, "%s: expected %s, got %s", what, expected, tree_kind_name(tree));
    die_at(tree->location, "%s: expected %s, got %s\"%.80s\"%s", what, expected,
           tree->quoted ? "the quoted text " : "", tree->text, hint);
}

/* Sets infinite limits if both limits are 0, which means that there is no range. */
static void open_range(double *low, double *high)
{
    CHECK(*low <= *high, "an empty range");
    if (*low != 0 || *high != 0) return;
    *low = -INFINITY;
    *high = INFINITY;
}

/* The numbers that an option expects. `kind` is "a number" or "a whole number". */
struct number_limits {
    const char *kind;
    double low, high;
};

/* Refuses a scalar. The message expects "a number from 0 to 1", "a number of at least 0", or only
 * the kind if there is no limit. */
NORETURN static void refuse_number(const struct tree *scalar, const char *what,
                                   const struct number_limits *limits, const char *hint)
{
    char expected[SAY], least[REAL_TEXT], most[REAL_TEXT];
    real_print(limits->low, least);
    real_print(limits->high, most);
    if (isinf(limits->low) && isinf(limits->high))
        snprintf(expected, SAY, "%s", limits->kind);
    else if (isinf(limits->high))
        snprintf(expected, SAY, "%s of at least %s", limits->kind, least);
    else if (isinf(limits->low))
        snprintf(expected, SAY, "%s of at most %s", limits->kind, most);
    else
        snprintf(expected, SAY, "%s from %s to %s", limits->kind, least, most);
    refuse(scalar, what, expected, hint);
}

/* Returns the value of a scalar that is a number within the limits. Refuses every other scalar. */
static double read_number(const struct tree *scalar, const char *what, struct number_limits *limits)
{
    const char *text = scalar->kind == TREE_SCALAR ? scalar->text : "";
    open_range(&limits->low, &limits->high);
    if (!number_valid(text))
        refuse_number(scalar, what, limits,
                      strchr(text, ',') ? "; expected one value: several values are a sweep" : "");
    if (scalar->quoted) refuse_number(scalar, what, limits, "; remove the quotes");
    errno = 0;
    double value = number_read(text);
    if (errno == ERANGE && fabs(value) < 1)
        refuse_number(scalar, what, limits, "; the number is too small: it would be rounded to 0");
    if (value < limits->low || value > limits->high || isinf(value))
        refuse_number(scalar, what, limits, "");
    return value + 0.0; /* turns -0 into 0 */
}

double scalar_real(const struct tree *scalar, const char *what, double low, double high)
{
    return read_number(scalar, what, &(struct number_limits){"a number", low, high});
}

static int64_t read_whole(const struct tree *scalar, const char *what, double low, double high,
                          double most)
{
    char hint[SAY] = "", digits[REAL_TEXT];
    struct number_limits limits = {"a whole number", low, high};
    double value = read_number(scalar, what, &limits);
    if (strspn(scalar->text, "+-" DIGITS) < strlen(scalar->text)) {
        real_print(value, digits);
        if (value == rint(value)) snprintf(hint, SAY, "; write %s", digits);
        refuse_number(scalar, what, &limits, hint);
    }
    if (fabs(value) > most) {
        snprintf(hint, SAY, "; %.0f is the largest", most);
        refuse_number(scalar, what, &limits, hint);
    }
    return (int64_t)value;
}

int scalar_int(const struct tree *scalar, const char *what, double low, double high)
{
    return (int)read_whole(scalar, what, low, high, INT_MAX);
}

int64_t scalar_int64(const struct tree *scalar, const char *what, double low, double high)
{
    return read_whole(scalar, what, low, high, 0x1p53);
}

bool scalar_bool(const struct tree *scalar, const char *what)
{
    static const char *const yes[] = {"true", "yes", "on", "y", "1"};
    static const char *const no[] = {"false", "no", "off", "n", "0"};
    const char *hint = "";
    if (scalar->kind == TREE_SCALAR) {
        for (size_t i = 0; i < COUNT_OF(yes); i++) {
            if (strcasecmp(scalar->text, yes[i]) == 0) hint = "; write true";
            if (strcasecmp(scalar->text, no[i]) == 0) hint = "; write false";
        }
        if (!scalar->quoted && strcmp(scalar->text, "true") == 0) return true;
        if (!scalar->quoted && strcmp(scalar->text, "false") == 0) return false;
        if (scalar->quoted && *hint) hint = "; remove the quotes";
    }
    refuse(scalar, what, "true or false", hint);
}

const char *scalar_text(const struct tree *scalar, const char *what)
{
    if (scalar->kind != TREE_SCALAR) refuse(scalar, what, "a text", "");
    if (tree_is_nothing(scalar)) {
        die_at(scalar->location, "%s: expected a text, got %s; an empty text is written \"\"", what,
               *scalar->text ? scalar->text : "nothing");
    }
    return scalar->text;
}

/* ---- words and lists of words ---- */

enum { CHOICES = 32 };

int scalar_choice(const struct tree *scalar, const char *what, const char *choices)
{
    char copy[512], *rest = copy;
    const char *word[CHOICES + 1] = {NULL};
    int count = 0;
    CHECK(strlen(choices) < sizeof copy, "long choices %s", choices);
    strcpy(copy, choices);
    for (char *next; (next = strsep(&rest, "|"));) {
        CHECK(count < CHOICES, "many choices %s", choices);
        word[count++] = next;
    }
    if (scalar->kind != TREE_SCALAR || tree_is_nothing(scalar)) {
        die_at(scalar->location, "%s: expected one of %s, got %s", what, choices,
               tree_kind_name(scalar));
    }
    for (int i = 0; i < count; i++) {
        if (*word[i] != '{' && strcmp(word[i], scalar->text) == 0) return i;
    }
    word_refuse(scalar->location, what, "unknown word", scalar->text, word);
}

struct texts scalar_texts(const struct tree *tree, const char *what, struct arena *arena)
{
    if (tree->kind == TREE_MAP) refuse(tree, what, "a list of texts, or one text", "");
    bool one = tree->kind == TREE_SCALAR;
    struct texts texts = {.count = one ? 1 : tree->count};
    texts.text = ARENA_ARRAY(arena, const char *, texts.count);
    texts.location = ARENA_ARRAY(arena, struct location, texts.count);
    for (int i = 0; i < texts.count; i++) {
        const struct tree *item = one ? tree : tree->item[i];
        texts.text[i] = arena_text(arena, scalar_text(item, what));
        texts.location[i] = item->location;
    }
    return texts;
}

bool texts_have(const struct texts *texts, const char *text)
{
    for (int i = 0; i < texts->count; i++)
        if (!strcmp(texts->text[i], text)) return true;
    return false;
}

void texts_add(struct texts *texts, const char *text, struct location location, struct arena *arena)
{
    ARENA_MORE(arena, texts->text, texts->count);
    ARENA_MORE(arena, texts->location, texts->count);
    texts->location[texts->count] = location;
    texts->text[texts->count++] = text;
}

const char *const *texts_words(const struct texts *texts, struct arena *arena)
{
    const char **word = ARENA_ARRAY(arena, const char *, texts->count + 1);
    for (int i = 0; i < texts->count; i++) word[i] = texts->text[i];
    return word;
}
