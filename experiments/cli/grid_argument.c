/* A grid is read in one way by all verbs, so that the same words mean the same rows. */
#include "experiments/cli/grid_argument.h"

#include <string.h>

#include "core/base/file.h"
#include "core/config/tree_read.h"
#include "core/config/word.h"
#include "experiments/grid/sections.h"
#include "results/report/report.h"

struct grid *grid_argument_read(struct verb_call *call)
{
    struct arena *arena = &call->arena;
    for (int i = 1; i < call->words; i++)
        if (!strchr(call->word[i], '=') && call->word[i][0] != '~')
            die("%s: \"%s\": expected an assignment such as train.epochs=3, or ~train.epochs",
                call->verb->name, call->word[i]);
    const char *path = grid_find(arena, call->word[0]);
    return grid_read(arena, path, call->word + 1, call->words - 1);
}

struct plan *grid_argument_plan(struct verb_call *call, unsigned retry)
{
    return plan_build(&call->arena, grid_argument_read(call), verb_value(call, "--runs"), retry);
}

bool grid_argument_is_grid(struct verb_call *call)
{
    const char *word = call->word[0];
    const size_t length = strlen(word);
    const char *shipped =
        arena_print(&call->arena, "%s/experiments/%s.yaml", file_program_folder(), word);
    if (length <= 5 || strcmp(word + length - 5, ".yaml") != 0) return file_exists(shipped);
    return !file_exists(word) || tree_get(tree_read(&call->arena, word), "grid");
}

struct tree *grid_argument_preset(struct arena *arena, const char *verb, const char *name,
                                  const char *const *change, int changes)
{
    struct tree *over = tree_new(arena, TREE_MAP, (struct place){"command line", 0, 0});
    for (int i = 0; i < changes; i++) tree_override(arena, over, change[i]);
    const struct tree *preset = grid_preset(arena, "model", name);
    struct tree *options = tree_merge(arena, grid_preset_below(arena, preset, over), over);
    tree_only_keys(options, verb, sections_of(arena, SECTION_TRAINED, NULL, NULL));
    return options;
}

const struct grid_point *grid_argument_point(struct verb_call *call, const struct grid *grid)
{
    const char *row = verb_value(call, "--row");
    for (int p = 0; p < grid->rows * grid->seeds; p++)
        if (grid->point[p].options && (!row || !strcmp(grid->row[grid->point[p].row], row)))
            return &grid->point[p];
    const char **names = ARENA_ARRAY(&call->arena, const char *, grid->rows + 1);
    memcpy(names, grid->row, (size_t)grid->rows * sizeof *names);
    word_refuse((struct place){grid->path, 0, 0}, call->verb->name, "there is no row", row, names);
}

const char *grid_argument_words(struct verb_call *call)
{
    const char *list = report_shell_word(&call->arena, call->word[0]);
    for (int i = 1; i < call->words; i++)
        list = arena_print(&call->arena, "%s %s", list,
                           report_shell_word(&call->arena, call->word[i]));
    return list;
}

struct summary_grid grid_argument_summary(struct verb_call *call, const struct plan *plan)
{
    struct summary_grid summary = plan_summary(&call->arena, plan);
    bool missing = false;
    for (int i = 0; i < plan->count; i++) missing |= plan->task[i]->state == TASK_MISSING;
    if (missing)
        warn("%s: its text is not here (sanlab plan says which); %s", summary.grid,
             summary_recall(plan->runs, &summary, &call->arena)
                 ? "these are the stages of its last run"
                 : "no run with these rows is known");
    return summary;
}

void grid_argument_help(FILE *out)
{
    fputs(
        "A grid's file (YAML) has, besides options:\n"
        "  grid, title, source, tags, note     what it is\n"
        "  base: FILE                  lies beneath this file\n"
        "  corpus, model: NAME         a preset beneath the grid's own options, or a file;\n"
        "                              {preset: NAME, ...} with more of the section\n"
        "  recipe: NAME                how a paper trains: a preset over the model's\n"
        "  seeds: [1, 2]\n"
        "  rows: [{name: A}, {name: B, encoder.layers: 4}]      each with options of its own\n"
        "  sweep: {encoder.layers: [2, 4], model.dropout: [0, 0.1]}      every combination\n"
        "  sweep: {window: [1, 2], layers: {low: 1-2, all: all}}         axes with names of their\n"
        "                              own: rows that use $window, or \"1-${window}\" inside of a\n"
        "                              word, are combined with them; values may have labels.\n"
        "                              A row with sweep: false is combined with nothing\n"
        "  sweep: {probe.path: layers}                          below evaluate; a row for each\n"
        "                              layer of the encoder\n"
        "  zip: {encoder.layers: [2, 4], decoder.layers: [1, 2]}         in step\n"
        "  exclude: [{encoder.layers: 4, window: 2}]            without these\n"
        "  where: encoder.layers < 4 or window = 2              only these\n"
        "  table, claims, figures      what is made of its results\n\n"
        "Its options, in its file or on the command line:\n"
        "  train.epochs=3              one value, over all rows\n"
        "  encoder.layers=2,4,6        a sweep: every row with each of them\n"
        "  window=1,3                  other values of an axis, or labels of its values\n"
        "  encoder.layers=range(1,7)   1, 2, .. 6: the end is excluded; range(1,10,2): 1, 3, .. 9\n"
        "  'encoder.attention=[],[{layers: 1, branches: [{window: 1}]}]'   commas in brackets and\n"
        "                              quotes do not separate\n"
        "  ~model.dropout              back to its default\n"
        "  seeds=1,2                   these seeds; seeds=+3,4 adds to those of the grid\n\n",
        out);
    settings_help(out);
}
