/* Reads the key `tune` of a grid, and makes the trials of its rows. All values are drawn and
 * checked before any stage runs. */
#include "experiments/grid/tune.h"

#include <string.h>

#include "core/config/option.h"
#include "core/config/word.h"
#include "core/model/checkpoint_choice.h"
#include "experiments/grid/grid_part.h"
#include "experiments/grid/settings.h"

enum { TRIALS_MOST = 1000 };
static const char epochs_key[] = "train.epochs", steps_key[] = "train.steps";

static const struct tune_metric metrics[] = {
    /* the first one is per token */
    {"dev_loss", "train", "dev_loss", true},
    {"bleu", "score", "bleu", false},
    {TUNE_CHARACTERS, "score", "test_loss", true},
};
/* The loss of averaged parameters, which no validation of a training has. */
static const struct tune_metric averaged = {"dev_loss", "score", "test_loss", true};

#define FIELD(member) offsetof(struct tune, member)
static const struct option rows[] = {
    OPTION_TREE("over", FIELD(over), NULL, "map", "options and their spaces"),
    OPTION_INT("trials", FIELD(trials), "12", 2, TRIALS_MOST, OPTION_NO_ID, "trials of each row"),
    OPTION_BOOL("grid", FIELD(grid), "false", OPTION_NO_ID, "all combinations of values"),
    OPTION_TEXT("metric", FIELD(word), "dev_loss", OPTION_NO_ID, "metric on dev"),
    OPTION_INT("draws", FIELD(draws), "1", 0, 1e9, OPTION_NO_ID, "seed of the draws"),
    OPTION_INT("seed", FIELD(seed), "9001", 0, 1e9, OPTION_NO_ID, "seed of all trials"),
    OPTION_INT("finalists", FIELD(finalists), "0", 0, TRIALS_MOST, OPTION_NO_ID,
               "number of best trials that get more seeds"),
    OPTION_INT("epochs", FIELD(epochs), "0", 0, 1e6, OPTION_NO_ID,
               "epochs of trials; 0: those of the row"),
    OPTION_INT("repeats", FIELD(repeats), "1", 1, TRIALS_MOST, OPTION_NO_ID,
               "number of searches; 1, or the number of seeds of the grid"),
    OPTION_TREE("halving", FIELD(halved), NULL, "map", "when to stop the worse trials"),
};
static const struct section *const section =
    SECTION("tune", "tuning of each row", rows, struct tune);

const struct tune_metric *tune_metric(const char *name, bool trained)
{
    if (!trained && !strcmp(name, averaged.name)) return &averaged;
    for (size_t i = 0; i < COUNT_OF(metrics); i++)
        if (!strcmp(metrics[i].name, name)) return &metrics[i];
    return NULL;
}

/* ---- the key `tune` ---- */

static const struct tune_metric *metric_read(const char *word, struct location location)
{
    const char *known[COUNT_OF(metrics) + 1] = {NULL};
    const struct tune_metric *metric = tune_metric(word, true);
    for (size_t i = 0; i < COUNT_OF(metrics); i++) known[i] = metrics[i].name;
    if (!metric) word_refuse(location, "tune.metric", "there is no metric on dev", word, known);
    return metric;
}

static const struct tune *read_key(const struct grid *grid, const struct tree *written,
                                   struct arena *arena)
{
    struct tune *tune = ARENA_NEW(arena, struct tune);
    tune->location = written->location;
    section_read(section, written, tune, arena);
    tune->metric = metric_read(tune->word, tree_location(written, "metric"));
    if (!tune->over || tune->over->kind != TREE_MAP || !tune->over->count)
        die_at(tune->location, "tune: expected over: {OPTION: VALUES, ..}");
    if (tune->grid && tree_get(written, "trials"))
        die_at(tree_location(written, "trials"),
               "tune.trials: grid: true has all combinations; expected one of the two");
    if (strcmp(grid->task, "translation") != 0)
        die_at(tune->location, "tune: rows of the task %s cannot be tuned", grid->task);
    if (tune->finalists == 1)
        die_at(tree_location(written, "finalists"),
               "tune.finalists: 1 is no comparison; expected 0, or at least 2");
    if (tune->halved) tune->halving = halving_read(tune->halved, arena);
    const struct location repeats = tree_location(written, "repeats");
    if (tune->repeats == 2) die_at(repeats, "tune.repeats: expected 1, or at least 3");
    if (tune->repeats > 1 && tune->repeats != grid->seeds)
        die_at(repeats,
               "tune.repeats: each search needs a seed of its own; expected %d seeds in the grid, "
               "got %d",
               tune->repeats, grid->seeds);
    for (int i = 0; i < TUNE_SEEDS * tune->repeats; i++)
        for (int k = 0; k < grid->seeds; k++)
            if ((tune->finalists || i % TUNE_SEEDS == 0) &&
                grid->seed[k] == (uint32_t)(tune->seed + i))
                die_at(tree_location(written, "seed"),
                       "tune.seed: %d%s is a seed of the grid; expected a seed for trials only",
                       tune->seed + i,
                       i % TUNE_SEEDS ? ", which finalists need,"
                       : i            ? ", which repeats need,"
                                      : "");
    return tune;
}

/* ---- rows ---- */

/* Returns the options that can be tuned. */
static const char *const *tunable(struct arena *arena)
{
    struct names names = {.arena = arena};
    for (const char *const *name = settings_names(arena); *name; name++)
        if (strncmp(*name, "evaluate.", strlen("evaluate.")) != 0) names_add(&names, *name);
    return names_end(&names);
}

/* Dies at an option that changes the text of dev or test. If dev is a part of the training text,
 * options that select this text do, too. */
static void check_text(const struct tree *key, const struct tree *options)
{
    static const char *const free[] = {"corpus.merges", "corpus.codes", "corpus.joint",
                                       "corpus.threshold", NULL};
    const struct tree *every = tree_find(options, "corpus.dev_every");
    const bool held = every && strcmp(every->text, "0") != 0,
               train = !strncmp(key->text, "corpus.train", strlen("corpus.train"));
    if (strncmp(key->text, "corpus.", strlen("corpus.")) != 0 || word_known(key->text, free))
        return;
    if (!train || held)
        die_at(key->location,
               "tune.over: %s: may change the text of dev or test, and trials on different texts "
               "are not comparable; expected an option of the training",
               key->text);
}

static void key_read(struct draw *draw, const struct tree *key, const struct tree *value,
                     struct arena *arena)
{
    const char *const *known = tunable(arena);
    if (!word_known(key->text, known))
        word_refuse(key->location, "tune.over", "there is no option of the training", key->text,
                    known);
    *draw = draw_read(key->text, value, arena);
    const bool whole = settings_option(key->text)->type == OPTION_TYPE_INT;
    if (whole && (draw->kind == DRAW_UNIFORM || draw->kind == DRAW_LOGUNIFORM))
        die_at(value->location, "tune: %s: is an integer; expected int(a, b), a list or a map",
               key->text);
}

/* Returns the value of this key that an axis of another key has set ({train: {x: {rate: 1}}}), or a
 * named axis. It differs from that of the grid. Values from the file of a preset do not count. */
static const struct tree *axis_value(const struct grid *grid, const struct grid_row *row,
                                     const struct draw *draw)
{
    const struct tree *value = tree_find(row->options, draw->path),
                      *common = tree_find(grid->common, draw->path);
    if (!row->coordinates || !value || (common && tree_same(value, common))) return NULL;
    const char *file = value->location.file;
    return !strcmp(file, grid->path) || !strcmp(file, draw->written->location.file) ? value : NULL;
}

/* Dies if a row or an axis of the row sets a key that tune varies, or a part of it. */
static void check_own(const struct grid *grid, const struct grid_row *row, const struct draw *draw,
                      struct arena *arena)
{
    const struct tree *own =
        row->entry ? tree_find(tree_merge(arena, NULL, row->entry), draw->path) : NULL;
    const struct location line = draw->written->location;
    bool swept = false;
    for (int i = 0; i < row->coordinates; i++)
        swept |= word_within(row->coordinate[i].key, draw->path);
    if (!own && !swept) own = axis_value(grid, row, draw);
    if (own || swept)
        die_at(own ? own->location : line,
               "%s: row \"%s\" sets this key, but tune varies it in line %d; expected one of "
               "the two",
               draw->path, row->name, line.line);
}

/* Reads the spaces of a row: those of the grid, then its own. */
static void keys_read(struct tuned *tuned, const struct grid *grid, const struct grid_row *row,
                      struct arena *arena)
{
    static const char *const known[] = {"over", NULL};
    const struct tree *own = tree_get(row->entry, "tune");
    if (own && own->kind == TREE_MAP) tree_only_keys(own, "tune of a row", known);
    const struct tree *map[] = {tuned->tune->over, own ? tree_get(own, "over") : NULL};
    if (own && (!map[1] || map[1]->kind != TREE_MAP))
        die_at(own->location, "tune: expected false, or over: {OPTION: VALUES, ..}");
    struct draw *key = NULL;
    for (int m = 0; m < 2; m++)
        for (int i = 0; map[m] && i < map[m]->count; i++) {
            struct draw draw;
            key_read(&draw, map[m]->key[i], map[m]->item[i], arena);
            for (int k = 0; k < tuned->keys; k++)
                if (!strcmp(key[k].path, draw.path))
                    die_at(map[m]->key[i]->location, "tune: %s: is given twice; expected it once",
                           draw.path);
            check_text(map[m]->key[i], row->resolved->options);
            if (tuned->tune->epochs && word_within(draw.path, epochs_key))
                die_at(map[m]->key[i]->location,
                       "tune: %s: is also that of tune.epochs; expected one of the two", draw.path);
            if (tuned->tune->halving.from &&
                (word_within(draw.path, epochs_key) || word_within(draw.path, steps_key)))
                die_at(map[m]->key[i]->location,
                       "tune: %s: tune.halving compares trials of the same length; expected one of "
                       "the two",
                       draw.path);
            check_own(grid, row, &draw, arena);
            if (tuned->tune->metric == metrics && !strncmp(draw.path, "corpus.", strlen("corpus.")))
                die_at(map[m]->key[i]->location,
                       "tune: %s: may change the tokens, and %s is per token; expected metric: "
                       "bleu or " TUNE_CHARACTERS,
                       draw.path, metrics->name);
            ARENA_ADD(arena, key, tuned->keys, draw);
        }
    tuned->key = key;
}

/* Returns a copy of options with the values of a trial (NULL: of none). */
static struct tree *with_values(const struct tuned *tuned, const struct tree *options,
                                struct tree *const *value, struct arena *arena)
{
    struct tree *copy = tree_merge(arena, NULL, options);
    for (int k = 0; value && k < tuned->keys; k++)
        tree_put(arena, copy, tuned->key[k].path, value[k]);
    return copy;
}

/* Replaces the sections of `evaluate` by those that the metric needs, on dev. */
static const struct tree *measured(const struct tuned *tuned, const struct tree *options,
                                   struct arena *arena)
{
    struct tree *bleu = tree_find(options, "evaluate.bleu"),
                *point = tree_merge(arena, NULL, tree_without(arena, options, "evaluate"));
    if (!strcmp(tuned->metric->kind, "train")) return point;
    tree_put(arena, point, "evaluate.bleu", tree_copy(arena, bleu));
    tree_put(arena, point, "evaluate.bleu.split", tree_new_text(arena, bleu->location, "dev"));
    return point;
}

/* Returns the text of the options of a training. */
static const char *canonical(const struct grid_resolved *resolved, struct arena *arena)
{
    struct arena_stream text;
    arena_stream_open(&text);
    settings_canonical(resolved->settings, SETTINGS_CORPUS | SETTINGS_MODEL | SETTINGS_TRAIN, NULL,
                       text.out);
    return arena_stream_close(arena, &text);
}

/* Dies if the row refuses one of the values of a space, or one end of a range. Finds the values of
 * maps that the row as written has, in any spelling. */
static void check_values(struct tuned *tuned, const struct tree *options, struct arena *arena)
{
    const char *written = canonical(grid_resolve(arena, options), arena);
    tuned->label = ARENA_ARRAY(arena, const struct tree *, tuned->keys);
    for (int k = 0; k < tuned->keys; k++)
        for (int i = 0; i < draw_values(&tuned->key[k]); i++) {
            struct tree *point = tree_merge(arena, NULL, options);
            tree_put(arena, point, tuned->key[k].path, draw_value(&tuned->key[k], i, arena));
            const char *text = canonical(grid_resolve(arena, point), arena);
            if (tuned->key[k].kind == DRAW_MAP && !strcmp(text, written))
                tuned->label[k] = tuned->key[k].written->item[i];
        }
}

/* Returns the number of combinations of values. */
static int product_of(const struct tuned *tuned)
{
    int product = 1;
    for (int k = 0; k < tuned->keys; k++) {
        const struct draw *key = &tuned->key[k];
        if (draw_is_range(key))
            die_at(key->written->location, "tune: %s: with grid: true, expected a list or a map",
                   key->path);
        product *= draw_values(key);
        if (product >= TRIALS_MOST)
            die_at(tuned->tune->location, "tune: more than %d combinations; expected fewer",
                   TRIALS_MOST - 1);
    }
    return product;
}

/* Returns the values of a trial, [keys]; NULL for trial 0. Of a product, the grid's last key varies
 * fastest and the row's own keys slowest, so that the first trials of all rows are alike. */
static struct tree **values_of(const struct tuned *tuned, int search, int trial,
                               struct arena *arena)
{
    const uint32_t draws = (uint32_t)(tuned->tune->draws + search);
    if (!trial) return NULL;
    struct tree **value = ARENA_ARRAY(arena, struct tree *, tuned->keys);
    const int shared = tuned->tune->over->count;
    for (int i = 0, rest = trial - 1; i < tuned->keys; i++) {
        const int k = i < shared ? shared - 1 - i : shared + tuned->keys - 1 - i;
        const struct draw *key = &tuned->key[k];
        if (!tuned->tune->grid) {
            value[k] = draw_trial(key, draws, trial, arena);
            continue;
        }
        value[k] = draw_value(key, rest % draw_values(key), arena);
        rest /= draw_values(key);
    }
    return value;
}

/* Finds the metric and the checkpoint that is measured. */
static void find_metric(struct tuned *tuned, const struct tree *options)
{
    const struct tune_metric *metric = tuned->tune->metric;
    const struct tree *bleu = tree_find(options, "evaluate.bleu"),
                      *said = tree_get(bleu, "checkpoint");
    tuned->checkpoint = said ? said->text : "best";
    int count;
    const enum checkpoint_choice choice =
        checkpoint_parse(tuned->checkpoint, "evaluate.bleu.checkpoint", false, &count);
    if (choice == CHECKPOINT_START || choice == CHECKPOINT_AT || choice == CHECKPOINT_SIDE)
        die_at(said->location, "tune: %s: expected best, last, average(N) or mean_of_best(N)",
               said->text);
    if (metric == metrics && choice == CHECKPOINT_AVERAGE) metric = &averaged;
    if (!bleu && strcmp(metric->kind, "train") != 0)
        die_at(tuned->tune->location,
               "tune.metric: %s: expected evaluate.bleu in the grid, whose search it uses",
               metric->name);
    tuned->metric = metric;
}

/* Gives a trial its number of epochs or steps. */
static void set_length(struct tree *point, const char *key, int length, const struct tune *tune,
                       struct arena *arena)
{
    tree_put(arena, point, key,
             tree_new_text(arena, tune->location, arena_print(arena, "%d", length)));
}

static void check_epochs(const struct grid_row *row, const struct tune *tune, struct arena *arena)
{
    const struct train_options *train = &row->resolved->settings->train;
    if (train->steps || tune->epochs > train->epochs)
        die_at(tune->location, "tune.epochs: %d: expected at most the train.epochs of row \"%s\"%s",
               tune->epochs, row->name,
               train->steps ? ", which has train.steps"
                            : arena_print(arena, ", %d", train->epochs));
}

const struct grid_resolved *tune_shortened(const struct tuned *tuned, int trial, int length,
                                           struct arena *arena)
{
    const char *key = tuned->tune->halving.steps ? steps_key : epochs_key;
    struct tree *point = tree_merge(arena, NULL, tuned->trial[trial].resolved->options);
    set_length(point, key, length, tuned->tune, arena);
    return grid_resolve(arena, point);
}

/* Sets the rungs of a row. Dies if a trial cannot continue the same trial of another length, or is
 * not longer than the first rung. */
static void find_rungs(struct tuned *tuned, struct arena *arena)
{
    const struct halving *halving = &tuned->tune->halving;
    for (int t = 0; t < tuned->searches * tuned->trials && halving->from; t++) {
        const struct grid_resolved *resolved = tuned->trial[t].resolved;
        const struct train_options *train = &resolved->settings->train;
        if (train_ends_low(train))
            die_at(tree_location(resolved->options, "train.schedule"),
                   "train.schedule: %s has other learning rates in a shorter training, so a trial "
                   "cannot go on from a rung; expected rsqrt or constant, or no tune.halving",
                   section_choice(&train_section, "schedule", train, arena));
    }
    const struct train_options *train = &tuned->trial->resolved->settings->train;
    const int end = halving->steps ? train->steps : train->epochs;
    tuned->rungs = halving_rungs(halving, end, &tuned->rung, arena);
    if (halving->from && !tuned->rungs)
        die_at(halving->location, "tune.halving.from: expected less than a trial has%s",
               !end ? halving->steps ? ", which is in epochs" : ", which is in steps"
                    : arena_print(arena, ", %s", halving_length(halving, end, arena)));
}

struct row_tuning {
    const struct grid *grid;
    struct grid_row *row;
    const struct tune *tune;
    struct arena *arena;
};

static void tune_row(void *context)
{
    const struct row_tuning *at = context;
    struct arena *arena = at->arena;
    const struct tree *options = at->row->resolved->options;
    struct tuned *tuned = ARENA_NEW(arena, struct tuned);
    *tuned =
        (struct tuned){.tune = at->tune, .trials = at->tune->trials, .searches = at->tune->repeats};
    tuned->written = tree_merge(arena, settings_defaults(arena), options);
    keys_read(tuned, at->grid, at->row, arena);
    find_metric(tuned, options);
    die_at_about(arena_print(arena, "row \"%s\"", at->row->name));
    check_values(tuned, options, arena);
    if (at->tune->grid) tuned->trials = product_of(tuned) + 1;
    if (at->tune->finalists > tuned->trials)
        die_at(at->tune->location, "tune.finalists: expected at most the %d trials", tuned->trials);
    const int all = tuned->searches * tuned->trials;
    if (at->tune->epochs) check_epochs(at->row, at->tune, arena);
    struct tuned_trial *trial = ARENA_ARRAY(arena, struct tuned_trial, all);
    for (int t = 0; t < all; t++) {
        die_at_about(arena_print(arena, "row \"%s\", trial %d", at->row->name, t));
        trial[t].value = values_of(tuned, t / tuned->trials, t % tuned->trials, arena);
        struct tree *point = with_values(tuned, options, trial[t].value, arena);
        if (at->tune->epochs) set_length(point, epochs_key, at->tune->epochs, at->tune, arena);
        trial[t].resolved = grid_resolve(arena, measured(tuned, point, arena));
    }
    tuned->trial = trial;
    find_rungs(tuned, arena);
    at->row->tuned = tuned;
    die_at_about(NULL);
}

/* True if a row says that it is not tuned. */
static bool is_left(const struct grid_row *row)
{
    const struct tree *own = tree_get(row->entry, "tune");
    return own && own->kind == TREE_SCALAR && !scalar_bool(own, "tune");
}

/* Dies if the name of a row is one that a trial may have: "A (trial 1)". */
static void check_name(const struct grid_row *row, const struct tune *tune)
{
    if (strstr(row->name, " (trial "))
        die_at(row->entry ? tree_location(row->entry, "name") : tune->location,
               "rows: \"%s\" is the name of a trial; expected another name", row->name);
}

void tune_read(struct arena *arena, struct grid *grid, const struct tree *written)
{
    const struct tune *tune = written ? read_key(grid, written, arena) : NULL;
    for (int r = 0; tune && r < grid->rows; r++) check_name(&grid->row[r], tune);
    for (int r = 0; r < grid->rows; r++) {
        struct grid_row *row = &grid->row[r];
        const struct tree *own = tree_get(row->entry, "tune");
        if (own && !tune && !is_left(row))
            die_at(own->location, "tune: the grid has no key tune; expected one, with trials");
        if (!tune || !row->resolved || row->resolved->settings->alone || is_left(row)) continue;
        struct row_tuning tuning = {grid, row, tune, arena};
        grid_row_try(grid, r, tune_row, &tuning);
        die_at_about(NULL);
    }
}

void tune_choose(struct grid_row *row, const int *trial, struct arena *arena)
{
    struct tuned *tuned = row->tuned;
    struct grid_resolved *own = ARENA_ARRAY(arena, struct grid_resolved, tuned->searches);
    const struct tree *options = row->resolved->options;
    for (int i = 0; i < tuned->searches; i++)
        own[i] =
            *grid_resolve(arena, with_values(tuned, options, tuned->trial[trial[i]].value, arena));
    tuned->chosen = trial;
    tuned->own = own;
    *row->resolved = *own;
    row->options = with_values(tuned, row->options, tuned->trial[*trial].value, arena);
}

const struct grid_resolved *tune_resolved(const struct grid_row *row, int seed)
{
    return tuned_searches(row) > 1 && row->tuned->own ? &row->tuned->own[seed] : row->resolved;
}

const struct tree *tuned_trial_value(const struct tuned *tuned, int trial, int key)
{
    struct tree *const *value = tuned->trial[trial].value;
    return value ? value[key] : tree_find(tuned->written, tuned->key[key].path);
}

int tuned_key(const struct tuned *tuned, const char *path)
{
    for (int k = 0; tuned && k < tuned->keys; k++)
        if (!strcmp(tuned->key[k].path, path)) return k;
    return -1;
}

const struct tree *tuned_value(const struct tuned *tuned, int search, int key)
{
    const int trial = tuned->chosen[search];
    return !tuned->trial[trial].value && tuned->label[key] ? tuned->label[key]
                                                           : tuned_trial_value(tuned, trial, key);
}
