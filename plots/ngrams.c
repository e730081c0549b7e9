/* Draws the n-gram precision for n = 1 to 8, minus the precision of a baseline (Yang et al. 2018,
 * figure 4). The band is by bootstrap over sentences. The n-grams are counted from the hypotheses
 * of score stages, after a check of their digests. */
#include <math.h>
#include <string.h>

#include "core/decode/ngram_scores.h"
#include "plots/figure_points.h"
#include "results/sheet/number_format.h"
#include "results/table/observations.h"

enum { SAMPLES = 1000, DRAW_SEED = 12345 };

static const char *orders[NGRAM_ORDER] = {"1", "2", "3", "4", "5", "6", "7", "8"};

/* The n-gram counts of a row by sentence, for each run: a seed, or a checkpoint of a seed. */
struct row_counts {
    struct ngram_runs runs;
    const char *signature, *problem; /* problem: the reason why the row is not drawn; or NULL */
};

/* Reads the counts of a row. `base` has the counts of the baseline; NULL: the row is the baseline.
 * If the row has a problem, or a signature other than the baseline's, adds its name to
 * plot->lacks. */
static struct row_counts counts_of(struct plot *plot, int row, const struct row_counts *base)
{
    struct arena *arena = plot->arena;
    const struct column *column = &plot->figure->left;
    struct row_counts counts = {0};
    for (int s = 0; s < plot->reader->grid->row[row].count; s++) {
        const char *id = value_stage(plot->reader, row, s, column);
        if (!id) continue;
        const struct observations *of =
            observations_read(plot->reader->store, plot->reader->cache, column->kind, id,
                              column->value, NULL, observations_bleu);
        if (of->problem) counts.problem = arena_append(arena, counts.problem, "; ", of->problem);
        if (!counts.problem && counts.runs.runs && strcmp(counts.signature, of->signature) != 0)
            counts.problem = "its seeds have different signatures";
        for (int set = 0; set < of->sets && !counts.problem; set++) {
            ARENA_ADD(arena, counts.runs.stats, counts.runs.runs, of->text->stats[set]);
            counts.runs.items = of->items;
            counts.signature = of->signature;
        }
    }
    if (!counts.runs.runs && !counts.problem) counts.problem = value_why(plot->reader, row, column);
    if (base && !base->problem && !counts.problem && strcmp(counts.signature, base->signature) != 0)
        counts.problem = "its signature differs from that of the baseline";
    if (counts.problem)
        name_list_add(&plot->lacks,
                      arena_print(arena, "%s (%s)", points_row_name(plot, row), counts.problem));
    return counts;
}

static void put_line(struct plot *plot, int row, const struct row_counts *ours,
                     const struct row_counts *base)
{
    const char *column = plot->figure->left.name, *name = points_line_name(plot, row);
    const struct ngram_gap gap = ngram_compare(
        &ours->runs, &base->runs, !strcmp(column, NGRAMS_CUMULATIVE), SAMPLES, DRAW_SEED);
    points_series(plot, SERIES_SOLID, name, true);
    struct point point = points_plain(plot, row, column);
    for (int n = 0; n < NGRAM_ORDER; n++) {
        point.low = gap.low[n];
        point.high = gap.high[n];
        points_at(plot, point, n + 1, gap.value[n]);
    }
}

/* Returns the row that the grid names, else the first baseline of the table, else the first row of
 * the figure. */
static int baseline_of(const struct plot *plot)
{
    const struct figure *figure = plot->figure;
    if (figure->baseline >= 0) return figure->baseline;
    for (int r = 0; r < plot->reader->grid->rows; r++)
        if (value_is_baseline(plot->reader, r)) return r;
    return figure->rows ? figure->row[0] : 0;
}

void ngrams_fill(struct plot *plot)
{
    const struct figure *figure = plot->figure;
    const struct column *column = &figure->left;
    const int baseline = baseline_of(plot);
    const char *base_name = points_row_name(plot, baseline);
    const struct row_counts base = counts_of(plot, baseline, NULL);
    struct canvas *canvas = plot->canvas;
    points_label(plot, "n", arena_print(plot->arena, "%s, difference", column->header));
    for (int i = 0; i < figure->rows; i++) {
        const int row = figure->row[i];
        if (row == baseline) continue;
        const struct row_counts ours = counts_of(plot, row, &base);
        if (!ours.problem && !base.problem) put_line(plot, row, &ours, &base);
    }
    if (!plot->series_count) return;
    points_series(plot, SERIES_LEVEL, base_name, true);
    points_add(plot, &plot->left, points_plain(plot, baseline, NULL));
    plot->tics = (struct tics){NGRAM_ORDER, orders, NULL, true, 0};
    canvas_caption(canvas, "Points: %s (percentage points) less that of \"%s\"; n = %s sentences. ",
                   column->header, base_name, number_count(plot->arena, base.runs.items));
    canvas_caption(canvas, "%s", base.signature);
}
