/* Lines of three columns between tabs, or of four: the first one says which. */
#include "results/store/items.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/file.h"
#include "core/base/number.h"

enum { COLUMNS = 4 }; /* the last one may be missing */
static const char *const header[] = {"number\tclass\tstratum", "number\tclass\tstratum\tweight"};

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

/* Cuts a line at its tabs; returns what is wrong with it, or NULL. */
static const char *read_item(struct arena *arena, char *line, bool weighted, struct item *item)
{
    const char *column[COLUMNS];
    int columns = 0;
    for (char *rest = line, *one; (one = strsep(&rest, "\t"));) {
        if (columns < COLUMNS) column[columns] = one;
        columns++;
    }
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
    const bool torn = bytes && text[bytes - 1] != '\n';
    bool weighted = false;
    const char *wrong = NULL;
    int lines, line = 0;
    char **at = (char **)file_cut_lines(arena, text, bytes, &lines);
    struct item *item = ARENA_ARRAY(arena, struct item, lines + 1);
    while (!wrong && line < lines) {
        const char *end = line + 1 < lines ? at[line + 1] : text + bytes;
        line++;
        if (torn && line == lines)
            wrong = "the line has no end; the file was cut off";
        else if (at[line - 1] + strlen(at[line - 1]) + 1 != end)
            wrong = "a NUL byte";
        else if (line > 1)
            wrong = read_item(arena, at[line - 1], weighted, &item[line - 2]);
        else if (!(weighted = !strcmp(at[0], header[1])) && strcmp(at[0], header[0]) != 0)
            wrong = "expected \"number, class, stratum\", with tabs, as the first line";
    }
    if (!wrong && line < 2) {
        line++;
        wrong = "there is no item";
    }
    if (wrong) *problem = arena_print(arena, "%s:%d: %s", path, line, wrong);
    *count = line - 1;
    return wrong ? NULL : item;
}
