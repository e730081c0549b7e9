/* The option schema, assembled from the rows that each room exports: what one point of a grid says,
 * read and checked. */
#pragma once

#include "core/train/translating.h"
#include "experiments/grid/sections.h"

/* What a point says in the section of a kind. */
struct evaluated {
    bool asked;         /* whether it has the section */
    const void *fields; /* of its own struct; by default where it is not asked for */
    struct texts parts; /* of a kind with parts that is asked for; else none */
};
/* NULL, of a kind without a section: nothing is asked. */
const struct evaluated *settings_evaluated(const struct settings *settings,
                                           const struct evaluation *evaluation);

/* The word of a point's key `task`; "translation" where it says none. */
const char *settings_task(const struct tree *point);
/* Reads every section of a point's tree; dies at the place of what is wrong. A point of another
 * task than translation needs no corpus. Sections that no kind has are left alone: a stage's
 * options may ask for a kind that has been taken out. */
void settings_read(struct settings *settings, const struct tree *point, struct arena *arena);
/* Reads the i-th section alone, where the point has it: it may have a mistake of its own. False:
 * there are no more sections. */
bool settings_check_section(const struct tree *point, int i, struct arena *arena);
/* The training that they mean, on a corpus. */
struct translating settings_translating(const struct settings *settings, const struct ops *ops,
                                        const struct corpus *corpus, uint32_t seed);
/* The lines of the options that change numbers: of these sections (bits), and of an evaluation (or
 * NULL). */
void settings_canonical(const struct settings *settings, unsigned wanted,
                        const struct evaluation *evaluation, FILE *out);
/* {"corpus":{..},"model":{..},..}, JSON on one line: all options of a training, also those that
 * nobody set. Of the corpus only what changes numbers: not where its text lies. settings_read takes
 * it back with that. */
void settings_json(const struct settings *settings, FILE *out);
/* Names of their sections ("train", "evaluate.bleu"), NULL-terminated. */
const char *const *settings_sections(unsigned wanted, const struct evaluation *evaluation,
                                     struct arena *arena);
/* What options are that nobody sets: {train: {epochs: 10, ..}, ..}. Without those that must be
 * given. */
const struct tree *settings_defaults(struct arena *arena);
/* Those of them that are others for what a point sets (steps alone: {train: {epochs: 0}}), without
 * what it sets itself; NULL: none. */
const struct tree *settings_defaults_beside(struct arena *arena, const struct tree *point);
/* The row of an option ("train.epochs"); NULL: there is none. */
const struct option *settings_option(const char *name);
/* Names of all options ("train.epochs"), ended by NULL. */
const char *const *settings_names(struct arena *arena);
/* Prints the options of a topic of help (sections.h): "train". Nothing for a topic without any. */
void settings_help(const char *topic, FILE *out);
