/* What the forms of a sheet share; one file each, sheet_FORM.c (sheet.h says what they are). */
#pragma once

#include "results/sheet/sheet.h"

void sheet_markdown(const struct sheet *sheet, FILE *out);
void sheet_latex(const struct sheet *sheet, FILE *out);
void sheet_latex_document(const struct sheet *sheet, FILE *out);
void sheet_csv(const struct sheet *sheet, FILE *out);
void sheet_html(const struct sheet *sheet, FILE *out);
void sheet_html_document(const struct sheet *sheet, FILE *out);

/* Where a number's whole part ends: "36.12 ± 0.21" at its point, "3,681" at its end; so do "88.0M"
 * and "524K", whose points mean different things. "<0.001" is a number, too. NULL when the text
 * begins with none. */
const char *sheet_point(const char *text);

/* The same of a cell that lines up with its column; else NULL. */
const char *sheet_cell_point(const struct sheet *sheet, int row, int column);

const char *sheet_mark_of(const struct sheet *sheet, int row, int column); /* "" for none */
bool sheet_is_bold(const struct sheet *sheet, int row, int column);
bool sheet_has_sections(const struct sheet *sheet);
/* Whether a row stands below the heading of a section. */
bool sheet_in_section(const struct sheet *sheet, int row);
/* The group that a column stands in, or NULL. */
const struct sheet_group *sheet_group_of(const struct sheet *sheet, int column);
/* The span that a cell is of, or NULL. */
const struct sheet_span *sheet_span_at(const struct sheet *sheet, int row, int column);
/* A column's header, after that of its group: "En-De: BLEU". */
const char *sheet_full_header(struct arena *arena, const struct sheet *sheet, int column);
