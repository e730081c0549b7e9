/* The caption that says where a row's dev loss and its BLEU are of different steps. */
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

/* The kinds whose steps are compared. */
struct stepped_kinds {
    const struct offer *train; /* the first that trains */
    const char *score;
};

/* What is to be said of one seed of a row; "" when both are of the same step, or nothing of it is
 * known; NULL when it has no score. */
static const char *seed_text(struct table_maker *maker, const struct stepped_kinds *of, int row,
                             int seed)
{
    const struct summary_seed *from = &maker->grid->row[row].seed[seed];
    const struct sample_stage *stage = sample_stages(&maker->sampler, row)[seed];
    int64_t train = -1, score = -1;
    const int64_t *step;
    for (int k = 0; k < from->count; k++) {
        if (strcmp(stage[k].status, "done") != 0) continue;
        if (!strcmp(from->stage[k].kind, of->train->kind)) train = stage[k].number;
        if (!strcmp(from->stage[k].kind, of->score)) score = stage[k].number;
    }
    if (train < 0 || score < 0) return NULL;
    const int64_t last = sample_last_step(&maker->sampler, train, of->train->validation);
    const int count = sample_scored(&maker->sampler, score, train, &step);
    if (last < 0 || !count || (count == 1 && step[0] == last)) return "";
    return arena_print(maker->arena, "last step %s, scored %s",
                       number_count(maker->arena, (double)last),
                       steps_text(maker->arena, step, count));
}

/* Adds what is to be said of a row, once if it is the same of all its seeds. Returns whether it is
 * the same, and is said. */
static bool add_row(struct table_maker *maker, const struct stepped_kinds *of,
                    struct name_groups *kinds, int row)
{
    const struct summary_row *from = &maker->grid->row[row];
    const char **text = ARENA_ARRAY(maker->arena, const char *, from->count + 1), *all = NULL;
    bool same = true;
    for (int i = 0; i < from->count; i++) {
        text[i] = seed_text(maker, of, row, i);
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
    struct stepped_kinds of = {0};
    for (const struct offer *const *offer = offers(); *offer && !of.train; offer++)
        if ((*offer)->validation) of.train = *offer;
    if (!of.train || !offer_read_by(observations_bleu, &of.score)) return;
    const char *loss = heading_of(maker, of.train->kind, of.train->validation),
               *score = heading_of(maker, of.score, NULL);
    struct name_groups kinds = {.arena = maker->arena};
    bool all = true;
    for (int row = 0; loss && score && row < maker->grid->rows; row++)
        all &= add_row(maker, &of, &kinds, row);
    if (kinds.count)
        sheet_caption(maker->arena, maker->sheet,
                      "%s is of the last validation, %s of the checkpoints that were scored: %s.",
                      loss, score,
                      kinds.count == 1 && all ? kinds.group[0].text : name_groups_text(&kinds));
}
