/* The sentences from which probing tasks are made, as lines of tokens.
 *
 * A token is a run without white space (Unicode's, as readers of tasks split sentences). Sentences
 * have 5 to 28 tokens, as in Conneau et al. 2018. Of equal sentences the first one counts. */
#pragma once

#include "core/base/arena.h"
#include "core/base/table.h"

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
    const char **line;          /* [lines] all of them, tokens between single blanks */
    int shorter, longer, twice; /* lines that are left out */
    int sentences;
    struct task_sentence *sentence; /* [sentences] */
    struct table *known;            /* texts of the sentences */
    int words;                      /* different tokens of the sentences */
    const char **word;              /* [words] by first occurrence */
    int64_t *count;                 /* [words] occurrences */
};

/* Reads a text in UTF-8; a path that ends in .conllu is a treebank, whose sentences are read as
 * they are written. `raw`: the text is not tokenized, and the corpus's tokenizer (tokenize.h) makes
 * the tokens. Dies when the file cannot be read. Everything is in the arena. */
struct task_lines task_lines_read(struct arena *arena, const char *path, bool raw);

/* A word in lower case; in the arena. */
const char *task_lines_lower(struct arena *arena, const char *word);
/* Words, which are indices into lines->word, as a text; in the arena. */
const char *task_lines_join(struct arena *arena, const struct task_lines *lines,
                            const int32_t *word, int words);
