/* Small conditions that people type: which stages `ls` lists, which rows a grid keeps.
 *
 *   status = failed            kind=train and dropout=0.2 and dev_loss<1.6
 *   not (bleu >= 36 or name~Gate)          !(kind=score) && encoder.attention.window == 1
 *
 *   or:    and { ("or" | "||") and }
 *   and:   one { ("and" | "&&") one }
 *   one:   ("not" | "!") one | "(" or ")" | KEY OP VALUE
 *   OP:    = == (the same), !=, <, <=, >, >=, ~ (contains)
 *
 * Quotes ("..", '..') stand around a value that holds blanks or signs. Two numbers (number.h) are
 * compared as numbers, everything else as text; < <= > >= take numbers only. What values a key has
 * is the caller's business; a comparison holds when it holds for any of them, and so never where
 * there is none: `not (window = 1)` says that no window is 1, `window != 1` that one is not. */
#pragma once

#include "core/config/tree.h"

struct expression_term {
    const char *key, *value;
    const char *sign; /* one of != <= >= = < > ~ */
    bool is_number;   /* the value is one: */
    double number;
};

struct expression {
    struct expression_node *root;
    int terms;
    const struct expression_term **term; /* [terms] in the order of the text */
};

/* Everything lives in the arena. Dies at `place` with the character where something else was
 * expected; for a text of the command line, place.file is words for it, and there is no line. */
struct expression *expression_parse(struct arena *arena, struct place place, const char *text);

/* Whether a term holds: the caller asks expression_term_holds for each value of its key. */
typedef bool expression_answer(void *context, const struct expression_term *term);
bool expression_holds(const struct expression *expression, expression_answer *answer,
                      void *context);
bool expression_term_holds(const struct expression_term *term, const char *value);
/* KEY = VALUE */
struct expression_term expression_equals(const char *key, const char *value);

/* Whether the comparison has a sense for a value: < <= > >= of a word has none, and = and != of a
 * number with a word have none. A name may be a number, so = 3 fits any value, and so does ~. */
bool expression_term_fits(const struct expression_term *term, const char *value);
/* Dies at `place`: the term's key has values, and the term fits none of them. */
NORETURN void expression_term_refuse(struct place place, const struct expression_term *term);

/* Whether `key` means what stands at the dotted path of map keys: its last word is the path's last
 * one, the others stand before it in the path, in their order. Lists have no words in a path. So
 * "window", "attention.window" and "encoder.attention.window" all mean the window of
 * {encoder: {attention: [{branches: [{window: 1}]}]}}. Where something stands at exactly the path
 * that the key spells out, outside of lists, only that is meant: encoder.layers is the depth of the
 * stack, whatever encoder.attention says of layers. (That rule is the caller's.) */
bool expression_key_means(const char *key, const char *path);
/* Whether the term holds for any scalar in the tree that its key means, by both rules. */
bool expression_term_holds_in(const struct expression_term *term, const struct tree *tree);
/* Whether the tree has any such scalar, and in *fits whether the term fits one of them. */
bool expression_term_meets(const struct expression_term *term, const struct tree *tree, bool *fits);
