/* Reads a grid. Makes rows from the file, and checks the options of each row before stages are
 * planned. */
#include "experiments/grid/grid.h"

#include <string.h>

#include "core/base/digest.h"
#include "core/base/file.h"
#include "core/base/path.h"
#include "core/base/hash_table.h"
#include "core/config/int_range.h"
#include "core/config/tree_read.h"
#include "core/config/word.h"
#include "experiments/grid/grid_part.h"
#include "experiments/grid/kind.h"
#include "experiments/grid/sections.h"

static const char *task_read(struct arena *arena, const struct tree *head)
{
    const char *word = settings_task(head);
    struct names known = {.arena = arena};
    for (const struct stage_kind *const *kind = stage_kinds; *kind; kind++) {
        const char *task = (*kind)->task;
        if (!task) continue;
        if (!strcmp(task, word)) return task;
        if (!known.count || strcmp(known.name[known.count - 1], task) != 0) names_add(&known, task);
    }
    word_refuse(tree_get(head, "task")->location, "task", "there is no task", word,
                names_end(&known));
}

/* Dies if a row sets options of a corpus, a model or a training, but no stage of the grid's task
 * uses them. Dies if a row asks for a stage that belongs to another task or has an input of another
 * task. */
static void check_task(const struct grid *grid, const struct tree *options, struct arena *arena)
{
    unsigned used = 0;
    for (const struct stage_kind *const *kind = stage_kinds; *kind; kind++)
        if (!stage_kind_foreign(*kind, grid->task)) used |= (*kind)->traits;
    for (const char *const *name = settings_sections(~used, NULL, arena); *name; name++) {
        const struct tree *said = tree_find(options, *name);
        if (said)
            die_at(said->location,
                   "%s: no stage of this grid's task, %s, depends on it; remove the section", *name,
                   grid->task);
    }
    for (const struct stage_kind *const *kind = stage_kinds; *kind; kind++) {
        if (!(*kind)->evaluation) continue;
        const char *section = (*kind)->evaluation->section->name;
        const struct tree *asked = tree_find(options, section);
        const struct stage_kind *foreign = stage_kind_foreign(*kind, grid->task);
        if (asked && foreign)
            die_at(asked->location, "%s: %s%s%s to the task %s; this grid's task is %s", section,
                   foreign == *kind ? "" : "reads ", foreign->name,
                   foreign == *kind ? " belongs" : ", which belongs", foreign->task, grid->task);
    }
}

static const char *text_or(const struct tree *tree, const char *key, const char *absent)
{
    const struct tree *text = tree_get(tree, key);
    return text ? scalar_text(text, key) : absent;
}

/* Reads the descriptive keys of a grid's file: name, title, source, note, task, tags. */
static void heading_read(struct arena *arena, struct grid *grid, const struct tree *tree)
{
    const struct tree *name = tree_get(tree, "grid"), *tags = tree_get(tree, "tags");
    if (!name)
        die_at(tree->location,
               "grid is missing: a grid needs a name of its own: expected grid: NAME");
    grid->name = scalar_text(name, "grid");
    if (!*grid->name || strlen(grid->name) > 100 || grid->name[strspn(grid->name, NAME_SIGNS)])
        die_at(name->location, "grid: \"%s\": expected letters, digits, - and _ (it names a file)",
               grid->name);
    grid->title = text_or(tree, "title", NULL);
    grid->source = text_or(tree, "source", NULL);
    grid->note = text_or(tree, "note", NULL);
    grid->task = task_read(arena, tree);
    if (tags) grid->tags = scalar_texts(tags, "tags", arena);
}

/* ---- seeds ---- */

static void add_seed(struct grid *grid, const struct tree *value, int seed)
{
    for (int i = 0; i < grid->seeds; i++)
        if (grid->seed[i] == (uint32_t)seed)
            die_at(value->location, "seeds: %d is given twice; expected it once", seed);
    if (grid->seeds == GRID_SEEDS)
        die_at(value->location, "seeds: more than %d seeds; expected fewer", GRID_SEEDS);
    grid->seed[grid->seeds++] = (uint32_t)seed;
}

/* Reads a list, range(..), one number, or numbers separated by commas. A number may also be "1-3".
 * If the text begins with a plus, its seeds are added to grid->seed; else they replace it. */
static void read_seeds(struct arena *arena, struct grid *grid, const struct tree *value)
{
    if (value->kind == TREE_MAP)
        die_at(value->location, "seeds: expected a list of numbers, got a map");
    const struct tree *one = value, *list = value;
    bool more = value->kind == TREE_SCALAR && value->text[0] == '+';
    if (value->kind == TREE_SCALAR) {
        one = tree_new_text(arena, value->location, value->text + more);
        list = grid_range(arena, value->location, one->text);
        if (!list) list = grid_split(arena, value->location, one->text);
    }
    grid->lone_seed = NULL;
    if (!more) grid->seeds = 0;
    for (int i = 0; i < (list ? list->count : 1); i++) {
        const struct tree *item = list ? list->item[i] : one;
        const struct int_range range = int_range_read(item, "seeds", arena);
        for (int64_t seed = range.first; seed <= range.last; seed++)
            add_seed(grid, item, (int)seed);
    }
    if (!grid->seeds)
        die_at(value->location, "seeds: the list is empty; expected at least one number");
    const bool number = !more && !list && !strchr(one->text, '-');
    if (number && grid->seed[0] > 1) grid->lone_seed = one;
}

/* Fills the seeds. The command line replaces the seeds of the file, or adds to them with a plus.
 * The default is the seed 1. */
static void seeds_read(struct arena *arena, struct grid *grid, const struct tree *head,
                       const struct grid_typed *typed)
{
    const struct tree *written = tree_get(head, "seeds");
    struct grid_typed_word *word = grid_typed_find(typed, "seeds");
    grid->seed = ARENA_ARRAY(arena, uint32_t, GRID_SEEDS);
    add_seed(grid, NULL, 1);
    if (written && (!word || word->value)) read_seeds(arena, grid, written);
    if (!word) return;
    if (word->value) read_seeds(arena, grid, word->value);
    word->used = true;
}

/* ---- points ---- */

void grid_row_try(struct grid *grid, int row, void (*act)(void *context), void *context)
{
    char ignored[MESSAGE_BYTES];
    if (!grid->only || grid->only[row])
        act(context);
    else if (!die_caught(act, context, ignored))
        grid->row[row].resolved = NULL, grid->row[row].options = NULL;
}

struct row_reading {
    const struct grid *grid;
    struct grid_row *row;
    struct arena *arena;
};

static void read_row(void *context)
{
    const struct row_reading *reading = context;
    struct arena *arena = reading->arena;
    const struct tree *options = grid_drop_presets(arena, reading->row->options),
                      *below = tree_get(options, "evaluate");
    if (below) tree_only_keys(below, "evaluate", sections_below_evaluate(arena));
    check_task(reading->grid, options, arena);
    reading->row->resolved = grid_resolve(arena, options);
}

/* Returns a text that is equal for rows that compute the same. It has the written row, model and
 * training in the canonical form of ids, and the other options as written. */
static const char *point_text(struct arena *arena, const struct grid_row *row)
{
    ARENA_STREAM(text);
    const unsigned canonical = SETTINGS_MODEL | SETTINGS_TRAIN;
    const char *const *section = settings_sections(canonical, NULL, arena);
    const struct tree *options = row->resolved->options;
    fprintf(text.out, "%p\n", (const void *)row->entry);
    settings_canonical(row->resolved->settings, canonical, NULL, text.out);
    for (int i = 0; i < options->count; i++) {
        if (word_known(options->key[i]->text, section)) continue;
        fprintf(text.out, "%s: ", options->key[i]->text);
        tree_print(options->item[i], text.out);
        fputc('\n', text.out);
    }
    return arena_stream_close(arena, &text);
}

/* Adds a place to an existing row. */
static void place_add(struct arena *arena, struct grid_row *to, const struct grid_row *from)
{
    const size_t places = (size_t)to->more + 1,
                 one = (size_t)to->coordinates * sizeof *to->coordinate;
    if (!(places & (places - 1)))
        to->coordinate = memcpy(arena_alloc(arena, 2 * places * one), to->coordinate, places * one);
    memcpy((struct grid_coordinate *)to->coordinate + places * (size_t)to->coordinates,
           from->coordinate, one);
    to->more++;
}

/* Adds a row to the rows of the grid, unless an earlier row on axes computes the same. Then adds
 * the place of the row to the earlier row. Example: layers 1-6 and all layers. Another example:
 * values of an axis that have no effect with a certain value of another axis. Rows without axes are
 * always added. Returns the index of the row in the grid. `row` may be the element at this
 * index. */
static int row_keep(struct arena *arena, struct grid *grid, struct hash_table *known,
                    const struct grid_row *row)
{
    if (row->resolved && row->coordinates) {
        const char *text = point_text(arena, row);
        const int64_t first = *hash_table_at(known, text, strlen(text), grid->rows);
        if (first < grid->rows) {
            place_add(arena, &grid->row[first], row);
            return (int)first;
        }
    }
    grid->row[grid->rows] = *row;
    return grid->rows++;
}

/* Checks the section `evaluate` of a grid in which no row has a run. The options are used for files
 * of hypotheses. */
static void check_evaluate(struct arena *arena, const struct grid *grid)
{
    struct tree *evaluate = tree_find(grid->common, "evaluate");
    struct tree *point = tree_new(arena, TREE_MAP, grid->common->location);
    if (evaluate) tree_put(arena, point, "evaluate", evaluate);
    settings_check(point, arena);
}

/* Reads and checks the options of all rows with a run, and joins rows that compute the same. only:
 * [rows] true for the selected rows; NULL: all. The function updates `only` for the remaining
 * rows. */
static void points_read(struct arena *arena, struct grid *grid, bool *only)
{
    const int rows = grid->rows;
    bool runs = false;
    if (rows > GRID_POINTS / grid->seeds)
        die("%s: %d rows with %d seeds are more than %d points; expected fewer rows or seeds",
            grid->path, rows, grid->seeds, GRID_POINTS);
    struct hash_table *known = hash_table_new(arena, (size_t)rows);
    grid->only = only;
    grid->rows = 0;
    for (int r = 0; r < rows; r++) {
        struct grid_row *row = &grid->row[r];
        struct row_reading reading = {grid, row, arena};
        if (rows > 1) die_at_about(arena_print(arena, "row \"%s\"", row->name));
        runs |= row->options != NULL;
        const bool selected = !only || only[r];
        if (row->options) grid_row_try(grid, r, read_row, &reading);
        const int before = grid->rows, kept = row_keep(arena, grid, known, row);
        if (only) only[kept] = selected || (kept < before && only[kept]);
    }
    die_at_about(NULL);
    if (!runs) check_evaluate(arena, grid);
}

struct grid_resolved *grid_resolve(struct arena *arena, const struct tree *options)
{
    struct grid_resolved *resolved = ARENA_NEW(arena, struct grid_resolved);
    struct settings *settings = ARENA_NEW(arena, struct settings);
    settings_read(settings, options, arena);
    *resolved = (struct grid_resolved){options, settings};
    return resolved;
}

const struct grid_resolved *grid_row_asks(const struct grid *grid, int row,
                                          const struct evaluation *evaluation)
{
    const struct grid_resolved *resolved = grid->row[row].resolved;
    return resolved && settings_evaluated(resolved->settings, evaluation)->asked ? resolved : NULL;
}

void grid_row_about(const struct grid *grid, int row, struct arena *arena)
{
    const bool named = row >= 0 && grid->rows > 1;
    die_at_about(named ? arena_print(arena, "row \"%s\"", grid->row[row].name) : NULL);
}

void grid_row_say(struct grid *grid, int row, const struct tree *options, struct arena *arena)
{
    struct grid_row *one = &grid->row[row];
    const struct tree *asked = tree_get(options, "evaluate");
    *one->resolved = *grid_resolve(arena, options);
    if (asked) one->options = tree_with(arena, one->options, "evaluate", asked);
}

bool grid_word_of_table(const char *word)
{
    static const char table[] = "table.";
    return !strncmp(word + (*word == '~'), table, sizeof table - 1);
}

const char *grid_variant(struct arena *arena, const char *name, const char *const *override,
                         int overrides)
{
    char folder[DIGEST_NAME];
    bool varied = false;
    for (int i = 0; i < overrides; i++) {
        if (grid_word_of_table(override[i])) continue;
        name = arena_print(arena, "%s+%s", name, override[i]);
        varied = true;
    }
    if (!varied) return name;
    digest_name(name, folder);
    return arena_text(arena, folder);
}

/* Returns a copy of options without the keys `origin`, which only inform users about the source of
 * files. The copy shares texts with the tree. */
static struct tree *without_origins(struct arena *arena, const struct tree *tree)
{
    struct tree *copy = tree_new(arena, tree->kind, tree->location);
    if (tree->kind == TREE_SCALAR) *copy = *tree;
    for (int i = 0; tree->kind != TREE_SCALAR && i < tree->count; i++) {
        struct tree *key = tree->kind == TREE_MAP ? tree->key[i] : NULL;
        if (key && !strcmp(key->text, "origin")) continue;
        tree_add(arena, copy, key, without_origins(arena, tree->item[i]));
    }
    return copy;
}

/* Returns the digest of all points. If input files do not change, grids with the same digest need
 * the same stages. */
static const char *digest_read(struct arena *arena, const struct grid *grid,
                               const struct tree *tune)
{
    ARENA_STREAM(text);
    SCOPED(arena_free) struct arena scratch = {0};
    char digest[DIGEST_TEXT];
    for (int r = 0; r < grid->rows; r++) {
        const struct grid_resolved *resolved = grid->row[r].resolved;
        fprintf(text.out, "%s\n", grid->row[r].name);
        if (resolved) tree_print(without_origins(&scratch, resolved->options), text.out);
        if (tune && tree_get(grid->row[r].entry, "tune"))
            tree_print(tree_get(grid->row[r].entry, "tune"), text.out);
        fputc('\n', text.out);
    }
    for (int s = 0; s < grid->seeds; s++) fprintf(text.out, "%u\n", grid->seed[s]);
    if (tune) tree_print(tune, text.out);
    const char *all = arena_stream_close(&scratch, &text);
    digest_bytes(all, text.bytes, digest);
    return arena_text(arena, digest);
}

/* Reads a grid without the points of its rows. */
static struct grid *read_rows(struct arena *arena, const char *path, const struct grid_file *file,
                              const struct grid_typed *typed)
{
    struct grid *grid = ARENA_NEW(arena, struct grid);
    grid->path = path;
    heading_read(arena, grid, file->head);
    seeds_read(arena, grid, file->head, typed);
    grid->table = grid_typed_table(arena, typed, file->table);
    grid_rows_read(arena, grid, file, typed);
    return grid;
}

struct whole_reading {
    struct arena *arena;
    const char *path;
    const struct grid_file *file;
    struct grid *grid; /* NULL: not read */
};

static void read_whole(void *context)
{
    struct whole_reading *whole = context;
    const struct grid_typed none = {.axes = grid_axis_names(whole->arena, whole->file)};
    struct grid *grid = read_rows(whole->arena, whole->path, whole->file, &none);
    points_read(whole->arena, grid, ARENA_ARRAY(whole->arena, bool, grid->rows));
    whole->grid = grid;
}

/* Returns the rows that the grid has without arguments of the command line. Returns NULL if no
 * argument changed the rows, or if the rows cannot be read. */
static const struct grid *whole_of(struct arena *arena, const char *path,
                                   const struct grid_file *file, const struct grid_typed *typed)
{
    struct whole_reading whole = {arena, path, file, NULL};
    char ignored[MESSAGE_BYTES];
    if (!grid_typed_varies(typed)) return NULL;
    die_caught(read_whole, &whole, ignored);
    die_at_about(NULL);
    return whole.grid;
}

static struct grid *read_document(struct arena *arena, const struct tree *document,
                                  const char *const *override, int overrides, const char *text)
{
    die_at_about(NULL);
    const struct grid_file file = grid_file_read(arena, document);
    const struct grid_typed typed = grid_typed_read(arena, &file, override, overrides);
    struct grid *grid = read_rows(arena, document->location.file, &file, &typed);
    bool *only = text ? grid_only(arena, grid, typed.axes.text, text, file.tune) : NULL;
    points_read(arena, grid, only);
    grid->name = grid_variant(arena, grid->name, override, overrides);
    for (const struct stage_kind *const *kind = stage_kinds; *kind; kind++)
        if ((*kind)->ask) (*kind)->ask(grid, arena);
    grid->learned_map = file.learned;
    grid->claims = file.claims;
    grid->figures = file.figures;
    grid_words_read(arena, grid, &typed);
    grid->words.whole = whole_of(arena, grid->path, &file, &typed);
    grid_check(grid);
    tune_read(arena, grid, file.tune);
    grid->digest = digest_read(arena, grid, file.tune);
    grid->assignments = overrides;
    grid->assignment = override;
    return grid;
}

struct grid *grid_of_tree(struct arena *arena, const struct tree *document,
                          const char *const *override, int overrides)
{
    return read_document(arena, document, override, overrides, NULL);
}

struct grid *grid_read(struct arena *arena, const char *path, const char *const *override,
                       int overrides, const char *only)
{
    if (!file_exists(path)) die("%s: no such grid", path);
    return read_document(arena, tree_read(arena, path), override, overrides, only);
}
