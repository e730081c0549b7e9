/* Lines of a figure of one column of several rows, or of several columns of one row: the tasks of a
 * kind whose stages are of parts. */
#ifndef PLOTS_SERIES_H
#define PLOTS_SERIES_H

#include "plots/figure_kind.h"

struct figure_series {
    int row; /* index into the grid's rows */
    const struct column *column;
    const char *name;  /* the row's or, where a figure has several columns, the column's */
    bool drawn;        /* what fills the figure says so */
    const char *lacks; /* which of its points have no value; NULL: none */
};

struct series_list {
    int count, drawn;
    struct figure_series *series; /* [count] row by row, in the order of the figure */
};
struct series_list series_of(const struct figure *figure, const struct value_reader *reader);

/* Dies at the place where there are several rows and several columns: such lines nobody tells
 * apart. */
void series_check(const struct figure *figure, const struct summary_grid *grid, struct place place);

/* A line has values; lines of data.dat before it end. */
void series_draw(struct canvas *canvas, struct series_list *list, int which);
/* Its points that have none, "layer 3 (failed)". */
void series_lack(struct figure_series *series, const char *point, struct value_reader *reader,
                 const struct column *column);
/* The names of what is drawn, as a legend; `series`, how many there are, and `drawn`. `also`: NULL,
 * or the name of dashed lines beside them. */
void series_put_names(struct canvas *canvas, const struct series_list *list, const char *also);

/* What a value is seen against (offer.h, against): of one column a dotted line, if half of the
 * height at least is left to the data then; a caption in any case. */
void series_put_against(struct canvas *canvas, struct figure_side *side,
                        struct value_reader *reader, const struct figure *figure,
                        const struct series_list *list);
/* "n = 60 items a point", or nothing. */
void series_note_counted(struct canvas *canvas, struct value_reader *reader,
                         const struct series_list *list);
void series_note_missing(struct canvas *canvas, struct value_reader *reader,
                         const struct series_list *list);

#endif
