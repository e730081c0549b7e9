/* A sheet: a table before it has a form, what stands in it and how each column wants to be set.
 *
 * Whoever makes a sheet fills it; sheet_print turns it into one form. Cells are finished
 * text, so every form shows the same digits. All memory belongs to the caller's arena. */
#pragma once

#include "core/base/arena.h"

enum sheet_align {
    SHEET_LEFT,
    SHEET_RIGHT,
    SHEET_NUMBER, /* decimal points below each other; cells that are no numbers to the right */
    SHEET_CENTER  /* check marks */
};

struct sheet_column {
    const char *header;
    enum sheet_align align;
    int decimals; /* digits after the point of this column's numbers */
};

enum sheet_style {
    SHEET_BOLD = 1, /* the best of its column */
    SHEET_APART = 2 /* a number of another kind than its column's: it stands to the right */
};

struct sheet_cell {
    const char *text;    /* finished; NULL: the sheet's text for missing ones */
    const char *mark;    /* raised, after the text: "†"; NULL: none */
    unsigned char style; /* enum sheet_style */
};

/* Neighboring columns under one heading. */
struct sheet_group {
    int first, count;
    const char *header;
};

/* Neighboring cells of a row that are printed as one, centered over their columns. Forms without
 * such cells (md, csv) print each as it was filled. */
struct sheet_span {
    int row, first, count;
    const char *text, *mark; /* finished; mark "": none */
    bool bold;
};

struct sheet {
    const char *title;    /* NULL: none */
    const char *sentence; /* which of the captions stands in LaTeX's \caption; NULL: the title */
    const char *name;     /* what a paper's text refers to it by: the grid's; NULL: none */
    int columns, rows, captions, groups, spans;
    int names;                   /* the column that says what a row is */
    struct sheet_column *column; /* [columns] */
    struct sheet_group *group;   /* [groups] from left to right, not overlapping */
    struct sheet_span *span;     /* [spans] not overlapping */
    struct sheet_cell *cell;     /* [rows][columns] */
    bool *rule;                  /* [rows] a line above this row */
    const char **section;        /* [rows] a heading above this row; NULL: none */
    const char *missing;         /* the text of a cell that is missing */
    const char **caption;        /* [captions] lines below the table */
    int about_bold; /* 1 + which of them is of bold cells, and so not of text without; 0: none */
};

/* Rows and columns count from 0; one that the sheet lacks is a CHECK. Texts, marks and headers are
 * not copied: they live as long as the sheet. */

/* Empty cells, and columns without a header. */
struct sheet *sheet_new(struct arena *arena, int rows, int columns);
/* With the columns' headers; the first `texts` columns stand left, the others right. */
struct sheet *sheet_headed(struct arena *arena, int rows, int columns, const char *const *header,
                           int texts);
struct sheet_cell *sheet_at(const struct sheet *sheet, int row, int column);
void sheet_set(struct sheet *sheet, int row, int column, const char *text);
const char *sheet_get(const struct sheet *sheet, int row, int column); /* never NULL */
/* One group, or one span, more. */
void sheet_group(struct arena *arena, struct sheet *sheet, int first, int count,
                 const char *header);
void sheet_span(struct arena *arena, struct sheet *sheet, struct sheet_span span);
/* Leaves out the rows that are not kept. A section stays above its first row that is left. */
void sheet_keep(struct sheet *sheet, const bool *keep);
/* Columns become rows. Groups become sections and sections groups. `names`: the heading of the
 * first column, which has the names of rows; NULL: there is no such column. */
struct sheet *sheet_turn(struct arena *arena, const struct sheet *from, const char *names);
/* One line more below the table. */
void sheet_caption(struct arena *arena, struct sheet *sheet, const char *format, ...) PRINTF(3, 4);

/* The forms. Whatever stands in a sheet comes out as text (escape.h), but for "$m=1$", which is
 * mathematics in LaTeX, as it was typed in CSV, and m=1 in the others.
 *   text   for terminals: columns two blanks apart, aligned by the width that a terminal gives
 *          each character; bold where `out` is a terminal and NO_COLOR is not set
 *   md     a table of GitHub's Markdown
 *   latex  a floating table for \input, numbers aligned at the point; needs the package booktabs.
 *          The title, or what stands for it, is the \caption; the captions are notes below
 *   csv    RFC 4180, for programs: numbers bare, and what stood behind them (deviation, seeds,
 *          notes, marks) in columns of its own; no title, no captions
 *   html   a figure with a <table>, for a page that brings the style */
enum sheet_form { SHEET_TEXT, SHEET_MARKDOWN, SHEET_LATEX, SHEET_CSV, SHEET_HTML };

enum sheet_form sheet_form_read(const char *name); /* dies when there is no such form */
void sheet_print(const struct sheet *sheet, enum sheet_form form, FILE *out);
/* Whether bold cells can be told from others there (NULL: in a file). */
bool sheet_shows_bold(enum sheet_form form, FILE *out);
/* The same as a whole document, where a form has documents (latex, html). */
void sheet_print_document(const struct sheet *sheet, enum sheet_form form, FILE *out);

void sheet_text(const struct sheet *sheet, FILE *out); /* the form text */

/* Columns that a terminal gives this text, and the text as it may reach one: what is no UTF-8 and
 * control characters are question marks. */
int sheet_width(const char *text);
void sheet_put(const char *text, FILE *out);
