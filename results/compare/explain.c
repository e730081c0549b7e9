/* Explains a table cell: finds its line, coordinate and column, and prints its stages, values and
 * test. */
#include "results/compare/explain.h"

#include <math.h>
#include <string.h>

#include "core/base/mask_output.h"
#include "core/base/number.h"
#include "core/config/word.h"
#include "experiments/grid/tune.h"
#include "results/compare/print_test.h"
#include "results/sheet/number_format.h"
#include "results/store/stage_folder.h"
#include "results/store/offer.h"
#include "results/table/controls.h"
#include "results/table/learned.h"
#include "results/table/table_maker.h"
#include "results/table/tuned.h"

struct explainer {
    struct table_maker maker;
    FILE *out;
    struct layout_cell cell;
    const struct column *column;
};

static const struct location typed = {"command line", 0, 0};

/* Finds the cell's line and coordinate. */
static void find_row(struct explainer *explainer, const char *name)
{
    const struct layout *layout = explainer->maker.layout;
    const struct grid *grid = explainer->maker.grid;
    const char **words =
        ARENA_ARRAY(explainer->maker.arena, const char *, grid->rows + layout->lines + 1);
    int count = 0;
    struct layout_cell *at = &explainer->cell;
    for (; layout_next(layout, at); at->coordinate++) {
        const struct layout_line *line = &layout->line[at->line];
        const bool alone =
            layout->coordinates == 1 && (!strcmp(line->label, name) || !strcmp(line->name, name));
        const char *word = layout_cell_name(layout, grid, *at);
        if (!word_known(word, words)) words[count++] = word;
        if (!alone && strcmp(word, name) != 0) continue;
        if (line->hyp[at->coordinate].path || layout_row(layout, *at) >= 0 || line->quote) return;
    }
    word_refuse(typed, "--explain", "there is no row", name, words);
}

static void find_column(struct explainer *explainer, const char *name)
{
    const struct layout *layout = explainer->maker.layout;
    const char **words = ARENA_ARRAY(explainer->maker.arena, const char *, layout->columns + 1);
    for (int i = 0; i < layout->columns; i++) {
        explainer->column = &layout->column[i];
        words[i] = explainer->column->name;
        if (!strcmp(words[i], name) || !strcmp(explainer->column->header, name)) return;
    }
    word_refuse(typed, "--explain", "the table has no column", name, words);
}

/* Prints the most important keys of a stage's environment. `sanlab show` prints all of them. */
static void print_environment(struct explainer *explainer, int64_t stage)
{
    static const char *const keys[] = {"commit", "device", "products", "threads"};
    struct arena *arena = explainer->maker.arena;
    const char *list = NULL;
    for (size_t i = 0; i < COUNT_OF(keys); i++) {
        const char *value = value_cache_environment(explainer->maker.sampler.cache, stage, keys[i]);
        if (value)
            list = arena_append(arena, list, ", ", arena_print(arena, "%s %s", keys[i], value));
    }
    if (list) mask_line(explainer->out, "    environment  %s", list);
}

/* Prints the observations of the column in a stage; nothing if the stage has none. */
static void print_observations(struct explainer *explainer, const struct grid_stage *stage)
{
    const struct column column = column_tested(explainer->column);
    observations_reader *reader = column_observations(&column);
    if (!reader || column_has(&column, COLUMN_GROUP)) return;
    const struct observations *observations =
        observations_read(explainer->maker.sampler.store, explainer->maker.sampler.cache,
                          stage->kind, stage->id, column.value, column.of.class, reader);
    const char *name = reader == observations_bleu ? "hypotheses" : "items";
    if (observations->problem)
        mask_line(explainer->out, "    %-12s %s", name, observations->problem);
    else
        mask_line(explainer->out, "    %-12s %s: %d %s, verified", name, observations->files,
                  observations->items, observations->statistic.items);
}

static void print_stage(struct explainer *explainer, const struct grid_seed *seed, int at,
                        const struct value_cache_stage *found)
{
    const struct grid_stage *stage = &seed->stage[at];
    const char *signature = NULL;
    mask_line(explainer->out, "  %-6s %s  %s/stages/" STAGE_FOLDER,
              grid_stage_title(stage, explainer->maker.arena), found->status,
              explainer->maker.sampler.store->runs, stage->kind, stage->id);
    if (found->number < 0) return;
    const struct column *column = explainer->column;
    const bool own = sample_is_of(column, seed, at);
    signature = value_cache_word(explainer->maker.sampler.cache, found->number,
                                 offer_signature(own ? column_offered(column) : NULL));
    if (signature) mask_line(explainer->out, "    signature    %s", signature);
    if (own && sample_stage_done(found)) print_observations(explainer, stage);
    print_environment(explainer, found->number);
}

static void print_seeds(struct explainer *explainer, int row, const struct sample *sample)
{
    const struct grid_row *from = &explainer->maker.grid->row[row];
    for (int i = 0; i < from->count; i++) {
        fprintf(explainer->out, "seed %lld", (long long)from->seed[i].seed);
        if (sample && isfinite(sample->value[i])) {
            char text[REAL_TEXT];
            real_print(sample->value[i], text);
            fprintf(explainer->out, ": %s", text);
        } else if (sample && sample->why[i]) {
            fprintf(explainer->out, ": %s", sample->why[i]);
        }
        fputc('\n', explainer->out);
        const bool *needed = sample_inputs(&explainer->maker.sampler, explainer->column, row, i);
        for (int k = 0; k < from->seed[i].count; k++)
            if (needed[k])
                print_stage(explainer, &from->seed[i], k,
                            &sample_stages(&explainer->maker.sampler, row)[i][k]);
    }
}

/* Prints the test of the cell. The column must be testable: column_untested returns NULL. */
static void print_comparison(struct explainer *explainer, const struct column *column)
{
    const struct layout *layout = explainer->maker.layout;
    struct arena *arena = explainer->maker.arena;
    const struct layout_cell own = explainer->cell,
                             base =
                                 paired_tests_baseline(layout, (struct layout_cell){own.line, -1});
    const bool margin = column->function == COLUMN_MARGIN;
    if (layout_same_cell(layout, layout_cell_at(base, own.coordinate), own) && !margin) {
        fputs("It is the baseline.\n", explainer->out);
        return;
    }
    const char *unit = column_unit(column, arena);
    struct paired_test test =
        paired_tests_cell(&explainer->maker.tests, column, explainer->cell, true);
    fputs("Against ", explainer->out);
    /* In a table with two axes, a label is only the coordinate on one axis. */
    const struct layout_line *line = &layout->line[base.line];
    if (margin)
        fprintf(explainer->out, "its control %s", column->word);
    else
        sheet_put(base.coordinate >= 0 ? layout_cell_name(layout, explainer->maker.grid, base)
                  : layout->down       ? line->name
                                       : line->label,
                  explainer->out);
    if (!test.compared) {
        fprintf(explainer->out, ": not compared (%s)\n",
                test.problem                                       ? test.problem
                : column_observations(column) == observations_bleu ? "a side has no scores"
                                                                   : "a side has no values");
        return;
    }
    /* A delta column has a format for differences, which is used. A p column has a format for p, so
     * the format of the tested column is used. */
    const struct measure *print =
        (column_is_p(explainer->column) ? column : explainer->column)->measure;
    const int decimals = print->form != COLUMN_FIXED ? 4
                         : print->decimals > 2       ? print->decimals
                                                     : 2;
    const int row = layout_row(layout, own),
              other = layout_row(layout, layout_cell_at(base, own.coordinate));
    const struct grid_row *of = explainer->maker.grid->row;
    const bool once = (row >= 0 && tuned_searches(&of[row]) == 1) ||
                      (other >= 0 && !margin && tuned_searches(&of[other]) == 1);
    fprintf(explainer->out, ", n = %d%s:\n", test.seeds, once ? ", " TUNED_ONE_SEARCH : "");
    print_test(&test, unit, decimals, &layout->test.options, arena, explainer->out);
}

static void print_value(struct explainer *explainer, const struct sample *sample)
{
    const struct column *column = explainer->column;
    const int row = layout_row(explainer->maker.layout, explainer->cell);
    const char *text = sample_text(&explainer->maker.sampler, column, sample,
                                   learned_row(&explainer->maker.sampler, row).failed, NULL);
    fprintf(explainer->out, "  %s: %s%s%s\n",
            column->function == COLUMN_DELTA
                ? column_labelled(column, column->measure->header, explainer->maker.arena)
                : column->header,
            text ? text : "no value yet", sample->signature ? "; " : "",
            sample->signature ? sample->signature : "");
}

/* Prints the observations of a line with a file of hypotheses. */
static void print_hypotheses(struct explainer *explainer)
{
    const struct observations *hyp =
        paired_tests_hypotheses(&explainer->maker.tests, explainer->column, explainer->cell);
    if (!hyp)
        mask_line(explainer->out, "  no value: a file of hypotheses has only BLEU, chrF and TER");
    else if (hyp->problem)
        mask_line(explainer->out, "  %s", hyp->problem);
    else
        mask_line(explainer->out, "  %s of %s; %s",
                  number_fixed(explainer->maker.arena, hyp->score, 2), hyp->name, hyp->signature);
}

static void print_cell(struct explainer *explainer, const char *command)
{
    const struct layout *layout = explainer->maker.layout;
    const struct layout_line *line = &layout->line[explainer->cell.line];
    const struct column *column = explainer->column;
    const int row = layout_row(layout, explainer->cell);
    const bool number = column_is_measured(column);
    mask_line(explainer->out, "%s, %s", row < 0 ? line->name : explainer->maker.grid->row[row].name,
              column->name);
    if (line->quote) {
        const struct layout_value *value =
            layout_find(&layout->quoted, column->name, explainer->cell);
        mask_line(explainer->out, "  %s, quoted: %s:%d", value ? value->text : "nothing",
                  line->quote->location.file, line->quote->location.line);
        return;
    }
    if (row < 0) {
        print_hypotheses(explainer);
    } else {
        struct sample sample = {0};
        if (number) sample = sample_row(&explainer->maker.sampler, column, row);
        if (number) print_value(explainer, &sample);
        const char *means = controls_note(&explainer->maker.sampler, column);
        if (means) mask_line(explainer->out, "  %s", means);
        print_seeds(explainer, row, number ? &sample : NULL);
        const char *tuned = tuned_text(&explainer->maker.sampler, row);
        if (tuned) mask_line(explainer->out, "tuned: %s", tuned);
        mask_line(explainer->out, "command: %s", command);
    }
    struct column tested = column_tested(column);
    if (!column_untested(&tested, explainer->maker.arena)) print_comparison(explainer, &tested);
}

void explain_cell(struct store *store, const struct grid *grid, const char *row, const char *column,
                  const char *command, FILE *out)
{
    struct arena arena = {0};
    struct explainer explainer = {.out = out};
    table_maker_open(&explainer.maker, store, grid, &arena);
    find_row(&explainer, row);
    find_column(&explainer, column);
    print_cell(&explainer, command);
    arena_free(&arena);
}
