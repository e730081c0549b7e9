/* Reads the dependency trees of the lines from which probing tasks are made. The trees are in a
 * treebank that has the same sentences in the same order.
 *
 * The tokens of a line must be either the syntactic words of its sentence ("in dem") or its surface
 * text ("im"). A syntactic word that is a token of the line has the index of this token. */
#pragma once

#include "probes/task_lines.h"

struct task_node {
    const char *form;
    const char *tag;      /* universal part of speech */
    const char *features; /* such as "Number=Sing|Tense=Past"; "_": none */
    const char *relation; /* relation to the head, such as "nsubj:pass" */
    int head;             /* index of a word; -1: the root */
    int token;            /* index of the token that is this word; -1: none */
};

struct task_tree {
    int words;
    struct task_node *node; /* [words] */
    int root;               /* index of the root */
    int depth;              /* number of words on the longest path from the root, root included */
};

/* Returns the trees of all lines, [lines->lines], in the arena. Dies if the treebank has no trees,
 * or if its sentences differ from the text. The message has the first line that differs. */
struct task_tree *task_trees_read(struct arena *arena, const struct task_lines *lines,
                                  const char *path);

/* True if the word has the feature ("Number") with this value. The value "" means that the word
 * lacks the feature. */
bool task_node_has(const struct task_node *node, const char *name, const char *value);
/* True if the word has this relation to its head, or a subtype of it. */
bool task_node_is(const struct task_node *node, const char *relation);
