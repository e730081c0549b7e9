/* Functions that sanlab check and sanlab-dev check share. */
#pragma once

#include "core/check/finding.h"
#include "core/model/translator.h"
#include "experiments/cli/verb.h"

/* Returns the sections model, encoder and decoder of the model that the words and --row select.
 * Sets *all to all options. If the model is a row of a grid, prints the row's name. */
struct tree *check_tree(struct verb_call *call, const struct tree **all);
struct translator_options *check_options_read(struct arena *arena, const struct tree *model);
/* Prints a line for each finding. Returns the number of failures. */
int check_print(const struct finding *finding, int count, const char *real_name, int width);
