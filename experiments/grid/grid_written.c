/* Reads the rows as written in a grid's file, before they are combined with axes. */
#include "core/config/scalar.h"
#include "core/config/word.h"
#include "experiments/grid/grid_part.h"
#include "experiments/grid/sections.h"

/* Moves `vectors: DIR` to the options of probes. The row may have no other options. */
static void take_vectors(struct arena *arena, struct grid_written *row, struct tree *options,
                         const struct tree *vectors, bool has_no_run)
{
    if (has_no_run)
        die_at(vectors->location,
               "vectors: a row with quote or hyp has no run; expected no vectors");
    if (options->count)
        die_at(options->key[0]->location,
               "%s: a row with vectors has no model; expected no options", options->key[0]->text);
    if (!*scalar_text(vectors, "vectors"))
        die_at(vectors->location, "vectors: expected a folder with files TASK.npy");
    tree_put(arena, options, GRID_VECTORS ".vectors", (struct tree *)vectors);
    row->vectors = true;
}

/* Keys of a row that are no options. Some are for tables (results/table/layout.h). */
static const char *const own[] = {"name", "quote", "hyp",   "ref",     "section", "label",
                                  "rule", "line",  "sweep", "vectors", "tune",    NULL};

/* known: keys that a row may have */
static struct grid_written row_read(struct arena *arena, const struct tree *entry,
                                    const char *const *known)
{
    if (entry->kind != TREE_MAP)
        die_at(entry->location, "rows: expected a map with name and options, got %s",
               tree_kind_name(entry));
    struct tree *options = tree_new(arena, TREE_MAP, entry->location);
    for (int i = 0; i < entry->count; i++) {
        if (!word_known(entry->key[i]->text, own))
            tree_add(arena, options, entry->key[i], entry->item[i]);
    }
    options = grid_normalize(arena, options);
    tree_only_keys(options, "a row", known);
    const struct tree *name = tree_get(entry, "name"), *quote = tree_get(entry, "quote"),
                      *hyp = tree_get(entry, "hyp"), *ref = tree_get(entry, "ref"),
                      *sweep = tree_get(entry, "sweep"), *vectors = tree_get(entry, "vectors");
    if (sweep && sweep->kind != TREE_SCALAR)
        die_at(
            sweep->location,
            "sweep: expected false, for a row without axes; axes belong to the grid, not to a row");
    if (!name) die_at(entry->location, "rows: this row has no name; expected name: TEXT");
    struct grid_written row = {.name = scalar_text(name, "name"),
                               .entry = entry,
                               .options = options,
                               .fixed = sweep && !scalar_bool(sweep, "sweep")};
    if (!*row.name) die_at(name->location, "rows: the name is empty; expected a name");
    if (ref && !hyp) die_at(ref->location, "ref: hyp is missing; expected a file of hypotheses");
    if (vectors) take_vectors(arena, &row, options, vectors, quote || hyp);
    if (!quote && !hyp) return row;
    if (quote && (quote->kind != TREE_MAP || !quote->count))
        die_at(quote->location, "quote: expected a map of columns and values, as in {bleu: 27.3}");
    if (options->count)
        die_at(options->key[0]->location, "%s: a row with %s has no run; expected no options",
               options->key[0]->text, quote ? "quote" : "hyp");
    row.options = NULL;
    return row;
}

struct grid_written *grid_written_read(struct arena *arena, const struct tree *list, int *count)
{
    if (list->kind != TREE_LIST || !list->count)
        die_at(list->location, "rows: expected a list of named rows, got %s",
               list->kind == TREE_LIST ? "an empty list" : tree_kind_name(list));
    if (list->count > GRID_ROWS)
        die_at(list->location, "rows: more than %d rows; expected fewer", GRID_ROWS);
    struct grid_written *row = ARENA_ARRAY(arena, struct grid_written, list->count);
    const char *const *known = sections_of(arena, SECTION_POINT, own, NULL);
    for (int i = 0; i < list->count; i++) row[i] = row_read(arena, list->item[i], known);
    *count = list->count;
    return row;
}
