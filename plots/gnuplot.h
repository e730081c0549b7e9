/* Runs gnuplot as a restricted child process. The command is `gnuplot -d script.gp`, without a
 * shell. The process has a fixed environment, empty standard input, a private temporary folder, and
 * limits of time, memory and file size. It runs in the jail (jail.h). The image is returned as
 * bytes, after a check of its magic number. The folder is removed. Equal scripts and data give
 * equal bytes, because the date in a PDF is replaced. Cairo 1.18 (Debian 13) compresses this date.
 * There, PDFs differ if they were made at different times. */
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
    int files; /* number of files that are written into the folder; one is script.gp */
    const struct gnuplot_file *file;
    enum gnuplot_format format; /* the script must write figure.svg, .pdf or .png */
    int seconds;                /* 0: GNUPLOT_SECONDS */
    bool open;                  /* run without the jail; only for tests */
};

struct gnuplot_result {
    const char *failure; /* reason in one line; NULL: the image was drawn */
    const char *image;
    size_t bytes;
};

/* Returns the path of the program on $PATH; NULL: none. */
const char *gnuplot_find(struct arena *arena);
/* Draws. Failures of gnuplot are returned and never end the program. */
struct gnuplot_result gnuplot_run(const struct gnuplot_job *job, struct arena *arena);
