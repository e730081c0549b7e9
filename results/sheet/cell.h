/* Values of stages for other programs: cells of a line of CSV, and JSON. What is not finite is
 * empty, or null. */
#pragma once

#include <jansson.h>
#include <stdio.h>

#include "core/base/arena.h"

/* True if cells of CSV are for a spreadsheet (escape_csv); false by default. */
extern bool cell_spreadsheet;
/* Behind a comma; text is escaped (escape.h), NULL is empty, numbers read back as they were. */
void cell_text(const char *text, FILE *out);
void cell_real(double value, FILE *out);
json_t *cell_json(double value); /* a new reference */
/* A line of JSON; takes the object over. */
void cell_put_json(json_t *json, FILE *out);
json_t *cell_json_list(const char *const *text, int count); /* a new reference */
