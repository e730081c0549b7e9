/* What an audit of pairs of statements counted (logic/audit.h), as a table. */
#ifndef EXPERIMENTS_CLI_LOGIC_TABLE_H
#define EXPERIMENTS_CLI_LOGIC_TABLE_H

#include "logic/audit.h"
#include "results/sheet/sheet.h"

/* Of one split: a row for each bin that is there; then the sums of what is trained, of longer
 * ones, of all. NULL when none is there. */
struct sheet *logic_table(struct arena *arena, const struct logic_audit *audit,
                          enum logic_split split, struct logic_bins trained);

#endif
