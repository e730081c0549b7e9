/* Which pairs there are is said as by the section `logic`; how text becomes vectors, as by the
 * probes' sections. */
#include "experiments/stage/inference_options.h"

#include <string.h>

#include "core/tensor/ops.h"
#include "logic/generate.h"
#include "probes/protocol.h"

#define FIELD(member) offsetof(struct inference_options, member)

static const struct option rows[] = {
    LOGIC_PAIR_ROWS(FIELD(logic), /* split, depth, seed, bins */
                    "as logic.split has it", "of pairs that are made up: how deep",
                    "of pairs that are made up, and of which pairs are learned from",
                    "operators of the pairs that are learned from"),
    ROW_INT("train", FIELD(train), "30000", 100, LOGIC_MOST_PAIRS, OPTION_ID,
            "training pairs that the classifier learns from, and a tenth of it that it chooses by; "
            "all where there are fewer"),
    ROW_CHOICE("features", FIELD(logic.features), "match", "concat|match", OPTION_ID,
               "of a pair: [u; v], or [u; v; u v; |u - v|]"),
    ROW_CHOICE("protocol", FIELD(protocol), "fixed", PROTOCOL_WORDS, OPTION_ID,
               "how the classifier is trained, as evaluate.probe.protocol"),
    ROW_BOOL("standardize", FIELD(standardize), "true", OPTION_ID,
             "every number by its mean and deviation over the pairs that are learned from"),
    ROW_TEXT("checkpoint", FIELD(checkpoint), "best", OPTION_ID,
             "best, last, average(N) or start: as evaluate.bleu has it"),
    ROW_BOOL("start", FIELD(start), "true", OPTION_ID,
             "also with the parameters that the training began with, as a control"),
    ROW_CHOICE("pool", FIELD(pool), "mean", "mean|max|last|own", OPTION_ID,
               "what the vectors of a statement's pieces become; own: as the model itself makes a "
               "vector of a statement, of the task logic alone, where it is the default"),
    ROW_BOOL("end", FIELD(end), "true", OPTION_ID, "the end symbol is one of them"),
    ROW_TEXT("rules", FIELD(rules), "none", OPTION_NO_ID,
             "how symbols are rewritten first: formulas-words, a path to a .tsv, or none"),
};
const struct section inference_section = {"evaluate.inference",
                                          "logical inference on the frozen encoder", rows,
                                          COUNT_OF(rows), sizeof(struct inference_options)};

const struct inference_options *inference_options_at(const struct settings *settings)
{
    return settings_evaluated(settings, &evaluation_inference)->fields;
}

void inference_ask(struct grid *grid, struct arena *arena)
{
    static const char *const same[] = {"data", "split", "pairs",    "variables", "depth",
                                       "seed", "bins",  "disjoint", "names",     "dev"};
    if (strcmp(grid->task, "logic") != 0) return;
    for (int r = 0; r < grid->rows; r++) {
        const struct grid_point *point = grid_row_asks(grid, r, &evaluation_inference);
        if (!point) continue;
        struct tree *options = tree_merge(arena, NULL, point->options);
        const struct tree *asked = tree_find(options, inference_section.name);
        for (size_t i = 0; i < COUNT_OF(same); i++) {
            const char *key = arena_print(arena, "%s.%s", inference_section.name, same[i]);
            const struct tree *said =
                tree_find(options, arena_print(arena, "%s.%s", logic_section.name, same[i]));
            if (said && !tree_find(options, key))
                tree_put(arena, options, key, tree_copy(arena, said));
        }
        const char *pool = arena_print(arena, "%s.pool", inference_section.name);
        if (!tree_find(options, pool))
            tree_put(arena, options, pool, tree_new_text(arena, asked->place, "own"));
        grid_row_say(grid, r, options, arena);
    }
}
