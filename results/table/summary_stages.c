/* Adds the notes on the stages of a table: how values were computed, on which device, by which
 * code. */
#include <math.h>
#include <string.h>

#include "core/config/word.h"
#include "results/sheet/cell.h"
#include "results/sheet/number_format.h"
#include "results/store/code_parts.h"
#include "results/store/offer.h"
#include "results/store/stage_folder.h"
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

/* Lists the dubious parts of a row (offer.h) whose values the table shows, each once; NULL:
 * none. */
static const char *doubtful_parts(struct table_maker *maker, const struct offer *offer, int row)
{
    const struct grid_row *from = &maker->grid->row[row];
    struct name_groups parts = {.arena = maker->arena};
    char name[32], sign;
    double limit;
    CHECK(sscanf(offer->doubt, "%31s %c %lf:", name, &sign, &limit) == 3, "%s", offer->doubt);
    for (int s = 0; s < from->count; s++)
        for (int k = 0; k < from->seed[s].count; k++) {
            const struct value_cache_stage *stage = &sample_stages(&maker->sampler, row)[s][k];
            const char *part = from->seed[s].stage[k].part;
            bool wanted = false;
            for (int c = 0; c < maker->shown_count; c++)
                wanted |= word_same(maker->shown[c]->kind, offer->kind) &&
                          (sign == '>' || word_same(maker->shown[c]->value, offer->telling)) &&
                          sample_is_of(maker->shown[c], &from->seed[s], k);
            if (!wanted || !sample_stage_done(stage)) continue;
            const double value =
                value_cache_value(maker->sampler.cache, stage->number, name); /* NaN: absent, so not
                                                                                 dubious */
            if (sign == '>' ? value > limit : value < limit)
                name_groups_add(&parts, "", part ? part : offer->kind);
        }
    return parts.count ? name_list_text(&parts.group[0].names) : NULL;
}

/* Lists rows with dubious values, and their parts. */
void summary_note_doubts(struct table_maker *maker)
{
    for (const struct offer *const *offer = offers(); *offer; offer++) {
        struct name_list rows = {.arena = maker->arena};
        for (int row = 0; row < maker->grid->rows && (*offer)->doubt; row++) {
            const char *parts = doubtful_parts(maker, *offer, row),
                       *name = maker->grid->row[row].name;
            if (!parts) continue;
            const bool whole = !strcmp(parts, (*offer)->kind); /* the kind has no parts */
            name_list_add(&rows, whole ? name : arena_print(maker->arena, "%s (%s)", name, parts));
        }
        if (rows.count)
            summary_say(maker, "%s: %s.", strchr((*offer)->doubt, ':') + strlen(": "),
                        name_list_text(&rows));
    }
}

/* ---- steps: dev loss and BLEU may be from different steps ---- */

/* Returns the heading of the first column with this value of a kind, or with any value if `value`
 * is NULL. NULL: no such column. */
static const char *heading_of(const struct table_maker *maker, const char *kind, const char *value)
{
    const struct layout *layout = maker->layout;
    for (int i = 0; i < layout->columns; i++) {
        const struct column *column = &layout->column[i];
        if (column_is_measured(column) && column_has(column, COLUMN_VALUE) &&
            !strcmp(column->kind, kind) && (!value || !strcmp(column->value, value)))
            return column->header;
    }
    return NULL;
}

/* Returns "500", "300, 400 and 500" or "300 to 900 (10)". */
static const char *steps_text(struct arena *arena, const int64_t *step, int count)
{
    enum { LISTED = 5 };
    const char *text = number_count(arena, (double)step[0]);
    if (count > LISTED)
        return arena_print(arena, "%s to %s (%d)", text,
                           number_count(arena, (double)step[count - 1]), count);
    for (int i = 1; i < count; i++)
        text = arena_append(arena, text, i + 1 < count ? ", " : " and ",
                            number_count(arena, (double)step[i]));
    return text;
}

/* Returns "last step 500, scored 300" for one seed of a row. Returns "" if the steps are equal or
 * unknown; NULL if the seed has no score. */
static const char *seed_text(struct table_maker *maker, const char *validation, int row, int seed)
{
    const struct grid_seed *from = &maker->grid->row[row].seed[seed];
    const struct value_cache_stage *stage = sample_stages(&maker->sampler, row)[seed];
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

/* Returns the name of a seed. `format` prints it from row and seed: "Gate/2", or "Gate" for a row
 * with one seed. */
static const char *seed_name(struct table_maker *maker, int row, int seed, const char *format)
{
    const struct grid_row *from = &maker->grid->row[row];
    return arena_print(maker->arena, format, from->name, (long long)from->seed[seed].seed);
}

/* Adds the texts of a row, once if they are equal for all seeds. Returns true if they are equal and
 * not empty, or if no seed has a score. */
static bool add_row(struct table_maker *maker, const char *validation, struct name_groups *kinds,
                    int row)
{
    const struct grid_row *from = &maker->grid->row[row];
    const char **text = ARENA_ARRAY(maker->arena, const char *, from->count + 1), *all = NULL;
    bool same = true;
    for (int i = 0; i < from->count; i++) {
        text[i] = seed_text(maker, validation, row, i);
        if (!text[i]) continue;
        if (!all) all = text[i];
        same &= !strcmp(all, text[i]);
    }
    for (int i = 0; i < from->count; i++)
        if (text[i] && *text[i])
            name_groups_add(kinds, text[i],
                            same ? from->name : seed_name(maker, row, i, "%s, seed %lld"));
    return !all || (same && *all);
}

void summary_note_steps(struct table_maker *maker)
{
    const struct offer *train;
    const char *scores;
    if (!sample_scored_kinds(&train, &scores)) return;
    const char *loss = heading_of(maker, train->kind, OFFER_VALIDATION),
               *score = heading_of(maker, scores, NULL);
    struct name_groups kinds = {.arena = maker->arena};
    bool all = true;
    for (int row = 0; loss && score && row < maker->grid->rows; row++)
        all &= add_row(maker, OFFER_VALIDATION, &kinds, row);
    if (kinds.count)
        summary_say(
            maker, "%s is of the last validation, %s of the checkpoints that were scored: %s.",
            loss, score, kinds.count == 1 && all ? kinds.group[0].text : name_groups_text(&kinds));
}

/* Notes scored columns that are empty although both stages of a seed are done. A value at(..) needs
 * no note: its cell prints "not reached". */
void summary_note_scored(struct table_maker *maker)
{
    struct name_groups words = {.arena = maker->arena};
    const char *heading = NULL;
    for (int row = 0; row < maker->grid->rows; row++)
        for (int s = 0; s < maker->grid->row[row].count; s++) {
            int64_t train, score;
            struct sample_sides sides;
            const struct grid_seed *seed = &maker->grid->row[row].seed[s];
            const struct value_cache_stage *stage = sample_stages(&maker->sampler, row)[s];
            const bool scored = sample_scored_pair(seed, stage, &train, &score);
            for (int c = 0; c < maker->layout->columns && scored; c++) {
                const struct column *column = &maker->layout->column[c];
                if (sample_split(&maker->sampler, column, seed, stage, &sides)) continue;
                if (!column_is_measured(column) || !column_has(column, COLUMN_SCORED) ||
                    isfinite(sample_scored_metric(&maker->sampler, column->value, train, score)))
                    continue;
                if (!heading) heading = column->header;
                name_groups_add(&words, sample_scored_words(&maker->sampler, score),
                                maker->grid->row[row].name);
            }
        }
    if (heading)
        summary_say(maker, "%s: empty where the scored checkpoint was not validated, %s.", heading,
                    name_groups_text(&words));
}

/* ---- rows that were done before a number was measured, and how to compute it ---- */

/* Returns a stage of a cell that is done but has neither the value nor a text in its place; NULL:
 * none. It was done by an older program, which did not compute the value. */
static const struct grid_stage *stage_without(struct table_maker *maker, struct layout_cell cell,
                                              int index)
{
    const struct sample *sample = table_maker_sample(maker, cell, index);
    const struct column *column = &maker->layout->column[index];
    const int row = layout_row(maker->layout, cell);
    struct value_cache *cache = maker->sampler.cache;
    for (int k = 0; row >= 0 && k < sample->total; k++) {
        const struct grid_seed *from = &maker->grid->row[row].seed[k];
        const struct value_cache_stage *stage = sample_stages(&maker->sampler, row)[k];
        for (int i = 0; i < from->count && !isfinite(sample->value[k]) && !sample->why[k]; i++)
            if (sample_is_of(column, from, i) && sample_stage_done(&stage[i]) &&
                !isfinite(value_cache_value(cache, stage[i].number, column->value)) &&
                !value_cache_word(cache, stage[i].number, column->value))
                return &from->stage[i];
    }
    return NULL;
}

/* True if the values of a column have observations and no earlier column has the same values. */
static bool is_first(const struct layout *layout, int index)
{
    const struct column *column = &layout->column[index];
    bool first = column_is_measured(column) && !column_has(column, COLUMN_MARGIN) &&
                 !column_has(column, COLUMN_GROUP) && column_observations(column);
    for (int i = 0; i < index; i++) first &= !column_is_same(&layout->column[i], column);
    return first;
}

void summary_note_absent(struct table_maker *maker)
{
    const struct layout *layout = maker->layout;
    struct name_groups absent = {.arena = maker->arena};
    const struct grid_stage *first = NULL;
    for (int c = 0; c < layout->columns; c++) {
        struct layout_cell at = {0};
        for (; is_first(layout, c) && layout_next(layout, &at); at.coordinate++) {
            const struct grid_stage *stage = stage_without(maker, at, c);
            if (!stage) continue;
            if (!first) first = stage;
            name_groups_add(&absent, column_unit(&layout->column[c], maker->arena),
                            layout_cell_name(layout, maker->grid, at));
        }
    }
    if (!first) return;
    summary_say(maker,
                "Done before this value was measured: %s. Remove the folder of a stage "
                "(stages/%s), and `sanlab run` computes it again.",
                name_groups_text(&absent),
                arena_print(maker->arena, STAGE_FOLDER, first->kind, first->id));
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
        const char *seed = seed_name(maker, at.row, at.seed, row->count > 1 ? "%s/%lld" : "%s"),
                   *text = NULL;
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
