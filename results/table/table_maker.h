/* Declares what only the files that make a table use. */
#pragma once

#include "results/sheet/sheet.h"
#include "results/table/name_list.h"
#include "results/table/paired_tests.h"

/* The kinds of notes below a table. With `notes_below: short`, each of the first three kinds has
 * one line, each warning has one line, and notes of NOTE_MORE are omitted. */
enum note_kind {
    NOTE_SEEDS, /* seeds, and the meaning of marks and bold */
    NOTE_SIGNATURE,
    NOTE_MISSING, /* values that are missing or not tested */
    NOTE_WARNING, /* a fact that changes the interpretation of a number */
    NOTE_MORE,
    NOTE_KINDS
};

struct table_maker {
    const struct grid *grid;
    const struct layout *layout;
    struct arena *arena;
    struct sampler sampler;
    struct paired_tests tests;
    struct sheet *sheet;
    bool *bold;                /* [columns] true: bold values of the column were tested */
    struct name_list not_bold; /* lines that cannot be tested against the best, with reasons */
    struct sample *sample;     /* [lines][coordinates][columns]; total 0: the cell has no row */
    int shown_count;
    const struct column **shown; /* [shown_count] columns of the table. The members of a group
                                    replace mean(GROUP) */
    int seeds; /* number of seeds of every mean, which only the notes print; 0: the cells print
                  it */
    struct {
        int count;
        const char **text; /* [count] */
    } note[NOTE_KINDS];
    const char *about_bold; /* the note about bold cells; NULL: none */
};

/* Opens the sampler and the tests of a grid's table. Reads no samples and compares nothing. */
void table_maker_open(struct table_maker *maker, struct store *store, const struct grid *grid,
                      struct arena *arena);
static inline struct sample *table_maker_sample(const struct table_maker *maker,
                                                struct layout_cell cell, int column)
{
    const struct layout *layout = maker->layout;
    return &maker->sample[layout_index(layout, cell) * layout->columns + column];
}

/* summary_notes.c: adds the notes below the table. summary_say adds one note; summary_notes calls
 * all functions that do so. */
void summary_say(struct table_maker *maker, enum note_kind kind, const char *format, ...)
    PRINTF(3, 4);
void summary_notes(struct table_maker *maker);
void summary_note_tuned(
    struct table_maker *maker); /* tuned.c: the options that tuning has chosen */

/* summary_cells.c: fills the sheet. */
void summary_fill(struct table_maker *maker);

/* summary_marks.c: results of the comparisons, in cells and notes. The mark of a comparison is
 * printed after the value of the tested column. If the table has only the delta of this column, the
 * mark is printed after the delta. NULL: no mark. */
const char *summary_mark(const struct table_maker *maker, const struct column *column,
                         struct layout_cell cell);
const char *summary_p(struct table_maker *maker, const struct column *column,
                      struct layout_cell cell);
void summary_note_tests(struct table_maker *maker);

/* summary_bold.c: selects the bold cells of a column of the layout, which is column `at` of the
 * sheet. coordinate: [lines] the coordinate of the value in each line; -1: none. */
void summary_bold(struct table_maker *maker, int column, const int *coordinate, int at);
void summary_note_bold(struct table_maker *maker);
