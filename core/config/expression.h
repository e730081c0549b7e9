/* Filter expressions. They select the stages that `ls` lists, or the rows that a grid keeps.
 *
 *   status = failed            kind=train and dropout=0.2 and dev_loss<1.6
 *   not (bleu >= 36 or name~Gate)          !(kind=score) && encoder.attention.window == 1
 *
 *   or:    and { ("or" | "||") and }
 *   and:   one { ("and" | "&&") one }
 *   one:   ("not" | "!") one | "(" or ")" | KEY OP VALUE
 *   OP:    = == (the same), !=, <, <=, >, >=, ~ (contains)
 *
 * A value must be quoted ("..", '..') if it has characters other than letters, digits and `_.-+/@`.
 * Two numbers (number.h) are compared as numbers, everything else as text. < <= > >= accept only
 * numbers. A key may have several values, which the caller finds. A comparison is true if it is
 * true for at least one value of the key. It is false if the key has no value. So `not (window =
 * 1)` means that no window is 1, and `window != 1` means that at least one window is not 1. */
#pragma once

#include "core/config/tree.h"

struct expression_term {
    const char *key, *value;
    const char *sign; /* one of != <= >= = < > ~ */
    bool is_number;   /* the value is a number, in `number` */
    double number;
};

struct expression {
    struct expression_node *root;
    int terms;
    const struct expression_term **term; /* [terms] comparisons in the order of the text */
};

/* Parses a text. The result is in the arena. On an error dies at `location`; the message has the
 * position of the error and the expectation. If the text is from the command line, location.file
 * describes the text and location.line is 0. */
struct expression *expression_parse(struct arena *arena, struct location location,
                                    const char *text);

/* Evaluates an expression. `answer`, a function of the caller, returns true if a term is true. It
 * calls expression_term_holds for each value of the term's key. */
typedef bool expression_answer(void *context, const struct expression_term *term);
bool expression_holds(const struct expression *expression, expression_answer *answer,
                      void *context);
bool expression_term_holds(const struct expression_term *term, const char *value);
/* Returns the term KEY = VALUE. */
struct expression_term expression_equals(const char *key, const char *value);

/* False if the comparison makes no sense for a value. < <= > >= do not fit a value that is a word.
 * = and != with a word do not fit a value that is a number. = and != with a number fit any value,
 * because a name may be a number. ~ fits any value. */
bool expression_term_fits(const struct expression_term *term, const char *value);
/* Dies at `location`; the message says that the term fits none of the values of its key. */
NORETURN void expression_term_refuse(struct location location, const struct expression_term *term);

/* True if `key` abbreviates a dotted path of map keys. Then the last words of `key` and of the path
 * are the same. The other words of `key` occur earlier in the path, in the same order. Lists add no
 * words to a path. So "window", "attention.window" and "encoder.attention.window" all match the
 * window of {encoder: {attention: [{branches: [{window: 1}]}]}}. If the whole path of a value
 * outside of lists equals the key, the caller must use this value alone. So encoder.layers is the
 * depth of the stack, even if an entry of encoder.attention has `layers`. */
bool expression_key_means(const char *key, const char *path);
/* True if the term holds for at least one scalar of the tree that its key selects, by the rules of
 * expression_key_means. */
bool expression_term_holds_in(const struct expression_term *term, const struct tree *tree);
/* Calls the visitor for each scalar of the tree that the term's key selects. */
void expression_term_visit(const struct expression_term *term, const struct tree *tree,
                           tree_visitor *visit, void *context);
