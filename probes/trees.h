/* Trees over the words of sentences: dependency trees of a treebank, and trees that are built from
 * numbers of a model.
 *
 * A tree is a list of edges between words, without directions. It is stored as parents: word w has
 * an edge to parent[w], or none if parent[w] is TREES_NONE. Words are numbered from 0 in their
 * sentence. Punctuation (tag PUNCT) belongs to no edge. UUAS is the share of edges of the treebank
 * that a tree has, over all sentences (Hewitt and Manning 2019).
 *
 * A tree of gaps has a number for each two neighboring words. The gap between neighbors that are
 * not punctuation is the largest gap between them. Ties: the first. A span of words is cut at its
 * largest gap, and so on (Shen et al. 2019). Each cut gives one edge, by a rule:
 *   first    between the first words of both parts
 *   last     between the last words of both parts
 *   largest  A word has the number of the gap before it; the first word of a sentence has less than
 *            all others. The word with the largest number is the head of its span. It has an edge
 *            to the head of the words before it, and to the head of the words after it. This is the
 *            binary tree of the parser of Shen et al., in which this word is the head. */
#pragma once

#include "probes/words.h"

enum { TREES_NONE = -1 };

/* The sentences of a set of words. Sentences with a lost word are left out. */
struct trees {
    int sentences, words, left_out;
    int longest;             /* number of words of the longest sentence */
    const int32_t *start;    /* [sentences+1] index of the first word */
    const int32_t *head;     /* [words] head in the sentence; TREES_NONE: root */
    const bool *punctuation; /* [words] */
    const int32_t *word;     /* [words] index in the struct words */
    const int *document;     /* [sentences] documents of the struct words */
};

/* Reads the heads. Dies at the first word whose head is not a word of its sentence, at a second
 * root, and at heads that form a circle. The result is in the arena. */
struct trees trees_of(const struct words *words, enum words_set set, struct arena *arena);

/* The functions for one sentence. `head` and `punctuation` are those of its n words. */

/* Sets depth[n] to the number of edges to the root, and distance[n][n] to the number of edges
 * between two words. Both are numbers of the whole tree, with punctuation. `distance` may be
 * NULL. */
void trees_measure(const int32_t *head, int n, double *depth, double *distance);
/* Minimum spanning tree of symmetric distance[n][n]. Of equal edges, the first is chosen, in the
 * order of Prim's algorithm from the first word. */
void trees_span(const double *distance, const bool *punctuation, int n, int32_t *parent);
/* Joins each word with the previous word that is not punctuation. */
void trees_join(const bool *punctuation, int n, int32_t *parent);
/* Tree of gaps; gap[w] is the number between words w - 1 and w. gap[0] is not read. */
enum trees_rule { TREES_LARGEST, TREES_FIRST, TREES_LAST, TREES_RULES };
void trees_cut(const double *gap, const bool *punctuation, int n, enum trees_rule rule,
               int32_t *parent);
/* Returns the number of edges of the treebank between words that are not punctuation. Sets *right
 * to the number of those that the tree `parent` has. */
int trees_edges(const int32_t *head, const bool *punctuation, const int32_t *parent, int n,
                int *right);

/* Numbers of right and of all edges, or roots, of a document. */
struct trees_share {
    int document, right, all;
};
/* trees_count adds numbers of sentence s to the last document, or to a new one. trees_add adds the
 * edges of a tree. `count` is the number of documents so far, at most trees->sentences. Both return
 * the new number. */
int trees_count(const struct trees *trees, int s, int right, int all, struct trees_share *of,
                int count);
int trees_add(const struct trees *trees, int s, const int32_t *parent, struct trees_share *of,
              int count);
/* Returns the number of all edges, and the share of right ones in per cent (0 without edges). */
int64_t trees_sum(const struct trees_share *of, int count);
double trees_percent(const struct trees_share *of, int count);
/* Returns the standard error of the percentage, with documents as clusters; NaN: one document. */
double trees_error(const struct trees_share *of, int count);
/* Edges of joined neighbors by document, in the arena. */
struct trees_share *trees_neighbors(const struct trees *trees, int *count, struct arena *arena);
