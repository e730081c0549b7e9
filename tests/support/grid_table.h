/* The table and the claims of a grid in a test, from YAML and the runs of a folder. */
#pragma once

#include "results/report/claims.h"
#include "results/store/store.h"
#include "results/table/summary.h"

/* Reads the table's part of a grid's YAML into `grid`, and collects the runs. */
struct store *table_open(const char *runs, const char *yaml, struct grid *grid);
/* Like table_open, but returns the table as text, remarks included, in the arena. */
const char *table_print(const char *runs, const char *yaml, struct grid *grid);
/* Returns the claims of a second YAML text about the grid, as text, in the arena. */
const char *claims_print(const char *runs, const char *yaml, const char *claims, struct grid *grid);
/* Return the claims of {claims: [..]}, and the verdict on the claim {text: t, REST}. */
struct claims table_claims(const struct grid *grid, const char *yaml);
struct claim_result table_judge(struct store *store, const struct grid *grid, const char *rest);
/* Returns a sheet as text, in the arena. */
const char *sheet_string(const struct sheet *sheet);
