/* What the kinds of figures share: what they read, and what they say below. */
#include "plots/figure_kind.h"

#include <math.h>
#include <string.h>

#include "core/config/word.h"
#include "results/sheet/cell.h"
#include "results/store/offer.h"
#include "results/table/name_list.h"

struct column figure_read_value(const struct tree *item, struct arena *arena)
{
    const struct tree *name = item->kind == TREE_MAP ? tree_get(item, "column") : item;
    struct column column;
    const char *nearest = NULL;
    if (name && name->kind == TREE_SCALAR && !column_find(name->text, &column, &nearest, arena))
        word_refuse(name->place, "figures", "there is no column", name->text, column_names(arena));
    column = column_read(item, arena);
    if (column.delta || (column.source != COLUMN_VALUE && column.source != COLUMN_WALL))
        die_at(name->place,
               "figures: \"%s\" is not a value of a row; expected one like bleu or gates.gate",
               column.name);
    column_refuse_every(&column, item,
                        "figures: class: all is several values of a row; expected one class, or a "
                        "figure of kind classes");
    return column;
}

/* Whether a kind has a measure by a dimension: in rows of its metrics, or of layers in views. */
static bool is_by(const struct offer *offer, const struct measure *measure, enum dimension by)
{
    return measure->dimensions & 1u << by || (by == DIMENSION_LAYER && offer->layer_view);
}

/* The same of a column; a part that is a view already has no others. */
static bool has_by(const struct column *column, enum dimension by)
{
    const struct offer *offer = offer_of(column->kind);
    if (!column->measure || !offer) return true; /* only stages know */
    if (column->part && strchr(column->part, '@')) offer = NULL;
    return column->measure->dimensions & 1u << by || (offer && is_by(offer, column->measure, by));
}

/* The measures that have rows by a dimension, as a grid names them. */
static const char *const *measures_by(enum dimension by, struct arena *arena)
{
    int count = 0;
    for (const struct offer *const *offer = offers(); *offer; offer++) count += (*offer)->measures;
    const char **name = ARENA_ARRAY(arena, const char *, count + 1);
    count = 0;
    for (const struct offer *const *offer = offers(); *offer; offer++)
        for (int i = 0; i < (*offer)->measures; i++) {
            const struct measure *measure = &(*offer)->measure[i];
            if (is_by(*offer, measure, by))
                name[count++] = arena_print(arena, "%s.%s%s", (*offer)->kind,
                                            (*offer)->parts ? "PART." : "", measure->name);
        }
    return name;
}

struct column figure_read_by(const struct tree *item, enum dimension by, struct arena *arena)
{
    const struct tree *name = item->kind == TREE_MAP ? tree_get(item, "column") : item;
    struct column column;
    const char *nearest;
    if (name && name->kind == TREE_SCALAR &&
        (!column_find(name->text, &column, &nearest, arena) || column.source != COLUMN_VALUE ||
         column.delta || !has_by(&column, by)))
        word_refuse(name->place, "figures",
                    arena_print(arena, "no value by %s is called", dimension_names[by]), name->text,
                    measures_by(by, arena));
    column = column_read(item, arena);
    if (dimensions_have(&column.of, by) && !column.of.every)
        die_at(tree_get(item, dimension_names[by])->place,
               "figures: %s: every %s is drawn; leave it out", dimension_names[by],
               dimension_names[by]);
    if (column.of.every && by != DIMENSION_CLASS)
        die_at(tree_get(item, "class")->place,
               "figures: class: all is several values; expected one class");
    return column;
}

struct column figure_at_layer(const struct column *column, int layer, struct arena *arena)
{
    const struct offer *offer = column->part ? offer_of(column->kind) : NULL;
    struct column at = *column;
    if (offer && offer->layer_view)
        at.part = arena_print(arena, "%s@%s%d", column->part, offer->layer_view, layer);
    else
        at.of.number[DIMENSION_LAYER] = layer;
    return at;
}

bool figure_at_end(const struct column *column, const struct value_reader *reader, int row,
                   struct column *at)
{
    const struct offer *offer = column->part ? offer_of(column->kind) : NULL;
    const struct offer_end *end = offer ? offer->end : NULL;
    const struct summary_row *from = &reader->grid->row[row];
    const char *on = end ? layout_option(reader->grid, from, end->option, reader->arena) : NULL;
    bool has = false;
    if (!on || strcmp(on, "true") != 0) return false;
    *at = *column;
    at->part = arena_print(reader->arena, "%s@%s", column->part, end->view);
    for (int s = 0; s < from->count; s++)
        for (int i = 0; i < from->seed[s].count; i++) {
            const struct summary_stage *stage = &from->seed[s].stage[i];
            has |=
                !strcmp(stage->kind, column->kind) && stage->part && !strcmp(stage->part, at->part);
        }
    return has;
}

/* What a section's option `split` is of the figure's rows that run: "dev", "dev and test"; NULL:
 * they have none. */
static const char *splits_of(const struct offer *offer, const struct figure *figure,
                             const struct value_reader *reader)
{
    const char **seen = ARENA_ARRAY(reader->arena, const char *, figure->rows + 1), *list = NULL;
    const char *key = arena_print(reader->arena, "%s.split", offer->section);
    for (int i = 0, count = 0; i < figure->rows; i++) {
        const struct summary_row *row = &reader->grid->row[figure->row[i]];
        const char *split =
            row->options ? layout_option(reader->grid, row, key, reader->arena) : NULL;
        if (!split || word_known(split, seen)) continue;
        seen[count++] = split;
        list = cell_append(list, " and ", split, reader->arena);
    }
    return list;
}

const char *figure_label_of(const struct column *column, const struct figure *figure,
                            const struct value_reader *reader)
{
    const struct offer *offer = column->kind ? offer_of(column->kind) : NULL;
    const char *text = column->header, *split = NULL;
    if (column->measure && column->measure->axis)
        text = arena_print(reader->arena, "%s%s", column->measure->axis,
                           dimensions_text(&column->of, reader->arena));
    if (column->measure && column->measure->axis && column->margin)
        text = arena_print(reader->arena, "%s − %s%s", column->measure->header, column->control,
                           column->measure->high == 100 ? " (points)" : "");
    if (text != column->header && column->part && figure->columns <= 1)
        text = arena_print(reader->arena, "%s: %s", column->label, text);
    for (const struct offer_option *option = offer ? offer->option : NULL; option && option->key;
         option++)
        if (!strcmp(option->key, "split")) split = splits_of(offer, figure, reader);
    return split ? arena_print(reader->arena, "%s on %s", text, split) : text;
}

void figure_reach(struct figure_side *side, double low, double high)
{
    side->low = side->reaches ? fmin(side->low, low) : low;
    side->high = side->reaches ? fmax(side->high, high) : high;
    side->reaches = true;
}

struct value_of_row figure_value(struct figure_side *side, struct value_reader *reader,
                                 const struct column *column, int row)
{
    const struct value_of_row value = value_read(reader, column, row);
    const char *signature = value.signature;
    if (side->parts) signature = sample_signature(signature, column, false, reader->arena);
    if (signature) {
        side->mixed |= side->signature && strcmp(side->signature, signature) != 0;
        side->signature = signature;
    }
    if (!isfinite(value.mean)) return value;
    side->least = side->drawn && side->least < value.count ? side->least : value.count;
    side->most = value.count > side->most ? value.count : side->most;
    side->drawn++;
    if (value.spread != SPREAD_NONE) side->spread = value.spread;
    return value;
}

void figure_note_side(struct canvas *canvas, const struct figure_side *side, const char *what,
                      const char *label)
{
    static const char *const over[SPREAD_KINDS] = {NULL, "seeds", "best checkpoints"};
    if (!side->drawn) return;
    if (side->spread == SPREAD_NONE)
        canvas_caption(canvas, "%s: %s.", what, label);
    else
        canvas_caption(
            canvas, "%s: %s, mean of %s%d %s, with their sample standard deviation.", what, label,
            side->least == side->most ? "the " : arena_print(canvas->arena, "%d to ", side->least),
            side->most, over[side->spread]);
    figure_note_signature(canvas, side, label);
}

void figure_note_signature(struct canvas *canvas, const struct figure_side *side, const char *label)
{
    if (side->mixed)
        canvas_caption(canvas, "%s: the rows have several signatures and do not compare.", label);
    else if (side->signature)
        canvas_caption(canvas, "%s: %s", label, side->signature);
}

static bool has_limits(const struct measure *measure)
{
    return measure && measure->low < measure->high;
}

/* A line in the middle of the axis. */
static bool has_middle(const struct measure *measure)
{
    return has_limits(measure) && measure->low < measure->middle && measure->middle < measure->high;
}

void figure_record(struct canvas *canvas, struct value_reader *reader, const struct column *column,
                   int row, const struct figure_record *record)
{
    const struct sample sample = value_sample(reader, column, row);
    const char *name = reader->grid->row[row].name;
    for (int i = 0; i < sample.total; i++)
        canvas_record(canvas, &(struct canvas_record){
                                  name, record->group ? record->group : name, record->axis,
                                  record->place, column->name,
                                  sample.seed ? arena_print(canvas->arena, "%lld",
                                                            (long long)sample.seed[i].seed)
                                              : NULL,
                                  sample.value[i], record->mean, record->low, record->high});
}

void figure_put_point(struct canvas *canvas, struct figure_side *side, struct value_reader *reader,
                      const struct column *column, int row, const struct figure_place *place,
                      const struct value_of_row *value)
{
    const struct measure *measure = column->measure;
    const bool spread = isfinite(value->deviation);
    double from = value->mean, to = value->mean;
    if (spread) from -= value->deviation;
    if (spread) to += value->deviation;
    if (has_limits(measure) && !column->margin && isfinite(value->mean)) {
        from = fmax(measure->low, from);
        to = fmin(measure->high, to);
    }
    canvas_row(canvas, (double[]){place->number, value->mean, from, to}, 4);
    figure_record(canvas, reader, column, row,
                  &(struct figure_record){place->group, place->axis, place->text, value->mean,
                                          spread ? from : (double)NAN, spread ? to : (double)NAN});
    if (isfinite(value->mean)) figure_reach(side, from, to);
}

void figure_put_axis(struct canvas *canvas, const struct figure_side *side,
                     const struct measure *measure)
{
    struct figure_side all = *side;
    double above = 0.08;
    const bool line = side->across || has_middle(measure);
    const double at = side->across ? side->line : measure ? measure->middle : 0;
    if (line) figure_reach(&all, at, at);
    /* No room is left above the highest value that there can be. */
    if (has_limits(measure) && all.high >= measure->high - 0.07 * (measure->high - measure->low))
        above = 0;
    canvas_number(canvas, "dotted", line);
    canvas_number(canvas, "middle", at);
    canvas_axis(canvas, "left", all.low, all.high, 0.08, above);
}

void figure_note_balance(struct canvas *canvas, const struct measure *measure)
{
    if (has_middle(measure) && measure->balance)
        canvas_caption(canvas, "Dotted: %s.", measure->balance);
}

void figure_note_lacking(struct canvas *canvas, const char *what, const struct figure *figure,
                         struct value_reader *reader, const bool *drawn,
                         const struct column *column)
{
    struct name_list list = {.arena = canvas->arena};
    for (int i = 0; i < figure->rows; i++)
        if (!drawn[i])
            name_list_add(&list, arena_print(canvas->arena, "%s (%s)",
                                             reader->grid->row[figure->row[i]].name,
                                             value_why(reader, figure->row[i], column)));
    if (list.count) canvas_caption(canvas, "%s: %s.", what, name_list_text(&list));
}

void figure_note_missing(struct canvas *canvas, const struct figure *figure,
                         struct value_reader *reader, const bool *drawn,
                         const struct column *column)
{
    figure_note_lacking(canvas, "Not drawn", figure, reader, drawn, column);
}

void figure_note_seeds(struct canvas *canvas, const struct figure *figure,
                       const struct value_reader *reader)
{
    figure_note_of_seeds(canvas, figure, reader, "Means over");
}

void figure_note_of_seeds(struct canvas *canvas, const struct figure *figure,
                          const struct value_reader *reader, const char *what)
{
    const char *list = NULL;
    int most = 0;
    for (int i = 0; i < figure->rows; i++) {
        const struct summary_row *row = &reader->grid->row[figure->row[i]];
        if (row->count <= most) continue;
        most = row->count;
        list = NULL;
        for (int s = 0; s < most; s++)
            list = cell_append(list, ", ",
                               arena_print(canvas->arena, "%lld", (long long)row->seed[s].seed),
                               canvas->arena);
    }
    if (most == 1) canvas_caption(canvas, "One seed (%s).", list);
    if (most > 1) canvas_caption(canvas, "%s the seeds %s.", what, list);
}
