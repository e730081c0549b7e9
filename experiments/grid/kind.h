/* The interface of a kind of stage. Each kind is one file, experiments/stage/kind_NAME.c; all other
 * code uses the kind only through struct stage_kind. */
#pragma once

#include "experiments/grid/settings.h"

struct estimate; /* experiments/stage/stage.h */
struct grid;     /* grid.h */
struct grid_resolved;
struct stage;
struct stage_work; /* experiments/stage/stage_work.h */

/* Result of a kind's run function. Before WORK_INTERRUPTED and WORK_DIVERGED, the function has
 * written the event to the journal. */
enum work_end {
    WORK_DONE,
    WORK_INTERRUPTED, /* the state is saved; the next run resumes */
    WORK_DIVERGED     /* final: a value is not finite, or above the limit of the kind */
};

/* Argument of a kind's check of a row. All rows use the same arena and table. */
struct kind_check {
    const struct grid *grid;
    const struct grid_resolved *resolved;
    const void *options; /* values of the options of the kind's section; NULL: the kind has no
                            section */
    const char *section; /* name of the section, "evaluate.gates"; NULL: the kind has no section */
    struct arena *arena;
    struct hash_table *seen;
};
/* Returns the location of an option of the section, for messages. If key is "", returns the
 * location of the section. */
struct location kind_check_place(const struct kind_check *check, const char *key);
/* True if no earlier call had this text. Rows with the same file need only one check of the
 * file. */
bool kind_check_first(struct kind_check *check, const char *text);

/* Traits of a kind's stages: bits in addition to those of enum settings_bit. */
enum kind_trait {
    KIND_SEEDED = 8,    /* the results depend on the seed */
    KIND_COMPUTES = 16, /* uses the ops of a device: done.json records device and code */
    KIND_SINGLE = 32,   /* uses one thread, even if more cores are free */
    KIND_RESUMES = 64,  /* resumes after an interruption; other kinds restart with an empty
                           metrics.jsonl */
    KIND_TIMES =
        128, /* measures time: it has all threads, and no other stage runs at the same time */
    /* One stage for all rows of a grid on this machine. Its inputs are the stages of the first kind
     * in `inputs`, for the first seed of each row, without duplicates. Its options are
     * {machine: .., rows: [{input: 0, options: {..}}, ..]}.
     * The stage is needed if a point has its section, or if a table, figure or claim has a column
     * of its kind. */
    KIND_PER_GRID = 256,
    /* Inputs may have diverged, or be blocked by a training that diverged. */
    KIND_PARDONS = 512
};

/* A kind of stage. A comment in the file of the kind, "rank: 30", gives its position in lists of
 * kinds. The input kinds have lower ranks. */
struct stage_kind {
    const char *name; /* letters from a to z; the file is kind_NAME.c */
    /* Returns the version of a stage. Raise the version after a change of the program by which the
     * same options yield other results. A stage with version 1 keeps its id from before there were
     * versions. The id of a stage contains its own version, but not the versions of its inputs. So
     * if the results of later kinds change too, raise their versions as well. NULL: all stages have
     * version 1. */
    int (*version)(const struct stage *stage);
    /* A point has a stage of this kind if the grid's task is `task`. If the kind has no task, the
     * point must have the section `evaluation`. In either case, the point also has the stage if
     * another stage of the point reads it. */
    const char *task;                    /* "translation"; or NULL */
    const struct evaluation *evaluation; /* section with the options of the kind; NULL: no
                                            options */
    /* Bits of enum kind_trait, and bits of enum settings_bit: the groups of options on which the
     * results depend, in addition to the section. */
    unsigned traits;
    /* Returns the command line of an external program that the options of a stage name and the
     * stage starts; NULL: none. The folder of a run may come from another person. So the program is
     * started only by the run of a grid, whose file has this command line. */
    const struct texts *(*program)(const struct stage *stage);
    /* Input kinds, of lower ranks. A stage of a kind without parts reads all parts of an input
     * kind. A stage with a part reads one part of it (stage_kind_part). NULL-terminated; NULL:
     * none. */
    const char *const *inputs;
    /* Input kinds that replace `inputs` if one of these, or one of their own inputs, belongs to
     * another task than the grid's; NULL: none. */
    const char *const *other_inputs;
    /* Prefixes of lines of options that do not change the results, NULL-terminated. A prefix
     * belongs to lines of the stage's own options. A prefix after "input/" belongs to lines in the
     * canonical text of an input. Example: another test text does not cause a new training. NULL:
     * all lines count. */
    const char *const *ignores;
    /* Returns more prefixes of lines to ignore in one input, NULL-terminated. Older programs did
     * not ignore these lines in ids. A stage that exists under its old id is used (stage_identify).
     * NULL: none. */
    const char *const *(*input_left)(const struct stage *input);
    /* Returns the part that this kind needs and the encoder of a point lacks, "a gauss term"; NULL
     * if nothing is lacking. If a part is lacking, the point has no stage of this kind. It is an
     * error if all rows lack the part, or if a row that lacks the part sets the section itself. If
     * the function returns "", the point has no stage of this kind, and this is not an error. */
    const char *(*lacks)(const struct settings *settings);
    /* Changes options of input kinds that this kind depends on, for all rows together
     * (grid_row_say). NULL: none. */
    void (*ask)(struct grid *grid, struct arena *arena);
    /* Adds the files that a stage reads (stage_find_files). planned: the same stage, with the files
     * that are already found. NULL: the kind reads only files of other stages. */
    void (*find_files)(struct stage *stage, const struct stage *planned, struct arena *arena);
    /* Estimates the cost of a stage. NULL: guessed (stage_estimate). */
    struct estimate (*estimate)(struct stage *stage, struct arena *arena);
    /* For the guess: number of forward passes of the trained model over dev that take as long as
     * the stage. 0: the stage takes a fraction of a second. */
    int passes;
    enum work_end (*run)(struct stage_work *work);
    /* Returns a line about the power of the test set of a stage, which `plan` prints before
     * anything is trained; NULL: unknown. Stages with equal files and equal names up to @ have the
     * same line. The pointer is NULL if the kind has no such line. */
    const char *(*power)(const struct stage *stage, struct arena *arena);
    /* Dies if a point's options are impossible. It is called before any stage runs, once for each
     * row that has this kind and lacks nothing. NULL: nothing to check. */
    void (*check)(struct kind_check *check);
    /* Dies if the output of a finished stage is invalid. The digests and values of the stage are
     * checked elsewhere. NULL: no further check. */
    void (*verify)(const struct stage *stage, struct arena *arena);
    /* File that later stages open and an archive may omit: a name in the stage's folder, or "*" and
     * a suffix. NULL: no stage reads a file of this kind, or archives contain all such files. */
    const char *opened;
};
/* All kinds, in the order of their ranks; NULL-terminated. make generates this list from the files
 * kind_NAME.c. */
extern const struct stage_kind *const stage_kinds[];
const struct stage_kind *stage_kind_find(const char *name); /* NULL if there is none */
/* Returns the input kinds of a kind in grids of a task; NULL: none. */
const char *const *stage_kind_inputs(const struct stage_kind *kind, const char *task);
/* Returns the part of an input kind that a stage with part `part` reads: NAME for NAME@VIEW,
 * NAME@start for NAME@VIEW@start. */
const char *stage_kind_part(const char *part, struct arena *arena);
/* True if a kind is seeded, or reads a seeded kind through any chain of inputs. */
bool stage_kind_is_seeded(const struct stage_kind *kind);
/* Searches a kind and its direct and indirect inputs. Returns the first kind that belongs to
 * another task than `task`; NULL if there is none. */
const struct stage_kind *stage_kind_foreign(const struct stage_kind *kind, const char *task);
