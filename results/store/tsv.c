/* All lines are looked at before any is read. */
#include "results/store/tsv.h"

#include <string.h>

#include "core/base/file.h"

const char *tsv_problem(const struct tsv *tsv, struct arena *arena, int i, const char *wrong)
{
    return arena_print(arena, "%s:%d: %s", tsv->path, i + 1, wrong);
}

/* What is wrong with line i, behind which lies `next`, or NULL; torn: the last one has no end. */
static const char *check_line(const struct tsv *tsv, int i, const char *next, bool torn)
{
    if (torn && i == tsv->count - 1) return "the line has no end; the file was cut off";
    return tsv->line[i] + strlen(tsv->line[i]) + 1 == next ? NULL : "a NUL byte";
}

/* Which of its forms the first line has; says what was expected, or NULL. */
static const char *check_first(struct tsv *tsv, struct arena *arena)
{
    for (tsv->form = 0; tsv->first[tsv->form]; tsv->form++)
        if (!strcmp(tsv->line[0], tsv->first[tsv->form])) return NULL;
    char *rest = arena_text(arena, tsv->first[0]);
    const char *names = strsep(&rest, "\t");
    for (char *one; (one = strsep(&rest, "\t"));) names = arena_print(arena, "%s, %s", names, one);
    return arena_print(arena, "expected \"%s\", with tabs, as the first line", names);
}

bool tsv_cut(struct tsv *tsv, struct arena *arena, char *text, size_t bytes, const char **problem)
{
    const bool torn = bytes && text[bytes - 1] != '\n';
    const char *wrong = NULL;
    int i = 0;
    tsv->line = (char **)file_cut_lines(arena, text, bytes, &tsv->count);
    for (; !wrong && i < tsv->count; i++)
        wrong = check_line(tsv, i, i + 1 < tsv->count ? tsv->line[i + 1] : text + bytes, torn);
    if (!wrong && tsv->count && (wrong = check_first(tsv, arena))) i = 1;
    if (!wrong && tsv->count < 2) {
        wrong = arena_print(arena, "there is no %s", tsv->what);
        i = tsv->count + 1;
    }
    if (wrong) *problem = tsv_problem(tsv, arena, i - 1, wrong);
    return !wrong;
}

int tsv_columns(char *line, const char **column, int most)
{
    int columns = 0;
    for (char *rest = line, *one; (one = strsep(&rest, "\t")); columns++)
        if (columns < most) column[columns] = one;
    return columns;
}
