/* The sections of options that a grid has: one table of those that any point has, with who may say
 * which, and one of those by which a point asks for a kind of stage. settings.h reads both. */
#pragma once

#include "core/config/scalar.h"
#include "core/corpus/corpus_options.h"
#include "core/model/options.h"
#include "core/train/options.h"

/* What a point of a grid says (settings.h reads it). */
struct settings {
    struct corpus_options corpus;
    struct translator_options translator;
    struct train_options train;
    const struct evaluated *evaluated; /* [as evaluations]; settings_evaluated */
    const struct evaluation *alone;    /* the one whose stages are all that it has; NULL: none */
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
    SECTION_GRID = 32,   /* a grid, once for all rows */
    SECTION_SHORT = 64   /* with SECTION_POINT: what stands below `evaluate`, too */
};

struct sections_row {
    const char *name;
    unsigned uses;
    unsigned bit;                  /* of enum settings_bit; 0: it has no fields in settings */
    const struct section *section; /* its options; NULL: it has none of its own */
    const char *topic;             /* the topic of help that lists these options */
    size_t offset;                 /* of its fields in struct settings */
    const char *presets;           /* the folder of its presets; NULL: it has none */
    enum section_use preset;       /* what one of them may say */
};
/* Ended by a name of NULL. A later preset lies over those before it. */
extern const struct sections_row sections_all[];

/* The section of a kind of stage: what it does at the points that have it. It stands in the file of
 * the kind, as `evaluation_KIND`; make finds it there. */
struct evaluation {
    /* "evaluate.gates", or of a task of its own a word: "logic". Two options mean the same in all
     * sections: `split` with the words SECTION_SPLITS is the split whose text the corpus must have,
     * `checkpoint` the checkpoints that training must keep. */
    const struct section *section;
    /* Of a kind with parts, which is a stage for each: their names (letters, digits, - and _), each
     * with the place where it is asked for. Parts of one thing in several views are called
     * NAME@VIEW; a column that says NAME means one of them (offer.h, main_view). */
    struct texts (*parts)(const void *fields, struct arena *arena);
    /* The group that a part belongs to, for tables; NULL: none, or the parts have no groups. */
    const char *(*group)(const void *fields, const char *part);
    /* Whether files stand for all that the kind reads: then the point has no other stages, and
     * needs neither corpus nor model. NULL: never. */
    bool (*alone)(const void *fields);
    /* The key of a list of paths; where a sweep varies it, `layers` is a value for each layer of a
     * row's encoder. NULL: none. */
    const char *by_layer;
};
#define SECTION(name_, help_, rows_, type_)                                                        \
    &(const struct section)                                                                        \
    {                                                                                              \
        name_, help_, rows_, COUNT_OF(rows_), sizeof(type_)                                        \
    }
#define SECTION_SPLITS "train|dev|test"
/* The field of an option, whose choices are these (NULL: any type); NULL: the section has none. */
const void *section_field(const struct section *section, const char *key, const char *choices,
                          const void *fields);
/* All of them, in the order of their kinds; ended by NULL. */
extern const struct evaluation *const evaluations[];

/* What names of grids and of parts of kinds are made of, and views of parts: files and folders are
 * called by them. */
#define NAME_SIGNS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
#define PART_SIGNS NAME_SIGNS "@."

/* A list of names that grows, in an arena; the end makes it NULL-terminated. */
struct names {
    struct arena *arena;
    const char **name;
    int count;
};
void names_add(struct names *names, const char *name);
const char *const *names_end(struct names *names);

/* Names of the sections that `use` says, in the order of the table, between the words of `before`
 * and of `after` (each NULL-terminated, or NULL: none); NULL-terminated. */
const char *const *sections_of(struct arena *arena, unsigned use, const char *const *before,
                               const char *const *after);
/* What may stand below `evaluate`: "bleu", "gates", ..; NULL-terminated. */
const char *const *sections_below_evaluate(struct arena *arena);
/* The path of options that the key of an axis or of the command line means: probe.path is
 * evaluate.probe.path; others are themselves. */
const char *sections_path(struct arena *arena, const char *key);
/* Whether `layers` is a value for each layer where that path varies (struct evaluation). */
bool sections_by_layer(const char *path);
