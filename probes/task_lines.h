/* Reads the sentences from which probing tasks are made, as lines of tokens.
 *
 * Tokens are separated by Unicode white space, as in the reader of tasks. Sentences have 5 to 28
 * tokens, as in Conneau et al. 2018. Only the first of equal sentences is used. */
#pragma once

#include "core/base/arena.h"
#include "core/base/hash_table.h"

enum { TASK_LEAST_WORDS = 5, TASK_MOST_WORDS = 28 };

struct task_sentence {
    const char *text; /* tokens between single blanks */
    int line;         /* index into task_lines.line */
    int words;
    const int32_t *word; /* [words] indices into task_lines.word */
};

struct task_lines {
    const char *path;
    int lines;
    const char **line;          /* [lines] all lines, tokens between single blanks */
    int shorter, longer, twice; /* numbers of lines left out: too short, too long, repeated */
    int sentences;
    struct task_sentence *sentence; /* [sentences] */
    struct hash_table *known;       /* set of the texts of the sentences */
    int words;                      /* number of different tokens */
    const char **word;              /* [words] in the order of first occurrence */
    int64_t *count;                 /* [words] number of occurrences */
};

/* Reads a text in UTF-8. A path that ends in .conllu is a treebank, whose surface text is read.
 * If `raw` is true, the function tokenizes the text like a corpus (tokenize.h). Dies if the file
 * cannot be read. All memory is in the arena. */
struct task_lines task_lines_read(struct arena *arena, const char *path, bool raw);

/* Returns a word in lower case, in the arena. */
const char *task_lines_lower(struct arena *arena, const char *word);
/* Joins words, which are indices into lines->word, to a text in the arena. */
const char *task_lines_join(struct arena *arena, const struct task_lines *lines,
                            const int32_t *word, int words);
