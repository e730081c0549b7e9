/* Functions that print the forms of a sheet (described in sheet.h), and their helpers. The file of
 * each form is sheet_FORM.c. */
#pragma once

#include "results/sheet/sheet.h"

void sheet_markdown(const struct sheet *sheet, FILE *out);
void sheet_latex(const struct sheet *sheet, FILE *out);
void sheet_latex_document(const struct sheet *sheet, FILE *out);
void sheet_csv(const struct sheet *sheet, FILE *out);
void sheet_html(const struct sheet *sheet, FILE *out);
void sheet_html_document(const struct sheet *sheet, FILE *out);

/* Returns the point of a text at which a column of numbers is aligned. This is the decimal point of
 * its first number (36.12 ± 0.21), or the number's end if it has no decimals (3,681). A number with
 * a unit (88.0M, 524K) is aligned after the unit, because its decimals depend on the unit. A sign
 * or "<" may precede the number (<0.001). Returns NULL if the text does not begin with a number. */
const char *sheet_point(const char *text);

/* Returns the point at which a cell is aligned with the others of its column. It is sheet_point, or
 * the end of the text in a SHEET_RIGHT column. NULL: the cell is not aligned at a point. */
const char *sheet_cell_point(const struct sheet *sheet, int row, int column);

/* The width of a cell in terminal columns: whole, and before and after the point of alignment.
 * sheet_cells_width (sheet_text.c) returns the largest widths of a column, without its header. */
struct cell_width {
    int whole, before, after;
};
struct cell_width sheet_cells_width(const struct sheet *sheet, int column);

const char *sheet_mark_of(const struct sheet *sheet, int row, int column); /* "" for none */
bool sheet_is_bold(const struct sheet *sheet, int row, int column);
bool sheet_has_sections(const struct sheet *sheet);
/* Returns the group of a column; NULL if none. */
const struct sheet_group *sheet_group_of(const struct sheet *sheet, int column);
/* Returns a column's header with the header of its group as prefix: "En-De: BLEU". */
const char *sheet_full_header(struct arena *arena, const struct sheet *sheet, int column);
