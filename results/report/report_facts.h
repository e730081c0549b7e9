/* What a report tells besides the results (report.h): sheets of options, environments, stages. */
#pragma once

#include "core/base/table.h"
#include "results/sheet/sheet.h"
#include "results/store/relation.h"
#include "results/table/summary.h"

/* A value of a key, with the members that have it: of an option the rows, of the environment the
 * stages, of a stage (its id and title) the points. */
struct fact {
    const char *key, *value;
    int count, *member; /* [count] ascending */
};
struct facts {
    struct arena *arena;
    struct table *index; /* of keys and values */
    int count, members;
    struct fact *fact; /* [count] each value of a key once */
    int last;          /* the member that was added last; members: how many have a fact at all */
};
/* Members come in ascending order. */
void facts_add(struct facts *facts, const char *key, const char *value, int member);
/* True if all members have it that have any fact. */
bool facts_of_all(const struct facts *facts, const struct fact *fact);
#define FACTS_NEW(arena_)                                                                          \
    ((struct facts){.arena = (arena_), .index = table_new((arena_), 0), .last = -1})

/* What the database has of a stage under a key. */
struct stage_fact {
    enum relation_part part;
    const char *key, *value;
};

/* One stage of a grid, which rows and seeds may share. */
struct report_stage {
    const char *id, *kind;
    const char *folder, *status;    /* "new" when the database has none */
    const char *users;              /* "Transformer, seed 1", or "all rows"; several with ; */
    double started, finished, wall; /* seconds; NaN: not known */
    int64_t attempts;
    int facts;
    struct stage_fact *fact; /* [facts] options, environment and signature */
};

struct report_facts {
    int stages;
    struct report_stage *stage; /* [stages] in the order of the rows, inputs first */
    /* Each is NULL when there is nothing to tell. */
    struct sheet *differences;  /* options in which rows differ, by row */
    struct sheet *options;      /* those that all rows have alike */
    struct sheet *defaults;     /* of training, that no row sets */
    struct sheet *environments; /* of stages: key, value, rows */
    struct sheet *signatures;   /* of scores: value, rows */
    struct sheet *list;         /* the stages */
    const char *seeds;          /* "1, 2, 3" */
    const char *commits;        /* "abc, def"; NULL: none known */
    double started, finished;   /* of all stages that are over; NaN: none */
};

struct report_facts report_facts(struct store *store, const struct grid *grid, struct arena *arena);

/* report_options.c: fills the first three sheets, from the options of the stages of the rows' first
 * seeds; `index` has the place of each stage's id. */
void report_options(struct report_facts *made, const struct table *index, const struct grid *grid,
                    struct arena *arena);

/* "2026-11-20 14:09 UTC" */
const char *report_time(struct arena *arena, double seconds);
