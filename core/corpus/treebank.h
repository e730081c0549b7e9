/* Tagged sentences: a treebank in CoNLL-U, or lines of tokens with lines of tags.
 *
 * CoNLL-U has one word per line, ten columns between tabs, and an empty line after each sentence.
 * The syntactic words are read: FORM, the second column, with UPOS, the fourth. Ranges (3-4,
 * several words in one token: "don't") and empty nodes (5.1) are skipped and counted. */
#pragma once

#include "core/base/arena.h"
#include "core/config/location.h"

/* The other columns of a word of CoNLL-U, as in the file. */
struct treebank_word {
    const char *form;
    const char *features; /* FEATS, the sixth column: "Number=Sing|Tense=Past", or "_" */
    const char *head;     /* HEAD, the seventh: number of a word, from 1; "0" for the root */
    const char *relation; /* DEPREL, the eighth: "nsubj:pass" */
};

struct treebank_sentence {
    const char *text; /* the words, between single blanks; a word may contain blanks */
    int tokens;       /* number of tokens between blanks */
    int32_t *word;    /* [tokens] word of each token, from 0 */
    int words;
    const char **tag;           /* [words] as in the file */
    int *line;                  /* [words] line in the file of the tags */
    struct treebank_word *rest; /* [words]; NULL for lines of tags */
};

struct treebank {
    const char *path; /* file of the tags */
    int sentences;
    struct treebank_sentence *sentence; /* [sentences] */
    int ranges, empty;                  /* number of skipped ranges and empty nodes */
};

/* Reads CoNLL-U. Dies with PATH:LINE if the file is not UTF-8. Also dies if a line lacks ten
 * columns or a form, or has a number out of order. `written` reads the text as written and ignores
 * tags: words are then tokens, and a range is one token. */
struct treebank treebank_read(struct arena *arena, const char *path, bool written);

/* Returns the texts of the sentences, and in *line their first lines; in the arena. */
const char **treebank_sentences(const struct treebank *treebank, const int **line,
                                struct arena *arena);

/* Combines sentences (tokens between blanks) with a text of one line of tags per sentence. Dies at
 * the first difference in the number of lines, or in the number of tags and tokens of a line.
 * `path` is the file of the tags, `of` the source of the sentences ("dev", or a path), for
 * messages. `tags` is changed, and the treebank refers to it. */
struct treebank treebank_of_lines(struct arena *arena, const char *const *sentence, int sentences,
                                  const char *of, char *tags, size_t bytes, const char *path);

/* Returns the location of the tag of a word. */
struct location treebank_place(const struct treebank *treebank, int sentence, int word);
