/* A kind of stage is one file, experiments/stage/kind_NAME.c: what it says here is all that the
 * rest knows of it. */
#pragma once

#include "experiments/grid/settings.h"

struct estimate; /* experiments/stage/stage.h */
struct grid;     /* grid.h */
struct grid_point;
struct stage;
struct stage_work; /* experiments/stage/stage_work.h */

/* How a kind's function ends; it has written the event of the last two to the journal. */
enum work_end {
    WORK_DONE,
    WORK_INTERRUPTED, /* saved; start again to go on */
    WORK_DIVERGED     /* a result: not finite, or above what its kind offers */
};

/* What a kind checks of a row; the arena and the table last for all rows. */
struct kind_check {
    const struct grid *grid;
    const struct grid_point *point;
    const void *options; /* the fields of the kind's section; NULL: it has none */
    const char *section; /* the name of that, "evaluate.gates"; or NULL */
    struct arena *arena;
    struct table *seen;
};
/* Where the point says an option of the section, or the section itself. */
struct place kind_check_place(const struct kind_check *check, const char *key);
/* True the first time that a text is seen: rows share files, which are read once. */
bool kind_check_first(struct kind_check *check, const char *text);

/* What the stages of a kind are like; bits, beside those of enum settings_bit. */
enum kind_trait {
    KIND_SEEDED = 8,    /* its numbers depend on the seed */
    KIND_COMPUTES = 16, /* with the ops of a device: done.json says which, and by which code */
    KIND_SINGLE = 32,   /* its work has one thread, whatever there is */
    KIND_RESUMES = 64,  /* continues where it was; others start over, with an empty metrics.jsonl */
    KIND_TIMES =
        128, /* measures time: nothing else runs at the same time, and it has all threads */
    /* About all rows of a grid together, on this machine: its inputs are the stages of the first
     * kind in `inputs` that the rows have, each once, and its options are
     * {machine: .., rows: [{input: 0, options: {..}}, ..]}.
     * It is wanted where any point has its section, or a table, figure or claim a column of it. */
    KIND_PER_GRID = 256
};

/* Its place among kinds in what is shown is a comment of its file, "rank: 30"; kinds that it reads
 * have lower ranks. */
struct stage_kind {
    const char *name; /* letters from a to z, as in the name of its file */
    const char *help; /* one line */
    /* The version of a stage, which is raised where the same options come to mean other numbers;
     * others have version 1 and keep their ids. A reader whose numbers change with it has a version
     * of its own: the version is in the ids of these stages alone. NULL: all have version 1. */
    int (*version)(const struct stage *stage);
    /* A point gets a stage of this kind (a) if the grid's task is `task`, (b) of a kind without a
     * task, if the point has the section `evaluation`, or (c) if another of its stages reads it. */
    const char *task;                    /* "translation"; or NULL */
    const struct evaluation *evaluation; /* its section of options; or NULL */
    /* What else its numbers depend on, enum settings_bit, and enum kind_trait. */
    unsigned traits;
    /* The words of the program that a stage starts because its options name it; NULL: none. A
     * folder may be somebody else's, so only a grid's own run starts one. */
    const struct texts *(*program)(const struct stage *stage);
    /* Kinds that it reads, of lower ranks; of one with parts, all of them, or the one that its own
     * part reads (stage_kind_part). NULL-terminated; NULL: none. */
    const char *const *inputs;
    /* What it reads in their place where they are of another task than the grid; NULL: nothing. */
    const char *const *other_inputs;
    /* How lines begin that its numbers do not depend on, NULL-terminated: of its own options, and
     * after "input/" of its inputs' canonical texts: another test text does not train anew.
     * NULL: they depend on all. */
    const char *const *ignores;
    /* Further such lines of one input, NULL-terminated, that are in the ids of older programs: a
     * stage that is there under such an id is used (stage_identify). NULL: none. */
    const char *const *(*input_left)(const struct stage *input);
    /* What the encoder of a point that asks for it lacks, "a gauss term": then it has no such
     * stage; a grid none of whose rows has it is refused, and so is a row that asks by itself. "":
     * the point has no stage of it, and that is fine. NULL: it has. */
    const char *(*lacks)(const struct settings *settings);
    /* What it asks, by options, of the kinds that it reads, of all rows together (grid_row_say).
     * NULL: nothing. */
    void (*ask)(struct grid *grid, struct arena *arena);
    /* Adds the files that a stage reads (stage_find_files); `planned` is the same stage with those
     * that it has had so far. NULL: it reads only what other stages wrote. */
    void (*find_files)(struct stage *stage, const struct stage *planned, struct arena *arena);
    struct estimate (*estimate)(struct stage *stage, struct arena *arena);
    enum work_end (*run)(struct stage_work *work);
    /* Dies where a point asks for what cannot be: called for the first seed of each row that asks
     * for this kind and lacks nothing, before anything runs. NULL: there is nothing to check. */
    void (*check)(struct kind_check *check);
    /* Dies where a finished stage is not what it says, beyond its digests and values. NULL: these
     * say all. */
    void (*verify)(const struct stage *stage, struct arena *arena);
    /* What those that read it open: a name in its folder, or "*" and how some name there ends. An
     * archive may leave it out. NULL: nothing reads it, or an archive has that. */
    const char *opened;
};
/* All kinds, in the order of their ranks; NULL-terminated. Each is the file kind_NAME.c, which make
 * finds. */
extern const struct stage_kind *const stage_kinds[];
const struct stage_kind *stage_kind_find(const char *name); /* or NULL */
/* What a kind reads in grids of a task; NULL: nothing. */
const char *const *stage_kind_inputs(const struct stage_kind *kind, const char *task);
/* The part NAME of a kind that the part NAME@VIEW of its reader reads; of NAME@VIEW@start it is
 * NAME@start. */
const char *stage_kind_part(const char *part, struct arena *arena);
/* Whether a kind is seeded, or reads one that is, through any chain of inputs. */
bool stage_kind_is_seeded(const struct stage_kind *kind);
/* The kind in the chain of what a kind reads, itself first, that is of another task; or NULL. */
const struct stage_kind *stage_kind_foreign(const struct stage_kind *kind, const char *task);
