/* Reads the printed values for a table: values of the paper, and values of quoted rows. Also checks
 * files of hypotheses. */
#include <string.h>

#include "core/base/file.h"
#include "core/base/path.h"
#include "core/config/scalar.h"
#include "core/config/word.h"
#include "core/text/utf8.h"
#include "results/table/layout_part.h"

const struct layout_value *layout_find(const struct layout_values *values, const char *column,
                                       struct layout_cell cell)
{
    for (const struct layout_value *one = values->value; one < values->value + values->count; one++)
        if (one->cell.line == cell.line && !strcmp(one->column, column) &&
            (one->cell.coordinate < 0 || one->cell.coordinate == cell.coordinate))
            return one;
    return NULL;
}

/* Adds a printed value: a number, with an optional suffix K, M or G, or n/a. */
static void add_value(struct layout_values *values, const struct tree *scalar, const char *column,
                      struct layout_cell cell, struct arena *arena)
{
    struct tree number = *scalar;
    if (scalar->kind == TREE_SCALAR) {
        const size_t length = strlen(scalar->text),
                     suffix = length && strchr("KMG", scalar->text[length - 1]);
        number.text = arena_text_range(arena, scalar->text, length - suffix);
        number.quoted = false;
    }
    if (!word_same(number.text, "n/a")) scalar_real(&number, "a printed value", -1e30, 1e30);
    ARENA_ADD(arena, values->value, values->count,
              (struct layout_value){column, cell, scalar->text});
}

/* Reads a printed value, or a map with a value for each coordinate. */
static void read_value(const struct tree *tree, const char *column, struct layout_cell cell,
                       const struct layout *layout, struct layout_values *values,
                       struct arena *arena)
{
    if (tree->kind != TREE_MAP)
        add_value(values, tree, column, cell, arena);
    else if (layout->line[cell.line].spans || cell.coordinate >= 0)
        die_at(tree->location, "%s: \"%s\" has one value for every %s; expected a number", column,
               layout->line[cell.line].name, layout->by);
    for (int i = 0; i < tree->count && !layout->plain; i++) {
        cell.coordinate = layout_read_coordinate(tree->key[i], layout, arena);
        add_value(values, tree->item[i], column, cell, arena);
    }
}

/* Returns the column that a key names. For a column with dimensions, the key is the name of the
 * column in the table, "gates.gate layer 3". For class: all, the key names one class,
 * "contrast.accuracy: NOUN". column_read reads all other keys. */
static struct column named_column(const struct tree *key, const struct layout *layout,
                                  struct arena *arena)
{
    for (int i = 0; i < layout->columns; i++) {
        struct column column = layout->column[i];
        const size_t stem =
            strlen(column.name) - (dimensions_every(&column.of) ? strlen("all") : 0);
        if (!dimensions_some(&column.of) || strncmp(key->text, column.name, stem) != 0) continue;
        const char *class = key->text + stem;
        if (dimensions_every(&column.of) != (*class != 0)) continue;
        if (*class) column = column_of_class(&column, class, arena);
        column.item = key;
        return column;
    }
    return column_read(key, arena);
}

const char *layout_text(const struct tree *map, const char *key)
{
    const struct tree *value = tree_get(map, key);
    return value ? scalar_text(value, key) : NULL;
}

void layout_read_paper(const struct tree *paper, struct layout *layout, const struct grid *grid,
                       struct arena *arena)
{
    static const char *const words[] = {"metric", "data", NULL};
    if (!paper) return;
    if (paper->kind != TREE_MAP)
        die_at(paper->location, "paper: expected {metric: \"..\", bleu: {ROW: value}}");
    layout->paper = (struct layout_paper){
        .metric = layout_text(paper, "metric"),
        .data = layout_text(paper, "data"),
        .column = ARENA_ARRAY(arena, struct column, paper->count),
    };
    if (!layout->paper.metric)
        die_at(paper->location, "paper: metric is missing; expected a text that says how the paper "
                                "computed its values");
    for (int i = 0; i < paper->count; i++) {
        const struct tree *lines = paper->item[i];
        if (word_known(paper->key[i]->text, words)) continue;
        const struct column column = named_column(paper->key[i], layout, arena);
        layout->paper.column[layout->paper.columns++] = column;
        if (lines->kind != TREE_MAP)
            die_at(lines->location, "%s: expected a map from rows to values", column.name);
        for (int k = 0; k < lines->count; k++) {
            struct layout_cell cell = layout_named(lines->key[k]->text, layout, grid);
            if (cell.line == -1) cell = layout_read_cell(lines->key[k], 0, layout, grid, arena);
            if (cell.line < 0)
                layout->paper.left_out++; /* no swept row is the row of the paper */
            else
                read_value(lines->item[k], paper->key[i]->text, cell, layout, &layout->of_paper,
                           arena);
        }
    }
}

static void read_quote(int line, struct layout *layout, struct arena *arena)
{
    static const char *const words[] = {"source", "metric", "data", NULL};
    const struct tree *quote = layout->line[line].quote;
    if (quote->kind != TREE_MAP)
        die_at(quote->location, "quote: expected {source: \"..\", metric: \"..\", bleu: 26.3}");
    for (int i = 0; words[i]; i++) layout_text(quote, words[i]);
    if (!tree_get(quote, "metric") && !layout->paper.metric)
        die_at(quote->location,
               "quote: metric is missing; expected a text, here or in table.paper, "
               "that says how these values were computed");
    for (int i = 0; i < quote->count; i++) {
        if (word_known(quote->key[i]->text, words)) continue;
        named_column(quote->key[i], layout, arena);
        read_value(quote->item[i], quote->key[i]->text, (struct layout_cell){line, -1}, layout,
                   &layout->quoted, arena);
    }
}

void layout_read_quotes(struct layout *layout, struct arena *arena)
{
    for (int i = 0; i < layout->lines; i++)
        if (layout->line[i].quote) read_quote(i, layout, arena);
}

const char *layout_file_problem(const char *path, struct arena *arena)
{
    struct arena text = {0};
    const char *problem = NULL;
    size_t bytes = 0, column;
    if (!file_exists(path)) return arena_print(arena, "there is no file %s", path);
    if (path_is_denied(path))
        return arena_print(arena, "%s cannot be read: permission denied", path);
    const char *content = file_read(&text, path, 0, &bytes);
    const size_t mark = utf8_mark(content, bytes);
    content += mark, bytes -= mark;
    const int64_t bad = utf8_check(content, bytes);
    if (!bytes) {
        problem = arena_print(arena, "%s is empty", path);
    } else if (bad >= 0) {
        const int64_t line = file_find_line(content, content + bad, &column) + 1;
        problem = arena_print(arena, "%s:%lld: byte %zu is not valid UTF-8", path, (long long)line,
                              column);
    } else if (memchr(content, 0, bytes)) {
        problem = arena_print(arena, "%s has a NUL byte", path);
    }
    arena_free(&text);
    return problem;
}
