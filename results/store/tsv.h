/* Files of columns between tabs, whose first line names them. Rows are an array of structs. */
#pragma once

#include "core/base/arena.h"

enum tsv_cell {
    TSV_TEXT,     /* const char *, without tabs and line breaks */
    TSV_NUMBER,   /* double, finite: the shortest decimals that read back */
    TSV_POSITIVE, /* the same above 0 */
    TSV_INDEX,    /* int, from 1 */
    TSV_WHOLE     /* int, from 0 */
};

/* What a file has: its columns, and where a row has them. The last one may be missing, as it is
 * written where the first row has 0 there. */
struct tsv_form {
    const char *what;   /* what a row is, for messages */
    size_t bytes;       /* of a row */
    int columns, least; /* [columns] with the last one and, where it may be missing, without */
    const struct tsv_column {
        const char *name;
        enum tsv_cell cell;
        size_t offset;
    } * column;
};

/* Writes the file: all of it or nothing. */
void tsv_write(const char *path, const struct tsv_form *form, const void *row, int count);
/* The rows of such a file's text, which is changed and which they use; *count of them. NULL when it
 * is none, and *problem says why, with the line: "PATH:3: ..". A column that is missing is 0. */
void *tsv_read(struct arena *arena, const char *path, const struct tsv_form *form, char *text,
               size_t bytes, int *count, const char **problem);
/* Cuts a line at its tabs: how many columns there are, of which column [most] has the first. */
int tsv_columns(char *line, const char **column, int most);
