/* Precision of n-grams of one to eight words less that of a baseline, with a band by bootstrap over
 * sentences (Yang et al. 2018, figure 4). It is counted here, from the hypotheses that scores have
 * left and the digests of which still hold. */
#include <math.h>
#include <string.h>

#include "core/config/word.h"
#include "core/decode/ngrams.h"
#include "core/decode/resample.h"
#include "plots/series.h"
#include "results/sheet/cell.h"
#include "results/sheet/number.h"
#include "results/table/name_list.h"
#include "results/table/observations.h"

enum { SAMPLES = 1000, DRAW_SEED = 12345 };

static const char *const measures[] = {"ngrams.individual", "ngrams.cumulative", NULL};

static struct column read(const struct tree *item, struct arena *arena)
{
    const char *kind, *text = item->kind == TREE_SCALAR ? item->text : "";
    const struct measure *bleu = offer_read_by(observations_bleu, &kind);
    (void)arena;
    if (!word_known(text, measures))
        word_refuse(item->place, "figures", "no precision of n-grams is called", text, measures);
    CHECK(bleu, "no kind of stage has BLEU");
    return (struct column){.name = !strcmp(text, measures[1]) ? measures[1] : measures[0],
                           .source = COLUMN_VALUE,
                           .kind = kind,
                           .value = bleu->name,
                           .measure = bleu,
                           .header = !strcmp(text, measures[1]) ? "Cumulative n-gram score"
                                                                : "n-gram precision",
                           .place = item->place};
}

/* What a row's translations are: of each run, a seed or a checkpoint of one, counts by sentence. */
struct row_counts {
    int runs, items;
    const struct ngram_stats **stats; /* [runs][items] */
    const char *signature, *problem;  /* a problem: why there is none */
};

static const struct ngram_stats *count(const struct observations *of, int set, struct arena *arena)
{
    const struct observations_text *text = of->text;
    struct ngram_stats *stats = ARENA_ARRAY(arena, struct ngram_stats, of->items);
    const char **reference = ARENA_ARRAY(arena, const char *, text->references);
    struct bleu_counter *counter = ngram_counter_open(&text->bleu);
    for (int i = 0; i < of->items; i++) {
        for (int r = 0; r < text->references; r++) reference[r] = text->every_reference[r][i];
        stats[i] = ngram_count(counter, text->hypothesis[set][i], reference, text->references);
    }
    bleu_counter_close(counter);
    return stats;
}

static struct row_counts counts_of(struct value_reader *reader, const struct column *column,
                                   int row)
{
    struct arena *arena = reader->arena;
    struct row_counts counts = {0};
    for (int s = 0; s < reader->grid->row[row].count; s++) {
        const char *id = value_stage(reader, row, s, column);
        if (!id) continue;
        const struct observations *of =
            observations_bleu(reader->store, column->kind, id, column->value, NULL);
        if (of->problem) counts.problem = cell_append(counts.problem, "; ", of->problem, arena);
        if (!counts.problem && counts.runs && strcmp(counts.signature, of->signature) != 0)
            counts.problem = "its seeds are scored in several ways";
        for (int set = 0; set < of->sets && !counts.problem; set++) {
            ARENA_MORE(arena, counts.stats, counts.runs);
            counts.stats[counts.runs++] = count(of, set, arena);
            counts.items = of->items;
            counts.signature = of->signature;
        }
    }
    if (!counts.runs && !counts.problem) counts.problem = value_why(reader, row, column);
    return counts;
}

/* [NGRAM_ORDER] mean over the runs, of a sample (NULL: of all). */
static void score(const struct row_counts *counts, const uint32_t *at, bool cumulative,
                  double *value)
{
    for (int n = 0; n < NGRAM_ORDER; n++) value[n] = 0;
    for (int r = 0; r < counts->runs; r++) {
        const struct ngram_scores one = ngram_score(counts->stats[r], at, counts->items);
        for (int n = 0; n < NGRAM_ORDER; n++)
            value[n] += (cumulative ? one.cumulative[n] : one.individual[n]) / counts->runs;
    }
}

/* [NGRAM_ORDER] of a row less the baseline, and the middle 95% of the resamples. */
struct ngram_gap {
    double value[NGRAM_ORDER], low[NGRAM_ORDER], high[NGRAM_ORDER];
};

static void resample(const struct row_counts *ours, const struct row_counts *base, bool cumulative,
                     struct ngram_gap *gap, struct arena *arena)
{
    struct pcg64 random = pcg64_seed(DRAW_SEED);
    const int items = base->items;
    uint32_t *at = ARENA_ARRAY(arena, uint32_t, items);
    double *sample = ARENA_ARRAY(arena, double, NGRAM_ORDER *SAMPLES), a[NGRAM_ORDER],
           b[NGRAM_ORDER];
    for (int k = 0; k < SAMPLES; k++) {
        for (int i = 0; i < items; i++) at[i] = pcg64_below(&random, (uint32_t)items);
        score(ours, at, cumulative, a);
        score(base, at, cumulative, b);
        for (int n = 0; n < NGRAM_ORDER; n++) sample[n * SAMPLES + k] = a[n] - b[n];
    }
    for (int n = 0; n < NGRAM_ORDER; n++) {
        int known = 0;
        double *of = sample + n * SAMPLES;
        for (int k = 0; k < SAMPLES; k++)
            if (isfinite(of[k])) of[known++] = of[k];
        gap->low[n] = gap->high[n] = (double)NAN;
        if (known < SAMPLES) continue;
        resample_sort(of, known);
        resample_middle(of, known, &gap->low[n], &gap->high[n]);
    }
}

static struct ngram_gap gap_of(const struct row_counts *ours, const struct row_counts *base,
                               bool cumulative, struct arena *arena)
{
    double a[NGRAM_ORDER], b[NGRAM_ORDER];
    struct ngram_gap gap;
    score(ours, NULL, cumulative, a);
    score(base, NULL, cumulative, b);
    for (int n = 0; n < NGRAM_ORDER; n++) gap.value[n] = a[n] - b[n];
    resample(ours, base, cumulative, &gap, arena);
    return gap;
}

static void put_line(struct canvas *canvas, struct figure_side *side, const char *row,
                     const char *column, const struct ngram_gap *gap)
{
    for (int n = 0; n < NGRAM_ORDER; n++) {
        const double value = gap->value[n], low = gap->low[n], high = gap->high[n];
        canvas_row(canvas, (double[]){n + 1, value, low, high}, 4);
        canvas_record(canvas, &(struct canvas_record){row, row, "order",
                                                      arena_print(canvas->arena, "%d", n + 1),
                                                      column, NULL, (double)NAN, value, low, high});
        if (isfinite(value)) figure_reach(side, value, value);
        if (isfinite(low)) figure_reach(side, low, high);
    }
}

/* From which order on a line has no value, for want of so many words; NGRAM_ORDER + 1: it has
 * all. */
static int lacks_from(const struct ngram_gap *gap)
{
    int n = 0;
    while (n < NGRAM_ORDER && isfinite(gap->value[n])) n++;
    return n + 1;
}

static void put_axes(struct canvas *canvas, struct figure_side *side, int lines)
{
    const char *text[NGRAM_ORDER];
    double x[NGRAM_ORDER];
    canvas_number(canvas, "x_low", 0.7);
    canvas_number(canvas, "x_high", NGRAM_ORDER + 0.3);
    canvas_number(canvas, "tics", NGRAM_ORDER);
    for (int n = 0; n < NGRAM_ORDER; n++) {
        x[n] = n + 1;
        text[n] = arena_print(canvas->arena, "%d", n + 1);
        canvas_number(canvas, arena_print(canvas->arena, "tic_%d", n + 1), x[n]);
    }
    names_put_scale(canvas, text, x, NGRAM_ORDER, NGRAM_ORDER, lines);
    figure_reach(side, 0, 0);
    figure_put_axis(canvas, side, NULL);
}

static void put_names(struct canvas *canvas, const char **name, int series, const char *base)
{
    name[series] = base;
    names_put_legend(canvas, "row", name, series + 1, NAMES_LETTERS);
    canvas_number(canvas, "series", series + 1);
    canvas_number(canvas, "solid", series);
    canvas_number(canvas, "pointed", series);
    canvas_number(canvas, "against", 1);
    canvas_number(canvas, "marked", 0);
    canvas_number(canvas, "mark", 0);
}

static void note(struct canvas *canvas, const struct figure *figure,
                 const struct value_reader *reader, const struct row_counts *base,
                 const char *base_name)
{
    struct arena *arena = canvas->arena;
    canvas_caption(canvas,
                   "Points: %s (percentage points) less that of \"%s\"; n = %s sentences. An order "
                   "without a match counts half, the next one a quarter of one, as mteval does.",
                   figure->left.header, base_name, number_count(arena, base->items));
    canvas_caption(canvas,
                   "Bands: middle 95%% of %s bootstrap samples of sentences, the same of all rows.",
                   number_count(arena, SAMPLES));
    canvas_caption(canvas, "%s", base->signature);
    figure_note_seeds(canvas, figure, reader);
}

/* The row that is named, the table's baseline, or the figure's first row. */
static int baseline_of(const struct figure *figure, const struct summary_grid *grid)
{
    const struct layout *layout = grid->layout;
    if (figure->baseline >= 0) return figure->baseline;
    for (int i = 0; layout && i < layout->baselines; i++)
        for (int f = 0; f < layout->factors; f++) {
            const struct layout_cell cell = layout_cell_at(layout->baseline[i], f);
            const int row = layout->line[cell.line].row[cell.factor];
            if (row >= 0) return row;
        }
    return figure->rows ? figure->row[0] : 0;
}

static bool fill(struct canvas *canvas, const struct figure *figure, struct value_reader *reader)
{
    struct arena *arena = canvas->arena;
    const struct column *column = &figure->left;
    const bool cumulative = !strcmp(column->name, measures[1]);
    const int baseline = baseline_of(figure, reader->grid);
    const char *base_name = reader->grid->row[baseline].name;
    const struct row_counts base = counts_of(reader, column, baseline);
    const char **name = ARENA_ARRAY(arena, const char *, figure->rows + 2);
    struct name_list missing = {.arena = arena};
    struct figure_side side = {0};
    int series = 0;
    const int lines = canvas_label(canvas, "label_x", figure_label(figure->x, "n"));
    canvas_label(canvas, "label_y",
                 figure_label(figure->y, arena_print(arena, "%s, difference", column->header)));
    if (base.problem)
        name_list_add(&missing, arena_print(arena, "%s (%s)", base_name, base.problem));
    for (int i = 0; i < figure->rows; i++) {
        const int row = figure->row[i];
        if (row == baseline) continue;
        struct row_counts ours = counts_of(reader, column, row);
        if (!ours.problem && !base.problem && strcmp(ours.signature, base.signature) != 0)
            ours.problem = "scored in another way than the baseline";
        if (ours.problem)
            name_list_add(&missing,
                          arena_print(arena, "%s (%s)", reader->grid->row[row].name, ours.problem));
        if (ours.problem || base.problem) continue;
        const struct ngram_gap gap = gap_of(&ours, &base, cumulative, arena);
        if (series) canvas_next_series(canvas);
        name[series++] = reader->grid->row[row].name;
        put_line(canvas, &side, reader->grid->row[row].name, column->name, &gap);
        if (lacks_from(&gap) <= NGRAM_ORDER)
            name_list_add(
                &missing,
                arena_print(arena,
                            "%s from order %d on (no translation of it, or of \"%s\", has "
                            "so many words)",
                            reader->grid->row[row].name, lacks_from(&gap), base_name));
    }
    if (series) {
        canvas_next_series(canvas);
        for (int end = 0; end < 2; end++)
            canvas_row(canvas, (double[]){end ? NGRAM_ORDER + 0.3 : 0.7, 0}, 2);
        canvas->template_name = "profile";
        put_names(canvas, name, series, base_name);
        put_axes(canvas, &side, lines);
        note(canvas, figure, reader, &base, base_name);
    }
    if (missing.count) canvas_caption(canvas, "Not drawn: %s.", name_list_text(&missing));
    return series > 0;
}

const struct figure_kind figure_ngrams = {
    .name = "ngrams",
    .help = "precision of n-grams less the baseline's (left: ngrams.cumulative: of 1 to n), a line "
            "and a band for each row (Yang et al. 2018, figure 4)",
    .left = "ngrams.individual",
    .baseline = true,
    .read = read,
    .fill = fill,
};
