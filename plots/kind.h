/* A kind of figure: one row of the table in figure.c, its file and its template. */
#ifndef PLOTS_KIND_H
#define PLOTS_KIND_H

#include "plots/values.h"

struct figure_kind {
    const char *name, *help;
    const char *left, *right; /* what is drawn when the grid does not say; right NULL: nothing */
    bool pair;                /* may have a right axis */
    /* Dies at the place where `name` is no value that this kind can draw. */
    void (*check)(const char *name, struct place place, struct arena *arena);
    /* Writes numbers, texts, data and captions; false: there is no value at all. */
    bool (*fill)(struct canvas *canvas, const struct figure *figure, struct value_reader *reader);
};

extern const struct figure_kind figure_window, figure_bars, figure_layers, figure_curve;

/* The label that the grid gives, or the kind's own. */
static inline const char *figure_label(const char *given, const char *own)
{
    return *given ? given : own;
}

/* "Not drawn: 9 (running), 11 (missing)." of the rows for which `drawn` is false. */
void figure_note_missing(struct canvas *canvas, const struct figure *figure,
                         struct value_reader *reader, const bool *drawn, const char *kind);
/* "One seed (1)." or "Means over the seeds 1, 2." */
void figure_note_seeds(struct canvas *canvas, const struct figure *figure,
                       const struct value_reader *reader);

#endif
