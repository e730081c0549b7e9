/* Adds the notes below a table: facts that a reader needs in order to use the numbers. Each note
 * has a function. The array `notes` at the end of this file lists them in order, with their kinds
 * (table_maker.h). */
#include <math.h>
#include <string.h>

#include "core/config/word.h"
#include "results/sheet/cell.h"
#include "results/store/offer.h"
#include "results/store/status.h"
#include "results/table/controls.h"
#include "results/table/learned.h"
#include "results/table/table_maker.h"
#include "results/table/training.h"

void summary_say(struct table_maker *maker, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    const char *text = arena_print_list(maker->arena, format, list);
    va_end(list);
    if (maker->joins)
        maker->joined = arena_append(maker->arena, maker->joined, maker->joins, text);
    else
        sheet_caption(maker->arena, maker->sheet, "%s", text);
}

/* Prints a note with one list of names; nothing if the list is empty. */
static void say_names(struct table_maker *maker, const char *format, const struct name_list *names)
{
    if (names->count) summary_say(maker, format, name_list_text(names));
}

/* Lists the points that have no separate line, because they compute the same as another point. */
static void note_places(struct table_maker *maker)
{
    struct name_list names = {.arena = maker->arena};
    for (int i = 0; i < maker->grid->rows && !maker->layout->by; i++) {
        const struct grid_row *row = &maker->grid->row[i];
        if (row->more)
            name_list_add(&names, arena_print(maker->arena, "%s (also %s)", row->name,
                                              grid_row_also(row, maker->arena)));
    }
    say_names(maker, "Equal points are one row: %s.", &names);
}

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
        summary_say(maker, "Mean ± sample standard deviation over %d seeds (%s).", maker->seeds,
                    name_list_text(&seeds));
    else
        say_names(maker,
                  longest->count == 1
                      ? "One seed (%s)."
                      : "Mean ± sample standard deviation (number of seeds); seeds %s.",
                  &seeds);
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

/* Lists rows with missing values. `failed` selects rows with failed or diverged seeds, `other`
 * selects the rest. */
static void say_unfinished(struct table_maker *maker, const char *format, bool failed, bool other)
{
    const struct layout *layout = maker->layout;
    struct name_list rows = {.arena = maker->arena};
    for (struct layout_cell at = {0}; layout_next(layout, &at); at.coordinate++) {
        const int row = layout_repeats(layout, at) ? -1 : layout_row(layout, at);
        const char *why = row < 0 ? NULL : row_state(maker, at);
        if (why && (strstr(why, STATUS_FAILED) || strstr(why, STATUS_DIVERGED) ? failed : other))
            name_list_add(&rows,
                          arena_print(maker->arena, "%s (%s)", maker->grid->row[row].name, why));
    }
    say_names(maker, format, &rows);
}

static void note_unfinished(struct table_maker *maker)
{
    if (maker->sampler.partial)
        summary_say(maker, "(k/n): only k of n seeds have a value yet; the reason follows.");
    say_unfinished(maker, "Not done: %s.", maker->full, true);
}

static void note_failed(struct table_maker *maker)
{
    say_unfinished(maker, "Failed or diverged: %s.", !maker->full, false);
}

/* Explains the rounds of a speed, if known. */
static void say_spread(struct table_maker *maker, int index)
{
    bool some = false;
    for (struct layout_cell at = {0}; layout_next(maker->layout, &at); at.coordinate++) {
        const struct sample *sample = table_maker_sample(maker, at, index);
        some |= sample->count && sample->spread > 0;
    }
    if (some)
        summary_say(maker,
                    "%s: median of the rounds; in brackets the range from the fastest to the "
                    "slowest round, in percent of the median.",
                    maker->layout->column[index].header);
}

/* Returns ": SIGNATURE" if a column has one signature, else a line " of ROWS: SIGNATURE" for each
 * signature; NULL: none. */
static const char *signatures_of(struct table_maker *maker, int index)
{
    const struct layout *layout = maker->layout;
    struct name_groups kinds = {.arena = maker->arena};
    for (struct layout_cell at = {0}; layout_next(layout, &at); at.coordinate++) {
        const struct sample *sample = table_maker_sample(maker, at, index);
        const char *text =
            sample_signature(sample->signature, &layout->column[index], false, maker->arena);
        if (!sample->count || !text) continue;
        if (sample->mixed) text = arena_print(maker->arena, "%s, and others", text);
        name_groups_add(&kinds, text, layout_cell_name(layout, maker->grid, at));
    }
    const char *list = NULL;
    for (int i = 0; i < kinds.count; i++)
        list = arena_append(maker->arena, list, "\n", name_groups_about(&kinds, i, ""));
    return list;
}

/* Prints the signatures of a column, and the headers of later columns with the same signatures. */
static void say_signatures(struct table_maker *maker, const char *const *text, int index)
{
    struct name_list headers = {.arena = maker->arena};
    for (int i = 0; i < maker->layout->columns; i++) {
        const bool same = text[i] && !strcmp(text[i], text[index]);
        if (same && i < index) return; /* already printed */
        if (same) name_list_add(&headers, maker->layout->column[i].header);
    }
    for (const char *at = text[index]; *at; at += strcspn(at, "\n"), at += *at == '\n')
        summary_say(maker, "%s%.*s", name_list_text(&headers), (int)strcspn(at, "\n"), at);
}

static void note_signatures(struct table_maker *maker)
{
    const struct layout *layout = maker->layout;
    const char **text = ARENA_ARRAY(maker->arena, const char *, layout->columns);
    for (int i = 0; i < layout->columns; i++)
        if (layout->column[i].function != COLUMN_DELTA && column_is_measured(&layout->column[i]))
            text[i] = signatures_of(maker, i);
    for (int i = 0; i < layout->columns; i++) {
        if (maker->full && layout->column[i].function != COLUMN_DELTA) say_spread(maker, i);
        if (text[i]) say_signatures(maker, text, i);
    }
}

static void note_unselected(struct table_maker *maker)
{
    const char *baseline = maker->layout->unselected;
    if (baseline)
        summary_say(maker, "No differences: the baseline \"%s\" is not selected.", baseline);
}

static void note_incomparable(struct table_maker *maker)
{
    if (maker->sampler.incomparable)
        summary_say(maker, "n/c: not comparable, computed with another signature.");
}

/* Returns a name, and both numbers if `some` is less than `all`. */
static const char *count_trainings(struct arena *arena, const char *name, int some, int all)
{
    return some == all ? name : arena_print(arena, "%s (%d of %d seeds)", name, some, all);
}

/* Lists the undertrained rows, or prints "all" if these are all of several rows. `of`: [rows] their
 * trainings. `warming`: the warm-up did not end. Otherwise the last validation is the best. */
static void say_undertrained(struct table_maker *maker, const struct training_row *of, bool warming,
                             const char *format)
{
    struct name_list names = {.arena = maker->arena}, all = names;
    int rows = 0, trainings = 0, some = 0;
    for (int i = 0; i < maker->grid->rows; i++) {
        const struct grid_row *row = &maker->grid->row[i];
        const int bad = warming ? of[i].unfinished : of[i].falling;
        if (bad)
            name_list_add(&names, count_trainings(maker->arena, row->name, bad, of[i].trainings));
        rows += row->count > 0;
        trainings += of[i].trainings;
        some += bad;
    }
    name_list_add(&all, count_trainings(maker->arena, "all", some, trainings));
    say_names(maker, format, names.count == rows && rows > 1 ? &all : &names);
}

/* Lists rows with trainings that were too short, or that did not learn (learned.h). */
static void note_training(struct table_maker *maker)
{
    const int rows = maker->grid->rows;
    struct training_row *of = ARENA_ARRAY(maker->arena, struct training_row, rows);
    bool failed;
    const char *learned = learned_caption(&maker->sampler, &failed);
    for (int i = 0; i < rows; i++) of[i] = training_row(&maker->sampler, NULL, i);
    if (learned && (failed || maker->full))
        summary_say(maker, "%s.%s", learned,
                    failed ? " Rows with a seed that did not learn list their values by seed; "
                             "differences and tests cover all seeds."
                           : "");
    say_undertrained(maker, of, false,
                     "Undertrained (lowest dev loss at the last validation): %s.");
    say_undertrained(maker, of, true, "Undertrained (the warm-up did not end): %s.");
}

/* Lists the tasks that means leave out. */
static void note_means(struct table_maker *maker)
{
    struct name_groups groups = {.arena = maker->arena};
    for (int i = 0; i < maker->layout->columns; i++) {
        const char *text = controls_note(&maker->sampler, &maker->layout->column[i]);
        const int known = groups.count;
        if (text && name_groups_add(&groups, text, "") == known) summary_say(maker, "%s.", text);
    }
}

static void note_paper(struct table_maker *maker)
{
    const struct layout_paper *paper = &maker->layout->paper;
    const char *source = maker->grid->source, *data = paper->data;
    if (!paper->columns) return;
    summary_say(maker, "Paper%s%s: %s%s%s.%s", source ? ", " : "", source ? source : "",
                paper->metric, data ? "; " : "", data ? data : "",
                paper->comparable
                    ? ""
                    : " Its data and metric may differ from ours: no difference is shown.");
    if (paper->left_out)
        summary_say(maker, "%d of the paper's values are left out: a sweep has changed their rows.",
                    paper->left_out);
}

static const char *quote_letter(struct table_maker *maker, int source)
{
    const char *letter = arena_print(maker->arena, "%c", 'a' + source % 26);
    return source < 26 ? letter : arena_print(maker->arena, "%s%d", letter, source / 26);
}

/* Returns "SOURCE: METRIC; DATA" for a quoted line. */
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

static void note_quotes(struct table_maker *maker)
{
    for (int i = 0; i < maker->sources.count; i++)
        summary_say(maker, "%s: quoted, not run here; %s.", quote_letter(maker, i),
                    maker->sources.group[i].text);
}

/* Lists rows with files of hypotheses, and the reasons why files are not scored. */
static void note_files(struct table_maker *maker)
{
    const struct layout *layout = maker->layout;
    struct name_groups names = {.arena = maker->arena};
    const char *bad = NULL;
    for (struct layout_cell at = {0}; layout_next(layout, &at); at.coordinate++) {
        const char *name = layout->line[at.line].name, *problem = NULL;
        if (!layout->line[at.line].hyp[at.coordinate].path) continue;
        for (int c = 0; c < layout->columns && !problem; c++) {
            const struct observations *hyp =
                paired_tests_hypotheses(&maker->tests, &layout->column[c], at);
            problem = hyp ? hyp->problem : NULL;
            if (word_same(problem, HYPOTHESES_NOT_YET)) problem = NULL;
        }
        name_groups_add(&names, "", name);
        if (problem)
            bad = arena_append(maker->arena, bad, "; ",
                               arena_print(maker->arena, "%s (%s)", name, problem));
    }
    if (names.count)
        summary_say(maker, "%s: hypotheses from a file, not run here.",
                    name_list_text(&names.group[0].names));
    if (bad) summary_say(maker, "Not scored: %s.", bad);
}

/* Lists rows with vectors of another program; in full mode, other notes list them. */
static void note_vectors(struct table_maker *maker)
{
    struct name_list names = {.arena = maker->arena};
    for (int i = 0; i < maker->grid->rows && !maker->full; i++)
        if (tree_get(maker->grid->row[i].entry, "vectors"))
            name_list_add(&names, maker->grid->row[i].name);
    say_names(maker, "Vectors of another program: %s.", &names);
}

/* Prints the grid's own notes. */
static void note_own(struct table_maker *maker)
{
    const struct layout *layout = maker->layout;
    for (int i = 0; i < layout->notes.count; i++) summary_say(maker, "%s", layout->notes.text[i]);
    if (!layout->caption) return;
    summary_say(maker, "%s", layout->caption);
    maker->sheet->sentence = maker->sheet->caption[maker->sheet->captions - 1];
}

/* The notes, in the order of `notes_below: full`. */
static const struct note {
    enum note_kind kind;
    void (*say)(struct table_maker *maker);
} notes[] = {
    {NOTE_MISSING, note_places},
    {NOTE_SEEDS, note_seeds},
    {NOTE_MISSING, note_unfinished},
    {NOTE_WARNING, note_failed},
    {NOTE_SIGNATURE, note_signatures},
    {NOTE_MORE, summary_note_parts},
    {NOTE_MORE, summary_note_offers},
    {NOTE_WARNING, summary_note_overlap},
    {NOTE_MORE, summary_note_steps},
    {NOTE_MISSING, summary_note_absent},
    {NOTE_MISSING, note_incomparable},
    {NOTE_WARNING, note_unselected},
    /* comparisons */
    {NOTE_SEEDS, summary_note_tests},
    {NOTE_MISSING, summary_note_untested},
    {NOTE_SEEDS, summary_note_differences},
    {NOTE_MISSING, summary_note_problems},
    {NOTE_SEEDS, summary_note_bold},
    /* warnings */
    {NOTE_WARNING, summary_note_tuned},
    {NOTE_WARNING, note_training},
    {NOTE_WARNING, note_means},
    {NOTE_WARNING, summary_note_doubts},
    {NOTE_WARNING, summary_note_origins},
    {NOTE_WARNING, note_paper},
    {NOTE_WARNING, note_quotes},
    {NOTE_WARNING, note_files},
    {NOTE_WARNING, note_vectors},
    {NOTE_OWN, note_own},
};

static void say_notes(struct table_maker *maker, enum note_kind first, enum note_kind last)
{
    for (size_t i = 0; i < COUNT_OF(notes); i++)
        if (notes[i].kind >= first && notes[i].kind <= last) notes[i].say(maker);
}

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

void summary_notes(struct table_maker *maker)
{
    const int below = maker->layout->notes_below;
    list_shown(maker);
    maker->full = below == LAYOUT_NOTES_FULL;
    for (enum note_kind kind = 0; kind < NOTE_WARNING && below == LAYOUT_NOTES_SHORT; kind++) {
        maker->joins = kind == NOTE_SIGNATURE ? "; " : " ";
        maker->joined = NULL;
        say_notes(maker, kind, kind);
        maker->joins = NULL;
        if (maker->joined) summary_say(maker, "%s", maker->joined);
    }
    if (below == LAYOUT_NOTES_SHORT) say_notes(maker, NOTE_WARNING, NOTE_WARNING);
    say_notes(maker, maker->full ? 0 : NOTE_OWN, NOTE_OWN);
}
