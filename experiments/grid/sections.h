/* The sections of options of a grid. sections_all lists the sections that belong to no kind of
 * stage, and the files that may contain them. `evaluations` lists the sections of kinds of stages.
 * The functions of settings.h read both. */
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
    const struct evaluated *evaluated; /* sections of kinds, in the order of `evaluations`; use
                                          settings_evaluated */
    const struct evaluation *alone;    /* the only evaluation of a point without a model
                                          (evaluation.alone); NULL: the point has a model */
};

/* Groups of options on which a kind of stage may depend; bits. */
enum settings_bit {
    SETTINGS_CORPUS = 1,
    SETTINGS_MODEL = 2, /* model, encoder and decoder */
    SETTINGS_TRAIN = 4
};

/* Bits: where a section may be set. SECTION_POINT stands for a grid, its rows and axes, and the
 * command line. All of these may also set the sections of kinds. */
enum section_use {
    SECTION_POINT = 1,
    SECTION_PRESET = 2,  /* a preset of a corpus or a model */
    SECTION_RECIPE = 4,  /* a recipe */
    SECTION_TRAINED = 8, /* a preset with only model and training, for the commands bench and
                            check */
    SECTION_MODEL = 16,  /* the options of a model */
    SECTION_GRID = 32,   /* a grid, once for all rows */
    SECTION_SHORT = 64   /* with SECTION_POINT: also short names, "bleu" for evaluate.bleu */
};

struct sections_row {
    const char *name;
    unsigned uses;
    unsigned bit;                  /* bit of enum settings_bit; 0: the section has no fields in
                                      struct settings */
    const struct section *section; /* options of the section; NULL: none */
    const char *topic;             /* the topic of help that lists these options */
    size_t offset;                 /* offset of its fields in struct settings */
    const char *presets;           /* folder of its presets; NULL: none */
    enum section_use preset;       /* bit of the sections that a preset may contain */
};
/* The last row has the name NULL. The preset of a later section overrides those of earlier
 * sections. */
extern const struct sections_row sections_all[];

/* The section of a kind of stage; points with this section get its stages. It is defined in the
 * kind's file, as `evaluation_KIND`; make finds it there. */
struct evaluation {
    /* The section: "evaluate.gates", or for a kind of another task than translation one word,
     * "logic". Two options have the same meaning in all sections. The option `split` with the
     * choices SECTION_SPLITS names a split that the corpus must have. The option `checkpoint` names
     * checkpoints that the training must keep. */
    const struct section *section;
    /* Returns the names of the parts (letters, digits, - and _) with their locations. Each part has
     * its own stage. A view of a part has the name NAME@VIEW. A column with only NAME shows one of
     * the views (offer.h, views). NULL: the kind has no parts. */
    struct texts (*parts)(const void *fields, struct arena *arena);
    /* Returns the name of the group of a part, for tables; NULL: the part has no group. The pointer
     * is NULL if the kind has no groups. */
    const char *(*group)(const void *fields, const char *part);
    /* True if files replace all inputs of the kind. The point then has stages of this kind only,
     * and needs neither corpus nor model. NULL: files cannot replace the inputs. */
    bool (*alone)(const void *fields);
};
#define SECTION(name_, help_, rows_, type_)                                                        \
    &(const struct section)                                                                        \
    {                                                                                              \
        name_, help_, rows_, COUNT_OF(rows_), sizeof(type_)                                        \
    }
#define SECTION_SPLITS "train|dev|test"
/* Returns a pointer to the value of an option in `fields`. Returns NULL if the section has no
 * option `key` with exactly these choices (choices NULL: any option `key`). */
const void *section_field(const struct section *section, const char *key, const char *choices,
                          const void *fields);
/* The sections of all kinds, in the order of the kinds; ended by NULL. */
extern const struct evaluation *const evaluations[];

/* Valid characters in names of grids, and in names of parts with views. The names become names of
 * files and folders. */
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

/* Returns a NULL-terminated list that begins with the words `before` and ends with the words
 * `after`. Between them are the names of the sections with a bit of `use`, in the order of the
 * table. `before` and `after` are NULL-terminated; NULL: none. */
const char *const *sections_of(struct arena *arena, unsigned use, const char *const *before,
                               const char *const *after);
/* Returns the names of the sections below `evaluate`: "bleu", "gates", ..; NULL-terminated. */
const char *const *sections_below_evaluate(struct arena *arena);
/* Returns the whole path of an option that an axis or the command line names: evaluate.probe.path
 * for probe.path. Returns other keys unchanged. */
const char *sections_path(struct arena *arena, const char *key);
