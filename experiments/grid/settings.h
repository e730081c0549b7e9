/* Reads and checks all options of a point of a grid. The list of options consists of the tables in
 * the folders that use them. */
#pragma once

#include "core/train/translating.h"
#include "experiments/grid/sections.h"

/* The section of a kind at a point. */
struct evaluated {
    bool asked;         /* true if the point has the section */
    const void *fields; /* values of the kind's struct of options; the defaults if not asked */
    struct texts parts; /* parts of the point; none if not asked or if the kind has no parts */
};
/* Returns the section of an evaluation at a point. evaluation NULL stands for a kind without a
 * section: `asked` is then false. */
const struct evaluated *settings_evaluated(const struct settings *settings,
                                           const struct evaluation *evaluation);

/* Returns the value of a point's key `task`; default "translation". */
const char *settings_task(const struct tree *point);
/* Reads all sections of the tree of a point. Dies with the location of an error. Only a point of
 * the task translation with a model needs a corpus. Unknown sections are ignored, because the
 * options of an old stage may contain the section of a kind that no longer exists. */
void settings_read(struct settings *settings, const struct tree *point, struct arena *arena);
/* Checks the sections that a point has, one by one. Dies with the location of an error. */
void settings_check(const struct tree *point, struct arena *arena);
/* Returns the description of a training with these settings on a corpus. */
struct translating settings_translating(const struct settings *settings, const struct ops *ops,
                                        const struct corpus *corpus, uint32_t seed);
/* Writes the options that change results, one per line: options of the sections `wanted` (bits of
 * enum settings_bit), then options of an evaluation (NULL: none). */
void settings_canonical(const struct settings *settings, unsigned wanted,
                        const struct evaluation *evaluation, FILE *out);
/* Writes all options of a training, defaults included, as JSON on one line:
 * {"corpus":{..},"model":{..},..}. For the corpus, it writes only options that change results, not
 * the paths of the text. If the paths are added, settings_read can read the result. */
void settings_json(const struct settings *settings, FILE *out);
/* Returns the names of the sections `wanted` (bits) and of an evaluation (NULL: none): "train",
 * "evaluate.bleu". NULL-terminated. */
const char *const *settings_sections(unsigned wanted, const struct evaluation *evaluation,
                                     struct arena *arena);
/* Returns the defaults of all options: {train: {epochs: 10, ..}, ..}. Required options are not
 * included. */
const struct tree *settings_defaults(struct arena *arena);
/* Returns the defaults that depend on other options of the point and differ from settings_defaults;
 * NULL if there are none. Options that the point sets are not included. Example: a point that sets
 * train.steps has the default {train: {epochs: 0}}. */
const struct tree *settings_defaults_beside(struct arena *arena, const struct tree *point);
/* Returns the option with a name ("train.epochs"); NULL if there is none. */
const struct option *settings_option(const char *name);
/* Returns the names of all options ("train.epochs"), NULL-terminated. */
const char *const *settings_names(struct arena *arena);
/* Prints the options of a help topic, "train" (struct sections_row). Prints nothing for a topic
 * without options. */
void settings_help(const char *topic, FILE *out);
