/* Reads the argument GRID. All verbs share this code, so that the same words select the same
 * rows. */
#include "experiments/cli/grid_argument.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/file.h"
#include "core/base/path.h"
#include "core/base/shell.h"
#include "core/config/shipped.h"
#include "core/config/tree_read.h"
#include "core/config/word.h"
#include "experiments/grid/sections.h"
#include "results/store/stage_folder.h"
#include "results/store/store.h"
#include "experiments/grid/grid_record.h"

/* The grid that a word selects. */
struct grid_source {
    const char *path;  /* path of its file; NULL: only a record exists */
    const char *typed; /* word by which the file was found */
    const char *name;  /* name of the grid, if found by a record */
    const char *gone;  /* missing file that the record names, or NULL */
    int words;         /* number of assignments */
    const char **word;
};

/* Returns the path of a record's file if the file still has the record's grid; else NULL. */
static const char *live_file(struct arena *arena, const struct grid *record)
{
    const char *path = record->file ? grid_find_try(arena, record->file) : NULL;
    const struct tree *name = path ? tree_get(tree_read(arena, path), "grid") : NULL;
    if (!name || name->kind != TREE_SCALAR) return NULL;
    const char *variant = grid_variant(arena, name->text, record->assignment, record->assignments);
    return strcmp(variant, record->name) == 0 ? path : NULL;
}

/* Returns the newest record of a name whose file still exists, and sets *path to the file. So a
 * name in RUNS belongs to the file that ran last. If no file exists, returns the newest record and
 * sets *path to NULL. Returns NULL if there are no records. */
static const struct grid *newest_record(struct verb_call *call, const char *name, const char **path)
{
    struct grid *record;
    const int count = record_read(verb_value(call, "--runs"), name, &record, &call->arena);
    *path = NULL;
    for (int i = 0; i < count; i++)
        if ((*path = live_file(&call->arena, &record[i]))) return &record[i];
    return count ? record : NULL;
}

/* Returns the grid's file of an unpacked archive (sanlab archive) whose folder is RUNS; else
 * NULL. */
static const char *archived(struct verb_call *call, const char *name)
{
    struct arena *arena = &call->arena;
    const char *path = arena_print(arena, "%s/grid.yaml", verb_value(call, "--runs"));
    if (!file_exists(path)) return NULL;
    const struct tree *own = tree_get(tree_read(arena, path), "grid");
    const size_t length = strcspn(name, "+"); /* without assignments */
    const bool same =
        own && own->text && strlen(own->text) == length && !strncmp(own->text, name, length);
    return same ? path : NULL;
}

/* Finds the grid of a word; false if none. */
static bool find_source(struct verb_call *call, const char *word, struct grid_source *source)
{
    struct arena *arena = &call->arena;
    *source = (struct grid_source){.path = grid_find_try(arena, word), .typed = word};
    /* A record needs the path of a user's file. In another folder, the name alone may not be
     * found. */
    if (source->path && *source->path != '/') source->typed = source->path;
    if (source->path) return true;
    const struct grid *best = newest_record(call, word, &source->path);
    if (!best) return false;
    if (!source->path) source->path = archived(call, word);
    source->name = word;
    source->typed = best->file;
    source->gone = source->path || !best->file ? NULL : grid_expected(arena, best->file);
    source->words = best->assignments;
    source->word = (const char **)best->assignment;
    return true;
}

static void add_words(struct arena *arena, struct grid_source *source, const char *const *word,
                      int words)
{
    const char **all = ARENA_ARRAY(arena, const char *, source->words + words + 1);
    for (int i = 0; i < source->words; i++) all[i] = source->word[i];
    for (int i = 0; i < words; i++) all[source->words + i] = word[i];
    source->words += words;
    source->word = all;
}

/* Dies if the seeds of a grid are one number above 1, because the user probably means a number of
 * seeds. Exception: the grid has already run with this seed. */
static void check_seeds(struct verb_call *call, const struct grid *grid)
{
    struct grid *record;
    if (!grid->lone_seed) return;
    const int count = record_read(verb_value(call, "--runs"), grid->name, &record, &call->arena);
    for (int i = 0; i < count; i++)
        if (!record[i].digest || !strcmp(record[i].digest, grid->digest)) return;
    const char *text = grid->lone_seed->text;
    die_at(grid->lone_seed->location,
           "seeds: expected [%s] or 1-%s: %s alone is one seed, not a count", text, text, text);
}

/* Reads the grid of a source. `only` is the argument of grid_read. */
static struct grid *read_source(struct verb_call *call, const struct grid_source *source,
                                const char *only)
{
    struct grid *grid = grid_read(&call->arena, source->path, source->word, source->words, only);
    grid->file = source->typed;
    check_seeds(call, grid);
    return grid;
}

struct grid *grid_argument_read(struct verb_call *call)
{
    struct arena *arena = &call->arena;
    struct grid_source source;
    for (int i = 1; i < call->words; i++)
        if (!verb_is_change(call->word[i]) && !strchr(call->word[i], '='))
            die("%s: \"%s\": expected an assignment such as train.epochs=3, or ~train.epochs",
                call->verb->name, call->word[i]);
    if (!find_source(call, call->word[0], &source)) source.path = grid_find(arena, call->word[0]);
    if (!source.path)
        die("%s: %s: has run in %s, but its file%s%s is missing", call->verb->name, call->word[0],
            verb_value(call, "--runs"), source.gone ? " " : "", source.gone ? source.gone : "");
    add_words(arena, &source, call->word + 1, call->words - 1);
    const bool selects = verb_option(&call->page, "--only");
    return read_source(call, &source, selects ? verb_value(call, "--only") : NULL);
}

struct plan *grid_argument_plan(struct verb_call *call)
{
    return plan_build(&call->arena, grid_argument_read(call), verb_value(call, "--runs"), NULL);
}

/* Returns the recorded stages of a grid whose file is missing. */
static struct grid recorded(struct verb_call *call, const struct grid_source *source)
{
    struct arena *arena = &call->arena;
    struct grid *record;
    const char *name = grid_variant(arena, source->name, call->change, call->changes);
    const char *runs = verb_value(call, "--runs");
    const int count = record_read(runs, name, &record, arena);
    int best = 0;
    while (best < count - 1 && record[best].incomplete) best++;
    if (!count)
        die("%s: %s: its file%s%s is missing, and no run of it with these assignments is recorded "
            "in %s",
            call->verb->name, source->name, source->gone ? " " : "",
            source->gone ? source->gone : "", runs);
    return record[best];
}

/* The grid that was read last. A verb may request the same grid several times, but warnings about
 * it must be printed only once. */
static struct known_points {
    const char *word;
    int changes;
    struct grid grid;
} last;

bool grid_argument_points(struct verb_call *call, const char *word, struct grid *grid)
{
    struct arena *arena = &call->arena;
    struct grid_source source;
    if (last.word && !strcmp(last.word, word) && last.changes == call->changes) {
        *grid = last.grid;
        return true;
    }
    if (!find_source(call, word, &source)) return false;
    if (source.path) {
        const char *runs = verb_value(call, "--runs");
        add_words(arena, &source, call->change, call->changes);
        *grid = grid_argument_summary(
            call, plan_build(arena, read_source(call, &source, NULL), runs, NULL));
    } else {
        *grid = recorded(call, &source);
    }
    last = (struct known_points){word, call->changes, *grid};
    return true;
}

const char *grid_argument_name(struct verb_call *call, const char *word)
{
    struct arena *arena = &call->arena;
    struct grid_source source = {.path = grid_find_try(arena, word), .name = word};
    struct grid *record;
    if (!source.path && record_read(verb_value(call, "--runs"), word, &record, arena))
        return grid_variant(arena, word, call->change, call->changes);
    source.path = grid_find(arena, word);
    add_words(arena, &source, call->change, call->changes);
    return read_source(call, &source, NULL)->name;
}

void grid_argument_only(struct verb_call *call, struct plan *plan)
{
    if (plan->grid->only) plan_only(&call->arena, plan, plan->grid->only);
}

void grid_argument_check_name(struct verb_call *call, const struct grid *grid)
{
    const char *path;
    const struct grid *record = newest_record(call, grid->name, &path);
    if (path && !path_same(path, grid->path) && record->digest &&
        strcmp(record->digest, grid->digest) != 0)
        die("%s: the name of this grid, \"%s\", is also that of %s, which has run in %s; expected "
            "another name",
            grid->path, grid->name, path, verb_value(call, "--runs"));
}

bool grid_argument_is_grid(struct verb_call *call)
{
    const char *word = call->word[0], *path = grid_find_try(&call->arena, word);
    if (!shipped_ends(word, ".yaml")) return path && path != word;
    return path != word || tree_get(tree_read(&call->arena, word), "grid");
}

struct tree *grid_argument_preset(struct arena *arena, const char *verb, const char *name,
                                  const char *const *change, int changes)
{
    struct tree *over = tree_new(arena, TREE_MAP, (struct location){"command line", 0, 0});
    for (int i = 0; i < changes; i++) tree_override(arena, over, change[i]);
    const struct tree *preset =
        grid_preset(arena, "model", tree_new_text(arena, over->location, name));
    struct tree *options = tree_merge(arena, grid_preset_below(arena, preset, over), over);
    tree_take_away(options);
    tree_only_keys(options, verb, sections_of(arena, SECTION_TRAINED, NULL, NULL));
    return options;
}

int grid_argument_row(struct verb_call *call, const struct grid *grid)
{
    const char *row = verb_value(call, "--row");
    for (int r = 0; r < grid->rows; r++)
        if (grid->row[r].resolved && (!row || !strcmp(grid->row[r].name, row))) return r;
    const char **names = ARENA_ARRAY(&call->arena, const char *, grid->rows + 1);
    for (int r = 0; r < grid->rows; r++) names[r] = grid->row[r].name;
    word_refuse((struct location){grid->path, 0, 0}, call->verb->name, "there is no row", row,
                names);
}

const char *grid_argument_words(struct arena *arena, const struct grid *grid)
{
    const char *text = shell_word(arena, grid->file);
    for (int i = 0; i < grid->assignments; i++)
        text = arena_print(arena, "%s %s", text, shell_word(arena, grid->assignment[i]));
    return text;
}

const char *grid_argument_command(struct verb_call *call, const struct grid *grid)
{
    struct arena *arena = &call->arena;
    const char *runs = verb_value(call, "--runs"),
               *text = arena_print(arena, "sanlab run %s", grid_argument_words(arena, grid));
    if (!strcmp(runs, STORE_RUNS)) return text;
    return arena_print(arena, "%s --runs %s", text, shell_word(arena, runs));
}

/* Warns if the grid has not run with its current file. Does not warn if all stages are done, for
 * example by a run of another grid. */
static void warn_not_run(struct verb_call *call, const struct plan *plan, const struct grid *grid)
{
    struct arena *arena = &call->arena;
    enum { SHOWN = 3 };
    const char *lost = NULL;
    int left = 0;
    for (int i = 0; i < plan->count; i++)
        if (stage_done_at(&plan->task[i]->stage) < 0 && ++left <= SHOWN)
            lost = arena_append(arena, lost, ", ", plan->task[i]->stage.name);
    const bool archive = file_exists(arena_print(arena, "%s/" ARCHIVE_LEFT_OUT, plan->runs));
    if (archive && left)
        warn("%s: the archive lacks %d of %d stages: %s%s", grid->name, left, plan->count, lost,
             left > SHOWN ? ", .." : "");
    if (archive || file_is_folder(record_folder(plan->runs, grid->name, arena))) return;
    if (left)
        warn("%s: has not run in %s with its current file: %s", grid->name, plan->runs,
             grid_argument_command(call, grid));
}

struct grid grid_argument_summary(struct verb_call *call, const struct plan *plan)
{
    store_need_runs(plan->runs);
    struct grid summary = *plan->grid;
    bool missing = false;
    for (int i = 0; i < plan->count; i++) /* an archive may have the stage of a missing file */
        missing |= plan->task[i]->stage.missing && stage_done_at(&plan->task[i]->stage) < 0;
    if (!missing) {
        warn_not_run(call, plan, &summary);
        return summary;
    }
    const bool known = record_recall(plan->runs, &summary, &call->arena);
    warn("%s: its input files are missing (`sanlab plan` names them); %s", summary.name,
         known ? "these are the stages of its last run"
               : "no run of this grid with its current file is recorded");
    return summary;
}
