/* Values of stages for other programs: cells of a CSV line, and JSON values. Numbers that are not
 * finite are empty in CSV and null in JSON. */
#pragma once

#include <jansson.h>
#include <stdio.h>

#include "core/base/arena.h"

/* True if cells of CSV are for a spreadsheet (escape_csv); false by default. */
extern bool cell_spreadsheet;
/* Print a comma and the cell. Text is escaped (escape.h), NULL is empty. Numbers read back
 * exactly. */
void cell_text(const char *text, FILE *out);
void cell_real(double value, FILE *out);
json_t *cell_json(double value); /* a new reference */
/* Prints the object as a line of JSON. Takes ownership of the object. */
void cell_put_json(json_t *json, FILE *out);
char *cell_json_texts(const char *const *text, int count); /* a JSON list, on the heap */
