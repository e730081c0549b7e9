/* Reads tagged sentences: a treebank in CoNLL-U, or lines of tokens and lines of tags.
 *
 * CoNLL-U has one word per line, ten columns between tabs, and an empty line after each sentence.
 * The form of each syntactic word is its second column (FORM), and its tag is the fourth column
 * (UPOS). Its head and relation are the seventh and eighth columns (HEAD, DEPREL). Ranges (3-4,
 * several words in one token: "don't") and empty nodes (5.1) are skipped and counted. A comment
 * `# newdoc` begins a document. */
#pragma once

#include "core/base/arena.h"
#include "core/config/location.h"

struct treebank_sentence {
    const char *text; /* the words, between single blanks; a word may contain blanks */
    int tokens;       /* number of tokens between blanks */
    int32_t *word;    /* [tokens] index of the word of each token, from 0 */
    int words;
    const char **tag; /* [words] tags, as in the file */
    int *line;        /* [words] line number in the file of the tags */
    /* [words] heads and relations, as in the file; NULL for lines of tags */
    const char **head, **relation;
    int document; /* number of comments `# newdoc` before the sentence */
};

struct treebank {
    const char *path; /* file of the tags */
    int sentences;
    struct treebank_sentence *sentence; /* [sentences] */
    int ranges, empty;                  /* number of skipped ranges and empty nodes */
};

/* Reads CoNLL-U. Dies with PATH:LINE if the file is not UTF-8. Also dies if a line does not have
 * ten columns, or if a word has no form. Also dies if the number of a word does not follow the
 * previous number. If `written` is true, reads the text as it is written, and ignores tags. A range
 * is then one word, which replaces the words in the range. */
struct treebank treebank_read(struct arena *arena, const char *path, bool written);

/* Returns the texts of the sentences, in the arena. Sets (*line)[i] to the line number of the first
 * word of sentence i. */
const char **treebank_sentences(const struct treebank *treebank, const int **line,
                                struct arena *arena);

/* Sentences of a file that may be a treebank. */
struct sentences {
    const char *const *sentence;
    int count;
    const int *line; /* line number of each sentence's first word; NULL: a line for each sentence */
};
/* True if the path ends in .conllu. */
bool sentences_are_treebank(const char *path);
/* Reads the written text of a treebank, or lines of a text that a user named (file_read_given).
 * Dies if there is no sentence. */
struct sentences sentences_read(struct arena *arena, const char *path);

/* Combines sentences (tokens between blanks) with `tags`, a text that has one line of tags per
 * sentence. Dies if the number of lines differs from the number of sentences. Also dies if the
 * number of tags of a line differs from the number of tokens. `path` is the file of the tags, `of`
 * the source of the sentences ("dev", or a path), for messages. `tags` is changed, and the treebank
 * refers to it. */
struct treebank treebank_of_lines(struct arena *arena, const char *const *sentence, int sentences,
                                  const char *of, char *tags, size_t bytes, const char *path);

/* Returns the location of the tag of a word. */
struct location treebank_place(const struct treebank *treebank, int sentence, int word);
