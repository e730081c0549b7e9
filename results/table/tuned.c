/* Describes the choice of a trial, from the grid's options and the values of the stages
 * `choice`. */
#include "results/table/tuned.h"

#include <math.h>
#include <string.h>

#include "core/config/word.h"
#include "experiments/grid/tune.h"
#include "results/sheet/number_format.h"
#include "results/store/status.h"
#include "results/table/layout.h"
#include "results/table/table_maker.h"

/* Returns the label of a value in a space with labels; NULL if there is none. */
static const char *label_of(const struct draw *draw, const struct tree *value)
{
    for (int i = 0; value && draw->kind == DRAW_MAP && i < draw->written->count; i++)
        if (tree_same(draw->written->item[i], value)) return draw->written->key[i]->text;
    return NULL;
}

void tuned_check_axis(struct location location, const struct grid *grid, const char *key)
{
    for (int r = 0; r < grid->rows; r++)
        for (int k = 0; grid->row[r].tuned && k < grid->row[r].tuned->keys; k++) {
            const char *path = grid->row[r].tuned->key[k].path;
            if (word_within(path, key) || word_within(key, path))
                die_at(location,
                       "by: tune varies %s in row \"%s\"; expected an option that it does not vary",
                       path, grid->row[r].name);
        }
}

const char *tuned_option(struct sampler *sampler, int at, const char *key)
{
    const struct grid_row *row = &sampler->grid->row[at];
    const struct tuned *tuned = row->tuned;
    struct arena *arena = sampler->arena;
    const int k = tuned_key(tuned, key);
    const char *list = NULL;
    if (k < 0) return NULL;
    if (row->waits) return sample_waits(sampler, at, 0);
    for (int i = 0; i < tuned->searches; i++) {
        const struct tree *value = tuned_value(tuned, i, k);
        const char *label = label_of(&tuned->key[k], value),
                   *text = label   ? label
                           : value ? tree_text(arena, value)
                                   : "none",
                   *edge = draw_is_edge(&tuned->key[k], value) ? " (edge)" : "";
        list = arena_append(arena, list, ", ", arena_print(arena, "%s%s", text, edge));
    }
    return list;
}

/* Returns the sum of a value of the row's stages `choice` over its searches; NaN if there is
 * none. */
static double choice_sum(struct sampler *sampler, int row, const char *name)
{
    const struct grid_row *from = &sampler->grid->row[row];
    double sum = from->count ? 0 : (double)NAN;
    for (int s = 0; s < from->count && s < from->tuned->searches; s++) {
        double value = (double)NAN;
        for (int i = 0; i < from->seed[s].count && !isfinite(value); i++)
            if (!strcmp(from->seed[s].stage[i].kind, "choice"))
                value = value_cache_value(sampler->cache, sample_stages(sampler, row)[s][i].number,
                                          name);
        sum += value;
    }
    return sum;
}

/* Returns the rank correlation between a rung and the end, the mean over the searches; NaN: not
 * known in each. */
static double rung_correlation(struct sampler *sampler, int row, int rung)
{
    const struct grid_row *from = &sampler->grid->row[row];
    double sum = 0;
    int count, known = 0;
    for (int s = 0; s < from->count && s < from->tuned->searches; s++)
        for (int i = 0; i < from->seed[s].count; i++) {
            const struct value_cache_line *line =
                value_cache_lines(sampler->cache, sample_stages(sampler, row)[s][i].number,
                                  "rung_correlation", NULL, &count);
            for (int l = 0; l < count; l++)
                if (line[l].of.number[DIMENSION_SET] == rung + 1) {
                    sum += line[l].value;
                    known++;
                }
        }
    return known == from->tuned->searches ? sum / known : (double)NAN;
}

/* Returns how many trials halving has stopped, and how well its rungs predict the end; "" if there
 * are no rungs. */
static const char *halving_text(struct sampler *sampler, int row)
{
    static const double misled = 0.5;
    const struct tuned *tuned = sampler->grid->row[row].tuned;
    struct arena *arena = sampler->arena;
    const char *list = NULL;
    bool low = false;
    if (!tuned->rungs) return "";
    for (int r = 0; r < tuned->rungs; r++) {
        const double value = rung_correlation(sampler, row, r);
        low |= value < misled;
        list =
            arena_append(arena, list, ", ",
                         arena_print(arena, "%s after %s",
                                     isfinite(value) ? number_fixed(arena, value, 2) : "unknown",
                                     halving_length(&tuned->tune->halving, tuned->rung[r], arena)));
    }
    return arena_print(arena,
                       ", %.0f stopped by halving, rank correlation of rung and end over the %.0f "
                       "that always run to the end %s%s",
                       choice_sum(sampler, row, "stopped"), choice_sum(sampler, row, "whole"), list,
                       low ? ", halving misled" : "");
}

/* Returns how many of a row's own trainings diverged. */
static int diverged_seeds(struct sampler *sampler, int row)
{
    const struct grid_row *from = &sampler->grid->row[row];
    int count = 0;
    for (int s = 0; s < from->count; s++)
        for (int i = 0; i < from->seed[s].count; i++)
            count += !strcmp(from->seed[s].stage[i].kind, "train") &&
                     !strcmp(sample_stages(sampler, row)[s][i].status, STATUS_DIVERGED);
    return count;
}

/* Returns the three values of the metric on dev, each with what it is over. NULL: none is known. */
static const char *metric_text(struct sampler *sampler, int row)
{
    static const char *const values[][2] = {
        {"metric", "chosen trial"}, {"fresh", "own seeds"}, {"median", "median trial"}};
    struct arena *arena = sampler->arena;
    const struct grid_row *from = &sampler->grid->row[row];
    const int lost = diverged_seeds(sampler, row);
    const bool final = from->tuned->tune->finalists;
    const char *over[] = {final ? arena_print(arena, " over %d seeds", TUNE_SEEDS) : "",
                          lost ? arena_print(arena, " without %d that diverged", lost) : "",
                          final ? " over one seed" : ""},
               *text = NULL;
    for (size_t i = 0; i < COUNT_OF(values); i++) {
        const double value = choice_sum(sampler, row, values[i][0]) / from->tuned->searches;
        if (isfinite(value))
            text = arena_append(arena, text, ", ",
                                arena_print(arena, "%s%s %s%s", values[i][1],
                                            from->tuned->rungs && i == 2
                                                ? " of those that always run to the end"
                                                : "",
                                            number_fixed(arena, value, 4), over[i]));
    }
    return text;
}

const char *tuned_text(struct sampler *sampler, int row)
{
    const struct grid_row *from = &sampler->grid->row[row];
    struct arena *arena = sampler->arena;
    const char *options = NULL;
    const int searches = tuned_searches(from);
    if (!searches || from->waits) return NULL;
    for (int k = 0; k < from->tuned->keys; k++) {
        const char *key = from->tuned->key[k].path;
        options = arena_append(arena, options, ", ",
                               arena_print(arena, "%s: %s", key, tuned_option(sampler, row, key)));
    }
    const char *metric = metric_text(sampler, row);
    const double lost = choice_sum(sampler, row, "diverged");
    if (!metric) return options;
    const int epochs = from->tuned->tune->epochs;
    return arena_print(
        arena, "%s (%s%s; %s%d trials%s%s%s, %s core hours)", options, metric,
        searches > 1 ? ", means over searches" : "",
        searches > 1 ? arena_print(arena, "%d searches of ", searches) : "", from->tuned->trials,
        epochs ? arena_print(arena, " of %d epochs", epochs) : "",
        lost > 0 ? arena_print(arena, ", %.0f diverged", lost) : "", halving_text(sampler, row),
        number_fixed(arena, choice_sum(sampler, row, "hours"), 2));
}

/* Prints the chosen options of all rows in one line. */
void summary_note_tuned(struct table_maker *maker)
{
    struct arena *arena = maker->arena;
    const struct tuned *tuned = NULL;
    const char *list = NULL;
    for (int row = 0; row < maker->grid->rows; row++) {
        const char *text = tuned_text(&maker->sampler, row);
        if (!text) continue;
        tuned = maker->grid->row[row].tuned;
        list = arena_append(arena, list, "; ",
                            arena_print(arena, "%s %s", maker->grid->row[row].name, text));
    }
    if (list)
        summary_say(maker, NOTE_WARNING, "Tuned (%s on dev): %s.", tuned->tune->metric->name, list);
}
