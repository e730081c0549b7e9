/* The caption that says where a row's dev loss and its BLEU are of different steps. */
#include <math.h>
#include <string.h>

#include "results/sheet/number.h"
#include "results/store/offer.h"
#include "results/table/table_maker.h"

/* The heading of the first column of a kind's values; NULL value: any of them. */
static const char *heading_of(const struct table_maker *maker, const char *kind, const char *value)
{
    const struct layout *layout = maker->layout;
    for (int i = 0; i < layout->columns; i++) {
        const struct column *column = &layout->column[i];
        if (column->source == COLUMN_VALUE && !strcmp(column->kind, kind) &&
            (!value || !strcmp(column->value, value)))
            return column->header;
    }
    return NULL;
}

/* "500", "300, 400 and 500", "300 to 900 (10)" */
static const char *steps_text(struct arena *arena, const int64_t *step, int count)
{
    enum { LISTED = 5 };
    const char *text = number_count(arena, (double)step[0]);
    if (count > LISTED)
        return arena_print(arena, "%s to %s (%d)", text,
                           number_count(arena, (double)step[count - 1]), count);
    for (int i = 1; i < count; i++)
        text = arena_print(arena, "%s%s%s", text, i + 1 < count ? ", " : " and ",
                           number_count(arena, (double)step[i]));
    return text;
}

/* What is to be said of one seed of a row; "" when both are of the same step, or nothing of it is
 * known; NULL when it has no score. */
static const char *seed_text(struct table_maker *maker, const char *validation, int row, int seed)
{
    const struct summary_seed *from = &maker->grid->row[row].seed[seed];
    const struct relation_stage *stage = sample_stages(&maker->sampler, row)[seed];
    int64_t train, score;
    const int64_t *step;
    if (!sample_scored_pair(from, stage, &train, &score)) return NULL;
    const int64_t last = sample_last_step(&maker->sampler, train, validation);
    const int count = sample_scored(&maker->sampler, score, train, &step);
    if (last < 0 || !count || (count == 1 && step[0] == last)) return "";
    return arena_print(maker->arena, "last step %s, scored %s",
                       number_count(maker->arena, (double)last),
                       steps_text(maker->arena, step, count));
}

/* Adds what is to be said of a row, once if it is the same of all its seeds. Returns whether it is
 * the same, and is said. */
static bool add_row(struct table_maker *maker, const char *validation, struct name_groups *kinds,
                    int row)
{
    const struct summary_row *from = &maker->grid->row[row];
    const char **text = ARENA_ARRAY(maker->arena, const char *, from->count + 1), *all = NULL;
    bool same = true;
    for (int i = 0; i < from->count; i++) {
        text[i] = seed_text(maker, validation, row, i);
        if (!text[i]) continue;
        if (!all) all = text[i];
        same &= !strcmp(all, text[i]);
    }
    if (!all) return true;
    if (same && *all) name_groups_add(kinds, all, from->name);
    for (int i = 0; !same && i < from->count; i++)
        if (text[i] && *text[i])
            name_groups_add(kinds, text[i],
                            arena_print(maker->arena, "%s, seed %lld", from->name,
                                        (long long)from->seed[i].seed));
    return same && *all;
}

void summary_caption_steps(struct table_maker *maker)
{
    const struct offer *train;
    const char *scores;
    if (!sample_scored_kinds(&train, &scores)) return;
    const char *loss = heading_of(maker, train->kind, train->validation),
               *score = heading_of(maker, scores, NULL);
    struct name_groups kinds = {.arena = maker->arena};
    bool all = true;
    for (int row = 0; loss && score && row < maker->grid->rows; row++)
        all &= add_row(maker, train->validation, &kinds, row);
    if (kinds.count)
        sheet_caption(maker->arena, maker->sheet,
                      "%s is of the last validation, %s of the checkpoints that were scored: %s.",
                      loss, score,
                      kinds.count == 1 && all ? kinds.group[0].text : name_groups_text(&kinds));
}

/* The heading of a scored column that is empty though both stages of a seed are done, or NULL. */
static const char *empty_heading(struct table_maker *maker, int64_t train, int64_t score)
{
    for (int i = 0; i < maker->layout->columns; i++) {
        const struct column *column = &maker->layout->column[i];
        if (column->source == COLUMN_SCORED &&
            !isfinite(sample_scored_metric(&maker->sampler, column->value, train, score)))
            return column->header;
    }
    return NULL;
}

void summary_caption_scored(struct table_maker *maker)
{
    struct name_groups words = {.arena = maker->arena};
    const char *heading = NULL;
    for (int row = 0; row < maker->grid->rows; row++)
        for (int s = 0; s < maker->grid->row[row].count; s++) {
            int64_t train, score;
            const char *empty = NULL;
            if (sample_scored_pair(&maker->grid->row[row].seed[s],
                                   sample_stages(&maker->sampler, row)[s], &train, &score))
                empty = empty_heading(maker, train, score);
            if (empty && !heading) heading = empty;
            if (empty)
                name_groups_add(&words, sample_scored_words(&maker->sampler, score),
                                maker->grid->row[row].name);
        }
    if (heading)
        sheet_caption(maker->arena, maker->sheet,
                      "%s: empty where nobody validated what was scored, %s.", heading,
                      name_groups_text(&words));
}
