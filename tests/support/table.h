/* The table of a grid in a test, and its claims: what they say in YAML, over the runs of a
 * folder. */
#pragma once

#include "results/report/claims.h"
#include "results/store/store.h"
#include "results/table/summary.h"

/* Reads what the YAML of a grid says of its table into `grid`, and collects the runs. */
struct store *table_open(const char *runs, const char *yaml, struct grid *grid);
/* The same, and the table as text, with its remarks below; in the arena. */
const char *table_print(const char *runs, const char *yaml, struct grid *grid);
/* The claims of a second YAML about such a grid, as text, in the arena. */
const char *claims_print(const char *runs, const char *yaml, const char *claims, struct grid *grid);
/* The claims of {claims: [..]}, and the verdict on the one claim {text: t, REST}. */
struct claims table_claims(const struct grid *grid, const char *yaml);
struct claim_result table_judge(struct store *store, const struct grid *grid, const char *rest);
/* A sheet as text, in the arena. */
const char *sheet_string(const struct sheet *sheet);
