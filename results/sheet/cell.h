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
/* "a; b": a list, NULL at first, with one item more; and all of its items at once. */
const char *cell_append(const char *list, const char *between, const char *item,
                        struct arena *arena);
const char *cell_join(const char *const *text, int count, const char *between, struct arena *arena);
