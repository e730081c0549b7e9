/* Adds the notes on the stages of a table: how values were computed, on which device, by which
 * code. */
#include <string.h>

#include "core/config/word.h"
#include "results/store/code_parts.h"
#include "results/store/offer.h"
#include "results/table/table_maker.h"

/* ---- options and texts of a kind ---- */

/* Lists the fields of signatures that belong to a part: "Length: task:2fad3e8d|items:3497". */
void summary_note_parts(struct table_maker *maker)
{
    struct name_groups parts = {.arena = maker->arena};
    for (int c = 0; c < maker->shown_count; c++) {
        const struct column *column = maker->shown[c];
        const bool of_part =
            column->part && column_is_measured(column) && column->function != COLUMN_DELTA;
        for (int row = 0; row < maker->grid->rows && of_part; row++) {
            const struct sample sample = sample_row(&maker->sampler, column, row);
            const char *own = sample_signature(sample.signature, column, true, maker->arena);
            const size_t stem = strcspn(column->part, "@");
            if (sample.count && own)
                name_groups_add(&parts, own, arena_text_range(maker->arena, column->part, stem));
        }
    }
    if (parts.count) summary_say(maker, "%s", name_groups_said(&parts));
}

/* True for a kind whose values the table shows or compares, and for a kind without columns. */
static bool is_wanted(struct table_maker *maker, const struct offer *offer)
{
    const struct layout *layout = maker->layout;
    bool wanted = !offer->measure;
    for (int i = 0; i < layout->test.families; i++)
        wanted |= word_same(layout->test.family[i].kind, offer->kind);
    for (int i = 0; i < maker->shown_count; i++)
        wanted |= word_same(maker->shown[i]->kind, offer->kind);
    return wanted;
}

/* Prints how the values of a kind were computed; if `overlap` is true, only for rows whose text
 * reports an overlap of splits with train. */
static void say_offer(struct table_maker *maker, const struct offer *offer, bool overlap)
{
    struct name_groups kinds = {.arena = maker->arena};
    for (int row = 0; row < maker->grid->rows; row++) {
        const char *text = sample_caption(&maker->sampler, offer, row);
        if (text && (!overlap || strstr(text, "in train, too") || strstr(text, "with train")))
            name_groups_add(&kinds, text, maker->grid->row[row].name);
    }
    for (int i = 0; i < kinds.count; i++)
        summary_say(maker, "%s.", name_groups_about(&kinds, i, offer_title(offer, maker->arena)));
}

void summary_note_offers(struct table_maker *maker)
{
    for (const struct offer *const *offer = offers(); *offer; offer++)
        if ((*offer)->caption && is_wanted(maker, *offer)) say_offer(maker, *offer, false);
}

/* Prints the overlap of splits with train. It is in the text of a kind without columns (corpus). In
 * full mode, summary_note_offers prints this text. */
void summary_note_overlap(struct table_maker *maker)
{
    for (const struct offer *const *offer = offers(); *offer && !maker->full; offer++)
        if ((*offer)->caption && !(*offer)->measure) say_offer(maker, *offer, true);
}

/* Lists rows with dubious values, and their parts. */
void summary_note_doubts(struct table_maker *maker)
{
    for (const struct offer *const *offer = offers(); *offer; offer++) {
        struct name_list rows = {.arena = maker->arena};
        for (int row = 0; row < maker->grid->rows && (*offer)->doubt; row++) {
            const char *parts = sample_doubts(&maker->sampler, *offer, maker->shown,
                                              maker->shown_count, row),
                       *name = maker->grid->row[row].name;
            if (!parts) continue;
            name_list_add(&rows, *parts ? arena_print(maker->arena, "%s (%s)", name, parts) : name);
        }
        if (rows.count) summary_say(maker, "%s: %s.", offer_doubt(*offer), name_list_text(&rows));
    }
}

/* ---- values of checkpoints, and values that are missing ---- */

void summary_note_steps(struct table_maker *maker)
{
    const struct offer *train = offer_that_trains();
    const char *scores, *loss = NULL, *score = NULL;
    if (!train || !offer_read_by(observations_bleu, &scores)) return;
    for (int i = maker->layout->columns - 1; i >= 0; i--) {
        const struct column *column = &maker->layout->column[i];
        if (!column_is_measured(column) || !column_has(column, COLUMN_VALUE)) continue;
        if (!strcmp(column->kind, train->kind) && !strcmp(column->value, OFFER_VALIDATION))
            loss = column->header;
        if (!strcmp(column->kind, scores)) score = column->header;
    }
    if (loss && score)
        summary_say(maker, "%s is of the last validation, %s of the checkpoints that were scored.",
                    loss, score);
}

/* True if a cell is empty although its stages are done. */
static bool is_absent(struct table_maker *maker, int index, struct layout_cell cell)
{
    const struct sample *sample = table_maker_sample(maker, cell, index);
    const int row = layout_row(maker->layout, cell);
    return row >= 0 && sample->count < sample->total && !sample_why(&maker->sampler, sample) &&
           sample_depends(&maker->layout->column[index], maker->grid->row[row].seed);
}

/* Lists the cells whose stages were done by an older program, which did not measure the value. */
void summary_note_absent(struct table_maker *maker)
{
    const struct layout *layout = maker->layout;
    struct name_groups absent = {.arena = maker->arena};
    const char *kind = NULL;
    for (int c = 0; c < layout->columns; c++) {
        const struct column *column = &layout->column[c];
        if (!column_is_measured(column) || column_has(column, COLUMN_MARGIN) ||
            column_has(column, COLUMN_GROUP) || !column_observations(column))
            continue;
        const char *unit = column_unit(column, maker->arena);
        for (struct layout_cell at = {0}; layout_next(layout, &at); at.coordinate++) {
            if (!is_absent(maker, c, at)) continue;
            name_groups_add(&absent, unit, layout_cell_name(layout, maker->grid, at));
            kind = column->kind;
        }
    }
    if (absent.count)
        summary_say(maker,
                    "Done before this value was measured: %s. `sanlab redo %s/ROW/SEED/%s` "
                    "measures it.",
                    name_groups_text(&absent), maker->grid->name, kind);
}

/* ---- devices, code, other folders ---- */

/* A fact about how stages were computed, "device" or "term.gauss", with its different values. */
struct origin {
    const char *name;
    struct name_groups values;
};
struct origins {
    int count;
    struct origin *origin; /* [count] */
};

static void add_origin(struct table_maker *maker, struct origins *origins, const char *name,
                       const char *value, const char *row)
{
    int i = 0;
    while (i < origins->count && strcmp(origins->origin[i].name, name) != 0) i++;
    if (i == origins->count) {
        ARENA_MORE(maker->arena, origins->origin, i);
        origins->origin[origins->count++] = (struct origin){name, {.arena = maker->arena}};
    }
    name_groups_add(&origins->origin[i].values, value, row);
}

static void say_origins(struct table_maker *maker, const char *format,
                        const struct origins *origins)
{
    for (const struct origin *one = origins->origin; one < origins->origin + origins->count; one++)
        if (one->values.count > 1)
            summary_say(maker, format, one->name, name_groups_text(&one->values));
}

/* Reports rows that were computed on different devices, or by different versions of a kind, a term
 * or a fusion. */
void summary_note_origins(struct table_maker *maker)
{
    struct arena *arena = maker->arena;
    struct value_cache *cache = maker->sampler.cache;
    struct origins environment = {0}, code = {0};
    for (struct grid_cursor at = {0}; grid_next(maker->grid, &at); at.stage++) {
        const struct grid_row *row = &maker->grid->row[at.row];
        const struct grid_stage *from = grid_stage_at(maker->grid, &at);
        const struct value_cache_stage *stage = sample_stage_at(&maker->sampler, &at);
        const struct offer *offer = offer_of(from->kind);
        const char *seed = row->name, *text = NULL; /* seed: "Gate/2", or "Gate" */
        if (row->count > 1)
            seed = arena_print(arena, "%s/%lld", seed, (long long)row->seed[at.seed].seed);
        for (const char *const *key = comparison_numeric; *key && offer_is_numeric(offer); key++) {
            const char *value = value_cache_environment(cache, stage->number, *key);
            if (value) add_origin(maker, &environment, *key, value, row->name);
        }
        if (sample_stage_done(stage)) text = value_cache_word(cache, stage->number, "code");
        if (text) text = code_parts(from->kind, text, arena);
        for (const char *part; text && (part = code_parts_next(&text, arena));) {
            const size_t bytes = strcspn(part, " ");
            const char *digest = part + bytes + (part[bytes] == ' ');
            add_origin(maker, &code, arena_text_range(arena, part, bytes),
                       arena_print(arena, "%.8s", digest), seed);
        }
    }
    say_origins(maker, "The rows mix values of \"%s\": %s.", &environment);
    say_origins(maker, "Done by different code of %s: %s.", &code);
}
