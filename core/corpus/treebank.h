/* Sentences of words with a tag each: a treebank in CoNLL-U, or lines of tokens beside lines of
 * tags.
 *
 * Of CoNLL-U (a line a word, ten columns between tabs, an empty line behind each sentence) the
 * syntactic words count: FORM, the second column, with UPOS, the fourth. Ranges (3-4, of a token
 * that is written as one: "don't") and empty nodes (5.1) are skipped and counted. */
#pragma once

#include "core/base/arena.h"
#include "core/config/place.h"

/* The other columns of a word of CoNLL-U, as they stand in the file. */
struct treebank_word {
    const char *form;
    const char *features; /* FEATS, the sixth column: "Number=Sing|Tense=Past", or "_" */
    const char *head;     /* HEAD, the seventh: number of a word, from 1; "0" of the root */
    const char *relation; /* DEPREL, the eighth: "nsubj:pass" */
};

struct treebank_sentence {
    const char *text; /* the words, between single blanks; a word may hold blanks itself, */
    int tokens;       /* so that there are so many between blanks, */
    int32_t *word;    /* [tokens] each of this word, from 0 */
    int words;
    const char **tag;           /* [words] as they stand, */
    int *line;                  /* [words] in these lines of the tags' file */
    struct treebank_word *rest; /* [words]; NULL for lines of tags */
};

struct treebank {
    const char *path; /* of the tags */
    int sentences;
    struct treebank_sentence *sentence; /* [sentences] */
    int ranges, empty;                  /* that were skipped */
};

/* Dies with PATH:LINE where the file is not UTF-8 or a line has not ten columns, no form or a
 * number that is out of order. `written`: the file as it is written, whatever its tags: its words
 * are tokens, and ranges are. */
struct treebank treebank_read(struct arena *arena, const char *path, bool written);

/* Its sentences, and in *line the lines that they begin in; in the arena. */
const char **treebank_sentences(const struct treebank *treebank, const int **line,
                                struct arena *arena);

/* Sentences, each with tokens between blanks, and a text that has a line of tags for each of them.
 * Dies where the lines are not as many or one has not as many tags as its sentence has tokens: the
 * first of them is named. `path` is the tags', for messages; `of` what the sentences are of: "dev",
 * or a path. `tags` is changed, and the treebank uses it. */
struct treebank treebank_of_lines(struct arena *arena, const char *const *sentence, int sentences,
                                  const char *of, char *tags, size_t bytes, const char *path);

/* Where the tag of a word stands. */
struct place treebank_place(const struct treebank *treebank, int sentence, int word);
