/* The caption that says which rows were done before a number was measured, and how to get it. */
#include <math.h>

#include "results/store/stage_folder.h"
#include "results/table/table_maker.h"

/* Whether a stage that lacks a value has said so: it has a word in its place, or the value is of a
 * class that nothing is of. */
static bool is_measured(struct table_maker *maker, const struct column *column, int64_t stage)
{
    struct relation *relation = maker->sampler.relation;
    return isfinite(relation_value(relation, stage, column->value)) ||
           relation_word(relation, stage, column->value);
}

/* The stage of a seed that is done and whose value is not there; NULL: there is none. Whatever has
 * observations has a value from the day on which it is measured. */
static const struct summary_stage *stage_without(struct table_maker *maker,
                                                 const struct column *column, int row, int seed)
{
    const struct summary_seed *from = &maker->grid->row[row].seed[seed];
    const struct relation_stage *stage = sample_stages(&maker->sampler, row)[seed];
    for (int i = 0; i < from->count; i++)
        if (sample_is_of(column, from, i) && sample_stage_done(&stage[i]) &&
            !is_measured(maker, column, stage[i].number))
            return &from->stage[i];
    return NULL;
}

/* Such a stage of a cell; NULL: it has none. */
static const struct summary_stage *cell_without(struct table_maker *maker, int line, int factor,
                                                int index)
{
    const struct summary_stage *stage = NULL;
    const struct sample *sample = table_maker_sample(maker, line, factor, index);
    const int row = maker->layout->line[line].row[factor];
    for (int k = 0; row >= 0 && !stage && k < sample->total; k++)
        if (!isfinite(sample->value[k]) && !sample->why[k])
            stage = stage_without(maker, &maker->layout->column[index], row, k);
    return stage;
}

/* Whether the values of a column of the table have observations and stand in none before it. */
static bool is_first(const struct layout *layout, int index)
{
    const struct column *column = &layout->column[index];
    bool first = column->source == COLUMN_VALUE && !column->control && column_observations(column);
    for (int i = 0; i < index; i++) first &= !column_is_same(&layout->column[i], column);
    return first;
}

void summary_caption_absent(struct table_maker *maker)
{
    const struct layout *layout = maker->layout;
    struct name_groups absent = {.arena = maker->arena};
    const struct summary_stage *first = NULL;
    for (int c = 0; c < layout->columns; c++)
        for (int i = 0; is_first(layout, c) && i < layout->lines * layout->factors; i++) {
            const int line = i / layout->factors, factor = i % layout->factors;
            const struct summary_stage *stage = cell_without(maker, line, factor, c);
            if (!stage) continue;
            if (!first) first = stage;
            name_groups_add(&absent, column_unit(&layout->column[c], maker->arena),
                            maker->grid->row[layout->line[line].row[factor]].name);
        }
    if (!first) return;
    const char *folder = arena_print(maker->arena, STAGE_FOLDER, first->kind, first->id);
    sheet_caption(
        maker->arena, maker->sheet,
        "Done before it was measured: %s. `sanlab run` does a stage again once its folder "
        "is gone (stages/%s).",
        name_groups_text(&absent), folder);
}
