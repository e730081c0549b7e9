/* Lines of three columns between tabs, or of four: the first one says which. */
#include "results/store/items.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/file.h"
#include "core/base/number.h"
#include "results/store/tsv.h"

enum { COLUMNS = 4 }; /* the last one may be missing */
static const char *const header[] = {"number\tclass\tstratum", "number\tclass\tstratum\tweight",
                                     NULL};

const char *items_file(int set, int sets, struct arena *arena)
{
    return sets == 1 ? "items.tsv" : arena_print(arena, "items.%d.tsv", set + 1);
}

static bool is_plain(const char *text)
{
    return !text[strcspn(text, "\t\r\n")];
}

void items_write(const char *folder, const char *file, const struct item *item, int count)
{
    char *path = heap_print("%s/%s", folder, file);
    struct file_writer writer = file_create(path);
    const bool weighted = count && item[0].weight > 0;
    fprintf(writer.stream, "%s\n", header[weighted]);
    for (int i = 0; i < count; i++) {
        char number[REAL_TEXT];
        CHECK(isfinite(item[i].number), "item %d is not a number", i + 1);
        CHECK(weighted ? item[i].weight > 0 && isfinite(item[i].weight) : item[i].weight == 0,
              "item %d weighs %g", i + 1, item[i].weight);
        CHECK(is_plain(item[i].class) && is_plain(item[i].stratum),
              "item %d: a tab or a line break in \"%s\" or \"%s\"", i + 1, item[i].class,
              item[i].stratum);
        real_print(item[i].number, number);
        fprintf(writer.stream, "%s\t%s\t%s", number, item[i].class, item[i].stratum);
        if (weighted) real_print(item[i].weight, number);
        if (weighted) fprintf(writer.stream, "\t%s", number);
        fputc('\n', writer.stream);
    }
    file_commit(&writer);
    free(path);
}

/* What is wrong with a line, or NULL. */
static const char *read_item(struct arena *arena, char *line, bool weighted, struct item *item)
{
    const char *column[COLUMNS];
    const int columns = tsv_columns(line, column, COLUMNS);
    if (columns != COLUMNS - !weighted)
        return arena_print(arena, "%d columns between tabs; expected number, class%s", columns,
                           weighted ? ", stratum and weight" : " and stratum");
    *item = (struct item){.class = column[1], .stratum = column[2]};
    if (!real_parse(column[0], &item->number))
        return arena_print(arena, "\"%.40s\" is not a number", column[0]);
    if (weighted && !(real_parse(column[3], &item->weight) && item->weight > 0))
        return arena_print(arena, "\"%.40s\" is not a weight; expected a number above 0",
                           column[3]);
    return NULL;
}

const struct item *items_read(struct arena *arena, const char *path, char *text, size_t bytes,
                              int *count, const char **problem)
{
    struct tsv tsv = {.path = path, .what = "item", .first = header};
    if (!tsv_cut(&tsv, arena, text, bytes, problem)) return NULL;
    const char *wrong = NULL;
    int i = 0;
    struct item *item = ARENA_ARRAY(arena, struct item, tsv.count);
    while (!wrong && ++i < tsv.count) wrong = read_item(arena, tsv.line[i], tsv.form, &item[i - 1]);
    if (wrong) *problem = tsv_problem(&tsv, arena, i, wrong);
    *count = tsv.count - 1;
    return wrong ? NULL : item;
}
