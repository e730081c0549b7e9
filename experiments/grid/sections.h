/* The sections of options of a grid. sections_all lists the sections that any point has, with the
 * files that may contain them. `evaluations` lists the sections of kinds of stages. settings.h
 * reads both. */
#pragma once

#include "core/config/scalar.h"
#include "core/corpus/corpus_options.h"
#include "core/model/model_options.h"
#include "core/train/train_options.h"

/* All options of a point (settings.h reads it). */
struct settings {
    struct corpus_options corpus;
    struct translator_options translator;
    struct train_options train;
    const struct evaluated *evaluated; /* [as evaluations]; see settings_evaluated */
    const struct evaluation *alone;    /* its only evaluation, without a model; NULL: none */
};

/* Groups of options on which a kind of stage may depend; bits. */
enum settings_bit {
    SETTINGS_CORPUS = 1,
    SETTINGS_MODEL = 2, /* model, encoder and decoder */
    SETTINGS_TRAIN = 4
};

/* Files that may contain a section; bits. SECTION_POINT: a grid, its rows and axes, exclude and the
 * command line, which also have the sections of kinds. */
enum section_use {
    SECTION_POINT = 1,
    SECTION_PRESET = 2,  /* a preset of a corpus or a model */
    SECTION_RECIPE = 4,  /* a recipe */
    SECTION_TRAINED = 8, /* a model trained alone: its preset for bench and check */
    SECTION_MODEL = 16,  /* the options of a model */
    SECTION_GRID = 32,   /* a grid, once for all rows */
    SECTION_SHORT = 64   /* with SECTION_POINT: also the names below `evaluate` */
};

struct sections_row {
    const char *name;
    unsigned uses;
    unsigned bit;                  /* of enum settings_bit; 0: it has no fields in settings */
    const struct section *section; /* its options; NULL: no options of its own */
    const char *topic;             /* the topic of help that lists these options */
    size_t offset;                 /* of its fields in struct settings */
    const char *presets;           /* folder of its presets; NULL: none */
    enum section_use preset;       /* sections that its presets may contain */
};
/* Ended by a name of NULL. A later preset overrides earlier ones. */
extern const struct sections_row sections_all[];

/* The section of a kind of stage; points with this section get its stages. It is defined in the
 * kind's file, as `evaluation_KIND`; make finds it there. */
struct evaluation {
    /* "evaluate.gates", or for a kind with a task of its own one word: "logic". Two options have a
     * fixed meaning. `split` with the words SECTION_SPLITS is a split that the corpus must have.
     * `checkpoint` selects the checkpoints that training must keep. */
    const struct section *section;
    /* Returns the parts of a kind that has one stage per part: their names (letters, digits, - and
     * _) with their places. Views of a part are named NAME@VIEW; a column NAME means one of them
     * (offer.h, views). */
    struct texts (*parts)(const void *fields, struct arena *arena);
    /* Returns the group of a part, for tables; NULL: none. */
    const char *(*group)(const void *fields, const char *part);
    /* True if files replace everything that the kind reads. The point then has no other stages and
     * needs neither corpus nor model. NULL: never. */
    bool (*alone)(const void *fields);
    /* The key of a list of paths. In a sweep of this key `layers` stands for one value per layer of
     * a row's encoder. NULL: none. */
    const char *by_layer;
};
#define SECTION(name_, help_, rows_, type_)                                                        \
    &(const struct section)                                                                        \
    {                                                                                              \
        name_, help_, rows_, COUNT_OF(rows_), sizeof(type_)                                        \
    }
#define SECTION_SPLITS "train|dev|test"
/* Returns the field of an option with these choices (NULL: any type); NULL if the section has
 * none. */
const void *section_field(const struct section *section, const char *key, const char *choices,
                          const void *fields);
/* The sections of all kinds, in the order of the kinds; ended by NULL. */
extern const struct evaluation *const evaluations[];

/* Valid characters in names of grids, parts and views, which become names of files and folders. */
#define NAME_SIGNS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
#define PART_SIGNS NAME_SIGNS "@."

/* A growing list of names in an arena; names_end appends a NULL. */
struct names {
    struct arena *arena;
    const char **name;
    int count;
};
void names_add(struct names *names, const char *name);
const char *const *names_end(struct names *names);

/* Returns the names of the sections with a bit of `use`, in the order of the table;
 * NULL-terminated. The words `before` precede them and the words `after` follow (each
 * NULL-terminated, or NULL: none). */
const char *const *sections_of(struct arena *arena, unsigned use, const char *const *before,
                               const char *const *after);
/* Returns the names of the sections below `evaluate`: "bleu", "gates", ..; NULL-terminated. */
const char *const *sections_below_evaluate(struct arena *arena);
/* Returns the whole path of an option for a key of an axis or of the command line:
 * evaluate.probe.path for probe.path; other keys are unchanged. */
const char *sections_path(struct arena *arena, const char *key);
/* True if `layers` expands to one value per layer on an axis of this path (struct evaluation). */
bool sections_by_layer(const char *path);
