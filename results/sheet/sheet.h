/* A sheet: a table independent of its output form. It has texts and the alignment of each column.
 *
 * The caller fills a sheet, and sheet_print prints it in one form. Cells are finished text, so
 * every form prints the same digits. The caller's arena owns all memory. */
#pragma once

#include "core/base/arena.h"

enum sheet_align {
    SHEET_LEFT,
    SHEET_RIGHT,
    SHEET_NUMBER, /* aligned at the decimal point; other cells to the right */
    SHEET_CENTER  /* check marks */
};

struct sheet_column {
    const char *header;
    enum sheet_align align;
    int decimals; /* digits after the point of this column's numbers */
};

enum sheet_style {
    SHEET_BOLD = 1, /* best of its column */
    SHEET_APART = 2 /* a number of another kind than the column's numbers, aligned right */
};

struct sheet_cell {
    const char *text;    /* finished; NULL: `missing` of the sheet */
    const char *mark;    /* superscript after the text: "†"; NULL: none */
    unsigned char style; /* enum sheet_style */
};

/* Adjacent columns under one heading. */
struct sheet_group {
    int first, count;
    const char *header;
};

/* Adjacent cells of a row that are printed as one cell, centered over their columns. Forms without
 * spans (md, csv) print each cell separately. */
struct sheet_span {
    int row, first, count;
    const char *text, *mark; /* finished; mark "": none */
    bool bold;
};

struct sheet {
    const char *title;    /* NULL: none */
    const char *sentence; /* the caption that is LaTeX's \caption; NULL: the title */
    const char *name;     /* label for references from a paper: the grid's name; NULL: none */
    int columns, rows, captions, groups, spans;
    int names;                   /* index of the column with the names of rows */
    struct sheet_column *column; /* [columns] */
    struct sheet_group *group;   /* [groups] from left to right, not overlapping */
    struct sheet_span *span;     /* [spans] not overlapping */
    struct sheet_cell *cell;     /* [rows][columns] */
    bool *rule;                  /* [rows] true: a line above this row */
    const char **section;        /* [rows] a heading above this row; NULL: none */
    const char *missing;         /* text of missing cells */
    const char **caption;        /* [captions] lines below the table */
    int about_bold;              /* 1 + index of the caption about bold cells; 0: none. Omitted
                                    where bold is invisible */
};

/* Rows and columns are indexed from 0; an index out of range is a CHECK. Texts, marks and headers
 * are not copied: they must live as long as the sheet. */

/* Returns a sheet of empty cells whose columns have no header. */
struct sheet *sheet_new(struct arena *arena, int rows, int columns);
/* Returns a sheet with these headers. The first `texts` columns are aligned left, the others
 * right. */
struct sheet *sheet_headed(struct arena *arena, int rows, int columns, const char *const *header,
                           int texts);
struct sheet_cell *sheet_at(const struct sheet *sheet, int row, int column);
void sheet_set(struct sheet *sheet, int row, int column, const char *text);
const char *sheet_get(const struct sheet *sheet, int row, int column); /* never NULL */
/* Add one group or one span. */
void sheet_group(struct arena *arena, struct sheet *sheet, int first, int count,
                 const char *header);
void sheet_span(struct arena *arena, struct sheet *sheet, struct sheet_span span);
/* Removes the rows with keep[row] false. A section stays above its first remaining row. */
void sheet_keep(struct sheet *sheet, const bool *keep);
/* Returns the transposed sheet. Groups become sections and sections become groups. `names`: the
 * heading of the first column of `from`, which has the names of rows. NULL: `from` has no such
 * column. */
struct sheet *sheet_turn(struct arena *arena, const struct sheet *from, const char *names);
/* Adds a line below the table. */
void sheet_caption(struct arena *arena, struct sheet *sheet, const char *format, ...) PRINTF(3, 4);

/* The output forms. Every text of a sheet is printed as text (escape.h), except "$m=1$", which is
 * mathematics in LaTeX, unchanged in CSV, and m=1 in the others.
 *   text   for terminals: columns are two blanks apart, aligned by the width of each character in
 *          a terminal. Bold if `out` is a terminal and NO_COLOR is not set
 *   md     a table of GitHub's Markdown
 *   latex  a floating table for \input, numbers aligned at the point; needs the package booktabs.
 *          The title, or the caption `sentence`, is the \caption; the captions are notes below
 *   csv    RFC 4180, for programs: bare numbers, and the rest of a cell (deviation, seeds, notes,
 *          marks) in separate columns; no title, no captions
 *   html   a figure with a <table>, for a page that has the style */
enum sheet_form { SHEET_TEXT, SHEET_MARKDOWN, SHEET_LATEX, SHEET_CSV, SHEET_HTML };

enum sheet_form sheet_form_read(const char *name); /* exits with an error if the form is unknown */
void sheet_print(const struct sheet *sheet, enum sheet_form form, FILE *out);
/* True if the form shows bold cells in this output (NULL: in a file). */
bool sheet_shows_bold(enum sheet_form form, FILE *out);
/* Prints the sheet as a whole document if the form has documents (latex, html). */
void sheet_print_document(const struct sheet *sheet, enum sheet_form form, FILE *out);

void sheet_text(const struct sheet *sheet, FILE *out); /* the form text */

/* sheet_width: the number of terminal columns of a text. sheet_put: prints a text for a terminal,
 * with question marks for invalid UTF-8 and control characters. */
int sheet_width(const char *text);
void sheet_put(const char *text, FILE *out);
