/* The sections of options that a grid has: one table of their names, of who may say which, of their
 * options and presets. Those of kinds of stages stand in the kinds' files (evaluation.h). */
#ifndef EXPERIMENTS_GRID_SECTIONS_H
#define EXPERIMENTS_GRID_SECTIONS_H

#include "core/corpus/corpus_options.h"
#include "core/model/options.h"
#include "core/train/options.h"

/* What a point of a grid says (settings.h reads it). */
struct settings {
    struct corpus_options corpus;
    struct translator_options translator;
    struct train_options train;
    const struct asked *asked; /* settings_evaluation */
};

/* One bit for each of what every point says, for what a kind of stage depends on. */
enum settings_bit {
    SETTINGS_CORPUS = 1,
    SETTINGS_MODEL = 2, /* model, encoder and decoder */
    SETTINGS_TRAIN = 4
};

/* Who says them; bits. A point is said by a grid, its rows and axes, exclude and the command line;
 * it has the sections of kinds, too. */
enum section_use {
    SECTION_POINT = 1,
    SECTION_PRESET = 2,  /* a preset of a corpus or a model */
    SECTION_RECIPE = 4,  /* a recipe */
    SECTION_TRAINED = 8, /* a model that is trained alone: its preset for bench and check */
    SECTION_MODEL = 16,  /* what makes a model */
    SECTION_GRID = 32    /* a grid, once for all rows */
};

struct sections_row {
    const char *name;
    unsigned uses;
    unsigned bit;                  /* of enum settings_bit; 0: it has no fields in settings */
    const struct section *section; /* its options; NULL: it has none of its own */
    size_t offset;                 /* of its fields in struct settings */
    const char *presets;           /* the folder of its presets; NULL: it has none */
    enum section_use preset;       /* what one of them may say */
};
/* Ended by a name of NULL. A later preset lies over those before it. */
extern const struct sections_row sections_all[];

/* Names of the sections that `use` says, in the order of the table, between the words of `before`
 * and of `after` (each NULL-terminated, or NULL: none); NULL-terminated. */
const char *const *sections_of(struct arena *arena, unsigned use, const char *const *before,
                               const char *const *after);

#endif
