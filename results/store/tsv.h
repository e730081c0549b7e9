/* Reads and writes files of tab-separated columns. The first line has the names of the columns. In
 * memory, the rows are an array of structs. */
#pragma once

#include "core/base/arena.h"

enum tsv_cell {
    TSV_TEXT,     /* const char *, without tabs and line breaks */
    TSV_NUMBER,   /* double, finite; written with as many digits as the double needs */
    TSV_POSITIVE, /* TSV_NUMBER above 0 */
    TSV_INDEX,    /* int, from 1 */
    TSV_WHOLE     /* int, from 0 */
};

/* The form of a file: its columns and their offsets in the struct of a row. The last column may be
 * optional. It is omitted if its value is 0 in the first row. */
struct tsv_form {
    const char *what;   /* name of a row, for messages */
    size_t bytes;       /* size of the struct of a row */
    int columns, least; /* columns: number of columns; least: the same without an optional last
                           column */
    const struct tsv_column {
        const char *name;
        enum tsv_cell cell;
        size_t offset;
    } * column;
};

/* Writes the file, completely or not at all. */
void tsv_write(const char *path, const struct tsv_form *form, const void *row, int count);
/* Returns the rows of a file, [*count]. `text` is the content of the file. The function modifies
 * it, and texts of the rows point into it. A missing optional column is 0. If the text is invalid,
 * returns NULL, and *problem is the reason with the number of the line: "PATH:3: ..". */
void *tsv_read(struct arena *arena, const char *path, const struct tsv_form *form, char *text,
               size_t bytes, int *count, const char **problem);
