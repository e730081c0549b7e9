/* A kind of figure: a word of the list in figures.c, its file and its template. */
#ifndef PLOTS_FIGURE_KIND_H
#define PLOTS_FIGURE_KIND_H

#include "plots/figure.h"
#include "plots/names.h"
#include "plots/values.h"

struct figure_kind {
    const char *name, *help;
    /* What is drawn when the grid does not say; left NULL: it must say it, right NULL: nothing. */
    const char *left, *right;
    bool pair;     /* may have a right axis */
    bool axis;     /* is drawn against an axis of the sweep, which the grid names */
    bool draws;    /* some of many points: has `points` and `seed` */
    bool sentence; /* is of one sentence */
    bool baseline; /* compares rows with one of them */
    bool several;  /* may have several columns on the left: a list, or KIND for all of its parts */
    bool views;    /* draws each view by layer of a part (offer.h) */
    /* What an axis shows, a name or a map; dies at the place of what this kind cannot draw. */
    struct column (*read)(const struct tree *item, struct arena *arena);
    /* Dies at the place where the grid has nothing for it. NULL: there is nothing to check. */
    void (*check)(const struct figure *figure, const struct summary_grid *grid, struct place place,
                  struct arena *arena);
    /* Writes numbers, texts, data and captions; false: there is no value at all. */
    bool (*fill)(struct canvas *canvas, const struct figure *figure, struct value_reader *reader);
};

/* The label that the grid gives, or the kind's own. */
static inline const char *figure_label(const char *given, const char *own)
{
    return *given ? given : own;
}

/* A column that has one value a row. */
struct column figure_read_value(const struct tree *item, struct arena *arena);
/* For a figure by layer or by class: a measure that has such rows, or that no kind offers. Other
 * dimensions may stand beside it. */
struct column figure_read_by(const struct tree *item, enum dimension by, struct arena *arena);
/* What such a column is at a layer: rows of that layer, or of a kind with views by layer (offer.h)
 * the part that is that view. */
struct column figure_at_layer(const struct column *column, int layer, struct arena *arena);
/* The view after the last layer's (offer.h, end); false: the row has none. */
bool figure_at_end(const struct column *column, const struct value_reader *reader, int row,
                   struct column *at);
/* "Mean gate layer 3", "BLEU on dev": of a column, for an axis. */
const char *figure_label_of(const struct column *column, const struct figure *figure,
                            const struct value_reader *reader);

/* Values of one column: what is said of them, and how far they reach. Begins as {0}. */
struct figure_side {
    int drawn, least, most; /* values; seeds or checkpoints behind one */
    enum spread spread;     /* of those that have one */
    bool reaches;           /* values with their deviations, from low to high */
    double low, high;
    const char *signature;
    bool mixed;  /* several signatures, */
    bool parts;  /* of which what is one part's own does not count: values are of several */
    bool across; /* a dotted line at `line` */
    double line;
};
/* Reads the value of a row. */
struct value_of_row figure_value(struct figure_side *side, struct value_reader *reader,
                                 const struct column *column, int row);
void figure_reach(struct figure_side *side, double low, double high);
/* "Bars: BLEU, mean of the 5 best checkpoints, ..", and the signature. */
void figure_note_side(struct canvas *canvas, const struct figure_side *side, const char *what,
                      const char *label);
void figure_note_signature(struct canvas *canvas, const struct figure_side *side,
                           const char *label);

/* Lines of data.tsv, one for each seed of a row's point. */
struct figure_record {
    const char *group, *axis, *place; /* NULL: the row's name; none */
    double mean, low, high;           /* NaN: none */
};
void figure_record(struct canvas *canvas, struct value_reader *reader, const struct column *column,
                   int row, const struct figure_record *record);

/* Where a point stands: layer 3, class NOUN. */
struct figure_place {
    const char *axis, *text;
    double number;
    const char *group; /* what one line joins; NULL: the row */
};
/* A row of data.dat: number of its place, value, and the ends of its error bar within the limits of
 * the column's measure; its record; what the side reaches. */
void figure_put_point(struct canvas *canvas, struct figure_side *side, struct value_reader *reader,
                      const struct column *column, int row, const struct figure_place *place,
                      const struct value_of_row *value);
/* The left axis of such points, and in `dotted` and `middle` the side's line, or the measure's. */
void figure_put_axis(struct canvas *canvas, const struct figure_side *side,
                     const struct measure *measure);
/* "Dotted: both branches weigh the same." */
void figure_note_balance(struct canvas *canvas, const struct measure *measure);

/* "Not drawn: 9 (running), 11 (missing)." of the rows for which `drawn` is false. */
void figure_note_missing(struct canvas *canvas, const struct figure *figure,
                         struct value_reader *reader, const bool *drawn,
                         const struct column *column);
/* The same in other words than "Not drawn". */
void figure_note_lacking(struct canvas *canvas, const char *what, const struct figure *figure,
                         struct value_reader *reader, const bool *drawn,
                         const struct column *column);
/* "One seed (1)." or "Means over the seeds 1, 2." */
void figure_note_seeds(struct canvas *canvas, const struct figure *figure,
                       const struct value_reader *reader);
/* "One seed (1)." or "Positions of the seeds 1, 2.", where these are `what`. */
void figure_note_of_seeds(struct canvas *canvas, const struct figure *figure,
                          const struct value_reader *reader, const char *what);

#endif
