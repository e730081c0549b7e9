/* The captions: everything that a reader must know to use the numbers. */
#include <math.h>
#include <string.h>

#include "core/base/table.h"
#include "results/sheet/cell.h"
#include "results/store/offer.h"
#include "results/store/stage_folder.h"
#include "results/table/axis.h"
#include "results/table/table_maker.h"

static void say(struct table_maker *maker, const char *format, ...) PRINTF(2, 3);
static void say(struct table_maker *maker, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    sheet_caption(maker->arena, maker->sheet, "%s", arena_print_list(maker->arena, format, list));
    va_end(list);
}

static void caption_seeds(struct table_maker *maker)
{
    const struct summary_grid *grid = maker->grid;
    const struct summary_row *longest = NULL;
    struct name_list seeds = {.arena = maker->arena};
    for (int row = 0; row < grid->rows; row++)
        if (grid->row[row].count > (longest ? longest->count : 0)) longest = &grid->row[row];
    if (!longest) return;
    for (int i = 0; i < longest->count; i++)
        name_list_add(&seeds, arena_print(maker->arena, "%lld", (long long)longest->seed[i].seed));
    if (longest->count == 1)
        say(maker, "One seed (%s).", seeds.text);
    else
        say(maker, "Mean ± sample standard deviation (number of seeds); seeds %s.",
            name_list_text(&seeds));
    if (maker->sampler.partial)
        say(maker, "(k/n): only k of n seeds have a value yet; the others say why.");
}

/* Why values of a row are missing, by the column that misses most; NULL: none are. */
static const char *row_state(struct table_maker *maker, int line, int factor)
{
    const struct layout *layout = maker->layout;
    const struct sample *worst = NULL;
    for (int c = 0; c < layout->columns; c++) {
        const struct sample *sample = table_maker_sample(maker, line, factor, c);
        if (!column_is_measured(&layout->column[c]) || sample->count == sample->total) continue;
        if (sample_why(&maker->sampler, sample) && (!worst || sample->count < worst->count))
            worst = sample;
    }
    if (!worst || !worst->count) return worst ? sample_why(&maker->sampler, worst) : NULL;
    return arena_print(maker->arena, "%d of %d seeds: %s", worst->total - worst->count,
                       worst->total, sample_why(&maker->sampler, worst));
}

static void caption_states(struct table_maker *maker)
{
    const struct layout *layout = maker->layout;
    struct name_list rows = {.arena = maker->arena};
    for (int i = 0; i < layout->lines; i++)
        for (int f = 0; f < layout->factors; f++) {
            int row = layout_repeats(layout, i, f) ? -1 : layout->line[i].row[f];
            const char *why = row < 0 ? NULL : row_state(maker, i, f);
            if (why)
                name_list_add(
                    &rows, arena_print(maker->arena, "%s (%s)", maker->grid->row[row].name, why));
        }
    if (rows.count) say(maker, "Not done: %s.", name_list_text(&rows));
}

/* What a speed in a cell is, where its rounds are known. */
static void caption_spread(struct table_maker *maker, int index)
{
    const struct layout *layout = maker->layout;
    bool some = false;
    for (int i = 0; i < layout->lines * layout->factors; i++) {
        const struct sample *sample =
            table_maker_sample(maker, i / layout->factors, i % layout->factors, index);
        some |= sample->count && sample->spread > 0;
    }
    if (some)
        say(maker,
            "%s: the median of the rounds; in brackets what lies between the fastest and the "
            "slowest, in percent of it.",
            layout->column[index].header);
}

/* ": SIGNATURE" of a column, or " of ROWS: SIGNATURE" of each that it has; NULL-terminated. */
static const char **signatures_of(struct table_maker *maker, int index)
{
    const struct layout *layout = maker->layout;
    struct name_groups kinds = {.arena = maker->arena};
    for (int i = 0; i < layout->lines; i++)
        for (int f = 0; f < layout->factors; f++) {
            const struct sample *sample = table_maker_sample(maker, i, f, index);
            int row = layout->line[i].row[f];
            const char *name = row < 0 ? layout->line[i].name : maker->grid->row[row].name;
            const char *text =
                sample_signature(sample->signature, &layout->column[index], false, maker->arena);
            if (!sample->count || !text) continue;
            if (sample->mixed) text = arena_print(maker->arena, "%s, and others", text);
            name_groups_add(&kinds, text, name);
        }
    const char **text = ARENA_ARRAY(maker->arena, const char *, kinds.count + 1);
    for (int i = 0; i < kinds.count; i++)
        text[i] = kinds.count == 1
                      ? arena_print(maker->arena, ": %s", kinds.group[0].text)
                      : arena_print(maker->arena, " of %s: %s",
                                    name_list_text(&kinds.group[i].names), kinds.group[i].text);
    return text;
}

static bool same_texts(const char *const *a, const char *const *b)
{
    while (*a && *b && !strcmp(*a, *b)) a++, b++;
    return !*a && !*b;
}

/* The signatures of a column, together with those behind it that have the same. */
static void caption_signatures(struct table_maker *maker, const char **const *text, int index)
{
    const struct layout *layout = maker->layout;
    struct name_list headers = {.arena = maker->arena};
    for (int i = 0; i < layout->columns; i++) {
        const bool same = text[i] && same_texts(text[i], text[index]);
        if (same && i < index) return; /* was said */
        if (same) name_list_add(&headers, layout->column[i].header);
    }
    for (int i = 0; text[index][i]; i++)
        say(maker, "%s%s", name_list_text(&headers), text[index][i]);
}

/* How many rows a mean over an axis is of. */
static void caption_points(struct table_maker *maker, const struct column *column)
{
    int *point = ARENA_ARRAY(maker->arena, int, maker->grid->rows), least = 0, most = 0;
    for (int row = 0; row < maker->grid->rows; row++) {
        const int points = axis_points(maker->grid, column->over, row, point);
        if (points && (!most || points < least)) least = points;
        if (points > most) most = points;
    }
    const char *range = least == most ? "" : arena_print(maker->arena, "%d to ", least);
    say(maker, "%s: of %s%d point%s that agree in every other axis, seed by seed.", column->header,
        range, most, most == 1 ? "" : "s");
}

static void caption_columns(struct table_maker *maker)
{
    const struct layout *layout = maker->layout;
    const char ***text = ARENA_ARRAY(maker->arena, const char **, layout->columns);
    for (int i = 0; i < layout->columns; i++)
        if (!layout->column[i].delta && column_is_measured(&layout->column[i]))
            text[i] = signatures_of(maker, i);
    for (int i = 0; i < layout->columns; i++) {
        if (layout->column[i].over) caption_points(maker, &layout->column[i]);
        if (!text[i]) continue;
        caption_spread(maker, i);
        caption_signatures(maker, text, i);
    }
    summary_caption_parts(maker);
}

/* How the values of a kind came about, where the table shows or compares some. */
static void caption_offer(struct table_maker *maker, const struct offer *offer)
{
    const struct layout *layout = maker->layout;
    struct name_groups kinds = {.arena = maker->arena};
    const struct column **column;
    const int columns = summary_shown(maker, &column);
    bool wanted = !offer->measures; /* it has no columns, but may have something to say */
    for (int i = 0; i < layout->test.families; i++)
        wanted |= layout->test.family[i].kind && !strcmp(layout->test.family[i].kind, offer->kind);
    for (int i = 0; i < columns; i++)
        wanted |= column[i]->kind && strcmp(column[i]->kind, offer->kind) == 0;
    for (int row = 0; wanted && row < maker->grid->rows; row++) {
        const char *text = sample_caption(&maker->sampler, offer, row);
        if (text) name_groups_add(&kinds, text, maker->grid->row[row].name);
    }
    for (int i = 0; i < kinds.count; i++)
        say(maker, "%s%s%s: %s.", offer->caption, kinds.count > 1 ? " of " : "",
            kinds.count > 1 ? name_list_text(&kinds.group[i].names) : "", kinds.group[i].text);
}

/* Rows computed on different devices must not look alike. */
static void caption_environment(struct table_maker *maker, const char *key)
{
    struct name_groups values = {.arena = maker->arena};
    for (struct summary_place at = {0}; summary_next(maker->grid, &at); at.stage++) {
        const struct offer *offer = offer_of(summary_stage_at(maker->grid, &at)->kind);
        if (!offer || !offer->numeric) continue;
        const int64_t stage = sample_stage_at(&maker->sampler, &at)->number;
        const char *value = relation_environment(maker->sampler.relation, stage, key);
        if (value) name_groups_add(&values, value, maker->grid->row[at.row].name);
    }
    if (values.count > 1)
        say(maker, "The rows mix values of \"%s\": %s.", key, name_groups_text(&values));
}

/* The stages that were computed in another runs folder (alone_copy.h), each once. */
static void caption_copied(struct table_maker *maker)
{
    struct name_list names = {.arena = maker->arena};
    struct table *seen = table_new(maker->arena, 0);
    sqlite3_stmt *ask =
        store_prepare(maker->store, "SELECT 1 FROM event WHERE stage = ? AND event = 'copied'");
    for (struct summary_place at = {0}; summary_next(maker->grid, &at); at.stage++) {
        const struct summary_stage *stage = summary_stage_at(maker->grid, &at);
        bool copied = false;
        if ((*table_at(seen, stage->id, strlen(stage->id), 0))++) continue;
        store_bind(ask, "i", sample_stage_at(&maker->sampler, &at)->number);
        while (store_next(ask)) copied = true;
        if (copied)
            name_list_add(&names, arena_print(maker->arena, STAGE_FOLDER, stage->kind, stage->id));
    }
    store_finish(ask);
    if (names.count) say(maker, "Copied from elsewhere: %s.", name_list_text(&names));
}

static void caption_paper(struct table_maker *maker)
{
    const struct layout_paper *paper = &maker->layout->paper;
    const char *source = maker->grid->source, *data = paper->data;
    if (!paper->columns) return;
    say(maker, "Paper%s%s: %s%s%s.%s", source ? ", " : "", source ? source : "", paper->metric,
        data ? "; " : "", data ? data : "",
        paper->comparable ? "" : " Its data and metric are its own: no difference is taken.");
    if (paper->left_out)
        say(maker, "%d of the paper's values are left out: a sweep has changed their rows.",
            paper->left_out);
}

static const char *quote_letter(struct table_maker *maker, int source)
{
    char letter = (char)('a' + source % 26);
    if (source < 26) return arena_print(maker->arena, "%c", letter);
    return arena_print(maker->arena, "%c%d", letter, source / 26);
}

/* What a quoted line says about its values. */
static const char *quote_text(struct table_maker *maker, const struct tree *quote)
{
    const struct tree *source = tree_get(quote, "source"), *metric = tree_get(quote, "metric"),
                      *data = tree_get(quote, "data");
    return arena_print(maker->arena, "%s%s%s%s%s", source ? source->text : "", source ? ": " : "",
                       metric ? metric->text : maker->layout->paper.metric, data ? "; " : "",
                       data ? data->text : "");
}

void summary_quotes(struct table_maker *maker)
{
    const struct layout *layout = maker->layout;
    maker->sources.arena = maker->arena;
    maker->quote = ARENA_ARRAY(maker->arena, const char *, layout->lines);
    for (int i = 0; i < layout->lines; i++) {
        if (!layout->line[i].quote) continue;
        const char *text = quote_text(maker, layout->line[i].quote);
        maker->quote[i] =
            quote_letter(maker, name_groups_add(&maker->sources, text, layout->line[i].name));
    }
}

static void caption_quotes(struct table_maker *maker)
{
    for (int i = 0; i < maker->sources.count; i++)
        say(maker, "%s: quoted, not run here; %s.", quote_letter(maker, i),
            maker->sources.group[i].text);
}

/* The reason why a line's file of hypotheses is not scored; NULL: it is, or no row is yet. */
static const char *file_problem(struct table_maker *maker, int line, int factor)
{
    const char *problem = NULL;
    for (int c = 0; c < maker->layout->columns && !problem; c++) {
        const struct observations *hyp =
            paired_tests_hypotheses(&maker->tests, &maker->layout->column[c], line, factor);
        if (hyp && hyp->problem && strcmp(hyp->problem, HYPOTHESES_NOT_YET) != 0)
            problem = hyp->problem;
    }
    return problem;
}

static void caption_files(struct table_maker *maker)
{
    struct name_list names = {.arena = maker->arena};
    const char *bad = NULL;
    for (int i = 0; i < maker->layout->lines; i++) {
        bool some = false;
        for (int f = 0; f < maker->layout->factors; f++) {
            if (!maker->layout->line[i].hyp[f].path) continue;
            const char *problem = file_problem(maker, i, f), *name = maker->layout->line[i].name;
            some = true;
            if (problem)
                bad = cell_append(bad, "; ", arena_print(maker->arena, "%s (%s)", name, problem),
                                  maker->arena);
        }
        if (some) name_list_add(&names, maker->layout->line[i].name);
    }
    if (names.count)
        say(maker, "%s: hypotheses from a file, not run here.", name_list_text(&names));
    if (bad) say(maker, "Not scored: %s.", bad);
}

/* Points of axes that have no line of their own, since they compute what another one does. */
static void caption_places(struct table_maker *maker)
{
    struct name_list names = {.arena = maker->arena};
    for (int i = 0; i < maker->grid->rows; i++) {
        const struct summary_row *row = &maker->grid->row[i];
        if (row->more)
            name_list_add(&names, arena_print(maker->arena, "%s (also %s)", row->name,
                                              summary_row_also(row, maker->arena)));
    }
    if (names.count) say(maker, "Equal points are one row: %s.", name_list_text(&names));
}

void summary_caption(struct table_maker *maker)
{
    const struct layout *layout = maker->layout;
    if (!layout->by) caption_places(maker);
    caption_seeds(maker);
    caption_states(maker);
    caption_columns(maker);
    for (const struct offer *const *offer = offers(); *offer; offer++)
        if ((*offer)->caption) caption_offer(maker, *offer);
    summary_caption_steps(maker);
    summary_caption_absent(maker);
    summary_caption_scored(maker);
    if (maker->sampler.incomparable)
        say(maker, "n/c: not comparable, computed with another signature.");
    if (layout->test.wanted) summary_caption_tests(maker);
    summary_caption_bold(maker);
    summary_caption_training(maker);
    for (const struct offer *const *offer = offers(); *offer; offer++)
        if ((*offer)->doubt) summary_caption_doubts(maker, *offer);
    for (int i = 0; comparison_numeric[i]; i++) caption_environment(maker, comparison_numeric[i]);
    summary_caption_code(maker);
    caption_copied(maker);
    caption_paper(maker);
    caption_quotes(maker);
    caption_files(maker);
    for (int i = 0; i < layout->notes.count; i++) say(maker, "%s", layout->notes.text[i]);
    if (!layout->caption) return;
    say(maker, "%s", layout->caption);
    maker->sheet->sentence = maker->sheet->caption[maker->sheet->captions - 1];
}
