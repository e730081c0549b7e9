/* Declares what only the files that make a table use. */
#pragma once

#include "results/sheet/sheet.h"
#include "results/table/name_list.h"
#include "results/table/paired_tests.h"

struct offer;

struct table_maker {
    const struct grid *grid;
    const struct layout *layout;
    struct arena *arena;
    struct sampler sampler;
    struct paired_tests tests;
    struct sheet *sheet;
    struct name_groups sources;  /* sources of quoted lines */
    const char **quote;          /* [lines] letter of the line's source; NULL: not a quoted line */
    unsigned char *bold;         /* [columns] bits SUMMARY_BOLD_.. */
    struct name_groups not_bold; /* lines that cannot be tested against the best, with
                                     reasons */
    struct sample *sample;       /* [lines][coordinates][columns]; total 0: the cell has no row */
    int shown_count;
    const struct column **shown; /* [shown_count] columns of the table. The members of a group
                                    replace mean(GROUP) */
    bool full;                   /* print all notes, in full */
    int seeds;                  /* number of seeds of every mean, which only the notes print; 0: the
                                    cells print it */
    const char *joins, *joined; /* separator of notes that are joined to one line, and this line.
                                    NULL: not joined */
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

/* The kinds of notes below a table. With `notes_below: short`, each of the first three kinds has
 * one line, and each warning has one line. Notes of NOTE_MORE are omitted. */
enum note_kind {
    NOTE_SEEDS, /* seeds, and the meaning of marks and bold */
    NOTE_SIGNATURE,
    NOTE_MISSING, /* values that are missing or not tested */
    NOTE_WARNING, /* a fact that changes the interpretation of a number */
    NOTE_MORE,
    NOTE_OWN /* the grid's own notes */
};

/* summary_notes.c: adds the notes below the table. summary_quotes must run before the cells are
 * filled: it assigns letters to the sources of quoted lines. */
void summary_quotes(struct table_maker *maker);
void summary_notes(struct table_maker *maker);
void summary_say(struct table_maker *maker, const char *format, ...) PRINTF(2, 3);

/* summary_cells.c: fills the sheet. */
void summary_fill(struct table_maker *maker);

/* summary_stages.c: notes about stages. */
void summary_note_parts(struct table_maker *maker); /* fields of signatures that belong to a part */
void summary_note_offers(struct table_maker *maker); /* how the values of kinds were computed */
void summary_note_overlap(struct table_maker *maker);
void summary_note_doubts(struct table_maker *maker);  /* dubious parts (offer.h) */
void summary_note_steps(struct table_maker *maker);   /* dev loss and BLEU may be of different
                                                         steps */
void summary_note_absent(struct table_maker *maker);  /* empty cells of stages that are done */
void summary_note_origins(struct table_maker *maker); /* rows of different devices or code */

/* tuned.c: the options that tuning has chosen. */
void summary_note_tuned(struct table_maker *maker);

/* summary_marks.c: results of the comparisons, in cells and notes. The mark of a comparison is
 * printed after the value of the tested column. If the table has only the delta of this column, the
 * mark is printed after the delta. NULL: no mark. */
const char *summary_mark(const struct table_maker *maker, const struct column *column,
                         struct layout_cell cell);
const char *summary_p(struct table_maker *maker, const struct column *column,
                      struct layout_cell cell);
void summary_note_tests(struct table_maker *maker);
void summary_note_untested(struct table_maker *maker);
void summary_note_differences(struct table_maker *maker);
void summary_note_problems(struct table_maker *maker); /* cells that could not be compared */

/* summary_bold.c: selects the bold cells of a column of the layout, which is column `at` of the
 * sheet. coordinate: [lines] the coordinate of the value in each line; -1: none. */
enum {
    SUMMARY_BOLD_BEST = 1,
    SUMMARY_BOLD_TESTED = 2,
    SUMMARY_BOLD_PAIRED = 4,
    SUMMARY_BOLD_ALL = 8 /* no value is bold, because all would be */
};
void summary_bold(struct table_maker *maker, int column, const int *coordinate, int at);
void summary_note_bold(struct table_maker *maker);
