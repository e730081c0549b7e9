/* Prints findings about the text of corpora (core/corpus/text_audit.h), after plan_estimate. */
#pragma once

#include "experiments/plan/plan.h"

/* Warns of corpora whose text is in pieces already. */
void plan_warn_pieces(struct arena *arena, const struct plan *plan);
/* Prints the share of dev and test that train has, too: a line for each corpus, or one line for
 * corpora that have the same shares. */
void plan_print_overlap(struct arena *arena, const struct plan *plan, FILE *out);
