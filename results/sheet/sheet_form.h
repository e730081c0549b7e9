/* Functions that print the forms of a sheet (described in sheet.h), and their helpers. */
#pragma once

#include "results/sheet/sheet.h"

void sheet_markdown(const struct sheet *sheet, FILE *out); /* sheet_markup.c */
void sheet_html(const struct sheet *sheet, FILE *out);
void sheet_html_document(const struct sheet *sheet, FILE *out);
void sheet_latex(const struct sheet *sheet, FILE *out);
void sheet_latex_document(const struct sheet *sheet, FILE *out);
void sheet_csv(const struct sheet *sheet, FILE *out);

/* The parts of a cell. Numbers of a column are aligned at the decimal point of the first number
 * (36.12 ± 0.21). Numbers without decimals (3,681) or with a unit (88.0M) are aligned at their end.
 * A sign or "<" may precede the number (<0.001). Cells of a SHEET_RIGHT column are aligned at their
 * ends, so that marks do not move them. */
struct cell_parts {
    const char *text, *mark; /* mark: "" for none */
    const char *point;       /* part of the text after the point; NULL: not aligned at a point */
    int after;               /* width of the point and the mark */
    bool bold;
};
struct cell_parts sheet_parts(const struct sheet *sheet, int row, int column);
/* Returns the largest `after` of a column; 0 if all are equal, because such cells are aligned by
 * their right ends. */
int sheet_after(const struct sheet *sheet, int column);
/* Returns the width of the widest cell, in terminal columns, if cells are aligned. */
int sheet_cells_width(const struct sheet *sheet, int column);

bool sheet_has_sections(const struct sheet *sheet);
/* Returns the group of a column; NULL if none. */
const struct sheet_group *sheet_group_of(const struct sheet *sheet, int column);
/* Returns a column's header with the header of its group as prefix: "En-De: BLEU". */
const char *sheet_full_header(struct arena *arena, const struct sheet *sheet, int column);
