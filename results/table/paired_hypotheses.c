/* Scores a file of hypotheses of another system by the metric of a column. The references are those
 * of the table's rows, or a file that the line names. */
#include <string.h>

#include "core/base/digest.h"
#include "core/decode/metric.h"
#include "core/decode/score_files.h"
#include "results/table/paired_tests.h"

/* Entry of the cache: the score of a file by a measure. */
struct scored_hypotheses {
    const struct measure *measure;
    const struct observations *score;
    const struct scored_hypotheses *next;
};

/* The references with which a file of hypotheses is scored. */
struct reference_set {
    const char *name; /* "the test set", or a file */
    int count, items;
    const char *const *const *reference; /* [count][items] */
};

/* Returns the observations of some row in this column and coordinate, preferably of the baseline;
 * NULL: no usable observations. Then *problem is the reason why the first ones cannot be used. */
static const struct observations *any_score(struct paired_tests *tests, const struct column *column,
                                            struct layout_cell cell, const char **problem)
{
    const struct layout *layout = tests->layout;
    *problem = NULL;
    for (int i = -1; i < layout->lines; i++) {
        const struct layout_cell of = {i, cell.coordinate};
        const int row = layout_row(layout, i < 0 ? paired_tests_baseline(layout, cell) : of);
        for (int s = 0; row >= 0 && s < tests->sampler->grid->row[row].count; s++) {
            const struct observations *one = comparison_seed(tests->sampler, column, row, s);
            if (one && !one->problem) return one;
            if (one && !*problem) *problem = one->problem;
        }
    }
    if (!*problem) *problem = HYPOTHESES_NOT_YET;
    return NULL;
}

/* Returns observations of BLEU at this coordinate; NULL: none. Only observations of BLEU have the
 * references. Other metrics score the same translations. */
static const struct observations *any_bleu(struct paired_tests *tests, struct layout_cell cell,
                                           const char **problem)
{
    struct column bleu;
    CHECK(column_find(COLUMN_MAIN, &bleu, NULL, tests->arena), "no column " COLUMN_MAIN);
    const struct observations *one = any_score(tests, &bleu, cell, problem);
    if (one) *problem = one->text->no_reference;
    return *problem ? NULL : one;
}

/* True if no row of the grid has a run. Then no row will ever be scored. */
static bool all_from_files(const struct grid *grid)
{
    for (int i = 0; i < grid->rows; i++)
        if (grid->row[i].options) return false;
    return true;
}

/* Returns the metric of a column from the options of the grid. */
static struct score_metric metric_written(const struct grid *grid, const struct column *column,
                                          struct arena *arena)
{
    const bool bleu = column_observations(column) == observations_bleu;
    const char *section = arena_print(arena, "evaluate.%s", bleu ? "bleu" : column->kind);
    struct score_metric metric;
    metric_of_section(tree_find(grid->common, section),
                      bleu                            ? METRIC_BLEU
                      : !strcmp(column->kind, "chrf") ? METRIC_CHRF
                                                      : METRIC_TER,
                      &metric, arena);
    return metric;
}

static const char *signature_of(const struct score_metric *metric, const struct reference_set *own,
                                struct arena *arena)
{
    char digest[DIGEST_TEXT], name[METRIC_TEXT], how[METRIC_TEXT];
    digest_file(own->name, digest);
    metric_name(metric, name);
    metric_signature(metric, own->count, "", how);
    if (metric_is_bleu(metric)) /* a signature of BLEU does not have the name of the metric */
        return arena_print(arena, "%s|refs:%.8s|sentences:%d", how, digest, own->items);
    return arena_print(arena, "%s|%s|refs:%.8s|sentences:%d", name, how, digest, own->items);
}

/* Computes the file's items and score. Before the call, *hyp is a copy of a row's observations by
 * the same metric, or empty if no row has any. */
static void score_hypotheses(const struct layout_file *file, const struct score_metric *metric,
                             const struct reference_set *against, struct observations *hyp,
                             struct arena *arena)
{
    const struct score_lines lines = score_lines_read(arena, file->path);
    if (lines.count != against->items) {
        hyp->problem = arena_print(arena, "%s has %d lines, %s has %d sentences", file->path,
                                   lines.count, against->name, against->items);
        return;
    }
    const void **item = ARENA_ARRAY(arena, const void *, 1);
    item[0] =
        metric_count(metric, lines.line, against->reference, against->count, against->items, arena);
    hyp->statistic = metric_statistic(metric);
    hyp->items = against->items;
    hyp->item = item;
    hyp->strata = (struct strata){1, &hyp->items};
    hyp->score = statistic_of(&hyp->statistic, hyp->strata, item[0], NULL);
    hyp->sets = 1;
    hyp->name = file->path;
    hyp->id = NULL;
}

static const struct observations *score_cell(struct paired_tests *tests,
                                             const struct column *column, struct layout_cell cell)
{
    struct arena *arena = tests->arena;
    const struct layout_line *from = &tests->layout->line[cell.line];
    const struct layout_file *file = &from->hyp[cell.coordinate];
    const char *no_score, *no_bleu, *reference = from->ref.path;
    const struct observations *like = any_score(tests, column, cell, &no_score),
                              *bleu = any_bleu(tests, cell, &no_bleu);
    struct score_metric *metric = ARENA_NEW(arena, struct score_metric);
    struct observations *hyp = ARENA_NEW(arena, struct observations);
    const struct grid *grid = tests->sampler->grid;
    const bool alone = grid->common && all_from_files(grid);
    hyp->problem = layout_file_problem(file->path, arena);
    if (!hyp->problem && reference) hyp->problem = layout_file_problem(reference, arena);
    if (!hyp->problem && alone && !reference)
        hyp->problem = "no row of this grid is translated; expected ref: FILE next to hyp";
    if (!hyp->problem && !alone) hyp->problem = like ? no_bleu : no_score;
    if (hyp->problem) return hyp;
    if (like) *hyp = *like;
    if (!like)
        *metric = metric_written(grid, column, arena);
    else if (like->text)
        *metric = (struct score_metric){.kind = METRIC_BLEU, .bleu = like->text->bleu};
    else if (!metric_read(like->signature, metric))
        die_at(file->location, "hyp: this version has no metric with the signature %s",
               like->signature);
    struct reference_set against = {0};
    if (bleu)
        against = (struct reference_set){"the test set", bleu->text->references, bleu->items,
                                         bleu->text->every_reference};
    if (reference) {
        const char *const **own = ARENA_ARRAY(arena, const char *const *, 1);
        const struct score_lines references = score_lines_read(arena, reference);
        own[0] = references.line;
        against = (struct reference_set){reference, 1, references.count, own};
        hyp->signature = signature_of(metric, &against, arena);
    }
    score_hypotheses(file, metric, &against, hyp, arena);
    return hyp;
}

const struct observations *paired_tests_hypotheses(struct paired_tests *tests,
                                                   const struct column *column,
                                                   struct layout_cell cell)
{
    const struct scored_hypotheses **known = &tests->hyp[layout_index(tests->layout, cell)];
    observations_reader *reader = column_observations(column);
    if (!tests->layout->line[cell.line].hyp[cell.coordinate].path) return NULL;
    if (reader != observations_bleu && reader != observations_metric) return NULL;
    const struct measure *measure = column_offered(column);
    for (const struct scored_hypotheses *one = *known; one; one = one->next)
        if (one->measure == measure) return one->score;
    struct scored_hypotheses *one = ARENA_NEW(tests->arena, struct scored_hypotheses);
    *one = (struct scored_hypotheses){measure, score_cell(tests, column, cell), *known};
    *known = one;
    return one->score;
}
