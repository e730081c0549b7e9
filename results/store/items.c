/* Lines of three columns between tabs; the first one is always the same. */
#include "results/store/items.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/file.h"
#include "core/base/number.h"

enum { COLUMNS = 3 };
static const char header[] = "number\tclass\tstratum";

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
    fprintf(writer.stream, "%s\n", header);
    for (int i = 0; i < count; i++) {
        char number[REAL_TEXT];
        CHECK(isfinite(item[i].number), "item %d is no number", i + 1);
        CHECK(is_plain(item[i].class) && is_plain(item[i].stratum),
              "item %d: a tab or a line break in \"%s\" or \"%s\"", i + 1, item[i].class,
              item[i].stratum);
        real_print(item[i].number, number);
        fprintf(writer.stream, "%s\t%s\t%s\n", number, item[i].class, item[i].stratum);
    }
    file_commit(&writer);
    free(path);
}

/* Cuts a line at its tabs; returns what is wrong with it, or NULL. */
static const char *read_item(struct arena *arena, char *line, struct item *item)
{
    const char *column[COLUMNS];
    int columns = 0;
    for (char *rest = line, *one; (one = strsep(&rest, "\t"));) {
        if (columns < COLUMNS) column[columns] = one;
        columns++;
    }
    if (columns != COLUMNS)
        return arena_print(arena, "%d columns between tabs; expected number, class and stratum",
                           columns);
    *item = (struct item){.class = column[1], .stratum = column[2]};
    if (real_parse(column[0], &item->number)) return NULL;
    return arena_print(arena, "\"%.40s\" is no number", column[0]);
}

const struct item *items_read(struct arena *arena, const char *path, char *text, size_t bytes,
                              int *count, const char **problem)
{
    const bool torn = bytes && text[bytes - 1] != '\n';
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
            wrong = read_item(arena, at[line - 1], &item[line - 2]);
        else if (strcmp(at[0], header) != 0)
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
