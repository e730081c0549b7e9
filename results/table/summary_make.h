/* The parts that make a table together; only they include this. */
#ifndef RESULTS_TABLE_SUMMARY_MAKE_H
#define RESULTS_TABLE_SUMMARY_MAKE_H

#include "results/sheet/sheet.h"
#include "results/table/summary_pair.h"

struct maker {
    struct store *store;
    const struct summary_grid *grid;
    const struct layout *layout;
    struct arena *arena;
    struct sampler sampler;
    struct pairing pairing;
    struct sheet *sheet;
    const char **quote;  /* [lines] the letter of a quoted line's source; NULL: not quoted */
    const char **source; /* [sources] what is said of them */
    int sources;
    struct sample *sample; /* [lines][factors][columns]; total 0: no row there */
};

static inline struct sample *maker_sample(const struct maker *maker, int line, int factor,
                                          int column)
{
    const struct layout *layout = maker->layout;
    return &maker->sample[(line * layout->factors + factor) * layout->columns + column];
}

/* summary_cells.c: the table, and what stands in it. */
void maker_fill(struct maker *maker);

/* summary_caption.c: everything that a reader must know to use the numbers. Before the cells are
 * filled, quoted lines get letters by their sources. */
void maker_quotes(struct maker *maker);
void maker_caption(struct maker *maker);

/* Names for a caption, of which the first dozen are said: adds one; NULL: the whole list. */
struct maker_names {
    const char *text;
    int count;
    bool commas; /* in the names themselves: semicolons stand between them */
};
const char *maker_list(struct maker *maker, struct maker_names *names, const char *name);

/* Rows by something that a text says of them: adds one; returns the index of its kind. */
struct maker_kinds {
    int count, room;
    struct maker_rows {
        const char *text;
        struct maker_names rows;
        const char *last; /* said once per row */
    } * kind;
};
int maker_kind(struct maker *maker, struct maker_kinds *kinds, const char *text, const char *row);

/* summary_steps.c: dev loss and BLEU may be of different steps. */
void maker_steps(struct maker *maker);

/* summary_marks.c: what the comparisons say in cells and captions. Marks stand behind the values of
 * a tested column, or where the table has no such column behind its delta. NULL: none. */
const char *marks_of(const struct maker *maker, const struct column *column, int line, int factor);
const char *marks_p(struct maker *maker, const struct column *column, int line, int factor);
void marks_caption(struct maker *maker);

/* layout_turn.c: columns become rows. */
struct sheet *layout_turn(const struct sheet *sheet, const char *names, struct arena *arena);

#endif
