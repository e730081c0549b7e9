/* Tagged sentences: a treebank in CoNLL-U, or lines of tokens with lines of tags.
 *
 * CoNLL-U has one word per line, ten columns between tabs, and an empty line after each sentence.
 * The syntactic words are read: FORM, the second column, with UPOS, the fourth. Ranges (3-4, a
 * token that is written as one: "don't") and empty nodes (5.1) are skipped and counted. */
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
    const char *text; /* the words, between single blanks; a word may contain blanks, */
    int tokens;       /* so this is the number of tokens between blanks, */
    int32_t *word;    /* [tokens] the word of each, from 0 */
    int words;
    const char **tag;           /* [words] as in the file */
    int *line;                  /* [words] line in the file of the tags */
    struct treebank_word *rest; /* [words]; NULL for lines of tags */
};

struct treebank {
    const char *path; /* of the tags */
    int sentences;
    struct treebank_sentence *sentence; /* [sentences] */
    int ranges, empty;                  /* number skipped */
};

/* Reads CoNLL-U. Dies with PATH:LINE if the file is not UTF-8 or a line does not have ten columns,
 * has no form, or has a number out of order. `written`: reads the text as written, whatever its
 * tags: its words are tokens, including ranges. */
struct treebank treebank_read(struct arena *arena, const char *path, bool written);

/* Returns its sentences, and in *line their first lines; in the arena. */
const char **treebank_sentences(const struct treebank *treebank, const int **line,
                                struct arena *arena);

/* Combines sentences, each with tokens between blanks, with a text of one line of tags per
 * sentence. Dies if the numbers of lines, or of tags and tokens in a line, differ, with the first
 * difference. `path` is the file of the tags, `of` the source of the sentences ("dev", or a path),
 * for messages. `tags` is changed, and the treebank refers to it. */
struct treebank treebank_of_lines(struct arena *arena, const char *const *sentence, int sentences,
                                  const char *of, char *tags, size_t bytes, const char *path);

/* Returns the place of the tag of a word. */
struct location treebank_place(const struct treebank *treebank, int sentence, int word);
