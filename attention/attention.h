/* Attention is composed: terms act on energies, a branch is an allowed interval of keys with its own
 * softmax, a fusion makes one output of the branches (papers.md 1).
 *
 *   encoder.attention: [{layers: 1-2, branches: [global, {window: 1}], fusion: gate}]
 *
 * Layers that no entry names have one global branch. Options of a block are the keys of an entry. */
#ifndef ATTENTION_ATTENTION_H
#define ATTENTION_ATTENTION_H

#include "core/base/arena.h"
#include "core/config/option.h"

enum {
    BRANCHES_MAX = 8,
    BRANCH_GLOBAL = -1 /* window of a branch that sees every key */
};

struct branch {
    int window; /* keys with |i - j| <= window, or BRANCH_GLOBAL */
};

/* One block's composition. */
struct attention_spec {
    int branches; /* R */
    struct branch branch[BRANCHES_MAX];
    const struct fusion_type *fusion; /* NULL when R = 1 */
    void *fusion_options;             /* of the fusion's own struct */
};

/* One entry of encoder.attention, before the number of layers is known. */
struct attention_entry {
    struct place place;
    const char *layers; /* "1-2", "3", "all", "lower(1/3)", "upper(1/2)" */
    struct attention_spec spec;
};

struct attention_list {
    int count;
    struct attention_entry *entry;
};

extern const struct option_custom attention_custom; /* the type of encoder.attention */

/* The composition of each layer (0-based array of `layers`). Dies at an entry's place when its
 * range leaves the stack or a layer is named twice. */
const struct attention_spec *attention_resolve(const struct attention_list *list, int layers,
                                               struct arena *arena);

#endif
