/* The sheets of a report about its grid's options; each is NULL when there is nothing to tell. */
#pragma once

#include "results/sheet/sheet.h"
#include "results/store/store.h"
#include "results/table/summary.h"

struct report_options {
    struct sheet *differences; /* those in which rows differ, by row */
    struct sheet *common;      /* those that all rows have alike */
    struct sheet *defaults;    /* of training, that no row sets */
};
struct report_options report_options(struct store *store, const struct grid *grid,
                                     struct arena *arena);
