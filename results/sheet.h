/* A sheet: a table before it has a form, what stands in it and how each column wants to be set.
 *
 * Whoever makes a sheet fills it; a renderer turns it into one form. Cells are finished
 * text, so every form shows the same digits. All memory belongs to the caller's arena. */
#ifndef RESULTS_SHEET_H
#define RESULTS_SHEET_H

#include "core/base/arena.h"

enum sheet_align {
    SHEET_LEFT,
    SHEET_RIGHT,
    SHEET_NUMBER /* decimal points below each other; cells that are no numbers to the right */
};

struct sheet_column {
    const char *header;
    enum sheet_align align;
    int decimals; /* digits after the point of this column's numbers */
};

struct sheet {
    const char *title; /* NULL: none */
    int columns, rows, captions;
    struct sheet_column *column; /* [columns] */
    const char **cell;           /* [rows][columns]; NULL: the mark for missing */
    const char *missing;         /* the mark */
    const char **caption;        /* [captions] lines below the table */
};

struct sheet *sheet_new(struct arena *arena, int rows, int columns);
void sheet_set(struct sheet *sheet, int row, int column, const char *text);
const char *sheet_get(const struct sheet *sheet, int row, int column); /* never NULL */
void sheet_caption(struct arena *arena, struct sheet *sheet, const char *format, ...) PRINTF(3, 4);

/* For terminals: columns two blanks apart, aligned by the width that a terminal gives each
 * character; control characters are shown as question marks. */
void sheet_text(const struct sheet *sheet, FILE *out);

/* Columns that a terminal gives this text, and the text as it may reach one: what is no UTF-8 and
 * control characters are question marks. */
int sheet_width(const char *text);
void sheet_put(const char *text, FILE *out);

#endif
