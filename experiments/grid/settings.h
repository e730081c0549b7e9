/* The option schema, assembled from the option tables of each room. Reads and checks all options of
 * one point of a grid. */
#pragma once

#include "core/train/translating.h"
#include "experiments/grid/sections.h"

/* The section of a kind at a point. */
struct evaluated {
    bool asked;         /* true if the point has the section */
    const void *fields; /* its own struct; defaults if not asked */
    struct texts parts; /* parts of a kind with parts, if asked; else none */
};
/* Returns the section of an evaluation. For NULL, a kind without a section, `asked` is false. */
const struct evaluated *settings_evaluated(const struct settings *settings,
                                           const struct evaluation *evaluation);

/* Returns the value of a point's key `task`; default "translation". */
const char *settings_task(const struct tree *point);
/* Reads every section of a point's tree; dies with the place of an error. A point of another task
 * than translation needs no corpus. Unknown sections are ignored: a stage's options may contain the
 * section of a kind that has been removed. */
void settings_read(struct settings *settings, const struct tree *point, struct arena *arena);
/* Reads the i-th section alone, if the point has it, to find its errors. Returns false if there are
 * no more sections. */
bool settings_check_section(const struct tree *point, int i, struct arena *arena);
/* Returns the training with these settings on a corpus. */
struct translating settings_translating(const struct settings *settings, const struct ops *ops,
                                        const struct corpus *corpus, uint32_t seed);
/* Writes the options that change numbers, one per line: those of the sections `wanted` (bits), and
 * of an evaluation (or NULL). */
void settings_canonical(const struct settings *settings, unsigned wanted,
                        const struct evaluation *evaluation, FILE *out);
/* Writes all options of a training, defaults included, as JSON on one line:
 * {"corpus":{..},"model":{..},..}. For the corpus it writes only options that change numbers, not
 * the location of the text. settings_read accepts the result, with the location added. */
void settings_json(const struct settings *settings, FILE *out);
/* Returns the names of the sections ("train", "evaluate.bleu"), NULL-terminated. */
const char *const *settings_sections(unsigned wanted, const struct evaluation *evaluation,
                                     struct arena *arena);
/* Returns the defaults of all options: {train: {epochs: 10, ..}, ..}. Required options are not
 * included. */
const struct tree *settings_defaults(struct arena *arena);
/* Returns the defaults that change because of the options that a point sets; NULL if there are
 * none. Options that the point sets itself are left out. Example: a point that sets only steps has
 * the default {train: {epochs: 0}}. */
const struct tree *settings_defaults_beside(struct arena *arena, const struct tree *point);
/* Returns the row of an option ("train.epochs"); NULL if there is none. */
const struct option *settings_option(const char *name);
/* Returns the names of all options ("train.epochs"), ended by NULL. */
const char *const *settings_names(struct arena *arena);
/* Prints the options of a help topic (sections.h): "train". Prints nothing for a topic without
 * options. */
void settings_help(const char *topic, FILE *out);
