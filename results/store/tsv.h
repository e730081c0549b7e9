/* A file of columns between tabs whose first line names them, as its readers begin with it
 * (items.h, clusters.h). */
#pragma once

#include "core/base/arena.h"

struct tsv {
    const char *path, *what;  /* what a line behind the first one is, for messages */
    const char *const *first; /* what the first line may be; NULL-terminated */
    int form;                 /* which of these it is */
    int count;                /* lines, with the first one */
    char **line;              /* [count] in the text, each with a NUL at its end */
};
/* Cuts the text of the file, which is changed. False: a line has a NUL byte, or the last one no
 * end, the first one is another, or there is none behind it; *problem says so, with the line:
 * "PATH:3: ..". */
bool tsv_cut(struct tsv *tsv, struct arena *arena, char *text, size_t bytes, const char **problem);
/* Cuts a line at its tabs: how many columns there are, of which column [most] has the first. */
int tsv_columns(char *line, const char **column, int most);
/* What is wrong with line i, from 0, as tsv_cut says it. */
const char *tsv_problem(const struct tsv *tsv, struct arena *arena, int i, const char *wrong);
