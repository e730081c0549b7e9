/* `sanlab export sqlite`: one SQLite file for other programs (docs/format.md has its tables). */
#pragma once

#include "results/query/query.h"
#include "results/report/claims.h"

struct export_parts {
    bool items, hypotheses, verdicts;
    const char *grid;           /* grid whose record is exported; NULL: all grids of the stages */
    const struct grid *summary; /* for verdicts: the grid with its layout */
    const struct claims *claims;
    const char *(*defaults)(struct arena *arena, const char *kind);
};

/* Writes the stages stage[count] into the file `path`, which must exist and be empty. */
void export_sqlite(struct store *store, const struct found_stage *stage, int count,
                   const struct export_parts *parts, const char *path);
