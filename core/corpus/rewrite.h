/* Rules that make the tokens of one text those of another: "do n't" as treebanks write it becomes
 * "don 't" or "don &apos;t".
 *
 * A file has a rule a line, its two sides separated by one tab: what stands in the text, and what
 * it becomes. A side is tokens between blanks; an empty right side takes the left one out.
 *
 *     do n't<TAB>don 't
 *     ``<TAB>"
 *
 * A line without a tab is a remark when it is empty or begins with "# "; "#<TAB>number" is a rule.
 * Case matters. A file is UTF-8 and is found by its name, experiments/rules/NAME.tsv (shipped.h).
 *
 * A line of text is rewritten from left to right: at each token the rule whose left side is longest
 * applies, and what it wrote is not looked at again. */
#pragma once

#include "core/base/arena.h"
#include "core/config/shipped.h"

extern const struct shipped rewrite_shipped;

/* The file that an option `what`, written at `place`, means: a name, or a path to a .tsv relative
 * to the file that says it; "" and none: NULL. Dies at the place where there is no such file. */
const char *rewrite_file(struct arena *arena, const char *rules, struct place place,
                         const char *what);

/* Opaque; lives in the arena. */
struct rewrite_rules;
/* Dies with FILE:LINE where a line has not two fields or has nothing on the left, where a left side
 * comes a second time, and where the text is not UTF-8. */
const struct rewrite_rules *rewrite_read(struct arena *arena, const char *path);

struct rewritten {
    const char *text; /* tokens between single blanks */
    int words;        /* tokens */
    /* [words] The token of the line, from 0, that each came from: where a rule has as many tokens
     * on both sides one from one, else all from the first on its left. */
    const int32_t *from;
    int changed; /* tokens of the line that stood on the left of a rule which changes something */
};
/* `words`: tokens between single blanks, as line_clean leaves them. NULL is no rules. */
struct rewritten rewrite_line(struct arena *arena, const struct rewrite_rules *rules,
                              const char *words, size_t bytes);
