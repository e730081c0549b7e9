/* Explains a table cell: finds its line, coordinate and column, and prints its stages, values and
 * test. */
#include "results/compare/explain.h"

#include <math.h>
#include <string.h>

#include "core/base/mask_output.h"
#include "core/base/number.h"
#include "core/config/word.h"
#include "experiments/grid/tune.h"
#include "results/compare/compare.h"
#include "results/sheet/number_format.h"
#include "results/store/stage_folder.h"
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
        const char *word = layout_cell_name(layout, grid, *at);
        const struct tree *source = tree_get(line->quote, "source");
        if (line->quote && !strcmp(line->name, name))
            die("--explain: \"%s\" is quoted%s%s; expected a row of this grid's own results", name,
                source ? " from " : "", source ? source->text : "");
        if (!line->hyp[at->coordinate].path && layout_row(layout, *at) < 0) continue;
        if (!word_known(word, words)) words[count++] = word;
        if (!strcmp(word, name) || (layout->coordinates == 1 && !strcmp(line->label, name))) return;
    }
    word_refuse(typed, "--explain", "there is no row with results", name, words);
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

/* Prints the value of each seed, and the stages from which it was computed. */
static void print_seeds(struct explainer *explainer, int row, const struct sample *sample)
{
    struct table_maker *maker = &explainer->maker;
    const struct grid_row *from = &maker->grid->row[row];
    for (int i = 0; i < from->count; i++) {
        const struct grid_seed *seed = &from->seed[i];
        char text[REAL_TEXT] = "";
        if (sample->total && isfinite(sample->value[i]))
            real_print(sample->value[i], text);
        else if (sample->total && sample->why[i])
            snprintf(text, sizeof text, "%s", sample->why[i]);
        fprintf(explainer->out, "seed %lld%s%s\n", (long long)seed->seed, *text ? ": " : "", text);
        const bool *needed = sample_inputs(&maker->sampler, explainer->column, row, i);
        for (int k = 0; k < seed->count; k++)
            if (needed[k])
                mask_line(explainer->out, "  %-6s %s  %s/stages/" STAGE_FOLDER,
                          grid_stage_title(&seed->stage[k], maker->arena),
                          sample_stages(&maker->sampler, row)[i][k].status,
                          maker->sampler.store->runs, seed->stage[k].kind, seed->stage[k].id);
    }
}

/* Prints the test of the cell, if its column can be tested. */
static void print_comparison(struct explainer *explainer)
{
    const struct column tested = column_tested(explainer->column);
    const struct layout *layout = explainer->maker.layout;
    const struct grid *grid = explainer->maker.grid;
    struct arena *arena = explainer->maker.arena;
    const struct layout_cell own = explainer->cell,
                             base =
                                 paired_tests_baseline(layout, (struct layout_cell){own.line, -1}),
                             beside = layout_cell_at(base, own.coordinate);
    const bool margin = tested.function == COLUMN_MARGIN;
    if (column_untested(&tested, arena)) return;
    if (layout_same_cell(layout, beside, own) && !margin) {
        fputs("It is the baseline.\n", explainer->out);
        return;
    }
    const struct paired_test test = paired_tests_cell(&explainer->maker.tests, &tested, own);
    const char *against = margin ? arena_print(arena, "its control %s", tested.word)
                                 : layout_cell_name(layout, grid, base);
    if (!test.compared) {
        mask_line(explainer->out, "Against %s: not compared (%s)", against,
                  test.problem ? test.problem : "a side has no values");
        return;
    }
    bool once = false;
    for (int k = 0; k < (margin ? 1 : 2); k++) {
        const int row = layout_row(layout, k ? beside : own);
        once |= row >= 0 && tuned_searches(&grid->row[row]) == 1;
    }
    mask_line(explainer->out, "Against %s, n = %d%s:", against, test.seeds,
              once ? ", " TUNED_ONE_SEARCH : "");
    print_test(&test, column_unit(&tested, arena),
               tested.measure->form != COLUMN_FIXED ? 4
               : tested.measure->decimals > 2       ? tested.measure->decimals
                                                    : 2,
               arena, explainer->out);
}

/* Prints the value of a file of hypotheses. */
static void print_hypotheses(struct explainer *explainer)
{
    FILE *out = explainer->out;
    const struct observations *hyp =
        paired_tests_hypotheses(&explainer->maker.tests, explainer->column, explainer->cell);
    if (!hyp)
        fputs("  no value: a file of hypotheses has only BLEU, chrF and TER\n", out);
    else if (hyp->problem)
        mask_line(out, "  %s", hyp->problem);
    else
        mask_line(out, "  %s of %s; %s", number_fixed(explainer->maker.arena, hyp->score, 2),
                  hyp->name, hyp->signature);
    print_comparison(explainer);
}

/* Prints the value of a row, with the stages of each seed. */
static void print_row(struct explainer *explainer, int row, const char *command)
{
    struct sampler *sampler = &explainer->maker.sampler;
    const struct column *column = explainer->column;
    struct sample sample = {0};
    if (column_is_measured(column)) {
        sample = sample_row(sampler, column, row);
        const char *text =
            sample_text(sampler, column, &sample, learned_row(sampler, row).failed, NULL);
        mask_line(explainer->out, "  %s: %s%s%s", column->header, text ? text : "no value yet",
                  sample.signature ? "; " : "", sample.signature ? sample.signature : "");
    }
    const char *means = controls_note(sampler, column), *tuned = tuned_text(sampler, row);
    if (means) mask_line(explainer->out, "  %s", means);
    print_seeds(explainer, row, &sample);
    if (tuned) mask_line(explainer->out, "tuned: %s", tuned);
    mask_line(explainer->out, "command: %s", command);
    print_comparison(explainer);
}

void explain_cell(struct store *store, const struct grid *grid, const char *row, const char *column,
                  const char *command, FILE *out)
{
    struct arena arena = {0};
    struct explainer explainer = {.out = out};
    table_maker_open(&explainer.maker, store, grid, &arena);
    find_row(&explainer, row);
    find_column(&explainer, column);
    const int at = layout_row(explainer.maker.layout, explainer.cell);
    mask_line(out, "%s, %s",
              at < 0 ? explainer.maker.layout->line[explainer.cell.line].name : grid->row[at].name,
              explainer.column->name);
    if (at < 0)
        print_hypotheses(&explainer);
    else
        print_row(&explainer, at, command);
    arena_free(&arena);
}
