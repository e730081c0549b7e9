/* Lines of five columns between tabs. */
#include "results/store/clusters.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/file.h"
#include "core/base/number.h"
#include "results/store/tsv.h"

enum { COLUMNS = 5, MOST = 100000000 };
static const char *const header[] = {"cluster\tlayer\tclass\tcount\tsum", NULL};

void clusters_write(const char *folder, const struct cluster_sum *sum, int count)
{
    char *path = heap_print("%s/" CLUSTERS_FILE, folder);
    struct file_writer writer = file_create(path);
    fprintf(writer.stream, "%s\n", header[0]);
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
    const int columns = tsv_columns(line, column, COLUMNS);
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
    struct tsv tsv = {.path = path, .what = "sum", .first = header};
    if (!tsv_cut(&tsv, arena, text, bytes, problem)) return NULL;
    const char *wrong = NULL;
    int i = 0;
    struct cluster_sum *sum = ARENA_ARRAY(arena, struct cluster_sum, tsv.count);
    while (!wrong && ++i < tsv.count) wrong = read_sum(arena, tsv.line[i], &sum[i - 1]);
    if (wrong) *problem = tsv_problem(&tsv, arena, i, wrong);
    *count = tsv.count - 1;
    return wrong ? NULL : sum;
}
