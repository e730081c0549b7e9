/* Adds the notes below a table: facts that a reader needs in order to use the numbers. A note has a
 * kind (table_maker.h) and a text. summary_notes prints the notes in the order of the kinds. */
#include <math.h>
#include <string.h>

#include "core/config/word.h"
#include "results/sheet/cell.h"
#include "results/store/code_parts.h"
#include "results/store/offer.h"
#include "results/store/status.h"
#include "results/table/controls.h"
#include "results/table/learned.h"
#include "results/table/table_maker.h"
#include "results/table/training.h"

void summary_say(struct table_maker *maker, enum note_kind kind, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    const char *text = arena_print_list(maker->arena, format, list);
    va_end(list);
    ARENA_ADD(maker->arena, maker->note[kind].text, maker->note[kind].count, text);
}

/* Adds a note with one list of names; nothing if the list is empty. */
static void say_names(struct table_maker *maker, enum note_kind kind, const char *format,
                      const struct name_list *names)
{
    if (names->count) summary_say(maker, kind, format, name_list_text(names));
}

/* ---- seeds, signatures, missing values ---- */

static void note_seeds(struct table_maker *maker)
{
    const struct grid *grid = maker->grid;
    const struct grid_row *longest = NULL;
    struct name_list seeds = {.arena = maker->arena};
    for (int row = 0; row < grid->rows; row++) {
        const int count = grid->row[row].count;
        if (maker->seeds && count != maker->seeds) continue;
        if (count > (longest ? longest->count : 0)) longest = &grid->row[row];
    }
    if (!longest) return;
    for (int i = 0; i < longest->count; i++)
        name_list_add(&seeds, arena_print(maker->arena, "%lld", (long long)longest->seed[i].seed));
    if (maker->seeds)
        summary_say(maker, NOTE_SEEDS, "Mean ± sample standard deviation over %d seeds (%s).",
                    maker->seeds, name_list_text(&seeds));
    else
        say_names(maker, NOTE_SEEDS,
                  longest->count == 1
                      ? "One seed (%s)."
                      : "Mean ± sample standard deviation (number of seeds); seeds %s.",
                  &seeds);
}

/* Lists the signatures, each with the headers of its columns, or "BLEU of ROWS" for a column with
 * several signatures. The fields that belong to one probing task are one line, in full notes. */
static void note_signatures(struct table_maker *maker)
{
    const struct layout *layout = maker->layout;
    struct name_groups all = {.arena = maker->arena}, parts = all;
    for (int c = 0; c < layout->columns; c++) {
        const struct column *column = &layout->column[c];
        struct name_groups own = {.arena = maker->arena};
        if (column->function == COLUMN_DELTA || !column_is_measured(column)) continue;
        for (struct layout_cell at = {0}; layout_next(layout, &at); at.coordinate++) {
            const struct sample *sample = table_maker_sample(maker, at, c);
            const char *text = sample_signature(sample->signature, column, false, maker->arena),
                       *part = sample_signature(sample->signature, column, true, maker->arena);
            if (sample->count && part) name_groups_add(&parts, part, column->header);
            if (!sample->count || !text) continue;
            if (sample->mixed) text = arena_print(maker->arena, "%s, and others", text);
            name_groups_add(&own, text, layout_cell_name(layout, maker->grid, at));
        }
        for (int i = 0; i < own.count; i++)
            name_groups_add(&all, own.group[i].text,
                            own.count == 1 ? column->header
                                           : arena_print(maker->arena, "%s of %s", column->header,
                                                         name_list_text(&own.group[i].names)));
    }
    for (int i = 0; i < all.count; i++)
        summary_say(maker, NOTE_SIGNATURE, "%s: %s", name_list_text(&all.group[i].names),
                    all.group[i].text);
    if (parts.count && layout->notes_below == LAYOUT_NOTES_FULL)
        summary_say(maker, NOTE_SIGNATURE, "%s", name_groups_said(&parts));
}

/* Returns the reason why values of a row are missing, from the column with the fewest values. NULL:
 * no value is missing. */
static const char *row_state(struct table_maker *maker, struct layout_cell cell)
{
    const struct layout *layout = maker->layout;
    const struct sample *worst = NULL;
    for (int c = 0; c < layout->columns; c++) {
        const struct sample *sample = table_maker_sample(maker, cell, c);
        if (!column_is_measured(&layout->column[c]) || sample->count == sample->total) continue;
        if (word_same(sample->why[0], STATUS_BELOW)) continue; /* note_means lists them */
        if (sample_why(&maker->sampler, sample) && (!worst || sample->count < worst->count))
            worst = sample;
    }
    if (!worst || !worst->count) return worst ? sample_why(&maker->sampler, worst) : NULL;
    return arena_print(maker->arena, "%d of %d seeds: %s", worst->total - worst->count,
                       worst->total, sample_why(&maker->sampler, worst));
}

/* Lists rows with missing values. A failed or diverged seed is a warning. */
static void note_unfinished(struct table_maker *maker)
{
    const struct layout *layout = maker->layout;
    struct name_list open = {.arena = maker->arena}, failed = open;
    for (struct layout_cell at = {0}; layout_next(layout, &at); at.coordinate++) {
        const int row = layout_repeats(layout, at) ? -1 : layout_row(layout, at);
        const char *why = row < 0 ? NULL : row_state(maker, at);
        if (!why) continue;
        const bool lost = strstr(why, STATUS_FAILED) || strstr(why, STATUS_DIVERGED);
        name_list_add(lost ? &failed : &open,
                      arena_print(maker->arena, "%s (%s)", maker->grid->row[row].name, why));
    }
    if (maker->sampler.partial)
        summary_say(maker, NOTE_MISSING,
                    "(k/n): only k of n seeds have a value yet; the reason follows.");
    say_names(maker, NOTE_MISSING, "Not done: %s.", &open);
    say_names(maker, NOTE_WARNING, "Failed or diverged: %s.", &failed);
}

/* Lists empty cells whose stages are done: an older program did not measure the value. */
static void note_absent(struct table_maker *maker)
{
    const struct layout *layout = maker->layout;
    struct name_groups absent = {.arena = maker->arena};
    for (int c = 0; c < layout->columns; c++) {
        const struct column *column = &layout->column[c];
        if (!column_is_measured(column) || column_has(column, COLUMN_MARGIN) ||
            column_has(column, COLUMN_GROUP) || !column_observations(column))
            continue;
        const char *unit = column_unit(column, maker->arena);
        for (struct layout_cell at = {0}; layout_next(layout, &at); at.coordinate++) {
            const struct sample *sample = table_maker_sample(maker, at, c);
            const int row = layout_row(layout, at);
            if (row >= 0 && sample->count < sample->total && !sample_why(&maker->sampler, sample) &&
                sample_depends(column, maker->grid->row[row].seed))
                name_groups_add(&absent, unit, layout_cell_name(layout, maker->grid, at));
        }
    }
    if (absent.count)
        summary_say(maker, NOTE_MISSING,
                    "Done before this value was measured: %s. `sanlab redo %s/ROW/SEED/KIND` "
                    "measures it.",
                    name_groups_text(&absent), maker->grid->name);
}

/* ---- rows and trainings ---- */

/* Lists points that compute the same as another point. */
static void note_places(struct table_maker *maker)
{
    struct name_list names = {.arena = maker->arena};
    for (int i = 0; i < maker->grid->rows && !maker->layout->by; i++) {
        const struct grid_row *row = &maker->grid->row[i];
        if (row->more)
            name_list_add(&names, arena_print(maker->arena, "%s (also %s)", row->name,
                                              grid_row_also(row, maker->arena)));
    }
    say_names(maker, NOTE_MISSING, "Equal points are one row: %s.", &names);
}

/* Adds the name of a row to a list if some of its trainings belong to it; with both numbers, if
 * these are not all. */
static void add_trainings(struct name_list *names, const char *name, int some, int all)
{
    if (some)
        name_list_add(
            names,
            some == all ? name : arena_print(names->arena, "%s (%d of %d seeds)", name, some, all));
}

/* Lists rows with trainings that were too short, or that did not learn (learned.h). */
static void note_training(struct table_maker *maker)
{
    struct name_list falling = {.arena = maker->arena}, warming = falling;
    bool failed;
    const char *learned = learned_caption(&maker->sampler, &failed);
    if (learned)
        summary_say(maker, failed ? NOTE_WARNING : NOTE_MORE, "%s.%s", learned,
                    failed ? " Rows with a seed that did not learn list their values by seed; "
                             "differences and tests cover all seeds."
                           : "");
    for (int i = 0; i < maker->grid->rows; i++) {
        const struct training_row of = training_row(&maker->sampler, NULL, i);
        add_trainings(&falling, maker->grid->row[i].name, of.falling, of.trainings);
        add_trainings(&warming, maker->grid->row[i].name, of.unfinished, of.trainings);
    }
    say_names(maker, NOTE_WARNING, "Undertrained (lowest dev loss at the last validation): %s.",
              &falling);
    say_names(maker, NOTE_WARNING, "Undertrained (the warm-up did not end): %s.", &warming);
}

/* Lists the tasks that means leave out. */
static void note_means(struct table_maker *maker)
{
    struct name_groups groups = {.arena = maker->arena};
    for (int i = 0; i < maker->layout->columns; i++) {
        const char *text = controls_note(&maker->sampler, &maker->layout->column[i]);
        if (text) name_groups_add(&groups, text, "");
    }
    for (int i = 0; i < groups.count; i++)
        summary_say(maker, NOTE_WARNING, "%s.", groups.group[i].text);
}

/* ---- values from elsewhere ---- */

static void note_paper(struct table_maker *maker)
{
    const struct layout_paper *paper = &maker->layout->paper;
    const char *source = maker->grid->source, *data = paper->data;
    if (!paper->columns) return;
    summary_say(maker, NOTE_WARNING,
                "Paper%s%s: %s%s%s. Its data and metric may differ from ours: no difference is "
                "shown.",
                source ? ", " : "", source ? source : "", paper->metric, data ? "; " : "",
                data ? data : "");
    if (paper->left_out)
        summary_say(maker, NOTE_WARNING,
                    "%d of the paper's values are left out: a sweep has changed their rows.",
                    paper->left_out);
}

static const char *quote_text(struct table_maker *maker, const struct tree *quote)
{
    const struct tree *source = tree_get(quote, "source"), *metric = tree_get(quote, "metric"),
                      *data = tree_get(quote, "data");
    return arena_print(maker->arena, "quoted, not run here; %s%s%s%s%s", source ? source->text : "",
                       source ? ": " : "", metric ? metric->text : maker->layout->paper.metric,
                       data ? "; " : "", data ? data->text : "");
}

/* Lists lines with values from elsewhere, and files of hypotheses that are not scored. */
static void note_elsewhere(struct table_maker *maker)
{
    const struct layout *layout = maker->layout;
    struct name_groups from = {.arena = maker->arena}, bad = from;
    for (const struct layout_line *line = layout->line; line < layout->line + layout->lines;
         line++) {
        if (line->quote) name_groups_add(&from, quote_text(maker, line->quote), line->name);
        if (tree_get(line->entry, "hyp"))
            name_groups_add(&from, "hypotheses from a file, not run here", line->name);
        if (tree_get(line->entry, "vectors"))
            name_groups_add(&from, "vectors of another program", line->name);
    }
    for (struct layout_cell at = {0}; layout_next(layout, &at); at.coordinate++)
        for (int c = 0; c < layout->columns; c++) {
            const struct observations *hyp =
                paired_tests_hypotheses(&maker->tests, &layout->column[c], at);
            if (hyp && hyp->problem && strcmp(hyp->problem, HYPOTHESES_NOT_YET) != 0)
                name_groups_add(&bad, layout->line[at.line].name, hyp->problem);
        }
    for (int i = 0; i < from.count; i++)
        summary_say(maker, NOTE_WARNING, "%s: %s.", name_list_text(&from.group[i].names),
                    from.group[i].text);
    if (bad.count) summary_say(maker, NOTE_WARNING, "Not scored: %s.", name_groups_text(&bad));
}

/* ---- stages: how values were computed, on which device, by which code ---- */

/* True for a kind whose values the table shows, and for a kind without columns. */
static bool is_wanted(struct table_maker *maker, const struct offer *offer)
{
    bool wanted = !offer->measure;
    for (int i = 0; i < maker->shown_count; i++)
        wanted |= word_same(maker->shown[i]->kind, offer->kind);
    return wanted;
}

/* Describes how the values of each kind were computed. The text of a kind without columns (corpus)
 * is a warning if it reports an overlap of splits with train. */
static void note_offers(struct table_maker *maker)
{
    for (const struct offer *const *offer = offers(); *offer; offer++) {
        struct name_groups kinds = {.arena = maker->arena};
        const bool corpus = !(*offer)->measure,
                   full = maker->layout->notes_below == LAYOUT_NOTES_FULL;
        if (!(*offer)->caption || !(corpus || full) || !is_wanted(maker, *offer)) continue;
        for (int row = 0; row < maker->grid->rows; row++) {
            const char *text = sample_caption(&maker->sampler, *offer, row);
            if (text) name_groups_add(&kinds, text, maker->grid->row[row].name);
        }
        for (int i = 0; i < kinds.count; i++) {
            const char *text = kinds.group[i].text;
            const bool overlap = strstr(text, "in train, too") || strstr(text, "with train");
            summary_say(maker, corpus && overlap ? NOTE_WARNING : NOTE_MORE, "%s.",
                        name_groups_about(&kinds, i, offer_title(*offer, maker->arena)));
        }
    }
}

/* Lists rows with dubious values, and their parts. */
static void note_doubts(struct table_maker *maker)
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
        if (rows.count)
            summary_say(maker, NOTE_WARNING, "%s: %s.", offer_doubt(*offer), name_list_text(&rows));
    }
}

/* Reports rows that differ in device or products, or in the code of a kind, a term or a fusion. */
static void note_origins(struct table_maker *maker)
{
    struct arena *arena = maker->arena;
    struct value_cache *cache = maker->sampler.cache;
    struct name_groups facts = {.arena = arena}; /* "device: cpu", "code of train: 01234567" */
    for (struct grid_cursor at = {0}; grid_next(maker->grid, &at); at.stage++) {
        const struct grid_row *row = &maker->grid->row[at.row];
        const struct grid_stage *from = grid_stage_at(maker->grid, &at);
        const struct value_cache_stage *stage = sample_stage_at(&maker->sampler, &at);
        const struct offer *offer = offer_of(from->kind);
        const char *text = NULL;
        for (const char *const *key = comparison_numeric; *key && offer_is_numeric(offer); key++) {
            const char *value = value_cache_environment(cache, stage->number, *key);
            if (value)
                name_groups_add(&facts, arena_print(arena, "%s: %s", *key, value), row->name);
        }
        if (sample_stage_done(stage)) text = value_cache_word(cache, stage->number, "code");
        if (text) text = code_parts(from->kind, text, arena);
        for (const char *part; text && (part = code_parts_next(&text, arena));) {
            const int name = (int)strcspn(part, " ");
            name_groups_add(&facts,
                            arena_print(arena, "code of %.*s:%.9s", name, part, part + name),
                            row->name);
        }
    }
    for (int i = 0; i < facts.count; i++) {
        const char *text = facts.group[i].text;
        const size_t key = strcspn(text, ":");
        struct name_list values = {.arena = arena};
        int first = 0;
        while (strncmp(facts.group[first].text, text, key + 1) != 0) first++;
        for (int k = i; k < facts.count && first == i; k++)
            if (!strncmp(facts.group[k].text, text, key + 1))
                name_list_add(&values, arena_print(arena, "%s (%s)", facts.group[k].text + key + 2,
                                                   name_list_text(&facts.group[k].names)));
        if (values.count > 1)
            summary_say(maker, NOTE_WARNING, "Rows differ in %.*s: %s.", (int)key, text,
                        name_list_text(&values));
    }
}

/* ---- all notes ---- */

/* Lists the columns of the table; instead of mean(GROUP), its members. */
static void list_shown(struct table_maker *maker)
{
    for (int i = 0; i < maker->layout->columns; i++) {
        const struct column *column = &maker->layout->column[i];
        const struct column reduced = controls_members(&maker->sampler, column),
                            *group = column_has(&reduced, COLUMN_GROUP);
        for (int k = 0; k < (group ? group->arguments : 1); k++) {
            ARENA_ADD(maker->arena, maker->shown, maker->shown_count,
                      group ? &group->argument[k] : column);
        }
    }
}

static void note_results(struct table_maker *maker)
{
    const char *unselected = maker->layout->unselected;
    list_shown(maker);
    note_seeds(maker);
    summary_note_tests(maker);
    summary_note_bold(maker);
    note_signatures(maker);
    note_unfinished(maker);
    note_absent(maker);
    if (maker->sampler.incomparable)
        summary_say(maker, NOTE_MISSING, "n/c: not comparable, computed with another signature.");
    if (unselected)
        summary_say(maker, NOTE_WARNING, "No differences: the baseline \"%s\" is not selected.",
                    unselected);
    note_places(maker);
    summary_note_tuned(maker);
    note_training(maker);
    note_means(maker);
    note_doubts(maker);
    note_origins(maker);
    note_paper(maker);
    note_elsewhere(maker);
    note_offers(maker);
}

void summary_notes(struct table_maker *maker)
{
    const struct layout *layout = maker->layout;
    const bool full = layout->notes_below == LAYOUT_NOTES_FULL;
    if (layout->notes_below != LAYOUT_NOTES_NONE) note_results(maker);
    for (enum note_kind kind = 0; kind < (full ? NOTE_KINDS : NOTE_MORE); kind++) {
        const char **text = maker->note[kind].text;
        const int count = maker->note[kind].count, joined = kind < NOTE_WARNING && !full;
        const char *between = kind == NOTE_SIGNATURE ? "; " : " ";
        if (joined && count)
            sheet_caption(maker->arena, maker->sheet, "%s",
                          arena_join(maker->arena, text, count, between));
        for (int i = 0; i < count && !joined; i++) {
            sheet_caption(maker->arena, maker->sheet, "%s", text[i]);
            if (text[i] == maker->about_bold) maker->sheet->about_bold = maker->sheet->captions;
        }
    }
    for (int i = 0; i < layout->notes.count; i++)
        sheet_caption(maker->arena, maker->sheet, "%s", layout->notes.text[i]);
    if (!layout->caption) return;
    sheet_caption(maker->arena, maker->sheet, "%s", layout->caption);
    maker->sheet->sentence = maker->sheet->caption[maker->sheet->captions - 1];
}
