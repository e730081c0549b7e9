/* The stage `localness` writes the centers and windows that a trained encoder predicts at each
 * position, and their means by layer and head (probes/localness.h). */
/* sources: ..core/model probes/localness.* probes/kept_rows.* core/base/npy.* */
/* rank: 32 */
#include <math.h>

#include "experiments/stage/analysis.h"
#include "probes/localness.h"
#include "results/store/offer.h"

static const struct option rows[] = {ANALYSIS_ROWS, ANALYSIS_TEXT};
const struct evaluation evaluation_localness = {
    .section = SECTION("evaluate.localness", "centers and windows of gauss terms", rows,
                       struct analysis_options)};

static const char *lacks(const struct settings *settings)
{
    return localness_any(&settings->translator.encoder) ? NULL : "a gauss term";
}

struct local_sums {
    int64_t n;
    double window, squares, distance;
};

static void add_row(struct local_sums *sums, const float *row)
{
    const double window = (double)row[LOCALNESS_WINDOW];
    sums->n++;
    sums->window += window;
    sums->squares += window * window;
    sums->distance += fabs((double)row[LOCALNESS_CENTER] - (double)row[LOCALNESS_POSITION]);
}

static void write_sums(struct stage_work *work, const struct local_sums *sums, int layer, int head)
{
    const double n = (double)sums->n, mean = sums->window / n;
    const double variance = sums->n > 1 ? (sums->squares - mean * sums->window) / (n - 1) : 0;
    const struct value_at at = {.layer = layer, .head = head};
    if (!sums->n) return;
    stage_work_value(work, "window", mean, sums->n, at);
    if (layer) stage_work_value(work, "window_sd", variance > 0 ? sqrt(variance) : 0, sums->n, at);
    stage_work_value(work, "distance", sums->distance / n, sums->n, at);
}

/* Writes, for each layer, the means of each head, then the means of the layer. Then writes the
 * means over all layers. */
static void write_means(struct stage_work *work, const struct localness *localness)
{
    const struct translator_options *model = &work->stage->settings->translator;
    const int layers = model->encoder.layers, width = 1 + model->model.heads;
    struct local_sums *sums = ARENA_ARRAY(&work->arena, struct local_sums, (1 + layers) * width);
    for (int64_t r = 0; r < localness->rows; r++) {
        const float *row = localness->number + r * LOCALNESS_COLUMNS;
        struct local_sums *layer = sums + (int)row[LOCALNESS_LAYER] * width;
        add_row(sums, row);
        add_row(layer, row);
        add_row(layer + (int)row[LOCALNESS_HEAD], row);
    }
    for (int l = 1; l <= layers; l++)
        for (int h = 1; h <= width; h++)
            write_sums(work, sums + l * width + h % width, l, h % width);
    write_sums(work, sums, 0, 0);
}

static enum work_end run(struct stage_work *work)
{
    struct frozen *frozen;
    const struct split split = analysis_open(work, &frozen);
    const struct localness localness = localness_measure(frozen, &split, &work->arena);
    frozen_close(frozen);
    write_means(work, &localness);
    analysis_write(work, "localness", localness_names, LOCALNESS_COLUMNS, localness.number,
                   localness.rows);
    return WORK_DONE;
}

const struct offer offer_localness = {
    .kind = "localness",
    VALUES(VALUE("window", "Mean window", "mean of D over positions, in tokens", .decimals = 2,
                 .traits = BY_LAYER | BY_HEAD, .counted = "windows"),
           VALUE("distance", "Mean distance",
                 "mean of |center - position| over positions, in tokens", .decimals = 2,
                 .traits = BY_LAYER | BY_HEAD)),
    .numbers = "window_sd rows",
};

const struct stage_kind kind_localness = {
    .name = "localness",
    .evaluation = &evaluation_localness,
    READS_FROZEN,
    .lacks = lacks,
    .find_files = analysis_find_files,
    .check = analysis_check,
    .passes = 1,
    .run = run,
    .opened = "localness.npy",
};
