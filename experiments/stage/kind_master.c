/* The stage `master` measures how far the master gates of a trained ON-LSTM are open at each token
 * (Shen et al. 2019). There are two values per token and layer: 1 - mean of the master forget gate,
 * and mean of the master input gate. */
/* sources: ..core/model probes/kept_rows.* core/base/npy.* */
/* rank: 34 */
#include "experiments/stage/analysis.h"
#include "probes/kept_rows.h"
#include "results/store/offer.h"

static const struct option rows[] = {ANALYSIS_ROWS, ANALYSIS_TEXT};
const struct evaluation evaluation_master = {.section = SECTION("evaluate.master",
                                                                "master gates of ON-LSTM layers",
                                                                rows, struct analysis_options)};

static bool has_gates(const struct encoder_options *encoder, int layer)
{
    return layers_group(&encoder->stack, layer)->kind == LAYER_ONLSTM;
}

static const char *lacks(const struct settings *settings)
{
    const struct encoder_options *encoder = &settings->translator.encoder;
    bool any = false;
    for (int l = 1; l <= encoder->layers; l++) any |= has_gates(encoder, l);
    return any ? NULL : "an ON-LSTM layer";
}

enum { FORGET, INPUT, GATES };
static const char *const names[GATES] = {"master_forget", "master_input"};

/* Returns the mean of an input gate over its columns, at one position. For a forget gate, returns 1
 * - mean, which is the share that is forgotten. */
static double open_of(const struct kept_rows *kept, int gate, int64_t position)
{
    double sum = 0;
    for (int c = 0; c < kept->columns; c++)
        sum += (double)kept->number[position * kept->columns + c];
    return gate == FORGET ? 1 - sum / kept->columns : sum / kept->columns;
}

static enum work_end run(struct stage_work *work)
{
    enum { LAYER, SENTENCE, POSITION, FIRST, COLUMNS = FIRST + GATES };
    static const char *const header[COLUMNS] = {"layer", "sentence", "position", "forget", "input"};
    struct arena *arena = &work->arena;
    const struct encoder_options *encoder = &work->stage->settings->translator.encoder;
    struct frozen *frozen;
    const struct split split = analysis_open(work, &frozen);
    const int64_t *start = split.side[SIDE_SOURCE].start, positions = start[split.sentences];
    struct kept_rows *kept = ARENA_ARRAY(arena, struct kept_rows, GATES * encoder->layers);
    int *layer = ARENA_ARRAY(arena, int, encoder->layers), layers = 0;
    for (int l = 1; l <= encoder->layers; l++) {
        if (!has_gates(encoder, l)) continue;
        for (int g = 0; g < GATES; g++)
            kept[GATES * layers + g].path = arena_print(arena, "encoder.%d.%s", l, names[g]);
        layer[layers++] = l;
    }
    kept_rows_measure(frozen, &split, NULL, kept, GATES * layers, arena);
    frozen_close(frozen);
    float *table = ARENA_ARRAY(arena, float, (size_t)(layers * positions) * COLUMNS), *row = table;
    double all[GATES] = {0};
    for (int i = 0; i < layers; i++) {
        double sum[GATES] = {0};
        for (int s = 0; s < split.sentences; s++)
            for (int64_t t = start[s]; t < start[s + 1]; t++, row += COLUMNS) {
                row[LAYER] = (float)layer[i];
                row[SENTENCE] = (float)(s + 1);
                row[POSITION] = (float)(t - start[s]);
                for (int g = 0; g < GATES; g++) {
                    const double open = open_of(&kept[GATES * i + g], g, t);
                    row[FIRST + g] = (float)open;
                    sum[g] += open;
                }
            }
        for (int g = 0; g < GATES; g++) {
            stage_work_value(work, header[FIRST + g], sum[g] / (double)positions, positions,
                             (struct value_at){.layer = layer[i]});
            all[g] += sum[g];
        }
    }
    for (int g = 0; g < GATES; g++)
        stage_work_value(work, header[FIRST + g], all[g] / (double)(layers * positions),
                         layers * positions, (struct value_at){0});
    analysis_write(work, "master", header, COLUMNS, table, layers * positions);
    return WORK_DONE;
}

#define OPEN(name_, help_)                                                                         \
    VALUE(name_, NULL, help_, .form = COLUMN_SHORT, .traits = BY_LAYER, .counted = "positions")
const struct offer offer_master = {
    .kind = "master",
    VALUES(OPEN("forget", "1 - mean of the master forget gate, mean over positions and layers"),
           OPEN("input", "mean of the master input gate, mean over positions and layers")),
    .numbers = "rows",
};

const struct stage_kind kind_master = {
    .name = "master",
    .evaluation = &evaluation_master,
    READS_FROZEN,
    .lacks = lacks,
    .find_files = analysis_find_files,
    .check = analysis_check,
    .passes = 1,
    .run = run,
    .opened = "master.npy",
};
