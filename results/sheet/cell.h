/* Prints values of stages for other programs, as cells of a CSV line or as JSON. A number that is
 * not finite is an empty cell in CSV and null in JSON. */
#pragma once

#include <jansson.h>
#include <stdio.h>

#include "core/base/arena.h"

/* True if a spreadsheet will read the CSV (escape_csv); false by default. */
extern bool cell_spreadsheet;
/* Print a comma and a cell. Text is escaped (escape.h); NULL is an empty cell. A number is printed
 * so that reading it gives the same double. */
void cell_text(const char *text, FILE *out);
void cell_real(double value, FILE *out);
json_t *cell_json(double value); /* returns a new reference */
/* Prints the object as a line of JSON. Takes ownership of the object. */
void cell_put_json(json_t *json, FILE *out);
char *cell_json_texts(const char *const *text, int count); /* returns a JSON list, on the heap */
