/* Rules that convert between tokenizations: "do n't" of treebanks becomes "don 't" or "don
 * &apos;t".
 *
 * A file has one rule per line, with two sides separated by one tab: tokens of the text, and their
 * replacement. A side has tokens between blanks. An empty right side deletes the tokens of the left
 * side.
 *
 *     do n't<TAB>don 't
 *     ``<TAB>"
 *
 * A line without a tab is a comment if it is empty or begins with "# "; "#<TAB>number" is a rule.
 * Case matters. A file is UTF-8 and is found by its name, experiments/rules/NAME.tsv (shipped.h).
 *
 * A line of text is rewritten from left to right. At each token the rule with the longest left side
 * applies. The replacement is not rewritten again. */
#pragma once

#include "core/base/arena.h"
#include "core/config/shipped.h"

extern const struct shipped rewrite_shipped;

/* Returns the path of a file of rules; NULL if `rules` is "" or "none". `rules` is the value of the
 * option `what` at `location`: a name, or a path to a .tsv relative to the file with the option.
 * Dies with the location if the file does not exist. */
const char *rewrite_file(struct arena *arena, const char *rules, struct location location,
                         const char *what);

/* A private struct, which is in the arena. */
struct rewrite_rules;
/* Reads rules. Dies with FILE:LINE if a line does not have two fields or has an empty left side.
 * Also dies if a left side occurs twice or the text is not UTF-8. */
const struct rewrite_rules *rewrite_read(struct arena *arena, const char *path);

struct rewritten {
    const char *text; /* tokens between single blanks */
    int words;        /* number of tokens */
    /* [words] index of the original token of each token, from 0. If both sides of a rule have the
     * same number of tokens, right token i corresponds to left token i. Otherwise all right tokens
     * correspond to the first left token. */
    const int32_t *from;
    int changed; /* number of tokens that rules changed */
};
/* Rewrites a line. `words` are tokens between single blanks, as from line_clean. `rules` may be
 * NULL. */
struct rewritten rewrite_line(struct arena *arena, const struct rewrite_rules *rules,
                              const char *words, size_t bytes);
