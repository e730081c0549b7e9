/* Looks up the stages of a grid in the database by their ids, and selects the stages that a column
 * reads. */
#include <math.h>
#include <string.h>

#include "results/store/offer.h"
#include "results/store/status.h"
#include "results/table/controls.h"

struct sampler sampler_open(struct store *store, const struct grid *grid, struct arena *arena)
{
    const char **id = NULL;
    int count = 0;
    for (struct grid_cursor at = {0}; grid_next(grid, &at); at.stage++) {
        ARENA_ADD(arena, id, count, grid_stage_at(grid, &at)->id);
    }
    return (struct sampler){.store = store,
                            .grid = grid,
                            .arena = arena,
                            .stage = ARENA_ARRAY(arena, struct value_cache_stage **, grid->rows),
                            .cache = value_cache_open(store, id, count, arena)};
}

const struct offer *sample_trains(const struct grid *grid)
{
    for (struct grid_cursor at = {0}; grid_next(grid, &at); at.stage++) {
        const struct offer *offer = offer_of(grid_stage_at(grid, &at)->kind);
        if (offer_trains(offer)) return offer;
    }
    return NULL;
}

bool sample_stage_done(const struct value_cache_stage *stage)
{
    return !strcmp(stage->status, STATUS_DONE);
}

/* Looks up the stages of a seed. Stages after a training that diverged get its status, because
 * their values are not results. */
static void stages_of_seed(struct sampler *sampler, const struct grid_seed *seed,
                           struct value_cache_stage *stage)
{
    bool lost = false;
    for (int k = 0; k < seed->count; k++) {
        stage[k] = value_cache_stage(sampler->cache, seed->stage[k].id);
        if (lost && sample_stage_done(&stage[k])) stage[k].status = STATUS_DIVERGED;
        lost |= !strcmp(stage[k].status, STATUS_DIVERGED) &&
                offer_trains(offer_of(seed->stage[k].kind));
    }
}

struct value_cache_stage *const *sample_stages(struct sampler *sampler, int row)
{
    const struct grid_row *from = &sampler->grid->row[row];
    if (sampler->stage[row]) return sampler->stage[row];
    struct value_cache_stage **stage =
        ARENA_ARRAY(sampler->arena, struct value_cache_stage *, from->count);
    for (int i = 0; i < from->count; i++) {
        const struct grid_seed *seed = &from->seed[i];
        stage[i] = ARENA_ARRAY(sampler->arena, struct value_cache_stage, seed->count);
        stages_of_seed(sampler, seed, stage[i]);
    }
    return sampler->stage[row] = stage;
}

const struct value_cache_stage *sample_stage_at(struct sampler *sampler,
                                                const struct grid_cursor *at)
{
    return &sample_stages(sampler, at->row)[at->seed][at->stage];
}

/* Returns the index of the stage that a part selects; -1 if there is none. If a stage has exactly
 * this part, it is selected. Else the part selects its only view or, if there are several views,
 * the first of offer.views. If there is no view, the part selects its first control, because a row
 * may probe only the bag of words. */
static int stage_of_part(const struct grid_seed *seed, const char *kind, const char *part)
{
    const struct offer *offer = offer_of(kind);
    int view = -1, views = 0, control = -1, main = -1;
    for (int i = 0; i < seed->count; i++) {
        const char *of = seed->stage[i].part;
        if (strcmp(seed->stage[i].kind, kind) != 0 || !of) continue;
        if (!strcmp(of, part)) return i;
        if (!offer || !column_is_part(part, of)) continue;
        if (!column_is_view(part, of, offer)) {
            if (control < 0) control = i;
            continue;
        }
        view = i;
        views++;
        if (offer->views && !strcmp(strchr(of, '@') + 1, *offer->views)) main = i;
    }
    return views > 1 ? main : views ? view : control;
}

/* Returns the index of the stage that is the control of stage `own`; -1 if there is none. */
static int find_control(const struct grid_seed *seed, int own, const char *control)
{
    const char *part = seed->stage[own].part;
    for (int nearer = 1; nearer >= 0; nearer--)
        for (int i = 0; i < seed->count; i++)
            if (!strcmp(seed->stage[i].kind, seed->stage[own].kind) &&
                column_is_control(seed->stage[i].part, part, control, nearer))
                return i;
    return -1;
}

/* True if the column reads stages of this kind. A short name such as dev_loss belongs to one kind
 * of training. It also reads all other kinds of training that have this measure. */
static bool is_of_kind(const struct column *column, const char *kind)
{
    if (!column->kind) return false;
    return !strcmp(column->kind, kind) ||
           (column->measure && column->measure->column && offer_trains(offer_of(column->kind)) &&
            offer_trains(offer_of(kind)) && offer_measure(kind, column->value));
}

unsigned sample_use(const struct column *column, const struct grid_seed *seed, int stage)
{
    const char *kind = seed->stage[stage].kind;
    unsigned use = 0;
    for (int i = 0; i < column->arguments; i++) {
        const struct column argument = column_argument(column, i);
        use |= sample_use(&argument, seed, stage);
    }
    if (column->arguments) return use;
    if (!is_of_kind(column, kind)) return SAMPLE_NEEDS;
    int own = column->part ? stage_of_part(seed, column->kind, column->part) : stage;
    if (column->part && column->function == COLUMN_CONTROL && own >= 0)
        own = find_control(seed, own, column->word);
    return own == stage ? SAMPLE_NEEDS | SAMPLE_VALUE : 0;
}

/* Visits the stages from last to first, because the inputs of a stage precede it. */
const bool *sample_inputs(struct sampler *sampler, const struct column *column, int row, int at)
{
    const struct column reduced = controls_members(sampler, column);
    const struct grid_seed *seed = &sampler->grid->row[row].seed[at];
    const struct value_cache_stage *stage = sample_stages(sampler, row)[at];
    column = &reduced;
    bool *needed = ARENA_ARRAY(sampler->arena, bool, seed->count + 1), known = false;
    for (int i = seed->count - 1; i >= 0; i--) {
        const bool own = sample_is_of(column, seed, i);
        needed[i] |= own;
        if (own && !(known = stage[i].number >= 0)) break;
        if (!needed[i] || stage[i].number < 0) continue;
        int inputs;
        const struct value_cache_line *input =
            value_cache_texts(sampler->cache, stage[i].number, VALUE_CACHE_INPUT, "", &inputs);
        for (int k = 0; k < i * inputs; k++)
            needed[k / inputs] |= !strcmp(seed->stage[k / inputs].id, input[k % inputs].text);
    }
    for (int i = 0; !known && i < seed->count; i++) needed[i] = sample_needs(column, seed, i);
    return needed;
}
