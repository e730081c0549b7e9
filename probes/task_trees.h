/* Dependency trees of the lines from which probing tasks are made, from a treebank that has the
 * same sentences in the same order.
 *
 * The tokens of a line must be those of its sentence: the syntactic words ("in dem"), or the text
 * as it is written ("im"). A syntactic word that is a token of the line has its index there. */
#pragma once

#include "probes/task_lines.h"

struct task_node {
    const char *form;
    const char *tag;      /* universal part of speech */
    const char *features; /* "Number=Sing|Tense=Past", or "_" */
    const char *relation; /* to the head: "nsubj:pass" */
    int head;             /* index of a word; -1 of the root */
    int token;            /* index of the token that is this word; -1: there is no such token */
};

struct task_tree {
    int words;
    struct task_node *node; /* [words] */
    int root;               /* index */
    int depth;              /* words on the longest path from the root, the root included */
};

/* The trees of all lines, [lines->lines]; in the arena. Dies where the treebank has no trees or
 * other sentences than the text, naming the line of the first difference. */
struct task_tree *task_trees_read(struct arena *arena, const struct task_lines *lines,
                                  const char *path);

/* True if the word has the feature ("Number") with this value; "": if it lacks the feature. */
bool task_node_has(const struct task_node *node, const char *name, const char *value);
/* True if the word has this relation to its head, or a subtype of it. */
bool task_node_is(const struct task_node *node, const char *relation);
