/* Files of tab-separated columns. The first line names the columns. Rows are an array of
 * structs. */
#pragma once

#include "core/base/arena.h"

enum tsv_cell {
    TSV_TEXT,     /* const char *, without tabs and line breaks */
    TSV_NUMBER,   /* double, finite: the shortest decimals that read back exactly */
    TSV_POSITIVE, /* TSV_NUMBER above 0 */
    TSV_INDEX,    /* int, from 1 */
    TSV_WHOLE     /* int, from 0 */
};

/* The form of a file: its columns and their offsets in a row. The last column may be optional: it
 * is omitted if the first row has 0 there. */
struct tsv_form {
    const char *what;   /* name of a row, for messages */
    size_t bytes;       /* of a row */
    int columns, least; /* [columns], and their number without an optional last column */
    const struct tsv_column {
        const char *name;
        enum tsv_cell cell;
        size_t offset;
    } * column;
};

/* Writes the file, completely or not at all. */
void tsv_write(const char *path, const struct tsv_form *form, const void *row, int count);
/* Returns the *count rows of a file's text. The text is modified, and the rows point into it. A
 * missing column is 0. Returns NULL if the text is invalid, and *problem is the reason with the
 * line: "PATH:3: ..". */
void *tsv_read(struct arena *arena, const char *path, const struct tsv_form *form, char *text,
               size_t bytes, int *count, const char **problem);
/* Splits a line at its tabs. Returns the number of columns, and writes the first `most` to
 * column. */
int tsv_columns(char *line, const char **column, int most);
