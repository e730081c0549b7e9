/* Lines of five columns between tabs. */
#include "results/store/clusters.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/file.h"
#include "core/base/number.h"

enum { COLUMNS = 5, MOST = 100000000 };
static const char header[] = "cluster\tlayer\tclass\tcount\tsum";

void clusters_write(const char *folder, const struct cluster_sum *sum, int count)
{
    char *path = heap_print("%s/" CLUSTERS_FILE, folder);
    struct file_writer writer = file_create(path);
    fprintf(writer.stream, "%s\n", header);
    for (int i = 0; i < count; i++) {
        char number[REAL_TEXT];
        if (sum[i].count <= 0) continue;
        CHECK(!sum[i].class[strcspn(sum[i].class, "\t\r\n")], "a tab in \"%s\"", sum[i].class);
        fprintf(writer.stream, "%d\t%d\t%s\t", sum[i].cluster, sum[i].layer, sum[i].class);
        real_print(sum[i].count, number);
        fprintf(writer.stream, "%s\t", number);
        real_print(sum[i].sum, number);
        fprintf(writer.stream, "%s\n", number);
    }
    file_commit(&writer);
    free(path);
}

static bool read_whole(const char *text, int least, int *number)
{
    double value;
    if (!real_parse(text, &value) || value < least || value > MOST || value != floor(value))
        return false;
    *number = (int)value;
    return true;
}

/* What is wrong with a line, or NULL. */
static const char *read_sum(struct arena *arena, char *line, struct cluster_sum *sum)
{
    const char *column[COLUMNS];
    int columns = 0;
    for (char *rest = line, *one; (one = strsep(&rest, "\t")); columns++)
        if (columns < COLUMNS) column[columns] = one;
    if (columns != COLUMNS)
        return arena_print(arena,
                           "%d columns between tabs; expected cluster, layer, class, count "
                           "and sum",
                           columns);
    *sum = (struct cluster_sum){.class = column[2]};
    if (!read_whole(column[0], 1, &sum->cluster) || !read_whole(column[1], 0, &sum->layer))
        return arena_print(arena, "\"%.20s\" and \"%.20s\" are no cluster and layer", column[0],
                           column[1]);
    if (!real_parse(column[3], &sum->count) || sum->count <= 0)
        return arena_print(arena, "\"%.40s\" is no count; expected a number above 0", column[3]);
    if (!real_parse(column[4], &sum->sum))
        return arena_print(arena, "\"%.40s\" is no number", column[4]);
    return NULL;
}

const struct cluster_sum *clusters_read(struct arena *arena, const char *path, char *text,
                                        size_t bytes, int *count, const char **problem)
{
    const bool torn = !bytes || text[bytes - 1] != '\n';
    const char *wrong = NULL;
    int lines, line = 0;
    char **at = (char **)file_cut_lines(arena, text, bytes, &lines);
    struct cluster_sum *sum = ARENA_ARRAY(arena, struct cluster_sum, lines + 1);
    while (!wrong && line < lines) {
        const char *end = line + 1 < lines ? at[line + 1] : text + bytes;
        line++;
        if (torn && line == lines)
            wrong = "the line has no end; the file was cut off";
        else if (at[line - 1] + strlen(at[line - 1]) + 1 != end)
            wrong = "a NUL byte";
        else if (line > 1)
            wrong = read_sum(arena, at[line - 1], &sum[line - 2]);
        else if (strcmp(at[0], header) != 0)
            wrong = "expected \"cluster, layer, class, count, sum\", with tabs, as the first line";
    }
    if (!wrong && line < 2) {
        line++;
        wrong = "there is no sum";
    }
    if (wrong) *problem = arena_print(arena, "%s:%d: %s", path, line, wrong);
    *count = line - 1;
    return wrong ? NULL : sum;
}
