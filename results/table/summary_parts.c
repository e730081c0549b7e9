/* Captions about the parts of a kind, as probing tasks are: what each has of its own, and whose
 * values are to be doubted. */
#include <string.h>

#include "results/sheet/cell.h"
#include "results/store/offer.h"
#include "results/table/table_maker.h"

int summary_shown(struct table_maker *maker, const struct column ***column)
{
    const struct layout *layout = maker->layout;
    int count = 0;
    *column = NULL;
    for (int i = 0; i < layout->columns; i++) {
        const struct column *one = &layout->column[i];
        const struct column_group *group = one->group;
        for (int k = 0; k < (group ? group->count : 1); k++) {
            ARENA_MORE(maker->arena, *column, count);
            (*column)[count++] = group ? &group->member[k] : one;
        }
    }
    return count;
}

/* What of the signatures is a part's own, part by part: "Length: task:2fad3e8d|items:3497". */
void summary_caption_parts(struct table_maker *maker)
{
    const struct column **column;
    const int count = summary_shown(maker, &column);
    struct name_groups parts = {.arena = maker->arena};
    const char *text = NULL;
    for (int c = 0; c < count; c++)
        for (int row = 0; row < maker->grid->rows && column[c]->part && !column[c]->delta; row++) {
            const char *part = column[c]->part;
            if (column[c]->source != COLUMN_VALUE) continue;
            const struct sample sample = sample_row(&maker->sampler, column[c], row);
            const char *own = sample_signature(sample.signature, column[c], true, maker->arena);
            if (sample.count && own)
                name_groups_add(&parts, own,
                                arena_text_range(maker->arena, part, strcspn(part, "@")));
        }
    for (int i = 0; i < parts.count; i++)
        text = cell_append(
            text, "; ",
            arena_print(maker->arena, "%s: %s", parts.group[i].names.text, parts.group[i].text),
            maker->arena);
    if (text) sheet_caption(maker->arena, maker->sheet, "%s", text);
}

/* The parts of a row that its stages call doubtful and whose values the table shows, each once;
 * NULL: none. */
static const char *doubtful_parts(struct table_maker *maker, const struct offer *offer, int row)
{
    const struct summary_row *from = &maker->grid->row[row];
    const struct column **column;
    const int columns = summary_shown(maker, &column);
    struct texts parts = {0};
    struct name_list list = {.arena = maker->arena};
    for (int s = 0; s < from->count; s++)
        for (int k = 0; k < from->seed[s].count; k++) {
            const struct relation_stage *stage = &sample_stages(&maker->sampler, row)[s][k];
            const char *own = from->seed[s].stage[k].part, *part = own ? own : offer->kind;
            bool wanted = false;
            for (int c = 0; c < columns; c++)
                wanted |= column[c]->kind && !strcmp(column[c]->kind, offer->kind) &&
                          sample_is_of(column[c], &from->seed[s], k);
            for (int i = 0; i < parts.count && wanted; i++) wanted = strcmp(parts.text[i], part);
            if (!wanted || !sample_stage_done(stage) ||
                !(relation_value(maker->sampler.relation, stage->number, offer->doubt) > 0))
                continue;
            ARENA_MORE(maker->arena, parts.text, parts.count);
            parts.text[parts.count++] = part;
            name_list_add(&list, part);
        }
    return name_list_text(&list);
}

/* Rows with values that are to be doubted, and of which parts. */
void summary_caption_doubts(struct table_maker *maker, const struct offer *offer)
{
    struct name_groups rows = {.arena = maker->arena};
    for (int row = 0; row < maker->grid->rows; row++) {
        const char *parts = doubtful_parts(maker, offer, row);
        if (parts) name_groups_add(&rows, maker->grid->row[row].name, parts);
    }
    if (rows.count)
        sheet_caption(maker->arena, maker->sheet, "%s: %s.", offer->doubted,
                      name_groups_text(&rows));
}
