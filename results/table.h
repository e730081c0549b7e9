/* A table before it has a form: what stands in it, and how each column wants to be set.
 *
 * Whoever makes a table fills the struct; a renderer turns it into one form. Cells are finished
 * text, so every form shows the same digits. All memory belongs to the caller's arena. */
#ifndef RESULTS_TABLE_H
#define RESULTS_TABLE_H

#include "core/base/arena.h"

enum table_align {
    TABLE_LEFT,
    TABLE_RIGHT,
    TABLE_NUMBER /* decimal points below each other; cells that are no numbers to the right */
};

struct table_column {
    const char *header;
    enum table_align align;
    int decimals; /* digits after the point of this column's numbers */
};

struct table {
    const char *title; /* NULL: none */
    int columns, rows, captions;
    struct table_column *column; /* [columns] */
    const char **cell;           /* [rows][columns]; NULL: the mark for missing */
    const char *missing;         /* the mark */
    const char **caption;        /* [captions] lines below the table */
};

struct table *table_new(struct arena *arena, int rows, int columns);
void table_set(struct table *table, int row, int column, const char *text);
const char *table_get(const struct table *table, int row, int column); /* never NULL */
void table_caption(struct arena *arena, struct table *table, const char *format, ...) PRINTF(3, 4);

/* For terminals: columns two blanks apart, aligned by the width that a terminal gives each
 * character; control characters are shown as question marks. */
void table_text(const struct table *table, FILE *out);

/* Columns that a terminal gives this UTF-8 text. */
int table_width(const char *text);

#endif
