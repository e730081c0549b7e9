/* Rules that convert between tokenizations: "do n't" of treebanks becomes "don 't" or
 * "don &apos;t".
 *
 * A file has one rule per line, with two sides separated by one tab: tokens of the text, and their
 * replacement. A side is tokens between blanks; an empty right side deletes the left one.
 *
 *     do n't<TAB>don 't
 *     ``<TAB>"
 *
 * A line without a tab is a comment if it is empty or begins with "# "; "#<TAB>number" is a rule.
 * Case matters. A file is UTF-8 and is found by its name, experiments/rules/NAME.tsv (shipped.h).
 *
 * A line of text is rewritten from left to right: at each token the rule with the longest left side
 * applies, and its output is not rewritten again. */
#pragma once

#include "core/base/arena.h"
#include "core/config/shipped.h"

extern const struct shipped rewrite_shipped;

/* Returns the file of an option `what` at `location`: a name, or a path to a .tsv relative to the
 * file with the option; NULL for "" and none. Dies with the location if there is no such file. */
const char *rewrite_file(struct arena *arena, const char *rules, struct location location,
                         const char *what);

/* Opaque; lives in the arena. */
struct rewrite_rules;
/* Reads rules. Dies with FILE:LINE if a line does not have two fields or has an empty left side, if
 * a left side occurs twice, or if the text is not UTF-8. */
const struct rewrite_rules *rewrite_read(struct arena *arena, const char *path);

struct rewritten {
    const char *text; /* tokens between single blanks */
    int words;        /* tokens */
    /* [words] Index of the original token, from 0, of each token. If a rule has as many tokens on
     * both sides, they correspond one to one; else all come from the first on its left. */
    const int32_t *from;
    int changed; /* number of tokens that rules changed */
};
/* words: tokens between single blanks, as from line_clean. rules: NULL for none. */
struct rewritten rewrite_line(struct arena *arena, const struct rewrite_rules *rules,
                              const char *words, size_t bytes);
