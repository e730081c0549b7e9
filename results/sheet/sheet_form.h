/* The forms of a sheet, one file each (sheet_FORM.c, described in sheet.h), and their helpers. */
#pragma once

#include "results/sheet/sheet.h"

void sheet_markdown(const struct sheet *sheet, FILE *out);
void sheet_latex(const struct sheet *sheet, FILE *out);
void sheet_latex_document(const struct sheet *sheet, FILE *out);
void sheet_csv(const struct sheet *sheet, FILE *out);
void sheet_html(const struct sheet *sheet, FILE *out);
void sheet_html_document(const struct sheet *sheet, FILE *out);

/* Returns the end of a number's integer part: "36.12 ± 0.21" at its point, "3,681" at its end.
 * "88.0M" and "524K" end after the unit, because their decimals differ in magnitude. "<0.001" is
 * also a number. Returns NULL if the text begins with no number. */
const char *sheet_point(const char *text);

/* Returns sheet_point of a cell that is aligned with its column; else NULL. */
const char *sheet_cell_point(const struct sheet *sheet, int row, int column);

const char *sheet_mark_of(const struct sheet *sheet, int row, int column); /* "" for none */
bool sheet_is_bold(const struct sheet *sheet, int row, int column);
bool sheet_has_sections(const struct sheet *sheet);
/* True if a row is below the heading of a section. */
bool sheet_in_section(const struct sheet *sheet, int row);
/* Returns the group of a column; NULL if none. */
const struct sheet_group *sheet_group_of(const struct sheet *sheet, int column);
/* Returns the span of a cell; NULL if none. */
const struct sheet_span *sheet_span_at(const struct sheet *sheet, int row, int column);
/* Returns a column's header with that of its group as prefix: "En-De: BLEU". */
const char *sheet_full_header(struct arena *arena, const struct sheet *sheet, int column);
