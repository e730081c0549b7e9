/* The sections of options that a grid has: one table of their names, and of who may say which. */
#ifndef EXPERIMENTS_PLAN_SECTIONS_H
#define EXPERIMENTS_PLAN_SECTIONS_H

#include "core/base/arena.h"

/* Who says them; bits. */
enum section_use {
    SECTION_POINT =
        1, /* a grid, its rows and axes, exclude, the command line: those of kinds, too */
    SECTION_PRESET = 2,  /* a preset of a corpus or a model */
    SECTION_RECIPE = 4,  /* a recipe */
    SECTION_TRAINED = 8, /* a model that is trained alone: its preset for bench and check */
    SECTION_MODEL = 16,  /* what makes a model */
    SECTION_GRID = 32    /* a grid, once for all rows */
};

/* Names of the sections that `use` says, in the order of the table, between the words of `before`
 * and of `after` (each NULL-terminated, or NULL: none); NULL-terminated. */
const char *const *sections_of(struct arena *arena, unsigned use, const char *const *before,
                               const char *const *after);

#endif
