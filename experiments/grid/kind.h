/* The interface of a kind of stage. Each kind is one file, experiments/stage/kind_NAME.c; all other
 * code uses the kind only through struct stage_kind. */
#pragma once

#include "experiments/grid/settings.h"

struct estimate; /* experiments/stage/stage.h */
struct grid;     /* grid.h */
struct grid_resolved;
struct stage;
struct stage_work; /* experiments/stage/stage_work.h */

/* Result of a kind's run function. For the last two it has written the event to the journal. */
enum work_end {
    WORK_DONE,
    WORK_INTERRUPTED, /* saved; the next run resumes */
    WORK_DIVERGED     /* a result: not finite, or above the kind's limit */
};

/* Argument of a kind's check of a row. The arena and the table last for all rows. */
struct kind_check {
    const struct grid *grid;
    const struct grid_resolved *resolved;
    const void *options; /* fields of the kind's section; NULL: none */
    const char *section; /* name of the section, "evaluate.gates"; or NULL */
    struct arena *arena;
    struct hash_table *seen;
};
/* Returns the place of an option of the section in the point, or of the section itself. */
struct location kind_check_place(const struct kind_check *check, const char *key);
/* True if a text has not been seen before. Rows share files, which need only one check. */
bool kind_check_first(struct kind_check *check, const char *text);

/* Traits of a kind's stages: bits in addition to those of enum settings_bit. */
enum kind_trait {
    KIND_SEEDED = 8,    /* its numbers depend on the seed */
    KIND_COMPUTES = 16, /* with the ops of a device: done.json records device and code */
    KIND_SINGLE = 32,   /* single-threaded, whatever the number of cores */
    KIND_RESUMES = 64,  /* resumes; other kinds restart with an empty metrics.jsonl */
    KIND_TIMES =
        128, /* measures time: nothing else runs at the same time, and it has all threads */
    /* One stage for all rows of a grid on this machine. Its inputs are the rows' stages of the
     * first kind in `inputs`, each once. Its options are
     * {machine: .., rows: [{input: 0, options: {..}}, ..]}.
     * It is needed if any point has its section, or if a table, figure or claim has a column of
     * it. */
    KIND_PER_GRID = 256
};

/* A kind of stage. Its position among kinds in output is a comment of its file, "rank: 30"; its
 * inputs have lower ranks. */
struct stage_kind {
    const char *name; /* letters from a to z, as in the name of its file */
    /* Returns the version of a stage, which is raised if the same options come to yield other
     * numbers. Stages with version 1 keep their ids. The version is only in the ids of this kind's
     * stages. So a kind that reads such a stage needs its own version if its numbers change, too.
     * NULL: all stages have version 1. */
    int (*version)(const struct stage *stage);
    /* A point gets a stage of this kind if the grid's task is `task`. If the kind has no task, a
     * point gets it by the section `evaluation`. A point also gets it if another stage of the point
     * reads it. */
    const char *task;                    /* "translation"; or NULL */
    const struct evaluation *evaluation; /* its section of options; or NULL */
    /* Further dependencies of its numbers (enum settings_bit), and enum kind_trait. */
    unsigned traits;
    /* Returns the words of the program that a stage starts because its options name it; NULL: none.
     * The folder of a run may come from another person, so only a grid's own run starts the
     * program. */
    const struct texts *(*program)(const struct stage *stage);
    /* Input kinds, of lower ranks. For an input kind with parts: all parts, or the part that this
     * stage's own part reads (stage_kind_part). NULL-terminated; NULL: none. */
    const char *const *inputs;
    /* Input kinds that replace `inputs` if these are of another task than the grid; NULL: none. */
    const char *const *other_inputs;
    /* Prefixes of option lines that do not change its numbers, NULL-terminated: lines of its own
     * options, and after "input/" lines of its inputs' canonical texts. Example: another test text
     * does not cause a new training. NULL: all lines count. */
    const char *const *ignores;
    /* Returns further such prefixes for one input, NULL-terminated, whose lines are in the ids of
     * older programs. An existing stage with such an id is used (stage_identify). NULL: none. */
    const char *const *(*input_left)(const struct stage *input);
    /* Returns what the encoder of a point lacks for this kind, "a gauss term". The point then has
     * no such stage. A grid is refused if every row lacks it, and so is a row that sets the section
     * itself. Returns "" if the point has no stage of this kind without an error; NULL if nothing
     * is lacking. */
    const char *(*lacks)(const struct settings *settings);
    /* Sets options that this kind needs from its input kinds, for all rows together (grid_row_say).
     * NULL: none. */
    void (*ask)(struct grid *grid, struct arena *arena);
    /* Adds the files that a stage reads (stage_find_files). planned: the same stage with its files
     * so far. NULL: it reads only files of other stages. */
    void (*find_files)(struct stage *stage, const struct stage *planned, struct arena *arena);
    struct estimate (*estimate)(struct stage *stage, struct arena *arena);
    enum work_end (*run)(struct stage_work *work);
    /* Dies if a point's options are impossible. It is called for the first seed of each row that
     * has this kind and lacks nothing, before anything runs. NULL: nothing to check. */
    void (*check)(struct kind_check *check);
    /* Dies if a finished stage is invalid in a way that its digests and values do not show. NULL:
     * digests and values suffice. */
    void (*verify)(const struct stage *stage, struct arena *arena);
    /* The file that later stages open: a name in its folder, or "*" and a suffix. An archive may
     * omit it. NULL: no stage reads it, or archives contain it. */
    const char *opened;
};
/* All kinds, in the order of their ranks; NULL-terminated. make finds the files kind_NAME.c. */
extern const struct stage_kind *const stage_kinds[];
const struct stage_kind *stage_kind_find(const char *name); /* or NULL */
/* Returns the input kinds of a kind in grids of a task; NULL: none. */
const char *const *stage_kind_inputs(const struct stage_kind *kind, const char *task);
/* Returns the part that a reader's part reads: NAME for NAME@VIEW, NAME@start for
 * NAME@VIEW@start. */
const char *stage_kind_part(const char *part, struct arena *arena);
/* True if a kind is seeded, or reads a seeded kind through any chain of inputs. */
bool stage_kind_is_seeded(const struct stage_kind *kind);
/* Returns the first kind of another task among a kind and its inputs, recursively; NULL if none. */
const struct stage_kind *stage_kind_foreign(const struct stage_kind *kind, const char *task);
