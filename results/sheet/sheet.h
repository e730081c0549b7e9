/* A sheet is a table that does not depend on its output form. It has the texts of all cells and the
 * alignment of each column.
 *
 * The caller fills a sheet, and sheet_print prints it in one form. Numbers are already formatted as
 * text, so every form prints the same digits. The caller's arena owns all memory. */
#pragma once

#include "core/base/arena.h"

enum sheet_align {
    SHEET_LEFT,
    SHEET_RIGHT,
    SHEET_NUMBER, /* numbers are aligned at the decimal point, other cells to the right */
    SHEET_CENTER  /* for check marks */
};

struct sheet_column {
    const char *header;
    enum sheet_align align;
    int decimals; /* digits after the point of this column's numbers */
};

enum sheet_style {
    SHEET_BOLD = 1, /* the best value of its column */
    SHEET_APART = 2 /* a number that is aligned right, not at the decimal point */
};

struct sheet_cell {
    const char *text;    /* text as it is printed; NULL: the text `missing` of the sheet */
    const char *mark;    /* superscript after the text: "†"; NULL: none */
    const char *note;    /* origin of a value that is not ours; only CSV prints it; NULL: none */
    unsigned char style; /* enum sheet_style */
    int seeds; /* number of seeds of a mean, if the text omits it because all means have it; only
                  CSV prints it; 0: none */
};

/* Adjacent columns under one heading. */
struct sheet_group {
    int first, count;
    const char *header;
};

struct sheet {
    const char *title;    /* NULL: none */
    const char *sentence; /* which of `caption` becomes LaTeX's \caption; NULL: the title does */
    const char *name;     /* the grid's name, which becomes LaTeX's \label; NULL: none */
    int columns, rows, captions, groups;
    int names;                   /* index of the column with the names of rows */
    struct sheet_column *column; /* [columns] */
    struct sheet_group *group;   /* [groups] from left to right, not overlapping */
    struct sheet_cell *cell;     /* [rows][columns] */
    bool *rule;                  /* [rows] true: a line above this row */
    const char **section;        /* [rows] a heading above this row; NULL: none */
    const char *missing;         /* text of missing cells */
    const char **caption;        /* [captions] lines below the table */
    int about_bold;              /* 1 + index of the caption about bold cells; 0: none. sheet_text
                                    omits it if bold is invisible */
};

/* Rows and columns are indexed from 0. An index out of range fails a CHECK. Texts, marks and
 * headers are not copied: they must live as long as the sheet. */

/* Returns a sheet of empty cells whose columns have no header. */
struct sheet *sheet_new(struct arena *arena, int rows, int columns);
/* Returns a sheet with these headers. The first `texts` columns are aligned left, the others
 * right. */
struct sheet *sheet_headed(struct arena *arena, int rows, int columns, const char *const *header,
                           int texts);
struct sheet_cell *sheet_at(const struct sheet *sheet, int row, int column);
void sheet_set(struct sheet *sheet, int row, int column, const char *text);
const char *sheet_get(const struct sheet *sheet, int row, int column); /* never NULL */
void sheet_group(struct arena *arena, struct sheet *sheet, int first, int count,
                 const char *header);
/* Removes the rows with keep[row] false. A section stays above its first remaining row. */
void sheet_keep(struct sheet *sheet, const bool *keep);
/* Returns the transposed sheet. Groups become sections and sections become groups. If the first
 * column of `from` has the names of rows, they become the headers, and `names` is the header of the
 * new first column. If there is no column of names, `names` is NULL. */
struct sheet *sheet_turn(struct arena *arena, const struct sheet *from, const char *names);
/* Adds a line below the table. */
void sheet_caption(struct arena *arena, struct sheet *sheet, const char *format, ...) PRINTF(3, 4);

/* The output forms. Texts are escaped (escape.h).
 *   text   for terminals: columns are two blanks apart, and widths are in terminal columns. Bold is
 *          shown if `out` is a terminal and NO_COLOR is empty or not set
 *   md     a table of GitHub's Markdown
 *   latex  a floating table for \input. Numbers are aligned at the decimal point. Needs the package
 *          booktabs and, for wide tables, graphicx. \caption has `sentence` or, if it is NULL, the
 *          title. The other captions are notes below the table
 *   csv    RFC 4180, for programs, without title and captions. Deviation, number of seeds, note and
 *          mark of a number are in separate columns
 *   html   a <figure> with a <table>, for a page with the style of page.h */
enum sheet_form { SHEET_TEXT, SHEET_MARKDOWN, SHEET_LATEX, SHEET_CSV, SHEET_HTML };

extern const char *const sheet_forms[]; /* names of the forms, NULL-terminated */
void sheet_print(const struct sheet *sheet, enum sheet_form form, FILE *out);
/* True if the form shows bold cells in this output (NULL: in a file). */
bool sheet_shows_bold(enum sheet_form form, FILE *out);
/* Prints the sheet as a whole document if the form has documents (latex, html). */
void sheet_print_document(const struct sheet *sheet, enum sheet_form form, FILE *out);

void sheet_text(const struct sheet *sheet, FILE *out); /* prints the form text */

/* sheet_width: the number of terminal columns of a text. sheet_put: prints a text for a terminal,
 * with question marks for invalid UTF-8 and control characters. */
int sheet_width(const char *text);
void sheet_put(const char *text, FILE *out);
