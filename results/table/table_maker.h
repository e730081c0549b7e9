/* The parts that make a table together; only they include this. */
#ifndef RESULTS_TABLE_TABLE_MAKER_H
#define RESULTS_TABLE_TABLE_MAKER_H

#include "results/sheet/sheet.h"
#include "results/table/name_list.h"
#include "results/table/paired_tests.h"

struct offer;

struct table_maker {
    struct store *store;
    const struct summary_grid *grid;
    const struct layout *layout;
    struct arena *arena;
    struct sampler sampler;
    struct paired_tests tests;
    struct sheet *sheet;
    struct name_groups sources; /* of quoted lines */
    const char **quote;         /* [lines] the letter of their source; NULL: not quoted */
    unsigned char *bold;        /* [columns] what was set in bold, SUMMARY_BOLD_.. */
    const char *not_bold;  /* lines that cannot be tested against the best, and why; NULL: none */
    struct sample *sample; /* [lines][factors][columns]; total 0: no row there */
};

static inline struct sample *table_maker_sample(const struct table_maker *maker, int line,
                                                int factor, int column)
{
    const struct layout *layout = maker->layout;
    return &maker->sample[(line * layout->factors + factor) * layout->columns + column];
}

/* summary_cells.c: the table, and what stands in it. */
void summary_fill(struct table_maker *maker);

/* summary_caption.c: everything that a reader must know to use the numbers. Before the cells are
 * filled, quoted lines get letters by their sources. */
void summary_quotes(struct table_maker *maker);
void summary_caption(struct table_maker *maker);
/* summary_parts.c: the columns whose values the table shows, of mean(GROUP) all that it is of
 * (returns how many); what of their signatures is a part's own; and rows with parts that are to be
 * doubted (offer.h). */
int summary_shown(struct table_maker *maker, const struct column ***column);
void summary_caption_parts(struct table_maker *maker);
void summary_caption_doubts(struct table_maker *maker, const struct offer *offer);
/* summary_steps.c: dev loss and BLEU may be of different steps. */
void summary_caption_steps(struct table_maker *maker);
/* summary_training.c: rows whose trainings were too short (training.h). */
void summary_caption_training(struct table_maker *maker);
/* summary_code.c: stages of one kind that different code has done. */
void summary_caption_code(struct table_maker *maker);
/* summary_absent.c: stages that were done before a value of theirs was measured. */
void summary_caption_absent(struct table_maker *maker);
void summary_caption_scored(struct table_maker *maker); /* and where scored.NAME has no value */

/* summary_marks.c: what the comparisons say in cells and captions. Marks stand behind the values of
 * a tested column, or where the table has no such column behind its delta. NULL: none. */
const char *summary_mark(const struct table_maker *maker, const struct column *column, int line,
                         int factor);
const char *summary_p(struct table_maker *maker, const struct column *column, int line, int factor);
void summary_caption_tests(struct table_maker *maker);

/* summary_bold.c: of a column of the layout, at column `at` of the sheet. factor: [lines] where
 * each line has its value, -1: none. */
enum { SUMMARY_BOLD_BEST = 1, SUMMARY_BOLD_TESTED = 2, SUMMARY_BOLD_PAIRED = 4 };
void summary_bold(struct table_maker *maker, int column, const int *factor, int at);
void summary_caption_bold(struct table_maker *maker);

/* layout_turn.c: without the lines that do not stand for a row of these. */
struct sheet *layout_keep(const struct sheet *from, const struct layout *layout, const bool *only,
                          struct arena *arena);
/* layout_turn.c: columns become rows. */
struct sheet *layout_turn(const struct sheet *from, const char *names, struct arena *arena);

#endif
