#include "results/summary.h"

#include <math.h>
#include <string.h>

#include "core/config/option.h"
#include "results/summary_make.h"

struct sample *maker_sample(const struct maker *maker, int line, int factor, int column)
{
    const struct layout *layout = maker->layout;
    return &maker->sample[(line * layout->factors + factor) * layout->columns + column];
}

/* KIND.NAME may be misspelled, and only the stages know their names: when stages of that kind are
 * done but none of the grid's has such a value, the names that there are are offered. */
static void refuse_name(struct maker *maker, const struct column *column)
{
    enum { LIMIT = 100 };
    const char *names[LIMIT + 1] = {NULL};
    int count = 0;
    sqlite3_stmt *ask = store_ask(
        maker->store,
        "SELECT DISTINCT name FROM summary WHERE stage IN (SELECT number FROM stage WHERE kind = ? "
        "AND status = 'done') ORDER BY name LIMIT 100",
        "s", column->kind);
    while (store_next(ask)) names[count++] = store_text(ask, 0, maker->arena);
    store_finish(ask);
    for (int i = 0; i < count; i++)
        if (strcmp(names[i], column->value) == 0) return;
    if (count)
        word_refuse(column->place, column->name, "no stage of that kind has", column->value, names);
}

/* BLEU of a line's file of hypotheses. */
static struct sample sample_hypotheses(struct maker *maker, const struct column *column, int line,
                                       int factor)
{
    struct sample sample = {0};
    if (column->source != COLUMN_VALUE || strcmp(column->kind, "score") != 0 ||
        strcmp(column->value, "bleu") != 0)
        return sample;
    const struct evidence *hyp = pair_hypotheses(&maker->pairing, line, factor);
    if (!hyp) return sample;
    sample = (struct sample){.total = 1,
                             .count = !hyp->problem,
                             .value = ARENA_NEW(maker->arena, double),
                             .why = ARENA_ARRAY(maker->arena, const char *, 1),
                             .signature = hyp->problem ? NULL : hyp->signature};
    sample.value[0] = hyp->problem ? (double)NAN : hyp->score;
    sample.why[0] = "waiting";
    return sample;
}

static void take_samples(struct maker *maker)
{
    const struct layout *layout = maker->layout;
    maker->sample =
        ARENA_ARRAY(maker->arena, struct sample, layout->lines * layout->factors * layout->columns);
    for (int c = 0; c < layout->columns; c++) {
        const struct column *column = &layout->column[c];
        int found = 0;
        if (column->source > COLUMN_MEAN) continue;
        for (int i = 0; i < layout->lines; i++)
            for (int f = 0; f < layout->factors; f++) {
                struct sample *sample = maker_sample(maker, i, f, c);
                int row = layout->line[i].row[f];
                *sample = row < 0 ? sample_hypotheses(maker, column, i, f)
                                  : sample_row(&maker->sampler, column, row);
                found += sample->count;
            }
        if (!found && column->source == COLUMN_VALUE && strchr(column->name, '.'))
            refuse_name(maker, column);
    }
}

static bool wants_randomization(const struct layout *layout)
{
    bool wanted = layout->test.p == COLUMN_SWAPPED;
    for (int i = 0; i < layout->columns; i++)
        wanted |= layout->column[i].source == COLUMN_P && layout->column[i].p == COLUMN_SWAPPED;
    return wanted;
}

struct sheet *summary_table(struct store *store, const struct summary_grid *grid,
                            struct arena *arena)
{
    struct maker maker = {.store = store,
                          .grid = grid,
                          .layout = grid->layout,
                          .arena = arena,
                          .sampler = sampler_open(store, grid, arena)};
    maker.pairing = pair_open(&maker.sampler);
    take_samples(&maker);
    if (grid->layout->test.wanted) pair_all(&maker.pairing, wants_randomization(grid->layout));
    maker_quotes(&maker);
    maker_fill(&maker);
    maker_caption(&maker);
    sampler_close(&maker.sampler);
    if (!grid->layout->transpose) return maker.sheet;
    return layout_turn(maker.sheet, grid->layout->names, arena);
}
