/* gnuplot as a child that can do nothing but draw: `gnuplot -d script.gp` with a fixed argv (no
 * shell), a clean environment, its standard input empty, in a private temporary folder, in the jail
 * (jail.h), with limits of time, memory and file size. What it leaves is checked (magic number) and
 * handed back as bytes; the folder is removed. The same script and data give the same bytes: the
 * date in a PDF is rewritten. */
#pragma once

#include "core/base/arena.h"

enum gnuplot_format { GNUPLOT_SVG, GNUPLOT_PDF, GNUPLOT_PNG };
extern const char *const gnuplot_format_names[]; /* "svg", "pdf", "png", NULL */

enum { GNUPLOT_SECONDS = 30 };

struct gnuplot_file {
    const char *name, *bytes;
    size_t count;
};

struct gnuplot_job {
    int files; /* written into the folder; one of them is script.gp */
    const struct gnuplot_file *file;
    enum gnuplot_format format; /* the script must leave figure.svg, .pdf or .png */
    int seconds;                /* 0: GNUPLOT_SECONDS */
    bool open;                  /* without the jail: for tests of what holds without it */
};

struct gnuplot_result {
    const char *failure; /* one line; NULL: drawn */
    const char *image;
    size_t bytes;
};

/* The program on $PATH, or NULL. */
const char *gnuplot_find(struct arena *arena);
/* Never dies of what gnuplot does. */
struct gnuplot_result gnuplot_run(const struct gnuplot_job *job, struct arena *arena);
